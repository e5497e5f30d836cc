// The unit behind a number: directly, or after one blank or hyphen ("18v", "18 v", "18-volt", "55\"", "2 fl. oz"). Lengths of
// words are bounded, so each call costs a constant.
import { classAt, DIGIT, LETTER } from "../character-class.js";
import { ATTACHED_ONLY, FIRST_WORDS, IN_FRACTIONS, UNITS } from "../units.js";
import { isDigitAt, unitAt } from "./may-measure.js";
/** Longer than any unit's word. */
const MOST_LETTERS = 16;
const INCH_MARKS = ['"', "\u201d", "\u2032\u2032", "''"];
const FOOT_MARKS = ["'", "\u2032"];
const FIRST_MARKS = new Set(Array.from("\"'\u201d\u2032", (mark) => mark.charCodeAt(0)));
const BLANK = 0x20;
const PERCENT = 0x25;
const HYPHEN = 0x2d;
const POINT = 0x2e;
const SLASH = 0x2f;
const TWO = 0x32;
const THREE = 0x33;
const SMALL_X = 0x78;
const DEGREE = 0xb0;
/**
 * The unit that follows a number. `closes` holds the quotation marks that stand open before the number: such a mark closes a
 * quotation, and is neither inch nor foot.
 */
export function readUnit(text, number, closes) {
    const { end } = number;
    const found = readMark(text, end, closes) ?? readSymbol(text, end) ?? readWords(text, number);
    return number.fraction !== undefined && found !== undefined && !IN_FRACTIONS.has(found.unit.dimension)
        ? undefined
        : found;
}
/** Quotation marks as inch and foot, directly at the number. */
function readMark(text, at, closes) {
    if (!FIRST_MARKS.has(unitAt(text, at)))
        return undefined;
    for (const mark of INCH_MARKS)
        if (text.startsWith(mark, at) && !closes.includes(mark[0]))
            return named("inch", at + mark.length);
    // "6'x8'": that letter is a cross; "6's" is no foot.
    const isCross = unitAt(text, at + 1) === SMALL_X && isDigitAt(text, at + 2);
    if (classOf(text, at + 1) === LETTER && !isCross)
        return undefined;
    const mark = FOOT_MARKS.find((foot) => text.startsWith(foot, at) && !closes.includes(foot));
    return mark === undefined ? undefined : named("foot", at + mark.length);
}
/** Percent and degrees. */
function readSymbol(text, end) {
    const at = unitAt(text, end) === BLANK ? end + 1 : end;
    const symbol = unitAt(text, at);
    if (symbol === PERCENT)
        return named("%", at + 1);
    if (symbol !== DEGREE)
        return undefined;
    const letter = unitAt(text, at + 1) === BLANK ? at + 2 : at + 1;
    return named(`°${text[letter] ?? ""}`, letter + 1);
}
function readWords(text, number) {
    const { end } = number;
    const gap = isGap(unitAt(text, end)) ? unitAt(text, end) : 0;
    const start = gap === 0 ? end : end + 1;
    const word = readWord(text, start);
    if (word === "")
        return undefined;
    const after = start + word.length;
    if (unitAt(text, after) === SLASH) {
        const under = readWord(text, after + 1);
        const rate = named(`${word}/${under}`, after + 1 + under.length);
        // "g/l" is none of ours, and not the unit before the slash either.
        if (rate !== undefined || UNITS.has(under))
            return rate;
    }
    const pair = FIRST_WORDS.has(word) ? readSecond(text, word, after) : undefined;
    if (pair !== undefined)
        return pair;
    if (gap !== 0 && ATTACHED_ONLY.has(word))
        return undefined;
    if (word === "in" && !isInch(text, after, gap, number.fraction !== undefined))
        return undefined;
    return named(word, after);
}
/** The second word of "fl oz", "fl. oz", "fl.oz", "watt-hours". */
function readSecond(text, first, end) {
    const point = unitAt(text, end) === POINT ? end + 1 : end;
    const start = isGap(unitAt(text, point)) ? point + 1 : point;
    const second = start === end ? "" : readWord(text, start);
    return named(`${first} ${second}`, start + second.length);
}
/** "in" is a preposition before a word; it is inch at its number, at the end, before punctuation and behind a fraction. */
function isInch(text, after, gap, isFraction) {
    const next = unitAt(text, after) === BLANK ? after + 1 : after;
    if (gap === HYPHEN)
        return !isDigitAt(text, next);
    if (gap === 0 || isFraction || next === text.length)
        return true;
    if (unitAt(text, next) === SMALL_X && unitAt(text, next + 1) === BLANK && isDigitAt(text, next + 2))
        return true;
    const kind = classOf(text, next);
    return kind !== LETTER && kind !== DIGIT;
}
/** Letters, and the 2 or 3 of a square or cube behind them; an "x" before a digit is a cross and no part of the word. */
function readWord(text, start) {
    let end = start;
    while (end - start <= MOST_LETTERS && classOf(text, end) === LETTER)
        end++;
    if (end > start && isDigitAt(text, end)) {
        const digit = unitAt(text, end);
        if (unitAt(text, end - 1) === SMALL_X)
            end--;
        else if ((digit === TWO || digit === THREE) && !isDigitAt(text, end + 1))
            end++;
    }
    return text.slice(start, end);
}
/** A blank or a hyphen, of which one may stand before a word. */
function isGap(unit) {
    return unit === BLANK || unit === HYPHEN;
}
function named(spelling, end) {
    const unit = UNITS.get(spelling);
    return unit && { unit, end };
}
function classOf(text, at) {
    return at < text.length ? classAt(text, at) : 0;
}
