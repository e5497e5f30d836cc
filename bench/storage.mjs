// The bench of storage: an index in a folder, by tandem-search and by engines that can keep one too, in the same run.
//
// Measured. "Cold": from the import of the engine in a new process to the first answer of the folder; "cached": the same with V8's
//   compile cache, from Node 22.8 on. "Open": a new process, which has loaded the modules and answered a query of another folder
//   with one record, opens the folder and answers its first query. "First hundred": the different queries after that. Memory (RSS) after all queries. Bytes
//   on disk, after the folder was opened and closed. Building: records per second until all would survive a power cut, in calls
//   of 10,000 records. Commits: writes of one record, and of 1,000, to the folder as it is, one after the other.
// Engines. Each keeps whole records and reads those of the best 12. The indexes of MiniSearch and Orama are JSON, which is
//   written as a whole, so they have no commits. SQLite is there twice: with synchronous=FULL each of its commits is synced, as ours
//   are; with NORMAL none is.
// Notes. The system has the files in memory, as they were written just before. Of the rounds of opening, the median counts. The
//   folders are in the folder for temporary files; where that is in memory, syncs cost nothing. Nothing is asserted.

import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import module from "node:module";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { makeQueries, productBatches, readSources } from "./speed/corpus.mjs";
import { inChild, printTable, readSize } from "./support/measure.mjs";
import { ENGINES, newFolder } from "./support/storage-engines.mjs";

const HELP = `npm run bench:storage -- [options]
  --records FILE    JSON Lines, plain or .gz, with title, name, brand and description; default: the demo catalogue
  --queries FILE    JSON Lines with a "query": 15 % of the queries are taken from it
  --size N,N        records, as 20k or 1M; default 20k
  --only NAME,NAME  of ${Object.keys(ENGINES).join(", ")}
  --rounds N        processes that open each folder; default 3
  --folder FOLDER   where the folders are made and removed; default: that for temporary files
  --json FILE       writes the results
  --toy             500 records, engines only where installed: shows that the bench works, not how fast it is`;

const CHILD = { program: new URL("support/storage-works.mjs", import.meta.url), heapMB: 12_000 };
const FULL = { size: "20k", rounds: "3", queries: 2000, ones: 500, thousands: 10, mostMs: 30_000 };
const TOY = { size: "500", rounds: "1", queries: 120, ones: 5, thousands: 1, mostMs: 1000 };
const TMPFS = 0x01021994;
const HEAD = [
  "",
  "cold, first answer ms",
  "cached",
  "open, first answer ms",
  "first hundred p50 / worst ms",
  "RSS MB",
  "of it the index",
  "disk MB at rest",
  "bytes a record",
  "records/s",
  "commits/s of 1",
  "of 1,000",
];

async function main({ names, sizes, rounds, toy, counts, ...files }) {
  const temp = mkdtempSync(join(files.folder ?? tmpdir(), "storage-bench-"));
  const results = {
    machine: `Node ${process.version}, ${cpus()[0].model.trim()} x ${cpus().length}`,
    date: new Date().toISOString().slice(0, 10),
    sizes: {},
  };
  console.log(results.machine);
  if (statfsSync(temp).type === TMPFS) console.log(`${temp} is in memory: syncs cost nothing there.`);
  try {
    const there = await installed(names, toy);
    const sources = await readSources(files.records);
    const queries = await makeQueries(sources, counts.queries, files.queries);
    for (const size of sizes) {
      const context = { ...counts, ...written(sources, size, counts), records: files.records, queries, size, rounds };
      results.sizes[size] = {};
      for (const name of there.filter((name) => size <= (ENGINES[name].mostRecords ?? Number.POSITIVE_INFINITY))) {
        const folder = newFolder(temp, `${name}-${size}`);
        try {
          results.sizes[size][name] = await measure(name, folder, context);
        } catch (error) {
          console.log(`${ENGINES[name].label}: ${error.message}`);
        }
        rmSync(folder, { recursive: true, force: true });
        if (files.json !== undefined) writeFileSync(files.json, `${JSON.stringify(results, null, 2)}\n`);
      }
      print(size, results.sizes[size]);
    }
  } finally {
    rmSync(temp, { recursive: true, force: true });
  }
}

/** All figures of one engine. Those of ours are also filled in memory, and with a sync for each call. */
async function measure(name, folder, { size, rounds, records, queries, ones, thousands, mostMs, sample }) {
  const { label, isOurs, canWrite } = ENGINES[name];
  const load = loadavg()[0];
  const inside = (kind) => newFolder(folder, kind);
  const run = (task, env) => inChild({ engine: name, sample, mostMs, ...task }, { ...CHILD, env });
  const fill = (task) => run({ work: "fill", records, size, ...task });
  process.stderr.write(`${label}, ${size} records, load ${load.toFixed(1)}\n`);
  const loads = isOurs
    ? {
        memory: await fill({}),
        interval: await fill({ folder: inside("interval"), durability: "interval" }),
      }
    : {};
  const main = inside("main");
  loads.sync = await fill({ folder: main });
  const filledBytes = bytesIn(main);
  const opened = [];
  for (let round = 0; round < rounds; round++) opened.push(await run({ work: "open", folder: main, queries }));
  const diskBytes = bytesIn(main);
  opened.sort((a, b) => a.openMs - b.openMs);
  const coldMs = await medianOf(rounds, () => run({ work: "cold", folder: main, queries }));
  const env = { NODE_COMPILE_CACHE: inside("compile-cache") };
  const askCached = () => run({ work: "cold", folder: main, queries }, env);
  if (hasCompileCache) await askCached(); // writes the cache
  const cachedMs = hasCompileCache ? await medianOf(rounds, askCached) : undefined;
  const commits = canWrite ? await run({ work: "write", folder: main, ones, thousands }) : undefined;
  return { label, note: ENGINES[name].note, load, loads, filledBytes, diskBytes, coldMs, cachedMs, opened, commits };
}

