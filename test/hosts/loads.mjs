// Which native files a process has loaded after each step: import, word queries, a vector graph, the graph of
// hnswlib-node (if it can be used). Prints a JSON line a step.

import { writeSync } from "node:fs";
import { basename } from "node:path";

/** Native files that are mapped into this process, and what the reports of Node say. */
function nativeFiles() {
  const { sharedObjects } = process.report.getReport();
  return sharedObjects.filter((path) => path.endsWith(".node")).map((path) => basename(path));
}

const say = (step) => writeSync(1, `${JSON.stringify({ step, files: nativeFiles() })}\n`);

const { SearchEngine } = await import("../../dist/index.js");
say("import");
const engine = new SearchEngine();
await engine.createIndex("shop");
await engine.addRecords("shop", [
  { id: 1, title: "red lamp", price: 5 },
  { id: 2, title: "blue sofa", price: 50 },
]);
await engine.query("shop", { query: "lamps", filters: "price < 10", facets: ["price"] });
await engine.query("shop", { query: "couch", semanticWeight: 1 });
say("words and meaning");
const near = await engine.createIndex("near", { vectorIndex: { kind: "hnsw" } });
await near.addRecords([{ id: 1, title: "red lamp" }]);
await near.whenIdle();
await near.query({ query: "lights" });
say("a graph");
const { hnswlib } = engine.capabilities();
say("capabilities");
if (hnswlib) {
  const other = await engine.createIndex("other", { vectorIndex: { kind: "hnswlib" } });
  await other.addRecords([{ id: 1, title: "red lamp" }]);
  await other.whenIdle();
  await other.query({ query: "lights" });
}
say("a graph of hnswlib-node");
