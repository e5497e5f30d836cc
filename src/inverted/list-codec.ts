// Reads and writes posting lists: whole ones at once, or record by record (`PostingCursor`), for which skip entries lead into long lists.
// A list is a sequence of bits: the number of its records, its patterns, and then for each record the gap to the record before and, if there
// are several patterns, the rank of its pattern.
//
// A *pattern* says in which of a record's doc fields a term occurs, and how often in each. Most records of a list share a few
// patterns ("once in the first field"), so a list spells out each pattern once. The patterns are ordered by their number of
// records, the greatest first.
//
// Numbers are written in two codes: the gamma code (Elias 1975) for those that are mostly small, and a Rice code (1979) for gaps,
// whose mean is known. Bits are in words of 32, the highest bit of a word first.

import type { LocalDoc } from "../util/doc-set.js";
import { GrowableUint32, offsetAt } from "../util/offset-table.js";
import { type ListBits, MAX_DOCS, type PostingLists, type Postings } from "./postings.js";

/** The 32 bits from bit `at` on, as a signed integer. There must be one more word behind the last bit that is read. */
export function bitsAt(words: Uint32Array, at: number): number {
  const word = at >>> 5;
  const shift = at & 31;
  return (words[word]! << shift) | ((words[word + 1]! >>> 1) >>> (31 - shift));
}

/** A gap whose unary part would be longer is escaped: this many zeros, then the gap in `WHOLE_GAP` bits. */
export const LONGEST_RUN = 12;
/** The bits of an escaped gap: enough for any record of a segment. */
export const WHOLE_GAP = 16;

/**
 * The number of low bits of a gap that are written in binary, in a list of `size` of `among` records; the high bits are written
 * in unary. It is the logarithm of the mean gap, so the unary part is mostly 0 or 1.
 */
export function gapWidth(among: number, size: number): number {
  return Math.max(0, 31 - Math.clz32(among / size));
}

/** Reads a stream of bits. */
export class BitReader {
  readonly words: Uint32Array;
  /** The index of the next bit. */
  at: number;

  constructor(words: Uint32Array, at: number) {
    this.words = words;
    this.at = at;
  }

  /** Reads a number of at least 1 in gamma code: a number of n + 1 bits is written as n zeros and the number. */
  gamma(): number {
    const zeros = Math.clz32(bitsAt(this.words, this.at));
    const number = bitsAt(this.words, this.at + zeros) >>> (31 - zeros);
    this.at += 2 * zeros + 1;
    return number;
  }

  /** Reads a number of at least 0 in Rice code: a zero for each 2^width in it, a one, and its low `width` bits. */
  gap(width: number): number {
    const bits = bitsAt(this.words, this.at);
    const zeros = Math.clz32(bits);
    if (zeros < LONGEST_RUN) {
      this.at += zeros + 1 + width;
      return (zeros << width) | (((bits << (zeros + 1)) >>> 1) >>> (31 - width));
    }
    this.at += LONGEST_RUN + WHOLE_GAP;
    return bitsAt(this.words, this.at - WHOLE_GAP) >>> (32 - WHOLE_GAP);
  }
}

/** Writes what `BitReader` reads. */
export class BitWriter {
  private words: Uint32Array;
  /** The number of words that are full. */
  full = 0;
  /** The word after them, and how many of its bits are free: 1 … 32. */
  private word = 0;
  private free = 32;

  /** `expected`: how many bits fit without growing. */
  constructor(expected: number) {
    this.words = new Uint32Array((expected >>> 5) + 1);
  }

  /** The number of bits written. */
  get length(): number {
    return 32 * this.full + 32 - this.free;
  }

  /** Writes a number in `width` bits, 1 … 32. */
  write(number: number, width: number): void {
    const free = this.free - width;
    if (free > 0) {
      this.word |= number << free;
      this.free = free;
      return;
    }
    this.push(this.word | (number >>> -free));
    this.free = 32 + free;
    this.word = free === 0 ? 0 : number << this.free;
  }

