// Quantities: numbers with units, as one term for all spellings. "1.5 L", "1,5l" and "1500 ml" are "#volume:1.5"; sizes ("20 x 30 cm")
// and metric threads ("M8x1.25") likewise; "pack of 10" is "10 pack". A quantity covers whole tokens, so pairs ("12/24v") and model codes
// ("7-in-1") are none. A range ("5-10 kg") is two quantities in one place, its ends. The units a, b, s, h, m2 and m3 must directly follow their number; "in" must follow it directly, follow a
// fraction, or precede punctuation or the end. Linear in the length.

import { nineDigits, ONE, times } from "./quantity/rational.js";
import { type Measure, readFactors, readThread, valueOfMeasure } from "./quantity/read-measures.js";
import {
  classAt,
  DIGIT,
  endOfToken,
  isDigitAt,
  isLetterOrDigit,
  LETTER,
  QUANTITY_MARK,
  SEPARATOR,
  scanTokens,
} from "./scan-tokens.js";
import { ENGLISH_UNITS, type UnitTable } from "./units.js";

/** A number with its unit. */
export interface Quantity {
  /** The range of code units in the normalised text, including the unit; it begins and ends with a token. */
  readonly start: number;
  readonly end: number;
  /** The index term: the dimension, and the value in its base unit to nine digits. */
  readonly term: string;
}

const NONE: readonly Quantity[] = [];
const CURRENCY = Array.from("$€£¥", (sign) => sign.charCodeAt(0));
/** Dimensions of which a number can be negative. */
const DEGREES = new Set(["celsius", "fahrenheit"]);

/** The quantities of a normalised text in reading order. Only the two ends of a range overlap: they have one place. */
export function quantitiesIn(normal: string, units: UnitTable = ENGLISH_UNITS): readonly Quantity[] {
  const starts: number[] = [];
  scanTokens(normal, (kind, start) => {
    if (kind !== "unspaced" && mayMeasure(normal, start)) starts.push(start);
  });
  return quantitiesAt(normal, starts, units);
}

/** Whether a quantity may begin with a token: with its number, or with the "m" of a thread. */
export function mayMeasure(text: string, start: number): boolean {
  return isDigitAt(text, text[start] === "m" ? start + 1 : start);
}

