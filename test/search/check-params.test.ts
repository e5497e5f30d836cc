import { describe, expect, it } from "vitest";
import { checkParams } from "../../src/search/check-params.js";
import type { SearchWarning } from "../../src/util/extension-points.js";
import { resolveLimits } from "../../src/util/limits.js";
import { thrownBy } from "../support/refusal.js";

const limits = resolveLimits({ queryBytes: 20, hitsPerPage: 100, page: 1000, semanticDepth: 50, paramsPairs: 10 });

function checked(given: unknown, strict = false) {
  const warnings: SearchWarning[] = [];
  const params = checkParams(given, { limits, dimensions: 2, strict, warn: (warning) => warnings.push(warning) });
  return { params, warnings };
}

const refused = (given: unknown, strict = false) => thrownBy(() => checked(given, strict));

describe("parameters", () => {
  it("have the documented defaults", () => {
    expect(checked({ query: "drill" })).toEqual({
      params: {
        query: "drill",
        page: 1,
        hitsPerPage: 12,
        semanticWeight: undefined,
        semanticFloor: undefined,
        semanticDepth: undefined,
        matching: undefined,
        vector: undefined,
        filter: { kind: "everything" },
        refinements: [],
        facets: [],
        maxValuesPerFacet: 100,
        sort: [],
        distinct: undefined,
        restrictSearchableAttributes: undefined,
        typoTolerance: undefined,
        queryType: undefined,
        optionalWords: [],
        advancedSyntax: false,
        shape: {
          attributesToRetrieve: undefined,
          attributesToHighlight: [],
          attributesToSnippet: [],
          preTag: "<em>",
          postTag: "</em>",
          ellipsis: "…",
          explain: false,
        },
      },
      warnings: [],
    });
  });

  it("are the same in both forms", () => {
    const given = { query: "a b", page: 2, hitsPerPage: 5, semanticWeight: 0.5, semanticFloor: -1, semanticDepth: 7 };
    const encoded = Object.entries({ ...given, matching: "all", vector: "[1,2]" })
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join("&");
    expect(checked({ params: encoded })).toEqual(checked({ ...given, matching: "all", vector: [1, 2] }));
  });

  it("are a frozen copy, read when the call comes", () => {
    const given = { query: "drill", page: 2 };
    const { params } = checked(given);
    given.page = 3;
    expect([params.page, Object.isFrozen(params), Object.isFrozen(given)]).toEqual([2, true, false]);
  });

  it("that are undefined count as left out", () => {
    expect(checked({ query: "x", page: undefined, matching: undefined }).params.page).toBe(1);
    expect(refused({ query: undefined }).error).toBe("missing_query");
  });

  it("clamp hitsPerPage and take its ends", () => {
    expect(
      [0, 100, 101, Number.MAX_SAFE_INTEGER].map((n) => checked({ query: "", hitsPerPage: n }).params.hitsPerPage),
    ).toEqual([0, 100, 100, 100]);
    expect([1, 1000].map((page) => checked({ query: "", page }).params.page)).toEqual([1, 1000]);
  });

  const WRONG: readonly (readonly [object, string])[] = [
    [{}, "missing_query"],
    [{ query: 5 }, "invalid_query"],
    [{ query: null }, "invalid_query"],
    [{ query: ["a"] }, "invalid_query"],
    [{ query: "é".repeat(11) }, "query_too_long"],
    [{ query: "a".repeat(21) }, "query_too_long"],
    [{ query: "", page: 0 }, "invalid_page"],
    [{ query: "", page: -1 }, "invalid_page"],
    [{ query: "", page: 1.5 }, "invalid_page"],
    [{ query: "", page: "2" }, "invalid_page"],
    [{ query: "", page: null }, "invalid_page"],
    [{ query: "", page: 1001 }, "invalid_page"],
    [{ query: "", hitsPerPage: -1 }, "invalid_hits_per_page"],
    [{ query: "", hitsPerPage: "5" }, "invalid_hits_per_page"],
    [{ query: "", semanticWeight: 1.1 }, "invalid_parameter"],
    [{ query: "", semanticFloor: -2 }, "invalid_parameter"],
    [{ query: "", semanticDepth: 0 }, "invalid_parameter"],
    [{ query: "", semanticDepth: 51 }, "invalid_parameter"],
    [{ query: "", matching: "some" }, "invalid_parameter"],
    [{ query: "", filters: "price <" }, "invalid_filter"],
    [{ query: "", filters: 5 }, "invalid_filter"],
    [{ query: "", filters: null }, "invalid_filter"],
    [{ query: "", facetFilters: "brand:Forge" }, "invalid_facet_filters"],
    [{ query: "", facetFilters: [[["brand:Forge"]]] }, "invalid_facet_filters"],
    [{ query: "", facets: "brand" }, "invalid_parameter"],
    [{ query: "", facets: [5] }, "invalid_parameter"],
    [{ query: "", facets: Array.from({ length: 21 }, (_, i) => `a${i}`) }, "invalid_parameter"],
    [{ query: "", maxValuesPerFacet: -1 }, "invalid_parameter"],
    [{ query: "", vector: [1] }, "invalid_vector"],
    [{ query: "", sort: ["price"] }, "invalid_parameter"],
    [{ query: "", distinct: "true" }, "invalid_parameter"],
    [{ query: "", typoTolerance: 1 }, "invalid_parameter"],
    [{ query: "", queryType: "prefix" }, "invalid_parameter"],
    [{ query: "", optionalWords: [1] }, "invalid_parameter"],
    [{ query: "", advancedSyntax: null }, "invalid_parameter"],
    [{ query: "", explain: "yes" }, "invalid_parameter"],
    [{ query: "", attributesToRetrieve: "title" }, "invalid_parameter"],
    [{ query: "", restrictSearchableAttributes: {} }, "invalid_parameter"],
    [{ params: "page=0&query=x" }, "invalid_page"],
    [{ params: "page=02&query=x" }, "invalid_page"],
    [{ params: "" }, "missing_query"],
    [{ params: "query=x", page: 1 }, "params_not_alone"],
    [{ params: 5 }, "invalid_params"],
    [{ params: { query: "x" } }, "invalid_params"],
    [Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`a${i}`, 1])), "invalid_request"],
  ];
  for (const [given, error] of WRONG)
    it(`refuse ${JSON.stringify(given).slice(0, 60)} as ${error}`, () => {
      expect(refused(given)).toMatchObject({ code: 400, error });
    });

  it("refuse what is no object", () => {
    for (const given of [null, undefined, "query", 5, ["query"]]) expect(refused(given).error).toBe("invalid_request");
  });

  it("complain about everything at once", () => {
    const error = refused({ page: 0, hitsPerPage: -1, matching: "x" });
    const complaints = error.details?.complaints as readonly { readonly error: string }[];
    expect(complaints.map((complaint) => complaint.error)).toEqual([
      "missing_query",
      "invalid_hits_per_page",
      "invalid_page",
      "invalid_parameter",
    ]);
  });
});

