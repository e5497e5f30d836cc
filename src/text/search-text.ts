// The leg of words: BM25F of every record that holds a term of the query, and who is a member by words.
// Terms are added in the order of the query, fields in the order of their names: the same bits in every segmentation.

import { idf, saturate, termMaximum } from "./bm25.js";
import { type Matches, matchTerm, type SearchableSegment } from "./match-term.js";
import type { QueryTerm } from "./query-term.js";

/** What the leg needs to know of the whole index. */
export interface TextCorpus {
  readonly segments: readonly SearchableSegment[];
  /** Numbers given to records, dead ones included: the length of arrays by record. */
  readonly docSpan: number;
  /** Living records. */
  readonly docCount: number;
  readonly k1: number;
}

/** Who is a member: every term, any term, or every term or `ratio` of the best. */
export interface MembershipRule {
  readonly matching: "auto" | "all" | "any";
  readonly ratio: number;
}

/** The leg's result. */
export interface TextRanking {
  /** Members, ascending. */
  readonly members: Uint32Array;
  /** BM25F by record; 0 for a record that holds no term. */
  readonly scores: Float64Array;
  /** What a record could earn at most; 0 when no record holds any term. */
  readonly attainable: number;
}

/** Millionths: the unit in which shares of the attainable maximum are compared. */
const SHARE_UNITS = 1e6;

/** Scores all records against the terms and picks the members. */
export function searchText(corpus: TextCorpus, terms: readonly QueryTerm[], rule: MembershipRule): TextRanking {
  const scores = new Float64Array(corpus.docSpan);
  const held = new Uint32Array(corpus.docSpan);
  const touched: number[] = [];
  let attainable = 0;
  for (const term of terms) {
    const matches = corpus.segments.map((segment) => matchTerm(segment, term));
    const docFreq = matches.reduce((total, found) => total + found.size, 0);
    if (docFreq === 0) continue;
    const termIdf = idf(corpus.docCount, docFreq);
    attainable += termMaximum(termIdf, corpus.k1);
    for (const [i, found] of matches.entries())
      accumulate(found, corpus.segments[i]!.base, termIdf, corpus.k1, scores, held, touched);
  }
  return { members: pickMembers(terms.length, scores, held, touched, attainable, rule), scores, attainable };
}

function accumulate(
  found: Matches,
  base: number,
  termIdf: number,
  k1: number,
  scores: Float64Array,
  held: Uint32Array,
  touched: number[],
): void {
  const { docs, frequencies, size } = found;
  for (let i = 0; i < size; i++) {
    const doc = base + docs[i]!;
    if (held[doc] === 0) touched.push(doc);
    held[doc]!++;
    scores[doc]! += termIdf * saturate(frequencies[i]!, k1);
  }
}

function pickMembers(
  termCount: number,
  scores: Float64Array,
  held: Uint32Array,
  touched: number[],
  attainable: number,
  { matching, ratio }: MembershipRule,
): Uint32Array {
  const docs = Uint32Array.from(touched).sort();
  if (matching === "any") return docs;
  let best = 0;
  if (matching === "auto") for (const doc of docs) best = Math.max(best, shareOf(scores[doc]!, attainable));
  const least = matching === "auto" ? ratio * best : Number.POSITIVE_INFINITY;
  return docs.filter((doc) => held[doc] === termCount || shareOf(scores[doc]!, attainable) >= least);
}

/** A score as a share of the attainable maximum, in millionths, so that no last bit decides who is a member. */
function shareOf(score: number, attainable: number): number {
  return Math.round((score / attainable) * SHARE_UNITS);
}
