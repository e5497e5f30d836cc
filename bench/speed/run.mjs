// The bench of speed: the same work, in the same run, by tandem-search and its peers, at sizes up to a million records.
//
// Measured. Building (records a second, of wall and of CPU time of all threads), memory (RSS, and V8's heap with what lies
//   outside it, after a full collection), and queries: p50 and p99 over all queries of each query's best pass, warm. Every
//   engine is in a process of its own. The work that is the same for all: any word of the query, the best 12, and the
//   number of matches where the engine can tell it; who tells it is held against a count by reading every record.
//   Ours answer besides: auto and all words, typos mended, prefixes, page 100, filters, facets, meaning, own vectors.
// Notes. Records are made from the source before the clock runs. Ours keep the whole records, facets and all; peers keep no
//   more than they must. On a busy machine only ratios within one run hold. Nothing is asserted.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { inChild } from "../support/in-child.mjs";
import { ENGINES } from "./engines.mjs";
import { sizeTable } from "./tables.mjs";

const GROUPS = ["text", "hybrid", "vectors", "ours", "peers"];
const HELP = `npm run bench:speed -- [options]
  --records FILE    JSON Lines, plain or .gz, with title, name, brand and description; default: the demo catalogue
  --name TEXT       what the results call them
  --queries FILE    JSON Lines with a "query": 15 % of the queries are taken from it
  --size N,N        records, as 50k or 1M; default 50k
  --only NAME,NAME  of ${GROUPS.join(", ")}, and ${Object.keys(ENGINES).join(", ")}
  --passes N        over the queries; default 3
  --seconds N       the most for one row of queries; default 60
  --json FILE       writes the results; those of other sizes and engines in it stay
  --toy             500 records, one pass, peers only where installed: shows that the bench works, not how fast it is`;

const QUERIES = 1000;
const TOY = { size: "500", passes: "1", seconds: "2", queries: 50 };
const HEAP_MB = 12_000;
const CHILD = { program: new URL("./child.mjs", import.meta.url), heapMB: HEAP_MB };

await main(readOptions());

async function main(options) {
  const names = await installed(options);
  const results = openResults(options);
  console.log(results.machine, "load", results.load);
  for (const size of options.sizes) {
    const common = { records: options.records, queries: options.queries, queryCount: options.queryCount, size };
    const { counts, wordsPerRecord } = await inChild({ kind: "truth", engine: "truth", ...common }, CHILD);
    const before = results.sizes[size]?.engines ?? {};
    const entry = { wordsPerRecord, engines: { ...before } };
    results.sizes[size] = entry;
    for (const name of names.filter((name) => size <= (ENGINES[name].mostRecords ?? Number.POSITIVE_INFINITY))) {
      const figures = await tryMeasure(name, { ...common, counts, ...options.limits });
      if (figures === undefined) continue;
      entry.engines = inOrder({ ...entry.engines, [name]: figures });
      const { p50, p99 } = figures.rows[figures.main];
      console.log(
        `  ${p50.toPrecision(3)} / ${p99.toPrecision(3)} ms, ${Math.round(figures.build.recordsPerSecond)} records/s`,
      );
      if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`);
    }
    console.log(`\n${sizeTable(size, entry)}\n`);
  }
}

/** However the runs went that measured them, tables name them in one order. */
function inOrder(measured) {
  const names = Object.keys(ENGINES).filter((name) => measured[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, measured[name]]));
}

async function tryMeasure(name, task) {
  const { label, group, isOurs, count, note, main, version, package: from } = ENGINES[name];
  console.log(`${new Date().toISOString().slice(11, 19)} ${name}, ${task.size} records …`);
  const load = loadavg()[0];
  try {
    const { sink, ...figures } = await inChild({ kind: "measure", engine: name, ...task }, CHILD);
    return { label, group, isOurs, from: `${from} ${version()}`, count, note, main, load, ...figures };
  } catch (error) {
    console.log(`${label}: ${error.message}`);
    return undefined;
  }
}

function readOptions() {
  const string = { type: "string" };
  const known = {
    records: string,
    queries: string,
    size: string,
    only: string,
    passes: string,
    seconds: string,
    name: string,
  };
  const flags = { toy: { type: "boolean" }, help: { type: "boolean" } };
  const { values } = parseArgs({ options: { ...known, ...flags, json: string } });
  if (values.help) {
    console.log(HELP);
    process.exit(0);
  }
  const toy = values.toy === true;
  const sizes = (values.size ?? (toy ? TOY.size : "50k")).split(",").map(readSize);
  const passes = Number(values.passes ?? (toy ? TOY.passes : "3"));
  const rowSeconds = Number(values.seconds ?? (toy ? TOY.seconds : "60"));
  const names = chooseNames(values.only?.split(","));
  if (names === undefined || [...sizes, passes, rowSeconds].some((value) => !Number.isInteger(value) || value < 1)) {
    console.error(HELP);
    process.exit(2);
  }
  return { ...values, toy, sizes, names, limits: { passes, rowSeconds }, queryCount: toy ? TOY.queries : QUERIES };
}

/** 50k, 1M or plain digits. */
function readSize(text) {
  const [, digits, unit] = /^(\d+)([kM]?)$/.exec(text) ?? [];
  return Number(digits) * { "": 1, k: 1e3, M: 1e6 }[unit ?? ""];
}

/** What --only asks for; undefined: it names what is not there. */
function chooseNames(only) {
  const all = Object.keys(ENGINES);
  if (only === undefined) return all;
  const isIn = (name, word) =>
    name === word || ENGINES[name].group === word || word === (ENGINES[name].isOurs ? "ours" : "peers");
  if (only.some((word) => !all.some((name) => isIn(name, word)))) return undefined;
  return all.filter((name) => only.some((word) => isIn(name, word)));
}

/** The names without the peers that are not there and cannot be installed. */
async function installed({ names, toy }) {
  const isThere = (name) => {
    try {
      return ENGINES[name].version() !== undefined;
    } catch {
      return false;
    }
  };
  if (!toy && !names.every(isThere)) {
    const { installPeers } = await import("../relevance/install-peers.mjs");
    await installPeers().catch((error) => console.log(`Not every peer could be installed: ${error.message}`));
  }
  for (const name of names.filter((name) => !isThere(name)))
    console.log(`${ENGINES[name].label}: left out, not installed`);
  return names.filter(isThere);
}

/** The results so far, of this machine and these records, or none. */
function openResults({ json, records, queries, name, limits, queryCount }) {
  const fresh = {
    machine: `Node ${process.version}, ${cpus()[0].model.trim()} x ${cpus().length}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    date: new Date().toISOString().slice(0, 10),
    load: loadavg()
      .map((value) => value.toFixed(2))
      .join(" "),
    corpus: records === undefined ? "the demo catalogue" : (name ?? basename(records)),
    givenQueries: queries === undefined ? null : basename(queries),
    queries: queryCount,
    ...limits,
    sizes: {},
  };
  if (json === undefined || !existsSync(json)) return fresh;
  const old = JSON.parse(readFileSync(json, "utf8"));
  const isSame = ["machine", "corpus", "givenQueries", "queries"].every((key) => old[key] === fresh[key]);
  return isSame ? { ...fresh, sizes: old.sizes } : fresh;
}
