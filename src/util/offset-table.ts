// A compact array of ascending numbers, such as the offsets at which variable-length items begin. The first number of each
// block is kept in 32 bits, and every number as its distance from the first of its block, in 8, 16 or 32 bits.

import { type NarrowArray, narrowed } from "./growable.js";
import type { Task } from "./tasks.js";

/** The number of entries of a block, as a power of two. */
export const OFFSET_BLOCK_BITS = 4;
const PAUSE_EVERY = 1 << 15;

/** Ascending numbers; `offsetAt` reads one of them. */
export type OffsetTable = {
  /** The first number of each block. */
  readonly blockStarts: Uint32Array;
  /** By index: how much greater the number is than the first of its block. */
  readonly distances: NarrowArray;
};

/** The number at an index. */
export function offsetAt({ blockStarts, distances }: OffsetTable, index: number): number {
  return blockStarts[index >>> OFFSET_BLOCK_BITS]! + distances[index]!;
}

/** Packs ascending numbers. Overwrites `numbers`. */
export function* offsetTable(numbers: Uint32Array): Task<OffsetTable> {
  const blockStarts = new Uint32Array(Math.ceil(numbers.length / (1 << OFFSET_BLOCK_BITS)));
  for (let block = 0; block < blockStarts.length; block++) blockStarts[block] = numbers[block << OFFSET_BLOCK_BITS]!;
  let most = 0;
  for (let i = 0; i < numbers.length; i++) {
    numbers[i]! -= blockStarts[i >>> OFFSET_BLOCK_BITS]!;
    if (numbers[i]! > most) most = numbers[i]!;
    if (i % PAUSE_EVERY === 0) yield;
  }
  return { blockStarts, distances: narrowed(numbers, most + 1) };
}

/** The memory of a table, in bytes. */
export function offsetTableBytes({ blockStarts, distances }: OffsetTable): number {
  return blockStarts.byteLength + distances.byteLength;
}
