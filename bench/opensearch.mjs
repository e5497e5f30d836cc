// The bench of the engine on a cluster of OpenSearch nodes, beside the engine in one process and bare requests to the same node: the same
// records and queries in the same run.
//
// Measured. Loading: records in calls of 2,000, after others that warm the node. Starting: a fresh process opens the engine and has its
//   first query answered; then again from the dataDir that it kept. One write of one record, in turn on each side. A change seen elsewhere:
//   milliseconds from the end of a write until an engine in another process shows it. Queries: each is asked of both engines in turn, three
//   times, and its best time counts, less what this thread waited for a core. Pages: the share of the queries with the same ids in the same
//   order, and of those with the same nbHits. Bytes on the node's disk, and what Linux tells of the CPU time and memory of its process.
// Remote: an index that the node searches, beside the process and a bare index with the same vectors. An engine that knows no words asks each
//   query once, with caches of the node cleared, and then again, three times. Overlap: the share of the process's first page that is there.
//   Bytes: requests and answers of a query, decompressed, less the records of its page. nDCG@10: of the judged queries, with gains 2^grade - 1.
// Notes. A bare index has the searched fields as texts and the rest in its source; a hybrid one a vector of these fields, too. A node on
//   this machine takes cores from this process. On a busy machine only ratios within one run are valid. Nothing is asserted.

import { fork } from "node:child_process";
import { on } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir, totalmem } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createStaticEnEmbedder, SearchEngine } from "../dist/index.js";
import { OpenSearchEngine } from "../dist/opensearch.js";
import { missing, startNodes } from "../scripts/opensearch/nodes.mjs";
import { FIELDS, makeQueries, productBatches, readSources } from "./speed/corpus.mjs";
import { readJsonLines } from "./support/corpus.mjs";
import { clocked, printTable, readSize, summarize, waitedMs } from "./support/measure.mjs";

const HELP = `npm run bench:opensearch -- [options]
  --records FILE    JSON Lines, plain or .gz, with title, name, brand and description; default: the demo catalogue
  --real            the records of the file as they come, with all attributes, and the queries of the other file alone
  --queries FILE    JSON Lines with a "query": 15 % of the queries are taken from it
  --size N,N        records, as 20k or 1M; default 20k
  --ask N           queries, and writes of one record; default 300
  --qrels FILE      query's id, record's id and grade in lines, divided by tabs: judges the pages of a remote index
  --only KIND       words, or meaning: words and meaning; default: both. remote: the remote index alone
  --url URL         asks this node instead of starting one
  --json FILE       writes the results
  --toy             500 records, 20 queries: shows that the bench works, not how fast it is`;

const BATCH = 2000;
/** Records are loaded so often before: a virtual machine of Java takes three times as long for the first tens of thousands. */
const WARM_UP = { queries: 20, records: 20_000, loads: 2 };
const PAGE = 12;
const PASSES = 3;
const INTERVALS = [1000, 100];
const quiet = { onWarning() {} };
const NEAREST = 100;
const JUDGED = 10;
const SEARCHED = FIELDS.map((attribute) => ({ attribute, weight: attribute === "title" ? 2 : 1 }));
const KINDS = { words: { embedder: false }, meaning: {} };

/** Milliseconds by a clock that all processes of a machine share. */
const now = () => Number(process.hrtime.bigint()) / 1e6;

/** Sends one request to the node. */
async function send(url, method, body) {
  const type = typeof body === "string" ? "application/x-ndjson" : "application/json";
  const response = await fetch(url, {
    method,
    headers: { "content-type": type },
    body: typeof body === "object" ? JSON.stringify(body) : body,
  });
  const answer = await response.json();
  if (!response.ok || answer.errors === true) throw new Error(JSON.stringify(answer).slice(0, 500));
  return answer;
}

/** An index of the node without an engine; with an embedder it searches vectors, too. */
class BareIndex {
  constructor(url, name, { embedder, facets = [] } = {}) {
    this.url = `${url}/${name}`;
    this.embedder = embedder;
    this.facets = facets;
  }

