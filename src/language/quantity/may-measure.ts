// Whether it is worth reading what stands at a digit: most numbers of a text have no unit, and reading one to find that out
// costs ten times as much as these few looks. Errs on the side of reading.

import { classAt, LETTER } from "../character-class.js";
import { UNITS } from "../units.js";

const ZERO = 0x30;
const NINE = 0x39;
const BLANK = 0x20;
const HYPHEN = 0x2d;
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
/** The lengths, as bits, that the first words of units have, by their first two letters. */
const LENGTHS = new Uint32Array(1 << 10);
const LONGEST = 31;
for (const spelling of UNITS.keys()) {
  const [word] = /^\p{L}+/u.exec(spelling) ?? [];
  if (word !== undefined) LENGTHS[placeOf(word.charCodeAt(0), word.charCodeAt(1))]! |= 1 << word.length;
}

/** False where no quantity and no thread begins at the token that begins at `start`. */
export function mayMeasure(text: string, start: number): boolean {
  const first = text.charCodeAt(start);
  const digits = first === SMALL_M ? start + 1 : start;
  if (!isDigitAt(text, digits)) return false;
  const last = digits + MOST_CHARACTERS;
  let end = afterDigits(text, digits);
  if (digits > start) return end >= last || text.charCodeAt(end) === HYPHEN || mayCross(text, end);
  // A whole number before a fraction.
  while (isGap(text.charCodeAt(end)) && isDigitAt(text, end + 1) && end < last) end = afterDigits(text, end + 1);
  if (end >= last) return true;
  const unit = text.charCodeAt(end);
  return isMark(unit, UNIT_MARKS) || mayCross(text, end) || mayName(text, isGap(unit) ? end + 1 : end);
}

function mayCross(text: string, end: number): boolean {
  const cross = text.charCodeAt(end) === BLANK ? end + 1 : end;
  const unit = text.charCodeAt(cross);
  return (unit === SMALL_X || unit === CROSS) && (isDigitAt(text, cross + 1) || isDigitAt(text, cross + 2));
}

/** A mark behind a blank, or a word that might be a unit's. */
function mayName(text: string, start: number): boolean {
  const first = text.charCodeAt(start);
  if (isMark(first, UNIT_MARKS) || first >= ASCII) return true;
  let end = start;
  while (end < text.length && end - start <= LONGEST && classAt(text, end) === LETTER) end++;
  if (end === start) return false;
  const second = end - start > 1 ? text.charCodeAt(start + 1) : Number.NaN;
  const lengths = LENGTHS[placeOf(first, second)]!;
  // An "x" before a digit is a cross behind a shorter word.
  return ((lengths >>> (end - start)) & 1) === 1 || isDigitAt(text, end);
}

function afterDigits(text: string, start: number): number {
  const last = start + MOST_CHARACTERS;
  let end = start;
  while (end < last && (isDigitAt(text, end) || (isMark(text.charCodeAt(end), JOINS) && isDigitAt(text, end + 1))))
    end++;
  return end;
}

function isGap(unit: number): boolean {
  return unit === BLANK || unit === HYPHEN;
}

/** Whether a decimal digit stands there. */
export function isDigitAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= ZERO && unit <= NINE;
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

/** Words of one letter have no second one. */
function placeOf(first: number, second: number): number {
  return (first * 31 + (second || 0)) % LENGTHS.length;
}
