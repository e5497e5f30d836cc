// The parameters of a query, as callers write them.

import type { JsonRecord } from "../base/json.js";
import type { Matching, QueryType } from "../settings/settings.js";
import type { AttributePath, FacetClicks, FilterObject } from "./filter-types.js";

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
