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
const NONE = 0xffff_ffff;

/** The lists in the order of `order`, which has the terms that the entries name in their new order. */
export function* codePostings(
  entries: PostingEntries,
  order: Uint32Array,
): Steps<Pick<Postings, "size" | "starts" | "bytes" | "markSlots" | "markPlaces">> {
  const last = new Uint32Array(order.length).fill(NONE);
  const places = new Uint32Array(order.length);
  yield* measure(entries, last, places);
  const starts = new Uint32Array(order.length + 1);
  for (let term = 0; term < order.length; term++) {
    starts[term + 1] = starts[term]! + places[order[term]!]!;
    places[order[term]!] = starts[term]!;
  }
  last.fill(NONE);
  yield;
  const size = starts[order.length]!;
  const bytes = new Uint8Array(size);
  const markSlots = new Uint32Array((size >>> BLOCK_BITS) + 1);
  const markPlaces = new Uint8Array(markSlots.length);
  yield;
  for (let entry = 0, slot = -1; entry < entries.size; entry++) {
    if (entry % PAUSE_EVERY === 0) yield;
    while (slot + 1 < entries.slotCount && entries.slotEntries[slot + 1]! <= entry) slot++;
    const term = entries.terms[entry]!;
    const from = places[term]!;
    const frequency = entries.freqs[entry]!;
    // In 32 bits "none" is -1.
    let to = writeNumber(2 * ((slot - last[term]! - 1) >>> 0) + (frequency > 1 ? 1 : 0), bytes, from);
    if (frequency > 1) to = writeNumber(frequency - 2, bytes, to);
    last[term] = slot;
    places[term] = to;
    if (from >>> BLOCK_BITS === to >>> BLOCK_BITS) continue;
    markSlots[to >>> BLOCK_BITS] = slot;
    markPlaces[to >>> BLOCK_BITS] = to % (1 << BLOCK_BITS);
  }
  return { size: entries.size, starts, bytes, markSlots, markPlaces };
}

/** Adds up the bytes of each term's list. */
function* measure(entries: PostingEntries, last: Uint32Array, lengths: Uint32Array): Steps<void> {
  for (let entry = 0, slot = -1; entry < entries.size; entry++) {
    if (entry % PAUSE_EVERY === 0) yield;
    while (slot + 1 < entries.slotCount && entries.slotEntries[slot + 1]! <= entry) slot++;
    const term = entries.terms[entry]!;
    const frequency = entries.freqs[entry]!;
    lengths[term]! += lengthOf(2 * ((slot - last[term]! - 1) >>> 0)) + (frequency > 1 ? lengthOf(frequency - 2) : 0);
    last[term] = slot;
  }
}

function lengthOf(number: number): number {
  let length = 1;
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) length++;
  return length;
}

function writeNumber(number: number, bytes: Uint8Array, from: number): number {
  let at = from;
  let rest = number;
  for (; rest > 0x7f; rest >>>= 7) bytes[at++] = (rest & 0x7f) | 0x80;
  bytes[at++] = rest;
  return at;
}
