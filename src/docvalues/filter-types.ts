// Filters and facet refinements typed by the record: a wrong attribute or operator does not compile. Types only.

import type { AttributePath, Inner, IsUntyped } from "../util/attribute-path.js";
import type { JsonRecord, JsonValue } from "../util/json.js";

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
} & ([BoundOf<V>] extends [never]
  ? unknown
  : {
      readonly lt?: BoundOf<V> | undefined;
      readonly lte?: BoundOf<V> | undefined;
      readonly gt?: BoundOf<V> | undefined;
      readonly gte?: BoundOf<V> | undefined;
      /** Both ends included; two numbers, or two dates. */
      readonly between?: readonly [BoundOf<V>, BoundOf<V>] | undefined;
    });

/**
 * The operator on the list of objects, or the object, at a path of a record type; never where there is none: one of these passes all of a
 * filter, whose names are seen from it.
 */
type ItemOperatorAt<T, P extends string> =
  ValueAt<T, P> extends infer V
    ? V extends Scalar | Date
      ? never
      : V extends object
        ? {
            /** At least one condition, as in `{ variants: { some: { size: "M", color: "blue" } } }`. */
            readonly some?: FilterObject<V> | undefined;
          }
        : never
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
    | ItemOperatorAt<R, P>
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
    | undefined;
};
