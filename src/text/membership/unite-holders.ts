// The records that hold any term of a query, as a set: whole words of bits instead of records one by one.

import { DocSet } from "../../base/doc-set.js";
import { setBits } from "../impacts/holder-list.js";
import type { SegmentPlan, TextPlan } from "../impacts/text-plan.js";

/** A bit a record of one segment; all 0 between two uses. */
const UNION = new Uint32Array(65_536 / 32);

/** The living records that hold any term and are allowed; null: all are. */
export function uniteHolders({ corpus, segments }: TextPlan, allowed: DocSet | null): DocSet {
  const holders = new DocSet(corpus.docSpan);
  for (const part of segments) uniteIn(part, holders);
  return allowed === null ? holders : holders.and(allowed);
}

function uniteIn({ segment, lists }: SegmentPlan, holders: DocSet): void {
  const { postings, deletedDocs, base } = segment;
  const union = UNION.subarray(0, (postings.docCount + 31) >>> 5);
  for (const list of lists) {
    if (list == null) continue;
    const { bits, docs } = list.holders;
    if (bits === null) setBits(docs, union);
    else for (let i = 0; i < union.length; i++) union[i]! |= bits.words[i]!;
  }
  const found = new DocSet(postings.docCount, union);
  holders.orFrom(deletedDocs === null ? found : found.andNot(deletedDocs), base);
  union.fill(0);
}