  async create() {
    const raw = { type: "keyword", ignore_above: 1000 };
    const { embedder, facets } = this;
    const near = {
      ...{ type: "knn_vector", dimension: embedder?.dimensions, space_type: "cosinesimil" },
      method: { name: "hnsw", engine: "lucene", parameters: { m: 16, ef_construction: 100 } },
    };
    const properties = {
      ...Object.fromEntries(facets.map((name) => [name, raw])),
      ...Object.fromEntries(
        FIELDS.map((name) => [name, { type: "text", ...(facets.includes(name) && { fields: { raw } }) }]),
      ),
      ...(embedder && { near }),
    };
    const settings = { number_of_shards: 1, number_of_replicas: 0, ...(embedder && { "index.knn": true }) };
    await send(this.url, "PUT", { settings, mappings: { dynamic: false, properties } });
  }

  async addRecords(records) {
    const vectors = await this.vectorsOf(records.map((record) => FIELDS.map((name) => record[name]).join(" ")));
    const lines = records.flatMap((record, i) => [
      JSON.stringify({ index: { _id: record.id } }),
      JSON.stringify(vectors[i] ? { ...record, near: vectors[i] } : record),
    ]);
    await send(`${this.url}/_bulk`, "POST", `${lines.join("\n")}\n`);
  }

  async writeOne(record) {
    await send(`${this.url}/_doc/${encodeURIComponent(record.id)}`, "PUT", record);
  }

  async query(query, facets = []) {
    const match = { multi_match: { query, fields: SEARCHED.map((each) => `${each.attribute}^${each.weight}`) } };
    const [vector] = await this.vectorsOf([query], "query");
    const knn = { knn: { near: { vector, k: NEAREST } } };
    const field = (name) => (FIELDS.includes(name) ? `${name}.raw` : name);
    const aggs = Object.fromEntries(facets.map((name) => [name, { terms: { field: field(name), size: 100 } }]));
    await send(`${this.url}/_search`, "POST", {
      ...{ size: PAGE, track_total_hits: true, query: vector ? { bool: { should: [match, knn] } } : match },
      ...{ _source: { excludes: ["near"] }, ...(facets.length > 0 && { aggs }) },
    });
  }

  /** Of each text, as numbers of five decimals; without an embedder none. */
  async vectorsOf(texts, purpose = "record") {
    const vectors = (await this.embedder?.embed(texts, { purpose })) ?? [];
    return vectors.map((vector) => vector && Array.from(vector, (one) => Math.round(one * 1e5) / 1e5));
  }
}

/** What Linux tells of the process of the node, if it runs on this machine; else all is NaN. */
async function processOf(url) {
  const { nodes } = await send(`${url}/_nodes/process?filter_path=nodes.*.process.id`, "GET");
  const isHere = ["127.0.0.1", "localhost"].includes(new URL(url).hostname) && existsSync("/proc/self/stat");
  const read = (name) => readFileSync(`/proc/${Object.values(nodes)[0].process.id}/${name}`, "latin1");
  const ticks = () => read("stat").split(") ").at(-1).split(" ").slice(11, 13).map(Number);
  return {
    cpuMs: () => (isHere ? ticks().reduce((sum, each) => sum + each) * 10 : Number.NaN),
    rss: () => (isHere ? Number(/^VmRSS:\s*(\d+) kB/m.exec(read("status"))[1]) * 1024 : Number.NaN),
  };
}

/** An engine in a process of its own. */
class Child {
  constructor(task) {
    const over = new AbortController();
    this.process = fork(fileURLToPath(import.meta.url));
    this.process.once("exit", () => over.abort(new Error("A process ended without an answer.")));
    this.messages = on(this.process, "message", { signal: over.signal });
    this.process.send(task);
  }

  async next() {
    return (await this.messages.next()).value[0];
  }

  end() {
    this.process.kill();
  }
}

