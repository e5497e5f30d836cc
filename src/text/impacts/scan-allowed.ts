// Where a filter leaves few records of a segment, it is they that lead: each is looked up in the terms' lists.

import type { DocSet } from "../../base/doc-set.js";
import type { Candidates } from "./candidates.js";
import { scanDocs } from "./scan-segment.js";
import type { SegmentPlan, TextPlan } from "./text-plan.js";

/** Looking a record up in a list costs about so many times what reading an entry costs. */
const LOOK_UP = 8;

// Used by one call at a time.
const FOUND = new Uint32Array(65_536);

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
  const end = base + postings.docCount;
  if (allowed.countWithin(base, end) > most) return false;
  const found = allowed.listWithin(base, end, FOUND);
  scanDocs(plan, part, least, FOUND.subarray(0, found), out);
  return true;
}
