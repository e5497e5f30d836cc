// One posting list as it is read. A posting is written as the distance from the slot before it, less 1, doubled, plus 1 where
// the frequency is not 1; then the frequency less 2. Numbers stand in groups of seven bits, the low ones first, each but the
// last with its top bit set (variable-byte code). Marks lead into the middle of long lists: one in 256 bytes.

import type { Postings } from "./postings.js";

/** Bytes of a block, as a power of two. */
export const BLOCK_BITS = 8;

/** Goes through the postings of one term, ascending by slot. */
export class PostingCursor {
  /** Slot of the present posting; -1 before the first. */
  slot = -1;
  /** Frequency in the present posting. */
  frequency = 0;
  private readonly postings: Postings;
  private readonly end: number;
  /** Where the next posting begins. */
  private at: number;

  constructor(postings: Postings, term: number) {
    this.postings = postings;
    this.at = postings.starts[term]!;
    this.end = postings.starts[term + 1]!;
  }

  /** Goes to the next posting; false: there is none. */
  next(): boolean {
    if (this.at === this.end) return false;
    const code = this.readNumber();
    this.slot += (code >>> 1) + 1;
    this.frequency = (code & 1) === 0 ? 1 : this.readNumber() + 2;
    return true;
  }

  /** Goes on to the first posting at `slot` or behind it; false: there is none. */
  seek(slot: number): boolean {
    if (this.slot < slot) this.leap(slot);
    while (this.slot < slot) if (!this.next()) return false;
    return this.slot >= 0;
  }

  /** To the last mark before `slot`, where that is farther on. */
  private leap(slot: number): void {
    const { markSlots, markPlaces } = this.postings;
    let low = (this.at >>> BLOCK_BITS) + 1;
    let high = ((this.end - 1) >>> BLOCK_BITS) + 1;
    if (low >= high) return;
    const first = low;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (markSlots[middle]! < slot) low = middle + 1;
      else high = middle;
    }
    if (low === first) return;
    this.at = ((low - 1) << BLOCK_BITS) + markPlaces[low - 1]!;
    this.slot = markSlots[low - 1]!;
  }

  private readNumber(): number {
    const { bytes } = this.postings;
    let byte = bytes[this.at++]!;
    let number = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = bytes[this.at++]!;
      number |= (byte & 0x7f) << shift;
    }
    return number >>> 0;
  }
}

/** A whole list, spelled out. */
export interface DecodedList {
  readonly slots: Uint32Array;
  readonly freqs: Uint16Array;
  readonly size: number;
}

/** Longer lists than this get arrays of their own. */
const MOST_KEPT = 1 << 18;
const KEPT = { slots: new Uint32Array(1024), freqs: new Uint16Array(1024) };

/** The postings of a term as arrays that are valid until the next list is decoded. */
export function decodeList({ starts, bytes }: Postings, term: number): DecodedList {
  const end = starts[term + 1]!;
  let at = starts[term]!;
  const { slots, freqs } = roomFor(end - at);
  let size = 0;
  for (let slot = -1; at < end; size++) {
    let byte = bytes[at++]!;
    let code = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = bytes[at++]!;
      code |= (byte & 0x7f) << shift;
    }
    slot += (code >>> 1) + 1;
    let frequency = 1;
    if ((code & 1) === 1) {
      byte = bytes[at++]!;
      frequency = 2 + (byte & 0x7f);
      for (let shift = 7; byte > 0x7f; shift += 7) {
        byte = bytes[at++]!;
        frequency += (byte & 0x7f) << shift;
      }
    }
    slots[size] = slot;
    freqs[size] = frequency;
  }
  return { slots, freqs, size };
}

/** A posting takes at least a byte. */
function roomFor(postings: number): { readonly slots: Uint32Array; readonly freqs: Uint16Array } {
  if (postings > MOST_KEPT) return { slots: new Uint32Array(postings), freqs: new Uint16Array(postings) };
  if (KEPT.slots.length < postings) {
    const room = Math.min(MOST_KEPT, 2 * postings);
    KEPT.slots = new Uint32Array(room);
    KEPT.freqs = new Uint16Array(room);
  }
  return KEPT;
}
