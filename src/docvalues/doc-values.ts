// Doc values: one attribute of one segment as a column. It has a sorted dictionary of values, the ordinals of each record, the
// records of each ordinal, and bitsets for the records of frequent ordinals. An ordinal is an index into the dictionary, so a
// range of values is a range of ordinals. A sparse column (few records have a value) stores the numbers of those records
// instead of a row for every record. Immutable.

import { DocSet, type LocalDoc } from "../util/doc-set.js";
import { heapBytes } from "../util/json.js";
import { lowerBound, nthOfSorted, partitionPoint } from "../util/sorted.js";
import type { Task } from "../util/tasks.js";

/** A value that can be filtered, faceted and sorted by. */
export type AttributeValue = string | number | boolean;

/** A total order: numbers, strings by code unit, false, true. */
export function compareValues(a: AttributeValue, b: AttributeValue): number {
  if (typeof a === "number") return typeof b === "number" ? a - b : -1;
  if (typeof b === "number") return 1;
  if (typeof a === "string") return typeof b === "string" ? (a < b ? -1 : a > b ? 1 : 0) : -1;
  return typeof b === "string" ? 1 : Number(a) - Number(b);
}

const POINTER_BYTES = 8;
/** Characters of values between two pauses. */
const PAUSE_EVERY_CHARACTERS = 1 << 14;

/** The values of one attribute in the records of one segment. */
export interface DocValues {
  readonly docCount: number;
  /** The dictionary, in the order of `compareValues`: numbers, strings, booleans. */
  readonly values: readonly AttributeValue[];
  /** In a sparse column the records with a value, ascending: row r belongs to record docsWithValue[r]. null: row = record. */
  readonly docsWithValue: Uint32Array | null;
  /** The ordinals of row r are ordinals[starts[r]] … ordinals[starts[r + 1] - 1], ascending. */
  readonly starts: Uint32Array;
  readonly ordinals: Uint32Array;
  /** The records of ordinal o are ordinalDocs[ordinalStarts[o]] … ordinalDocs[ordinalStarts[o + 1] - 1], ascending. */
  readonly ordinalStarts: Uint32Array;
  readonly ordinalDocs: Uint32Array;
  /** The same records as bitsets, for ordinals whose bitset takes no more memory than the list; empty in small segments. */
  readonly ordinalSets: ReadonlyMap<number, DocSet<LocalDoc>>;
  readonly caches: ColumnCaches;
}

/** Results that queries compute from a column once and keep with it. */
export class ColumnCaches {
  /** Whether every record has exactly one value. */
  isDenseSingleValued: boolean | undefined = undefined;
  /** Whether no record has two values. */
  isSingleValued: boolean | undefined = undefined;
  /** For wide ranges; at most CUMULATIVE_SETS and the two at the ends. */
  cumulativeSets: readonly CumulativeSet[] | undefined = undefined;
  /** For sorting. */
  valueKeys: ValueKeys | undefined = undefined;
  /** The numbers of the dictionary. */
  numbers: Float64Array | undefined = undefined;
  /** For boosts: the greatest number of each record but some deleted ones, ascending. */
  greatestNumbers: { readonly deletedDocs: DocSet<LocalDoc> | null; readonly sorted: Float64Array } | undefined =
    undefined;
  /** For conditions on dates: the column of the instants that texts name; null if none does. */
  instants: DocValues | null | undefined = undefined;
  /** For understanding queries: the ordinals of texts by their words, and the bytes that they take. */
  spellings: { readonly byWords: ReadonlyMap<string, readonly number[]>; readonly bytes: number } | undefined =
    undefined;
  /** Of the column of places: what its texts say. */
  points: Points | undefined = undefined;
}

/** Latitudes and longitudes, by ordinal. */
export interface Points {
  readonly lats: Float64Array;
  readonly lngs: Float64Array;
}

/** The ordinals from … to - 1. */
export interface OrdinalRange {
  readonly from: number;
  readonly to: number;
}

