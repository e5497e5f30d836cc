// Rows Q42 to Q49: vectors of a query, and embedders that fail it. What is no vector at all is in vectors.ts.

import { expect } from "vitest";
import { type Refusal, type Row, refusedEach, shown } from "./row.js";
import { idsOf, vectorOf, type World } from "./world.js";

const BAD_VECTOR: Refusal = { code: 400, error: "invalid_vector", param: "vector" };
const near = (world: World, vector: unknown): unknown => world.ask({ query: "drill", vector }, "near");

/** Rows Q42, Q43, Q45, Q49. */
export const VECTORS: readonly Row[] = [
  ...refusedEach("Q42", "vector", shown([], [1, 2], "1,2,3", null, {}, new Array(8).fill(0)), near, BAD_VECTOR),
  ...refusedEach(
    "Q42",
    "a vector with",
    [Number.NaN, "1", null, 1e39, undefined].map(
      (component) => [String(component), (vectorOf(1) as unknown[]).with(3, component)] as const,
    ),
    near,
    BAD_VECTOR,
  ),
  {
    row: "Q42",
    what: "a bad vector for a blank query",
    run: (world) => world.ask({ query: "", vector: [1] }, "near"),
    expect: BAD_VECTOR,
  },
  {
    row: "Q42",
    what: "a bad vector that would have no weight",
    run: (world) => world.ask({ query: "drill", vector: [1], semanticWeight: 0 }, "near"),
    expect: BAD_VECTOR,
  },
  {
    row: "Q42",
    what: "all complaints come together, that of the vector too",
    run: (world) => world.ask({ query: "drill", page: 0, vector: [1] }, "near"),
    expect: { code: 400, error: "invalid_page", param: "page", msg: /page.*vector/ },
  },
  ...refusedEach(
    "Q43",
    "vector",
    shown([], vectorOf(1), null),
    (world, vector) => world.ask({ query: "drill", vector }),
    {
      code: 400,
      error: "vectors_disabled",
      param: "vector",
    },
  ),
  ...(
    [
      [
        "throws",
        () => {
          throw new Error("no model");
        },
      ],
      ["rejects", () => Promise.reject(new Error("no model"))],
      ["answers nothing", () => undefined],
      ["answers two vectors", () => [vectorOf(0), vectorOf(1)]],
      ["answers none", () => []],
      ["throws undefined", () => Promise.reject(undefined)],
    ] as const
  ).map(
    ([what, answer]): Row => ({
      row: "Q45",
      what: `an embedder that ${what} is warned of, and words answer`,
      run: async (world) => {
        world.embedder.answer = answer;
        const seen = await world.ask({ query: "drill", semanticWeight: 0.9 }, "meant");
        return [seen.recallSource, idsOf(seen), world.warnings.map(({ code, param }) => [code, param]), seen.hits];
      },
      expect: async (result, world) => {
        const byWords = await world.ask({ query: "drill", semanticWeight: 0 }, "meant");
        expect(result).toEqual([["fullTextSearch"], ["3", "two"], [["embedder_failed", "embedder"]], byWords.hits]);
      },
    }),
  ),
  {
    row: "Q45",
    what: "an embedder without a vector for the query, without a warning",
    run: async (world) => {
      world.embedder.answer = () => [null];
      return [(await world.ask({ query: "drill" }, "meant")).recallSource, world.warnings];
    },
    expect: (result) => expect(result).toEqual([["fullTextSearch"], []]),
  },
  {
    row: "Q49",
    what: "records with words only",
    run: async (world) => {
      await world.create("new", { vectorAttribute: "v", dimensions: 2 });
      await world.add([{ id: 1, title: "Lamp" }], "new");
      return [
        idsOf(await world.ask({ query: "lamp", vector: [1, 0] }, "new")),
        idsOf(await world.ask({ query: "", vector: [1, 0] }, "new")),
      ];
    },
    expect: (result) => expect(result).toEqual([["1"], []]),
  },
  {
    row: "Q49",
    what: "records with vectors only",
    run: async (world) => {
      await world.create("new", { vectorAttribute: "v", dimensions: 2 });
      await world.add([{ id: 1, v: [1, 0] }], "new");
      return [
        idsOf(await world.ask({ query: "lamp", vector: [1, 0] }, "new")),
        idsOf(await world.ask({ query: "lamp" }, "new")),
      ];
    },
    expect: (result) => expect(result).toEqual([["1"], []]),
  },
];
