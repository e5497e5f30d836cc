// The tokeniser: character classes, and one pass over a normalised text that finds where tokens begin and end. Runs are cut at 64
// characters, so that no later step can become quadratic. A term that is not a token of a text begins with a mark: a character that no
// token contains, because the scanner drops it.

import { randomInt } from "node:crypto";

/** A whole identifier without punctuation: "=wh1000xm4". */
export const IDENTIFIER_MARK = "=";
/** A quantity in its base unit: "#volume:1.5". */
export const QUANTITY_MARK = "#";
/** A word, number or code that had + or # after it, without them: "+c" for "C++" and "C#". */
export const SIGNED_MARK = "+";
/** Letters and digits that stand side by side, joined: "^ps5"; see neighbour-pairs.ts. */
export const PAIR_MARK = "^";
/** A word that differs from its stem, after its stem: "~vacuum~vacuums". */
export const WORD_MARK = "~";

/** The term for the written form of a word that differs from its stem. */
export function markedWord(stem: string, word: string): string {
  return WORD_MARK + stem + WORD_MARK + word;
}

/** The stem that a term is, or that a marked word names. */
export function stemOf(term: string): string {
  return term[0] === WORD_MARK ? term.slice(1, term.lastIndexOf(WORD_MARK)) : term;
}

const MARKS = [IDENTIFIER_MARK, QUANTITY_MARK, SIGNED_MARK, PAIR_MARK, WORD_MARK];

/** The word as it was written: that of a marked word, or the term itself. */
export function writtenForm(term: string): string {
  return term[0] === WORD_MARK ? term.slice(term.lastIndexOf(WORD_MARK) + 1) : term;
}

/** Whether a term ends in a sign that belongs to it: "c++". */
export function isSigned(term: string): boolean {
  return term.endsWith("+") || term.endsWith("#");
}

/** Whether a term is a word: no code, no number, no sign after it, no marked term. */
export function isWord(term: string): boolean {
  const first = term[0];
  if (first === undefined || MARKS.includes(first) || isSigned(term)) return false;
  for (let at = 0; at < term.length; at++) {
    const unit = term.charCodeAt(at);
    if (unit >= 0x30 && unit <= 0x39) return false;
  }
  return true;
}

/** A blank, punctuation mark or symbol; ends a run. */
export const SEPARATOR = 1;
export const LETTER = 2;
export const DIGIT = 3;
/** May join letters or digits into one run: - _ & ' . , / : */
export const CONNECTOR = 4;
/** Scripts without blanks between words (Han, kana, Hangul, Thai, Lao, Khmer, Myanmar), which are indexed by bigrams. */
export const UNSPACED = 5;

const UNSPACED_SCRIPTS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]/u;
const LETTERS = /[\p{L}\p{M}]/u;
const DIGITS = /\p{N}/u;
const CONNECTORS = "-_&'.,/:";

/** The class of each code unit that {@link classAt} has been called for; 0 for others and for halves of surrogate pairs. */
export const CLASSES: Uint8Array = new Uint8Array(0x10000);

/** The class of the character at `at`. Both halves of a surrogate pair have the class of the pair. */
export function classAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit >= 0xd800 && unit < 0xe000) return classOfPair(text, at, unit);
  const known = CLASSES[unit]!;
  if (known !== 0) return known;
  const found = classify(text[at]!);
  CLASSES[unit] = found;
  return found;
}

function classOfPair(text: string, at: number, unit: number): number {
  const first = unit < 0xdc00 ? at : at - 1;
  return first < 0 ? SEPARATOR : classify(String.fromCodePoint(text.codePointAt(first) ?? 0x20));
}

function classify(character: string): number {
  if (CONNECTORS.includes(character)) return CONNECTOR;
  if (UNSPACED_SCRIPTS.test(character)) return UNSPACED;
  if (DIGITS.test(character)) return DIGIT;
  return LETTERS.test(character) ? LETTER : SEPARATOR;
}

/** Whether a letter or a digit is at `at`. */
export function isLetterOrDigit(text: string, at: number): boolean {
  const kind = classAt(text, at);
  return kind === LETTER || kind === DIGIT;
}

/** The code unit at `at`; 0 outside the text. */
export function unitAt(text: string, at: number): number {
  return at >= 0 && at < text.length ? text.charCodeAt(at) : 0;
}

