// A part of the program that is CommonJS still. It is handed an engine by the others, and hands them one.

import { SearchEngine } from "tandem-search";
import { evaluate } from "tandem-search/evaluation";
import { createInstantSearchClient } from "tandem-search/instantsearch";
import type { ServiceAccess } from "tandem-search/service";
import { hashKey } from "tandem-search/service";

export async function countRecords(engine: SearchEngine): Promise<number> {
  if (!(engine instanceof SearchEngine)) throw new Error("the engine of a module is none here");
  return (await engine.listIndexes()).reduce((sum, { records }) => sum + records, 0);
}

export async function countInstantly(engine: SearchEngine): Promise<number> {
  const { results } = await createInstantSearchClient<{ title: string }>(engine).search([{ indexName: "products" }]);
  return results[0]!.nbHits;
}

export const newEngine = (): SearchEngine => new SearchEngine({ embedder: false });

export async function precisionOf(engine: SearchEngine): Promise<number> {
  const queries = [{ id: "1", query: "drill" }];
  const qrels = [{ queryId: "1", recordId: "d", relevance: 1 }];
  const { runs } = await evaluate("products", { queries, qrels }, { engine, ways: ["words"] });
  return runs.words!.means.ndcg;
}

export const accessFor = (key: string): ServiceAccess => ({
  credentials: [{ applicationId: "shop", keyHash: hashKey(key), permissions: ["search"], filters: { tenant: "acme" } }],
});
