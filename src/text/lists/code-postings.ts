// Writes posting lists: entries that stand slot after slot are laid out term after term, and each term's become one list.

import type { Steps } from "../../base/slices.js";
import type { Postings } from "../postings.js";
import { ListCoder } from "./list-coder.js";

/** Postings, slot after slot. */
export interface PostingEntries {
  readonly size: number;
  readonly terms: Uint32Array;
  readonly freqs: Uint32Array;
  /** Of each slot its first entry. */
  readonly slotEntries: Uint32Array;
  /** Of each slot its record, and of each record its first slot. */
  readonly slotDoc: Uint32Array;
  readonly docSlots: Uint32Array;
  readonly slotCount: number;
  readonly docCount: number;
}

/** Entries between two pauses. */
const PAUSE_EVERY = 1 << 15;
/** Bits of an entry, about. */
const EXPECTED_BITS = 9;

/** The lists in the order of `order`, which has the terms that the entries name in their new order. */
export function* codePostings(
  entries: PostingEntries,
  order: Uint32Array,
): Steps<Pick<Postings, "size" | "starts" | "words" | "marks">> {
  const { ends, slots, freqs } = yield* byTerm(entries, order);
  const { slotDoc, docSlots, docCount } = entries;
  const coder = new ListCoder(docCount, { offsets: slots, freqs }, EXPECTED_BITS * entries.size);
  const { bits, marks } = coder;
  const starts = new Uint32Array(order.length + 1);
  let seen = 0;
  for (let term = 0, at = 0; term < order.length; term++) {
    starts[term] = bits.length;
    const end = ends[order[term]!]!;
    // A term that stands in a title but in no field that is indexed.
    if (at === end) continue;
    coder.begin(end - at);
    while (at < end) {
      const from = at;
      const doc = slotDoc[slots[at]!]!;
      const first = docSlots[doc]!;
      for (; at < end && slotDoc[slots[at]!] === doc; at++) slots[at]! -= first;
      coder.add(doc, from, at);
      if (++seen % PAUSE_EVERY === 0) yield;
    }
    coder.writeHead();
    for (let written = 0; written < coder.recordCount; ) {
      written = coder.writeRecords(written, PAUSE_EVERY);
      if (written < coder.recordCount) yield;
    }
  }
  starts[order.length] = bits.length;
  yield;
  return { size: entries.size, starts, words: bits.toWords(), marks: marks.toArray() };
}

/** The entries of each term, ascending by slot, term after term; `ends` by the number that the entries have for the term. */
function* byTerm(
  { size, terms, freqs, slotEntries, slotCount }: PostingEntries,
  order: Uint32Array,
): Steps<{ readonly ends: Uint32Array; readonly slots: Uint32Array; readonly freqs: Uint16Array }> {
  const places = new Uint32Array(order.length);
  for (let entry = 0; entry < size; entry++) {
    places[terms[entry]!]!++;
    if (entry % PAUSE_EVERY === 0) yield;
  }
  for (let number = 0, place = 0; number < order.length; number++) {
    const count = places[order[number]!]!;
    places[order[number]!] = place;
    place += count;
    if (number % PAUSE_EVERY === 0) yield;
  }
  const sorted = { ends: places, slots: new Uint32Array(size), freqs: new Uint16Array(size) };
  yield;
  for (let entry = 0, slot = -1; entry < size; entry++) {
    if (entry % PAUSE_EVERY === 0) yield;
    while (slot + 1 < slotCount && slotEntries[slot + 1]! <= entry) slot++;
    const place = places[terms[entry]!]!++;
    sorted.slots[place] = slot;
    sorted.freqs[place] = freqs[entry]!;
  }
  return sorted;
}
