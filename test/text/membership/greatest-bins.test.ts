import { expect, it } from "vitest";
import { GreatestBins } from "../../../src/text/membership/greatest-bins.js";
import { property } from "../../support/random.js";

const BINS = 16_384;

property("what so many numbers reach is at most a bin's width below the last of them, at any time", 60, (random) => {
  const most = random.pick([0.001, 1, 7.3]);
  const room = random.between(1, 60);
  const bins = new GreatestBins(room, most);
  const given: number[] = [];
  const levels = random.pick([3, 1000, 1_000_000]);
  for (let i = random.between(0, 200); i > 0; i--) {
    const number = (most * random.between(1, levels)) / levels;
    given.push(number);
    bins.add(number);
    if (random.chance(0.8)) continue;
    const last = [...given].sort((a, b) => b - a)[room - 1];
    const { least, reached } = bins;
    if (last === undefined) expect([reached, least]).toEqual([0, Number.NEGATIVE_INFINITY]);
    else {
      expect(reached).toBe(bins.binOf(last));
      if (reached === 0) continue;
      expect(least).toBeLessThanOrEqual(last);
      expect(least).toBeGreaterThan(last - (most / BINS) * 1.000001);
    }
  }
});

it("no greater number is in a lower bin, and those outside the range are in the bins at its ends", () => {
  const bins = new GreatestBins(1, 3);
  const numbers = [-9, -0, 0, 1e-300, 1e-4, 0.1, 0.1 + 2 ** -50, 1, 2.9999, 3, 3.1, Number.POSITIVE_INFINITY];
  const found = numbers.map((number) => bins.binOf(number));
  expect(found).toEqual([...found].sort((a, b) => a - b));
  expect([found[0], found[3], found[4], found.at(-1)]).toEqual([0, 0, 0, BINS - 1]);
  expect(bins.binOf(1)).toBe(Math.floor(BINS / 3));
});

it("all at the top are told as that", () => {
  const bins = new GreatestBins(2, 1);
  for (let i = 0; i < 5; i++) bins.add(8);
  expect(bins.reached).toBe(BINS - 1);
});
