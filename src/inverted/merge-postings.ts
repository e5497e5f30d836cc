// Merges the postings of several segments into those of one, with the records that are not deleted. Nothing is analysed again:
// the posting lists are merged term by term. The result is the same, bit by bit, as if the records had been written again,
// because every segment has its records in the order of their ids.

import { type DocArray, type LocalDoc, lowestOne } from "../util/doc-set.js";
import { GrowableUint32, offsetAt } from "../util/offset-table.js";
import { RunHeads } from "../util/sorted.js";
import type { Task } from "../util/tasks.js";
import { TextTableWriter } from "../util/text-table.js";
import {
  DocPatternPairs,
  decodeList,
  EMPTY_PATTERN,
  ListCoder,
  type Patterns,
  PatternTree,
  type WrittenLists,
} from "./list-codec.js";
import { allLists, FIELD_MASK, type ListBits, type Postings, TITLE_BIT } from "./postings.js";
import { type DocFields, NormsWriter } from "./postings-writer.js";
import { writeSpelling } from "./spelling-dictionary.js";
import { TermDictionary } from "./term-dictionary.js";
import {
  loadTitles,
  readTitle,
  roleAt,
  type TitleTable,
  TitleWriter,
  titleNumber,
  titleReader,
} from "./title/title-table.js";

/** Postings read and written between two pauses: a fraction of a millisecond, or ten before the code is optimised. */
const PAUSE_EVERY = 1 << 12;
/** Records copied between two pauses. */
const PAUSE_EVERY_RECORD = 1 << 10;

/** The records of the merged segment, in their order. Records of one segment keep their order. */
interface MergeSource {
  /** By record: the index of its old segment in the list of segments. */
  readonly segments: Uint16Array;
  /** By record: its number within the old segment. */
  readonly docs: DocArray<LocalDoc>;
}

/** Merges the postings of the records of `source`. */
export function* mergePostings(segments: readonly Postings[], source: MergeSource): Task<Postings> {
  const newDocs = segments.map(({ maxDoc }) => new Uint32Array(maxDoc));
  for (let doc = 0; doc < source.docs.length; doc++) newDocs[source.segments[doc]!]![source.docs[doc]!] = doc + 1;
  yield* loadTitles(segments.map(({ titles }) => titles));
  const { dictionary, lists, ordinals } = yield* mergeTerms(segments, newDocs, source.docs.length);
  const docFields = yield* mergeNorms(segments, source);
  const titles = yield* mergeTitles(segments, source, { ordinals, size: dictionary.size });
  const spelling = yield* writeSpelling({ dictionary, ...lists, ...docFields });
  return { dictionary, ...lists, ...docFields, titles, spelling };
}

