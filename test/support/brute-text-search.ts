// The slow and obvious twin of the search of words: every record that holds a term is scored by one pass over the postings, and matches
// are picked afterwards.

import type { QueryTerm } from "../../src/analysis/query-term.js";
import { idf, lengthNorm } from "../../src/inverted/bm25.js";
import { FIELD_MASK, fieldAt, lengthAt, TITLE_BIT } from "../../src/inverted/postings.js";
import type { MatchRule } from "../../src/inverted/text-matches.js";
import type { SearchableSegment, TextSearcher } from "../../src/inverted/text-searcher.js";
import { DocSet, type LocalDoc } from "../../src/util/doc-set.js";
import { placesOf } from "./word-index.js";

/** What words find: matches, ascending; scores by record, whole numbers; and how many living records hold each term. */
interface BruteRanking {
  readonly members: Uint32Array;
  readonly scores: Float64Array;
  readonly docFreqs: readonly number[];
}

/** Scores all records against the terms and picks the matches among those that are allowed (null: all). */
export function bruteSearch(
  { k1, docCount, maxDoc, segments }: TextSearcher,
  terms: readonly QueryTerm[],
  { matching, ratio }: MatchRule,
  allowed: DocSet | null = null,
): BruteRanking {
  const found = terms.map((term) => segments.map((segment) => matchTerm(segment, term)));
  const docFreqs = found.map((parts) => parts.reduce((total, { size }) => total + size, 0));
  const idfs = docFreqs.map((docFreq) => (docFreq === 0 ? 0 : idf(docCount, docFreq)));
  const allIdfs = idfs.reduce((sum, one) => sum + one, 0);
  const scores = new Float64Array(maxDoc);
  const held = new Uint32Array(maxDoc);
  const holders = new DocSet(maxDoc);
  for (const [i, term] of terms.entries())
    for (const [j, frequencies] of found[i]!.entries())
      for (const [local, f] of frequencies) {
        const doc = segments[j]!.base + local;
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

/** The living records of a segment that hold the term, with their frequencies: the best alternative counts, of its parts the least. */
function matchTerm(segment: SearchableSegment, { alternatives }: QueryTerm): Map<number, number> {
  const best = new Map<number, number>();
  for (const { terms, weight, notIn } of alternatives) {
    const [first = new Map<number, number>(), ...others] = terms.map((term) => matchOne(segment, term, notIn));
    for (const [doc, f] of first)
      if (others.every((other) => other.has(doc))) {
        const least = Math.min(f, ...others.map((other) => other.get(doc)!));
        best.set(doc, Math.max(best.get(doc) ?? 0, least * weight));
      }
  }
  return best;
}

function matchOne(
  { postings, deletedDocs, scoring }: SearchableSegment,
  text: string,
  notIn?: ReadonlySet<string>,
): Map<number, number> {
  const frequencies = new Map<number, number>();
  const term = postings.dictionary.ordinalOf(text);
  for (const { doc, docField, frequency } of term === undefined ? [] : placesOf(postings, term)) {
    const slotField = fieldAt(postings, docField);
    const field = slotField & FIELD_MASK;
    const weight = ((slotField & TITLE_BIT) === 0 ? scoring.weights : scoring.titleWeights)[field]!;
    // A weight of 0 is that of a field that this query does not search.
    if (deletedDocs?.has(doc as LocalDoc) || weight === 0 || notIn?.has(postings.fields[field]!)) continue;
    const norm = lengthNorm(weight, lengthAt(postings, docField), scoring.averages[field]!, scoring.b);
    frequencies.set(doc, (frequencies.get(doc) ?? 0) + frequency * norm);
  }
  return frequencies;
}
