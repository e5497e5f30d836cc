// Medusa's filters as those of the engine. What the engine cannot answer exactly is refused.

import type { UntypedFilter } from "../docvalues/filter.js";
import { show } from "../util/errors.js";
import { objectIn } from "../util/json.js";
import { instantIn, isoText } from "./document.js";
import { type IndexDefinition, type Leaf, leafAt, objectOf } from "./index-definition.js";
import { medusaError } from "./medusa-error.js";

/** Passes all records. */
export const EVERYTHING: UntypedFilter = {};
/** Passes none. */
export const NOTHING: UntypedFilter = { NOT: EVERYTHING };

const BOUNDS = { $lt: "lt", $lte: "lte", $gt: "gt", $gte: "gte" } as const;
const EXPECTED: { readonly [T in Leaf["type"]]?: string } = {
  keyword: "a text",
  text: "a text",
  integer: "a number",
  float: "a number",
  boolean: "true or false",
  date: "a Date, an ISO text or milliseconds",
};

const wrong = (message: string): Error => medusaError("invalid_data", message);
const impossible = (message: string): Error => medusaError("not_allowed", message);

/** Reads filters; undefined passes everything. Throws `invalid_data` for what is wrong, `not_allowed` for what cannot be answered. */
export function filterOf(given: unknown, definition: IndexDefinition): UntypedFilter {
  return given === undefined ? EVERYTHING : groupOf(given, definition);
}

/** The keys of the documents that filters name, if they are nothing but a value or a list of values of the primary key. */
export function keysIn(given: unknown, { primaryKey }: IndexDefinition): readonly string[] | undefined {
  const [[name, value] = [], ...others] = entriesOf(given, "filters");
  if (name !== primaryKey || others.length > 0) return undefined;
  const operators = objectIn(value);
  const { $in } = operators ?? {};
  const isIn = operators !== undefined && Array.isArray($in) && Object.keys(operators).length === 1;
  const keys: readonly unknown[] = isIn ? $in : Array.isArray(value) ? value : [value];
  return keys.every((key) => typeof key === "string" || typeof key === "number") ? keys.map(String) : undefined;
}

/** The names and values of an object that have a value. */
function entriesOf(given: unknown, at: string): readonly [name: string, value: unknown][] {
  return Object.entries(objectOf(given, at)).filter(([, value]) => value !== undefined);
}

function groupOf(given: unknown, definition: IndexDefinition): UntypedFilter {
  return allOf(entriesOf(given, "filters").map(([name, value]) => entryOf(name, value, definition)));
}

function entryOf(name: string, value: unknown, definition: IndexDefinition): UntypedFilter {
  switch (name) {
    case "$and":
      return allOf(groupsOf(name, value, definition));
    case "$or":
      return { OR: groupsOf(name, value, definition) };
    case "$not":
      if (entriesOf(value, "filters: $not").length === 0)
        throw wrong("filters: $not is empty; pass what must not hold.");
      return { NOT: groupOf(value, definition) };
  }
  if (name.startsWith("$"))
    throw impossible(`filters has the operator ${show(name)}; possible are $and, $or and $not.`);
  const leaf = leafAt(name, definition, "filters");
  if (leaf.type === "geo" || leaf.type === "vector")
    throw impossible(`filters names the ${leaf.type} field ${show(name)}, which has no filters.`);
  if (!leaf.isFilterable) throw wrong(`filters names ${show(name)}, which is not filterable.`);
  return conditionOf(leaf, value);
}

function groupsOf(name: string, given: unknown, definition: IndexDefinition): UntypedFilter[] {
  if (!Array.isArray(given) || given.length === 0)
    throw wrong(`filters: ${name} is ${Array.isArray(given) ? "empty" : show(given)}; pass a list of filters.`);
  return given.map((each: unknown) => groupOf(each, definition));
}

function allOf(filters: readonly UntypedFilter[]): UntypedFilter {
  return filters.length === 1 ? filters[0]! : filters.length === 0 ? EVERYTHING : { AND: filters };
}

