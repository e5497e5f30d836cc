// The documented answer, with its keys in the documented order.

import type { NumberStats, RangeCount, ValueCount } from "../docvalues/value-counts.js";
import type { ExplainedTerm } from "../inverted/explain-term.js";
import type { TitlePart } from "../inverted/title/title-evidence.js";
import type { Understood } from "../understanding/intent.js";
import type { JsonRecord } from "../util/json.js";
import type { ExplainedBoost } from "./prepare/active-boosts.js";
import type { MatchedItems } from "./prepare/matching-items.js";
import type { HighlightResult, ShapedRecord, SnippetResult } from "./shape/highlight.js";

/** The retrievers that ran: by words, by meaning. */
export type RecallSource = "fullTextSearch" | "semanticSearch";

/** A found record. */
export interface Hit<R extends object = JsonRecord> {
  /** The record's id as a string. */
  readonly id: string;
  /** 0 … 1, rounded to six decimals; comparable within one answer. */
  readonly score: number;
  /** A fresh copy of the record as it was added, or of the attributes in `attributesToRetrieve`. */
  readonly source: R;
  /** Only with `aroundLatLng`, or sorted by distance, for a record with a place: whole metres to the nearest one. */
  readonly _geoDistance?: number;
  /**
   * Only where `filters` have a condition on an item of a list, as in `variants{size:M}`: for each such list the places of the items that
   * pass, counted from 0 in the stored list; empty where the record passes by other conditions. Of a path through several lists, these
   * count as one.
   */
  readonly matchedItems?: MatchedItems;
  /** Only with `attributesToHighlight`: nested as the record is. */
  readonly _highlightResult?: ShapedRecord<HighlightResult, R>;
  /** Only with `attributesToSnippet`: nested as the record is. */
  readonly _snippetResult?: ShapedRecord<SnippetResult, R>;
  /** Only with `explain`: the parts add up to the score. */
  readonly explanation?: Explanation;
  /** Only with `distinct` above 1: the group that the hit is shown for. */
  readonly group?: HitGroup<R>;
}

/** The records of a group that match. */
export interface HitGroup<R extends object = JsonRecord> {
  /** The record's value of `attributeForDistinct`, of several the least; null: it has none, and is a group of its own. */
  readonly value: string | number | boolean | null;
  /** How many of its records match. */
  readonly nbRecords: number;
  /** The best of them behind the one that is shown, at most `distinct - 1`. */
  readonly hits: readonly Omit<Hit<R>, "group">[];
}

/** The counts of each facet's values, or ranges where these were asked for, by attribute; an own property for each requested facet. */
export type FacetValues = { [attribute: string]: readonly FacetCount[] };

/** One count of a facet. Ranges have no `value`; its type keeps that of the values exact. `"from" in count` tells them apart. */
export type FacetCount = ValueCount | (RangeCount & { readonly value: never });

/** The statistics of each facet's numbers, by attribute. */
export type FacetStats = { [attribute: string]: NumberStats };

/** The parts of a score; the contributions add up to it. */
export interface Explanation {
  readonly lexical?: {
    /** The sum of the terms' scores, but at least 0: BM25F as a share of the maximum possible score. */
    readonly score: number;
    readonly contribution: number;
    readonly terms: readonly ExplainedTerm[];
  };
  readonly semantic?: { readonly cosine: number; readonly contribution: number };
  /** What the record's title adds to the score, or takes away: all of it, and part by part in words (docs/scoring.md). */
  readonly title?: { readonly contribution: number; readonly parts: readonly TitlePart[] };
  /** Present when there are boosts: those of the parameter or the setting, then the optional filters. They may add up to a score below 0, which is then 0. */
  readonly boosts?: readonly ExplainedBoost[];
  /** Cosine and title do not count: the record is behind the rank window (setting `rankWindow`). */
  readonly beyondRankWindow?: true;
  /** Present when the whole query is an identifier: of this record (score 1), or of others (scores are at most 0.999999). */
  readonly exactCode?: { readonly contribution: number };
}

/** A word of the query, and the words of records that stand for it. */
export interface ReplacedWord {
  readonly from: string;
  readonly to: readonly string[];
}

/** What the words of a query were taken for; words are as they were typed. */
export interface ParsedQuery {
  /** What was searched, with each corrected word replaced by its first mending. */
  readonly text: string;
  readonly corrected: readonly ReplacedWord[];
  readonly completed: readonly ReplacedWord[];
  /** No record holds them in any form, and nothing mends or completes them. */
  readonly unknown: readonly string[];
  /** Some hits were not asked to hold all words. */
  readonly relaxed: boolean;
}

/** How the hits of a query were found. */
export interface MatchInfo {
  /** The number of hits that its words or its code found; the others were found by meaning alone, or are promoted. */
  readonly nbHitsByWords: number;
  /** Some hit holds every word of the query that is not optional, in any form: corrected, as a synonym. */
  readonly allWords: boolean;
}

/** The `data` of an answer. */
export interface SearchData<R extends object = JsonRecord> {
  readonly query: string;
  readonly indexUse: string;
  readonly recallSource: RecallSource[];
  /** The exact size of the whole result, the same on every page. */
  readonly nbHits: number;
  /** Only with `distinct` above 1: how many records match, in all groups together. */
  readonly nbRecords?: number;
  readonly page: number;
  readonly hitsPerPage: number;
  /** Only with `cursor`: what asks for the next page; null: no hit follows. */
  readonly nextCursor?: string | null;
  /** Only with `offset` or `length`: the place of the first hit. */
  readonly offset?: number;
  /** Only with `offset` or `length`: how many hits were asked for. */
  readonly length?: number;
  /** Milliseconds from the call to the answer, at least `processingTimeMS`. */
  readonly serverTimeMS: number;
  /** Milliseconds of searching, without the wait for an embedding. */
  readonly processingTimeMS: number;
  readonly hits: Hit<R>[];
  /** Only with `facets`: values and their exact counts, the most frequent first. */
  readonly facets?: FacetValues;
  /** Only with `facets`: statistics of those that hold numbers. */
  readonly facetStats?: FacetStats;
  /** Only with `getParsedQuery`: what the words of the query were taken for. */
  readonly parsedQuery?: ParsedQuery;
  /** Only with `getMatchInfo`: how the hits were found. */
  readonly matchInfo?: MatchInfo;
  /** Only with `understand`: what the text was understood to ask for. */
  readonly understood?: Understood;
  /** Only where rules held: their ids, in the order of the list. */
  readonly appliedRules?: readonly string[];
  /** Only where one of these rules has some: the `userData` of each that does. */
  readonly userData?: readonly unknown[];
}

/** A successful answer. */
export interface SearchAnswer<R extends object = JsonRecord> {
  readonly msg: string;
  readonly code: 200;
  readonly data: SearchData<R>;
}
