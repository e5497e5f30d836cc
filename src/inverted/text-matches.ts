// Finds the records that match a query by words, their number and their scores. A record matches if it holds every term of the
// query that is not optional or, depending on `matching`, any term (`any`) or terms with a share of the best score (`auto`).

import { type Doc, type LocalDoc, toDoc, toLocal } from "../util/doc.js";
import { DocSet } from "../util/doc-set.js";
import type { Task } from "../util/tasks.js";
import { Candidates, type CompetitiveRank, MinCompetitiveScore } from "./candidates.js";
import { acceptedBits, addUnion, countUnion, findConjunction, scanSegment, scoreAllowed } from "./max-score.js";
import { maxScoreIn, type SegmentQuery, scoreIn, scoreOf, segmentAt, type WeightedQuery } from "./weighted-query.js";

/** Which records match. */
export interface MatchRule {
  readonly matching: "auto" | "all" | "any";
  /** For `auto`: the share of the best score from which on a record matches. */
  readonly ratio: number;
}

/** Which matches to list: all, or at least every match that competes for each of some ranks. */
export type MatchNeed = "all" | readonly CompetitiveRank[];

/** Whether a record with any of the terms matches. */
export function isAnyEnough({ terms }: WeightedQuery, matching: MatchRule["matching"]): boolean {
  return matching === "any" || terms.length === 1 || terms.every(({ optional }) => optional === true);
}

/**
 * Finds the matches among the allowed records; null: among all that are not deleted. `bestScore`: the greatest score of these
 * records, if it is known.
 */
export function* findMatches(
  query: WeightedQuery,
  rule: MatchRule,
  allowed: DocSet<Doc> | null,
  need: MatchNeed,
  bestScore?: number,
): Task<TextMatches> {
  const matches = new TextMatches(query, rule, allowed, bestScore);
  yield* matches.collect(need);
  return matches;
}

/** The matches of a query by words. */
export class TextMatches {
  readonly query: WeightedQuery;
  /** The number of matches. */
  count = 0;
  /** The matches that were asked for, in any order. */
  readonly candidates: Candidates = new Candidates();
  /** The greatest score of an accepted record; 0 if the matches do not depend on it. */
  bestScore = 0;
  private readonly matching: MatchRule["matching"];
  private readonly ratio: number;
  private readonly allowed: DocSet<Doc> | null;
  private readonly knownBest: number | undefined;
  private readonly accepted = new Map<SegmentQuery, Uint32Array | null>();
  /** The indexes of the terms that are not optional. */
  private readonly required: readonly number[];

  constructor(query: WeightedQuery, { matching, ratio }: MatchRule, allowed: DocSet<Doc> | null, bestScore?: number) {
    this.query = query;
    this.matching = isAnyEnough(query, matching) ? "any" : matching;
    this.ratio = ratio;
    this.allowed = allowed;
    this.knownBest = bestScore;
    this.required = query.terms.flatMap(({ optional }, i) => (optional === true ? [] : [i]));
  }

  /** The score of any record as a share of the maximum score. */
  shareOf(doc: Doc): number {
    return this.query.maxScore === 0 ? 0 : scoreOf(this.query, doc) / this.query.maxScore;
  }

  /** Whether a record matches; it must be allowed and not deleted. */
  isMatch(doc: Doc): boolean {
    const leaf = segmentAt(this.query, doc);
    const inSegment = toLocal(leaf.segment.base, doc);
    const score = scoreIn(this.query, leaf, inSegment);
    if (score === 0) return false;
    if (this.matching === "any") return true;
    if (this.matching === "auto" && score >= this.cutoff) return true;
    return this.required.every((term) => leaf.lists[term]?.has(inSegment) === true);
  }

  /** All matches. Unless any term is enough, they must have been listed. */
  toSet(): DocSet<Doc> {
    const { query, candidates } = this;
    const set = new DocSet<Doc>(query.corpus.maxDoc);
    if (this.matching !== "any") return set.addAll(candidates.docs.subarray(0, candidates.size));
    for (const leaf of query.segments) addUnion(leaf, this.acceptedIn(leaf), set);
    return set;
  }

  /** Counts the matches, and lists those that are needed. To be called once. */
  *collect(need: MatchNeed): Task<void> {
    const { query, matching, candidates } = this;
    if (query.maxScore === 0) return;
    const needed = new MinCompetitiveScore(need === "all" ? [] : need);
    if (matching === "any") this.count = yield* this.collectAny(needed);
    else {
      const unlisted = (yield* this.collectByScore(needed)) + (yield* this.collectConjunction(needed));
      this.count = unlisted + candidates.size;
    }
    candidates.keepFrom(needed.score);
  }

