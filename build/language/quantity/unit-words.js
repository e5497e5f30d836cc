// The words of units by their first two letters and their last: a few looks tell that most words behind numbers are none.
import { UNITS } from "../units.js";
const PLACES = 1 << 12;
const SMALL_A = 0x61;
/** By place: the lengths, as bits, that the first words of units have. */
export const LENGTHS = new Uint32Array(PLACES);
/** By place: the letters, as bits from "a" on, with which second words begin behind a first one. */
export const SECOND_LETTERS = new Uint32Array(PLACES);
/** The same by the first words themselves. */
export const SECONDS = readUnits();
/** Where the words stand that begin with these two letters, if they have two, and end with this one. */
export function placeOf(first, second, last) {
    return ((first * 31 + second) * 31 + last) % PLACES;
}
function readUnits() {
    const seconds = new Map();
    for (const spelling of UNITS.keys()) {
        const [word] = /^\p{L}+/u.exec(spelling) ?? [];
        if (word === undefined)
            continue;
        const place = placeOf(word.charCodeAt(0), word.charCodeAt(1) || 0, word.charCodeAt(word.length - 1));
        LENGTHS[place] |= 1 << word.length;
        const [, second] = spelling.split(" ");
        if (second === undefined)
            continue;
        seconds.set(word, (seconds.get(word) ?? "") + second[0]);
        SECOND_LETTERS[place] |= 1 << (second.charCodeAt(0) - SMALL_A);
    }
    return seconds;
}
