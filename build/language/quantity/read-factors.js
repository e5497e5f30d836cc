// Measures, alone or joined by crosses: "1.5 l", "5' 10\"", "2 x 4", "20cm x 30cm". At most four, so a call costs a constant.
import { UNITS } from "../units.js";
import { isDigitAt, unitAt } from "./may-measure.js";
import { plus, times } from "./rational.js";
import { exactValue, readNumber } from "./read-number.js";
import { readUnit } from "./read-unit.js";
const BLANK = 0x20;
const SMALL_X = 0x78;
const CROSS = 0xd7;
/** Length, width, height, and one to spare. */
const MOST_FACTORS = 4;
const FOOT = UNITS.get("foot");
const INCH = UNITS.get("inch");
const TWELVE = { n: 12n, d: 1n };
/** The measures that begin with the digit at `start` and are joined by crosses; empty where it begins none. */
export function readFactors(text, start, closes) {
    const factors = [];
    for (let at = start; at !== undefined && factors.length < MOST_FACTORS;) {
        const measure = readMeasure(text, at, closes);
        if (measure === undefined)
            break;
        factors.push(measure);
        at = afterCross(text, measure.end);
    }
    return factors;
}
/** Where the number behind a cross begins: "x4", "×4", " x 4". */
export function afterCross(text, end) {
    const gap = unitAt(text, end) === BLANK ? 1 : 0;
    const cross = end + gap;
    const mark = unitAt(text, cross);
    if (mark !== SMALL_X && mark !== CROSS)
        return undefined;
    const number = cross + 1 + gap;
    if (gap === 1 && unitAt(text, cross + 1) !== BLANK)
        return undefined;
    return isDigitAt(text, number) ? number : undefined;
}
/** The exact value of a measure, in its unit. */
export function valueOfMeasure({ number, inches }) {
    const value = exactValue(number);
    return inches === undefined ? value : plus(times(value, TWELVE), exactValue(inches));
}
function readMeasure(text, at, closes) {
    const number = readNumber(text, at);
    if (number === undefined)
        return undefined;
    const { start, end } = number;
    const found = readUnit(text, number, closes);
    if (found === undefined)
        return { start, end, number, unit: undefined, inches: undefined };
    if (found.unit !== FOOT)
        return { start, end: found.end, number, unit: found.unit, inches: undefined };
    const behind = readInches(text, found.end, closes);
    if (behind !== undefined)
        return { start, end: behind.end, number, unit: INCH, inches: behind.inches };
    // 6'2 without a mark of inches may be anything.
    if (isDigitAt(text, found.end))
        return undefined;
    return { start, end: found.end, number, unit: FOOT, inches: undefined };
}
/** The inches behind feet. */
function readInches(text, end, closes) {
    const at = unitAt(text, end) === BLANK ? end + 1 : end;
    const inches = isDigitAt(text, at) ? readNumber(text, at) : undefined;
    const found = inches && readUnit(text, inches, closes);
    return inches && found?.unit === INCH ? { inches, end: found.end } : undefined;
}
