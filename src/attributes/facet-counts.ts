// Counts how many records, or groups of records, have each value of an attribute.
//
// Within a segment, ordinals are counted. The counts are then added up by value, so segments need not share a dictionary.

import type { DocSet } from "../base/doc-set.js";
import { GrowableUint32 } from "../base/growable.js";
import type { Task } from "../base/tasks.js";
import { topK } from "../base/top-k.js";
import { countingSpeed } from "../base/wasm/bit-counts.js";
import { compareValues } from "./attribute-values.js";
import { type Column, hasOneEach, seekSlot, slotOf } from "./column.js";
import { ExactSum } from "./exact-sum.js";
import type { AttributeValue } from "./filter.js";

/** A value, and how many have it. */
export interface ValueCount {
  readonly value: AttributeValue;
  readonly count: number;
}

/** Of the numbers of an attribute, each counted once a record (or group). */
export interface NumberStats {
  readonly min: number;
  readonly max: number;
  /** Exact until it is rounded once: the same in any order of the records. */
  readonly sum: number;
  /** `sum` divided by how many numbers were added up. */
  readonly avg: number;
}

const NONE = 0xffffffff;

/**
 * Counts the values of one attribute, one segment after the other. A counter either counts records (`add`) or groups
 * (`addGrouped`), never both.
 */
export class FacetCounter {
  /** The values in the order in which they were met, and each one's place there. */
  private readonly values: AttributeValue[] = [];
  private readonly places = new Map<AttributeValue, number>();
  private readonly totals = new GrowableUint32();
  private readonly groups = new GroupPairs();
  /** Counts by code of the segment at hand; all zero in between. */
  private scratch: Uint32Array = new Uint32Array(0);

  /** Counts each value of `size` records of one segment, which are all of `docs`. */
  *add(column: Column, docs: DocSet, size: number): Task<void> {
    const { values } = column;
    if (size < values.length / 4) {
      this.addFew(column, docs.toArray());
      return;
    }
    if (this.scratch.length < values.length) this.scratch = new Uint32Array(values.length);
    const counts = this.scratch;
    yield* countCodes(column, docs, size, counts);
    for (let code = 0; code < values.length; code++) {
      if (counts[code] === 0) continue;
      this.raise(values[code]!, counts[code]!);
      counts[code] = 0;
    }
  }

  /** Counts each value once a group, across all segments. Groups are numbers from 0 up, close together: they index an array. */
  addGrouped(column: Column, docs: ArrayLike<number>, groupOf: (doc: number) => number): void {
    const { values, holders, starts, codes } = column;
    const placeOf = new Uint32Array(values.length).fill(NONE);
    for (let i = 0, hint = 0; i < docs.length; i++) {
      const doc = docs[i]!;
      if (holders !== null) hint = seekSlot(holders, doc, hint);
      const slot = holders === null ? doc : hint;
      if ((holders !== null && holders[slot] !== doc) || starts[slot] === starts[slot + 1]) continue;
      const group = groupOf(doc);
      for (let at = starts[slot]!; at < starts[slot + 1]!; at++) {
        const code = codes[at]!;
        if (placeOf[code] === NONE) placeOf[code] = this.placeOf(values[code]!);
        this.groups.push(placeOf[code]!, group);
      }
    }
  }

  /**
   * The most frequent values that are accepted (default: all), biggest count first; then by what they print, by code unit;
   * then number, string, boolean.
   */
  counts(most: number, accept?: (value: AttributeValue) => boolean): ValueCount[] {
    const { values } = this;
    const totals = this.settled();
    const before = (a: number, b: number): boolean =>
      totals[a] === totals[b] ? printsBefore(values[a]!, values[b]!) : totals[a]! > totals[b]!;
    const all = Uint32Array.from(values.keys());
    const accepted = accept === undefined ? all : all.filter((place) => accept(values[place]!));
    const best = topK(accepted, most, before);
    return best.map((place) => ({ value: values[place]!, count: totals[place]! }));
  }

  /** What the numbers add up to; undefined where there are none. */
  stats(): NumberStats | undefined {
    const totals = this.settled();
    let [min, max, count] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
    const exact = new ExactSum();
    for (const [place, value] of this.values.entries()) {
      if (typeof value !== "number") continue;
      min = Math.min(min, value);
      max = Math.max(max, value);
      count += totals[place]!;
      exact.add(value, totals[place]!);
    }
    if (count === 0) return undefined;
    const sum = exact.value();
    return { min, max, sum, avg: sum / count };
  }