/** Whether a code unit is a decimal digit. */
export function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** Whether a decimal digit is at `at`. */
export function isDigitAt(text: string, at: number): boolean {
  return isDigit(unitAt(text, at));
}

/**
 * `word`: letters, perhaps with apostrophes; `number`: digits; `compound`: letters joined by hyphens, `_`, `&`, `.` or `/`;
 * `code`: a digit with a letter or a separator; `signed`: one of these with + or # after it ("c++", "s22+");
 * `unspaced`: a run of a script without blanks between words.
 */
export type TokenKind = "word" | "number" | "compound" | "code" | "signed" | "unspaced";

/** The kinds, by their number. */
export const KINDS: readonly TokenKind[] = ["word", "code", "number", "compound", "unspaced", "signed"];

/** The number of a kind. */
export function kindNumber(kind: TokenKind): number {
  if (kind === "word") return 0;
  if (kind === "code") return 1;
  if (kind === "number") return 2;
  if (kind === "compound") return 3;
  return kind === "unspaced" ? 4 : 5;
}

/** Receives each token as a range of the text, with its `tokenHash` (0 for unspaced runs). */
export type TokenVisitor = (kind: TokenKind, start: number, end: number, hash: number) => void;

/** The maximum length of a run; longer ones are cut. */
export const MAX_RUN = 64;

/** Visits the tokens of a normalised text in reading order. O(length). */
export function scanTokens(text: string, visit: TokenVisitor): void {
  const length = text.length;
  const classes = CLASSES;
  let at = 0;
  while (at < length) {
    const kind = classes[text.charCodeAt(at)]! || classAt(text, at);
    if (kind === SEPARATOR || kind === CONNECTOR) at++;
    else if (kind === UNSPACED) at = scanUnspaced(text, at, visit);
    else at = scanRun(text, at, visit);
  }
}

/** A token, and its range of code units in the normalised text. */
export interface ScannedToken {
  readonly kind: TokenKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The tokens of a normalised text in reading order. */
export function tokensIn(normal: string): ScannedToken[] {
  const tokens: ScannedToken[] = [];
  scanTokens(normal, (kind, start, end) => void tokens.push({ kind, text: normal.slice(start, end), start, end }));
  return tokens;
}

/**
 * The end of the first token that begins at or after `from`; the length of the text if there is none. Points and slashes between
 * letters end it: "ml" in "500 ml/bottle".
 */
export function endOfToken(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const kind = classAt(text, at);
    if (kind === UNSPACED) return scanUnspaced(text, at, ignore);
    if (kind !== SEPARATOR && kind !== CONNECTOR) return scanRun(text, at, ignore, false);
  }
  return at;
}

function ignore(): void {}

function scanRun(text: string, start: number, visit: TokenVisitor, joinsLetters = true): number {
  const limit = Math.min(text.length, start + MAX_RUN);
  const classes = CLASSES;
  let seen = 0;
  let hash = HASH_START;
  let at = start;
  for (; at < limit; at++) {
    const unit = text.charCodeAt(at);
    const kind = classes[unit]! || classAt(text, at);
    if (kind === LETTER || kind === DIGIT) seen |= 1 << kind;
    else if (
      kind === CONNECTOR &&
      at + 1 < limit &&
      (connects(text, at) || (joinsLetters && (seen & SEEN_DIGIT) === 0 && joinsParts(text, start, at)))
    )
      seen |= unit === APOSTROPHE ? SEEN_APOSTROPHE : SEEN_HYPHEN;
    else break;
    hash = Math.imul(hash ^ unit, HASH_PRIME);
  }
  const end = endOfSigns(text, at);
  for (let sign = at; sign < end; sign++) hash = Math.imul(hash ^ text.charCodeAt(sign), HASH_PRIME);
  visit(end > at ? "signed" : kindOf(seen), start, end, mixed(hash));
  return at;
}

/** "A+++" is the longest that is written. */
const MOST_SIGNS = 3;

/** The end of the signs + and # that belong to the run before `at`. "2+1" and "item#7" have none, "c++11" has two. */
function endOfSigns(text: string, at: number): number {
  let end = at;
  while (isSign(text.charCodeAt(end))) end++;
  if (end === at || end - at > MOST_SIGNS) return at;
  const next = end < text.length ? classAt(text, end) : SEPARATOR;
  const isJoined = next === LETTER || next === UNSPACED || (next === DIGIT && end - at === 1);
  return isJoined ? at : end;
}

