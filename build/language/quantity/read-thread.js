// Metric threads and the bolts that have them: diameter, pitch, length, each but the first perhaps left out ("M8x1.25",
// "M8-1.25", "M8 x 30 mm", "M8x1.25x30").
import { QUANTITY_MARK } from "../../base/index-terms.js";
import { UNITS } from "../units.js";
import { isDigitAt } from "./may-measure.js";
import { nineDigits } from "./rational.js";
import { afterCross } from "./read-factors.js";
import { exactValue, readNumber } from "./read-number.js";
import { readUnit } from "./read-unit.js";
const MILLIMETRE = UNITS.get("mm");
const MOST_NUMBERS = 3;
/** The thread whose "m" stands at `start`; it ends where `isEnd` allows. A diameter alone is no quantity. */
export function readThread(text, start, closes, isEnd) {
    let thread;
    let at = start + 1;
    let name = `${QUANTITY_MARK}thread:m`;
    for (let numbers = 1; at !== undefined && numbers <= MOST_NUMBERS; numbers++) {
        const number = readNumber(text, at);
        if (number === undefined || number.fraction !== undefined)
            break;
        name += (numbers > 1 ? "x" : "") + nineDigits(exactValue(number));
        const unit = numbers > 1 ? readUnit(text, number, closes) : undefined;
        const end = unit?.unit === MILLIMETRE ? unit.end : number.end;
        if (numbers > 1 && isEnd(end))
            thread = { start, end, term: name };
        at = afterCross(text, end) ?? (numbers === 1 ? afterHyphen(text, end) : undefined);
    }
    return thread;
}
/** "M8-1.25" is a thread, "M4-16" a model. */
function afterHyphen(text, end) {
    if (text[end] !== "-" || !isDigitAt(text, end + 1))
        return undefined;
    const pitch = readNumber(text, end + 1);
    return pitch !== undefined && text.slice(end, pitch.end).includes(".") ? end + 1 : undefined;
}
