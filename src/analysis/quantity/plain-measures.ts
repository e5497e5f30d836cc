// Finds plain measures: common spellings such as "10 cm", "14\"", "1.5l" and "20 x 30 cm" before a blank or punctuation. Their meaning
// depends on nothing but the spelling, so it can be cached; parsing one takes many times as long. Measures with fractions, with a
// unit before a cross or with a unit of two words are not plain.

import { CONNECTOR, classAt, SEPARATOR } from "../scan-tokens.js";
import { UNITS } from "../units.js";

const MOST_CHARACTERS = 16;
const MOST_NUMBERS = 3;
const BLANK = 0x20;
const INCH = 0x22;
const PERCENT = 0x25;
const CLOSING = 0x29;
const ASTERISK = 0x2a;
const COMMA = 0x2c;
const HYPHEN = 0x2d;
const POINT = 0x2e;
const SEMICOLON = 0x3b;
const SMALL_A = 0x61;
const SMALL_F = 0x66;
const SMALL_I = 0x69;
const SMALL_N = 0x6e;
const SMALL_X = 0x78;
const SMALL_Z = 0x7a;
const CROSS = 0xd7;

/**
 * The end of the plain measure that begins with the digit at `start`; 0 if it is not plain. It may end with a word that is no unit.
 * `closes`: the quotation marks that are open before it.
 */
export function endOfPlain(text: string, start: number, closes: string): number {
  if (start > 0 && isBehindNumber(text, start)) return 0;
  const at = afterNumber(text, start);
  if (at - start > MOST_CHARACTERS) return 0;
  const cross = afterCross(text, at);
  if (cross > 0) return endOfSize(text, cross);
  const mark = unitAt(text, at);
  const end = mark === PERCENT || (mark === INCH && closes === "") ? at + 1 : endOfWord(text, at);
  return isCrossed(text, end) ? 0 : end;
}

/** True if a point or comma before the number may belong to it. */
function isBehindNumber(text: string, start: number): boolean {
  const mark = unitAt(text, start - 1);
  if (mark === COMMA) return start > 1 && isDigit(unitAt(text, start - 2));
  return mark === POINT && (start < 2 || classAt(text, start - 2) === SEPARATOR);
}

/** The end of a size, such as "1080 mm" or "1080" after a cross; at most three numbers. */
function endOfSize(text: string, cross: number): number {
  let start = cross;
  for (let numbers = 2; numbers <= MOST_NUMBERS; numbers++) {
    const at = afterNumber(text, start);
    if (at - start > MOST_CHARACTERS) return 0;
    start = afterCross(text, at);
    if (start > 0) continue;
    const end = isStop(unitAt(text, at)) && !isDigit(unitAt(text, at + 1)) ? at : endOfWord(text, at);
    return isCrossed(text, end) ? 0 : end;
  }
  return 0;
}

/** The start of the number after "x" or " x "; 0 if there is none. */
export function afterCross(text: string, end: number): number {
  const gap = unitAt(text, end) === BLANK ? 1 : 0;
  if (!isCross(unitAt(text, end + gap)) || (gap === 1 && unitAt(text, end + 2) !== BLANK)) return 0;
  const number = end + 1 + 2 * gap;
  return isDigit(unitAt(text, number)) ? number : 0;
}

/** True at the end of a text and for punctuation that neither continues a number nor means a unit. */
function isStop(unit: number): boolean {
  return unit === 0 || unit === COMMA || unit === POINT || unit === CLOSING || unit === SEMICOLON;
}

/** The offset after the unit's word; 0 if the token or the unit may continue after it. */
function endOfWord(text: string, number: number): number {
  const word = unitAt(text, number) === BLANK || unitAt(text, number) === HYPHEN ? number + 1 : number;
  let at = word;
  while (isLetter(unitAt(text, at)) && at - word <= MOST_CHARACTERS) at++;
  if (at === word || at - word > MOST_CHARACTERS || !isLastOfToken(text, at)) return 0;
  const isBlank = unitAt(text, at) === BLANK;
  // Inches may follow feet, and "in" after a blank may be a preposition.
  if (isBlank && unitAt(text, word) === SMALL_F && isDigit(unitAt(text, at + 1))) return 0;
  if (word > number && at - word === 2 && unitAt(text, word) === SMALL_I && unitAt(text, word + 1) === SMALL_N)
    return 0;
  const second = unitAt(text, at) === POINT || isBlank ? secondLetter(text, at) : 0;
  return second > 0 && maySecond(text.slice(word, at), second) ? 0 : at;
}

