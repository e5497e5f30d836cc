// What is said of a parameter that is refused: what was found, what was expected and what to do.

import { describe, expect, it } from "vitest";
import { checkParams } from "../../src/search/check-params.js";
import { resolveLimits } from "../../src/util/limits.js";
import { thrownBy } from "../support/refusal.js";

const limits = resolveLimits({
  queryBytes: 20,
  page: 9,
  semanticDepth: 50,
  paramsPairs: 3,
  paramsBytes: 60,
  facets: 1,
  attributeName: 8,
  attributesToRetrieve: 2,
});
const context = { limits, dimensions: 2, strict: false, warn: () => {} };
const refused = (given: unknown, dimensions = 2) => thrownBy(() => checkParams(given, { ...context, dimensions }));

const long = (length: number) => Array.from({ length }, () => "a");
const NAMES = "attribute names of 1 to 8 characters.";

describe("a refused parameter is described", () => {
  for (const [given, param, says] of [
    [{ page: 0 }, "page", "page is 0; expected an integer from 1 to 9."],
    [{ page: 10 }, "page", "page is 10; expected an integer from 1 to 9."],
    [{ hitsPerPage: -1 }, "hitsPerPage", "hitsPerPage is -1; expected an integer from 0 to 9007199254740991."],
    [
      { maxValuesPerFacet: -1 },
      "maxValuesPerFacet",
      "maxValuesPerFacet is -1; expected an integer from 0 to 9007199254740991.",
    ],
    [{ semanticWeight: 2 }, "semanticWeight", "semanticWeight is 2; expected a number from 0 to 1."],
    [{ semanticWeight: -0.1 }, "semanticWeight", "semanticWeight is -0.1; expected a number from 0 to 1."],
    [{ semanticFloor: 2 }, "semanticFloor", "semanticFloor is 2; expected a number from -1 to 1."],
    [{ semanticFloor: -1.1 }, "semanticFloor", "semanticFloor is -1.1; expected a number from -1 to 1."],
    [{ semanticDepth: 0 }, "semanticDepth", "semanticDepth is 0; expected an integer from 1 to 50."],
    [{ matching: "some" }, "matching", 'matching is "some"; expected one of "auto", "all", "any".'],
    [
      { queryType: "x" },
      "queryType",
      'queryType is "x"; expected one of "prefixAuto", "prefixLast", "prefixAll", "prefixNone".',
    ],
    [{ vector: [1, 0, 0] }, "vector", "vector is no vector of this index: found 3 components, expected 2."],
    [{ vector: [1] }, "vector", "vector is no vector of this index: found 1 components, expected 2."],
    [{ facets: "a" }, "facets", `facets is "a"; expected a list of at most 1000 ${NAMES}`],
    [{ facets: ["a", "b"] }, "facets", "facets is 2; expected at most 1 attributes."],
    [
      { sort: ["a"] },
      "sort",
      'sort is an array; expected a list of at most 16 of "attribute:asc" or "attribute:desc".',
    ],
    [{ distinct: 1 }, "distinct", "distinct is 1; expected true or false."],
    [{ typoTolerance: 1 }, "typoTolerance", "typoTolerance is 1; expected true or false."],
    [{ advancedSyntax: 1 }, "advancedSyntax", "advancedSyntax is 1; expected true or false."],
    [{ explain: 1 }, "explain", "explain is 1; expected true or false."],
    [
      { restrictSearchableAttributes: long(1001) },
      "restrictSearchableAttributes",
      `restrictSearchableAttributes is an array; expected a list of at most 1000 ${NAMES}`,
    ],
    [
      { optionalWords: long(1001) },
      "optionalWords",
      "optionalWords is an array; expected a list of at most 1000 texts of at most 20 characters.",
    ],
    [
      { attributesToRetrieve: long(3) },
      "attributesToRetrieve",
      `attributesToRetrieve is an array; expected a list of at most 2 ${NAMES}`,
    ],
    [{ highlightPreTag: 5 }, "highlightPreTag", "highlightPreTag is 5; expected a text of at most 64 characters."],
    [{ filters: 5 }, "filters", "filters is 5; pass a plain object."],
    [
      { facetFilters: ["a"] },
      "facetFilters",
      'facetFilters holds "a"; expected an attribute, a colon and a value: "brand:Forge".',
    ],
  ] as const)
    it(says, () => expect(refused({ query: "", ...given })).toMatchObject({ code: 400, param, msg: says }));
});