const hasCompileCache = typeof module.enableCompileCache === "function";

async function medianOf(rounds, measureOnce) {
  const all = [];
  for (let round = 0; round < rounds; round++) all.push((await measureOnce()).ms);
  return all.sort((a, b) => a - b)[all.length >> 1];
}

/** Records that are not in the index yet: the first products under new ids. */
function written(sources, size, { ones, thousands }) {
  const [products] = productBatches(sources, ones + thousands * 1000, Number.POSITIVE_INFINITY);
  const fresh = products.map((product, i) => ({ ...product, id: String(size + 1 + i) }));
  return {
    ones: fresh.slice(0, ones),
    thousands: Array.from({ length: thousands }, (_, i) => fresh.slice(ones + i * 1000, ones + (i + 1) * 1000)),
    sample: fresh.slice(0, 1),
  };
}

const bytesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

function print(size, figures) {
  const engines = Object.values(figures);
  console.log(`\n${size.toLocaleString("en-US")} records`);
  printTable([HEAD, ...engines.map((entry) => rowOf(entry, size))]);
  for (const { label, loads, filledBytes } of engines.filter(({ loads }) => loads.memory !== undefined)) {
    const rate = (kind) => loads[kind].recordsPerSecond;
    const share = (kind) => `${whole(rate(kind))} (${(rate(kind) / rate("memory")).toFixed(2)})`;
    console.log(
      `${label}, records/s: memory ${whole(rate("memory"))}, interval ${share("interval")}, sync ${share("sync")}`,
    );
    const { records, text, vectors } = loads.sync.estimate;
    const each = Object.entries({ records, text, vectors }).map(([part, bytes]) => `${part} ${whole(bytes / size)}`);
    console.log(
      `${label}, estimate(), bytes a record: ${each.join(", ")}; disk just filled ${whole(filledBytes / size)}`,
    );
  }
}

function rowOf({ label, loads, diskBytes, coldMs, cachedMs, opened, commits }, size) {
  const { openMs, first, rss, grown } = opened[opened.length >> 1];
  return [
    label,
    digits(coldMs),
    cachedMs === undefined ? "" : digits(cachedMs),
    digits(openMs),
    [first.p50, first.worst].map(digits).join(" / "),
    whole(rss / 1e6),
    whole(grown / 1e6),
    digits(diskBytes / 1e6),
    whole(diskBytes / size),
    whole(loads.sync.recordsPerSecond),
    commits === undefined ? "" : whole(commits.ones),
    commits === undefined ? "" : digits(commits.thousands),
  ];
}

const whole = (value) => Math.round(value).toLocaleString("en-US");
const digits = (value) => (value >= 100 ? whole(value) : value.toPrecision(3));

/** The engines that are installed, or can be. */
async function installed(names, toy) {
  // Importing would not do: Node remembers for the process that a package was not there.
  const isThere = (name) => {
    const { package: from } = ENGINES[name];
    return from === undefined || existsSync(new URL(`node_modules/${from}/package.json`, import.meta.url));
  };
  if (!toy && !names.every(isThere)) {
    const { installPeers } = await import("./relevance/install-peers.mjs");
    await installPeers().catch((error) => console.log(`Not every engine could be installed: ${error.message}`));
  }
  const there = [];
  for (const name of names)
    if (isThere(name)) there.push(name);
    else console.log(`${ENGINES[name].label}: left out, not installed`);
  return there;
}

function readOptions() {
  const string = { type: "string" };
  const boolean = { type: "boolean" };
  const { values } = parseArgs({
    options: {
      ...{ records: string, queries: string, size: string, only: string, rounds: string, folder: string, json: string },
      ...{ toy: boolean, help: boolean },
    },
  });
  const toy = values.toy === true;
  const counts = toy ? TOY : FULL;
  const sizes = (values.size ?? counts.size).split(",").map(readSize);
  const rounds = Number(values.rounds ?? counts.rounds);
  const names = values.only?.split(",") ?? Object.keys(ENGINES);
  const isRight = [...sizes, rounds].every((value) => Number.isInteger(value) && value > 0);
  if (values.help || !isRight || !names.every((name) => Object.hasOwn(ENGINES, name))) {
    console[values.help ? "log" : "error"](HELP);
    process.exit(values.help ? 0 : 2);
  }
  return { ...values, toy, counts, sizes, rounds, names };
}

await main(readOptions());
