// Compares the answers of two builds of tandem-search, bit by bit: whole envelopes without their clocks. For changes of speed, which must
// change no answer. Ends with 1 if one differs.
//
// Two indexes, by words and by words and meaning, get the same records, with places and stock by seed; then some are written again and
// some deleted. Queries of all kinds take their texts from the files by turns; each query is asked of one of the indexes.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { readJsonLines, readRecords, seededRandom } from "./support/corpus.mjs";

const HELP = `node bench/same-answers.mjs OLD NEW [options]
  OLD, NEW        folders of two checkouts that are built
  --records FILE  JSON Lines, plain or .gz, with title, brand and price; default: the demo catalogue
  --queries FILE  JSON Lines with a "query"; may be given several times; default: titles of the records
  --size N        records; default 20000
  --count N       queries; default 1400
  --seed N        default 1`;

const CLOCKS = new Set(["serverTimeMS", "processingTimeMS"]);
const WRITTEN_SHARE = 0.02;
const SHOWN = 5;

const options = readOptions();
const random = seededRandom(options.seed);
const pick = (list) => list[Math.floor(random() * list.length)];

const records = (await readRecords(options.records, options.size)).map((record) => ({
  ...record,
  stock: Math.floor(random() * 1000),
  ...(random() < 0.9 && { _geoloc: { lat: 40 + 15 * random(), lng: 30 * random() } }),
}));
const ids = records.map(({ id }) => String(id));
const brands = [...new Set(records.map(({ brand }) => brand).filter(Boolean))];
const texts = await readTexts();

const cut = (text) => text.slice(0, Math.max(2, text.length - 2));
const swapped = (text) => text.replace(/(\w)(\w)(\w{3,})/, "$1$3$2");
const stock = () => Math.floor(random() * 1000);
const place = () => `${40 + 15 * random()},${30 * random()}`;

/** Calls of all kinds, by name. */
const KINDS = {
  plain: (query) => ["query", { query }],
  typo: (query) => ["query", { query: swapped(query), getParsedQuery: true }],
  prefix: (query) => ["query", { query: cut(query), hitsPerPage: 30 }],
  explain: (query) => ["query", { query, explain: true, getMatchInfo: true }],
  highlight: (query) => ["query", { query, attributesToHighlight: ["*"], attributesToSnippet: ["description:12"] }],
  facets: (query) => ["query", { query, facets: ["brand", "price"], filters: { stock: { gte: stock() } } }],
  filter: (query) => ["query", { query, filters: { brand: pick(brands) }, matching: "any" }],
  sort: (query) => ["query", { query, sort: ["price:asc"], page: 1 + Math.floor(random() * 3) }],
  boost: (query) => ["query", { query, boosts: [{ attribute: "stock", weight: 0.05 }] }],
  place: (query) => ["query", { query, aroundLatLng: place(), aroundRadius: 400_000 }],
  sentence: (query) => ["query", { query: `cheapest ${query} under ${10 + stock()}`, understand: true }],
  rules: (query) => ["query", { query, enableRules: true, distinct: true }],
  suggest: (query) => ["suggest", { query: cut(query) }],
  similar: () => ["similar", pick(ids), { hitsPerPage: 20 }],
};

const calls = [];
for (let i = 0; i < options.count; i++) {
  const names = Object.keys(KINDS);
  const name = names[i % names.length];
  const [verb, ...args] = KINDS[name](pick(texts));
  calls.push({ name, index: pick(["words", "both"]), verb, args });
}
const rewritten = records.filter(() => random() < WRITTEN_SHARE).map((record) => ({ ...record, stock: stock() }));
const gone = ids.filter(() => random() < WRITTEN_SHARE);
const promoted = calls.flatMap(({ name, args }) => (name === "rules" ? [args[0].query] : [])).slice(0, 50);

const [old, now] = [await answersOf(options.builds[0]), await answersOf(options.builds[1])];
report(old, now);

/** All answers of a build. */
async function answersOf(build) {
  const { SearchEngine } = await import(pathToFileURL(build).href);
  const engine = new SearchEngine({ onWarning: () => {} });
  const settings = {
    attributesForFaceting: ["brand", "price", "stock"],
    attributeForDistinct: "brand",
    rules: promoted.map((pattern, i) => ({
      id: String(i),
      conditions: [{ pattern, anchoring: "contains" }],
      consequence: { promote: [{ id: ids[(i * 7) % ids.length], position: i % 3 }] },
    })),
  };
  for (const [name, more] of [
    ["words", { embedder: false }],
    ["both", {}],
  ]) {
    const index = await engine.createIndex(name, { ...settings, ...more });
    for (let at = 0; at < records.length; at += 5000) await index.addRecords(records.slice(at, at + 5000));
    await index.addRecords(rewritten);
    await index.deleteRecords(gone);
    await index.whenIdle();
  }
  const answers = [];
  for (const { index, verb, args } of calls)
    answers.push(
      await engine[verb](index, ...args).catch(({ code, error, param, msg }) => ({ code, error, param, msg })),
    );
  return answers.map((answer) =>
    JSON.parse(JSON.stringify(answer, (key, value) => (CLOCKS.has(key) ? undefined : value))),
  );
}

function report(old, now) {
  const differing = calls.map((call, i) => ({ ...call, i })).filter(({ i }) => !isDeepStrictEqual(old[i], now[i]));
  const failed = now.filter(({ code }) => code !== 200).length;
  const found = now.filter(({ data }) => (data?.nbHits ?? data?.suggestions?.length ?? 0) > 0).length;
  console.log(
    `${calls.length} calls of ${Object.keys(KINDS).length} kinds on ${records.length} records, ${texts.length} texts: ` +
      `${found} found something, ${failed} were refused, ${differing.length} differ`,
  );
  for (const { name, index, args, i } of differing.slice(0, SHOWN)) {
    console.log(`\n${name}, ${index}: ${JSON.stringify(args)}`);
    console.log(`old ${JSON.stringify(old[i]).slice(0, 1000)}\nnew ${JSON.stringify(now[i]).slice(0, 1000)}`);
  }
  process.exitCode = differing.length === 0 ? 0 : 1;
}

async function readTexts() {
  const read = [];
  for (const file of options.queries)
    for await (const { query } of readJsonLines(file)) if (typeof query === "string" && query !== "") read.push(query);
  return read.length > 0 ? read : records.map(({ title }) => title.split(" ").slice(0, 3).join(" "));
}

function readOptions() {
  const string = { type: "string" };
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...{ records: string, size: string, count: string, seed: string },
      queries: { ...string, multiple: true },
      help: { type: "boolean" },
    },
  });
  const { records, queries = [], size = "20000", count = "1400", seed = "1" } = values;
  const builds = positionals.map((folder) => resolve(folder, "dist/index.js"));
  const numbers = { size: Number(size), count: Number(count), seed: Number(seed) };
  if (
    values.help ||
    builds.length !== 2 ||
    !builds.every(existsSync) ||
    !Object.values(numbers).every(Number.isSafeInteger)
  ) {
    console[values.help ? "log" : "error"](HELP);
    process.exit(values.help ? 0 : 2);
  }
  return { records, queries, builds, ...numbers };
}
