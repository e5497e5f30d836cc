// The greatest number of each record of a column: what a boost reads.

import type { LocalDoc } from "../util/doc.js";
import type { DocSet } from "../util/doc-set.js";
import { nthOfSorted, partitionPoint } from "../util/sorted.js";
import { type DocValues, numbersOf, seekRow } from "./doc-values.js";

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
