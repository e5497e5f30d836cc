// How many records, or groups of records, have each value of an attribute. Within a segment codes are counted; what is
// counted is added up by value, so that segments need not share a dictionary.

import type { DocSet } from "../base/doc-set.js";
import { GrowableUint32 } from "../base/growable.js";
import type { Steps } from "../base/slices.js";
import { topK } from "../base/top-k.js";
import { compareValues } from "./attribute-values.js";
import { type Column, seekSlot, slotOf } from "./column.js";
import { countCodes } from "./counting/code-counts.js";
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
  *add(column: Column, docs: DocSet, size: number): Steps<void> {
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