function conditionOf(leaf: Leaf, given: unknown): UntypedFilter {
  if (Array.isArray(given)) return oneOf(leaf, given);
  if (given === null || typeof given !== "object" || given instanceof Date) return equal(leaf, given);
  const at = `filters: ${show(leaf.path)}`;
  const operators = entriesOf(given, at);
  if (operators.length === 0) throw wrong(`${at} is an empty object; pass a value or an operator such as $gte.`);
  const isBound = ([operator]: readonly [string, unknown]): boolean => Object.hasOwn(BOUNDS, operator);
  const bounds = operators.filter(isBound);
  const others = operators
    .filter((each) => !isBound(each))
    .map(([operator, value]) => operation(leaf, operator, value));
  return allOf([...(bounds.length === 0 ? [] : [within(leaf, bounds as [keyof typeof BOUNDS, unknown][])]), ...others]);
}

function operation(leaf: Leaf, operator: string, value: unknown): UntypedFilter {
  const at = `filters: ${show(leaf.path)}: ${operator}`;
  switch (operator) {
    case "$eq":
      return equal(leaf, value);
    case "$ne":
      return { NOT: equal(leaf, value) };
    case "$in":
      return oneOf(leaf, value, at);
    case "$nin":
      return { NOT: oneOf(leaf, value, at) };
    case "$exists":
      if (typeof value !== "boolean") throw wrong(`${at} is ${show(value)}; pass true or false.`);
      return { [leaf.attribute]: { exists: value } };
    case "$contains":
    case "$overlaps": {
      if (!leaf.isList) throw impossible(`${at} asks for values of an array, and the field is none; use $in.`);
      const list: readonly unknown[] = operator === "$contains" && !Array.isArray(value) ? [value] : listOf(value, at);
      if (list.includes(null)) throw wrong(`${at} has null; pass values.`);
      if (operator === "$overlaps") return oneOf(leaf, list);
      if (list.length === 0) throw wrong(`${at} is empty; pass what it must contain.`);
      return allOf(list.map((item) => equal(leaf, item)));
    }
  }
  if (operator.startsWith("$")) throw impossible(`${at} is no operator of this provider.`);
  throw wrong(`filters: ${show(leaf.path)} has ${show(operator)}; pass operators such as $gte.`);
}

function within(leaf: Leaf, given: readonly [keyof typeof BOUNDS, unknown][]): UntypedFilter {
  const { attribute, type, isList, path } = leaf;
  if (type === "keyword" || type === "text" || type === "boolean")
    throw impossible(
      `filters: ${show(path)}: ${given[0]![0]} compares numbers and dates, and the field has the type ${type}.`,
    );
  const bounds = Object.fromEntries(given.map(([operator, bound]) => [BOUNDS[operator], comparedWith(leaf, bound)]));
  // Of several values, one and the same must be within all bounds.
  return { [attribute]: isList ? { some: bounds } : bounds };
}

function equal(leaf: Leaf, value: unknown): UntypedFilter {
  return { [leaf.attribute]: value === null ? { exists: false } : { eq: comparedWith(leaf, value) } };
}

function oneOf(leaf: Leaf, given: unknown, at = `filters: ${show(leaf.path)}`): UntypedFilter {
  const values = listOf(given, at).map((value) => (value === null ? null : comparedWith(leaf, value)));
  return { [leaf.attribute]: values };
}

function listOf(given: unknown, at: string): readonly unknown[] {
  if (Array.isArray(given)) return given;
  throw wrong(`${at} is ${show(given)}; pass a list.`);
}

/** A value that a field is compared with, as the engine has it. Throws `invalid_data` for one of another type. */
function comparedWith(leaf: Leaf, given: unknown): string | number | boolean {
  const { type } = leaf;
  if (type === "date") {
    const instant = instantIn(given);
    if (instant !== undefined) return isoText(instant);
  } else if (type === "boolean" ? typeof given === "boolean" : false) return given as boolean;
  else if ((type === "integer" || type === "float") && Number.isFinite(given)) return given as number;
  else if ((type === "keyword" || type === "text") && typeof given === "string") return given;
  throw wrong(
    `filters: ${show(leaf.path)} is compared with ${given instanceof Date ? "no date" : show(given)}; pass ${EXPECTED[type]}.`,
  );
}
