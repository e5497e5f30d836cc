// An index of more records than a query reads is answered as the embedded engine answers it, by few requests that read few records.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../src/api/engine.js";
import type { IndexSettings, JsonRecord, SearchData, SearchParams, SuggestParams } from "../../src/index.js";
import { allOf } from "../support/all-of.js";
import { clusterEngines, type EnginePair, NODE } from "../support/cluster-engines.js";
import { type CountingProxy, countingProxy } from "../support/counting-proxy.js";
import { Random } from "../support/random.js";

const { pair } = clusterEngines();

const THINGS =
  "drill saw hammer lamp sofa chair table kettle toaster blender mixer fan heater battery charger cable bag tent scarf jacket";
const KINDS =
  "cordless electric folding compact red blue black white steel oak heavy light small large garden kitchen outdoor padded";
const MORE = "with for and case set pack pro mini max plus 18V 12V 500W 2x4 USB-C XL";
const BRANDS = ["Volt", "Steelhand", "Nordlicht", "Kvist", "Ostrava"];
const [things, kinds, more] = [THINGS, KINDS, MORE].map((words) => words.split(" ")) as [string[], string[], string[]];

/** A text, not a value. */
const RETURNS =
  "Whatever does not please may come back within thirty days, unused and complete, and we pay postage. ".repeat(2);

/** Records of few words, so that many match. */
function recordsOf(random: Random, count: number): JsonRecord[] {
  const some = (words: readonly string[], most: number): string =>
    Array.from({ length: random.between(0, most) }, () => random.pick(words)).join(" ");
  return Array.from({ length: count }, (_, i) => ({
    id: `r${i}`,
    title: `${random.pick(BRANDS)} ${some(kinds, 2)} ${random.pick(things)} ${some(more, 3)}`.replace(/ +/g, " "),
    description: `${some(kinds, 6)} ${some(things, 4)} ${some(more, 6)}`.trim(),
    brand: random.pick(BRANDS),
    price: random.between(1, 4000) / 4,
    stock: random.between(0, 5),
    inStock: random.chance(0.7),
    sku: `AB-${1000 + i}`,
    ...(i % 10 === 0 && { returns: RETURNS }),
  }));
}

const COUNT = 3000;
const RANK_WINDOW = 1000;
const SEMANTIC_DEPTH = 100;
const RECORDS = recordsOf(new Random(1), COUNT);

/** Queries of one to five words of these records; of the wrong ones, some words are misspelt or unfinished. */
function queriesOf(random: Random, count: number, areWrong: boolean): string[] {
  return Array.from({ length: count }, () => {
    const words = Array.from({ length: random.between(1, 5) }, () =>
      random.pick(random.pick([things, things, kinds, kinds, more, BRANDS])),
    );
    const at = random.between(0, words.length - 1);
    const word = words[at]!;
    if (areWrong) words[at] = random.chance(0.7) ? word.slice(0, 2) + word.slice(3) : word.slice(0, 3);
    return words.join(" ");
  });
}

const RIGHT = [...queriesOf(new Random(2), 20, false), "AB-1234", "ab1300", "r77", "zzz", "the", "", "drill -saw"];
const QUERIES = [...RIGHT, ...queriesOf(new Random(3), 10, true)];

/** Texts of one to three words of these records, of which the last one is not finished. */
function prefixesOf(random: Random, count: number): string[] {
  return Array.from({ length: count }, () => {
    const [last, ...before] = queriesOf(random, 1, false)[0]!.split(" ").slice(0, 3);
    return [...before, last!.slice(0, random.between(1, last!.length))].join(" ").toLowerCase();
  });
}

const PREFIXES = prefixesOf(new Random(4), 60);
/** The last words have typing errors. */
const MISTYPED = [
  "drlil",
  "hamer",
  "kettel",
  "cordles dri",
  "balck keti",
  "battrey c",
  "steel blendr",
  "jackte",
  "folidng ta",
];
/** No letters, signs that mean something to the cluster, identifiers, whole words. */
const ODD = [
  "dr.*",
  "a|b",
  "dri(ll",
  "drll[a-z]+",
  "dril~1",
  "<1-9>",
  "@",
  "usb-",
  "18",
  "2x",
  "ab-12",
  "🪛dr",
  '"dri',
  "drill ",
  "-saw dr",
];
const OWN = [
  { text: "Drill bits for steel", weight: 3 },
  { text: "drill", weight: 2 },
  { text: "Drones" },
  { text: "black kettle" },
];

