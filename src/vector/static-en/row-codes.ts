// Where the codes of a table lie, and how rows are multiplied there: in a WebAssembly memory under the compiled kernel, or, where
// there is none, in the bytes that were given. Sums of integers, so both answer the same.

import type { LinearMemory } from "../../base/wasm/web-assembly.js";
import { dotOfRows } from "./row-products.js";
import { createRowMemory, instantiateRows, type WordRowsScan } from "./web-assembly.js";

/** Rows multiplied in one call: about a tenth of a millisecond under the plain kernel, less under the compiled one. */
export const BLOCK_ROWS = 1024;

// As assembly/word-rows.ts has them.
const SUMS = 512;
const ROWS = 4608;

/** Codes with a kernel. What it answers is valid until it is asked again. */
export interface RowCodes {
  readonly codes: Uint8Array;
  /** The dot products of a row with those from `from` up to `to`, at most BLOCK_ROWS. */
  dots(row: number, from: number, to: number): Int32Array;
  /** Those of rows with themselves. */
  squares(from: number, to: number): Int32Array;
  /** That of two rows. */
  dot(a: number, b: number): number;
}

/** Takes a copy of the codes where a kernel can be compiled; else they must not be changed. */
export function placeCodes(codes: Uint8Array): RowCodes {
  const memory = createRowMemory(ROWS + codes.length);
  return memory === undefined ? new PlainCodes(codes) : new CompiledCodes(memory, codes);
}

/** Rows in a WebAssembly memory. */
export class CompiledCodes implements RowCodes {
  readonly codes: Uint8Array;
  private readonly sums: Int32Array;
  private readonly scan: WordRowsScan;

  constructor(memory: LinearMemory, codes: Uint8Array) {
    this.codes = new Uint8Array(memory.buffer, ROWS, codes.length);
    this.codes.set(codes);
    this.sums = new Int32Array(memory.buffer, SUMS, BLOCK_ROWS);
    this.scan = instantiateRows(memory);
  }

  dots(row: number, from: number, to: number): Int32Array {
    this.scan.ask(row);
    this.scan.dots(from, to);
    return this.sums;
  }

  squares(from: number, to: number): Int32Array {
    this.scan.squares(from, to);
    return this.sums;
  }

  dot(a: number, b: number): number {
    return this.scan.dot(a, b);
  }
}

/** Rows in an ordinary array. */
export class PlainCodes implements RowCodes {
  readonly codes: Uint8Array;
  private readonly sums = new Int32Array(BLOCK_ROWS);

  constructor(codes: Uint8Array) {
    this.codes = codes;
  }

  dots(row: number, from: number, to: number): Int32Array {
    for (let other = from; other < to; other++) this.sums[other - from] = dotOfRows(this.codes, row, other);
    return this.sums;
  }

  squares(from: number, to: number): Int32Array {
    for (let row = from; row < to; row++) this.sums[row - from] = dotOfRows(this.codes, row, row);
    return this.sums;
  }

  dot(a: number, b: number): number {
    return dotOfRows(this.codes, a, b);
  }
}
