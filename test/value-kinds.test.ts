import { expect, it } from "vitest";
import { type JsonRecord, type JsonValue, SearchEngine, type SearchParams, type SearchWarning } from "../src/index.js";

/** The warnings of a query on records with these values of an attribute, and the number of its hits. */
async function warnedOf(attribute: string, values: readonly JsonValue[], params: Partial<SearchParams>) {
  const warnings: SearchWarning[] = [];
  const engine = new SearchEngine({ embedder: false, onWarning: (warning) => warnings.push(warning) });
  const index = await engine.createIndex("shop");
  const records = values.map((value, id): JsonRecord => ({ id, title: `Cup ${id}`, [attribute]: value }));
  for (const record of records) await index.addRecords([record]);
  warnings.length = 0;
  const { nbHits } = (await index.query({ query: "", ...params })).data;
  return { nbHits, warnings: warnings.map(({ code, param, message }) => ({ code, param, message })) };
}

it.each([
  ["price", ["24.00 EUR", "6.50 EUR"], { filters: "price < 10" }, "filters", "24.00 EUR", "a number"],
  ["price", ["$24.00", "$6.50"], { numericFilters: ["price<10"] }, "numericFilters", "$24.00", "a number"],
  ["price", ["6,50", "24,00"], { filters: { price: { lt: 10 } } }, "filters", "24,00", "a number"],
  ["price", ["USD 24"], { facetFilters: { price: { between: [5, 10] } } }, "facetFilters", "USD 24", "a number"],
  ["weight", ["2 kg", "300 g"], { filters: "NOT weight:1 TO 3" }, "filters", "2 kg", "a number"],
  ["added", ["2024-03-15"], { filters: "added > 5" }, "filters", "2024-03-15", "a number"],
  ["added", ["2024-01-15 09:30:00"], { filters: 'added >= "2024-03-01"' }, "filters", "2024-01-15 09:30:00", "a date"],
  ["added", ["15.03.2024", ""], { filters: 'added:"2024-03-01" TO "2024-04-01"' }, "filters", "", "a date"],
  ["added", [1710495000000], { filters: { added: { gte: new Date(0) } } }, "filters", 1710495000000, "a date"],
  ["inStock", ["TRUE", "FALSE"], { filters: "inStock:true" }, "filters", "FALSE", "true or false"],
  ["inStock", ["yes", "no"], { filters: { inStock: true } }, "filters", "no", "true or false"],
  ["inStock", [1, 0], { filters: { inStock: { in: [true, false] } } }, "filters", 0, "true or false"],
] as const)("values of %s, %j, are of another kind than is asked for: %j", async (name, values, params, param, one, is) => {
  const { nbHits, warnings } = await warnedOf(name, values, params as Partial<SearchParams>);
  expect(nbHits).toBe("filters" in params && String(params.filters).startsWith("NOT") ? values.length : 0);
  expect(warnings).toEqual([{ code: "values_of_another_kind", param, message: expect.any(String) }]);
  expect(warnings[0]!.message).toContain(`no value of the attribute is ${is}; one is ${JSON.stringify(one)}.`);
});

it.each([
  ["price", [24, "6.50 EUR"], "price < 1"],
  ["inStock", [false], "inStock:true"],
  ["inStock", ["true"], "inStock:true"],
  ["added", ["2024-01-15", "soon"], 'added >= "2025-01-01"'],
  ["maker", ["Halm"], "maker:Orla"],
  ["maker", ["Halm"], 'maker:"10"'],
  ["price", ["19 EUR"], "price EXISTS"],
] as const)("values of %s, %j, are asked for as they are: %s", async (name, values, filters) => {
  expect((await warnedOf(name, [...values, null], { filters })).warnings).toEqual([]);
});

it("a sentence with a price, or an order by it, is searched as words where prices are no numbers, with a warning", async () => {
  const prices = ["24.00 USD", "6.50 USD"];
  for (const query of ["cup under 10", "cup under $10", "cup over 5 euros", "cheapest cup", "cup price below 10"]) {
    const { nbHits, warnings } = await warnedOf("price", prices, { query, understand: true });
    expect(nbHits, query).toBe(2);
    expect(warnings, query).toMatchObject([{ code: "values_of_another_kind", param: "query" }]);
    expect(warnings[0]!.message).toContain('one is "24.00 USD"');
  }
  for (const query of ["cup", "cup under 10 inches", "newest cup"])
    expect((await warnedOf("price", prices, { query, understand: true })).warnings, query).toEqual([]);
  const { warnings } = await warnedOf("price", ["24.00", "6.50"], { query: "cup under 10", understand: true });
  expect(warnings).toMatchObject([{ code: "numbers_as_text", param: "query" }]);
});

it("no record that is deleted, or that a key hides, tells its kind or its value", async () => {
  const warnings: SearchWarning[] = [];
  const engine = new SearchEngine({ embedder: false, onWarning: (warning) => warnings.push(warning) });
  const index = await engine.createIndex("shop");
  await index.addRecords([
    { id: "1", price: 5, shop: "a" },
    { id: "2", price: "7 EUR", shop: "b" },
    { id: "3", price: "3 EUR", shop: "c" },
  ]);
  await index.query({ query: "", filters: "price < 10" });
  expect(warnings).toEqual([]);
  await index.deleteRecords(["1", "3"]);
  await index.query({ query: "", filters: "price < 10" });
  expect(warnings.splice(0).map(({ message }) => message)).toEqual([expect.stringContaining('one is "7 EUR"')]);
});
