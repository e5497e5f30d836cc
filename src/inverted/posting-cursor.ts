// Reads one posting list record by record, for readers that need only some of its records. Skip entries lead into the middle of
// long lists.

import type { LocalDoc } from "../util/doc-set.js";
import { offsetAt } from "../util/offset-table.js";
import { BitReader, endOfList, gapWidth, Patterns, SKIP_INTERVAL_BITS, SKIP_OFFSET_MASK } from "./list-codec.js";
import type { ListBits, PostingLists } from "./postings.js";

/** A cursor over the records that hold a term, ascending. Deleted records are not skipped. */
export class PostingCursor {
  /** The current record; -1 before the first call of `next`. */
  doc: LocalDoc = -1 as LocalDoc;
  private readonly postings: PostingLists;
  private readonly patterns = new Patterns();
  /** Its position is where the next record begins. */
  private readonly bits: BitReader;
  private readonly end: number;
  /** The number of the bit at which they begin. */
  private readonly first: number;
  private readonly width: number = 0;
  /** The entries of the current record's pattern are those from `from` to `to` - 1; their offsets count from `firstField`. */
  private from = 0;
  private to = 0;
  private firstField = 0;

  /** The posting list of the term is in `bits`. */
  constructor(postings: PostingLists, term: number, bits: ListBits) {
    const { words, first } = bits;
    this.postings = postings;
    this.first = first;
    this.bits = new BitReader(words, postings.starts[term]! - first);
    this.end = endOfList(postings, term, bits);
    if (this.bits.at === this.end) return;
    this.width = gapWidth(postings.maxDoc, this.bits.gamma());
    this.patterns.read(this.bits, this.end);
  }

  /** Moves to the next record; false if there is none. */
  next(): boolean {
    if (this.bits.at >= this.end) return false;
    this.doc = (this.doc + 1 + this.bits.gap(this.width)) as LocalDoc;
    const rank = this.patterns.size > 1 ? this.bits.gamma() - 1 : 0;
    this.from = this.patterns.starts[rank]!;
    this.to = this.patterns.starts[rank + 1]!;
    this.firstField = offsetAt(this.postings.docFields, this.doc);
    return true;
  }

  /** Moves to the first record that is not before `doc`; never back. False if there is none. */
  seek(doc: LocalDoc): boolean {
    if (this.doc < doc) this.skipTo(doc);
    while (this.doc < doc) if (!this.next()) return false;
    return this.doc >= 0;
  }

  /** The number of fields in which the current record holds the term. */
  get fieldCount(): number {
    return this.to - this.from;
  }

  /** The doc field of the i-th of these fields; they ascend. */
  docFieldAt(i: number): number {
    return this.firstField + this.patterns.offsets[this.from + i]!;
  }

  /** How often the term occurs in the i-th of these fields. */
  frequencyAt(i: number): number {
    return this.patterns.freqs[this.from + i]!;
  }

  /** How often the term occurs in a doc field of the current record; 0 if it does not. */
  frequencyIn(docField: number): number {
    for (let i = 0; i < this.fieldCount; i++) if (this.docFieldAt(i) === docField) return this.frequencyAt(i);
    return 0;
  }

  /** Moves to the last skip entry before `doc`, if it is ahead. */
  private skipTo(doc: LocalDoc): void {
    const { skipEntries } = this.postings;
    let low = ((this.bits.at + this.first) >>> SKIP_INTERVAL_BITS) + 1;
    let high = (this.end + this.first + SKIP_OFFSET_MASK) >>> SKIP_INTERVAL_BITS;
    if (low >= high) return;
    const first = low;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (skipEntries[middle]! >>> SKIP_INTERVAL_BITS < doc) low = middle + 1;
      else high = middle;
    }
    if (low === first) return;
    const entry = skipEntries[low - 1]!;
    this.bits.at = (low - 1) * (1 << SKIP_INTERVAL_BITS) + (entry & SKIP_OFFSET_MASK) - this.first; // may exceed 2^31
    this.doc = (entry >>> SKIP_INTERVAL_BITS) as LocalDoc;
  }
}
