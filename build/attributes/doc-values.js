// Doc values: one attribute of one segment as a column. It has a sorted dictionary of values, the ordinals of each record, the
// records of each ordinal, and bitsets for the records of frequent ordinals. An ordinal is an index into the dictionary, so a
// range of values is a range of ordinals. A sparse column (few records have a value) stores the numbers of those records
// instead of a row for every record. Immutable.
import { DocSet } from "../base/doc-set.js";
import { heapBytes } from "../base/json.js";
import { compareValues } from "./attribute-values.js";
/** The row of a record, or -1. The row may be empty. Hot loops read `starts` and `ordinals` with it. */
export function rowOf(column, doc) {
    const { docsWithValue } = column;
    if (docsWithValue === null)
        return doc;
    const row = seekRow(docsWithValue, doc, 0);
    return docsWithValue[row] === doc ? row : -1;
}
/**
 * The first row whose record is `doc` or a later one, by galloping search from `hint`: the answer for another record. The
 * search is fast when that record is a little before `doc`.
 */
export function seekRow(docsWithValue, doc, hint) {
    let low = hint > 0 && docsWithValue[hint - 1] >= doc ? 0 : hint;
    let step = 1;
    while (low + step <= docsWithValue.length && docsWithValue[low + step - 1] < doc) {
        low += step;
        step *= 2;
    }
    let high = Math.min(low + step - 1, docsWithValue.length);
    while (low < high) {
        const middle = (low + high) >>> 1;
        if (docsWithValue[middle] < doc)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
/** A view of the ordinals of a record, ascending; for single records. */
export function ordinalsOf(column, doc) {
    const row = rowOf(column, doc);
    return row < 0
        ? column.ordinals.subarray(0, 0)
        : column.ordinals.subarray(column.starts[row], column.starts[row + 1]);
}
/** A view of the records of a range of ordinals, ascending within each ordinal. */
export function docsOfRange(column, { from, to }) {
    return from < to
        ? column.ordinalDocs.subarray(column.ordinalStarts[from], column.ordinalStarts[to])
        : new Uint32Array(0);
}
/** The bitset of a range of one ordinal; undefined: the range is longer, the records are few, or the segment is small. */
export function setOfRange({ ordinalSets }, { from, to }) {
    return to - from === 1 ? ordinalSets.get(from) : undefined;
}
/** In smaller segments setting the bits one by one is as fast. */
const MIN_DOCS_FOR_CUMULATIVE_SETS = 4096;
const CUMULATIVE_SETS = 8;
const cumulativeSets = new WeakMap();
/**
 * The records of a wide range, as a new set; undefined: the range is not wide, the segment is small, or some records have
 * several values. The set is the difference of two cumulative bitsets, corrected by the records in between.
 */
export function setOfWideRange(column, { from, to }) {
    const { docCount, ordinalStarts } = column;
    if (docCount < MIN_DOCS_FOR_CUMULATIVE_SETS || !isSingleValued(column))
        return undefined;
    if (CUMULATIVE_SETS * (ordinalStarts[to] - ordinalStarts[from]) < docCount)
        return undefined;
    const below = docsBelow(column, to);
    return from === 0 ? below : below.andNot(docsBelow(column, from));
}
function docsBelow(column, ordinal) {
    const { ordinalStarts } = column;
    const distanceTo = (set) => Math.abs(ordinalStarts[set.ordinal] - ordinalStarts[ordinal]);
    const nearest = cumulativeSetsOf(column).reduce((best, set) => (distanceTo(set) < distanceTo(best) ? set : best));
    const below = nearest.below.copy();
    return nearest.ordinal < ordinal
        ? below.addAll(docsOfRange(column, { from: nearest.ordinal, to: ordinal }))
        : below.removeAll(docsOfRange(column, { from: ordinal, to: nearest.ordinal }));
}
/** Cumulative bitsets at evenly spread ordinals, built at first use: most columns are never asked for ranges. */
function cumulativeSetsOf(column) {
    const known = cumulativeSets.get(column);
    if (known !== undefined)
        return known;
    const { docCount, values, ordinalStarts } = column;
    const made = [{ ordinal: 0, below: new DocSet(docCount) }];
    for (let ordinal = 1, last = made[0]; ordinal <= values.length; ordinal++) {
        const isHigh = CUMULATIVE_SETS * (ordinalStarts[ordinal] - ordinalStarts[last.ordinal]) >= docCount;
        if (!isHigh && ordinal < values.length)
            continue;
        last = { ordinal, below: last.below.copy().addAll(docsOfRange(column, { from: last.ordinal, to: ordinal })) };
        made.push(last);
    }
    cumulativeSets.set(column, made);
    return made;
}
/** The ordinal of a value of the same type, or -1. */
export function ordinalOf(column, value) {
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
/** The ordinals of the numbers between two bounds; pass infinity for an open end. */
export function ordinalRange(column, low, high, includeLow, includeHigh) {
    const from = countNumbersBelow(column.values, low, !includeLow);
    return { from, to: Math.max(from, countNumbersBelow(column.values, high, includeHigh)) };
}
/** The count of dictionary numbers less than `bound`; with `orEqual`, less than or equal. */
function countNumbersBelow(values, bound, orEqual) {
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
const denseSingleValued = new WeakMap();
const singleValued = new WeakMap();
/** Whether every record has exactly one value, so that ordinals are indexed by record; computed once per column. */
export function isDenseSingleValued(column) {
    return cachedOnce(denseSingleValued, column, ({ docsWithValue, starts }) => docsWithValue === null && starts.every(isItsRow));
}
/** Whether no record has two values; computed once per column. */
export function isSingleValued(column) {
    return cachedOnce(singleValued, column, ({ starts }) => starts.every((start, row) => row === 0 || start - starts[row - 1] <= 1));
}
function isItsRow(start, row) {
    return start === row;
}
function cachedOnce(cache, column, compute) {
    const known = cache.get(column);
    if (known !== undefined)
        return known;
    const found = compute(column);
    cache.set(column, found);
    return found;
}
const POINTER_BYTES = 8;
/** V8 boxes numbers that are no small integers. */
const BOX_BYTES = 16;
const SMALL_INTEGERS = 2 ** 31;
/** The overhead of a set: its objects and its map entry. */
const SET_BYTES = 200;
/** The bytes that a column takes, about: typed arrays exactly, the dictionary by the usual sizes in V8. */
export function bytesOf(column) {
    const { values, docsWithValue, starts, ordinals, ordinalStarts, ordinalDocs, ordinalSets } = column;
    let bytes = (docsWithValue?.byteLength ?? 0) + starts.byteLength + ordinals.byteLength;
    bytes += ordinalStarts.byteLength + ordinalDocs.byteLength + POINTER_BYTES * values.length;
    for (const { words } of ordinalSets.values())
        bytes += SET_BYTES + words.byteLength;
    for (const { below } of cumulativeSets.get(column) ?? [])
        bytes += SET_BYTES + below.words.byteLength;
    for (const value of values) {
        if (typeof value === "string")
            bytes += heapBytes(value);
        else if (typeof value === "number" && !(Number.isInteger(value) && Math.abs(value) < SMALL_INTEGERS))
            bytes += BOX_BYTES;
    }
    return bytes;
}
