// Medusa's filters as those of the engine. What the engine cannot answer exactly is refused.

import type { UntypedFilter } from "../docvalues/filter.js";
import { classOf } from "../util/brand.js";
import { show, showNames } from "../util/errors.js";
import { type Definition, type Leaf, scalarAt } from "./definition.js";
import { EXPECTED, instantIn, isoText } from "./document.js";
import { impossible, wrong } from "./medusa-error.js";
import { entriesOf, plainObject } from "./options.js";

/** Passes all records. */
export const EVERYTHING: UntypedFilter = {};
/** Passes none. */
export const NOTHING: UntypedFilter = { NOT: EVERYTHING };

const BOUNDS: Readonly<Record<string, string>> = { $lt: "lt", $lte: "lte", $gt: "gt", $gte: "gte" };

/** The keys of the documents that filters name, if they are nothing but a value or a list of values of the primary key. */
export function keysIn(given: unknown, { primaryKey }: Definition): readonly string[] | undefined {
  const [[name, value] = [], ...others] = entriesOf(given, "filters");
  if (name !== primaryKey || others.length > 0) return undefined;
  const { $in = value, ...operators } = plainObject(value) ?? {};
  const keys: readonly unknown[] = Array.isArray($in) ? $in : [value];
  const areKeys =
    Object.keys(operators).length === 0 && keys.every((key) => typeof key === "string" || typeof key === "number");
  return areKeys ? keys.map(String) : undefined;
}

/** Reads filters. Throws `invalid_data` for what is wrong, `not_allowed` for what cannot be answered. */
export function filterOf(given: unknown, definition: Definition): UntypedFilter {
  return allOf(entriesOf(given, "filters").map(([name, value]) => entryOf(name, value, definition)));
}

function entryOf(name: string, value: unknown, definition: Definition): UntypedFilter {
  switch (name) {
    case "$and":
      return allOf(partsOf(name, value, definition));
    case "$or":
      return { OR: partsOf(name, value, definition) };
    case "$not":
      if (entriesOf(value, "filters: $not").length === 0)
        throw wrong("filters: $not is empty; pass what must not hold.");
      return { NOT: filterOf(value, definition) };
  }
  if (name.startsWith("$"))
    throw impossible(`filters has the operator ${show(name)}; possible are $and, $or and $not.`);
  const leaf = scalarAt(name, definition.leaves, "filters");
  if (!leaf.filterable) throw wrong(`filters names ${show(name)}, which is not filterable.`);
  return conditionOf(leaf, value);
}

function partsOf(name: string, given: unknown, definition: Definition): UntypedFilter[] {
  const parts = listOf(given, `filters: ${name}`);
  if (parts.length === 0) throw wrong(`filters: ${name} is empty; pass a list of filters.`);
  return parts.map((each) => filterOf(each, definition));
}

function allOf(filters: readonly UntypedFilter[]): UntypedFilter {
  return filters.length === 1 ? filters[0]! : filters.length === 0 ? EVERYTHING : { AND: filters };
}

function conditionOf(leaf: Leaf, given: unknown): UntypedFilter {
  const at = `filters: ${show(leaf.path)}`;
  if (Array.isArray(given)) return oneOf(leaf, given, at);
  if (plainObject(given) === undefined) return equal(leaf, given);
  const operators = entriesOf(given, at);
  if (operators.length === 0) throw wrong(`${at} is an empty object; pass a value or an operator such as $gte.`);
  const bounds = operators.filter(([operator]) => Object.hasOwn(BOUNDS, operator));
  const others = operators.filter((each) => !bounds.includes(each));
  const conditions = others.map(([operator, value]) => operation(leaf, operator, value));
  return allOf(bounds.length === 0 ? conditions : [within(leaf, bounds), ...conditions]);
}

const OPERATORS: Readonly<Record<string, (leaf: Leaf, value: unknown, at: string) => UntypedFilter>> = {
  $eq: equal,
  $ne: (leaf, value) => ({ NOT: equal(leaf, value) }),
  $in: oneOf,
  $nin: (leaf, value, at) => ({ NOT: oneOf(leaf, value, at) }),
  $exists: (leaf, value, at) => {
    if (typeof value === "boolean") return { [leaf.attribute]: { exists: value } };
    throw wrong(`${at} is ${show(value)}; pass true or false.`);
  },
  $contains: (leaf, value, at) => {
    const items = itemsOf(leaf, Array.isArray(value) ? value : [value], at);
    if (items.length === 0) throw wrong(`${at} is empty; pass what it must contain.`);
    return allOf(items.map((item) => equal(leaf, item)));
  },
  $overlaps: (leaf, value, at) => oneOf(leaf, itemsOf(leaf, value, at), at),
};

function itemsOf(leaf: Leaf, value: unknown, at: string): readonly unknown[] {
  if (!leaf.isList) throw impossible(`${at} asks for values of an array, and the field is none; use $in.`);
  const items = listOf(value, at);
  if (items.includes(null)) throw wrong(`${at} has null; pass values.`);
  return items;
}

function operation(leaf: Leaf, operator: string, value: unknown): UntypedFilter {
  const at = `filters: ${show(leaf.path)}: ${show(operator)}`;
  if (Object.hasOwn(OPERATORS, operator)) return OPERATORS[operator]!(leaf, value, at);
  throw (operator.startsWith("$") ? impossible : wrong)(
    `${at} is no operator; known are ${showNames(Object.keys({ ...OPERATORS, ...BOUNDS }))}.`,
  );
}

function within(leaf: Leaf, given: readonly (readonly [operator: string, bound: unknown])[]): UntypedFilter {
  const { attribute, type, isList, path } = leaf;
  if (type === "keyword" || type === "text" || type === "boolean")
    throw impossible(`filters: ${show(path)} has bounds, which are of numbers and dates; its type is ${type}.`);
  const bounds = Object.fromEntries(given.map(([operator, bound]) => [BOUNDS[operator], comparedWith(leaf, bound)]));
  // Of several values, one and the same must be within all bounds.
  return { [attribute]: isList ? { some: bounds } : bounds };
}

function equal(leaf: Leaf, value: unknown): UntypedFilter {
  return { [leaf.attribute]: value === null ? { exists: false } : { eq: comparedWith(leaf, value) } };
}

function oneOf(leaf: Leaf, given: unknown, at: string): UntypedFilter {
  return { [leaf.attribute]: listOf(given, at).map((value) => (value === null ? null : comparedWith(leaf, value))) };
}

function listOf(given: unknown, at: string): readonly unknown[] {
  if (Array.isArray(given)) return given;
  throw wrong(`${at} is ${show(given)}; pass a list.`);
}

/** A value that a field is compared with, as the engine has it. Throws `invalid_data` for one of another type. */
function comparedWith({ type, path }: Leaf, given: unknown): string | number | boolean {
  const isNumeric = type === "integer" || type === "float" || type === "date";
  const value = type === "date" ? instantIn(given) : given;
  if (isNumeric ? Number.isFinite(value) : typeof value === (type === "boolean" ? type : "string"))
    return type === "date" ? isoText(value) : (value as string | number | boolean);
  const found = classOf(given) === "Date" ? "no date" : show(given);
  throw wrong(`filters: ${show(path)} is compared with ${found}; pass ${EXPECTED[type]}.`);
}
