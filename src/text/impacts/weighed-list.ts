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
/** So many frequencies are put in order one by one; more are counted by bucket. */
const FEW = 32;
const MOST = 65_536;
// Used by one call at a time.
const BUCKET_OF = new Uint16Array(MOST);
const NEXT = new Uint32Array(BUCKETS + 1);
const ORDER = new Uint16Array(FEW);
const RANKS = new Uint16Array(MOST);

/**
 * Of each of the first `size` frequencies its rank, the greatest first, so that kinds that cannot reach a score are told by their
 * number alone. Such as differ little stand in any order, and mean lengths change later: whoever uses the order has to bear
 * that. Valid until the next call.
 */
export function rankKinds(frequencies: Float64Array, size: number): Uint16Array {
  for (let kind = 0; kind < size; kind++) BUCKET_OF[kind] = bucketOf(frequencies[kind]!);
  if (size <= FEW) rankFew(size);
  else rankMany(size);
  return RANKS;
}

function rankFew(size: number): void {
  for (let kind = 0; kind < size; kind++) {
    const bucket = BUCKET_OF[kind]!;
    let at = kind;
    for (; at > 0 && BUCKET_OF[ORDER[at - 1]!]! > bucket; at--) ORDER[at] = ORDER[at - 1]!;
    ORDER[at] = kind;
  }
  for (let rank = 0; rank < size; rank++) RANKS[ORDER[rank]!] = rank;
}

function rankMany(size: number): void {
  NEXT.fill(0);
  for (let kind = 0; kind < size; kind++) NEXT[BUCKET_OF[kind]! + 1]!++;
  for (let bucket = 0; bucket < BUCKETS; bucket++) NEXT[bucket + 1]! += NEXT[bucket]!;
  for (let kind = 0; kind < size; kind++) RANKS[kind] = NEXT[BUCKET_OF[kind]!]!++;
}

/** Saturated as scores are, so that frequencies that earn about the same come together. */
function bucketOf(frequency: number): number {
  return Math.floor((BUCKETS - 1) / (1 + frequency));
}
