// The parameters of a query as callers write them, with filters typed by the record: a wrong attribute or operator does not
// compile. Types only.

import type { FacetClicks, FilterObject } from "../docvalues/filter.js";
import type { BoostBy, Matching, QueryType } from "../settings/settings.js";
import type { AttributePath, IsUntyped, ParameterPath } from "../util/attribute-path.js";
import type { JsonRecord } from "../util/json.js";

/** The parameters of a query as an object. Types are strict: numbers are never text. */
export interface SearchParams<R extends object = JsonRecord> {
  /** The query text, at most 4,096 UTF-8 bytes; blank: all records. */
  readonly query: string;
  /** Which page of the hits the answer has, counted from 1. Past the last one there are no hits, and `nbHits` is the same. Default 1. */
  readonly page?: number | undefined;
  /** How many hits a page has: 0 … 1,000, more is clamped. With 0 the answer has the counts alone. Default 12. */
  readonly hitsPerPage?: number | undefined;
  /** Instead of `page` and `hitsPerPage`: the place of the first hit, from 0. Default 0. */
  readonly offset?: number | undefined;
  /** Instead of `page` and `hitsPerPage`: the number of hits, 1 … 1,000. Default 12. */
  readonly length?: number | undefined;
  /**
   * Instead of a page or a place: `"start"`, and then the `nextCursor` of the answer before, with the same parameters. Where records are
   * written in between, no record that kept its place is shown twice or left out.
   */
  readonly cursor?: string | undefined;
  /** The share of meaning in the score, 0 … 1. 0: words alone; 1: meaning alone. Default: the index's setting. */
  readonly semanticWeight?: number | undefined;
  /** The minimum cosine of a match by meaning, -1 … 1. Default: the index's setting. */
  readonly semanticFloor?: number | undefined;
  /** The maximum number of matches by meaning. Default: the index's setting. */
  readonly semanticDepth?: number | undefined;
  /** Leaves out hits below this share of the best score, in percent: 0 … 100. Default: the index's setting. */
  readonly relevancyStrictness?: number | undefined;
  /** Leaves out hits with a lower final score, boosts included: 0 … 1. Default 0. */
  readonly minScore?: number | undefined;
  /** What raises or lowers scores besides the query, instead of the index's setting; `[]`: nothing. */
  readonly boosts?: readonly BoostBy<ParameterPath<R>, string | FilterObject<R>>[] | undefined;
  /**
   * Values that raise a record by a filter boost of weight 0.1, in addition to `boosts`. Of an inner list, one must hold. `:-` lowers;
   * `<score=n>` at the end: the weight is n / 20.
   */
  readonly optionalFilters?: readonly (string | readonly string[])[] | undefined;
  /** Names of the situation that the shop's rules may ask for, such as `"mobile"`; at most 1,000. Default none. */
  readonly ruleContexts?: readonly string[] | undefined;
  /** False: the index's rules do nothing. Default true. */
  readonly enableRules?: boolean | undefined;
  /** Which records match by words. Default: the index's setting. */
  readonly matching?: Matching | undefined;
  /** A vector to use instead of the embedding of `query`. */
  readonly vector?: readonly number[] | Float32Array | Float64Array | undefined;
  /** Which records exist for this query: a filter as text or as an object. */
  readonly filters?: string | FilterObject<R> | undefined;
  /** The facet values that the shopper chose. They apply after matching, so each facet count is the `nbHits` after choosing. */
  readonly facetFilters?: readonly (string | readonly string[])[] | FacetClicks<R> | undefined;
  /**
   * Ranges of numbers that the shopper chose: `["price>=10", "price:1 TO 3"]`; of an inner list, one must hold. They apply after matching,
   * together with `facetFilters`.
   */
  readonly numericFilters?: readonly (string | readonly string[])[] | undefined;
  /**
   * Attributes whose values are counted, at most 20. `["*"]`: those that the matches have, of most matches first; `["specs.*"]`: those of
   * them within `specs`. If they are more than 20, a warning says so. An object asks for ranges, bars, or another order of values.
   */
  readonly facets?: readonly (ParameterPath<R> | "*" | FacetEntry<ParameterPath<R>>)[] | undefined;
  /** The number of values per facet, the most frequent first; 0 … 1,000, more is clamped. Default 100. */
  readonly maxValuesPerFacet?: number | undefined;
  /** A place as `"latitude,longitude"`: hits with a place tell `_geoDistance`. Alone it neither filters nor sorts. */
  readonly aroundLatLng?: string | undefined;
  /** With `aroundLatLng`: only records with a place within so many metres exist for this query. */
  readonly aroundRadius?: number | undefined;
  /** Boxes `[lat1, lng1, lat2, lng2]`, from lng1 eastward to lng2: only records with a place in one of them exist for this query. */
  readonly insideBoundingBox?: readonly (readonly [number, number, number, number])[] | undefined;
  /**
   * `["price:asc", "brand:desc", "_geoPoint(48.14,11.58):asc", "_score:desc"]`: changes the order, not the matches. Missing values come last.
   * Equals stand by score, then by `customRanking`, then by id.
   */
  readonly sort?: readonly (`${AttributePath<R>}:${"asc" | "desc"}` | (string & Record<never, never>))[] | undefined;
  /**
   * True: one hit per group (see `attributeForDistinct`). 2 … 100: each hit has a `group` with so many of its records, itself included;
   * then a page has at most 1,000 records. Default: the index's setting.
   */
  readonly distinct?: boolean | number | undefined;
  /** The attributes in `source`: paths, `"*"`, `"-path"`; an empty list: none. Default: all. */
  readonly attributesToRetrieve?: readonly (ParameterPath<R> | "*" | `-${AttributePath<R>}`)[] | undefined;
  /** Attributes to highlight; `["*"]`: all. Each hit then has `_highlightResult`. */
  readonly attributesToHighlight?: readonly (ParameterPath<R> | "*")[] | undefined;
  /** Attributes to cut to a snippet around the match; `"title:15"` sets its words (default 10). Each hit then has `_snippetResult`. */
  readonly attributesToSnippet?: readonly ParameterPath<R>[] | undefined;
  /** What stands before each mark in highlights and snippets: at most 64 characters, which are not escaped. Default `<em>`. */
  readonly highlightPreTag?: string | undefined;
  /** What stands behind each mark in highlights and snippets: at most 64 characters, which are not escaped. Default `</em>`. */
  readonly highlightPostTag?: string | undefined;
  /** Marks where a snippet was cut. Default `…`. */
  readonly snippetEllipsisText?: string | undefined;
  /** Escapes the texts of highlights and snippets for HTML. Default true; false for terminals, or with `matchedPositions`. */
  readonly escapeHTML?: boolean | undefined;
  /** True: each highlight has `matchedPositions: [{ start, length }]`, in UTF-16 units of the stored text. Default false. */
  readonly matchedPositions?: boolean | undefined;
  /** The fields in which words are searched, of those that the index searches. Default: all. */
  readonly restrictSearchableAttributes?: readonly ParameterPath<R>[] | undefined;
  /**
   * The languages of the query, as BCP 47 tags. In fields of other languages, its words are found as they are typed. Default: all
   * languages of the searched fields; 400 for one that no searched field has.
   */
  readonly queryLanguages?: readonly string[] | undefined;
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
  /** True: the answer has `parsedQuery`, which says what the words of the query were taken for. Default false. */
  readonly getParsedQuery?: boolean | undefined;
  /** True: the answer has `matchInfo`, which says whether a hit holds all words. Default false. */
  readonly getMatchInfo?: boolean | undefined;
  /**
   * True: prices, exclusions, values and orders in the text are applied, and the answer tells them as `understood`; `{ except }` takes parts
   * of it back by their places in `understood.parts`. For English. Default false.
   */
  readonly understand?: boolean | UnderstandParam | undefined;
}

