// One engine in a process of its own: fills an index, weighs it, asks every row of queries. Gets its task as a message from
// run.mjs and answers with one.

import { performance } from "node:perf_hooks";
import { memory, sink, summarize } from "../support/measure.mjs";
import { makeQueries, productBatches, readSources } from "./corpus.mjs";
import { ENGINES } from "./engines.mjs";
import { countAnyWord } from "./truth.mjs";

const WARM_UP = { queries: 200, ms: 3000 };
const ENUMERATED = 10;
/** Queries that are asked again before the next come. */
const STRETCH = 25;
/** Records that are written while queries are asked. */
const WRITTEN = 1000;
const KINDS = { truth, measure };

process.once("message", async (task) => {
  const result = await KINDS[task.kind](task);
  process.send({ ...result, sink: sink.found }, () => process.disconnect());
});

async function truth({ records, queries: path, queryCount, size }) {
  const sources = await readSources(records);
  const queries = await makeQueries(sources, queryCount, path);
  return countAnyWord(productBatches(sources, size), queries);
}

async function measure({ engine: name, records, queries: path, queryCount, size, passes, rowSeconds, counts }) {
  const engine = ENGINES[name];
  const sources = await readSources(records);
  const queries = await makeQueries(sources, queryCount, path);
  await warmLoad(engine, sources);
  const before = await memory();
  const index = await engine.open();
  const build = await fill(index, sources, size);
  const after = await memory();
  const rows = {};
  let agreeing;
  for (const [key, { label, paramsAt, writesEvery }] of Object.entries(engine.rows)) {
    const asked = queries.map(paramsAt);
    const write = writesEvery && { every: writesEvery, one: writerOf(index, sources) };
    const time = write ? timeBetweenWrites : timeRow;
    const { found, ...times } = await time(index.ask, asked, { passes, mostMs: rowSeconds * 1000, write });
    rows[key] = { label, ...times };
    const isTold = engine.group === "text" && engine.count === "exact";
    if (key === engine.main && isTold) agreeing = agreement(found, counts);
  }
  const enumerated = index.enumerate && (await checkPages(index, engine.rows[engine.main], queries, rowSeconds * 1000));
  const weighed = { rss: after.rss - before.rss, held: after.held - before.held, wholeRss: after.rss };
  return { build, memory: weighed, rows, agreeing, ...(enumerated && { enumerated }) };
}

/** One record in an index of its own: what an engine loads once is neither timed nor weighed. */
async function warmLoad(engine, sources) {
  const index = await engine.open();
  const [batch] = productBatches(sources, 1);
  await index.fill((await index.prepare?.(batch)) ?? batch);
  await index.finish();
  const [{ paramsAt }] = Object.values(engine.rows);
  sink.found += await index.ask(paramsAt("nothing", 0));
}

/** Only the engine's own work is timed; making the records is not. */
async function fill(index, sources, size) {
  let ms = 0;
  let cpuMs = 0;
  const timed = async (work) => {
    const cpu = process.cpuUsage();
    const started = performance.now();
    await work();
    ms += performance.now() - started;
    const { user, system } = process.cpuUsage(cpu);
    cpuMs += (user + system) / 1000;
  };
  for (const batch of productBatches(sources, size)) {
    const records = (await index.prepare?.(batch)) ?? batch;
    await timed(() => index.fill(records));
  }
  const filledMs = ms;
  await timed(() => index.finish());
  return {
    ms,
    cpuMs,
    finishMs: ms - filledMs,
    recordsPerSecond: (size * 1000) / ms,
    recordsPerCpuSecond: (size * 1000) / cpuMs,
  };
}

/**
 * Each query's best time of all passes, in ms, warm. A stretch of queries has all its passes before the next, so that when
 * the time is over every query that was timed has had as many passes as at another engine; `asked` tells how many were.
 * They come in no order, so the first are as good as all.
 */
async function timeRow(ask, requests, { passes, mostMs }) {
  await warmUp(ask, requests);
  const until = performance.now() + mostMs;
  const best = [];
  const found = [];
  for (let from = 0; from < requests.length && performance.now() < until; from += STRETCH)
    for (let pass = 0; pass < passes; pass++)
      for (let i = from; i < Math.min(from + STRETCH, requests.length); i++) {
        const started = performance.now();
        found[i] = await ask(requests[i]);
        best[i] = Math.min(best[i] ?? Number.POSITIVE_INFINITY, performance.now() - started);
      }
  return summaryOf(best, found, requests);
}

/** Each query's only time, with a write every so many queries, which is not timed: what a shop's engine sees all day. */
async function timeBetweenWrites(ask, requests, { mostMs, write }) {
  await warmUp(ask, requests);
  const until = performance.now() + mostMs;
  const times = [];
  const found = [];
  for (let i = 0; i < requests.length && performance.now() < until; i++) {
    if (i % write.every === 0) await write.one();
    const started = performance.now();
    found[i] = await ask(requests[i]);
    times[i] = performance.now() - started;
  }
  return summaryOf(times, found, requests);
}

async function warmUp(ask, requests) {
  const until = performance.now() + WARM_UP.ms;
  for (const request of requests.slice(0, WARM_UP.queries)) {
    if (performance.now() > until) break;
    sink.found += await ask(request);
  }
}

function summaryOf(times, found, requests) {
  const { p50, p99, mean } = summarize(times);
  const meanFound = found.reduce((sum, hits) => sum + hits, 0) / found.length;
  sink.found += meanFound;
  return { p50, p99, mean, asked: times.length, of: requests.length, meanFound, found };
}

/** Writes one record at each call: in turn one that is there, with another stock, and one that is new. */
function writerOf(index, sources) {
  const [known] = productBatches(sources, WRITTEN);
  let calls = 0;
  return async () => {
    const i = calls++;
    const record = known[i % known.length];
    const changed = { ...record, stock: i, ...(i % 2 === 1 && { id: `new ${i}` }) };
    await index.fill(index.prepare?.([changed]) ?? [changed]);
  };
}

/** The share of queries whose count is that of reading every record. */
const agreement = (found, counts) => found.filter((count, i) => count === counts[i]).length / found.length;

/** Of how many queries the pages, joined, hold as many records as the count says; of some, and at least one, as time allows. */
async function checkPages(index, { paramsAt }, queries, mostMs) {
  const until = performance.now() + mostMs;
  const step = Math.max(1, Math.floor(queries.length / ENUMERATED));
  let asked = 0;
  let right = 0;
  for (let i = 0; i < queries.length && asked < ENUMERATED; i += step) {
    if (asked > 0 && performance.now() > until) break;
    const params = paramsAt(queries[i], i);
    asked++;
    if ((await index.ask(params)) === (await index.enumerate(params))) right++;
  }
  return { asked, right };
}