/** In a child: opens an engine, says how long that took, and then whenever an index has another number of records. */
async function answerParent({ options, name, query }) {
  let engine;
  const opened = await clocked(async () => {
    engine = await OpenSearchEngine.open({ ...options, ...quiet });
    await engine.index(name).query({ query, hitsPerPage: PAGE });
  });
  const index = engine.index(name);
  await index.whenIdle();
  if (options.dataDir !== undefined) await engine.close();
  process.send({ ...opened, rss: process.memoryUsage.rss() });
  for (let before = index.recordCount; options.dataDir === undefined; await pause(1)) {
    if (index.recordCount !== before) process.send({ at: now(), count: index.recordCount });
    before = index.recordCount;
  }
}

async function measure({ url, node, kind, size, sources, queries }) {
  const indexPrefix = `bench-${process.pid}`;
  const options = { nodes: [url], indexPrefix };
  const settings = { searchableAttributes: SEARCHED, ...KINDS[kind] };
  const local = new SearchEngine(quiet);
  const engine = await OpenSearchEngine.open({ ...options, ...quiet });
  const bare = new BareIndex(url, `${indexPrefix}-bare`);
  const dataDir = mkdtempSync(join(tmpdir(), "tandem-bench-"));
  const make = async (name) => {
    await bare.create();
    const [here, cluster] = [await local.createIndex(name, settings), await engine.createIndex(name, settings)];
    return { process: here, cluster, bare };
  };
  const drop = (name) => Promise.all([local.deleteIndex(name), engine.deleteIndex(name), send(bare.url, "DELETE")]);
  try {
    for (let i = 0; i < WARM_UP.loads; i++) {
      const few = { node, sources, size: Math.min(size, WARM_UP.records) };
      for (const side of Object.values(await make("warm"))) await loadInto(side, few);
      await drop("warm");
    }
    const sides = await make("products");
    const load = {};
    for (const [name, side] of Object.entries(sides)) load[name] = await loadInto(side, { node, sources, size });
    const disk = await diskOf(url, indexPrefix, bare);
    const start = async (given) => {
      const before = node.cpuMs();
      const child = new Child({ options: { ...options, ...given }, name: "products", query: queries[0] });
      const opened = await child.next();
      child.end();
      return { ...opened, nodeCpuMs: node.cpuMs() - before };
    };
    const starts = { first: await start({}) };
    await start({ dataDir });
    starts.kept = await start({ dataDir });
    const asked = await askAll(sides, queries);
    const record = productBatches(sources, 1, 1).next().value[0];
    const writes = await writeEach(sides, record, queries.length);
    const seen = {};
    for (const refreshIntervalMs of INTERVALS)
      seen[refreshIntervalMs] = await seeElsewhere({ ...options, refreshIntervalMs }, sides.cluster, record, queries);
    return { load, disk, starts, ...asked, writes, seen, rss: node.rss() };
  } finally {
    await drop("products");
    await Promise.all([engine.close(), local.close()]);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** An index that the node searches, beside the engine in this process and a bare index. */
async function measureRemote({ url, node, kind, size, sources, queries, judged }) {
  const indexPrefix = `bench-remote-${process.pid}`;
  const options = { nodes: [url], indexPrefix, search: "remote", ...quiet };
  const settings = { searchableAttributes: SEARCHED, ...KINDS[kind] };
  const facets = ["brand", sources.whole === undefined ? "category" : "attributes.product_type"];
  const local = new SearchEngine(quiet);
  const engine = await OpenSearchEngine.open(options);
  const embedder = kind === "words" ? undefined : createStaticEnEmbedder();
  const bare = new BareIndex(url, `${indexPrefix}-bare`, { embedder, facets });
  const load = {};
  const fill = async (name, count) => {
    await bare.create();
    const sides = { remote: await engine.createIndex(name, settings), bare };
    for (const [side, index] of Object.entries(sides))
      load[side] = await loadInto(index, { node, sources, size: count });
    for (const path of ["_refresh", "_flush"]) await send(`${url}/${indexPrefix}*/${path}`, "POST");
  };
  const drop = (name) => Promise.all([engine.deleteIndex(name), send(bare.url, "DELETE")]);
  const asking = async () => {
    const fresh = await OpenSearchEngine.open(options);
    const index = fresh.index("products");
    await index.query({ query: "", hitsPerPage: 1 });
    return { index, close: () => fresh.close() };
  };
  try {
    for (let i = 0; i < WARM_UP.loads; i++) {
      await fill("warm", Math.min(size, WARM_UP.records));
      await drop("warm");
    }
    await fill("products", size);
    const disk = await diskOf(url, indexPrefix, bare);
    const here = await local.createIndex("products", settings);
    for (const batch of productBatches(sources, size, BATCH)) await here.addRecords(batch);
    await here.whenIdle();
    const compared = await compare(here, await asking(), queries, judged);
    const times = {};
    for (let pass = 0; pass < PASSES; pass++)
      for (const [how, counted] of [
        ["", []],
        [" with two facets", facets],
      ]) {
        const { index, close } = await asking();
        await send(`${url}/${indexPrefix}*/_cache/clear`, "POST");
        for (const when of ["first", "again"])
          for (const [i, query] of queries.entries()) {
            const asks = {
              remote: () => index.query({ query, hitsPerPage: PAGE, facets: counted }),
              bare: () => bare.query(query, counted),
            };
            for (const side of i % 2 === 0 ? ["remote", "bare"] : ["bare", "remote"]) {
              const { ms } = await timed(asks[side]);
              times[`asked ${when}${how}`] ??= { remote: [], bare: [] };
              const best = times[`asked ${when}${how}`][side];
              best[i] = Math.min(best[i] ?? Number.POSITIVE_INFINITY, ms);
            }
          }
        await close();
      }
    const queriesOf = ({ remote, bare }) => ({ remote: summarize(remote), bare: summarize(bare) });
    const asked = Object.fromEntries(Object.entries(times).map(([when, sides]) => [when, queriesOf(sides)]));
    return { load, disk: { remote: disk.cluster, bare: disk.bare }, asked, ...compared };
  } finally {
    await drop("products");
    await Promise.all([engine.close(), local.close()]);
  }
}

/** Pages and numbers of hits of a remote index beside those of the process, and the bytes besides the page. */
async function compare(here, { index, close }, queries, judged) {
  const [overlaps, sames, bytes, requests, gains] = [[], [], [], [], { process: [], remote: [] }];
  const usual = globalThis.fetch;
  for (const query of queries) {
    let [sum, count] = [0, 0];
    globalThis.fetch = async (address, given) => {
      const response = await usual(address, given);
      const text = await response.text();
      const pages = [...(JSON.parse(text).responses ?? [])].flatMap(({ hits }) => hits?.hits ?? []);
      const page = pages.reduce((all, { _source: source }) => all + (source ? lengthOf(JSON.stringify(source)) : 0), 0);
      sum += lengthOf(String(given.body ?? "")) + lengthOf(text) - page;
      count++;
      return new Response(text, { status: response.status });
    };
    const ask = async (side) => (await side.query({ query, hitsPerPage: PAGE })).data;
    const [one, other] = [await ask(here), await ask(index)];
    globalThis.fetch = usual;
    bytes.push(sum);
    requests.push(count);
    const ids = new Set(other.hits.map(({ id }) => id));
    const most = Math.max(one.hits.length, other.hits.length);
    overlaps.push(most === 0 ? 1 : one.hits.filter(({ id }) => ids.has(id)).length / most);
    sames.push(one.nbHits === other.nbHits ? 1 : 0);
    const grades = judged?.get(query);
    if (grades !== undefined)
      for (const [side, { hits }] of Object.entries({ process: one, remote: other }))
        gains[side].push(ndcgOf(hits, grades));
  }
  await close();
  const means = { overlap: overlaps, same: sames, ndcg: gains.process, ndcgRemote: gains.remote };
  return {
    ...Object.fromEntries(Object.entries(means).map(([name, values]) => [name, summarize(values).mean])),
    ...{ bytes: summarize(bytes), requests: summarize(requests) },
  };
}

const lengthOf = (text) => Buffer.byteLength(text);

function ndcgOf(hits, grades) {
  const sum = (all) => all.slice(0, JUDGED).reduce((to, grade, i) => to + (2 ** grade - 1) / Math.log2(i + 2), 0);
  return sum(hits.map(({ id }) => grades.get(String(id)) ?? 0)) / sum([...grades.values()].sort((a, b) => b - a));
}

/** The grades of records, of each query with a relevant one. */
async function readGrades(qrels, queries) {
  const byId = new Map();
  for (const line of readFileSync(qrels, "utf8").trim().split("\n")) {
    const [query, record, grade] = line.split("\t");
    byId.set(query, (byId.get(query) ?? new Map()).set(record, Number(grade)));
  }
  const judged = new Map();
  for await (const { id, query } of readJsonLines(queries))
    if ([...(byId.get(id)?.values() ?? [])].some((grade) => grade > 0)) judged.set(query, byId.get(id));
  return judged;
}

/** Milliseconds and CPU milliseconds of a record, here and in the node. */
async function loadInto(side, { node, sources, size }) {
  const sum = { ms: 0, cpuMs: 0, nodeCpuMs: -node.cpuMs() };
  let count = 0;
  const add = async (work) => {
    const { ms, cpuMs } = await clocked(work);
    sum.ms += ms;
    sum.cpuMs += cpuMs;
  };
  for (const batch of productBatches(sources, size, BATCH)) {
    count += batch.length;
    await add(() => side.addRecords(batch));
  }
  await add(() => side.whenIdle?.());
  sum.nodeCpuMs += node.cpuMs();
  return { ...Object.fromEntries(Object.entries(sum).map(([name, ms]) => [name, ms / count])), count };
}

/** The bytes of the node's disk. */
async function diskOf(url, prefix, bare) {
  await send(`${url}/${prefix}*/_flush`, "POST");
  const indexes = await send(`${url}/_cat/indices/${prefix}*?format=json&bytes=b`, "GET");
  const sizeOf = (isBare) =>
    indexes
      .filter(({ index }) => bare.url.endsWith(`/${index}`) === isBare)
      .reduce((sum, index) => sum + Number(index["store.size"]), 0);
  return { cluster: sizeOf(false), bare: sizeOf(true) };
}

async function timed(work) {
  const waited = waitedMs();
  const started = performance.now();
  const result = await work();
  return { ms: Math.max(0, performance.now() - started - (waitedMs() - waited)), result };
}

/** The sides, each time from another one on. */
const inTurn = (sides, i) => Object.entries(sides).map((_, k, all) => all[(i + k) % all.length]);

async function askAll(sides, queries) {
  const best = { process: [], cluster: [], bare: [] };
  const same = { page: 0, nbHits: 0 };
  const ask = (name, query) =>
    timed(() => (name === "bare" ? sides.bare.query(query) : sides[name].query({ query, hitsPerPage: PAGE })));
  for (const query of queries.slice(0, WARM_UP.queries)) for (const name of Object.keys(sides)) await ask(name, query);
  for (let pass = 0; pass < PASSES; pass++)
    for (const [i, query] of queries.entries()) {
      const answers = {};
      for (const [name] of inTurn(sides, i + pass)) {
        const { ms, result } = await ask(name, query);
        best[name][i] = Math.min(best[name][i] ?? Number.POSITIVE_INFINITY, ms);
        answers[name] = result?.data;
      }
      if (pass > 0) continue;
      const { process: here, cluster } = answers;
      same.page +=
        here.hits.map(({ id }) => id).join() === cluster.hits.map(({ id }) => id).join() ? 1 / queries.length : 0;
      same.nbHits += here.nbHits === cluster.nbHits ? 1 / queries.length : 0;
    }
  return { queries: Object.fromEntries(Object.entries(best).map(([name, times]) => [name, summarize(times)])), same };
}

async function writeEach(sides, record, count) {
  const times = { process: [], cluster: [], bare: [] };
  for (let i = 0; i < count + WARM_UP.queries; i++)
    for (const [name, side] of inTurn(sides, i)) {
      const written = { ...record, stock: i };
      const { ms } = await timed(() => (name === "bare" ? side.writeOne(written) : side.addRecords([written])));
      if (i >= WARM_UP.queries) times[name].push(ms);
    }
  return Object.fromEntries(Object.entries(times).map(([name, each]) => [name, summarize(each)]));
}

/** Milliseconds until an engine of another process shows a record more, written at any time between two looks of that engine. */
async function seeElsewhere(options, index, record, queries) {
  const child = new Child({ options, name: "products", query: queries[0] });
  await child.next();
  const times = [];
  for (let i = 0; i < Math.min(40, queries.length); i++) {
    await pause(Math.random() * options.refreshIntervalMs);
    await index.addRecords([{ ...record, id: `another-${options.refreshIntervalMs}-${i}` }]);
    const written = now();
    times.push(Math.max(0, (await child.next()).at - written));
  }
  child.end();
  return summarize(times);
}

const digits = (count) => ({ minimumFractionDigits: count, maximumFractionDigits: count });
const number = (value, count = 0) => (Number.isFinite(value) ? value.toLocaleString("en-US", digits(count)) : "-");
const ms = (value) => (value >= 99.95 || !Number.isFinite(value) ? number(value) : value.toPrecision(3));
const percent = (share) => `${number(share * 100, 1)} %`;
const middle = ({ p50, p99 }) => `${ms(p50)} / ${ms(p99)}`;

function tableOf({ load, disk, starts, queries, same, writes, seen, rss }) {
  const each = (show) => ["process", "cluster", "bare"].map(show);
  const times = (one, other) => `${number(one.p50 / other.p50, 2)} / ${number(one.p99 / other.p99, 2)}`;
  const started = ({ ms, cpuMs, nodeCpuMs }) =>
    `${[ms, cpuMs, nodeCpuMs].map((each) => number(each / 1000, 1)).join(" / ")}`;
  return [
    [`${number(load.cluster.count)} records`, "one process", "cluster", "bare OpenSearch"],
    ["records/s", ...each((side) => number(1000 / load[side].ms))],
    ["CPU ms a record, here", ...each((side) => ms(load[side].cpuMs))],
    ["CPU ms a record, node", "-", ...["cluster", "bare"].map((side) => number(load[side].nodeCpuMs, 3))],
    ["first start: s / CPU s / of the node", "-", started(starts.first), "-"],
    ["start from dataDir: the same", "-", started(starts.kept), "-"],
    ["query p50 / p99 ms", ...each((side) => middle(queries[side]))],
    ["times that of one process", "", times(queries.cluster, queries.process), times(queries.bare, queries.process)],
    ["same first page; same nbHits", "", `${percent(same.page)}; ${percent(same.nbHits)}`, "-"],
    ["one write p50 / p99 ms", ...each((side) => middle(writes[side]))],
    ["times that of a bare request", "", times(writes.cluster, writes.bare), ""],
    ...Object.entries(seen).map(([interval, { p50, worst }]) => [
      ...[`seen elsewhere, looking each ${interval} ms: p50 / worst ms`, "-", `${ms(p50)} / ${ms(worst)}`, "-"],
    ]),
    ["disk of the node MB", "-", number(disk.cluster / 1e6, 1), number(disk.bare / 1e6, 1)],
    ["memory of a process; of the node MB", "-", `${number(starts.first.rss / 1e6)}; ${number(rss / 1e6)}`, "-"],
  ];
}

function remoteTableOf({ load, disk, asked, overlap, same, ndcg, ndcgRemote, bytes, requests }) {
  const each = (show) => ["remote", "bare"].map(show);
  const ratio = ({ remote, bare }) => `${number(remote.p50 / bare.p50, 1)} / ${number(remote.p99 / bare.p99, 1)}`;
  return [
    [`${number(load.remote.count)} records`, "remote", "bare"],
    ["records/s", ...each((side) => number(1000 / load[side].ms))],
    ["CPU ms a record, here", ...each((side) => ms(load[side].cpuMs))],
    ["CPU ms a record, node", ...each((side) => number(load[side].nodeCpuMs, 3))],
    ...Object.entries(asked).flatMap(([when, sides]) => [
      [`${when}: p50 / p99 ms`, ...each((side) => middle(sides[side]))],
      ["times the bare one", ratio(sides), ""],
    ]),
    ["overlap of first pages; same nbHits as the process", `${number(overlap, 3)}; ${percent(same)}`, "-"],
    ["nDCG@10; of the process", `${number(ndcgRemote, 3)}; ${number(ndcg, 3)}`, "-"],
    ["kB besides the page, mean / most", `${number(bytes.mean / 1e3, 1)} / ${number(bytes.worst / 1e3, 1)}`, "-"],
    ["requests of a query, mean / most", `${number(requests.mean, 1)} / ${requests.worst}`, "-"],
    ["disk of the node MB", ...each((side) => number(disk[side] / 1e6, 1))],
  ];
}

async function main({ url: given, records, queries: path, qrels, real, sizes, kinds, parts, ask, json }) {
  const without = given === undefined ? missing() : undefined;
  if (without !== undefined) {
    console.log(`OpenSearch cannot be started here: ${without} is missing.`);
    return;
  }
  const results = {
    machine: `Node ${process.version}, ${cpus()[0].model.trim()} x ${cpus().length}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    load: loadavg().map((value) => Number(value.toFixed(2))),
    corpus: records === undefined ? "the demo catalogue" : basename(records),
    ...{ date: new Date().toISOString().slice(0, 10), real, sizes: {} },
  };
  console.log(results.machine, "load", results.load.join(" "));
  const sources = await readSources(records, { real });
  const queries = await makeQueries(sources, ask, path);
  const judged = qrels === undefined ? undefined : await readGrades(qrels, path);
  const started = given === undefined ? await startNodes() : undefined;
  const url = started?.urls[0] ?? given;
  try {
    const node = await processOf(url);
    for (const size of sizes)
      for (const kind of kinds) {
        const title = kind === "words" ? "Words" : "Words and meaning";
        const task = { url, node, kind, size, sources, queries, judged };
        const measured = {};
        for (const [part, [measurePart, table]] of parts) {
          measured[part] = await measurePart(task);
          results.sizes[size] = { ...results.sizes[size], [kind]: measured };
          if (json !== undefined) writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`);
          console.log(`\n${title}${part === "remote" ? ", searched by the node" : ""}`);
          printTable(table(measured[part]));
        }
      }
  } finally {
    await started?.stop();
  }
}

