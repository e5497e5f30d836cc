// Makes a judged set from any catalogue with variants: the query is the title of one variant, and the relevant records
// are that variant (grade 2) and its siblings (grade 1). Seeded: the same catalogue gives the same set.
//
// Variants are records of one group: by an attribute (--group source), or by the brand and the title without its sizes,
// numbers, colours and the text after the first comma. Groups of 2 to 20 are used.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { seededRandom } from "../support/corpus.mjs";
import { readJudgedRecords } from "./judged-folder.mjs";

const HELP = `node bench/relevance/make-known-item.mjs FOLDER OUT [options]
  FOLDER            records.jsonl or .gz; without them the demo catalogue
  OUT               gets queries.jsonl and qrels.tsv, and with --most records.jsonl
  --group NAME      the attribute that makes a group; default: brand and title
  --queries N       at most; default 300
  --most N          whole groups in random order until so many records are there, in place of all
  --seed N          default 1`;

const [LEAST, GREATEST] = [2, 20];
const COLOURS =
  /\b(?:black|white|grey|gray|silver|blue|red|green|yellow|orange|pink|purple|brown|beige|cream|navy|gold|ivory|clear|charcoal|light|dark)\b/gi;

await main();

async function main() {
  const string = { type: "string" };
  const options = { group: string, queries: string, most: string, seed: string };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (positionals.length !== 2) {
    console.error(HELP);
    process.exit(2);
  }
  const [folder, out] = positionals;
  const random = seededRandom(Number(values.seed ?? 1));
  const all = await readJudgedRecords(folder);
  const groups = shuffle([...groupsOf(all, values.group).values()], random);
  const records = values.most === undefined ? all : groups.flat().slice(0, Number(values.most));
  const there = new Set(records.map(({ id }) => id));
  const usable = groups.filter(
    (group) => group.length >= LEAST && group.length <= GREATEST && group.every(({ id }) => there.has(id)),
  );
  const items = usable.flatMap((group) => itemOf(group, random) ?? []).slice(0, Number(values.queries ?? 300));
  mkdirSync(out, { recursive: true });
  const queries = items.map(({ query }, i) => ({ id: `k${i + 1}`, query, split: i % 2 === 0 ? "tune" : "test" }));
  const qrels = items.flatMap(({ item, group }, i) =>
    group.map(({ id }) => `k${i + 1}\t${id}\t${id === item.id ? 2 : 1}\n`),
  );
  writeFileSync(join(out, "queries.jsonl"), queries.map((query) => `${JSON.stringify(query)}\n`).join(""));
  writeFileSync(join(out, "qrels.tsv"), qrels.join(""));
  if (values.most !== undefined)
    writeFileSync(join(out, "records.jsonl"), records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  console.log(`${records.length} records, ${usable.length} groups of ${LEAST} to ${GREATEST}, ${items.length} queries`);
}

function groupsOf(records, attribute) {
  const groups = new Map();
  for (const record of records) {
    const key = attribute === undefined ? titleKey(record) : record[attribute];
    if (key === undefined || key === "") continue;
    if (groups.has(key)) groups.get(key).push(record);
    else groups.set(key, [record]);
  }
  return groups;
}

/** Brand and title head: "Oxford shirt, white, size S" and "Oxford shirt, light blue, size M" are one. */
function titleKey({ title, brand }) {
  const head = withoutNumbers(String(title ?? "").replace(/[,(].*$/s, "")).replace(COLOURS, " ");
  const words = head.toLowerCase().split(/\s+/).filter(Boolean);
  return words.length < 2 ? undefined : `${brand} ${words.join(" ")}`;
}

function itemOf(group, random) {
  const item = group[Math.floor(random() * group.length)];
  const query = String(item.title).replace(/\s+/g, " ").trim();
  return query.split(" ").length < 2 ? undefined : { item, group, query };
}

function withoutNumbers(text) {
  return text.replace(/\S*\d\S*/g, " ");
}

function shuffle(list, random) {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
}
