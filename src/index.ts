// The main entry point: only exports. A test checks the list.

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
  exportIndex,
  getAttributes,
  getRecords,
  getSettings,
  importIndex,
  listIndexes,
  loadUnderstanding,
  moveIndex,
  multiQuery,
  previewSettings,
  query,
  replaceAllRecords,
  searchForFacetValues,
  setDefaultEngine,
  similar,
  suggest,
  understandQuery,
  updateRecords,
  updateSettings,
  whyNot,
} from "./api/default-engine.js";
export { Engine, type IndexInfo } from "./api/engine.js";
export { type Capabilities, type EngineMetrics, SearchEngine } from "./api/search-engine.js";
export { type RecordUpdate, SearchIndex } from "./api/search-index.js";
export type {
  PreviewedQuery,
  PreviewMeasures,
  PreviewOptions,
  PreviewTotal,
  QueryPreview,
  SettingsPreview,
} from "./api/settings-preview.js";
export type { ImportSource } from "./api/transfer.js";
export type { AttributeValue } from "./docvalues/doc-values.js";
export type { FacetClicks, FilterObject, UntypedFilter } from "./docvalues/filter.js";
export { quoteFilterValue } from "./docvalues/filter.js";
export type { NumberStats, RangeCount, ValueCount } from "./docvalues/value-counts.js";
export { type Address, createStaticDeEmbedder, createStaticEnEmbedder } from "./embedding/word-table-embedder.js";
export type {
  AddOptions,
  CallOptions,
  CreateOptions,
  ImportOptions,
  ImportProgress,
  ImportSkipResult,
  Progress,
  ProgressHandler,
  ProgressOptions,
  RefreshOptions,
  ReplaceOptions,
  SkippedLine,
  SnapshotOptions,
  SnapshotProgress,
  UpdateOptions,
} from "./input/call-options.js";
export type { EngineOptions, OpenOptions } from "./input/engine-options.js";
export type {
  EncodedParams,
  FacetEntry,
  NamedParams,
  SearchParams,
} from "./input/search-params.js";
export type { ExplainedTerm, FieldEvidence, TermExplanation } from "./inverted/explain-term.js";
export type { TitlePart } from "./inverted/title/title-evidence.js";
export type { FacetHits, FacetSearchParams } from "./query/facets/facet-search.js";
export type { ExplainedBoost } from "./query/prepare/active-boosts.js";
export type { MatchedItems } from "./query/prepare/matching-items.js";
export type {
  Explanation,
  FacetCount,
  FacetStats,
  FacetValues,
  Hit,
  HitGroup,
  MatchInfo,
  ParsedQuery,
  RecallSource,
  ReplacedWord,
  SearchAnswer,
  SearchData,
} from "./query/response.js";
export type {
  HighlightResult,
  MatchedPosition,
  MatchLevel,
  SnippetResult,
} from "./query/shape/highlight.js";
export type { SimilarParams, SimilarTo } from "./query/similar/similar.js";
export type { SuggestAnswer, SuggestedText, SuggestedValue, SuggestParams } from "./query/suggest/suggest.js";
export type { Absence } from "./query/why-not.js";
export type { Comparison, EvaluatedRun, QueryMeasures } from "./relevance/evaluated-run.js";
export type { JudgedQuery, JudgedSet, Judgement } from "./relevance/judged-set.js";
export type { Interval, Measures } from "./relevance/measures.js";
export type {
  Boost,
  EffectiveSettings,
  IndexSettings,
  Matching,
  QueryType,
  Rule,
  RuleCondition,
  RuleConsequence,
  RuleParams,
  Suggestion,
  Synonym,
  UnderstandingSettings,
  VectorIndexSettings,
  WeightedAttribute,
} from "./settings/settings.js";
export type { AttributeInfo } from "./state/attribute-summary.js";
export type {
  QueryMessage,
  QueryMetrics,
  SegmentMessage,
  SlowQuery,
  WriteMessage,
  WriteMetrics,
} from "./state/engine-activity.js";
export type { MemoryEstimate } from "./state/memory-budget.js";
export type { Recovery, StorageReport } from "./storage/store.js";
export type {
  Intent,
  IntentKind,
  IntentOrder,
  IntentPart,
  Understood,
  UnderstoodPart,
} from "./understanding/intent.js";
export type { AttributePath, ParameterPath } from "./util/attribute-path.js";
export { type Complaint, type ErrorEnvelope, SearchError } from "./util/errors.js";
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
} from "./util/extension-points.js";
export type { JsonRecord, JsonValue, WrittenValue } from "./util/json.js";
export { DEFAULT_LIMITS, type Limits } from "./util/limits.js";
export { comparePositions } from "./util/position.js";
export type { DeleteByParams } from "./write/delete-by.js";
export type { AddResult, SkippedRecord, SkipResult } from "./write/read-batch.js";
