// The bench of speed and memory: tandem-search beside its peers, on the same records and queries, in the same run.
//
// Measured. Indexing (records a second; one call with all records), memory held and RSS a record after it, queries (top 12
//   with the exact number of matches), start-up to the first answer, and the longest stop of the event loop meanwhile.
//   Then the language of queries on a made-up shop: filters that pass 50, 5 and 0.1 %, facets with a clicked group, misspelt
//   and cut words, and what the columns take; beside MiniSearch and Orama where they can do it.
// Corpus. JSON Lines by --records and --queries; else products recombined from the demo catalogue by a seeded generator,
//   and queries of one to four title words, one in ten misspelt.
// Notes. Each engine runs in a process of its own; all search the same attributes, the title counting twice, any word of the
//   query, and all keep the records. "tandem words" has no embedder, "tandem default" answers by words and meaning.
//   A query's time is its best of all passes; memory is taken after a full collection, against the time before reading the
//   records. MiniSearch indexes fastest by addAll; its event loop is watched while addAllAsync does the same.
//   On a busy machine trust the records a CPU second (all threads of the process) and the best runs.
//   Times belong to one machine and moment: compare within a run. Nothing is asserted.

import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { chooseQueries, readRecords, textAttributes } from "./support/corpus.mjs";
import { ENGINES } from "./support/engines.mjs";
import { inChild } from "./support/in-child.mjs";
import { LANGUAGE_ENGINES } from "./support/language-engines.mjs";
import { summarize } from "./support/measure.mjs";
import { measureLanguage } from "./support/measure-language.mjs";
import { printStartTable, printTable } from "./support/report.mjs";

const HELP = `node bench/run.mjs [options]
  --records FILE    JSON Lines, plain or .gz, each with an id; default: made from the demo catalogue
  --queries FILE    JSON Lines with a "query"; default: words of the titles
  --sizes N,N       records; default 20000,60000
  --runs N          builds, and passes over the queries; default 3
  --only NAME,NAME  of the engines ${Object.keys(ENGINES).join(", ")}; with "language" the shop alone, by all or
                    those named of ${Object.keys(LANGUAGE_ENGINES).join(", ")}
  --json FILE       writes the results
  --toy             500 records, one run: shows that the bench works, not how fast anything is`;

const QUERIES = 1000;
const TOY = { sizes: "500", runs: "1", queries: 40, starts: 1 };
const STARTS = 7;
const INSTALL_MS = 60_000;

await main(readOptions());

