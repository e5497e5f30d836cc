// The entry point `tandem-search/opensearch`, an engine on a cluster of OpenSearch nodes: only exports.

export type { ClusterOptions, FormOption, SearchForm } from "./opensearch/cluster-options.js";
export { OpenSearchEngine, type OpenSearchOptions } from "./opensearch/open-search-engine.js";
