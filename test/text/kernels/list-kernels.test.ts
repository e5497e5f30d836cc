import { describe, expect, it } from "vitest";
import { DocSet } from "../../../src/base/doc-set.js";
import { Candidates } from "../../../src/text/impacts/candidates.js";
import { ImpactList } from "../../../src/text/impacts/impact-list.js";
import { kernelFor, wasmAvailable } from "../../../src/text/kernels/choose-kernel.js";
import { CompiledLists, loadCompiledLists } from "../../../src/text/kernels/compiled-lists.js";
import type { ListKernel, WeightedList } from "../../../src/text/kernels/list-kernel.js";
import { ALL_LIVE, type LiveBits } from "../../../src/text/kernels/live-bits.js";
import { PlainLists } from "../../../src/text/kernels/plain-lists.js";
import { property, type Random } from "../../support/random.js";
import { weighedList } from "../../support/weighed-list.js";

const compiled = loadCompiledLists();
const KERNELS: readonly ListKernel[] = [new PlainLists(), ...(compiled === null ? [] : [compiled])];

/** A list as it was made: what each holder earns, by record. */
interface Told {
  readonly term: WeightedList;
  readonly earned: ReadonlyMap<number, number>;
}

/** A list that about `share` of `size` records hold, in a few or in many kinds. */
function randomList(random: Random, size: number, share: number): Told {
  const docs: number[] = [];
  for (let doc = 0; doc < size; doc++) if (random.chance(share)) docs.push(doc);
  if (docs.length === 0) docs.push(random.between(0, size - 1));
  const kinds = random.pick([1, 5, 1000]);
  const frequencies = Float64Array.from(docs, () => random.between(1, kinds) / 7);
  const list = new ImpactList(weighedList(Uint16Array.from(docs), frequencies), 1.2);
  const idf = 0.1 + random.next() * 9;
  const earned = new Map(docs.map((doc) => [doc, idf * list.impactOf(doc)]));
  return { term: { list, idf, most: idf * list.most }, earned };
}

interface Live {
  readonly bits: LiveBits;
  readonly has: (doc: number) => boolean;
}

/** All; all but the dead; or those allowed of an index in which the segment begins anywhere. */
function randomLive(random: Random, size: number): Live {
  const kind = random.between(0, 2);
  if (kind === 0) return { bits: ALL_LIVE, has: () => true };
  const offset = kind === 1 ? 0 : random.between(0, 100);
  const set = new DocSet(offset + size);
  for (let doc = 0; doc < offset + size; doc++) if (random.chance(0.3)) set.add(doc);
  if (kind === 1) return { bits: { words: set.words, offset: 0, flip: 1 }, has: (doc) => !set.has(doc) };
  return { bits: { words: set.words, offset, flip: 0 }, has: (doc) => set.has(offset + doc) };
}

/** Records with scores, ascending by record. */
function found(kernel: ListKernel, base: number, out: Candidates): [number, number][] {
  const from = out.size;
  kernel.finish(base);
  const rows = Array.from({ length: out.size - from }, (_, i): [number, number] => [
    out.docs[from + i]!,
    out.scores[from + i]!,
  ]);
  return rows.sort(([a], [b]) => a - b);
}

/** What records earn by all lists together, in the order of the lists. */
function sums(lists: readonly Told[]): Map<number, number> {
  const total = new Map<number, number>();
  for (const { earned } of lists) for (const [doc, score] of earned) total.set(doc, (total.get(doc) ?? 0) + score);
  return total;
}

const SIZES = [40, 3000, 65_536];

function randomLists(random: Random, size: number): Told[] {
  return random.list(1, 5, () => randomList(random, size, random.pick([0.002, 0.02, 0.1, 0.6])));
}

const byLength = (lists: readonly Told[]): Told[] => [...lists].sort((a, b) => a.term.list.size - b.term.list.size);
const termsOf = (lists: readonly Told[]): WeightedList[] => lists.map(({ term }) => term);
/** Nearly equal scores, so that each comparison is one with some and without others. */
const boundFrom = (random: Random, total: ReadonlyMap<number, number>): number => random.pick([...total.values()]);

function afterwards(kernel: ListKernel, size: number, lists: readonly Told[]): number {
  return kernel.countHolders(
    lists.map(({ term }) => term.list),
    size,
    ALL_LIVE,
  );
}

