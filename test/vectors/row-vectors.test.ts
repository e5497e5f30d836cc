// Rows of 4-bit codes multiplied by both kernels, against components one by one.

import { describe, expect, it } from "vitest";
import { PlainRowVectors, ROWS_PER_CALL, storeRowVectors, WasmRowVectors } from "../../src/embedding/word-table.js";
import { Random } from "../support/random.js";

const isThere = "WebAssembly" in globalThis;
const KERNELS = isThere ? (["compiled", "plain"] as const) : (["plain"] as const);

const placed = (codes: Uint8Array, kernel: string) =>
  kernel === "plain" ? new PlainRowVectors(codes) : storeRowVectors(codes);

/** The components of a row. */
function unpacked(codes: Uint8Array, row: number): number[] {
  return Array.from({ length: 192 }, (_, i) => {
    const pair = codes[96 * row + (i >> 1)]!;
    return (i % 2 === 0 ? pair >> 4 : pair & 15) - 8;
  });
}

/** The product of two rows, by their numbers. */
function productsOf(codes: Uint8Array): (a: number, b: number) => number {
  const rows = Array.from({ length: codes.length / 96 }, (_, row) => unpacked(codes, row));
  return (a, b) => rows[a]!.reduce((sum, component, i) => sum + component * rows[b]![i]!, 0);
}

/** Random rows, and behind them the least and greatest components in every mixture that adds up furthest. */
function someCodes(rows: number): Uint8Array {
  const random = new Random(rows);
  const codes = Uint8Array.from({ length: 96 * rows }, () => random.between(0, 255));
  for (const [i, byte] of [0x00, 0xff, 0x0f, 0xf0, 0x88].entries())
    if (i < rows) codes.fill(byte, 96 * (rows - 1 - i), 96 * (rows - i));
  return codes;
}

it("are compiled where there is WebAssembly (else: npm run build), and plain elsewhere", () => {
  expect(storeRowVectors(new Uint8Array(96))).toBeInstanceOf(isThere ? WasmRowVectors : PlainRowVectors);
});

describe.each(KERNELS)("the %s kernel", (kernel) => {
  for (const rows of [1, 2, 3, 4, 5, 7, 61])
    it(`multiplies each of ${rows} rows with each`, () => {
      const codes = someCodes(rows);
      const kept = placed(codes, kernel);
      const dot = productsOf(codes);
      expect(kept.codes).toEqual(codes);
      const all = Array.from({ length: rows }, (_, row) => row);
      for (const row of all) for (const other of all) expect(kept.dot(row, other)).toBe(dot(row, other));
      for (const row of all)
        expect([...kept.dots(row, 0, rows).subarray(0, rows)]).toEqual(all.map((other) => dot(row, other)));
      expect([...kept.squares(0, rows).subarray(0, rows)]).toEqual(all.map((row) => dot(row, row)));
    });

  it("multiplies whole blocks, from anywhere, and leaves the rows as they are", () => {
    const rows = ROWS_PER_CALL + 9;
    const codes = someCodes(rows);
    const kept = placed(codes.slice(), kernel);
    const dot = productsOf(codes);
    for (const [from, to] of [
      [0, ROWS_PER_CALL],
      [9, rows],
      [rows - 3, rows],
      [5, 5],
    ] as const) {
      const others = Array.from({ length: to - from }, (_, i) => from + i);
      const sums = kept.dots(rows - 2, from, to).subarray(0, to - from);
      expect([...sums]).toEqual(others.map((other) => dot(rows - 2, other)));
      const squares = kept.squares(from, to).subarray(0, to - from);
      expect([...squares]).toEqual(others.map((other) => dot(other, other)));
    }
    expect(kept.codes).toEqual(codes);
  });
});