  /** Writes a number of at least 1 in gamma code. */
  gamma(number: number): void {
    const bits = 32 - Math.clz32(number);
    if (bits <= 16) this.write(number, 2 * bits - 1);
    else {
      this.write(0, bits - 1);
      this.write(number, bits);
    }
  }

  /** Writes a gap and then a number in gamma code; in one step if both fit into 32 bits. */
  gapAndGamma(gap: number, width: number, gamma: number): void {
    const zeros = gap >>> width;
    const bits = 63 - 2 * Math.clz32(gamma);
    const all = zeros + 1 + width + bits;
    if (zeros < LONGEST_RUN && all <= 32)
      this.write((((1 << width) | (gap & ((1 << width) - 1))) << bits) | gamma, all);
    else {
      this.gap(gap, width);
      this.gamma(gamma);
    }
  }

  /** Writes a number of at least 0 in Rice code. */
  gap(number: number, width: number): void {
    const zeros = number >>> width;
    if (zeros < LONGEST_RUN) this.write((1 << width) | (number & ((1 << width) - 1)), zeros + 1 + width);
    else {
      this.write(0, LONGEST_RUN);
      this.write(number, WHOLE_GAP);
    }
  }

  /** The words, and one more that `bitsAt` needs. Nothing can be written afterwards. */
  toWords(): Uint32Array {
    this.push(this.word);
    this.push(0);
    return this.words.slice(0, this.full);
  }

  private push(word: number): void {
    if (this.full === this.words.length) {
      const larger = new Uint32Array(2 * this.words.length);
      larger.set(this.words);
      this.words = larger;
    }
    this.words[this.full++] = word;
  }
}

/** Larger arrays are freed before the next list is read. */
const MOST_KEPT = 1 << 16;

/** The patterns of one list, by rank. The arrays may be longer than what is valid. */
export class Patterns {
  size = 0;
  /** The entries of pattern r are those from starts[r] to starts[r + 1] - 1. */
  readonly starts: number[] = [];
  /** By entry: the doc field, counted from the record's first one. */
  readonly offsets: number[] = [];
  /** By entry: how often the term occurs in the doc field. */
  readonly freqs: number[] = [];

  /** Reads the patterns of a list that ends at bit `end`, and forgets those of the list before. */
  read(bits: BitReader, end: number): void {
    const { starts, offsets, freqs } = this;
    // Otherwise arrays are not shortened: that would take longer than reading the patterns.
    if (offsets.length > MOST_KEPT) for (const list of [starts, offsets, freqs]) list.length = 0;
    // The counts of a wrong list must not take all memory.
    const size = Math.min(bits.gamma(), MAX_DOCS);
    let to = 0;
    starts[0] = 0;
    for (let rank = 0; rank < size; rank++) {
      let offset = -1;
      for (let entries = bits.gamma(); entries > 0 && bits.at < end; entries--) {
        offset += bits.gamma();
        offsets[to] = offset;
        freqs[to++] = bits.gamma();
      }
      starts[rank + 1] = to;
    }
    this.size = size;
  }
}

// The result of `decodeList`; the next call overwrites it.
const DOCS = new Uint16Array(MAX_DOCS);
const RANKS = new Uint16Array(MAX_DOCS);
const PATTERNS = new Patterns();

/** The number of records of a posting list, which is in `bits`. */
export function listSize({ starts }: PostingLists, term: number, { words, first }: ListBits): number {
  return starts[term] === starts[term + 1] ? 0 : new BitReader(words, starts[term]! - first).gamma();
}

/** The bit of `bits` at which the posting list of a term ends. */
export function endOfList({ starts }: PostingLists, term: number, { words, first }: ListBits): number {
  return Math.min(starts[term + 1]! - first, 32 * words.length);
}

/**
 * Decodes the posting list of a term, which is in `bits`: the records, ascending, and the rank of the pattern of each. The result is
 * valid until the next call, and only the first `size` of each list.
 */
