// What a record takes in memory, part by part: each part is what is held more after it was made.

import { SearchEngine } from "../../dist/index.js";
import { readRecords } from "./corpus.mjs";
import { takeSample } from "./memory-sample.mjs";

/** Bytes of each part, of V8's heap with what lies outside it, and of the process. */
export async function parts({ path, size }) {
  const bytes = await jsonBytes(path, size);
  const engine = new SearchEngine();
  // What is loaded once is no record's.
  await fill(engine, "first", {}, await readRecords(path, 1));
  await engine.query("first", { query: "zzzzqq" });
  const measured = [{ part: "JSON of the records, for comparison", held: bytes, rss: bytes }];
  const measure = async (part, make) => {
    const before = await takeSample();
    await make();
    const after = await takeSample();
    measured.push({
      part,
      held: after.held - before.held,
      heap: after.heapUsed - before.heapUsed,
      rss: after.rss - before.rss,
    });
  };
  const records = () => readRecords(path, size);
  await measure("records and words", async () => fill(engine, "words", { embedder: false }, await records()));
  await measure("words as written (first mended word)", () => engine.query("words", { query: "zzzzqqqq" }));
  await measure('columns of all attributes (facets ["*"])', () =>
    engine.query("words", { query: "", facets: ["*"], hitsPerPage: 0 }),
  );
  await engine.deleteIndex("words");
  await measure("all by default, with vectors of 192", async () => fill(engine, "default", {}, await records()));
  await measure("a graph of these vectors", async () => {
    await engine.updateSettings("default", { vectorIndex: { kind: "hnsw" } });
    await engine.index("default").whenIdle();
  });
  await measure("after deleteIndex, less", () => engine.deleteIndex("default"));
  return { measured, size };
}

async function jsonBytes(path, size) {
  const records = await readRecords(path, size);
  return records.reduce((sum, record) => sum + Buffer.byteLength(JSON.stringify(record)), 0);
}

async function fill(engine, name, settings, records) {
  const index = await engine.createIndex(name, settings);
  await index.addRecords(records);
  await index.whenIdle();
}
