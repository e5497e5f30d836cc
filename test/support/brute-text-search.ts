// The slow and obvious twin of the leg of words: every record that holds a term is scored, and members are picked afterwards.

import { DocSet } from "../../src/base/doc-set.js";
import { idf, saturate, termMaximum } from "../../src/text/bm25.js";
import type { TextCorpus } from "../../src/text/impacts/text-plan.js";
import type { MembershipRule } from "../../src/text/membership/membership-rule.js";
import type { QueryTerm } from "../../src/text/query-term.js";
import { type Matches, matchTerm } from "./match-term.js";

/** The leg's result. */
export interface BruteRanking {
  /** Members, ascending. */
  readonly members: Uint32Array;
  /** BM25F by record; 0 for a record that holds no term. */
  readonly scores: Float64Array;
  /** What a record could earn at most; 0 when no record holds any term. */
  readonly attainable: number;
  /** How many living records hold each term, in the order of the terms. */
  readonly docFreqs: readonly number[];
}

/** Millionths: the unit in which shares of the attainable maximum are compared. */
const SHARE_UNITS = 1e6;

/** Scores all records against the terms and picks the members among those that are allowed (null: all). */
export function bruteSearch(
  corpus: TextCorpus,
  terms: readonly QueryTerm[],
  rule: MembershipRule,
  allowed: DocSet | null = null,
): BruteRanking {
  const tally: Tally = {
    scores: new Float64Array(corpus.docSpan),
    held: new Uint32Array(corpus.docSpan),
    touched: new DocSet(corpus.docSpan),
  };
  const docFreqs: number[] = [];
  let attainable = 0;
  for (const term of terms) {
    const matches = corpus.segments.map((segment) => matchTerm(segment, term));
    const docFreq = matches.reduce((total, found) => total + found.size, 0);
    docFreqs.push(docFreq);
    if (docFreq === 0) continue;
    const termIdf = idf(corpus.docCount, docFreq);
    attainable += termMaximum(termIdf, corpus.k1);
    const needed = term.optional === true ? 0 : 1;
    for (const [i, found] of matches.entries())
      accumulate(found, corpus.segments[i]!.base, { termIdf, k1: corpus.k1, needed }, tally);
  }
  const needed = terms.reduce((count, term) => count + (term.optional === true ? 0 : 1), 0);
  return { members: pickMembers(tally, needed, attainable, rule, allowed), scores: tally.scores, attainable, docFreqs };
}

interface Tally {
  readonly scores: Float64Array;
  /** How many of the needed terms a record holds. */
  readonly held: Uint32Array;
  /** Records that hold any term. */
  readonly touched: DocSet;
}

interface TermFactors {
  readonly termIdf: number;
  readonly k1: number;
  readonly needed: 0 | 1;
}

function accumulate(found: Matches, base: number, { termIdf, k1, needed }: TermFactors, tally: Tally): void {
  const { docs, frequencies, size } = found;
  const { scores, held, touched } = tally;
  for (let i = 0; i < size; i++) {
    const doc = base + docs[i]!;
    touched.add(doc);
    held[doc]! += needed;
    scores[doc]! += termIdf * saturate(frequencies[i]!, k1);
  }
}

function pickMembers(
  { scores, held, touched }: Tally,
  needed: number,
  attainable: number,
  { matching, ratio }: MembershipRule,
  allowed: DocSet | null,
): Uint32Array {
  const docs = (allowed === null ? touched : touched.copy().and(allowed)).toArray();
  if (matching === "any") return docs;
  let best = 0;
  if (matching === "auto") for (const doc of docs) best = Math.max(best, shareOf(scores[doc]!, attainable));
  const least = matching === "auto" ? ratio * best : Number.POSITIVE_INFINITY;
  return docs.filter((doc) => held[doc] === needed || shareOf(scores[doc]!, attainable) >= least);
}

/** A score as a share of the attainable maximum, in millionths, so that no last bit decides who is a member. */
function shareOf(score: number, attainable: number): number {
  return Math.round((score / attainable) * SHARE_UNITS);
}
