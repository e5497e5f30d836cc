// The bench of speed and memory: tandem-search beside MiniSearch, on the same records and queries, in the same run.
//
// Measured. Indexing (records a second; one call with all records), memory held and RSS a record after it, queries (top 12
//   with the exact number of matches), start-up to the first answer, and the longest stop of the event loop meanwhile.
// Corpus. JSON Lines by --records and --queries; else products recombined from the demo catalogue by a seeded generator,
//   and queries of one to four title words, one in ten misspelt.
// Notes. Each engine runs in a process of its own; all search the same attributes, the title counting twice, any word of the
//   query, and all keep the records. "tandem words" has no embedder, "tandem default" answers by words and meaning.
//   A query's time is its best of all passes; memory is taken after a full collection, against the time before reading the
//   records. MiniSearch indexes fastest by addAll; its event loop is watched while addAllAsync does the same.
//   On a busy machine trust the records a CPU second (all threads of the process) and the best runs.
//   Times belong to one machine and moment: compare within a run. Nothing is asserted.

import { execFile, fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { chooseQueries, readRecords, textAttributes } from "./support/corpus.mjs";
import { ENGINES } from "./support/engines.mjs";
import { summarize } from "./support/measure.mjs";
import { printStartTable, printTable } from "./support/report.mjs";

const HELP = `node bench/run.mjs [options]
  --records FILE    JSON Lines, plain or .gz, each with an id; default: made from the demo catalogue
  --queries FILE    JSON Lines with a "query"; default: words of the titles
  --sizes N,N       records; default 20000,60000
  --runs N          builds, and passes over the queries; default 3
  --only NAME,NAME  of the engines ${Object.keys(ENGINES).join(", ")}
  --json FILE       writes the results
  --toy             500 records, one run: shows that the bench works, not how fast anything is`;

const QUERIES = 1000;
const TOY = { sizes: "500", runs: "1", queries: 40, starts: 1 };
const STARTS = 7;
const INSTALL_MS = 60_000;

await main(readOptions());

async function main(options) {
  const engines = await measurableEngines(options);
  const corpus = await readCorpus(options);
  const { machine, description } = describe(corpus, options);
  console.log(`${machine}\n${description}`);
  const sizes = {};
  for (const size of options.sizes) {
    const results = {};
    for (const { name } of engines) results[name] = await inChild(indexTask(name, size, corpus, options));
    sizes[size] = results;
    printTable(`${size.toLocaleString("en-US")} records`, results, engines);
  }
  const start = {};
  for (const { name } of engines) start[name] = await timeStarts(name, corpus, options);
  printStartTable(start, engines);
  if (options.json !== undefined)
    writeFileSync(options.json, `${JSON.stringify({ machine, description, sizes, start }, null, 2)}\n`);
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
  const names = values.only?.split(",") ?? Object.keys(ENGINES).filter((name) => !ENGINES[name].byNameOnly);
  const bad = [...sizes, runs].some((value) => !Number.isInteger(value) || value < 1);
  if (bad || names.some((name) => !Object.hasOwn(ENGINES, name))) {
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

/** The engines asked for; a peer that cannot be installed is left out at toy size, and an error otherwise. */
async function measurableEngines({ names, toy }) {
  const engines = names.map((name) => ({ name, ...ENGINES[name] }));
  const peers = engines.filter(({ isOurs }) => !isOurs);
  if (peers.length === 0 || (await installPeers())) return engines;
  const labels = peers.map(({ label }) => label).join(", ");
  if (!toy) {
    console.error(`Could not install ${labels}; run "npm ci" in bench/, or choose with --only.`);
    process.exit(1);
  }
  console.log(`Could not install ${labels}: measuring tandem-search alone.`);
  return engines.filter(({ isOurs }) => isOurs);
}

/** Peers live in bench/node_modules; true when they are there. */
async function installPeers() {
  const isThere = () => import("minisearch").then(() => true);
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

function describe({ path, fields, queries, bytesPerRecord }, { queries: queryPath, runs }) {
  const machine = `node ${process.version}, ${cpus()[0].model.trim()} x ${cpus().length}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  const records = path === undefined ? "demo catalogue, recombined" : basename(path);
  const asked = queryPath === undefined ? "words of titles" : basename(queryPath);
  const description = `records: ${records}, ${bytesPerRecord} bytes of JSON each; searched: ${fields.attributes.join(", ")}; queries: ${queries.length} of ${asked}; ${runs} runs`;
  return { machine, description };
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

/** Runs one task in a fresh process. */
function inChild(task) {
  const child = fork(fileURLToPath(new URL("child.mjs", import.meta.url)), { execArgv: ["--expose-gc"] });
  return new Promise((resolve, reject) => {
    let result;
    child.once("message", (message) => {
      result = message;
    });
    child.once("error", reject);
    child.once("exit", (code, signal) =>
      result === undefined
        ? reject(
            new Error(`The process of ${task.engine} (${task.kind}) ended with ${signal ?? code}, without a result.`),
          )
        : resolve(result),
    );
    child.send(task);
  });
}
