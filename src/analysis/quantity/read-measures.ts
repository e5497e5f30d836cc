// Parses measures, alone or joined by crosses: "1.5 l", "5' 10\"", "2 x 4", "20cm x 30cm". At most four, so a call takes constant time.

import { classAt, DIGIT, isDigitAt, LETTER, QUANTITY_MARK, SEPARATOR, UNSPACED, unitAt } from "../scan-tokens.js";
import { ATTACHED_ONLY, IN_FRACTIONS, UNITS, type Unit, type UnitTable } from "../units.js";
import { nineDigits, plus, type Rational, rational, times } from "./rational.js";

/** A number of a text, and its unit if it has one. */
export interface Measure {
  readonly start: number;
  readonly end: number;
  readonly number: NumberRead;
  readonly unit: Unit | undefined;
  /** The inches after feet; the unit is inch then. */
  readonly inches: NumberRead | undefined;
}

const BLANK = 0x20;
const ASTERISK = 0x2a;
const SMALL_X = 0x78;
const CROSS = 0xd7;

/** Length, width, height, and a spare one. */
const MOST_FACTORS = 4;
const FOOT = UNITS.get("foot")!;
const INCH = UNITS.get("inch")!;
const TWELVE: Rational = { n: 12n, d: 1n };

/** The measures from the digit at `start` on that are joined by crosses; empty if there are none. */
export function readFactors(text: string, start: number, closes: string, units: UnitTable): Measure[] {
  const factors: Measure[] = [];
  for (let at = start; factors.length < MOST_FACTORS; ) {
    const measure = readMeasure(text, at, closes, units);
    if (measure === undefined) break;
    factors.push(measure);
    at = afterCross(text, measure.end);
    if (at === 0) break;
  }
  return factors;
}

/** The start of the number after "x" or " x "; 0 if there is none. */
function afterCross(text: string, end: number): number {
  const gap = unitAt(text, end) === BLANK ? 1 : 0;
  const cross = unitAt(text, end + gap);
  if (cross !== SMALL_X && cross !== CROSS && cross !== ASTERISK) return 0;
  const number = end + 1 + 2 * gap;
  return (gap === 0 || unitAt(text, end + 2) === BLANK) && isDigitAt(text, number) ? number : 0;
}

/** The exact value of a measure, in its unit. */
export function valueOfMeasure({ number, inches }: Measure): Rational {
  const value = exactValue(number);
  return inches === undefined ? value : plus(times(value, TWELVE), exactValue(inches));
}

function readMeasure(text: string, at: number, closes: string, units: UnitTable): Measure | undefined {
  const number = readNumber(text, at);
  if (number === undefined) return undefined;
  const { start, end } = number;
  const found = readUnit(text, number, closes, units);
  if (found === undefined) return { start, end, number, unit: undefined, inches: undefined };
  if (found.unit !== FOOT) return { start, end: found.end, number, unit: found.unit, inches: undefined };
  const behind = readInches(text, found.end, closes, units);
  if (behind !== undefined) return { start, end: behind.end, number, unit: INCH, inches: behind.inches };
  // 6'2 without an inch mark is ambiguous.
  if (isDigitAt(text, found.end)) return undefined;
  return { start, end: found.end, number, unit: FOOT, inches: undefined };
}

function readInches(
  text: string,
  end: number,
  closes: string,
  units: UnitTable,
): { inches: NumberRead; end: number } | undefined {
  const at = unitAt(text, end) === BLANK ? end + 1 : end;
  const inches = isDigitAt(text, at) ? readNumber(text, at) : undefined;
  const found = inches && readUnit(text, inches, closes, units);
  return inches && found?.unit === INCH ? { inches, end: found.end } : undefined;
}

/** A thread of a text and its term. */
interface ThreadRead {
  readonly start: number;
  readonly end: number;
  readonly term: string;
}

const MILLIMETRE = UNITS.get("mm")!;
const MOST_NUMBERS = 3;

