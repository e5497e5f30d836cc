// The engine's probes, the everyday queries that it learns the floor by: what it asks an embedder when the floor is first needed.

import { SearchEngine } from "../../dist/index.js";

/** Enough for a floor to be learned. */
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
