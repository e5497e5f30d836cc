import { expect } from "vitest";
import { ImpactList } from "../../src/inverted/impact-list.js";
import { kernelFor } from "../../src/inverted/score-kernel.js";
import { property, type Random } from "../support/random.js";

const COMPILED = 1_000_000;
const PLAIN = 0;

function randomList(random: Random, docCount: number): ImpactList {
  const share = random.pick([0.001, 0.05, 0.5, 1]);
  const docs = Array.from({ length: docCount }, (_, doc) => doc).filter(() => random.chance(share));
  if (docs.length === 0) docs.push(random.between(0, docCount - 1));
  const top = random.pick([3, 65_535]);
  return new ImpactList(
    Uint16Array.from(docs),
    Uint16Array.from(docs, () => random.between(1, top)),
  );
}

function randomBits(random: Random, docCount: number): Uint32Array | null {
  if (random.chance(0.4)) return null;
  const bits = new Uint32Array(Math.ceil(docCount / 32));
  for (let doc = 0; doc < docCount; doc++) if (random.chance(0.7)) bits[doc >>> 5]! |= 1 << (doc & 31);
  return bits;
}

property("both kernels find the records that a plain sum finds, and count alike", 40, (random) => {
  const docCount = random.pick([1, 15, 16, 33, 2048, 2049, 5000, 65_536]);
  const lists = random.list(1, 5, () => {
    const list = randomList(random, docCount);
    const weight = random.pick([1, random.between(1, 16_384)]);
    return { list, weight, max: weight * list.maxImpact };
  });
  const accepted = randomBits(random, docCount);
  const sums = new Map<number, number>();
  for (const { list, weight } of lists)
    for (const [i, doc] of list.docs.entries()) sums.set(doc, (sums.get(doc) ?? 0) + weight * list.impacts[i]!);
  const isAccepted = (doc: number): boolean => accepted === null || ((accepted[doc >>> 5]! >>> (doc & 31)) & 1) === 1;
  const counting = [...sums].filter(([doc]) => isAccepted(doc)).sort(([a], [b]) => a - b);
  const all = counting.map(([, score]) => score).sort((a, b) => a - b);
  const someScore = (): number => (all.length === 0 ? 1 : random.pick([1, random.pick(all), random.pick(all) + 1]));
  for (let i = 0; i < 4; i++) {
    const [least, low, high] = [someScore(), someScore(), someScore()];
    const reached = counting.filter(([, score]) => score >= least);
    const expected = reached.filter(([, score]) => score < low || score >= high);
    for (const entries of [COMPILED, PLAIN]) {
      const kernel = kernelFor(entries);
      const found = kernel.collect(lists, docCount, { least, low, high, accepted });
      const listed = Array.from({ length: found }, (_, at) => [kernel.docs[at], kernel.scores[at]]);
      expect(listed).toEqual(expected);
      expect(kernel.counted).toBe(reached.length - expected.length);
      const union = lists.map(({ list }) => list);
      expect(kernel.countUnion(union, accepted)).toBe(counting.length);
    }
  }
});
