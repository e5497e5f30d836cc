// One attribute of one segment in columns: a sorted dictionary of its values, the codes of each record and the records of
// each code, both in rows one after the other, and those of frequent codes as sets. A code is a place in the dictionary, so a
// range of values is a range of codes. An attribute that few records have keeps the numbers of its holders instead of a row
// for each record. Immutable.

import { DocSet } from "../base/doc-set.js";
import { heapBytes } from "../base/json.js";
import { compareValues } from "./attribute-values.js";
import type { AttributeValue } from "./filter.js";

/** The values of one attribute in the records of one segment. */
export interface DocValues {
  readonly docCount: number;
  /** The dictionary, in the order of `compareValues`: numbers, strings, booleans. */
  readonly values: readonly AttributeValue[];
  /** The records with a value, ascending; slot s is record holders[s]. null: slot and record are one. */
  readonly docsWithValue: Uint32Array | null;
  /** The codes of slot s are codes[starts[s]] … codes[starts[s + 1] - 1], ascending. */
  readonly starts: Uint32Array;
  readonly ordinals: Uint32Array;
  /** The records of code c are codeDocs[codeStarts[c]] … codeDocs[codeStarts[c + 1] - 1], ascending. */
  readonly ordinalStarts: Uint32Array;
  readonly ordinalDocs: Uint32Array;
  /** The same as sets, of the codes that take no more room so; in small segments of none. */
  readonly ordinalSets: ReadonlyMap<number, DocSet>;
}

/** Codes from … to - 1. */
export interface OrdinalRange {
  readonly from: number;
  readonly to: number;
}

/** The slot of a record, or -1; the codes there may be none. Hot loops read `starts` and `codes` by it. */
export function rowOf(column: DocValues, doc: number): number {
  const { docsWithValue } = column;
  if (docsWithValue === null) return doc;
  const row = seekRow(docsWithValue, doc, 0);
  return docsWithValue[row] === doc ? row : -1;
}

/**
 * The first slot whose record is `doc` or a later one. `hint` is the answer for another record; it costs nothing when that
 * record was close before.
 */
export function seekRow(docsWithValue: Uint32Array, doc: number, hint: number): number {
  let low = hint > 0 && docsWithValue[hint - 1]! >= doc ? 0 : hint;
  let step = 1;
  while (low + step <= docsWithValue.length && docsWithValue[low + step - 1]! < doc) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step - 1, docsWithValue.length);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (docsWithValue[middle]! < doc) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The codes of a record, ascending: a view, for single records. */
export function ordinalsOf(column: DocValues, doc: number): Uint32Array {
  const row = rowOf(column, doc);
  return row < 0
    ? column.ordinals.subarray(0, 0)
    : column.ordinals.subarray(column.starts[row]!, column.starts[row + 1]!);
}

/** The records of the codes from … to - 1, a view; ascending within each code. */
export function docsOfRange(column: DocValues, { from, to }: OrdinalRange): Uint32Array {
  return from < to
    ? column.ordinalDocs.subarray(column.ordinalStarts[from]!, column.ordinalStarts[to]!)
    : new Uint32Array(0);
}

/** The records of one code as a set; undefined: they are few, or the segment is small. */
export function setOfRange({ ordinalSets }: DocValues, { from, to }: OrdinalRange): DocSet | undefined {
  return to - from === 1 ? ordinalSets.get(from) : undefined;
}

/** In smaller segments to set bit by bit is as quick. */
const MIN_DOCS_FOR_CUMULATIVE_SETS = 4096;
const CUMULATIVE_SETS = 8;

/** The records whose code is below one. */
interface CumulativeSet {
  readonly ordinal: number;
  readonly below: DocSet;
}

const cumulativeSets = new WeakMap<DocValues, readonly CumulativeSet[]>();

/**
 * The records of a wide range, a set of the caller's own; undefined: it is not wide, the segment is small, or some records
 * have several values. Most of it is told by the records below codes that are evenly spread.
 */
export function setOfWideRange(column: DocValues, { from, to }: OrdinalRange): DocSet | undefined {
  const { docCount, ordinalStarts } = column;
  if (docCount < MIN_DOCS_FOR_CUMULATIVE_SETS || !isSingleValued(column)) return undefined;
  if (CUMULATIVE_SETS * (ordinalStarts[to]! - ordinalStarts[from]!) < docCount) return undefined;
  const below = docsBelow(column, to);
  return from === 0 ? below : below.andNot(docsBelow(column, from));
}