/** The first letter of the next word, after a point, a blank or both; 0 if there is none. */
function secondLetter(text: string, end: number): number {
  const point = unitAt(text, end) === POINT ? end + 1 : end;
  const letter =
    unitAt(text, point) === BLANK || unitAt(text, point) === HYPHEN ? unitAt(text, point + 1) : unitAt(text, point);
  return isLetter(letter) ? letter : 0;
}

/** Whether a unit of two words may begin with this word, and its second word with this letter. */
function maySecond(first: string, second: number): boolean {
  return SECONDS.get(first)?.includes(String.fromCharCode(second)) ?? false;
}

/** True if no connector joins the next characters to the token. */
function isLastOfToken(text: string, at: number): boolean {
  if (at === text.length) return true;
  const kind = classAt(text, at);
  return kind === SEPARATOR || (kind === CONNECTOR && (at + 1 === text.length || classAt(text, at + 1) === SEPARATOR));
}

/** The offset after a number with decimals; of too many digits, after some of them. */
function afterNumber(text: string, start: number): number {
  const at = afterDigits(text, start);
  return unitAt(text, at) === POINT && isDigit(unitAt(text, at + 1)) ? afterDigits(text, at + 1) : at;
}

function afterDigits(text: string, start: number): number {
  let at = start;
  while (isDigit(unitAt(text, at)) && at - start <= MOST_CHARACTERS) at++;
  return at;
}

function isCrossed(text: string, end: number): boolean {
  return isCross(unitAt(text, end)) || (unitAt(text, end) === BLANK && isCross(unitAt(text, end + 1)));
}

function isLetter(unit: number): boolean {
  return unit >= SMALL_A && unit <= SMALL_Z;
}

function isCross(unit: number): boolean {
  return unit === SMALL_X || unit === CROSS || unit === ASTERISK;
}

const ZERO = 0x30;
const TWO = 0x32;
const THREE = 0x33;
const NINE = 0x39;
const SMALL_M = 0x6d;
const LAST_MARK = 0x2032;
/** Marks within numbers: points, commas, slashes. */
const JOINS = marks(".,/");
/** Inch, foot, percent, degree. */
const UNIT_MARKS = marks("\"'\u201d\u2032%\u00b0");
const ASCII = 0x80;
/** Longer numbers are always parsed. The limit keeps the scan linear. */
const MOST_LOOKED_AT = 32;
const LONGEST = 31;

/** Where the upper end of a range begins, given where its lower end stops: behind "-", " - " or " to "; 0 if there is none. */
export function afterRange(text: string, end: number): number {
  const gap = unitAt(text, end) === BLANK ? 1 : 0;
  const next = unitAt(text, end + gap) === HYPHEN ? end + 1 + 2 * gap : text.startsWith(" to ", end) ? end + 4 : 0;
  const isWhole = gap === 0 || unitAt(text, next - 1) === BLANK;
  return next > 0 && isWhole && isDigit(unitAt(text, next)) ? next : 0;
}

/** False if certainly no quantity and no thread begins at `start`, the start of a token of a normalised text. `isUpper`: of a range. */
export function mayMeasure(text: string, start: number, isUpper = false): boolean {
  const first = unitAt(text, start);
  const digits = first === SMALL_M ? start + 1 : start;
  if (!isDigit(unitAt(text, digits))) return false;
  const last = digits + MOST_LOOKED_AT;
  let end = afterNumbers(text, digits);
  if (digits > start) return end >= last || unitAt(text, end) === HYPHEN || mayCross(text, end);
  // A whole number before a fraction.
  while (isGap(unitAt(text, end)) && isDigit(unitAt(text, fractionAt(text, end))) && end < last)
    end = afterNumbers(text, fractionAt(text, end));
  if (end >= last) return true;
  const upper = isUpper ? 0 : afterRange(text, end);
  if (upper > 0 && mayMeasure(text, upper, true)) return true;
  const unit = unitAt(text, end);
  if (isMark(unit, UNIT_MARKS) || mayCross(text, end)) return true;
  return mayName(text, isGap(unit) ? end + 1 : end) || isBehindOf(text, start);
}