export function decodeList(
  postings: PostingLists,
  term: number,
  bits: ListBits,
): { readonly docs: Uint16Array; readonly ranks: Uint16Array; readonly patterns: Patterns; readonly size: number } {
  const { starts, maxDoc } = postings;
  const { words, first } = bits;
  const head = new BitReader(words, starts[term]! - first);
  const size = starts[term] === starts[term + 1] ? 0 : Math.min(head.gamma(), maxDoc);
  if (size > 0) PATTERNS.read(head, endOfList(postings, term, bits));
  const hasRanks = PATTERNS.size > 1;
  const width = gapWidth(maxDoc, size);
  let { at } = head;
  for (let i = 0, doc = -1; i < size; i++) {
    let bits = bitsAt(words, at);
    let used = Math.clz32(bits);
    if (used < LONGEST_RUN) {
      doc += 1 + ((used << width) | (((bits << (used + 1)) >>> 1) >>> (31 - width)));
      used += 1 + width;
    } else {
      used = LONGEST_RUN + WHOLE_GAP;
      doc += 1 + (bitsAt(words, at + LONGEST_RUN) >>> (32 - WHOLE_GAP));
    }
    DOCS[i] = doc;
    RANKS[i] = 0;
    if (hasRanks) {
      bits <<= used;
      let zeros = Math.clz32(bits);
      if (used + 2 * zeros + 1 <= 32) bits <<= zeros;
      else {
        // The rank is not completely in the 32 bits that were read.
        zeros = Math.clz32(bitsAt(words, at + used));
        bits = bitsAt(words, at + used + zeros);
      }
      RANKS[i] = (bits >>> (31 - zeros)) - 1;
      used += 2 * zeros + 1;
    }
    at += used;
  }
  return { docs: DOCS, ranks: RANKS, patterns: PATTERNS, size };
}

/** There is a skip entry for each block of 2^11 bits. */
export const SKIP_INTERVAL_BITS = 11;
/** In a skip entry: the bit of the block at which a record begins. The higher bits are the number of the record before. */
export const SKIP_OFFSET_MASK: number = (1 << SKIP_INTERVAL_BITS) - 1;

/** Words of 32 bits in a block, as a power of two. */
const SKIP_INTERVAL_WORDS = SKIP_INTERVAL_BITS - 5;
/** Up to this many patterns, an insertion sort is faster than `Array.sort`. */
const FEW = 16;

/** Posting lists in memory. */
export interface WrittenLists extends Pick<Postings, "skipEntries" | "size"> {
  readonly lists: ListBits;
}

/** Writes the posting lists of a segment. */
export class ListCoder {
  readonly bits: BitWriter;
  private readonly skipEntries: GrowableUint32 = new GrowableUint32();
  private readonly maxDoc: number;
  private readonly patterns: PatternTree;
  /** The number of postings written: a record counts once for each doc field in which it holds the term. */
  private postings = 0;
  /** By pattern: how many records of the current list have it, and its rank in the list. */
  private counts: Uint32Array;
  private ranks: Uint32Array;
  /** The patterns of the current list; the array may be longer. */
  private readonly found: number[] = [];

  constructor(maxDoc: number, patterns: PatternTree, expectedBits: number) {
    this.maxDoc = maxDoc;
    this.patterns = patterns;
    this.counts = new Uint32Array(patterns.size);
    this.ranks = new Uint32Array(patterns.size);
    this.bits = new BitWriter(expectedBits);
    this.skipEntries.push(0);
  }

  /** All lists. The coder cannot be used afterwards. */
  finish(): WrittenLists {
    const lists = { words: this.bits.toWords(), first: 0 };
    return { lists, skipEntries: this.skipEntries.toArray(), size: this.postings };
  }