  /** Lists the records that hold any term, from the needed score on. Returns the number of all of them. */
  private *collectAny(needed: MinCompetitiveScore): Task<number> {
    const { query, allowed, candidates } = this;
    let count = 0;
    for (const leaf of query.segments) {
      const before = candidates.size;
      if (allowed !== null && scoreAllowed(query, leaf, 1, allowed, candidates)) count += candidates.size - before;
      else {
        const accepted = this.acceptedIn(leaf);
        const least = Math.max(1, needed.score);
        scanSegment(query, leaf, { least, low: 0, high: 0, accepted }, candidates);
        // A scan with a higher bound does not tell how many records are below it.
        count += least > 1 ? countUnion(query, leaf, accepted) : candidates.size - before;
      }
      needed.raise(candidates, before);
      candidates.keepFrom(needed.score);
      yield;
    }
    return count;
  }

  /** Lists the records that match by their score. Returns the number of matches that it did not list, because they are not needed. */
  private *collectByScore(needed: MinCompetitiveScore): Task<number> {
    const { query, candidates, allowed } = this;
    if (this.matching !== "auto") return 0;
    this.bestScore = this.knownBest ?? (yield* this.findBest());
    const { cutoff } = this;
    let unlisted = 0;
    for (const leaf of query.segments) {
      const before = candidates.size;
      if (allowed === null || !scoreAllowed(query, leaf, cutoff, allowed, candidates)) {
        const accepted = this.acceptedIn(leaf);
        unlisted += scanSegment(query, leaf, { least: cutoff, low: cutoff, high: needed.score, accepted }, candidates);
      }
      needed.raise(candidates, before);
      yield;
    }
    return unlisted;
  }

  /**
   * Lists the records that match only because they hold every required term. Returns the number of matches that it did not
   * list.
   */
  private *collectConjunction(needed: MinCompetitiveScore): Task<number> {
    const { query, required, candidates } = this;
    if (required.some((term) => query.docFreqs[term]! === 0)) return 0;
    const cutoff = this.matching === "auto" ? this.cutoff : Number.POSITIVE_INFINITY;
    let unlisted = 0;
    for (const leaf of query.segments) {
      // Every record with all of these terms reaches the cutoff, so it is listed already.
      if (required.reduce((sum, term) => sum + this.minScoreOf(term, leaf), 0) >= cutoff) continue;
      const before = candidates.size;
      const { docs, scores, size } = findConjunction(query, leaf, required, this.acceptedIn(leaf));
      for (let i = 0; i < size; i++) {
        const score = scores[i]!;
        if (score >= cutoff) continue;
        if (score < needed.score) unlisted++;
        else candidates.add(toDoc(leaf.segment.base, docs[i]! as LocalDoc), score);
      }
      needed.raise(candidates, before);
      yield;
    }
    return unlisted;
  }

  /** The greatest score of an accepted record. */
  private *findBest(): Task<number> {
    const { query, allowed } = this;
    const found = new Candidates();
    let best = this.someHighScore();
    for (const leaf of query.segments) {
      if (maxScoreIn(query, leaf) <= best) continue;
      found.size = 0;
      if (allowed === null || !scoreAllowed(query, leaf, best + 1, allowed, found)) {
        const accepted = this.acceptedIn(leaf);
        scanSegment(query, leaf, { least: best + 1, low: 0, high: 0, accepted }, found);
      }
      best = Math.max(best, found.maxScore());
      yield;
    }
    return best;
  }

  /** A high score of some accepted record: the greatest among the best records of each term in each segment. */
  private someHighScore(): number {
    const { query, allowed } = this;
    let best = 0;
    for (const leaf of query.segments) {
      const { base, deletedDocs } = leaf.segment;
      for (const list of leaf.lists) {
        if (list == null) continue;
        const doc = list.bestDoc;
        if (!deletedDocs?.has(doc) && (allowed?.has(toDoc(base, doc)) ?? true))
          best = Math.max(best, scoreIn(query, leaf, doc));
      }
    }
    return best;
  }

  /** See `acceptedBits`; computed once for each segment. */
  private acceptedIn(leaf: SegmentQuery): Uint32Array | null {
    let accepted = this.accepted.get(leaf);
    if (accepted === undefined) {
      accepted = acceptedBits(leaf, this.allowed);
      this.accepted.set(leaf, accepted);
    }
    return accepted;
  }

  /** The least that a term adds to the score of a record that holds it. */
  private minScoreOf(term: number, { lists }: SegmentQuery): number {
    return this.query.weights[term]! * (lists[term]?.minImpact ?? 0);
  }

  /** For `auto`: the score from which on a record matches. */
  private get cutoff(): number {
    return Math.max(1, Math.ceil(this.ratio * this.bestScore));
  }
}