describe("unknown parameters", () => {
  it("are ignored with one warning that names the nearest known", () => {
    const { params, warnings } = checked({ query: "x", pgae: 2, hitPerPage: 3, zzzzzzzz: 1 });
    expect(params.page).toBe(1);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatchObject({ code: "unknown_parameter", param: "pgae" });
    expect(warnings[0]!.message).toMatch(/did you mean page\?.*did you mean hitsPerPage\?.*They were ignored/);
  });

  it("one alone is spoken of alone, and of many the first four", () => {
    expect(checked({ query: "x", pgae: 2 }).warnings[0]!.message).toContain("It was ignored.");
    const { warnings } = checked({ query: "x", q1: 1, q2: 1, q3: 1, q4: 1, q5: 1 });
    expect(warnings[0]!.message).not.toContain("q5");
  });

  it("are errors under strict", () => {
    expect(refused({ query: "x", pgae: 2 }, true)).toMatchObject({ error: "unknown_parameter", param: "pgae" });
    expect(checked({ query: "x", page: 2 }, true).warnings).toEqual([]);
  });

  for (const name of ["filter", "Filters", "fitlers", "facetFilter", "FacetFilters", "facetFliters"])
    it(`like ${name} are always errors, because they were meant to hide records`, () => {
      expect(refused({ query: "x", [name]: "brand:Forge" })).toMatchObject({ error: "unknown_parameter", param: name });
      expect(refused({ params: `query=x&${name}=a` }).code).toBe(400);
    });
});
