// LanceDB: BM25 over columns by a multi-match query, and its hybrid search over the same vectors as ours.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DIMENSIONS, embedAll } from "../vectors.mjs";

async function open({ fields, rows }, { hybrid }) {
  const { connect, Index, MultiMatchQuery, rerankers } = await import("@lancedb/lancedb");
  const folder = mkdtempSync(join(tmpdir(), "relevance-lancedb-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const columns = fields.map((_, i) => `c${i}`);
  const vectors = hybrid
    ? await embedAll(
        rows.map(({ embedded }) => embedded),
        "record",
      )
    : [];
  const nowhere = Array.from({ length: DIMENSIONS }, () => 0);
  const table = await (await connect(folder)).createTable(
    "records",
    rows.map(({ id, texts }, i) => ({
      id,
      ...Object.fromEntries(fields.map((name, at) => [columns[at], texts[name] ?? ""])),
      ...(hybrid && { vector: vectors[i] ?? nowhere }),
    })),
  );
  // Configurations, like the rerankers below, can be used only once.
  const config = () => Index.fts({ stem: true, removeStopWords: true, asciiFolding: true, withPosition: false });
  for (const column of columns) await table.createIndex(column, { config: config() });
  return async (query, depth) => {
    const text = new MultiMatchQuery(query, columns, { boosts: columns.map((_, i) => (i === 0 ? 2 : 1)) });
    const words = table.query().fullTextSearch(text);
    const [vector] = hybrid ? await embedAll([query], "query") : [null];
    if (vector === null) return ids(await words.select(["id", "_score"]).limit(depth).toArray());
    const reranker = await rerankers.RRFReranker.create(60);
    const both = words.nearestTo(vector).distanceType("cosine").rerank(reranker);
    return ids(await both.limit(depth).toArray());
  };
}

function ids(rows) {
  return rows.map(({ id }) => String(id));
}

export const lancedbText = {
  label: "LanceDB",
  settings: "columns as ours, title x 2, multi-match OR, stems, stop words, no fuzziness",
  open: (corpus) => open(corpus, { hybrid: false }),
};

export const lancedbHybrid = {
  label: "LanceDB hybrid",
  settings: "the same, with static-en's vectors (cosine) and its RRF reranker, k 60",
  open: (corpus) => open(corpus, { hybrid: true }),
};
