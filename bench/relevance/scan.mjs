// Scans the defaults: varies each setting alone on a judged set, and compares with the default settings, with paired bootstrap
// intervals. With so many values, some look significant by chance: trust only what several sets, or the other half of the queries,
// confirm.

import { writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import { sweep } from "../../dist/evaluation.js";
import { SearchEngine } from "../../dist/index.js";
import { readJudgedFolder } from "./judged-folder.mjs";
import { short, showInterval } from "./report.mjs";

const HELP = `node bench/relevance/scan.mjs FOLDER [options]
  --half tune|test   half of the queries
  --vary JSON        what to vary, as sweep() takes it; default: each of the settings below alone
  --json FILE        writes the figures`;

const ALONE = [
  { semanticWeight: [0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7] },
  { semanticFloor: [0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5] },
  { semanticDepth: [25, 50, 100, 200, 400] },
  { matchingRatio: [0.2, 0.3, 0.4, 0.5, 0.6] },
  { k1: [0.6, 0.9, 1.2, 1.5, 2] },
  { b: [0.3, 0.45, 0.6, 0.75, 0.9] },
];

const { values, positionals } = parseArgs({
  options: { half: { type: "string" }, vary: { type: "string" }, json: { type: "string" } },
  allowPositionals: true,
});
if (positionals.length !== 1) {
  console.error(HELP);
  process.exit(2);
}
const [folder] = positionals;
const { records, judgements } = await readJudgedFolder(folder, values.half);
const engine = new SearchEngine();
await (await engine.createIndex("judged")).addRecords(records);
const title = ["title", "product_title", "product_name", "name"].find((name) => records[0][name] !== undefined);
const variations =
  values.vary === undefined
    ? [
        ...ALONE,
        { attributeWeights: [1, 1.5, 2, 3, 5].map((weight) => ({ [title]: weight })) },
        { settings: [{ embeddedAttributes: [title] }] },
      ]
    : [JSON.parse(values.vary)];

console.log(`${basename(resolve(folder))}: ${judgements.queries.length} queries, ${records.length} records`);
console.log("\n| | nDCG@10 | its difference | recall@100 | condensed nDCG@10 |\n|---|---|---|---|---|");
const figures = [];
for (const vary of variations) {
  const { points } = await sweep("judged", judgements, { engine, vary });
  for (const { values: tried, run, differences } of points) {
    const cells = [differences.ndcg, differences.recall, differences.condensedNdcg].map(showInterval);
    figures.push({ values: tried, means: run.means, differences });
    console.log(`| ${JSON.stringify(tried)} | ${short(run.means.ndcg)} | ${cells.join(" | ")} |`);
  }
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(figures, null, 2)}\n`);
