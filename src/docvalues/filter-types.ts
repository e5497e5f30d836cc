// Filters and facet refinements typed by the record: a wrong attribute or operator does not compile. Types only.

import type { JsonRecord, JsonValue } from "../util/json.js";

type Scalar = string | number | boolean;
/** The depth to which paths are typed; deeper paths are plain strings. */
type Depth = [never, 0, 1, 2];

type Item<T> = T extends readonly (infer U)[] ? U : T;
type Inner<T> = NonNullable<Item<NonNullable<T>>>;

type PathsOf<T, D extends number> = [D] extends [never]
  ? never
  : T extends object
    ? {
        [K in keyof T & string]: Inner<T[K]> extends Scalar
          ? K
          : Inner<T[K]> extends object
            ? K | `${K}.${PathsOf<Inner<T[K]>, Depth[D]>}`
            : K;
      }[keyof T & string]
    : never;

/** The dotted paths of a record type; any string when the type has no known keys. */
export type AttributePath<R extends object> = string extends keyof R ? string : PathsOf<R, 2>;

type ValueAt<T, P extends string> = P extends keyof T
  ? Inner<T[P]>
  : P extends `${infer K}.${infer Rest}`
    ? K extends keyof T
      ? ValueAt<Inner<T[K]>, Rest>
      : never
    : never;

type Widened<T> = T extends string ? T : T extends number ? number : T extends boolean ? boolean : Scalar;
/** The type of the values at a path; any scalar when the record type has no known keys. */
export type PathValue<R extends object, P extends string> = string extends keyof R ? Scalar : Widened<ValueAt<R, P>>;

/** Operators on one attribute; several must all pass. */
export type FilterOperators<V> = {
  readonly eq?: V | null;
  readonly ne?: V | null;
  readonly in?: readonly V[];
  readonly exists?: boolean;
} & ([Extract<V, number>] extends [never]
  ? unknown
  : {
      readonly lt?: number;
      readonly lte?: number;
      readonly gt?: number;
      readonly gte?: number;
      /** Both ends included. */
      readonly between?: readonly [number, number];
    });

/** A filter on records of unknown type, checked at run time. */
export interface UntypedFilter {
  readonly [name: string]: JsonValue | FilterOperators<Scalar> | UntypedFilter | readonly UntypedFilter[] | undefined;
}

/** A filter as an object: attributes that must all pass; `AND`, `OR`, `NOT` are reserved. */
export type FilterObject<R extends object = JsonRecord> = string extends keyof R ? UntypedFilter : TypedFilter<R>;

/** A filter on records of a known type. */
export type TypedFilter<R extends object> = {
  readonly [P in AttributePath<R>]?:
    | PathValue<R, P>
    | null
    | readonly PathValue<R, P>[]
    | FilterOperators<PathValue<R, P>>;
} & {
  readonly AND?: readonly TypedFilter<R>[];
  readonly OR?: readonly TypedFilter<R>[];
  readonly NOT?: TypedFilter<R>;
};

/** `facetFilters` as an object: the values of one attribute are alternatives. */
export type FacetClicks<R extends object = JsonRecord> = {
  readonly [P in AttributePath<R>]?: PathValue<R, P> | readonly PathValue<R, P>[] | FilterOperators<PathValue<R, P>>;
};
