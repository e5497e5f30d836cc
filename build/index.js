// The front door: exports, nothing else. A test holds the list.
export { quoteFilterValue } from "./attributes/filter.js";
export { SearchError } from "./base/errors.js";
export { DEFAULT_LIMITS } from "./base/limits.js";
export { addRecords, browseRecords, clearIndex, copyIndex, createIndex, deleteBy, deleteIndex, deleteRecords, digest, estimate, getRecords, getSettings, listIndexes, moveIndex, query, replaceAllRecords, searchForFacetValues, setDefaultEngine, updateRecords, updateSettings, whyNot, } from "./default-engine.js";
export { SearchEngine, } from "./search-engine.js";
export { SearchIndex } from "./search-index.js";
export { createStaticEnEmbedder } from "./vector/static-en/static-en-embedder.js";
