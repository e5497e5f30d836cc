// The bench of speed: the same work, in the same run, by tandem-search and its peers, at sizes up to a million records.
//
// Measured. "First 100": a new process loads the engine, answers one query of an index with one record, fills its index, and
//   runs 300 queries, of which the first hundred are reported apart. "Asked once": 2,000 other queries after these, each once.
//   "Asked again": the same queries afterwards, with their best time of all passes. Of each time, what the main thread waited for
//   a core is subtracted where the system tells it; what an engine's other threads waited is not. "Met a collection": the share
//   of the queries during which V8 collected garbage.
//   Building (records per second of wall time, and of CPU time of all threads), memory (RSS, and V8's heap with external
//   memory, after a full collection), and the time from the import to the first answer.
// Engines. Every engine has a process of its own. Peers match any word of the query and return the best 12, and the number of
//   matches if they have one; "tandem plain" does the same. "tandem words" has no embedder and default settings otherwise,
//   and then also answers queries with filters, facets and other parameters. "growing" runs queries while the graph grows
//   after the last record.
// Notes. Records are generated before the clock starts. Ours store whole records, with facets; peers store no more than they
//   must. On a busy machine only ratios within one run are valid. Nothing is asserted.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { inChild, readSize } from "../support/measure.mjs";
import { PEERS } from "./peers.mjs";
import { FORMAT, sizeTables } from "./tables.mjs";
import { TANDEM } from "./tandem.mjs";

const ENGINES = { ...TANDEM, ...PEERS };
const GROUPS = ["text", "hybrid", "ours", "peers"];
const HELP = `npm run bench:speed -- [options]
  --records FILE    JSON Lines, plain or .gz, with title, name, brand and description; default: the demo catalogue
  --real            the records of the file as they come, with all attributes, and the queries of the other file alone
  --name TEXT       what the results call them
  --queries FILE    JSON Lines with a "query": 15 % of the queries are taken from it
  --size N,N        records, as 50k or 1M; default 50k
  --only NAME,NAME  of ${GROUPS.join(", ")}, and ${Object.keys(ENGINES).join(", ")}
  --passes N        over the queries when they are asked again; default 2
  --seconds N       time limit of a row of queries asked once, and the same again for asking them again; default 60
  --json FILE       writes the results; those of other sizes and engines in it stay
  --toy             500 records, one pass, peers only where installed: shows that the bench works, not how fast it is`;

const QUERIES = 2000;
const TOY = { size: "500", passes: "1", seconds: "2", queries: 50 };
const HEAP_MB = 12_000;
const CHILD = { program: new URL("./child.mjs", import.meta.url), heapMB: HEAP_MB };

async function main(options) {
  const names = await installed(options);
  const results = openResults(options);
  console.log(results.machine, "load", results.load);
  for (const size of options.sizes) {
    const { records, queries, queryCount, real } = options;
    const common = { records, queries, queryCount, size, real };
    if (results.sizes[size]?.real !== real) results.sizes[size] = { real, engines: {} };
    const entry = results.sizes[size];
    entry.date = results.date;
    for (const name of names.filter((name) => isMeasuredAt(ENGINES[name], size, options))) {
      const figures = await tryMeasure(name, { ...common, ...options.limits });
      if (figures === undefined) continue;
      entry.engines = inOrder({ ...entry.engines, [name]: figures });
      const { once } = figures.rows[figures.main];
      const times = [once.p50, once.p99, once.p999].map((ms) => ms.toPrecision(3)).join(" / ");
      console.log(`  asked once ${times} ms, ${Math.round(figures.build.recordsPerSecond)} records/s`);
      if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`);
    }
    console.log(`\n${sizeTables(size, entry)}\n`);
  }
}

const isMeasuredAt = ({ leastRecords = 1, mostRecords = Number.POSITIVE_INFINITY }, size, { toy }) =>
  toy || (size >= leastRecords && size <= mostRecords);

/** The order of the engines in tables. */
function inOrder(measured) {
  const names = Object.keys(ENGINES).filter((name) => measured[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, measured[name]]));
}

async function tryMeasure(name, task) {
  const { label, group, isOurs, count, note, main, version, package: from } = ENGINES[name];
  console.log(`${new Date().toISOString().slice(11, 19)} ${name}, ${task.size} records …`);
  const load = loadavg()[0];
  try {
    const { sink, ...figures } = await inChild({ engine: name, ...task }, CHILD);
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
  const flags = { toy: { type: "boolean" }, real: { type: "boolean" }, help: { type: "boolean" } };
  const { values } = parseArgs({ options: { ...known, ...flags, json: string } });
  if (values.help) {
    console.log(HELP);
    process.exit(0);
  }
  const toy = values.toy === true;
  const sizes = (values.size ?? (toy ? TOY.size : "50k")).split(",").map(readSize);
  const passes = Number(values.passes ?? (toy ? TOY.passes : "2"));
  const rowSeconds = Number(values.seconds ?? (toy ? TOY.seconds : "60"));
  const names = chooseNames(values.only?.split(","));
  const lacksFiles = values.real && (values.records === undefined || values.queries === undefined);
  if (
    names === undefined ||
    lacksFiles ||
    [...sizes, passes, rowSeconds].some((value) => !Number.isInteger(value) || value < 1)
  ) {
    console.error(HELP);
    process.exit(2);
  }
  return {
    ...values,
    real: values.real === true,
    toy,
    sizes,
    names,
    limits: { passes, rowSeconds },
    queryCount: toy ? TOY.queries : QUERIES,
  };
}

/** The engines that --only names; undefined if one of them does not exist. */
function chooseNames(only) {
  const all = Object.keys(ENGINES);
  if (only === undefined) return all;
  const isIn = (name, word) =>
    name === word || ENGINES[name].group === word || word === (ENGINES[name].isOurs ? "ours" : "peers");
  if (only.some((word) => !all.some((name) => isIn(name, word)))) return undefined;
  return all.filter((name) => only.some((word) => isIn(name, word)));
}

/** The names without the peers that are missing and cannot be installed. */
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

/** The results in the file, if they are of this machine and these records; else empty ones. */
function openResults({ json, records, queries, name, limits, queryCount }) {
  const fresh = {
    format: FORMAT,
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
  const isSame = ["format", "machine", "corpus", "givenQueries", "queries"].every((key) => old[key] === fresh[key]);
  return isSame ? { ...fresh, sizes: old.sizes } : fresh;
}

await main(readOptions());
