// A filter as a tree. Both the text form and the object form are parsed into it, and doc-values columns evaluate it.

import { refusal } from "../util/errors.js";
import { show } from "../util/show.js";
import type { Area } from "./place.js";

/** A value that can be filtered, faceted and sorted by. */
export type AttributeValue = string | number | boolean;

/** The position of a condition in the filter text: code units, end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One condition on one attribute. An array passes when any of its items does. */
export type Condition =
  /** `printed`: a word without quotes, which equals every value that prints like it (89 and "89", true and "true"). */
  | {
      readonly kind: "equals";
      readonly attribute: string;
      readonly value: AttributeValue;
      readonly printed: boolean;
      readonly span?: Span;
    }
  | {
      readonly kind: "in";
      readonly attribute: string;
      readonly values: readonly AttributeValue[];
      readonly span?: Span;
    }
  | {
      readonly kind: "compare";
      readonly attribute: string;
      readonly operator: "lt" | "lte" | "gt" | "gte";
      readonly value: number;
      /** The value is an instant, with which dates are compared: texts, and no numbers. */
      readonly isInstant?: true;
      readonly span?: Span;
    }
  /** Both ends included, unless they are excluded; nothing where low > high. */
  | {
      readonly kind: "between";
      readonly attribute: string;
      readonly low: number;
      readonly high: number;
      readonly excludesLow?: boolean;
      readonly excludesHigh?: boolean;
      /** As of `compare`. */
      readonly isInstant?: true;
      readonly span?: Span;
    }
  /** The attribute holds a value: not missing, not null, not an empty array. */
  | { readonly kind: "exists"; readonly attribute: string; readonly span?: Span };

/** One item of a list passes all of a filter, whose names are seen from the item. */
export interface SomeItem {
  readonly kind: "some";
  /** The list; of one within another, as seen from the item of the outer one. */
  readonly path: string;
  readonly filter: Filter;
}

/** A filter. `everything` passes all records; `!=` and `ne` are NOT equals. */
export type Filter =
  | { readonly kind: "everything" }
  | { readonly kind: "and"; readonly filters: readonly Filter[] }
  | { readonly kind: "or"; readonly filters: readonly Filter[] }
  | { readonly kind: "not"; readonly filter: Filter }
  /** A place of the record is in the area. */
  | { readonly kind: "place"; readonly area: Area }
  | SomeItem
  | Condition;

/** The path of what is seen from an item of a list; "" is the record. */
export function pathWithin(list: string, name: string): string {
  return list === "" ? name : `${list}.${name}`;
}

/** A condition on one attribute, and the list from whose items its name is seen; "": from the record. */
export interface PlacedCondition {
  readonly condition: Condition;
  readonly list: string;
}

/** All conditions of a filter on attributes, from left to right; an attribute may occur several times. */
export function conditionsOf(filter: Filter): PlacedCondition[] {
  const conditions: PlacedCondition[] = [];
  collect(filter, "", conditions);
  return conditions;
}

function collect(filter: Filter, list: string, into: PlacedCondition[]): void {
  switch (filter.kind) {
    case "everything":
    case "place":
      return;
    case "and":
    case "or":
      for (const part of filter.filters) collect(part, list, into);
      return;
    case "not":
      collect(filter.filter, list, into);
      return;
    case "some":
      collect(filter.filter, pathWithin(list, filter.path), into);
      return;
    default:
      into.push({ condition: filter, list });
  }
}

/** A text that is the same for filters that pass the same records, and another one for filters that may not. */
export function filterKey(filter: Filter): string {
  // JSON has no other numbers, and no value is a list of one text.
  return JSON.stringify(filter, (_, value: unknown) =>
    typeof value === "number" && !Number.isFinite(value) ? [String(value)] : value,
  );
}

/** The conditions on items of lists that stand under no NOT and in no other one, from left to right: they say which items match. */
export function bindingIn(filter: Filter): SomeItem[] {
  if (filter.kind === "and" || filter.kind === "or") return filter.filters.flatMap(bindingIn);
  return filter.kind === "some" ? [filter] : [];
}

/**
 * Quotes a value for the text form of `filters`, so that no value can break out of its condition. In a string, quotes,
 * backslashes and control characters are escaped; numbers and booleans are printed as they are.
 *
 * A quoted string equals that string alone. A number or boolean also equals the string that prints like it, as does any
 * word without quotes. The object form of `filters` compares by exact type.
 *
 * @throws SearchError 400 `invalid_filter` for any other value
 *
 * @example
 * await query("products", { query: "drill", filters: `brand:${quoteFilterValue('6" Tools')} AND price < 100` });
 */
export function quoteFilterValue(value: string | number | boolean): string {
  // JSON's escapes are the filter's, and JSON.stringify escapes lone surrogates too.
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "boolean" || Number.isFinite(value)) return String(value);
  const msg = `quoteFilterValue was given ${show(value)}; pass a text, a finite number or a boolean.`;
  throw refusal("invalid_filter", "value", msg);
}
