// The tasks of the memory bench, each in a process of its own: adding and deleting records, queries of new words, creating and
// deleting indexes, and calls with one signal, all of which need bounded memory; and the memory of a record.

import { getEventListeners } from "node:events";
import { SearchEngine } from "../../dist/index.js";
import { readRecords, seededRandom } from "./corpus.mjs";
import { answerTask, memory } from "./measure.mjs";

const WORDS = 20_000;
const BRANDS = 50;

/** Adds and deletes records, `batch` at a time, so that half of 2 * `size` ids exist at any time. */
async function churn({ count, batch, size, dimensions, vectorIndex, samples }) {
  const engine = new SearchEngine();
  const index = await engine.createIndex("bench", {
    vectorAttribute: "vector",
    dimensions,
    embedder: false,
    vectorIndex,
  });
  const random = seededRandom(21);
  const vectors = vectorMaker(random, dimensions);
  const recordAt = (id) => ({ ...makeRecord(id, random), vector: vectors() });
  await index.addRecords(Array.from({ length: size }, (_, id) => recordAt(id)));
  // A ring of ids: the oldest records are deleted, and as many new ones are added.
  let first = 0;
  const step = async (i) => {
    const ids = Array.from({ length: batch }, (_, k) => (first + k) % (2 * size));
    if (i % 2 === 0) await index.addRecords(ids.map((id) => recordAt((id + size) % (2 * size))));
    else {
      await index.deleteRecords(ids);
      first = (first + batch) % (2 * size);
    }
    if (i % 50 === 0) await index.query({ query: wordAt(i % WORDS), vector: vectors(), facets: ["brand"] });
  };
  const result = await sampleWhile({
    count: Math.ceil(count / batch),
    samples,
    step,
    settle: () => index.whenIdle(),
  });
  await engine.close();
  return result;
}

/** Queries, each with words that no query had before. */
async function newWords({ count, size, kind, samples }) {
  const engine = new SearchEngine();
  const index = await engine.createIndex("bench");
  const random = seededRandom(22);
  await index.addRecords(Array.from({ length: size }, (_, id) => makeRecord(id, random)));
  const step = (i) => index.query(NEW_WORDS[kind](i, random));
  return sampleWhile({ count, samples, step });
}

const NEW_WORDS = {
  // Two new words and a known one; no word is near enough to correct them.
  unknown: (i, random) => ({
    query: `${newWord(2 * i)} ${newWord(2 * i + 1)} ${pickWord(random)}`,
    typoTolerance: false,
  }),
  // A known word with new letters in it.
  misspelt: (i, random) => ({ query: misspell(pickWord(random), i) }),
  codes: (i) => ({ query: `${i}x-${newWord(i)} ${i}.5 mm ab${i}`, typoTolerance: false }),
  facets: (i, random) => ({
    query: `${newWord(i)} ${pickWord(random)}`,
    typoTolerance: false,
    facets: ["brand", "price"],
    filters: `price > ${i / 1e6} OR brand:"${newWord(i)}"`,
    facetFilters: [[`brand:${newWord(i)}`, "brand:Brand 1"]],
  }),
};

/** Creates indexes, adds three records, runs queries, and deletes the indexes. */
async function indexes({ count, dimensions, kind, samples }) {
  const engine = new SearchEngine();
  const random = seededRandom(23);
  const vectors = vectorMaker(random, dimensions);
  const settings = INDEX_KINDS[kind](dimensions);
  const step = async (i) => {
    const name = `bench-${i}`;
    const index = await engine.createIndex(name, settings);
    await index.addRecords([0, 1, 2].map((id) => ({ ...makeRecord(id, random), vector: vectors() })));
    await index.query({ query: pickWord(random), facets: ["brand"], filters: "price > 1" });
    await engine.deleteIndex(name);
  };
  return sampleWhile({ count, samples, step });
}

const INDEX_KINDS = {
  default: () => ({}),
  graph: (dimensions) => ({ vectorAttribute: "vector", dimensions, vectorIndex: { kind: "hnsw" } }),
};

