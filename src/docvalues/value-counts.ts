// Facet counts: how many records, or groups of records, have each value of an attribute. Within a segment, ordinals are counted. The
// counts are then added up by value, so segments need no common dictionary.
// Sums of numbers are exact, rounded once at the end, hence the same in any order: J. R. Shewchuk, "Adaptive Precision Floating-Point
// Arithmetic and Fast Robust Geometric Predicates" (1997), GROW-EXPANSION; rounding as in Python's math.fsum.

import { type DocSet, type LocalDoc, lowestOne } from "../util/doc-set.js";
import { GrowableUint32 } from "../util/offset-table.js";
import type { Task } from "../util/tasks.js";
import { topKInSteps } from "../util/top-k.js";
import {
  type AttributeValue,
  compareValues,
  type DocValues,
  isDenseSingleValued,
  mapValues,
  rowOf,
  seekRow,
} from "./doc-values.js";

/** A value, and the number of records (or groups) that have it. */
export interface ValueCount {
  readonly value: AttributeValue;
  readonly count: number;
}

/** A range of numbers, from `from` on and below `to`, and how many records (or groups) have one in it; null: no bound. */
export interface RangeCount {
  readonly from: number | null;
  readonly to: number | null;
  readonly count: number;
}

/** Statistics of the numbers of an attribute. Each distinct number counts once per record (or group). */
export interface NumberStats {
  readonly min: number;
  readonly max: number;
  /** Computed exactly and rounded once, so it is the same in any order of the records. */
  readonly sum: number;
  /** `sum` divided by the number of summands. */
  readonly avg: number;
}

/** The rank of a value, from 0 for the first to 255; less than 0: it is not shown. */
export type ValueRank = (value: AttributeValue) => number;

const NONE = 0xffffffff;

/**
 * Counts the values of one attribute, one segment after the other. A counter counts either records (`add`) or groups
 * (`addGrouped`), never both.
 */
export class FacetCounter {
  /** The values in the order in which they were first seen; `places` maps each to its index there. */
  private readonly values: AttributeValue[] = [];
  private readonly places = new Map<AttributeValue, number>();
  private readonly totals = new GrowableUint32();
  private readonly groups = new GroupPairs();
  /** Counts by ordinal in the current segment; all zero between calls. */
  private scratch: Uint32Array = new Uint32Array(0);

  /** Counts each value of the records in `docs`, a set of `size` records of one segment. */
  add(column: DocValues, docs: DocSet<LocalDoc>, size: number): void {
    const { values } = column;
    if (size < values.length / 4) {
      this.addFew(column, docs.toArray());
      return;
    }
    if (this.scratch.length < values.length) this.scratch = new Uint32Array(values.length);
    const counts = this.scratch;
    countOrdinals(column, docs, size, counts);
    for (let ordinal = 0; ordinal < values.length; ordinal++) {
      if (counts[ordinal] === 0) continue;
      this.raise(values[ordinal]!, counts[ordinal]!);
      counts[ordinal] = 0;
    }
  }

  /** Counts each value once per group, across all segments. Groups are small consecutive numbers: they index an array. */
  addGrouped(column: DocValues, docs: ArrayLike<number>, groupOf: (doc: LocalDoc) => number): void {
    const { values, docsWithValue, starts, ordinals } = column;
    const placeOf = new Uint32Array(values.length).fill(NONE);
    for (let i = 0, hint = 0; i < docs.length; i++) {
      const doc = docs[i]!;
      if (docsWithValue !== null) hint = seekRow(docsWithValue, doc, hint);
      const row = docsWithValue === null ? doc : hint;
      if ((docsWithValue !== null && docsWithValue[row] !== doc) || starts[row] === starts[row + 1]) continue;
      const group = groupOf(doc as LocalDoc);
      for (let at = starts[row]!; at < starts[row + 1]!; at++) {
        const ordinal = ordinals[at]!;
        if (placeOf[ordinal] === NONE) placeOf[ordinal] = this.placeOf(values[ordinal]!);
        this.groups.push(placeOf[ordinal]!, group);
      }
    }
  }

