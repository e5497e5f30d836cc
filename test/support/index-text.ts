// The index terms of a text, one by one.

import { readText } from "../../src/analysis/text-terms.js";
import type { WordForms } from "../../src/analysis/word-forms.js";

/** Passes the terms of the first `mostTokens` tokens of a text to `sink`; returns the number of all tokens. */
export function indexText(text: string, words: WordForms, mostTokens: number, sink: (term: string) => void): number {
  return readText(text, words, mostTokens, {
    known: ({ terms }, from, end) => {
      for (const term of terms.slice(from, end)) sink(term);
    },
    one: sink,
  });
}