/** As {@link quantitiesIn}, given the starts of all tokens for which `mayMeasure` is true. */
export function quantitiesAt(normal: string, starts: readonly number[], units: UnitTable): readonly Quantity[] {
  if (starts.length === 0) return NONE;
  const found: Quantity[] = [];
  const quotes = /["'\u201c]/.test(normal) ? new OpenQuotes(normal) : undefined;
  let last = 0;
  for (const start of starts) {
    if (start < last || (start > 0 && isJoined(normal, start))) continue;
    const closes = quotes === undefined ? "" : quotes.before(start);
    const quantity = readQuantity(normal, start, closes, units) ?? readPack(normal, start, units);
    const quantities = quantity === undefined ? readRange(normal, start, closes, units) : [quantity];
    if (quantities.length === 0) continue;
    found.push(...quantities);
    last = quantities[0]!.end;
    // A mark that was read as a unit does not close a quotation.
    quotes?.skipTo(last);
  }
  return found;
}

const NUMBER = /[0-9]+(?:[.,][0-9]+)?/y;
const RANGE = /(?:-| - | to )(?=[0-9])/y;

/** The lower and the upper end of "140-200 cm"; empty: it is none, or does not ascend. */
function readRange(text: string, start: number, closes: string, units: UnitTable): readonly Quantity[] {
  const low = numberAt(text, start);
  const upper = low === undefined ? 0 : afterRange(text, start + low.length);
  const high = upper === 0 ? undefined : numberAt(text, upper);
  if (low === undefined || high === undefined || !(decimalOf(low) < decimalOf(high))) return NONE;
  const last = readQuantity(text, upper, closes, units);
  if (last === undefined || last.start !== upper) return NONE;
  const first = readQuantity(low + text.slice(upper + high.length, last.end), 0, "", units);
  return first === undefined ? NONE : [first, last].map(({ term }) => ({ start, end: last.end, term }));
}

/** Where the upper end of a range begins, given where its lower end stops: behind "-", " - " or " to "; 0 if there is none. */
function afterRange(text: string, end: number): number {
  RANGE.lastIndex = end;
  return RANGE.test(text) ? RANGE.lastIndex : 0;
}

function numberAt(text: string, at: number): string | undefined {
  NUMBER.lastIndex = at;
  return NUMBER.exec(text)?.[0];
}

function decimalOf(number: string): number {
  return Number(number.replace(",", "."));
}

/** Characters before the number of a pack that are looked at. */
const LONGEST_PACK = 32;
const MOST_PIECES = 6;

/** True for a number behind the word "of", as in "pack of 10", and for one that a pack follows, as in "10er Pack". */
function mayBePack(text: string, start: number, { packWords, packBehind }: UnitTable): boolean {
  if (packWords.some((word) => text.startsWith(word, start - word.length))) return true;
  if (packBehind === undefined) return false;
  packBehind.lastIndex = start;
  return packBehind.test(text);
}

/** The number in "pack of 10", which is also "10 pack"; and the whole of "10er Pack". */
function readPack(text: string, start: number, units: UnitTable): Quantity | undefined {
  if (!mayBePack(text, start, units)) return undefined;
  const { packBehind } = units;
  if (packBehind !== undefined) {
    packBehind.lastIndex = start;
    const [whole, number] = packBehind.exec(text) ?? [];
    if (number !== undefined)
      return { start, end: start + whole!.length, term: `${QUANTITY_MARK}packs:${Number(number)}` };
  }
  if (!units.packOf.test(text.slice(Math.max(0, start - LONGEST_PACK), start))) return undefined;
  let end = start;
  while (end - start <= MOST_PIECES && isDigitAt(text, end)) end++;
  if (end - start > MOST_PIECES || endOfToken(text, start) !== end) return undefined;
  return { start, end, term: `${QUANTITY_MARK}packs:${Number(text.slice(start, end))}` };
}

/** Where a quantity begins together with what its pack is called: at "pack" in "pack of 10". */
export function startOfPack(text: string, { start }: Quantity, units: UnitTable): number {
  if (!mayBePack(text, start, units)) return start;
  return start - (units.packOf.exec(text.slice(Math.max(0, start - LONGEST_PACK), start))?.[0].length ?? 0);
}

function readQuantity(text: string, start: number, closes: string, units: UnitTable): Quantity | undefined {
  const isEnd = (at: number): boolean => isBorder(text, at, start);
  if (!isDigitAt(text, start)) return readThread(text, start, closes, units, isEnd);
  const factors = readFactors(text, start, closes, units);
  const last = factors.findLastIndex(({ end }) => isEnd(end));
  if (last <= 0) return last < 0 ? undefined : fromMeasure(text, factors[0]!);
  return fromFactors(text, factors.slice(0, last + 1), isEnd);
}

/** "2 x 4", "20 x 30 cm" and "20 cm x 30 cm" are sizes; of "6 x 330 ml" the last measure counts. */
function fromFactors(text: string, factors: readonly Measure[], isEnd: (at: number) => boolean): Quantity | undefined {
  const first = factors[0]!;
  const last = factors.at(-1)!;
  if (areLengths(factors)) {
    let lengths = "";
    let unit = last.unit;
    for (let i = factors.length - 1; i >= 0; i--) {
      const factor = factors[i]!;
      unit = factor.unit ?? unit;
      lengths = `${nineDigits(times(valueOfMeasure(factor), unit?.factor ?? ONE))}${lengths === "" ? "" : "x"}${lengths}`;
    }
    const term = `${QUANTITY_MARK}size:${lengths}${unit === undefined ? "" : "m"}`;
    return { start: first.start, end: last.end, term };
  }
  if (last.unit === undefined || factors.slice(0, -1).some(({ unit }) => unit !== undefined))
    return isEnd(first.end) ? fromMeasure(text, first) : undefined;
  const quantity = fromMeasure(text, last);
  const joined = classAt(text, last.start - 1) === LETTER;
  return quantity && joined ? { ...quantity, start: first.start } : quantity;
}

/** True if no factor has a unit, or if the last one has, and all units are lengths. */
function areLengths(factors: readonly Measure[]): boolean {
  const isLength = factors.at(-1)!.unit !== undefined;
  return factors.every(({ unit }) => unit === undefined || (isLength && unit.dimension === "length"));
}

function fromMeasure(text: string, measure: Measure): Quantity | undefined {
  const { start, end, unit } = measure;
  if (unit === undefined) return undefined;
  const isNegative = DEGREES.has(unit.dimension) && isSigned(text, start);
  const number = nineDigits(times(valueOfMeasure(measure), unit.factor));
  return isNegative
    ? { start: start - 1, end, term: `${QUANTITY_MARK}${unit.dimension}:-${number}` }
    : { start, end, term: `${QUANTITY_MARK}${unit.dimension}:${number}` };
}

/** True within a run that was cut, and for prices. */
function isJoined(text: string, start: number): boolean {
  return isLetterOrDigit(text, start - 1) || CURRENCY.includes(text.charCodeAt(start - 1));
}

function isSigned(text: string, start: number): boolean {
  return text[start - 1] === "-" && (start < 2 || classAt(text, start - 2) === SEPARATOR);
}

/** Whether a token or a symbol ends at `at`, given that a token begins at `start`. */
function isBorder(text: string, at: number, start: number): boolean {
  if (!isLetterOrDigit(text, at - 1)) return true;
  if (at < text.length && isLetterOrDigit(text, at)) return false;
  let end = start;
  while (end < at) end = endOfToken(text, end);
  return end === at;
}

const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\u201c", "\u201d"],
  ["'", "'"],
]);

/**
 * The quotation marks that are open at a position of a normalised text, so that the mark that closes "galaxy 10" is not read as inches.
 * Reads forwards only: over all calls, each character once.
 */
class OpenQuotes {
  private readonly text: string;
  private at = 0;
  private closers = "";

  constructor(text: string) {
    this.text = text;
  }

  /** The marks that would close a quotation at `place`. Places must ascend. */
  before(place: number): string {
    for (; this.at < place; this.at++) {
      const unit = this.text.charCodeAt(this.at);
      if (unit === 0x22 || unit === 0x27 || unit === 0x201c || unit === 0x201d) this.read(this.text[this.at]!);
    }
    return this.closers;
  }

  /** Continues after a mark that was read as a unit. */
  skipTo(place: number): void {
    this.at = Math.max(this.at, place);
  }

  private read(mark: string): void {
    if (this.closers.includes(mark)) this.closers = this.closers.replace(mark, "");
    else if (CLOSERS.has(mark) && this.opens()) this.closers += CLOSERS.get(mark)!;
  }

  /** A quotation opens after a blank or at the start of the text, before a letter or digit. */
  private opens(): boolean {
    const { text, at } = this;
    if (at + 1 >= text.length || (at > 0 && classAt(text, at - 1) !== SEPARATOR)) return false;
    const next = classAt(text, at + 1);
    return next === LETTER || next === DIGIT;
  }
}
