// The entry point `tandem-search/tools`, by which assistants search a shop: only exports.

export type { CatalogError, ToolName, ToolSchema } from "./tools/arguments.js";
export type { CatalogMapping, FromRecord, VariantMapping } from "./tools/catalog-mapping.js";
export type {
  CatalogPrice,
  CatalogProduct,
  CatalogVariant,
  ProductOption,
  SelectedOption,
} from "./tools/products.js";
export {
  type SearchTool,
  type SearchToolsOptions,
  searchTools,
  type ToolData,
  type ToolResult,
} from "./tools/search-tools.js";
