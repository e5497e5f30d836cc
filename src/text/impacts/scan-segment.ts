// Which records of a segment reach a score. Terms that cannot reach it even together (the common ones) lead to nobody: they
// are only looked up for records that others led to (MaxScore: Turtle, Flood, "Query evaluation: strategies and
// optimizations", 1995). Sums are taken in any order here, so a score may be off in its last bits.

import type { DocSet } from "../../base/doc-set.js";
import { kernelFor, plainKernel } from "../kernels/choose-kernel.js";
import { bySize, type CountedScores, type ListKernel, type WeightedList } from "../kernels/list-kernel.js";
import { ALL_LIVE, type LiveBits } from "../kernels/live-bits.js";
import type { Candidates } from "./candidates.js";
import type { SegmentPlan, TextPlan } from "./text-plan.js";

/** Told by their lists, so many records for each entry of several leaders may be looked up … */
const SETS_PER_ENTRY = 0.2;
/** … and so many for each that one leader would lead to. */
const SETS_PER_LED = 0.7;
/** A score that is a smaller share of what lists can add is in reach of too many. */
const LEAST_SHARE = 0.45;
/** Fewer are found more quickly than bits are gone through. */
const LEAST_SETS = 1000;

/** The records of a segment that count: the living, or the allowed (of the whole index), who are alive. */
export function liveBits({ segment }: SegmentPlan, allowed: DocSet | null): LiveBits {
  if (allowed !== null) return { words: allowed.words, offset: segment.base, flip: 0 };
  return segment.deletedDocs === null ? ALL_LIVE : { words: segment.deletedDocs.words, offset: 0, flip: 1 };
}

/** What is looked for. */
export interface ScanNeed {
  readonly least: number;
  readonly counted: CountedScores;
  readonly live: LiveBits;
}

/** Adds the records that may reach `least`, with their scores, in no order; returns how many it only counted. */
export function scanSegment(plan: TextPlan, part: SegmentPlan, need: ScanNeed, out: Candidates): number {
  const { least, counted, live } = need;
  const weighted = weightedLists(plan, part);
  const order = putLeadersLast(weighted, least);
  if (order.others === weighted.length) return 0;
  const { postings, base } = part.segment;
  const kernel = kernelFor(entriesOf(weighted));
  kernel.begin(postings.docCount, live, out);
  const isFound = findBySets(kernel, weighted, order, least) || findByLeaders(kernel, weighted, order, least);
  const count = isFound ? kernel.drop(counted) : kernel.leadCounting(weighted, least, counted);
  kernel.finish(base);
  return count;
}

/** Finds who reaches the score among those whose lists can reach it; false: they are too many to look them up. */
function findBySets(kernel: ListKernel, weighted: WeightedList[], order: LeadersLast, least: number): boolean {
  const { leading, rest, all } = order;
  if (least < LEAST_SHARE * all) return false;
  const entries = entriesOf(leading);
  const most =
    leading.length > 1 ? SETS_PER_ENTRY * entries : Math.min(entries, SETS_PER_LED * expected(leading, least - rest));
  if (most < LEAST_SETS || !kernel.leadBySets(weighted.toReversed(), least, most)) return false;
  for (let i = weighted.length - 1, behind = all; i >= 0 && kernel.found > 0; i--) {
    behind -= weighted[i]!.most;
    kernel.addToFound(weighted[i]!, least - behind);
  }
  return true;
}

/** Finds who reaches the score by the leaders, looked up in the others; false: to add up all is quicker. */
function findByLeaders(kernel: ListKernel, weighted: WeightedList[], order: LeadersLast, least: number): boolean {
  const { leading, others, rest, all } = order;
  if (others === 0) return false;
  // Those who lack a list that all must hold are dropped at once; of other lists nothing is known.
  const lookUpCost = (found: number, last: number): number =>
    kernel.lookUpCost(found) * (all - weighted[last]!.most < least ? 1 : last + 1);
  let left = kernel.addingCost(weighted);
  const spared = left - kernel.addingCost(leading);
  if (lookUpCost(entriesOf(leading), others - 1) > spared)
    if (lookUpCost(expected(leading, least - rest), others - 1) > spared) return false;
  kernel.lead(leading, least - rest);
  for (let i = others - 1, behind = rest; i >= 0 && kernel.found > 0; i--) {
    if (lookUpCost(kernel.found, i) > left) return false;
    left -= kernel.lookUpCost(kernel.found);
    behind -= weighted[i]!.most;
    kernel.addToFound(weighted[i]!, least - behind);
  }
  return true;
}

