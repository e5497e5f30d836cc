// The index terms of one token: what `indexText` gives for it, for those who must know which token of a text holds a term.

import { bigrams } from "./bigrams.js";
import { codeForms } from "./code-forms.js";
import { cleanWord, compoundForms } from "./compound-forms.js";
import type { TokenKind } from "./scan-tokens.js";
import type { WordForms } from "./word-forms.js";

/** As in `index-terms`: shorter parts of codes are not words. */
const SHORTEST_STEMMED_PART = 3;

/** The index terms of a token, given as normalised text, in the order of `indexText`. */
export function tokenTerms(kind: TokenKind, token: string, words: WordForms): string[] {
  switch (kind) {
    case "word": {
      const word = cleanWord(token);
      return word === "" ? [] : [words.stem(word)];
    }
    case "compound": {
      const { joined, parts } = compoundForms(token);
      const stems = parts.map((part) => words.stem(part));
      return parts.length > 1 ? [words.stem(joined), ...stems] : stems;
    }
    case "code": {
      const { whole, pieces, parts } = codeForms(token);
      const withStems = parts.flatMap((part) =>
        part.length < SHORTEST_STEMMED_PART ? [part] : [part, words.stem(part)],
      );
      return [...new Set([whole, ...pieces, ...withStems])];
    }
    case "unspaced": {
      const { characters, pairs } = bigrams(token);
      return [...characters, ...pairs];
    }
    default:
      return [token];
  }
}
