// The kernel in plain JavaScript. What is found goes straight to where it is wanted.

import { type Candidates, SCRATCH } from "../impacts/candidates.js";
import { setBits } from "../impacts/holder-list.js";
import type { ImpactList } from "../impacts/impact-list.js";
import { bySize, type CountedScores, type ListKernel, type WeightedList } from "./list-kernel.js";
import { ALL_LIVE, type LiveBits } from "./live-bits.js";
import { bitsOfAll, keepLive, meetBits, resultAt, takeBits, takeSteps } from "./plain-steps.js";
import { ReachSteps } from "./reach-steps.js";
import {
  addAndTake,
  addByBits,
  addByHalving,
  addImpacts,
  meetByBits,
  meetByMerging,
  takeImpacts,
  takeScores,
  takeUpTo,
} from "./score-loops.js";

const MOST = 65_536;
/** A sum a record of one segment; all 0 between two uses. */
const SUMS = new Float64Array(MOST);
/** A bit a record of one segment; all 0 between two uses. */
const UNION = new Uint32Array(MOST / 32);

/** Lists where they lie. */
export class PlainLists implements ListKernel {
  private readonly steps = new ReachSteps();
  private size = 0;
  private live = ALL_LIVE;
  private out: Candidates = SCRATCH.candidates;
  private docs: Uint32Array = this.out.docs;
  private scores: Float64Array = this.out.scores;
  private from = 0;
  private end = 0;

  begin(size: number, live: LiveBits, out: Candidates): void {
    out.reserve(size);
    this.size = size;
    this.live = live;
    this.out = out;
    this.docs = out.docs;
    this.scores = out.scores;
    this.from = out.size;
    this.end = out.size;
  }

  /** Finds these records, who earned nothing yet. */
  takeAll(found: ArrayLike<number>): void {
    for (let i = 0; i < found.length; i++) {
      this.docs[this.end] = found[i]!;
      this.scores[this.end++] = 0;
    }
  }

  /** Who is found is looked up quickly enough. */
  addingCost(): number {
    return 0;
  }

  lookUpCost(): number {
    return 0;
  }

  lead(lists: readonly WeightedList[], least: number): void {
    const { live, docs, scores } = this;
    this.end = this.from;
    const sorted = bySize(lists);
    const { list, idf } = sorted.pop()!;
    const { holders, kinds, impacts } = list;
    if (sorted.length === 0) {
      const reaching = list.kindsReaching(least, idf);
      this.end = takeImpacts(holders.docs, kinds, reaching, impacts, idf, least, live, docs, scores, this.end);
      return;
    }
    for (const { list, idf } of sorted) addImpacts(list.holders.docs, list.kinds, list.impacts, idf, SUMS);
    this.end = addAndTake(holders.docs, kinds, impacts, idf, SUMS, least, live, docs, scores, this.end);
    for (const { list } of sorted) this.end = takeScores(list.holders.docs, SUMS, least, live, docs, scores, this.end);
  }

  leadBySets(lists: readonly WeightedList[], least: number, most: number): boolean {
    const steps = this.steps;
    if (!steps.write(lists, least)) return false;
    this.end = this.from;
    if (steps.size === 0) return true;
    const bits = takeSteps(steps, bitsOfAll(lists));
    if (keepLive(bits, this.size, this.live) > most) return false;
    this.end = takeBits(bits, most, this.docs, this.scores, this.from);
    return true;
  }

  leadTogether(lists: readonly WeightedList[], count: number, most: number): void {
    const live = resultAt(2).fill(0xffffffff);
    keepLive(live, this.size, this.live);
    let held = live;
    for (const words of bitsOfAll(lists)) {
      const result = resultAt(held === resultAt(0) ? 1 : 0);
      if (meetBits(held, words, result) >= count) held = result;
    }
    this.end = held === live ? this.from : takeBits(held, most, this.docs, this.scores, this.from);
  }

  addToFound({ list, idf }: WeightedList, least: number): void {
    const { docs, scores, from, end } = this;
    const { holders, kinds, impacts } = list;
    const { bits } = holders;
    this.end =
      bits === null
        ? addByHalving(holders.docs, kinds, impacts, idf, least, docs, scores, from, end)
        : addByBits(bits.words, bits.ranks, kinds, impacts, idf, least, docs, scores, from, end);
  }

  takeUpTo({ list, idf }: WeightedList, most: number): void {
    const { holders, kinds, impacts } = list;
    this.end = takeUpTo(holders.docs, kinds, impacts, idf, most, this.live, this.docs, this.scores, this.end);
  }

  meet({ list, idf }: WeightedList, most: number): void {
    const { docs, scores, from, end } = this;
    const { holders, kinds, impacts } = list;
    const { bits } = holders;
    this.end =
      bits === null
        ? meetByMerging(holders.docs, kinds, impacts, idf, most, docs, scores, from, end)
        : meetByBits(bits.words, bits.ranks, kinds, impacts, idf, most, docs, scores, from, end);
  }

  get found(): number {
    return this.end - this.from;
  }

  leadCounting(lists: readonly WeightedList[], least: number, counted: CountedScores): number {
    this.lead(lists, least);
    return this.drop(counted);
  }

  drop({ from, to }: CountedScores): number {
    if (from >= to) return 0;
    const before = this.end;
    this.end = dropBetween(from, to, this.docs, this.scores, this.from, this.end);
    return before - this.end;
  }

  finish(base: number): void {
    for (let i = this.from; i < this.end; i++) this.docs[i]! += base;
    this.out.size = this.end;
  }

  countHolders(lists: readonly ImpactList[], size: number, live: LiveBits): number {
    for (const { holders } of lists) {
      if (holders.bits === null) setBits(holders.docs, UNION);
      else uniteBits(holders.bits.words, UNION);
    }
    const count = keepLive(UNION, size, live);
    UNION.fill(0);
    return count;
  }
}

function uniteBits(words: Uint32Array, union: Uint32Array): void {
  for (let word = 0; word < words.length; word++) union[word]! |= words[word]!;
}

/** Keeps of the candidates those that have less than `low`, or at least `high`. */
function dropBetween(
  low: number,
  high: number,
  outDocs: Uint32Array,
  outScores: Float64Array,
  from: number,
  to: number,
): number {
  let end = from;
  for (let i = from; i < to; i++) {
    const score = outScores[i]!;
    if (score >= low && score < high) continue;
    outDocs[end] = outDocs[i]!;
    outScores[end++] = score;
  }
  return end;
}
