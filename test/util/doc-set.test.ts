import { describe, expect, it } from "vitest";
import { DocSet, inAll } from "../../src/util/doc-set.js";
import { Random } from "../support/random.js";

describe("DocSet", () => {
  for (const seed of [1, 2, 3])
    it(`holds what a Set of numbers holds (seed ${seed})`, () => {
      const random = new Random(seed);
      const docs = Array.from({ length: 200 }, () => Math.floor(random.next() * 500));
      const [bits, plain] = [new DocSet(500), new Set(docs)];
      for (const doc of docs) bits.add(doc);
      expect(Array.from({ length: 500 }, (_, doc) => doc).filter((doc) => bits.has(doc))).toEqual(
        [...plain].sort((a, b) => a - b),
      );
      expect(bits.count()).toBe(plain.size);
    });

  it("holds the last bit of each word and of the set", () => {
    const bits = new DocSet(65);
    for (const doc of [0, 31, 32, 63, 64]) bits.add(doc);
    expect([bits.has(31), bits.has(30), bits.has(64), bits.count(), bits.size]).toEqual([true, false, true, 5, 65]);
  });

  it("counts full words", () => {
    const bits = new DocSet(96);
    for (let doc = 0; doc < 96; doc++) bits.add(doc);
    expect(bits.count()).toBe(96);
    expect(new DocSet(0).count()).toBe(0);
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
