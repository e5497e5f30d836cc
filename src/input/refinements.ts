// Refinements: what a user has chosen, in groups, by `facetFilters`, and by `numericFilters` in Algolia's forms. They narrow the matches. A
// group can be left out on its own, to count the other values of its attribute. A group without a value is dropped.

import { allOf, anyOf, type Condition, type Filter, negated, type Range, rangeOfAll } from "../docvalues/filter.js";
import { NUMBER } from "../docvalues/parse-filter.js";
import { refusal, show } from "../util/errors.js";
import type { Limits } from "../util/limits.js";
import { listIn } from "../util/offset-table.js";
import { FilterReader } from "./filter-object.js";

/** What was chosen, and forms one condition. */
export interface FacetRefinement {
  /** The attribute whose facet is counted as if this were not chosen; null: none. */
  readonly ownFacet: string | null;
  readonly filter: Filter;
}

const FACETS = "facetFilters";
const FACET_FORMS = 'a list such as [["brand:Forge", "brand:Volt"], "colors:black"], or an object';

/**
 * Reads `facetFilters`; throws 400 `invalid_facet_filters` or `filter_too_complex`.
 *
 * In a list, each text `attribute:value` is a group, and each inner list is a group of alternatives of one attribute. Values
 * compare as printed. `:-` negates; a value that begins with a hyphen, or with backslashes and a hyphen, takes one more
 * backslash (`:\-`). In an object, each attribute is a group of alternatives, and types are exact.
 */
export function readFacetFilters(given: unknown, limits: Limits): readonly FacetRefinement[] {
  const reader = new FilterReader(limits, FACETS, "invalid_facet_filters");
  return Array.isArray(given) ? readList(given, reader) : readObject(given, reader);
}

function readObject(given: unknown, reader: FilterReader): FacetRefinement[] {
  if (typeof given !== "object" || given === null)
    throw reader.refusal(`${FACETS} is ${show(given)}; pass ${FACET_FORMS}.`);
  const groups: FacetRefinement[] = [];
  for (const [attribute, value] of reader.entries(given, FACETS)) {
    if (attribute === "AND" || attribute === "OR" || attribute === "NOT" || attribute.startsWith("$"))
      throw reader.refusal(`${FACETS} has the key ${show(attribute)}; pass attributes alone, or use filters.`);
    if (Array.isArray(value) && value.length === 0) continue;
    groups.push({ ownFacet: attribute, filter: reader.attribute(attribute, value) });
  }
  return groups;
}

function readList(given: readonly unknown[], reader: FilterReader): FacetRefinement[] {
  reader.budget.affords(given.length);
  return given.flatMap((item) => {
    if (Array.isArray(item)) return readInnerList(item, reader);
    return [{ ownFacet: null, filter: readRefinement(item, reader).filter }];
  });
}

function readInnerList(given: readonly unknown[], reader: FilterReader): FacetRefinement[] {
  reader.budget.affords(given.length);
  const refinements = given.map((item) => readRefinement(item, reader));
  const first = refinements[0];
  if (first === undefined) return [];
  const other = refinements.find(({ attribute }) => attribute !== first.attribute);
  if (other !== undefined)
    throw reader.refusal(
      `${FACETS} has ${show(first.attribute)} and ${show(other.attribute)} in one inner list; give each attribute its own.`,
    );
  return [{ ownFacet: first.attribute, filter: anyOf(refinements.map(({ filter }) => filter)) }];
}

/** Reads a text `attribute:value`. */
export function readRefinement(
  given: unknown,
  reader: FilterReader,
): { readonly attribute: string; readonly filter: Filter } {
  if (typeof given !== "string") throw reader.refusal(`${reader.param} holds ${show(given)}; pass ${FACET_FORMS}.`);
  const colon = given.indexOf(":");
  if (colon < 1)
    throw reader.refusal(
      `${reader.param} holds ${show(given)}; expected an attribute, a colon and a value: "brand:Forge".`,
    );
  reader.budget.condition();
  const attribute = given.slice(0, colon);
  const written = given.slice(colon + 1);
  const isNegated = written.startsWith("-");
  const text = isNegated ? written.slice(1) : written;
  // Only the first backslash is the escape, so every value can be written.
  const value = /^\\+-/.test(text) ? text.slice(1) : text;
  const equal: Condition = { kind: "equals", attribute, value, printed: true };
  return { attribute, filter: isNegated ? negated(equal) : equal };
}

const NUMBER_FORMS = 'a list such as ["price>=10", "price<50", ["rating:4 TO 5", "sales>100"]]';

/** What one text asks of the numbers of an attribute: that one is in the range, or that none is. */
type NumericCondition = Range | { readonly kind: "not"; readonly filter: Range };

/**
 * Reads `numericFilters`; throws 400 `invalid_parameter`. Each inner list is a group of alternatives. The other texts about one attribute
 * are a group, too: one and the same number must be in all of their ranges.
 */
export function readNumericFilters(given: unknown, { filterConditions: most }: Limits): readonly FacetRefinement[] {
  if (!Array.isArray(given)) throw refuse(`is ${show(given)}; pass ${NUMBER_FORMS}.`);
  const items: readonly unknown[] = given;
  if (items.some((item) => Array.isArray(item) && item.length === 0))
    throw refuse("holds an empty list, of which no condition can hold; leave it out.");
  const count = items.reduce<number>((sum, item) => sum + (Array.isArray(item) ? item.length : 1), 0);
  if (count > most) throw refuse(`has more than ${most} conditions; pass fewer.`);
  const alone = items.filter((item) => !Array.isArray(item)).map(readCondition);
  const lists = items.filter((item): item is readonly unknown[] => Array.isArray(item));
  const byAttribute = new Map<string, NumericCondition[]>();
  for (const condition of alone) listIn(byAttribute, attributeOf(condition)).push(condition);
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
  return allOf(ranges.length === 0 ? unequal : [rangeOfAll(ranges)!, ...unequal]);
}

function alternatives(conditions: readonly NumericCondition[]): FacetRefinement {
  const attributes = new Set(conditions.map(attributeOf));
  const [attribute = null] = attributes;
  return { ownFacet: attributes.size === 1 ? attribute : null, filter: anyOf(conditions) };
}

function readCondition(given: unknown): NumericCondition {
  if (typeof given !== "string") throw refuse(`holds ${show(given)}; pass ${NUMBER_FORMS}.`);
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
  return refuse(`holds ${show(given)}; expected ${expected}.`);
}

function refuse(why: string): Error {
  return refusal("invalid_parameter", "numericFilters", `numericFilters ${why}`);
}
