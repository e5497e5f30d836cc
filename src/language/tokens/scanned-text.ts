// The text that is read at present, as code units, with its tokens and their hashes: what `normalizeText` and `scanTokens`
// give, in one loop over plain ASCII, and with nothing new to throw away. What is scanned holds until the next text.

import { CONNECTOR, classAt, DIGIT, LETTER, SEPARATOR, UNSPACED } from "../character-class.js";
import { normalizeText } from "../normalize-text.js";
import { END_ZEROS, isDigit, mayMeasure } from "../quantity/may-measure.js";
import {
  connects,
  kindOf,
  MAX_RUN,
  SEEN_APOSTROPHE,
  SEEN_DIGIT,
  SEEN_HYPHEN,
  SEEN_LETTER,
  type TokenKind,
} from "../scan-tokens.js";
import { folded, HASH_START, hashed } from "./token-hash.js";
import type { TokenMemo } from "./token-memo.js";

const ASCII = 0x80;
/** Of each ASCII character its lower case; 0: it is no plain text. */
const LOWER = new Uint8Array(ASCII);
/** And its class. */
const CLASSES = new Uint8Array(ASCII);
for (let unit = 0; unit < ASCII; unit++) {
  const character = String.fromCharCode(unit);
  if (/[\t\n\v\f\r\x20-\x7e]/.test(character)) LOWER[unit] = character.toLowerCase().charCodeAt(0);
  CLASSES[unit] = classAt(character, 0);
}
const SMALL_M = 0x6d;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const OPENING_QUOTE = 0x201c;
const FIRST_LENGTH = 4096;
/** The room for longer texts is given back when a short one comes. */
const MOST_KEPT = 1 << 16;

/** One text at a time. */
export class ScannedText {
  /** The normalised text: `length` code units, and zeros behind them. */
  units: Uint16Array = new Uint16Array(FIRST_LENGTH);
  length = 0;
  /** Tells the present text from those before. */
  number = 0;
  /** The tokens: how many, and of each its kind, its hash, and the range of its code units. */
  size = 0;
  kinds: TokenKind[] = [];
  hashes: Int32Array = new Int32Array(FIRST_LENGTH);
  starts: Int32Array = new Int32Array(FIRST_LENGTH);
  ends: Int32Array = new Int32Array(FIRST_LENGTH);
  /** Where those of the tokens begin that `mayMeasure` names, and how many. */
  measured: number[] = [];
  measures = 0;
  /** False: no quotation mark opens. */
  mayQuote = false;
  /** A text whose characters are of the same classes as those of the normalised one. */
  private alike = "";
  private known: string | undefined = "";

  /** Normalises and scans a text. */
  scan(text: string): void {
    this.makeRoom(text.length);
    if (this.takePlain(text)) {
      this.known = undefined;
      this.alike = text;
      this.tokenize(text.length);
    } else this.scanNormal(normalizeText(text));
  }

  /** Scans a text that is normalised. */
  scanNormal(normal: string): void {
    this.makeRoom(normal.length);
    this.known = normal;
    this.alike = normal;
    const { units } = this;
    for (let at = 0; at < normal.length; at++) units[at] = normal.charCodeAt(at);
    this.tokenize(normal.length);
  }

  /** The normalised text, which is seldom asked for. */
  get normal(): string {
    this.known ??= this.alike.toLowerCase();
    return this.known;
  }

  /** A part of it. */
  slice(start: number, end: number): string {
    return this.normal.slice(start, end);
  }

  /** The class of the character that stands there. */
  classAt(at: number): number {
    const unit = this.units[at]!;
    return unit < ASCII ? CLASSES[unit]! : classAt(this.alike, at);
  }

  /** Takes a text over if it is plain ASCII, which only changes case. */
  private takePlain(text: string): boolean {
    const { units } = this;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      const lower = unit < ASCII ? LOWER[unit]! : 0;
      if (lower === 0) return false;
      units[at] = lower;
    }
    return true;
  }

  private tokenize(length: number): void {
    this.units.fill(0, length, length + END_ZEROS);
    this.length = length;
    this.number++;
    this.size = 0;
    this.measures = 0;
    this.mayQuote = false;
    for (let at = 0; at < length; ) {
      const kind = this.classAt(at);
      if (kind === LETTER || kind === DIGIT) at = this.takeRun(at);
      else if (kind === UNSPACED) at = this.takeUnspaced(at);
      else {
        this.mayQuote ||= this.isOpening(at);
        at++;
      }
    }
  }

  private takeRun(start: number): number {
    const { units } = this;
    const limit = Math.min(this.length, start + MAX_RUN);
    let seen = 0;
    let hash = HASH_START;
    let at = start;
    for (; at < limit; at++) {
      const unit = units[at]!;
      const kind = unit < ASCII ? CLASSES[unit]! : classAt(this.alike, at);
      if (kind === LETTER) seen |= SEEN_LETTER;
      else if (kind === DIGIT) seen |= SEEN_DIGIT;
      else if (kind === CONNECTOR && at + 1 < limit && connects(this.alike, at))
        seen |= unit === APOSTROPHE ? SEEN_APOSTROPHE : SEEN_HYPHEN;
      else break;
      hash = hashed(hash, unit);
    }
    const first = units[start]!;
    if ((isDigit(first) || first === SMALL_M) && mayMeasure(units, start)) this.measured[this.measures++] = start;
    this.push(kindOf(seen), folded(hash), start, at);
    return at;
  }

  private takeUnspaced(start: number): number {
    let at = start;
    while (at < this.length && this.classAt(at) === UNSPACED) at++;
    this.push("unspaced", 0, start, at);
    return at;
  }

  private push(kind: TokenKind, hash: number, start: number, end: number): void {
    this.kinds[this.size] = kind;
    this.hashes[this.size] = hash;
    this.starts[this.size] = start;
    this.ends[this.size] = end;
    this.size++;
  }

  /** A quotation may begin with a mark behind a blank or at the start. */
  private isOpening(at: number): boolean {
    const unit = this.units[at]!;
    if (unit !== QUOTE && unit !== APOSTROPHE && unit !== OPENING_QUOTE) return false;
    return at === 0 || this.classAt(at - 1) === SEPARATOR;
  }

  private makeRoom(length: number): void {
    const room = this.units.length;
    if (length + END_ZEROS <= room && (room <= MOST_KEPT || length > FIRST_LENGTH)) return;
    const size = Math.max(FIRST_LENGTH, 2 * length + END_ZEROS);
    this.units = new Uint16Array(size);
    this.kinds = [];
    this.hashes = new Int32Array(size);
    this.starts = new Int32Array(size);
    this.ends = new Int32Array(size);
    this.measured = [];
  }
}

const PRESENT = new ScannedText();
let present: string | undefined;

/** A text as it is to be indexed, scanned; valid until the next is. The title comes twice, as a field and as a title. */
export function scannedText(text: string): ScannedText {
  if (text !== present) {
    present = undefined;
    PRESENT.scan(text);
    present = text;
  }
  return PRESENT;
}

/** The token of a memo that token `i` of a text is. */
export function findToken(memo: TokenMemo, text: ScannedText, i: number): number {
  const kind = text.kinds[i]!;
  const hash = text.hashes[i]!;
  const start = text.starts[i]!;
  const end = text.ends[i]!;
  const token = memo.seek(hash, kind, text.units, start, end);
  return token > 0 ? token : memo.learn(hash, kind, text.slice(start, end));
}