/** True behind the word "of", as in "pack of 10". */
export function isBehindOf(text: string, start: number): boolean {
  return unitAt(text, start - 1) === BLANK && unitAt(text, start - 2) === SMALL_F && text.startsWith(" of ", start - 4);
}

function mayCross(text: string, end: number): boolean {
  const cross = unitAt(text, end) === BLANK ? end + 1 : end;
  const unit = unitAt(text, cross);
  return isCross(unit) && (isDigit(unitAt(text, cross + 1)) || isDigit(unitAt(text, cross + 2)));
}

/** True for the mark of a unit, or a word that may be a unit. */
function mayName(text: string, start: number): boolean {
  const first = unitAt(text, start);
  if (isMark(first, UNIT_MARKS) || first >= ASCII) return true;
  let end = start;
  let unit = first;
  while (end - start <= LONGEST && unit >= SMALL_A && unit <= SMALL_Z) unit = unitAt(text, ++end);
  // Only the shortest units have letters other than ASCII.
  if (unit >= ASCII) return true;
  if (end === start) return false;
  const second = end - start > 1 ? unitAt(text, start + 1) : 0;
  const lengths = LENGTHS[placeOf(first, second, unitAt(text, end - 1))]!;
  if (isDigit(unit)) return first === SMALL_F || mayGoOn(text, end);
  return ((lengths >>> (end - start)) & 1) === 1;
}

/** True if a word before digits may still be a unit: with a cross between them, or the 2 or 3 of a square or cube. */
function mayGoOn(text: string, end: number): boolean {
  if (unitAt(text, end - 1) === SMALL_X) return true;
  return (unitAt(text, end) === TWO || unitAt(text, end) === THREE) && !isDigit(unitAt(text, end + 1));
}

function afterNumbers(text: string, start: number): number {
  const last = start + MOST_LOOKED_AT;
  let end = start;
  while (
    end < last &&
    (isDigit(unitAt(text, end)) || (isMark(unitAt(text, end), JOINS) && isDigit(unitAt(text, end + 1))))
  )
    end++;
  return end;
}

/** Where a fraction begins after a gap at `gap`: a sign for it, as "½", has a blank of its own in the normal form. */
export function fractionAt(text: string, gap: number): number {
  return unitAt(text, gap + 1) === BLANK ? gap + 2 : gap + 1;
}

/** Whether a code unit may separate a number from its unit: a blank or a hyphen. */
export function isGap(unit: number): boolean {
  return unit === BLANK || unit === HYPHEN;
}

/** Whether a code unit is a decimal digit. */
export function isDigit(unit: number): boolean {
  return unit >= ZERO && unit <= NINE;
}

/** The code unit at `at`; 0 outside the text. */
export function unitAt(text: string, at: number): number {
  return at >= 0 && at < text.length ? text.charCodeAt(at) : 0;
}

/** Whether a decimal digit is at `at`. */
export function isDigitAt(text: string, at: number): boolean {
  return isDigit(unitAt(text, at));
}

function marks(characters: string): Uint8Array {
  const table = new Uint8Array(LAST_MARK + 1);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

function isMark(unit: number, table: Uint8Array): boolean {
  return unit <= LAST_MARK && table[unit] === 1;
}

const PLACES = 1 << 12;
/** For each hash, the lengths of first words of units, as bits. */
const LENGTHS: Uint32Array = new Uint32Array(PLACES);
/** For each first word, the first letters of its second words. */
const SECONDS: ReadonlyMap<string, string> = readUnits();

/** The hash of a word by its first, second (if any) and last letter. */
function placeOf(first: number, second: number, last: number): number {
  return ((first * 31 + second) * 31 + last) % PLACES;
}

function readUnits(): Map<string, string> {
  const seconds = new Map<string, string>();
  for (const spelling of UNITS.keys()) {
    const [word] = /^\p{L}+/u.exec(spelling) ?? [];
    if (word === undefined) continue;
    const place = placeOf(word.charCodeAt(0), word.charCodeAt(1) || 0, word.charCodeAt(word.length - 1));
    LENGTHS[place]! |= 1 << word.length;
    const [, second] = spelling.split(" ");
    if (second === undefined) continue;
    seconds.set(word, (seconds.get(word) ?? "") + second[0]!);
  }
  return seconds;
}
