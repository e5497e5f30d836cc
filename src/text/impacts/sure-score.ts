// A score that so many records surely reach, before any is looked for: the higher it is, the fewer records are looked at.

import type { DocSet } from "../../base/doc-set.js";
import { GreatestNumbers } from "../../base/top-k.js";
import { kernelFor } from "../kernels/choose-kernel.js";
import { MOST_REACH_LISTS } from "../kernels/reach-steps.js";
import { Candidates } from "./candidates.js";
import { entriesOf, liveBits, weightedLists } from "./scan-segment.js";
import { type SegmentPlan, scoreIn, type TextPlan } from "./text-plan.js";

/** At least so many records are looked at, where the terms have so many, and so many times those asked for … */
const LEAST_LOOKED_AT = 24;
const TIMES_ASKED_FOR = 2;
/** … or, told together, so many times up to the most: where lists are long, a better bound spares more. */
const TIMES_TOGETHER = 8;
/** Deeper pages hold much of what there is: to look for a bound would cost more than it spares. */
const MOST_ASKED_FOR = 512;

/** With fewer entries in a segment, going through bits takes longer than it spares. */
const LEAST_TOGETHER = 16_384;

// Used by one call at a time.
const SAMPLE = new Candidates();

/** A score that `count` records have, of those that are allowed and alive; 0: none is known. */
export function sureScore(plan: TextPlan, allowed: DocSet | null, count: number): number {
  if (count === 0 || count > MOST_ASKED_FOR) return 0;
  let sure = togetherScore(plan, allowed, count) ?? sampledScore(plan, allowed, count);
  if (allowed === null)
    for (let term = 0; term < plan.idfs.length; term++) sure = Math.max(sure, scoreByTerm(plan, term, count, sure));
  return sure;
}

/** By the scores of some records of the first segment that hold as many of the terms as can be; null: they are too few. */
function togetherScore(plan: TextPlan, allowed: DocSet | null, count: number): number | null {
  const part = plan.segments[0];
  if (part === undefined) return null;
  const weighted = weightedLists(plan, part).sort((a, b) => b.idf - a.idf);
  const entries = entriesOf(weighted);
  if (weighted.length === 0 || weighted.length > MOST_REACH_LISTS || entries < LEAST_TOGETHER) return null;
  const kernel = kernelFor(entries);
  SAMPLE.size = 0;
  kernel.begin(part.segment.postings.docCount, liveBits(part, allowed), SAMPLE);
  kernel.leadTogether(weighted, count, Math.max(lookedAt(count), Math.min(TIMES_TOGETHER * count, MOST_ASKED_FOR)));
  kernel.finish(0);
  const best = new GreatestNumbers(count);
  for (let i = 0; i < SAMPLE.size; i++) best.add(scoreIn(plan, part, SAMPLE.docs[i]!));
  return best.least > 0 ? best.least : null;
}

function lookedAt(count: number): number {
  return Math.max(LEAST_LOOKED_AT, TIMES_ASKED_FOR * count);
}

/** By the scores of some records that hold the rarest terms. */
function sampledScore(plan: TextPlan, allowed: DocSet | null, count: number): number {
  const best = new GreatestNumbers(count);
  const rarest = [...plan.idfs.keys()].sort((a, b) => plan.idfs[b]! - plan.idfs[a]!);
  let left = lookedAt(count);
  for (const [before, term] of rarest.entries())
    for (const part of plan.segments) {
      const docs = part.lists[term]?.holders.docs ?? [];
      const { words, offset, flip } = liveBits(part, allowed);
      for (let i = 0; i < docs.length && left > 0; i++) {
        const doc = docs[i]!;
        const bit = doc + offset;
        if (((words[bit >>> 5]! >>> (bit & 31)) & 1) === flip) continue;
        // Looked at for a rarer term; it must not count twice.
        if (before > 0 && holdsAny(part, rarest, before, doc)) continue;
        left--;
        best.add(scoreIn(plan, part, doc));
      }
      if (left === 0) return Math.max(0, best.least);
    }
  return Math.max(0, best.least);
}

function holdsAny({ lists }: SegmentPlan, terms: readonly number[], count: number, doc: number): boolean {
  for (let i = 0; i < count; i++) if ((lists[terms[i]!]?.holders.placeOf(doc) ?? -1) >= 0) return true;
  return false;
}

/** By one term alone: whatever else a record holds only adds to its score. Of no use up to `known`. */
function scoreByTerm({ segments, idfs, drift }: TextPlan, term: number, count: number, known: number): number {
  const idf = idfs[term]!;
  const best = new GreatestNumbers(count);
  for (const { lists, segment } of segments) {
    const list = lists[term];
    if (list == null || idf * list.most <= known) continue;
    // Those that are dead may be the very best.
    const deletedDocs = list.size - list.holders.living(segment.deletedDocs);
    for (let i = deletedDocs; i < list.best.length && list.best[i]! > best.least; i++) best.add(list.best[i]!);
  }
  return best.least > 0 ? (1 - drift) * idf * best.least : 0;
}
