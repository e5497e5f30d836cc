// The leg of words in one call, with the scores of all records: what tests compare with.

import type { DocSet } from "../../src/base/doc-set.js";
import { runTaskAtOnce } from "../../src/base/tasks.js";
import { planText, type TextCorpus } from "../../src/text/impacts/text-plan.js";
import type { MembershipRule } from "../../src/text/membership/membership-rule.js";
import type { QueryTerm } from "../../src/text/query-term.js";
import { searchText } from "../../src/text/search-text.js";

/** Members ascending, and the BM25F of every record. */
export function searchWords(
  corpus: TextCorpus,
  terms: readonly QueryTerm[],
  rule: MembershipRule,
  allowed: DocSet | null = null,
): { members: Uint32Array; scores: Float64Array; attainable: number; docFreqs: readonly number[] } {
  const ranking = searchText(runTaskAtOnce(planText(corpus, terms)), rule, allowed);
  const scores = Float64Array.from({ length: corpus.docSpan }, (_, doc) => ranking.scoreOf(doc));
  return { members: ranking.members(), scores, attainable: ranking.attainable, docFreqs: ranking.docFreqs };
}
