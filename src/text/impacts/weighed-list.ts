// The records of a segment that hold something, each with its weighted frequency. Records of one frequency are of one kind, so
// that a number for each is kept once; the kinds with the greatest come first, as far as that is known here.

import { HolderList } from "./holder-list.js";

/** Holders with their weighted frequencies, which are greater than 0. */
export interface WeighedList {
  readonly holders: HolderList;
  /** The kind of each holder. */
  readonly kinds: Uint16Array;
  /** By kind. */
  readonly frequencies: Float64Array;
}

const MOST = 65_536;
const BUCKETS = 1024;
const EMPTY = -1;
// Used by one call at a time, never kept.
const TABLE = new Int32Array(2 * MOST);
const FOUND = new Float64Array(MOST);
const NUMBER = new Float64Array(1);
const HALVES = new Uint32Array(NUMBER.buffer);

/** The list of records, ascending, of which each has a frequency; `frequencies` is of no use afterwards. */
export function weighedList(docs: Uint16Array, frequencies: Float64Array): WeighedList {
  let size = 16;
  while (size < 2 * docs.length) size *= 2;
  TABLE.fill(EMPTY, 0, size);
  const kinds = new Uint16Array(docs.length);
  let found = 0;
  for (let i = 0; i < docs.length; i++) {
    const frequency = frequencies[i]!;
    let place = hashOf(frequency) & (size - 1);
    while (TABLE[place] !== EMPTY && FOUND[TABLE[place]!] !== frequency) place = (place + 1) & (size - 1);
    if (TABLE[place] === EMPTY) {
      FOUND[found] = frequency;
      TABLE[place] = found++;
    }
    kinds[i] = TABLE[place]!;
  }
  const ranks = rankKinds(FOUND.subarray(0, found));
  const byKind = new Float64Array(found);
  for (let kind = 0; kind < found; kind++) byKind[ranks[kind]!] = FOUND[kind]!;
  for (let i = 0; i < kinds.length; i++) kinds[i] = ranks[kinds[i]!]!;
  return { holders: new HolderList(docs), kinds, frequencies: byKind };
}

/** The bits of a number, mixed. */
function hashOf(number: number): number {
  NUMBER[0] = number;
  const hash = Math.imul(HALVES[0]! ^ Math.imul(HALVES[1]!, 0x9e3779b1), 0x85ebca6b);
  return hash ^ (hash >>> 15);
}

/**
 * Of each frequency its rank, the greatest first, so that kinds that cannot reach a score are told by their number alone. Such
 * as differ little stand in any order, and mean lengths change later: whoever uses the order has to bear that.
 */
export function rankKinds(frequencies: Float64Array): Uint16Array {
  const buckets = Uint16Array.from(frequencies, bucketOf);
  const next = new Uint32Array(BUCKETS + 1);
  for (let i = 0; i < buckets.length; i++) next[buckets[i]! + 1]!++;
  for (let bucket = 0; bucket < BUCKETS; bucket++) next[bucket + 1]! += next[bucket]!;
  return buckets.map((bucket) => next[bucket]!++);
}

/** Saturated as scores are, so that frequencies that earn about the same come together. */
function bucketOf(frequency: number): number {
  return Math.floor((BUCKETS - 1) / (1 + frequency));
}
