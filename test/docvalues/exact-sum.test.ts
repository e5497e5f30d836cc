import { describe, expect, it } from "vitest";
import { ExactSum } from "../../src/docvalues/value-counts.js";
import { property, type Random } from "../support/random.js";

/** A number as an integer of the unit 2 ** -1074, by halving and doubling alone. */
function units(value: number): bigint {
  let [rest, exponent] = [value, 1074];
  for (; !Number.isInteger(rest); exponent--) rest *= 2;
  return BigInt(rest) << BigInt(exponent);
}

/** The number nearest to so many units, ties to even: found bit by bit. */
function nearest(total: bigint): number {
  if (total < 0n) return -nearest(-total);
  let low = 0n;
  let high = 0x7fefffffffffffffn;
  const bits = new DataView(new ArrayBuffer(8));
  const numberAt = (pattern: bigint): number => {
    bits.setBigUint64(0, pattern);
    return bits.getFloat64(0);
  };
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if (units(numberAt(middle)) <= total) low = middle;
    else high = middle - 1n;
  }
  const below = units(numberAt(low));
  const step = low === 0x7fefffffffffffffn ? 2n ** 2045n : units(numberAt(low + 1n)) - below;
  const twice = 2n * (total - below);
  return numberAt(twice > step || (twice === step && low % 2n === 1n) ? low + 1n : low);
}

function sumOf(values: readonly number[]): number {
  const sum = new ExactSum();
  for (const value of values) sum.add(value);
  return sum.value();
}

/** A number with any exponent up to the given one. */
function randomNumber(random: Random, lowest: number, highest: number): number {
  const fraction = random.chance(0.3) ? 1 : 1 + random.next();
  return fraction * 2 ** random.between(lowest, highest) * (random.chance(0.5) ? 1 : -1);
}

describe("ExactSum", () => {
  for (const [name, lowest, highest] of [
    ["near each other", -3, 3],
    ["far from each other", -200, 200],
    ["of all sizes", -1074, 1023],
    ["that nearly overflow", 950, 1023],
    ["that nearly vanish", -1074, -1000],
  ] as const)
    property(`is the nearest number to the sum of numbers ${name}, in any order`, 60, (random) => {
      const values = random.list(0, 30, () => randomNumber(random, lowest, highest));
      // What cancels out leaves only the small parts.
      if (random.chance(0.5)) values.push(...values.slice(0, random.between(0, values.length)).map((value) => -value));
      const wanted = nearest(values.reduce((total, value) => total + units(value), 0n));
      expect(sumOf(values)).toBe(wanted + 0);
      expect(sumOf(random.shuffle(values))).toBe(wanted + 0);
    });

  property("adds a number many times at once", 60, (random) => {
    const values = random.list(1, 5, () => randomNumber(random, -60, random.pick([60, 1000])));
    const times = values.map(() => random.pick([0, 1, 2, 3, 7, 64, 1000, 999_999]));
    const sum = new ExactSum();
    for (const [i, value] of values.entries()) sum.add(value, times[i]);
    const wanted = values.reduce((total, value, i) => total + units(value) * BigInt(times[i]!), 0n);
    expect(sum.value()).toBe(nearest(wanted) + 0);
  });

  it.each<[values: readonly number[], sum: number]>([
    // Halves are rounded to even, and what is a little more than half up.
    [[2 ** 53, 1], 2 ** 53],
    [[2 ** 53, 1, 2 ** -500], 2 ** 53 + 2],
    [[2 ** 53, 1, -(2 ** -500)], 2 ** 53],
    [[2 ** 53 + 2, 1], 2 ** 53 + 4],
    [[2 ** 53 + 2, 1, -(2 ** -500)], 2 ** 53 + 2],
    [[1e100, 1, -1e100, 1e-100], 1],
    // Only a sum that is too large itself overflows.
    [[1.7e308, 1.7e308, -1.7e308], 1.7e308],
    [[1.7e308, 1.7e308], Number.POSITIVE_INFINITY],
    [[-1.7e308, -1.7e308], Number.NEGATIVE_INFINITY],
    [[1.7e308, 5e-324, -1.7e308], 5e-324],
    // Never -0.
    ...[[], [-0, -0], [-1.5, 1.5], [-1e308, 1e308]].map((values): [readonly number[], number] => [values, 0]),
  ])("of %j is %d", (values, sum) => expect(sumOf(values)).toBe(sum));
});
