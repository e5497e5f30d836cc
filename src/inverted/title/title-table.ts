// The titles of a segment as sequences of index terms, for the evidence that needs their order: posting lists have no
// positions. A title is divided into parts, one for each token. Most parts are one term, that of the word's surface form; codes
// and compounds have several. The terms that occur in titles are renumbered by frequency, so that almost all of them fit into
// two bytes.

import { stemOf, WORD_MARK, writtenForm } from "../../analysis/scan-tokens.js";
import type { TitleRole } from "../../analysis/title-roles.js";
import type { LocalDoc } from "../../util/doc-set.js";
import { GrowableUint32, type OffsetTable, offsetAt, offsetTable } from "../../util/offset-table.js";
import { type Task, waitFor } from "../../util/tasks.js";
import type { TermDictionary } from "../term-dictionary.js";

const PAUSE_EVERY = 1 << 15;
/** Entries from here on take two halves: the bits above 16 with this flag, and the low 16 bits. */
export const FIRST_LONG = 0xf000;
/** The role of a part takes so many bits. */
export const ROLE_BITS = 3;
export const ROLE_MASK = 7;
/** Terms with more occurrences are ordered as if they had this many. */
const MOST_COUNTED = 0xffff;

/** The titles of one segment. An entry is the number of a title term times 8, plus the role of its part if the term is the first of it. The words of the
 * record's categories follow those of its title. */
export interface TitleTable {
  /** The title of record d is the halves from the offset at d up to the offset at d + 1; none if it has no title. */
  readonly starts: OffsetTable;
  /** The entries, each in one or two halves of 16 bits. */
  halves: Uint16Array | TitleFile;
  /** By number of a title term: the term. */
  readonly terms: Uint32Array;
}

/** The titles of a segment in a file. */
export interface TitleFile {
  /** All halves, checked; rejects with 500 `storage_corrupt`. */
  readAll(): Promise<Uint16Array>;
  /** While they are read: queries that need them at the same time read them once. */
  reading?: Promise<void> | undefined;
}

/** Reads the titles that are in files into memory, for good. Called before titles are read: a query needs those of hundreds of records. */
export function* loadTitles(tables: readonly TitleTable[]): Task<void> {
  const reads: Promise<void>[] = [];
  for (const table of tables) {
    const { halves } = table;
    if (halves instanceof Uint16Array) continue;
    const load = async (): Promise<void> => {
      try {
        table.halves = await halves.readAll();
      } finally {
        halves.reading = undefined;
      }
    };
    halves.reading ??= load();
    reads.push(halves.reading);
  }
  if (reads.length > 0) yield* waitFor(Promise.all(reads));
}

/** The number of an entry's title term. */
export function titleNumber(entry: number): number {
  return entry >>> ROLE_BITS;
}

/** The role of a part, if the entry has the first term of that part; else 0. */
export function roleAt(entry: number): TitleRole | 0 {
  return (entry & ROLE_MASK) as TitleRole | 0;
}

/** A table for reading many titles: that they are there is checked once. */
export interface TitleReader extends TitleTable {
  halves: Uint16Array;
}

/** Reads titles of a table, which were loaded before. */
export function titleReader({ starts, halves, terms }: TitleTable): TitleReader {
  if (!(halves instanceof Uint16Array)) throw new Error("The titles were not loaded.");
  return { starts, halves, terms };
}

/** Replaces the content of `entries` by the entries of a record's title. */
export function readTitle(
  { starts, halves }: TitleReader,
  doc: LocalDoc,
  entries: { length: number; push(entry: number): unknown },
): void {
  entries.length = 0;
  const to = offsetAt(starts, doc + 1);
  for (let at = offsetAt(starts, doc); at < to; ) {
    const half = halves[at++]!;
    entries.push(half < FIRST_LONG ? half : longEntry(half, halves[at++]!));
  }
}

/** An entry of two halves. */
export function longEntry(high: number, low: number): number {
  return ((high - FIRST_LONG) << 16) | low;
}

/** Writes the titles of a segment, record by record. */
export class TitleWriter {
  private readonly starts = new GrowableUint32();
  /** As in `TitleTable`, but with the caller's numbers of terms. */
  private readonly entries = new GrowableUint32();

  /** Begins the next record. */
  beginRecord(): void {
    this.starts.push(this.entries.length);
  }

