// Answers in the shape of Algolia's, as user interfaces read them.

import type { NumberStats, RangeCount, ValueCount } from "../docvalues/value-counts.js";
import type { FacetCount, SearchAnswer } from "../query/response.js";
import type { JsonRecord } from "../util/json.js";
import { encodeParams, type ReadRequest } from "./search-request.js";

/** A highlighted or cut text. */
export interface InstantSearchHighlight {
  readonly value: string;
  readonly matchLevel: "none" | "partial" | "full";
  /** Of snippets it is not there. */
  readonly fullyHighlighted?: boolean;
  readonly matchedWords: string[];
}

/** Highlights nested as the record is. */
export type NestedHighlights = InstantSearchHighlight | NestedHighlights[] | { [name: string]: NestedHighlights };

/** A found record, with what was found of it. */
export type InstantSearchHit<T = JsonRecord> = T & {
  /** The record's id as a text. */
  readonly objectID: string;
  readonly _highlightResult?: { [name: string]: NestedHighlights };
  readonly _snippetResult?: { [name: string]: NestedHighlights };
  /** Of recommendations: 100 times the score. */
  readonly _score?: number;
  /** With `aroundLatLng`, in metres. */
  readonly _geoDistance?: number;
  /** Where `filters` has a condition on one item of a list: the places of those that match. */
  readonly matchedItems?: { readonly [list: string]: readonly number[] };
};

/** The answer to one request. What else the data of an answer has, such as `appliedRules`, it has too. */
export interface InstantSearchResult<T = JsonRecord> {
  /** The index or replica that was asked. */
  readonly index: string;
  readonly query: string;
  /** The parameters of the request, URL-encoded. */
  readonly params: string;
  /** Exact, as all counts are. */
  readonly nbHits: number;
  /** From 0. */
  readonly page: number;
  readonly nbPages: number;
  readonly hitsPerPage: number;
  /** Only with `offset` or `length`. */
  readonly offset?: number;
  /** Only with `offset` or `length`. */
  readonly length?: number;
  readonly processingTimeMS: number;
  readonly exhaustive: { readonly facetsCount: true; readonly nbHits: true; readonly typo: true };
  readonly exhaustiveFacetsCount: true;
  readonly exhaustiveNbHits: true;
  readonly exhaustiveTypo: true;
  readonly hits: InstantSearchHit<T>[];
  /** The counts of values as they print, by attribute; only with `facets`. */
  readonly facets?: { [attribute: string]: { [value: string]: number } };
  /** Only where rules held that have some. */
  readonly userData?: readonly unknown[];
  /** Of facets that hold numbers. */
  readonly facets_stats?: { [attribute: string]: NumberStats };
  /** The counts of facets that asked for ranges or a histogram. */
  readonly facetRanges?: { [attribute: string]: RangeCount[] };
}

/** A value of a facet that was searched. */
export interface InstantSearchFacet {
  readonly value: string;
  /** The value with what was typed between the tags of highlights. */
  readonly highlighted: string;
  readonly count: number;
}

/** The answer to a request. `isScored`: each hit has `_score`. */
export function resultOf({ data }: SearchAnswer, request: ReadRequest, isScored: boolean): InstantSearchResult {
  // One hit of a group is shown: what else an index tells of it might stand where the record has an attribute of that name.
  const { indexUse, recallSource, serverTimeMS, nbRecords, hits, facets, facetStats, ...told } = data;
  const { nbHits, page, hitsPerPage } = told;
  return {
    ...told,
    exhaustive: { facetsCount: true, nbHits: true, typo: true },
    exhaustiveFacetsCount: true,
    exhaustiveNbHits: true,
    exhaustiveTypo: true,
    index: request.name,
    params: encodeParams(request.given),
    page: page - 1,
    nbPages: hitsPerPage === 0 ? 0 : Math.ceil(nbHits / hitsPerPage),
    hits: hits.map(({ id, score, source, group, ...shown }) => ({
      ...source,
      ...(shown as object),
      ...(isScored ? { _score: 100 * score } : {}),
      objectID: id,
    })),
    ...(facets === undefined ? {} : facetsOf(facets)),
    ...(facetStats === undefined ? {} : { facets_stats: { ...facetStats } }),
  };
}

function facetsOf(counted: { readonly [attribute: string]: readonly FacetCount[] }): object {
  const isRange = (count: FacetCount): boolean => Object.hasOwn(count, "from");
  const all = Object.entries(counted);
  const ranges = all.filter(([, counts]) => counts.some(isRange));
  const values = all.filter(([, counts]) => !counts.some(isRange));
  return {
    facets: Object.fromEntries(values.map(([attribute, counts]) => [attribute, Object.fromEntries(printed(counts))])),
    ...(ranges.length > 0 ? { facetRanges: Object.fromEntries(ranges) } : {}),
  };
}

/** Counts by the values as they print: choosing one chooses the number 1 and the text "1". */
export function printed(counts: readonly ValueCount[]): Map<string, number> {
  const byText = new Map<string, number>();
  for (const { value, count } of counts) byText.set(String(value), (byText.get(String(value)) ?? 0) + count);
  return byText;
}
