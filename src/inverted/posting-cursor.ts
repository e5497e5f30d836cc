// One posting list, record by record: for who wants some of it only. Marks lead into the middle of long lists.

import { BitReader, gapWidth } from "./bits.js";
import { Patterns } from "./decode-list.js";
import { offsetAt } from "./offset-table.js";
import type { PostingLists } from "./postings.js";

/** Bits of a block, as a power of two. */
export const SKIP_INTERVAL_BITS = 11;
/** In a mark: where in its block a record begins. Above it stands the number of the record before. */
export const SKIP_OFFSET_MASK: number = (1 << SKIP_INTERVAL_BITS) - 1;

/** Goes through the records that hold one term, ascending. */
export class PostingCursor {
  /** The present record; -1 before the first. */
  doc = -1;
  private readonly postings: PostingLists;
  private readonly patterns = new Patterns();
  /** Stands where the next record begins. */
  private readonly bits: BitReader;
  private readonly end: number;
  private readonly width: number = 0;
  /** The first and the last place of the present record's pattern, and the slot that its offsets count from. */
  private from = 0;
  private to = 0;
  private firstSlot = 0;

  constructor(postings: PostingLists, term: number) {
    this.postings = postings;
    this.bits = new BitReader(postings.listBits, postings.starts[term]!);
    this.end = postings.starts[term + 1]!;
    if (this.bits.at === this.end) return;
    this.width = gapWidth(postings.maxDoc, this.bits.gamma());
    this.patterns.read(this.bits);
  }

  /** Goes to the next record; false: there is none. */
  next(): boolean {
    if (this.bits.at === this.end) return false;
    this.doc += 1 + this.bits.gap(this.width);
    const rank = this.patterns.size > 1 ? this.bits.gamma() - 1 : 0;
    this.from = this.patterns.starts[rank]!;
    this.to = this.patterns.starts[rank + 1]!;
    this.firstSlot = offsetAt(this.postings.docSlots, this.doc);
    return true;
  }

  /** Goes on to the first record from `doc` on; false: there is none. */
  seek(doc: number): boolean {
    if (this.doc < doc) this.leap(doc);
    while (this.doc < doc) if (!this.next()) return false;
    return this.doc >= 0;
  }

  /** In how many of its fields the present record holds the term. */
  get fieldCount(): number {
    return this.to - this.from;
  }

  /** The slot of such a field; they ascend. */
  slotAt(place: number): number {
    return this.firstSlot + this.patterns.offsets[this.from + place]!;
  }

  /** How often the term stands there. */
  frequencyAt(place: number): number {
    return this.patterns.freqs[this.from + place]!;
  }

  /** How often the term stands in a slot of the present record. */
  frequencyIn(slot: number): number {
    for (let place = 0; place < this.fieldCount; place++)
      if (this.slotAt(place) === slot) return this.frequencyAt(place);
    return 0;
  }

  /** To the last mark before `doc`, where that is farther on. */
  private leap(doc: number): void {
    const { skipEntries } = this.postings;
    let low = (this.bits.at >>> SKIP_INTERVAL_BITS) + 1;
    let high = (this.end + SKIP_OFFSET_MASK) >>> SKIP_INTERVAL_BITS;
    if (low >= high) return;
    const first = low;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (skipEntries[middle]! >>> SKIP_INTERVAL_BITS < doc) low = middle + 1;
      else high = middle;
    }
    if (low === first) return;
    const mark = skipEntries[low - 1]!;
    this.bits.at = (low - 1) * (1 << SKIP_INTERVAL_BITS) + (mark & SKIP_OFFSET_MASK); // may be above 2^31
    this.doc = mark >>> SKIP_INTERVAL_BITS;
  }
}
