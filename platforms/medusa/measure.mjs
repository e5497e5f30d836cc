// Medusa's Search Module alone, with tandem-search/medusa and with the vendor's provider, over one catalogue in one run: quality by human
// judgements, times, and counts against the truth. `node measure.mjs FOLDER`; FOLDER has records.jsonl.gz, queries.jsonl and qrels.tsv.
// Prints tables; exits with 1 where a count of ours is not the truth.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { startPostgres } from "./postgres.mjs";

const require = createRequire(import.meta.url);
const { MedusaApp, MedusaAppMigrateUp } = require("@medusajs/framework/modules-sdk");
const { search } = require("@medusajs/framework/utils");

const LEAST_ROUNDS = 3;
const ROUNDS = 20;
/** No further round begins after so many milliseconds. */
const LONGEST = 30_000;
const BATCH = 500;
const WRITES = 300;
const TAKE = 10;

const read = (name) => readFileSync(join(process.argv[2], name));
const linesOf = (text) => text.toString().trim().split("\n");
const records = linesOf(gunzipSync(read("records.jsonl.gz"))).map((line) => JSON.parse(line));
const documents = records.map(({ attributes: _, ...record }) => record);
const queries = linesOf(read("queries.jsonl")).map((line) => JSON.parse(line));
const judged = new Map(queries.map(({ id }) => [id, new Map()]));
for (const line of linesOf(read("qrels.tsv"))) {
  const [query, record, grade] = line.split("\t");
  judged.get(query)?.set(record, Number(grade));
}
const answerable = queries.filter(({ id }) => [...judged.get(id).values()].some((grade) => grade > 0));

const gain = (grades) => grades.reduce((sum, grade, i) => sum + (2 ** grade - 1) / Math.log2(i + 2), 0);
/** nDCG@10 with grade 0 for what nobody judged. */
function ndcg(query, ids) {
  const grades = judged.get(query);
  const best = [...grades.values()].toSorted((a, b) => b - a).slice(0, 10);
  return gain(ids.slice(0, 10).map((id) => grades.get(id) ?? 0)) / gain(best);
}
const quantile = (list, q) => list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * q))];
const shown = (n) => (n >= 100 ? n.toFixed(0) : n >= 1 ? n.toFixed(1) : n.toFixed(2));
async function timed(work) {
  const start = performance.now();
  const value = await work();
  return { value, ms: performance.now() - start };
}
const row = (...cells) => console.log(`| ${cells.join(" | ")} |`);
function table(...columns) {
  console.log("");
  row(...columns);
  row(...columns.map(() => "---"));
}

const OURS = "tandem-search";
const THEIRS = "search-postgres";
/** The index of ours that has vectors too; theirs knows none on PostgreSQL. */
const MEANING = `${OURS}-meaning`;
const fields = {
  id: search.keyword().filterable(),
  title: search.text().searchable({ weight: 3 }),
  name: search.keyword().searchable(),
  brand: search.keyword().searchable({ weight: 2 }).filterable().facetable(),
  ean: search.keyword().array().filterable(),
  price: search
    .float()
    .filterable()
    .sortable()
    .facetable({ types: ["range", "stats"] }),
  released: search.date().filterable().sortable(),
  description: search.text().searchable(),
};
const withMeaning = { ...fields, meaning: search.vector(192).embed() };
const meaningOf = ({ title, name, brand, description = "" }) => [title, name, brand, description].join("\n");
const index = (name, provider, schema, list) => ({
  ...{ name, provider, entity: "product", fields: search.define(schema).toFields() },
  async *seed() {
    for (let i = 0; i < list.length; i += BATCH) yield [{ action: "upsert", documents: list.slice(i, i + BATCH) }];
  },
});
const indexes = [
  index(THEIRS, THEIRS, fields, documents),
  index(OURS, OURS, fields, documents),
  index(
    ...[MEANING, OURS, withMeaning],
    documents.map((document) => ({ ...document, meaning: meaningOf(document) })),
  ),
];

const dataDir = mkdtempSync(join(tmpdir(), "tandem-measure-"));
process.once("exit", () => rmSync(dataDir, { recursive: true, force: true }));
const postgres = await startPostgres();
const quiet = () => {};
const providers = [
  { resolve: "@medusajs/search-postgres", id: "postgres" },
  { resolve: "tandem-search/medusa", id: "tandem", options: { dataDir } },
];
const settings = {
  modulesConfig: {
    search: { resolve: "@medusajs/search", options: { providers, default_provider: THEIRS, indexes } },
  },
  sharedResourcesConfig: { database: { clientUrl: postgres.url } },
  injectedDependencies: { logger: { ...console, info: quiet, debug: quiet } },
  cwd: import.meta.dirname,
};
await MedusaAppMigrateUp(settings);
const { search: service } = (await MedusaApp(settings)).modules;
await service.executeIndexMigrationPlan(await service.createIndexMigrationPlan());

const machine = `${cpus()[0].model}, ${cpus().length} cores, load ${loadavg()[0].toFixed(1)}, Node ${process.version}`;
console.log(
  `${documents.length} documents, ${queries.length} queries, ${answerable.length} of them judged; ${machine}`,
);
table("index", "filled in s");
for (const { name } of indexes) row(name, shown((await timed(() => service.reindex({ index: name }))).ms / 1000));

// What an event costs: one document that is there already, written again.
const writes = { [THEIRS]: [], [OURS]: [] };
for (const document of documents.slice(0, WRITES))
  for (const [name, times] of Object.entries(writes))
    times.push((await timed(() => service.upsertDocuments({ index: name, documents: [document] }))).ms);
