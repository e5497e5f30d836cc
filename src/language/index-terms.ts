// The terms under which a record's text is found. The query side (rewriting/) reads tokens through the same scanner and the
// same forms, so that both always agree.

import { IDENTIFIER_MARK } from "../base/index-terms.js";
import { tradeNumber } from "./barcodes.js";
import { codeForms, squeeze } from "./code-forms.js";
import { normalizeText } from "./normalize-text.js";
import { MEASURES, placeOf, type Quantity, quantitiesOf } from "./quantities.js";
import { scanTokens } from "./scan-tokens.js";
import { tokenLength, tokenMemo, unspacedTerms } from "./token-terms.js";
import { findToken, scannedText } from "./tokens/scanned-text.js";
import type { TokenMemo } from "./tokens/token-memo.js";
import type { WordForms } from "./word-forms.js";

/** A longer value is found by its parts only: nobody types it whole, and its terms would be as long. */
const LONGEST_IDENTIFIER = 512;

/** Takes the terms of one field in reading order. */
export type TermSink = (term: string) => void;

/** Takes the terms of texts: those that a memo has with their places. */
export interface TermTaker {
  /** The terms of a memo from the place `from` up to `end`. */
  terms(memo: TokenMemo, from: number, end: number): void;
  one(term: string): void;
}

/**
 * Gives the terms of the first `mostTokens` tokens of a text to `sink` and returns the number of all its tokens. A code gives
 * several terms but is one token; a compound is as many tokens as it has parts. Quantities come last.
 */
export function indexText(text: string, words: WordForms, mostTokens: number, sink: TermSink): number {
  return takeText(text, words, mostTokens, {
    terms: (memo, from, end) => memo.terms.slice(from, end).forEach((term) => void sink(term)),
    one: sink,
  });
}

/** As {@link indexText}; tokens that were read before come with what the taker noted about them. */
export function takeText(given: string, words: WordForms, mostTokens: number, taker: TermTaker): number {
  const text = scannedText(given);
  const memo = tokenMemo(words);
  memo.fetch(text.hashes, text.size);
  let tokens = 0;
  let end = 0;
  for (let i = 0; i < text.size; i++) {
    const kind = text.kinds[i]!;
    if (tokens >= mostTokens) {
      tokens += tokenLength(kind, text.slice(text.starts[i]!, text.ends[i]!));
      continue;
    }
    end = text.ends[i]!;
    if (kind !== "unspaced") {
      const token = findToken(memo, text, i);
      taker.terms(memo, memo.firstTerm(token), memo.endOfTerms(token));
      tokens += memo.lengthOf(token);
      continue;
    }
    const whole = text.slice(text.starts[i]!, end);
    // Of an unspaced run as many characters as there is room for.
    for (const term of unspacedTerms([...whole].slice(0, mostTokens - tokens).join(""))) taker.one(term);
    tokens += tokenLength(kind, whole);
  }
  for (const quantity of quantitiesOf(text)) if (quantity.start < end) takeQuantity(quantity, taker);
  return tokens;
}

/** Gives the term of a quantity. */
export function takeQuantity(quantity: Quantity, taker: TermTaker): void {
  const place = placeOf(quantity);
  if (place < 0) taker.one(quantity.term);
  else taker.terms(MEASURES, place, place + 1);
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
