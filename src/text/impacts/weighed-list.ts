// The records of a segment that hold something, each with its weighted frequency. Records of one frequency are of one kind, so
// that a number for each is kept once; the kinds with the greatest come first, as far as that is known here.

import type { HolderList } from "./holder-list.js";

/** Holders with their weighted frequencies, which are greater than 0. */
export interface WeighedList {
  readonly holders: HolderList;
  /** The kind of each holder. */
  readonly kinds: Uint16Array;
  /** By kind. */
  readonly frequencies: Float64Array;
}

const BUCKETS = 1024;

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
