import { describe, expect, it } from "vitest";
import { GreatestNumbers, topK } from "../../src/base/top-k.js";
import { property, Random } from "../support/random.js";

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

describe("the greatest numbers", () => {
  property("keep the one that sorting puts at the last place", 50, (random) => {
    const room = random.between(1, 8);
    const kept = new GreatestNumbers(room);
    const given: number[] = [];
    for (let i = 0; i < 30; i++) {
      const value = random.between(-5, 5);
      given.push(value);
      kept.add(value);
      const sorted = [...given].sort((a, b) => b - a);
      expect(kept.least).toBe(sorted[room - 1] ?? Number.NEGATIVE_INFINITY);
    }
  });

  it("keep nothing without room", () => {
    const kept = new GreatestNumbers(0);
    kept.add(1);
    expect(kept.least).toBe(Number.NEGATIVE_INFINITY);
  });
});
