// The entry point `tandem-search/medusa`, a provider of Medusa's Search Module: only exports.

export type { MedusaFacetRequest, MedusaFacetResult } from "./medusa/facets.js";
export type { FacetKind, MedusaField, MedusaIndex } from "./medusa/index-definition.js";
export type { MedusaError, MedusaErrorType } from "./medusa/medusa-error.js";
export {
  createMedusaSearchProvider,
  type MedusaModuleProvider,
  type MedusaSearchIndexInfo,
  type MedusaSearchOptions,
  type MedusaSearchTask,
  moduleProvider as default,
  TandemSearchProvider,
} from "./medusa/provider.js";
export type { MedusaSearch, MedusaSearchResult } from "./medusa/search-request.js";
