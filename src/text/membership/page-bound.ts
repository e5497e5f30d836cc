// The score that a page surely reaches, as members are found: the last of the best so far, or one known before.

import { GreatestNumbers } from "../../base/top-k.js";
import type { Candidates } from "../impacts/candidates.js";

/** What a page needs: members that cannot be among its first `count` are counted, not listed. */
export interface TopNeed {
  readonly count: number;
  /** How far, as a share of the attainable maximum, a member may be below the last of these and still be needed. */
  readonly slack: number;
}

/** Follows a growing list of candidates. */
export class PageBound {
  private readonly candidates: Candidates;
  private readonly best: GreatestNumbers;
  private readonly sure: number;
  private readonly slack: number;
  private seen = 0;

  /** `sure`: a score that `count` of them reach, whoever is listed; `slack`: in scores. */
  constructor(candidates: Candidates, { count, sure, slack }: { count: number; sure: number; slack: number }) {
    this.candidates = candidates;
    this.best = new GreatestNumbers(count);
    this.sure = sure;
    this.slack = slack;
  }

  /** Whoever has less than this is not needed. */
  get least(): number {
    const { scores, size } = this.candidates;
    for (; this.seen < size; this.seen++) this.best.add(scores[this.seen]!);
    return Math.max(this.sure, this.best.least) - this.slack;
  }
}
