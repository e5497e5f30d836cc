// The bench of memory: whether memory grows during long tasks, and how much a record takes.
//
// Measured. V8's heap, external memory and RSS after full collections, 20 times during each task. A tenth of the task runs
//   before the first sample, so that what is loaded or cached once does not count as growth.
// Goals. Adding and deleting: the second half of the samples holds at most 5 % more than the first. Queries of new words:
//   at most 20 MB more at the end. Indexes created and deleted: at most 50 MB more. One signal for many calls: at most 5 MB
//   more.
// Notes. Each task runs in a process of its own. --scale 1 takes hours; growth that depends on the number of operations
//   shows in proportion at 0.05. RSS also depends on the allocator of the system. Nothing is asserted.

import { parseArgs } from "node:util";
import { inChild, printTable } from "./support/measure.mjs";

const HELP = `node bench/memory.mjs [options]
  --scale N        share of the full number of operations (1,000,000 records, 1,000,000 queries, 10,000 indexes,
                   100,000 calls with a signal); default 0.05
  --only TEXT,...  the tasks whose names contain one of these texts
  --records FILE   JSON Lines for the memory a record; default: the demo catalogue
  --size N         number of these records; default 20000
  --samples        prints all samples
  --toy            a few operations each: shows that the bench works, not what grows`;

const MB = 1e6;
const MOST_HALVES = 0.05;
const FULL = { churn: 1_000_000, newWords: 1_000_000, indexes: 10_000, signals: 100_000 };
const HNSW = { kind: "hnsw" };
const EXACT = { kind: "exact" };

const WORKS = [
  { name: "add and delete, one a call", work: "churn", batch: 1, vectorIndex: EXACT },
  { name: "add and delete, 100 a call", work: "churn", batch: 100, vectorIndex: EXACT },
  { name: "add and delete, 100 a call, graph", work: "churn", batch: 100, vectorIndex: HNSW },
  { name: "add and delete, one a call, graph", work: "churn", batch: 1, vectorIndex: HNSW, share: 0.1 },
  { name: "queries of unknown words", work: "newWords", kind: "unknown", most: 20 },
  { name: "queries of misspelt words", work: "newWords", kind: "misspelt", most: 20, share: 0.2 },
  { name: "queries of new codes and quantities", work: "newWords", kind: "codes", most: 20 },
  { name: "queries of new words, facets and filters", work: "newWords", kind: "facets", most: 20 },
  { name: "indexes created and deleted", work: "indexes", kind: "default", most: 50 },
  { name: "indexes created and deleted, graph", work: "indexes", kind: "graph", most: 50 },
  { name: "writes with one signal", work: "signals", verb: "write", fresh: false, most: 5 },
  { name: "writes with a new signal each", work: "signals", verb: "write", fresh: true, most: 5 },
  { name: "queries with one signal", work: "signals", verb: "query", fresh: false, most: 5 },
];
const PARTS = "memory a record";
const CHILD = { program: new URL("support/memory-works.mjs", import.meta.url) };

const HEAD = "megabytes,operations,heap,grew,held,grew,at most,halves,RSS,grew,halves,listeners,goal,,s".split(",");

await main(readOptions());

async function main({ works, toy, scale, records: path, size, samples }) {
  console.log(`node ${process.version}; scale ${scale}`);
  const usual = toy ? { size: 100, dimensions: 8, samples: 2 } : { size: 5000, dimensions: 64, samples: 20 };
  const lines = [];
  for (const { name, most, share = 1, ...work } of works) {
    if (work.work === "parts") {
      printParts(await inChild({ work: "parts", path, size }, CHILD));
      continue;
    }
    const count = toy ? 200 : Math.max(2000, Math.ceil(FULL[work.work] * scale * share));
    const result = await inChild({ ...usual, ...work, count }, CHILD);
    process.stderr.write(`${name}: ${result.seconds.toFixed(0)} s\n`);
    lines.push(rowOf({ name, most, count }, result));
    if (samples) printSamples(name, result.samples);
  }
  if (lines.length > 0) print([HEAD, ...lines]);
}

function readOptions() {
  const string = { type: "string" };
  const boolean = { type: "boolean" };
  const strings = { scale: string, only: string, records: string, size: string };
  const { values } = parseArgs({ options: { ...strings, samples: boolean, toy: boolean, help: boolean } });
  const scale = Number(values.scale ?? 0.05);
  const size = Number(values.size ?? (values.toy ? 100 : 20_000));
  const all = [...WORKS, { name: PARTS, work: "parts" }];
  const texts = values.only?.split(",");
  const works = texts === undefined ? all : all.filter(({ name }) => texts.some((text) => name.includes(text)));
  if (values.help || !(scale > 0) || !Number.isInteger(size) || size < 1 || works.length === 0) {
    console[values.help ? "log" : "error"](`${HELP}\ntasks: ${all.map(({ name }) => name).join("; ")}`);
    process.exit(values.help ? 0 : 2);
  }
  return { ...values, scale, size, works };
}

/** Growth from the first sample to the last and to the greatest, and of the second half's mean over the first's. */
function growthOf(samples, part) {
  const values = samples.map((sample) => sample[part]);
  const [first] = values;
  const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const rest = values.slice(1);
  const middle = rest.length / 2;
  return {
    first,
    last: values.at(-1),
    growth: values.at(-1) - first,
    most: Math.max(...values) - first,
    halves: mean(rest.slice(middle)) / mean(rest.slice(0, middle)) - 1,
  };
}

/** Memory in megabytes; halves in per cent. */
function rowOf({ name, most, count }, { samples, seconds }) {
  const mb = (bytes) => (bytes / MB).toFixed(1);
  const heap = growthOf(samples, "heapUsed");
  const held = growthOf(samples, "held");
  const rss = growthOf(samples, "rss");
  const listeners = Math.max(...samples.map((sample) => sample.listeners ?? 0));
  const isOver = (most === undefined ? held.halves > MOST_HALVES : held.growth > most * MB) || listeners > 1;
  const percent = (share) => `${(share * 100).toFixed(1)} %`;
  return [
    name,
    count.toLocaleString("en-US"),
    ...[mb(heap.first), mb(heap.growth), mb(held.first), mb(held.growth), mb(held.most), percent(held.halves)],
    ...[mb(rss.first), mb(rss.growth), percent(rss.halves), listeners || ""],
    most === undefined ? "halves 5 %" : `${most} MB`,
    isOver ? "OVER" : "",
    seconds.toFixed(0),
  ];
}

function printParts({ measured, size }) {
  const each = (bytes) => (bytes === undefined ? "" : Math.round(bytes / size).toLocaleString("en-US"));
  const lines = measured.map(({ part, held, heap, rss }) => [part, each(held), each(heap), each(rss)]);
  print([[`bytes a record, of ${size.toLocaleString("en-US")}`, "held", "of it V8's heap", "RSS"], ...lines]);
}

function printSamples(name, samples) {
  const names = Object.keys(samples[0]);
  const show = (value) => (value > 1e5 ? (value / MB).toFixed(1) : String(value));
  print([[name, ...names], ...samples.map((sample, i) => [String(i), ...names.map((part) => show(sample[part]))])]);
}

function print(rows) {
  console.log("");
  printTable(rows);
}
