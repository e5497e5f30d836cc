// Compares two builds of tandem-search: the same records and the same queries, in fresh processes, by turns.
//
// Each round starts one process for each build. It loads the library, fills an index, asks every query once, and then asks
// all of them again. The order of the builds changes from round to round. Other programs of a busy machine can only make a
// query slower, so each query counts with the least time of all rounds, and records a second with the best round. CPU times are
// those for which the thread of the queries had a core: they hardly depend on other programs, and show no waiting.

import { existsSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { FIELDS, makeQueries, plainWords, productBatches, readSources } from "./speed/corpus.mjs";
import { inChild } from "./support/in-child.mjs";
import { askAgain, askOnce, clocked, memory, sink, summarize } from "./support/measure.mjs";

const HELP = `node bench/compare.mjs OLD NEW [options]
  OLD, NEW          folders of two checkouts that are built, or their dist folders
  --records FILE    JSON Lines, plain or .gz, with title, name, brand and description; default: the demo catalogue
  --queries FILE    JSON Lines with a "query": 15 % of the queries are taken from it
  --size N          records, as 50k or 1M; default 50k
  --count N         different queries; default 2000
  --rounds N        processes of each build; default 3
  --passes N        passes over the queries when they are asked again; default 2
  --row NAME        words (no embedder, all else by default), hybrid (all by default) or any (any word, no typos mended,
                    no completion); default words
  --ids             also compares the first pages of 500 queries of one and two words with more than --matches matches
  --matches N       default 10000
  --json FILE       writes all figures, with each query's times`;

const HEAP_MB = 12_000;
const PAGE = 12;
const IDS = { queries: 500, frequentWords: 400, sample: 10_000, tries: 10_000 };
const SEARCHED = FIELDS.map((attribute) => ({ attribute, weight: attribute === "title" ? 2 : 1 }));
const ROWS = {
  words: { settings: { embedder: false }, params: {} },
  hybrid: { settings: {}, params: {} },
  any: {
    settings: { embedder: false },
    params: { matching: "any", typoTolerance: false, queryType: "prefixNone" },
  },
};

async function main({ builds, rounds, ids, json, ...task }) {
  console.log(`Node ${process.version}, ${cpus()[0].model.trim()} x ${cpus().length}; ${describe(task)}`);
  for (const [i, folder] of builds.entries()) console.log(`${NAMES[i]}: ${folder}`);
  const runs = [[], []];
  for (let round = 0; round < rounds; round++)
    for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const asksIds = ids && round === 0;
      const idQueries = side === 1 && asksIds ? runs[0][0].pages.map(({ query }) => query) : undefined;
      const options = { program: import.meta.url, heapMB: HEAP_MB };
      const load = loadavg()[0].toFixed(1);
      const run = await inChild(
        { engine: NAMES[side], kind: "compare", build: builds[side], asksIds, idQueries, ...task },
        options,
      );
      runs[side].push(run);
      const [once, again] = [summarize(run.once), summarize(run.again)].map(shown);
      console.log(`round ${round + 1} ${NAMES[side]}: once ${once} ms, again ${again} ms, load ${load}`);
    }
  const [old, now] = runs.map(figuresOf);
  console.log(`\n${table(old, now)}`);
  const pages = ids ? comparePages(runs[0][0].pages, runs[1][0].pages) : undefined;
  if (pages !== undefined) console.log(`\n${pages.text}`);
  if (json !== undefined)
    writeFileSync(json, `${JSON.stringify({ task, builds, old, new: now, pages, runs }, null, 1)}\n`);
}

const NAMES = ["old", "new"];
const LABELS = {
  once: "asked once, ms",
  onceCpu: "asked once, CPU ms",
  again: "asked again, ms",
  againCpu: "asked again, CPU ms",
};
const TIMES = Object.keys(LABELS);

function readOptions() {
  const string = { type: "string" };
  const boolean = { type: "boolean" };
  const numbers = { size: "50k", count: "2000", rounds: "3", passes: "2", matches: "10000" };
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      records: string,
      queries: string,
      row: { type: "string", default: "words" },
      ids: boolean,
      json: string,
      help: boolean,
      ...Object.fromEntries(Object.entries(numbers).map(([name, usual]) => [name, { type: "string", default: usual }])),
    },
  });
  const read = Object.fromEntries(Object.keys(numbers).map((name) => [name, readSize(values[name])]));
  const builds = positionals.map(findBuild);
  const isWrong = builds.length !== 2 || !Object.hasOwn(ROWS, values.row) || Object.values(read).some((n) => !(n > 0));
  if (values.help || isWrong) {
    console[values.help ? "log" : "error"](HELP);
    process.exit(values.help ? 0 : 2);
  }
  return { ...values, ...read, builds };
}

