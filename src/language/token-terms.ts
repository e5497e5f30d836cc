// The index terms of one token: under which a record that has it is found, and how many tokens of length it counts.

import { markedWord } from "../base/term-marks.js";
import { bigrams } from "./bigrams.js";
import { codeForms } from "./code-forms.js";
import { cleanWord, compoundForms } from "./compound-forms.js";
import type { TokenKind } from "./scan-tokens.js";
import type { WordForms } from "./word-forms.js";

/** Parts of codes shorter than this are not words, and are not stemmed. */
const SHORTEST_STEMMED_PART = 3;

/** The index terms of a token, given as normalised text. */
export function tokenTerms(kind: TokenKind, token: string, words: WordForms): string[] {
  switch (kind) {
    case "word":
      return wordTerms(cleanWord(token), words);
    case "compound": {
      const { joined, parts } = compoundForms(token);
      const terms = parts.flatMap((part) => wordTerms(part, words));
      return parts.length > 1 ? [...wordTerms(joined, words), ...terms] : terms;
    }
    case "code":
      return codeTerms(token, words);
    case "unspaced": {
      // Single characters too, so that a query of one character finds them.
      const { characters, pairs } = bigrams(token);
      return [...characters, ...pairs];
    }
    default:
      return [token];
  }
}

/** How many tokens of a field's length a token counts: a compound as many as it has parts, an unspaced run its characters. */
export function tokenLength(kind: TokenKind, token: string): number {
  if (kind === "compound") return compoundForms(token).parts.length;
  if (kind === "unspaced") return bigrams(token).characters.length;
  return kind === "word" && cleanWord(token) === "" ? 0 : 1;
}

/** A word's stem, and the word as it was written where it differs: what is mended and completed are words, not stems. */
function wordTerms(word: string, words: WordForms): string[] {
  if (word === "") return [];
  const stem = words.stem(word);
  return stem === word ? [stem] : [stem, markedWord(stem, word)];
}

function codeTerms(token: string, words: WordForms): string[] {
  const { whole, pieces, parts } = codeForms(token);
  const terms = new Set([whole, ...pieces]);
  for (const part of parts) {
    terms.add(part);
    if (part.length >= SHORTEST_STEMMED_PART) for (const term of wordTerms(part, words)) terms.add(term);
  }
  return [...terms];
}
