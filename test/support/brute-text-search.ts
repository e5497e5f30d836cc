// The slow and obvious twin of the search of words: every record that holds a term is scored, and matches are picked afterwards.

import type { QueryTerm } from "../../src/analysis/query-term.js";
import { idf } from "../../src/inverted/bm25.js";
import type { MatchRule } from "../../src/inverted/text-matches.js";
import type { TextSearcher } from "../../src/inverted/text-searcher.js";
import { DocSet } from "../../src/util/doc-set.js";
import { matchTerm } from "./match-term.js";

/** What words find. */
export interface BruteRanking {
  /** Matches, ascending. */
  readonly members: Uint32Array;
  /** The score by record, a whole number; 0 for a record that holds no term. */
  readonly scores: Float64Array;
  /** How many living records hold each term, in the order of the terms. */
  readonly docFreqs: readonly number[];
}

/** Scores all records against the terms and picks the matches among those that are allowed (null: all). */
export function bruteSearch(
  searcher: TextSearcher,
  terms: readonly QueryTerm[],
  { matching, ratio }: MatchRule,
  allowed: DocSet | null = null,
): BruteRanking {
  const { k1, docCount, maxDoc, segments } = searcher;
  const found = terms.map((term) => segments.map((segment) => matchTerm(segment, term)));
  const docFreqs = found.map((parts) => parts.reduce((total, { size }) => total + size, 0));
  const idfs = docFreqs.map((docFreq) => (docFreq === 0 ? 0 : idf(docCount, docFreq)));
  const allIdfs = idfs.reduce((sum, one) => sum + one, 0);
  const scores = new Float64Array(maxDoc);
  const held = new Uint32Array(maxDoc);
  const holders = new DocSet(maxDoc);
  for (const [i, term] of terms.entries())
    for (const [j, { docs, frequencies, size }] of found[i]!.entries())
      for (let at = 0; at < size; at++) {
        const doc = segments[j]!.base + docs[at]!;
        const f = frequencies[at]!;
        const weight = Math.max(1, Math.floor((16_384 * idfs[i]!) / allIdfs + 0.5));
        scores[doc]! += weight * Math.max(1, Math.floor((65_535 * f) / (k1 + f) + 0.5));
        if (term.optional !== true) held[doc]!++;
        holders.add(doc);
      }
  const needed = terms.filter(({ optional }) => optional !== true).length;
  const docs = (allowed === null ? holders : holders.copy().and(allowed)).toArray();
  const best = docs.reduce((max, doc) => Math.max(max, scores[doc]!), 0);
  const isMatch = (doc: number): boolean =>
    matching === "any" || held[doc] === needed || (matching === "auto" && scores[doc]! >= ratio * best);
  return { members: docs.filter(isMatch), scores, docFreqs };
}
