// The records that match a query by words, how many they are, and their scores. A record matches when it holds every term of
// the query that is not optional or, by `matching`, one term (`any`) or a ratio of the best score (`auto`).

import { DocSet } from "../base/doc-set.js";
import { Candidates, type RankBound } from "./candidates.js";
import { addUnion, countUnion, eachHolder, liveBits, scanAllowed, scanSegment } from "./max-score.js";
import { maxScoreIn, type SegmentQuery, scoreIn, scoreOf, segmentAt, type WeightedQuery } from "./weighted-query.js";

/** Which records match. */
export interface MatchRule {
  readonly matching: "auto" | "all" | "any";
  /** For `auto`: the share of the best score that is enough. */
  readonly ratio: number;
}

/** Which matches are listed: all, or at least those that are needed by each of some bounds. */
export type MatchNeed = "all" | readonly RankBound[];

/** With `all` needed, nothing is dropped. */
const NEVER = 0;

/** True where a record matches that holds any term. */
export function isAnyEnough({ terms }: WeightedQuery, matching: MatchRule["matching"]): boolean {
  return matching === "any" || terms.length === 1 || terms.every(({ optional }) => optional === true);
}

/** Finds the matches among the allowed records (null: all that are not deleted). `bestScore`: of these, where it is known. */
export function findMatches(
  query: WeightedQuery,
  rule: MatchRule,
  allowed: DocSet | null,
  need: MatchNeed,
  bestScore?: number,
): TextMatches {
  const matches = new TextMatches(query, rule, allowed, bestScore);
  matches.collect(need);
  return matches;
}

/** The matches by words. */
export class TextMatches {
  readonly query: WeightedQuery;
  /** How many records match. */
  count = 0;
  /** The matches that were asked for, in any order. */
  readonly candidates: Candidates = new Candidates();
  /** The greatest score of an allowed record; 0 where it does not matter for who matches. */
  bestScore = 0;
  private readonly matching: MatchRule["matching"];
  private readonly ratio: number;
  private readonly allowed: DocSet | null;
  private readonly givenBest: number | undefined;
  /** The terms that are not optional. */
  private readonly required: readonly number[];
  /** Records that score less are not needed. */
  private threshold = NEVER;

  constructor(query: WeightedQuery, { matching, ratio }: MatchRule, allowed: DocSet | null, bestScore?: number) {
    this.query = query;
    this.matching = isAnyEnough(query, matching) ? "any" : matching;
    this.ratio = ratio;
    this.allowed = allowed;
    this.givenBest = bestScore;
    this.required = query.terms.flatMap(({ optional }, i) => (optional === true ? [] : [i]));
  }

  /** The score of any record as a share of the most that can be scored. */
  shareOf(doc: number): number {
    return this.query.maxScore === 0 ? 0 : scoreOf(this.query, doc) / this.query.maxScore;
  }

  /** True for a match; the record must be allowed and not deleted. */
  isMatch(doc: number): boolean {
    const part = segmentAt(this.query, doc);
    const inSegment = doc - part.segment.base;
    const score = scoreIn(this.query, part, inSegment);
    if (score === 0) return false;
    if (this.matching === "any") return true;
    if (this.matching === "auto" && score >= this.cutoff(this.bestScore)) return true;
    return this.required.every((term) => part.lists[term]?.has(inSegment) === true);
  }

  /** All matches; they must be listed unless any term is enough. */
  toSet(): DocSet {
    const { query, candidates } = this;
    const set = new DocSet(query.corpus.docSpan);
    if (this.matching !== "any") return set.addAll(candidates.docs.subarray(0, candidates.size));
    for (const part of query.segments) addUnion(part, this.allowed, set);
    return set;
  }

  collect(need: MatchNeed): void {
    const { query, matching } = this;
    if (query.maxScore === 0) return;
    if (matching === "any") this.collectAny(need);
    else {
      if (matching === "auto") this.collectBest(need);
      // Of the records that gave the threshold, some may not match after all.
      this.threshold = need === "all" ? NEVER : this.candidates.thresholdFor(need);
      if (this.required.every((term) => query.docFreqs[term]! > 0)) this.collectHolders(need);
      this.count += this.candidates.size;
    }
    if (need !== "all") this.raise(need);
  }

