// Rows Q1, Q2, Q29 to Q32, Q39, Q46 and Q47 for searchForFacetValues and whyNot.

import { expect } from "vitest";
import { passedEach, type Refusal, type Row, refusedEach, shown } from "./row.js";
import type { World } from "./world.js";

const INVALID_REQUEST: Refusal = { code: 400, error: "invalid_request", param: "params" };
const UNKNOWN_INDEX: Refusal = { code: 404, error: "index_not_found", param: "indexName" };
const NO_NAMES = ["shpo", "constructor", "__proto__", "", null, 5, {}, Symbol()];
const refusal = (param: string, error = "invalid_parameter"): Refusal => ({ code: 400, error, param });
const facet = (world: World, params: unknown): unknown => world.call("searchForFacetValues", "shop", params);
const why = (world: World, params: unknown, id: unknown = 1): unknown => world.call("whyNot", "shop", params, id);

function throwing(): never {
  throw new Error("from the getter");
}

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const NO_REQUESTS: readonly (readonly [string, unknown])[] = [
  ...shown(undefined, null, "tags", [], 5, true, () => ({}), Symbol()),
  ["a revoked Proxy", revoked()],
  ["a getter that throws", Object.defineProperty({}, "facetName", { get: throwing, enumerable: true })],
];

const FACET_VALUES: readonly Row[] = [
  ...refusedEach("Q1", "searchForFacetValues with", NO_REQUESTS, facet, INVALID_REQUEST),
  ...refusedEach(
    "Q2",
    "searchForFacetValues in",
    shown(...NO_NAMES),
    (world, name) => world.call("searchForFacetValues", name, { facetName: "tags" }),
    UNKNOWN_INDEX,
  ),
  ...refusedEach(
    "Q37",
    "facetName",
    shown(undefined, null, "", "*", 5, ["tags"], {}, true, Symbol(), "a\n", "n".repeat(257)),
    (world, facetName) => facet(world, { facetName }),
    refusal("facetName"),
  ),
  ...refusedEach(
    "Q37",
    "an unknown facetName",
    shown("colour", "__proto__", "constructor", "tags.length"),
    (world, facetName) => facet(world, { facetName }),
    refusal("facetName", "unknown_field"),
  ),
  ...refusedEach(
    "Q30",
    "facetQuery",
    shown(null, 5, {}, ["gar"], true, Symbol(), Object("gar")),
    (world, facetQuery) => facet(world, { facetName: "tags", facetQuery }),
    refusal("facetQuery"),
  ),
  ...refusedEach(
    "Q11",
    "a facetQuery of more than 4,096 bytes:",
    [
      ["one byte more", "a".repeat(4097)],
      ["10 MB", "a".repeat(10_000_000)],
    ],
    (world, facetQuery) => facet(world, { facetName: "tags", facetQuery }),
    refusal("facetQuery", "query_too_long"),
  ),
  ...refusedEach(
    "Q39",
    "maxFacetHits",
    shown(-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "5", null, true, [5], 5n),
    (world, maxFacetHits) => facet(world, { facetName: "tags", maxFacetHits }),
    refusal("maxFacetHits"),
  ),
  ...(
    [
      [0, 0],
      [1, 1],
      [1e9, 2],
      [undefined, 2],
    ] as const
  ).map(
    ([maxFacetHits, count]): Row => ({
      row: "Q39",
      what: `maxFacetHits ${maxFacetHits}`,
      run: (world) => facet(world, { facetName: "tags", maxFacetHits }),
      expect: (result) => expect((result as { readonly facetHits: unknown[] }).facetHits).toHaveLength(count),
    }),
  ),
  {
    row: "Q30",
    what: "all complaints of searchForFacetValues come together",
    run: (world) => facet(world, { facetName: 5, facetQuery: 5, maxFacetHits: -1, filters: 5 }),
    expect: { ...refusal("facetName"), msg: /facetName.*facetQuery.*maxFacetHits.*filters/ },
  },
  ...(
    [
      ["query", 5, "invalid_query"],
      ["filters", 5, "invalid_filter"],
      ["facetFilters", "x", "invalid_facet_filters"],
      ["typoTolerance", "yes", "invalid_parameter"],
    ] as const
  ).map(
    ([name, value, error]): Row => ({
      row: "Q30",
      what: `searchForFacetValues with a bad ${name}`,
      run: (world) => facet(world, { facetName: "tags", [name]: value }),
      expect: refusal(name, error),
    }),
  ),
  ...["filter", "facetFilter"].map(
    (name): Row => ({
      row: "Q29",
      what: `searchForFacetValues with ${name}, which was meant to hide values`,
      run: (world) => facet(world, { facetName: "tags", [name]: "brand:Forge" }),
      expect: refusal(name, "unknown_parameter"),
    }),
  ),
  {
    row: "Q29",
    what: "a misspelt facetQuery under strict, the nearest name told",
    options: { strict: true },
    run: (world) => facet(world, { facetName: "tags", facetQuerry: "gar" }),
    expect: { ...refusal("facetQuerry", "unknown_parameter"), msg: /facetQuery/ },
  },
  ...passedEach(
    "Q19",
    "facetQuery",
    shown(".*", "(", "[", "\\", "^", "\ud800", "constructor"),
    (world, facetQuery) => facet(world, { facetName: "tags", facetQuery }),
    (result) => expect(result).toEqual({ facetHits: [] }),
  ),
  {
    row: "Q32",
    what: "searchForFacetValues reads own properties only",
    run: (world) =>
      facet(
        world,
        Object.assign(Object.create({ facetQuery: "zzz", maxFacetHits: 0, filters: 5 }), { facetName: "tags" }),
      ),
    expect: (result) => expect((result as { readonly facetHits: unknown[] }).facetHits).toHaveLength(2),
  },
  {
    row: "Q31",
    what: "searchForFacetValues with an own key __proto__",
    run: (world) => facet(world, JSON.parse('{"facetName":"tags","__proto__":{"facetQuery":"zzz"}}')),
    expect: (result, world) => {
      expect((result as { readonly facetHits: unknown[] }).facetHits).toHaveLength(2);
      expect(world.warnings.map(({ code }) => code)).toEqual(["unknown_parameter"]);
    },
  },
  ...refusedEach(
    "Q47",
    "searchForFacetValues with the options",
    shown(null, 5, "x", []),
    (world, options) => world.call("searchForFacetValues", "shop", { facetName: "tags" }, options),
    refusal("options", "invalid_options"),
  ),
  {
    row: "Q46",
    what: "searchForFacetValues aborted before",
    run: (world) => world.call("searchForFacetValues", "shop", { facetName: "tags" }, { signal: AbortSignal.abort() }),
    expect: { code: 499, error: "aborted", param: "signal" },
  },
];