/** The thread whose "m" is at `start`, if it ends where `isEnd` is true. A diameter alone is no quantity. */
export function readThread(
  text: string,
  start: number,
  closes: string,
  units: UnitTable,
  isEnd: (at: number) => boolean,
): ThreadRead | undefined {
  let thread: ThreadRead | undefined;
  let at: number | undefined = start + 1;
  let name = `${QUANTITY_MARK}thread:m`;
  for (let numbers = 1; at !== undefined && numbers <= MOST_NUMBERS; numbers++) {
    const number = readNumber(text, at);
    if (number === undefined || number.fraction !== undefined) break;
    name += (numbers > 1 ? "x" : "") + nineDigits(exactValue(number));
    const unit = numbers > 1 ? readUnit(text, number, closes, units) : undefined;
    const end = unit?.unit === MILLIMETRE ? unit.end : number.end;
    if (numbers > 1 && isEnd(end)) thread = { start, end, term: name };
    at = afterCross(text, end) || (numbers === 1 ? afterHyphen(text, end) : undefined);
  }
  return thread;
}

/** "M8-1.25" is a thread, "M4-16" a model name. */
function afterHyphen(text: string, end: number): number | undefined {
  if (text[end] !== "-" || !isDigitAt(text, end + 1)) return undefined;
  const pitch = readNumber(text, end + 1);
  return pitch !== undefined && text.slice(end, pitch.end).includes(".") ? end + 1 : undefined;
}

/** A number of a text: its range in code units, and its parts. Its value is computed only if it has a unit. */
interface NumberRead {
  readonly start: number;
  readonly end: number;
  readonly decimal: string;
  /** The fraction after the decimal. */
  readonly fraction: Rational | undefined;
}

const COMMA = 0x2c;
const HYPHEN = 0x2d;
const POINT = 0x2e;
const SLASH = 0x2f;
const ZERO = 0x30;
const COLON = 0x3a;

/** Including the point; longer numbers are barcodes. */
const MOST_DIGITS = 12;
/** The denominators of fractions. */
const DENOMINATORS = new Set(["2", "3", "4", "5", "6", "8", "16", "32", "64"]);

/** The number whose first digit is at `at`; undefined if the digits belong to something else. */
function readNumber(text: string, at: number): NumberRead | undefined {
  const end = afterDigits(text, at);
  if (end === at || isInList(text, at)) return undefined;
  if (isAfterPoint(text, at)) return finish(text, at - 1, end, `0.${text.slice(at, end)}`);
  const behind = unitAt(text, end);
  if (behind === SLASH) return readFraction(text, at);
  const next = fractionAt(text, end);
  if (isGap(behind) && isDigitAt(text, next)) {
    const rest = readFraction(text, next);
    if (rest !== undefined && Number(rest.decimal) === 0) return { ...rest, start: at, decimal: text.slice(at, end) };
  }
  return readDecimal(text, at, end);
}

/** Where a fraction begins after a gap at `gap`: a sign for it, as "½", has a blank of its own in the normal form. */
function fractionAt(text: string, gap: number): number {
  return unitAt(text, gap + 1) === BLANK ? gap + 2 : gap + 1;
}

/** Whether a code unit may separate a number from its unit: a blank or a hyphen. */
function isGap(unit: number): boolean {
  return unit === BLANK || unit === HYPHEN;
}

function exactValue({ decimal, fraction }: NumberRead): Rational {
  const value = rational(decimal);
  return fraction === undefined ? value : plus(value, fraction);
}

