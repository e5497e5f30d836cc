// Writes one posting list after the other, as `decode-list` and `posting-cursor` read them.

import { GrowableUint32 } from "../../base/growable.js";
import { BitWriter, gapWidth } from "./bits.js";
import type { Pairs } from "./pairs.js";
import type { PatternTree } from "./pattern-tree.js";
import { BLOCK_BITS, PLACE_MASK } from "./posting-cursor.js";

/** Longer lists of patterns are worth a sort of V8's. */
const FEW = 16;

/** Codes the lists of a segment. */
export class ListCoder {
  readonly bits: BitWriter;
  /** Of each block of bits where in it a record begins, and above that the record before. */
  readonly marks: GrowableUint32 = new GrowableUint32();
  private readonly docCount: number;
  private readonly patterns: PatternTree;
  /** By pattern: how many records of the present list have it, and its rank among those of the list. */
  private readonly counts: Uint32Array;
  private readonly ranks: Uint32Array;
  /** The patterns of the present list stand at its beginning; what is behind them is of no meaning. */
  private readonly found: number[] = [];

  constructor(docCount: number, patterns: PatternTree, expectedBits: number) {
    this.docCount = docCount;
    this.patterns = patterns;
    this.counts = new Uint32Array(patterns.size);
    this.ranks = new Uint32Array(patterns.size);
    this.bits = new BitWriter(expectedBits);
    this.marks.push(0);
  }

  /** Writes the list of the records from number `from` of `pairs` up to number `to`, which ascend; there is at least one. */
  write(pairs: Pairs, from: number, to: number): void {
    const { bits, counts, ranks, marks } = this;
    const found = this.found;
    let size = 0;
    for (let at = from; at < to; at++) {
      const pattern = pairs.patternAt(at);
      if (counts[pattern]!++ === 0) found[size++] = pattern;
    }
    if (size > 1) sortFirst(found, size, counts);
    bits.gamma(to - from);
    bits.gamma(size);
    for (let rank = 0; rank < size; rank++) {
      const pattern = found[rank]!;
      this.patterns.write(pattern, bits);
      this.ranks[pattern] = rank;
      this.counts[pattern] = 0;
    }
    // No record of this list begins before.
    while (marks.length <= bits.length >>> BLOCK_BITS) marks.push(0);
    const width = gapWidth(this.docCount, to - from);
    for (let at = from, last = -1; at < to; at++) {
      const doc = pairs.docAt(at);
      bits.gap(doc - last - 1, width);
      if (size > 1) bits.gamma(ranks[pairs.patternAt(at)]! + 1);
      last = doc;
      // A record is shorter than a block.
      if (marks.length <= bits.length >>> BLOCK_BITS) marks.push((doc << BLOCK_BITS) | (bits.length & PLACE_MASK));
    }
  }
}

/** Few are put in order where they stand; those with the most records come first, of equal ones the least. */
function sortFirst(patterns: number[], size: number, counts: Uint32Array): void {
  if (size > FEW) {
    const sorted = patterns.slice(0, size).sort((a, b) => counts[b]! - counts[a]! || a - b);
    for (let at = 0; at < size; at++) patterns[at] = sorted[at]!;
    return;
  }
  for (let at = 1; at < size; at++) {
    const pattern = patterns[at]!;
    const count = counts[pattern]!;
    let to = at;
    for (; to > 0; to--) {
      const before = patterns[to - 1]!;
      if (counts[before]! > count || (counts[before] === count && before < pattern)) break;
      patterns[to] = before;
    }
    patterns[to] = pattern;
  }
}
