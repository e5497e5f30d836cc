// How records hold a term: in which of their fields, and how often in each. A term has few such patterns (a brand stands once
// in each of two fields, a common word once in a text), so a list tells them first, and of each record only which it is.

import type { BitReader } from "./bits.js";

/** The patterns of one list, by rank; those of most records come first. */
export class Patterns {
  /** The places of pattern r are starts[r] … starts[r + 1] - 1. */
  readonly starts: number[] = [];
  /** Of each place which of its record's slots it is, counted from the first. */
  readonly offsets: number[] = [];
  readonly freqs: number[] = [];

  get size(): number {
    return this.starts.length - 1;
  }

  /** Reads those of a list, in place of what is here: their number, and of each the number of places, distances, frequencies. */
  read(bits: BitReader): void {
    const { starts, offsets, freqs } = this;
    starts.length = 0;
    offsets.length = 0;
    freqs.length = 0;
    starts.push(0);
    for (let left = bits.gamma(); left > 0; left--) {
      let offset = -1;
      for (let places = bits.gamma(); places > 0; places--) {
        offset += bits.gamma();
        offsets.push(offset);
        freqs.push(bits.gamma());
      }
      starts.push(offsets.length);
    }
  }
}
