// Builds the postings of one segment: records come in the order of their ids, their fields in the order of their names,
// terms as they are read. Their occurrences are kept, slot after slot, and become lists at the end.

import { GrowableUint32, narrowed } from "../util/growable.js";
import type { Task } from "../util/tasks.js";
import { BitWriter, gapWidth } from "./bits.js";
import { offsetTable } from "./offset-table.js";
import { SKIP_INTERVAL_BITS, SKIP_OFFSET_MASK } from "./posting-cursor.js";
import { FIELD_MASK, type Postings, TITLE_BIT } from "./postings.js";
import { sortTerms } from "./sort-terms.js";
import { writeSpelling } from "./spelling-dictionary.js";
import { TermHashTable, writeDictionary } from "./term-dictionary.js";
import { TitleWriter } from "./title/title-table.js";

/** About how often a term stands in a segment. */
const OCCURRENCES_OF_TERM = 8;

/** Collects the postings of a segment; used once. */
export class PostingsWriter {
  private readonly names: TermHashTable;
  /** The terms, occurrence after occurrence. */
  private readonly terms: GrowableUint32;
  /** Of each slot its first occurrence: those of a slot stand together. */
  private readonly slotStarts = new GrowableUint32();
  private readonly slots = new SlotWriter();
  /** The present field, perhaps with TITLE_BIT. */
  private field = 0;
  /** The titles of the records. */
  readonly titles: TitleWriter = new TitleWriter();

  /** `expected`: about how many terms there will be; growing a large array would block for long. */
  constructor(expected = 256) {
    this.terms = new GrowableUint32(expected);
    this.names = new TermHashTable(expected / OCCURRENCES_OF_TERM);
  }

  /** Begins the next record; its fields follow in code unit order of their names. */
  beginRecord(): void {
    this.slots.beginRecord();
    this.titles.beginRecord();
  }

  /** Begins a field of the present record. */
  beginField(name: string, isTitle: boolean): void {
    this.field = this.slots.fieldOf(name) | (isTitle ? TITLE_BIT : 0);
    this.slotStarts.push(this.terms.length);
  }

  /** The number by which this writer knows a term; it gets one when it has none. `isOwn`: the text holds no longer one alive. */
  numberOf(text: string, isOwn = false): number {
    return this.names.numberOf(text, isOwn);
  }

  /** Adds a term to the present field. */
  add(text: string): void {
    this.addNumber(this.numberOf(text));
  }

  /** The same of a term given by its number. */
  addNumber(term: number): void {
    this.terms.push(term);
  }

  /** The same of the terms whose numbers stand there. */
  addNumbers(numbers: Int32Array, from: number, end: number): void {
    this.terms.pushFrom(numbers, from, end);
  }

  /** Ends the present field: it has so many tokens. */
  endField(tokens: number): void {
    this.slots.add(this.slots.shapeOf(this.field, tokens));
  }

  /** The finished postings; the writer is of no use afterwards. */
  *finish(): Task<Postings> {
    const { texts } = this.names;
    const order = yield* sortTerms(texts);
    const dictionary = yield* writeDictionary(this.names, order);
    const slots = yield* this.slots.finish();
    this.slotStarts.push(this.terms.length);
    const lists = yield* codePostings(
      {
        size: this.terms.length,
        terms: this.terms.array,
        maxDoc: slots.maxDoc,
        docSlots: this.slots.docSlots.array,
        slotStarts: this.slotStarts.array,
      },
      order,
    );
    const numbers = new Uint32Array(order.length);
    for (let number = 0; number < order.length; number++) numbers[order[number]!] = number;
    const titles = yield* this.titles.finish(order.length, numbers);
    const spelling = yield* writeSpelling({ dictionary, ...lists, ...slots });
    return { dictionary, ...lists, ...slots, titles, spelling };
  }
}

const MAX_LENGTH = 0xffff;

/** What of a segment's postings its slots are. */
export type Slots = Pick<
  Postings,
  "maxDoc" | "docSlots" | "slotShape" | "shapeFields" | "shapeLengths" | "fields" | "fieldLengths" | "fieldDocs"
