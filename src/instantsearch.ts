// The entry point `tandem-search/instantsearch`, which answers in the place of Algolia's client: only exports.

export {
  createInstantSearchClient,
  type FacetCall,
  type InstantSearchClient,
  type InstantSearchEngine,
  type InstantSearchFacets,
  type InstantSearchRequest,
  type RecommendRequest,
} from "./instantsearch/search-client.js";
export type { InstantSearchOptions, Replica } from "./instantsearch/search-request.js";
export type {
  InstantSearchFacet,
  InstantSearchHighlight,
  InstantSearchHit,
  InstantSearchResult,
  NestedHighlights,
} from "./instantsearch/search-result.js";
