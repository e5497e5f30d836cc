// The measures that texts are full of, "10 cm", "14\"", "1.5l" and "20 x 30 cm" before a blank or punctuation, by their
// spelling: reading one exactly takes many times as long as finding it here. Anything else about it (a fraction, a unit before
// a cross, a second word of its unit) makes it none of these.

import { CONNECTOR, classAt, SEPARATOR } from "../character-class.js";
import { isDigit, unitAt } from "./may-measure.js";
import { SECONDS } from "./unit-words.js";

const MOST_CHARACTERS = 16;
const MOST_NUMBERS = 3;
const BLANK = 0x20;
const INCH = 0x22;
const PERCENT = 0x25;
const CLOSING = 0x29;
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
 * Where the plain measure ends that begins with the digit at `start`, of which only its spelling counts; 0: it is not plain.
 * A word that is no unit may stand in it, at its end. `closes`: the quotation marks that stand open before it.
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

/** A point or a comma of which the number may be the second half. */
function isBehindNumber(text: string, start: number): boolean {
  const mark = unitAt(text, start - 1);
  if (mark === COMMA) return start > 1 && isDigit(unitAt(text, start - 2));
  return mark === POINT && (start < 2 || classAt(text, start - 2) === SEPARATOR);
}

/** Where "1080 mm" ends behind a cross, and "1080" before punctuation; up to three numbers. */
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

/** Where the number begins behind "x" or " x "; 0: there is none. */
function afterCross(text: string, end: number): number {
  const gap = unitAt(text, end) === BLANK ? 1 : 0;
  if (!isCross(unitAt(text, end + gap)) || (gap === 1 && unitAt(text, end + 2) !== BLANK)) return 0;
  const number = end + 1 + 2 * gap;
  return isDigit(unitAt(text, number)) ? number : 0;
}

/** What ends a text, and marks that neither go on with a number nor name a unit. */
function isStop(unit: number): boolean {
  return unit === 0 || unit === COMMA || unit === POINT || unit === CLOSING || unit === SEMICOLON;
}

/** Behind the word of a unit, where it ends a token and nothing behind it may belong to it; else 0. */
function endOfWord(text: string, number: number): number {
  const word = unitAt(text, number) === BLANK || unitAt(text, number) === HYPHEN ? number + 1 : number;
  let at = word;
  while (isLetter(unitAt(text, at)) && at - word <= MOST_CHARACTERS) at++;
  if (at === word || at - word > MOST_CHARACTERS || !isLastOfToken(text, at)) return 0;
  const isBlank = unitAt(text, at) === BLANK;
  // Inches may follow feet, and "in" may be no inch where it does not touch its number.
  if (isBlank && unitAt(text, word) === SMALL_F && isDigit(unitAt(text, at + 1))) return 0;
  if (word > number && at - word === 2 && unitAt(text, word) === SMALL_I && unitAt(text, word + 1) === SMALL_N)
    return 0;
  const second = unitAt(text, at) === POINT || isBlank ? secondLetter(text, at) : 0;
  return second > 0 && maySecond(text.slice(word, at), second) ? 0 : at;
}

/** The letter with which the next word begins, behind a point, a blank or both; 0: none. */
function secondLetter(text: string, end: number): number {
  const point = unitAt(text, end) === POINT ? end + 1 : end;
  const letter =
    unitAt(text, point) === BLANK || unitAt(text, point) === HYPHEN ? unitAt(text, point + 1) : unitAt(text, point);
  return isLetter(letter) ? letter : 0;
}

/** Whether a spelling of two words may begin so. */
function maySecond(first: string, second: number): boolean {
  return SECONDS.get(first)?.includes(String.fromCharCode(second)) ?? false;
}

/** No connector joins what follows. */
function isLastOfToken(text: string, at: number): boolean {
  if (at === text.length) return true;
  const kind = classAt(text, at);
  return kind === SEPARATOR || (kind === CONNECTOR && (at + 1 === text.length || classAt(text, at + 1) === SEPARATOR));
}

/** Behind the digits there, or behind some of too many, and behind their decimals. */
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
  return unit === SMALL_X || unit === CROSS;
}
