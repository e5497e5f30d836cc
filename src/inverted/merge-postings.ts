// Several segments' words become one segment's: the living records in their new order, with nothing analysed again. What comes
// out is, bit by bit, what writing these records would have given. Records stand in the order of their ids everywhere, so lists
// are merged as they are, term by term.

import { GrowableUint32 } from "../util/growable.js";
import { RunHeads } from "../util/sorted.js";
import type { Task } from "../util/tasks.js";
import { decodeList, type Patterns } from "./decode-list.js";
import { offsetAt } from "./offset-table.js";
import { FIELD_MASK, type Postings, TITLE_BIT } from "./postings.js";
import { ListCoder, NO_PLACES, Pairs, PatternTree, type Slots, SlotWriter } from "./postings-writer.js";
import { writeSpelling } from "./spelling-dictionary.js";
import { type TermDictionary, TermDictionaryWriter } from "./term-dictionary.js";
import { isFirstOfPart, readTitle, type TitleTable, TitleWriter, titleNumber } from "./title/title-table.js";

/** Postings read and written between two pauses: a fraction of a millisecond, or ten while the code is new. */
const PAUSE_EVERY = 1 << 12;
/** Records copied between two pauses. */
const PAUSE_EVERY_RECORD = 1 << 10;

/** Which records the merged segment has, and in which order; those of one segment keep theirs. */
interface MergeSource {
  /** Of each record its index into the list of segments. */
  readonly segments: Uint16Array;
  /** Its number within that segment. */
  readonly docs: Uint32Array;
}

/** The postings of the records of `source`. */
export function* mergePostings(segments: readonly Postings[], source: MergeSource): Task<Postings> {
  const places = segments.map(({ maxDoc }) => new Uint32Array(maxDoc));
  for (let doc = 0; doc < source.docs.length; doc++) places[source.segments[doc]!]![source.docs[doc]!] = doc + 1;
  yield;
  const { dictionary, lists, ordinals } = yield* mergeTerms(segments, places, source.docs.length);
  const slots = yield* mergeSlots(segments, source);
  const titles = yield* mergeTitles(segments, source, { ordinals, size: dictionary.size });
  const spelling = yield* writeSpelling({ dictionary, ...lists, ...slots });
  return { dictionary, ...lists, ...slots, titles, spelling };
}

interface MergedTerms {
  readonly dictionary: TermDictionary;
  readonly lists: Pick<Postings, "starts" | "listBits" | "skipEntries" | "size">;
  /** By segment and by its old ordinal: the new ordinal of each term that is left. */
  readonly ordinals: readonly Uint32Array[];
}

function* mergeTerms(
  segments: readonly Postings[],
  places: readonly Uint32Array[],
  docCount: number,
): Task<MergedTerms> {
  const titled: Uint8Array[] = [];
  for (const [i, postings] of segments.entries()) titled.push(yield* inTitles(postings, places[i]!));
  const tables = segments.map(({ dictionary }) => dictionary);
  const most = tables.reduce((total, { size }) => total + size, 0);
  const writer = new TermDictionaryWriter(
    most,
    tables.reduce((total, { parts }) => total + parts.characters.length, 0),
  );
  const starts = new Uint32Array(most + 1);
  const ordinals = tables.map(({ size }) => new Uint32Array(size));
  const merger = new ListMerger(segments, places, docCount);
  const walk = new TermWalk(tables);
  yield;
  for (let read = 0; walk.next(); ) {
    const count = merger.merge(walk.segments, walk.terms, walk.size);
    let isLeft = count > 0;
    for (let i = 0; i < walk.size; i++) {
      ordinals[walk.segments[i]!]![walk.terms[i]!] = writer.size;
      // A term may stand in a title but in no field that is indexed.
      isLeft ||= titled[walk.segments[i]!]![walk.terms[i]!] === 1;
    }
    if (isLeft) {
      walk.write(writer);
      starts[writer.size] = merger.coder.bits.length;
    }
    read += walk.size + count;
    if (read > PAUSE_EVERY) {
      read = 0;
      yield;
    }
  }
  yield;
  const lists = { ...merger.coder.finish(), starts: starts.slice(0, writer.size + 1) };
  return { dictionary: yield* writer.finish(), lists, ordinals };
}

