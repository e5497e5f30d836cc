// The index terms of identifiers: product codes and trade numbers, which match as a whole, without punctuation and by part.

import { codePartTerms } from "./neighbour-pairs.js";
import { normalizeText } from "./normalize-text.js";
import { IDENTIFIER_MARK, scanTokens } from "./scan-tokens.js";
import { unspacedTerms } from "./text-terms.js";
import { codeForms, signedForms, stripSeparators } from "./token-forms.js";
import { PLAIN_WORDS } from "./word-forms.js";

/** A longer value is found by its parts only: nobody types it as a whole. */
const LONGEST_IDENTIFIER = 512;

/** Passes the terms of an identifier to `sink` (whole, without punctuation, by part; never stemmed); returns its token count. */
export function indexIdentifier(value: string, sink: (term: string) => void): number {
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
    const forms = codeForms(token);
    for (const term of [forms.whole, stripSeparators(token), ...codePartTerms(forms, PLAIN_WORDS)]) terms.add(term);
    if (kind === "signed") terms.add(signedForms(token).whole);
  });
  const code = stripSeparators(normal);
  if (code !== "" && code.length <= LONGEST_IDENTIFIER) terms.add(code);
  for (const term of terms) sink(term);
  return tokens;
}

/** The term for exactly this identifier, which no text has; undefined if the value has no letter or digit, or is too long. */
export function identifierTerm(value: string): string | undefined {
  return identifierTerms(value)[0];
}

/** That term and, for a trade number, the term of its 14-digit form: a UPC finds its EAN, an ISBN-10 its ISBN-13. */
export function identifierTerms(value: string): string[] {
  const code = stripSeparators(normalizeText(value));
  if (code === "" || code.length > LONGEST_IDENTIFIER) return [];
  const number = tradeNumber(code);
  return [code, ...(number === undefined || number === code ? [] : [number])].map((text) => IDENTIFIER_MARK + text);
}

/** A number of 8, 12, 13 or 14 digits, which has lost leading zeros where it was stored as a number. */
const GTIN = /^[0-9]{7,14}$/;
const LONGEST = 14;

/**
 * The 14-digit form of a trade number with a valid check digit: GTIN-8, UPC, EAN, GTIN-14 or ISBN-10, given without separators,
 * with or without its leading zeros; undefined for other codes. A UPC is an EAN with a zero before it, an ISBN-10 an EAN that
 * begins with 978. Check digits: GS1 General Specifications, section 7.9; ISBN-10: ISO 2108, annex.
 */
export function tradeNumber(code: string): string | undefined {
  if (isIsbn10(code)) {
    const digits = `978${code.slice(0, 9)}`;
    return (digits + checkDigit(digits)).padStart(LONGEST, "0");
  }
  if (!GTIN.test(code)) return undefined;
  const digits = code.slice(0, -1);
  return checkDigit(digits) === Number(code.at(-1)) ? code.padStart(LONGEST, "0") : undefined;
}

/** The difference to the next ten of the sum of digits with the weights 3, 1, 3, … from the right. */
function checkDigit(digits: string): number {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 3 : 1);
  return (10 - (sum % 10)) % 10;
}

/** The sum of digits with the weights 10, 9, … 1 is a multiple of eleven; X means ten. */
function isIsbn10(text: string): boolean {
  if (!/^[0-9]{9}[0-9x]$/.test(text)) return false;
  let sum = 0;
  for (let i = 0; i < 10; i++) sum += (10 - i) * (text[i] === "x" ? 10 : Number(text[i]));
  return sum % 11 === 0;
}
