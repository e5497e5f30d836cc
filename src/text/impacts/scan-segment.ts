// Which records of a segment reach a score. Terms that cannot reach it even together (the common ones) lead to nobody: they
// are only looked up for records that others led to (MaxScore: Turtle, Flood, "Query evaluation: strategies and
// optimizations", 1995). Sums are taken in any order here, so a score may be off in its last bits.

import type { DocSet } from "../../base/doc-set.js";
import { type Candidates, SCRATCH } from "./candidates.js";
import type { ImpactList } from "./impact-list.js";
import {
  addAndTake,
  addByBits,
  addByHalving,
  addImpacts,
  type LiveBits,
  meetByBits,
  meetByMerging,
  takeImpacts,
  takeScores,
  takeUpTo,
} from "./score-kernels.js";
import type { SegmentPlan, TextPlan } from "./text-plan.js";

/** A list with the idf of its term. */
interface Weighted {
  readonly list: ImpactList;
  readonly idf: number;
  /** The most it can add. */
  readonly most: number;
}

/** The records of a segment that count: the living, or the allowed (of the whole index), who are alive. */
export function liveBits({ segment }: SegmentPlan, allowed: DocSet | null): LiveBits {
  if (allowed !== null) return { words: allowed.words, offset: segment.base, flip: 0 };
  return { words: segment.dead?.words ?? SCRATCH.nobody, offset: 0, flip: 1 };
}

/** Adds the records that may reach `least`, with their scores, in no order. */
export function scanSegment(plan: TextPlan, part: SegmentPlan, least: number, live: LiveBits, out: Candidates): void {
  const weighted = weightedLists(plan, part).sort((a, b) => a.most - b.most);
  let rest = 0;
  let first = 0;
  while (first < weighted.length && rest + weighted[first]!.most < least) rest += weighted[first++]!.most;
  if (first === weighted.length) return;
  out.reserve(part.segment.postings.docCount);
  const from = out.size;
  let end = lead(weighted.slice(first), least - rest, live, out);
  for (let i = first - 1; i >= 0 && end > from; i--) {
    rest -= weighted[i]!.most;
    end = addTerm(weighted[i]!, least - rest, from, end, out);
  }
  settle(from, end, part.segment.base, out);
}

/** Adds those of the records `docs` (numbers within the segment, ascending) that may reach `least`. */
export function scanDocs(
  plan: TextPlan,
  part: SegmentPlan,
  least: number,
  docs: ArrayLike<number>,
  out: Candidates,
): void {
  const weighted = weightedLists(plan, part);
  if (weighted.length === 0) return;
  out.reserve(docs.length);
  const from = out.size;
  let end = from;
  for (let i = 0; i < docs.length; i++) {
    out.docs[end] = docs[i]!;
    out.scores[end++] = 0;
  }
  const reached = Math.max(least, Number.MIN_VALUE);
  for (const [i, term] of weighted.entries())
    end = addTerm(term, i === weighted.length - 1 ? reached : Number.NEGATIVE_INFINITY, from, end, out);
  settle(from, end, part.segment.base, out);
}

/**
 * Adds the records that hold all of the terms numbered `needed` and earn at most `most` by these, ascending. A record is left
 * out as soon as it must earn more.
 */
export function scanHolders(
  plan: TextPlan,
  part: SegmentPlan,
  needed: readonly number[],
  most: number,
  live: LiveBits,
  out: Candidates,
): void {
  const weighted: Weighted[] = [];
  let rest = 0;
  for (const i of needed) {
    const list = part.lists[i];
    if (list == null) return;
    weighted.push({ list, idf: plan.idfs[i]!, most: 0 });
    rest += plan.idfs[i]! * list.least;
  }
  if (rest > most) return;
  weighted.sort((a, b) => a.list.size - b.list.size);
  out.reserve(weighted[0]!.list.size);
  const { docs, scores } = out;
  const from = out.size;
  let end = from;
  for (const [i, { list, idf }] of weighted.entries()) {
    const { holders, kinds, impacts } = list;
    rest -= idf * list.least;
    const left = most - rest;
    const bits = i === 0 ? null : holders.bits;
    if (i === 0) end = takeUpTo(holders.docs, kinds, impacts, idf, left, live, docs, scores, from);
    else if (bits === null) end = meetByMerging(holders.docs, kinds, impacts, idf, left, docs, scores, from, end);
    else end = meetByBits(bits.words, bits.ranks, kinds, impacts, idf, left, docs, scores, from, end);
  }
  settle(from, end, part.segment.base, out);
}

function weightedLists({ idfs }: TextPlan, { lists }: SegmentPlan): Weighted[] {
  const weighted: Weighted[] = [];
  for (let i = 0; i < lists.length; i++) {
    const list = lists[i];
    const idf = idfs[i]!;
    if (list != null && idf > 0) weighted.push({ list, idf, most: idf * list.most });
  }
  return weighted;
}

/** The holders of the leading terms that reach `least`; returns the new end. */
function lead(leading: readonly Weighted[], least: number, live: LiveBits, out: Candidates): number {
  const { scores } = SCRATCH;
  let end = out.size;
  if (leading.length === 1) {
    const { list, idf } = leading[0]!;
    const { holders, kinds, impacts } = list;
    const reaching = list.kindsReaching(least, idf);
    return takeImpacts(holders.docs, kinds, reaching, impacts, idf, least, live, out.docs, out.scores, end);
  }
  // The longest comes last, because it is gone through once, the others twice.
  const bySize = [...leading].sort((a, b) => a.list.size - b.list.size);
  const { list: last, idf: lastIdf } = bySize.pop()!;
  for (const { list, idf } of bySize) addImpacts(list.holders.docs, list.kinds, list.impacts, idf, scores);
  const { holders, kinds, impacts } = last;
  end = addAndTake(holders.docs, kinds, impacts, lastIdf, scores, least, live, out.docs, out.scores, end);
  for (const { list } of bySize) end = takeScores(list.holders.docs, scores, least, live, out.docs, out.scores, end);
  return end;
}

/** Adds a term to the candidates, and drops those that stay below `least`; returns the new end. */
function addTerm({ list, idf }: Weighted, least: number, from: number, to: number, out: Candidates): number {
  const { holders, kinds, impacts } = list;
  const { bits } = holders;
  return bits === null
    ? addByHalving(holders.docs, kinds, impacts, idf, least, out.docs, out.scores, from, to)
    : addByBits(bits.words, bits.ranks, kinds, impacts, idf, least, out.docs, out.scores, from, to);
}

/** From numbers within the segment to numbers within the index. */
function settle(from: number, to: number, base: number, out: Candidates): void {
  const { docs } = out;
  for (let i = from; i < to; i++) docs[i]! += base;
  out.size = to;
}
