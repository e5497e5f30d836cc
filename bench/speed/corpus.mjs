// The records and queries of the bench of speed: recombined real texts, with one model code in six changed, so that any number of
// records can be generated with the word frequencies of the source; or the records of a file as they come. Seeded: every process gets
// the same.

import { readJsonLines, readRecords, seededRandom } from "../support/corpus.mjs";

const DEMO_SOURCES = 5000;
const MOST_SOURCES = 60_000;
/** The number of words of a record, uniform between these; the mean is 58. */
const WORDS = { least: 38, most: 78 };
const MUTATED_SHARE = 1 / 6;
const MISSPELT_SHARE = 0.1;
const GIVEN_SHARE = 0.15;
const MOST_QUERY_WORDS = 6;
const STOCKS = 1000;
const COLORS = "black white grey silver red blue green yellow brown pink purple orange".split(" ");

export const FIELDS = ["title", "name", "brand", "description"];
/** Peers need a text in each field. */
const NO_TEXTS = Object.fromEntries(FIELDS.map((name) => [name, ""]));
export const FACETS = ["brand", "category", "colors"];
export const CATEGORIES = Array.from({ length: 20 }, (_, i) => `Aisle ${i + 1}`);

/** Texts to recombine, as lists of words; with `real`, all records of the file as they come, in `whole`. */
export async function readSources(path, { real = false } = {}) {
  if (real)
    return { whole: (await readRecords(path, Number.POSITIVE_INFINITY)).map((record) => ({ ...NO_TEXTS, ...record })) };
  const records = await readRecords(path, path === undefined ? DEMO_SOURCES : MOST_SOURCES);
  return records
    .map((record) => ({
      title: wordsOf(record.title ?? record.name ?? record.product_name),
      name: wordsOf(record.name ?? record.product_name ?? record.sku),
      brand: String(record.brand ?? "No name"),
      description: wordsOf(record.description),
    }))
    .filter(({ title }) => title.length > 0);
}

/** The first `size` products, `batch` at a time; always the same, whatever the size. A file may have fewer than `size`. */
export function* productBatches(sources, size, batch = 10_000) {
  if (sources.whole !== undefined) {
    const all = sources.whole.slice(0, size);
    for (let i = 0; i < all.length; i += batch) yield JSON.parse(JSON.stringify(all.slice(i, i + batch)));
    return;
  }
  const random = seededRandom(11);
  for (let id = 1; id <= size; ) {
    const products = [];
    for (; products.length < batch && id <= size; id++) products.push(makeProduct(sources, id, random));
    // As if read from a file: records share no strings.
    yield JSON.parse(JSON.stringify(products));
  }
}

function makeProduct(sources, id, random) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const [model, other] = [pick(sources), pick(sources)];
  const change = (words) =>
    words.map((word) => (isCode(word) && random() < MUTATED_SHARE ? otherDigits(word, random) : word));
  const title = change(recombine(model.title, other.title));
  const name = change(model.name);
  const target = WORDS.least + Math.floor(random() * (WORDS.most - WORDS.least + 1));
  const wanted = Math.max(5, target - countWords(title) - countWords(name) - 1);
  const description = [];
  let count = 0;
  for (let tries = 0; count < wanted && tries < 100; tries++)
    for (const word of halfOf(pick(sources).description, random)) {
      if (count >= wanted) break;
      count += countWords([word]);
      description.push(word);
    }
  return {
    id: String(id),
    title: title.join(" "),
    name: name.join(" "),
    brand: model.brand,
    description: change(description).join(" "),
    category: pick(CATEGORIES),
    stock: Math.floor(random() * STOCKS),
    colors: [...new Set(Array.from({ length: Math.floor(random() * 4) }, () => pick(COLORS)))],
  };
}

/**
 * `count` different queries of one to six words: adjacent title words, some given queries, one in ten misspelt. For the records of a file as
 * they come, the given queries as they come.
 */
export async function makeQueries(sources, count, path) {
  if (sources.whole !== undefined) return givenQueries(path, count);
  const random = seededRandom(12);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const given = [];
  if (path !== undefined)
    for await (const { query } of readJsonLines(path)) {
      const words = String(query).match(WORD) ?? [];
      if (words.length > 0) given.push(words.slice(0, MOST_QUERY_WORDS).join(" "));
    }
  const queries = new Map();
  for (let tries = 0; queries.size < count; tries++) {
    if (tries > 100 * count) throw new Error(`The records give only ${queries.size} different queries of ${count}.`);
    const query = given.length > 0 && random() < GIVEN_SHARE ? pick(given) : titleWords(pick(sources), random);
    const asked = random() < MISSPELT_SHARE ? misspell(query, random) : query;
    const words = plainWords(asked).join(" ");
    if (words !== "" && !queries.has(words)) queries.set(words, asked);
  }
  return [...queries.values()];
}

async function givenQueries(path, count) {
  const queries = new Map();
  for await (const { query } of readJsonLines(path)) {
    const words = plainWords(String(query)).join(" ");
    if (words !== "" && queries.size < count) queries.set(words, query);
  }
  return [...queries.values()];
}

/** Filters by the share of records that pass: one half, one in twenty, one in a thousand. */
export const FILTERS = {
  "50 %": (i) => ({ stock: { gte: i % (STOCKS / 2), lt: (i % (STOCKS / 2)) + STOCKS / 2 } }),
  "5 %": (i) => ({ category: CATEGORIES[i % CATEGORIES.length] }),
  "0.1 %": (i) => ({ stock: { gte: i % STOCKS, lt: (i % STOCKS) + 1 } }),
};

/** Runs of letters and digits, in lower case. */
export const plainWords = (text) => text.toLowerCase().match(WORD) ?? [];

const WORD = /[\p{L}\p{N}]+/gu;
const wordsOf = (text) => (typeof text === "string" ? text.split(/\s+/).filter((word) => word !== "") : []);
const countWords = (words) => words.reduce((sum, word) => sum + (word.match(WORD)?.length ?? 0), 0);
const isCode = (word) => /^(?=.*\d)(?=.*\p{L}).{5,}$/u.test(word);
const otherDigits = (word, random) => word.replace(/\d/g, () => String(Math.floor(random() * 10)));

/** The first half of one, the second half of the other. */
const recombine = (one, other) => [
  ...one.slice(0, Math.ceil(one.length / 2)),
  ...other.slice(Math.ceil(other.length / 2)),
];

function halfOf(words, random) {
  const middle = Math.ceil(words.length / 2);
  return random() < 0.5 ? words.slice(0, middle) : words.slice(middle);
}

function titleWords({ title }, random) {
  const words = title.join(" ").match(WORD) ?? ["nothing"];
  const count = Math.min(words.length, 1 + Math.floor(random() * MOST_QUERY_WORDS));
  const from = Math.floor(random() * (words.length - count + 1));
  return words.slice(from, from + count).join(" ");
}

/** Swaps two adjacent letters of the longest word, or drops one. */
function misspell(query, random) {
  const words = query.split(" ");
  const longest = words.reduce((best, word, i) => (word.length > words[best].length ? i : best), 0);
  const word = words[longest];
  const at = 1 + Math.floor(random() * Math.max(1, word.length - 2));
  const swapped = random() < 0.5 ? (word[at + 1] ?? "") + (word[at] ?? "") : (word[at + 1] ?? "");
  words[longest] = word.slice(0, at) + swapped + word.slice(at + 2);
  return words.join(" ");
}
