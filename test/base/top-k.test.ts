import { describe, expect, it } from "vitest";
import { topK } from "../../src/base/top-k.js";
import { Random } from "../support/random.js";

/** Few distinct scores, so that the number of the document decides often. */
function scoresOf(seed: number, count: number): number[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => Math.floor(random.next() * 10));
}

describe("topK", () => {
  for (const [seed, k] of [1, 2, 7, 50, 199, 200, 500].entries())
    it(`gives the first ${k} of the sorted list (seed ${seed})`, () => {
      const scores = scoresOf(seed, 200);
      const before = (a: number, b: number) => (scores[a] !== scores[b] ? scores[a]! > scores[b]! : a < b);
      const docs = Uint32Array.from(scores.keys());
      const sorted = [...docs].sort((a, b) => (before(a, b) ? -1 : 1));
      expect(topK(docs, k, before)).toEqual(sorted.slice(0, k));
      expect([...docs]).toEqual([...scores.keys()]);
    });

  it("gives the same in whatever order the documents come", () => {
    const docs = scoresOf(9, 50).map((_, i) => i);
    const before = (a: number, b: number) => a > b;
    expect(topK(docs, 5, before)).toEqual([49, 48, 47, 46, 45]);
    expect(topK([...docs].reverse(), 5, before)).toEqual([49, 48, 47, 46, 45]);
  });

  it("gives nothing of nothing, and nothing when none is asked for", () => {
    expect(topK([], 3, () => true)).toEqual([]);
    expect(topK([1, 2], 0, () => true)).toEqual([]);
    expect(topK([1, 2], -1, () => true)).toEqual([]);
  });
});
