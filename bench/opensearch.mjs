// The bench of the engine on a cluster of OpenSearch nodes, beside the embedded engine: the same records and queries in the same run.
//
// Measured. Loading: records per second, in calls of 2,000. Queries, each asked once: median and 99th percentile, after a few others.
//   Of a query on the cluster: requests, how long it waited for their answers, how long the cluster says that it worked, and the
//   documents and bytes that it read; the rest is work of this process. Pages: the share of queries of which the first page has the
//   same ids in the same order, and of those with the same nbHits. What the nodes take: bytes on disk, and where they run on this
//   machine, memory (RSS) and CPU time.
// Notes. Records are generated before the clock starts. Nodes on this machine take its cores from this process: their times are not
//   those of machines of their own. On a busy machine only ratios within one run are valid. Nothing is asserted.

import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { missing, startNodes } from "../scripts/opensearch/nodes.mjs";
import { FIELDS, makeQueries, productBatches, readSources } from "./speed/corpus.mjs";
import { askOnce, clocked, readSize, summarize, waitedMs } from "./support/measure.mjs";

const HELP = `npm run bench:opensearch -- [options]
  --records FILE    JSON Lines, plain or .gz, with title, name, brand and description; default: the demo catalogue
  --real            the records of the file as they come, with all attributes, and the queries of the other file alone
  --queries FILE    JSON Lines with a "query": 15 % of the queries are taken from it
  --size N,N        records, as 20k or 1M; default 20k
  --ask N           queries; default 300
  --only KIND       words, or meaning: words and meaning; default: both
  --seconds N       time limit of the queries of an engine; default 120
  --nodes N         starts so many nodes; default 1
  --url URL,URL     asks these nodes instead of starting some
  --shards N        parts of an index; default: as many as nodes
  --json FILE       writes the results
  --toy             500 records, 20 queries: shows that the bench works, not how fast it is`;

const BATCH = 2000;
const PAGE = 12;
/** Queries that are asked before all others and not reported: cold code is slow. */
const WARM_UP = 20;
/** Queries that are asked again to count what they read: that would take time of those that are timed. */
const COUNTED = 50;
const TOY = { size: "500", ask: "20", seconds: "20" };
const FULL = { size: "20k", ask: "300", seconds: "120" };
/** In what Linux counts the CPU time of other processes. */
const TICK_MS = 10;
const SEARCHED = FIELDS.map((attribute) => ({ attribute, weight: attribute === "title" ? 2 : 1 }));
/** What queries rank by. */
const KINDS = {
  words: { label: "words", settings: { embedder: false } },
  meaning: { label: "words and meaning", settings: {} },
};

async function main(options) {
  const without = options.urls === undefined ? missing() : undefined;
  if (without !== undefined) {
    console.log(`OpenSearch cannot be started here: ${without} is missing.`);
    return;
  }
  const started = options.urls === undefined ? await startNodes(options.nodes) : undefined;
  const urls = started?.urls ?? options.urls;
  try {
    await measureAll({ ...options, urls, shards: options.shards ?? urls.length });
  } finally {
    await started?.stop();
  }
}

async function measureAll(options) {
  const { urls, shards, records, queries: path, real, sizes, kinds, ask, json } = options;
  const results = {
    machine: `Node ${process.version}, ${cpus()[0].model.trim()} x ${cpus().length}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    date: new Date().toISOString().slice(0, 10),
    load: loadavg().map((value) => Number(value.toFixed(2))),
    corpus: records === undefined ? "the demo catalogue" : basename(records),
    ...{ real, nodes: urls.length, shards, sizes: {} },
  };
  console.log(results.machine, "load", results.load.join(" "), `${urls.length} nodes, ${shards} shards`);
  const sources = await readSources(records, { real });
  const made = await makeQueries(sources, ask + WARM_UP, path);
  const queries = { warmUp: made.slice(0, WARM_UP), timed: made.slice(WARM_UP) };
  for (const size of sizes) {
    results.sizes[size] = {};
    for (const kind of kinds) {
      results.sizes[size][kind] = await measure({ ...options, kind, size, sources, queries, shards });
      if (json !== undefined) writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`);
    }
    console.log(`\n${tablesOf(results.sizes[size])}\n`);
  }
}

/** Both engines, one after the other. */
async function measure({ kind, urls, shards, ...task }) {
  const settings = { searchableAttributes: SEARCHED, ...KINDS[kind].settings };
  const name = `${kind}-${task.size}`;
  const { SearchEngine } = await import("../dist/index.js");
  const { OpenSearchEngine } = await import("../dist/opensearch.js");
  const indexPrefix = `bench-${process.pid}-`;
  const engine = await OpenSearchEngine.open({ nodes: urls, indexPrefix, shards, onWarning() {} });
  const nodes = await NodeProcesses.of(urls);
  const own = new SearchEngine({ onWarning() {} });
  const embedded = await measureEngine(await own.createIndex(name, settings), task);
  await own.close();
  const requests = new Requests();
  try {
    const { pages, ...figures } = await measureEngine(await engine.createIndex(name, settings), task, {
      requests,
      nodes,
    });
    const disk = await diskOf(urls[0], indexPrefix);
    const both = Math.min(pages.length, embedded.pages.length);
    const shareOf = (isSame) => pages.slice(0, both).filter((page, i) => isSame(page, embedded.pages[i])).length / both;
    return {
      embedded: { ...embedded, pages: undefined },
      cluster: { ...figures, disk, rss: nodes.rss() },
      samePages: shareOf((a, b) => a.ids.join() === b.ids.join()),
      sameNbHits: shareOf((a, b) => a.nbHits === b.nbHits),
    };
  } finally {
    await engine.deleteIndex(name);
    await engine.close();
    requests.end();
  }
}

