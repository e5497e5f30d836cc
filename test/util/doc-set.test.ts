import { describe, expect, it } from "vitest";
import { DocSet, inAll } from "../../src/util/doc-set.js";
import { property, Random } from "../support/random.js";

describe("DocSet", () => {
  property("holds and counts what a Set of numbers holds", 30, (random) => {
    const size = random.pick([0, 1, 31, 32, 65, 96, 500]);
    const plain = new Set(random.list(0, size, () => random.between(0, size - 1)));
    const bits = new DocSet(size);
    for (const doc of plain) bits.add(doc);
    expect([...Array(size).keys()].filter((doc) => bits.has(doc))).toEqual([...plain].sort((a, b) => a - b));
    expect([bits.count(), bits.size]).toEqual([plain.size, size]);
  });

  it("is copied so that the copy alone changes", () => {
    const before = new DocSet(10);
    before.add(3);
    const after = before.copy();
    after.add(4);
    expect([before.has(4), after.has(3), after.has(4), after.size]).toEqual([false, true, true, 10]);
  });

  it("adds another set so many numbers later, and keeps what it has", () => {
    const random = new Random(4);
    for (let by = 0; by < 70; by += 1) {
      const docs = Array.from({ length: 40 }, () => random.between(0, 99));
      const all = new DocSet(by + 100);
      const before = random.between(0, by + 99);
      all.add(before);
      all.orFrom(new DocSet(100).addAll([0, 99, ...docs]), by);
      const expected = new Set([before, by, by + 99, ...docs.map((doc) => by + doc)]);
      expect([...all.toArray()]).toEqual([...expected].sort((a, b) => a - b));
    }
  });

  it("gives those of a list that are in it, and the documents that are in all of some sets", () => {
    const evens = new DocSet(100).addAll(Array.from({ length: 50 }, (_, i) => 2 * i));
    const thirds = new DocSet(100).addAll(Array.from({ length: 34 }, (_, i) => 3 * i));
    const listed = Uint32Array.of(9, 2, 12, 99, 13);
    expect([...evens.among(listed)]).toEqual([2, 12]);
    expect([...inAll([evens, thirds]).among(listed)]).toEqual([12]);
    expect(inAll([evens])).toBe(evens);
    expect([evens.count(), thirds.count()]).toEqual([50, 34]);
  });
});