table("one document written", "p50 ms", "p99 ms");
for (const [name, times] of Object.entries(writes))
  row(name, shown(quantile(times, 0.5)), shown(quantile(times, 0.99)));

const price = { $gte: 10, $lt: 500 };
const brands = { field: "brand", limit: 10 };
/** What is asked: a title, what is added to the words, and the indexes. */
const WAYS = [
  ["all words", () => ({})],
  ["all words, misspelt too", () => ({ search_options: { typo_tolerance: true } })],
  ["any word", () => ({ search_options: { match_strategy: "any" } })],
  ["all words, a filter", () => ({ filters: { price } })],
  [
    ...["all words, a filter, facets"],
    () => ({ filters: { price }, search_options: { facets: [brands, { field: "price", type: "stats" }] } }),
  ],
  ["words and meaning", (query) => ({ search_options: { vector: { field: "meaning", query } } }), [MEANING]],
];

async function measure(way, names) {
  const rows = names.map((name) => ({ name, times: queries.map(() => []), quality: 0, none: 0 }));
  const ask = (entity, q) => {
    const { filters, ...others } = way(q);
    return service.search({ entity, filters: { q, ...filters }, pagination: { take: TAKE }, ...others });
  };
  for (const query of queries)
    for (const one of rows) {
      const { hits, metadata } = await ask(one.name, query.query);
      if (metadata.count === 0) one.none++;
      const ids = hits.map(({ id }) => id);
      if (answerable.includes(query)) one.quality += ndcg(query.id, ids) / answerable.length;
    }
  // In turns, so that what else runs on the machine slows both.
  const end = performance.now() + LONGEST;
  for (let round = 0; round < ROUNDS && (round < LEAST_ROUNDS || performance.now() < end); round++)
    for (const [i, { query }] of queries.entries())
      for (const { name, times } of rows) times[i].push((await timed(() => ask(name, query))).ms);
  return rows.map(({ times, ...one }) => {
    const medians = times.map((list) => quantile(list, 0.5));
    return { ...one, times: [quantile(times.flat(), 0.5), quantile(times.flat(), 0.99), Math.max(...medians)] };
  });
}

table("query", "provider", "nDCG@10", "no hits", "p50 ms", "p99 ms", "median ms of the slowest query", "times as fast");
for (const [title, way, names = [THEIRS, OURS]] of WAYS) {
  const [first, ...others] = await measure(way, names);
  for (const { name, quality, none, times } of [first, ...others]) {
    const ratios = name === OURS ? times.map((ms, i) => shown(first.times[i] / ms)) : [];
    row(title, name, quality.toFixed(3), none, ...times.map(shown), ratios.join(", "));
  }
}

// Counts whose truth a loop over the documents gives.
const counted = new Map();
for (const { brand } of documents) counted.set(brand, (counted.get(brand) ?? 0) + 1);
const frequent = [...counted].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, brands.limit);
const [[first], [second]] = frequent;
const since = "2015-01-01";
const isNew = ({ released }) => Date.parse(released) >= Date.parse(since);
const codes = new Set(documents.slice(0, 50).map(({ ean }) => ean?.[0] ?? ""));
const ids = documents.slice(0, 300).map(({ id }) => id);
const COUNTS = [
  ["all", {}, () => true],
  ["a brand", { brand: first }, ({ brand }) => brand === first],
  ["one of two brands", { brand: [first, second] }, ({ brand }) => brand === first || brand === second],
  ["not a brand", { brand: { $ne: first } }, ({ brand }) => brand !== first],
  ["none of two brands", { brand: { $nin: [first, second] } }, ({ brand }) => brand !== first && brand !== second],
  ["a range of prices", { price: { $gte: 100, $lt: 200 } }, (one) => one.price >= 100 && one.price < 200],
  ["no price", { price: null }, (one) => one.price === undefined],
  ["since a day, as a text", { released: { $gte: since } }, isNew],
  ["since a day, as a Date", { released: { $gte: new Date(since) } }, isNew],
  ["one of 50 codes", { ean: { $overlaps: [...codes] } }, ({ ean }) => ean?.some((code) => codes.has(code))],
  ["or", { $or: [{ brand: first }, { price: { $lt: 20 } }] }, (one) => one.brand === first || one.price < 20],
  ["not all", { $not: { brand: first, price: { $lt: 50 } } }, (one) => !(one.brand === first && one.price < 50)],
  ["300 ids", { id: ids }, ({ id }) => ids.includes(id)],
];
let wrong = 0;
const names = [THEIRS, OURS];
table("filter", "truth", ...names);
for (const [title, filters, holds] of COUNTS) {
  const truth = documents.filter(holds).length;
  const count = ({ metadata }) => metadata.count;
  const searches = names.map((entity) =>
    service.search({ entity, filters, pagination: { take: 1 } }).then(count, ({ type }) => type),
  );
  const counts = await Promise.all(searches);
  if (counts[1] !== truth) wrong++;
  row(title, truth, ...counts);
}
for (const entity of names) {
  const { facets } = await service.search({ entity, pagination: { take: 0 }, search_options: { facets: [brands] } });
  const found = JSON.stringify(facets.brand.values.map(({ value, count }) => [value, count]));
  const isTrue = found === JSON.stringify(frequent);
  if (entity === OURS && !isTrue) wrong++;
  console.log(`\nThe ten most frequent brands, ${entity}: ${isTrue ? "as counted" : found}`);
}
await postgres.stop();
process.exit(wrong === 0 ? 0 : 1);
