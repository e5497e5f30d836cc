// An index without an embedder, over records given, and short ways to ask it: for tests of filters, order and words.

import {
  type IndexSettings,
  type JsonRecord,
  SearchEngine,
  type SearchIndex,
  type SearchParams,
} from "../../src/index.js";
import { checkQuery } from "./check-query.js";

/** An index and short ways to ask it. */
export interface PlainShop {
  readonly engine: SearchEngine;
  readonly index: SearchIndex;
  /** The ids of all hits, in order, of an answer for which all that always holds does (check-query.ts). */
  readonly ids: (params: Partial<SearchParams>) => Promise<string[]>;
  readonly count: (params: Partial<SearchParams>) => Promise<number>;
}

/** An index of the records; each list is a call of its own, so that segments are several. */
export async function plainShop(
  settings: IndexSettings,
  ...batches: readonly (readonly JsonRecord[])[]
): Promise<PlainShop> {
  const engine = new SearchEngine({ onWarning: () => {} });
  const index = await engine.createIndex("shop", { embedder: false, ...settings });
  for (const records of batches) await index.addRecords(records);
  // A snapshot of one segment has little to lose.
  const kept = batches.length > 1 ? engine : undefined;
  return {
    engine,
    index,
    ids: async (params) =>
      (await checkQuery(index, { query: "", hitsPerPage: 1000, ...params }, kept)).hits.map(({ id }) => id),
    count: async (params) => (await index.query({ query: "", hitsPerPage: 0, ...params })).data.nbHits,
  };
}
