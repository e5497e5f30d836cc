// A filter as a tree. Both the text form and the object form are parsed into it, and doc-values columns evaluate it.
//
// Filters and facet refinements typed by the record: a wrong attribute or operator does not compile. Types only.

import type { AttributePath, Inner, IsUntyped } from "../util/attribute-path.js";
import { refusal, show } from "../util/errors.js";
import type { JsonRecord, JsonValue } from "../util/json.js";
import type { AttributeValue } from "./doc-values.js";
import type { Area } from "./place.js";

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

/** What one value of an attribute must be between: a number, or a date. */
export type Range = Extract<Condition, { readonly kind: "between" }>;

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
export function conditionsOf(filter: Filter, list = ""): PlacedCondition[] {
  switch (filter.kind) {
    case "everything":
    case "place":
      return [];
    case "and":
    case "or":
      return filter.filters.flatMap((part) => conditionsOf(part, list));
    case "not":
      return conditionsOf(filter.filter, list);
    case "some":
      return conditionsOf(filter.filter, pathWithin(list, filter.path));
    default:
      return [{ condition: filter, list }];
  }
}

/** The conjunction of filters; everything when there are none. */
export function allOf(filters: readonly Filter[]): Filter {
  if (filters.length === 0) return { kind: "everything" };
  return filters.length === 1 ? filters[0]! : { kind: "and", filters };
}

/** The disjunction of filters; nothing when there are none. */
export function anyOf(filters: readonly Filter[]): Filter {
  if (filters.length === 0) return negated({ kind: "everything" });
  return filters.length === 1 ? filters[0]! : { kind: "or", filters };
}

/** The negation of a filter. */
export function negated(filter: Filter): Filter {
  return { kind: "not", filter };
}

/**
 * The range of the values that meet all of some conditions on one attribute, of which there is at least one; undefined: some are about
 * numbers, others about dates.
 */
export function rangeOfAll(conditions: readonly Condition[]): Range | undefined {
  const ranges = conditions.flatMap((condition): Range[] => {
    if (condition.kind === "between") return [condition];
    if (condition.kind !== "compare") return [];
    const { operator, value, ...others } = condition;
    const isUpper = operator === "lt" || operator === "lte";
    const low = isUpper ? Number.NEGATIVE_INFINITY : value;
    const high = isUpper ? value : Number.POSITIVE_INFINITY;
    return [{ ...others, kind: "between", low, high, excludesLow: operator === "gt", excludesHigh: operator === "lt" }];
  });
  const isMixed = ranges.some(({ isInstant }) => isInstant !== ranges[0]!.isInstant);
  return isMixed ? undefined : ranges.reduce(intersection);
}

function intersection(a: Range, b: Range): Range {
  const low = Math.max(a.low, b.low);
  const high = Math.min(a.high, b.high);
  const excludesLow = [a, b].some((range) => range.low === low && range.excludesLow);
  const excludesHigh = [a, b].some((range) => range.high === high && range.excludesHigh);
  return { ...a, low, high, excludesLow, excludesHigh };
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

type Scalar = string | number | boolean;
type ValueAt<T, P extends string> = P extends keyof T
  ? Inner<T[P]>
  : P extends `${infer K}.${infer Rest}`
    ? K extends keyof T
      ? ValueAt<Inner<T[K]>, Rest>
      : never
    : never;

type Widened<T> = T extends string ? T : T extends number ? number : T extends boolean ? boolean : Scalar;
/** The type of the values at a path; any scalar when the record type has no known keys. */
export type PathValue<R extends object, P extends string> = IsUntyped<R> extends true ? Scalar : Widened<ValueAt<R, P>>;

/** Operators on one attribute; several must all pass. */
type FilterOperators<V> = {
  readonly eq?: V | null | undefined;
  readonly ne?: V | null | undefined;
  readonly in?: readonly V[] | undefined;
  readonly exists?: boolean | undefined;
} & ([BoundOf<V>] extends [never] ? unknown : Bounds<BoundOf<V>>);

interface Bounds<B> {
  readonly lt?: B | undefined;
  readonly lte?: B | undefined;
  readonly gt?: B | undefined;
  readonly gte?: B | undefined;
  /** Both ends included; two numbers, or two dates. */
  readonly between?: readonly [B, B] | undefined;
}

/** The operator on the values of an attribute that can be compared: one and the same of them meets all bounds. */
type SomeValue<V> = V extends Scalar | Date
  ? [BoundOf<Widened<V>>] extends [never]
    ? never
    : {
        /** At least one bound, as in `{ ratings: { some: { gt: 3, lt: 5 } } }`. */
        readonly some?: Bounds<BoundOf<Widened<V>>> | undefined;
      }
  : never;

/** The operator on a list of objects, or an object: one of these passes all of a filter, whose names are seen from it. */
type SomeItemOf<V> = V extends Scalar | Date
  ? never
  : V extends object
    ? {
        /** At least one condition, as in `{ variants: { some: { size: "M", color: "blue" } } }`. */
        readonly some?: FilterObject<V> | undefined;
      }
    : never;

/** What values are compared with: numbers, or where they may be dates, an ISO text or a `Date`. */
type BoundOf<V> = (Extract<V, number> extends never ? never : number) | (string extends V ? string | Date : never);

/** A filter on records of unknown type, checked at run time. */
export interface UntypedFilter {
  readonly [name: string]: JsonValue | FilterOperators<Scalar> | UntypedFilter | readonly UntypedFilter[] | undefined;
}

/** A filter as an object: attributes that must all pass; `AND`, `OR`, `NOT` are reserved. */
export type FilterObject<R extends object = JsonRecord> = IsUntyped<R> extends true ? UntypedFilter : TypedFilter<R>;

/** A filter on records of a known type. */
type TypedFilter<R extends object> = {
  readonly [P in AttributePath<R>]?:
    | PathValue<R, P>
    | null
    | readonly PathValue<R, P>[]
    | FilterOperators<PathValue<R, P>>
    | SomeValue<ValueAt<R, P>>
    | SomeItemOf<ValueAt<R, P>>
    | undefined;
} & {
  readonly AND?: readonly TypedFilter<R>[] | undefined;
  readonly OR?: readonly TypedFilter<R>[] | undefined;
  readonly NOT?: TypedFilter<R> | undefined;
};

/** `facetFilters` as an object: the values of one attribute are alternatives. */
export type FacetClicks<R extends object = JsonRecord> = {
  readonly [P in AttributePath<R>]?:
    | PathValue<R, P>
    | readonly PathValue<R, P>[]
    | FilterOperators<PathValue<R, P>>
    | SomeValue<PathValue<R, P>>
    | undefined;
};
