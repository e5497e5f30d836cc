// The similarity of two words of the table: the cosine of their vectors. The dot products are sums of integers, and the few operations
// on them have a fixed order, so every machine gives the same bits.

import type { WordMeaning } from "../util/extension-points.js";
import type { Task } from "../util/tasks.js";
import { ROWS_PER_CALL, type WordRows, type WordTable } from "./word-table.js";

/** Words with a smaller cosine are not similar: unrelated words of this table reach about 0.35. */
const MIN_SIMILARITY = 0.4;
/** A bound below MIN_SIMILARITY by more than any rounding error. */
const SURELY_DISSIMILAR = 0.39;
const MAX_CACHED_ROWS = 512;

/**
 * The other rows with a cosine of 0.4 or more, the nearest first, ties by row. Comparing a row with the whole table takes 1.4 ms
 * in WebAssembly and 8 ms in plain JavaScript, so the results of 512 rows are cached.
 */
export function* nearestRows(table: WordTable, row: number): Task<Uint32Array> {
  const { nearest } = table;
  const known = nearest.get(row);
  if (known !== undefined) return known;
  const lengths = yield* lengthsOf(table);
  const cosines = new Map<number, number>();
  for (let from = 0; from < lengths.length; from += ROWS_PER_CALL) {
    addSimilar(table, lengths, { row, from }, cosines);
    yield;
  }
  const found = Uint32Array.from(cosines.keys()).sort((a, b) => cosines.get(b)! - cosines.get(a)! || a - b);
  if (nearest.size >= MAX_CACHED_ROWS) nearest.clear();
  nearest.set(row, found);
  return found;
}

/** Adds the cosines of 0.4 or more with the rows of the block that begins at `from`. */
function addSimilar(
  { vectors }: WordTable,
  lengths: Float64Array,
  { row, from }: { readonly row: number; readonly from: number },
  cosines: Map<number, number>,
): void {
  const to = Math.min(from + ROWS_PER_CALL, lengths.length);
  const dots = vectors.dots(row, from, to);
  const own = lengths[row]!;
  for (let other = from; other < to; other++) {
    const length = own * lengths[other]!;
    const dot = dots[other - from]!;
    // Most rows are far below, and a product is cheaper than a quotient.
    if (dot < SURELY_DISSIMILAR * length || other === row || length === 0) continue;
    const cosine = dot / length;
    if (cosine >= MIN_SIMILARITY) cosines.set(other, cosine);
  }
}

/** The length of a row's vector, without its scale. */
export function* lengthOf(table: WordTable, row: number): Task<number> {
  return (yield* lengthsOf(table))[row]!;
}

function* lengthsOf(table: WordTable): Task<Float64Array> {
  if (table.lengths !== undefined) return table.lengths;
  const lengths = new Float64Array(table.scales.length);
  for (let from = 0; from < lengths.length; from += ROWS_PER_CALL) {
    const to = Math.min(from + ROWS_PER_CALL, lengths.length);
    const squares = table.vectors.squares(from, to);
    // A row with a scale of 0 or below adds nothing, or the opposite of its vector.
    for (let row = from; row < to; row++) if (table.scales[row]! > 0) lengths[row] = Math.sqrt(squares[row - from]!);
    yield;
  }
  table.lengths = lengths;
  return lengths;
}

const NONE = -1;

/** The vector of a word: one row or the sum of two, each times its scale. A table whose words are compared makes no more of one. */
class TableWord implements WordMeaning {
  private readonly table: WordTable;
  private readonly first: number;
  private readonly second: number;
  private readonly firstScale: number;
  private readonly secondScale: number;
  private readonly length: number;

  constructor(table: WordTable, { rows, factors }: WordRows) {
    this.table = table;
    this.first = rows[0]!;
    this.second = rows[1] ?? NONE;
    this.firstScale = table.scales[this.first]! * factors[0]!;
    this.secondScale = this.second === NONE ? 0 : table.scales[this.second]! * factors[1]!;
    this.length = Math.sqrt(this.product(this));
  }

  nearnessTo(other: WordMeaning): number {
    if (!(other instanceof TableWord) || other.table !== this.table) return 0;
    const length = this.length * other.length;
    return length > 0 ? this.product(other) / length : 0;
  }

  /** The dot product of both vectors. */
  private product(other: TableWord): number {
    const sum = this.firstScale * other.productWith(this.first);
    return this.second === NONE ? sum : sum + this.secondScale * other.productWith(this.second);
  }

  private productWith(row: number): number {
    const { vectors } = this.table;
    const sum = this.firstScale * vectors.dot(row, this.first);
    return this.second === NONE ? sum : sum + this.secondScale * vectors.dot(row, this.second);
  }
}

/** The meaning of a word, which can be compared with others; null if the table does not know it. */
export function meaningOf(table: WordTable, word: string): WordMeaning | null {
  if (!PLAIN.test(word)) return null;
  const found = table.kind.resolve(table, word);
  return found.rows.length === 0 ? null : new TableWord(table, found);
}

/** Only words of plain letters have rows. */
const PLAIN = /^[a-z]+$/;