async function measureEngine(index, { size, sources, queries, mostMs }, { requests, nodes } = {}) {
  const load = { count: 0, ms: 0, cpuMs: 0 };
  requests?.take();
  const nodesBefore = nodes?.cpuMs();
  for (const batch of productBatches(sources, size, BATCH)) {
    const { ms, cpuMs } = await clocked(() => index.addRecords(batch));
    load.ms += ms;
    load.cpuMs += cpuMs;
    load.count += batch.length;
  }
  const finish = await clocked(() => index.whenIdle());
  load.ms += finish.ms;
  load.cpuMs += finish.cpuMs;
  Object.assign(load, requests?.take(), nodes && { nodesCpuMs: nodes.cpuMs() - nodesBefore });
  /** The first pages, as they are answered. */
  const pages = [];
  const ask = async (params) => {
    const { nbHits, hits } = (await index.query(params)).data;
    pages.push({ nbHits, ids: hits.map(({ id }) => id) });
    return nbHits;
  };
  const paramsOf = (query) => ({ query, hitsPerPage: PAGE });
  await askOnce(ask, queries.warmUp.map(paramsOf), mostMs);
  pages.length = 0;
  requests?.take();
  const askedBefore = nodes?.cpuMs();
  let times;
  const { cpuMs } = await clocked(async () => {
    ({ times } = await askOnce(ask, queries.timed.map(paramsOf), mostMs));
  });
  const asked = times.length;
  const figures = { load, asked, ...summarize(times), cpuMs: cpuMs / asked, pages: pages.slice() };
  if (requests === undefined) return figures;
  const perQuery = { ...requests.take(asked), nodesCpuMs: (nodes.cpuMs() - askedBefore) / asked };
  return { ...figures, perQuery, read: await countRead(ask, requests, queries.timed.map(paramsOf)) };
}

/** The documents and bytes that a query reads. */
async function countRead(ask, requests, asked) {
  const some = asked.slice(0, COUNTED);
  requests.countsDocuments = true;
  await askOnce(ask, some);
  requests.countsDocuments = false;
  const { documents, bytes } = requests.take(some.length);
  return { documents, bytes };
}

/** Counts what the engine asks of the cluster, in the place of `fetch`. */
class Requests {
  countsDocuments = false;
  #fetch = globalThis.fetch;
  #sums = newSums();

  constructor() {
    globalThis.fetch = async (url, init) => {
      const started = performance.now();
      const coreBefore = waitedMs();
      const response = await this.#fetch.call(globalThis, url, init);
      const text = await response.text();
      const sums = this.#sums;
      sums.waitedMs += performance.now() - started;
      sums.coreMs += waitedMs() - coreBefore;
      sums.requests++;
      sums.tookMs += Number(/^\{"(?:pit_id":"[^"]*",")?took":(\d+)/.exec(text.slice(0, 4000))?.[1] ?? 0);
      sums.bytes += text.length;
      if (this.countsDocuments) sums.documents += text.split('"json":').length - 1;
      return { status: response.status, text: async () => text };
    };
  }

  /** What was counted since, of each of so many. */
  take(of = 1) {
    const sums = this.#sums;
    this.#sums = newSums();
    return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum / of]));
  }

  end() {
    globalThis.fetch = this.#fetch;
  }
}

const newSums = () => ({ requests: 0, waitedMs: 0, coreMs: 0, tookMs: 0, bytes: 0, documents: 0 });

const askNode = async (url, init) => JSON.parse(await (await fetch(url, init)).text());

/** The bytes of the indexes on disk, replicas included. */
async function diskOf(url, prefix) {
  await askNode(`${url}/${prefix}*/_flush`, { method: "POST" });
  const indexes = await askNode(`${url}/_cat/indices/${prefix}*?format=json&bytes=b`);
  return indexes.reduce((sum, index) => sum + Number(index["store.size"]), 0);
}

/** The processes of nodes that run on this machine; of others nothing is known. */
class NodeProcesses {
  #ids;

  constructor(ids) {
    this.#ids = ids;
  }

  static async of(urls) {
    const isHere = urls.every((url) => ["127.0.0.1", "localhost"].includes(new URL(url).hostname));
    const { nodes } = await askNode(`${urls[0]}/_nodes/process?filter_path=nodes.*.process.id`);
    return new NodeProcesses(isHere ? Object.values(nodes).map(({ process: { id } }) => id) : []);
  }

