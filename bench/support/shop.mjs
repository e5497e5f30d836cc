// The shop of the language bench: real titles and descriptions recombined, with brand, category, price, stock and colours
// made up by a seeded generator, so that the share of records that a filter passes is known; and what is asked of it.

import { readRecords, seededRandom, textAttributes } from "./corpus.mjs";

/** Records whose texts are recombined, at most. */
const SOURCES = 60_000;
/** Made-up descriptions are no longer than this. */
const MOST_WORDS = 40;
const BRANDS = Array.from(
  { length: 50 },
  (_, i) => `${"BDFGKLMNRT"[i % 10]}${["avo", "eru", "ilo", "onta", "usk"][i % 5]}${"xnst"[i % 4]}${i}`,
);
const CATEGORIES = Array.from({ length: 20 }, (_, i) => `Aisle ${i + 1}`);
const COLORS = "black white grey silver red blue green yellow brown pink purple orange".split(" ");
const STOCK = 100;
/** Which engines leave out, if at all, each by its own rule: no query holds them. */
const STOP_WORDS =
  /^(?:about|all|and|are|but|can|for|from|has|have|her|his|how|into|its|more|not|our|out|over|than|that|the|their|them|then|these|they|this|under|very|was|what|when|which|who|will|with|you|your)$/i;
/** Prices lie between 2 and 2,000, as many in each tenth of the logarithm. */
const priceAt = (share) => Math.round(200 * 1000 ** share) / 100;

/** What the shop's records hold, and which of it is searched. */
export const SHOP_FIELDS = { title: "title", attributes: ["title", "description", "brand"] };
export const FACETS = ["brand", "category", "colors"];

/** Titles and descriptions to recombine, as lists of words. */
export async function readTexts(path) {
  const records = await readRecords(path, path === undefined ? 10_000 : SOURCES);
  const { title } = textAttributes(records);
  return records
    .map((record) => ({ title: wordsOf(record[title]), description: wordsOf(record.description).slice(0, MOST_WORDS) }))
    .filter((text) => text.title.length > 0);
}

/** The first `size` products of the shop. */
export function shopRecords(texts, size) {
  const random = seededRandom(3);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const brands = zipf(BRANDS, random);
  return Array.from({ length: size }, (_, id) => {
    const title = recombine(pick(texts).title, pick(texts).title);
    const description = recombine(pick(texts).description, pick(texts).description);
    const record = {
      id: String(id + 1),
      title: title.map((word) => (isCode(word) ? otherDigits(word, random) : word)).join(" "),
      description: description.join(" "),
      brand: brands(),
      category: pick(CATEGORIES),
      price: priceAt(random()),
      stock: Math.floor(random() * STOCK),
      colors: [...new Set(Array.from({ length: Math.floor(random() * 4) }, () => pick(COLORS)))],
    };
    // Each record as a file would bring it, sharing no text with another.
    return JSON.parse(JSON.stringify(record));
  });
}

/** Every row of the bench: its requests are the same for all engines. `needs` is what an engine must be able to do. */
export function languageRows(texts, count) {
  const records = shopRecords(texts, 5000);
  const known = new Set(
    texts.flatMap(({ title, description }) => [...title, ...description]).map((word) => word.toLowerCase()),
  );
  const random = seededRandom(4);
  const queries = Array.from({ length: count }, () => titleWords(records, random));
  const make = (change) => queries.map(change);
  const filtered = (filterAt) => make((words, i) => ({ query: words.join(" "), filter: filterAt(i) }));
  const category = (i) => CATEGORIES[i % CATEGORIES.length];
  const window = (share, i) => [priceAt((1 - share) * ((i % 37) / 36)), priceAt((1 - share) * ((i % 37) / 36) + share)];
  return [
    { key: "plain", label: "plain words", requests: make((words) => ({ query: words.join(" ") })) },
    {
      key: "filter50",
      label: "filter passing 50 %",
      requests: filtered((i) => ({ ranges: { stock: [i % (STOCK / 2), (i % (STOCK / 2)) + STOCK / 2] } })),
    },
    { key: "filter5", label: "filter passing 5 %", requests: filtered((i) => ({ category: category(i), ranges: {} })) },
    {
      key: "filter01",
      label: "filter passing 0.1 %",
      requests: filtered((i) => ({ category: category(i), ranges: { price: window(0.02, i) } })),
    },
    {
      key: "facets",
      label: "3 facets, 1 clicked group",
      needs: "facets",
      requests: make((words, i) => ({ query: words.join(" "), clicked: [BRANDS[i % 8], BRANDS[8 + (i % 5)]] })),
    },
    {
      key: "mended",
      label: "one word misspelt",
      requests: make((words) => ({ query: misspellOne(words, known, random), mends: true })),
    },
    { key: "prefix", label: "last word cut", requests: make((words) => ({ query: cutLast(words), completes: true })) },
  ];
}

/** One request that uses every attribute that any row filters or counts by. */
export const USES_ALL_COLUMNS = {
  query: "the",
  filter: { category: CATEGORIES[0], ranges: { price: [0, 1], stock: [0, 1] } },
  clicked: [BRANDS[0]],
};

const wordsOf = (text) => (typeof text === "string" ? text.split(/\s+/).filter((word) => word !== "") : []);
const isCode = (word) => /^(?=.*\d)(?=.*\p{L}).{5,}$/u.test(word);
const otherDigits = (word, random) => word.replace(/\d/g, () => String(Math.floor(random() * 10)));

/** The first half of one, the second half of the other. */
const recombine = (one, other) => [
  ...one.slice(0, Math.ceil(one.length / 2)),
  ...other.slice(Math.ceil(other.length / 2)),
];

/** Draws from a list: the k-th as often as 1 / k says. */
function zipf(list, random) {
  const sums = [];
  for (const i of list.keys()) sums.push((sums[i - 1] ?? 0) + 1 / (i + 1));
  return () => {
    const at = random() * sums.at(-1);
    return list[sums.findIndex((sum) => at < sum)];
  };
}

/** One to three neighbouring words of a title, plain letters and no stop words, the last of five or more. */
function titleWords(records, random) {
  for (;;) {
    const { title } = records[Math.floor(random() * records.length)];
    const words =
      title.match(/[\p{L}\p{N}-]+/gu)?.filter((word) => /^\p{L}{3,}$/u.test(word) && !STOP_WORDS.test(word)) ?? [];
    const from = Math.floor(random() * words.length);
    const chosen = words.slice(from, from + 1 + Math.floor(random() * 3));
    if (chosen.length > 0 && chosen.at(-1).length >= 5) return chosen;
  }
}

/** One letter of the last word, not its first, is lost, doubled or another, such that no record holds it. */
function misspellOne(words, known, random) {
  const last = words.at(-1);
  for (;;) {
    const at = 1 + Math.floor(random() * (last.length - 1));
    const letter = "abcdefghijklmnopqrstuvwxyz"[Math.floor(random() * 26)];
    const middle = ["", last[at] + last[at], letter][Math.floor(random() * 3)];
    const misspelt = last.slice(0, at) + middle + last.slice(at + 1);
    if (!known.has(misspelt.toLowerCase())) return [...words.slice(0, -1), misspelt].join(" ");
  }
}

/** The last word, cut to its first half. */
const cutLast = (words) =>
  [...words.slice(0, -1), words.at(-1).slice(0, Math.max(3, words.at(-1).length / 2))].join(" ");