/** By term: 1 where it stands in the title of a record that is left. */
function* inTitles({ dictionary, titles, maxDoc }: Postings, places: Uint32Array): Task<Uint8Array> {
  const titled = new Uint8Array(dictionary.size);
  if (!places.includes(0)) {
    for (const term of titles.terms) titled[term] = 1;
    yield;
    return titled;
  }
  const title = new GrowableUint32();
  for (let doc = 0; doc < maxDoc; doc++) {
    if (doc % PAUSE_EVERY_RECORD === 0) yield;
    if (places[doc] === 0) continue;
    readTitle(titles, doc, title);
    for (let at = 0; at < title.length; at++) titled[titles.terms[titleNumber(title.array[at]!)]!] = 1;
  }
  return titled;
}

function* mergeSlots(segments: readonly Postings[], { segments: sources, docs }: MergeSource): Task<Slots> {
  const writer = new SlotWriter();
  /** Of each segment its shapes' new numbers, counted from 1; 0: not met yet. */
  const shapes = segments.map(({ shapeFields }) => new Uint32Array(shapeFields.length));
  for (let i = 0; i < docs.length; i++) {
    if (i % PAUSE_EVERY_RECORD === 0) yield;
    const { docSlots, slotShape, shapeFields, shapeLengths, fields } = segments[sources[i]!]!;
    const known = shapes[sources[i]!]!;
    writer.beginRecord();
    const end = offsetAt(docSlots, docs[i]! + 1);
    for (let slot = offsetAt(docSlots, docs[i]!); slot < end; slot++) {
      const shape = slotShape[slot]!;
      if (known[shape] === 0) {
        const field = shapeFields[shape]!;
        const own = writer.fieldOf(fields[field & FIELD_MASK]!) | (field & TITLE_BIT);
        known[shape] = writer.shapeOf(own, shapeLengths[shape]!) + 1;
      }
      writer.add(known[shape]! - 1);
    }
  }
  return yield* writer.finish();
}

/** By segment and old ordinal: the new ordinal of a term; and how many terms there are. */
interface NewOrdinals {
  readonly ordinals: readonly Uint32Array[];
  readonly size: number;
}

function* mergeTitles(
  segments: readonly Postings[],
  { segments: sources, docs }: MergeSource,
  { ordinals, size }: NewOrdinals,
): Task<TitleTable> {
  const writer = new TitleWriter();
  const named = segments.map(({ titles }, i) => titles.terms.map((term) => ordinals[i]![term]!));
  const title = new GrowableUint32();
  for (let i = 0; i < docs.length; i++) {
    if (i % PAUSE_EVERY_RECORD === 0) yield;
    const terms = named[sources[i]!]!;
    writer.beginRecord();
    readTitle(segments[sources[i]!]!.titles, docs[i]!, title);
    for (let at = 0; at < title.length; at++) {
      const entry = title.array[at]!;
      writer.add(terms[titleNumber(entry)]!, isFirstOfPart(entry));
    }
  }
  return yield* writer.finish(size);
}

/** Merges list after list. */
class ListMerger {
  /** Of all lists so far. */
  readonly coder: ListCoder;
  private readonly segments: readonly Postings[];
  private readonly places: readonly Uint32Array[];
  private readonly patterns = new PatternTree();
  /** The records of the present list with their patterns, ascending. */
  private readonly pairs: Pairs;
  /** By rank of the list that is read: its pattern. */
  private readonly ranked: number[] = [];
  /** By record: its pattern. */
  private readonly patternOf: Uint32Array;
  /** Records of the present list: a bit each, and a bit for 32 of them. */
  private readonly members: Int32Array;
  private readonly summary: Int32Array;

