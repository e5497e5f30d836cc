// The index terms of one token: under which a record that has it is found, and how many tokens of length it counts.

import { markedWord, ownText } from "../base/index-terms.js";
import { bigrams } from "./bigrams.js";
import { codeForms } from "./code-forms.js";
import { cleanWord, compoundForms } from "./compound-forms.js";
import type { TokenKind } from "./scan-tokens.js";
import type { WordForms } from "./word-forms.js";

/** Parts of codes shorter than this are not words, and are not stemmed. */
const SHORTEST_STEMMED_PART = 3;

/** The index terms of a token, given as normalised text. */
export function tokenTerms(kind: TokenKind, token: string, words: WordForms): readonly string[] {
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
  return 1;
}

/** Terms by word, for each language: most tokens of a text were seen before, and strings that are kept are hashed once. */
const memos = new WeakMap<WordForms, Map<string, readonly string[]>>();
/** Bounds a memo; about 30 MB when full. */
const MEMO_ENTRIES = 200_000;

/** A word's stem, and the word as it was written where it differs: what is mended and completed are words, not stems. */
function wordTerms(word: string, words: WordForms): readonly string[] {
  let memo = memos.get(words);
  const known = memo?.get(word);
  if (known !== undefined) return known;
  if (memo === undefined || memo.size >= MEMO_ENTRIES) {
    memo = new Map();
    memos.set(words, memo);
  }
  const own = ownText(word);
  const stem = words.stem(own);
  const terms = own === "" ? [] : stem === own ? [own] : [stem, markedWord(stem, own)];
  memo.set(own, terms);
  return terms;
}

function codeTerms(token: string, words: WordForms): string[] {
  const { whole, pieces, parts } = codeForms(token);
  const terms = new Set([whole, ...pieces]);
  for (const part of parts) terms.add(part);
  for (const part of parts) {
    const [stem, ...marked] = part.length < SHORTEST_STEMMED_PART ? [part] : wordTerms(part, words);
    // A stem that is a part itself is there as it was written.
    if (stem === undefined || terms.has(stem)) continue;
    terms.add(stem);
    for (const term of marked) terms.add(term);
  }
  return [...terms];
}
