// A shop of four records whose scores can be worked out by hand.

import {
  type IndexSettings,
  type JsonRecord,
  type SearchData,
  SearchEngine,
  type SearchIndex,
  type SearchParams,
  type SearchWarning,
} from "../../src/index.js";
import { AxisEmbedder } from "./axis-embedder.js";
import { checkQuery } from "./check-query.js";

/** An index, what it is made of, and short ways to ask it. */
export interface Shop {
  readonly index: SearchIndex;
  readonly embedder: AxisEmbedder;
  readonly warnings: SearchWarning[];
  readonly ask: (params: SearchParams) => Promise<SearchData>;
  /** Of an answer for which all that always holds does (check-query.ts). */
  readonly ids: (params: SearchParams) => Promise<string[]>;
}

const SHOP: readonly JsonRecord[] = [
  { id: 1, title: "Cordless drill", sku: "DR-18V", body: "drill for wood" },
  { id: 2, title: "Corner sofa", body: "sofa and a drill" },
  { id: 3, title: "Desk lamp", body: "lamp" },
  { id: 4, title: "Reading chair" },
];

/** An index of the records with an embedder of known axes, and short ways to ask it. */
export async function shop(settings: IndexSettings = {}, records: readonly JsonRecord[] = SHOP): Promise<Shop> {
  const [embedder, warnings] = [new AxisEmbedder(), [] as SearchWarning[]];
  const engine = new SearchEngine({ embedder, onWarning: (warning) => warnings.push(warning) });
  const index = await engine.createIndex("shop", settings);
  await index.addRecords(records);
  embedder.batches.length = 0;
  embedder.purposes.length = 0;
  const ask = async (params: SearchParams) => (await index.query(params)).data;
  const ids = async (params: SearchParams) => (await checkQuery(index, params)).hits.map(({ id }) => id);
  return { index, embedder, warnings, ask, ids };
}
