// What a query looks for, as highlighting needs it: its tokens, read and not widened.

import { readQuery } from "../../src/analysis/parse-query.js";
import { ENGLISH_WORDS } from "../../src/analysis/word-forms.js";
import type { TermMatcher } from "../../src/query/shape/highlight.js";

/** A token answers a term when it has one of its index terms, of a code all parts; a quantity answers by its own term. */
export function matcherOf(query: string): TermMatcher {
  const { tokens } = readQuery(query, ENGLISH_WORDS, false);
  const telling = tokens.some(({ stop }) => !stop) ? tokens.filter(({ stop }) => !stop) : tokens;
  const terms = new Map(telling.map(({ term }) => [term.key, term.alternatives]));
  const asked = [...terms].flatMap(([key, alternatives]) =>
    alternatives.map(({ terms: parts, weight }) => ({ key, parts, all: weight < 1 })),
  );
  return {
    words: ENGLISH_WORDS,
    analyzer: undefined,
    characters: 65_536,
    keys: terms.size,
    endOf: () => undefined,
    matchTerms: (given) => {
      const has = (part: string) => given.includes(part);
      const keys = asked.filter(({ parts, all }) => (all ? parts.every(has) : parts.some(has))).map(({ key }) => key);
      return [...new Set(keys)];
    },
  };
}
