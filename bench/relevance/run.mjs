// The bench of relevance: compares search by words, by meaning and by both with peers, on judged queries.
//
// Measured. nDCG, recall, MRR, precision, the judged share and nDCG without unjudged records, of tandem-search by words, by
//   meaning and by both with its defaults; with --compare also of peers on the same records and judgements, each set up as in
//   its own guide, hybrid ones over the same vectors. Differences have paired bootstrap intervals (95 %, 10,000 draws, seeded);
//   a * marks those that exclude 0.
// Notes. Peers search one flat text for each attribute that tandem-search searches. All return the first 100. Queries without a relevant record are left out. Nothing is asserted.

import { writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import { compareRuns, evaluate, measureRun } from "../../dist/evaluation.js";
import { SearchEngine } from "../../dist/index.js";
import { installPeers } from "./install-peers.mjs";
import { readJudgedFolder } from "./judged-folder.mjs";
import { PEERS } from "./peers/all.mjs";
import { recordTexts } from "./record-texts.mjs";
import { printDifferences, printRuns } from "./report.mjs";

const HELP = `npm run relevance -- FOLDER [options]
  FOLDER            records.jsonl or .gz (else the demo catalogue), queries.jsonl, qrels.tsv
  --compare         the peers too
  --half tune|test  half of the queries: by their "split", else by a hash of their ids
  --only NAME,NAME  of the peers, by the beginnings of their names
  --json FILE       writes the figures`;

const CUTOFFS = { k: 10, recallAt: 100 };

await main(readOptions());

async function main({ folder, half, compare, only, json }) {
  const { records, judgements } = await readJudgedFolder(folder, half);
  const own = await measureOurs(records, judgements);
  const { words, meaning, both } = own.runs;
  const counted = both.queries.length;
  console.log(
    `${basename(resolve(folder))}${half ? `, ${half} half` : ""}: ${records.length} records, ${counted} queries`,
  );
  if (both.leftOut.length > 0) console.log(`left out, without a relevant record: ${both.leftOut.length}`);
  if (own.missingRecords.length > 0) console.log(`judged, but not there: ${own.missingRecords.length}`);
  const lines = [
    { label: "words", run: words },
    { label: "meaning", run: meaning },
    { label: "both", run: both },
  ];
  if (compare) lines.push(...(await measurePeers(records, judgements, both, only)));
  printRuns(lines, CUTOFFS);
  const parts = [
    { label: "both - words", differences: own.differences.both },
    { label: "meaning - words", differences: own.differences.meaning },
  ];
  printDifferences(parts, "What meaning adds:", CUTOFFS);
  if (compare) printDifferences(lines, "Both, minus each peer:", CUTOFFS);
  if (compare) for (const { label, settings } of lines) if (settings) console.log(`\n${label}: ${settings}.`);
  if (json !== undefined)
    writeFileSync(json, `${JSON.stringify(asFigures(lines, parts, counted, records.length), null, 2)}\n`);
}

function readOptions() {
  const string = { type: "string" };
  const options = { compare: { type: "boolean" }, help: { type: "boolean" }, half: string, only: string, json: string };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (values.help) {
    console.log(HELP);
    process.exit(0);
  }
  if (positionals.length !== 1 || ![undefined, "tune", "test"].includes(values.half)) {
    console.error(HELP);
    process.exit(2);
  }
  return { ...values, folder: positionals[0], compare: values.compare === true, only: values.only?.split(",") };
}

async function measureOurs(records, judgements) {
  const engine = new SearchEngine();
  const index = await engine.createIndex("judged");
  await index.addRecords(records);
  await index.whenIdle();
  return evaluate("judged", judgements, { engine, ...CUTOFFS });
}

async function measurePeers(records, judgements, both, only) {
  await installPeers();
  const corpus = recordTexts(records);
  const asked = PEERS.filter(({ label }) => only?.some((start) => label.startsWith(start)) ?? true);
  const lines = [];
  for (const { label, settings, open } of asked) {
    const rank = await open(corpus);
    const rankings = [];
    for (const { id, query } of judgements.queries)
      rankings.push({ queryId: id, recordIds: await rank(query, CUTOFFS.recallAt) });
    const run = measureRun(rankings, judgements, CUTOFFS);
    lines.push({ label, settings, run, differences: await compareRuns(both, run) });
  }
  return lines;
}

/** The output of --json: means and intervals, without the single queries. */
function asFigures(lines, parts, queries, records) {
  const runs = lines.map(({ label, settings, run, differences }) => ({
    label,
    settings,
    means: run.means,
    bothMinusIt: differences,
  }));
  return { records, queries, ...CUTOFFS, runs, parts };
}