  /** How many have each value, by its place. */
  private settled(): Uint32Array {
    return this.groups.size > 0 ? this.groups.countDistinct(this.values.length) : this.totals.array;
  }

  private placeOf(value: AttributeValue): number {
    let place = this.places.get(value);
    if (place === undefined) {
      place = this.values.length;
      this.places.set(value, place);
      this.values.push(value);
      this.totals.push(0);
    }
    return place;
  }

  private raise(value: AttributeValue, by: number): void {
    const place = this.placeOf(value);
    this.totals.array[place]! += by;
  }

  private addFew(column: Column, docs: ArrayLike<number>): void {
    const { values, starts, codes } = column;
    for (let i = 0; i < docs.length; i++) {
      const slot = slotOf(column, docs[i]!);
      if (slot < 0) continue;
      for (let at = starts[slot]!; at < starts[slot + 1]!; at++) this.raise(values[codes[at]!]!, 1);
    }
  }
}

/** Pairs of value and group, of which each is counted once. */
class GroupPairs {
  private readonly values = new GrowableUint32();
  private readonly groups = new GrowableUint32();
  private groupCount = 0;

  get size(): number {
    return this.values.length;
  }

  push(value: number, group: number): void {
    this.values.push(value);
    this.groups.push(group);
    if (group >= this.groupCount) this.groupCount = group + 1;
  }

  /** The groups of each value. Pairs are sorted by value, by counting; then a group seen before was seen with the same value. */
  countDistinct(valueCount: number): Uint32Array {
    const { length, array: values } = this.values;
    const starts = new Uint32Array(valueCount + 1);
    for (let i = 0; i < length; i++) starts[values[i]! + 1]!++;
    for (let value = 1; value <= valueCount; value++) starts[value]! += starts[value - 1]!;
    const next = starts.slice();
    const groups = new Uint32Array(length);
    for (let i = 0; i < length; i++) groups[next[values[i]!]!++] = this.groups.array[i]!;
    const lastValue = new Uint32Array(this.groupCount).fill(NONE);
    const counts = new Uint32Array(valueCount);
    for (let value = 0; value < valueCount; value++)
      for (let i = starts[value]!; i < starts[value + 1]!; i++) {
        if (lastValue[groups[i]!] === value) continue;
        lastValue[groups[i]!] = value;
        counts[value]!++;
      }
    return counts;
  }
}

function printsBefore(a: AttributeValue, b: AttributeValue): boolean {
  const [printedA, printedB] = [String(a), String(b)];
  return printedA === printedB ? compareValues(a, b) < 0 : printedA < printedB;
}

/** Going through a record takes as long as so many words of the set of a code, by the plain kernel; through its values, so many. */
const RECORD_COST = 4;
const VALUES_COST = 10;

/** Adds to `counts`, by code, how many of the records have it; they are `size`. */
export function* countCodes(column: Column, docs: DocSet, size: number, counts: Uint32Array): Task<void> {
  const { docCount, codeSets, codeStarts, values, holders } = column;
  if (size === docCount) {
    for (let code = 0; code < values.length; code++) counts[code]! += codeStarts[code + 1]! - codeStarts[code]!;
    return;
  }
  const bySets = codeSets.size === values.length ? costOfSets(column, docs.words.length) : Number.POSITIVE_INFINITY;
  if (holders !== null) countHeld(column, holders, docs, counts);
  else if (bySets < RECORD_COST * size) countSets(column, docs, counts);
  else {
    const rows = yield* rowsOf(column);
    if (rows !== null) rows.count(docs, size, counts);
    else if (bySets < VALUES_COST * size) countSets(column, docs, counts);
    else countEach(column, docs, counts);
  }
}

function costOfSets({ codeSets }: Column, words: number): number {
  return (codeSets.size * words) / countingSpeed(words);
}

function countSets({ codeSets }: Column, docs: DocSet, counts: Uint32Array): void {
  for (const [code, set] of codeSets) counts[code]! += docs.countIn(set);
}

/** The holders are few beside the segment's records. */
function countHeld({ starts, codes }: Column, holders: Uint32Array, docs: DocSet, counts: Uint32Array): void {
  for (let slot = 0; slot < holders.length; slot++) {
    if (!docs.has(holders[slot]!)) continue;
    for (let at = starts[slot]!; at < starts[slot + 1]!; at++) counts[codes[at]!]!++;
  }
}

function countEach(column: Column, { words }: DocSet, counts: Uint32Array): void {
  const { starts, codes } = column;
  const isSingle = hasOneEach(column);
  for (let i = 0; i < words.length; i++)
    for (let word = words[i]!; word !== 0; word &= word - 1) {
      const doc = i * 32 + 31 - Math.clz32(word & -word);
      if (isSingle) counts[codes[doc]!]!++;
      else for (let at = starts[doc]!; at < starts[doc + 1]!; at++) counts[codes[at]!]!++;
    }
}