const WHY_NOT: readonly Row[] = [
  ...refusedEach("Q1", "whyNot with", NO_REQUESTS, why, INVALID_REQUEST),
  ...refusedEach(
    "Q2",
    "whyNot in",
    shown(...NO_NAMES),
    (world, name) => world.call("whyNot", name, { query: "drill" }, 1),
    UNKNOWN_INDEX,
  ),
  ...refusedEach(
    "Q30",
    "whyNot with the id",
    shown(undefined, null, "", {}, [], [1], true, Number.NaN, 1.5, 2 ** 53, 1n, Symbol(), "i".repeat(513), "\ud800"),
    (world, id) => world.call("whyNot", "shop", { query: "drill" }, id),
    refusal("id", "invalid_id"),
  ),
  {
    row: "Q3",
    what: "whyNot without a query",
    run: (world) => why(world, {}),
    expect: refusal("query", "missing_query"),
  },
  {
    row: "Q22",
    what: "whyNot with a bad page",
    run: (world) => why(world, { query: "drill", page: 0 }),
    expect: refusal("page", "invalid_page"),
  },
  {
    row: "Q30",
    what: "whyNot with bad filters",
    run: (world) => why(world, { query: "drill", filters: "brand =" }),
    expect: { ...refusal("filters", "invalid_filter"), span: [7, 7] },
  },
  {
    row: "Q33",
    what: "whyNot with params beside",
    run: (world) => why(world, { params: "query=a", page: 1 }),
    expect: refusal("params", "params_not_alone"),
  },
  ...(
    [
      [{ query: "drill" }, "two", { found: true }],
      [{ params: "query=drill&page=5" }, 3, { found: true }],
      [{ query: "drill" }, "nope", { found: false, reason: "unknown" }],
      [{ query: "drill" }, "__proto__", { found: false, reason: "unknown" }],
      [{ query: "drill" }, 1, { found: false, reason: "membership", words: { share: 0 } }],
      [{ query: "drill", filters: { brand: "Forge" } }, "two", { found: false, reason: "filters" }],
      [{ query: "drill", facetFilters: ["brand:Forge"] }, "two", { found: false, reason: "facetFilters" }],
      [{ query: "" }, 1, { found: true }],
      [{ query: "!!!" }, 1, { found: false, reason: "membership" }],
    ] as const
  ).map(
    ([params, id, expected]): Row => ({
      row: "Q34",
      what: `whyNot ${JSON.stringify([params, id])}`,
      run: (world) => why(world, params, id),
      expect: (result) => expect(result).toMatchObject(expected),
    }),
  ),
];

/** Rows of group Q for searchForFacetValues and whyNot. */
export const VERBS: readonly Row[] = [...FACET_VALUES, ...WHY_NOT];
