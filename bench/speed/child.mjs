// Measures one engine in a process of its own: the time to load, to index, and to answer each row of queries, and its memory. Its task
// comes from run.mjs or ../compare.mjs.

import { setTimeout as pause } from "node:timers/promises";
import { answerTask, askAgain, askOnce, clocked, memory, summarize } from "../support/measure.mjs";
import { FIELDS, makeQueries, plainWords, productBatches, readSources } from "./corpus.mjs";
import { PEERS } from "./peers.mjs";
import { TANDEM } from "./tandem.mjs";

/** Queries that a new process is asked before all others; the first of them are reported apart, because cold code is slow. */
const FIRST = { asked: 300, apart: 100 };
/** The number of queries whose pages are compared with `nbHits`. */
const ENUMERATED = 10;
/** The number of records that are written between queries. */
const WRITTEN = 1000;
/** Milliseconds between two queries during background work. */
const BACKGROUND_PAUSE_MS = 50;
/** Words and queries from which those with many matches are chosen, and the records whose words are counted for that. */
const FREQUENT = { words: 400, queries: 10_000, sample: 10_000 };

/**
 * `build` is the file of tandem-search to load, `rows` the rows to ask (all by default). `keepsTimes` adds the times of each
 * query; `pages` asks for the first pages of some queries (see `firstPages`).
 */
async function measure({ engine: name, build, records, queries: path, queryCount, size, passes, rowSeconds, ...more }) {
  const engine = { ...TANDEM, ...PEERS }[name];
  const sources = await readSources(records, more);
  const made = await makeQueries(sources, queryCount + FIRST.asked, path);
  const [firstAsked, queries] = [made.slice(0, FIRST.asked), made.slice(FIRST.asked)];
  const firstAnswer = await clocked(() => loadAll(engine, build, sources));
  const index = await engine.open(build);
  const measureMemory = index.memory ?? memory;
  const before = await measureMemory();
  const filled = await fill(index, sources, size);
  const common = { index, sources, passes, mostMs: rowSeconds * 1000, keepsTimes: more.keepsTimes };
  const rows = {};
  if (engine.asksInBackground) rows[engine.main] = await askInBackground(engine, queries, common, filled);
  else filled.finish = await clocked(() => index.finish());
  const first = engine.asksInBackground ? undefined : await askFirst(engine.rows[engine.main], firstAsked, common);
  const after = await measureMemory();
  const estimate = await index.estimate?.();
  if (!engine.asksInBackground)
    for (const key of more.rows ?? (more.real ? [engine.main] : Object.keys(engine.rows)))
      rows[key] = await askRow(engine.rows[key], queries, common);
  const enumerated =
    index.enumerate && !more.keepsTimes && (await checkPages(index, engine.rows[engine.main], queries, common.mostMs));
  const result = {
    firstAnswerMs: firstAnswer.ms,
    build: buildFigures(filled),
    memory: { rss: after.rss - before.rss, held: after.held - before.held },
    ...(first && { first }),
    rows,
    ...(estimate && { estimate, estimateAsked: await index.estimate() }),
    ...(enumerated && { enumerated }),
    ...(more.pages && { pages: await firstPages(index, sources, more.pages) }),
  };
  await index.close?.();
  return result;
}

/** The time from the import to the first answer, with one record. No other figure includes what a process loads once. */
async function loadAll(engine, build, sources) {
  const index = await engine.open(build);
  const [batch] = productBatches(sources, 1);
  await index.fill((await index.prepare?.(batch)) ?? batch);
  await index.finish();
  const [{ paramsAt }] = Object.values(engine.rows);
  const ask = index.askOnce ?? askOnce.bind(undefined, index.ask);
  await ask([paramsAt("nothing", 0)]);
  await index.close?.();
}

/** Adds all records. Only the engine is timed, not the generation of the records. */
async function fill(index, sources, size) {
  const filling = { ms: 0, cpuMs: 0 };
  let count = 0;
  for (const batch of productBatches(sources, size)) {
    const records = (await index.prepare?.(batch)) ?? batch;
    const { ms, cpuMs } = await clocked(() => index.fill(records));
    filling.ms += ms;
    filling.cpuMs += cpuMs;
    count += batch.length;
  }
  return { filling, count };
}

function buildFigures({ filling, finish, count }) {
  const [ms, cpuMs] = [filling.ms + finish.ms, filling.cpuMs + finish.cpuMs];
  const perSecond = (time) => (count * 1000) / time;
  return { count, ms, finishMs: finish.ms, recordsPerSecond: perSecond(ms), recordsPerCpuSecond: perSecond(cpuMs) };
}

