// An index of more records than a query reads is answered as the embedded engine answers it, by few requests that read few records.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../src/api/engine.js";
import type { IndexSettings, JsonRecord, SearchData, SearchParams, SuggestParams } from "../../src/index.js";
import { allOf } from "../support/all-of.js";
import { clusterEngines, type EnginePair, NODE } from "../support/cluster-engines.js";
import { type CountingProxy, countingProxy } from "../support/counting-proxy.js";
import {
  answered,
  COUNT,
  differences,
  FILTERS,
  QUERIES,
  queriesOf,
  RECORDS,
  RIGHT,
  shown,
} from "../support/large-shop.js";
import { Random } from "../support/random.js";

const { pair } = clusterEngines();

const RANK_WINDOW = 1000;
const SEMANTIC_DEPTH = 100;

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

/** Texts that go on in no more records than are read. */
function narrow(prefixes: readonly string[], passes?: (record: JsonRecord) => boolean): string[] {
  return prefixes.filter((typed) => countGoingOn(typed, passes) <= RANK_WINDOW);
}

const isDear = ({ price }: JsonRecord): boolean => (price as number) >= 800;

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

  it.each<[string, (engine: Engine) => Promise<unknown>]>([
    ["to count texts", (engine) => engine.query("shop", { query: "drill", facets: ["returns"] })],
    ["to delete by what no record has", (engine) => engine.deleteBy("shop", { filters: { nobody: 1 } })],
  ])("refuses %s", async (_what, call) => {
    const [embedded, cluster] = await shops.both(call);
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
    ["tells its settings", (engine) => engine.getSettings("shop")],
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
  it("changes settings, deletes and browses without reading all records", async () => {
    const { cluster, proxy } = shops;
    const read = async (call: () => Promise<unknown>): Promise<number> => {
      Object.assign(proxy, { requests: 0, documents: 0 });
      await call();
      return proxy.documents;
    };
    const synonyms = [{ type: "synonym", synonyms: ["sofa", "couch"] }] as const;
    for (const engine of [cluster, shops.embedded]) await engine.updateSettings("shop", { synonyms: [] });
    // Settings learn from a sample.
    const most = 256;
    expect(await read(() => cluster.updateSettings("shop", { synonyms }))).toBeLessThanOrEqual(most);
    await shops.embedded.updateSettings("shop", { synonyms });
    const [embedded, now] = await shops.both((engine) => engine.query("shop", { query: "couch", matching: "all" }));
    expect(now).toEqual(embedded);
    expect(await read(() => cluster.getSettings("shop"))).toBeLessThanOrEqual(most);
    const none = { brand: "Volt", price: { lt: 0 } };
    expect(await read(() => cluster.deleteBy("shop", { filters: none }))).toBeLessThanOrEqual(most);
    const first = async (): Promise<void> => {
      for await (const { id } of cluster.browseRecords("shop")) return void expect(id).toBe("r0");
    };
    expect(await read(first)).toBeLessThan(COUNT / 2);
    for (const engine of [cluster, shops.embedded]) await engine.updateSettings("shop", { synonyms: [] });
  });

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
      // Queries that no record holds whole have another learned floor in one process.
      (query, i): SearchParams => ({
        query,
        semanticFloor: 0.3,
        filters: FILTERS[i % FILTERS.length]!,
        semanticWeight: (i % 5) / 4,
      }),
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

describe("by words and by meaning, under other settings", () => {
  let shops: Shops;
  beforeAll(async () => {
    shops = await shopsOf({}, { embedder: "static-en" });
  });

  it.each<[string, IndexSettings]>([
    ["that texts are embedded by", { embeddedAttributes: ["title"] }],
    ["that texts are found by", { searchableAttributes: ["title", "brand"], embeddedAttributes: ["title"] }],
    ["that all are compared by", { vectorIndex: { kind: "exact" } }],
    ["that results are ordered by", { customRanking: ["desc(stock)"], semanticWeight: 0.2 }],
  ])("answers as the embedded engine, and has its settings: those %s", async (_what, settings) => {
    for (const engine of [shops.embedded, shops.cluster]) await engine.updateSettings("shop", settings);
    const [embedded, cluster] = await shops.both((engine) => engine.getSettings("shop"));
    expect(cluster).toEqual(embedded);
    const asked = RIGHT.map((query): SearchParams => ({ query, matching: "all" }));
    expect(await differences(shops, asked, answered)).toEqual([]);
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

describe("in three parts", () => {
  let shops: Shops;
  beforeAll(async () => {
    shops = await shopsOf({}, { embedder: "static-en", shards: 3 });
  });

  it.each(["all", "any", "auto"] as const)("has the first pages, and all counts, matching %s", async (matching) => {
    const asked = QUERIES.map(
      (query, i): SearchParams => ({ query, semanticFloor: 0.3, matching, filters: FILTERS[i % FILTERS.length]! }),
    );
    expect(await differences(shops, asked, matching === "auto" ? shown : answered)).toEqual([]);
  });

  it("has the same later pages, counts and suggestions", async () => {
    const asked = RIGHT.map((query): SearchParams => ({ query, matching: "all", page: 2, facets: ["brand", "*"] }));
    expect(await differences(shops, asked, (data) => [answered(data), data.facets])).toEqual([]);
    const [embedded, cluster] = await shops.both((engine) => engine.suggest("shop", { query: "cordless d" }));
    expect(cluster).toEqual(embedded);
  });
});
