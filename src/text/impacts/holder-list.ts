// The records of one segment that hold a term, ascending: 16 bits each, because a segment has at most 65,536 records. Long
// lists get a bit for each record of the segment and a running count, when somebody first asks for single records.

import type { DocSet } from "../../base/doc-set.js";
import { countOnesInBoth, ones } from "../../base/wasm/bit-counts.js";

/** From this length on a record is looked up by its bit: 12 KB a list, against a dozen steps of halving. */
const SHORTEST_WITH_BITS = 1024;
const WORDS = 65_536 / 32;

/** The holders of a term, dead ones included. */
export class HolderList {
  readonly docs: Uint16Array;
  private words: Uint32Array | null = null;
  private ranks: Uint16Array | null = null;
  private counted: { readonly deletedDocs: DocSet; readonly living: number } | null = null;

  constructor(docs: Uint16Array) {
    this.docs = docs;
  }

  get size(): number {
    return this.docs.length;
  }

  /** A bit for each record, and in `ranks` how many holders stand before each word; null: the list is short. */
  get bits(): { readonly words: Uint32Array; readonly ranks: Uint16Array } | null {
    if (this.docs.length < SHORTEST_WITH_BITS) return null;
    if (this.words === null || this.ranks === null) {
      this.words = new Uint32Array(WORDS);
      this.ranks = new Uint16Array(WORDS);
      setBits(this.docs, this.words);
      for (let word = 0, at = 0; word < WORDS; word++) {
        this.ranks[word] = at; // at most 65,535: before the last word at most 65,504 stand
        while (at < this.docs.length && this.docs[at]! >>> 5 === word) at++;
      }
    }
    return { words: this.words, ranks: this.ranks };
  }

  /** The place of a record in the list, or -1. */
  placeOf(doc: number): number {
    const { bits } = this;
    return bits === null ? placeIn(this.docs, doc) : placeByBits(bits.words, bits.ranks, doc);
  }

  /** How many are not dead; counted once for each set of dead. */
  living(deletedDocs: DocSet | null): number {
    if (deletedDocs === null) return this.docs.length;
    if (this.counted?.deletedDocs !== deletedDocs) {
      const { docs, words } = this;
      const size = deletedDocs.words.length;
      const gone =
        words === null ? countIn(docs, deletedDocs.words) : countOnesInBoth(deletedDocs.words, words.subarray(0, size));
      this.counted = { deletedDocs, living: docs.length - gone };
    }
    return this.counted.living;
  }
}

/** Sets the bits of a list. */
export function setBits(docs: Uint16Array, words: Uint32Array): void {
  for (let i = 0; i < docs.length; i++) words[docs[i]! >>> 5]! |= 1 << (docs[i]! & 31);
}

function countIn(docs: Uint16Array, words: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < docs.length; i++) count += (words[docs[i]! >>> 5]! >>> (docs[i]! & 31)) & 1;
  return count;
}

function placeIn(docs: Uint16Array, doc: number): number {
  let low = 0;
  let high = docs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (docs[middle]! < doc) low = middle + 1;
    else high = middle;
  }
  return low < docs.length && docs[low] === doc ? low : -1;
}

function placeByBits(words: Uint32Array, ranks: Uint16Array, doc: number): number {
  const word = words[doc >>> 5]!;
  const bit = doc & 31;
  if (((word >>> bit) & 1) === 0) return -1;
  return ranks[doc >>> 5]! + ones(word & ((1 << bit) - 1));
}