async function main(options) {
  const names = await measurableNames(options);
  const results = { machine: machine(), sizes: {}, start: {}, language: {} };
  console.log(results.machine);
  if (names.engines.length > 0) await measureEngines(names.engines, options, results);
  if (names.language.length > 0) results.language = await measureLanguage({ ...options, names: names.language });
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`);
}

/** Indexing, memory, queries and start-up of the engines named. */
async function measureEngines(names, options, results) {
  const engines = names.map((name) => ({ name, ...ENGINES[name] }));
  const corpus = await readCorpus(options);
  results.description = describe(corpus, options);
  console.log(results.description);
  for (const size of options.sizes) {
    const measured = {};
    for (const name of names) measured[name] = await inChild(indexTask(name, size, corpus, options));
    results.sizes[size] = measured;
    printTable(`${size.toLocaleString("en-US")} records`, measured, engines);
  }
  for (const name of names) results.start[name] = await timeStarts(name, corpus, options);
  printStartTable(results.start, engines);
}

function readOptions() {
  const string = { type: "string" };
  const known = { records: string, queries: string, sizes: string, runs: string, only: string, json: string };
  const { values } = parseArgs({ options: { ...known, toy: { type: "boolean" }, help: { type: "boolean" } } });
  if (values.help) {
    console.log(HELP);
    process.exit(0);
  }
  const toy = values.toy === true;
  const sizes = (values.sizes ?? (toy ? TOY.sizes : "20000,60000")).split(",").map(Number);
  const runs = Number(values.runs ?? (toy ? TOY.runs : "3"));
  const names = chooseNames(values.only?.split(","));
  if (names === undefined || [...sizes, runs].some((value) => !Number.isInteger(value) || value < 1)) {
    console.error(HELP);
    process.exit(2);
  }
  return {
    ...values,
    toy,
    sizes,
    runs,
    names,
    queryCount: toy ? TOY.queries : QUERIES,
    starts: toy ? TOY.starts : STARTS,
  };
}

/** What --only asks for, of the engines and of the shop; undefined: it names what is not there. */
function chooseNames(only) {
  const all = Object.keys(ENGINES).filter((name) => !ENGINES[name].byNameOnly);
  if (only === undefined) return { engines: all, language: Object.keys(LANGUAGE_ENGINES) };
  const isLanguage = only.includes("language");
  const named = only.filter((name) => name !== "language");
  const known = isLanguage ? LANGUAGE_ENGINES : ENGINES;
  if (named.some((name) => !Object.hasOwn(known, name))) return undefined;
  if (!isLanguage) return { engines: named, language: [] };
  return { engines: [], language: named.length > 0 ? named : Object.keys(LANGUAGE_ENGINES) };
}

/** The names asked for; peers that cannot be installed are left out at toy size, and an error otherwise. */
async function measurableNames({ names, toy }) {
  const isPeer = (name) => !(ENGINES[name] ?? LANGUAGE_ENGINES[name]).isOurs;
  const isAsked = [...names.engines, ...names.language].some(isPeer);
  if (!isAsked || (await installPeers())) return names;
  if (!toy) {
    console.error('Could not install the peers; run "npm ci" in bench/, or choose with --only.');
    process.exit(1);
  }
  console.log("Could not install the peers: measuring tandem-search alone.");
  const own = (list) => list.filter((name) => !isPeer(name));
  return { engines: own(names.engines), language: own(names.language) };
}

/** Peers live in bench/node_modules; true when they are there. */
async function installPeers() {
  const isThere = () => Promise.all([import("minisearch"), import("@orama/orama")]).then(() => true);
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=0", "--fetch-timeout=8000"];
  return isThere().catch(async () => {
    try {
      await promisify(execFile)("npm", ["ci", "--prefix", cwd, ...flags], { cwd, timeout: INSTALL_MS });
      return true;
    } catch {
      return false;
    }
  });
}

/** What every child is told: the attributes, the queries, a record; and what the records are like. */
async function readCorpus({ records: path, queries: queryPath, queryCount, sizes }) {
  const records = await readRecords(path, Math.max(...sizes));
  const most = Math.max(...sizes);
  if (records.length < most) throw new Error(`The records are ${records.length}; --sizes asks for ${most}.`);
  const fields = textAttributes(records);
  const queries = await chooseQueries(queryPath, queryCount, records, fields.title);
  const bytes = records.reduce((sum, record) => sum + Buffer.byteLength(JSON.stringify(record)), 0);
  const stored = [...new Set(records.slice(0, 1000).flatMap((record) => Object.keys(record)))];
  return { path, fields, queries, stored, record: records[0], bytesPerRecord: Math.round(bytes / records.length) };
}

function machine() {
  return `node ${process.version}, ${cpus()[0].model.trim()} x ${cpus().length}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
}

function describe({ path, fields, queries, bytesPerRecord }, { queries: queryPath, runs }) {
  const records = path === undefined ? "demo catalogue, recombined" : basename(path);
  const asked = queryPath === undefined ? "words of titles" : basename(queryPath);
  return `records: ${records}, ${bytesPerRecord} bytes of JSON each; searched: ${fields.attributes.join(", ")}; queries: ${queries.length} of ${asked}; ${runs} runs`;
}

function indexTask(engine, size, { path, fields, stored, queries }, { runs }) {
  return { kind: "index", engine, size, path, fields, stored, queries, runs };
}

async function timeStarts(engine, { fields, record, queries }, { starts }) {
  const times = [];
  for (let i = 0; i < starts; i++)
    times.push(await inChild({ kind: "start", engine, fields, record, query: queries[0] }));
  return {
    import: summarize(times.map(({ ms }) => ms)),
    process: summarize(times.map(({ withNodeMs }) => withNodeMs)),
  };
}
