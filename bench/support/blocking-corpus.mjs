// What the bench of blocking indexes: real records with a few made-up attributes whose selectivity is known, records with
// vectors of their own, and the words that most and that no records hold.

import { readRecords, seededRandom, textAttributes } from "./corpus.mjs";

/** Groups of about so many records, for `distinct`. */
const GROUP = 20;
const CENTRES = 256;
/** Digits of a component: what an embedding service sends. */
const UNITS = 1e5;

/** The first `size` records of a file, over and over with new ids where it holds fewer, each with made-up attributes. */
export async function markedRecords(path, size) {
  const own = await readRecords(path, size);
  const ranks = shuffled(size, 5);
  return Array.from({ length: size }, (_, i) => {
    const record = own[i % own.length];
    const id = i < own.length ? record.id : `${record.id}-${Math.floor(i / own.length)}`;
    return { ...record, id, bench_rank: ranks[i], bench_group: `group ${i % Math.ceil(size / GROUP)}` };
  });
}

/** Titles, made-up attributes, and a vector each: unit length, in clusters as embeddings are. */
export async function vectorRecords(path, size, dimensions) {
  const marked = await markedRecords(path, size);
  const { title } = textAttributes(marked);
  const draw = vectorSource(dimensions);
  return marked.map(({ id, bench_rank, bench_group, [title]: text }) => ({
    id,
    title: String(text ?? ""),
    bench_rank,
    bench_group,
    bench_shelf: `shelf ${bench_rank % 500}`,
    vector: draw(),
  }));
}

/** Gives vectors without end, each near one of some centres. */
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

/** Words of letters, those that most records hold first, and some that none does. */
export function wordsOf(records) {
  const { attributes } = textAttributes(records);
  const counts = new Map();
  for (const record of records) {
    const text = attributes.map((name) => record[name] ?? "").join(" ");
    const words =
      String(text)
        .toLowerCase()
        .match(/[a-z]{3,30}/g) ?? [];
    for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const frequent = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([word]) => word);
  return { frequent, misspelt: misspell(frequent, counts) };
}

/** Two letters of each longer word change, so that it may be mended at the greatest distance. */
function misspell(frequent, counts) {
  const random = seededRandom(9);
  const found = [];
  for (const word of frequent) {
    if (found.length >= 1000) break;
    if (word.length < 8) continue;
    const letters = [...word];
    for (const at of [2, word.length - 2]) letters[at] = "qxzjkv"[Math.floor(random() * 6)];
    if (!counts.has(letters.join(""))) found.push(letters.join(""));
  }
  return found;
}

function shuffled(size, seed) {
  const random = seededRandom(seed);
  const ranks = Array.from({ length: size }, (_, i) => i);
  for (let i = size - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [ranks[i], ranks[j]] = [ranks[j], ranks[i]];
  }
  return ranks;
}
