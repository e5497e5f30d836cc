// The records that match a query by words, how many they are, and their scores. A record matches when it holds every term of
// the query that is not optional or, by `matching`, one term (`any`) or a ratio of the best score (`auto`).

import { DocSet } from "../util/doc-set.js";
import { Candidates, MinCompetitiveScore, type RankBound } from "./candidates.js";
import { acceptedBits, addUnion, countUnion, findConjunction, scanSegment, scoreAllowed } from "./max-score.js";
import { maxScoreIn, type SegmentQuery, scoreIn, scoreOf, segmentAt, type WeightedQuery } from "./weighted-query.js";

/** Which records match. */
export interface MatchRule {
  readonly matching: "auto" | "all" | "any";
  /** For `auto`: the share of the best score that is enough. */
  readonly ratio: number;
}

/** Which matches are listed: all, or at least those that are needed by each of some bounds. */
export type MatchNeed = "all" | readonly RankBound[];

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
  private readonly accepted = new Map<SegmentQuery, Uint32Array | null>();
  /** The terms that are not optional. */
  private readonly required: readonly number[];
  /** What listed records must score; with all needed, it stays 0. */
  private threshold = new MinCompetitiveScore([]);

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
    const set = new DocSet(query.corpus.maxDoc);
    if (this.matching !== "any") return set.addAll(candidates.docs.subarray(0, candidates.size));
    for (const part of query.segments) addUnion(part, this.acceptedIn(part), set);
    return set;
  }

  collect(need: MatchNeed): void {
    const { query, matching, candidates } = this;
    if (query.maxScore === 0) return;
    if (matching === "any") {
      this.threshold = new MinCompetitiveScore(need === "all" ? [] : need);
      this.collectAny(need === "all");
    } else {
      if (matching === "auto") this.collectBest(need);
      this.threshold = new MinCompetitiveScore(need === "all" ? [] : need);
      this.threshold.raise(candidates, 0);
      if (this.required.every((term) => query.docFreqs[term]! > 0)) this.collectConjunction();
      this.count += candidates.size;
    }
    candidates.keepFrom(this.threshold.score);
  }

  private collectAny(listsAll: boolean): void {
    const { query, allowed, candidates, threshold } = this;
    for (const part of query.segments) {
      const before = candidates.size;
      if (allowed !== null && scoreAllowed(query, part, 1, allowed, candidates)) this.count += candidates.size - before;
      else {
        const accepted = this.acceptedIn(part);
        if (!listsAll) this.count += countUnion(query, part, accepted);
        scanSegment(query, part, { least: Math.max(1, threshold.score), low: 0, high: 0, accepted }, candidates);
        if (listsAll) this.count += candidates.size - before;
      }
      threshold.raise(candidates, before);
      candidates.keepFrom(threshold.score);
    }
  }

  /** Lists the records that reach the ratio of the best score; those that are not needed are counted. */
  private collectBest(need: MatchNeed): void {
    const { query, candidates, allowed } = this;
    this.bestScore = this.givenBest ?? this.findBest();
    const cutoff = this.cutoff(this.bestScore);
    const threshold = new MinCompetitiveScore(need === "all" ? [] : need);
    for (const part of query.segments) {
      const before = candidates.size;
      const { score } = threshold;
      if (allowed === null || !scoreAllowed(query, part, cutoff, allowed, candidates)) {
        const accepted = this.acceptedIn(part);
        this.count += scanSegment(query, part, { least: cutoff, low: cutoff, high: score, accepted }, candidates);
      }
      threshold.raise(candidates, before);
    }
    this.count += candidates.dropBetween(0, threshold.score);
  }

  /** The greatest score of an allowed record. */
  private findBest(): number {
    const { query, allowed } = this;
    const found = new Candidates();
    let best = this.someScore();
    for (const part of query.segments) {
      if (maxScoreIn(query, part) <= best) continue;
      found.size = 0;
      if (allowed === null || !scoreAllowed(query, part, best + 1, allowed, found)) {
        const accepted = this.acceptedIn(part);
        scanSegment(query, part, { least: best + 1, low: 0, high: 0, accepted }, found);
      }
      best = Math.max(best, found.maxScore());
    }
    return best;
  }

  /** Lists the records that hold every required term and were not found by their score. */
  private collectConjunction(): void {
    const { query, required, candidates, threshold } = this;
    const cutoff = this.matching === "auto" ? this.cutoff(this.bestScore) : Number.POSITIVE_INFINITY;
    for (const part of query.segments) {
      if (required.reduce((sum, term) => sum + this.minOf(part, term), 0) >= cutoff) continue;
      const { base } = part.segment;
      const before = candidates.size;
      const { docs, scores, size } = findConjunction(query, part, required, this.acceptedIn(part));
      for (let i = 0; i < size; i++) {
        const score = scores[i]!;
        if (score >= cutoff) continue;
        if (score < threshold.score) this.count++;
        else candidates.add(base + docs[i]!, score);
      }
      threshold.raise(candidates, before);
    }
  }

  /** The records of a segment that count. */
  private acceptedIn(part: SegmentQuery): Uint32Array | null {
    let accepted = this.accepted.get(part);
    if (accepted === undefined) {
      accepted = acceptedBits(part, this.allowed);
      this.accepted.set(part, accepted);
    }
    return accepted;
  }

  private minOf({ lists }: SegmentQuery, term: number): number {
    return this.query.weights[term]! * (lists[term]?.minImpact ?? 0);
  }

  /** A high score that some allowed record has: of those that have the greatest impact of a term. */
  private someScore(): number {
    const { query, allowed } = this;
    let best = 0;
    for (const part of query.segments) {
      const { base, deletedDocs } = part.segment;
      for (const list of part.lists) {
        if (list == null) continue;
        const doc = list.bestDoc;
        if (!deletedDocs?.has(doc) && (allowed?.has(base + doc) ?? true))
          best = Math.max(best, scoreIn(query, part, doc));
      }
    }
    return best;
  }

  /** The least score of a match by score. */
  private cutoff(bestScore: number): number {
    return Math.max(1, Math.ceil(this.ratio * bestScore));
  }
}
