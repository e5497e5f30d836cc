// The titles of a segment as rows of index terms, for what only their order and their words tell. A part of a title is one
// number, that of its word as it was written, but for codes and compounds, which stand under several terms.

import { GrowableUint32 } from "../../base/growable.js";
import type { Steps } from "../../base/slices.js";

/** In `terms`: the term is the first of its part. */
export const PART_BIT = 0x8000_0000;
export const TERM_MASK = 0x7fff_ffff;

const PAUSE_EVERY = 1 << 15;

/** The titles of one segment; 4 bytes a part and 4 a record. */
export interface TitleTable {
  /** The title of record d is terms[starts[d]] … terms[starts[d + 1] - 1]; empty: it has none. */
  readonly starts: Uint32Array;
  /** Numbers of terms, perhaps with PART_BIT. */
  readonly terms: Uint32Array;
}

/** Collects the titles of a segment's records, in their order. */
export class TitleWriter {
  private readonly starts = new GrowableUint32();
  private readonly terms = new GrowableUint32();

  /** Begins the next record. */
  beginRecord(): void {
    this.starts.push(this.terms.length);
  }

  /** Adds a term to the present record's title, at a new part or at the last one. */
  add(term: number, isFirst: boolean): void {
    this.terms.push(isFirst ? (term | PART_BIT) >>> 0 : term);
  }

  /** The table, each term by its new number. */
  *finish(numbers: Uint32Array): Steps<TitleTable> {
    this.starts.push(this.terms.length);
    const terms = this.terms.toArray();
    for (let at = 0; at < terms.length; at++) {
      const term = terms[at]!;
      terms[at] = (numbers[term & TERM_MASK]! | (term & PART_BIT)) >>> 0;
      if (at % PAUSE_EVERY === 0) yield;
    }
    return { starts: this.starts.toArray(), terms };
  }
}

/** The memory that the titles of a segment take. */
export function titleBytes({ starts, terms }: TitleTable): number {
  return starts.byteLength + terms.byteLength;
}
