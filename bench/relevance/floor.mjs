// Research: which floor of the cosine tells what is meant from what is merely there? Cosines of query-like texts with random
// records, and of random records with each other, for static-en and for vectors bent as other models' are: crowded, as
// OpenAI's (all cosines .7 to .9), and of two kinds, as CLIP's (texts against pictures, near .2).
//
// Samples are the records with the smallest hashes of ids, so that neither order nor a seed decides.

import { createHash } from "node:crypto";
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createStaticEnEmbedder } from "../../dist/index.js";
import { readJudgedRecords } from "./judged-folder.mjs";
import { recordTexts } from "./record-texts.mjs";
import { short } from "./report.mjs";
import { embedAll, unit } from "./vectors.mjs";

const SAMPLE = 512;
const QUANTILES = [0.5, 0.9, 0.95, 0.99, 0.995, 0.999];
const FLOOR = 0.35;

/** The share of cosines of queries with random records that the proposed floor leaves below it. */
const NOISE_SHARE = 0.95;

if (process.argv[1] === fileURLToPath(import.meta.url)) for (const folder of process.argv.slice(2)) await study(folder);

/** The proposed floor of an embedder over some records: by two words of titles against random records. */
export async function noiseOf(rows, title, embedder, size = SAMPLE, salt = "") {
  const texts = (chosen, text) =>
    chosen.map((row) => ({ id: row.id, text: text(row) })).filter(({ text }) => text !== "");
  const records = texts(smallest(rows, size, `record${salt}`), ({ embedded }) => embedded);
  const queries = texts(smallest(rows, size, `query${salt}`), ({ id, texts }) => twoWords(id, texts[title] ?? ""));
  const embed = async (list, purpose) => {
    const vectors = await embedder.embed(
      list.map(({ text }) => text),
      { purpose },
    );
    return list.map(({ id }, i) => ({ id, vector: unit(vectors[i]) })).filter(({ vector }) => vector !== null);
  };
  const cosines = pairs(await embed(queries, "query"), await embed(records, "record"));
  return { ...moments(cosines), floor: cosines[Math.floor(NOISE_SHARE * (cosines.length - 1))] };
}

async function study(folder) {
  const { title, rows } = recordTexts(await readJudgedRecords(folder));
  const sample = smallest(rows, SAMPLE, "record");
  const asking = smallest(rows, SAMPLE, "query");
  const records = await vectorsOf(sample, ({ embedded }) => embedded, "record");
  const kinds = {
    "record : record": await vectorsOf(asking, ({ embedded }) => embedded, "record"),
    "title : record": await vectorsOf(asking, ({ texts }) => texts[title] ?? "", "query"),
    "2 words of a title : record": await vectorsOf(
      asking,
      ({ id, texts }) => twoWords(id, texts[title] ?? ""),
      "query",
    ),
    "1 word of a title : record": await vectorsOf(asking, ({ id, texts }) => oneWord(id, texts[title] ?? ""), "query"),
  };
  console.log(`\n${basename(resolve(folder))}: ${rows.length} records, ${SAMPLE} x ${SAMPLE} pairs`);
  console.log(
    `\n| cosines of | mean | deviation | ${QUANTILES.join(" | ")} | above ${FLOOR} | mean + 2.5 dev |\n|${"---|".repeat(11)}`,
  );
  for (const [kind, queries] of Object.entries(kinds)) {
    const cosines = pairs(queries, records);
    const { mean, deviation } = moments(cosines);
    const quantiles = QUANTILES.map((share) => short(cosines[Math.floor(share * (cosines.length - 1))]));
    const above = cosines.filter((cosine) => cosine >= FLOOR).length / cosines.length;
    const row = [
      kind,
      short(mean),
      short(deviation),
      ...quantiles,
      `${(100 * above).toFixed(2)} %`,
      short(mean + 2.5 * deviation),
    ];
    console.log(`| ${row.join(" | ")} |`);
  }
  console.log();
  await steadiness(rows, title);
}

/** How far the floor moves with the sample. */
async function steadiness(rows, title) {
  const embedder = createStaticEnEmbedder();
  for (const size of [64, 128, 256, 512]) {
    const floors = [];
    for (let salt = 0; salt < 10; salt++) floors.push((await noiseOf(rows, title, embedder, size, `${salt}`)).floor);
    const { mean, deviation } = moments(floors);
    console.log(`floor by ${size} x ${size}: ${short(mean)}, of ten samples the deviation is ${short(deviation)}`);
  }
}

/** Rows by the smallest hashes of their ids; another salt, another sample. */
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

function moments(values) {
  let [sum, squares] = [0, 0];
  for (const value of values) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / values.length;
  return { mean, deviation: Math.sqrt(squares / values.length - mean * mean) };
}

function twoWords(id, text) {
  const words = wordsOf(text);
  const at = words.length < 3 ? 0 : Number.parseInt(hashOf(id).slice(0, 6), 16) % (words.length - 1);
  return words.slice(at, at + 2).join(" ");
}

function oneWord(id, text) {
  const words = wordsOf(text);
  return words[Number.parseInt(hashOf(id).slice(0, 6), 16) % Math.max(1, words.length)] ?? "";
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
