// A query's terms over a corpus: the impact list of each term in each segment, and how much each term counts. A term's weight
// is its share of the query's idf as a whole number, so that every score is a sum of whole numbers below 2^31.

import { alternativesKey, type QueryTerm } from "../analysis/query-term.js";
import type { Task } from "../util/tasks.js";
import { idf, MAX_IMPACT, termMaximum } from "./bm25.js";
import type { ImpactList } from "./impact-list.js";
import type { SearchableSegment } from "./searchable-segment.js";
import type { TitleWords, WordEmbeddings } from "./title/title-words.js";
import { Vocabulary } from "./vocabulary.js";

/** The words of an index as a query sees them. */
export interface TextCorpus {
  readonly segments: readonly SearchableSegment[];
  /** Numbers given to records, deleted ones included: the length of arrays by record. */
  readonly maxDoc: number;
  /** Records that are not deleted. */
  readonly docCount: number;
  readonly k1: number;
  readonly caches: CorpusCaches;
}

/** What queries compute from a corpus and keep with it. */
export class CorpusCaches {
  /** The same corpus restricted to some fields, by their names; a limited number of them. */
  readonly restricted: Map<string, TextCorpus> = new Map();
  /** Its title words, with the embedder of the index and without. */
  readonly titleWords: Map<WordEmbeddings | null, TitleWords> = new Map();
  vocabulary: Vocabulary | undefined = undefined;
}

/** The live words of a corpus. */
export function vocabularyOf({ segments, caches }: TextCorpus): Vocabulary {
  caches.vocabulary ??= new Vocabulary(segments);
  return caches.vocabulary;
}

/** The weights of all terms add up to about this. */
const WEIGHT_SCALE = 16_384;

/** The lists of a query's terms in one segment. */
export interface SegmentQuery {
  readonly segment: SearchableSegment;
  /** By term; null: no record of the segment holds it. */
  readonly lists: readonly (ImpactList | null)[];
}

/** A query that is ready to be scored. */
export interface WeightedQuery {
  readonly corpus: TextCorpus;
  readonly terms: readonly QueryTerm[];
  readonly segments: readonly SegmentQuery[];
  /** By term, whole numbers; 0: no record holds it. */
  readonly weights: Int32Array;
  /** By term; 0: no record holds it. */
  readonly idfs: Float64Array;
  /** By term: how many records hold it. */
  readonly docFreqs: readonly number[];
  /** The score of a record that held every term without end; 0: no record holds any term. */
  readonly maxScore: number;
  /** The part that any record holds of what was asked for, by idf; words that only the embedder knows were asked for as well. */
  readonly coveredShare: number;
}

/** Weighs the terms of a query and reads the lists that no query asked for before. */
export function* weighQuery(corpus: TextCorpus, terms: readonly QueryTerm[]): Task<WeightedQuery> {
  const lists: (ImpactList | null)[][] = corpus.segments.map(() => []);
  const docFreqs: number[] = [];
  for (const term of terms) {
    let docFreq = 0;
    const key = alternativesKey(term.alternatives);
    for (const [i, segment] of corpus.segments.entries()) {
      const list = yield* segment.caches.impacts.impactsOf(term, key, segment.scoring, corpus.k1);
      lists[i]!.push(list);
      if (list !== null) docFreq += list.liveCount(segment.deletedDocs?.words ?? null);
    }
    docFreqs.push(docFreq);
  }
  const segments = corpus.segments.map((segment, i) => ({ segment, lists: lists[i]! }));
  const idfs = Float64Array.from(docFreqs, (docFreq) => (docFreq === 0 ? 0 : idf(corpus.docCount, docFreq)));
  const weights = termWeights(idfs);
  const maxScore = MAX_IMPACT * weights.reduce((sum, weight) => sum + weight, 0);
  return {
    corpus,
    terms,
    segments,
    weights,
    idfs,
    docFreqs,
    maxScore,
    coveredShare: coveredShareOf(terms, docFreqs, corpus),
  };
}

/** The idf of each term as a share of all, in steps of 1/16,384; at least one step for a term that a record holds. */
export function termWeights(idfs: Float64Array): Int32Array {
  const all = idfs.reduce((sum, one) => sum + one, 0);
  return Int32Array.from(idfs, (one) => (one === 0 ? 0 : Math.max(1, Math.floor((WEIGHT_SCALE * one) / all + 0.5))));
}

/** Words that no record holds cannot be earned; those that the embedder knows were asked for all the same. */
function coveredShareOf(
  terms: readonly QueryTerm[],
  docFreqs: readonly number[],
  { docCount, k1 }: Pick<TextCorpus, "docCount" | "k1">,
): number {
  let held = 0;
  let asked = 0;
  for (const [i, docFreq] of docFreqs.entries()) {
    const most = termMaximum(idf(docCount, docFreq), k1);
    if (docFreq > 0) held += most;
    if (docFreq > 0 || terms[i]!.knownToEmbedder === true) asked += most;
  }
  return asked === 0 ? 1 : held / asked;
}

/** The segment that holds a record. */
export function segmentAt({ segments }: WeightedQuery, doc: number): SegmentQuery {
  let low = 0;
  let high = segments.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (segments[middle]!.segment.base <= doc) low = middle;
    else high = middle - 1;
  }
  return segments[low]!;
}

/** The score of a record, by its number within its segment. */
export function scoreIn({ weights }: WeightedQuery, { lists }: SegmentQuery, doc: number): number {
  let score = 0;
  for (let i = 0; i < lists.length; i++) {
    const list = lists[i];
    if (list != null) score += weights[i]! * list.impactAt(doc);
  }
  return score;
}

/** The score of a record, by its number in the index. */
export function scoreOf(query: WeightedQuery, doc: number): number {
  const part = segmentAt(query, doc);
  return scoreIn(query, part, doc - part.segment.base);
}

/** No record of a segment scores more. */
export function maxScoreIn({ weights }: WeightedQuery, { lists }: SegmentQuery): number {
  let max = 0;
  for (let i = 0; i < lists.length; i++) max += weights[i]! * (lists[i]?.maxImpact ?? 0);
  return max;
}
