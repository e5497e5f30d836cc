// The bench of the neighbour graphs: our own and that of hnswlib-node, over the same vectors.
//
// Measured. Times are CPU times, which other programs of a busy machine change little. Building: nodes per second, while nothing else
//   runs. Memory: what the graph adds to RSS after full collections, per node, which is too little where it reuses memory that was freed
//   before; and the estimate of the library. Queries: vectors of short texts, ten neighbours each through the public query, the best
//   of two times after a first one. Recall: the share of the ten nearest of an exact scan that is found. Closing: how long the event
//   loop is blocked when the index is deleted.
// Corpus. Titles recombined from --records (else the demo catalogue), each once, embedded by static-en; with --dimensions, made-up
//   vectors in clusters.
// Notes. Each kind runs in a process of its own. A graph that does not fit is reported with its warning. Nothing is asserted.

import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createStaticEnEmbedder, SearchEngine } from "../dist/index.js";
import { makeQueries, productBatches, readSources } from "./speed/corpus.mjs";
import { vectorSource } from "./support/corpus.mjs";
import {
  answerTask,
  askAgain,
  askOnce,
  clocked,
  inChild,
  memory,
  printTable,
  readSize,
  summarize,
} from "./support/measure.mjs";

const HELP = `node bench/graphs.mjs [options]
  --sizes N,...        vectors, such as 100k,1M; default 100k
  --kinds NAME,...     of hnsw, hnswlib; default both
  --records FILE       JSON Lines, plain or .gz, with titles; default: the demo catalogue
  --queries N          default 500
  --dimensions N       made-up vectors of this many components instead of titles
  --m N, --efConstruction N, --efSearch N   the parameters of the graphs
  --json FILE          also writes the figures there
  --toy                300 vectors: shows that the bench works, not how fast anything is`;

const NEIGHBOURS = 10;
const BATCH = 10_000;
const MB = 2 ** 20;
const HEAD = [
  "graph",
  "nodes",
  "built",
  "CPU s",
  "nodes/CPU s",
  "bytes/node",
  "estimated",
  "recall@10",
  "p50 CPU ms",
  "p99 CPU ms",
  "close CPU ms",
  "warning",
];

if (process.send === undefined) await main(readOptions());
else answerTask(measure);

