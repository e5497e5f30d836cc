// The terms under which a record's text is found. The query side (rewriting/) reads tokens through the same scanner and the
// same forms, so that both always agree.

import { IDENTIFIER_MARK } from "../util/index-terms.js";
import { tradeNumber } from "./barcodes.js";
import { codeForms, squeeze } from "./code-forms.js";
import { normalizeText } from "./normalize-text.js";
import { scanTokens } from "./scan-tokens.js";
import type { TokenMemo } from "./token-memo.js";
import { type TokenReader, UNSPACED_TOKEN } from "./token-reader.js";
import { tokenLength, tokenReader, unspacedTerms } from "./token-terms.js";
import type { WordForms } from "./word-forms.js";

/** A longer value is found by its parts only: nobody types it whole, and its terms would be as long. */
const LONGEST_IDENTIFIER = 512;

/** Takes the terms of one field in reading order. */
type TermSink = (term: string) => void;

/** Takes the terms of texts. */
export interface TermTaker {
  /** The terms of a memo from number `from` up to `end`. */
  known(memo: TokenMemo, from: number, end: number): void;
  one(term: string): void;
}

/**
 * Gives the terms of the first `mostTokens` tokens of a text to `sink` and returns the number of all its tokens. A code gives
 * several terms but is one token; a compound is as many tokens as it has parts. Quantities come last.
 */
export function indexText(text: string, words: WordForms, mostTokens: number, sink: TermSink): number {
  return takeText(text, words, mostTokens, {
    known: ({ terms }, from, end) => {
      for (let term = from; term < end; term++) sink(terms[term]!);
    },
    one: sink,
  });
}

/** As {@link indexText}; terms of tokens come by their numbers in the memo. */
export function takeText(text: string, words: WordForms, mostTokens: number, taker: TermTaker): number {
  const reader = tokenReader(words);
  reader.read(text);
  const { memo, size, tokens } = reader;
  let count = 0;
  let i = 0;
  for (; i < size && count < mostTokens; i++) {
    const token = tokens[i]!;
    if (token === UNSPACED_TOKEN) count += takeUnspaced(runAt(reader, i), mostTokens - count, taker);
    else {
      taker.known(memo, memo.firstTerm(token), memo.endTerm(token));
      count += memo.lengthOf(token);
    }
  }
  const end = i > 0 ? reader.ends[i - 1]! : 0;
  for (; i < size; i++)
    count += tokens[i] === UNSPACED_TOKEN ? tokenLength("unspaced", runAt(reader, i)) : memo.lengthOf(tokens[i]!);
  for (const { start, term } of reader.quantities) {
    if (start >= end) break;
    taker.one(term);
  }
  return count;
}

function runAt({ normal, starts, ends }: TokenReader, i: number): string {
  return normal.slice(starts[i], ends[i]);
}

/** Takes as many characters of a run without blanks as there is room for; answers how many it has. */
function takeUnspaced(run: string, most: number, taker: TermTaker): number {
  const characters = [...run];
  for (const term of unspacedTerms(characters.slice(0, most).join(""))) taker.one(term);
  return characters.length;
}

/** Gives the terms of an identifier to `sink` (whole, without punctuation, by part; never stemmed); returns its tokens. */
export function indexIdentifier(value: string, sink: TermSink): number {
  const normal = normalizeText(value);
  const terms = new Set<string>();
  let tokens = 0;
  scanTokens(normal, (kind, start, end) => {
    const token = normal.slice(start, end);
    tokens++;
    if (kind === "unspaced") {
      for (const term of unspacedTerms(token)) terms.add(term);
      return;
    }
    const { whole, pieces, parts } = codeForms(token);
    for (const term of [whole, squeeze(token), ...pieces, ...parts]) terms.add(term);
  });
  const squeezed = squeeze(normal);
  if (squeezed !== "" && squeezed.length <= LONGEST_IDENTIFIER) terms.add(squeezed);
  for (const term of terms) sink(term);
  return tokens;
}

/** The term that says "this whole identifier and nothing else"; no text has it. Undefined when nothing is left of the value. */
export function identifierTerm(value: string): string | undefined {
  return identifierTerms(value)[0];
}

/** The same with, for a trade number, the term of its 14-digit form: a UPC finds its EAN, an ISBN-10 its ISBN-13. */
export function identifierTerms(value: string): string[] {
  const squeezed = squeeze(normalizeText(value));
  if (squeezed === "" || squeezed.length > LONGEST_IDENTIFIER) return [];
  const number = tradeNumber(squeezed);
  return [squeezed, ...(number === undefined || number === squeezed ? [] : [number])].map(
    (text) => IDENTIFIER_MARK + text,
  );
}