function isSign(unit: number): boolean {
  return unit === PLUS || unit === HASH;
}

/** FNV-1a over code units (Fowler, Noll, Vo). The random start per process prevents attacks by colliding tokens. */
const HASH_START = randomInt(2 ** 32) | 0;
const HASH_PRIME = 0x01000193;

/** The hash of the code units `start` … `end` - 1. No answer depends on it. */
export function tokenHash(text: string, start: number, end: number): number {
  let hash = HASH_START;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), HASH_PRIME);
  return mixed(hash);
}

/** The hash of two numbers. No answer depends on it. */
export function pairHash(first: number, second: number): number {
  return mixed(Math.imul(Math.imul(HASH_START ^ first, HASH_PRIME) ^ second, HASH_PRIME));
}

/** Makes the low bits depend on all bits (the finalizer of MurmurHash3). */
function mixed(hash: number): number {
  const mix = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return mix ^ (mix >>> 13);
}

const HASH = 0x23;
const AMPERSAND = 0x26;
const APOSTROPHE = 0x27;
const PLUS = 0x2b;
const COMMA = 0x2c;
const HYPHEN = 0x2d;
const POINT = 0x2e;
const SLASH = 0x2f;
const UNDERSCORE = 0x5f;
/** What a run contains, as bits. */
const SEEN_LETTER = 1 << LETTER;
const SEEN_DIGIT = 1 << DIGIT;
const SEEN_APOSTROPHE = 1 << 6;
/** Any other connector. */
const SEEN_HYPHEN = 1 << 7;

/** The kind of a run, by what it contains: at least a letter or a digit. */
function kindOf(seen: number): TokenKind {
  if ((seen & SEEN_DIGIT) !== 0) return (seen & (SEEN_LETTER | SEEN_HYPHEN)) !== 0 ? "code" : "number";
  return (seen & SEEN_HYPHEN) !== 0 ? "compound" : "word";
}

/** Whether the connector at `at` (never first in its run) joins its neighbours. */
function connects(text: string, at: number): boolean {
  const before = classAt(text, at - 1);
  const after = classAt(text, at + 1);
  switch (text.charCodeAt(at)) {
    case HYPHEN:
    case UNDERSCORE:
      return (before === LETTER || before === DIGIT) && (after === LETTER || after === DIGIT);
    case APOSTROPHE:
    case AMPERSAND:
      return before === LETTER && after === LETTER;
    case COMMA:
      return before === DIGIT && after === DIGIT && isDecimalComma(text, at);
    default:
      return before === DIGIT && after === DIGIT;
  }
}

/** Whether a point or slash joins letters ("u.s.a", "ac/dc"), or a point a single letter to digits ("m.2"). */
function joinsParts(text: string, start: number, at: number): boolean {
  const unit = text.charCodeAt(at);
  if ((unit !== POINT && unit !== SLASH) || classAt(text, at - 1) !== LETTER) return false;
  let end = at + 1;
  while (end < text.length && end - at < MAX_RUN && classAt(text, end) === LETTER) end++;
  const isDigit = end < text.length && classAt(text, end) === DIGIT;
  return end === at + 1 ? isDigit && unit === POINT && at - start === 1 : !isDigit;
}

/** "1,000" and "3,5" are numbers; "1,2,3" is a list. */
function isDecimalComma(text: string, at: number): boolean {
  const digits = digitsAfter(text, at);
  if (digits === 3) return true;
  let first = at;
  while (first > 0 && classAt(text, first - 1) === DIGIT) first--;
  return digits < 3 && text[at + 1 + digits] !== "," && text[first - 1] !== ",";
}

/** The number of digits directly after `at`, at most 4. */
export function digitsAfter(text: string, at: number): number {
  let digits = 0;
  while (digits < 4 && at + 1 + digits < text.length && classAt(text, at + 1 + digits) === DIGIT) digits++;
  return digits;
}

function scanUnspaced(text: string, start: number, visit: TokenVisitor): number {
  let at = start;
  while (at < text.length && classAt(text, at) === UNSPACED) at++;
  visit("unspaced", start, at, 0);
  return at;
}
