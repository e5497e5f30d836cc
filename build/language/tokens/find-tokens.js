// Where the tokens of a text begin and end, with their kinds and hashes: the plain twin of the kernel's `tokenize`, and what
// `scanTokens` finds, on code units.
import { CONNECTOR, DIGIT, LETTER, SEPARATOR, UNSPACED } from "../character-class.js";
import { isDigit } from "../quantity/may-measure.js";
import { connects, kindNumber, kindOf, MAX_RUN, SEEN_APOSTROPHE, SEEN_DIGIT, SEEN_HYPHEN, SEEN_LETTER, } from "../scan-tokens.js";
import { folded, HASH_START, hashed } from "./token-hash.js";
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const SMALL_M = 0x6d;
const OPENING_QUOTE = 0x201c;
/** Finds the tokens of a text. */
export function findTokens(text) {
    for (let at = 0; at < text.length;) {
        const kind = text.classAt(at);
        if (kind === LETTER || kind === DIGIT)
            at = takeRun(text, at);
        else if (kind === UNSPACED)
            at = takeUnspaced(text, at);
        else {
            text.mayQuote ||= isOpening(text, at);
            at++;
        }
    }
}
function takeRun(text, start) {
    const { units } = text;
    const limit = Math.min(text.length, start + MAX_RUN);
    let seen = 0;
    let hash = HASH_START;
    let at = start;
    for (; at < limit; at++) {
        const unit = units[at];
        const kind = text.classAt(at);
        if (kind === LETTER)
            seen |= SEEN_LETTER;
        else if (kind === DIGIT)
            seen |= SEEN_DIGIT;
        else if (kind === CONNECTOR && at + 1 < limit && connects(text.normal, at))
            seen |= unit === APOSTROPHE ? SEEN_APOSTROPHE : SEEN_HYPHEN;
        else
            break;
        hash = hashed(hash, unit);
    }
    push(text, kindOf(seen), folded(hash), start, at);
    const first = units[start];
    if (isDigit(first) || first === SMALL_M)
        text.addMeasure(start);
    return at;
}
function takeUnspaced(text, start) {
    let at = start;
    while (at < text.length && text.classAt(at) === UNSPACED)
        at++;
    push(text, "unspaced", 0, start, at);
    return at;
}
function push(text, kind, hash, start, end) {
    text.setToken(text.size++, kindNumber(kind), hash, start, end);
}
/** A quotation may begin with a mark behind a blank or at the start. */
function isOpening(text, at) {
    const unit = text.units[at];
    if (unit !== QUOTE && unit !== APOSTROPHE && unit !== OPENING_QUOTE)
        return false;
    return at === 0 || text.classAt(at - 1) === SEPARATOR;
}
