import { describe, expect, it } from "vitest";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { atRanks, GreatestNumbers, topK } from "../../src/util/top-k.js";
import { property } from "../support/random.js";

property("topK gives the first of the sorted list, and changes nothing", 70, (random) => {
  const scores = random.list(0, 200, () => random.between(0, 9));
  const before = (a: number, b: number) => (scores[a] !== scores[b] ? scores[a]! > scores[b]! : a < b);
  const docs = Uint32Array.from(scores.keys());
  const k = random.pick([-1, 0, 1, 2, 7, 50, 199, 200, 500]);
  expect(topK(docs, k, before)).toEqual([...docs].sort((a, b) => (before(a, b) ? -1 : 1)).slice(0, Math.max(0, k)));
  expect([...docs]).toEqual([...scores.keys()]);
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

property("the greatest numbers keep the one that sorting puts at the last place", 50, (random) => {
  const room = random.between(0, 8);
  const kept = new GreatestNumbers(room);
  const given: number[] = [];
  for (let i = 0; i < 30; i++) {
    given.push(random.between(-5, 5));
    kept.add(given.at(-1)!);
    expect(kept.least).toBe([...given].sort((a, b) => b - a)[room - 1] ?? Number.NEGATIVE_INFINITY);
  }
});