/** Writes or queries with a signal: always the same one, or a new one each. */
async function signals({ count, verb, fresh, samples }) {
  const engine = new SearchEngine();
  const index = await engine.createIndex("bench", { embedder: false });
  const random = seededRandom(24);
  await index.addRecords(Array.from({ length: 100 }, (_, id) => makeRecord(id, random)));
  const one = new AbortController().signal;
  const step = (i) => {
    const signal = fresh ? new AbortController().signal : one;
    // Few words, because caches of words are not measured here.
    if (verb === "query") return index.query({ query: wordAt(i % 100) }, { signal });
    return index.deleteRecords([`none-${i}`], { signal });
  };
  const extra = () => ({ listeners: getEventListeners(one, "abort").length });
  return sampleWhile({ count, samples, step, settle: () => index.whenIdle(), extra });
}

function makeRecord(id, random) {
  const words = Array.from({ length: 12 }, () => pickWord(random));
  return {
    id: String(id),
    title: words.slice(0, 4).join(" "),
    description: words.slice(4).join(" "),
    brand: `Brand ${Math.floor(random() * BRANDS)}`,
    price: Math.round(random() * 1e5) / 100,
  };
}

function vectorMaker(random, dimensions) {
  return () => Array.from({ length: dimensions }, () => Math.round((random() - 0.5) * 1e4) / 1e4);
}

/** Words of the records: the k-th of 20,000, each of letters alone, six to nine of them. */
const wordAt = (k) => `w${letters(k * 7919 + 456_976)}`;
const pickWord = (random) => wordAt(Math.floor(random() ** 2 * WORDS));
/** Words that no record contains and that occur only once. */
const newWord = (i) => `zq${letters(i + 11_881_376)}`;
const misspell = (word, i) => `${word.slice(0, 3)}${"bcdfghjklm"[i % 10]}${word.slice(3)}${i % 3 === 0 ? "x" : ""}`;

function letters(number) {
  let text = "";
  for (let rest = number; rest > 0; rest = Math.floor(rest / 26)) text += String.fromCharCode(97 + (rest % 26));
  return text;
}

/**
 * Calls `step(i)` for i from 0 to `count` - 1, after a tenth as many warm-up steps, and takes samples; `settle` runs before each sample,
 * `extra` adds to it.
 */
async function sampleWhile({ count, samples: wanted, step, settle = async () => {}, extra = () => ({}) }) {
  const started = performance.now();
  const warmup = Math.ceil(count / 10);
  let done = 0;
  const until = async (end) => {
    while (done < end) await step(done++);
    await settle();
    return { ...(await memory()), ...extra() };
  };
  const samples = [await until(warmup)];
  for (let i = 1; i <= wanted; i++) samples.push(await until(warmup + Math.ceil((i * count) / wanted)));
  return { count, samples, seconds: (performance.now() - started) / 1000 };
}

/** The bytes of each part, of V8's heap and external memory, and of the process. */
async function parts({ path, size }) {
  const bytes = await jsonBytes(path, size);
  const engine = new SearchEngine();
  // Memory that is loaded once does not belong to the records.
  await fill(engine, "first", {}, await readRecords(path, 1));
  await engine.query("first", { query: "zzzzqq" });
  const measured = [{ part: "JSON of the records, for comparison", held: bytes, rss: bytes }];
  const measure = async (part, make) => {
    const before = await memory();
    await make();
    const after = await memory();
    measured.push({
      part,
      held: after.held - before.held,
      heap: after.heapUsed - before.heapUsed,
      rss: after.rss - before.rss,
    });
  };
  const records = () => readRecords(path, size);
  await measure("records and words", async () => fill(engine, "words", { embedder: false }, await records()));
  await measure("words as written (first mended word)", () => engine.query("words", { query: "zzzzqqqq" }));
  await measure('columns of all attributes (facets ["*"])', () =>
    engine.query("words", { query: "", facets: ["*"], hitsPerPage: 0 }),
  );
  await engine.deleteIndex("words");
  await measure("all by default, with vectors of 192", async () => fill(engine, "default", {}, await records()));
  await measure("a graph of these vectors", async () => {
    await engine.updateSettings("default", { vectorIndex: { kind: "hnsw" } });
    await engine.index("default").whenIdle();
  });
  await measure("after deleteIndex, less", () => engine.deleteIndex("default"));
  return { measured, size };
}

async function jsonBytes(path, size) {
  const records = await readRecords(path, size);
  return records.reduce((sum, record) => sum + Buffer.byteLength(JSON.stringify(record)), 0);
}

async function fill(engine, name, settings, records) {
  const index = await engine.createIndex(name, settings);
  await index.addRecords(records);
  await index.whenIdle();
}

const WORKS = { parts, churn, newWords, indexes, signals };

answerTask(({ work, ...task }) => WORKS[work](task));
