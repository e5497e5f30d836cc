// Rows C22, C24, C26 and C27: settings that are numbers, or one of a few words.

import { expect } from "vitest";
import { type Refusal, type Row, refusedEach, shown } from "./row.js";
import { vectorOf, type World } from "./world.js";

const refusal = (param: string, error = "invalid_setting"): Refusal => ({ code: 400, error, param });
const setting =
  (name: string) =>
  (world: World, value: unknown): unknown =>
    world.create("new", { [name]: value });
const inGroup =
  (group: string, name: string) =>
  (world: World, value: unknown): unknown =>
    world.create("new", { [group]: { [name]: value } });

const NAN = Number.NaN;
const INF = Number.POSITIVE_INFINITY;

/** Rows C22, C24, C26, C27. */
export const NUMBERS: readonly Row[] = [
  ...refusedEach(
    "C22",
    "dimensions",
    shown(0, -1, 3.9, NAN, "384", 2 ** 32 + 3, 1e9, 4097, null, undefined),
    (world, dimensions) => world.create("new", { vectorAttribute: "v", dimensions }),
    refusal("dimensions", "invalid_dimensions"),
  ),
  ...refusedEach("C24", "m", shown(0, 1, 1e9, 257, 2.5, NAN, "16"), inGroup("vectorIndex", "m"), {
    ...refusal("vectorIndex.m"),
    msg: /2 to 256/,
  }),
  ...refusedEach("C24", "efConstruction", shown(0, -1, NAN, 3, 10_001), inGroup("vectorIndex", "efConstruction"), {
    ...refusal("vectorIndex.efConstruction"),
    msg: /4 to 10000/,
  }),
  ...refusedEach(
    "C24",
    "efSearch",
    shown(0, -1, NAN, 10_001),
    inGroup("vectorIndex", "efSearch"),
    refusal("vectorIndex.efSearch"),
  ),
  ...refusedEach("C24", "kind", shown("hsnw", null, 1), inGroup("vectorIndex", "kind"), refusal("vectorIndex.kind")),
  ...refusedEach(
    "C26",
    "semanticWeight",
    shown(1.0000001, -0.1, NAN, INF, "0.5", null),
    inGroup("fusion", "semanticWeight"),
    refusal("fusion.semanticWeight"),
  ),
  ...[
    [0, ["fullTextSearch"]],
    [1, ["semanticSearch"]],
    [0.5, ["fullTextSearch", "semanticSearch"]],
  ].map(
    ([weight, legs]): Row => ({
      row: "C26",
      what: `semanticWeight ${weight} runs ${legs}`,
      run: async (world) => {
        await world.create("new", { vectorAttribute: "v", dimensions: 8, fusion: { semanticWeight: weight } });
        await world.add([{ id: 1, title: "drill", v: vectorOf(1) }], "new");
        return (await world.ask({ query: "drill", vector: vectorOf(1) }, "new")).recallSource;
      },
      expect: (result) => expect(result).toEqual(legs),
    }),
  ),
  ...refusedEach("C27", "k1", shown(-0.1, NAN, INF, 1001, "1.2", null), inGroup("bm25", "k1"), refusal("bm25.k1")),
  ...refusedEach("C27", "b", shown(-0.1, 1.1, NAN, "0.6", null), inGroup("bm25", "b"), refusal("bm25.b")),
  ...refusedEach("C27", "bm25", shown(null, [], 5, "x"), setting("bm25"), { code: 400, error: "invalid_setting" }),
  ...refusedEach(
    "C27",
    "matchingRatio",
    shown(-0.1, 1.1, NAN, "0.4", null),
    setting("matchingRatio"),
    refusal("matchingRatio"),
  ),
  ...refusedEach(
    "C27",
    "semanticFloor",
    shown(-1.1, 1.1, NAN, "0", null),
    setting("semanticFloor"),
    refusal("semanticFloor"),
  ),
  ...refusedEach(
    "C27",
    "semanticDepth",
    shown(0, -1, 1.5, NAN, 10_001, "9", null),
    setting("semanticDepth"),
    refusal("semanticDepth"),
  ),
  ...refusedEach("C27", "matching", shown("al", null, true, ["all"]), setting("matching"), refusal("matching")),
  ...refusedEach("C27", "fusion.method", shown("rff", null, 5), inGroup("fusion", "method"), refusal("fusion.method")),
  ...refusedEach(
    "C27",
    "rankConstant",
    shown(0, -1, NAN, 10_001, "60"),
    (world, rankConstant) => world.create("new", { fusion: { method: "rrf", rankConstant } }),
    refusal("fusion.rankConstant"),
  ),
];
