// The peers, in the order of the table. Each indexes the records and returns a function from query and depth to ids.

import { flexsearch } from "./flexsearch.mjs";
import { fts5 } from "./fts5.mjs";
import { lancedbHybrid, lancedbText } from "./lancedb.mjs";
import { minisearchExact, minisearchFuzzy } from "./minisearch.mjs";
import { oramaFuzzy, oramaHybrid, oramaText } from "./orama.mjs";

/** @type {{ label: string, settings: string, open: (corpus: object) => Promise<(query: string, depth: number) => string[] | Promise<string[]>> }[]} */
export const PEERS = [
  minisearchExact,
  minisearchFuzzy,
  oramaText,
  oramaFuzzy,
  oramaHybrid,
  flexsearch,
  fts5,
  lancedbText,
  lancedbHybrid,
];
