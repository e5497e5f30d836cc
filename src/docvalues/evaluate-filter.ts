// Evaluates a filter on one segment. Each condition becomes ranges of ordinals, whose records are available as bitsets or set
// bit by bit. AND, OR and NOT combine whole words of bits; AND looks up single records when few are left.

import { type DocArray, DocSet, type LocalDoc } from "../util/doc-set.js";
import { has } from "../util/json.js";
import { listIn } from "../util/offset-table.js";
import { partitionPoint } from "../util/sorted.js";
import type { Task } from "../util/tasks.js";
import { instantsOf } from "./build-doc-values.js";
import {
  type AttributeValue,
  type DocValues,
  docsOfRange,
  isSingleValued,
  type OrdinalRange,
  ordinalOf,
  ordinalRange,
  rowOf,
  setOfRange,
  setOfWideRange,
} from "./doc-values.js";
import type { Condition, Filter, SomeItem } from "./filter.js";
import { holdersOf, type ItemTable } from "./item-table.js";
import { docsInArea, PLACES } from "./place.js";

/** Looking up the ordinals of a record costs about this many times as much as setting a bit. */
const LOOK_UP = 16;
/** A range that matches more than one in this many records is a cumulative bitset and costs no more than that share. */
const WIDE_PARTS = 8;
/** Bits set, or ordinals compared, between two pauses. */
const PAUSE_EVERY = 1 << 17;

/** What filters are evaluated on: the records of a segment, or the items of their lists. */
export interface FilterSource {
  /** The column of an attribute; undefined: none of them has it. */
  columnOf(attribute: string): DocValues | undefined;
  /** The items of a list, and those that pass a filter, where they are known already; undefined: none of them has any. */
  itemsOf(path: string):
    | {
        readonly table: ItemTable;
        readonly source: FilterSource;
        passing(filter: SomeItem): DocSet<LocalDoc> | undefined;
      }
    | undefined;
}

/** The records that pass, as a new set. */
export function* evaluateFilter(filter: Filter, source: FilterSource, docCount: number): Task<DocSet<LocalDoc>> {
  yield;
  switch (filter.kind) {
    case "everything":
      return new DocSet<LocalDoc>(docCount).fill();
    case "not":
      return (yield* evaluateFilter(filter.filter, source, docCount)).complement();
    case "and":
      return yield* intersectAll(partsOf(filter.filters), source, docCount);
    case "or":
      return yield* uniteAll(filter.filters, source, docCount);
    case "place":
      return yield* docsInArea(source.columnOf(PLACES), filter.area, docCount);
    case "some":
      return yield* holdingItem(filter, source, docCount);
    default:
      return yield* matching(matchesOf(filter, yield* columnFor(filter, source)), docCount);
  }
}

/** The records that have an item that passes. */
function* holdingItem(filter: SomeItem, source: FilterSource, docCount: number): Task<DocSet<LocalDoc>> {
  const items = source.itemsOf(filter.path);
  if (items === undefined) return new DocSet<LocalDoc>(docCount);
  const passing = items.passing(filter) ?? (yield* evaluateFilter(filter.filter, items.source, items.table.size));
  return yield* holdersOf(passing, items.table, docCount);
}

/** The column whose values a condition compares. */
function* columnFor(condition: Condition, source: FilterSource): Task<DocValues | undefined> {
  const column = source.columnOf(condition.attribute);
  const isOfDates = (condition.kind === "compare" || condition.kind === "between") && condition.isInstant === true;
  return column === undefined || !isOfDates ? column : yield* instantsOf(column);
}

/** The parts of an AND, with nested ANDs flattened. */
function partsOf(filters: readonly Filter[]): Filter[] {
  return filters.flatMap((part) => (part.kind === "and" ? partsOf(part.filters) : [part]));
}

