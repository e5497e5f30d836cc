import { expect, it } from "vitest";
import { readLimits } from "../../src/input/engine-options.js";
import { paramsFromString } from "../../src/input/read-params.js";
import { DEFAULT_LIMITS } from "../../src/util/limits.js";
import { thrownBy } from "../support/refusal.js";

const read = (params: string) => ({ ...paramsFromString(params, DEFAULT_LIMITS) });

it.each([
  ["query=caf%C3%A9+au%20lait&matching=all", { query: "café au lait", matching: "all" }],
  ["query=a%3Db%26c&x", { query: "a=b&c", x: "" }],
  ["query=%E0%A4%A", { query: "\ufffd%A" }],
  ["", {}],
  ["query=a&page=1&query=b&page=2", { query: "b", page: 2 }],
  ["query=0&page=3&offset=9007199254740991", { query: "0", page: 3, offset: 9007199254740991 }],
  ["semanticWeight=0.25&semanticFloor=-1&hitsPerPage=0", { semanticWeight: 0.25, semanticFloor: -1, hitsPerPage: 0 }],
  [
    "semanticDepth=7&maxValuesPerFacet=4&relevancyStrictness=5",
    { semanticDepth: 7, maxValuesPerFacet: 4, relevancyStrictness: 5 },
  ],
  ["vector=[1,-0.5]", { vector: [1, -0.5] }],
  ["vector=1,-0.5,x", { vector: [1, -0.5, "x"] }],
  ["vector=", { vector: [] }],
  ["vector=[1,", { vector: "[1," }],
  ["distinct=true&explain=false&typoTolerance=true", { distinct: true, explain: false, typoTolerance: true }],
  ["facets=brand,kind.main&sort=price:asc", { facets: ["brand", "kind.main"], sort: ["price:asc"] }],
  ['facets=["a,b"]&optionalWords=', { facets: ["a,b"], optionalWords: [] }],
  [
    "attributesToRetrieve=*,-b[c&ruleContexts=a,b{c",
    { attributesToRetrieve: ["*", "-b[c"], ruleContexts: ["a", "b{c"] },
  ],
  ["facets=[&attributesToSnippet={", { facets: "[", attributesToSnippet: "{" }],
  ['facetFilters=[["a:A%26B","a:C"],"c:d"]', { facetFilters: [["a:A&B", "a:C"], "c:d"] }],
  ['facetFilters={"brand":["A"]}', { facetFilters: { brand: ["A"] } }],
  ["facetFilters=brand:A,new:true", { facetFilters: ["brand:A", "new:true"] }],
  ['filters={"price":{"lt":5}}', { filters: { price: { lt: 5 } } }],
  ["filters=price+%3C+5", { filters: "price < 5" }],
  ['filters={"price"', { filters: '{"price"' }],
  ["filters=[1]", { filters: "[1]" }],
  [
    "highlightPreTag=[b]&snippetEllipsisText={&queryType=true",
    { highlightPreTag: "[b]", snippetEllipsisText: "{", queryType: "true" },
  ],
])("%j is read as %j", (params, expected) => expect(read(params)).toEqual(expected));

it.each([
  ["page", ["", "01", "+1", "-1", "1.0", "1e3", " 1", "0x1", "12345678901234567", "١"]],
  ["semanticWeight", ["", ".5", "5.", "1e-1", "NaN", "Infinity", "00.5", "0,5"]],
  ["explain", ["", "1", "TRUE", "yes", "null"]],
])("texts that are no value of %s stay as they are, to be refused", (name, texts) => {
  for (const text of texts) expect(read(`${name}=${encodeURIComponent(text)}`)).toEqual({ [name]: text });
});

it("names may mean something to JavaScript", () =>
  expect(Object.keys(paramsFromString("__proto__=1&query=x", DEFAULT_LIMITS))).toEqual(["__proto__", "query"]));

it("an encoded string is taken up to its limits, in bytes and pairs, and refused beyond", () => {
  const limits = readLimits({ paramsBytes: 10, paramsPairs: 2 });
  for (const right of ["query=abcd", "a=1&b=2"]) expect(Object.keys(paramsFromString(right, limits))).not.toEqual([]);
  for (const long of ["query=abcde", "query=éé€", "a=1&b=2&c"])
    expect(
      thrownBy(() => paramsFromString(long, limits)),
      long,
    ).toMatchObject({ code: 400, error: "params_too_long" });
});
