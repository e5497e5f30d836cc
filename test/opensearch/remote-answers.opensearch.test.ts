// What the cluster answers of an index that it searches, beside the engine in this process: the same records match by words, whatever is
// asked; counts are those of the pages; a key sees nothing beyond its bounds; and what cannot be answered exactly is refused.

import { describe, expect, it } from "vitest";
import {
  type IndexSettings,
  type JsonRecord,
  SearchEngine,
  SearchError,
  type SearchIndex,
  type SearchParams,
} from "../../src/index.js";
import { fromOutside } from "../../src/input/call-options.js";
import { clusterEngines, NODE } from "../support/cluster-engines.js";
import { countingProxy } from "../support/counting-proxy.js";
import { property, Random } from "../support/random.js";
import { randomShop } from "../support/random-shop.js";
import { rejectionOf } from "../support/refusal.js";
import { seq } from "../support/seq.js";
import { SCALE, scaled } from "../support/size.js";
import { WordEmbedder } from "../support/word-embedder.js";

const { open } = clusterEngines();
let made = 0;

/** The same index in this process, and searched by the cluster. */
interface Both {
  readonly here: SearchIndex;
  readonly there: SearchIndex;
}

async function both(settings: IndexSettings, records: readonly JsonRecord[], shards = 1): Promise<Both> {
  const name = `shop-${made++}`;
  const cluster = await open({ shards, search: "remote" });
  const here = await new SearchEngine({ embedder: false, onWarning: () => {} }).createIndex(name, settings);
  const there = await cluster.createIndex(name, settings);
  for (const index of [here, there]) await index.addRecords([...records]);
  return { here, there };
}

/** All hits of a query, from its pages. */
async function allHits(index: SearchIndex, params: SearchParams, hitsPerPage = 50): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page++) {
    const { data } = await index.query({ ...params, page, hitsPerPage });
    ids.push(...data.hits.map(({ id }) => id));
    expect(data.hits.length).toBe(Math.max(0, Math.min(hitsPerPage, data.nbHits - (page - 1) * hitsPerPage)));
    if (page * hitsPerPage >= data.nbHits) return ids;
  }
}

const isRefused = (error: unknown): boolean => error instanceof SearchError && error.code === 501;

describe("records that match by words", () => {
  for (const shards of [1, 3])
    property(`are those of an engine in this process, of ${shards} shards`, 8, async (random) => {
      const { settings, records, queries } = randomShop(random, { settings: { relevancyStrictness: 0 } });
      const { here, there } = await both(settings, records, shards);
      for (const { query } of queries)
        for (const matching of ["all", "any"] as const) {
          const params = { query, matching, semanticWeight: 0 };
          const expected = await allHits(here, params);
          expect(new Set(await allHits(there, params)), JSON.stringify(params)).toEqual(new Set(expected));
        }
    });
});

const BRANDS = ["Volt", "Forge", "Aero", "Nord", "Kiln"];
const COLORS = ["black", "white", "red"];
const THINGS = ["drill", "hammer", "saw", "drill bit", "lamp", "kettle", "vacuum cleaner", "phone case"];
const LIKE = ["cordless", "small", "heavy", "folding", "electric", "steel", "quiet"];

/** Products of a shop, in some of which nothing is said of the price. */
function products(random: Random, count: number): JsonRecord[] {
  return Array.from({ length: count }, (_, id) => ({
    id,
    title: `${random.pick(LIKE)} ${random.pick(THINGS)} ${random.pick(BRANDS)}`,
    brand: random.pick(BRANDS),
    colors: random.some(COLORS, 0.4),
    rating: random.between(1, 5),
    ...(random.chance(0.9) && { price: random.between(100, 20_000) / 100 }),
    added: `20${random.between(10, 26)}-0${random.between(1, 9)}-1${random.between(0, 9)}`,
    description: Array.from({ length: random.between(3, 20) }, () => random.pick([...LIKE, ...THINGS, ...COLORS])).join(
      " ",
    ),
  }));
}

