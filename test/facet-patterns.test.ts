// Facets that stand for several attributes: those that the matches have.

import { expect, it } from "vitest";
import type { JsonRecord, SearchParams } from "../src/index.js";
import { plainShop } from "./support/plain-shop.js";
import { rejectionOf } from "./support/refusal.js";

const RECORDS: readonly JsonRecord[] = [
  { id: 1, title: "drill one", brand: "Forge", specs: { volts: 18, chuck: "13 mm" }, colors: [] },
  { id: 2, title: "drill two", brand: "Forge", specs: { volts: 12 }, colors: ["red", "red"] },
  { id: 3, title: "lamp", brand: null, specs: { watts: 5, inner: { depth: 2 } }, colors: ["red"] },
  { id: 4, title: "sofa", seats: 3, text: "long ".repeat(40) },
  { id: 5, "\u0000attributes": "x", "a.*": 1, "\u0000": 2, "*": 3 },
];
const { index } = await plainShop({}, RECORDS.slice(0, 2), RECORDS.slice(2));

const ALL = "id title brand colors specs.volts \u0000 * a.* seats specs.chuck specs.inner.depth specs.watts";

it.each<[what: string, facets: readonly string[], params: Partial<SearchParams>, names: string]>([
  ["what the matches have: of most records first, then by name", ["*"], {}, ALL],
  ["what fewer matches have", ["*"], { query: "drill" }, "brand id specs.volts title colors specs.chuck"],
  ["nothing where nothing is found", ["*"], { query: "nothing" }, ""],
  ["the same whatever is chosen", ["*"], { facetFilters: [["brand:Forge"], ["colors:red"]] }, ALL],
  ["strange names, but the one that nobody can ask for", ["*"], { filters: "id = 5" }, "\u0000 * a.* id"],
  ["what is within an attribute", ["specs.*"], { query: "lamp" }, "specs.inner.depth specs.watts"],
  ["what is within that", ["specs.inner.*"], {}, "specs.inner.depth"],
  ["what is named, first", ["specs.inner.*", "brand", "specs.watts"], {}, "brand specs.watts specs.inner.depth"],
  ["each once", ["specs.inner.*", "specs.*", "*"], {}, ALL],
])("counts %s: %j with %j", async (_, facets, params, names) => {
  const { data } = await index.query({ query: "", facets, ...params });
  expect(Object.keys(data.facets!).join(" ")).toBe(names);
});

it("counts the declared attributes alone, where there are any", async () => {
  const shop = await plainShop({ attributesForFaceting: ["text", "specs.watts", "colors", "none"] }, RECORDS);
  const { facets } = (await shop.index.query({ query: "", facets: ["*"] })).data;
  expect(Object.keys(facets!)).toEqual(["colors", "specs.watts", "text"]);
  const specs = (await shop.index.query({ query: "", facets: ["specs.*"] })).data.facets;
  expect(Object.keys(specs!)).toEqual(["specs.watts"]);
  expect(await rejectionOf(shop.index.query({ query: "", facets: ["a.*"] }))).toMatchObject({ error: "unknown_field" });
});

it("is refused where there is nothing within the attribute, but for an index that never had a record", async () => {
  const error = await rejectionOf(index.query({ query: "", facets: ["spec.*", "brand.*"] }));
  expect(error).toMatchObject({ code: 400, error: "unknown_field", param: "facets" });
  const first = 'facets names "spec.*", within which there is no attribute; did you mean "specs.*"?';
  const brand = expect.stringContaining("brand.*") as string;
  expect(error.details).toMatchObject({ complaints: [{ msg: first }, { msg: brand }] });
  expect(await rejectionOf(index.searchForFacetValues({ facetName: "specs.*" }))).toMatchObject({ param: "facetName" });
  const empty = (await plainShop({})).index;
  expect((await empty.query({ query: "", facets: ["specs.*", "*"] })).data.facets).toEqual({});
});
