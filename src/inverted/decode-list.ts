// One posting list as a whole. A list begins with the number of its records and with their patterns; then come the records, each
// as the number of records between it and the one before, and, where there are several, the rank of its pattern.

import { BitReader, bitsAt, gapWidth, LONGEST_RUN, WHOLE_GAP } from "./bits.js";
import type { Postings } from "./postings.js";

/** A list, spelled out. */
export interface DecodedList {
  /** Records, ascending. */
  readonly docs: Uint16Array;
  /** The rank of each record's pattern. */
  readonly ranks: Uint16Array;
  readonly patterns: Patterns;
  readonly size: number;
}

/** Records of a segment. */
const MOST = 65_536;

/** Room for more is given back before the next list is read. */
const MOST_KEPT = 1 << 16;

/** The patterns of one list, by rank; those of most records come first. What is behind them is of no meaning. */
export class Patterns {
  size = 0;
  /** The places of pattern r are starts[r] … starts[r + 1] - 1. */
  readonly starts: number[] = [];
  /** Of each place which of its record's slots it is, counted from the first. */
  readonly offsets: number[] = [];
  readonly freqs: number[] = [];

  /** Reads those of a list, in place of what is here: their number, and of each the number of places, distances, frequencies. */
  read(bits: BitReader): void {
    const { starts, offsets, freqs } = this;
    if (offsets.length > MOST_KEPT) for (const list of [starts, offsets, freqs]) list.length = 0;
    // Lists are never made shorter otherwise: it would take longer than to read the patterns.
    const size = bits.gamma();
    let to = 0;
    starts[0] = 0;
    for (let rank = 0; rank < size; rank++) {
      let offset = -1;
      for (let places = bits.gamma(); places > 0; places--) {
        offset += bits.gamma();
        offsets[to] = offset;
        freqs[to++] = bits.gamma();
      }
      starts[rank + 1] = to;
    }
    this.size = size;
  }
}

// Used until the next list is decoded.
const DOCS = new Uint16Array(MOST);
const RANKS = new Uint16Array(MOST);
const PATTERNS = new Patterns();

/** The postings of a term; valid until the next list is decoded. */
export function decodeList({ listBits, starts, maxDoc }: Postings, term: number): DecodedList {
  const head = new BitReader(listBits, starts[term]!);
  const size = starts[term] === starts[term + 1] ? 0 : head.gamma();
  if (size > 0) PATTERNS.read(head);
  const hasRanks = PATTERNS.size > 1;
  const width = gapWidth(maxDoc, size);
  let { at } = head;
  for (let i = 0, doc = -1; i < size; i++) {
    let bits = bitsAt(listBits, at);
    let used = Math.clz32(bits);
    if (used < LONGEST_RUN) {
      doc += 1 + ((used << width) | (((bits << (used + 1)) >>> 1) >>> (31 - width)));
      used += 1 + width;
    } else {
      used = LONGEST_RUN + WHOLE_GAP;
      doc += 1 + (bitsAt(listBits, at + LONGEST_RUN) >>> (32 - WHOLE_GAP));
    }
    DOCS[i] = doc;
    RANKS[i] = 0;
    if (hasRanks) {
      bits <<= used;
      let zeros = Math.clz32(bits);
      if (used + 2 * zeros + 1 <= 32) bits <<= zeros;
      else {
        // It does not stand whole in what was read.
        zeros = Math.clz32(bitsAt(listBits, at + used));
        bits = bitsAt(listBits, at + used + zeros);
      }
      RANKS[i] = (bits >>> (31 - zeros)) - 1;
      used += 2 * zeros + 1;
    }
    at += used;
  }
  return { docs: DOCS, ranks: RANKS, patterns: PATTERNS, size };
}
