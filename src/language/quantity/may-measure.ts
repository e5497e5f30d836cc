// Whether it is worth reading what stands at a digit: most numbers of a text have no unit, and reading one to find that out
// costs ten times as much as these few looks. Errs on the side of reading.

import { LENGTHS, placeOf } from "./unit-words.js";

const ZERO = 0x30;
const TWO = 0x32;
const THREE = 0x33;
const NINE = 0x39;
const BLANK = 0x20;
const HYPHEN = 0x2d;
const SMALL_A = 0x61;
const SMALL_F = 0x66;
const SMALL_Z = 0x7a;
const SMALL_M = 0x6d;
const SMALL_X = 0x78;
const CROSS = 0xd7;
const LAST_MARK = 0x2044;
/** Digits go on behind these: points, commas, slashes. */
const JOINS = marks(".,/\u2044");
/** Inch, foot, percent, degree. */
const UNIT_MARKS = marks("\"'\u201d\u2032%\u00b0");
const ASCII = 0x80;
/** Longer numbers are read: nobody may make each digit look at all behind it. */
const MOST_CHARACTERS = 32;
const LONGEST = 31;

/** False where no quantity and no thread begins at the token that begins at `start` of a normalised text. */
export function mayMeasure(text: string, start: number): boolean {
  const first = unitAt(text, start);
  const digits = first === SMALL_M ? start + 1 : start;
  if (!isDigit(unitAt(text, digits))) return false;
  const last = digits + MOST_CHARACTERS;
  let end = afterDigits(text, digits);
  if (digits > start) return end >= last || unitAt(text, end) === HYPHEN || mayCross(text, end);
  // A whole number before a fraction.
  while (isGap(unitAt(text, end)) && isDigit(unitAt(text, end + 1)) && end < last) end = afterDigits(text, end + 1);
  if (end >= last) return true;
  const unit = unitAt(text, end);
  return isMark(unit, UNIT_MARKS) || mayCross(text, end) || mayName(text, isGap(unit) ? end + 1 : end);
}

function mayCross(text: string, end: number): boolean {
  const cross = unitAt(text, end) === BLANK ? end + 1 : end;
  const unit = unitAt(text, cross);
  return (unit === SMALL_X || unit === CROSS) && (isDigit(unitAt(text, cross + 1)) || isDigit(unitAt(text, cross + 2)));
}

/** A mark behind a blank, or a word that might be a unit's. */
function mayName(text: string, start: number): boolean {
  const first = unitAt(text, start);
  if (isMark(first, UNIT_MARKS) || first >= ASCII) return true;
  let end = start;
  let unit = first;
  while (end - start <= LONGEST && unit >= SMALL_A && unit <= SMALL_Z) unit = unitAt(text, ++end);
  // Letters that are no ASCII are in no unit but the shortest.
  if (unit >= ASCII) return true;
  if (end === start) return false;
  const second = end - start > 1 ? unitAt(text, start + 1) : 0;
  const lengths = LENGTHS[placeOf(first, second, unitAt(text, end - 1))]!;
  if (isDigit(unit)) return first === SMALL_F || mayGoOn(text, end);
  return ((lengths >>> (end - start)) & 1) === 1;
}

/** Digits behind a word make it part of a token, but for inches behind feet, a cross before them, and a square's or a cube's. */
function mayGoOn(text: string, end: number): boolean {
  if (unitAt(text, end - 1) === SMALL_X) return true;
  return (unitAt(text, end) === TWO || unitAt(text, end) === THREE) && !isDigit(unitAt(text, end + 1));
}

function afterDigits(text: string, start: number): number {
  const last = start + MOST_CHARACTERS;
  let end = start;
  while (
    end < last &&
    (isDigit(unitAt(text, end)) || (isMark(unitAt(text, end), JOINS) && isDigit(unitAt(text, end + 1))))
  )
    end++;
  return end;
}

function isGap(unit: number): boolean {
  return unit === BLANK || unit === HYPHEN;
}

/** Whether a code unit is a decimal digit. */
export function isDigit(unit: number): boolean {
  return unit >= ZERO && unit <= NINE;
}

/** The code unit of a text there; 0: there is none. */
export function unitAt(text: string, at: number): number {
  return at >= 0 && at < text.length ? text.charCodeAt(at) : 0;
}

/** Whether a decimal digit stands there. */
export function isDigitAt(text: string, at: number): boolean {
  return isDigit(unitAt(text, at));
}

function marks(characters: string): Uint8Array {
  const table = new Uint8Array(LAST_MARK + 1);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

/** Behind the end of a text there is no mark. */
function isMark(unit: number, table: Uint8Array): boolean {
  return unit <= LAST_MARK && table[unit] === 1;
}
