// How near two words are in the table: the cosine of what they add to a text's vector. Rows are compared by their integer
// codes, so that the sums are exact; what is left are a few operations in a fixed order, the same on every machine.

import type { WordMeaning } from "../../base/extension-points.js";
import { resolveWord } from "./resolve-word.js";
import type { WordRows, WordTable } from "./word-table.js";

const NONE = -1;

/** What a word means by the table: one row, or two that are added, each by its scale. */
class TableWord implements WordMeaning {
  private readonly table: WordTable;
  private readonly first: number;
  private readonly second: number;
  private readonly firstScale: number;
  private readonly secondScale: number;
  private readonly length: number;

  constructor(table: WordTable, { rows, factor }: WordRows) {
    this.table = table;
    this.first = rows[0]!;
    this.second = rows[1] ?? NONE;
    this.firstScale = table.scales[this.first]! * factor;
    this.secondScale = this.second === NONE ? 0 : table.scales[this.second]! * factor;
    this.length = Math.sqrt(this.product(this));
  }

  nearnessTo(other: WordMeaning): number {
    if (!(other instanceof TableWord) || other.table !== this.table) return 0;
    const length = this.length * other.length;
    return length > 0 ? this.product(other) / length : 0;
  }

  /** The dot product of what both add to a text's vector. */
  private product(other: TableWord): number {
    const sum = this.firstScale * other.productWith(this.first);
    return this.second === NONE ? sum : sum + this.secondScale * other.productWith(this.second);
  }

  private productWith(row: number): number {
    const { placed } = this.table;
    const sum = this.firstScale * placed.dot(row, this.first);
    return this.second === NONE ? sum : sum + this.secondScale * placed.dot(row, this.second);
  }
}

/** The meaning of a word; null: the table does not know it. */
export function meaningOf(table: WordTable, word: string): WordMeaning | null {
  if (!isPlain(word)) return null;
  const found = resolveWord(table, word);
  return found.rows.length === 0 ? null : new TableWord(table, found);
}

/** The rows are of words of plain letters. */
function isPlain(word: string): boolean {
  for (let at = 0; at < word.length; at++) {
    const unit = word.charCodeAt(at);
    if (unit < 0x61 || unit > 0x7a) return false;
  }
  return word.length > 0;
}
