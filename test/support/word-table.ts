// Small word tables, in the format of static-en, and the golden files of the packaged ones.

import { expect, it } from "vitest";
import type { WordTable } from "../../src/embedding/word-table.js";
import { embedWords } from "../../src/embedding/word-table-embedder.js";

/** What an independent reader of the same table makes of texts: the rows of their words, the first components, cosines. */
export interface GoldenTexts<Row> {
  readonly vectors: readonly {
    readonly text: string;
    readonly rows: readonly (readonly [string, readonly Row[]])[];
    readonly first8: readonly number[] | null;
  }[];
  readonly cosines: readonly { readonly a: string; readonly b: string; readonly cosine: number }[];
}

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Array.from(a).reduce((total, value, i) => total + value * b[i]!, 0);
}

/** The vector of a text that has one. */
export function vectorIn(table: WordTable, text: string): Float32Array {
  const vector = embedWords(table, text);
  if (vector === null) throw new Error(`no vector for ${text}`);
  return vector;
}

/** Tests that a table gives what its golden file says. */
export function itAgreesWith<Row>(
  { vectors, cosines }: GoldenTexts<Row>,
  table: WordTable,
  rowsOf: (word: string) => readonly Row[],
): void {
  it.each(vectors)("$text", ({ text, rows, first8 }) => {
    for (const [word, expected] of rows) expect(rowsOf(word), word).toEqual(expected);
    const vector = embedWords(table, text);
    if (first8 === null) return expect(vector).toBeNull();
    expect(vector).toHaveLength(192);
    first8.forEach((value, i) => {
      expect(Math.abs(vector![i]! - value)).toBeLessThan(1e-5);
    });
    expect(dot(vector!, vector!)).toBeCloseTo(1, 6);
  });

  it.each(cosines)("$a ~ $b", ({ a, b, cosine }) => {
    expect(Math.abs(dot(vectorIn(table, a), vectorIn(table, b)) - cosine)).toBeLessThan(1e-5);
  });
}

/** A table of the given words; row r has only component r, with the value -1. */
export function makeTable(words: readonly string[], header: object = {}, magic = "SEV1"): Uint8Array<ArrayBuffer> {
  const vocab = Buffer.from(words.join("\n"), "latin1");
  const fields = { rows: words.length, dim: 192, bits: 4, vocabBytes: vocab.length, ...header };
  const json = Buffer.from(JSON.stringify(fields));
  const head = Buffer.alloc(Math.ceil(json.length / 4) * 4, " ");
  json.copy(head);
  const prefix = Buffer.from(`${magic}....`);
  prefix.writeUInt32LE(head.length, 4);
  const scales = Buffer.alloc(4 * words.length);
  const codes = Buffer.alloc(96 * words.length, 0x88);
  words.forEach((_, row) => {
    scales.writeFloatLE(1, 4 * row);
    codes[96 * row + (row >> 1)] = row % 2 === 0 ? 0x78 : 0x87;
  });
  return Uint8Array.from(Buffer.concat([prefix, head, scales, codes, vocab]));
}