  /** Adds a term to the current record's title: to a new part with a role, or to the last one (0). */
  add(term: number, role: TitleRole | 0): void {
    this.entries.push((term << ROLE_BITS) | role);
  }

  /**
   * The table. `terms`: the number of terms of the segment. `ordinals`: by number of a term as it was added, its ordinal, if it
   * differs.
   */
  *finish(terms: number, ordinals?: Uint32Array): Task<TitleTable> {
    const { array, length } = this.entries;
    const counts = new Uint32Array(terms);
    for (let at = 0; at < length; at++) {
      const entry = array[at]!;
      const term = ordinals === undefined ? titleNumber(entry) : ordinals[titleNumber(entry)]!;
      array[at] = (term << ROLE_BITS) | roleAt(entry);
      counts[term]!++;
      if (at % PAUSE_EVERY === 0) yield;
    }
    const byFrequency = yield* sortByCount(counts);
    const titleNumbers = new Uint32Array(terms);
    let size = 0;
    for (let number = 0; number < byFrequency.length; number++) {
      titleNumbers[byFrequency[number]!] = number;
      size += counts[byFrequency[number]!]! * (number << ROLE_BITS < FIRST_LONG ? 1 : 2);
      if (number % PAUSE_EVERY === 0) yield;
    }
    return { ...(yield* this.write(titleNumbers, size)), terms: byFrequency };
  }

  /** `titleNumbers`: by term, its number as a title term. `size`: the number of halves of all entries. */
  private *write(titleNumbers: Uint32Array, size: number): Task<Pick<TitleTable, "starts" | "halves">> {
    const { array, length } = this.entries;
    const halves = new Uint16Array(size);
    this.starts.push(length);
    const starts = this.starts.toArray();
    let to = 0;
    let paused = 0;
    for (let doc = 0; doc + 1 < starts.length; doc++) {
      const from = starts[doc]!;
      const end = starts[doc + 1]!;
      starts[doc] = to;
      if (end + doc - paused > PAUSE_EVERY) {
        paused = end + doc;
        yield;
      }
      for (let at = from; at < end; at++) {
        const entry = (titleNumbers[titleNumber(array[at]!)]! << ROLE_BITS) | roleAt(array[at]!);
        if (entry >= FIRST_LONG) halves[to++] = FIRST_LONG | (entry >>> 16);
        halves[to++] = entry;
      }
    }
    starts[starts.length - 1] = to;
    return { starts: yield* offsetTable(starts), halves };
  }
}

/** The terms with a count above 0: by count, descending, then by term. A counting sort. */
function* sortByCount(counts: Uint32Array): Task<Uint32Array> {
  const most = Math.min(MOST_COUNTED, greatestOf(counts));
  yield;
  const next = new Uint32Array(most + 2);
  let size = 0;
  for (let term = 0; term < counts.length; term++) {
    if (counts[term] === 0) continue;
    next[most - Math.min(most, counts[term]!) + 1]!++;
    size++;
    if (term % PAUSE_EVERY === 0) yield;
  }
  for (let at = 1; at < next.length; at++) next[at]! += next[at - 1]!;
  yield;
  const terms = new Uint32Array(size);
  for (let term = 0; term < counts.length; term++) {
    if (counts[term] === 0) continue;
    terms[next[most - Math.min(most, counts[term]!)]!++] = term;
    if (term % PAUSE_EVERY === 0) yield;
  }
  return terms;
}

function greatestOf(counts: Uint32Array): number {
  let greatest = 0;
  for (let term = 0; term < counts.length; term++) if (counts[term]! > greatest) greatest = counts[term]!;
  return greatest;
}

/**
 * Which terms of a segment an index term of a query matches in titles: the same term, and if it is a stem, the words of that stem as
 * they were written.
 */
export function termsInTitles(
  dictionary: TermDictionary,
  text: string,
): { readonly term: number; readonly written: string }[] {
  const own = dictionary.ordinalOf(text);
  const found = own === undefined ? [] : [{ term: own, written: writtenForm(text) }];
  const prefix = WORD_MARK + text + WORD_MARK;
  for (let term = dictionary.firstFrom(prefix); term < dictionary.size && dictionary.beginsWith(term, prefix); term++) {
    const word = dictionary.textAt(term);
    if (stemOf(word) === text) found.push({ term, written: writtenForm(word) });
  }
  return found;
}
