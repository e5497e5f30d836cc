// Where tokens begin and end: one pass over a normalised text, no look-back, no memory of other texts. An unbroken run is
// cut at 64 characters, so that no later step can become quadratic.
import { CONNECTOR, classAt, DIGIT, LETTER, SEPARATOR, UNSPACED } from "./character-class.js";
/** The kinds by number, which is how the kernels tell them apart. */
export const KINDS = ["word", "code", "number", "compound", "unspaced"];
/** The number of a kind. */
export function kindNumber(kind) {
    if (kind === "word")
        return 0;
    if (kind === "code")
        return 1;
    if (kind === "number")
        return 2;
    return kind === "compound" ? 3 : 4;
}
/** The longest run; longer ones are cut. */
export const MAX_RUN = 64;
/** Visits the tokens of a normalised text in reading order. O(length). */
export function scanTokens(text, visit) {
    const length = text.length;
    let at = 0;
    while (at < length) {
        const kind = classAt(text, at);
        if (kind === SEPARATOR || kind === CONNECTOR)
            at++;
        else if (kind === UNSPACED)
            at = scanUnspaced(text, at, visit);
        else
            at = scanRun(text, at, visit);
    }
}
/** Where the first token ends that does not begin before `from`; the length of the text if there is none. */
export function endOfToken(text, from) {
    let at = from;
    for (; at < text.length; at++) {
        const kind = classAt(text, at);
        if (kind === UNSPACED)
            return scanUnspaced(text, at, ignore);
        if (kind !== SEPARATOR && kind !== CONNECTOR)
            return scanRun(text, at, ignore);
    }
    return at;
}
function ignore() { }
function scanRun(text, start, visit) {
    const limit = Math.min(text.length, start + MAX_RUN);
    let seen = 0;
    let at = start;
    for (; at < limit; at++) {
        const kind = classAt(text, at);
        if (kind === LETTER)
            seen |= SEEN_LETTER;
        else if (kind === DIGIT)
            seen |= SEEN_DIGIT;
        else if (kind === CONNECTOR && at + 1 < limit && connects(text, at))
            seen |= text[at] === "'" ? SEEN_APOSTROPHE : SEEN_HYPHEN;
        else
            break;
    }
    visit(kindOf(seen), start, at);
    return at;
}
/** What a run holds, as bits. */
export const SEEN_LETTER = 1;
export const SEEN_DIGIT = 2;
export const SEEN_APOSTROPHE = 4;
/** Any other connector. */
export const SEEN_HYPHEN = 8;
/** The kind of a run that holds what was seen, a letter or a digit at least. */
export function kindOf(seen) {
    if ((seen & SEEN_DIGIT) !== 0)
        return (seen & (SEEN_LETTER | SEEN_HYPHEN)) !== 0 ? "code" : "number";
    return (seen & SEEN_HYPHEN) !== 0 ? "compound" : "word";
}
/** Whether the connector at `at` (never first in its run) joins its neighbours. */
export function connects(text, at) {
    const before = classAt(text, at - 1);
    const after = classAt(text, at + 1);
    switch (text[at]) {
        case "-":
        case "_":
            return (before === LETTER || before === DIGIT) && (after === LETTER || after === DIGIT);
        case "'":
        case "&":
            return before === LETTER && after === LETTER;
        case ",":
            return before === DIGIT && after === DIGIT && isDecimalComma(text, at);
        default:
            return before === DIGIT && after === DIGIT;
    }
}
/** "1,000" and "3,5" are numbers; "1,2,3" is a list. */
function isDecimalComma(text, at) {
    const digits = digitsAfter(text, at);
    if (digits === 3)
        return true;
    let first = at;
    while (first > 0 && classAt(text, first - 1) === DIGIT)
        first--;
    return digits < 3 && text[at + 1 + digits] !== "," && text[first - 1] !== ",";
}
/** How many digits stand directly after `at`, counted to 4. */
export function digitsAfter(text, at) {
    let digits = 0;
    while (digits < 4 && at + 1 + digits < text.length && classAt(text, at + 1 + digits) === DIGIT)
        digits++;
    return digits;
}
function scanUnspaced(text, start, visit) {
    let at = start;
    while (at < text.length && classAt(text, at) === UNSPACED)
        at++;
    visit("unspaced", start, at);
    return at;
}
