// The titles of a segment as rows of index terms, for what only their order and their words tell. A part of a title is one
// number, that of its word as it was written, but for codes and compounds, which stand under several terms. The terms of titles
// have numbers of their own, the least for what comes most often: two bytes tell almost all of them.

import { GrowableUint32, type NarrowArray, narrowed } from "../../util/growable.js";
import type { Task } from "../../util/tasks.js";
import { type OffsetTable, offsetAt, offsetTable, offsetTableBytes } from "../offset-table.js";

const PAUSE_EVERY = 1 << 15;
/** From here on an entry takes two halves: the bits above 16, and the others. */
const LONG = 0xf000;
/** More occurrences are not told apart. */
const MOST_COUNTED = 0xffff;

/** The titles of one segment. */
export interface TitleTable {
  /** The title of record d is the halves from the number at d up to the one at d + 1; empty: it has none. */
  readonly starts: OffsetTable;
  /** Entries, each in one half of 32 bits or in two. */
  readonly halves: Uint16Array;
  /** By number: the term. */
  readonly terms: Uint32Array;
  /** By number: how many titles hold the term as the first of a part. */
  readonly docFreqs: NarrowArray;
}

/** The number of an entry's term among those of titles. */
export function titleNumber(entry: number): number {
  return entry >>> 1;
}

/** True when the entry's term is the first of its part. */
export function isFirstOfPart(entry: number): boolean {
  return (entry & 1) === 1;
}

/** Where the entries of a title go, one after the other. */
export interface EntryList {
  length: number;
  push(entry: number): unknown;
}

/** Puts the entries of a record's title into `entries`, in place of what is there. */
export function readTitle({ starts, halves }: TitleTable, doc: number, entries: EntryList): void {
  entries.length = 0;
  for (let at = offsetAt(starts, doc), end = offsetAt(starts, doc + 1); at < end; ) {
    const half = halves[at++]!;
    entries.push(half < LONG ? half : ((half - LONG) << 16) | halves[at++]!);
  }
}

/** Collects the titles of a segment's records, in their order. */
export class TitleWriter {
  private readonly starts = new GrowableUint32();
  /** Terms doubled, plus 1 where they are the first of their part. */
  private readonly entries = new GrowableUint32();

  /** Begins the next record. */
  beginRecord(): void {
    this.starts.push(this.entries.length);
  }

  /** Adds a term to the present record's title, at a new part or at the last one. */
  add(term: number, isFirst: boolean): void {
    this.entries.push(2 * term + (isFirst ? 1 : 0));
  }

  /** The table. `terms`: how many there are; `numbers`: of each its number, where those that were added are other ones. */
  *finish(terms: number, numbers?: Uint32Array): Task<TitleTable> {
    const { array, length } = this.entries;
    const counts = new Uint32Array(terms);
    for (let at = 0; at < length; at++) {
      const term = numbers === undefined ? array[at]! >>> 1 : numbers[array[at]! >>> 1]!;
      array[at] = 2 * term + (array[at]! & 1);
      counts[term]!++;
      if (at % PAUSE_EVERY === 0) yield;
    }
    const named = yield* byCount(counts);
    const titleNumbers = new Uint32Array(terms);
    let size = 0;
    for (let number = 0; number < named.length; number++) {
      titleNumbers[named[number]!] = number;
      size += counts[named[number]!]! * (2 * number < LONG ? 1 : 2);
      if (number % PAUSE_EVERY === 0) yield;
    }
    const holders = new DocFreqCounter(named.length);
    const rows = yield* this.write(titleNumbers, size, holders);
    return { ...rows, terms: named, docFreqs: holders.counted() };
  }

  /** `size`: halves of all entries. */
  private *write(
    titleNumbers: Uint32Array,
    size: number,
    holders: DocFreqCounter,
  ): Task<Pick<TitleTable, "starts" | "halves">> {
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
        const entry = 2 * titleNumbers[array[at]! >>> 1]! + (array[at]! & 1);
        if (entry >= LONG) halves[to++] = LONG | (entry >>> 16);
        halves[to++] = entry;
        holders.add(entry, doc);
      }
    }
    starts[starts.length - 1] = to;
    return { starts: yield* offsetTable(starts), halves };
  }
}

/** Counts the titles that hold a term as the first of a part, each once. */
class DocFreqCounter {
  private readonly counts: Uint32Array;
  /** Of each term the last title it was counted in, from 1. */
  private readonly last: Uint32Array;

  constructor(terms: number) {
    this.counts = new Uint32Array(terms);
    this.last = new Uint32Array(terms);
  }

  /** An entry of a record's title; all of one record's come one behind the other. */
  add(entry: number, doc: number): void {
    const number = titleNumber(entry);
    if (!isFirstOfPart(entry) || this.last[number] === doc + 1) return;
    this.last[number] = doc + 1;
    this.counts[number]!++;
  }

  counted(): NarrowArray {
    return narrowed(this.counts, 1 + greatestOf(this.counts));
  }
}

/** The terms that were counted, those with the most first, of equal ones the least. */
function* byCount(counts: Uint32Array): Task<Uint32Array> {
  const most = Math.min(MOST_COUNTED, greatestOf(counts));
  yield;
  const places = new Uint32Array(most + 2);
  let size = 0;
  for (let term = 0; term < counts.length; term++) {
    if (counts[term] === 0) continue;
    places[most - Math.min(most, counts[term]!) + 1]!++;
    size++;
    if (term % PAUSE_EVERY === 0) yield;
  }
  for (let at = 1; at < places.length; at++) places[at]! += places[at - 1]!;
  yield;
  const terms = new Uint32Array(size);
  for (let term = 0; term < counts.length; term++) {
    if (counts[term] === 0) continue;
    terms[places[most - Math.min(most, counts[term]!)]!++] = term;
    if (term % PAUSE_EVERY === 0) yield;
  }
  return terms;
}

function greatestOf(counts: Uint32Array): number {
  let greatest = 0;
  for (let term = 0; term < counts.length; term++) if (counts[term]! > greatest) greatest = counts[term]!;
  return greatest;
}

/** The memory that the titles of a segment take. */
export function titleBytes({ starts, halves, terms, docFreqs }: TitleTable): number {
  return offsetTableBytes(starts) + halves.byteLength + terms.byteLength + docFreqs.byteLength;
}
