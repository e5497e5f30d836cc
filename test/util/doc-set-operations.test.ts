import { describe, expect, it } from "vitest";
import { DocSet, inAll, type LocalDoc } from "../../src/util/doc-set.js";
import { property, Random } from "../support/random.js";

const SIZES = [0, 1, 31, 32, 33, 64, 100, 1000];

function randomDocs(random: Random, size: number): number[] {
  return random.some([...Array(size).keys()], random.pick([0, 0.02, 0.5, 0.98, 1]));
}

function randomBorders(random: Random, size: number): [from: number, to: number] {
  return [random.between(0, size), random.between(0, size)].sort((a, b) => a - b) as [number, number];
}

function setOf(size: number, docs: readonly number[]): DocSet {
  return new DocSet(size).addAll(docs);
}

describe("operations of a DocSet", () => {
  property("give what the same operations of Sets give", 60, (random) => {
    const size = random.pick(SIZES);
    const [a, b] = [randomDocs(random, size), randomDocs(random, size)];
    const [inA, inB] = [new Set(a), new Set(b)];
    const all = [...Array(size).keys()];
    const other = setOf(size, b);
    expect([...setOf(size, a).and(other).toArray()]).toEqual(a.filter((doc) => inB.has(doc)));
    expect([...setOf(size, a).or(other).toArray()]).toEqual(all.filter((doc) => inA.has(doc) || inB.has(doc)));
    expect([...setOf(size, a).andNot(other).toArray()]).toEqual(a.filter((doc) => !inB.has(doc)));
    expect([...setOf(size, a).complement().toArray()]).toEqual(all.filter((doc) => !inA.has(doc)));
    expect([...setOf(size, a).fill().toArray()]).toEqual(all);
    expect([...other.toArray()]).toEqual(b);
  });

  property("count within borders of words exactly, within others at most 62 too many", 40, (random) => {
    const size = random.pick([64, 100, 1000]);
    const docs = randomDocs(random, size);
    const set = setOf(size, docs);
    const [from, to] = randomBorders(random, size);
    const within = docs.filter((doc) => doc >= from && doc < to).length;
    expect(set.countWithin(from, to)).toBeGreaterThanOrEqual(within);
    expect(set.countWithin(from, to)).toBeLessThanOrEqual(within + 62);
    const word = 32 * Math.floor(to / 32);
    expect(set.countWithin(0, word)).toBe(docs.filter((doc) => doc < word).length);
  });

  property("give those within borders as a set of their own, and count what two have in common", 60, (random) => {
    const size = random.pick(SIZES);
    const [docs, others] = [randomDocs(random, size), randomDocs(random, size)];
    const [from, to] = randomBorders(random, size);
    const expected = docs.filter((doc) => doc >= from && doc < to).map((doc) => doc - from);
    const used = new Uint32Array(40).fill(0xabcdef01);
    for (const found of [setOf(size, docs).within(from, to), setOf(size, docs).within(from, to, used)])
      expect([found.size, found.count(), ...found.toArray()]).toEqual([to - from, expected.length, ...expected]);
    expect(used[(to - from + 31) >>> 5]).toBe(0xabcdef01);
    const common = docs.filter((doc) => others.includes(doc)).length;
    expect(setOf(size, docs).countIn(setOf(size, others))).toBe(common);
  });

  property("keep what another set has so many numbers later", 60, (random) => {
    const size = random.pick(SIZES);
    const others = randomDocs(random, size);
    const [from, to] = randomBorders(random, size);
    const docs = randomDocs(random, to - from);
    const kept = setOf(to - from, docs).andFrom(setOf(size, others), from);
    expect([...kept.toArray()]).toEqual(docs.filter((doc) => others.includes(doc + from)));
  });

  property("count what long ones have in common", 20, (random) => {
    const size = random.between(200, 3000);
    const [docs, others] = [randomDocs(random, size), randomDocs(random, size)];
    const [inDocs, inOthers] = [new Set(docs), new Set(others)];
    expect(setOf(size, docs).count()).toBe(inDocs.size);
    expect(setOf(size, docs).countIn(setOf(size, others))).toBe([...inDocs].filter((doc) => inOthers.has(doc)).length);
  });

  property("list those within borders, counted from the first", 60, (random) => {
    const size = random.pick(SIZES);
    const docs = randomDocs(random, size);
    const [from, to] = randomBorders(random, size);
    const found = new Uint32Array(size + 1).fill(7);
    const count = setOf(size, docs).listWithin(from, to, found);
    expect([...found.subarray(0, count)]).toEqual(
      docs.filter((doc) => doc >= from && doc < to).map((doc) => doc - from),
    );
    expect(found.subarray(count).every((doc) => doc === 7)).toBe(true);
  });

  it("leave no bit set past the last document", () => {
    for (const size of SIZES) {
      expect(new DocSet(size).fill().count()).toBe(size);
      expect(new DocSet(size).complement().count()).toBe(size);
      expect(new DocSet(size).fill().complement().count()).toBe(0);
    }
  });

  it("change the set that they are called on, and return it", () => {
    const bits = setOf(40, [1, 39]);
    expect(bits.or(setOf(40, [2]))).toBe(bits);
    expect(bits.toArray()).toEqual(Uint32Array.of(1, 2, 39));
    expect(bits.fill().complement()).toBe(bits);
  });

  it("add another set so many numbers later, and keep what was there", () => {
    const random = new Random(4);
    for (let by = 0; by < 70; by++) {
      const before = [random.between(0, by + 99), by + 98];
      const docs = [0, 99, ...random.list(40, 40, () => random.between(0, 99))];
      const all = setOf(by + 100, before).orFrom(new DocSet<LocalDoc>(100).addAll(docs), by);
      const expected = new Set([...before, ...docs.map((doc) => by + doc)]);
      expect([...all.toArray()]).toEqual([...expected].sort((a, b) => a - b));
    }
  });

  it("give those of a list that are in a set, and the documents that are in all of some sets", () => {
    const [evens, thirds] = [2, 3].map((step) =>
      setOf(
        100,
        [...Array(100).keys()].filter((doc) => doc % step === 0),
      ),
    );
    const listed = Uint32Array.of(9, 2, 12, 99, 13);
    expect([...evens!.among(listed)]).toEqual([2, 12]);
    expect([...inAll([evens!, thirds!]).among(listed)]).toEqual([12]);
    expect(inAll([evens!])).toBe(evens);
    expect([evens!.count(), thirds!.count()]).toEqual([50, 34]);
  });
});
