// The language bench within one engine's process: fills the shop, asks every row that the engine can answer, and weighs the
// columns that the first filtered and faceted query builds.

import { performance } from "node:perf_hooks";
import { LANGUAGE_ENGINES } from "./language-engines.mjs";
import { memory, sink, summarize } from "./measure.mjs";
import { readTexts, shopRecords, USES_ALL_COLUMNS } from "./shop.mjs";

const WARM_UP = { queries: 50, ms: 2000 };

/** Answers one task of run.mjs. */
export async function askLanguage({ engine, path, size, rows, runs, rowSeconds }) {
  const { load, can } = LANGUAGE_ENGINES[engine];
  // One record in an index of its own comes before all: what an engine loads once is not counted.
  await fill(await load(), path, 1);
  const index = await load();
  const before = await memory();
  const filling = await fill(index, path, size);
  const filled = await memory();
  const columns = index.hasColumns ? await weighColumns(index, filled, size) : undefined;
  const asked = {};
  for (const { key, needs, requests } of rows)
    if (needs === undefined || can.includes(needs))
      asked[key] = await timeRow(index, requests, runs, rowSeconds * 1000);
  const per = (bytes) => bytes / size;
  const kept = { rss: per(filled.rss - before.rss), held: per(filled.held - before.held) };
  return { ...filling, ...kept, columns, asked };
}

/** The records are given back before memory is taken. */
async function fill(index, path, size) {
  const records = shopRecords(await readTexts(path), size);
  const started = performance.now();
  await index.fill(records);
  const recordsPerSecond = (size * 1000) / (performance.now() - started);
  await index.settle();
  sink.found += await index.ask({ query: "nothing" });
  return { recordsPerSecond };
}

async function weighColumns(index, filled, size) {
  const started = performance.now();
  sink.found += await index.ask(USES_ALL_COLUMNS);
  const ms = performance.now() - started;
  const { rss, held } = await memory();
  return { ms, rss: (rss - filled.rss) / size, held: (held - filled.held) / size };
}

/**
 * Each request's best time of `runs` passes. When the time is over the row ends where it is: `count` says how many requests
 * were timed. They come in no order, so the first are as good as all.
 */
async function timeRow(index, requests, runs, mostMs) {
  await warmUp(index, requests);
  const best = [];
  const ends = performance.now() + mostMs;
  let found = 0;
  for (let run = 0; run < runs; run++)
    for (const [i, request] of requests.entries()) {
      const started = performance.now();
      if (started > ends) break;
      const hits = await index.ask(request);
      best[i] = Math.min(best[i] ?? Number.POSITIVE_INFINITY, performance.now() - started);
      if (run === 0) found += hits;
    }
  sink.found += found;
  return { ...summarize(best), count: best.length, meanFound: found / best.length };
}

async function warmUp(index, requests) {
  const ends = performance.now() + WARM_UP.ms;
  for (const request of requests.slice(0, WARM_UP.queries)) {
    if (performance.now() > ends) return;
    sink.found += await index.ask(request);
  }
}
