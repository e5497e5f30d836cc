import { describe, expect, it } from "vitest";
import { DocSet } from "../../src/base/doc-set.js";
import { cosineOf, NO_COSINE, scanAll, toNumbers } from "../../src/vector/exact-scan.js";
import { Random } from "../support/random.js";
import { cosine, randomNumbers, stored, vectorSegment } from "../support/vectors.js";

describe("the exact scan", () => {
  for (const dimensions of [1, 2, 3, 64, 192, 1024, 4096])
    it(`gives the cosines of 64-bit floats, but for the rounding, in ${dimensions} dimensions`, () => {
      const random = new Random(dimensions);
      const vectors = random.list(20, 20, () => randomNumbers(random, dimensions));
      const query = randomNumbers(random, dimensions);
      const cosines = scanAll([vectorSegment(1, 0, vectors)], stored(query), 20);
      for (const [doc, vector] of vectors.entries()) expect(cosines[doc]).toBeCloseTo(cosine(vector, query), 3);
    });

  it("gives exactly 1 for the same direction and exactly -1 for the opposite, as far as six decimals tell", () => {
    const numbers = randomNumbers(new Random(5), 4096);
    const opposite = numbers.map((value) => -value);
    const cosines = scanAll([vectorSegment(1, 0, [numbers, opposite])], stored(numbers), 2);
    expect([...cosines].map((value) => Math.round(value * 1e6))).toEqual([1e6, -1e6]);
  });

  it("does not overflow on the longest sums, all components equal or one alone", () => {
    for (const numbers of [new Array<number>(4096).fill(1), [1, ...new Array<number>(4095).fill(0)]])
      expect(scanAll([vectorSegment(1, 0, [numbers])], stored(numbers), 1)[0]).toBeCloseTo(1, 9);
  });

  it("gives the same bits in every order of components", () => {
    const random = new Random(7);
    const [a, b] = [randomNumbers(random, 100), randomNumbers(random, 100)];
    const order = random.shuffle([...a.keys()]);
    const of = (x: readonly number[], y: readonly number[]) => scanAll([vectorSegment(1, 0, [x])], stored(y), 1)[0];
    const shuffled = (x: readonly number[]) => order.map((i) => x[i]!);
    const { components, inverseLength } = stored(b);
    const same = { components: Int16Array.from(order, (i) => components[i]!), inverseLength };
    const rows = vectorSegment(1, 0, [a]).rows;
    const moved = { ...rows, components: Int16Array.from(order, (i) => rows.components[i]!) };
    expect(cosineOf(moved, 0, same)).toBe(of(a, b));
    expect(of(shuffled(a), shuffled(b))).toBeCloseTo(of(a, b)!, 4);
  });

  it("passes over the dead and those without a vector", () => {
    const dead = new DocSet(3);
    dead.add(0);
    const segments = [{ ...vectorSegment(1, 0, [[1, 0], null, [0, 1]]), dead }, vectorSegment(2, 3, [null, [1, 0]])];
    expect([...scanAll(segments, stored([1, 0]), 5)]).toEqual([NO_COSINE, NO_COSINE, 0, NO_COSINE, 1]);
  });

  it("agrees with the cosine of a single record, bit for bit", () => {
    const random = new Random(3);
    const vectors = random.list(10, 10, () => randomNumbers(random, 50));
    const [segment, query] = [vectorSegment(1, 0, [...vectors, null]), stored(randomNumbers(random, 50))];
    const cosines = scanAll([segment], query, 11);
    expect([...cosines].map((_, doc) => cosineOf(segment.rows, doc, query))).toEqual([...cosines]);
    expect(cosineOf(segment.rows, 10, query)).toBe(NO_COSINE);
  });

  it("gives stored components back as numbers from -1 to 1", () => {
    expect([...toNumbers(stored([0, -2]))]).toEqual([0, -1]);
  });
});
