// The leg of words: who is a member by words, how many they are, and what they earn by BM25F. Only records that can be
// members are looked at, and what is added up in a hurry is added up again, in the order of the query, wherever its last bits
// could decide.

import { DocSet } from "../base/doc-set.js";
import { type Candidates, SCRATCH } from "./impacts/candidates.js";
import { countHolders } from "./impacts/count-holders.js";
import { scanAllowed } from "./impacts/scan-allowed.js";
import { liveBits, scanHolders, scanSegment } from "./impacts/scan-segment.js";
import { sureScore } from "./impacts/sure-score.js";
import {
  mostScore,
  planAt,
  postingsOf,
  type SegmentPlan,
  scoreIn,
  scoresIn,
  type TextPlan,
} from "./impacts/text-plan.js";
import { type CountedScores, NONE_COUNTED } from "./kernels/list-kernel.js";
import { MemberCut } from "./membership/member-cut.js";
import { isAnyEnough, type MembershipRule, neededTerms } from "./membership/membership-rule.js";
import { PageBound, type TopNeed } from "./membership/page-bound.js";

/** With fewer postings, to list all that is found costs less than to know what a page surely reaches. */
const LEAST_COUNTED = 5000;

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
  /**
   * The members (or those that a page needs), in no order, each with its score but for the drift of the plan and the last bits;
   * until the next search.
   */
  readonly candidates: Candidates = SCRATCH.candidates;
  private readonly matching: "auto" | "all" | "any";
  private readonly cut: MemberCut;
  private readonly allowed: DocSet | null;
  /** Numbers of the terms that are not optional. */
  private readonly needed: readonly number[];

  constructor(plan: TextPlan, { matching, ratio }: MembershipRule, allowed: DocSet | null) {
    this.plan = plan;
    this.cut = new MemberCut(plan.attainable, ratio, plan.drift);
    this.allowed = allowed;
    this.needed = neededTerms(plan);
    this.matching = isAnyEnough(plan, matching) ? "any" : matching;
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

  /** The same of many records, by position; they ascend. */
  scoresOf(docs: Uint32Array): Float64Array {
    return scoresIn(this.plan, docs);
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
    if (this.matching === "auto" && this.cut.isReached(score)) return true;
    const { lists, segment } = planAt(this.plan, doc);
    return this.needed.every((term) => (lists[term]?.holders.placeOf(doc - segment.base) ?? -1) >= 0);
  }

  /** The listed members, ascending. */
  members(): Uint32Array {
    const { docs, size } = this.candidates;
    // Sorting costs about as much a record as a set of bits for 32.
    if (32 * size < this.plan.corpus.docSpan) return docs.slice(0, size).sort();
    return this.memberSet().toArray();
  }

  /** The listed members. */
  memberSet(): DocSet {
    const { docs, size } = this.candidates;
    return new DocSet(this.plan.corpus.docSpan).addAll(docs.subarray(0, size));
  }

  /** Makes the scores of the listed members exact where they are only near; the members ascend then. */
  sharpen(): void {
    const { candidates, plan } = this;
    if (plan.drift === 0) return;
    const docs = candidates.docs.slice(0, candidates.size).sort();
    candidates.size = 0;
    candidates.add(docs, this.scoresOf(docs));
  }

  /** The shares of these, some of the listed members, by the scores that these are listed with. */
  nearShares(members: Uint32Array): Float64Array {
    const { attainable, plan } = this;
    if (attainable === 0) return new Float64Array(members.length);
    const { docs, scores, size } = this.candidates;
    const byDoc = SCRATCH.byDoc(plan.corpus.docSpan);
    for (let i = 0; i < size; i++) byDoc[docs[i]!] = scores[i]!;
    const shares = new Float64Array(members.length);
    for (let i = 0; i < shares.length; i++) shares[i] = byDoc[members[i]!]! / attainable;
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
      else if (matching === "auto") this.collectBest(top);
      if (matching !== "any" && allHeld) this.collectHolders(top);
      this.count += candidates.size;
    }
  }

  /** Counts by the union of the lists, and lists who may be on the page; where few are allowed, lists all of them. */
  private collectTop({ count, leastBeside }: TopNeed): void {
    const { plan, allowed, candidates } = this;
    const large = allowed === null ? plan.segments : this.largeSegments(0, allowed);
    this.count = candidates.size;
    if (plan.terms.length === 1 && allowed === null) this.count = plan.docFreqs[0]!;
    else for (const part of large) this.count += countHolders(part, allowed);
    const wanted = Math.min(count, this.count);
    if (wanted === 0) {
      candidates.size = 0;
      return;
    }
    const sure = large.length === 0 ? 0 : sureScore(plan, allowed, wanted);
    const page = this.pageBound({ count: wanted, leastBeside }, sure);
    this.scanWhole(large, () => page.least);
    candidates.keepFrom(page.least);
  }

  private pageBound(need: TopNeed, sure: number = Number.NEGATIVE_INFINITY): PageBound {
    const count = Math.min(need.count, this.plan.corpus.docCount);
    const most = (): number => mostScore(this.plan);
    return new PageBound(this.candidates, { ...need, count, sure, slack: this.cut.margin, most });
  }

  /** Lists those that reach the ratio of the best; where a page is needed, others than its own are counted as far as can be. */
  private collectBest(top: TopNeed | null): void {
    const { plan, candidates, cut } = this;
    let best = sureScore(plan, this.allowed, 1);
    let seen = 0;
    const least = (): number => {
      best = Math.max(best, candidates.greatestFrom(seen));
      seen = candidates.size;
      return cut.leastBeside(best);
    };
    if (top === null || postingsOf(plan) < LEAST_COUNTED) this.scan(least);
    else {
      // The best itself is looked at again.
      const page = this.pageBound({ ...top, count: Math.max(1, top.count) });
      const from = cut.surelyBelow(mostScore(plan));
      this.scan(least, () => ({ from, to: page.least }));
    }
    least();
    const scoreOf = (doc: number): number => this.scoreOf(doc);
    cut.settle(best, candidates, scoreOf);
    cut.keepMembers(candidates, scoreOf);
  }

  /** Lists those that hold every needed term and were not found for their score, or counts them where the page is not theirs. */
  private collectHolders(top: TopNeed | null): void {
    const { plan, candidates, needed, allowed, cut } = this;
    const byScore = this.matching === "auto";
    const from = candidates.size;
    const isWhole = needed.length === plan.terms.length;
    const page = top === null || !isWhole ? null : this.pageBound(top);
    const most = byScore ? cut.surely : Number.POSITIVE_INFINITY;
    const low = byScore ? cut.hardly : Number.POSITIVE_INFINITY;
    for (const part of plan.segments) {
      const to = page === null ? NONE_COUNTED.to : Math.min(page.least, low);
      const need = { most, counted: { from: Number.NEGATIVE_INFINITY, to }, live: liveBits(part, allowed) };
      this.count += scanHolders(plan, part, needed, need, candidates);
    }
    if (!byScore && isWhole) return;
    // Those that optional terms lift to the ratio were found for their score.
    let size = from;
    for (let i = from; i < candidates.size; i++) {
      const doc = candidates.docs[i]!;
      const score = this.scoreOf(doc);
      if (byScore && cut.isReached(score)) continue;
      candidates.docs[size] = doc;
      candidates.scores[size++] = score;
    }
    candidates.size = size;
  }

  /** Looks through the segments, each time for what reaches the score asked for then. */
  private scan(least: () => number, counted?: () => CountedScores): void {
    const { plan, allowed } = this;
    this.scanWhole(allowed === null ? plan.segments : this.largeSegments(least(), allowed), least, counted);
  }

  /** Lists who reaches the score where few are allowed; returns the other segments. */
  private largeSegments(least: number, allowed: DocSet): readonly SegmentPlan[] {
    return this.plan.segments.filter((part) => !scanAllowed(this.plan, part, least, allowed, this.candidates));
  }

  private scanWhole(
    parts: readonly SegmentPlan[],
    least: () => number,
    counted: () => CountedScores = () => NONE_COUNTED,
  ): void {
    const { plan, allowed, candidates } = this;
    for (const part of parts) {
      const need = { least: least(), counted: counted(), live: liveBits(part, allowed) };
      this.count += scanSegment(plan, part, need, candidates);
    }
  }
}
