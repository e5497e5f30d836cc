// Writes one posting list after the other, as `decode-list` and `posting-cursor` read them. The records of a list are collected
// first, so that it is known how many there are and which patterns most of them have.

import { GrowableUint32 } from "../../base/growable.js";
import { BitWriter, gapWidth } from "./bits.js";
import { BLOCK_BITS, PLACE_MASK } from "./posting-cursor.js";

const EMPTY = -1;
const SMALLEST_TABLE = 16;

/** The entries of a list; those of one record stand together. */
export interface ListEntries {
  /** Of each entry which of its record's slots it is. */
  readonly offsets: Uint32Array;
  readonly freqs: Uint16Array;
}

/** Codes the lists of a segment. */
export class ListCoder {
  readonly bits: BitWriter;
  /** Of each block of bits where in it a record begins, and above that the record before. */
  readonly marks: GrowableUint32 = new GrowableUint32();
  private readonly entries: ListEntries;
  private readonly docCount: number;
  /** How many records were collected. */
  private size = 0;
  private readonly docs: Uint16Array;
  /** The pattern of each record, numbered as they came; after `writeHead` its rank. */
  private readonly kinds: Uint16Array;
  /** Of each pattern its first record's entries, and how many records have it. */
  private readonly froms: number[] = [];
  private readonly tos: number[] = [];
  private readonly counts: number[] = [];
  private ranks: number[] = [];
  /** Patterns by hash. */
  private readonly table: Int32Array;
  private mask = 0;
  private last = -1;
  private width = 0;

  constructor(docCount: number, entries: ListEntries, expectedBits: number) {
    this.docCount = docCount;
    this.entries = entries;
    this.bits = new BitWriter(expectedBits);
    this.docs = new Uint16Array(docCount);
    this.kinds = new Uint16Array(docCount);
    let room = SMALLEST_TABLE;
    while (room < 2 * docCount) room *= 2;
    this.table = new Int32Array(room);
    this.marks.push(0);
  }

  /** Begins a list of so many entries; its records follow, ascending. */
  begin(entryCount: number): void {
    let room = SMALLEST_TABLE;
    while (room < 2 * entryCount && room < this.table.length) room *= 2;
    this.mask = room - 1;
    this.table.fill(EMPTY, 0, room);
    this.size = 0;
    this.froms.length = 0;
    this.tos.length = 0;
    this.counts.length = 0;
  }

  /** Collects a record, with its entries from `from` up to `to`. */
  add(doc: number, from: number, to: number): void {
    const { offsets, freqs } = this.entries;
    let hash = 0;
    for (let at = from; at < to; at++) {
      hash = Math.imul(hash ^ freqs[at]!, 0x9e3779b1);
      hash = Math.imul((hash ^ (hash >>> 15)) + offsets[at]!, 0x85ebca6b);
    }
    let place = (hash ^ (hash >>> 16)) & this.mask;
    while (this.table[place] !== EMPTY && !this.isAlike(this.table[place]!, from, to)) place = (place + 1) & this.mask;
    if (this.table[place] === EMPTY) {
      this.table[place] = this.counts.length;
      this.froms.push(from);
      this.tos.push(to);
      this.counts.push(0);
    }
    const kind = this.table[place]!;
    this.counts[kind]!++;
    this.docs[this.size] = doc;
    this.kinds[this.size++] = kind;
  }

  /** Ends the collecting: writes how many records there are, and their patterns, those of most records first. */
  writeHead(): void {
    const { bits, counts, entries } = this;
    bits.gamma(this.size);
    bits.gamma(counts.length);
    const order = [...counts.keys()].sort((a, b) => counts[b]! - counts[a]! || a - b);
    for (const kind of order) {
      const [from, to] = [this.froms[kind]!, this.tos[kind]!];
      bits.gamma(to - from);
      for (let at = from, last = -1; at < to; at++) {
        bits.gamma(entries.offsets[at]! - last);
        bits.gamma(entries.freqs[at]!);
        last = entries.offsets[at]!;
      }
    }
    this.ranks.length = 0;
    for (const [rank, kind] of order.entries()) this.ranks[kind] = rank;
    this.width = gapWidth(this.docCount, this.size);
    this.last = -1;
    // No record of this list begins before.
    while (this.marks.length <= bits.length >>> BLOCK_BITS) this.marks.push(0);
  }

  /** Writes records, from number `from` on, at most `most`; how many are written then. */
  writeRecords(from: number, most: number): number {
    const { bits, marks, docs, kinds, ranks } = this;
    const to = Math.min(this.size, from + most);
    const hasRanks = this.counts.length > 1;
    for (let at = from; at < to; at++) {
      const doc = docs[at]!;
      bits.gap(doc - this.last - 1, this.width);
      if (hasRanks) bits.gamma(ranks[kinds[at]!]! + 1);
      this.last = doc;
      // A record is shorter than a block.
      if (marks.length <= bits.length >>> BLOCK_BITS) marks.push((doc << BLOCK_BITS) | (bits.length & PLACE_MASK));
    }
    return to;
  }

  get recordCount(): number {
    return this.size;
  }

  private isAlike(kind: number, from: number, to: number): boolean {
    const { offsets, freqs } = this.entries;
    const example = this.froms[kind]!;
    if (this.tos[kind]! - example !== to - from) return false;
    for (let i = 0; i < to - from; i++)
      if (offsets[example + i] !== offsets[from + i] || freqs[example + i] !== freqs[from + i]) return false;
    return true;
  }
}
