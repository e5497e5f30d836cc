// The index terms of one token, and the number of tokens it counts as in the length of a field.

import { codePartTerms, tokenEnds } from "./neighbour-pairs.js";
import { isDigit } from "./quantity/plain-measures.js";
import type { TokenKind } from "./scan-tokens.js";
import { markedWord, SIGNED_MARK } from "./term-marks.js";
import { titleSyntax } from "./title-roles.js";
import {
  apostropheParts,
  bigrams,
  cleanWord,
  codeForms,
  compoundForms,
  ownedForm,
  signedForms,
} from "./token-forms.js";
import { TokenReader } from "./token-reader.js";
import type { WordForms } from "./word-forms.js";

/** Parts of codes shorter than this are not words, and are not stemmed. */
const SHORTEST_STEMMED_PART = 3;

const readers = new WeakMap<WordForms, TokenReader>();

/** The index terms of a normalised token. */
export function tokenTerms(kind: TokenKind, token: string, words: WordForms): readonly string[] {
  if (kind === "unspaced") return unspacedTerms(token);
  const { memo } = tokenReader(words);
  memo.tidy();
  return memo.termsOf(memo.find(kind, token, 0, token.length));
}

/** The token reader of a language, which caches the terms and lengths of all tokens except unspaced runs. */
export function tokenReader(words: WordForms): TokenReader {
  const known = readers.get(words);
  if (known !== undefined) return known;
  const reader = new TokenReader(
    (kind, token) => ({
      terms: readTerms(kind, token, words),
      length: tokenLength(kind, token),
      syntax: titleSyntax(kind, token),
      ends: tokenEnds(kind, token),
    }),
    words,
  );
  readers.set(words, reader);
  return reader;
}

/** The terms of an unspaced run: its pairs, and single characters for queries of one character. Runs are too many to be cached. */
export function unspacedTerms(run: string): readonly string[] {
  const { characters, pairs } = bigrams(run);
  return [...characters, ...pairs];
}

function readTerms(kind: TokenKind, token: string, words: WordForms): readonly string[] {
  switch (kind) {
    case "word": {
      const clean = cleanWord(token);
      if (clean === token) return stemTerms(token, words);
      // The word itself is last, because a title takes its last term.
      const parts = apostropheParts(token).flatMap((part) => wordTerms(part, words));
      return [...parts, ...ownedTerms(ownedForm(token), clean, words), ...wordTerms(clean, words)];
    }
    case "compound": {
      const { joined, owned, parts } = compoundForms(token);
      const terms = [...parts.flatMap((part) => wordTerms(part, words)), ...ownedTerms(owned, joined, words)];
      return parts.length > 1 ? [...wordTerms(joined, words), ...terms] : terms;
    }
    case "code":
      return codeTerms(token, words);
    case "signed":
      return signedTerms(token, words);
    default:
      return [token];
  }
}

/** The terms of the form with the s of an owner, if its stem differs from that of the form without. */
function ownedTerms(owned: string | undefined, word: string, words: WordForms): readonly string[] {
  return owned === undefined || words.stem(owned) === words.stem(word) ? [] : wordTerms(owned, words);
}

/**
 * The number of tokens that a token counts as in a field's length: the parts of a compound, the pieces of a code between separators,
 * the characters of an unspaced run, else 1.
 */
export function tokenLength(kind: TokenKind, token: string): number {
  if (kind === "code") return codeForms(token).pieces.length;
  if (kind === "compound") return compoundForms(token).parts.length;
  if (kind === "signed") {
    const { kind: inner, base } = signedForms(token);
    return tokenLength(inner, base);
  }
  if (kind === "unspaced") return bigrams(token).characters.length;
  return 1;
}

/** The terms of a word without apostrophes, which may be a part of another token. */
function wordTerms(word: string, words: WordForms): readonly string[] {
  if (word === "") return [];
  const { memo } = tokenReader(words);
  return memo.termsOf(memo.find("word", word, 0, word.length));
}

/** A word's stem, and its written form if that differs, because written words are corrected and completed, not stems. */
function stemTerms(word: string, words: WordForms): readonly string[] {
  if (word === "") return [];
  const stem = words.stem(word);
  return stem === word ? [word] : [stem, markedWord(stem, word)];
}

/** The token with its signs, and marked without them, so that those who ask for it without signs find others first. */
function signedTerms(token: string, words: WordForms): string[] {
  const { kind, base, whole } = signedForms(token);
  if (kind === "word" || kind === "compound") {
    const { joined, owned, parts } = compoundForms(base);
    const marked = SIGNED_MARK + words.stem(joined);
    const others = parts.length > 1 ? parts.flatMap((part) => wordTerms(part, words)) : [];
    return joined === ""
      ? []
      : [whole, marked, markedWord(marked, joined), ...others, ...ownedTerms(owned, joined, words)];
  }
  const [own, ...others] = readTerms(kind, base, words);
  return own === undefined ? [] : [whole, SIGNED_MARK + own, ...others];
}

function codeTerms(token: string, words: WordForms): string[] {
  const forms = codeForms(token);
  const { whole, digits, parts } = forms;
  const terms = digits === undefined ? [whole] : [whole, digits];
  for (const term of codePartTerms(forms, words)) if (!terms.includes(term)) terms.push(term);
  for (const part of parts) {
    // Numbers are their own stems.
    if (part.length < SHORTEST_STEMMED_PART || isDigit(part.charCodeAt(0))) continue;
    const [stem, ...marked] = wordTerms(part, words);
    // If the stem is a part itself, its term exists already.
    if (stem === undefined || terms.includes(stem)) continue;
    for (const term of [stem, ...marked]) if (!terms.includes(term)) terms.push(term);
  }
  return terms;
}
