// Numbers with units, as one term for all their spellings: "1.5 L", "1,5l" and "1500 ml" are "#volume:1.5"; sizes ("20 x 30 cm")
// and metric threads ("M8x1.25") likewise. A quantity covers whole tokens of the scanner, so ranges ("5-10 kg"), pairs
// ("12/24v") and model codes ("7-in-1") give none. Single letters count with one blank or hyphen at most; a, b, s, h, m2, m3
// only at their number; "in" at its number, behind a fraction, or before the end or punctuation. Linear in the length.
import { QUANTITY_MARK } from "../base/index-terms.js";
import { classAt, DIGIT, LETTER, SEPARATOR } from "./character-class.js";
import { isDigitAt } from "./quantity/may-measure.js";
import { OpenQuotes } from "./quantity/open-quotes.js";
import { endOfPlain } from "./quantity/plain-measures.js";
import { nineDigitsOf, ONE } from "./quantity/rational.js";
import { readFactors, valueOfMeasure } from "./quantity/read-factors.js";
import { readThread } from "./quantity/read-thread.js";
import { endOfToken } from "./scan-tokens.js";
import { ScannedText } from "./tokens/scanned-text.js";
import { hashOf } from "./tokens/token-hash.js";
import { TokenMemo } from "./tokens/token-memo.js";
const NONE = [];
const MOST_MEASURES = 16_384;
/** Of the end of a quantity in a plain measure. */
const RANGE_BITS = 8;
const RANGE_MASK = (1 << RANGE_BITS) - 1;
const CURRENCY = Array.from("$€£¥", (sign) => sign.charCodeAt(0));
/** A hyphen before these is a sign. */
const DEGREES = new Set(["celsius", "fahrenheit"]);
/** Texts that are normalised, and what was read in them. */
const NORMAL = new ScannedText();
const MEASURES = createMeasureMemo(null);
/** The quantities of a normalised text, in reading order, not overlapping. */
export function quantitiesIn(normal) {
    NORMAL.scanNormal(normal);
    return quantitiesOf(NORMAL, MEASURES);
}
/** The text whose quantities were last read. */
let last;
/** The same of a text that was scanned before. */
export function quantitiesOf(text, measures) {
    if (text.measures === 0)
        return NONE;
    if (last?.text !== text || last.number !== text.number)
        last = { text, number: text.number, found: readQuantities(text, measures) };
    return last.found;
}
function readQuantities(text, measures) {
    const found = [];
    let known = measures.measuresIn(text);
    const quotes = text.mayQuote ? new OpenQuotes(text.normal) : undefined;
    let last = 0;
    for (let i = 0; i < text.measures; i++) {
        const start = text.measured[i];
        if (start < last || (start > 0 && isJoined(text, start)))
            continue;
        const closes = quotes === undefined ? "" : quotes.before(start);
        const measure = known?.[i] ?? 0;
        let quantity;
        if (measure > 0)
            quantity = knownQuantity(measures, measure, start);
        else {
            const end = endOfPlain(text, start, closes);
            quantity = end > 0 ? readPlain(text, start, end, measures) : readQuantity(text.normal, start, closes);
            // To learn one may have made room by forgetting all others.
            known = measures.measuresIn(text);
        }
        if (quantity === undefined)
            continue;
        found.push(quantity);
        last = quantity.end;
        // A mark that is a unit closes nothing.
        quotes?.skipTo(last);
    }
    return found;
}
function readPlain(text, start, plainEnd, measures) {
    const hash = hashOf(text.units, start, plainEnd);
    const known = measures.seek(hash, "number", text.units, start, plainEnd);
    const measure = known > 0 ? known : measures.learn(hash, "number", text.slice(start, plainEnd));
    return knownQuantity(measures, measure, start);
}
function knownQuantity({ cells, terms, age }, measure, start) {
    if (cells.termCount(measure) === 0)
        return undefined;
    const range = cells.lengthOf(measure);
    const term = terms[cells.firstTerm(measure)];
    return { start: start + (range >> RANGE_BITS), end: start + (range & RANGE_MASK), term, token: measure, age };
}
/** Remembers plain measures by their spelling, of which nothing else counts: the term, and as the length where it begins and ends. */
export function createMeasureMemo(room) {
    return new TokenMemo((_kind, spelling) => {
        const quantity = readQuantity(spelling, 0, "");
        if (quantity === undefined)
            return { terms: [], length: 0 };
        return { terms: [quantity.term], length: (quantity.start << RANGE_BITS) | quantity.end };
    }, MOST_MEASURES, room);
}
/** The token of a memo of measures that has a quantity's term, and what a taker noted about it; 0: none. */
export function measureOf({ token, age, term }, measures) {
    // One that found no place to stay may have been written over.
    return token !== undefined && age === measures.age && measures.terms[measures.cells.firstTerm(token)] === term
        ? token
        : 0;
}
function readQuantity(text, start, closes) {
    const isEnd = (at) => isBorder(text, at, start);
    if (!isDigitAt(text, start))
        return readThread(text, start, closes, isEnd);
    const factors = readFactors(text, start, closes);
    const last = factors.findLastIndex(({ end }) => isEnd(end));
    if (last <= 0)
        return last < 0 ? undefined : fromMeasure(text, factors[0]);
    return fromFactors(text, factors.slice(0, last + 1), isEnd);
}
/** "2 x 4", "20 x 30 cm", "20 cm x 30 cm", and "6 x 330 ml", of which the last counts. */
function fromFactors(text, factors, isEnd) {
    const first = factors[0];
    const last = factors.at(-1);
    if (areLengths(factors)) {
        let lengths = "";
        let unit = last.unit;
        for (let i = factors.length - 1; i >= 0; i--) {
            const factor = factors[i];
            unit = factor.unit ?? unit;
            lengths = `${nineDigitsOf(valueOfMeasure(factor), unit?.factor ?? ONE)}${lengths === "" ? "" : "x"}${lengths}`;
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
/** None has a unit, or all that have one are lengths, and the last has. */
function areLengths(factors) {
    const isLength = factors.at(-1).unit !== undefined;
    return factors.every(({ unit }) => unit === undefined || (isLength && unit.dimension === "length"));
}
function fromMeasure(text, measure) {
    const { start, end, unit } = measure;
    if (unit === undefined)
        return undefined;
    const isNegative = DEGREES.has(unit.dimension) && isSigned(text, start);
    const number = nineDigitsOf(valueOfMeasure(measure), unit.factor);
    return isNegative
        ? { start: start - 1, end, term: `${QUANTITY_MARK}${unit.dimension}:-${number}` }
        : { start, end, term: `${QUANTITY_MARK}${unit.dimension}:${number}` };
}
/** Not the start of a run (one that was cut), or a price. */
function isJoined(text, start) {
    const kind = text.classAt(start - 1);
    return kind === LETTER || kind === DIGIT || CURRENCY.includes(text.units[start - 1]);
}
function isSigned(text, start) {
    return text[start - 1] === "-" && (start < 2 || classAt(text, start - 2) === SEPARATOR);
}
/** Whether a token, or a symbol, ends at `at`; a token begins at `start`. */
function isBorder(text, at, start) {
    if (!isLetterOrDigit(text, at - 1))
        return true;
    if (at < text.length && isLetterOrDigit(text, at))
        return false;
    let end = start;
    while (end < at)
        end = endOfToken(text, end);
    return end === at;
}
function isLetterOrDigit(text, at) {
    const kind = classAt(text, at);
    return kind === LETTER || kind === DIGIT;
}
