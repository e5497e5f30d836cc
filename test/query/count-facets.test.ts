import { describe, expect, it } from "vitest";
import { type JsonRecord, SearchEngine, type SearchParams } from "../../src/index.js";
import { plainShop } from "../support/plain-shop.js";

const RECORDS: readonly JsonRecord[] = [
  { id: 1, brand: "Volt", colors: ["red", "blue", "red"], price: 0.1, group: "a" },
  { id: 2, brand: "Volt", colors: ["red"], price: 0.2, group: "a" },
  { id: 3, brand: "Hem", colors: [], price: "0.2", group: "b" },
  { id: 4, brand: "Hem", colors: "blue", price: [0.3, 5] },
  { id: 5, brand: true, price: null },
  { id: 6, brand: "true" },
];

describe("facets", async () => {
  const { index } = await plainShop({ attributeForDistinct: "group" }, RECORDS.slice(0, 3), RECORDS.slice(3));
  const ask = async (params: Partial<SearchParams>) => (await index.query({ query: "", ...params })).data;
  const facet = async (attribute: string, params: Partial<SearchParams> = {}) =>
    (await ask({ ...params, facets: [attribute] })).facets![attribute]!.map(({ value, count }) => [value, count]);

  it("count each record once a value, and values of different types apart", async () => {
    expect(await facet("colors")).toEqual([
      ["blue", 2],
      ["red", 2],
    ]);
    expect(new Set(await facet("brand"))).toEqual(
      new Set([
        ["Hem", 2],
        ["Volt", 2],
        [true, 1],
        ["true", 1],
      ]),
    );
  });

  it("are there without hits, and empty where no member has the attribute", async () => {
    const data = await ask({ facets: ["colors", "price"], hitsPerPage: 0, filters: "brand:true" });
    expect([data.facets, data.facetStats, data.hits]).toEqual([{ colors: [], price: [] }, {}, []]);
  });

  it("are not there unless asked for", async () => {
    expect(Object.keys(await ask({}))).not.toContain("facets");
    expect(Object.keys(await ask({ facets: [] }))).not.toContain("facets");
  });

  it("sum exactly, over numbers alone", async () => {
    const { facetStats } = await ask({ facets: ["price"] });
    expect(facetStats).toEqual({ price: { min: 0.1, max: 5, sum: 5.6, avg: 1.4 } });
  });

  it("count who has a number in a range once, records and groups", async () => {
    const entry = { attribute: "price", ranges: [[0, 6] as const, [0.3, null] as const, [null, 0.1] as const] };
    const counts = async (params: Partial<SearchParams>) =>
      (await ask({ ...params, facets: [entry] })).facets!.price!.map(({ count }) => count);
    expect(await counts({})).toEqual([3, 1, 0]);
    expect(await counts({ distinct: true })).toEqual([2, 1, 0]);
    expect(await counts({ numericFilters: ["price>5"], facetFilters: [["brand:Volt"]] })).toEqual([2, 0, 0]);
    expect(await counts({ filters: "brand:true" })).toEqual([0, 0, 0]);
  });

  it("count bars of equal width over all segments, the greatest number in the last", async () => {
    const bars = { attribute: "price", histogram: 2 };
    expect((await ask({ facets: [bars] })).facets).toEqual({
      price: [
        { from: 0.1, to: 2.5500000000000003, count: 3 },
        { from: 2.5500000000000003, to: 5, count: 1 },
      ],
    });
    expect((await ask({ facets: [bars], filters: "id:1" })).facets).toEqual({
      price: [{ from: 0.1, to: 0.1, count: 1 }],
    });
    expect((await ask({ facets: [bars], filters: "id:3" })).facets).toEqual({ price: [] });
  });

  it("list values in alphabetical order, as many as each entry says", async () => {
    const facets = [{ attribute: "brand", sort: "alpha", limit: 3 } as const, "colors", "group"];
    const data = await ask({ facets, maxValuesPerFacet: 1 });
    expect(Object.entries(data.facets!).map(([name, counts]) => [name, counts.map(({ value }) => value)])).toEqual([
      ["brand", ["Hem", "true", "Volt"]],
      ["colors", ["blue"]],
      ["group", ["a"]],
    ]);
  });

  it("have the order of sorted hits: sizes in letters by size, where the index has no other values", async () => {
    const engine = new SearchEngine({ embedder: false });
    const index = await engine.createIndex("sizes");
    const sizes = ["M", "xs", "2XL", "XXL", "S", "l", "XL"];
    await index.addRecords([...sizes.map((size, id) => ({ id, size })), { id: "none" }]);
    const ask = async (filters?: string) => {
      const facets = [{ attribute: "size", sort: "alpha" } as const];
      const { data } = await index.query({
        query: "",
        sort: ["size:asc"],
        facets,
        ...(filters !== undefined && { filters }),
      });
      return [data.facets!.size!.map(({ value }) => value), data.hits.map(({ source }) => source!.size)];
    };
    const ordered = ["xs", "S", "M", "l", "XL", "2XL", "XXL"];
    expect(await ask()).toEqual([ordered, [...ordered, undefined]]);
    expect(await ask("size:M OR size:S")).toEqual([
      ["S", "M"],
      ["S", "M"],
    ]);
    // Another value, even of a record that the query does not find, makes it the alphabet.
    await index.addRecords([{ id: "other", size: "One size" }]);
    expect(await ask("size:M OR size:S")).toEqual([
      ["M", "S"],
      ["M", "S"],
    ]);
    await index.deleteRecords(["other"]);
    expect(await ask("size:M OR size:S")).toEqual([
      ["S", "M"],
      ["S", "M"],
    ]);
    // So many deleted values make no difference.
    const others = Array.from({ length: 100 }, (_, i) => ({ id: `other ${i}`, size: `Size ${i}` }));
    const many = Array.from({ length: 400 }, (_, i) => ({ id: `many ${i}`, size: "XL" }));
    await index.addRecords([...others, ...many]);
    await index.deleteRecords(others.map(({ id }) => id));
    expect(await ask("size:M OR size:S")).toEqual([
      ["S", "M"],
      ["S", "M"],
    ]);
    await engine.close();
  });

  it("leave out the clicks of their own alternatives, and no others", async () => {
    const facetFilters = [["brand:Volt"], "colors:blue"];
    expect(await facet("brand", { facetFilters })).toEqual([
      ["Hem", 1],
      ["Volt", 1],
    ]);
    expect(await facet("colors", { facetFilters })).toEqual([
      ["blue", 1],
      ["red", 1],
    ]);
  });

  it("count groups where hits are grouped", async () => {
    expect(await facet("brand", { distinct: true })).toContainEqual(["Volt", 1]);
    expect(await facet("colors", { distinct: true })).toEqual([
      ["blue", 2],
      ["red", 1],
    ]);
  });

  it("are the same on every page and in every order", async () => {
    const expected = (await ask({ facets: ["*"] })).facets;
    for (const params of [{ page: 2 }, { page: 99 }, { hitsPerPage: 1 }, { sort: ["brand:desc" as const] }])
      expect((await ask({ facets: ["*"], ...params })).facets).toEqual(expected);
  });

  it("show no value where none is asked for, and keep their statistics", async () => {
    const { facets, facetStats } = await ask({ facets: ["price"], maxValuesPerFacet: 0 });
    expect([facets!.price, facetStats!.price!.max]).toEqual([[], 5]);
  });
});