/** Parameters that the cluster answers. */
function randomParams(random: Random): SearchParams {
  const filters = (): string =>
    random.pick([
      `price < ${random.between(5, 150)}`,
      `NOT brand:${random.pick(BRANDS)}`,
      `brand:${random.pick(BRANDS)} OR rating >= 4`,
      `colors:${random.pick(COLORS)} AND price:10 TO 120`,
      `added >= "2020-01-01" AND price EXISTS`,
    ]);
  return {
    query: random.pick([
      "",
      random.pick(THINGS),
      `${random.pick(LIKE)} ${random.pick(THINGS)}`,
      "cordles dril",
      "kettel",
    ]),
    ...(random.chance(0.5) && { filters: filters() }),
    ...(random.chance(0.3) && { facetFilters: [[`brand:${random.pick(BRANDS)}`, `brand:${random.pick(BRANDS)}`]] }),
    ...(random.chance(0.2) && { numericFilters: [`rating>=${random.between(1, 5)}`] }),
    ...(random.chance(0.3) && {
      sort: [random.pick(["price:asc", "price:desc", "title:asc", "rating:desc", "added:desc"])],
    }),
    ...(random.chance(0.5) && { matching: random.pick(["auto", "all", "any"] as const) }),
    ...(random.chance(0.3) && { semanticWeight: random.pick([0, 0.4, 1]) }),
    ...(random.chance(0.2) && { relevancyStrictness: random.pick([30, 70]) }),
    ...(random.chance(0.2) && { minScore: 0.2 }),
    ...(random.chance(0.2) && { optionalFilters: [`brand:${random.pick(BRANDS)}`] }),
    ...(random.chance(0.2) && { boosts: [{ attribute: "rating", weight: 0.3 }] }),
    ...(random.chance(0.1) && { restrictSearchableAttributes: ["title"] }),
    facets: [
      "brand",
      "colors",
      { attribute: "price", histogram: 4 },
      {
        attribute: "rating",
        ranges: [
          [null, 3],
          [3, null],
        ],
      },
    ],
  };
}

