// As in an older application: CommonJS, and modules resolved as Node 10 did.

import { createIndex, type Engine, type SearchAnswer, setDefaultEngine } from "tandem-search";
import { compareRuns, evaluate } from "tandem-search/evaluation";
import { createInstantSearchClient, type InstantSearchClient } from "tandem-search/instantsearch";
import medusa, { createMedusaSearchProvider } from "tandem-search/medusa";
import { OpenSearchEngine } from "tandem-search/opensearch";
import { answerRequest, type ServiceAnswer } from "tandem-search/service";
import { contractChecks } from "tandem-search/service/contract";

interface Product {
  id: number;
  title: string;
  brand?: string;
}

export async function search(text: string): Promise<SearchAnswer<Product>> {
  const products = await createIndex<Product>("products");
  await products.updateRecords([{ id: 1, brand: null }]);
  return products.query({ query: text, filters: { brand: { in: ["Volt"] } } });
}

export const answer = (engine: Engine): Promise<ServiceAnswer> =>
  answerRequest(engine, { indexName: "products" }, { credentials: [] });
export const clientOf = (engine: Engine): InstantSearchClient => createInstantSearchClient(engine);
export const all = [compareRuns, evaluate, contractChecks, ...medusa.services];
export const providerOf = (engine: Engine) => createMedusaSearchProvider({ engine });

export async function moveToCluster(): Promise<ServiceAnswer> {
  const engine = await OpenSearchEngine.open({ nodes: ["http://127.0.0.1:9200"], replicas: 1 });
  const products = await engine.createIndex<Product>("products", { searchableAttributes: ["title"] });
  await products.addRecords([{ id: 1, title: "Drill" }]);
  setDefaultEngine(engine);
  return answer(engine);
}