>;

/** Collects the slots of records, in their order. */
export class SlotWriter {
  /** Of each record its first slot. */
  readonly docSlots: GrowableUint32 = new GrowableUint32();
  maxDoc = 0;
  private readonly slotShape = new GrowableUint32();
  private readonly fieldNumbers = new Map<string, number>();
  /** Field and length of each shape, in one number. */
  private readonly keys: number[] = [];
  /** By field, and length: the number of the shape, from 1 on. */
  private readonly shapes = new Map<number, number[]>();
  /** Of each shape how many slots are of it. */
  private readonly counts: number[] = [];

  /** Begins the next record. */
  beginRecord(): void {
    this.docSlots.push(this.slotShape.length);
    this.maxDoc++;
  }

  /** The number of a field; it gets one when it has none. */
  fieldOf(name: string): number {
    let field = this.fieldNumbers.get(name);
    if (field === undefined) {
      field = this.fieldNumbers.size;
      this.fieldNumbers.set(name, field);
    }
    return field;
  }

  /** The number of the shape of a field, perhaps with TITLE_BIT, that has so many tokens; it gets one when it has none. */
  shapeOf(field: number, tokens: number): number {
    let ofField = this.shapes.get(field);
    if (ofField === undefined) {
      ofField = [];
      this.shapes.set(field, ofField);
    }
    const shape = ofField[tokens] ?? 0;
    if (shape > 0) return shape - 1;
    this.counts.push(0);
    ofField[tokens] = this.keys.push(field * (MAX_LENGTH + 1) + tokens);
    return this.keys.length - 1;
  }

  /** Adds the next slot of the present record. */
  add(shape: number): void {
    this.slotShape.push(shape);
    this.counts[shape]!++;
  }

  /** The finished slots; `docSlots` ends with the number of all. The writer is of no use afterwards. */
  *finish(): Task<Slots> {
    this.docSlots.push(this.slotShape.length);
    const docSlots = yield* offsetTable(this.docSlots.toArray());
    const { keys } = this;
    const fieldLengths = new Array<number>(this.fieldNumbers.size).fill(0);
    const fieldDocs = fieldLengths.slice();
    for (const [shape, key] of keys.entries()) {
      const field = Math.floor(key / (MAX_LENGTH + 1)) & FIELD_MASK;
      fieldLengths[field]! += this.counts[shape]! * (key % (MAX_LENGTH + 1));
      fieldDocs[field]! += this.counts[shape]!;
    }
    return {
      maxDoc: this.maxDoc,
      docSlots,
      slotShape: narrowed(this.slotShape.array.subarray(0, this.slotShape.length), keys.length),
      shapeFields: Uint32Array.from(keys, (key) => Math.floor(key / (MAX_LENGTH + 1))),
      shapeLengths: Uint16Array.from(keys, (key) => key % (MAX_LENGTH + 1)),
      fields: [...this.fieldNumbers.keys()],
      fieldLengths,
      fieldDocs,
    };
  }
}

/** Occurrences of terms, slot after slot, and the slots of one record after those of another. */
interface Occurrences {
  readonly size: number;
  readonly terms: Uint32Array;
  readonly maxDoc: number;
  /** The slots of record d are docSlots[d] … docSlots[d + 1] - 1. */
  readonly docSlots: Uint32Array;
  /** The occurrences in slot s are slotStarts[s] … slotStarts[s + 1] - 1. */
  readonly slotStarts: Uint32Array;
}

/** Occurrences between two pauses. */
const PAUSE_EVERY = 1 << 15;
/** Bits of an occurrence, about. */
const EXPECTED_BITS = 9;
/** Of each term its last record, and where the next one is put; side by side, because both are asked for. */
const HEAD = 2;
const LAST = 0;
const PLACE = 1;
const NONE = 0xffff_ffff;