/** 50k, 1M or plain digits. */
function readSize(text) {
  const [, digits, unit] = /^(\d+)([kM]?)$/.exec(text) ?? [];
  return Number(digits) * { "": 1, k: 1e3, M: 1e6 }[unit ?? ""];
}

function findBuild(folder) {
  const file = ["dist/index.js", "index.js"].map((name) => resolve(folder, name)).find(existsSync);
  if (file !== undefined) return file;
  console.error(`${folder} holds no dist/index.js: build it first.`);
  process.exit(2);
}

const describe = ({ size, count, row, passes }) =>
  `${size.toLocaleString("en-US")} records, ${count} queries, row "${row}", asked once and ${passes} times again`;

/** One build in a process of its own. */
async function measure({ build, row, records, queries: path, size, count, passes, asksIds, idQueries, matches }) {
  const { settings, params } = ROWS[row];
  const sources = await readSources(records);
  const queries = await makeQueries(sources, count, path);
  const { SearchEngine } = await import(pathToFileURL(build).href);
  const open = () => new SearchEngine().createIndex("bench", { ...settings, searchableAttributes: SEARCHED });
  await loadAll(await open(), sources);
  const before = await memory();
  const index = await open();
  const filling = { ms: 0, cpuMs: 0 };
  const add = (part) => {
    filling.ms += part.ms;
    filling.cpuMs += part.cpuMs;
  };
  for (const batch of productBatches(sources, size)) add(await clocked(() => index.addRecords(batch)));
  const idle = await clocked(() => index.whenIdle());
  add(idle);
  const after = await memory();
  const estimated = await index.estimate();
  const ask = async (query) => (await index.query({ query, hitsPerPage: PAGE, ...params })).data;
  const matchesOf = async (query) => (await ask(query)).nbHits;
  const once = await askOnce(matchesOf, queries);
  const again = await askAgain(matchesOf, queries, passes);
  const warm = await index.estimate();
  return {
    once: once.times,
    onceCpu: once.cpu,
    found: once.found,
    again: again.times,
    againCpu: again.cpu,
    recordsPerSecond: (size * 1000) / filling.ms,
    recordsPerCpuSecond: (size * 1000) / filling.cpuMs,
    idleMs: idle.ms,
    estimate: perRecord(estimated, size),
    warmEstimate: perRecord(warm, size),
    rss: after.rss - before.rss,
    held: after.held - before.held,
    ...(asksIds && {
      pages: await firstPages(ask, idQueries ?? frequentQueries(sources), matches, idQueries === undefined),
    }),
  };
}

/** What a process loads at its first record and its first query is not measured. */
async function loadAll(index, sources) {
  const [batch] = productBatches(sources, 1);
  await index.addRecords(batch);
  await index.whenIdle();
  await index.query({ query: "nothing" });
}

const perRecord = (estimate, size) =>
  Object.fromEntries(Object.entries(estimate).map(([part, bytes]) => [part, bytes / size]));

/** Queries of one and two of the words that most records hold, in an order that does not depend on the build. */
function* frequentQueries(sources) {
  const counts = new Map();
  for (const batch of productBatches(sources, IDS.sample))
    for (const product of batch)
      for (const word of new Set(FIELDS.flatMap((name) => plainWords(product[name]))))
        counts.set(word, (counts.get(word) ?? 0) + 1);
  const words = [...counts]
    .filter(([word]) => word.length > 2)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, IDS.frequentWords)
    .map(([word]) => word);
  // One word, then pairs: those of the most frequent words first.
  const rounds = Math.ceil(IDS.tries / words.length);
  for (let step = 0; step <= rounds; step++)
    for (const [i, word] of words.entries())
      if (step === 0) yield word;
      else if (i + step < words.length) yield `${word} ${words[i + step]}`;
}

/** The ids of the first page of each query; of those with enough matches only, where the queries are still to be chosen. */
async function firstPages(ask, queries, matches, chooses) {
  const pages = { 1: [], 2: [] };
  const most = IDS.queries / 2;
  for (const query of queries) {
    const words = query.split(" ").length;
    if (chooses && pages[words].length >= most) continue;
    const { nbHits, hits } = await ask(query);
    if (!chooses || nbHits > matches) pages[words].push({ query, nbHits, ids: hits.map(({ id }) => id) });
  }
  return [...pages[1], ...pages[2]];
}

