// Prepares a query for scoring: finds the impact list of each term in each segment, and the weight of each term. A weight is
// the term's share of the query's idf as a whole number, so every score is a sum of whole numbers below 2^31.

import { alternativesKey, type QueryTerm, type TermAlternative } from "../analysis/query-term.js";
import { PAIR_MARK, QUANTITY_MARK } from "../analysis/scan-tokens.js";
import { type Doc, type LocalDoc, toLocal } from "../util/doc-set.js";
import { type Task, waitFor } from "../util/tasks.js";
import { idf, MAX_IMPACT, termMaximum } from "./bm25.js";
import { type ImpactList, intersectLists, readImpacts, uniteLists } from "./impact-list.js";
import { type ListBits, listOf, readList } from "./postings.js";
import type { WeightedList } from "./score-kernel.js";
import type { SearchableSegment, TextSearcher } from "./text-searcher.js";

/** The approximate sum of the weights of a query's terms. */
const WEIGHT_SCALE = 16_384;

/** The part of a query in one segment, its *leaf*: the impact lists of its terms. */
export interface SegmentQuery {
  readonly segment: SearchableSegment;
  /** By term; null: no record of the segment holds it. */
  readonly lists: readonly (ImpactList | null)[];
  /** A cache: see `weightedLists`. */
  weighted?: readonly WeightedList[];
}

/** A query that is ready for scoring. */
export interface WeightedQuery {
  readonly searcher: TextSearcher;
  readonly terms: readonly QueryTerm[];
  readonly segments: readonly SegmentQuery[];
  /** By term, whole numbers; 0: no record holds it. */
  readonly weights: Int32Array;
  /** By term; 0: no record holds it. */
  readonly idfs: Float64Array;
  /** By term: how many records hold it. */
  readonly docFreqs: readonly number[];
  /** The score of a record in which every term has the greatest impact; 0: no record holds any term. */
  readonly maxScore: number;
  /**
   * The share of the query that the index can match by words: the idf of the terms that some record holds, divided by the idf
   * of these terms and of the terms that only the embedder knows.
   */
  readonly coveredShare: number;
  /** Terms that lower the scores of the matches, which are then all listed; its weights are on the same scale. */
  readonly unlike: WeightedQuery | null;
  /** A cache: see {@link areHeldTogether}. */
  heldTogether?: boolean;
}

/**
 * Weighs the terms of a query. Reads the impact lists that are not cached. `strengths`: how much each term counts besides its idf;
 * `sum`: what the weights are shares of, if not of the idfs times these.
 */
export function* weighQuery(
  searcher: TextSearcher,
  terms: readonly QueryTerm[],
  strengths?: Float64Array,
  sum?: number,
): Task<WeightedQuery> {
  const docFreqs = terms.map(() => 0);
  /** By term: the records beyond the bounds that hold it. */
  const unseen = terms.map(() => 0);
  const keys = terms.map((term) => alternativesKey(term.alternatives));
  const readers = searcher.segments.map((segment) => new LeafReader(segment));
  // Posting lists in files are read all at the same time.
  const reads = readers.flatMap((reader) => reader.fetch(terms, keys));
  if (reads.length > 0) yield* waitFor(Promise.all(reads));
  const segments: SegmentQuery[] = [];
  for (let i = 0; i < readers.length; i++) {
    const segment = searcher.segments[i]!;
    const lists: (ImpactList | null)[] = [];
    for (let place = 0; place < terms.length; place++) {
      const known = segment.caches.impacts.find(keys[place]!, segment.scoring);
      const list = known === undefined ? yield* readers[i]!.impactsOf(terms[place]!, keys[place]!) : known;
      lists.push(list);
      if (list !== null) docFreqs[place]! += list.liveCount(segment.deletedDocs?.words ?? null);
    }
    segments.push({ segment, lists });
  }
  for (let i = 0; i < readers.length; i++)
    if (searcher.segments[i]!.uncountedDocs !== undefined)
      for (let place = 0; place < terms.length; place++)
        // What no record within the bounds holds is as if no record held it.
        if (docFreqs[place]! > 0) unseen[place]! += yield* readers[i]!.countUnseen(terms[place]!);
  for (let place = 0; place < terms.length; place++)
    docFreqs[place] = Math.min(searcher.docCount, docFreqs[place]! + unseen[place]!);
  const idfs = Float64Array.from(docFreqs, (docFreq) => (docFreq === 0 ? 0 : idf(searcher.docCount, docFreq)));
  const counted = strengths === undefined ? idfs : idfs.map((one, i) => one * strengths[i]!);
  const weights = termWeights(counted, sum);
  const maxScore = MAX_IMPACT * weights.reduce((sum, weight) => sum + weight, 0);
  return {
    searcher,
    terms,
    segments,
    weights,
    idfs,
    docFreqs,
    maxScore,
    coveredShare: coveredShareOf(terms, docFreqs, searcher),
    unlike: null,
  };
}