async function main({ sizes, kinds, json, ...task }) {
  console.log(`node ${process.version}`);
  const results = [];
  for (const size of sizes)
    for (const kind of kinds) {
      const result = await inChild({ ...task, kind, size }, { program: import.meta.url, heapMB: 8000 });
      process.stderr.write(`${kind}, ${size}: ${result.wallSeconds.toFixed(0)} s\n`);
      results.push(result);
    }
  printTable([HEAD, ...results.map(rowOf)]);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`);
}

function readOptions() {
  const string = { type: "string" };
  const boolean = { type: "boolean" };
  const graph = { m: string, efConstruction: string, efSearch: string };
  const { values } = parseArgs({
    options: {
      sizes: string,
      kinds: string,
      records: string,
      queries: string,
      dimensions: string,
      ...graph,
      json: string,
      toy: boolean,
      help: boolean,
    },
  });
  const sizes = (values.sizes ?? (values.toy ? "300" : "100k")).split(",").map(readSize);
  const kinds = (values.kinds ?? "hnsw,hnswlib").split(",");
  const queries = Number(values.queries ?? (values.toy ? 10 : 500));
  const numbers = Object.keys(graph).filter((name) => values[name] !== undefined);
  const parameters = Object.fromEntries(numbers.map((name) => [name, Number(values[name])]));
  const dimensions = values.dimensions === undefined ? undefined : Number(values.dimensions);
  const isKind = (kind) => kind === "hnsw" || kind === "hnswlib";
  if (values.help || !sizes.every((size) => size > 0) || !kinds.every(isKind) || !(queries > 0)) {
    console[values.help ? "log" : "error"](HELP);
    process.exit(values.help ? 0 : 2);
  }
  const capabilities = new SearchEngine().capabilities();
  for (const kind of kinds)
    if (!capabilities[kind]) console.error(`${kind} is left out: ${capabilities.unavailable[kind]}`);
  return {
    sizes,
    kinds: kinds.filter((kind) => capabilities[kind]),
    records: values.records,
    queries,
    dimensions,
    parameters,
    json: values.json,
  };
}

/** Fills an index that scans exactly, asks it, lets it grow the graph, and asks that. */
async function measure({ kind, size, records, queries, dimensions, parameters }) {
  const started = performance.now();
  const warnings = [];
  const onWarning = ({ code, cause }) => warnings.push(`${code}: ${cause?.message ?? ""}`);
  const engine = new SearchEngine({ onWarning });
  const own = dimensions === undefined ? {} : { vectorAttribute: "vector", dimensions };
  const index = await engine.createIndex("bench", { ...own, vectorIndex: { kind: "exact" } });
  const source =
    dimensions === undefined ? await textSource(records, queries) : await clusterSource(dimensions, queries);
  for (const batch of source.batches(size)) await index.addRecords(batch);
  await index.whenIdle();
  const requests = source.vectors.map((vector) => ({
    query: "",
    vector,
    hitsPerPage: NEIGHBOURS,
    semanticFloor: -1,
    attributesToRetrieve: [],
  }));
  const hitsOf = async (request) => (await index.query(request)).data.hits;
  const due = [];
  for (const request of requests) due.push(await hitsOf(request));
  const before = await memory();
  const { cpuMs, ms } = await clocked(async () => {
    await index.updateSettings({ vectorIndex: { kind, ...parameters } });
    await index.whenIdle();
  });
  const after = await memory();
  const { graph: estimated } = await index.estimate();
  let found = 0;
  for (const [i, request] of requests.entries()) {
    const least = due[i].at(-1).score;
    found += (await hitsOf(request)).filter(({ score }) => score >= least).length;
  }
  const ask = async (request) => (await index.query(request)).data.nbHits;
  await askOnce(ask, requests);
  const { p50, p99 } = summarize((await askAgain((all, mostMs) => askOnce(ask, all, mostMs), requests, 2)).cpu);
  const closing = await clocked(() => engine.deleteIndex("bench"));
  return {
    kind,
    nodes: size,
    buildSeconds: ms / 1000,
    cpuSeconds: cpuMs / 1000,
    nodesPerCpuSecond: size / (cpuMs / 1000),
    bytesPerNode: (after.rss - before.rss) / size,
    estimatedBytesPerNode: estimated / size,
    graphMB: (after.rss - before.rss) / MB,
    recall: found / (NEIGHBOURS * requests.length),
    p50,
    p99,
    closeMs: closing.cpuMs,
    warning: warnings.join("; "),
    wallSeconds: (performance.now() - started) / 1000,
  };
}

/** Different titles, and the vectors of queries. */
async function textSource(path, queries) {
  const sources = await readSources(path);
  const texts = await makeQueries(sources, queries);
  const vectors = await createStaticEnEmbedder().embed(texts, { purpose: "query" });
  return {
    vectors: vectors.filter((vector) => vector !== null).map((vector) => Array.from(vector)),
    batches: (size) => titleBatches(sources, size),
  };
}

function* titleBatches(sources, size) {
  const seen = new Set();
  for (const products of productBatches(sources, Number.MAX_SAFE_INTEGER)) {
    const fresh = [];
    for (const { id, title } of products)
      if (seen.size < size && !seen.has(title)) {
        seen.add(title);
        fresh.push({ id, title });
      }
    yield fresh;
    if (seen.size === size) return;
  }
}

async function clusterSource(dimensions, queries) {
  const draw = vectorSource(dimensions, 11);
  return { vectors: Array.from({ length: queries }, draw), batches: (size) => vectorBatches(dimensions, size) };
}

function* vectorBatches(dimensions, size) {
  const draw = vectorSource(dimensions);
  for (let from = 0; from < size; from += BATCH)
    yield Array.from({ length: Math.min(BATCH, size - from) }, (_, i) => ({ id: from + i, vector: draw() }));
}

function rowOf(result) {
  const fixed = (value, digits) => value.toFixed(digits);
  const {
    kind,
    nodes,
    buildSeconds,
    cpuSeconds,
    nodesPerCpuSecond,
    bytesPerNode,
    estimatedBytesPerNode,
    recall,
    p50,
    p99,
    closeMs,
    warning,
  } = result;
  return [
    kind,
    nodes,
    `${fixed(buildSeconds, 0)} s`,
    fixed(cpuSeconds, 0),
    fixed(nodesPerCpuSecond, 0),
    fixed(bytesPerNode, 0),
    fixed(estimatedBytesPerNode, 0),
    fixed(recall, 4),
    fixed(p50, 3),
    fixed(p99, 3),
    fixed(closeMs, 1),
    warning,
  ];
}