/** `ordinals`: by segment and old ordinal the new one of each term that is left. */
function* mergeTerms(
  segments: readonly Postings[],
  newDocs: readonly Uint32Array[],
  maxDoc: number,
): Task<{
  readonly dictionary: TermDictionary;
  readonly lists: WrittenLists & Pick<Postings, "starts">;
  readonly ordinals: readonly Uint32Array[];
}> {
  const titled: Uint8Array[] = [];
  for (const [i, postings] of segments.entries()) titled.push(yield* inTitles(postings, newDocs[i]!));
  const tables = segments.map(({ dictionary }) => dictionary);
  const most = tables.reduce((total, { size }) => total + size, 0);
  const writer = new TextTableWriter(
    most,
    tables.reduce((total, { parts }) => total + parts.characters.length, 0),
  );
  const starts = new Uint32Array(most + 1);
  const ordinals = tables.map(({ size }) => new Uint32Array(size));
  const bits: ListBits[] = [];
  for (const postings of segments) bits.push(yield* allLists(postings));
  const merger = new ListMerger({ segments, bits, newDocs }, maxDoc);
  const walk = new TermWalk(tables);
  yield;
  for (let read = 0; walk.next(); ) {
    const count = merger.merge(walk.segments, walk.terms, walk.size);
    let isLeft = count > 0;
    for (let i = 0; i < walk.size; i++) {
      ordinals[walk.segments[i]!]![walk.terms[i]!] = writer.size;
      // A term may occur in a title but in no indexed field.
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
  return { dictionary: new TermDictionary(yield* writer.finish()), lists, ordinals };
}

/** By ordinal: 1 if the title of a record that is kept holds the term. */
function* inTitles({ dictionary, titles, maxDoc }: Postings, newDocs: Uint32Array): Task<Uint8Array> {
  const titled = new Uint8Array(dictionary.size);
  if (!newDocs.includes(0)) {
    for (const term of titles.terms) titled[term] = 1;
    yield;
    return titled;
  }
  const reader = titleReader(titles);
  const title = new GrowableUint32();
  for (let doc = 0 as LocalDoc; doc < maxDoc; doc++) {
    if (doc % PAUSE_EVERY_RECORD === 0) yield;
    if (newDocs[doc] === 0) continue;
    readTitle(reader, doc, title);
    for (let at = 0; at < title.length; at++) titled[titles.terms[titleNumber(title.array[at]!)]!] = 1;
  }
  return titled;
}

function* mergeNorms(segments: readonly Postings[], { segments: sources, docs }: MergeSource): Task<DocFields> {
  const writer = new NormsWriter();
  /** By segment and old norm: the new norm plus 1; 0: not known yet. */
  const norms = segments.map(({ normFields }) => new Uint32Array(normFields.length));
  for (let i = 0; i < docs.length; i++) {
    if (i % PAUSE_EVERY_RECORD === 0) yield;
    const { docFields, fieldNorms, normFields, normLengths, fields } = segments[sources[i]!]!;
    const known = norms[sources[i]!]!;
    writer.beginRecord();
    const end = offsetAt(docFields, docs[i]! + 1);
    for (let docField = offsetAt(docFields, docs[i]!); docField < end; docField++) {
      const norm = fieldNorms[docField]!;
      if (known[norm] === 0) {
        const field = normFields[norm]!;
        const own = writer.fieldOf(fields[field & FIELD_MASK]!) | (field & TITLE_BIT);
        known[norm] = writer.normOf(own, normLengths[norm]!) + 1;
      }
      writer.add(known[norm]! - 1);
    }
  }
  return yield* writer.finish();
}

function* mergeTitles(
  segments: readonly Postings[],
  { segments: sources, docs }: MergeSource,
  { ordinals, size }: { readonly ordinals: readonly Uint32Array[]; readonly size: number },
): Task<TitleTable> {
  const writer = new TitleWriter();
  const readers = segments.map(({ titles }) => titleReader(titles));
  const named = segments.map(({ titles }, i) => titles.terms.map((term) => ordinals[i]![term]!));
  const title = new GrowableUint32();
  for (let i = 0; i < docs.length; i++) {
    if (i % PAUSE_EVERY_RECORD === 0) yield;
    const terms = named[sources[i]!]!;
    writer.beginRecord();
    readTitle(readers[sources[i]!]!, docs[i]!, title);
    for (let at = 0; at < title.length; at++) {
      const entry = title.array[at]!;
      writer.add(terms[titleNumber(entry)]!, roleAt(entry));
    }
  }
  return yield* writer.finish(size);
}

/** The lists to merge. */
interface ListSource {
  readonly segments: readonly Postings[];
  /** By segment: all its posting lists. */
  readonly bits: readonly ListBits[];
  /** By segment and old record: the new record plus 1; 0: it is not kept. They ascend. */
  readonly newDocs: readonly Uint32Array[];
}

/** Merges posting lists, one term at a time. */
class ListMerger {
  /** Writes the merged lists. */
  readonly coder: ListCoder;
  private readonly segments: readonly Postings[];
  private readonly bits: readonly ListBits[];
  private readonly newDocs: readonly Uint32Array[];
  private readonly patterns = new PatternTree();
  /** The records of the current list with their patterns, ascending. */
  private readonly pairs: DocPatternPairs;
  /** By rank in the list that is read: the pattern's number in `patterns`. */
  private readonly patternByRank: number[] = [];
  /** By record of the current list: its pattern. */
  private readonly patternOf: Uint32Array;
  /** The records of the current list as bits; and a bit for each word of these that is not 0. */
  private readonly members: Int32Array;
  private readonly summary: Int32Array;

  /** `maxDoc`: how many records are kept. */
  constructor({ segments, bits, newDocs }: ListSource, maxDoc: number) {
    const size = segments.reduce((total, { starts, dictionary }) => total + starts[dictionary.size]!, 0);
    this.segments = segments;
    this.bits = bits;
    this.newDocs = newDocs;
    this.coder = new ListCoder(maxDoc, this.patterns, size);
    this.pairs = new DocPatternPairs(maxDoc);
    this.patternOf = new Uint32Array(maxDoc);
    this.members = new Int32Array(Math.ceil(maxDoc / 32));
    this.summary = new Int32Array(Math.ceil(maxDoc / 1024));
  }

  /**
   * Writes the list of a term, whose ordinal is terms[i] in the segment segments[i], i < size. Returns the number of its
   * records.
   */
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

  /** Reads a list that only one segment has: its records are in order. */
  private take(segment: number, term: number): number {
    const { pairs, patternByRank } = this;
    const newDocs = this.newDocs[segment]!;
    const { docs, ranks, patterns, size } = decodeList(this.segments[segment]!, term, this.bits[segment]!);
    if (size > 0) this.findPatterns(patterns);
    let count = 0;
    for (let at = 0; at < size; at++) {
      const newDoc = newDocs[docs[at]!]!;
      if (newDoc > 0) pairs.set(count++, newDoc - 1, patternByRank[ranks[at]!]!);
    }
    return count;
  }

  /** Sets the bits and the patterns of the records of a list. */
  private scatter(segment: number, term: number): void {
    const { patternByRank } = this;
    const newDocs = this.newDocs[segment]!;
    const { docs, ranks, patterns, size } = decodeList(this.segments[segment]!, term, this.bits[segment]!);
    if (size > 0) this.findPatterns(patterns);
    for (let at = 0; at < size; at++) {
      const newDoc = newDocs[docs[at]!]!;
      if (newDoc === 0) continue;
      const doc = newDoc - 1;
      this.patternOf[doc] = patternByRank[ranks[at]!]!;
      this.members[doc >>> 5]! |= 1 << (doc & 31);
      this.summary[doc >>> 10]! |= 1 << ((doc >>> 5) & 31);
    }
  }

  /** Collects the records in order, and clears the bits. */
  private gather(): number {
    const { pairs, patternOf, members, summary } = this;
    let count = 0;
    for (let block = 0; block < summary.length; block++) {
      let words = summary[block]!;
      if (words === 0) continue;
      summary[block] = 0;
      for (; words !== 0; words &= words - 1) {
        const word = 32 * block + lowestOne(words);
        for (let bits = members[word]!; bits !== 0; bits &= bits - 1) {
          const doc = 32 * word + lowestOne(bits);
          pairs.set(count++, doc, patternOf[doc]!);
        }
        members[word] = 0;
      }
    }
    return count;
  }

  /** Finds the numbers of a list's patterns in `patterns`. */
  private findPatterns({ starts, offsets, freqs, size }: Patterns): void {
    for (let rank = 0; rank < size; rank++) {
      let pattern = EMPTY_PATTERN;
      for (let entry = starts[rank]!; entry < starts[rank + 1]!; entry++)
        pattern = this.patterns.with(pattern, offsets[entry]!, freqs[entry]!);
      this.patternByRank[rank] = pattern;
    }
  }
}

/** Visits the terms of several dictionaries in order, each term once. */
class TermWalk {
  /** The dictionaries that have the current term, and its ordinal in each; only the first `size` are valid. */
  readonly segments: number[] = [];
  readonly terms: number[] = [];
  size = 0;
  private readonly tables: readonly TermDictionary[];
  /** By dictionary: the ordinal of its next term. */
  private readonly ordinals: Uint32Array;
  private readonly heads: RunHeads;

  constructor(tables: readonly TermDictionary[]) {
    const ordinals = new Uint32Array(tables.length);
    this.tables = tables;
    this.ordinals = ordinals;
    this.heads = new RunHeads(
      [...tables.keys()].filter((table) => tables[table]!.size > 0),
      (a, b) => tables[a]!.compareWith(ordinals[a]!, tables[b]!, ordinals[b]!) < 0,
    );
  }

  /** Moves to the next term; false if there is none. */
  next(): boolean {
    const { tables, segments, terms } = this;
    this.size = 0;
    for (let table = this.heads.least; table !== undefined; table = this.heads.least) {
      const ordinal = this.ordinals[table]!;
      if (this.size > 0 && tables[segments[0]!]!.compareWith(terms[0]!, tables[table]!, ordinal) !== 0) break;
      segments[this.size] = table;
      terms[this.size++] = ordinal;
      this.ordinals[table] = ordinal + 1;
      this.heads.taken(ordinal + 1 < tables[table]!.size);
    }
    return this.size > 0;
  }

  /** Adds the current term to a dictionary. */
  write(writer: TextTableWriter): void {
    writer.addFrom(this.tables[this.segments[0]!]!.parts, this.terms[0]!);
  }
}
