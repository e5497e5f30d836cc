// Where the tokens of a text begin and end, with their kinds and hashes: the plain twin of the kernel's `tokenize`, and what
// `scanTokens` finds, on code units.

import { CONNECTOR, DIGIT, LETTER, SEPARATOR, UNSPACED } from "../character-class.js";
import { isDigit } from "../quantity/may-measure.js";
import {
  connects,
  kindNumber,
  kindOf,
  MAX_RUN,
  SEEN_APOSTROPHE,
  SEEN_DIGIT,
  SEEN_HYPHEN,
  SEEN_LETTER,
  type TokenKind,
} from "../scan-tokens.js";
import { folded, HASH_START, hashed } from "./token-hash.js";

const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const SMALL_M = 0x6d;
const OPENING_QUOTE = 0x201c;

/** A text that knows its units, and takes what is found of it. */
export interface UnscannedText {
  readonly length: number;
  readonly units: Uint16Array;
  readonly normal: string;
  size: number;
  mayQuote: boolean;
  classAt(at: number): number;
  setToken(token: number, kind: number, hash: number, start: number, end: number): void;
  addMeasure(start: number): void;
}

/** Finds the tokens of a text. */
export function findTokens(text: UnscannedText): void {
  for (let at = 0; at < text.length; ) {
    const kind = text.classAt(at);
    if (kind === LETTER || kind === DIGIT) at = takeRun(text, at);
    else if (kind === UNSPACED) at = takeUnspaced(text, at);
    else {
      text.mayQuote ||= isOpening(text, at);
      at++;
    }
  }
}

function takeRun(text: UnscannedText, start: number): number {
  const { units } = text;
  const limit = Math.min(text.length, start + MAX_RUN);
  let seen = 0;
  let hash = HASH_START;
  let at = start;
  for (; at < limit; at++) {
    const unit = units[at]!;
    const kind = text.classAt(at);
    if (kind === LETTER) seen |= SEEN_LETTER;
    else if (kind === DIGIT) seen |= SEEN_DIGIT;
    else if (kind === CONNECTOR && at + 1 < limit && connects(text.normal, at))
      seen |= unit === APOSTROPHE ? SEEN_APOSTROPHE : SEEN_HYPHEN;
    else break;
    hash = hashed(hash, unit);
  }
  push(text, kindOf(seen), folded(hash), start, at);
  const first = units[start]!;
  if (isDigit(first) || first === SMALL_M) text.addMeasure(start);
  return at;
}

function takeUnspaced(text: UnscannedText, start: number): number {
  let at = start;
  while (at < text.length && text.classAt(at) === UNSPACED) at++;
  push(text, "unspaced", 0, start, at);
  return at;
}

function push(text: UnscannedText, kind: TokenKind, hash: number, start: number, end: number): void {
  text.setToken(text.size++, kindNumber(kind), hash, start, end);
}

/** A quotation may begin with a mark behind a blank or at the start. */
function isOpening(text: UnscannedText, at: number): boolean {
  const unit = text.units[at]!;
  if (unit !== QUOTE && unit !== APOSTROPHE && unit !== OPENING_QUOTE) return false;
  return at === 0 || text.classAt(at - 1) === SEPARATOR;
}