  /** `places`: of each segment the new number of each record, from 1 on; 0: it is left behind. They ascend. */
  constructor(segments: readonly Postings[], places: readonly Uint32Array[], docCount: number) {
    const bits = segments.reduce((total, { starts, dictionary }) => total + starts[dictionary.size]!, 0);
    this.segments = segments;
    this.places = places;
    this.coder = new ListCoder(docCount, this.patterns, bits);
    this.pairs = new Pairs(docCount);
    this.patternOf = new Uint32Array(docCount);
    this.members = new Int32Array(Math.ceil(docCount / 32));
    this.summary = new Int32Array(Math.ceil(docCount / 1024));
  }

  /** Writes the list of a term that has the numbers `terms` in the first `size` of `segments`; returns how many records it has. */
  merge(segments: readonly number[], terms: readonly number[], size: number): number {
    let count = 0;
    if (size === 1) count = this.take(segments[0]!, terms[0]!);
    else {
      for (let i = 0; i < size; i++) this.scatter(segments[i]!, terms[i]!);
      count = this.gather();
    }
    if (count > 0) this.coder.write(this.pairs, 0, count);
    return count;
  }

  /** A list alone is in order. */
  private take(segment: number, term: number): number {
    const { pairs, ranked } = this;
    const places = this.places[segment]!;
    const { docs, ranks, patterns, size } = decodeList(this.segments[segment]!, term);
    if (size > 0) this.name(patterns);
    let count = 0;
    for (let at = 0; at < size; at++) {
      const place = places[docs[at]!]!;
      if (place > 0) pairs.set(count++, place - 1, ranked[ranks[at]!]!);
    }
    return count;
  }

  private scatter(segment: number, term: number): void {
    const { ranked } = this;
    const places = this.places[segment]!;
    const { docs, ranks, patterns, size } = decodeList(this.segments[segment]!, term);
    if (size > 0) this.name(patterns);
    for (let at = 0; at < size; at++) {
      const place = places[docs[at]!]!;
      if (place === 0) continue;
      const doc = place - 1;
      this.patternOf[doc] = ranked[ranks[at]!]!;
      this.members[doc >>> 5]! |= 1 << (doc & 31);
      this.summary[doc >>> 10]! |= 1 << ((doc >>> 5) & 31);
    }
  }

  /** Collects in order what was scattered, and leaves nothing behind. */
  private gather(): number {
    const { pairs, patternOf, members, summary } = this;
    let count = 0;
    for (let block = 0; block < summary.length; block++) {
      let words = summary[block]!;
      if (words === 0) continue;
      summary[block] = 0;
      for (; words !== 0; words &= words - 1) {
        const word = 32 * block + lowestBit(words);
        for (let bits = members[word]!; bits !== 0; bits &= bits - 1) {
          const doc = 32 * word + lowestBit(bits);
          pairs.set(count++, doc, patternOf[doc]!);
        }
        members[word] = 0;
      }
    }
    return count;
  }

  /** Finds the numbers of a list's patterns. */
  private name({ starts, offsets, freqs, size }: Patterns): void {
    for (let rank = 0; rank < size; rank++) {
      let pattern = NO_PLACES;
      for (let place = starts[rank]!; place < starts[rank + 1]!; place++)
        pattern = this.patterns.with(pattern, offsets[place]!, freqs[place]!);
      this.ranked[rank] = pattern;
    }
  }
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

/** Goes through the terms of all tables. */
class TermWalk {
  /** The tables that have the present term, and its number in each; `size` of them, what is behind is of no meaning. */
  readonly segments: number[] = [];
  readonly terms: number[] = [];
  size = 0;
  private readonly cursors: readonly TermCursor[];
  /** The keys of the cursors, side by side: most are told apart by nothing else. */
  private readonly keys: Float64Array;
  private readonly heads: RunHeads;
  private readonly present: TermCursor;

  constructor(tables: readonly TermDictionary[]) {
    this.cursors = tables.map((table) => new TermCursor(table));
    this.keys = new Float64Array(tables.length);
    const filled = [...this.cursors.keys()].filter((table) => this.advance(table));
    const { cursors, keys } = this;
    this.heads = new RunHeads(filled, (a, b) => {
      const difference = keys[a]! - keys[b]!;
      return difference === 0 ? cursors[a]!.compare(cursors[b]!) < 0 : difference < 0;
    });
    this.present = new TermCursor(tables[0]!);
  }

