// Where a filter leaves few records of a segment, it is they that lead: each is looked up in the terms' lists.

import type { DocSet } from "../../base/doc-set.js";
import type { Candidates } from "./candidates.js";
import { ones } from "./holder-list.js";
import { scanDocs } from "./scan-segment.js";
import type { SegmentPlan, TextPlan } from "./text-plan.js";

/** Looking a record up in a list costs about so many times what reading an entry costs. */
const LOOK_UP = 8;

/** Adds the allowed records that may reach `least`; false: they are too many, and nothing was done. */
export function scanAllowed(
  plan: TextPlan,
  part: SegmentPlan,
  least: number,
  allowed: DocSet,
  out: Candidates,
): boolean {
  const { base, postings } = part.segment;
  let entries = 0;
  let lists = 0;
  for (const list of part.lists)
    if (list != null) {
      entries += list.size;
      lists++;
    }
  const most = entries / (LOOK_UP * Math.max(1, lists));
  if (countFrom(allowed, base, postings.docCount, most) > most) return false;
  scanDocs(plan, part, least, docsFrom(allowed, base, postings.docCount), out);
  return true;
}

/** How many of the records from `base` on are in the set; counts no further than `most`. */
function countFrom({ words }: DocSet, base: number, size: number, most: number): number {
  let count = 0;
  // Whole words: a few neighbours more do not matter here.
  for (let word = base >>> 5; word * 32 < base + size && count <= most; word++) count += ones(words[word]!);
  return count;
}

function docsFrom({ words }: DocSet, base: number, size: number): number[] {
  const docs: number[] = [];
  for (let at = base >>> 5; at * 32 < base + size; at++)
    for (let word = words[at]!; word !== 0; word &= word - 1) {
      const doc = at * 32 + 31 - Math.clz32(word & -word) - base;
      if (doc >= 0 && doc < size) docs.push(doc);
    }
  return docs;
}