/** How many records hold all finished words of a text, and a word that goes on as the last one does. */
function countGoingOn(typed: string, passes: (record: JsonRecord) => boolean = () => true): number {
  const words = typed.split(" ");
  return RECORDS.filter((record) => {
    const held = `${record.title} ${record.description} ${record.brand}`.toLowerCase().split(" ");
    const goesOn = held.some((word) => word.startsWith(words.at(-1)!));
    return passes(record) && goesOn && words.slice(0, -1).every((word) => held.includes(word));
  }).length;
}

/** Cosines and impacts of the same records are computed by the same code: scores are equal, not only near. */
const shown = ({ hits }: SearchData): unknown => hits.map(({ id, score }) => [id, score]);

interface Shops extends EnginePair {
  readonly proxy: CountingProxy;
}

async function shopsOf(settings: IndexSettings, options: object = {}): Promise<Shops> {
  const proxy = await countingProxy(NODE);
  afterAll(() => proxy.close());
  const engines = await pair({ nodes: [proxy.url], ...options });
  for (const engine of [engines.embedded, engines.cluster]) {
    await engine.createIndex("shop", settings);
    await engine.addRecords("shop", RECORDS);
  }
  return Object.assign(engines, { proxy });
}

/** What differs between the answers of both engines; empty: nothing. */
async function differences(
  { embedded, cluster }: EnginePair,
  asked: readonly SearchParams[],
  of: (data: SearchData) => unknown,
): Promise<string[]> {
  const differing: string[] = [];
  const ask = async (engine: Engine, params: SearchParams) => of((await engine.query("shop", params)).data);
  for (const params of asked) {
    const [expected, actual] = [await ask(embedded, params), await ask(cluster, params)].map((each) =>
      JSON.stringify(each),
    );
    if (expected !== actual) differing.push(`${JSON.stringify(params)}: ${expected}, in the cluster ${actual}`);
  }
  return differing;
}

/** Texts that go on in no more records than are read. */
function narrow(prefixes: readonly string[], passes?: (record: JsonRecord) => boolean): string[] {
  return prefixes.filter((typed) => countGoingOn(typed, passes) <= RANK_WINDOW);
}

const isDear = ({ price }: JsonRecord): boolean => (price as number) >= 800;

const FILTERS = [
  { brand: "Volt" },
  { price: { between: [10, 200] } },
  { OR: [{ brand: "Kvist" }, { stock: { gte: 4 } }] },
  { NOT: { brand: "Volt" } },
  { AND: [{ inStock: true }, { NOT: { price: { lt: 500 } } }] },
] as const;

/** Asks each query, and tells which of them took more requests, or read more records, than a query may. */
async function costly({ cluster, proxy }: Shops, queries: readonly string[]): Promise<unknown[]> {
  // The first query of a process also learns how long the fields of all records are.
  await cluster.query("shop", { query: "drill" });
  const found: unknown[] = [];
  for (const query of queries) {
    Object.assign(proxy, { requests: 0, documents: 0 });
    await cluster.query("shop", { query });
    const { requests, documents } = proxy;
    if (requests > 3 || documents > RANK_WINDOW + SEMANTIC_DEPTH) found.push({ query, requests, documents });
  }
  return found;
}

const answered = (data: SearchData): unknown => ({ nbHits: data.nbHits, hits: shown(data) });