/** Parts of what was understood that are taken back, by their places in `understood.parts`; at most 64. */
export type UnderstandParam = {
  readonly except: readonly number[];
};

/** What is counted of one attribute: its values, or how many hits have a number in each range. */
export type FacetEntry<P extends string = string> = { readonly attribute: P } & (
  | {
      /** By the number of hits (default), or in the order of `sort` with `:asc`. */
      readonly sort?: "count" | "alpha" | undefined;
      /** 1 … 1,000. Default: `maxValuesPerFacet`. */
      readonly limit?: number | undefined;
    }
  /** 1 to 100 ranges: from `from` on, below `to`; null: no bound. */
  | { readonly ranges: readonly (readonly [from: number | null, to: number | null])[] }
  /** 2 to 100 bars of equal width from the least to the greatest number. */
  | { readonly histogram: number }
);

/** The parameters of a query as one URL-encoded string; no other key is allowed. */
export interface EncodedParams {
  readonly params: string;
}

/** One query of `multiQuery`: its parameters in either form, and the index that it asks. */
export type NamedParams<R extends object = JsonRecord> = (SearchParams<R> | EncodedParams) & {
  readonly indexName: string;
};

/** Parameters that choose what `source` shows. `A`: whether they do, which the types of `query` find out. */
export type RetrievingParams<
  R extends object = JsonRecord,
  A extends readonly string[] | undefined = readonly string[],
> = SearchParams<R> & { readonly attributesToRetrieve: A };

/** The `source` of a hit where `attributesToRetrieve` chooses what it shows. */
export type Retrieved<R extends object> = IsUntyped<R> extends true ? R : Partial<R>;
