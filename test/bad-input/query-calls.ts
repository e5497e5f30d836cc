// Rows Q1 to Q5 and Q29 to Q33: the request as a whole, and the names in it.

import { expect } from "vitest";
import { passedEach, type Refusal, type Row, refusedEach, shown } from "./row.js";
import type { World } from "./world.js";

const ask = (world: World, params: unknown): unknown => world.ask(params);
const INVALID_REQUEST: Refusal = { code: 400, error: "invalid_request", param: "params" };
const MISSING: Refusal = { code: 400, error: "missing_query", param: "query" };
const UNKNOWN: Refusal = { code: 400, error: "unknown_parameter" };

const isDrills = (result: unknown): void =>
  expect(result).toMatchObject({ nbHits: 2, page: 1, hits: [{ id: "3" }, { id: "two" }] });

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({ query: "drill" }, {});
  revoke();
  return proxy;
}

const REQUESTS: readonly Row[] = [
  {
    row: "Q1",
    what: "no arguments",
    run: (world) => Reflect.apply(world.engine.query, world.engine, []),
    expect: { code: 404, error: "index_not_found", param: "indexName" },
  },
  {
    row: "Q1",
    what: "no parameters",
    run: (world) => Reflect.apply(world.engine.query, world.engine, ["shop"]),
    expect: INVALID_REQUEST,
  },
  ...refusedEach(
    "Q1",
    "parameters",
    shown(null, "drill", "query=drill", [], ["drill"], 5, true, () => ({}), Symbol()),
    ask,
    INVALID_REQUEST,
  ),
  {
    row: "Q1",
    what: "a getter that throws",
    run: (world) =>
      world.ask({
        get query() {
          throw new Error("from the getter");
        },
      }),
    expect: { ...INVALID_REQUEST, cause: /from the getter/ },
  },
  {
    row: "Q1",
    what: "a revoked Proxy",
    run: (world) => world.ask(revoked()),
    expect: { ...INVALID_REQUEST, cause: /revoked/ },
  },
  ...refusedEach(
    "Q2",
    "index",
    shown("shpo", "constructor", "__proto__", "", null, 5, {}, Symbol()),
    (world, name) => world.ask({ query: "drill" }, name),
    {
      code: 404,
      error: "index_not_found",
      param: "indexName",
    },
  ),
  { row: "Q3", what: "an empty object", run: (world) => world.ask({}), expect: MISSING },
  { row: "Q4", what: "a query of undefined", run: (world) => world.ask({ query: undefined }), expect: MISSING },
  ...refusedEach(
    "Q5",
    "query",
    shown(null, 5, true, {}, [], ["drill"], Symbol(), 1n, Object("a"), () => "a"),
    (world, query) => world.ask({ query }),
    {
      code: 400,
      error: "invalid_query",
      param: "query",
    },
  ),
];

const NAMES: readonly Row[] = [
  {
    row: "Q29",
    what: "an unknown parameter is warned of, once, with the nearest name",
    run: async (world) => [await world.ask({ query: "drill", hitPerPage: 1, xyz: 2 }), world.warnings],
    expect: (result) => {
      const [seen, warnings] = result as unknown[];
      isDrills(seen);
      expect(warnings).toEqual([
        expect.objectContaining({ code: "unknown_parameter", message: expect.stringMatching(/hitsPerPage.*xyz/) }),
      ]);
    },
  },
  {
    row: "Q29",
    what: "an unknown parameter under strict",
    options: { strict: true },
    run: (world) => world.ask({ query: "drill", hitPerPage: 1 }),
    expect: { ...UNKNOWN, param: "hitPerPage", msg: /hitsPerPage/ },
  },
  ...["filter", "Filters", "fliters", "filtres", "FILTERS", "facetFilter", "facetfilters", "facet_filters"].map(
    (name): Row => ({
      row: "Q29",
      what: `${name}, which was meant to hide records`,
      run: (world) => world.ask({ query: "drill", [name]: "brand:Forge" }),
      expect: { ...UNKNOWN, param: name },
    }),
  ),
  {
    row: "Q29",
    what: "65 parameters",
    run: (world) =>
      world.ask({ query: "drill", ...Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`p${i}`, 1])) }),
    expect: INVALID_REQUEST,
  },
  ...refusedEach(
    "Q30",
    "matching",
    shown("al", null, true, ["all"], 0),
    (world, matching) => world.ask({ query: "drill", matching }),
    {
      code: 400,
      error: "invalid_parameter",
      param: "matching",
    },
  ),
  {
    row: "Q30",
    what: "all complaints come together",
    run: (world) => world.ask({ query: null, page: 0, hitsPerPage: "12", matching: "al", semanticWeight: 2 }),
    expect: {
      code: 400,
      error: "invalid_query",
      param: "query",
      msg: /query.*hitsPerPage.*page.*semanticWeight.*matching/,
    },
  },
  ...passedEach(
    "Q31",
    "a request with",
    [
      ["an own key __proto__", JSON.parse('{"query":"drill","__proto__":{"page":2,"hitsPerPage":0}}')],
      ["a key constructor", { query: "drill", constructor: {} }],
    ],
    async (world, params) => [await world.ask(params), world.warnings.length],
    (result) => {
      const [seen, warnings] = result as unknown[];
      isDrills(seen);
      expect(warnings).toBe(1);
    },
  ),
  {
    row: "Q32",
    what: "inherited parameters do not count",
    run: (world) =>
      world.ask(Object.assign(Object.create({ page: 2, hitsPerPage: 0, filters: "x" }), { query: "drill" })),
    expect: isDrills,
  },
  {
    row: "Q32",
    what: "an inherited query does not count",
    run: (world) => world.ask(Object.create({ query: "drill" })),
    expect: MISSING,
  },
  ...refusedEach(
    "Q33",
    "params beside",
    [
      ["query", { query: "drill" }],
      ["page", { page: 1 }],
      ["an unknown name", { x: 1 }],
    ],
    (world, beside) => world.ask({ params: "query=drill", ...(beside as object) }),
    {
      code: 400,
      error: "params_not_alone",
      param: "params",
    },
  ),
];

/** Rows Q1 to Q5, Q29 to Q33. */
export const CALLS: readonly Row[] = [...REQUESTS, ...NAMES];
