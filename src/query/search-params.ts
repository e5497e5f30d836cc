// The parameters of a query as callers write them, with filters typed by the record: a wrong attribute or operator does not
// compile. Types only.

import type { JsonRecord, JsonValue } from "../base/json.js";
import type { Matching, QueryType } from "../settings/settings.js";

/** The parameters of a query as an object. Types are strict: numbers are never text. */
export interface SearchParams<R extends object = JsonRecord> {
  /** The query text, at most 4,096 UTF-8 bytes; blank: all records. */
  readonly query: string;
  /** 1-based. Default 1. Past the end: no hits, the same `nbHits`. */
  readonly page?: number | undefined;
  /** 0 … 1,000, more is clamped; 0 returns the counts without hits. Default 12. */
  readonly hitsPerPage?: number | undefined;
  /** The share of meaning in the score, 0 … 1. 0: words alone; 1: meaning alone. Default: the index's setting. */
  readonly semanticWeight?: number | undefined;
  /** The minimum cosine of a match by meaning, -1 … 1. Default: the index's setting. */
  readonly semanticFloor?: number | undefined;
  /** The maximum number of matches by meaning. Default: the index's setting. */
  readonly semanticDepth?: number | undefined;
  /** Which records match by words. Default: the index's setting. */
  readonly matching?: Matching | undefined;
  /** A vector to use instead of the embedding of `query`. */
  readonly vector?: readonly number[] | Float32Array | Float64Array | undefined;
  /** Which records exist for this query: a filter as text or as an object. */
  readonly filters?: string | FilterObject<R> | undefined;
  /** The facet values that the shopper chose. They apply after matching, so each facet count is the `nbHits` after choosing. */
  readonly facetFilters?: readonly (string | readonly string[])[] | FacetClicks<R> | undefined;
  /** Attributes whose values are counted, at most 20; `["*"]`: all. */
  readonly facets?: readonly (AttributePath<R> | "*")[] | undefined;
  /** The number of values per facet, the most frequent first; 0 … 1,000, more is clamped. Default 100. */
  readonly maxValuesPerFacet?: number | undefined;
  /** `["price:asc", "brand:desc"]`: changes the order, not the matches. Missing values come last. */
  readonly sort?: readonly `${AttributePath<R>}:${"asc" | "desc"}`[] | undefined;
  /** One hit per group (see `attributeForDistinct`). Default: the index's setting. */
  readonly distinct?: boolean | undefined;
  /** The attributes in `source`: paths, `"*"`, `"-path"`; an empty list: none. Default: all. */
  readonly attributesToRetrieve?: readonly (AttributePath<R> | "*" | `-${AttributePath<R>}`)[] | undefined;
  /** Attributes to highlight; `["*"]`: all. Each hit then has `_highlightResult`. */
  readonly attributesToHighlight?: readonly (AttributePath<R> | "*")[] | undefined;
  /** Attributes to cut to a snippet around the match; `"title:15"` sets its words (default 10). Each hit then has `_snippetResult`. */
  readonly attributesToSnippet?: readonly string[] | undefined;
  /** At most 64 characters; not escaped. Default `<em>`. */
  readonly highlightPreTag?: string | undefined;
  /** At most 64 characters; not escaped. Default `</em>`. */
  readonly highlightPostTag?: string | undefined;
  /** Marks where a snippet was cut. Default `…`. */
  readonly snippetEllipsisText?: string | undefined;
  /** The fields in which words are searched, of those that the index searches. Default: all. */
  readonly restrictSearchableAttributes?: readonly string[] | undefined;
  /** Corrects words that no record contains. Default: the index's setting. */
  readonly typoTolerance?: boolean | undefined;
  /** Which words are completed. Default: the index's setting. */
  readonly queryType?: QueryType | undefined;
  /** Words that a match need not contain, in addition to the index's. */
  readonly optionalWords?: readonly string[] | undefined;
  /** True: the words of `"phrases"` must be adjacent, and `-words` are excluded. Default false. */
  readonly advancedSyntax?: boolean | undefined;
  /** True: each hit has an `explanation` that adds up to its score. */
  readonly explain?: boolean | undefined;
}

/** The parameters of a query as one URL-encoded string; no other key is allowed. */
export interface EncodedParams {
  readonly params: string;
}

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
