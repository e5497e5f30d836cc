// The rows of a table nearest to one of them, by the cosines of their codes: sums of integers, so that the order is the same
// on every machine. A walk through the whole table takes some 6 ms of a core; what it finds is remembered for 512 rows.

import type { Steps } from "../../base/slices.js";
import { dotOfRows } from "./table-words.js";
import type { WordTable } from "./word-table.js";

/** Above what means nothing to this table, about .35, so that no word leans on whatever the records happen to hold. */
const LEAST_NEARNESS = 0.4;
const MOST_REMEMBERED = 512;
/** About a tenth of a millisecond. */
const PAUSE_EVERY = 1024;

interface Nearness {
  /** The square root of each row's sum of squared codes; 0: the row says nothing. */
  readonly lengths: Float64Array;
  readonly remembered: Map<number, Uint32Array>;
}

const nearnessOf = new WeakMap<WordTable, Nearness>();

/** The other rows with a cosine of .4 and more, the nearest first; equal ones by their numbers. */
export function* nearRows(table: WordTable, row: number): Steps<Uint32Array> {
  const { lengths, remembered } = yield* measured(table);
  const known = remembered.get(row);
  if (known !== undefined) return known;
  const cosines = new Map<number, number>();
  for (let other = 0; other < lengths.length; other++) {
    if (other % PAUSE_EVERY === 0) yield;
    const length = lengths[row]! * lengths[other]!;
    if (other === row || length === 0) continue;
    const cosine = dotOfRows(table.codes, row, other) / length;
    if (cosine >= LEAST_NEARNESS) cosines.set(other, cosine);
  }
  const found = Uint32Array.from(cosines.keys()).sort((a, b) => cosines.get(b)! - cosines.get(a)! || a - b);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(row, found);
  return found;
}

/** The length of a row's codes. */
export function* lengthOf(table: WordTable, row: number): Steps<number> {
  return (yield* measured(table)).lengths[row]!;
}

function* measured(table: WordTable): Steps<Nearness> {
  const known = nearnessOf.get(table);
  if (known !== undefined) return known;
  const lengths = new Float64Array(table.scales.length);
  for (let row = 0; row < lengths.length; row++) {
    if (row % PAUSE_EVERY === 0) yield;
    // A row whose scale is not above 0 adds nothing, or the opposite of its codes.
    if (table.scales[row]! > 0) lengths[row] = Math.sqrt(dotOfRows(table.codes, row, row));
  }
  const nearness = { lengths, remembered: new Map<number, Uint32Array>() };
  nearnessOf.set(table, nearness);
  return nearness;
}
