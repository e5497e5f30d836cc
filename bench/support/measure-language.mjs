// The language bench: plain, filtered, faceted, misspelt and cut queries on a made-up shop, each engine in its own process.

import { totalmem } from "node:os";
import { inChild } from "./in-child.mjs";
import { LANGUAGE_ENGINES } from "./language-engines.mjs";
import { number, printTable } from "./report.mjs";
import { languageRows, readTexts } from "./shop.mjs";

const FULL = { queries: 300, rowSeconds: 20 };
const TOY = { queries: 20, rowSeconds: 2 };
/** A peer that takes longer is ended and left out. */
const PEER_MINUTES = 8;
const HEAP_SHARE = 0.7;

/** Measures the engines named at each size, and prints a table of each. */
export async function measureLanguage({ names, sizes, records: path, runs, toy }) {
  const { queries, rowSeconds } = toy ? TOY : FULL;
  const rows = languageRows(await readTexts(path), queries);
  const results = {};
  for (const size of sizes) {
    const measured = {};
    for (const engine of names) {
      const task = { kind: "language", engine, path, size, rows, runs, rowSeconds };
      const result = await measureOne(task);
      if (result !== undefined) measured[engine] = result;
    }
    const engines = names.filter((name) => name in measured).map((name) => ({ name, ...LANGUAGE_ENGINES[name] }));
    printTable(`shop, ${size.toLocaleString("en-US")} records`, measured, engines, tableRows(rows));
    for (const { name, label } of engines) printCut(label, measured[name], rows);
    results[size] = measured;
  }
  for (const name of names) console.log(`${LANGUAGE_ENGINES[name].label}: ${LANGUAGE_ENGINES[name].note}`);
  return results;
}

/** undefined: a peer that ran out of memory or time. */
async function measureOne(task) {
  const heapMB = Math.floor((totalmem() / 2 ** 20) * HEAP_SHARE);
  const { isOurs, label } = LANGUAGE_ENGINES[task.engine];
  if (isOurs) return inChild(task, { heapMB });
  try {
    return await inChild(task, { heapMB, mostMs: PEER_MINUTES * 60_000 });
  } catch (error) {
    console.log(`${label} left out at ${task.size} records (at most ${PEER_MINUTES} minutes): ${error.message}`);
    return undefined;
  }
}

function tableRows(rows) {
  const times = rows.flatMap(({ key, label }) => [
    { label: `${label}: p50, ms`, of: (r) => r.asked[key]?.p50, show: number(3), better: "less" },
    { label: `${label}: p99, ms`, of: (r) => r.asked[key]?.p99, show: number(3), better: "less" },
    { label: "  records found, mean", of: (r) => r.asked[key]?.meanFound, show: number(0) },
  ]);
  return [
    { label: "filling, records/s", of: (r) => r.recordsPerSecond, show: number(0), better: "more" },
    { label: "memory held, bytes/record", of: (r) => r.held, show: number(0), better: "less" },
    { label: "RSS, bytes/record", of: (r) => r.rss, show: number(0), better: "less" },
    { label: "columns built by the first use, ms", of: (r) => r.columns?.ms, show: number(0) },
    { label: "columns: memory held, bytes/record", of: (r) => r.columns?.held, show: number(1) },
    { label: "columns: RSS, bytes/record", of: (r) => r.columns?.rss, show: number(1) },
    ...times,
  ];
}

function printCut(label, { asked }, rows) {
  const cut = rows.filter(({ key, requests }) => asked[key] !== undefined && asked[key].count < requests.length);
  const told = cut.map((row) => `${row.label} ${asked[row.key].count}`).join(", ");
  if (cut.length > 0) console.log(`${label}: of ${rows[0].requests.length} queries only so many in the time: ${told}`);
}
