// Measures, alone or joined by crosses: "1.5 l", "5' 10\"", "2 x 4", "20cm x 30cm". At most four, so a call costs a constant.

import { UNITS, type Unit } from "../units.js";
import { plus, type Rational, times } from "./rational.js";
import { isDigit, readNumber } from "./read-number.js";
import { readUnit } from "./read-unit.js";

/** A number of a text, and its unit where it has one. */
export interface Measure {
  readonly start: number;
  readonly end: number;
  readonly value: Rational;
  readonly unit: Unit | undefined;
}

/** Length, width, height, and one to spare. */
const MOST_FACTORS = 4;
const FOOT = UNITS.get("foot")!;
const INCH = UNITS.get("inch")!;
const TWELVE: Rational = { n: 12n, d: 1n };

/** The measures that begin with the digit at `start` and are joined by crosses; empty where it begins none. */
export function readFactors(text: string, start: number, closes: string): Measure[] {
  const factors: Measure[] = [];
  for (let at: number | undefined = start; at !== undefined && factors.length < MOST_FACTORS; ) {
    const measure = readMeasure(text, at, closes);
    if (measure === undefined) break;
    factors.push(measure);
    at = afterCross(text, measure.end);
  }
  return factors;
}

/** Where the number behind a cross begins: "x4", "×4", " x 4". */
export function afterCross(text: string, end: number): number | undefined {
  const gap = text[end] === " " ? 1 : 0;
  const cross = end + gap;
  if (text[cross] !== "x" && text[cross] !== "×") return undefined;
  const number = cross + 1 + gap;
  if (gap === 1 && text[cross + 1] !== " ") return undefined;
  return isDigit(text[number]) ? number : undefined;
}

function readMeasure(text: string, at: number, closes: string): Measure | undefined {
  const number = readNumber(text, at);
  if (number === undefined) return undefined;
  const { start, end, value } = number;
  const found = readUnit(text, number, closes);
  if (found === undefined) return { start, end, value, unit: undefined };
  if (found.unit !== FOOT) return { start, end: found.end, value, unit: found.unit };
  const inches = readInches(text, found.end, closes);
  if (inches !== undefined)
    return { start, end: inches.end, value: plus(times(value, TWELVE), inches.value), unit: INCH };
  // 6'2 without a mark of inches may be anything.
  if (isDigit(text[found.end])) return undefined;
  return { start, end: found.end, value, unit: FOOT };
}

/** The inches behind feet. */
function readInches(text: string, end: number, closes: string): Measure | undefined {
  const at = text[end] === " " ? end + 1 : end;
  const number = isDigit(text[at]) ? readNumber(text, at) : undefined;
  const found = number && readUnit(text, number, closes);
  return number && found?.unit === INCH ? { ...number, end: found.end, unit: INCH } : undefined;
}