/** The lists in the order of `order`, which has the terms that occur in their new order. */
function* codePostings(
  given: Occurrences,
  order: Uint32Array,
): Task<Pick<Postings, "size" | "starts" | "listBits" | "skipEntries">> {
  const patterns = new PatternTree();
  const { heads, pairs } = yield* byTerm(given, order, patterns);
  const coder = new ListCoder(given.maxDoc, patterns, EXPECTED_BITS * given.size);
  const { bits } = coder;
  const starts = new Uint32Array(order.length + 1);
  for (let term = 0, from = 0, written = 0; term < order.length; term++) {
    starts[term] = bits.length;
    const to = heads[HEAD * order[term]! + PLACE]!;
    // A term may stand in a title but in no field that is indexed.
    if (from < to) coder.write(pairs, from, to);
    written += 1 + to - from;
    from = to;
    if (written > PAUSE_EVERY) {
      written = 0;
      yield;
    }
  }
  starts[order.length] = bits.length;
  yield;
  return { starts, ...coder.finish() };
}

/** The records of each term with their patterns, term after term; `heads` by the number that the term has among the occurrences. */
function* byTerm(
  given: Occurrences,
  order: Uint32Array,
  patterns: PatternTree,
): Task<{ readonly heads: Uint32Array; readonly pairs: Pairs }> {
  const heads = new Uint32Array(HEAD * order.length);
  for (let head = 0; head < heads.length; head += HEAD) heads[head + LAST] = NONE;
  yield;
  for (let doc = 0, seen = 0; doc < given.maxDoc; doc++) {
    seen += countDocFreqs(doc, given, heads);
    if (seen > PAUSE_EVERY) {
      seen = 0;
      yield;
    }
  }
  let size = 0;
  for (let number = 0; number < order.length; number++) {
    const head = HEAD * order[number]!;
    const count = heads[head + PLACE]!;
    heads[head + LAST] = NONE;
    heads[head + PLACE] = size;
    size += count;
    if (number % PAUSE_EVERY === 0) yield;
  }
  const pairs = new Pairs(size);
  yield;
  for (let doc = 0, seen = 0; doc < given.maxDoc; doc++) {
    seen += placeRecord(doc, given, heads, pairs, patterns);
    if (seen > PAUSE_EVERY) {
      seen = 0;
      yield;
    }
  }
  return { heads, pairs };
}

/** Counts a record for each of its terms, where their places will be; how many occurrences it has. */
function countDocFreqs(doc: number, { terms, docSlots, slotStarts }: Occurrences, heads: Uint32Array): number {
  const first = slotStarts[docSlots[doc]!]!;
  const end = slotStarts[docSlots[doc + 1]!]!;
  for (let at = first; at < end; at++) {
    const head = HEAD * terms[at]!;
    if (heads[head + LAST] === doc) continue;
    heads[head + LAST] = doc;
    heads[head + PLACE]!++;
  }
  return end - first;
}

/** Puts a record behind those before it in the lists of its terms; how many occurrences it has. */
function placeRecord(
  doc: number,
  { terms, docSlots, slotStarts }: Occurrences,
  heads: Uint32Array,
  pairs: Pairs,
  patterns: PatternTree,
): number {
  const [firstSlot, endSlot] = [docSlots[doc]!, docSlots[doc + 1]!];
  const first = slotStarts[firstSlot]!;
  let at = first;
  for (let slot = firstSlot; slot < endSlot; slot++) {
    const once = patterns.withOneMore(NO_PLACES, slot - firstSlot);
    for (const end = slotStarts[slot + 1]!; at < end; at++) {
      const head = HEAD * terms[at]!;
      if (heads[head + LAST] === doc) {
        const last = heads[head + PLACE]! - 1;
        pairs.set(last, doc, patterns.withOneMore(pairs.patternAt(last), slot - firstSlot));
      } else {
        heads[head + LAST] = doc;
        pairs.set(heads[head + PLACE]!++, doc, once);
      }
    }
  }
  return at - first;
}

/** Words of 32 bits of a block, as a power of two. */
const BLOCK_WORDS = SKIP_INTERVAL_BITS - 5;
/** Longer lists of patterns are worth a sort of V8's. */
const FEW = 16;

