// Which item of a list matches: hand-made records, and what the random tests of test/oracle cannot ask for.

import { describe, expect, it } from "vitest";
import { type FilterObject, type JsonRecord, SearchEngine, type SearchIndex, type SearchParams } from "../src/index.js";
import { fromOutside } from "../src/input/call-options.js";

const v = (size: string, color: string, price: number, ...stock: number[]): JsonRecord => ({
  ...{ size, color, price },
  stock: stock.map((n) => ({ n })),
});
const SHIRTS: readonly JsonRecord[] = [
  { id: "a", title: "shirt", variants: [v("M", "red", 9, 0), v("L", "blue", 15, 2, 0)] },
  { id: "b", title: "shirt", variants: [v("S", "red", 5, 1), v("M", "blue", 20, 3)] },
  { id: "c", title: "shirt", variants: v("M", "blue", 12) },
  { id: "d", title: "shirt", variants: [null, "M", [v("M", "green", 7), [v("S", "blue", 8)]]] },
  { id: "e", title: "shirt" },
];

async function shirts(settings: object = {}, records: readonly JsonRecord[] = SHIRTS): Promise<SearchIndex> {
  const index = await new SearchEngine().createIndex("shirts", { embedder: false, ...settings });
  await index.addRecords(records);
  return index;
}

async function places(index: SearchIndex, params: Partial<SearchParams>): Promise<Record<string, unknown>> {
  const { data } = await index.query({ query: "", ...params });
  return Object.fromEntries(data.hits.map(({ id, matchedItems }) => [id, matchedItems]));
}

describe("items", () => {
  it("have places in their list, whatever else is in it", async () => {
    const index = await shirts();
    const found = await places(index, { filters: "variants{size:M} OR title:shirt" });
    expect(found).toEqual({
      a: { variants: [0] },
      b: { variants: [1] },
      c: { variants: [0] },
      d: { variants: [2] },
      e: { variants: [] },
    });
    expect(await places(index, { filters: "variants{NOT size:M}" })).toEqual({
      a: { variants: [1] },
      b: { variants: [0] },
      d: { variants: [3] },
    });
    expect(await places(index, { filters: { variants: { some: { stock: { some: { n: { gte: 2 } } } } } } })).toEqual({
      a: { variants: [1] },
      b: { variants: [1] },
    });
    expect(await places(index, { filters: "variants.stock{n:0}" })).toEqual({ a: { "variants.stock": [0, 2] } });
  });

  it("are told without reading records, and in the second form", async () => {
    const index = await shirts();
    const filters = "variants{color:green}";
    expect(await places(index, { filters, attributesToRetrieve: [] })).toEqual({ d: { variants: [2] } });
    const { data } = await index.query({ params: new URLSearchParams({ query: "", filters }).toString() });
    expect(data.hits.map(({ matchedItems }) => matchedItems)).toEqual([{ variants: [2] }]);
  });

  it("of hostile names are own properties", async () => {
    const hostile = '[{"id":"x","__proto__":[{"constructor":1},{"constructor":2}]}]';
    const index = await shirts({}, JSON.parse(hostile) as JsonRecord[]);
    const { data } = await index.query({
      query: "",
      filters: "__proto__{constructor:2}",
      facets: ["__proto__.constructor"],
    });
    expect(JSON.stringify(data.hits[0]!.matchedItems)).toBe('{"__proto__":[1]}');
    expect(JSON.stringify(data.facets)).toBe('{"__proto__.constructor":[{"value":2,"count":1}]}');
    expect(Object.hasOwn(Object.prototype, "x")).toBe(false);
  });

  it("are no attributes of records, whatever these are called", async () => {
    const odd = "\u0000values\u00008\u0000variantssize";
    const index = await shirts({}, [...SHIRTS, { id: "odd", [odd]: "M" }]);
    const { data } = await index.query({ query: "", filters: "variants{size:M}", facets: ["*"] });
    expect(data.facets).not.toHaveProperty([odd]);
    for (const filters of [`${JSON.stringify(odd)}:M`, { [odd]: "M" }])
      await expect(index.query({ query: "", filters })).rejects.toMatchObject({ error: "unknown_filter_field" });
  });

  it("do not match by what stands under NOT, in boosts and in the bounds of a key", async () => {
    const engine = new SearchEngine();
    const boosts = [{ filters: { variants: { some: { size: "M", color: "blue" } } }, weight: 0.5 }];
    const index = await engine.createIndex("s", { embedder: false, boosts });
    await index.addRecords(SHIRTS);
    const { data } = await index.query({ query: "", filters: "NOT variants{size:S}" });
    expect(data.hits.map(({ id, matchedItems }) => [id, matchedItems])).toEqual([
      ["c", undefined],
      ["a", undefined],
      ["e", undefined],
    ]);
    const within = { filters: "variants{size:M}" };
    const params = { query: "", filters: "variants{color:red}", facets: ["variants.size"] };
    const bounded = await engine.query("s", params, fromOutside({}, within));
    expect(bounded.data.hits.map(({ id, matchedItems }) => [id, matchedItems])).toEqual([
      ["b", { variants: [0] }],
      ["a", { variants: [0] }],
    ]);
    expect(bounded.data.facets).toEqual({
      "variants.size": [
        { value: "M", count: 1 },
        { value: "S", count: 1 },
      ],
    });
  });
});