/** The records that pass any part. The conditions on one column become one list of ranges, so no record is set twice by them. */
function* uniteAll(parts: readonly Filter[], source: FilterSource, docCount: number): Task<DocSet<LocalDoc>> {
  const passing = new DocSet<LocalDoc>(docCount);
  const byColumn = new Map<DocValues, OrdinalRange[]>();
  for (const part of parts) {
    if (isCondition(part)) {
      const column = yield* columnFor(part, source);
      if (column === undefined) continue;
      for (const range of rangesOf(column, part)) listIn(byColumn, column).push(range);
      yield;
    } else passing.or(yield* evaluateFilter(part, source, docCount));
  }
  for (const [column, ranges] of byColumn) yield* addRanges(passing, column, mergeRanges(ranges));
  return passing;
}

/** The records that pass all parts. The condition with the fewest matches is evaluated first, to narrow the others. */
function* intersectAll(parts: readonly Filter[], source: FilterSource, docCount: number): Task<DocSet<LocalDoc>> {
  const conditions = yield* matchesOfAll(parts.filter(isCondition), source);
  const [fewest, ...more] = conditions.toSorted((a, b) => a.size - b.size);
  const passing = fewest === undefined ? new DocSet<LocalDoc>(docCount).fill() : yield* matching(fewest, docCount);
  for (const matches of more) {
    yield;
    yield* keepMatching(passing, matches);
  }
  for (const part of parts) {
    if (part.kind === "not") passing.andNot(yield* evaluateFilter(part.filter, source, docCount));
    else if (!isCondition(part)) passing.and(yield* evaluateFilter(part, source, docCount));
  }
  return passing;
}

/** The matches of a condition: ranges of ordinals of a column. No column: no record has the attribute. */
interface Matches {
  readonly column: DocValues | undefined;
  /** Ascending, not overlapping. */
  readonly ranges: readonly OrdinalRange[];
  /** The number of (record, ordinal) pairs in the ranges: records with several matching values count more than once. */
  readonly size: number;
}

function matchesOf(condition: Condition, column: DocValues | undefined): Matches {
  return column === undefined
    ? { column, ranges: [], size: 0 }
    : matchesIn(column, mergeRanges(rangesOf(column, condition)));
}

function matchesIn(column: DocValues, ranges: readonly OrdinalRange[]): Matches {
  return { column, ranges, size: ranges.reduce((sum, range) => sum + docsOfRange(column, range).length, 0) };
}

/** The matches of each condition. On a single-valued column the ranges of all conditions are intersected into one. */
function* matchesOfAll(conditions: readonly Condition[], source: FilterSource): Task<readonly Matches[]> {
  const all: Matches[] = [];
  const byColumn = new Map<DocValues, Matches>();
  for (const condition of conditions) {
    yield;
    const matches = matchesOf(condition, yield* columnFor(condition, source));
    const { column, ranges } = matches;
    if (column === undefined || ranges.length !== 1 || !isSingleValued(column)) all.push(matches);
    else byColumn.set(column, intersectRanges(byColumn.get(column), matches));
  }
  return [...all, ...byColumn.values()];
}

/** Intersects two single ranges of one column. */
function intersectRanges(before: Matches | undefined, matches: Matches): Matches {
  if (before === undefined) return matches;
  const [[one], [other]] = [before.ranges as [OrdinalRange], matches.ranges as [OrdinalRange]];
  return matchesIn(matches.column!, [{ from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) }]);
}

/** Intersects `passing` with the matches of a condition. When few records are left, looks each one up in the column. */
function* keepMatching(passing: DocSet<LocalDoc>, matches: Matches): Task<void> {
  const { column, ranges, size } = matches;
  const set = column !== undefined && ranges.length === 1 ? setOfRange(column, ranges[0]!) : undefined;
  if (set !== undefined) passing.and(set);
  else if (column === undefined || LOOK_UP * passing.count() > Math.min(size, passing.size / WIDE_PARTS))
    passing.and(yield* matching(matches, passing.size));
  else yield* keepHolders(passing, column, ranges);
}

