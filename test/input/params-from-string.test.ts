import { describe, expect, it } from "vitest";
import { readLimits } from "../../src/input/engine-options.js";
import { paramsFromString } from "../../src/input/read-params.js";
import { DEFAULT_LIMITS } from "../../src/util/limits.js";
import { thrownBy } from "../support/refusal.js";

const read = (params: string) => ({ ...paramsFromString(params, DEFAULT_LIMITS) });

describe("an encoded string", () => {
  it("is decoded as URLSearchParams does", () => {
    expect(read("query=caf%C3%A9+au%20lait&matching=all")).toEqual({ query: "café au lait", matching: "all" });
    expect(read("query=a%3Db%26c&x")).toEqual({ query: "a=b&c", x: "" });
    expect(read("query=%E0%A4%A")).toEqual({ query: "\ufffd%A" });
    expect(read("")).toEqual({});
  });

  it("gives the last of repeated names", () => {
    expect(read("query=a&page=1&query=b&page=2")).toEqual({ query: "b", page: 2 });
  });

  it("keeps a query text that looks like a number", () => {
    expect(read("query=0&page=3")).toEqual({ query: "0", page: 3 });
  });

  it("reads integers from plain decimals, and leaves other texts to be refused", () => {
    expect(["0", "1", "9007199254740991"].map((page) => read(`page=${page}`).page)).toEqual([0, 1, 9007199254740991]);
    for (const page of ["", "01", "+1", "-1", "1.0", "1e3", " 1", "0x1", "12345678901234567", "١"])
      expect(read(`page=${encodeURIComponent(page)}`)).toEqual({ page });
  });

  it("reads numbers from plain decimals", () => {
    expect(read("semanticWeight=0.25&semanticFloor=-1&semanticDepth=7&hitsPerPage=0")).toEqual({
      semanticWeight: 0.25,
      semanticFloor: -1,
      semanticDepth: 7,
      hitsPerPage: 0,
    });
    for (const text of ["", ".5", "5.", "1e-1", "NaN", "Infinity", "00.5", "0,5"])
      expect(read(`semanticWeight=${text}`)).toEqual({ semanticWeight: text });
  });

  it("reads a vector from JSON or from numbers between commas", () => {
    expect(read("vector=[1,-0.5]")).toEqual({ vector: [1, -0.5] });
    expect(read("vector=1,-0.5,x")).toEqual({ vector: [1, -0.5, "x"] });
    expect(read("vector=")).toEqual({ vector: [] });
    expect(read("vector=[1,")).toEqual({ vector: "[1," });
  });

  it("reads booleans from their names alone", () => {
    expect(read("distinct=true&explain=false")).toEqual({ distinct: true, explain: false });
    for (const text of ["", "1", "TRUE", "yes", "null"]) expect(read(`explain=${text}`)).toEqual({ explain: text });
  });

  it("reads lists from JSON or from texts between commas", () => {
    expect(read("facets=brand,kind.main&sort=price:asc")).toEqual({
      facets: ["brand", "kind.main"],
      sort: ["price:asc"],
    });
    expect(read('facets=["a,b"]&optionalWords=')).toEqual({ facets: ["a,b"], optionalWords: [] });
    expect(read("attributesToRetrieve=*,-brand")).toEqual({ attributesToRetrieve: ["*", "-brand"] });
    expect(read("facets=[&attributesToSnippet={")).toEqual({ facets: "[", attributesToSnippet: "{" });
  });

  it("reads each parameter by its kind", () => {
    const whole = "page=1&hitsPerPage=2&semanticDepth=3&maxValuesPerFacet=4";
    expect(read(whole)).toEqual({ page: 1, hitsPerPage: 2, semanticDepth: 3, maxValuesPerFacet: 4 });
    const yes = { distinct: true, typoTolerance: true, advancedSyntax: true, explain: true };
    expect(
      read(
        Object.keys(yes)
          .map((name) => `${name}=true`)
          .join("&"),
      ),
    ).toEqual(yes);
    for (const name of ["facets", "sort", "attributesToRetrieve", "attributesToHighlight", "attributesToSnippet"])
      expect(read(`${name}=a,b[c`)).toEqual({ [name]: ["a", "b[c"] });
    for (const name of ["restrictSearchableAttributes", "optionalWords", "facetFilters"])
      expect(read(`${name}=a,b{c`)).toEqual({ [name]: ["a", "b{c"] });
    expect(read("vector=[1,2]")).toEqual({ vector: [1, 2] });
    expect(read("vector=1,2")).toEqual({ vector: [1, 2] });
  });

  it("reads clicks as lists of lists, objects, or texts between commas", () => {
    const lists = [["brand:A&B", "brand:C"], "colors:black"];
    expect(read(`facetFilters=${encodeURIComponent(JSON.stringify(lists))}`)).toEqual({ facetFilters: lists });
    expect(read('facetFilters={"brand":["A"]}')).toEqual({ facetFilters: { brand: ["A"] } });
    expect(read("facetFilters=brand:A,new:true")).toEqual({ facetFilters: ["brand:A", "new:true"] });
  });

  it("reads a filter as an object where it begins with a brace, else as text", () => {
    expect(read('filters={"price":{"lt":5}}')).toEqual({ filters: { price: { lt: 5 } } });
    expect(read("filters=price+%3C+5")).toEqual({ filters: "price < 5" });
    expect(read('filters={"price"')).toEqual({ filters: '{"price"' });
    expect(read("filters=[1]")).toEqual({ filters: "[1]" });
  });

  it("leaves texts as they are", () => {
    const texts = { highlightPreTag: "[b]", snippetEllipsisText: "{", queryType: "true", query: "[1,2]" };
    expect(read(new URLSearchParams(texts).toString())).toEqual(texts);
  });

  it("may have names that mean something to JavaScript", () => {
    const named = paramsFromString("__proto__=1&query=x", DEFAULT_LIMITS);
    expect(Object.keys(named)).toEqual(["__proto__", "query"]);
  });

  it("is taken up to its limits, in bytes and pairs, and refused beyond", () => {
    const limits = readLimits({ paramsBytes: 10, paramsPairs: 2 });
    expect(Object.keys(paramsFromString("query=abcd", limits))).toHaveLength(1);
    expect(Object.keys(paramsFromString("a=1&b=2", limits))).toHaveLength(2);
    for (const long of ["query=abcde", "query=éé€", "a=1&b=2&c"])
      expect(
        thrownBy(() => paramsFromString(long, limits)),
        long,
      ).toMatchObject({ code: 400, error: "params_too_long" });
  });
});
