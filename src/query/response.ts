// The documented answer, its keys in the documented order.

import type { NumberStats, ValueCount } from "../attributes/facet-counts.js";
import type { JsonRecord } from "../base/json.js";
import type { ExplainedTerm } from "../text/explain-term.js";
import type { HighlightResult } from "./highlight.js";
import type { ShapedRecord } from "./highlight-record.js";
import type { SnippetResult } from "./snippet.js";

/** The legs that ran. */
export type RecallSource = "fullTextSearch" | "semanticSearch";

/** One found record. */
export interface Hit<R = JsonRecord> {
  /** The record's id as a string. */
  readonly id: string;
  /** 0 … 1, six decimals; comparable within one answer. */
  readonly score: number;
  /** The record as it came; a fresh copy each time. */
  readonly source: R;
  /** Only with `attributesToHighlight`: nested as the record is. */
  readonly _highlightResult?: ShapedRecord<HighlightResult>;
  /** Only with `attributesToSnippet`: nested as the record is. */
  readonly _snippetResult?: ShapedRecord<SnippetResult>;
  /** Only with `explain`: the parts add up to the score. */
  readonly explanation?: Explanation;
}

/** Counts of a facet's values, by attribute; an own property for each facet asked for. */
export type FacetValues = { [attribute: string]: readonly ValueCount[] };

/** Statistics of a facet's numbers, by attribute. */
export type FacetStats = { [attribute: string]: NumberStats };

/** How a score came about; the contributions add up to it. */
export interface Explanation {
  readonly lexical?: {
    /** The sum of the terms' scores: BM25F as a share of the most that any record could have. */
    readonly score: number;
    readonly contribution: number;
    readonly terms: readonly ExplainedTerm[];
  };
  readonly semantic?: { readonly cosine: number; readonly contribution: number };
  /** What the record's title says, each 0 … 1 (docs/scoring.md). */
  readonly title?: {
    /** How much of the query the title holds or nearly holds; without knowledge of words, how much the record holds. */
    readonly coverage: number;
    /** How much of the title is about the query; 0 without knowledge of words. */
    readonly focus: number;
    /** How many neighbours of the query stand together in the title. */
    readonly adjacency: number;
    readonly contribution: number;
  };
  /** Cosine and title do not count: the record is behind the rank window (setting `rankWindow`). */
  readonly beyondRankWindow?: true;
  /** The whole query is this record's identifier (it scores 1), or another's (nothing else scores above .999999). */
  readonly exactCode?: { readonly contribution: number };
}

/** The `data` of an answer. */
export interface SearchData<R = JsonRecord> {
  readonly query: string;
  readonly indexUse: string;
  readonly recallSource: RecallSource[];
  /** The exact size of the whole result, the same on every page. */
  readonly nbHits: number;
  readonly page: number;
  readonly hitsPerPage: number;
  /** Milliseconds from the call to the answer, at least `processingTimeMS`. */
  readonly serverTimeMS: number;
  /** Milliseconds of searching, without waiting for an embedding. */
  readonly processingTimeMS: number;
  readonly hits: Hit<R>[];
  /** Only with `facets`: values with their exact counts, the most frequent first. */
  readonly facets?: FacetValues;
  /** Only with `facets`: of those that hold numbers. */
  readonly facetStats?: FacetStats;
}

/** A successful answer. */
export interface SearchAnswer<R = JsonRecord> {
  readonly msg: string;
  readonly code: 200;
  readonly data: SearchData<R>;
}

/** The envelope of a success. */
export function buildAnswer<R>(data: SearchData<R>): SearchAnswer<R> {
  const { query, indexUse, recallSource, nbHits, page, hitsPerPage, serverTimeMS, processingTimeMS, hits } = data;
  const documented = { query, indexUse, recallSource, nbHits, page, hitsPerPage, serverTimeMS, processingTimeMS, hits };
  // Own ones only: nothing that stands on Object.prototype belongs to an answer.
  const facets = Object.hasOwn(data, "facets") ? { facets: data.facets! } : {};
  const facetStats = Object.hasOwn(data, "facetStats") ? { facetStats: data.facetStats! } : {};
  return { msg: "success", code: 200, data: { ...documented, ...facets, ...facetStats } };
}
