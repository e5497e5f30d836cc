// The leg of words: who is a member by words, how many they are, and what they earn by BM25F. Only records that can be
// members are looked at, and what is added up in a hurry is added up again, in the order of the query, wherever its last bits
// could decide.

import { DocSet } from "../base/doc-set.js";
import { GreatestNumbers } from "../base/top-k.js";
import { type Candidates, SCRATCH } from "./impacts/candidates.js";
import { countHolders } from "./impacts/count-holders.js";
import { scanAllowed } from "./impacts/scan-allowed.js";
import { liveBits, scanHolders, scanSegment } from "./impacts/scan-segment.js";
import { sureScore } from "./impacts/sure-score.js";
import { planAt, scoreIn, type TextPlan } from "./impacts/text-plan.js";

/** Who is a member: every term, any term, or every term or `ratio` of the best. */
export interface MembershipRule {
  readonly matching: "auto" | "all" | "any";
  readonly ratio: number;
}

/** What a page needs: with "any", members that cannot be among its first `count` are counted, not listed. */
export interface TopNeed {
  readonly count: number;
  /** How far, as a share of the attainable maximum, a member may be below the last of these and still be needed. */
  readonly slack: number;
}

/** Millionths: the unit in which shares of the attainable maximum are compared. */
const SHARE_UNITS = 1e6;
/** Sums in another order differ by far less than this many millionths. */
const DOUBT = 1e-4;
/** So much lower is looked for than what is needed, in millionths: the best is known to one of them until the end. */
const MARGIN = 3;

/** Searches the words; `allowed` null: all living records. */
export function searchText(
  plan: TextPlan,
  rule: MembershipRule,
  allowed: DocSet | null = null,
  top: TopNeed | null = null,
): TextRanking {
  const ranking = new TextRanking(plan, rule, allowed);
  ranking.collect(top);
  return ranking;
}

/** The leg's result. */
export class TextRanking {
  readonly plan: TextPlan;
  /** How many members there are. */
  count = 0;
  /** The members (or those that a page needs), in no order, each with its score but for the last bits; until the next search. */
  readonly candidates: Candidates = SCRATCH.candidates;
  private readonly matching: "auto" | "all" | "any";
  private readonly ratio: number;
  private readonly allowed: DocSet | null;
  /** Numbers of the terms that are not optional. */
  private readonly needed: readonly number[];
  private bestUnits = 0;

  constructor(plan: TextPlan, { matching, ratio }: MembershipRule, allowed: DocSet | null) {
    this.plan = plan;
    this.ratio = ratio;
    this.allowed = allowed;
    this.needed = plan.terms.flatMap(({ optional }, i) => (optional === true ? [] : [i]));
    const one = this.needed.length === 0 || (matching === "auto" && plan.terms.length === 1);
    this.matching = one ? "any" : matching;
  }

  get attainable(): number {
    return this.plan.attainable;
  }

  /** How many living records hold each term, in the order of the terms. */
  get docFreqs(): readonly number[] {
    return this.plan.docFreqs;
  }

  /** BM25F of any record; 0 for a record that holds no term. */
  scoreOf(doc: number): number {
    const part = planAt(this.plan, doc);
    return scoreIn(this.plan, part, doc - part.segment.base);
  }

  /** BM25F as a share of the attainable maximum. */
  shareOf(doc: number): number {
    return this.attainable === 0 ? 0 : this.scoreOf(doc) / this.attainable;
  }

  /** True for a member; the record must be alive and allowed. `score`: its own, where it is known. */
  isMember(doc: number, score: number = this.scoreOf(doc)): boolean {
    // Whoever holds a term earns something.
    if (score === 0) return false;
    if (this.matching === "any") return true;
    if (this.matching === "auto" && isReached(score, this.attainable, this.ratio * this.bestUnits)) return true;
    const { lists, segment } = planAt(this.plan, doc);
    return this.needed.every((term) => (lists[term]?.holders.placeOf(doc - segment.base) ?? -1) >= 0);
  }

  /** The listed members, ascending. */
  members(): Uint32Array {
    const { docs, size } = this.candidates;
    const listed = docs.subarray(0, size);
    // Sorting costs about as much a record as a set of bits for 32.
    if (32 * size < this.plan.corpus.docSpan) return listed.slice().sort();
    return new DocSet(this.plan.corpus.docSpan).addAll(listed).toArray();
  }

  /** The shares of these, some of the listed members, right but for the last bits. */
  nearShares(members: Uint32Array): Float64Array {
    const { docs, scores, size } = this.candidates;
    const byDoc = SCRATCH.byDoc(this.plan.corpus.docSpan);
    for (let i = 0; i < size; i++) byDoc[docs[i]!] = scores[i]!;
    const shares = new Float64Array(members.length);
    if (this.attainable === 0) return shares;
    for (let i = 0; i < shares.length; i++) shares[i] = byDoc[members[i]!]! / this.attainable;
    return shares;
  }

