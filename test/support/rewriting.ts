// Queries rewritten by the real rewriter, for tests below the verbs: nobody holds any word unless a test says so.

import { runTaskAtOnce } from "../../src/base/tasks.js";
import { ENGLISH_WORDS } from "../../src/language/english-words.js";
import { type RewritingRules, readQuery, rewriteQuery } from "../../src/rewriting/rewrite-query.js";
import { SynonymTable } from "../../src/rewriting/synonyms.js";
import type { QueryTerm } from "../../src/text/query-term.js";
import { Vocabulary } from "../../src/text/vocabulary.js";

/** Rules with everything at its default, over an index without records. */
export function rulesOf(given: Partial<RewritingRules> = {}): RewritingRules {
  const words = given.words ?? ENGLISH_WORDS;
  return {
    words,
    synonyms: new SynonymTable([], words),
    optionalWords: new Set(),
    mostTerms: 64,
    queryType: "prefixAuto",
    typoTolerance: true,
    exactWords: new Set(),
    isKnown: () => false,
    exactFields: new Set(),
    vocabulary: new Vocabulary([]),
    ...given,
  };
}

/** The terms of a query text. */
export function rewritten(text: string, given: Partial<RewritingRules> = {}): QueryTerm[] {
  const rules = rulesOf(given);
  return runTaskAtOnce(rewriteQuery(readQuery(text, rules.words, false).tokens, rules));
}