it("facets of many values stand among others as they were asked for", async () => {
  const records = Array.from({ length: 17_000 }, (_, i) => ({ id: i, code: i + 0.5, half: i % 2, kind: `k${i % 3}` }));
  const { index } = await plainShop({}, records.slice(0, 9000), records.slice(9000));
  const params = { query: "", facets: ["code", "half", "kind"], maxValuesPerFacet: 2 };
  const { data } = await index.query({ ...params, facetFilters: [["half:1"], ["kind:k0"]] });
  expect(Object.entries(data.facets!)).toEqual([
    [
      "code",
      [
        { value: 10_005.5, count: 1 },
        { value: 10_011.5, count: 1 },
      ],
    ],
    [
      "half",
      [
        { value: 0, count: 2834 },
        { value: 1, count: 2833 },
      ],
    ],
    [
      "kind",
      [
        { value: "k1", count: 2834 },
        { value: "k0", count: 2833 },
      ],
    ],
  ]);
  const odd = records.filter(({ half, kind }) => half === 1 && kind === "k0").map(({ code }) => code);
  const sum = odd.reduce((total, code) => total + code, 0);
  expect(Object.keys(data.facetStats!)).toEqual(["code", "half"]);
  expect(data.facetStats!.code).toEqual({ min: odd[0], max: odd.at(-1), sum, avg: sum / odd.length });
});