describe("a query", () => {
  const rules = [
    {
      id: "lamps",
      conditions: [{ pattern: "lamp" }],
      consequence: { hide: ["3", "7"], promote: [{ id: "11", position: 2 }] },
    },
  ];
  const settings: IndexSettings = { embedder: "static-en", customRanking: ["desc(rating)"], rules };

  for (const shards of [1, 2])
    it(`has the hits, counts and facets of all its pages, in ${shards} shards`, async () => {
      const random = new Random(shards);
      const { there } = await both(settings, products(random, 400), shards);
      for (let i = scaled(18); i > 0; i--) {
        const params = randomParams(random);
        const told = JSON.stringify(params);
        const { data } = await there.query(params);
        const ids = await allHits(there, params);
        expect(new Set(ids).size, told).toBe(data.nbHits);
        const [brand] = data.facets?.brand ?? [];
        if (brand !== undefined) {
          const chosen = await there.query({ ...params, facetFilters: [[`brand:${brand.value}`]] });
          expect(chosen.data.nbHits, told).toBe(brand.count);
        }
        const chosenColor = data.facets?.colors?.at(-1);
        if (chosenColor !== undefined) {
          const facetFilters = [...((params.facetFilters as string[][]) ?? []), [`colors:${chosenColor.value}`]];
          expect((await there.query({ ...params, facetFilters })).data.nbHits, told).toBe(chosenColor.count);
        }
      }
    });

  it("without meaning has the same counts, facets, statistics and orders as in this process", async () => {
    const random = new Random(5);
    const { here, there } = await both({ ...settings, embedder: false, rules: [] }, products(random, 400), 2);
    for (let i = scaled(36); i > 0; i--) {
      const { relevancyStrictness, minScore, ...params } = randomParams(random);
      const asked = { ...params, matching: random.pick(["all", "any"] as const), maxValuesPerFacet: 1000 };
      const told = JSON.stringify(asked);
      const [expected, found] = [await here.query(asked), await there.query(asked)];
      expect(found.data.nbHits, told).toBe(expected.data.nbHits);
      expect(found.data.facets, told).toEqual(expected.data.facets);
      for (const [name, stats] of Object.entries(expected.data.facetStats ?? {}))
        for (const [what, value] of Object.entries(stats))
          expect(found.data.facetStats?.[name]?.[what as "min"], told).toBeCloseTo(value, 6);
      if (asked.sort !== undefined) {
        const [attribute] = asked.sort[0]!.split(":") as [string];
        const keys = (hits: typeof found.data.hits) => hits.map(({ source }) => source[attribute]);
        expect(keys(found.data.hits), told).toEqual(keys(expected.data.hits));
      }
    }
  });

  it("asks the cluster four times at most, and five times with bars", async () => {
    const { there } = await both(settings, products(new Random(17), 300), 2);
    const proxy = await countingProxy(NODE);
    const texts = THINGS.flatMap((thing) => {
      const typed = `${LIKE[thing.length % LIKE.length]} ${thing}`;
      return [typed, typed.replace(/(\w)(\w)(\w{3,})/, "$1$3$2"), typed.replaceAll(" ", ""), typed.slice(0, -2)];
    });
    const counts: number[] = [];
    for (const query of texts)
      for (const facets of [["brand"], [{ attribute: "price", histogram: 4 }]] as const) {
        // An engine that knows no words yet.
        const engine = await open({ nodes: [proxy.url], refreshIntervalMs: 0 });
        await engine.query(there.name, { query: "", hitsPerPage: 1 });
        const before = proxy.requests;
        await engine.query(there.name, { query, facets });
        counts.push(proxy.requests - before);
        expect(counts.at(-1), query).toBeLessThanOrEqual(facets[0] === "brand" ? 4 : 5);
        await engine.close();
      }
    // Some words have to be mended.
    expect(Math.max(...counts)).toBe(5);
  });

  it("puts what was meant first, nearly as the process does", async () => {
    const random = new Random(9);
    const { here, there } = await both(settings, products(random, 1000));
    let overlap = 0;
    const texts = THINGS.flatMap((thing) => LIKE.map((like) => `${like} ${thing}`));
    for (const query of texts) {
      const first = async (index: SearchIndex): Promise<string[]> => {
        const { data } = await index.query({ query, hitsPerPage: 12 });
        return data.hits.map(({ score }) => score.toFixed(2));
      };
      const [expected, found] = [await first(here), await first(there)];
      overlap +=
        found.filter((score, i) => Math.abs(Number(score) - Number(expected[i])) < 0.1).length / expected.length;
    }
    expect(overlap / texts.length).toBeGreaterThan(0.85);
  });

  it("shows, counts and mends nothing beyond the bounds of a key", {
    timeout: 120_000 * Math.max(1, SCALE),
  }, async () => {
    const random = new Random(3);
    const records = products(random, 300);
    const hidden = { id: "secret", title: "Zyxwold hammer", brand: "Hidden", price: 1, colors: ["mauve"], rating: 5 };
    const engine = await open({ shards: 2, search: "remote" });
    const name = `bounded-${made++}`;
    const index = await engine.createIndex(name, settings);
    await index.addRecords([...records, hidden]);
    const isSeen = (record: JsonRecord): boolean => record.brand === "Volt" || (record.price as number) < 50;
    const bounds = { filters: '(brand:Volt OR price < 50) AND NOT brand:"Hidden"' };
    const seen = new Set(records.filter(isSeen).map(({ id }) => String(id)));
    for (let i = scaled(75); i > 0; i--) {
      const given = randomParams(random);
      const params = {
        ...given,
        query: random.chance(0.2) ? random.pick(["zyxwold", "zyxwolt", "zyxw", "hidden"]) : given.query,
        hitsPerPage: 1000,
      };
      const { data } = await engine.query(name, params, fromOutside({}, bounds));
      const told = JSON.stringify(params);
      expect(data.nbHits, told).toBe(data.hits.length);
      expect(
        data.hits.every(({ id }) => seen.has(id)),
        told,
      ).toBe(true);
      expect(JSON.stringify(data.facets), told).not.toMatch(/Hidden|mauve/);
      const counted = await engine.searchForFacetValues(
        name,
        { facetName: "colors", facetQuery: "mau" },
        fromOutside({}, bounds),
      );
      expect(counted.facetHits).toEqual([]);
    }
  });

  it("refuses what the cluster cannot answer exactly, and says why", async () => {
    const variants = [{ size: "M", color: "red" }];
    const { there } = await both({ attributeForDistinct: "brand" }, [
      { id: 1, title: "drill", brand: "Volt", variants },
    ]);
    const refusals: readonly Partial<SearchParams>[] = [
      { filters: "variants{size:M AND color:red}" },
      { distinct: true },
      { explain: true },
      { getParsedQuery: true },
      { getMatchInfo: true },
      { facets: ["*"] },
      { advancedSyntax: true, query: '"cordless drill"' },
      { page: 9, hitsPerPage: 1000, query: "", offset: undefined, sort: ["_geoPoint(1,2):desc"] },
    ];
    for (const params of refusals) {
      const error = await rejectionOf(there.query({ query: "drill", ...params }));
      expect(isRefused(error), `${JSON.stringify(params)}: ${error}`).toBe(true);
      expect((error as SearchError).error).toBe("not_implemented");
    }
    for (const call of [
      () => there.suggest({ query: "d" }),
      () => there.similar(1),
      () => there.whyNot({ query: "drill" }, 1),
      () => there.digest(),
      () => there.getAttributes(),
      () => there.previewSettings({}, { queries: ["drill"] }),
    ])
      expect(isRefused(await rejectionOf(call()))).toBe(true);
  });

  it("finds the values of a facet, places, and long texts", async () => {
    const long = "x".repeat(1500);
    const { here, there } = await both({ attributesForFaceting: ["brand", "note"] }, [
      { id: 1, title: "lamp", brand: "Volt", _geoloc: { lat: 48.1, lng: 11.5 }, note: `${long}a` },
      { id: 2, title: "lamp", brand: "Volta", _geoloc: { lat: 52.5, lng: 13.4 }, note: `${long}b` },
      { id: 3, title: "lamp", brand: "Forge", note: 7 },
    ]);
    const asked: readonly SearchParams[] = [
      { query: "lamp", aroundLatLng: "48.2,11.6", aroundRadius: 50_000 },
      { query: "", aroundLatLng: "48.2,11.6", sort: ["_geoPoint(52,13):asc"] },
      { query: "", insideBoundingBox: [[53, 13, 52, 14]] },
      // Edges count.
      { query: "", insideBoundingBox: [[48.1, 11.5, 52.5, 13.4]] },
      { query: "", insideBoundingBox: [[48.1, 11.5, 48.1, 11.5]] },
      { query: "", aroundLatLng: "48.1,11.5", aroundRadius: 1 },
      { query: "", filters: { note: `${long}b` } },
      { query: "", filters: { note: `${long}c` } },
      { query: "", filters: { note: 7 } },
      { query: "", filters: "note:7" },
    ];
    for (const params of asked) {
      const of = async (index: SearchIndex): Promise<unknown> => {
        const { data } = await index.query(params);
        return [data.nbHits, data.hits.map((hit) => [hit.id, hit._geoDistance])];
      };
      expect(await of(there), JSON.stringify(params)).toEqual(await of(here));
    }
    const values = { facetName: "brand", facetQuery: "vol" } as const;
    expect(await there.searchForFacetValues(values)).toEqual(await here.searchForFacetValues(values));
    expect(isRefused(await rejectionOf(there.query({ query: "", facets: ["note"] })))).toBe(true);
  });
});