/** The row of a record, or -1. The row may be empty. */
export function rowOf(column: DocValues, doc: LocalDoc): number {
  const { docsWithValue } = column;
  if (docsWithValue === null) return doc;
  const row = seekRow(docsWithValue, doc, 0);
  return docsWithValue[row] === doc ? row : -1;
}

/**
 * The first row whose record is `doc` or greater, by galloping search from `hint`, the row of another record. It is fast if that record
 * is slightly less than `doc`.
 */
export function seekRow(docsWithValue: Uint32Array, doc: number, hint: number): number {
  let low = hint > 0 && docsWithValue[hint - 1]! >= doc ? 0 : hint;
  let step = 1;
  while (low + step <= docsWithValue.length && docsWithValue[low + step - 1]! < doc) {
    low += step;
    step *= 2;
  }
  return lowerBound(docsWithValue, doc, low, Math.min(low + step - 1, docsWithValue.length));
}

/** A view of the ordinals of a record, ascending; for single records. */
export function ordinalsOf(column: DocValues, doc: LocalDoc): Uint32Array {
  const row = rowOf(column, doc);
  return row < 0
    ? column.ordinals.subarray(0, 0)
    : column.ordinals.subarray(column.starts[row]!, column.starts[row + 1]!);
}

/** A view of the records of a range of ordinals, ascending within each ordinal. */
export function docsOfRange(column: DocValues, { from, to }: OrdinalRange): Uint32Array {
  return from < to
    ? column.ordinalDocs.subarray(column.ordinalStarts[from]!, column.ordinalStarts[to]!)
    : new Uint32Array(0);
}

/** Whether a record that is not deleted has the value of an ordinal. */
export function isLiveOrdinal(column: DocValues, ordinal: number, deletedDocs: DocSet<LocalDoc> | null): boolean {
  const docs = docsOfRange(column, { from: ordinal, to: ordinal + 1 });
  return deletedDocs === null ? docs.length > 0 : docs.some((doc) => !deletedDocs.has(doc as LocalDoc));
}

/** The bitset of a range of one ordinal; undefined if the range is longer, the records are few, or the segment is small. */
export function setOfRange({ ordinalSets }: DocValues, { from, to }: OrdinalRange): DocSet<LocalDoc> | undefined {
  return to - from === 1 ? ordinalSets.get(from) : undefined;
}

/** In smaller segments setting the bits one by one is as fast. */
const MIN_DOCS_FOR_CUMULATIVE_SETS = 4096;
const CUMULATIVE_SETS = 8;

/** A cumulative bitset: the records whose ordinal is below `ordinal`. */
interface CumulativeSet {
  readonly ordinal: number;
  readonly below: DocSet<LocalDoc>;
}

/**
 * The records of a wide range, as a new set; undefined if the range is not wide, the segment is small, or records have several values.
 * The set is the difference of two cumulative bitsets, corrected by the records in between.
 */
export function setOfWideRange(column: DocValues, { from, to }: OrdinalRange): DocSet<LocalDoc> | undefined {
  const { docCount, ordinalStarts } = column;
  if (docCount < MIN_DOCS_FOR_CUMULATIVE_SETS || !isSingleValued(column)) return undefined;
  if (CUMULATIVE_SETS * (ordinalStarts[to]! - ordinalStarts[from]!) < docCount) return undefined;
  const below = docsBelow(column, to);
  return from === 0 ? below : below.andNot(docsBelow(column, from));
}

function docsBelow(column: DocValues, ordinal: number): DocSet<LocalDoc> {
  const { ordinalStarts } = column;
  const distanceTo = (set: CumulativeSet): number => Math.abs(ordinalStarts[set.ordinal]! - ordinalStarts[ordinal]!);
  const nearest = cumulativeSetsOf(column).reduce((best, set) => (distanceTo(set) < distanceTo(best) ? set : best));
  const below = nearest.below.copy();
  return nearest.ordinal < ordinal
    ? below.addAll(docsOfRange(column, { from: nearest.ordinal, to: ordinal }))
    : below.removeAll(docsOfRange(column, { from: ordinal, to: nearest.ordinal }));
}

