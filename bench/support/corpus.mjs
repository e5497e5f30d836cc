// The records of the benches: read line by line from files, or generated from the demo catalogue with a seed, so that they are the
// same in every process and run; and generated vectors.

import { createReadStream, readdirSync, readFileSync } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";

const CATALOGUE = new URL("../../docs/demo/catalogue/", import.meta.url);
/** Number of records that decide which attributes hold text. */
const SAMPLED = 1000;
const CENTRES = 256;
/** Digits of a vector's component: what an embedding service sends. */
const UNITS = 1e5;
/** URLs and dates, which are not searched. */
const NOT_TEXT = /^(?:[a-z][a-z0-9+.-]+:\/\/\S*|\d{4}-\d{2}-\d{2}(?:[T ]\S*)?)$/i;
const TITLES = ["title", "product_title", "product_name", "name"];

/** Numbers in 0 … 1 from a seed: the same in every process (mulberry32). */
export function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The objects of a JSON Lines file, plain or compressed as .gz. */
export async function* readJsonLines(path) {
  const file = createReadStream(path);
  const text = path.endsWith(".gz") ? pipeline(file, createGunzip(), () => {}) : file;
  text.setEncoding("utf8");
  let rest = "";
  // readline also ends lines at U+2028, which JSON may contain.
  for await (const chunk of text) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line.trim() !== "") yield JSON.parse(line);
  }
  if (rest.trim() !== "") yield JSON.parse(rest);
}

/** The first `size` records of the file, or of the generator. */
export async function readRecords(path, size) {
  const records = [];
  if (size > 0)
    for await (const record of path === undefined ? generateRecords() : readJsonLines(path))
      if (records.push(record) >= size) break;
  return records;
}

/** Endless products: titles, brands, sentences and codes of the demo catalogue, recombined within a trade. */
export function* generateRecords(seed = 1) {
  const trades = readdirSync(CATALOGUE)
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .map((name) => readFileSync(new URL(name, CATALOGUE), "utf8").trim().split("\n").map(JSON.parse));
  const random = seededRandom(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  for (let id = 1; ; id++) {
    const trade = pick(trades);
    const [model, maker] = [pick(trade), pick(trade)];
    const sentences = [pick(trade), pick(trade), pick(trade)].map((product) => pick(sentencesOf(product.description)));
    yield {
      ...model,
      id,
      sku: `${otherCode(model.sku, random)}-${id}`,
      title: `${maker.brand} ${otherCode(model.title, random)}`,
      product_name: `${maker.brand} ${otherCode(model.product_name, random)}`,
      brand: maker.brand,
      price: Math.round(model.price * (50 + 100 * random())) / 100,
      description: sentences.join(" "),
    };
  }
}

/** The names of the attributes that hold text, the title first, as seen in the first records. */
export function textAttributes(records) {
  const votes = new Map();
  for (const record of records.slice(0, SAMPLED))
    for (const [name, value] of Object.entries(record)) {
      if (name === "id") continue;
      for (const text of Array.isArray(value) ? value : [value]) {
        const vote = typeof text === "string" && !NOT_TEXT.test(text.trim()) ? 1 : -1;
        votes.set(name, (votes.get(name) ?? 0) + vote);
      }
    }
  const names = [...votes].filter(([, vote]) => vote > 0).map(([name]) => name);
  const title = TITLES.find((name) => names.includes(name)) ?? names[0];
  return { title, attributes: [title, ...names.filter((name) => name !== title)] };
}

/** Endless vectors of unit length in clusters, like embeddings. */
export function vectorSource(dimensions, seed = 7) {
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const centres = Array.from({ length: CENTRES }, () => Array.from({ length: dimensions }, normal));
  return () => {
    const centre = centres[Math.floor(random() * CENTRES)];
    const raw = centre.map((component) => component + normal());
    const length = Math.sqrt(raw.reduce((sum, component) => sum + component * component, 0));
    return raw.map((component) => Math.round((component / length) * UNITS) / UNITS);
  };
}

const sentencesOf = (text) => text.match(/[^.]+\.?/g).map((sentence) => sentence.trim());

/** The same text with other digits. */
const otherCode = (text, random) => text.replace(/\d/g, () => String(Math.floor(random() * 10)));
