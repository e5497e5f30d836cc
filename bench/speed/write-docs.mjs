// Writes docs/benchmarks from the results that run.mjs wrote by --json: the tables, two charts, and the results themselves.
// node bench/speed/write-docs.mjs RESULTS.json [FOLDER]

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { growthChart, queryChart } from "./charts.mjs";
import { ratioTable, rowTable, sizeTable } from "./tables.mjs";

const DOCS = fileURLToPath(new URL("../../docs/benchmarks/", import.meta.url));
/** What the peers of a group are held against: ours at the same work. */
const COMPARED = { text: ["plain", "words"], hybrid: ["hybrid"] };

const [file, folder = DOCS] = process.argv.slice(2);
if (file === undefined) {
  console.error("node bench/speed/write-docs.mjs RESULTS.json [FOLDER]");
  process.exit(2);
}
const results = JSON.parse(readFileSync(file, "utf8"));
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

function page() {
  return [
    "# Benchmarks",
    "",
    "<!-- Made by bench/speed/write-docs.mjs from results.json; do not edit by hand. -->",
    "",
    ...introduction(),
    "## The same work, side by side",
    "",
    "![Milliseconds a query by engine](queries.svg)",
    "",
    ...sizes.flatMap(([size, entry]) => [sizeTable(size, entry), "", ...ratios(size, entry)]),
    "An asterisk: the time that one row has was over before all queries were asked, so p99 is rough. RSS and heap +",
    "external are what the index added to a process that had the engine and the texts loaded, after a full collection; an",
    "index inside SQLite or LanceDB shows in RSS alone, and LanceDB's is on disk. Load is the machine's, when the engine was",
    "started.",
    "",
    "![Growth of time and memory](growth.svg)",
    "",
    "## What else tandem-search answers",
    "",
    rowTable(Object.fromEntries(sizes)),
    "",
    "Where a record is written before every 20th query, each query is asked once; the writes, of one record each, in turn a",
    "known one with another stock and a new one, are awaited and not timed. So one query in twenty is the first after a write.",
    "With 50,000 vectors the first new one begins the neighbour graph, which is built beside the queries.",
    "",
    ...notes(),
  ].join("\n");
}

function introduction() {
  const { machine, date, corpus, givenQueries, queries, passes } = results;
  const loads = sizes.flatMap(([, { engines }]) => Object.values(engines).map(({ load }) => load));
  const words = sizes[0][1].wordsPerRecord.toFixed(0);
  const from = givenQueries === null ? "" : `, 15 % from ${givenQueries}`;
  const spread = `${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}`;
  return [
    `Measured on ${date}: ${machine}.`,
    `Records: real texts of ${corpus}, recombined with changed model codes, ${words} words each.`,
    `Queries: ${queries} of one to six words${from}, 10 % misspelt; the time of each is its best of ${passes} warm passes.`,
    "The same work for all: any word of the query, the best 12, and the number of matches where the engine can tell it;",
    "of those with meaning: words and static-en's vectors fused, the best 12.",
    "Every engine is in a process of its own, two at a time on two cores at most, in a few runs of one day.",
    "",
    `**The machine was shared**: its load average was ${spread} when the engines were started,`,
    "so they waited for a core, and not all alike. Ratios within a size hold roughly; no absolute time does. Measure on yours:",
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
    const peers = Object.entries(engines).filter(([, engine]) => engine.group === group && !engine.isOurs);
    if (name === undefined || peers.length === 0) return [];
    const { label } = engines[name];
    const what = `How many times ${label}'s figure each peer takes at ${Number(size).toLocaleString("en-US")} records; below 1 the peer is better:`;
    return [what, "", ratioTable(Object.fromEntries(peers), engines[name]), ""];
  });
}

function notes() {
  const engines = new Map(sizes.flatMap(([, entry]) => Object.entries(entry.engines)));
  return [
    "## How each is set",
    "",
    ...[...engines.values()].map(({ label, from, note }) => `- **${label}** (${from}): ${note}.`),
    "",
    "## The count",
    "",
    '"As a plain reader counts" is the share of queries whose number of matches is that of reading every record and splitting it',
    "at whatever is no letter and no digit. Less than 100 % is no error where an engine reads otherwise: Orama completes",
    'words; tandem-search splits and joins codes ("RJ45" is found by "RJ 45"), takes "8 GB" for one quantity, and, but for',
    "the analyser plain, stems and leaves stop words out. Its count is therefore held against its own pages, joined, of ten queries or of as many as the time of a row allows.",
    "",
  ];
}
