// The front door: exports, nothing else. A test holds the list.

export type { Progress, ProgressHandler } from "./add-records.js";
export { type Complaint, type ErrorEnvelope, SearchError, type SearchErrorOptions } from "./base/errors.js";
export type { JsonRecord, JsonValue } from "./base/json.js";
export { DEFAULT_LIMITS, type Limits } from "./base/limits.js";
export type { Analyzer, EmbeddedVector, Embedder, EmbedOptions, SearchWarning, WarningHandler } from "./base/seams.js";
export type { AddOptions, CallOptions } from "./call-options.js";
export {
  addRecords,
  browseRecords,
  clearIndex,
  createIndex,
  deleteIndex,
  deleteRecords,
  getRecords,
  getSettings,
  listIndexes,
  query,
  setDefaultEngine,
} from "./default-engine.js";
export type { EngineOptions } from "./engine-options.js";
export type { Hit, RecallSource, SearchAnswer, SearchData } from "./query/response.js";
export type { EncodedParams, SearchParams } from "./query/search-params.js";
export {
  type Capabilities,
  type CreateOptions,
  type IndexInfo,
  SearchEngine,
} from "./search-engine.js";
export { type AddResult, SearchIndex } from "./search-index.js";
export type {
  EffectiveSettings,
  FusionSettings,
  IndexSettings,
  Matching,
  VectorIndexSettings,
  WeightedAttribute,
} from "./settings/settings.js";
export { createStaticEnEmbedder } from "./vector/static-en/static-en-embedder.js";
