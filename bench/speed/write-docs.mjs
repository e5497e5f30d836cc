// Writes docs/benchmarks from the results of `run.mjs --json`: the tables, two charts, and the results themselves; and the figures in
// the project's README, between two comments.
// node bench/speed/write-docs.mjs RESULTS.json [FOLDER]; with a folder other than docs/benchmarks the README is not changed.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { growthChart, queryChart } from "./charts.mjs";
import { FORMAT, growthTable, ratioTable, rowTable, shortTable, sizeTables } from "./tables.mjs";

const DOCS = fileURLToPath(new URL("../../docs/benchmarks/", import.meta.url));
const README = fileURLToPath(new URL("../../README.md", import.meta.url));
const README_FIGURES = /(<!-- speed: [^>]*-->\n).*?(<!-- \/speed -->)/s;
/** The engines that the README names, and the size that it shows, if all of them were measured at it. */
const SHOWN = { names: ["hybrid", "words", "minisearch", "fts5", "lancedb"], size: "200000" };
/** The variants of ours with which the peers of a group are compared: the first one that was measured. */
const COMPARED = { text: ["plain", "words"], hybrid: ["hybrid"] };

const [file, folder = DOCS] = process.argv.slice(2);
if (file === undefined) {
  console.error("node bench/speed/write-docs.mjs RESULTS.json [FOLDER]");
  process.exit(2);
}
const results = JSON.parse(readFileSync(file, "utf8"));
if (results.format !== FORMAT) throw new Error(`${file} was written by another version of the bench: measure again.`);
const sizes = Object.entries(results.sizes).sort(([a], [b]) => Number(a) - Number(b));
const ofText = ({ engines }) => Object.fromEntries(Object.entries(engines).filter(([, { group }]) => group === "text"));
const peersAt = ({ engines }) => Object.values(engines).filter(({ isOurs }) => !isOurs).length;
const [chartSize, chartEntry] = sizes.reduce((best, one) => (peersAt(one[1]) > peersAt(best[1]) ? one : best));

mkdirSync(folder, { recursive: true });
const write = (name, text) => writeFileSync(join(folder, name), text);
write("results.json", `${JSON.stringify(results, null, 2)}\n`);
write("queries.svg", queryChart(chartSize, ofText(chartEntry)));
write("growth.svg", growthChart(Object.fromEntries(sizes.map(([size, entry]) => [size, { engines: ofText(entry) }]))));
write("README.md", page());
if (folder === DOCS) writeReadme();

function page() {
  return [
    "# Benchmarks",
    "",
    "<!-- Made by bench/speed/write-docs.mjs from results.json; do not edit by hand. -->",
    "",
    ...introduction(),
    "## Side by side",
    "",
    "![Milliseconds a query by engine](queries.svg)",
    "",
    ...sizes.flatMap(([size, entry]) => [sizeTables(size, entry), "", ...ratios(size, entry)]),
    "An asterisk: the time that one row of queries has was over before all were asked, so p99 and p99.9 are rough. RSS and",
    "heap + external are what the index added to a process that had the engine and the texts loaded, after a full",
    "collection; an index inside SQLite or LanceDB shows in RSS alone, and LanceDB's is on disk. Load is the machine's when",
    "the engine was started. Where the count is exact by pages, the pages of some queries were joined, and held as many",
    "records as the count said. Matches differ between engines that read words differently (stems, stop words, prefixes,",
    "codes).",
    "",
    "![Growth of time and memory](growth.svg)",
    "",
    ...growth(),
    "## What else tandem-search answers",
    "",
    rowTable(sizes),
    "",
    "These rows were asked one after the other in one process, so only the first of each engine is as a new process answers.",
    "Where a record is written before every 20th query, each query is asked once; the writes, of one record each, in turn a",
    "known one with another stock and a new one, are awaited and not timed. So one query in twenty is the first after a write.",
    "",
    "## How each is set",
    "",
    ...engineNotes(),
    "",
  ].join("\n");
}

function introduction() {
  const { machine, date, corpus, givenQueries, queries, passes } = results;
  const earlier = sizes
    .filter(([, entry]) => (entry.date ?? date) !== date)
    .map(([size, entry]) => `${Number(size).toLocaleString("en")} records (${entry.date})`);
  const loads = sizes.flatMap(([, { engines }]) => Object.values(engines).map(({ load }) => load));
  const from = givenQueries === null ? "" : `, 15 % from ${givenQueries}`;
  const spread = `${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}`;
  return [
    `Measured on ${date}: ${machine}.${earlier.length === 0 ? "" : ` Those of ${earlier.join(" and ")} are of earlier builds.`}`,
    `Records: real texts of ${corpus}, recombined with changed model codes, 58 words each; where it says so, the records as they are.`,
    `Queries: ${queries} different ones of one to six words${from}, 10 % misspelt; of real records, all from ${givenQueries}.`,
    "",
    "**First 100** are the first queries that a new process asks after it filled its index; 200 more follow before the others.",
    "**Asked once** is what a user experiences: each query one time.",
    `**Asked again** is each query's best of ${passes} more passes over the same queries. What the main thread waited for a core`,
    "is subtracted. **Met a collection** is the share of the queries, asked once and again, during which V8 collected garbage.",
    "Peers answer any word of the query, the best 12, and the number of matches where the engine can tell it; tandem plain",
    "does the same work. tandem words also corrects typos and completes words. With meaning: words and static-en's vectors",
    "fused, the best 12. Every engine is in a process of its own.",
    "",
    `**The machine was shared**: its load average was ${spread} when the engines were started.`,
    "Ratios within a size hold roughly; no absolute time does. Measure on yours, in the repository:",
    "",
    "```",
    "npm run bench:speed -- --size 50k --json results.json",
    "node bench/speed/write-docs.mjs results.json",
    "```",
    "",
  ];
}

function ratios(size, { engines }) {
  return Object.entries(COMPARED).flatMap(([group, names]) => {
    const name = names.find((compared) => engines[compared] !== undefined);
    const peers = Object.values(engines).filter((engine) => engine.group === group && !engine.isOurs);
    if (name === undefined || peers.length === 0) return [];
    const { label } = engines[name];
    const what = `How many times ${label}'s figure each peer takes at ${Number(size).toLocaleString("en-US")} records; below 1 the peer is better:`;
    return [what, "", ratioTable(peers, engines[name]), ""];
  });
}

function growth() {
  const table = growthTable(sizes);
  if (table === undefined) return [];
  return [
    "## While the graph grows",
    "",
    "Above 50,000 records with vectors a graph of neighbours is built in the background after the last record is added.",
    "Meanwhile a query was asked every 50 ms; its time begins when it was due. The settings are all defaults.",
    "",
    table,
    "",
  ];
}

function engineNotes() {
  const engines = new Map(sizes.flatMap(([, entry]) => Object.entries(entry.engines)));
  return [...engines.values()]
    .filter(({ group }) => group !== "growing")
    .map(({ label, from, note }) => `- **${label}** (${from}): ${note}.`);
}

function writeReadme() {
  const [size, entry] = sizes.find(([size]) => size === SHOWN.size) ?? [chartSize, chartEntry];
  const table = shortTable(size, SHOWN.names, entry.engines);
  const readme = readFileSync(README, "utf8");
  writeFileSync(
    README,
    readme.replace(README_FIGURES, (_, start, end) => `${start}\n${table}\n\n${end}`),
  );
}