/** The queries that a new process answers before all others. */
async function askFirst({ paramsAt }, queries, { index, mostMs }) {
  const { times } = await (index.askOnce ?? askOnce.bind(undefined, index.ask))(queries.map(paramsAt), mostMs);
  return summarize(times.slice(0, FIRST.apart));
}

/** Runs each query once, then all again. With `writesEvery` = n, writes a record before every n-th query, and repeats none. */
async function askRow({ label, paramsAt, writesEvery }, queries, { index, sources, passes, mostMs, keepsTimes }) {
  const requests = queries.map(paramsAt);
  if (writesEvery !== undefined) {
    const once = await askBetweenWrites(index, requests, { write: writerOf(index, sources), writesEvery, mostMs });
    return figuresOf({ label, requests, once, keepsTimes });
  }
  const ask = index.askOnce ?? askOnce.bind(undefined, index.ask);
  const once = await ask(requests, mostMs);
  const again = await askAgain(ask, requests.slice(0, once.times.length), passes, mostMs);
  return figuresOf({ label, requests, once, again, keepsTimes });
}

function figuresOf({ label, requests, once, again, keepsTimes }) {
  const { times, cpu, found } = once;
  return {
    label,
    once: { ...summarize(times), collected: once.collected },
    ...(again && { again: { ...summarize(again.times), collected: again.collected } }),
    asked: times.length,
    of: requests.length,
    meanFound: found.reduce((sum, matches) => sum + matches, 0) / found.length,
    ...(keepsTimes && { times: { once: times, onceCpu: cpu, again: again.times, againCpu: again.cpu } }),
  };
}

/** The writes are awaited and not timed. */
async function askBetweenWrites(index, requests, { write, writesEvery, mostMs }) {
  const until = performance.now() + mostMs;
  const all = { times: [], cpu: [], found: [] };
  for (let i = 0; i < requests.length && performance.now() < until; i += writesEvery) {
    await write();
    const part = await askOnce(index.ask, requests.slice(i, i + writesEvery), until - performance.now());
    for (const key in all) all[key].push(...part[key]);
  }
  return all;
}

/** Writes one record per call: alternately an existing one with another stock, and a new one. */
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

/**
 * Runs a query every 50 ms until the index has no more background work. The time of a query begins when it was due, so it includes the
 * wait for whatever blocked the event loop.
 */
async function askInBackground({ main, rows }, queries, { index }, filled) {
  const { label, paramsAt } = rows[main];
  const requests = queries.map(paramsAt);
  const once = { times: [], found: [] };
  filled.finish = undefined;
  const finishing = clocked(() => index.finish()).then((clock) => {
    filled.finish = clock;
  });
  for (let i = 0; filled.finish === undefined; i++) {
    const due = performance.now() + BACKGROUND_PAUSE_MS;
    await pause(BACKGROUND_PAUSE_MS);
    once.found.push(await index.ask(requests[i % requests.length]));
    once.times.push(performance.now() - due);
  }
  await finishing;
  return figuresOf({ label, requests: once.times, once });
}

/** Counts the queries whose pages together have `nbHits` records, among ten queries, or fewer if the time is up. */
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

/**
 * The first pages of `queries`, by default of `count` queries of frequent words with more than `matches` matches; half of them have one
 * word, the others two.
 */
async function firstPages(index, sources, { queries, matches, count }) {
  const pages = { 1: [], 2: [] };
  for (const query of queries ?? frequentQueries(sources)) {
    const words = query.split(" ").length;
    if (queries === undefined && pages[words].length >= count / 2) continue;
    const page = await index.firstPage(query);
    if (queries !== undefined || page.nbHits > matches) pages[words].push({ query, ...page });
  }
  return [...pages[1], ...pages[2]];
}

/** The most frequent words one by one, then pairs of them: about `FREQUENT.queries` queries. */
function* frequentQueries(sources) {
  const counts = new Map();
  for (const batch of productBatches(sources, FREQUENT.sample))
    for (const product of batch)
      for (const word of new Set(FIELDS.flatMap((name) => plainWords(product[name]))))
        counts.set(word, (counts.get(word) ?? 0) + 1);
  const words = [...counts]
    .filter(([word]) => word.length > 2)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, FREQUENT.words)
    .map(([word]) => word);
  yield* words;
  for (let step = 1; step * words.length < FREQUENT.queries; step++)
    for (let i = 0; i + step < words.length; i++) yield `${words[i]} ${words[i + step]}`;
}

answerTask(measure);
