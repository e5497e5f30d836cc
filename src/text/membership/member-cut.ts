// Who is a member by score: whoever reaches a ratio of the best. Shares of the attainable maximum are compared in millionths, so
// that no last bit decides; what was added up in a hurry is added up again where its last bits could.

import type { Candidates } from "../impacts/candidates.js";

/** Millionths: the unit in which shares of the attainable maximum are compared. */
const SHARE_UNITS = 1e6;
/** Sums in another order differ by far less than this many millionths. */
const DOUBT = 1e-4;
/** So much lower is looked for than what is needed, in millionths: the best is known to one of them until the end. */
const MARGIN = 3;

/** The score of a record, its terms added in the order of the query. */
type ScoreOf = (doc: number) => number;

/** The least score of a member by score, once the best is known. */
export class MemberCut {
  private readonly attainable: number;
  private readonly ratio: number;
  private readonly toUnits: number;
  private bestUnits = 0;

  constructor(attainable: number, ratio: number) {
    this.attainable = attainable;
    this.ratio = ratio;
    this.toUnits = SHARE_UNITS / attainable;
  }

  /** What rounding and the order of sums can make of a score at most. */
  get margin(): number {
    return MARGIN / this.toUnits;
  }

  /** No member has less, if some record has this much. */
  leastBeside(best: number): number {
    return this.ratio * best - this.margin;
  }

  /** Whoever has as much is a member, if no record has more than this. */
  surelyBelow(most: number): number {
    return (this.ratio * (most * this.toUnits + 1) + 1) / this.toUnits;
  }

  /** Takes the greatest sum for the best score; the candidates still hold everything near it. */
  settle(best: number, { docs, scores, size }: Candidates, scoreOf: ScoreOf): void {
    const units = best * this.toUnits;
    this.bestUnits = Math.round(units);
    // So near to a half that the last bits decide how it is rounded.
    if (Math.abs(units - Math.floor(units) - 0.5) >= DOUBT) return;
    this.bestUnits = 0;
    for (let i = 0; i < size; i++)
      if (scores[i]! * this.toUnits > units - 1)
        this.bestUnits = Math.max(this.bestUnits, this.unitsOf(scoreOf(docs[i]!)));
  }

  /** True for a member by score. */
  isReached(score: number): boolean {
    return this.unitsOf(score) >= this.ratio * this.bestUnits;
  }

  /** Sums from this on belong to members by score. */
  get surely(): number {
    return (this.units + DOUBT) / this.toUnits;
  }

  /** Sums below this belong to nobody who is a member by score. */
  get hardly(): number {
    return (this.units - DOUBT) / this.toUnits;
  }

  /** Keeps the members by score. */
  keepMembers(candidates: Candidates, scoreOf: ScoreOf): void {
    const { docs, scores } = candidates;
    const { surely, hardly } = this;
    let size = 0;
    for (let i = 0; i < candidates.size; i++) {
      const score = scores[i]!;
      if (score < hardly || (score < surely && !this.isReached(scoreOf(docs[i]!)))) continue;
      docs[size] = docs[i]!;
      scores[size++] = score;
    }
    candidates.size = size;
  }

  /** A member by score has at least so many millionths, before rounding. */
  private get units(): number {
    return Math.ceil(this.ratio * this.bestUnits) - 0.5;
  }

  private unitsOf(score: number): number {
    return Math.round((score / this.attainable) * SHARE_UNITS);
  }
}
