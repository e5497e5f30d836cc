// Evaluates a filter on one segment. Each condition becomes ranges of ordinals, whose records are available as bitsets or set
// bit by bit. AND, OR and NOT combine whole words of bits; AND looks up single records when few are left.

import { has } from "../util/checks.js";
import { DocSet } from "../util/doc-set.js";
import {
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
import type { AttributeValue, Condition, Filter } from "./filter.js";

/** Looking up the ordinals of a record costs about this many times as much as setting a bit. */
const LOOK_UP = 16;
/** A range that matches more than one in this many records is a cumulative bitset and costs no more than that share. */
const WIDE_PARTS = 8;

/** The records that pass, as a new set. `columnOf` returns undefined when no record of the segment has the attribute. */
export function evaluateFilter(
  filter: Filter,
  columnOf: (attribute: string) => DocValues | undefined,
  docCount: number,
): DocSet {
  switch (filter.kind) {
    case "everything":
      return new DocSet(docCount).fill();
    case "not":
      return evaluateFilter(filter.filter, columnOf, docCount).complement();
    case "and":
      return intersectAll(partsOf(filter.filters), columnOf, docCount);
    case "or": {
      const [first, ...more] = filter.filters;
      const passing = first === undefined ? new DocSet(docCount) : evaluateFilter(first, columnOf, docCount);
      for (const part of more) {
        if (isCondition(part)) addMatching(passing, part, columnOf(part.attribute));
        else passing.or(evaluateFilter(part, columnOf, docCount));
      }
      return passing;
    }
    default:
      return matching(matchesOf(filter, columnOf(filter.attribute)), docCount);
  }
}

/** The parts of an AND, with nested ANDs flattened. */
function partsOf(filters: readonly Filter[]): Filter[] {
  return filters.flatMap((part) => (part.kind === "and" ? partsOf(part.filters) : [part]));
}

/** The records that pass all parts. The condition with the fewest matches is evaluated first, to narrow the others. */
function intersectAll(
  parts: readonly Filter[],
  columnOf: (attribute: string) => DocValues | undefined,
  docCount: number,
): DocSet {
  const conditions = matchesOfAll(parts.filter(isCondition), columnOf);
  const [fewest, ...more] = conditions.toSorted((a, b) => a.size - b.size);
  const passing = fewest === undefined ? new DocSet(docCount).fill() : matching(fewest, docCount);
  for (const matches of more) keepMatching(passing, matches);
  for (const part of parts) {
    if (part.kind === "not") passing.andNot(evaluateFilter(part.filter, columnOf, docCount));
    else if (!isCondition(part)) passing.and(evaluateFilter(part, columnOf, docCount));
  }
  return passing;
}

/** The matches of a condition: ranges of ordinals of a column. No column: no record has the attribute. */
interface Matches {
  readonly column: DocValues | undefined;
  readonly ranges: readonly OrdinalRange[];
  /** The number of (record, ordinal) pairs in the ranges: records with several matching values count more than once. */
  readonly size: number;
}

function matchesOf(condition: Condition, column: DocValues | undefined): Matches {
  return column === undefined ? { column, ranges: [], size: 0 } : matchesIn(column, rangesOf(column, condition));
}

function matchesIn(column: DocValues, ranges: readonly OrdinalRange[]): Matches {
  return { column, ranges, size: ranges.reduce((sum, range) => sum + docsOfRange(column, range).length, 0) };
}

/** The matches of each condition. On a single-valued column the ranges of all conditions are intersected into one. */
function matchesOfAll(
  conditions: readonly Condition[],
  columnOf: (attribute: string) => DocValues | undefined,
): readonly Matches[] {
  const all: Matches[] = [];
  const byColumn = new Map<DocValues, Matches>();
  for (const condition of conditions) {
    const matches = matchesOf(condition, columnOf(condition.attribute));
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
function keepMatching(passing: DocSet, matches: Matches): void {
  const { column, ranges, size } = matches;
  const set = column !== undefined && ranges.length === 1 ? setOfRange(column, ranges[0]!) : undefined;
  if (set !== undefined) passing.and(set);
  else if (column === undefined || LOOK_UP * passing.count() > Math.min(size, passing.size / WIDE_PARTS))
    passing.and(matching(matches, passing.size));
  else for (const doc of passing.toArray()) if (!holdsAny(column, ranges, doc)) passing.remove(doc);
}

function holdsAny(column: DocValues, ranges: readonly OrdinalRange[], doc: number): boolean {
  const row = rowOf(column, doc);
  if (row < 0) return false;
  const { ordinals, starts } = column;
  for (let i = starts[row]!; i < starts[row + 1]!; i++) {
    const ordinal = ordinals[i]!;
    for (let at = 0; at < ranges.length; at++) if (ordinal >= ranges[at]!.from && ordinal < ranges[at]!.to) return true;
  }
  return false;
}

function matching({ column, ranges }: Matches, docCount: number): DocSet {
  const [first, ...more] = ranges;
  if (column === undefined || first === undefined) return new DocSet(docCount);
  const passing = setOfRange(column, first)?.copy() ?? addRange(new DocSet(docCount), column, first);
  for (const range of more) addRange(passing, column, range);
  return passing;
}

function isCondition(filter: Filter): filter is Condition {
  return has(filter, "attribute");
}

function addMatching(passing: DocSet, condition: Condition, column: DocValues | undefined): void {
  if (column === undefined) return;
  for (const range of rangesOf(column, condition)) addRange(passing, column, range);
}

function addRange(passing: DocSet, column: DocValues, range: OrdinalRange): DocSet {
  const set = setOfRange(column, range) ?? setOfWideRange(column, range);
  return set === undefined ? passing.addAll(docsOfRange(column, range)) : passing.or(set);
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
      return [ordinalRange(column, condition.low, condition.high, true, true)];
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
function valuesPrintedAs(printed: string): AttributeValue[] {
  const values: AttributeValue[] = [printed];
  if (String(Number(printed)) === printed) values.push(Number(printed));
  if (printed === "true" || printed === "false") values.push(printed === "true");
  return values;
}
