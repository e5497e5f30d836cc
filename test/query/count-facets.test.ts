import { describe, expect, it } from "vitest";
import type { FacetEntry, JsonRecord, SearchParams } from "../../src/index.js";
import { checkQuery } from "../support/check-query.js";
import { plainShop } from "../support/plain-shop.js";
import { seq } from "../support/seq.js";

const RECORDS: readonly JsonRecord[] = [
  { id: 1, brand: "Volt", colors: ["red", "blue", "red"], price: 0.1, group: "a" },
  { id: 2, brand: "Volt", colors: ["red"], price: 0.2, group: "a" },
  { id: 3, brand: "Hem", colors: [], price: "0.2", group: "b" },
  { id: 4, brand: "Hem", colors: "blue", price: [0.3, 5] },
  { id: 5, brand: true, price: null },
  { id: 6, brand: "true" },
];

describe("facets", async () => {
  const { index, engine } = await plainShop({ attributeForDistinct: "group" }, RECORDS.slice(0, 3), RECORDS.slice(3));
  const ask = (params: Partial<SearchParams>) => checkQuery(index, { query: "", ...params }, engine);
  /** Values and counts, or counts of ranges alone. */
  const counts = async (facet: string | FacetEntry, params: Partial<SearchParams> = {}) =>
    Object.values((await ask({ ...params, facets: [facet] })).facets!)[0]!
      .map((one) => ("from" in one ? one.count : `${JSON.stringify(one.value)} ${one.count}`))
      .join(", ");
  const RANGES = { attribute: "price", ranges: [[0, 6] as const, [0.3, null] as const, [null, 0.1] as const] };
  const VOLT_OR_BLUE = { facetFilters: [["brand:Volt"], "colors:blue"] };

  it.each<[what: string, facet: string | FacetEntry, params: Partial<SearchParams>, counted: string]>([
    ["count each record once a value", "colors", {}, '"blue" 2, "red" 2'],
    ["count values of different types apart", "brand", {}, '"Hem" 2, "Volt" 2, "true" 1, true 1'],
    ["count groups where hits are grouped", "colors", { distinct: true }, '"blue" 2, "red" 1'],
    ["leave out the choices of their own alternatives", "brand", VOLT_OR_BLUE, '"Hem" 1, "Volt" 1'],
    ["leave out no other choices", "colors", VOLT_OR_BLUE, '"blue" 1, "red" 1'],
    ["are the same behind the last page", "colors", { page: 99, hitsPerPage: 1 }, '"blue" 2, "red" 2'],
    ["show no value where none is asked for", "price", { maxValuesPerFacet: 0 }, ""],
    ["count who has a number in a range once", RANGES, {}, "3, 1, 0"],
    ["count groups in a range", RANGES, { distinct: true }, "2, 1, 0"],
    ["count ranges beside choices", RANGES, { numericFilters: ["price>5"], facetFilters: [["brand:Volt"]] }, "2, 0, 0"],
    ["count no one in a range", RANGES, { filters: "brand:true" }, "0, 0, 0"],
    ["count the greatest number in the last bar", { attribute: "price", histogram: 2 }, {}, "3, 1"],
    ["have one bar of one number", { attribute: "price", histogram: 2 }, { filters: "id:1" }, "1"],
    ["have no bar without numbers", { attribute: "price", histogram: 2 }, { filters: "id:3" }, ""],
  ])("%s", async (_, facet, params, counted) => expect(await counts(facet, params)).toBe(counted));

  it("are there only if asked for, also without hits, and empty where no member has the attribute", async () => {
    const { facets, facetStats, hits } = await ask({ facets: ["colors"], hitsPerPage: 0, filters: "brand:true" });
    expect([facets, facetStats, hits]).toEqual([{ colors: [] }, {}, []]);
    for (const params of [{}, { facets: [] }]) expect(Object.keys(await ask(params))).not.toContain("facets");
  });

  it("sum exactly, over numbers alone, and tell where bars begin and end", async () => {
    const { facets, facetStats } = await ask({ facets: [{ attribute: "price", histogram: 2 }] });
    expect(facetStats).toEqual({ price: { min: 0.1, max: 5, sum: 5.6, avg: 1.4 } });
    expect(facets!.price).toMatchObject([{ from: 0.1 }, { from: 2.5500000000000003, to: 5 }]);
  });

  it("list values in alphabetical order, as many as each entry says", async () => {
    const facets = [{ attribute: "brand", sort: "alpha", limit: 3 } as const, "colors"];
    const { facets: counted } = await ask({ facets, maxValuesPerFacet: 1 });
    expect(counted!.brand!.map(({ value }) => value)).toEqual(["Hem", "true", "Volt"]);
    expect(counted!.colors).toHaveLength(1);
  });
});

it("sizes in letters are in the order of sizes, in facets and hits, where the index has no other values", async () => {
  const sizes = ["M", "xs", "2XL", "XXL", "S", "l", "XL"];
  const { index } = await plainShop({}, [...sizes.map((size, id) => ({ id, size })), { id: "none" }]);
  const ordered = async (filters = ""): Promise<string> => {
    const facets = [{ attribute: "size", sort: "alpha" } as const];
    const { data } = await index.query({ query: "", sort: ["size:asc"], facets, filters });
    const values = data.facets!.size!.map(({ value }) => value).join(" ");
    expect(data.hits.flatMap(({ source }) => source.size ?? []).join(" ")).toBe(values);
    return values;
  };
  expect(await ordered()).toBe("xs S M l XL 2XL XXL");
  // Another value, even of a record that the query does not find, makes it the alphabet.
  await index.addRecords([{ id: "other", size: "One size" }]);
  expect(await ordered("size:M OR size:S")).toBe("M S");
  await index.deleteRecords(["other"]);
  expect(await ordered("size:M OR size:S")).toBe("S M");
  // So many deleted values make no difference.
  const others = seq(100, (i) => ({ id: `other ${i}`, size: `Size ${i}` }));
  await index.addRecords([...others, ...seq(400, (i) => ({ id: `many ${i}`, size: "XL" }))]);
  await index.deleteRecords(others.map(({ id }) => id));
  expect(await ordered("size:M OR size:S")).toBe("S M");
});

it("facets of many values stand among others as they were asked for", async () => {
  const records = seq(17_000, (i) => ({ id: i, code: i + 0.5, half: i % 2, kind: `k${i % 3}` }));
  const { index } = await plainShop({}, records.slice(0, 9000), records.slice(9000));
  const params = { query: "", facets: ["code", "half", "kind"], maxValuesPerFacet: 2 };
  const { facets, facetStats } = await checkQuery(index, { ...params, facetFilters: [["half:1"], ["kind:k0"]] });
  const shown = Object.entries(facets!).map(([name, all]) => `${name} ${all.map(({ count }) => count)}`);
  expect(shown).toEqual(["code 1,1", "half 2834,2833", "kind 2834,2833"]);
  const sum = seq(2833, (i) => 3.5 + 6 * i).reduce((total, code) => total + code);
  expect(facetStats!.code).toEqual({ min: 3.5, max: 16_995.5, sum, avg: sum / 2833 });
});
