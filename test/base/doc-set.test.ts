import { describe, expect, it } from "vitest";
import { DocSet } from "../../src/base/doc-set.js";
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

  it("takes in a set that begins further on, and nothing else changes", () => {
    const random = new Random(4);
    for (let i = 0; i < 200; i++) {
      const [base, size, behind] = [random.between(0, 100), random.between(0, 130), random.between(0, 70)];
      const [own, other] = [base + size + behind, size].map((count) =>
        Array.from({ length: count }, (_, doc) => doc).filter(() => random.chance(0.5)),
      );
      const bits = new DocSet(base + size + behind).addAll(own!).orAt(base, new DocSet(size).addAll(other!));
      const both = new Set([...own!, ...other!.map((doc) => base + doc)]);
      expect([...bits.toArray()]).toEqual([...both].sort((a, b) => a - b));
    }
  });
});
