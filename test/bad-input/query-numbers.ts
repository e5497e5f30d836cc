// Rows Q22 to Q30 and Q44: numbers of a query.

import { expect } from "vitest";
import { passedEach, type Row, refusedEach, shown } from "./row.js";
import type { World } from "./world.js";

const NAN = Number.NaN;
const INF = Number.POSITIVE_INFINITY;

const withParam =
  (name: string) =>
  (world: World, value: unknown): unknown =>
    world.ask({ query: "drill", [name]: value });

function refused(row: string, name: string, error: string, values: readonly unknown[]): Row[] {
  return refusedEach(row, name, shown(...values), withParam(name), { code: 400, error, param: name });
}

/** Rows Q22 to Q30, Q44. */
export const NUMBERS: readonly Row[] = [
  ...refused("Q22", "page", "invalid_page", [
    0,
    -0,
    -1,
    1.5,
    NAN,
    INF,
    "2",
    null,
    1e21,
    1e9 + 1,
    true,
    [2],
    {},
    2n,
    Object(2),
  ]),
  ...passedEach("Q23", "page", shown(2, 1e9), withParam("page"), (result) =>
    expect(result).toMatchObject({ nbHits: 2, hits: [] }),
  ),
  ...passedEach("Q24", "page", shown(undefined), withParam("page"), (result) =>
    expect(result).toMatchObject({ page: 1, nbHits: 2 }),
  ),
  ...passedEach("Q25", "hitsPerPage", shown(0, -0), withParam("hitsPerPage"), (result) =>
    expect(result).toMatchObject({ hitsPerPage: 0, nbHits: 2, hits: [] }),
  ),
  ...passedEach("Q26", "hitsPerPage", shown(1000, 1001, 1e9, 2 ** 53 - 1), withParam("hitsPerPage"), (result) =>
    expect(result).toMatchObject({ hitsPerPage: 1000, nbHits: 2, hits: [{}, {}] }),
  ),
  ...passedEach("Q26", "hitsPerPage", shown(undefined), withParam("hitsPerPage"), (result) =>
    expect(result).toMatchObject({ hitsPerPage: 12, nbHits: 2 }),
  ),
  ...refused("Q27", "hitsPerPage", "invalid_hits_per_page", [-1, 1.5, NAN, INF, "12", null, 2 ** 53, true, [], 12n]),
  {
    row: "Q28",
    what: "page times hitsPerPage above 2^53",
    options: { limits: { page: 2 ** 53 - 1, hitsPerPage: 2 ** 53 - 1 } },
    run: (world) => world.ask({ query: "drill", page: 2 ** 53 - 1, hitsPerPage: 2 ** 53 - 1 }),
    expect: (result) => expect(result).toMatchObject({ page: 2 ** 53 - 1, nbHits: 2, hits: [] }),
  },
  ...refused("Q30", "semanticDepth", "invalid_parameter", [0, -1, 1.5, NAN, 10_001, "9", null]),
  ...refused("Q30", "semanticFloor", "invalid_parameter", [-1.1, 1.1, NAN, "0", null]),
  ...refused("Q44", "semanticWeight", "invalid_parameter", [NAN, -0.1, 1.0000001, 2, -1, "0.5", null, true]),
  ...(
    [
      [0, ["fullTextSearch"]],
      [-0, ["fullTextSearch"]],
      [1, ["semanticSearch"]],
    ] as const
  ).map(
    ([semanticWeight, legs]): Row => ({
      row: "Q44",
      what: `semanticWeight ${semanticWeight} switches a leg off`,
      run: async (world) => (await world.ask({ query: "drill", semanticWeight }, "meant")).recallSource,
      expect: (result) => expect(result).toEqual(legs),
    }),
  ),
  {
    row: "Q44",
    what: "semanticWeight 1 without a vector falls back to words",
    run: async (world) => (await world.ask({ query: "drill", semanticWeight: 1 })).recallSource,
    expect: (result) => expect(result).toEqual(["fullTextSearch"]),
  },
];
