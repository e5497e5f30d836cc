// Every verb with arguments that it takes, made anew for each call: what the tricks are played on.

import { SearchEngine, setDefaultEngine } from "../../src/index.js";
import { anything } from "../bad-input/world.js";
import type { TrickWorld } from "./tricks-world.js";

/** One verb. */
export interface TrickVerb {
  readonly name: string;
  /** True where a call that succeeds changes what the engine holds. */
  readonly writes: boolean;
  readonly args: () => unknown[];
  /** Calls it, the arguments spread. */
  readonly call: (world: TrickWorld, args: readonly unknown[]) => unknown;
}

const record = (id: string): object => ({
  id,
  title: "yellow saw",
  price: 5,
  ok: true,
  none: null,
  tags: ["x", "y"],
  specs: { volts: 18, deep: [{ a: [1] }] },
  vector: [0.6, 0.8],
});
const small = (id: string): object => ({ id, title: "yellow saw", tags: ["x"], specs: { volts: 18 } });
const callOptions = (): object => ({ signal: new AbortController().signal });
const addOptions = (): object => ({ ...callOptions(), onProgress: () => {} });

const params = (): object => ({
  query: "red drill",
  page: 1,
  hitsPerPage: 5,
  filters: { OR: [{ brand: "Forge" }, { price: { lt: 50, between: [1, 60] } }], NOT: { brand: ["Hem", null] } },
  facetFilters: [["brand:Forge", "brand:Volt"], "price:10"],
  facets: ["brand", "price"],
  maxValuesPerFacet: 3,
  sort: ["price:asc"],
  distinct: true,
  attributesToRetrieve: ["title", "-brand"],
  attributesToHighlight: ["title"],
  attributesToSnippet: ["title:3"],
  highlightPreTag: "<b>",
  highlightPostTag: "</b>",
  snippetEllipsisText: "...",
  restrictSearchableAttributes: ["title"],
  typoTolerance: true,
  queryType: "prefixLast",
  optionalWords: ["red"],
  advancedSyntax: true,
  explain: true,
  semanticWeight: 0.5,
  semanticFloor: 0,
  semanticDepth: 10,
  matching: "any",
  vector: [1, 0],
});

const embedder = (): object => ({
  id: "play-1",
  dimensions: 2,
  maxBatchSize: 2,
  wordsOnly: false,
  knows: () => false,
  embed: async (texts: readonly string[]) => texts.map(() => [1, 0]),
});

const settings = (): object => ({
  idAttribute: "id",
  searchableAttributes: ["title", { attribute: "brand", weight: 2 }],
  identifierAttributes: ["sku"],
  analyzer: { id: "play", analyze: (text: string) => text.split(" ") },
  matching: "any",
  matchingRatio: 0.5,
  embedder: embedder(),
  embeddedAttributes: ["title"],
  vectorIndex: { kind: "exact", m: 8, efConstruction: 50, efSearch: 50 },
  fusion: { method: "convex", semanticWeight: 0.2 },
  semanticFloor: 0.1,
  semanticDepth: 20,
  bm25: { k1: 1, b: 0.5 },
  attributesForFaceting: ["brand", "price"],
  customRanking: ["desc(price)"],
  attributeForDistinct: "brand",
  distinct: true,
  synonyms: [
    { type: "synonym", synonyms: ["saw", "drill"] },
    { type: "oneWaySynonym", objectID: "s", input: "tv", synonyms: ["television"] },
  ],
  stopWords: ["the"],
  optionalWords: ["red"],
  typoTolerance: true,
  disableTypoToleranceOnWords: ["saw"],
  disableTypoToleranceOnAttributes: ["brand"],
  queryType: "prefixAll",
});

/** A verb of the engine by its name, with the arguments it takes. */
function verb(name: keyof SearchEngine, writes: boolean, args: () => unknown[]): TrickVerb {
  return { name, writes, args, call: ({ engine }, given) => Reflect.apply(engine[name], engine, given) };
}

async function browse({ engine }: TrickWorld, [name]: readonly unknown[]): Promise<unknown[]> {
  const records: unknown[] = [];
  for await (const each of engine.browseRecords(anything(name))) records.push(each);
  return records;
}

/** All verbs of an engine that take anything, its constructor, and the choice of the default engine. */
export const TRICK_VERBS: readonly TrickVerb[] = [
  verb("query", false, () => ["shop", params(), callOptions()]),
  { ...verb("query", false, () => ["shop", { params: "query=drill&page=1" }]), name: "query, encoded" },
  {
    ...verb("query", false, () => ["shop", { query: "", facetFilters: { brand: ["Forge"], price: { gte: 1 } } }]),
    name: "query, clicks as an object",
  },
  verb("searchForFacetValues", false, () => [
    "shop",
    { facetName: "brand", facetQuery: "f", maxFacetHits: 3, query: "drill", filters: "price > 1" },
    callOptions(),
  ]),
  verb("whyNot", false, () => ["shop", { query: "drill", filters: { brand: "Forge" } }, "b"]),
  verb("getRecords", false, () => ["shop", ["a", 7, "c"]]),
  { name: "browseRecords", writes: false, args: () => ["shop"], call: browse },
  verb("getSettings", false, () => ["shop"]),
  verb("digest", false, () => ["shop", callOptions()]),
  verb("estimate", false, () => ["shop"]),
  verb("addRecords", true, () => ["shop", [record("a"), small("new")], addOptions()]),
  verb("updateRecords", true, () => ["shop", [small("a"), small("new")], { ...addOptions(), createIfNotExists: true }]),
  verb("replaceAllRecords", true, () => ["shop", [small("a")], addOptions()]),
  verb("deleteRecords", true, () => ["shop", ["a", 7], callOptions()]),
  verb("deleteBy", true, () => [
    "shop",
    { filters: { AND: [{ brand: "Forge" }, { price: { lte: 10 } }] } },
    callOptions(),
  ]),
  verb("clearIndex", true, () => ["shop"]),
  verb("updateSettings", true, () => ["other", settings(), addOptions()]),
  verb("createIndex", true, () => ["third", settings(), { ifExists: "open" }]),
  verb("copyIndex", true, () => ["shop", "third"]),
  verb("moveIndex", true, () => ["shop", "third"]),
  verb("deleteIndex", true, () => ["shop"]),
  verb("index", false, () => ["shop"]),
  {
    name: "new SearchEngine",
    writes: false,
    args: () => [
      { embedder: embedder(), onWarning: () => {}, strict: false, limits: { page: 10, facets: 2, maxMemory: 1e9 } },
    ],
    call: (_, args) => Reflect.construct(SearchEngine, args).capabilities(),
  },
  {
    name: "setDefaultEngine",
    writes: false,
    args: () => [new SearchEngine()],
    call: (_, [given]) => {
      setDefaultEngine(anything(given));
      // What it gives back is the engine of the trick before: its own business.
      setDefaultEngine(new SearchEngine());
    },
  },
];

/** The verbs that a handle has too: called without the name. */
const ON_HANDLES =
  "query searchForFacetValues whyNot getRecords digest addRecords updateRecords replaceAllRecords deleteRecords deleteBy".split(
    " ",
  );

/** The same verb of a handle; undefined where it has none. */
export function ofHandle(given: TrickVerb): TrickVerb | undefined {
  if (!ON_HANDLES.includes(given.name)) return undefined;
  const call: TrickVerb["call"] = ({ index }, [, ...args]) =>
    Reflect.apply(anything<Record<string, (...args: unknown[]) => unknown>>(index)[given.name]!, index, args);
  return { ...given, name: `handle.${given.name}`, call };
}
