// Finds the records that match a query by words: their number, and a list of those that are needed, with their scores.
//
// A record *matches* if it holds every term of the query that is not optional or, depending on `matching`, any term (`any`) or
// terms with a share of the best score (`auto`). Every match is counted. A match is *listed* if it competes for each of some
// ranks, such as the last of the page: its score is at least that of the match at this rank, less a slack. The others are only
// counted, so most of their scores are never computed. Without ranks, every match is listed.

import { type Doc, type DocArray, DocSet, type LocalDoc, toDoc, toLocal } from "../util/doc-set.js";
import { keptIn } from "../util/kept.js";
import type { Task } from "../util/tasks.js";
import { GreatestNumbers } from "../util/top-k.js";
import {
  acceptedBits,
  addHolders,
  countHolders,
  type FoundDocs,
  findConjunction,
  scanSegment,
  scoreAllowed,
} from "./max-score.js";
import { maxScoreIn, type SegmentQuery, scoreIn, scoreOf, segmentAt, type WeightedQuery } from "./weigh-terms.js";

/** Scores lowered between two pauses. */
const LOWERED_AT_ONCE = 1 << 12;

/** Which records match. */
export interface MatchRule {
  readonly matching: "auto" | "all" | "any";
  /** For `auto`: the share of the best score from which on a record matches. */
  readonly ratio: number;
}

/** A match competes for this rank if its score is at least that of the `count`-th best match, less `slack`. */
export interface CompetitiveRank {
  readonly count: number;
  readonly slack: number;
}

/** Whether a record holds every term of a query that is not optional. */
export function holdsAllTerms(query: WeightedQuery): (doc: Doc) => boolean {
  const required = requiredTerms(query);
  if (required.length === 0) return () => true;
  return (doc) => {
    const leaf = segmentAt(query, doc);
    return holdsTerms(required, leaf, toLocal(leaf.segment.base, doc));
  };
}

/** The indexes of the terms that are not optional. */
function requiredTerms({ terms }: WeightedQuery): readonly number[] {
  return terms.flatMap(({ optional }, i) => (optional === true ? [] : [i]));
}

function holdsTerms(terms: readonly number[], { lists }: SegmentQuery, doc: LocalDoc): boolean {
  return terms.every((term) => lists[term]?.has(doc) === true);
}

/** Whether a record holds one of some terms of a query, by their indexes. */
export function holdsAny(terms: readonly number[], query: WeightedQuery, doc: Doc): boolean {
  const { segment, lists } = segmentAt(query, doc);
  return terms.some((term) => lists[term]?.has(toLocal(segment.base, doc)) === true);
}

/** Whether a record with any of the terms matches. */
export function isAnyEnough({ terms }: WeightedQuery, matching: MatchRule["matching"]): boolean {
  return matching === "any" || terms.length === 1 || terms.every(({ optional }) => optional === true);
}

/**
 * Finds the matches among the allowed records; null: among all that are not deleted. Lists those that compete for each of these
 * ranks; all, if there are none. `bestScore`: the greatest score of these records, if it is known.
 */
export function* findMatches(
  query: WeightedQuery,
  rule: MatchRule,
  allowed: DocSet<Doc> | null,
  ranks: readonly CompetitiveRank[] = [],
  bestScore?: number,
): Task<TextMatches> {
  const matches = new TextMatches(query, rule, allowed, bestScore);
  yield* matches.collect(ranks);
  return matches;
}