/** Codes the lists of a segment. */
export class ListCoder {
  readonly bits: BitWriter;
  /** Of each block of bits where in it a record begins, and above that the record before. */
  readonly skipEntries: GrowableUint32 = new GrowableUint32();
  private readonly docCount: number;
  private readonly patterns: PatternTree;
  /** Postings written: a record's is one for each field in which it holds the term. */
  postings = 0;
  /** By pattern: how many records of the present list have it, and its rank among those of the list. */
  private counts: Uint32Array;
  private ranks: Uint32Array;
  /** The patterns of the present list stand at its beginning; what is behind them is of no meaning. */
  private readonly found: number[] = [];

  constructor(docCount: number, patterns: PatternTree, expectedBits: number) {
    this.docCount = docCount;
    this.patterns = patterns;
    this.counts = new Uint32Array(patterns.size);
    this.ranks = new Uint32Array(patterns.size);
    this.bits = new BitWriter(expectedBits);
    this.skipEntries.push(0);
  }

  /** The lists so far. Nothing can be written afterwards. */
  finish(): Pick<Postings, "listBits" | "skipEntries" | "size"> {
    return { listBits: this.bits.toWords(), skipEntries: this.skipEntries.toArray(), size: this.postings };
  }

  /** Writes the list of the records from number `from` of `pairs` up to number `to`, which ascend; there is at least one. */
  write(pairs: Pairs, from: number, to: number): void {
    if (this.counts.length < this.patterns.size) this.grow();
    const { bits, counts, ranks, skipEntries } = this;
    const found = this.found;
    let size = 0;
    for (let at = from; at < to; at++) {
      const pattern = pairs.patternAt(at);
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
    // No record of this list begins before.
    while (skipEntries.length <= bits.full >>> BLOCK_WORDS) skipEntries.push(0);
    const width = gapWidth(this.docCount, to - from);
    for (let at = from, last = -1; at < to; at++) {
      const doc = pairs.docAt(at);
      if (size > 1) bits.gapAndGamma(doc - last - 1, width, ranks[pairs.patternAt(at)]! + 1);
      else bits.gap(doc - last - 1, width);
      last = doc;
      // A record is shorter than a block.
      if (skipEntries.length <= bits.full >>> BLOCK_WORDS)
        skipEntries.push((doc << SKIP_INTERVAL_BITS) | (bits.length & SKIP_OFFSET_MASK));
    }
  }

  /** Puts the first `size` patterns that were found in order. Few are put in order where they stand. */
  private sortFound(size: number): void {
    const { found } = this;
    if (size > FEW) {
      const sorted = found.slice(0, size).sort((a, b) => this.compare(a, b));
      for (let at = 0; at < size; at++) found[at] = sorted[at]!;
      return;
    }
    for (let at = 1; at < size; at++) {
      const pattern = found[at]!;
      let to = at;
      for (; to > 0 && this.compare(found[to - 1]!, pattern) > 0; to--) found[to] = found[to - 1]!;
      found[to] = pattern;
    }
  }

  /** Those with the most records come first, and of equal ones it is their places that tell: their numbers may be any. */
  private compare(a: number, b: number): number {
    return this.counts[b]! - this.counts[a]! || this.patterns.compare(a, b);
  }

  /** New patterns came since. */
  private grow(): void {
    this.counts = new Uint32Array(2 * this.patterns.size);
    this.ranks = new Uint32Array(2 * this.patterns.size);
  }
}

const LOW_BITS = 16;
const LOW = 0xffff;

/** So many pairs of a record below 65,536 and a pattern. */
export class Pairs {
  private readonly pairs: Uint32Array;
  private high: Uint16Array | null = null;

  constructor(size: number) {
    this.pairs = new Uint32Array(size);
  }

  docAt(place: number): number {
    return this.pairs[place]! >>> LOW_BITS;
  }

  patternAt(place: number): number {
    const low = this.pairs[place]! & LOW;
    return this.high === null ? low : ((this.high[place]! << LOW_BITS) | low) >>> 0;
  }

