// A shop whose titles get falling scores for "kettle", and a record whose code may be a query.

import {
  type FacetValues,
  type JsonRecord,
  SearchEngine,
  type SearchIndex,
  type SearchParams,
} from "../../src/index.js";
import { checkQuery } from "./check-query.js";

export const KETTLES: readonly JsonRecord[] = [
  { id: 1, title: "kettle", brand: "Hem", price: 40 },
  { id: 2, title: "steel kettle", brand: "Forge", price: 30 },
  { id: 3, title: "descaler for your kettle, coffee machine and shower head", brand: "Hem", price: 5 },
  { id: 4, title: "shower head", brand: "Hem", price: 7, sku: "HEAD-77" },
];

export async function kettleShop(settings: object = {}): Promise<SearchIndex> {
  const index = await new SearchEngine({ embedder: false }).createIndex("shop", { matching: "any", ...settings });
  await index.addRecords(KETTLES);
  return index;
}

/** What a query shows and counts. */
export interface KettleHits {
  readonly ids: string[];
  readonly nbHits: number;
  readonly scores: number[];
  readonly facets: FacetValues | undefined;
}

/** What a query for "kettle", unless the parameters say otherwise, shows and counts, where all that always holds does. */
export async function kettleHits(index: SearchIndex, params: Partial<SearchParams>): Promise<KettleHits> {
  const data = await checkQuery(index, { query: "kettle", ...params });
  return {
    ids: data.hits.map(({ id }) => id),
    nbHits: data.nbHits,
    scores: data.hits.map(({ score }) => score),
    facets: data.facets,
  };
}