  /** Writes one list: the pairs from `from` up to `to`, at least one, ascending by record. */
  write(pairs: DocPatternPairs, from: number, to: number): void {
    if (this.counts.length < this.patterns.size) this.grow();
    const { bits, counts, ranks, skipEntries } = this;
    const found = this.found;
    let size = 0;
    for (let i = from; i < to; i++) {
      const pattern = pairs.patternAt(i);
      if (counts[pattern]!++ === 0) found[size++] = pattern;
    }
    if (size > 1) this.sortFound(size);
    bits.gamma(to - from);
    bits.gamma(size);
    for (let rank = 0; rank < size; rank++) {
      const pattern = found[rank]!;
      this.postings += counts[pattern]! * this.patterns.write(pattern, bits);
      this.ranks[pattern] = rank;
      counts[pattern] = 0;
    }
    // No record of this list begins in the blocks up to here.
    while (skipEntries.length <= bits.full >>> SKIP_INTERVAL_WORDS) skipEntries.push(0);
    const width = gapWidth(this.maxDoc, to - from);
    for (let i = from, last = -1; i < to; i++) {
      const doc = pairs.docAt(i);
      if (size > 1) bits.gapAndGamma(doc - last - 1, width, ranks[pairs.patternAt(i)]! + 1);
      else bits.gap(doc - last - 1, width);
      last = doc;
      // A record takes less than a block, so at most one block begins with it.
      if (skipEntries.length <= bits.full >>> SKIP_INTERVAL_WORDS)
        skipEntries.push((doc << SKIP_INTERVAL_BITS) | (bits.length & SKIP_OFFSET_MASK));
    }
  }

  /** Sorts the first `size` patterns that were found. */
  private sortFound(size: number): void {
    const { found } = this;
    if (size > FEW) {
      const sorted = found.slice(0, size).sort((a, b) => this.compare(a, b));
      for (let i = 0; i < size; i++) found[i] = sorted[i]!;
      return;
    }
    for (let i = 1; i < size; i++) {
      const pattern = found[i]!;
      let to = i;
      for (; to > 0 && this.compare(found[to - 1]!, pattern) > 0; to--) found[to] = found[to - 1]!;
      found[to] = pattern;
    }
  }

  /** Patterns of more records come first; ties are broken by their entries, because the numbers of patterns are arbitrary. */
  private compare(a: number, b: number): number {
    return this.counts[b]! - this.counts[a]! || this.patterns.compare(a, b);
  }

  /** Makes room for the patterns that were added since. */
  private grow(): void {
    this.counts = new Uint32Array(2 * this.patterns.size);
    this.ranks = new Uint32Array(2 * this.patterns.size);
  }
}

const LOW_BITS = 16;
const LOW = 0xffff;

/**
 * An array of pairs of a record and a pattern. A record takes 16 bits; the high bits of patterns are kept only if there are
 * any.
 */
export class DocPatternPairs {
  private readonly pairs: Uint32Array;
  private high: Uint16Array | null = null;

  constructor(size: number) {
    this.pairs = new Uint32Array(size);
  }

  docAt(index: number): number {
    return this.pairs[index]! >>> LOW_BITS;
  }

  patternAt(index: number): number {
    const low = this.pairs[index]! & LOW;
    return this.high === null ? low : ((this.high[index]! << LOW_BITS) | low) >>> 0;
  }

  set(index: number, doc: number, pattern: number): void {
    this.pairs[index] = (doc << LOW_BITS) | (pattern & LOW);
    if (this.high === null && pattern <= LOW) return;
    this.high ??= new Uint16Array(this.pairs.length);
    this.high[index] = pattern >>> LOW_BITS;
  }
}

/** The pattern without entries. */
export const EMPTY_PATTERN = 0;
/** Greater frequencies are kept as this one. */
const MAX_FREQUENCY = 0xffff;
const FIRST_TABLE = 256;

