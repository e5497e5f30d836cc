// Texts and names of attributes as JSON: as JSON.stringify writes them, which takes long to find that it has nothing to change.
import { ownText } from "../base/index-terms.js";
/** UTF-8 bytes of a code unit. */
export const MOST_OF_UNIT = 3;
/** What JSON writes otherwise than it stands, or might. */
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;
/** A text as JSON. A string alone never calls toJSON, so a polluted prototype cannot reach in. */
export function jsonOfText(text) {
    return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}
/** Names with their colons: the same few in most records. Bounded. */
const names = new Map();
const MOST_NAMES = 1024;
/** The name of an attribute as JSON, with its colon. */
export function jsonOfName(name) {
    let json = names.get(name);
    if (json === undefined) {
        if (names.size >= MOST_NAMES)
            names.clear();
        json = `${jsonOfText(name)}:`;
        names.set(ownText(name), json);
    }
    return json;
}