/** How lists were put in order: the first ones do not lead, and can add `rest` together; all can add `all`. */
interface LeadersLast {
  readonly others: number;
  readonly leading: readonly WeightedList[];
  readonly rest: number;
  readonly all: number;
}

/**
 * Puts lists by what they can add, the least first, and last of all those that lead: whoever reaches the score holds one of
 * them. Where all such hold some list, the shortest of these leads alone.
 */
function putLeadersLast(weighted: WeightedList[], least: number): LeadersLast {
  let all = 0;
  for (let i = 0; i < weighted.length; i++) {
    const term = weighted[i]!;
    all += term.most;
    let at = i;
    for (; at > 0 && weighted[at - 1]!.most > term.most; at--) weighted[at] = weighted[at - 1]!;
    weighted[at] = term;
  }
  let rest = 0;
  let others = 0;
  let needed = -1;
  for (let i = 0; i < weighted.length; i++) {
    const { most, list } = weighted[i]!;
    if (others === i && rest + most < least) {
      rest += most;
      others++;
    }
    if (all - most < least && (needed < 0 || list.size < weighted[needed]!.list.size)) needed = i;
  }
  if (needed < 0 || others === weighted.length) return { others, leading: weighted.slice(others), rest, all };
  const [leader] = weighted.splice(needed, 1);
  weighted.push(leader!);
  return { others: weighted.length - 1, leading: [leader!], rest: all - leader!.most, all };
}

/** About how many reach a score by any of these lists: those that hold several are few. */
function expected(lists: readonly WeightedList[], least: number): number {
  let sum = 0;
  for (const { list, idf } of lists) sum += list.countReaching(least, idf);
  return sum;
}

/** How many entries lists have together. */
export function entriesOf(lists: readonly WeightedList[]): number {
  let entries = 0;
  for (const { list } of lists) entries += list.size;
  return entries;
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
  const kernel = plainKernel();
  kernel.begin(docs.length, ALL_LIVE, out);
  kernel.takeAll(docs);
  const reached = Math.max(least, Number.MIN_VALUE);
  for (const [i, term] of weighted.entries())
    kernel.addToFound(term, i === weighted.length - 1 ? reached : Number.NEGATIVE_INFINITY);
  kernel.finish(part.segment.base);
}

/** Which holders are looked for. */
export interface HoldersNeed extends Omit<ScanNeed, "least"> {
  readonly most: number;
}

/**
 * Adds the records that hold all of the terms numbered `needed` and earn at most `most` by these, ascending. A record is left
 * out as soon as it must earn more. Returns how many it only counted.
 */
export function scanHolders(
  plan: TextPlan,
  part: SegmentPlan,
  needed: readonly number[],
  { most, counted, live }: HoldersNeed,
  out: Candidates,
): number {
  const weighted: WeightedList[] = [];
  let rest = 0;
  for (const i of needed) {
    const list = part.lists[i];
    if (list == null) return 0;
    weighted.push({ list, idf: plan.idfs[i]!, most: 0 });
    rest += plan.idfs[i]! * list.least;
  }
  if (rest > most) return 0;
  const [shortest, ...longer] = bySize(weighted);
  const { postings, base } = part.segment;
  // The others are only looked up for the holders of the shortest.
  const kernel = kernelFor(shortest!.list.size * weighted.length);
  kernel.begin(postings.docCount, live, out);
  rest -= shortest!.idf * shortest!.list.least;
  kernel.takeUpTo(shortest!, most - rest);
  for (const term of longer) {
    rest -= term.idf * term.list.least;
    kernel.meet(term, most - rest);
  }
  const count = kernel.drop(counted);
  kernel.finish(base);
  return count;
}

/** The lists of a segment with their idfs, those that can add something. */
export function weightedLists({ idfs }: TextPlan, { lists }: SegmentPlan): WeightedList[] {
  const weighted: WeightedList[] = [];
  for (let i = 0; i < lists.length; i++) {
    const list = lists[i];
    const idf = idfs[i]!;
    if (list != null && idf > 0) weighted.push({ list, idf, most: idf * list.most });
  }
  return weighted;
}
