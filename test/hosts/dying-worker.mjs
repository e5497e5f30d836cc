// A worker thread ends in the middle of adds and of the graph's growth: by terminate, by process.exit, by an error that nobody catches.
// The process must live on, its own graph included. The argument is the kind of graph; prints how each worker ended, and what is found.

import { writeSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { SearchEngine } from "../../dist/index.js";
import { vectorOf } from "./scenario-products.mjs";

const [kind, how] = isMainThread ? process.argv.slice(2) : workerData;
const SETTINGS = { vectorAttribute: "v", dimensions: 16, vectorIndex: { kind, efConstruction: 400 } };
const records = (count) => Array.from({ length: count }, (_, id) => ({ id, title: "lamp", v: vectorOf(id, 16) }));

async function begin(count) {
  const engine = new SearchEngine();
  await engine.createIndex("own", SETTINGS);
  await engine.addRecords("own", records(count));
  return engine;
}

async function inWorker() {
  const engine = await begin(4000);
  void engine.addRecords(
    "own",
    records(4000).map((record) => ({ ...record, id: `again-${record.id}` })),
  );
  // Between two slices of the growth: what ends the worker in the middle of a call of hnswlib-node ends the process (docs/safety.md).
  await wait(20);
  parentPort.postMessage("growing");
  if (how === "terminate") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  if (how === "process.exit") process.exit(3);
  throw new Error("from the worker");
}

/** The exit status of a worker that ends so, and its error. */
function ended(way) {
  const worker = new Worker(new URL(import.meta.url), { workerData: [kind, way], stdout: true, stderr: true });
  worker.once("message", async () => {
    await wait(10);
    if (way === "terminate") await worker.terminate();
  });
  let error = "";
  worker.on("error", ({ name, message }) => {
    error = ` ${name}: ${message}`;
  });
  return new Promise((resolve) => worker.on("exit", (status) => resolve(`${status}${error}`)));
}

async function inMain() {
  const engine = await begin(500);
  for (const way of ["terminate", "process.exit", "error"]) writeSync(1, `${way} ended with ${await ended(way)}\n`);
  await wait(50);
  globalThis.gc?.();
  const { data } = await engine.query("own", { query: "", vector: vectorOf(7, 16), semanticFloor: -1 });
  await engine.close();
  writeSync(1, `found ${data.hits[0].id}\n`);
}

await (isMainThread ? inMain() : inWorker());
