import { expect } from "vitest";
import { indexOfSorted, lowerBound, partitionPoint } from "../../src/util/sorted.js";
import { property } from "../support/random.js";

property("a lower bound is the number of smaller values, in an array or in a part of it", 100, (random) => {
  const values = Uint32Array.from(random.list(0, 40, () => random.between(0, 50))).sort();
  const [from, to] = [random.between(0, values.length), values.length]
    .map((end) => random.between(0, end))
    .sort((a, b) => a - b);
  for (let value = 0; value <= 51; value++) {
    const smaller = (part: Uint32Array): number => part.filter((other) => other < value).length;
    expect(lowerBound(values, value)).toBe(smaller(values));
    expect(lowerBound(values, value, from, to)).toBe(from! + smaller(values.subarray(from, to)));
    expect(partitionPoint(from!, to!, (i) => values[i]! < value)).toBe(from! + smaller(values.subarray(from, to)));
    expect(indexOfSorted(values, value)).toBe(values.indexOf(value));
  }
});
