// How many records of a segment hold any term: the bits of all lists together, counted.

import type { DocSet } from "../../base/doc-set.js";
import { kernelFor } from "../kernels/choose-kernel.js";
import type { ImpactList } from "./impact-list.js";
import { liveBits } from "./scan-segment.js";
import type { SegmentPlan } from "./text-plan.js";

/** How many records hold any term, of those that are allowed and alive. */
export function countHolders(part: SegmentPlan, allowed: DocSet | null): number {
  const lists: ImpactList[] = [];
  let entries = 0;
  for (const list of part.lists)
    if (list !== null) {
      lists.push(list);
      entries += list.size;
    }
  if (lists.length === 0) return 0;
  return kernelFor(entries).countHolders(lists, part.segment.postings.docCount, liveBits(part, allowed));
}
