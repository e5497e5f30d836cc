// The id of a record: a string of 1 … 512 UTF-8 bytes, or an integer, which is the same id as its decimal digits.
import { utf8Length } from "../base/json.js";
import { show } from "../base/show.js";
/** Reads an id as the caller gave it. */
export function readRecordId(given, limits) {
    if (typeof given === "number") {
        if (!Number.isSafeInteger(given))
            return { complaint: `is ${show(given)}, expected an integer up to 2^53 - 1 or a string` };
        const digits = String(given === 0 ? 0 : given);
        return digits.length > limits.idBytes ? tooLong(limits) : { id: digits };
    }
    if (typeof given !== "string")
        return { complaint: `is ${show(given)}, expected a string or an integer` };
    if (given === "")
        return { complaint: "is empty, expected at least one character" };
    if (utf8Length(given) > limits.idBytes)
        return tooLong(limits);
    if (!given.isWellFormed())
        return { complaint: "holds half of a surrogate pair, which does not survive UTF-8" };
    return { id: given };
}
function tooLong({ idBytes }) {
    return { complaint: `has more than ${idBytes} bytes; shorten it` };
}
