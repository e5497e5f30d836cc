// Numbers that ascend, as the places do where things of mostly small sizes begin: of each block of them the first, and how far
// behind it each is. A quarter of a byte and a byte or two each.

import { type NarrowArray, narrowed } from "../util/growable.js";
import type { Task } from "../util/tasks.js";

/** Numbers of a block, as a power of two. */
export const OFFSET_BLOCK_BITS = 4;
const PAUSE_EVERY = 1 << 15;

/** Numbers in order. */
export interface OffsetTable {
  readonly blockStarts: Uint32Array;
  readonly distances: NarrowArray;
}

/** The number at a place. */
export function offsetAt({ blockStarts, distances }: OffsetTable, at: number): number {
  return blockStarts[at >>> OFFSET_BLOCK_BITS]! + distances[at]!;
}

/** Ascending numbers, of which nothing is left afterwards. */
export function* offsetTable(numbers: Uint32Array): Task<OffsetTable> {
  const blockStarts = new Uint32Array(Math.ceil(numbers.length / (1 << OFFSET_BLOCK_BITS)));
  for (let block = 0; block < blockStarts.length; block++) blockStarts[block] = numbers[block << OFFSET_BLOCK_BITS]!;
  let most = 0;
  for (let at = 0; at < numbers.length; at++) {
    numbers[at]! -= blockStarts[at >>> OFFSET_BLOCK_BITS]!;
    if (numbers[at]! > most) most = numbers[at]!;
    if (at % PAUSE_EVERY === 0) yield;
  }
  return { blockStarts, distances: narrowed(numbers, most + 1) };
}

/** Bytes of memory. */
export function offsetTableBytes({ blockStarts, distances }: OffsetTable): number {
  return blockStarts.byteLength + distances.byteLength;
}
