// The parameters of a query as callers write them, with filters typed by the record: a wrong attribute or operator does not
// compile. Types only.

import type { JsonRecord, JsonValue } from "../base/json.js";
import type { Matching, QueryType } from "../settings/settings.js";

/** Form A: the parameters as an object. Numbers are numbers, never text. */
export interface SearchParams<R extends object = JsonRecord> {
  /** What to look for, at most 4,096 UTF-8 bytes; blank: all records. */
  readonly query: string;
  /** 1-based. Default 1. Past the end: no hits, the same `nbHits`. */
  readonly page?: number | undefined;
  /** 0 … 1,000, more is clamped; 0 counts only. Default 12. */
  readonly hitsPerPage?: number | undefined;
  /** Share of the meaning in the score, 0 … 1; 0 and 1 switch a leg off. Default: the index's setting. */
  readonly semanticWeight?: number | undefined;
  /** The least cosine of a member by meaning. Default: the index's setting. */
  readonly semanticFloor?: number | undefined;
  /** How many records at most are members by meaning. Default: the index's setting. */
  readonly semanticDepth?: number | undefined;
  /** Who is a member by words. Default: the index's setting. */
  readonly matching?: Matching | undefined;
  /** The query's own vector, in place of an embedding. */
  readonly vector?: readonly number[] | Float32Array | Float64Array | undefined;
  /** Which records exist for this query: filter text, or the equal object. */
  readonly filters?: string | FilterObject<R> | undefined;
  /** What the shopper clicked; applied to the members, so that facet counts tell the truth. */
  readonly facetFilters?: readonly (string | readonly string[])[] | FacetClicks<R> | undefined;
  /** Attributes to count values of, at most 20; `["*"]`: all. */
  readonly facets?: readonly (AttributePath<R> | "*")[] | undefined;
  /** Values of each facet, the most frequent first; 0 … 1,000, more is clamped. Default 100. */
  readonly maxValuesPerFacet?: number | undefined;
  /** `["price:asc", "brand:desc"]`; changes the order only. Missing values come last. */
  readonly sort?: readonly `${AttributePath<R>}:${"asc" | "desc"}`[] | undefined;
  /** One hit a group (see `attributeForDistinct`). Default: the index's setting. */
  readonly distinct?: boolean | undefined;
  /** What `source` holds: paths, `"*"`, `"-path"`; an empty list: nothing. Default: everything. */
  readonly attributesToRetrieve?: readonly (AttributePath<R> | "*" | `-${AttributePath<R>}`)[] | undefined;
  /** Attributes to highlight; `["*"]`: all. Each hit then has `_highlightResult`. */
  readonly attributesToHighlight?: readonly (AttributePath<R> | "*")[] | undefined;
  /** Attributes to cut around the match, `"title:10"` in words (10 by default). Each hit then has `_snippetResult`. */
  readonly attributesToSnippet?: readonly string[] | undefined;
  /** At most 64 characters; not escaped. Default `<em>`. */
  readonly highlightPreTag?: string | undefined;
  /** At most 64 characters; not escaped. Default `</em>`. */
  readonly highlightPostTag?: string | undefined;
  /** Stands where a snippet was cut. Default `…`. */
  readonly snippetEllipsisText?: string | undefined;
  /** Fields to search in, of those the index searches. */
  readonly restrictSearchableAttributes?: readonly string[] | undefined;
  readonly typoTolerance?: boolean | undefined;
  readonly queryType?: QueryType | undefined;
  /** Words that a hit need not hold, beside the index's. */
  readonly optionalWords?: readonly string[] | undefined;
  /** True: `"phrases"` must stand together, `-words` are excluded. Default false. */
  readonly advancedSyntax?: boolean | undefined;
  /** True: each hit has an `explanation` that adds up to its score. */
  readonly explain?: boolean | undefined;
}

/** Form B: the parameters as one URL-encoded string, and nothing beside it. */
export interface EncodedParams {
  readonly params: string;
}

type Scalar = string | number | boolean;
/** Deeper paths are plain strings: types that recurse for ever help nobody. */
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

/** Dotted paths of a record type; any text where the type does not say. */
export type AttributePath<R extends object> = string extends keyof R ? string : PathsOf<R, 2>;

type ValueAt<T, P extends string> = P extends keyof T
  ? Inner<T[P]>
  : P extends `${infer K}.${infer Rest}`
    ? K extends keyof T
      ? ValueAt<Inner<T[K]>, Rest>
      : never
    : never;

type Widened<T> = T extends string ? T : T extends number ? number : T extends boolean ? boolean : Scalar;
/** The type of the values at a path; any scalar where the record type does not say. */
export type PathValue<R extends object, P extends string> = string extends keyof R ? Scalar : Widened<ValueAt<R, P>>;

/** Operators on one attribute; several must all hold. */
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

/** A filter on records of no known type: checked when it is used. */
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

/** Clicks as an object: the values of one attribute are alternatives. */
export type FacetClicks<R extends object = JsonRecord> = {
  readonly [P in AttributePath<R>]?: PathValue<R, P> | readonly PathValue<R, P>[] | FilterOperators<PathValue<R, P>>;
};
