// A search client as Algolia's libraries for user interfaces expect one. It asks an engine by its public verbs: each request becomes one
// call, and each answer is put in the shape of Algolia's. A request that fails rejects the call.

import type { ValueCount } from "../docvalues/value-counts.js";
import type { PlainObject } from "../input/plain-data.js";
import type { SearchParams } from "../input/search-params.js";
import type { FacetHits, FacetSearchParams } from "../query/facets/facet-search.js";
import type { SearchAnswer } from "../query/response.js";
import type { Painting } from "../query/shape/highlight.js";
import type { SimilarParams } from "../query/similar/similar.js";
import { refusal, show } from "../util/errors.js";
import type { JsonRecord } from "../util/json.js";
import { runTask, type Task } from "../util/tasks.js";
import { markedValue, wordsTyped } from "./marked-value.js";
import {
  copyList,
  copyPart,
  copyRequests,
  type InstantSearchOptions,
  type ReadOptions,
  type ReadRequest,
  readOptions,
  readRequest,
  requestOf,
} from "./search-request.js";
import { type InstantSearchFacet, type InstantSearchResult, printed, resultOf } from "./search-result.js";

/** What is asked: an engine, the functions of the module, or whatever has these verbs. */
export interface InstantSearchEngine {
  query(indexName: string, params: SearchParams): Promise<SearchAnswer>;
  searchForFacetValues(indexName: string, params: FacetSearchParams<JsonRecord>): Promise<FacetHits>;
  similar(indexName: string, of: string | number, params: SimilarParams): Promise<SearchAnswer>;
}

/** A request of `search` or `searchForFacetValues`. Parameters are those of Algolia and of this library. */
export interface InstantSearchRequest {
  /** An index or a replica. */
  readonly indexName: string;
  readonly params?: object | undefined;
}

/** A request for recommendations. */
export interface RecommendRequest {
  readonly indexName: string;
  /** `"related-products"` or `"looking-similar"`, which are answered alike. */
  readonly model: string;
  readonly objectID?: string | number | undefined;
  /** 0 … 100; hits with a lower `_score` are left out. Default 0. */
  readonly threshold?: number | undefined;
  /** Default 30. */
  readonly maxRecommendations?: number | undefined;
  /** Filters and what else `similar` takes. */
  readonly queryParameters?: object | undefined;
}

/** A search for facet values as the client of Algolia's version 5 takes it. */
export interface FacetCall {
  readonly indexName: string;
  readonly facetName: string;
  readonly searchForFacetValuesRequest?: object | undefined;
}

/** The values of a facet that were found. */
export interface InstantSearchFacets {
  readonly facetHits: InstantSearchFacet[];
  readonly exhaustiveFacetsCount: true;
}

/**
 * Stands in for Algolia's client; `R` is the type of records. A call takes at most 50 requests, in a list or under `requests`, and rejects
 * when one of them fails.
 */
export interface InstantSearchClient<R extends object = JsonRecord> {
  /** Answers each request by `query`. `T`: the type of its records, which nobody checks. */
  search<T = R>(
    requests: readonly InstantSearchRequest[] | { readonly requests: readonly InstantSearchRequest[] },
  ): Promise<{ results: InstantSearchResult<T>[] }>;
  /** Finds values of a facet by what their words begin with; `facetName`, `facetQuery` and `maxFacetHits` are among the parameters. */
  searchForFacetValues(requests: readonly InstantSearchRequest[]): Promise<InstantSearchFacets[]>;
  searchForFacetValues(call: FacetCall): Promise<InstantSearchFacets>;
  /** Finds similar records by `similar`. */
  getRecommendations<T = R>(
    requests: readonly RecommendRequest[] | { readonly requests: readonly RecommendRequest[] },
  ): Promise<{ results: InstantSearchResult<T>[] }>;
}

/**
 * A search client for InstantSearch and other user interfaces that were made for Algolia.
 *
 * @param engine - an engine, or the functions of the module
 * @throws SearchError 400 `invalid_options`. Its verbs reject when one of their requests fails, with what that fails with.
 * @example
 * const searchClient = createInstantSearchClient<Product>(engine, {
 *   replicas: { products_price_asc: { indexName: "products", sort: ["price:asc"] } },
 * });
 * instantsearch({ indexName: "products", searchClient });
 */
