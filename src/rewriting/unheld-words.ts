// Which words of a query no living record holds in any form, though the embedder knows them; and whether a record holds a word.

import type { Analyzer } from "../base/extension-points.js";
import type { WordForms } from "../language/word-forms.js";
import type { QueryTerm } from "../text/query-term.js";
import type { Vocabulary } from "../text/vocabulary.js";
import { readTokens } from "./query-token.js";
import { isHeld } from "./widen-terms.js";

/** Each is compared with the embedder's whole vocabulary at its first use. */
const MOST_WORDS = 8;

/** The first such words of a query's terms, as typed. */
export function unheldWords(terms: readonly QueryTerm[], vocabulary: Vocabulary): string[] {
  const unheld = terms.filter((term) => term.known === true && !isHeld(term, vocabulary));
  return unheld.flatMap(({ word }) => (word === undefined ? [] : [word])).slice(0, MOST_WORDS);
}

/** True when a living record holds the word, in any form that a query for it would find. */
export function holdsWord(word: string, words: WordForms | Analyzer, vocabulary: Vocabulary): boolean {
  const tokens = readTokens(word, words);
  return tokens.length > 0 && tokens.every(({ term }) => isHeld(term, vocabulary));
}
