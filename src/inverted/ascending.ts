// Numbers that ascend, as the places do where things of mostly small sizes begin: of each block of them the first, and how far
// behind it each is. A quarter of a byte and a byte or two each.

import { type NarrowArray, narrowed } from "../util/growable.js";
import type { Task } from "../util/tasks.js";

/** Numbers of a block, as a power of two. */
const BLOCK_BITS = 4;
const PAUSE_EVERY = 1 << 15;

/** Numbers in order. */
export interface Ascending {
  readonly blocks: Uint32Array;
  readonly distances: NarrowArray;
}

/** The number at a place. */
export function numberAt({ blocks, distances }: Ascending, at: number): number {
  return blocks[at >>> BLOCK_BITS]! + distances[at]!;
}

/** Ascending numbers, of which nothing is left afterwards. */
export function* ascending(numbers: Uint32Array): Task<Ascending> {
  const blocks = new Uint32Array(Math.ceil(numbers.length / (1 << BLOCK_BITS)));
  for (let block = 0; block < blocks.length; block++) blocks[block] = numbers[block << BLOCK_BITS]!;
  let most = 0;
  for (let at = 0; at < numbers.length; at++) {
    numbers[at]! -= blocks[at >>> BLOCK_BITS]!;
    if (numbers[at]! > most) most = numbers[at]!;
    if (at % PAUSE_EVERY === 0) yield;
  }
  return { blocks, distances: narrowed(numbers, most + 1) };
}

/** Bytes of memory. */
export function ascendingBytes({ blocks, distances }: Ascending): number {
  return blocks.byteLength + distances.byteLength;
}