describe("by words", () => {
  let shops: Shops;
  beforeAll(async () => {
    shops = await shopsOf({ suggestions: OWN });
  });

  it.each([
    "all",
    "any",
  ] as const)("has the first pages, their scores and all counts, matching %s", async (matching) => {
    const asked = QUERIES.map((query): SearchParams => ({ query, matching }));
    expect(await differences(shops, asked, answered)).toEqual([]);
  });

  it("has the first pages and their scores, matching auto", async () => {
    const asked = QUERIES.map((query): SearchParams => ({ query }));
    expect(await differences(shops, asked, shown)).toEqual([]);
  });

  it("counts all hits, matching auto, but for some whose scores are near the cut", async () => {
    const { embedded, cluster } = shops;
    const { matchingRatio } = (await embedded.getSettings("shop")).effective;
    for (const [name, by] of [
      ["fewer", 1.1],
      ["more", 0.9],
    ] as const) {
      await embedded.copyIndex("shop", name);
      await embedded.updateSettings(name, { matchingRatio: matchingRatio * by });
    }
    for (const query of QUERIES) {
      const [fewer, more] = await Promise.all(
        ["fewer", "more"].map(async (name) => (await embedded.query(name, { query })).data.nbHits),
      );
      const { nbHits } = (await cluster.query("shop", { query })).data;
      expect([nbHits >= fewer!, nbHits <= more!], `${query}: ${nbHits} of ${fewer} to ${more}`).toEqual([true, true]);
    }
  });

  it.each(["all", "any"] as const)("filters, matching %s", async (matching) => {
    const asked = QUERIES.map((query, i): SearchParams => ({ query, matching, filters: FILTERS[i % FILTERS.length]! }));
    expect(await differences(shops, asked, answered)).toEqual([]);
  });

  it("counts the values of facets, also of those that are chosen", async () => {
    const asked = QUERIES.slice(0, 20).map(
      (query, i): SearchParams => ({
        ...{ query, matching: "all", facets: ["brand", "stock"] },
        ...(i % 2 === 0 && { facetFilters: [["brand:Volt", "brand:Kvist"]] }),
      }),
    );
    expect(await differences(shops, asked, ({ nbHits, facets }) => ({ nbHits, facets }))).toEqual([]);
  });

  it("counts the attributes that a pattern stands for", async () => {
    const asked = QUERIES.slice(0, 20).map(
      (query, i): SearchParams => ({
        ...{ query, matching: "all", facets: i % 2 === 0 ? ["*"] : ["stock", "*"] },
        ...(i % 3 === 0 && { facetFilters: ["brand:Volt"] }),
      }),
    );
    const counted = ({ nbHits, facets }: SearchData): unknown => [nbHits, facets && Object.entries(facets)];
    expect(await differences(shops, asked, counted)).toEqual([]);
  });

  it("refuses to count texts", async () => {
    const [embedded, cluster] = await shops.both((engine) =>
      engine.query("shop", { query: "drill", facets: ["returns"] }),
    );
    expect(embedded).toHaveProperty("refused");
    expect(cluster).toEqual(embedded);
  });

  it.each([["price:asc"], ["price:desc"], ["stock:desc", "price:asc"]])("sorts by %s", async (...sort) => {
    const asked = ["", ...QUERIES.slice(0, 8)].map((query): SearchParams => ({ query, matching: "all", sort }));
    expect(await differences(shops, asked, ({ hits }) => hits.map(({ id }) => id))).toEqual([]);
  });

  it("has the same later pages", async () => {
    const asked = QUERIES.map((query): SearchParams => ({ query, matching: "all", page: 3 }));
    expect(await differences(shops, asked, answered)).toEqual([]);
  });

  it("asks at most three requests, and reads at most rankWindow and semanticDepth records", async () => {
    expect(await costly(shops, [...RIGHT, ...QUERIES])).toEqual([]);
  });

  it("counts hits without reading a record, matching all", async () => {
    const asked = QUERIES.map(
      (query, i): SearchParams => ({ query, matching: "all", hitsPerPage: 0, filters: FILTERS[i % FILTERS.length]! }),
    );
    expect(await differences(shops, asked, answered)).toEqual([]);
    await shops.cluster.query("shop", asked[0]!);
    shops.proxy.documents = 0;
    await shops.cluster.query("shop", asked[0]!);
    expect(shops.proxy.documents).toBe(0);
  });

  it.each<[string, readonly string[], Omit<SuggestParams, "query">]>([
    ["what is being typed", narrow(PREFIXES), {}],
    ["the first letters of many words, with a filter", narrow(PREFIXES, isDear), { filters: { price: { gte: 800 } } }],
    ["the value that the first suggestion has most", narrow(PREFIXES).slice(0, 20), { facet: "brand" }],
    ["values of a facet with a filter", narrow(PREFIXES).slice(0, 20), { facet: "stock", filters: { brand: "Volt" } }],
    ["words behind typing errors", MISTYPED, {}],
    ["what goes on from odd texts", ODD, { facet: "brand" }],
    ["many texts", ["k", "s", "cordless s"], { hitsPerPage: 40, filters: { brand: "Volt" } }],
    ["the texts of the shop first", ["dr", "drill b", "dro", "black", "zzz"], { filters: { stock: { gte: 4 } } }],
    ["nothing that a filter hides", ["dr", "black k", "hamer"], { filters: { brand: "none" } }],
  ])("suggests %s", async (_what, prefixes, more) => {
    expect(prefixes.length).toBeGreaterThan(2);
    const differing: unknown[] = [];
    for (const query of prefixes) {
      const [embedded, cluster] = await shops.both((engine) => engine.suggest("shop", { query, ...more }));
      if (JSON.stringify(embedded) !== JSON.stringify(cluster)) differing.push({ embedded, cluster });
    }
    expect(differing).toEqual([]);
  });

  it("suggests nothing that finds other counts, where more records go on than are read", async () => {
    const prefixes = ["b", "c", "p", "s", ""].concat(PREFIXES.filter((typed) => countGoingOn(typed) > RANK_WINDOW));
    expect(prefixes.length).toBeGreaterThan(5);
    for (const query of prefixes) {
      const { suggestions } = (await shops.cluster.suggest("shop", { query })).data;
      expect(suggestions.length > 0, query).toBe(query !== "");
      for (const { text, nbHits } of suggestions) {
        const params: SearchParams = { query: text, matching: "all" };
        expect([text, (await shops.embedded.query("shop", params)).data.nbHits]).toEqual([text, nbHits]);
      }
    }
  });

  it("suggests by few requests that read at most rankWindow records", async () => {
    const found: unknown[] = [];
    for (const query of PREFIXES) {
      Object.assign(shops.proxy, { requests: 0, documents: 0 });
      await shops.cluster.suggest("shop", { query });
      const { requests, documents } = shops.proxy;
      // The texts of the shop are counted before others are looked for.
      const most = OWN.some(({ text }) => text.toLowerCase().startsWith(query)) ? 9 : 6;
      if (requests > most || documents > RANK_WINDOW) found.push({ query, requests, documents });
    }
    expect(found).toEqual([]);
  });

  const CALLS: readonly (readonly [string, (engine: Engine) => Promise<unknown>])[] = [
    ["gets records by id", (engine) => engine.getRecords("shop", ["r0", "none", "r2999"])],
    ["finds similar records", (engine) => engine.similar("shop", "r5")],
    [
      "searches the values of a facet",
      (engine) => engine.searchForFacetValues("shop", { facetName: "brand", facetQuery: "st" }),
    ],
    [
      "counts the values of a facet for a query",
      (engine) => engine.searchForFacetValues("shop", { facetName: "brand", query: "drill", matching: "all" }),
    ],
    ["says why a record is not there", (engine) => engine.whyNot("shop", { query: "drill", matching: "all" }, "r5")],
    ["says why a record that is there is not on the page", (engine) => engine.whyNot("shop", { query: "" }, "r5")],
    ["lists attributes", (engine) => engine.getAttributes("shop")],
    ["computes the digest", (engine) => engine.digest("shop")],
    ["browses", (engine) => allOf(engine.browseRecords("shop"))],
    ["deletes by a filter", (engine) => engine.deleteBy("shop", { filters: { brand: "Ostrava", price: { lt: 100 } } })],
    ["updates", (engine) => engine.updateRecords("shop", [{ id: "r5", stock: { _operation: "Increment", value: 9 } }])],
    [
      "answers after these writes",
      (engine) => engine.query("shop", { query: "drill", matching: "all", filters: { stock: { gte: 4 } } }),
    ],
    [
      "suggests after these writes",
      (engine) => engine.suggest("shop", { query: "dri", filters: { stock: { gte: 4 } } }),
    ],
    ["groups hits", (engine) => engine.updateSettings("shop", { attributeForDistinct: "brand", distinct: true })],
    ["counts groups in what it suggests", (engine) => engine.suggest("shop", { query: "ha" })],
    ["groups none", (engine) => engine.updateSettings("shop", { distinct: false })],
    [
      "hides records by rules",
      (engine) =>
        engine.updateSettings("shop", {
          rules: [
            {
              id: "no",
              conditions: [{ pattern: "hammer", anchoring: "contains" }],
              consequence: { hide: RECORDS.slice(0, 900).map(({ id }) => id as string) },
            },
          ],
        }),
    ],
    [
      "counts no hidden records in what it suggests",
      (engine) => engine.suggest("shop", { query: "ha", facet: "brand" }),
    ],
    ["hides none", (engine) => engine.updateSettings("shop", { rules: [] })],
    [
      "tries settings",
      (engine) => engine.previewSettings("shop", { searchableAttributes: ["brand"] }, { queries: [{ query: "volt" }] }),
    ],
    ["indexes again", (engine) => engine.updateSettings("shop", { searchableAttributes: ["title", "brand"] })],
    ["answers under other settings", (engine) => engine.query("shop", { query: "volt drill", matching: "all" })],
  ];
  it.each(CALLS)("%s", async (_what, call) => {
    const [embedded, cluster] = await shops.both(call);
    expect(cluster).toEqual(embedded);
    expect(cluster ?? {}).not.toHaveProperty("refused");
  });
});

