// Research: which minimum cosine separates related from unrelated records? Computes the cosines of sampled records with the engine's
// probes, with two title words of other records, and with each other, with static-en; over a whole set, and over records of one kind,
// as in a specialised shop. Samples are the records with the smallest hashes of ids, so they depend on no order and no seed.

import { createHash } from "node:crypto";
import { basename, resolve } from "node:path";
import { SearchEngine } from "../../dist/index.js";
import { readJudgedRecords } from "./judged-folder.mjs";
import { probeQueries } from "./probes.mjs";
import { recordTexts } from "./record-texts.mjs";
import { short } from "./report.mjs";
import { embedAll } from "./vectors.mjs";

const HELP = "node bench/relevance/floor.mjs FOLDER [WORD ...]   each WORD: its records whose title holds it, alone";
const SAMPLE = 256;
const QUANTILES = [0.5, 0.9, 0.95, 0.97, 0.98, 0.99];

const [folder, ...words] = process.argv.slice(2);
if (folder === undefined) {
  console.error(HELP);
  process.exit(2);
}
const all = await readJudgedRecords(folder);
const { title } = recordTexts(all);
await study(basename(resolve(folder)), all);
for (const word of words)
  await study(
    word,
    all.filter((record) => new RegExp(`\\b${word}`, "i").test(record[title])),
  );

async function study(name, records) {
  const { rows } = recordTexts(records);
  const sample = smallest(rows, SAMPLE, "record");
  const vectors = await vectorsOf(sample, ({ embedded }) => embedded, "record");
  const probes = (await probeQueries()).map((text) => ({ id: `probe ${text}`, text }));
  const asking = smallest(rows, SAMPLE, "query");
  const kinds = {
    "probe : record": await vectorsOf(probes, ({ text }) => text, "query"),
    "2 words of a title : record": await vectorsOf(
      asking,
      ({ id, texts }) => twoWords(id, texts[title] ?? ""),
      "query",
    ),
    "record : record": await vectorsOf(asking, ({ embedded }) => embedded, "record"),
  };
  console.log(`\n${name}: ${rows.length} records; learned floor ${short(await learnedFloor(records))}\n`);
  console.log(`| cosines of | ${QUANTILES.join(" | ")} |\n|${"---|".repeat(QUANTILES.length + 1)}`);
  for (const [kind, queries] of Object.entries(kinds)) {
    const cosines = pairs(queries, vectors);
    const quantiles = QUANTILES.map((share) => short(cosines[Math.ceil(share * cosines.length) - 1]));
    console.log(`| ${kind} | ${quantiles.join(" | ")} |`);
  }
}

async function learnedFloor(records) {
  const engine = new SearchEngine();
  const index = await engine.createIndex("studied");
  await index.addRecords(records);
  return (await index.getSettings()).effective.semanticFloor;
}

/** The rows with the smallest hashes of their ids; each salt gives another sample. */
function smallest(rows, count, salt) {
  const hashed = rows.map((row) => ({ row, hash: hashOf(`${salt}:${row.id}`) }));
  return hashed
    .sort((a, b) => (a.hash < b.hash ? -1 : 1))
    .slice(0, count)
    .map(({ row }) => row);
}

async function vectorsOf(rows, text, purpose) {
  const vectors = await embedAll(rows.map(text), purpose);
  return rows.map(({ id }, i) => ({ id, vector: vectors[i] })).filter(({ vector }) => vector !== null);
}

/** All cosines of different records, ascending. */
function pairs(queries, records) {
  const cosines = [];
  for (const query of queries)
    for (const record of records) if (query.id !== record.id) cosines.push(dot(query.vector, record.vector));
  return Float64Array.from(cosines).sort();
}

function twoWords(id, text) {
  const words = wordsOf(text);
  const at = words.length < 3 ? 0 : Number.parseInt(hashOf(id).slice(0, 6), 16) % (words.length - 1);
  return words.slice(at, at + 2).join(" ");
}

function wordsOf(text) {
  return text.toLowerCase().match(/[a-z]{3,}/g) ?? [];
}

function hashOf(text) {
  return createHash("sha256").update(text).digest("hex");
}

function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
