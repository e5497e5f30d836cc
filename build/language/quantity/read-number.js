// Numbers as shops write them: "1500", "1,500", "1.5", "1,5", ".5", "1/2", "1 1/2", "1-1/2", "1½". Points, commas, colons and
// slashes that make no number (versions, dates, lists, ratios, pairs) leave nothing to read. Looks at a bounded number of
// characters.
import { classAt, SEPARATOR } from "../character-class.js";
import { isDigitAt, unitAt } from "./may-measure.js";
import { knownRational, plus } from "./rational.js";
const BLANK = 0x20;
const COMMA = 0x2c;
const HYPHEN = 0x2d;
const POINT = 0x2e;
const SLASH = 0x2f;
const ZERO = 0x30;
const COLON = 0x3a;
/** The point included; longer ones are barcodes. */
const MOST_DIGITS = 12;
/** What a fraction is written in, besides the signs for fractions that Unicode has. */
const DENOMINATORS = new Set(["2", "3", "4", "5", "6", "8", "16", "32", "64"]);
/** What the normal form makes of the signs for fractions: "½" becomes "1⁄2", and "1½" becomes "11⁄2". */
const FRACTION_SLASH = 0x2044;
/** The number whose first digit stands at `at`; undefined where the digits there are none. */
export function readNumber(text, at) {
    const end = afterDigits(text, at);
    if (end === at || isInList(text, at))
        return undefined;
    if (isAfterPoint(text, at))
        return finish(text, at - 1, end, `0.${text.slice(at, end)}`);
    const behind = unitAt(text, end);
    if (behind === SLASH || behind === FRACTION_SLASH)
        return readFraction(text, at);
    if ((behind === BLANK || behind === HYPHEN) && isDigitAt(text, end + 1)) {
        const rest = readFraction(text, end + 1);
        if (rest !== undefined && Number(rest.decimal) === 0)
            return { ...rest, start: at, decimal: text.slice(at, end) };
    }
    return readDecimal(text, at, end);
}
/** Its exact value. */
export function exactValue({ decimal, fraction }) {
    const value = knownRational(decimal);
    return fraction === undefined ? value : plus(value, fraction);
}
/** Thousands ("1,500"), a decimal with a point or a comma, or thousands and then a point. */
function readDecimal(text, start, wholeEnd) {
    const mayGroup = wholeEnd - start <= 3 && unitAt(text, start) !== ZERO;
    let digits = text.slice(start, wholeEnd);
    let end = wholeEnd;
    while (mayGroup && unitAt(text, end) === COMMA && digits.length <= MOST_DIGITS) {
        if (afterDigits(text, end + 1) !== end + 4)
            break;
        digits += text.slice(end + 1, end + 4);
        end += 4;
    }
    const mark = unitAt(text, end);
    const isMark = mark === POINT || (mark === COMMA && end === wholeEnd);
    const last = isMark ? afterDigits(text, end + 1) : end;
    if (last <= end + 1)
        return finish(text, start, end, digits);
    return finish(text, start, last, `${digits}.${text.slice(end + 1, last)}`);
}
function readFraction(text, start) {
    const overEnd = afterDigits(text, start);
    const slash = unitAt(text, overEnd);
    if (overEnd === start || (slash !== SLASH && slash !== FRACTION_SLASH))
        return undefined;
    const over = text.slice(start, overEnd);
    const under = text.slice(overEnd + 1, afterDigits(text, overEnd + 1));
    const isSign = slash === FRACTION_SLASH;
    const [whole, part] = isSign ? [over.slice(0, -1), over.slice(-1)] : ["", over];
    if (under === "" || !(isSign || DENOMINATORS.has(under)) || Number(part) >= Number(under))
        return undefined;
    const read = finish(text, start, overEnd + 1 + under.length, whole === "" ? "0" : whole);
    return read && { ...read, fraction: { n: BigInt(part), d: BigInt(under) } };
}
/** Digits that are followed by a further mark and digit are a version, a date, a list or a ratio. */
function finish(text, start, end, decimal) {
    if (decimal.length > MOST_DIGITS || (goesOn(unitAt(text, end)) && isDigitAt(text, end + 1)))
        return undefined;
    return { start, end, decimal, fraction: undefined };
}
function goesOn(mark) {
    return mark === POINT || mark === COMMA || mark === COLON || mark === SLASH || mark === FRACTION_SLASH;
}
function isInList(text, at) {
    return unitAt(text, at - 1) === COMMA && isDigitAt(text, at - 2);
}
/** ".5", but not "vol.5". */
function isAfterPoint(text, at) {
    return unitAt(text, at - 1) === POINT && (at < 2 || classAt(text, at - 2) === SEPARATOR);
}
/** Behind the decimal digits from `at` on, at most one more than a number may have. */
function afterDigits(text, at) {
    let end = at;
    while (end - at <= MOST_DIGITS && isDigitAt(text, end))
        end++;
    return end;
}
