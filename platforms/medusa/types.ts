// The provider is what Medusa's types ask for; compiled, never run.
import type { SearchTypes } from "@medusajs/framework/types";
import provider, { createMedusaSearchProvider } from "tandem-search/medusa";

export const made: SearchTypes.ISearchProvider = createMedusaSearchProvider({ dataDir: "search-data" });

type ProviderClass = new (
  container: Record<string, unknown>,
  options: { dataDir: string },
) => SearchTypes.ISearchProvider;
export const [service]: readonly ProviderClass[] = provider.services;