  /** Goes to the next term; false: there is none. */
  next(): boolean {
    const { cursors, keys, present } = this;
    this.size = 0;
    for (let table = this.heads.least; table !== undefined; table = this.heads.least) {
      const cursor = cursors[table]!;
      if (this.size === 0) present.follow(cursor);
      else if (present.key !== keys[table] || present.compare(cursor) !== 0) break;
      this.segments[this.size] = table;
      this.terms[this.size++] = cursor.number;
      this.heads.taken(this.advance(table));
    }
    return this.size > 0;
  }

  private advance(table: number): boolean {
    const cursor = this.cursors[table]!;
    const hasMore = cursor.next();
    this.keys[table] = cursor.key;
    return hasMore;
  }

  /** Adds the present term to names. */
  write(names: TermDictionaryWriter): void {
    this.present.write(names);
  }
}

/** The first characters as one number, which tells most names apart. */
const KEY_UNITS = 6;
/** Characters from this one on are not told apart by it, nor is what stands behind them. */
const GREAT = 0xff;

/** By how many characters a key has: what makes it one of all. */
const POWERS = Float64Array.from({ length: KEY_UNITS + 1 }, (_, units) => 256 ** (KEY_UNITS - units));

/** Goes through the names of a table in their order. */
class TermCursor {
  /** The present name's; -1 before the first. */
  number = -1;
  private table: TermDictionary;
  private bytes: Uint8Array;
  private from = 0;
  private to = 0;
  private isWide = false;
  /** Orders names as they are ordered, where it differs. */
  key = 0;

  constructor(table: TermDictionary) {
    this.table = table;
    this.bytes = table.parts.characters;
  }

  /** Goes to the next name; false: there is none. */
  next(): boolean {
    const { offsets, wide, size } = this.table.parts;
    if (++this.number >= size) return false;
    this.from = this.to;
    this.to = offsetAt(offsets, this.number + 1);
    this.isWide = ((wide[this.number >>> 5]! >>> (this.number & 31)) & 1) === 1;
    this.key = this.isWide ? this.wideKey() : this.narrowKey();
    return true;
  }

  /** Goes to where another stands, be it in another table. */
  follow(other: TermCursor): void {
    this.table = other.table;
    this.bytes = other.bytes;
    this.number = other.number;
    this.from = other.from;
    this.to = other.to;
    this.isWide = other.isWide;
    this.key = other.key;
  }

  /** Below 0: the present name comes before another's. */
  compare(other: TermCursor): number {
    return this.key - other.key || this.compareUnits(other);
  }

  /** Adds the present name to others. */
  write(names: TermDictionaryWriter): void {
    names.addBytes(this.bytes, [this.from, this.to], this.isWide);
  }

  private compareUnits(other: TermCursor): number {
    const length = this.length;
    const otherLength = other.length;
    const shared = Math.min(length, otherLength);
    for (let at = 0; at < shared; at++) {
      const difference = this.unitAt(at) - other.unitAt(at);
      if (difference !== 0) return difference;
    }
    return length - otherLength;
  }

  private get length(): number {
    return this.isWide ? (this.to - this.from) >>> 1 : this.to - this.from;
  }

  private unitAt(at: number): number {
    const { bytes, from } = this;
    return this.isWide ? bytes[from + 2 * at]! | (bytes[from + 2 * at + 1]! << 8) : bytes[from + at]!;
  }

  private narrowKey(): number {
    const { bytes, from } = this;
    const length = Math.min(KEY_UNITS, this.to - from);
    let key = 0;
    let at = 0;
    while (at < length) {
      const unit = bytes[from + at++]!;
      key = key * 256 + unit;
      if (unit === GREAT) break;
    }
    return key * POWERS[at]!;
  }

  private wideKey(): number {
    const length = Math.min(KEY_UNITS, this.length);
    let key = 0;
    let at = 0;
    while (at < length) {
      const unit = Math.min(GREAT, this.unitAt(at++));
      key = key * 256 + unit;
      if (unit === GREAT) break;
    }
    return key * POWERS[at]!;
  }
}