describe("by words and by meaning", () => {
  let shops: Shops;
  beforeAll(async () => {
    shops = await shopsOf({}, { embedder: "static-en" });
  });

  it("has the first pages, with their scores", async () => {
    const asked = QUERIES.map((query): SearchParams => ({ query }));
    expect(await differences(shops, asked, shown)).toEqual([]);
  });

  it.each(["all", "any"] as const)("counts all hits, matching %s", async (matching) => {
    const asked = QUERIES.map((query): SearchParams => ({ query, matching }));
    expect(await differences(shops, asked, ({ nbHits, recallSource }) => ({ nbHits, recallSource }))).toEqual([]);
  });

  it("filters, and weighs meaning", async () => {
    const asked = QUERIES.map(
      (query, i): SearchParams => ({ query, filters: FILTERS[i % FILTERS.length]!, semanticWeight: (i % 5) / 4 }),
    );
    expect(await differences(shops, asked, shown)).toEqual([]);
  });

  it("finds similar records", async () => {
    const [embedded, cluster] = await shops.both((engine) => engine.similar("shop", "r5"));
    expect(cluster).toEqual(embedded);
  });

  it("asks at most three requests, and reads at most rankWindow and semanticDepth records", async () => {
    expect(await costly(shops, RIGHT)).toEqual([]);
  });

  it("suggests what is near by meaning too, with its counts", async () => {
    for (const query of [...narrow(PREFIXES).slice(0, 20), ...MISTYPED.slice(0, 3)]) {
      const asked = { query, facet: "brand", filters: { inStock: true } };
      const [embedded, cluster] = await shops.both((engine) => engine.suggest("shop", asked));
      expect(cluster).toEqual(embedded);
    }
  });
});

