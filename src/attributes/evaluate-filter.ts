// Which records of a segment pass a filter: each condition is a range of codes, whose records, or all others, are set bit by
// bit; what joins the conditions works on whole words of bits.

import { has } from "../base/checks.js";
import { DocSet } from "../base/doc-set.js";
import { type CodeRange, type Column, codeOf, codeRange, docsOfRange, hasOneEach, setOfRange } from "./column.js";
import type { AttributeValue, Condition, Filter } from "./filter.js";

/** The records that pass, a set of the caller's own. `columnOf` answers undefined where nobody has the attribute. */
export function evaluateFilter(
  filter: Filter,
  columnOf: (attribute: string) => Column | undefined,
  docCount: number,
): DocSet {
  switch (filter.kind) {
    case "everything":
      return new DocSet(docCount).fill();
    case "not":
      return evaluateFilter(filter.filter, columnOf, docCount).complement();
    case "and": {
      const passing = new DocSet(docCount).fill();
      for (const part of filter.filters) {
        if (part.kind === "not") passing.andNot(evaluateFilter(part.filter, columnOf, docCount));
        else passing.and(evaluateFilter(part, columnOf, docCount));
      }
      return passing;
    }
    case "or": {
      const passing = new DocSet(docCount);
      for (const part of filter.filters) {
        if (isCondition(part)) addMatching(passing, part, columnOf(part.attribute));
        else passing.or(evaluateFilter(part, columnOf, docCount));
      }
      return passing;
    }
    default:
      return matching(filter, columnOf(filter.attribute), docCount);
  }
}

/** Where most match, and each record has one value, the others are fewer. */
function matching(condition: Condition, column: Column | undefined, docCount: number): DocSet {
  const passing = new DocSet(docCount);
  if (column === undefined) return passing;
  const ranges = rangesOf(column, condition);
  const [{ from, to } = { from: 0, to: 0 }] = ranges;
  if (ranges.length === 1 && 2 * docsOfRange(column, { from, to }).length > docCount && hasOneEach(column)) {
    const behind = { from: to, to: column.values.length };
    return passing
      .fill()
      .removeAll(docsOfRange(column, { from: 0, to: from }))
      .removeAll(docsOfRange(column, behind));
  }
  for (const range of ranges) addRange(passing, column, range);
  return passing;
}

function isCondition(filter: Filter): filter is Condition {
  return has(filter, "attribute");
}

function addMatching(passing: DocSet, condition: Condition, column: Column | undefined): void {
  if (column === undefined) return;
  for (const range of rangesOf(column, condition)) addRange(passing, column, range);
}

function addRange(passing: DocSet, column: Column, range: CodeRange): void {
  const set = setOfRange(column, range);
  if (set === undefined) passing.addAll(docsOfRange(column, range));
  else passing.or(set);
}

function rangesOf(column: Column, condition: Condition): CodeRange[] {
  switch (condition.kind) {
    case "equals":
      return rangesOfValues(column, condition.printed ? printedAs(String(condition.value)) : [condition.value]);
    case "in":
      return rangesOfValues(column, condition.values);
    case "compare":
      return [comparedRange(column, condition.operator, condition.value)];
    case "between":
      return [codeRange(column, condition.low, condition.high, true, true)];
    case "exists":
      return [{ from: 0, to: column.values.length }];
  }
}

function rangesOfValues(column: Column, values: readonly AttributeValue[]): CodeRange[] {
  const codes = values.map((value) => codeOf(column, value)).filter((code) => code >= 0);
  return codes.map((code) => ({ from: code, to: code + 1 }));
}

function comparedRange(column: Column, operator: "lt" | "lte" | "gt" | "gte", value: number): CodeRange {
  return operator === "lt" || operator === "lte"
    ? codeRange(column, Number.NEGATIVE_INFINITY, value, true, operator === "lte")
    : codeRange(column, value, Number.POSITIVE_INFINITY, operator === "gte", true);
}

/** The string, and the number or boolean that prints like it. */
function printedAs(printed: string): AttributeValue[] {
  const values: AttributeValue[] = [printed];
  if (String(Number(printed)) === printed) values.push(Number(printed));
  if (printed === "true" || printed === "false") values.push(printed === "true");
  return values;
}
