// The engine's probes: the everyday queries from which it learns the floor. Captured with an embedder.

import { SearchEngine } from "../../dist/index.js";

/** Enough records for a learned floor. */
const RECORDS = 64;

/** The texts, in order. */
export async function probeQueries() {
  let probes = [];
  const embedder = {
    id: "listening",
    dimensions: 2,
    embed: async (texts, { purpose }) => {
      if (purpose === "query") probes = [...probes, ...texts];
      return texts.map(() => [1, 0]);
    },
  };
  const index = await new SearchEngine({ embedder }).createIndex("probed");
  await index.addRecords(Array.from({ length: RECORDS }, (_, i) => ({ id: String(i), title: `record ${i}` })));
  await index.getSettings();
  return probes;
}
