// The bootstrap's intervals: what every resampling of differences must hold, and what the normal distribution foretells.

import { expect, it } from "vitest";
import { bootstrapIntervals, seededIntegers } from "../../src/relevance/measures.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { property, Random } from "../support/random.js";

const RULE = { resamples: 2000, seed: 7 };
const intervalOf = (differences: readonly number[], rule = RULE) =>
  runTaskAtOnce(bootstrapIntervals([differences], rule))[0]!;

it("is nothing but 0 for identical runs", () => {
  expect(intervalOf([0, 0, 0, 0])).toEqual({ difference: 0, low: 0, high: 0, significant: false });
});

it("is one point where every query differs alike", () => {
  const { difference, low, high, significant } = intervalOf(Array.from({ length: 30 }, () => 0.25));
  expect([difference, low, high, significant]).toEqual([0.25, 0.25, 0.25, true]);
});

it("is as wide as the normal distribution foretells for many queries", () => {
  const random = new Random(3);
  const differences = Array.from({ length: 2000 }, () => random.normal() + 0.05);
  const mean = differences.reduce((sum, value) => sum + value, 0) / 2000;
  const deviation = Math.sqrt(differences.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 2000);
  const { low, high } = intervalOf(differences, { resamples: 10_000, seed: 1 });
  const half = (1.96 * deviation) / Math.sqrt(2000);
  expect((high - low) / 2 / half).toBeGreaterThan(0.95);
  expect((high - low) / 2 / half).toBeLessThan(1.05);
});

it("holds the true mean about 95 times of 100", () => {
  const random = new Random(11);
  let held = 0;
  for (let trial = 0; trial < 200; trial++) {
    const { low, high } = intervalOf(
      Array.from({ length: 60 }, () => random.normal()),
      { resamples: 400, seed: trial },
    );
    if (low <= 0 && 0 <= high) held++;
  }
  expect(held).toBeGreaterThan(180);
  expect(held).toBeLessThan(199);
});

property("is the same by seed, turns round with the runs, and moves with a constant", 40, (random) => {
  const differences = random.list(1, 40, () => random.normal());
  const { difference, low, high } = intervalOf(differences);
  expect(intervalOf(differences)).toEqual({ difference, low, high, significant: low > 0 || high < 0 });
  expect(low).toBeLessThanOrEqual(difference + 1e-9);
  expect(high).toBeGreaterThanOrEqual(difference - 1e-9);
  const turned = intervalOf(differences.map((value) => -value));
  expect(turned.low).toBeCloseTo(-high, 9);
  expect(turned.high).toBeCloseTo(-low, 9);
  const moved = intervalOf(differences.map((value) => value + 3));
  expect(moved.low).toBeCloseTo(low + 3, 9);
});

it("draws the same queries for all measures", () => {
  const random = new Random(5);
  const some = Array.from({ length: 25 }, () => random.normal());
  const [first, second] = runTaskAtOnce(bootstrapIntervals([some, some.map((value) => 2 * value)], RULE));
  expect(second!.low).toBeCloseTo(2 * first!.low, 12);
});

it("draws integers evenly", () => {
  const next = seededIntegers(1);
  const counts = [0, 0, 0, 0, 0];
  for (let i = 0; i < 50_000; i++) counts[next(5)]!++;
  for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(400);
});