/** A number with thousands separators ("1,500"), with a decimal point or comma, or with both. */
function readDecimal(text: string, start: number, wholeEnd: number): NumberRead | undefined {
  const mayGroup = wholeEnd - start <= 3 && unitAt(text, start) !== ZERO;
  let digits = text.slice(start, wholeEnd);
  let end = wholeEnd;
  while (mayGroup && unitAt(text, end) === COMMA && digits.length <= MOST_DIGITS) {
    if (afterDigits(text, end + 1) !== end + 4) break;
    digits += text.slice(end + 1, end + 4);
    end += 4;
  }
  const mark = unitAt(text, end);
  const isMark = mark === POINT || (mark === COMMA && end === wholeEnd);
  const last = isMark ? afterDigits(text, end + 1) : end;
  if (last <= end + 1) return finish(text, start, end, digits);
  return finish(text, start, last, `${digits}.${text.slice(end + 1, last)}`);
}

function readFraction(text: string, start: number): NumberRead | undefined {
  const overEnd = afterDigits(text, start);
  if (overEnd === start || unitAt(text, overEnd) !== SLASH) return undefined;
  const over = text.slice(start, overEnd);
  const under = text.slice(overEnd + 1, afterDigits(text, overEnd + 1));
  if (!DENOMINATORS.has(under) || Number(over) >= Number(under)) return undefined;
  const read = finish(text, start, overEnd + 1 + under.length, "0");
  return read && { ...read, fraction: { n: BigInt(over), d: BigInt(under) } };
}

/** A number before a further mark and digit belongs to a version, a date, a list or a ratio. */
function finish(text: string, start: number, end: number, decimal: string): NumberRead | undefined {
  if (decimal.length > MOST_DIGITS || (goesOn(unitAt(text, end)) && isDigitAt(text, end + 1))) return undefined;
  return { start, end, decimal, fraction: undefined };
}

function goesOn(mark: number): boolean {
  return mark === POINT || mark === COMMA || mark === COLON || mark === SLASH;
}

function isInList(text: string, at: number): boolean {
  return unitAt(text, at - 1) === COMMA && isDigitAt(text, at - 2);
}

/** ".5", but not "vol.5". */
function isAfterPoint(text: string, at: number): boolean {
  return unitAt(text, at - 1) === POINT && (at < 2 || classAt(text, at - 2) === SEPARATOR);
}

/** The offset after the digits from `at` on, of which at most one more than MOST_DIGITS are read. */
function afterDigits(text: string, at: number): number {
  let end = at;
  while (end - at <= MOST_DIGITS && isDigitAt(text, end)) end++;
  return end;
}

/** A unit of a text, and its end. */
interface UnitRead {
  readonly unit: Unit;
  readonly end: number;
}

/** Longer than any unit's word. */
const MOST_LETTERS = 16;
const INCH_MARKS = ['"', "\u201d", "\u2032\u2032", "''"];
const FOOT_MARKS = ["'", "\u2032"];
const FIRST_MARKS = new Set(Array.from("\"'\u201d\u2032", (mark) => mark.charCodeAt(0)));
const PERCENT = 0x25;
const TWO = 0x32;
const THREE = 0x33;
const DEGREE = 0xb0;

/** The unit after a number. A mark in `closes`, the quotation marks open before the number, is neither inch nor foot. */
function readUnit(text: string, number: NumberRead, closes: string, units: UnitTable): UnitRead | undefined {
  const { end } = number;
  const found = readMark(text, end, closes) ?? readSymbol(text, end) ?? readWords(text, number, units);
  return number.fraction !== undefined && found !== undefined && !IN_FRACTIONS.has(found.unit.dimension)
    ? undefined
    : found;
}

/** Quotation marks as inch and foot, directly after the number. */
function readMark(text: string, at: number, closes: string): UnitRead | undefined {
  if (!FIRST_MARKS.has(unitAt(text, at))) return undefined;
  for (const mark of INCH_MARKS)
    if (text.startsWith(mark, at) && !closes.includes(mark[0]!)) return named("inch", at + mark.length);
  // "6'x8'" is a size; "6's" is no foot.
  const isCross = unitAt(text, at + 1) === SMALL_X && isDigitAt(text, at + 2);
  if (classOf(text, at + 1) === LETTER && !isCross) return undefined;
  const mark = FOOT_MARKS.find((foot) => text.startsWith(foot, at) && !closes.includes(foot));
  return mark === undefined ? undefined : named("foot", at + mark.length);
}