describe("what matching items have", () => {
  it("is ordered, counted and refined by", async () => {
    const index = await shirts({}, SHIRTS.slice(0, 4));
    const ask = async (params: Partial<SearchParams>) =>
      (await index.query({ query: "shirt", filters: "variants{size:M} OR variants{color:blue}", ...params })).data;
    expect((await ask({ sort: ["variants.price:asc"] })).hits.map(({ id }) => id)).toEqual(["d", "a", "c", "b"]);
    expect((await ask({ numericFilters: ["variants.price<9"] })).hits.map(({ id }) => id)).toEqual(["d"]);
    expect((await ask({ facetFilters: { "variants.size": "S" } })).hits.map(({ id }) => id)).toEqual(["d"]);
    const { facets, facetStats } = await ask({ facets: ["variants.*"], hitsPerPage: 0 });
    expect(Object.keys(facets!)).toEqual(["variants.color", "variants.price", "variants.size", "variants.stock.n"]);
    expect(facets!["variants.size"]).toEqual([
      { value: "M", count: 4 },
      { value: "L", count: 1 },
      { value: "S", count: 1 },
    ]);
    expect(facetStats!["variants.price"]).toMatchObject({ min: 7, max: 20 });
  });

  it("counts where it is in a matching item of each bound list around it", async () => {
    const index = await shirts();
    const ask = async (params: Partial<SearchParams>) => (await index.query({ query: "", ...params })).data;
    const filters = "variants{size:L} OR variants.stock{n < 2}";
    const { hits, facets } = await ask({ filters, facets: ["variants.stock.n"], sort: ["variants.stock.n:asc"] });
    expect(hits.map(({ id, matchedItems }) => [id, matchedItems])).toEqual([
      ["a", { variants: [1], "variants.stock": [0, 2] }],
      ["b", { variants: [], "variants.stock": [0] }],
    ]);
    expect(facets).toEqual({ "variants.stock.n": [{ value: 0, count: 1 }] });
    expect((await ask({ filters, numericFilters: ["variants.stock.n=1"] })).nbHits).toBe(0);
    expect((await ask({ filters, numericFilters: ["variants.stock.n!=0"] })).nbHits).toBe(1);
  });

  it("is sorted as texts are", async () => {
    const index = await shirts({}, SHIRTS.slice(0, 3));
    const { data } = await index.query({ query: "", filters: "variants{size:M}", sort: ["variants.color:desc"] });
    expect(data.hits.map(({ id }) => id)).toEqual(["a", "b", "c"]);
  });

  it("is where it is, for places", async () => {
    const spot = (lat: number): JsonRecord => ({ lat, lng: 0 });
    const index = await shirts({}, [
      { id: "near", _geoloc: [spot(1), spot(50)] },
      { id: "far", _geoloc: [spot(40)] },
    ]);
    const params = { query: "", sort: ["_geoPoint(0,0):asc"] };
    const idsOf = async (more: object) => (await index.query({ ...params, ...more })).data.hits.map(({ id }) => id);
    expect([await idsOf({}), await idsOf({ filters: "_geoloc{lat > 30}" })]).toEqual([
      ["near", "far"],
      ["far", "near"],
    ]);
  });

  it("stays the same when segments are merged", async () => {
    const index = await shirts({}, []);
    for (const record of SHIRTS) await index.addRecords([record]);
    const params = {
      query: "",
      filters: "variants{size:M}",
      facets: ["variants.color"],
      sort: ["variants.price:desc"],
    };
    const before = (await index.query(params)).data;
    await index.addRecords(Array.from({ length: 9 }, (_, i) => ({ id: `z${i}`, variants: [{ size: "XS" }] })));
    await index.deleteBy({ filters: "variants{size:XS}" });
    await index.whenIdle();
    const after = (await index.query(params)).data;
    expect([after.hits, after.facets]).toEqual([before.hits, before.facets]);
  });
});

it("finds no items of a list that is reached by a dotted name only", async () => {
  const index = await shirts({}, []);
  await index.addRecords([{ id: 1, title: "one", a: [{ x: 1, b: [{ y: 1, c: [{ n: 3 }] }] }] }]);
  await index.addRecords([{ id: 2, title: "two", a: [{ x: 1, "b.c": [{ n: 1 }] }] }]);
  const filters = "a{x:1} AND a.b.c{n>0} AND (a.b{y:1} OR title EXISTS)";
  const { data } = await index.query({ query: "", filters, facets: ["a.b.c.n"], sort: ["a.b.c.n:asc"] });
  expect([data.hits.map(({ id }) => id), data.facets]).toEqual([["1", "2"], { "a.b.c.n": [{ value: 3, count: 1 }] }]);
  const refined = await index.query({ query: "", filters, numericFilters: ["a.b.c.n>0"] });
  expect(refined.data.hits.map(({ id }) => id)).toEqual(["1"]);
});

it("deletes by one item, but not every record by what cannot be", async () => {
  const index = await shirts();
  const never: FilterObject = { NOT: { variants: { some: { size: [] } } } };
  await expect(index.deleteBy({ filters: never })).rejects.toMatchObject({ error: "invalid_filter" });
  expect(await index.deleteBy({ filters: "variants{size:M AND color:blue}" })).toEqual({ deleted: 2 });
});

it("refuses items where values are chosen", async () => {
  const index = await shirts();
  const params = JSON.parse('{"query":"","facetFilters":{"variants":{"some":{"size":"M"}}}}') as SearchParams;
  await expect(index.query(params)).rejects.toMatchObject({ error: "invalid_facet_filters" });
});