describe("a word of which the index holds the parts", () => {
  const records = ["JVC ear bud headphone", "Philips earphones", "flash light", "steel ladder"].map((title, id) => ({
    id,
    title,
  }));
  const idsOf = async (index: SearchIndex, query: string) =>
    (await index.query({ query })).data.hits.map(({ id }) => id);

  it.each(["earbuds", "flashlight"])("finds them as in this process: %s", async (query) => {
    const { here, there } = await both({}, records);
    expect(await idsOf(there, query)).toEqual(await idsOf(here, query));
  });

  it("is answered alike whatever was asked before", async () => {
    const { there } = await both({}, records);
    const alone = await idsOf(there, "flashlight");
    const other = (await both({}, records)).there;
    await idsOf(other, "flashlihgt");
    expect(await idsOf(other, "flashlight")).toEqual(alone);
  });
});

describe("meaning of one's own", () => {
  const random = new Random(13);
  const direction = (): number[] => seq(8, () => random.between(-100, 100));
  const records = products(random, 200).map((record) => ({ ...record, vector: direction() }));

  /** The records nearest by meaning, and those that are like the query by words, too. */
  async function expectAlike({ here, there }: Both, queries: readonly SearchParams[]): Promise<void> {
    for (const query of queries) {
      const [expected, found] = [await here.query(query), await there.query(query)].map(({ data }) => data);
      const told = JSON.stringify(query);
      expect(
        found!.hits.map(({ id }) => id),
        told,
      ).toEqual(expected!.hits.map(({ id }) => id));
      for (const [i, { score }] of found!.hits.entries()) expect(score, told).toBeCloseTo(expected!.hits[i]!.score, 3);
    }
  }

  it.each([1, 2])("is found by vectors in the records and the query, in %i shards", async (shards) => {
    const settings = { vectorAttribute: "vector", dimensions: 8, embedder: false, semanticFloor: -1 } as const;
    const indexes = await both(settings, records, shards);
    const queries = seq(8, () => ({ query: "", vector: direction(), semanticWeight: 1, hitsPerPage: 20 }));
    await expectAlike(indexes, [...queries, { ...queries[0]!, filters: "brand:Volt" }]);
    const { hits } = (await indexes.there.query(queries[0]!)).data;
    expect(hits[0]!.source).toEqual(records[Number(hits[0]!.id)]);
  });

  it("is found by an embedder of the engine", async () => {
    const embedder = new WordEmbedder();
    const here = await new SearchEngine({ embedder, onWarning: () => {} }).createIndex("own", {});
    const there = await (await open({ embedder, search: "remote" })).createIndex(`own-${made++}`, {});
    const some = records.map(({ vector, ...record }) => record);
    for (const index of [here, there]) await index.addRecords([...some]);
    const queries = THINGS.map((query) => ({ query, semanticWeight: 1 }));
    await expectAlike({ here, there }, queries);
  });
});