export function createInstantSearchClient<R extends object = JsonRecord>(
  engine: InstantSearchEngine,
  options: InstantSearchOptions = {},
): InstantSearchClient<R> {
  const context: Context = { engine, ...readOptions(options) };
  const readOne = (given: unknown): ReadRequest => readRequest(given, context);

  const answerOne = async (request: ReadRequest): Promise<InstantSearchResult> =>
    resultOf(await engine.query(request.indexName, searchParams(request.params)), request, false);
  return {
    search: async (given: unknown) => ({ results: await Promise.all(copyRequests(given).map(readOne).map(answerOne)) }),
    searchForFacetValues: async (given: unknown) => {
      const items = copyList(given);
      if (items === undefined) {
        const { indexName, facetName, searchForFacetValuesRequest = {} } = copyPart(given);
        const asked = copyPart(searchForFacetValuesRequest, "searchForFacetValuesRequest");
        return facetsOf(requestOf(indexName, { ...asked, facetName }, context), context);
      }
      return Promise.all(items.map(readOne).map((request) => facetsOf(request, context)));
    },
    getRecommendations: async (given: unknown) => ({
      results: await Promise.all(copyRequests(given).map((request) => recommend(request, context))),
    }),
  } as InstantSearchClient<R>;
}

/** What each request is answered with. */
interface Context extends ReadOptions {
  readonly engine: InstantSearchEngine;
}

const ERROR = "invalid_parameter";
const HITS_PER_PAGE = 20;
const RECOMMENDATIONS = 30;
const MODELS: readonly unknown[] = ["related-products", "looking-similar"];
/** The markers of Algolia's libraries, which escape a text themselves before they put tags in the place of these. */
const ESCAPED_LATER: readonly unknown[] = ["__ais-highlight__", "__aa-highlight__"];
/** What says which hits of a query are shown. */
const PAGING: readonly string[] = ["page", "hitsPerPage", "offset", "length"];

async function facetsOf({ indexName, params }: ReadRequest, { engine }: Context): Promise<InstantSearchFacets> {
  const asked = without(params, PAGING) as FacetSearchParams<JsonRecord>;
  const { facetHits: found } = await engine.searchForFacetValues(indexName, asked);
  const { facetQuery = "" } = params;
  const facetHits = await runTask(marked(found, wordsTyped(facetQuery as string), paintingOf(params)));
  return { facetHits, exhaustiveFacetsCount: true };
}

async function recommend(given: unknown, context: Context): Promise<InstantSearchResult> {
  const request = copyPart(given);
  const { indexName, model, objectID, queryParameters = {} } = request;
  const { threshold = 0, maxRecommendations = RECOMMENDATIONS } = request;
  if (!MODELS.includes(model))
    throw refusal(ERROR, "model", `model is ${show(model)}; expected "related-products" or "looking-similar".`);
  if (typeof threshold !== "number" || !(threshold >= 0 && threshold <= 100))
    throw refusal(ERROR, "threshold", `threshold is ${show(threshold)}; expected a number from 0 to 100.`);
  const read = requestOf(indexName, copyPart(queryParameters, "queryParameters"), context);
  const { escapeHTML } = paintingOf(read.params);
  const params = { escapeHTML, ...without(read.params, [...PAGING, "query"]) };
  const wanted = { ...params, minScore: threshold / 100, hitsPerPage: maxRecommendations as number };
  // What is no id, the engine refuses.
  return resultOf(await context.engine.similar(read.indexName, objectID as string, wanted), read, true);
}

/** The parameters of a query, with Algolia's defaults and the first page as 1. */
function searchParams(params: PlainObject): SearchParams {
  const { page = 0, hitsPerPage = HITS_PER_PAGE, ...others } = params;
  if (!Number.isInteger(page) || (page as number) < 0)
    throw refusal("invalid_page", "page", `page is ${show(page)}; expected an integer from 0.`);
  const isSlice = params.offset !== undefined || params.length !== undefined;
  const { escapeHTML } = paintingOf(params);
  return {
    ...{ query: "", attributesToHighlight: ["*"], escapeHTML },
    ...others,
    ...(isSlice ? {} : { page: (page as number) + 1, hitsPerPage: hitsPerPage as number }),
  };
}

function without(params: PlainObject, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)));
}

/** How what was found is marked. */
function paintingOf(params: PlainObject): Painting {
  const { highlightPreTag = "<em>", highlightPostTag = "</em>", escapeHTML } = params;
  return {
    highlightPreTag: highlightPreTag as string,
    highlightPostTag: highlightPostTag as string,
    escapeHTML: (escapeHTML ?? !ESCAPED_LATER.includes(highlightPreTag)) as boolean,
  };
}

function* marked(
  found: readonly ValueCount[],
  words: readonly string[],
  painting: Painting,
): Task<InstantSearchFacet[]> {
  const facets: InstantSearchFacet[] = [];
  for (const [value, count] of printed(found)) {
    facets.push({ value, highlighted: yield* markedValue(value, words, painting), count });
    yield;
  }
  return facets;
}
