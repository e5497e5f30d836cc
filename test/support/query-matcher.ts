// What a query looks for, as highlighting needs it: terms by the rewriter, quantities by their terms.

import { ENGLISH_WORDS } from "../../src/language/english-words.js";
import { normalizeText } from "../../src/language/normalize-text.js";
import { quantitiesIn } from "../../src/language/quantities.js";
import type { TermMatcher } from "../../src/query/mark-text.js";
import { rewriteQuery } from "../../src/rewriting/rewrite-query.js";

/** A token answers a term when it has one of its index terms, of a code all parts; a quantity answers by its own term. */
export function matcherOf(query: string): TermMatcher {
  const { terms } = rewriteQuery(query, ENGLISH_WORDS, 64);
  const quantities = quantitiesIn(normalizeText(query)).map(({ term }) => term);
  const asked = terms.flatMap(({ key, alternatives }) =>
    alternatives.map(({ terms: parts, weight }) => ({ key, parts, all: weight < 1 })),
  );
  return {
    words: ENGLISH_WORDS,
    keys: terms.length + quantities.length,
    matchTerms: (given) => {
      const has = (part: string) => given.includes(part);
      const keys = asked.filter(({ parts, all }) => (all ? parts.every(has) : parts.some(has))).map(({ key }) => key);
      return [...new Set([...keys, ...quantities.filter(has)])];
    },
  };
}
