// Arrays of numbers that grow by doubling, lists by keys, and a compact array of ascending numbers, such as the offsets at which
// variable-length items begin. The first number of each block is kept in 32 bits, and every number as its distance from the first of its
// block, in 8, 16 or 32 bits.

import type { Task } from "./tasks.js";

/** Unsigned integers in the narrowest element type that holds the greatest. */
export type NarrowArray = Uint8Array | Uint16Array | Uint32Array;

/** A copy of numbers below `end` in the narrowest element type. */
export function narrowed(numbers: Uint32Array, end: number): NarrowArray {
  if (end <= 1 << 8) return new Uint8Array(numbers);
  return end <= 1 << 16 ? new Uint16Array(numbers) : numbers.slice();
}

/** A growing array of unsigned 32-bit integers. */
export class GrowableUint32 {
  length = 0;
  private items: Uint32Array;

  /** `expected` items fit without growing. Memory that is never touched costs nothing. */
  constructor(expected = 256) {
    this.items = new Uint32Array(Math.max(1, expected));
  }

  push(value: number): void {
    if (this.length === this.items.length) this.grow();
    this.items[this.length++] = value;
  }

  /** The backing array, which may be longer than `length`; valid until the next push. */
  get array(): Uint32Array {
    return this.items;
  }

  /** A copy of the items. */
  toArray(): Uint32Array {
    return this.items.slice(0, this.length);
  }

  private grow(): void {
    const larger = new Uint32Array(this.items.length * 2);
    larger.set(this.items);
    this.items = larger;
  }
}

/** The list of a key, which is made if it is not there. */
export function listIn<K, V>(lists: Map<K, V[]>, key: K): V[] {
  let list = lists.get(key);
  if (list === undefined) {
    list = [];
    lists.set(key, list);
  }
  return list;
}

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
