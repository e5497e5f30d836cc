// What titles add for sure and at most, by the terms that their records hold, where nothing is known of words: few titles have
// to be read then. The terms of all records of a segment are found at once, list by list.

import type { SegmentPlan } from "../impacts/text-plan.js";

/** More terms are not told apart: there is a number for each set of them. */
export const MOST_TOLD_APART = 12;
/** By record of one segment: the terms that it holds, a bit each. */
const HELD = new Uint16Array(65_536);

/** Between them lies what a title adds. */
export interface TitleRange {
  readonly least: number;
  readonly most: number;
}

/** Bounds by sets of terms: bit t stands for term t. */
export class TitleBounds {
  /** By the set that a record holds: no title adds less, and none more. */
  readonly least: Float64Array;
  readonly most: Float64Array;
  private readonly terms: number;

  /** Tells the sets of the first `terms` terms apart; 0: all records are alike. */
  constructor(terms: number, rangeOf: (isHeld: (term: number) => boolean) => TitleRange) {
    this.terms = terms;
    this.least = new Float64Array(1 << terms);
    this.most = new Float64Array(1 << terms);
    for (let set = 0; set < this.least.length; set++) {
      const { least, most } = rangeOf((term) => ((set >>> term) & 1) === 1);
      this.least[set] = least;
      this.most[set] = most;
    }
  }

  /** By record of a segment the set of terms that it holds; until the next segment. */
  heldIn({ segment, lists }: SegmentPlan): Uint16Array {
    HELD.fill(0, 0, segment.postings.docCount);
    for (let term = 0; term < this.terms; term++) {
      const docs = lists[term]?.holders.docs;
      if (docs === undefined) continue;
      for (let i = 0; i < docs.length; i++) HELD[docs[i]!]! |= 1 << term;
    }
    return HELD;
  }
}