function* keepHolders(passing: DocSet<LocalDoc>, column: DocValues, ranges: readonly OrdinalRange[]): Task<void> {
  const { ordinals, starts } = column;
  let compared = 0;
  for (const doc of passing.toArray() as DocArray<LocalDoc>) {
    const row = rowOf(column, doc);
    const end = row < 0 ? 0 : starts[row + 1]!;
    let at = row < 0 ? 0 : starts[row]!;
    compared += end - at;
    while (at < end && !isInRanges(ordinals[at]!, ranges)) at++;
    if (at === end) passing.remove(doc);
    if (compared > PAUSE_EVERY) {
      compared = 0;
      yield;
    }
  }
}

function isInRanges(ordinal: number, ranges: readonly OrdinalRange[]): boolean {
  const after = partitionPoint(0, ranges.length, (at) => ranges[at]!.from <= ordinal);
  return after > 0 && ordinal < ranges[after - 1]!.to;
}

function* matching({ column, ranges }: Matches, docCount: number): Task<DocSet<LocalDoc>> {
  const passing = new DocSet<LocalDoc>(docCount);
  if (column !== undefined) yield* addRanges(passing, column, ranges);
  return passing;
}

function isCondition(filter: Filter): filter is Condition {
  return has(filter, "attribute");
}

/** Adds the records of each range. */
function* addRanges(passing: DocSet<LocalDoc>, column: DocValues, ranges: readonly OrdinalRange[]): Task<void> {
  let added = 0;
  for (const range of ranges) {
    const set = setOfRange(column, range) ?? setOfWideRange(column, range);
    if (set === undefined) {
      const docs = docsOfRange(column, range);
      for (let from = 0; from < docs.length; from += PAUSE_EVERY) {
        if (from > 0) yield;
        passing.addAll(docs.subarray(from, from + PAUSE_EVERY));
      }
      added += docs.length;
    } else {
      passing.or(set);
      added += passing.words.length;
    }
    if (added > PAUSE_EVERY) {
      added = 0;
      yield;
    }
  }
}

/** The same ordinals as ascending ranges that do not overlap. */
function mergeRanges(ranges: readonly OrdinalRange[]): readonly OrdinalRange[] {
  if (ranges.length < 2) return ranges;
  const merged: OrdinalRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last === undefined || range.from >= last.to) merged.push(range);
    else if (range.to > last.to) merged[merged.length - 1] = { from: last.from, to: range.to };
  }
  return merged;
}

function rangesOf(column: DocValues, condition: Condition): OrdinalRange[] {
  switch (condition.kind) {
    case "equals":
      return rangesOfValues(column, condition.printed ? valuesPrintedAs(String(condition.value)) : [condition.value]);
    case "in":
      return rangesOfValues(column, condition.values);
    case "compare":
      return [comparedRange(column, condition.operator, condition.value)];
    case "between":
      return [ordinalRange(column, condition.low, condition.high, !condition.excludesLow, !condition.excludesHigh)];
    case "exists":
      return [{ from: 0, to: column.values.length }];
  }
}

function rangesOfValues(column: DocValues, values: readonly AttributeValue[]): OrdinalRange[] {
  const ordinals = values.map((value) => ordinalOf(column, value)).filter((ordinal) => ordinal >= 0);
  return ordinals.map((ordinal) => ({ from: ordinal, to: ordinal + 1 }));
}

function comparedRange(column: DocValues, operator: "lt" | "lte" | "gt" | "gte", value: number): OrdinalRange {
  return operator === "lt" || operator === "lte"
    ? ordinalRange(column, Number.NEGATIVE_INFINITY, value, true, operator === "lte")
    : ordinalRange(column, value, Number.POSITIVE_INFINITY, operator === "gte", true);
}

/** The values that print as this text: the string itself, and an equal number or boolean. */
export function valuesPrintedAs(printed: string): AttributeValue[] {
  const values: AttributeValue[] = [printed];
  if (String(Number(printed)) === printed) values.push(Number(printed));
  if (printed === "true" || printed === "false") values.push(printed === "true");
  return values;
}
