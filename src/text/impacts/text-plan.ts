// A query's terms laid out over the segments of a corpus: which list each term has in each segment, how rare it is, and what
// a record could earn at most. Everything after it is arithmetic.

import type { Task } from "../../base/tasks.js";
import { idf, termMaximum } from "../bm25.js";
import type { QueryTerm } from "../query-term.js";
import type { SearchableSegment } from "../searchable-segment.js";
import type { TermLists } from "./aging/term-lists.js";
import { type ListedCorpus, listsOf } from "./corpus-lists.js";
import type { ImpactList } from "./impact-list.js";

/** What the leg of words needs to know of the whole index. */
export interface TextCorpus extends ListedCorpus {
  /** Numbers given to records, dead ones included: the length of arrays by record. */
  readonly docSpan: number;
  /** Living records. */
  readonly docCount: number;
}

/** One segment's part of a plan. */
export interface SegmentPlan {
  readonly segment: SearchableSegment;
  /** By term; null: nobody holds it here. */
  readonly lists: readonly (ImpactList | null)[];
  /** By term its lists in all segments, of which this is number `at`. */
  readonly found: readonly TermLists[];
  readonly at: number;
}

/** A query laid out. */
export interface TextPlan {
  readonly corpus: TextCorpus;
  readonly terms: readonly QueryTerm[];
  readonly segments: readonly SegmentPlan[];
  /** By term; 0: no living record holds it. */
  readonly idfs: Float64Array;
  /** How many living records hold each term. */
  readonly docFreqs: readonly number[];
  /** What a record could earn at most; 0 when no record holds any term. */
  readonly attainable: number;
  /** How far the sum of a record's impacts in lists may be from what it earns, as a share of the attainable. */
  readonly drift: number;
  /** What part that is of what was asked for, words that only the embedder knows included. */
  readonly heldShare: number;
}

/** Lays out the terms, reading the lists that no query asked for before. */
export function* planText(corpus: TextCorpus, terms: readonly QueryTerm[]): Task<TextPlan> {
  const found: TermLists[] = [];
  const docFreqs: number[] = [];
  for (const term of terms) {
    const { lists, docFreq } = yield* listsOf(corpus, term);
    found.push(lists);
    docFreqs.push(docFreq);
  }
  const segments = corpus.segments.map((segment, at) => ({
    segment,
    lists: found.map(({ lists }) => lists[at]!),
    found,
    at,
  }));
  let drift = 0;
  for (const term of found) drift = Math.max(drift, term.drift);
  const idfs = Float64Array.from(docFreqs, (docFreq) => (docFreq === 0 ? 0 : idf(corpus.docCount, docFreq)));
  return { corpus, terms, segments, idfs, docFreqs, drift, ...maximaOf(terms, docFreqs, corpus) };
}

/** A word that nobody holds cannot be earned; one that has a meaning was asked for all the same, and is as rare as can be. */
function maximaOf(
  terms: readonly QueryTerm[],
  docFreqs: readonly number[],
  { docCount, k1 }: Pick<TextCorpus, "docCount" | "k1">,
): Pick<TextPlan, "attainable" | "heldShare"> {
  let attainable = 0;
  let asked = 0;
  for (const [i, docFreq] of docFreqs.entries()) {
    const most = termMaximum(idf(docCount, docFreq), k1);
    if (docFreq > 0) attainable += most;
    if (docFreq > 0 || terms[i]!.known === true) asked += most;
  }
  return { attainable, heldShare: asked === 0 ? 1 : attainable / asked };
}

/** The part of a plan that holds a record number. */
export function planAt({ segments }: TextPlan, doc: number): SegmentPlan {
  let low = 0;
  let high = segments.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (segments[middle]!.segment.base <= doc) low = middle;
    else high = middle - 1;
  }
  return segments[low]!;
}

/** What a record earns by words: terms are added in the order of the query, as everywhere. */
export function scoreIn({ idfs }: TextPlan, { found, at }: SegmentPlan, doc: number): number {
  let score = 0;
  for (let i = 0; i < found.length; i++) {
    const earnings = found[i]!.earningsAt(at);
    if (earnings !== null) score += idfs[i]! * earnings.impactOf(doc);
  }
  return score;
}

/** The same of many records of the whole index, which ascend: list by list, so that each is opened once a segment. */
export function scoresIn({ segments, idfs }: TextPlan, docs: Uint32Array): Float64Array {
  const scores = new Float64Array(docs.length);
  let from = 0;
  for (let at = 0; at < segments.length && from < docs.length; at++) {
    const { segment, found } = segments[at]!;
    const end = segment.base + segment.postings.docCount;
    let to = from;
    while (to < docs.length && docs[to]! < end) to++;
    const run = { docs, from, to, base: segment.base };
    if (to > from) for (let i = 0; i < found.length; i++) found[i]!.earningsAt(at)?.addImpacts(run, idfs[i]!, scores);
    from = to;
  }
  return scores;
}

/** No record earns more than this by impacts in lists: the most that its terms add in a segment. */
export function mostScore({ segments, idfs }: TextPlan): number {
  let most = 0;
  for (const { lists } of segments) {
    let sum = 0;
    for (let i = 0; i < lists.length; i++) sum += idfs[i]! * (lists[i]?.most ?? 0);
    if (sum > most) most = sum;
  }
  return most;
}

/** How often a term and a living record come together, over all terms. */
export function postingsOf({ docFreqs }: TextPlan): number {
  let postings = 0;
  for (const docFreq of docFreqs) postings += docFreq;
  return postings;
}
