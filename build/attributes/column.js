// One attribute of one segment in columns: a sorted dictionary of its values, the codes of each record and the records of
// each code, both in rows one after the other, and those of frequent codes as sets. A code is a place in the dictionary, so a
// range of values is a range of codes. An attribute that few records have keeps the numbers of its holders instead of a row
// for each record. Immutable.
import { DocSet } from "../base/doc-set.js";
import { heapBytes } from "../base/json.js";
import { compareValues } from "./attribute-values.js";
/** The slot of a record, or -1; the codes there may be none. Hot loops read `starts` and `codes` by it. */
export function slotOf(column, doc) {
    const { holders } = column;
    if (holders === null)
        return doc;
    const slot = seekSlot(holders, doc, 0);
    return holders[slot] === doc ? slot : -1;
}
/**
 * The first slot whose record is `doc` or a later one. `hint` is the answer for another record; it costs nothing when that
 * record was close before.
 */
export function seekSlot(holders, doc, hint) {
    let low = hint > 0 && holders[hint - 1] >= doc ? 0 : hint;
    let step = 1;
    while (low + step <= holders.length && holders[low + step - 1] < doc) {
        low += step;
        step *= 2;
    }
    let high = Math.min(low + step - 1, holders.length);
    while (low < high) {
        const middle = (low + high) >>> 1;
        if (holders[middle] < doc)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
/** The codes of a record, ascending: a view, for single records. */
export function codesOf(column, doc) {
    const slot = slotOf(column, doc);
    return slot < 0 ? column.codes.subarray(0, 0) : column.codes.subarray(column.starts[slot], column.starts[slot + 1]);
}
/** The records of the codes from … to - 1, a view; ascending within each code. */
export function docsOfRange(column, { from, to }) {
    return from < to ? column.codeDocs.subarray(column.codeStarts[from], column.codeStarts[to]) : new Uint32Array(0);
}
/** The records of one code as a set; undefined: they are few, or the segment is small. */
export function setOfRange({ codeSets }, { from, to }) {
    return to - from === 1 ? codeSets.get(from) : undefined;
}
/** In smaller segments to set bit by bit is as quick. */
const LEAST_WITH_STAIRS = 4096;
const STAIRS = 8;
const stairs = new WeakMap();
/**
 * The records of a wide range, a set of the caller's own; undefined: it is not wide, the segment is small, or some records
 * have several values. Most of it is told by the records below codes that are evenly spread.
 */
export function setOfWideRange(column, { from, to }) {
    const { docCount, codeStarts } = column;
    if (docCount < LEAST_WITH_STAIRS || !hasOneOrNone(column))
        return undefined;
    if (STAIRS * (codeStarts[to] - codeStarts[from]) < docCount)
        return undefined;
    const below = docsBelow(column, to);
    return from === 0 ? below : below.andNot(docsBelow(column, from));
}
function docsBelow(column, code) {
    const { codeStarts } = column;
    const awayOf = (stair) => Math.abs(codeStarts[stair.code] - codeStarts[code]);
    const nearest = stairsOf(column).reduce((best, stair) => (awayOf(stair) < awayOf(best) ? stair : best));
    const below = nearest.below.copy();
    return nearest.code < code
        ? below.addAll(docsOfRange(column, { from: nearest.code, to: code }))
        : below.removeAll(docsOfRange(column, { from: code, to: nearest.code }));
}
/** Made when they are first asked for: of most columns nobody asks ranges. */
function stairsOf(column) {
    const known = stairs.get(column);
    if (known !== undefined)
        return known;
    const { docCount, values, codeStarts } = column;
    const made = [{ code: 0, below: new DocSet(docCount) }];
    for (let code = 1, last = made[0]; code <= values.length; code++) {
        const isHigh = STAIRS * (codeStarts[code] - codeStarts[last.code]) >= docCount;
        if (!isHigh && code < values.length)
            continue;
        last = { code, below: last.below.copy().addAll(docsOfRange(column, { from: last.code, to: code })) };
        made.push(last);
    }
    stairs.set(column, made);
    return made;
}
/** The code of a value of the same type, or -1. */
export function codeOf(column, value) {
    const { values } = column;
    let low = 0;
    let high = values.length;
    while (low < high) {
        const middle = (low + high) >>> 1;
        if (compareValues(values[middle], value) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return values[low] === value ? low : -1;
}
/** The codes of the numbers between two ends; give infinity for an end that is open. */
export function codeRange(column, low, high, includeLow, includeHigh) {
    const from = numbersBelow(column.values, low, !includeLow);
    return { from, to: Math.max(from, numbersBelow(column.values, high, includeHigh)) };
}
/** How many numbers of the dictionary are less than `bound`, or equal to it where `orEqual`. */
function numbersBelow(values, bound, orEqual) {
    let low = 0;
    let high = values.length;
    while (low < high) {
        const middle = (low + high) >>> 1;
        const value = values[middle];
        if (typeof value === "number" && (value < bound || (orEqual && value === bound)))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
const oneEach = new WeakMap();
const oneOrNone = new WeakMap();
/** Whether each record has one value, and its code the number of its record; told once a column. */
export function hasOneEach(column) {
    return toldOnce(oneEach, column, ({ holders, starts }) => holders === null && starts.every(isItsPlace));
}
/** Whether no record has two values; told once a column. */
export function hasOneOrNone(column) {
    return toldOnce(oneOrNone, column, ({ starts }) => starts.every((start, slot) => slot === 0 || start - starts[slot - 1] <= 1));
}
function isItsPlace(start, slot) {
    return start === slot;
}
function toldOnce(told, column, tell) {
    const known = told.get(column);
    if (known !== undefined)
        return known;
    const found = tell(column);
    told.set(column, found);
    return found;
}
const POINTER_BYTES = 8;
/** A number outside the small integers lies in a box of its own. */
const BOX_BYTES = 16;
const SMALL_INTEGERS = 2 ** 31;
/** The objects of a set, and its place in the map. */
const SET_BYTES = 200;
/** About the memory that a column takes; the dictionary is estimated as V8 keeps it. */
export function bytesOf(column) {
    const { values, holders, starts, codes, codeStarts, codeDocs, codeSets } = column;
    let bytes = (holders?.byteLength ?? 0) + starts.byteLength + codes.byteLength;
    bytes += codeStarts.byteLength + codeDocs.byteLength + POINTER_BYTES * values.length;
    for (const { words } of codeSets.values())
        bytes += SET_BYTES + words.byteLength;
    for (const { below } of stairs.get(column) ?? [])
        bytes += SET_BYTES + below.words.byteLength;
    for (const value of values) {
        if (typeof value === "string")
            bytes += heapBytes(value);
        else if (typeof value === "number" && !(Number.isInteger(value) && Math.abs(value) < SMALL_INTEGERS))
            bytes += BOX_BYTES;
    }
    return bytes;
}