/** The matches of a query by words. */
export class TextMatches {
  readonly query: WeightedQuery;
  /** The number of matches. */
  count = 0;
  /** The matches that are listed, in any order. */
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
    this.required = requiredTerms(query);
  }

  /** The score of any record as a share of the maximum score. */
  shareOf(doc: Doc): number {
    const { query } = this;
    return query.maxScore === 0 ? 0 : this.lowered(doc, scoreOf(query, doc)) / query.maxScore;
  }

  /** A score without what the terms that lower it take away. */
  private lowered(doc: Doc, score: number): number {
    const { unlike } = this.query;
    return unlike === null ? score : Math.max(0, score - scoreOf(unlike, doc));
  }

  /** Whether a record matches; it must be allowed and not deleted. */
  isMatch(doc: Doc): boolean {
    const leaf = segmentAt(this.query, doc);
    const inSegment = toLocal(leaf.segment.base, doc);
    const score = scoreIn(this.query, leaf, inSegment);
    if (score === 0) return false;
    if (this.matching === "any") return true;
    if (this.matching === "auto" && score >= this.cutoff) return true;
    return holdsTerms(this.required, leaf, inSegment);
  }

  /** All matches. Unless any term is enough, they must have been listed. */
  toSet(): DocSet<Doc> {
    const { query, candidates } = this;
    const set = new DocSet<Doc>(query.searcher.maxDoc);
    if (this.matching !== "any") return set.addAll(candidates.docs.subarray(0, candidates.size));
    for (const leaf of query.segments) addHolders(leaf, this.acceptedIn(leaf), set);
    return set;
  }

  /** Counts the matches, and lists those that compete for each of these ranks. To be called once. */
  *collect(ranks: readonly CompetitiveRank[]): Task<void> {
    const { query, matching, candidates } = this;
    if (query.maxScore === 0) return;
    const needed = new MinCompetitiveScore(ranks);
    if (matching === "any") this.count = yield* this.collectAny(needed);
    else {
      const unlisted = (yield* this.collectByScore(needed)) + (yield* this.collectConjunction(needed));
      this.count = unlisted + candidates.size;
    }
    candidates.keepFrom(needed.score);
    if (query.unlike !== null) yield* this.lowerAll();
  }

  private *lowerAll(): Task<void> {
    const { docs, scores, size } = this.candidates;
    for (let i = 0; i < size; i++) {
      if ((i + 1) % LOWERED_AT_ONCE === 0) yield;
      scores[i] = this.lowered(docs[i]! as Doc, scores[i]!);
    }
  }

  /** Lists the records that hold any term, from the needed score on. Returns the number of all of them. */
  private *collectAny(needed: MinCompetitiveScore): Task<number> {
    const { query, allowed, candidates } = this;
    let count = 0;
    for (const leaf of query.segments) {
      const { base } = leaf.segment;
      const few = allowed === null ? null : scoreAllowed(query, leaf, 1, allowed);
      if (few !== null) {
        needed.raise(few);
        candidates.addFound(few, base, 0, needed.score);
        count += few.size;
      } else {
        const accepted = this.acceptedIn(leaf);
        const least = Math.max(1, needed.score);
        const found = scanSegment(query, leaf, { least, low: 0, high: 0, accepted });
        needed.raise(found);
        candidates.addFound(found, base, 0, needed.score);
        // A scan with a higher bound does not tell how many records are below it.
        count += least > 1 ? countHolders(query, leaf, accepted) : found.size;
      }
      candidates.keepFrom(needed.score);
      yield;
    }
    return count;
  }

  /** Lists the records that match by their score. Returns the number of matches that it did not list, because they are not needed. */
  private *collectByScore(needed: MinCompetitiveScore): Task<number> {
    const { query, candidates } = this;
    if (this.matching !== "auto") return 0;
    this.bestScore = this.knownBest ?? (yield* this.findBest());
    const { cutoff } = this;
    let unlisted = 0;
    for (const leaf of query.segments) {
      const found = this.find(leaf, cutoff, needed.score);
      needed.raise(found);
      unlisted += found.counted + candidates.addFound(found, leaf.segment.base, cutoff, needed.score);
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
    const { query } = this;
    let best = this.someHighScore();
    for (const leaf of query.segments) {
      if (maxScoreIn(query, leaf) <= best) continue;
      const { scores, size } = this.find(leaf, best + 1);
      for (let i = 0; i < size; i++) if (scores[i]! > best) best = scores[i]!;
      yield;
    }
    return best;
  }

  /** The accepted records of a segment with a score of at least `least`. Of those below `needed`, some are only counted. */
  private find(leaf: SegmentQuery, least: number, needed = 0): FoundDocs {
    const { query, allowed } = this;
    const few = allowed === null ? null : scoreAllowed(query, leaf, least, allowed);
    return few ?? scanSegment(query, leaf, { least, low: least, high: needed, accepted: this.acceptedIn(leaf) });
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
    return keptIn(this.accepted, leaf, () => acceptedBits(leaf, this.allowed));
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

/** The least score with which a match competes for each of some ranks. It rises as matches are listed, as in Lucene's collectors. */
class MinCompetitiveScore {
  /** Matches with a lower score are not needed. */
  score = 0;
  private readonly ranks: readonly { readonly best: GreatestNumbers; readonly slack: number }[];

  constructor(ranks: readonly CompetitiveRank[]) {
    this.ranks = [...ranks]
      .sort((a, b) => a.count - b.count)
      .filter(({ count }) => count <= MOST_FOLLOWED)
      .map(({ count, slack }) => ({ best: new GreatestNumbers(Math.max(1, count)), slack }));
  }

  /** Takes the matches from the index `from` on into account. Each match must be passed once. */
  raise({ scores, size }: Pick<FoundDocs, "scores" | "size">, from = 0): void {
    for (const { best, slack } of this.ranks) {
      // The smallest rank comes first: the others need not look at the candidates that it excludes.
      const { score } = this;
      for (let i = from; i < size; i++) if (scores[i]! >= score) best.add(scores[i]!);
      this.score = Math.max(score, best.least - slack);
    }
  }
}

/** Ranks with a greater count, those of deep pages, are ignored: keeping so large a heap would take longer than it saves. */
const MOST_FOLLOWED = 10_000;
const FIRST_CAPACITY = 1024;
/** For a greater rank, quickselect finds the score faster than a heap. */
const MOST_IN_HEAP = 64;

/** A growing list of records, by their numbers in the index, with their scores. */
export class Candidates {
  /** Only the first `size` are valid. They are ascending runs, one or two in practice. */
  docs: Uint32Array = new Uint32Array(FIRST_CAPACITY);
  scores: Int32Array = new Int32Array(FIRST_CAPACITY);
  size = 0;

  /** Adds records of a segment. Those with `low` <= score < `high` are only counted. Returns their number. */
  addFound(found: Omit<FoundDocs, "counted">, base: number, low = 0, high = 0): number {
    this.reserve(found.size);
    const { docs, scores } = this;
    let size = this.size;
    for (let i = 0; i < found.size; i++) {
      const score = found.scores[i]!;
      docs[size] = base + found.docs[i]!;
      scores[size] = score;
      if (score < low || score >= high) size++; // else the next record overwrites it
    }
    const counted = found.size - (size - this.size);
    this.size = size;
    return counted;
  }

  add(doc: Doc, score: number): void {
    this.reserve(1);
    this.docs[this.size] = doc;
    this.scores[this.size++] = score;
  }

  /** The score that a match must reach to be needed by each of some ranks. */
  thresholdFor(ranks: readonly CompetitiveRank[]): number {
    let threshold = 0;
    for (const { count, slack } of ranks)
      if (count <= this.size) threshold = Math.max(threshold, this.scoreAtRank(Math.max(1, count)) - slack);
    return threshold;
  }

  private scoreAtRank(rank: number): number {
    const { scores, size } = this;
    if (rank > MOST_IN_HEAP) return nthGreatest(scores.slice(0, size), rank);
    const best = new GreatestNumbers(rank);
    for (let i = 0; i < size; i++) best.add(scores[i]!);
    return Math.max(0, best.least);
  }

  /** Keeps the records with a score of at least `least`. */
  keepFrom(least: number): void {
    const { docs, scores } = this;
    let size = 0;
    for (let i = 0; i < this.size; i++) {
      const score = scores[i]!;
      docs[size] = docs[i]!;
      scores[size] = score;
      if (score >= least) size++;
    }
    this.size = size;
  }

  /** Keeps the records that are in a set. */
  keepAmong({ words }: DocSet<Doc>): void {
    const { docs, scores } = this;
    let size = 0;
    for (let i = 0; i < this.size; i++) {
      const doc = docs[i]!;
      docs[size] = doc;
      scores[size] = scores[i]!;
      size += (words[doc >>> 5]! >>> (doc & 31)) & 1;
    }
    this.size = size;
  }

  /** The records, ascending, with their scores. */
  inOrder(): { readonly docs: DocArray<Doc>; readonly scores: Int32Array } {
    let run = { docs: this.docs.slice(0, this.size), scores: this.scores.slice(0, this.size) };
    // A second run has the records that match because they hold every required term.
    for (let from = endOfRun(run.docs, 0); from < this.size; from = endOfRun(run.docs, 0))
      run = mergeSecondRun(run, from);
    return { docs: run.docs as DocArray<Doc>, scores: run.scores };
  }

  private reserve(more: number): void {
    if (this.size + more <= this.docs.length) return;
    const capacity = Math.max(this.size + more, 2 * this.docs.length);
    const docs = new Uint32Array(capacity);
    const scores = new Int32Array(capacity);
    docs.set(this.docs.subarray(0, this.size));
    scores.set(this.scores.subarray(0, this.size));
    this.docs = docs;
    this.scores = scores;
  }
}

/** The end, exclusive, of the ascending run that begins at `from`. */
function endOfRun(docs: Uint32Array, from: number): number {
  let at = Math.min(docs.length, from + 1);
  while (at < docs.length && docs[at]! >= docs[at - 1]!) at++;
  return at;
}

/** Merges the run that begins at `second` into the records before it, which ascend. */
function mergeSecondRun(
  { docs, scores }: { readonly docs: Uint32Array; readonly scores: Int32Array },
  second: number,
): { readonly docs: Uint32Array<ArrayBuffer>; readonly scores: Int32Array<ArrayBuffer> } {
  const end = endOfRun(docs, second);
  const merged = { docs: docs.slice(), scores: scores.slice() };
  for (let to = 0, i = 0, j = second; to < end; to++) {
    const from = j >= end || (i < second && docs[i]! < docs[j]!) ? i++ : j++;
    merged.docs[to] = docs[from]!;
    merged.scores[to] = scores[from]!;
  }
  return merged;
}

/** The n-th greatest number; reorders the numbers (quickselect: Hoare, "Algorithm 65: Find", 1961). */
function nthGreatest(numbers: Int32Array, n: number): number {
  let low = 0;
  let high = numbers.length - 1;
  const rank = n - 1;
  while (low < high) {
    const pivot = numbers[(low + high) >>> 1]!;
    let i = low;
    let j = high;
    while (i <= j) {
      while (numbers[i]! > pivot) i++;
      while (numbers[j]! < pivot) j--;
      if (i > j) break;
      const number = numbers[i]!;
      numbers[i++] = numbers[j]!;
      numbers[j--] = number;
    }
    if (rank <= j) high = j;
    else if (rank >= i) low = i;
    else break;
  }
  return numbers[rank]!;
}
