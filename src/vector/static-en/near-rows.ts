// The rows of a table nearest to one of them, by the cosines of their codes: sums of integers, so that the order is the same
// on every machine. A walk through the whole table takes 1.4 ms of a core under the compiled kernel, 8 under the
// plain one; what it finds is remembered for 512 rows.

import type { Task } from "../../base/tasks.js";
import { BLOCK_ROWS } from "./row-codes.js";
import type { WordTable } from "./word-table.js";

/** Above what means nothing to this table, about .35, so that no word leans on whatever the records happen to hold. */
const LEAST_NEARNESS = 0.4;
const SURELY_FAR = 0.39;
const MOST_REMEMBERED = 512;

interface Nearness {
  /** The square root of each row's sum of squared codes; 0: the row says nothing. */
  readonly lengths: Float64Array;
  readonly remembered: Map<number, Uint32Array>;
}

const nearnessOf = new WeakMap<WordTable, Nearness>();

/** The other rows with a cosine of .4 and more, the nearest first; equal ones by their numbers. */
export function* nearRows(table: WordTable, row: number): Task<Uint32Array> {
  const { lengths, remembered } = yield* measured(table);
  const known = remembered.get(row);
  if (known !== undefined) return known;
  const cosines = new Map<number, number>();
  for (let from = 0; from < lengths.length; from += BLOCK_ROWS) {
    noteNear(table, lengths, { row, from }, cosines);
    yield;
  }
  const found = Uint32Array.from(cosines.keys()).sort((a, b) => cosines.get(b)! - cosines.get(a)! || a - b);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(row, found);
  return found;
}

/** Notes the cosines of .4 and more with the rows of the block that begins at `from`. */
function noteNear(
  { placed }: WordTable,
  lengths: Float64Array,
  { row, from }: { readonly row: number; readonly from: number },
  cosines: Map<number, number>,
): void {
  const to = Math.min(from + BLOCK_ROWS, lengths.length);
  const dots = placed.dots(row, from, to);
  const own = lengths[row]!;
  for (let other = from; other < to; other++) {
    const length = own * lengths[other]!;
    const dot = dots[other - from]!;
    // Most rows are far below; a product is cheaper than a quotient.
    if (dot < SURELY_FAR * length || other === row || length === 0) continue;
    const cosine = dot / length;
    if (cosine >= LEAST_NEARNESS) cosines.set(other, cosine);
  }
}

/** The length of a row's codes. */
export function* lengthOf(table: WordTable, row: number): Task<number> {
  return (yield* measured(table)).lengths[row]!;
}

function* measured(table: WordTable): Task<Nearness> {
  const known = nearnessOf.get(table);
  if (known !== undefined) return known;
  const lengths = new Float64Array(table.scales.length);
  for (let from = 0; from < lengths.length; from += BLOCK_ROWS) {
    const to = Math.min(from + BLOCK_ROWS, lengths.length);
    const squares = table.placed.squares(from, to);
    // A row whose scale is not above 0 adds nothing, or the opposite of its codes.
    for (let row = from; row < to; row++) if (table.scales[row]! > 0) lengths[row] = Math.sqrt(squares[row - from]!);
    yield;
  }
  const nearness = { lengths, remembered: new Map<number, Uint32Array>() };
  nearnessOf.set(table, nearness);
  return nearness;
}