/** Finds the impact lists of query terms in one segment. */
class LeafReader {
  private readonly segment: SearchableSegment;
  /** Posting lists that were read from a file, by the ordinal of their term. */
  private fetched: Map<number, ListBits> | undefined;

  constructor(segment: SearchableSegment) {
    this.segment = segment;
  }

  /** Begins to read the posting lists that will be needed and are in a file. `keys`: the keys of the terms' alternatives. */
  fetch(terms: readonly QueryTerm[], keys: readonly string[]): Promise<void>[] {
    const { lists, starts, dictionary } = this.segment.postings;
    if ("words" in lists) return [];
    const fetched = new Map<number, ListBits>();
    this.fetched = fetched;
    const needed = new Set<number>();
    for (const [i, { alternatives }] of terms.entries())
      if (!this.isKnown(keys[i]!))
        for (const alternative of alternatives)
          for (const text of alternative.terms) {
            const term = dictionary.ordinalOf(text);
            if (term !== undefined && !this.isKnown(keyOfTerm(text, alternative))) needed.add(term);
          }
    return Array.from(needed, (term) => readList(lists, starts, term).then((bits) => void fetched.set(term, bits)));
  }

  private isKnown(key: string): boolean {
    return this.segment.caches.impacts.has(key, this.segment.scoring);
  }

  /**
   * The impact list of a query term; null if no record holds it in a searched field. A record scores by its best alternative, and an
   * alternative of several index terms by its weakest term. `key`: the key of the alternatives.
   */
  *impactsOf({ alternatives }: QueryTerm, key: string): Task<ImpactList | null> {
    const { segment } = this;
    const [first] = alternatives;
    if (alternatives.length === 1 && first!.terms.length === 1) return yield* this.read(first!.terms[0]!, first!, key);
    const found: ImpactList[] = [];
    for (const alternative of alternatives) {
      const list = yield* this.ofAll(alternative);
      if (list !== null) found.push(list);
      yield;
    }
    const list = found.length === 0 ? null : uniteLists(found, segment.postings.maxDoc);
    segment.caches.impacts.keep(key, list, segment.scoring);
    return list;
  }

  /**
   * How many records beyond the bounds hold a query term, as the sum over its index terms, so that it does not tell which words stand
   * together in one of these records: several index terms that must all be held are not counted, nor are those of two neighbours.
   */
  *countUnseen({ alternatives }: QueryTerm): Task<number> {
    const { deletedDocs, uncountedDocs } = this.segment;
    let unseen = 0;
    const counted = new Set<string>();
    for (const alternative of alternatives) {
      const [text] = alternative.terms as [string];
      // Terms for words that are side by side: "ps 5", "18 V".
      const isOfNeighbours = text[0] === PAIR_MARK || text[0] === QUANTITY_MARK;
      if (alternative.terms.length > 1 || isOfNeighbours || counted.has(text)) continue;
      counted.add(text);
      const list = yield* this.ofAll(alternative);
      if (list === null) continue;
      unseen += list.liveCount(uncountedDocs?.words ?? null) - list.liveCount(deletedDocs!.words);
    }
    return unseen;
  }

  /** The list of the records that hold all index terms of an alternative. */
  private *ofAll(alternative: TermAlternative): Task<ImpactList | null> {
    const { scoring, caches } = this.segment;
    const lists: ImpactList[] = [];
    for (const text of alternative.terms) {
      const key = keyOfTerm(text, alternative);
      const known = caches.impacts.find(key, scoring);
      const list = known === undefined ? yield* this.read(text, alternative, key) : known;
      if (list === null) return null;
      lists.push(list);
      yield;
    }
    return lists.length === 1 ? lists[0]! : intersectLists(lists);
  }

