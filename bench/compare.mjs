// Compares two builds of tandem-search: the same records and queries, in fresh processes that alternate.
//
// Each round starts one process for each build. It loads the library, fills an index, asks every query once, and then asks
// all of them again. The order of the builds changes from round to round. Other programs of a busy machine can only make a
// query slower, so the results are the least time of each query over all rounds, and the records per second of the best round. CPU
// times are those of the thread that runs the queries. They hardly depend on other programs.

import { existsSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { TANDEM } from "./speed/tandem.mjs";
import { inChild, printTable, readSize, summarize } from "./support/measure.mjs";

const HELP = `node bench/compare.mjs OLD NEW [options]
  OLD, NEW          folders of two checkouts that are built, or their dist folders
  --records FILE    JSON Lines, plain or .gz, with title, name, brand and description; default: the demo catalogue
  --queries FILE    JSON Lines with a "query": 15 % of the queries are taken from it
  --size N          records, as 50k or 1M; default 50k
  --count N         different queries; default 2000
  --rounds N        processes of each build; default 3
  --passes N        passes over the queries when they are asked again; default 2
  --engine NAME     words, shop, plain or hybrid, as the bench of speed sets them; default words
  --row NAME        one of the engine's rows of queries, as any or facets; default: its first, without parameters
  --ids             also compares the first pages of 500 queries of one and two words with more than --matches matches
  --matches N       default 10000
  --json FILE       writes all figures, with each query's times`;

const NAMES = ["old", "new"];
const CHILD = { program: new URL("./speed/child.mjs", import.meta.url), heapMB: 12_000 };
const COMPARED = ["words", "shop", "plain", "hybrid"];
const PAGES = 500;
const ROW_SECONDS = 3600;
const LABELS = {
  once: "asked once, ms",
  onceCpu: "asked once, CPU ms",
  again: "asked again, ms",
  againCpu: "asked again, CPU ms",
};
const TIMES = Object.keys(LABELS);

async function main({ builds, rounds, ids, matches, json, engine, row, ...common }) {
  const { size, queryCount, passes } = common;
  console.log(`Node ${process.version}, ${cpus()[0].model.trim()} x ${cpus().length}`);
  console.log(`${size} records, ${queryCount} queries, ${engine}, row "${row}", asked once and ${passes} times again`);
  for (const [side, build] of builds.entries()) console.log(`${NAMES[side]}: ${build}`);
  const task = { engine, rows: [row], rowSeconds: ROW_SECONDS, keepsTimes: true, ...common };
  const runs = [[], []];
  for (let round = 0; round < rounds; round++)
    for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const pages = ids && round === 0 ? { matches, count: PAGES, queries: runs[0][0]?.pages.map(queryOf) } : undefined;
      const load = loadavg()[0].toFixed(1);
      const { rows, ...figures } = await inChild({ ...task, build: pathToFileURL(builds[side]).href, pages }, CHILD);
      runs[side].push({ ...figures, ...rows[row].times, meanFound: rows[row].meanFound });
      const [once, again] = ["once", "again"].map((which) => shown(summarize(rows[row].times[which])));
      console.log(`round ${round + 1} ${NAMES[side]}: once ${once} ms, again ${again} ms, load ${load}`);
    }
  const [old, now] = runs.map((list) => figuresOf(list, size));
  console.log("");
  printTable(tableOf(old, now));
  const pages = ids ? comparePages(runs[0][0].pages, runs[1][0].pages) : undefined;
  if (pages !== undefined) console.log(`\n${pages.text}`);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ task, builds, old, new: now, pages, runs })}\n`);
}

const queryOf = ({ query }) => query;

function readOptions() {
  const string = { type: "string" };
  const boolean = { type: "boolean" };
  const numbers = { size: "50k", count: "2000", rounds: "3", passes: "2", matches: "10000" };
  const usual = (text) => ({ type: "string", default: text });
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...{ records: string, queries: string, row: string, json: string, ids: boolean, help: boolean },
      engine: usual("words"),
      ...Object.fromEntries(Object.entries(numbers).map(([name, text]) => [name, usual(text)])),
    },
  });
  const { count: queryCount, ...read } = Object.fromEntries(
    Object.keys(numbers).map((name) => [name, readSize(values[name])]),
  );
  const { records, queries, ids, json, engine } = values;
  const row = values.row ?? TANDEM[engine]?.main;
  const isKnown = COMPARED.includes(engine) && TANDEM[engine].rows[row] !== undefined && row !== "writes";
  const isRight = positionals.length === 2 && isKnown && [queryCount, ...Object.values(read)].every((n) => n > 0);
  if (values.help || !isRight) {
    console[values.help ? "log" : "error"](HELP);
    process.exit(values.help ? 0 : 2);
  }
  return { records, queries, ids, json, engine, row, queryCount, ...read, builds: positionals.map(findBuild) };
}

function findBuild(folder) {
  const file = ["dist/index.js", "index.js"].map((name) => resolve(folder, name)).find((path) => existsSync(path));
  if (file !== undefined) return file;
  console.error(`${folder} holds no dist/index.js: build it first.`);
  process.exit(2);
}

/** The least time of each query over all rounds, and the best of the other measurements. */
function figuresOf(runs, size) {
  const best = (key) => runs[0][key].map((_, i) => Math.min(...runs.map((run) => run[key][i])));
  const least = (of) => Math.min(...runs.map(of));
  const perRecord = (estimate) =>
    Object.fromEntries(Object.entries(estimate).map(([part, bytes]) => [part, bytes / size]));
  return {
    ...Object.fromEntries(TIMES.map((key) => [key, summarize(best(key))])),
    rounds: runs.map((run) => Object.fromEntries(TIMES.map((key) => [key, summarize(run[key])]))),
    recordsPerSecond: -least(({ build }) => -build.recordsPerSecond),
    recordsPerCpuSecond: -least(({ build }) => -build.recordsPerCpuSecond),
    idleSeconds: least(({ build }) => build.finishMs) / 1000,
    firstAnswerMs: least((run) => run.firstAnswerMs),
    estimate: perRecord(runs[0].estimate),
    estimateAsked: perRecord(runs[0].estimateAsked),
    rss: least(({ memory }) => memory.rss) / 1e6,
    held: least(({ memory }) => memory.held) / 1e6,
    meanFound: runs[0].meanFound,
  };
}

function tableOf(old, now) {
  const rows = [
    ...TIMES.flatMap((key) =>
      ["p50", "p99", "worst", "mean"].map((name) => [
        `${LABELS[key]}, ${name}`,
        (side) => side[key][name],
        (side) => side.rounds.map((round) => round[key][name]),
      ]),
    ),
    ["matches, mean", (side) => side.meanFound],
    ["records/s", (side) => side.recordsPerSecond],
    ["records/CPU s", (side) => side.recordsPerCpuSecond],
    ["whenIdle after the last record, s", (side) => side.idleSeconds],
    ["import to first answer, ms", (side) => side.firstAnswerMs],
    ...["records", "text", "vectors", "graph", "total"].map((part) => [
      `estimate(), ${part}, bytes a record`,
      (side) => side.estimate[part],
    ]),
    ["estimate() after the queries, total", (side) => side.estimateAsked.total],
    ["heap and external that it added, MB", (side) => side.held],
    ["RSS that it added, MB", (side) => side.rss],
  ];
  const lines = rows.map(([label, of, rounds]) => {
    const alone = rounds === undefined ? [] : rounds(now).map((value, i) => ratio(value, rounds(old)[i]));
    return [label, digits(of(old)), digits(of(now)), ratio(of(now), of(old)), alone.join(" ")];
  });
  return [["", "old", "new", "new/old", "of each round alone"], ...lines];
}

function comparePages(old, now) {
  const pairs = old.map((page, i) => [page, now[i]]);
  const percent = (of) => (pairs.reduce((sum, [a, b]) => sum + of(a, b), 0) / pairs.length) * 100;
  const shares = {
    queries: pairs.length,
    sameIds: percent((a, b) => a.ids.filter((id) => b.ids.includes(id)).length / Math.max(a.ids.length, b.ids.length)),
    samePages: percent((a, b) => (a.ids.join(" ") === b.ids.join(" ") ? 1 : 0)),
    sameCounts: percent((a, b) => (a.nbHits === b.nbHits ? 1 : 0)),
  };
  const oneWord = old.filter(({ query }) => !query.includes(" ")).length;
  const text = [
    `First pages of ${shares.queries} queries with many matches (${oneWord} of one word, ${shares.queries - oneWord} of two):`,
    `${shares.sameIds.toFixed(2)} % of the ids are in both, ${shares.samePages.toFixed(1)} % of the pages are the same in the same order,`,
    `${shares.sameCounts.toFixed(1)} % of the counts are equal.`,
  ].join("\n");
  return { ...shares, text };
}

const shown = ({ p50, p99, worst }) => [p50, p99, worst].map(digits).join(" / ");
const digits = (value) =>
  Math.abs(value) >= 100 ? value.toLocaleString("en-US", { maximumFractionDigits: 0 }) : value.toPrecision(3);
const ratio = (value, base) => (base === 0 ? (value === 0 ? "1.00" : "-") : (value / base).toFixed(2));

await main(readOptions());