/** Of more different rows a part as great of the records, counting them spares nothing. */
const MOST_SHARE = 1 / 4;
const MOST_ROWS = 65_536;
/** As many are told by a byte. */
const MOST_IN_BYTES = 256;
const PAUSE_EVERY = 1 << 14;
/** Of fewer records than one in so many, most rows are fetched from memory: all at once, if nothing is guessed in between. */
const LISTED_SHARE = 16;
const LISTED = new Uint32Array(65_536 / LISTED_SHARE);

/** The rows of a column: lists of codes that records have, and the beginnings of these lists. Row 0 is empty. */
export class ValueRows {
  /** By record. */
  private readonly rowOf: Uint16Array | Uint8Array;
  /** Of a row the one without its last code, which is an earlier row; and that code. */
  private readonly rests: Uint16Array;
  private readonly lasts: Uint16Array;
  /** How many records have each row; all zero between two uses. */
  private readonly counts: Uint32Array;

  constructor(rowOf: Uint16Array, rests: readonly number[], lasts: readonly number[]) {
    this.rowOf = rests.length <= MOST_IN_BYTES ? Uint8Array.from(rowOf) : rowOf;
    this.rests = Uint16Array.from(rests);
    this.lasts = Uint16Array.from(lasts);
    this.counts = new Uint32Array(rests.length);
  }

  /** Adds to `counts`, by code, how many of the records, which are `size`, have it. */
  count(docs: DocSet, size: number, counts: Uint32Array): void {
    const { rests, lasts, counts: byRow } = this;
    if (size * LISTED_SHARE < docs.size) countListed(docs, this.rowOf, byRow);
    else countBits(docs, this.rowOf, byRow);
    for (let row = byRow.length - 1; row > 0; row--) {
      const count = byRow[row]!;
      counts[lasts[row]!]! += count;
      byRow[rests[row]!]! += count;
      byRow[row] = 0;
    }
    byRow[0] = 0;
  }

  get bytes(): number {
    return this.rowOf.byteLength + this.rests.byteLength + this.lasts.byteLength + this.counts.byteLength;
  }
}

function countListed(docs: DocSet, rowOf: Uint16Array | Uint8Array, counts: Uint32Array): void {
  const size = docs.listWithin(0, docs.size, LISTED);
  for (let i = 0; i < size; i++) counts[rowOf[LISTED[i]!]!]!++;
}

function countBits({ words }: DocSet, rowOf: Uint16Array | Uint8Array, counts: Uint32Array): void {
  for (let i = 0; i < words.length; i++)
    for (let word = words[i]!; word !== 0; word &= word - 1) counts[rowOf[i * 32 + 31 - Math.clz32(word & -word)]!]!++;
}

const known = new WeakMap<Column, ValueRows | null>();

/** The rows of a column that has no list of holders, made once; null: they are too many. */
export function* rowsOf(column: Column): Task<ValueRows | null> {
  let rows = known.get(column);
  if (rows === undefined) {
    rows = yield* findRows(column);
    known.set(column, rows);
  }
  return rows;
}

/** The memory that the rows of a column take, if they were made. */
export function bytesOfRows(column: Column): number {
  return known.get(column)?.bytes ?? 0;
}

function* findRows({ docCount, starts, codes, values }: Column): Task<ValueRows | null> {
  const most = Math.min(MOST_ROWS, docCount * MOST_SHARE);
  if (values.length >= most) return null;
  const rowOf = new Uint16Array(docCount);
  // The row of one value alone comes just behind its code.
  const rests = [0, ...values.map(() => 0)];
  const lasts = [0, ...values.keys()];
  const longer = new Map<number, number>();
  for (let doc = 0; doc < docCount; doc++) {
    if (doc % PAUSE_EVERY === 0) yield;
    const end = starts[doc + 1]!;
    let at = starts[doc]!;
    if (at === end) continue;
    let row = codes[at]! + 1;
    for (at++; at < end; at++) {
      const key = row * MOST_ROWS + codes[at]!;
      let next = longer.get(key);
      if (next === undefined) {
        if (rests.length >= most) return null;
        next = rests.push(row) - 1;
        lasts.push(codes[at]!);
        longer.set(key, next);
      }
      row = next;
    }
    rowOf[doc] = row;
  }
  return new ValueRows(rowOf, rests, lasts);
}
