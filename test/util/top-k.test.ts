import { describe, expect, it } from "vitest";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { atRanks, GreatestNumbers, topK } from "../../src/util/top-k.js";
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

  it("gives nothing of nothing, and nothing when none is asked for", () => {
    expect(topK([], 3, () => true)).toEqual([]);
    expect(topK([1, 2], 0, () => true)).toEqual([]);
    expect(topK([1, 2], -1, () => true)).toEqual([]);
  });
});

describe("ranks", () => {
  property("hold what sorting puts there", 300, (random) => {
    const count = random.between(0, 200);
    const docs = Uint32Array.from({ length: count }, (_, doc) => doc);
    const kinds = random.pick([1, 3, 1000]);
    const scores = Array.from(docs, () => random.between(1, kinds));
    const rising = random.chance(0.3);
    const before = (a: number, b: number): boolean =>
      rising || scores[a] === scores[b] ? a < b : scores[a]! > scores[b]!;
    if (random.chance(0.3)) docs.reverse();
    const given = [...docs];
    const sorted = [...docs].sort((a, b) => (before(a, b) ? -1 : 1));
    const from = random.between(0, count + 2);
    const to = from + random.pick([0, 1, 12, 300]);
    expect(runTaskAtOnce(atRanks(docs, from, to, before))).toEqual(sorted.slice(from, to));
    expect([...docs]).toEqual(given);
  });

  it("are found in bounded time in an order made against them", () => {
    // Values are made up as they are asked for, each as bad as can be (McIlroy, "A killer adversary for quicksort", 1999).
    const count = 4096;
    const values = new Array<number>(count).fill(count);
    let solid = 0;
    let candidate = 0;
    let calls = 0;
    const before = (a: number, b: number): boolean => {
      calls++;
      if (values[a] === count && values[b] === count) values[a === candidate ? a : b] = solid++;
      if (values[a] === count) candidate = a;
      else if (values[b] === count) candidate = b;
      return values[a]! < values[b]!;
    };
    const found = runTaskAtOnce(atRanks(Uint32Array.from(values.keys()), 4000, 4012, before));
    expect(calls).toBeLessThan(200 * count);
    const sorted = [...values.keys()].sort((a, b) => values[a]! - values[b]!);
    expect(found.map((doc) => values[doc])).toEqual(sorted.slice(4000, 4012).map((doc) => values[doc]));
  });

  it("of two sorted runs are found in few steps", () => {
    const docs = Uint32Array.from({ length: 4096 }, (_, i) => (i < 2048 ? 2 * i : 2 * (i - 2048) + 1));
    let calls = 0;
    const before = (a: number, b: number): boolean => {
      calls++;
      return a < b;
    };
    expect(runTaskAtOnce(atRanks(docs, 4000, 4012, before))).toEqual(Array.from({ length: 12 }, (_, i) => 4000 + i));
    expect(calls).toBeLessThan(8 * 4096);
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
