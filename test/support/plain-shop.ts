// An index without an embedder, over records given, and short ways to ask it: for tests of filters, order and words.

import {
  type IndexSettings,
  type JsonRecord,
  SearchEngine,
  type SearchIndex,
  type SearchParams,
} from "../../src/index.js";

/** An index and short ways to ask it. */
export interface PlainShop {
  readonly engine: SearchEngine;
  readonly index: SearchIndex;
  /** The ids of all hits, in order. */
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
  const ask = async (params: Partial<SearchParams>) =>
    (await index.query({ query: "", hitsPerPage: 1000, ...params })).data;
  return {
    engine,
    index,
    ids: async (params) => (await ask(params)).hits.map(({ id }) => id),
    count: async (params) => (await ask({ hitsPerPage: 0, ...params })).nbHits,
  };
}
