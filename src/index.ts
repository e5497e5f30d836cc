// The front door: exports, nothing else. A test holds the list.

export type { AddResult, Progress, ProgressHandler } from "./add-records.js";
export type { NumberStats, ValueCount } from "./attributes/facet-counts.js";
export type { AttributeValue } from "./attributes/filter.js";
export { quoteFilterValue } from "./attributes/filter.js";
export { type Complaint, type ErrorEnvelope, SearchError, type SearchErrorOptions } from "./base/errors.js";
export type {
  Analyzer,
  EmbeddedVector,
  Embedder,
  EmbedOptions,
  EmbedPartsOptions,
  SearchWarning,
  WarningCode,
  WarningHandler,
  WordMeaning,
} from "./base/extension-points.js";
export type { JsonRecord, JsonValue } from "./base/json.js";
export { DEFAULT_LIMITS, type Limits } from "./base/limits.js";
export type { AddOptions, CallOptions, CreateOptions, UpdateOptions } from "./call-options.js";
export type { Capabilities } from "./capabilities.js";
export {
  addRecords,
  browseRecords,
  clearIndex,
  copyIndex,
  createIndex,
  deleteBy,
  deleteIndex,
  deleteRecords,
  digest,
  estimate,
  getRecords,
  getSettings,
  listIndexes,
  moveIndex,
  query,
  replaceAllRecords,
  searchForFacetValues,
  setDefaultEngine,
  updateRecords,
  updateSettings,
  whyNot,
} from "./default-engine.js";
export type { EngineOptions } from "./engine-options.js";
export type { FacetHits, FacetSearchParams } from "./facet-search.js";
export type { HighlightResult, MatchLevel, Shaped, ShapedRecord, SnippetResult } from "./query/highlight.js";
export type {
  Explanation,
  FacetStats,
  FacetValues,
  Hit,
  RecallSource,
  SearchAnswer,
  SearchData,
} from "./query/response.js";
export type {
  AttributePath,
  EncodedParams,
  FacetClicks,
  FilterObject,
  FilterOperators,
  PathValue,
  SearchParams,
  TypedFilter,
  UntypedFilter,
} from "./query/search-params.js";
export {
  type IndexInfo,
  SearchEngine,
} from "./search-engine.js";
export { SearchIndex } from "./search-index.js";
export type {
  EffectiveSettings,
  FusionSettings,
  IndexSettings,
  Matching,
  QueryType,
  Synonym,
  VectorIndexSettings,
  WeightedAttribute,
} from "./settings/settings.js";
export type { MemoryEstimate } from "./state/estimate-memory.js";
export type { FieldEvidence, TermExplanation } from "./text/bm25.js";
export type { ExplainedTerm } from "./text/explain-term.js";
export { createStaticEnEmbedder } from "./vector/static-en/static-en-embedder.js";
export type { Absence, AbsenceReason } from "./why-not.js";
export type { DeleteByParams } from "./writing/delete-by.js";
