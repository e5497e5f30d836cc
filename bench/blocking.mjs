// The bench of blocking: the longest time for which each verb and each kind of query blocks the event loop. The goals are
// 10 ms for a slice of a long task, 50 ms for a query, and 20 ms for the analysis of its text.
//
// Measured. A setImmediate loop measures each turn in wall time and in CPU time of this thread. The goals apply to CPU time,
//   because other programs of a busy machine do not change it. "monitor" is the longest delay that perf_hooks saw with a
//   timer of 1 ms. "GC" is the time of garbage collection within the longest turn.
// Corpus. JSON Lines from --records, else products recombined from the demo catalogue. Each record gets a number and a group
//   of known selectivity. "vectors" uses only the titles, and made-up vectors in clusters.
// Notes. Rows marked "first use" are cold on purpose. A turn of "while queries are answered" may hold a slice and a query.
//   Nothing is asserted.

import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { SearchEngine } from "../dist/index.js";
import {
  analysisRows,
  largestRows,
  markedRecords,
  QUERY_MS,
  queryRows,
  SLICE_MS,
  vectorRecords,
  verbRows,
  wordsOf,
} from "./support/blocking-rows.mjs";
import { longest, profile, watchTurns } from "./support/blocking-watch.mjs";
import { vectorSource } from "./support/corpus.mjs";
import { CLOCK, printTable } from "./support/measure.mjs";

const HELP = `node bench/blocking.mjs [options]
  --records FILE   JSON Lines, plain or .gz, each with an id; default: the demo catalogue
  --size N         records of "words" and "default"; default 60000
  --vectors N      records of "vectors"; default 100000
  --dimensions N   components of their vectors; default 384
  --calls N        calls of each query; default 12
  --only NAME,...  of words, default, vectors (by a graph), hnswlib (the same vectors by its graph, if it can be
                   used), exact (the same vectors, scanned), largest (the largest settings and records); default all
  --profile        prints the functions in which the longest turns over a goal were spent
  --toy            300 records: shows that the bench works, not how long anything blocks`;

const PARTS = {
  words: { settings: { embedder: false } },
  default: { settings: {}, dimensions: 192 },
  vectors: { own: true, settings: { vectorIndex: { kind: "hnsw" } } },
  ...(new SearchEngine().capabilities().hnswlib
    ? { hnswlib: { own: true, settings: { vectorIndex: { kind: "hnswlib" } } } }
    : {}),
  exact: { own: true, settings: { vectorIndex: { kind: "exact" } } },
  largest: { isLargest: true },
};
/** Records of one call where records bring vectors. */
const BATCH = 10_000;
const TOY = { size: 300, vectors: 300, dimensions: 16, calls: 2 };

await main(readOptions());

async function main(options) {
  console.log(`node ${process.version}; CPU time is ${CLOCK}`);
  for (const name of options.only) {
    const rows = await measurePart(PARTS[name], options);
    printRows(name, rows, options);
  }
}

function readOptions() {
  const string = { type: "string" };
  const boolean = { type: "boolean" };
  const numbers = { size: string, vectors: string, dimensions: string, calls: string };
  const { values } = parseArgs({
    options: { records: string, ...numbers, only: string, profile: boolean, toy: boolean, help: boolean },
  });
  const usual = values.toy ? TOY : { size: 60_000, vectors: 100_000, dimensions: 384, calls: 12 };
  const given = Object.fromEntries(Object.keys(numbers).map((name) => [name, Number(values[name] ?? usual[name])]));
  const only = values.only?.split(",") ?? Object.keys(PARTS);
  const isWrong = Object.values(given).some((value) => !Number.isInteger(value) || value < 1);
  if (values.help || isWrong || only.some((name) => !Object.hasOwn(PARTS, name))) {
    console[values.help ? "log" : "error"](HELP);
    process.exit(values.help ? 0 : 2);
  }
  return { ...values, ...given, only };
}

/** Fills an index, queries it in every way, runs every verb, and returns one measured row for each. */
async function measurePart(part, options) {
  if (part.isLargest) {
    const rows = [];
    for (const row of largestRows(options)) rows.push(await measureRow(row, options));
    return rows;
  }
  const size = part.own ? options.vectors : options.size;
  const records = part.own
    ? await vectorRecords(options.records, size, options.dimensions)
    : await markedRecords(options.records, size);
  const words = wordsOf(records);
  const engine = new SearchEngine();
  const measured = [];
  const run = async (rows) => {
    for (const row of rows) measured.push(await measureRow(row, options));
  };
  await run(fillRows(engine, { part, records, words, options }));
  const draw = part.own || part.dimensions ? vectorSource(part.dimensions ?? options.dimensions, 11) : undefined;
  const ask = (row) => ({ ...row, run: (i) => engine.query("bench", row.paramsAt(i)) });
  const facets = await facetsOf(engine);
  const rows = queryRows({ records, words, facets, calls: options.calls, vectorAt: draw && (() => draw()) });
  await run(rows.map(ask));
  await engine.createIndex("one", part.own ? { embedder: false } : part.settings);
  await engine.addRecords("one", [withoutVector(records[0])]);
  const askOne = (row) => ({ ...row, run: (i) => engine.query("one", row.paramsAt(i)) });
  await run(analysisRows({ words, calls: options.calls }).map(askOne));
  const absentQuery = words.frequent[0];
  await run(verbRows(engine, { records, absentQuery, calls: options.calls, reindexes: !part.own }));
  return measured;
}

