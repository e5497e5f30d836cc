// Numeric refinements: `numericFilters` in Algolia's forms. They narrow the matches as facet refinements do, in groups that can be
// left out one by one.

import type { Condition, Filter } from "../docvalues/filter.js";
import { NUMBER } from "../docvalues/parse-filter.js";
import { refusal } from "../util/errors.js";
import type { Limits } from "../util/limits.js";
import { show } from "../util/show.js";
import type { FacetRefinement } from "./facet-filters.js";
import { allOf, anyOf } from "./filter-object.js";

const PARAM = "numericFilters";
const ERROR = "invalid_parameter";
const FORMS = 'a list such as ["price>=10", "price<50", ["rating:4 TO 5", "sales>100"]]';

type Range = Extract<Condition, { readonly kind: "between" }>;

/** What one text asks of the numbers of an attribute: that one is in the range, or that none is. */
type NumericCondition = Range | { readonly kind: "not"; readonly filter: Range };

/**
 * Reads `numericFilters`; throws 400 `invalid_parameter`. Each inner list is a group of alternatives. The other texts about one attribute
 * are a group, too: one and the same number must be in all of their ranges.
 */
export function readNumericFilters(given: unknown, { filterConditions: most }: Limits): readonly FacetRefinement[] {
  if (!Array.isArray(given)) throw refusal(ERROR, PARAM, `${PARAM} is ${show(given)}; pass ${FORMS}.`);
  const items: readonly unknown[] = given;
  if (items.some((item) => Array.isArray(item) && item.length === 0))
    throw refusal(ERROR, PARAM, `${PARAM} holds an empty list, of which no condition can hold; leave it out.`);
  const count = items.reduce<number>((sum, item) => sum + (Array.isArray(item) ? item.length : 1), 0);
  if (count > most) throw refusal(ERROR, PARAM, `${PARAM} has more than ${most} conditions; pass fewer.`);
  const alone = items.filter((item) => !Array.isArray(item)).map(readCondition);
  const lists = items.filter((item): item is readonly unknown[] => Array.isArray(item));
  const byAttribute = new Map<string, NumericCondition[]>();
  for (const condition of alone) {
    const attribute = attributeOf(condition);
    byAttribute.set(attribute, [...(byAttribute.get(attribute) ?? []), condition]);
  }
  return [
    ...[...byAttribute].map(([attribute, conditions]) => ({ ownFacet: attribute, filter: filterOfAll(conditions) })),
    ...lists.map((list) => alternatives(list.map(readCondition))),
  ];
}

function attributeOf(condition: NumericCondition): string {
  return condition.kind === "not" ? condition.filter.attribute : condition.attribute;
}

function filterOfAll(conditions: readonly NumericCondition[]): Filter {
  const ranges = conditions.filter((condition) => condition.kind === "between");
  const unequal = conditions.filter(({ kind }) => kind === "not");
  return allOf(ranges.length === 0 ? unequal : [ranges.reduce(intersection), ...unequal]);
}

function alternatives(conditions: readonly NumericCondition[]): FacetRefinement {
  const attributes = new Set(conditions.map(attributeOf));
  const [attribute = null] = attributes;
  return { ownFacet: attributes.size === 1 ? attribute : null, filter: anyOf(conditions) };
}

/** The range of the numbers that are in both. */
function intersection(a: Range, b: Range): Range {
  const low = Math.max(a.low, b.low);
  const high = Math.min(a.high, b.high);
  const excludesLow = [a, b].some((range) => range.low === low && range.excludesLow);
  const excludesHigh = [a, b].some((range) => range.high === high && range.excludesHigh);
  return { ...a, low, high, excludesLow, excludesHigh };
}

function readCondition(given: unknown): NumericCondition {
  if (typeof given !== "string") throw refusal(ERROR, PARAM, `${PARAM} holds ${show(given)}; pass ${FORMS}.`);
  const at = given.search(/[<>=!:]/);
  const attribute = given.slice(0, Math.max(0, at)).trim();
  const [operator = ""] = /^(?:[<>!]=|[<>=:])/.exec(given.slice(at)) ?? [];
  if (attribute === "" || operator === "")
    throw wrong(given, 'an attribute, one of <, <=, =, !=, >=, >, and a number, or a range "price:1 TO 3"');
  const written = given.slice(at + operator.length).trim();
  if (operator === ":") return readRange(attribute, written, given);
  const value = numberIn(written, given);
  const range: Range = {
    kind: "between",
    attribute,
    low: operator.startsWith("<") ? Number.NEGATIVE_INFINITY : value,
    high: operator.startsWith(">") ? Number.POSITIVE_INFINITY : value,
    excludesLow: operator === ">",
    excludesHigh: operator === "<",
  };
  return operator === "!=" ? { kind: "not", filter: range } : range;
}

function readRange(attribute: string, written: string, given: string): Range {
  const [, low, high] = /^(\S+)\s+TO\s+(\S+)$/.exec(written) ?? [];
  if (low === undefined || high === undefined)
    throw wrong(given, 'a range "price:1 TO 3", or one of <, <=, =, !=, >=, >');
  return { kind: "between", attribute, low: numberIn(low, given), high: numberIn(high, given) };
}

function numberIn(written: string, given: string): number {
  const value = NUMBER.test(written) ? Number(written) : Number.NaN;
  if (!Number.isFinite(value)) throw wrong(given, "a number such as 5, -2.5 or 1e3");
  return value === 0 ? 0 : value;
}

function wrong(given: string, expected: string): Error {
  return refusal(ERROR, PARAM, `${PARAM} holds ${show(given)}; expected ${expected}.`);
}