function readCommandLine() {
  const names = ["records", "queries", "qrels", "size", "ask", "only", "url", "json"];
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
  const usual = values.toy ? { size: "500", ask: "20" } : { size: "20k", ask: "300" };
  const { size, ask, only, ...rest } = { ...usual, ...values };
  const sizes = size.split(",").map(readSize);
  const wanted = only?.split(",") ?? [];
  const named = wanted.filter((name) => name !== "remote");
  const kinds = named.length > 0 ? named : Object.keys(KINDS);
  const parts = Object.entries(PARTS).filter(([part]) => part === "remote" || !wanted.includes("remote"));
  const isRight =
    [Number(ask), ...sizes].every((value) => Number.isInteger(value) && value > 0) &&
    kinds.every((kind) => Object.hasOwn(KINDS, kind)) &&
    !(rest.qrels !== undefined && rest.queries === undefined) &&
    !(rest.real && (rest.records === undefined || rest.queries === undefined));
  if (!isRight) {
    console.error(HELP);
    process.exit(2);
  }
  return { ...rest, ask: Number(ask), sizes, kinds, parts };
}

const PARTS = { cluster: [measure, tableOf], remote: [measureRemote, remoteTableOf] };

if (process.send === undefined) {
  // Ending this process ends the node.
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  await main(readCommandLine());
} else process.once("message", answerParent);