/** Percent and degrees. */
function readSymbol(text: string, end: number): UnitRead | undefined {
  const at = unitAt(text, end) === BLANK ? end + 1 : end;
  const symbol = unitAt(text, at);
  if (symbol === PERCENT) return named("%", at + 1);
  if (symbol !== DEGREE) return undefined;
  const letter = unitAt(text, at + 1) === BLANK ? at + 2 : at + 1;
  return named(`°${text[letter] ?? ""}`, letter + 1);
}

function readWords(text: string, number: NumberRead, { named: all, firstWords }: UnitTable): UnitRead | undefined {
  const { end } = number;
  const gap = isGap(unitAt(text, end)) ? unitAt(text, end) : 0;
  const start = gap === 0 ? end : end + 1;
  const word = readWord(text, start);
  if (word === "") return undefined;
  const after = start + word.length;
  if (unitAt(text, after) === SLASH) {
    const under = readWord(text, after + 1);
    const rate = named(`${word}/${under}`, after + 1 + under.length, all);
    // "g/l" is an unknown unit, and not the unit before the slash either.
    if (rate !== undefined || all.has(under)) return rate;
  }
  const pair = firstWords.has(word) ? readSecond(text, word, after, all) : undefined;
  if (pair !== undefined) return pair;
  if (gap !== 0 && ATTACHED_ONLY.has(word)) return undefined;
  if (word === "in" && !isInch(text, after, gap, number.fraction !== undefined)) return undefined;
  return named(word, after, all);
}

/** The second word of "fl oz", "fl. oz", "fl.oz", "watt-hours". */
function readSecond(text: string, first: string, end: number, all: ReadonlyMap<string, Unit>): UnitRead | undefined {
  const point = unitAt(text, end) === POINT ? end + 1 : end;
  const start = isGap(unitAt(text, point)) ? point + 1 : point;
  const second = start === end ? "" : readWord(text, start);
  return named(`${first} ${second}`, start + second.length, all);
}

/** "in" means inch directly after its number, after a fraction, at the end and before punctuation; elsewhere it is a preposition. */
function isInch(text: string, after: number, gap: number, isFraction: boolean): boolean {
  const next = unitAt(text, after) === BLANK ? after + 1 : after;
  if (gap === HYPHEN) return !isDigitAt(text, next);
  if (gap === 0 || isFraction || next === text.length) return true;
  if (unitAt(text, next) === SMALL_X && unitAt(text, next + 1) === BLANK && isDigitAt(text, next + 2)) return true;
  const kind = classOf(text, next);
  return kind !== LETTER && kind !== DIGIT;
}

/**
 * Letters, with the 2 or 3 of a square or cube after them; an "x" before a digit is a cross, not part of the word. In a script without
 * blanks a whole run: "インチ".
 */
function readWord(text: string, start: number): string {
  let end = start;
  while (end - start <= MOST_LETTERS && classOf(text, end) === UNSPACED) end++;
  if (end > start) return text.slice(start, end);
  while (end - start <= MOST_LETTERS && classOf(text, end) === LETTER) end++;
  if (end > start && isDigitAt(text, end)) {
    const digit = unitAt(text, end);
    if (unitAt(text, end - 1) === SMALL_X) end--;
    else if ((digit === TWO || digit === THREE) && !isDigitAt(text, end + 1)) end++;
  }
  return text.slice(start, end);
}

function named(spelling: string, end: number, all: ReadonlyMap<string, Unit> = UNITS): UnitRead | undefined {
  const unit = all.get(spelling);
  return unit && { unit, end };
}

function classOf(text: string, at: number): number {
  return at < text.length ? classAt(text, at) : 0;
}
