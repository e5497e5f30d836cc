// Limits of the query language that refuse, at n and at n + 1: a table for limits.test.ts.

import type { Limits } from "../../src/index.js";
import type { Edge } from "./limit-edges.js";
import type { Refusal } from "./row.js";
import type { World } from "./world.js";

const e = "\u00e9";
const refusal = (param: string, error = "filter_too_complex"): Refusal => ({ code: 400, error, param });

/** What is at a limit of filters, and over it, in `filters` and in a verb that takes them. */
function edges(limit: number, at: readonly unknown[], over: readonly unknown[]): Edge[] {
  const run = (world: World, filters: unknown): Promise<unknown> => world.ask({ query: "", filters });
  const runDeletion = (world: World, filters: unknown): Promise<unknown> => world.call("deleteBy", "shop", { filters });
  return [run, runDeletion].map((each) => ({ limit, at, over, run: each, refusal: refusal("filters") }));
}

function refinements(limit: number, at: readonly unknown[], over: readonly unknown[]): Edge {
  const run = (world: World, facetFilters: unknown): Promise<unknown> => world.ask({ query: "", facetFilters });
  return { limit, at, over, run, refusal: refusal("facetFilters") };
}

/** Limits of filters, facets and projections. */
export const LANGUAGE_EDGES: { readonly [name in keyof Limits]?: readonly Edge[] } = {
  filterBytes: edges(
    10,
    ["brand:abcd", `k:"${e}${e}${e}"`, `${e}${e}:"${e}"`, "a:1       "],
    ["brand:abcde", `k:"${e}${e}${e}x"`, "a:1        "],
  ),
  filterDepth: [
    ...edges(
      3,
      [
        "((a:1))",
        "NOT NOT a:1",
        "NOT (a:1)",
        "((a:1)) AND ((a:1))",
        { AND: [{ OR: [{ a: 1 }] }] },
        { NOT: { NOT: { a: 1 } } },
        { a: { in: [1] } },
      ],
      [
        "(((a:1)))",
        "NOT NOT NOT a:1",
        "NOT (NOT a:1)",
        "a:1 OR (((a:1)))",
        { AND: [{ OR: [{ AND: [{ a: 1 }] }] }] },
        { NOT: { NOT: { NOT: { a: 1 } } } },
      ],
    ),
  ],
  filterConditions: [
    ...edges(
      3,
      [
        "a:1 OR a:1 OR a:1",
        "a:1 TO 2 AND (b EXISTS OR NOT c:1)",
        { a: 1, b: 2, c: [1, 2, 3, 4] },
        { a: { gt: 1, lt: 2 }, b: null },
        { OR: [{ a: 1 }, { a: 2 }, { a: 3 }] },
      ],
      [
        "a:1 OR a:1 OR a:1 OR a:1",
        { a: 1, b: 2, c: 3, d: 4 },
        { a: { gt: 1, lt: 2, ne: 3 }, b: null },
        { OR: [{ a: 1 }, { a: 2 }, { a: 3 }, { a: 4 }] },
      ],
    ),
    refinements(
      3,
      [["a:1", "b:2", "c:3"], ["a:1", ["b:2", "b:3"]], { a: [1, 2, 3, 4], b: 1, c: 1 }],
      [["a:1", "b:2", "c:3", "d:4"], ["a:1", ["b:2", "b:3", "b:4"]], { a: 1, b: 1, c: 1, d: 1 }],
    ),
  ],
  filterValues: [
    ...edges(
      3,
      [{ a: [1, 2, 3] }, { a: { in: ["x", "x", null] } }, { a: [1], b: [2, 3] }],
      [{ a: [1, 2, 3, 4] }, { a: { in: ["x", "x", "x", "x"] } }, { a: [1, 2], b: [1, 2] }],
    ),
    refinements(3, [{ a: [1, 2, 3] }, { a: [1], b: [2, 3] }], [{ a: [1, 2, 3, 4] }, { a: [1, 2], b: [1, 2] }]),
  ],
  facets: [
    {
      limit: 3,
      at: [
        ["a", "b", "c"],
        ["a", "a", "a", "a", "b"],
      ],
      over: [["a", "b", "c", "d"]],
      run: (world, facets) => world.ask({ query: "", facets }),
      refusal: refusal("facets", "invalid_parameter"),
    },
  ],
  attributesToRetrieve: ["attributesToRetrieve", "attributesToHighlight", "attributesToSnippet"].map((name) => ({
    limit: 3,
    at: [["a", "b", "c"], []],
    over: [
      ["a", "b", "c", "d"],
      ["a", "a", "a", "a"],
    ],
    run: (world: World, names: unknown) => world.ask({ query: "", [name]: names }),
    refusal: refusal(name, "invalid_parameter"),
  })),
};
