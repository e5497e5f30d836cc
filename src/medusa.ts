// The entry point `tandem-search/medusa`, a provider of Medusa's Search Module: only exports.

export type { MedusaIndex } from "./medusa/definition.js";
export type { MedusaFacetResult } from "./medusa/facets.js";
export type { MedusaError, MedusaErrorType } from "./medusa/medusa-error.js";
export {
  createMedusaSearchProvider,
  type MedusaModuleProvider,
  type MedusaSearchOptions,
  type MedusaSearchTask,
  moduleProvider as default,
  TandemSearchProvider,
} from "./medusa/provider.js";
export type { MedusaSearch, MedusaSearchResult } from "./medusa/search.js";