  set(place: number, doc: number, pattern: number): void {
    this.pairs[place] = (doc << LOW_BITS) | (pattern & LOW);
    if (this.high === null && pattern <= LOW) return;
    this.high ??= new Uint16Array(this.pairs.length);
    this.high[place] = pattern >>> LOW_BITS;
  }
}

/** The pattern of no place. */
export const NO_PLACES = 0;
/** More occurrences are not told apart. */
const MAX_FREQUENCY = 0xffff;
const FIRST_TABLE = 256;

/** Patterns by number. */
export class PatternTree {
  /** Of each pattern the one without its last place, which of its record's slots that is, and how often the term stands there. */
  private readonly parents = new GrowableUint32();
  private readonly offsets = new GrowableUint32();
  private readonly freqs = new GrowableUint32();
  /** Patterns by hash; 0: none. At most half of it is used. */
  private table = new Uint32Array(FIRST_TABLE);

  /** Those of the pattern that is written; kept, because most lists have a pattern of their own to write. */
  private readonly places: number[] = [];

  constructor() {
    this.push(NO_PLACES, 0, 0);
  }

  /** How many there are. */
  get size(): number {
    return this.parents.length;
  }

  /** A pattern with a place more, behind its others. */
  with(pattern: number, offset: number, freq: number): number {
    const { parents, offsets, freqs, table } = this;
    const mask = table.length - 1;
    let at = hashOfPlace(pattern, offset, freq) & mask;
    for (let known = table[at]!; known !== 0; known = table[at]!) {
      if (offsets.array[known] === offset && freqs.array[known] === freq && parents.array[known] === pattern)
        return known;
      at = (at + 1) & mask;
    }
    const made = this.push(pattern, offset, freq);
    table[at] = made;
    if (2 * made > mask) this.grow();
    return made;
  }

  /** A pattern with one occurrence more at `offset`, which is that of its last place or comes behind it. */
  withOneMore(pattern: number, offset: number): number {
    const isLast = pattern !== NO_PLACES && this.offsets.array[pattern] === offset;
    if (!isLast) return this.with(pattern, offset, 1);
    const freq = this.freqs.array[pattern]!;
    return freq < MAX_FREQUENCY ? this.with(this.parents.array[pattern]!, offset, freq + 1) : pattern;
  }

  /** The order of patterns by their places, whatever their numbers: below 0, `a` comes before `b`. */
  compare(a: number, b: number): number {
    const { parents, offsets, freqs } = this;
    for (; a !== b; a = parents.array[a]!, b = parents.array[b]!) {
      // Only NO_PLACES ends before another does.
      if (a === NO_PLACES || b === NO_PLACES) return a - b;
      const difference = offsets.array[a]! - offsets.array[b]! || freqs.array[a]! - freqs.array[b]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }

  /** Writes a pattern as `Patterns` reads it; returns how many places it has. */
  write(pattern: number, bits: BitWriter): number {
    const { parents, offsets, freqs } = this;
    const places = this.places;
    let left = 0;
    for (let at = pattern; at !== NO_PLACES; at = parents.array[at]!) places[left++] = at;
    const size = left;
    bits.gamma(size);
    let before = -1;
    while (left > 0) {
      const at = places[--left]!;
      bits.gamma(offsets.array[at]! - before);
      bits.gamma(freqs.array[at]!);
      before = offsets.array[at]!;
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
      const parts = [this.parents, this.offsets, this.freqs].map(({ array }) => array[pattern]!);
      let at = hashOfPlace(parts[0]!, parts[1]!, parts[2]!) & mask;
      while (table[at] !== 0) at = (at + 1) & mask;
      table[at] = pattern;
    }
    this.table = table;
  }
}

function hashOfPlace(parent: number, offset: number, freq: number): number {
  let hash = Math.imul(parent ^ 0x9e3779b1, 0x85ebca6b);
  hash = Math.imul((hash ^ (hash >>> 15)) + offset, 0xc2b2ae35);
  hash = Math.imul((hash ^ (hash >>> 13)) + freq, 0x9e3779b1);
  return hash ^ (hash >>> 16);
}
