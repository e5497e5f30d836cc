// A score that some record surely has, before any is looked for: the higher it is, the fewer records are looked at.

import type { DocSet } from "../../base/doc-set.js";
import { liveBits } from "./scan-segment.js";
import { scoreIn, type TextPlan } from "./text-plan.js";

const MOST_LOOKED_AT = 128;

/** The best score among some records that hold the rarest term, or 0. */
export function guessBest(plan: TextPlan, allowed: DocSet | null): number {
  let rarest = 0;
  for (let term = 1; term < plan.idfs.length; term++) if (plan.idfs[term]! > plan.idfs[rarest]!) rarest = term;
  let best = 0;
  let looked = 0;
  for (const part of plan.segments) {
    const docs = part.lists[rarest]?.holders.docs ?? [];
    const { words, offset, flip } = liveBits(part, allowed);
    for (let i = 0; i < docs.length && looked < MOST_LOOKED_AT; i++) {
      const bit = docs[i]! + offset;
      if (((words[bit >>> 5]! >>> (bit & 31)) & 1) === flip) continue;
      looked++;
      best = Math.max(best, scoreIn(plan, part, docs[i]!));
    }
  }
  return best;
}
