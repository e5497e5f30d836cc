// Checks posting lists that come from a stranger, each before its first read: checking all of them at once would take longer
// than reading their file. A checked list is read like any other list: no reader leaves the list, its records or its memory.

import { offsetAt } from "../util/offset-table.js";
import type { Task } from "../util/tasks.js";
import {
  BitReader,
  bitsAt,
  gapWidth,
  LONGEST_RUN,
  SKIP_INTERVAL_BITS,
  SKIP_OFFSET_MASK,
  WHOLE_GAP,
} from "./list-codec.js";
import type { ListBits, PostingLists, Postings, UncheckedLists } from "./postings.js";

/** Greater frequencies are stored as this one. */
const MAX_FREQUENCY = 0xffff;
/** The most zeros that a number begins with: the compiled reader takes 33 bits for one. */
const MOST_ZEROS = 16;
/** Numbers of patterns, or records, read between two pauses. */
const PAUSE_EVERY = 1 << 13;
/** Lists looked at between two pauses. */
const LISTS_AT_ONCE = 1 << 9;

/** The parts that a check reads; its offsets and shapes were checked before. */
type CheckedParts = Omit<PostingLists, "lists"> & Pick<Postings, "slotShape">;

/** The lists of one segment. */
export class ListCheck implements UncheckedLists {
  private readonly parts: CheckedParts;
  private readonly bits: ListBits;
  private readonly damaged: () => Error;
  /** By term: 1 if its list was checked. */
  private readonly checked: Uint8Array;
  private left: number;
  private counts: Uint32Array | undefined;

  /** `damaged`: the error for a list that is not as we write one. */
  constructor(parts: CheckedParts, words: Uint32Array, damaged: () => Error) {
    this.parts = parts;
    this.bits = { words, first: 0 };
    this.damaged = damaged;
    this.left = parts.starts.length - 1;
    this.checked = new Uint8Array(this.left);
  }

  *check(term: number): Task<void> {
    if (this.checked[term] === 1) return;
    if (!(yield* this.isList(term))) throw this.damaged();
    if (this.checked[term] === 0) this.left--;
    this.checked[term] = 1;
  }

  *checkAll(): Task<void> {
    for (let term = 0; term < this.checked.length && this.left > 0; term++) {
      if (this.checked[term] === 0) yield* this.check(term);
      if (term % LISTS_AT_ONCE === 0) yield;
    }
    this.counts = undefined;
  }

  /** Whether a list is what `decodeList` and `PostingCursor` expect, and the skip entries within it lead to its records. */
  private *isList(term: number): Task<boolean> {
    const { starts, maxDoc, slotShape, skipEntries } = this.parts;
    const start = starts[term]!;
    const end = starts[term + 1]!;
    if (start === end) return true;
    const reader = new BitReader(this.bits.words, start);
    const size = numberOf(reader, end);
    const patternCount = numberOf(reader, end);
    if (size > maxDoc || patternCount > size || patternCount === 0) return false;
    /** By rank: the last slot of the pattern. */
    const lastSlots = new Float64Array(patternCount);
    // A pattern has at most as many entries as its first record has slots, and each record has one pattern. So all patterns
    // together have at most as many entries as there are slots.
    let room = slotShape.length;
    for (let rank = 0; rank < patternCount; rank++) {
      const entries = numberOf(reader, end);
      room -= entries;
      if (entries === 0 || room < 0) return false;
      let slot = -1;
      for (let entry = 0; entry < entries; entry++) {
        const gap = numberOf(reader, end);
        const frequency = numberOf(reader, end);
        if (gap === 0 || frequency === 0 || frequency > MAX_FREQUENCY) return false;
        slot += gap;
        if (entry % PAUSE_EVERY === 0) yield;
      }
      lastSlots[rank] = slot;
    }
    const records = { at: reader.at, doc: -1, block: (start >>> SKIP_INTERVAL_BITS) + 1 };
    for (; records.block <= reader.at >>> SKIP_INTERVAL_BITS; records.block++)
      if (skipEntries[records.block] !== 0) return false;
    const list = { width: gapWidth(maxDoc, size), lastSlots, end };
    for (let left = size; left > 0; left -= PAUSE_EVERY) {
      if (!this.areRecords(list, records, Math.min(left, PAUSE_EVERY))) return false;
      yield;
    }
    return records.at === end;
  }

  /** Whether the next `count` records of a list are in order, and have all slots of their patterns. */
  private areRecords(
    { width, lastSlots, end }: { readonly width: number; readonly lastSlots: Float64Array; readonly end: number },
    records: { at: number; doc: number; block: number },
    count: number,
  ): boolean {
    const { maxDoc, skipEntries } = this.parts;
    const { words } = this.bits;
    const slotCounts = this.slotCounts();
    const patternCount = lastSlots.length;
    let { at, doc, block } = records;
    for (let i = 0; i < count; i++) {
      if (at >= end) return false;
      // As in `decodeList`.
      let bits = bitsAt(words, at);
      let used = Math.clz32(bits);
      if (used < LONGEST_RUN) {
        doc += 1 + ((used << width) | (((bits << (used + 1)) >>> 1) >>> (31 - width)));
        used += 1 + width;
      } else {
        doc += 1 + (bitsAt(words, at + LONGEST_RUN) >>> (32 - WHOLE_GAP));
        used = LONGEST_RUN + WHOLE_GAP;
      }
      if (doc >= maxDoc) return false;
      let rank = 0;
      if (patternCount > 1) {
        bits <<= used;
        let zeros = Math.clz32(bits);
        if (used + 2 * zeros + 1 <= 32) bits <<= zeros;
        else {
          zeros = Math.clz32(bitsAt(words, at + used));
          if (zeros > MOST_ZEROS) return false;
          bits = bitsAt(words, at + used + zeros);
        }
        rank = (bits >>> (31 - zeros)) - 1;
        used += 2 * zeros + 1;
        if (rank >= patternCount) return false;
      }
      at += used;
      if (lastSlots[rank]! >= slotCounts[doc]!) return false;
      if (block > at >>> SKIP_INTERVAL_BITS) continue;
      if (skipEntries[block++] !== ((doc << SKIP_INTERVAL_BITS) | (at & SKIP_OFFSET_MASK)) >>> 0) return false;
    }
    Object.assign(records, { at, doc, block });
    return at <= end;
  }

  /** By record: the number of its slots. */
  private slotCounts(): Uint32Array {
    if (this.counts !== undefined) return this.counts;
    const { docSlots, maxDoc } = this.parts;
    const counts = new Uint32Array(maxDoc);
    for (let doc = 0; doc < maxDoc; doc++) counts[doc] = offsetAt(docSlots, doc + 1) - offsetAt(docSlots, doc);
    this.counts = counts;
    return counts;
  }
}

/** The next number in gamma code; 0 if there is none before `end`. */
function numberOf(reader: BitReader, end: number): number {
  if (reader.at >= end || Math.clz32(bitsAt(reader.words, reader.at)) > MOST_ZEROS) return 0;
  const number = reader.gamma();
  return reader.at > end ? 0 : number;
}
