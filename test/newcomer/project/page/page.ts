// A page of InstantSearch in front of the shop, for a bundler: the types of both packages fit.

import algoliasearchHelper from "algoliasearch-helper";
import instantsearch, { type Hit, type SearchClient } from "instantsearch.js";
import { connectHits, connectRefinementList, connectSearchBox } from "instantsearch.js/es/connectors";
import * as tandem from "tandem-search";
import { createInstantSearchClient, type InstantSearchResult } from "tandem-search/instantsearch";

interface Product {
  readonly id: number;
  readonly title: string;
}

const replicas = { products_price_asc: { indexName: "products", sort: ["price:asc"] } };
const searchClient = createInstantSearchClient<Product>(new tandem.SearchEngine(), { replicas });
export const ofTheModule: SearchClient = createInstantSearchClient(tandem);

export const helper = algoliasearchHelper(searchClient, "products", { disjunctiveFacets: ["brand"] });
export const page = instantsearch<{ products: object }>({ indexName: "products", searchClient });
export const shown: string[] = [];
page.addWidgets([
  connectSearchBox(() => {})({}),
  connectRefinementList(() => {})({ attribute: "brand" }),
  connectHits(({ items }) => {
    for (const { title, objectID } of items as Hit<Product>[]) shown.push(title, objectID);
  })({}),
]);

export async function titles(): Promise<string[]> {
  const { results } = await searchClient.search([{ indexName: "products", params: { query: "drill" } }]);
  const [first]: InstantSearchResult<Product>[] = results;
  return first?.hits.map(({ title, objectID }) => `${title} ${objectID}`) ?? [];
}

// @ts-expect-error no client
export const wrong: SearchClient = { search: async () => ({ results: 5 }) };
// @ts-expect-error another answer
export const another: SearchClient = { ...searchClient, searchForFacetValues: async () => 5 };
