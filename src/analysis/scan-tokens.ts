// Where tokens begin and end: one pass over a normalised text, no look-back, no memory of other texts. An unbroken run is
// cut at 64 characters, so that no later step can become quadratic.

import { randomInt } from "node:crypto";
import { CLASSES, CONNECTOR, classAt, DIGIT, LETTER, SEPARATOR, UNSPACED } from "./character-class.js";

/**
 * `word`: letters, perhaps with apostrophes; `number`: digits; `compound`: letters joined by hyphens, `_` or `&`;
 * `code`: a digit with a letter or a separator; `unspaced`: a run of a script without blanks, read by bigrams.
 */
export type TokenKind = "word" | "number" | "compound" | "code" | "unspaced";

/** The kinds by number. */
export const KINDS: readonly TokenKind[] = ["word", "code", "number", "compound", "unspaced"];

/** The number of a kind. */
export function kindNumber(kind: TokenKind): number {
  if (kind === "word") return 0;
  if (kind === "code") return 1;
  if (kind === "number") return 2;
  return kind === "compound" ? 3 : 4;
}

/** Gets each token as a range of the text, with its `tokenHash`; that of unspaced runs is 0. */
export type TokenVisitor = (kind: TokenKind, start: number, end: number, hash: number) => void;

/** The longest run; longer ones are cut. */
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

/** Where the first token ends that does not begin before `from`; the length of the text if there is none. */
export function endOfToken(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const kind = classAt(text, at);
    if (kind === UNSPACED) return scanUnspaced(text, at, ignore);
    if (kind !== SEPARATOR && kind !== CONNECTOR) return scanRun(text, at, ignore);
  }
  return at;
}

function ignore(): void {}

function scanRun(text: string, start: number, visit: TokenVisitor): number {
  const limit = Math.min(text.length, start + MAX_RUN);
  const classes = CLASSES;
  let seen = 0;
  let hash = HASH_START;
  let at = start;
  for (; at < limit; at++) {
    const unit = text.charCodeAt(at);
    const kind = classes[unit]! || classAt(text, at);
    if (kind === LETTER || kind === DIGIT) seen |= 1 << kind;
    else if (kind === CONNECTOR && at + 1 < limit && connects(text, at))
      seen |= unit === APOSTROPHE ? SEEN_APOSTROPHE : SEEN_HYPHEN;
    else break;
    hash = Math.imul(hash ^ unit, HASH_PRIME);
  }
  visit(kindOf(seen), start, at, mixed(hash));
  return at;
}

/** FNV-1a over code units (Fowler, Noll, Vo), begun with a secret of the process: nobody can make up tokens that collide. */
const HASH_START = randomInt(2 ** 32) | 0;
const HASH_PRIME = 0x01000193;

/** The hash of the code units of a text from `start` up to `end`. No answer depends on it. */
export function tokenHash(text: string, start: number, end: number): number {
  let hash = HASH_START;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), HASH_PRIME);
  return mixed(hash);
}

/** So that the low bits depend on all (the finish of MurmurHash3). */
function mixed(hash: number): number {
  const mix = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return mix ^ (mix >>> 13);
}

const AMPERSAND = 0x26;
const APOSTROPHE = 0x27;
const COMMA = 0x2c;
const HYPHEN = 0x2d;
const UNDERSCORE = 0x5f;
/** What a run holds, as bits. */
const SEEN_LETTER = 1 << LETTER;
const SEEN_DIGIT = 1 << DIGIT;
const SEEN_APOSTROPHE = 1 << 6;
/** Any other connector. */
const SEEN_HYPHEN = 1 << 7;

/** The kind of a run that holds what was seen, a letter or a digit at least. */
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

/** "1,000" and "3,5" are numbers; "1,2,3" is a list. */
function isDecimalComma(text: string, at: number): boolean {
  const digits = digitsAfter(text, at);
  if (digits === 3) return true;
  let first = at;
  while (first > 0 && classAt(text, first - 1) === DIGIT) first--;
  return digits < 3 && text[at + 1 + digits] !== "," && text[first - 1] !== ",";
}

/** How many digits stand directly after `at`, counted to 4. */
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
