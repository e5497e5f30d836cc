// Which titles are asked for and which ranks are equal, told by scores of matches that stand here; oracle/ compares whole answers.

import { expect, it } from "vitest";
import { type FusionInput, fuse, roundScore } from "../../src/query/rank/fuse.js";
import type { Doc, DocArray } from "../../src/util/doc-set.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";

/** The scores of matches by words, in the order of the records. */
function rank(words: readonly number[], more: Partial<FusionInput>) {
  const docs = Uint32Array.from(words.keys()) as DocArray<Doc>;
  const lexical = { docs, shares: Float64Array.from(words), shareOf: (doc: number): number => words[doc]! };
  const none = { exactIdentifierDocs: [], titles: null, boosts: null, window: null, top: null };
  const fusion = { method: "convex" as const, semanticWeight: 0 };
  const promoted = new Uint32Array(0) as DocArray<Doc>;
  return [...runTaskAtOnce(fuse({ ...none, fusion, lexical, semantic: null, promoted, ...more })).scores];
}

it("titles are asked for only where they can bring a record among the first that are needed", () => {
  const asked: number[] = [];
  const titles = {
    ...{ most: 0.25, mostLift: 0, divisor: 1.25 },
    mostOf: () => 0.25,
    sumOf: (doc: number) => asked.push(doc) && (doc === 1 ? 0.25 : 0.05),
  };
  const scores = [0.8, 0.6, 0.4, 0.2];
  // .8 + .05 is reached by the second with .6 + .25, by the others with no title.
  expect(rank(scores, { titles, top: 1 }).slice(0, 2)).toEqual([0.68, 0.68]);
  expect(asked.splice(0)).toEqual([0, 1]);
  // The second can add too little, whatever others can add.
  rank(scores, { titles: { ...titles, mostOf: (doc: number) => (doc === 1 ? 0.04 : 0.25) }, top: 1 });
  expect(asked).toEqual([0]);
});

it("the rank window gives its records alone what their titles add", () => {
  const titles = { most: 0.25, mostLift: 0, divisor: 1.25, mostOf: () => 0.25, sumOf: () => 0.05 };
  const window = Uint32Array.of(0, 1) as DocArray<Doc>;
  // (.8 + .05) / 1.25, (.6 + .05) / 1.25, .4 / 1.25
  expect(rank([0.8, 0.6, 0.4], { titles, window })).toEqual([0.68, 0.52, 0.32]);
});

it("reciprocal rank fusion gives equal scores the same rank, and the next the rank after all of them", () => {
  const fusion = { method: "rrf" as const, rankConstant: 60 };
  const shared = rank([0.5, 0.9, 0.5 + 1e-9, 0.5, 0.1], { fusion });
  expect(shared).toEqual([61 / 62, 1, 61 / 62, 61 / 62, 61 / 65].map(roundScore));
  expect(rank([0.9, 0.8], { fusion: { ...fusion, rankConstant: 1 } })).toEqual([1, 0.666667]);
});

it("the exact code stands alone at 1, and scores have six decimals", () => {
  const exactIdentifierDocs = [1 as Doc];
  expect(rank([1, 1, 0.9999999, 1 / 3], { exactIdentifierDocs })).toEqual([0.999999, 1, 0.999999, 0.333333]);
});
