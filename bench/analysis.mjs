// The bench of text analysis: how time grows with the length of hostile texts, as queries and as fields of a record.
//
// Measured. The best of N times at n and at 2n characters, for n = 4,096 and 50,000. Goals: time(2n) / time(n) at most 2.5,
//   and at most 1.5 µs a character at 2n. A query of 4,096 bytes, which is the default limit, takes at most 20 ms, also the
//   first time, when no word of it is cached.
// Notes. The limits are raised, because they would cut off most of these texts. The index has default settings and 500
//   products. Ratios of times below 0.1 ms mean little. A time is the lesser of wall time and CPU time, so that other
//   programs do not make it longer. Nothing is asserted.

import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import ts from "typescript";
import { readRecords } from "./support/corpus.mjs";
import { printTable } from "./support/measure.mjs";

const HELP = `node bench/analysis.mjs [options]
  --runs N          times of which the best counts; default 5
  --sizes N,N       characters; default 4096,50000
  --only PATH,PATH  of query, index; default both
  --family TEXT     families whose names hold the text
  --toy             6 families, small sizes, one run: shows that the bench works, not how fast anything is`;

const FAMILIES = new URL("../test/fuzz/text-families.ts", import.meta.url);
const GOAL = { ratio: 2.5, microseconds: 1.5, query: 20 };
const QUERY_BYTES = 4096;
const RECORDS = 500;
const TOY = { runs: "1", sizes: "200", families: 6, records: 20 };
/** Greater than all measured lengths. */
const LIMITS = {
  queryBytes: 1e6,
  recordBytes: 1e7,
  fieldCharacters: 1e7,
  fieldTokens: 1e7,
};

/** The two inputs of text analysis: queries and records. */
const PATHS = {
  query: (index, text) => index.query({ query: text }),
  index: (index, text) => index.addRecords([{ id: "measured", text }]),
};

await main(readOptions());

async function main(options) {
  const { SearchEngine } = await import("../dist/index.js");
  const families = await chooseFamilies(options);
  const records = await readRecords(undefined, options.records);
  const open = async (limits) => {
    const engine = new SearchEngine({ limits });
    const index = await engine.createIndex("analysis");
    await index.addRecords(records);
    await index.query({ query: "warm up the words and the meaning" });
    return index;
  };
  console.log(
    `node ${process.version}; ${families.length} families, ${records.length} records, best of ${options.runs}`,
  );
  if (options.paths.includes("query")) await measureShortQueries(await open({}), families, options);
  for (const path of options.paths)
    for (const size of options.sizes) await measureGrowth(path, size, { open, families, ...options });
}

function readOptions() {
  const string = { type: "string" };
  const { values } = parseArgs({
    options: {
      runs: string,
      sizes: string,
      only: string,
      family: string,
      toy: { type: "boolean" },
      help: { type: "boolean" },
    },
  });
  const toy = values.toy === true;
  const runs = Number(values.runs ?? (toy ? TOY.runs : "5"));
  const sizes = (values.sizes ?? (toy ? TOY.sizes : "4096,50000")).split(",").map(Number);
  const paths = (values.only ?? "query,index").split(",");
  const numbers = [runs, ...sizes].every((value) => Number.isInteger(value) && value > 0);
  const known = paths.every((path) => Object.hasOwn(PATHS, path));
  if (values.help || !numbers || !known) {
    console.log(HELP);
    process.exit(values.help ? 0 : 2);
  }
  return { toy, runs, sizes, paths, family: values.family ?? "", records: toy ? TOY.records : RECORDS };
}

async function chooseFamilies({ family, toy }) {
  const families = (await readFamilies()).filter(([name]) => name.includes(family));
  return toy ? families.slice(0, TOY.families) : families;
}

async function timeOf(task) {
  const cpu = process.cpuUsage();
  const started = performance.now();
  await task();
  const wall = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  return Math.min(wall, (user + system) / 1000);
}

async function bestOf(runs, task) {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) best = Math.min(best, await timeOf(task));
  return best;
}

/** Queries of the maximum default length: the first and the best time. */
async function measureShortQueries(index, families, { runs }) {
  const rows = [];
  for (const [name, family] of families) {
    const query = cutToBytes(family(QUERY_BYTES), QUERY_BYTES);
    const first = await timeOf(() => PATHS.query(index, query));
    rows.push({ name, first, best: await bestOf(runs, () => PATHS.query(index, query)) });
  }
  rows.sort((a, b) => b.first - a.first);
  const slow = rows.filter(({ first, best }) => Math.max(first, best) > GOAL.query);
  const cells = rows.map(({ name, first, best }) => [name, fixed(first, 2), fixed(best, 2)]);
  printTable([["a query of 4,096 bytes", "first ms", "best ms"], ...cells]);
  console.log(`over ${GOAL.query} ms: ${namesOf(slow)}\n`);
}

/** Times at n and 2n, their ratio, and the time per character at 2n; the slowest family first. */
async function measureGrowth(path, size, { open, families, runs }) {
  const index = await open(LIMITS);
  const rows = [];
  for (const [name, family] of families) {
    const [once, twice] = [family(size), family(2 * size)];
    const first = await timeOf(() => PATHS[path](index, twice));
    const atN = await bestOf(runs, () => PATHS[path](index, once));
    const at2N = await bestOf(runs, () => PATHS[path](index, twice));
    rows.push({ name, first, atN, at2N, ratio: at2N / atN, microseconds: (at2N * 1000) / (2 * size) });
  }
  rows.sort((a, b) => b.microseconds - a.microseconds);
  const shown = size.toLocaleString("en-US");
  printTable([
    [`${path}, n = ${shown}`, "ms at n", "ms at 2n", "first at 2n", "ratio", "µs/character"],
    ...rows.map((row) => [
      row.name,
      fixed(row.atN, 2),
      fixed(row.at2N, 2),
      fixed(row.first, 2),
      fixed(row.ratio, 2),
      fixed(row.microseconds, 3),
    ]),
  ]);
  console.log(`ratio over ${GOAL.ratio}: ${namesOf(rows.filter(({ ratio }) => ratio > GOAL.ratio))}`);
  const dear = rows.filter(({ microseconds }) => microseconds > GOAL.microseconds);
  console.log(`over ${GOAL.microseconds} µs a character: ${namesOf(dear)}\n`);
}

function fixed(value, digits) {
  return value.toFixed(digits);
}

function namesOf(rows) {
  return rows.length === 0 ? "none" : `${rows.length} (${rows.map(({ name }) => name).join(", ")})`;
}

/** Pairs of a name and a function from a length in UTF-16 units to a text, read from the tests: only their types are removed. */
async function readFamilies() {
  const { outputText } = ts.transpileModule(readFileSync(FAMILIES, "utf8"), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
  });
  const code = `data:text/javascript;base64,${Buffer.from(outputText).toString("base64")}`;
  const { TEXT_FAMILIES } = await import(code);
  return Object.entries(TEXT_FAMILIES);
}

/** The longest prefix of a text that has at most `bytes` UTF-8 bytes. */
function cutToBytes(text, bytes) {
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (Buffer.byteLength(text.slice(0, middle)) <= bytes) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, low);
}
