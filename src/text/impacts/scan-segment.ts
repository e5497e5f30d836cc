// Which records of a segment reach a score. Terms that cannot reach it even together (the common ones) lead to nobody: they
// are only looked up for records that others led to (MaxScore: Turtle, Flood, "Query evaluation: strategies and
// optimizations", 1995). Sums are taken in any order here, so a score may be off in its last bits.

import type { DocSet } from "../../base/doc-set.js";
import { kernelFor, plainKernel } from "../kernels/choose-kernel.js";
import { bySize, type WeightedList } from "../kernels/list-kernel.js";
import { ALL_LIVE, type LiveBits } from "../kernels/live-bits.js";
import type { Candidates } from "./candidates.js";
import type { SegmentPlan, TextPlan } from "./text-plan.js";

/** The records of a segment that count: the living, or the allowed (of the whole index), who are alive. */
export function liveBits({ segment }: SegmentPlan, allowed: DocSet | null): LiveBits {
  if (allowed !== null) return { words: allowed.words, offset: segment.base, flip: 0 };
  return segment.dead === null ? ALL_LIVE : { words: segment.dead.words, offset: 0, flip: 1 };
}

/** Adds the records that may reach `least`, with their scores, in no order. */
export function scanSegment(plan: TextPlan, part: SegmentPlan, least: number, live: LiveBits, out: Candidates): void {
  const weighted = weightedLists(plan, part).sort((a, b) => a.most - b.most);
  let rest = 0;
  let first = 0;
  while (first < weighted.length && rest + weighted[first]!.most < least) rest += weighted[first++]!.most;
  if (first === weighted.length) return;
  const leading = weighted.slice(first);
  const others = weighted.slice(0, first);
  const { postings, base } = part.segment;
  const kernel = kernelFor(weighted.reduce((entries, { list }) => entries + list.size, 0));
  kernel.begin(postings.docCount, live, out);
  if (kernel.addsAll(leading, others)) kernel.lead(weighted, least);
  else {
    kernel.lead(leading, least - rest);
    for (let i = first - 1; i >= 0 && kernel.found > 0; i--) {
      rest -= weighted[i]!.most;
      kernel.addToFound(weighted[i]!, least - rest);
    }
  }
  kernel.finish(base);
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
  const weighted: WeightedList[] = [];
  let rest = 0;
  for (const i of needed) {
    const list = part.lists[i];
    if (list == null) return;
    weighted.push({ list, idf: plan.idfs[i]!, most: 0 });
    rest += plan.idfs[i]! * list.least;
  }
  if (rest > most) return;
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
  kernel.finish(base);
}

function weightedLists({ idfs }: TextPlan, { lists }: SegmentPlan): WeightedList[] {
  const weighted: WeightedList[] = [];
  for (let i = 0; i < lists.length; i++) {
    const list = lists[i];
    const idf = idfs[i]!;
    if (list != null && idf > 0) weighted.push({ list, idf, most: idf * list.most });
  }
  return weighted;
}