  /** The CPU time of all of them so far. */
  cpuMs() {
    return this.#sum((id) => {
      const [user, system] = readFileSync(`/proc/${id}/stat`, "latin1").split(") ")[1].split(" ").slice(11, 13);
      return (Number(user) + Number(system)) * TICK_MS;
    });
  }

  rss() {
    return this.#sum(
      (id) => Number(/^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${id}/status`, "latin1"))[1]) * 1024,
    );
  }

  /** NaN: the system does not tell. */
  #sum(read) {
    try {
      return this.#ids.length === 0 ? Number.NaN : this.#ids.reduce((sum, id) => sum + read(id), 0);
    } catch {
      return Number.NaN;
    }
  }
}

const NONE = "-";
const digits = (count) => ({ minimumFractionDigits: count, maximumFractionDigits: count });
const number = (value, count = 0) => (Number.isFinite(value) ? value.toLocaleString("en-US", digits(count)) : NONE);
const ms = (value) => (value >= 99.95 || !Number.isFinite(value) ? number(value) : value.toPrecision(3));
const percent = (share) => `${number(share * 100, 1)} %`;

const LOADING = [
  "records/s",
  "waiting for the cluster",
  "CPU ms a record",
  "of the nodes",
  "disk MB",
  "RSS of the nodes MB",
];
const ASKING = [
  "queries",
  "asked once p50 / p99 ms",
  "mean ms",
  "of it waiting",
  "the cluster's own",
  "CPU ms a query",
  "of the nodes",
  "requests",
  "documents read",
  "MB read",
  "same first page",
  "same nbHits",
];

/** Loading, then queries, a row for each engine. */
function tablesOf(kinds) {
  const loading = [];
  const asking = [];
  for (const [kind, { embedded, cluster, samePages, sameNbHits }] of Object.entries(kinds)) {
    const { perQuery, read, load, disk, rss } = cluster;
    const shared = percent(load.waitedMs / load.ms);
    loading.push([`${KINDS[kind].label}, embedded`, ...loadingOf(embedded)]);
    loading.push([
      `${KINDS[kind].label}, cluster`,
      ...loadingOf(cluster, shared, load.nodesCpuMs / load.count),
      ...[disk, rss].map((bytes) => number(bytes / 1e6, 1)),
    ]);
    asking.push([`${KINDS[kind].label}, embedded`, ...askingOf(embedded)]);
    asking.push([
      `${KINDS[kind].label}, cluster`,
      // The times of queries are without what this thread waited for a core.
      ...askingOf(cluster, Math.max(0, perQuery.waitedMs - perQuery.coreMs), perQuery),
      number(perQuery.requests, 1),
      number(read.documents),
      number(read.bytes / 1e6, 2),
      percent(samePages),
      percent(sameNbHits),
    ]);
  }
  const title = `${number(Object.values(kinds)[0].embedded.load.count)} records`;
  return [layOut([title, ...LOADING], loading), layOut([title, ...ASKING], asking)].join("\n\n");
}

const loadingOf = ({ load }, waiting = NONE, nodesMs = Number.NaN) => [
  number((load.count * 1000) / load.ms),
  waiting,
  ms(load.cpuMs / load.count),
  ms(nodesMs),
];

const askingOf = ({ asked, p50, p99, mean, cpuMs }, waitedMs = Number.NaN, { tookMs, nodesCpuMs } = {}) => [
  number(asked),
  `${ms(p50)} / ${ms(p99)}`,
  ...[mean, waitedMs, tookMs, cpuMs, nodesCpuMs].map(ms),
];

function layOut(heads, lines) {
  const ruler = heads.map((_, i) => (i === 0 ? "---" : "---:"));
  const whole = lines.map((cells) => heads.map((_, i) => cells[i] ?? NONE));
  return [heads, ruler, ...whole].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function readCommandLine() {
  const names = ["records", "queries", "size", "ask", "only", "seconds", "nodes", "url", "shards", "json"];
  const { values } = parseArgs({
    options: {
      ...Object.fromEntries(names.map((name) => [name, { type: "string" }])),
      ...Object.fromEntries(["real", "toy", "help"].map((name) => [name, { type: "boolean", default: false }])),
    },
  });
  if (values.help) {
    console.log(HELP);
    process.exit(0);
  }
  const { size, ask, seconds, nodes = "1", shards, url, only, ...rest } = { ...(values.toy ? TOY : FULL), ...values };
  const counts = { ask: Number(ask), nodes: Number(nodes), mostMs: Number(seconds) * 1000 };
  const sizes = size.split(",").map(readSize);
  const kinds = only?.split(",") ?? Object.keys(KINDS);
  const isRight =
    [...Object.values(counts), ...sizes, Number(shards ?? 1)].every((value) => Number.isInteger(value) && value > 0) &&
    kinds.every((kind) => Object.hasOwn(KINDS, kind)) &&
    !(rest.real && (rest.records === undefined || rest.queries === undefined));
  if (!isRight) {
    console.error(HELP);
    process.exit(2);
  }
  return { ...rest, ...counts, sizes, kinds, shards: shards && Number(shards), urls: url?.split(",") };
}

await main(readCommandLine());