/** Cumulative bitsets at evenly spread ordinals, built at first use: most columns never need ranges. */
function cumulativeSetsOf(column: DocValues): readonly CumulativeSet[] {
  const { caches } = column;
  if (caches.cumulativeSets !== undefined) return caches.cumulativeSets;
  const { docCount, values, ordinalStarts } = column;
  const made: CumulativeSet[] = [{ ordinal: 0, below: new DocSet<LocalDoc>(docCount) }];
  for (let ordinal = 1, last = made[0]!; ordinal <= values.length; ordinal++) {
    const isHigh = CUMULATIVE_SETS * (ordinalStarts[ordinal]! - ordinalStarts[last.ordinal]!) >= docCount;
    if (!isHigh && ordinal < values.length) continue;
    last = { ordinal, below: last.below.copy().addAll(docsOfRange(column, { from: last.ordinal, to: ordinal })) };
    made.push(last);
  }
  caches.cumulativeSets = made;
  return made;
}

/** The ordinal of a value of the same type, or -1. */
export function ordinalOf(column: DocValues, value: AttributeValue): number {
  const { values } = column;
  const ordinal = partitionPoint(0, values.length, (i) => compareValues(values[i]!, value) < 0);
  return values[ordinal] === value ? ordinal : -1;
}

/** The ordinals of the numbers between two bounds; pass infinity for an open end. */
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

/** The count of dictionary numbers less than `bound`; with `orEqual`, less than or equal. */
function countNumbersBelow(values: readonly AttributeValue[], bound: number, orEqual: boolean): number {
  return partitionPoint(0, values.length, (i) => {
    const value = values[i]!;
    return typeof value === "number" && (value < bound || (orEqual && value === bound));
  });
}

/** The numbers of the dictionary, which are its first values. */
export function numbersOf({ values, caches }: DocValues): Float64Array {
  if (caches.numbers === undefined) {
    const count = countNumbersBelow(values, Number.POSITIVE_INFINITY, true);
    caches.numbers = Float64Array.from({ length: count }, (_, i) => values[i] as number);
  }
  return caches.numbers;
}

/** Whether every record has exactly one value, so that ordinals are indexed by record; computed once per column. */
export function isDenseSingleValued({ docsWithValue, starts, caches }: DocValues): boolean {
  caches.isDenseSingleValued ??= docsWithValue === null && starts.every((start, row) => start === row);
  return caches.isDenseSingleValued;
}

/** Whether no record has two values; computed once per column. */
export function isSingleValued({ starts, caches }: DocValues): boolean {
  caches.isSingleValued ??= starts.every((start, row) => row === 0 || start - starts[row - 1]! <= 1);
  return caches.isSingleValued;
}

export type SortDirection = "asc" | "desc";

/** A criterion to sort records by. Records without a key come last in both directions. */
export interface SortKey {
  readonly direction: SortDirection;
  /** The key that a document is sorted by; undefined if it has none. */
  keyOf(doc: number): AttributeValue | undefined;
}

/** What the values of a column are sorted by, by ordinal. */
export interface ValueKeys {
  /** undefined: the value is as good as none. */
  readonly keys: readonly (AttributeValue | undefined)[];
  /** The memory that they take in addition to the column. */
  readonly bytes: number;
}

/**
 * The keys of a column's values, computed once per column: `keyOfText` gives that of a text, other values are their own. It is
 * passed because this folder knows nothing of language; every caller passes the same for one column.
 */
export function* valueKeysOf(
  { values, caches }: DocValues,
  keyOfText: (text: string) => number | string | undefined,
): Task<ValueKeys> {
  if (caches.valueKeys !== undefined) return caches.valueKeys;
  if (typeof values[countNumbersBelow(values, Number.POSITIVE_INFINITY, true)] !== "string") {
    caches.valueKeys = { keys: values, bytes: 0 };
    return caches.valueKeys;
  }
  let bytes = 0;
  const keys = yield* mapValues(values, (value) => {
    const key = typeof value === "string" ? keyOfText(value) : value;
    bytes += POINTER_BYTES + (typeof key === "string" && key !== value ? heapBytes(key) : 0);
    return key;
  });
  caches.valueKeys = { keys, bytes };
  return caches.valueKeys;
}

