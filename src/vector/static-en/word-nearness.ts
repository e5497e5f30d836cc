// How near two words are in the table: the cosine of what they add to a text's vector. Rows are compared by their integer
// codes, so that the sums are exact; what is left are a few operations in a fixed order, the same on every machine.

import { resolveWord } from "./resolve-word.js";
import { STATIC_EN_DIMENSIONS, type WordRows, type WordTable } from "./word-table.js";

const ROW_BYTES = STATIC_EN_DIMENSIONS / 2;
/** Products of rows that are remembered; one that falls on another's place takes it. */
const REMEMBERED = 1 << 16;
/** Two row numbers fit in one key. */
const MOST_ROWS = 1 << 16;
const NO_KEY = 0xffffffff;

/** Dot products of rows of one table, remembered. */
class RowProducts {
  private readonly table: WordTable;
  private readonly keys = new Uint32Array(REMEMBERED).fill(NO_KEY);
  private readonly products = new Int32Array(REMEMBERED);

  constructor(table: WordTable) {
    this.table = table;
  }

  of(a: number, b: number): number {
    const { codes } = this.table;
    if (a >= MOST_ROWS || b >= MOST_ROWS) return dot(codes, a, b);
    const key = ((a << 16) | b) >>> 0;
    const hash = Math.imul(key, 0x9e3779b1);
    const place = (hash ^ (hash >>> 15)) & (REMEMBERED - 1);
    if (this.keys[place] !== key || key === NO_KEY) {
      this.keys[place] = key;
      this.products[place] = dot(codes, a, b);
    }
    return this.products[place]!;
  }
}

const products = new WeakMap<WordTable, RowProducts>();

/** The cosine of other words with this one, -1 … 1; 0 for words that the table does not know. */
export function nearnessTo(table: WordTable, word: string): (other: string) => number {
  let known = products.get(table);
  if (known === undefined) {
    known = new RowProducts(table);
    products.set(table, known);
  }
  const rows = known;
  const asked = rowsOf(table, word);
  const squares = product(table, rows, asked, asked);
  if (!(squares > 0)) return () => 0;
  return (other) => {
    const found = rowsOf(table, other);
    const length = Math.sqrt(squares * product(table, rows, found, found));
    return length > 0 ? product(table, rows, asked, found) / length : 0;
  };
}

/** Rows of words of plain letters; others stand in no table. */
function rowsOf(table: WordTable, word: string): WordRows {
  return resolveWord(table, isPlain(word) ? word : "");
}

/** The dot product of what two words add; each is one row or two, whose sum is scaled. */
function product({ scales }: WordTable, rows: RowProducts, a: WordRows, b: WordRows): number {
  let sum = 0;
  for (const one of a.rows) for (const other of b.rows) sum += scales[one]! * scales[other]! * rows.of(one, other);
  return sum * a.factor * b.factor;
}

function dot(codes: Uint8Array, a: number, b: number): number {
  let sum = 0;
  for (let at = a * ROW_BYTES, other = b * ROW_BYTES, end = at + ROW_BYTES; at < end; at++, other++) {
    const one = codes[at]!;
    const two = codes[other]!;
    sum += ((one >> 4) - 8) * ((two >> 4) - 8) + ((one & 15) - 8) * ((two & 15) - 8);
  }
  return sum;
}

function isPlain(word: string): boolean {
  for (let at = 0; at < word.length; at++) {
    const unit = word.charCodeAt(at);
    if (unit < 0x61 || unit > 0x7a) return false;
  }
  return word.length > 0;
}
