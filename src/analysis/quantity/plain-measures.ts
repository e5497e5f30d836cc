// Tells where a measure may begin, and finds plain ones: usual spellings such as "10 cm" and "1.5l", whose meaning depends on nothing
// else, so it can be cached. Parsing one takes many times as long.

import type { UnitTable } from "../units.js";

const BLANK = 0x20;
const ASTERISK = 0x2a;
const COMMA = 0x2c;
const HYPHEN = 0x2d;
const POINT = 0x2e;
const SMALL_A = 0x61;
const SMALL_F = 0x66;
const SMALL_X = 0x78;
const SMALL_Z = 0x7a;
const CROSS = 0xd7;

/** A number, a unit of one word, and then the end, a blank or punctuation: nothing behind it may belong to it. */
const PLAIN = /[0-9]{1,12}(?:\.[0-9]{1,12})?([ -]?)([a-z]{1,16})(?=$|[,;)](?= |$)| [^0-9x×*])/y;

/** The end of the plain measure that begins with the digit at `start`; 0 if it is not plain. It may end with a word that is no unit. */
export function endOfPlain(text: string, start: number, { firstWords }: UnitTable): number {
  const before = unitAt(text, start - 1);
  if (before === COMMA || before === POINT) return 0;
  PLAIN.lastIndex = start;
  const [, gap, unit] = PLAIN.exec(text) ?? [];
  // "in" behind a gap may be a preposition.
  if (unit === undefined || firstWords.has(unit) || (gap !== "" && unit === "in")) return 0;
  return PLAIN.lastIndex;
}

/** The start of the number after "x" or " x "; 0 if there is none. */
export function afterCross(text: string, end: number): number {
  const gap = unitAt(text, end) === BLANK ? 1 : 0;
  if (!isCross(unitAt(text, end + gap)) || (gap === 1 && unitAt(text, end + 2) !== BLANK)) return 0;
  const number = end + 1 + 2 * gap;
  return isDigit(unitAt(text, number)) ? number : 0;
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
export function mayMeasure(text: string, start: number, units: UnitTable, isUpper = false): boolean {
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
  if (upper > 0 && mayMeasure(text, upper, units, true)) return true;
  const unit = unitAt(text, end);
  if (isMark(unit, UNIT_MARKS) || mayCross(text, end)) return true;
  return mayName(text, isGap(unit) ? end + 1 : end, units) || mayBePack(text, start, units);
}

/** True for a number behind the word "of", as in "pack of 10", and for one that a pack follows, as in "10er Pack". */
export function mayBePack(text: string, start: number, { packWords, packBehind }: UnitTable): boolean {
  if (unitAt(text, start - 1) === BLANK && packWords.some((word) => text.startsWith(word, start - word.length)))
    return true;
  if (packBehind === undefined) return false;
  packBehind.lastIndex = start;
  return packBehind.test(text);
}

function mayCross(text: string, end: number): boolean {
  const cross = unitAt(text, end) === BLANK ? end + 1 : end;
  const unit = unitAt(text, cross);
  return isCross(unit) && (isDigit(unitAt(text, cross + 1)) || isDigit(unitAt(text, cross + 2)));
}

/** True for the mark of a unit, or a word that may be a unit. */
function mayName(text: string, start: number, units: UnitTable): boolean {
  const first = unitAt(text, start);
  if (isMark(first, UNIT_MARKS) || first >= ASCII) return true;
  let end = start;
  let unit = first;
  while (end - start <= LONGEST && unit >= SMALL_A && unit <= SMALL_Z) unit = unitAt(text, ++end);
  // Only the shortest units have letters other than ASCII.
  if (unit >= ASCII) return true;
  if (end === start) return false;
  const second = end - start > 1 ? unitAt(text, start + 1) : 0;
  if (isDigit(unit)) return first === SMALL_F || mayGoOn(text, end);
  return units.mayBegin(first, second, unitAt(text, end - 1), end - start);
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