/** What a function makes of each value, with pauses. */
export function* mapValues<T>(
  values: readonly AttributeValue[],
  of: (value: AttributeValue, place: number) => T,
): Task<T[]> {
  const made: T[] = [];
  let characters = 0;
  for (const [place, value] of values.entries()) {
    made.push(of(value, place));
    characters += 1 + (typeof value === "string" ? value.length : 0);
    if (characters < PAUSE_EVERY_CHARACTERS) continue;
    characters = 0;
    yield;
  }
  return made;
}

/** The key that a record of a segment is sorted by: of several, the least if ascending, the greatest if descending. */
export function sortKeyAt(
  column: DocValues,
  { keys }: ValueKeys,
  doc: LocalDoc,
  direction: SortDirection,
): AttributeValue | undefined {
  const row = rowOf(column, doc);
  if (row < 0) return undefined;
  const { starts, ordinals } = column;
  let best: AttributeValue | undefined;
  for (let at = starts[row]!; at < starts[row + 1]!; at++) {
    const key = keys[ordinals[at]!];
    if (best === undefined || compareKeys(key, best, direction) < 0) best = key;
  }
  return best;
}

/** The least value of a record of a segment, as it is stored. */
export function leastValue(column: DocValues | undefined, doc: LocalDoc): AttributeValue | undefined {
  const row = column === undefined ? -1 : rowOf(column, doc);
  if (column === undefined || row < 0) return undefined;
  const { starts, ordinals, values } = column;
  return starts[row] === starts[row + 1] ? undefined : values[ordinals[starts[row]!]!];
}

/** Compares documents by the first key in which they differ; 0 if there is none. */
export function compareByKeys(keys: readonly SortKey[]): (a: number, b: number) => number {
  return (a, b) => {
    for (const key of keys) {
      const order = compareKeys(key.keyOf(a), key.keyOf(b), key.direction);
      if (order !== 0) return order;
    }
    return 0;
  };
}

/** Compares two keys; what has none comes last in both directions. */
export function compareKeys(
  a: AttributeValue | undefined,
  b: AttributeValue | undefined,
  direction: SortDirection,
): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return direction === "asc" ? compareValues(a, b) : compareValues(b, a);
}

/** V8 allocates an object for numbers other than small integers. */
const BOX_BYTES = 16;
const SMALL_INTEGERS = 2 ** 31;
/** The overhead of a set: its objects and its map entry. */
const SET_BYTES = 200;

/** The approximate memory of a column in bytes: typed arrays exactly, the dictionary by the usual sizes in V8. */
export function bytesOf(column: DocValues): number {
  const { values, docsWithValue, starts, ordinals, ordinalStarts, ordinalDocs, ordinalSets } = column;
  let bytes = (docsWithValue?.byteLength ?? 0) + starts.byteLength + ordinals.byteLength;
  bytes += ordinalStarts.byteLength + ordinalDocs.byteLength + POINTER_BYTES * values.length;
  for (const { words } of ordinalSets.values()) bytes += SET_BYTES + words.byteLength;
  for (const { below } of column.caches.cumulativeSets ?? []) bytes += SET_BYTES + below.words.byteLength;
  for (const value of values) {
    if (typeof value === "string") bytes += heapBytes(value);
    else if (typeof value === "number" && !(Number.isInteger(value) && Math.abs(value) < SMALL_INTEGERS))
      bytes += BOX_BYTES;
  }
  return bytes;
}

