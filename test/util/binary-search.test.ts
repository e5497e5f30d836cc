import { expect, it } from "vitest";
import { indexOfSorted, lowerBound, partitionPoint } from "../../src/util/sorted.js";
import { property } from "../support/random.js";

property("a lower bound is the number of smaller values", 100, (random) => {
  const values = Uint32Array.from(random.list(0, 40, () => random.between(0, 50))).sort();
  for (let value = 0; value <= 51; value++) {
    const smaller = values.filter((other) => other < value).length;
    expect(lowerBound(values, value)).toBe(smaller);
    expect(partitionPoint(0, values.length, (i) => values[i]! < value)).toBe(smaller);
    expect(indexOfSorted(values, value)).toBe(values.indexOf(value));
  }
});

it("searches a part of an array only", () => {
  const values = Uint32Array.of(1, 3, 5, 7, 9);
  expect([lowerBound(values, 0, 2), lowerBound(values, 7, 1, 4), lowerBound(values, 99, 1, 4)]).toEqual([2, 3, 4]);
  expect(partitionPoint(1, 3, () => true)).toBe(3);
  expect(partitionPoint(1, 3, () => false)).toBe(1);
});
