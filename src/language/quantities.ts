// Numbers with units, as one term for all their spellings: "1.5 L", "1,5l" and "1500 ml" are "#volume:1.5"; sizes ("20 x 30 cm")
// and metric threads ("M8x1.25") likewise. A quantity covers whole tokens of the scanner, so ranges ("5-10 kg"), pairs
// ("12/24v") and model codes ("7-in-1") give none. Single letters count with one blank or hyphen at most; a, b, s, h, m2, m3
// only at their number; "in" at its number, behind a fraction, or before the end or punctuation. Linear in the length.

import { QUANTITY_MARK } from "../base/index-terms.js";
import { classAt, DIGIT, LETTER, SEPARATOR } from "./character-class.js";
import { OpenQuotes } from "./quantity/open-quotes.js";
import { nineDigits, nineDigitsOf } from "./quantity/rational.js";
import { type Measure, readFactors } from "./quantity/read-factors.js";
import { isDigit } from "./quantity/read-number.js";
import { readThread } from "./quantity/read-thread.js";
import { scanTokens } from "./scan-tokens.js";

/** A number with its unit. */
export interface Quantity {
  /** Code units of the normalised text, the unit included; always at borders of tokens. */
  readonly start: number;
  readonly end: number;
  /** An index term that no text gives otherwise: dimension, and value in its base unit to nine digits. */
  readonly term: string;
}

/** Borders of the tokens that may hold quantities. */
export interface Borders {
  readonly starts: number[];
  readonly ends: number[];
}

const HAS_DIGIT = /[0-9]/;
const CURRENCY = "$€£¥";
/** A hyphen before these is a sign. */
const DEGREES = new Set(["celsius", "fahrenheit"]);

/** False for texts that surely hold no quantity. */
export function mayHoldQuantities(normal: string): boolean {
  return HAS_DIGIT.test(normal);
}

/** The quantities of a normalised text, in reading order, not overlapping. */
export function quantitiesIn(normal: string): Quantity[] {
  if (!mayHoldQuantities(normal)) return [];
  const borders: Borders = { starts: [], ends: [] };
  scanTokens(normal, (_kind, start, end) => {
    borders.starts.push(start);
    borders.ends.push(end);
  });
  return quantitiesBetween(normal, borders);
}

/** The same for a text whose tokens were scanned before. */
export function quantitiesBetween(normal: string, borders: Borders): Quantity[] {
  const found: Quantity[] = [];
  const quotes = new OpenQuotes(normal);
  let end = 0;
  for (let token = 0; token < borders.starts.length; token++) {
    const start = borders.starts[token]!;
    if (start < end || !mayBegin(normal, start)) continue;
    const quantity = readQuantity(normal, start, quotes.before(start), (at) => isBorder(normal, at, borders, token));
    if (quantity === undefined) continue;
    found.push(quantity);
    end = quantity.end;
    quotes.skipTo(end);
  }
  return found;
}

/** A number begins there, or a thread. */
function mayBegin(text: string, start: number): boolean {
  return isDigit(text[start]) || (text[start] === "m" && isDigit(text[start + 1]));
}

function readQuantity(
  text: string,
  start: number,
  closes: string,
  isEnd: (at: number) => boolean,
): Quantity | undefined {
  if (start > 0 && isJoined(text, start)) return undefined;
  if (!isDigit(text[start])) return readThread(text, start, closes, isEnd);
  const factors = readFactors(text, start, closes);
  const last = factors.findLastIndex(({ end }) => isEnd(end));
  if (last <= 0) return last < 0 ? undefined : fromMeasure(text, factors[0]!);
  return fromFactors(text, factors.slice(0, last + 1), isEnd);
}

/** "2 x 4", "20 x 30 cm", "20 cm x 30 cm", and "6 x 330 ml", of which the last counts. */
function fromFactors(text: string, factors: readonly Measure[], isEnd: (at: number) => boolean): Quantity | undefined {
  const first = factors[0]!;
  const last = factors.at(-1)!;
  const own = new Set(factors.flatMap(({ unit }) => unit?.dimension ?? []));
  if (own.size === 0 || (own.size === 1 && last.unit?.dimension === "length")) {
    const lengths: string[] = [];
    let unit = last.unit;
    for (const factor of factors.toReversed()) {
      unit = factor.unit ?? unit;
      lengths.unshift(unit === undefined ? nineDigits(factor.value) : nineDigitsOf(factor.value, unit.factor));
    }
    return {
      start: first.start,
      end: last.end,
      term: `${QUANTITY_MARK}size:${lengths.join("x")}${unit === undefined ? "" : "m"}`,
    };
  }
  if (last.unit === undefined || factors.slice(0, -1).some(({ unit }) => unit !== undefined))
    return isEnd(first.end) ? fromMeasure(text, first) : undefined;
  const quantity = fromMeasure(text, last);
  const joined = classAt(text, last.start - 1) === LETTER;
  return quantity && joined ? { ...quantity, start: first.start } : quantity;
}

function fromMeasure(text: string, { start, end, value, unit }: Measure): Quantity | undefined {
  if (unit === undefined) return undefined;
  const isNegative = DEGREES.has(unit.dimension) && isSigned(text, start);
  const number = nineDigitsOf(value, unit.factor);
  return isNegative
    ? { start: start - 1, end, term: `${QUANTITY_MARK}${unit.dimension}:-${number}` }
    : { start, end, term: `${QUANTITY_MARK}${unit.dimension}:${number}` };
}

/** Not the start of a run (one that was cut), or a price. */
function isJoined(text: string, start: number): boolean {
  return isLetterOrDigit(text, start - 1) || CURRENCY.includes(text[start - 1]!);
}

function isSigned(text: string, start: number): boolean {
  return text[start - 1] === "-" && (start < 2 || classAt(text, start - 2) === SEPARATOR);
}

/** Whether a token, or a symbol, ends at `at`; `token` is one that does not end later. */
function isBorder(text: string, at: number, { ends }: Borders, token: number): boolean {
  if (!isLetterOrDigit(text, at - 1)) return true;
  if (at < text.length && isLetterOrDigit(text, at)) return false;
  while (token < ends.length && ends[token]! < at) token++;
  return ends[token] === at;
}

function isLetterOrDigit(text: string, at: number): boolean {
  const kind = classAt(text, at);
  return kind === LETTER || kind === DIGIT;
}
