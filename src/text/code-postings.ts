// Writes posting lists: entries that stand slot after slot become one list a term, as `posting-list` reads them. The entries
// are gone through twice: to see how long each list gets, and to write it.

import type { Steps } from "../base/slices.js";
import { BLOCK_BITS } from "./posting-list.js";
import type { Postings } from "./postings.js";

/** Postings, slot after slot. */
export interface PostingEntries {
  readonly size: number;
  readonly terms: Uint32Array;
  readonly freqs: Uint32Array;
  /** Of each slot its first entry. */
  readonly slotEntries: Uint32Array;
  readonly slotCount: number;
}

/** Entries between two pauses. */
const PAUSE_EVERY = 1 << 15;
/** Of each term the slot of its last posting, and where its next one is written; side by side, because both are asked for. */
const HEAD = 2;
const LAST = 0;
const PLACE = 1;
const NONE = 0xffff_ffff;

/** The lists in the order of `order`, which has the terms that the entries name in their new order. */
export function* codePostings(
  entries: PostingEntries,
  order: Uint32Array,
): Steps<Pick<Postings, "size" | "starts" | "bytes" | "markSlots" | "markPlaces">> {
  const heads = new Uint32Array(HEAD * order.length);
  for (let head = 0; head < heads.length; head += HEAD) heads[head + LAST] = NONE;
  yield* measure(entries, heads);
  const starts = new Uint32Array(order.length + 1);
  for (let term = 0; term < order.length; term++) {
    const head = HEAD * order[term]!;
    starts[term + 1] = starts[term]! + heads[head + PLACE]!;
    heads[head + PLACE] = starts[term]!;
    heads[head + LAST] = NONE;
    if (term % PAUSE_EVERY === 0) yield;
  }
  const size = starts[order.length]!;
  const bytes = new Uint8Array(size);
  const markSlots = new Uint32Array((size >>> BLOCK_BITS) + 1);
  const markPlaces = new Uint8Array(markSlots.length);
  yield;
  for (let entry = 0, slot = -1; entry < entries.size; entry++) {
    if (entry % PAUSE_EVERY === 0) yield;
    while (slot + 1 < entries.slotCount && entries.slotEntries[slot + 1]! <= entry) slot++;
    const head = HEAD * entries.terms[entry]!;
    const from = heads[head + PLACE]!;
    const frequency = entries.freqs[entry]!;
    let to = writeNumber(codeOf(slot, heads[head + LAST]!, frequency), bytes, from);
    if (frequency > 1) to = writeNumber(frequency - 2, bytes, to);
    heads[head + LAST] = slot;
    heads[head + PLACE] = to;
    if (from >>> BLOCK_BITS === to >>> BLOCK_BITS) continue;
    markSlots[to >>> BLOCK_BITS] = slot;
    markPlaces[to >>> BLOCK_BITS] = to % (1 << BLOCK_BITS);
  }
  return { size: entries.size, starts, bytes, markSlots, markPlaces };
}

/** Adds up the bytes of each term's list, where its place will be. */
function* measure(entries: PostingEntries, heads: Uint32Array): Steps<void> {
  for (let entry = 0, slot = -1; entry < entries.size; entry++) {
    if (entry % PAUSE_EVERY === 0) yield;
    while (slot + 1 < entries.slotCount && entries.slotEntries[slot + 1]! <= entry) slot++;
    const head = HEAD * entries.terms[entry]!;
    const frequency = entries.freqs[entry]!;
    heads[head + PLACE]! += lengthOf(codeOf(slot, heads[head + LAST]!, frequency));
    if (frequency > 1) heads[head + PLACE]! += lengthOf(frequency - 2);
    heads[head + LAST] = slot;
  }
}

/** In 32 bits "none" is -1. */
function codeOf(slot: number, last: number, frequency: number): number {
  return (((slot - last - 1) << 1) | (frequency > 1 ? 1 : 0)) >>> 0;
}

function lengthOf(number: number): number {
  if (number < 1 << 7) return 1;
  if (number < 1 << 14) return 2;
  if (number < 1 << 21) return 3;
  return number < 1 << 28 ? 4 : 5;
}

function writeNumber(number: number, bytes: Uint8Array, from: number): number {
  let at = from;
  let rest = number;
  for (; rest > 0x7f; rest >>>= 7) bytes[at++] = (rest & 0x7f) | 0x80;
  bytes[at++] = rest;
  return at;
}
