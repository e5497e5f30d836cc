// Queries rewritten by the real rewriter, for tests below the verbs: nobody holds any word unless a test says so.

import { readQuery } from "../../src/analysis/parse-query.js";
import type { QueryTerm } from "../../src/analysis/query-term.js";
import { SynonymTable } from "../../src/analysis/synonyms.js";
import { ENGLISH_WORDS } from "../../src/analysis/word-forms.js";
import { Vocabulary } from "../../src/inverted/vocabulary.js";
import type { RewriteRules } from "../../src/query/prepare/expand-word.js";
import { rewriteQuery } from "../../src/query/prepare/rewrite-terms.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";

/** Rules have everything at its default, over an index without records. */
export function rewritten(text: string, given: Partial<RewriteRules> = {}): QueryTerm[] {
  const words = given.words ?? ENGLISH_WORDS;
  const rules: RewriteRules = {
    words,
    synonyms: new SynonymTable([], words),
    optionalWords: new Set(),
    maxTerms: 64,
    queryType: "prefixAuto",
    typoTolerance: true,
    exactWords: new Set(),
    isKnownToEmbedder: () => false,
    isWord: null,
    isInDictionary: () => false,
    correctsKnown: false,
    exactFields: new Set(),
    vocabulary: new Vocabulary([]),
    ...given,
  };
  return [...runTaskAtOnce(rewriteQuery(readQuery(text, words, false).tokens, rules)).terms];
}