describe("a refused call is described", () => {
  for (const [given, error, param, says] of [
    [null, "invalid_request", "params", "params is null; pass an object."],
    [{}, "missing_query", "query", 'query is missing; pass a text ("" finds all records).'],
    [{ query: 5 }, "invalid_query", "query", "query is 5; expected a text."],
    [{ query: "x".repeat(21) }, "query_too_long", "query", "query has more than 20 bytes; shorten it."],
    [{ a: 1, b: 2, c: 3, d: 4 }, "invalid_request", "params", "params has 4 parameters; pass at most 3."],
    [
      { params: "query=x", page: 2 },
      "params_not_alone",
      "params",
      "params stands beside other keys; put every parameter into it, or leave it out.",
    ],
    [{ params: 5 }, "invalid_params", "params", 'params is 5; pass a URL-encoded string such as "query=drill&page=2".'],
    [
      { params: "x".repeat(61) },
      "params_too_long",
      "params",
      "params has more than 60 bytes; shorten it or pass an object.",
    ],
    [{ params: "a&b&c&d" }, "params_too_long", "params", "params has more than 3 parameters; pass fewer."],
  ] as const)
    it(says, () => expect(refused(given)).toMatchObject({ code: 400, error, param, msg: says }));

  it("by its vector where the index has none", () => {
    expect(refused({ query: "", vector: [1, 2] }, 0)).toMatchObject({
      error: "vectors_disabled",
      param: "vector",
      msg: "vector is given, but the index has no vectors; leave it out, or create the index with an embedder or a vectorAttribute.",
    });
  });

  it("by where its filter is wrong, and by what its getters threw", () => {
    expect(refused({ query: "", filters: "price <" }).details).toMatchObject({ start: 7, end: 7 });
    const cause = new Error("theirs");
    const filters = Object.defineProperty({}, "a", {
      enumerable: true,
      get: () => {
        throw cause;
      },
    });
    const { cause: thrown, details } = refused({ query: "", filters, facetFilters: [5] });
    expect([thrown, details?.total]).toEqual([cause, 2]);
  });
});

describe("a parameter is taken up to its limit", () => {
  const checked = (given: object) => checkParams({ query: "", ...given }, context);

  it("of bytes, items and parameters", () => {
    expect(checkParams({ query: "x".repeat(20) }, context).query).toHaveLength(20);
    expect(checkParams({ query: "é".repeat(10) }, context).query).toHaveLength(10);
    expect(checked({ facets: ["a", "a"] }).facets).toEqual(["a"]);
    expect(checked({ restrictSearchableAttributes: long(1000) }).restrictSearchableAttributes).toHaveLength(1000);
    expect(checked({ optionalWords: long(1000) }).optionalWords).toHaveLength(1000);
    expect(checked({ page: 9, semanticDepth: 50 })).toMatchObject({ page: 9, semanticDepth: 50 });
    expect(checkParams({ params: `query=${"%78".repeat(18)}` }, context).query).toBe("x".repeat(18));
  });

  it("of values, and beyond it clamped", () => {
    const clamp = (hitsPerPage: number, maxValuesPerFacet: number) => {
      const { hitsPerPage: hits, maxValuesPerFacet: values } = checked({ hitsPerPage, maxValuesPerFacet });
      return [hits, values];
    };
    expect([clamp(0, 0), clamp(1000, 1000), clamp(1001, 1001)]).toEqual([
      [0, 0],
      [1000, 1000],
      [1000, 1000],
    ]);
  });

  it("of its range", () => {
    expect(checked({ semanticWeight: 1, semanticFloor: 1 })).toMatchObject({ semanticWeight: 1, semanticFloor: 1 });
    expect(checked({ semanticWeight: 0, semanticFloor: -1 })).toMatchObject({ semanticWeight: 0, semanticFloor: -1 });
  });
});

describe("parameters are read as they are given", () => {
  const checked = (given: object) => checkParams({ query: "", ...given }, { ...context, limits: resolveLimits({}) });

  it("words, one text parted at its blanks", () => {
    expect(checked({ optionalWords: " cheap  red\n" }).optionalWords).toEqual(["cheap", "red"]);
    expect(checked({ optionalWords: ["cheap red"] }).optionalWords).toEqual(["cheap red"]);
  });

  for (const given of [
    { typoTolerance: false, distinct: true, advancedSyntax: true },
    { typoTolerance: true, distinct: false, advancedSyntax: false },
    { matching: "any", queryType: "prefixLast" },
    { matching: "all", queryType: "prefixAll" },
    { matching: "auto", queryType: "prefixNone" },
    { queryType: "prefixAuto" },
    { facets: ["a", "b"], restrictSearchableAttributes: ["c"] },
    { filters: undefined, semanticWeight: 0.5, semanticFloor: 0.25, semanticDepth: 3 },
  ])
    it(JSON.stringify(given), () => {
      const { filters, ...rest } = { filters: undefined, ...given };
      expect(checked(given)).toMatchObject(rest);
    });

  it("filters, clicks and order", () => {
    const is = (value: string) => ({ kind: "equals", attribute: "a", value, printed: true });
    const { filter, refinements, sort } = checked({ filters: "a:x", facetFilters: ["a:y"], sort: ["b:desc"] });
    expect(filter).toMatchObject(is("x"));
    expect(refinements).toEqual([{ attribute: "a", disjunctive: false, filter: is("y") }]);
    expect(sort).toEqual([{ attribute: "b", direction: "desc" }]);
  });
});