  /**
   * The `most` first values: by rank, then by count, the greatest first. Ties go by the printed value in code unit order, then number
   * before string before boolean. With `keyOf`, by the keys of values instead, those without one last, then by `compareValues`. Only the first ranking by which any value is shown is used; without rankings, all values are.
   */
  *counts(
    most: number,
    rankings: readonly ValueRank[] = [],
    keyOf?: (value: AttributeValue) => AttributeValue | undefined,
  ): Task<ValueCount[]> {
    const { values } = this;
    const totals = this.settled();
    yield;
    const { places, ranks } = yield* this.shownBy(rankings);
    const keys = keyOf === undefined ? undefined : yield* mapValues(values, keyOf);
    const before = (a: number, b: number): boolean => {
      if (keys !== undefined) {
        const [keyOfA, keyOfB] = [keys[a], keys[b]];
        if (keyOfA === undefined || keyOfB === undefined) {
          if (keyOfA !== keyOfB) return keyOfB === undefined;
        } else if (compareValues(keyOfA, keyOfB) !== 0) return compareValues(keyOfA, keyOfB) < 0;
        return compareValues(values[a]!, values[b]!) < 0;
      }
      if (ranks[a] !== ranks[b]) return ranks[a]! < ranks[b]!;
      return totals[a] === totals[b] ? printsBefore(values[a]!, values[b]!) : totals[a]! > totals[b]!;
    };
    const best = yield* topKInSteps(places, most, before);
    return best.map((place) => ({ value: values[place]!, count: totals[place]! }));
  }

  /** The places of the values that are shown, and the rank of each value by its place. */
  private *shownBy(rankings: readonly ValueRank[]): Task<{ places: Uint32Array; ranks: Uint8Array }> {
    const { values } = this;
    const ranks = new Uint8Array(values.length);
    if (rankings.length === 0) return { places: Uint32Array.from(values.keys()), ranks };
    const places = new Uint32Array(values.length);
    let size = 0;
    for (const rankOf of rankings) {
      yield* mapValues(values, (value, place) => {
        const rank = rankOf(value);
        if (rank < 0) return;
        ranks[place] = rank;
        places[size++] = place;
      });
      if (size > 0) break;
    }
    return { places: places.subarray(0, size), ranks };
  }

  /** Statistics of the numbers among the values; undefined when there are none. */
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

  /** The count of each value, by its place. */
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

  /** Counts a value `by` times more. */
  raise(value: AttributeValue, by: number): void {
    const place = this.placeOf(value);
    this.totals.array[place]! += by;
  }

  private addFew(column: DocValues, docs: ArrayLike<number>): void {
    const { values, starts, ordinals } = column;
    for (let i = 0; i < docs.length; i++) {
      const row = rowOf(column, docs[i]! as LocalDoc);
      if (row < 0) continue;
      for (let at = starts[row]!; at < starts[row + 1]!; at++) this.raise(values[ordinals[at]!]!, 1);
    }
  }
}

/** Pairs of value and group; equal pairs count once. */
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

  /** The number of distinct groups of each value. A counting sort by value brings equal pairs together. */
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

/** Measured cost of visiting the values of one record, relative to intersecting two words of bitsets. */
const RECORD_COST = 10;

/** Adds to `counts` how many of the `size` records in `docs` have each ordinal. Chooses the cheapest of several methods. */
export function countOrdinals(column: DocValues, docs: DocSet<LocalDoc>, size: number, counts: Uint32Array): void {
  const { docCount, ordinalSets, ordinalStarts, values, docsWithValue } = column;
  if (size === docCount) {
    for (let ordinal = 0; ordinal < values.length; ordinal++)
      counts[ordinal]! += ordinalStarts[ordinal + 1]! - ordinalStarts[ordinal]!;
    return;
  }
  const bySets = ordinalSets.size === values.length ? ordinalSets.size * docs.words.length : Number.POSITIVE_INFINITY;
  if (docsWithValue !== null) countSparse(column, docsWithValue, docs, counts);
  else if (bySets < RECORD_COST * size) for (const [ordinal, set] of ordinalSets) counts[ordinal]! += docs.countIn(set);
  else countEach(column, docs, counts);
}

/** How many of some records have a value. */
export function countHolders(column: DocValues, docs: DocSet<LocalDoc>): number {
  const { docsWithValue, starts } = column;
  if (isDenseSingleValued(column)) return docs.count();
  let count = 0;
  if (docsWithValue !== null) {
    for (let row = 0; row < docsWithValue.length; row++) if (docs.has(docsWithValue[row]! as LocalDoc)) count++;
    return count;
  }
  for (let i = 0; i < docs.words.length; i++)
    for (let word = docs.words[i]!; word !== 0; word &= word - 1) {
      const doc = i * 32 + lowestOne(word);
      if (starts[doc] !== starts[doc + 1]) count++;
    }
  return count;
}