  /** Lists and counts the members. */
  collect(top: TopNeed | null): void {
    const { candidates, matching, needed, plan } = this;
    candidates.size = 0;
    if (plan.attainable === 0) return;
    const allHeld = needed.every((term) => plan.docFreqs[term]! > 0);
    if (matching === "any" && top !== null) this.collectTop(top);
    else {
      if (matching === "any") this.scan(() => 0);
      else if (matching === "auto") this.collectBest();
      if (matching !== "any" && allHeld) this.collectHolders();
      this.count = candidates.size;
    }
  }

  /** In scores, what is below the last of a page by so much may still be on it. */
  private slackOf(slack: number): number {
    return (slack + MARGIN / SHARE_UNITS) * this.plan.attainable;
  }

  /** Counts by the union of the lists, and lists who may be on the page. */
  private collectTop({ count, slack }: TopNeed): void {
    const { plan, allowed, candidates } = this;
    if (plan.terms.length === 1 && allowed === null) this.count = plan.docFreqs[0]!;
    else for (const part of plan.segments) this.count += countHolders(part, allowed);
    const wanted = Math.min(count, this.count);
    if (wanted === 0) return;
    const best = new GreatestNumbers(wanted);
    const sure = sureScore(plan, allowed, wanted);
    let seen = 0;
    const least = (): number => {
      for (; seen < candidates.size; seen++) best.add(candidates.scores[seen]!);
      return Math.max(sure, best.least) - this.slackOf(slack);
    };
    this.scan(least);
    candidates.keepFrom(least());
  }

  /** Lists those that reach the ratio of the best. */
  private collectBest(): void {
    const { plan, candidates } = this;
    const toUnits = SHARE_UNITS / plan.attainable;
    let best = sureScore(plan, this.allowed, 1);
    let seen = 0;
    const least = (): number => {
      best = Math.max(best, candidates.greatestFrom(seen));
      seen = candidates.size;
      return (this.ratio * best * toUnits - MARGIN) / toUnits;
    };
    this.scan(least);
    least();
    this.bestUnits = this.settleBest(best * toUnits);
    const cut = this.cut;
    const { docs, scores } = candidates;
    let size = 0;
    for (let i = 0; i < candidates.size; i++) {
      const units = scores[i]! * toUnits;
      if (units < cut - DOUBT || (units < cut + DOUBT && !this.reaches(docs[i]!))) continue;
      docs[size] = docs[i]!;
      scores[size++] = scores[i]!;
    }
    candidates.size = size;
  }

  /** Lists those that hold every needed term and were not listed for their score. */
  private collectHolders(): void {
    const { plan, candidates, needed, allowed, matching } = this;
    const { cut } = this;
    const most = matching === "all" ? Number.POSITIVE_INFINITY : ((cut + DOUBT) / SHARE_UNITS) * plan.attainable;
    const from = candidates.size;
    for (const part of plan.segments) scanHolders(plan, part, needed, most, liveBits(part, allowed), candidates);
    if (matching === "all" && needed.length === plan.terms.length) return;
    // Those that optional terms lift to the ratio were listed for their score.
    let size = from;
    for (let i = from; i < candidates.size; i++) {
      const doc = candidates.docs[i]!;
      const score = this.scoreOf(doc);
      if (matching === "auto" && isReached(score, plan.attainable, this.ratio * this.bestUnits)) continue;
      candidates.docs[size] = doc;
      candidates.scores[size++] = score;
    }
    candidates.size = size;
  }

  /** Looks through the segments, each time for what reaches the score asked for then. */
  private scan(least: () => number): void {
    const { plan, allowed, candidates } = this;
    for (const part of plan.segments) {
      if (allowed !== null && scanAllowed(plan, part, least(), allowed, candidates)) continue;
      scanSegment(plan, part, least(), liveBits(part, allowed), candidates);
    }
  }

  /** The best share in whole millionths, from the best sum; the candidates still hold everything near it. */
  private settleBest(units: number): number {
    if (!isDoubtful(units)) return Math.round(units);
    const { candidates, attainable } = this;
    let best = 0;
    for (let i = 0; i < candidates.size; i++)
      if ((candidates.scores[i]! / attainable) * SHARE_UNITS > units - 1)
        best = Math.max(best, unitsOf(this.scoreOf(candidates.docs[i]!), attainable));
    return best;
  }

  /** A member by score has at least so many millionths, before rounding. */
  private get cut(): number {
    return Math.ceil(this.ratio * this.bestUnits) - 0.5;
  }

  private reaches(doc: number): boolean {
    return isReached(this.scoreOf(doc), this.attainable, this.ratio * this.bestUnits);
  }
}

/** A score as a share of the attainable maximum, in millionths, so that no last bit decides who is a member. */
function unitsOf(score: number, attainable: number): number {
  return Math.round((score / attainable) * SHARE_UNITS);
}

function isReached(score: number, attainable: number, least: number): boolean {
  return unitsOf(score, attainable) >= least;
}

/** So near to a half that the last bits decide how it is rounded. */
function isDoubtful(units: number): boolean {
  return Math.abs(units - Math.floor(units) - 0.5) < DOUBT;
}