/** Adds half of the records alone and half while queries are answered, each followed by the graph and the merges. */
function fillRows(engine, { part, records, words, options }) {
  const half = Math.ceil(records.length / 2);
  const settings = {
    ...part.settings,
    ...(part.own ? { vectorAttribute: "vector", dimensions: options.dimensions } : {}),
    attributeForDistinct: "bench_group",
    distinct: false,
  };
  const add = async (from, to) => {
    const step = part.own ? BATCH : to - from;
    for (let at = from; at < to; at += step)
      await engine.addRecords("bench", records.slice(at, Math.min(to, at + step)));
  };
  const whileAsked = (task) => async () => {
    let running = true;
    const asking = (async () => {
      for (let i = 0; running; i++) {
        await engine.query("bench", { query: words.frequent[(17 * i) % words.frequent.length] });
        await pause(5);
      }
    })();
    await task();
    running = false;
    await asking;
  };
  const row = (what, run, goal = SLICE_MS) => ({ what, goal, calls: 1, run });
  const idle = () => engine.index("bench").whenIdle();
  return [
    row("first record ever", async () => {
      await engine.createIndex("bench", settings);
      await engine.addRecords("bench", records.slice(0, 1));
    }),
    row("addRecords of half", () => add(0, half)),
    row("graph and merges of half", idle),
    row(
      "addRecords of half, while queries are answered",
      whileAsked(() => add(half, records.length)),
      QUERY_MS,
    ),
    row("graph and merges, while queries are answered", whileAsked(idle), QUERY_MS),
  ];
}

/** Attributes that can be facets, those of most records first. */
async function facetsOf(engine) {
  const { data } = await engine.query("bench", { query: "", hitsPerPage: 1000 });
  const counts = new Map();
  for (const { source } of data.hits) for (const name of pathsOf(source)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = [...counts].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  const usable = [];
  for (const name of names) if (usable.length < 20 && (await canBeCounted(engine, name))) usable.push(name);
  return usable;
}

/** Queries with a second name that is always refused, so that no column is built before its first use is measured. */
async function canBeCounted(engine, name) {
  const refused = await engine.query("bench", { query: "", facets: [name, "bench_none"] }).catch((error) => error);
  return (refused.details?.complaints ?? [refused]).length === 1;
}

function* pathsOf(value, prefix = "") {
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === "object" && inner !== null && !Array.isArray(inner))
      yield* pathsOf(inner, `${prefix}${name}.`);
    else yield prefix + name;
  }
}

function withoutVector({ vector: _, ...record }) {
  return record;
}

async function measureRow({ what, goal, calls, run }, options) {
  const spans = [];
  const task = async () => {
    for (let i = 0; i < calls; i++) {
      await pause(0);
      const from = performance.now();
      await run(i);
      spans.push({ from, to: performance.now() });
    }
  };
  const watch = () => watchTurns(task);
  const { answer: watched, explain } = options.profile ? await profile(watch) : { answer: await watch() };
  const { turns, monitorMs, ms } = watched;
  const worst = longest(turns, "cpu") ?? { wall: 0, cpu: 0, gc: 0 };
  const wall = longest(turns, "wall")?.wall ?? 0;
  const perCall = spans.map(
    ({ from, to }) =>
      longest(
        turns.filter((turn) => turn.to > from && turn.from < to),
        "cpu",
      )?.cpu ?? 0,
  );
  const median = perCall.sort((a, b) => a - b)[Math.floor(perCall.length / 2)];
  const missed = turns.filter((turn) => turn.cpu > goal).length;
  const why = missed > 0 && explain !== undefined ? explain(worst) : [];
  process.stderr.write(
    `${what}: ${worst.cpu.toFixed(1)} ms in ${(ms / 1000).toFixed(1)} s\n${why.map((line) => `${line}\n`).join("")}`,
  );
  return { what, goal, calls, wall, cpu: worst.cpu, median, gc: worst.gc, monitorMs, missed, seconds: ms / 1000, why };
}

function printRows(name, rows, options) {
  const size = PARTS[name].own ? options.vectors : options.size;
  console.log(`\n${name}: ${size.toLocaleString("en-US")} records; milliseconds`);
  const head = ["", "calls", "wall", "CPU", "median CPU", "of it GC", "monitor", "goal", "turns over it", "s in all"];
  const show = (value) => value.toFixed(1);
  const lines = [...rows]
    .sort((a, b) => b.cpu / b.goal - a.cpu / a.goal)
    .map((row) => [
      row.what,
      ...[row.calls, show(row.wall), show(row.cpu), show(row.median), show(row.gc), show(row.monitorMs)],
      ...[row.goal, row.missed || "", show(row.seconds)],
    ]);
  printTable([head, ...lines]);
}