/** For sparse columns: visits the records that have a value. */
function countSparse(
  { starts, ordinals }: DocValues,
  docsWithValue: Uint32Array,
  docs: DocSet<LocalDoc>,
  counts: Uint32Array,
): void {
  for (let row = 0; row < docsWithValue.length; row++) {
    if (!docs.has(docsWithValue[row]! as LocalDoc)) continue;
    for (let at = starts[row]!; at < starts[row + 1]!; at++) counts[ordinals[at]!]!++;
  }
}

function countEach(column: DocValues, { words }: DocSet<LocalDoc>, counts: Uint32Array): void {
  const { starts, ordinals } = column;
  const isSingle = isDenseSingleValued(column);
  for (let i = 0; i < words.length; i++)
    for (let word = words[i]!; word !== 0; word &= word - 1) {
      const doc = i * 32 + lowestOne(word);
      if (isSingle) counts[ordinals[doc]!]!++;
      else for (let at = starts[doc]!; at < starts[doc + 1]!; at++) counts[ordinals[at]!]!++;
    }
}

/** Numbers of this magnitude could overflow in a sum. They are integers, so they are summed as BigInt. */
const HUGE = 2 ** 960;
/** The least positive number is 2 ** -1074: every number is an integer of this unit. */
const UNIT_EXPONENT = 1074;
const FRACTION_BITS = 52;
const FRACTION_MASK = 2n ** 52n - 1n;

/** Adds up finite numbers exactly. */
export class ExactSum {
  /** Non-overlapping numbers, ascending, whose exact sum is that of all added numbers except those in `huge`. */
  private readonly partials: number[] = [];
  private huge = 0n;

  /** Adds a number, or `times` times that number; at most 2 ** 53 summands in all. */
  add(value: number, times = 1): void {
    if (Math.abs(value) >= HUGE) {
      this.huge += BigInt(value) * BigInt(times);
      return;
    }
    // Doubling is exact; a product is not.
    for (let rest = times; rest > 0; rest = Math.floor(rest / 2)) {
      if (rest % 2 === 1) this.grow(value);
      value *= 2;
    }
  }

  /** The sum, rounded once to the nearest number; infinite when it overflows. */
  value(): number {
    return this.huge === 0n ? roundPartials(this.partials) : this.valueByIntegers();
  }

  private grow(value: number): void {
    const { partials } = this;
    let kept = 0;
    for (let i = 0; i < partials.length; i++) {
      const partial = partials[i]!;
      const sum = value + partial;
      const error = Math.abs(value) < Math.abs(partial) ? value - (sum - partial) : partial - (sum - value);
      if (error !== 0) partials[kept++] = error;
      value = sum;
    }
    partials.length = kept;
    if (value !== 0) partials.push(value);
  }

  private valueByIntegers(): number {
    let units = this.huge << BigInt(UNIT_EXPONENT);
    for (const partial of this.partials) units += unitsOf(partial);
    const magnitude = units < 0n ? -units : units;
    // 60 bits are more than a number has; the last bit records whether anything was cut off.
    const shift = Math.max(0, magnitude.toString(2).length - 60);
    const head = magnitude >> BigInt(shift);
    const sticky = head << BigInt(shift) === magnitude ? 0n : 1n;
    const rounded = Number(head | sticky) * 2 ** (shift - UNIT_EXPONENT);
    return units < 0n ? -rounded : rounded;
  }
}

/** The sum of non-overlapping numbers, rounded to nearest, ties to even. */
function roundPartials(partials: readonly number[]): number {
  let at = partials.length - 1;
  let high = at < 0 ? 0 : partials[at]!;
  let low = 0;
  while (low === 0 && --at >= 0) {
    const sum = high + partials[at]!;
    low = partials[at]! - (sum - high);
    high = sum;
  }
  // `low` may be exactly half a unit in the last place. If the rest has the same sign, round away.
  if (at > 0 && low < 0 === partials[at - 1]! < 0) {
    const other = high + 2 * low;
    if (2 * low === other - high) return other;
  }
  return high;
}

function unitsOf(value: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const exponent = Number((bits.getBigUint64(0) >> BigInt(FRACTION_BITS)) & 0x7ffn);
  const fraction = bits.getBigUint64(0) & FRACTION_MASK;
  const units = exponent === 0 ? fraction : (fraction | (FRACTION_MASK + 1n)) << BigInt(exponent - 1);
  return value < 0 ? -units : units;
}
