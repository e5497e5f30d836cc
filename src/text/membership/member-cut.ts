// Who is a member by score: whoever reaches a ratio of the best. Shares of the attainable maximum are compared in millionths, so
// that no last bit decides; what was added up in a hurry, or by impacts that are only near, is added up again where that could.

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
  /** How far a sum may be from the score, in millionths. */
  private readonly drift: number;
  private bestUnits = 0;

  /** `drift`: how far a sum may be from the score, as a share of the attainable, but for the last bits. */
  constructor(attainable: number, ratio: number, drift: number) {
    this.attainable = attainable;
    this.ratio = ratio;
    this.toUnits = SHARE_UNITS / attainable;
    this.drift = drift * SHARE_UNITS;
  }

  /** What rounding, the order of sums and near impacts can make of the difference of two scores at most. */
  get margin(): number {
    return (MARGIN + 2 * this.drift) / this.toUnits;
  }

  /** No member's sum is less, if some record's sum is this much. */
  leastBeside(best: number): number {
    return this.ratio * best - this.margin;
  }

  /** Whoever's sum is as much is a member, if no record's is more than this. */
  surelyBelow(most: number): number {
    return (this.ratio * (most * this.toUnits + this.drift + 1) + 1 + this.drift) / this.toUnits;
  }

  /** Takes the greatest sum for the best score; the candidates still hold everything near it. */
  settle(best: number, { docs, scores, size }: Candidates, scoreOf: ScoreOf): void {
    const units = best * this.toUnits;
    this.bestUnits = Math.round(units);
    // So near to a half that the last bits decide how it is rounded.
    if (this.drift === 0 && Math.abs(units - Math.floor(units) - 0.5) >= DOUBT) return;
    this.bestUnits = 0;
    for (let i = 0; i < size; i++)
      if (scores[i]! * this.toUnits > units - 1 - 2 * this.drift)
        this.bestUnits = Math.max(this.bestUnits, this.unitsOf(scoreOf(docs[i]!)));
  }

  /** True for a member by score. */
  isReached(score: number): boolean {
    return this.unitsOf(score) >= this.ratio * this.bestUnits;
  }

  /** Sums from this on belong to members by score. */
  get surely(): number {
    return (this.units + DOUBT + this.drift) / this.toUnits;
  }

  /** Sums below this belong to nobody who is a member by score. */
  get hardly(): number {
    return (this.units - DOUBT - this.drift) / this.toUnits;
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