describe("with a graph of neighbours", () => {
  let shops: Shops;
  beforeAll(async () => {
    shops = await shopsOf({ vectorIndex: { kind: "exact" } }, { embedder: "static-en" });
    // What the graph finds is compared with the nearest of all.
    await shops.cluster.updateSettings("shop", { vectorIndex: { kind: "hnsw" } });
  });

  it("makes the graph anew for other settings of it", async () => {
    const response = await fetch(`${NODE}/${shops.prefix}*/_settings/index.knn?flat_settings=true`);
    const made = Object.values((await response.json()) as Record<string, { settings: Record<string, string> }>);
    expect(made.map(({ settings }) => settings["index.knn"])).toEqual(["true"]);
  });

  it("misses few of the nearest", async () => {
    const asked = QUERIES.map((query): SearchParams => ({ query }));
    expect((await differences(shops, asked, shown)).length).toBeLessThanOrEqual(asked.length / 20);
  });

  it("counts the same on every page", async () => {
    for (const query of RIGHT) {
      const pages = [1, 2, 3, 1].map((page) => shops.cluster.query("shop", { query, page, matching: "all" }));
      const counts = (await Promise.all(pages)).map(({ data: { nbHits } }) => nbHits);
      expect(new Set(counts).size, query).toBe(1);
    }
  });

  it("finds the nearest of those that pass a filter", async () => {
    const asked = QUERIES.map((query, i): SearchParams => ({ query, filters: FILTERS[i % FILTERS.length]! }));
    expect((await differences(shops, asked, shown)).length).toBeLessThanOrEqual(asked.length / 20);
  });
});