  /** Computes the list of one index term. */
  private *read(text: string, { weight, notIn }: TermAlternative, key: string): Task<ImpactList | null> {
    const { postings, scoring, caches } = this.segment;
    const term = postings.dictionary.ordinalOf(text);
    if (term === undefined) return null;
    const bits = this.fetched?.get(term) ?? (yield* listOf(postings, term));
    const list = readImpacts(postings, { term, bits }, caches.impacts.factorsOf(scoring, notIn), weight);
    caches.impacts.keep(key, list, scoring);
    return list;
  }
}

/** The key of one index term of an alternative. */
function keyOfTerm(text: string, alternative: TermAlternative): string {
  return alternativesKey([{ ...alternative, terms: [text] }]);
}

/** The idf of each term as a share of the sum, in steps of 1/16,384; at least one step for a term that some record holds. */
export function termWeights(idfs: Float64Array, all: number = idfs.reduce((sum, one) => sum + one, 0)): Int32Array {
  return Int32Array.from(idfs, (one) => (one === 0 ? 0 : Math.max(1, Math.floor((WEIGHT_SCALE * one) / all + 0.5))));
}

/** See {@link WeightedQuery.coveredShare}; 1 if there are no such terms. */
export function coveredShareOf(
  terms: readonly QueryTerm[],
  docFreqs: readonly number[],
  { docCount, k1 }: Pick<TextSearcher, "docCount" | "k1">,
): number {
  let covered = 0;
  let all = 0;
  for (const [i, docFreq] of docFreqs.entries()) {
    const most = termMaximum(idf(docCount, docFreq), k1);
    if (docFreq > 0) covered += most;
    if (docFreq > 0 || terms[i]!.knownToEmbedder === true) all += most;
  }
  return all === 0 ? 1 : covered / all;
}

/** Whether some live record holds all terms that are not optional; if all are, any of them. */
export function* areHeldTogether(query: WeightedQuery): Task<boolean> {
  query.heldTogether ??= yield* findHolder(query);
  return query.heldTogether;
}

function* findHolder({ terms, docFreqs, segments }: WeightedQuery): Task<boolean> {
  const needed = [...terms.keys()].filter((i) => terms[i]!.optional !== true);
  if (needed.length === 0) return docFreqs.some((docFreq) => docFreq > 0);
  if (needed.some((i) => docFreqs[i] === 0)) return false;
  for (const leaf of segments) {
    if (isHeldTogether(leaf, needed)) return true;
    yield;
  }
  return false;
}

function isHeldTogether({ segment: { deletedDocs }, lists }: SegmentQuery, needed: readonly number[]): boolean {
  const there = needed.flatMap((i) => lists[i] ?? []);
  if (there.length < needed.length) return false;
  const [shortest, ...others] = there.sort((a, b) => a.size - b.size);
  for (const doc of shortest!.docs)
    if (others.every((list) => list.has(doc as LocalDoc)) && deletedDocs?.has(doc as LocalDoc) !== true) return true;
  return false;
}

/** The segment that holds a record. */
export function segmentAt({ segments }: WeightedQuery, doc: Doc): SegmentQuery {
  let low = 0;
  let high = segments.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (segments[middle]!.segment.base <= doc) low = middle;
    else high = middle - 1;
  }
  return segments[low]!;
}

/** The score of a record. `doc`: its number within the segment. */
export function scoreIn({ weights }: WeightedQuery, { lists }: SegmentQuery, doc: LocalDoc): number {
  let score = 0;
  for (let i = 0; i < lists.length; i++) {
    const list = lists[i];
    if (list != null) score += weights[i]! * list.impactAt(doc);
  }
  return score;
}

/** The score of a record. `doc`: its number in the index. */
export function scoreOf(query: WeightedQuery, doc: Doc): number {
  const leaf = segmentAt(query, doc);
  return scoreIn(query, leaf, toLocal(leaf.segment.base, doc));
}

/** An upper bound of the scores of a segment's records. */
export function maxScoreIn({ weights }: WeightedQuery, { lists }: SegmentQuery): number {
  let max = 0;
  for (let i = 0; i < lists.length; i++) max += weights[i]! * (lists[i]?.maxImpact ?? 0);
  return max;
}