/** The bytes of what queries computed from a column and keep with it, besides what its own bytes hold. */
export function bytesOfCaches({ caches }: DocValues): number {
  const { valueKeys, numbers, greatestNumbers, instants, points, spellings } = caches;
  const ofNumbers = (numbers?.byteLength ?? 0) + (greatestNumbers?.sorted.byteLength ?? 0);
  const ofInstants = instants === undefined || instants === null ? 0 : bytesOf(instants) + bytesOfCaches(instants);
  const ofPoints = (points?.lats.byteLength ?? 0) + (points?.lngs.byteLength ?? 0);
  const ofTexts = (valueKeys?.bytes ?? 0) + (spellings?.bytes ?? 0);
  return ofTexts + ofNumbers + ofInstants + ofPoints;
}

/** The greatest number of each of some records of a segment, ascending, whose first record is `base`; NaN: it has none. */
export function greatestNumbersOf(column: DocValues | undefined, docs: Uint32Array, base: number): Float64Array {
  const found = new Float64Array(docs.length).fill(Number.NaN);
  if (column === undefined) return found;
  const { docsWithValue } = column;
  const numbers = numbersOf(column);
  for (let i = 0, row = 0; i < docs.length; i++) {
    const doc = docs[i]! - base;
    row = docsWithValue === null ? doc : seekRow(docsWithValue, doc, row);
    if (docsWithValue === null || docsWithValue[row] === doc) found[i] = greatestInRow(column, row, numbers);
  }
  return found;
}

/**
 * Numbers come first in the dictionary, so the greatest one of a row is the last ordinal among theirs. A row of one value needs no
 * search, and one of many texts no walk.
 */
function greatestInRow({ starts, ordinals }: DocValues, row: number, numbers: Float64Array): number {
  const [from, to] = [starts[row]!, starts[row + 1]!];
  const last = ordinals[to - 1]!;
  if (to > from && last < numbers.length) return numbers[last]!;
  const end = partitionPoint(from, to, (at) => ordinals[at]! < numbers.length);
  return end > from ? numbers[ordinals[end - 1]!]! : Number.NaN;
}

/** The greatest numbers of all records that are not deleted, ascending; kept with the column for these deletions. */
export function greatestNumbers(column: DocValues, deletedDocs: DocSet<LocalDoc> | null): Float64Array {
  const { docsWithValue, starts, caches } = column;
  if (caches.greatestNumbers?.deletedDocs === deletedDocs) return caches.greatestNumbers.sorted;
  const numbers = numbersOf(column);
  const found = new Float64Array(starts.length - 1);
  let size = 0;
  for (let row = 0; row < starts.length - 1; row++) {
    const doc = (docsWithValue === null ? row : docsWithValue[row]!) as LocalDoc;
    const number = deletedDocs?.has(doc) ? Number.NaN : greatestInRow(column, row, numbers);
    if (!Number.isNaN(number)) found[size++] = number;
  }
  const sorted = found.slice(0, size).sort();
  caches.greatestNumbers = { deletedDocs, sorted };
  return sorted;
}

/** What the greatest numbers of all records of an index tell of them. */
export interface LearnedNumbers {
  /** The records that have a number. */
  readonly count: number;
  /** Of the positive ones that in the middle, or the lower of two; undefined: there is none. */
  readonly positiveMedian: number | undefined;
  readonly greatest: number;
  /** What 99 % of them do not exceed: a few dates in the future, which are typing errors, must not make all others old. */
  readonly newest: number;
}

/** Learns from the ascending lists of all segments. */
export function learnNumbers(lists: readonly Float64Array[]): LearnedNumbers {
  const sizeOf = (sorted: readonly Float64Array[]): number => sorted.reduce((sum, list) => sum + list.length, 0);
  const positive = lists.map((list) => list.subarray(partitionPoint(0, list.length, (i) => list[i]! <= 0)));
  const [count, positiveCount] = [sizeOf(lists), sizeOf(positive)];
  return {
    count,
    positiveMedian: positiveCount === 0 ? undefined : nthOfSorted(positive, Math.ceil(positiveCount / 2)),
    greatest: lists.reduce((most, list) => Math.max(most, list.at(-1) ?? most), Number.NEGATIVE_INFINITY),
    newest: nthOfSorted(lists, Math.ceil((99 * count) / 100)),
  };
}