/** Numbers distinct patterns. Patterns form a trie: each is one entry and a link to its parent, the pattern of the entries before it. */
export class PatternTree {
  private readonly parents = new GrowableUint32();
  /** Of the last entry: the doc field, counted from the record's first one, and the frequency. */
  private readonly offsets = new GrowableUint32();
  private readonly freqs = new GrowableUint32();
  /** A hash table of pattern numbers, at most half full; 0 marks an unused bucket. */
  private table = new Uint32Array(FIRST_TABLE);

  /** Used by `write`; kept, because it is called for almost every list. */
  private readonly path: number[] = [];

  constructor() {
    this.push(EMPTY_PATTERN, 0, 0);
  }

  /** The number of patterns. */
  get size(): number {
    return this.parents.length;
  }

  /** The pattern with one more entry after those of `pattern`. */
  with(pattern: number, offset: number, freq: number): number {
    const { parents, offsets, freqs, table } = this;
    const mask = table.length - 1;
    let bucket = hashOfEntry(pattern, offset, freq) & mask;
    for (let known = table[bucket]!; known !== 0; known = table[bucket]!) {
      if (offsets.array[known] === offset && freqs.array[known] === freq && parents.array[known] === pattern)
        return known;
      bucket = (bucket + 1) & mask;
    }
    const made = this.push(pattern, offset, freq);
    table[bucket] = made;
    if (2 * made > mask) this.grow();
    return made;
  }

  /** The pattern with one more occurrence in the doc field `offset`, which is not before the last entry's. */
  withOneMore(pattern: number, offset: number): number {
    const isLast = pattern !== EMPTY_PATTERN && this.offsets.array[pattern] === offset;
    if (!isLast) return this.with(pattern, offset, 1);
    const freq = this.freqs.array[pattern]!;
    return freq < MAX_FREQUENCY ? this.with(this.parents.array[pattern]!, offset, freq + 1) : pattern;
  }

  /** Orders patterns by their entries, the last one first, not by their numbers; below 0 if `a` comes first. */
  compare(a: number, b: number): number {
    const { parents, offsets, freqs } = this;
    for (; a !== b; a = parents.array[a]!, b = parents.array[b]!) {
      // The pattern with fewer entries comes first.
      if (a === EMPTY_PATTERN || b === EMPTY_PATTERN) return a - b;
      const difference = offsets.array[a]! - offsets.array[b]! || freqs.array[a]! - freqs.array[b]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }

  /** Writes a pattern as `Patterns` reads it. Returns the number of its entries. */
  write(pattern: number, bits: BitWriter): number {
    const { parents, offsets, freqs } = this;
    const path = this.path;
    let left = 0;
    for (let node = pattern; node !== EMPTY_PATTERN; node = parents.array[node]!) path[left++] = node;
    const size = left;
    bits.gamma(size);
    let before = -1;
    while (left > 0) {
      const node = path[--left]!;
      bits.gamma(offsets.array[node]! - before);
      bits.gamma(freqs.array[node]!);
      before = offsets.array[node]!;
    }
    return size;
  }

  private push(parent: number, offset: number, freq: number): number {
    this.parents.push(parent);
    this.offsets.push(offset);
    this.freqs.push(freq);
    return this.size - 1;
  }

  private grow(): void {
    const table = new Uint32Array(2 * this.table.length);
    const mask = table.length - 1;
    for (let pattern = 1; pattern < this.size; pattern++) {
      const [parent, offset, freq] = [this.parents, this.offsets, this.freqs].map(({ array }) => array[pattern]!);
      let bucket = hashOfEntry(parent!, offset!, freq!) & mask;
      while (table[bucket] !== 0) bucket = (bucket + 1) & mask;
      table[bucket] = pattern;
    }
    this.table = table;
  }
}

function hashOfEntry(parent: number, offset: number, freq: number): number {
  let hash = Math.imul(parent ^ 0x9e3779b1, 0x85ebca6b);
  hash = Math.imul((hash ^ (hash >>> 15)) + offset, 0xc2b2ae35);
  hash = Math.imul((hash ^ (hash >>> 13)) + freq, 0x9e3779b1);
  return hash ^ (hash >>> 16);
}

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