  private collectAny(need: MatchNeed): void {
    const { query, allowed, candidates } = this;
    for (const part of query.segments) {
      const before = candidates.size;
      if (allowed !== null && scanAllowed(query, part, 1, allowed, candidates)) {
        this.count += candidates.size - before;
      } else {
        if (need !== "all") this.count += countUnion(query, part, allowed);
        this.scan(part, Math.max(1, this.threshold));
        if (need === "all") this.count += candidates.size - before;
      }
      if (need !== "all") this.raise(need);
    }
  }

  /** Lists the records that reach the ratio of the best score; those that surely do but are not needed are counted. */
  private collectBest(need: MatchNeed): void {
    const { query, candidates, allowed } = this;
    let best = this.givenBest ?? this.someScore();
    const most = this.givenBest ?? query.segments.reduce((max, part) => Math.max(max, maxScoreIn(query, part)), 0);
    const surely = this.cutoff(most);
    for (const part of query.segments) {
      const before = candidates.size;
      const least = this.cutoff(best);
      if (allowed === null || !scanAllowed(query, part, least, allowed, candidates)) this.scan(part, least, surely);
      best = Math.max(best, candidates.maxScoreFrom(before));
      if (need !== "all") this.raiseCounting(need, surely);
    }
    this.bestScore = best;
    candidates.keepFrom(this.cutoff(best));
  }

  /** Lists the records that hold every required term and were not found by their score. */
  private collectHolders(need: MatchNeed): void {
    const { query, required, allowed, candidates } = this;
    const isAuto = this.matching === "auto";
    const cutoff = isAuto ? this.cutoff(this.bestScore) : Number.POSITIVE_INFINITY;
    for (const part of query.segments) {
      if (required.reduce((sum, term) => sum + this.minOf(part, term), 0) >= cutoff) continue;
      const { base } = part.segment;
      const { threshold } = this;
      eachHolder(part, required, liveBits(part, allowed), (doc) => {
        const score = scoreIn(query, part, doc);
        if (score >= cutoff) return;
        if (score < threshold) this.count++;
        else candidates.add(base + doc, score);
      });
      if (need !== "all") this.raiseCounting(need, 0);
    }
  }

  private minOf({ lists }: SegmentQuery, term: number): number {
    return this.query.weights[term]! * (lists[term]?.minImpact ?? 0);
  }

  /** Records that surely match but score below the threshold are counted. */
  private scan(part: SegmentQuery, least: number, surely = Number.POSITIVE_INFINITY): void {
    const live = liveBits(part, this.allowed);
    const low = surely < this.threshold ? surely : 0;
    const high = surely < this.threshold ? this.threshold : 0;
    this.count += scanSegment(this.query, part, { least, low, high, live }, this.candidates);
  }

  /** Drops what is not needed. */
  private raise(bounds: readonly RankBound[]): void {
    this.threshold = Math.max(this.threshold, this.candidates.thresholdFor(bounds));
    this.candidates.keepFrom(this.threshold);
  }

  /** The same, counting what surely matches; what may not match stays on the list. */
  private raiseCounting(bounds: readonly RankBound[], surely: number): void {
    this.threshold = Math.max(this.threshold, this.candidates.thresholdFor(bounds));
    if (surely < this.threshold) this.count += this.candidates.dropBetween(surely, this.threshold);
  }

  /** A score that some record has: where no record is left out, that of the best impact of one term. */
  private someScore(): number {
    const { segments, weights } = this.query;
    let best = 0;
    if (this.allowed !== null) return best;
    for (const { lists, segment } of segments)
      if (segment.deletedDocs === null)
        for (let i = 0; i < lists.length; i++) best = Math.max(best, weights[i]! * (lists[i]?.maxImpact ?? 0));
    return best;
  }

  /** The least score of a match by score. */
  private cutoff(bestScore: number): number {
    return Math.max(1, Math.ceil(this.ratio * bestScore));
  }
}
