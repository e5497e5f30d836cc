// The score that a page surely reaches, as members are found: the last of the best so far, or one known before.

import { GreatestNumbers } from "../../base/top-k.js";
import type { Candidates } from "../impacts/candidates.js";
import { GreatestBins } from "./greatest-bins.js";

/** What a page needs: members that cannot be among its first `count` are counted, not listed. */
export interface TopNeed {
  readonly count: number;
  /** Where so many have a score, others with less than this are not needed. */
  readonly leastBeside: (score: number) => number;
}

/** A heap of more costs more than it spares by being exact. */
const MOST_HEAPED = 256;

/** What the bound of a page is made of. */
export interface PageBounds extends TopNeed {
  /** A score that `count` of them reach, whoever is listed. */
  readonly sure: number;
  /** How far scores in lists may be off. */
  readonly slack: number;
  /** Nobody scores more, but for the last bits; asked for deep pages only. */
  readonly most: () => number;
}

/** Follows a growing list of candidates. */
export class PageBound {
  private readonly candidates: Candidates;
  private readonly best: GreatestNumbers | GreatestBins;
  private readonly sure: number;
  private readonly slack: number;
  private readonly leastBeside: (score: number) => number;
  private seen = 0;

  constructor(candidates: Candidates, { count, leastBeside, sure, slack, most }: PageBounds) {
    this.candidates = candidates;
    this.best = count > MOST_HEAPED ? new GreatestBins(count, most()) : new GreatestNumbers(count);
    this.sure = sure;
    this.slack = slack;
    this.leastBeside = leastBeside;
  }

  /** Whoever has less than this is not needed. */
  get least(): number {
    const { scores, size } = this.candidates;
    for (; this.seen < size; this.seen++) this.best.add(scores[this.seen]!);
    return this.leastBeside(Math.max(this.sure, this.best.least)) - this.slack;
  }
}
