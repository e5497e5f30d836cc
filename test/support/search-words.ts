// The search of words in one call, with the scores of all records: what tests compare with.

import type { QueryTerm } from "../../src/analysis/query-term.js";
import { findMatches, type MatchRule } from "../../src/inverted/text-matches.js";
import type { TextSearcher } from "../../src/inverted/text-searcher.js";
import { scoreOf, weighQuery } from "../../src/inverted/weigh-terms.js";
import type { Doc, DocSet } from "../../src/util/doc-set.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";

/** Matches ascending, and the score of every record, a whole number. */
export function searchWords(
  searcher: TextSearcher,
  terms: readonly QueryTerm[],
  rule: MatchRule,
  allowed: DocSet<Doc> | null = null,
): {
  members: Uint32Array;
  scores: Float64Array;
  maxScore: number;
  weights: Int32Array;
  docFreqs: readonly number[];
} {
  const query = runTaskAtOnce(weighQuery(searcher, terms));
  const { candidates } = runTaskAtOnce(findMatches(query, rule, allowed));
  const scores = Float64Array.from({ length: searcher.maxDoc }, (_, doc) => scoreOf(query, doc as Doc));
  const { maxScore, weights, docFreqs } = query;
  return { members: candidates.inOrder().docs, scores, maxScore, weights, docFreqs };
}