function comparePages(old, now) {
  const pairs = old.map((page, i) => [page, now[i]]);
  const mean = (of) => (pairs.reduce((sum, [a, b]) => sum + of(a, b), 0) / pairs.length) * 100;
  const shares = {
    queries: pairs.length,
    sameIds: mean((a, b) => a.ids.filter((id) => b.ids.includes(id)).length / Math.max(a.ids.length, b.ids.length, 1)),
    samePages: mean((a, b) => (a.ids.join(" ") === b.ids.join(" ") ? 1 : 0)),
    sameCounts: mean((a, b) => (a.nbHits === b.nbHits ? 1 : 0)),
  };
  const oneWord = old.filter(({ query }) => !query.includes(" ")).length;
  const text = [
    `First pages of ${shares.queries} queries with many matches (${oneWord} of one word, ${shares.queries - oneWord} of two):`,
    `${shares.sameIds.toFixed(2)} % of the ids are in both, ${shares.samePages.toFixed(1)} % of the pages are the same in the same order,`,
    `${shares.sameCounts.toFixed(1)} % of the counts are equal.`,
  ].join("\n");
  return { ...shares, text };
}

/** The least time of each query over all rounds, and the best of what else was measured. */
function figuresOf(runs) {
  const best = (key) => runs[0][key].map((_, i) => Math.min(...runs.map((run) => run[key][i])));
  const least = (of) => Math.min(...runs.map(of));
  return {
    ...Object.fromEntries(TIMES.map((key) => [key, summarize(best(key))])),
    rounds: runs.map((run) => Object.fromEntries(TIMES.map((key) => [key, summarize(run[key])]))),
    recordsPerSecond: Math.max(...runs.map((run) => run.recordsPerSecond)),
    recordsPerCpuSecond: Math.max(...runs.map((run) => run.recordsPerCpuSecond)),
    idleSeconds: least((run) => run.idleMs) / 1000,
    estimate: runs[0].estimate,
    warmEstimate: runs[0].warmEstimate,
    rss: least((run) => run.rss) / 1e6,
    held: least((run) => run.held) / 1e6,
    meanFound: runs[0].found.reduce((sum, matches) => sum + matches, 0) / runs[0].found.length,
  };
}

function table(old, now) {
  const each = (key, name) => (side) => side.rounds.map((round) => round[key][name]);
  const timed = (key) =>
    ["p50", "p99", "worst", "mean"].map((name) => [
      `${LABELS[key]}, ${name}`,
      (side) => side[key][name],
      each(key, name),
    ]);
  const rows = [
    ...TIMES.flatMap(timed),
    ["matches, mean", (side) => side.meanFound],
    ["records/s", (side) => side.recordsPerSecond],
    ["records/CPU s", (side) => side.recordsPerCpuSecond],
    ["whenIdle after the last record, s", (side) => side.idleSeconds],
    ...["records", "text", "vectors", "graph", "total"].map((part) => [
      `estimate(), ${part}, bytes a record`,
      (side) => side.estimate[part],
    ]),
    ["estimate() after the queries, total", (side) => side.warmEstimate.total],
    ["heap and external that it added, MB", (side) => side.held],
    ["RSS that it added, MB", (side) => side.rss],
  ];
  const lines = rows.map(([label, of, rounds]) => {
    const ratios = rounds === undefined ? [] : rounds(now).map((value, i) => ratio(value, rounds(old)[i]));
    return [label, digits(of(old)), digits(of(now)), ratio(of(now), of(old)), ratios.join(" ")];
  });
  return layOut([["", "old", "new", "new/old", "of each round alone"], ...lines]);
}

const shown = ({ p50, p99, worst }) => [p50, p99, worst].map(digits).join(" / ");
const digits = (value) =>
  Math.abs(value) >= 100 ? value.toLocaleString("en-US", { maximumFractionDigits: 0 }) : value.toPrecision(3);
const ratio = (value, base) => (base === 0 ? (value === 0 ? "1.00" : "-") : (value / base).toFixed(2));

function layOut(lines) {
  const widths = lines[0].map((_, i) => Math.max(...lines.map((line) => line[i].length)));
  const pad = (cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]));
  return lines.map((line) => line.map(pad).join("  ").trimEnd()).join("\n");
}

if (process.send === undefined) await main(readOptions());
else
  process.once("message", async (task) => {
    const result = await measure(task);
    process.send({ ...result, sink: sink.found }, () => process.disconnect());
  });