function docsBelow(column: DocValues, ordinal: number): DocSet {
  const { ordinalStarts } = column;
  const distanceTo = (set: CumulativeSet): number => Math.abs(ordinalStarts[set.ordinal]! - ordinalStarts[ordinal]!);
  const nearest = cumulativeSetsOf(column).reduce((best, set) => (distanceTo(set) < distanceTo(best) ? set : best));
  const below = nearest.below.copy();
  return nearest.ordinal < ordinal
    ? below.addAll(docsOfRange(column, { from: nearest.ordinal, to: ordinal }))
    : below.removeAll(docsOfRange(column, { from: ordinal, to: nearest.ordinal }));
}

/** Made when they are first asked for: of most columns nobody asks ranges. */
function cumulativeSetsOf(column: DocValues): readonly CumulativeSet[] {
  const known = cumulativeSets.get(column);
  if (known !== undefined) return known;
  const { docCount, values, ordinalStarts } = column;
  const made: CumulativeSet[] = [{ ordinal: 0, below: new DocSet(docCount) }];
  for (let ordinal = 1, last = made[0]!; ordinal <= values.length; ordinal++) {
    const isHigh = CUMULATIVE_SETS * (ordinalStarts[ordinal]! - ordinalStarts[last.ordinal]!) >= docCount;
    if (!isHigh && ordinal < values.length) continue;
    last = { ordinal, below: last.below.copy().addAll(docsOfRange(column, { from: last.ordinal, to: ordinal })) };
    made.push(last);
  }
  cumulativeSets.set(column, made);
  return made;
}

/** The code of a value of the same type, or -1. */
export function ordinalOf(column: DocValues, value: AttributeValue): number {
  const { values } = column;
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareValues(values[middle]!, value) < 0) low = middle + 1;
    else high = middle;
  }
  return values[low] === value ? low : -1;
}

/** The codes of the numbers between two ends; give infinity for an end that is open. */
export function ordinalRange(
  column: DocValues,
  low: number,
  high: number,
  includeLow: boolean,
  includeHigh: boolean,
): OrdinalRange {
  const from = countNumbersBelow(column.values, low, !includeLow);
  return { from, to: Math.max(from, countNumbersBelow(column.values, high, includeHigh)) };
}

/** How many numbers of the dictionary are less than `bound`, or equal to it where `orEqual`. */
function countNumbersBelow(values: readonly AttributeValue[], bound: number, orEqual: boolean): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const value = values[middle]!;
    if (typeof value === "number" && (value < bound || (orEqual && value === bound))) low = middle + 1;
    else high = middle;
  }
  return low;
}

const denseSingleValued = new WeakMap<DocValues, boolean>();
const singleValued = new WeakMap<DocValues, boolean>();

/** Whether each record has one value, and its code the number of its record; told once a column. */
export function isDenseSingleValued(column: DocValues): boolean {
  return cachedOnce(
    denseSingleValued,
    column,
    ({ docsWithValue, starts }) => docsWithValue === null && starts.every(isItsRow),
  );
}

/** Whether no record has two values; told once a column. */
export function isSingleValued(column: DocValues): boolean {
  return cachedOnce(singleValued, column, ({ starts }) =>
    starts.every((start, row) => row === 0 || start - starts[row - 1]! <= 1),
  );
}

function isItsRow(start: number, row: number): boolean {
  return start === row;
}

function cachedOnce(
  cache: WeakMap<DocValues, boolean>,
  column: DocValues,
  compute: (column: DocValues) => boolean,
): boolean {
  const known = cache.get(column);
  if (known !== undefined) return known;
  const found = compute(column);
  cache.set(column, found);
  return found;
}

const POINTER_BYTES = 8;
/** A number outside the small integers lies in a box of its own. */
const BOX_BYTES = 16;
const SMALL_INTEGERS = 2 ** 31;
/** The objects of a set, and its place in the map. */
const SET_BYTES = 200;

/** About the memory that a column takes; the dictionary is estimated as V8 keeps it. */
export function bytesOf(column: DocValues): number {
  const { values, docsWithValue, starts, ordinals, ordinalStarts, ordinalDocs, ordinalSets } = column;
  let bytes = (docsWithValue?.byteLength ?? 0) + starts.byteLength + ordinals.byteLength;
  bytes += ordinalStarts.byteLength + ordinalDocs.byteLength + POINTER_BYTES * values.length;
  for (const { words } of ordinalSets.values()) bytes += SET_BYTES + words.byteLength;
  for (const { below } of cumulativeSets.get(column) ?? []) bytes += SET_BYTES + below.words.byteLength;
  for (const value of values) {
    if (typeof value === "string") bytes += heapBytes(value);
    else if (typeof value === "number" && !(Number.isInteger(value) && Math.abs(value) < SMALL_INTEGERS))
      bytes += BOX_BYTES;
  }
  return bytes;
}