it("is compiled for long lists where there is WebAssembly (else: npm run build), and plain for short ones", () => {
  const isThere = "WebAssembly" in globalThis;
  expect(wasmAvailable()).toBe(isThere);
  expect(kernelFor(100_000)).toBeInstanceOf(isThere ? CompiledLists : PlainLists);
  expect(kernelFor(3)).toBeInstanceOf(PlainLists);
});

describe.each(KERNELS.map((kernel) => [kernel.constructor.name, kernel] as const))("%s", (_, kernel) => {
  property(
    "finds the live holders of any list that reach a score, each once, and clears up behind it",
    40,
    (random) => {
      const size = random.pick(SIZES);
      const lists = byLength(randomLists(random, size));
      const total = sums(lists);
      const live = randomLive(random, size);
      for (const least of [0, boundFrom(random, total), boundFrom(random, total), 1000]) {
        const out = new Candidates();
        kernel.begin(size, live.bits, out);
        kernel.lead(termsOf(random.shuffle(lists)), least);
        const expected = [...total].filter(([doc, score]) => live.has(doc) && score >= least).sort(([a], [b]) => a - b);
        expect(found(kernel, 7, out)).toEqual(expected.map(([doc, score]) => [doc + 7, score]));
      }
      expect(afterwards(kernel, size, lists)).toBe(total.size);
    },
  );

  property("counts those with scores from one up to another instead of finding them", 40, (random) => {
    const size = random.pick(SIZES);
    const lists = byLength(randomLists(random, size));
    const total = sums(lists);
    const live = randomLive(random, size);
    const [low, high] = [boundFrom(random, total), boundFrom(random, total)].sort((a, b) => a - b);
    for (const [from, to] of [
      [low!, high!],
      [high!, low!],
      [0, low!],
      [low!, Number.POSITIVE_INFINITY],
    ] as const) {
      const out = new Candidates();
      kernel.begin(size, live.bits, out);
      const least = random.pick([0, low!]);
      const count = kernel.leadCounting(termsOf(lists), least, { from, to });
      const reaching = [...total].filter(([doc, score]) => live.has(doc) && score >= least).sort(([a], [b]) => a - b);
      const left = reaching.filter(([, score]) => score < from || score >= to);
      expect(count).toBe(reaching.length - left.length);
      expect(found(kernel, 0, out)).toEqual(left);
    }
  });

  property("leads anew, and drops what is counted only afterwards", 40, (random) => {
    const size = random.pick(SIZES);
    const [first, ...others] = byLength(randomLists(random, size));
    const out = new Candidates();
    kernel.begin(size, ALL_LIVE, out);
    kernel.lead([first!.term], 0);
    kernel.lead(termsOf([first!, ...others]), 0);
    const total = sums([first!, ...others]);
    expect(kernel.found).toBe(total.size);
    const from = boundFrom(random, total);
    const left = [...total].filter(([, score]) => score < from);
    expect(kernel.drop({ from, to: Number.POSITIVE_INFINITY })).toBe(total.size - left.length);
    expect(kernel.found).toBe(left.length);
    expect(found(kernel, 0, out)).toEqual(left.sort(([a], [b]) => a - b));
  });

  property("finds those whose lists can reach a score together, if they are not too many", 60, (random) => {
    const size = random.pick(SIZES);
    const lists = randomLists(random, size);
    const live = randomLive(random, size);
    const can = new Map<number, number>();
    for (const { term, earned } of lists)
      for (const doc of earned.keys()) can.set(doc, (can.get(doc) ?? 0) + term.most);
    // Between two sums, so that no last bit decides.
    const least = boundFrom(random, can) - 1e-6;
    const expected = [...can].filter(([doc, most]) => live.has(doc) && most >= least).map(([doc]) => doc);
    for (const most of [expected.length - 1, expected.length, 65_536]) {
      const out = new Candidates();
      kernel.begin(size, live.bits, out);
      kernel.lead([lists[0]!.term], 0);
      const isFound = kernel.leadBySets(termsOf(random.shuffle(lists)), least, most);
      expect(isFound).toBe(expected.length <= most);
      if (isFound) expect(found(kernel, 3, out)).toEqual(expected.sort((a, b) => a - b).map((doc) => [doc + 3, 0]));
    }
    kernel.begin(size, live.bits, new Candidates());
    expect(kernel.leadBySets(termsOf(lists), -1, 65_536)).toBe(false);
    const all = termsOf(lists).reduce((sum, { most }) => sum + most, 0);
    expect(kernel.leadBySets(termsOf(lists), all + 1, 0)).toBe(true);
    expect(kernel.found).toBe(0);
  });

  property("finds some who hold as many lists as enough others do, the first lists before the others", 60, (random) => {
    const size = random.pick(SIZES);
    const lists = randomLists(random, size);
    const live = randomLive(random, size);
    const [count, most] = [random.pick([1, 5, 100]), random.pick([1, 24, 70_000])];
    const all = Array.from({ length: size }, (_, doc) => doc).filter(live.has);
    let held = all;
    for (const { earned } of lists) {
      const both = held.filter((doc) => earned.has(doc));
      if (both.length >= count) held = both;
    }
    if (held === all) held = [];
    const out = new Candidates();
    kernel.begin(size, live.bits, out);
    kernel.lead([lists[0]!.term], 0);
    kernel.leadTogether(termsOf(lists), count, most);
    expect(found(kernel, 0, out)).toEqual(held.slice(0, most).map((doc) => [doc, 0]));
  });

  property("adds a list to those found, and drops those that stay below a score", 40, (random) => {
    const size = random.pick(SIZES);
    const [first, ...others] = randomLists(random, size);
    const out = new Candidates();
    kernel.begin(size, ALL_LIVE, out);
    kernel.lead([first!.term], 0);
    let expected = new Map(first!.earned);
    for (const { term, earned } of others) {
      const raised = [...expected].map(([doc, score]): [number, number] => [doc, score + (earned.get(doc) ?? 0)]);
      const least = random.chance(0.5) ? Number.NEGATIVE_INFINITY : (raised[raised.length >> 1]?.[1] ?? 0);
      expected = new Map(raised.filter(([, score]) => score >= least));
      kernel.addToFound(term, least);
      expect(kernel.found).toBe(expected.size);
    }
    expect(found(kernel, 0, out)).toEqual([...expected]);
  });

  property("finds who holds all lists and earns at most so much", 40, (random) => {
    const size = random.pick(SIZES);
    const [first, ...others] = byLength(randomLists(random, size));
    const live = randomLive(random, size);
    const most = random.pick([3, 30, Number.POSITIVE_INFINITY]);
    const out = new Candidates();
    kernel.begin(size, live.bits, out);
    kernel.takeUpTo(first!.term, most);
    for (const { term } of others) kernel.meet(term, most);
    const total = sums([first!, ...others]);
    const holders = [...first!.earned.keys()].filter((doc) => others.every(({ earned }) => earned.has(doc)));
    const expected = holders.filter((doc) => live.has(doc) && total.get(doc)! <= most);
    expect(found(kernel, 0, out)).toEqual(expected.map((doc) => [doc, total.get(doc)]));
  });

  property("counts the live holders of any list", 40, (random) => {
    const size = random.pick(SIZES);
    const lists = randomLists(random, size);
    const live = randomLive(random, size);
    const holders = [...sums(lists).keys()].filter(live.has);
    const given = lists.map(({ term }) => term.list);
    expect(kernel.countHolders(given, size, live.bits)).toBe(holders.length);
  });

  it("works through more lists than there is room for at once, and through each of them again", () => {
    const docs = Uint16Array.from({ length: 65_536 }, (_, doc) => doc);
    const lists = Array.from({ length: 40 }, (_, i) => {
      const frequencies = Float64Array.from(docs, (doc) => 1 + ((doc * (i + 1)) % 997));
      return new ImpactList(weighedList(docs, frequencies), 1.2);
    });
    const idfs = lists.map((_, i) => 1 / (i + 1));
    const expected = Array.from(docs, (doc) => lists.reduce((sum, list, i) => sum + idfs[i]! * list.impactOf(doc), 0));
    for (let pass = 0; pass < 2; pass++) {
      const out = new Candidates();
      kernel.begin(65_536, ALL_LIVE, out);
      kernel.lead(
        lists.map((list, i) => ({ list, idf: idfs[i]!, most: idfs[i]! * list.most })),
        0,
      );
      expect(found(kernel, 0, out).map(([, score]) => score)).toEqual(expected);
      expect(kernel.countHolders(lists, 65_536, ALL_LIVE)).toBe(65_536);
    }
  });
});
