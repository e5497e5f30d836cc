// As in an older application: CommonJS, and modules resolved as Node 10 did.

import { createIndex, type SearchAnswer, type SearchEngine } from "tandem-search";
import { compareRuns, evaluate } from "tandem-search/evaluation";
import { createInstantSearchClient, type InstantSearchClient } from "tandem-search/instantsearch";
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

export const answer = (engine: SearchEngine): Promise<ServiceAnswer> =>
  answerRequest(engine, { indexName: "products" }, { credentials: [] });
export const clientOf = (engine: SearchEngine): InstantSearchClient => createInstantSearchClient(engine);
export const all = [compareRuns, evaluate, contractChecks];
