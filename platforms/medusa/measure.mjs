// Medusa's Search Module alone, with tandem-search/medusa and with the vendor's provider, over one catalogue in one run: quality by human
// judgements, times, and counts against the truth. `node measure.mjs FOLDER`; FOLDER has records.jsonl.gz,
// queries.jsonl and qrels.tsv. Prints Markdown tables; exits with 1 where a count of ours is not the truth.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { startPostgres } from "./postgres.mjs";

const require = createRequire(import.meta.url);
const { MedusaApp, MedusaAppMigrateUp } = require("@medusajs/framework/modules-sdk");
const { search } = require("@medusajs/framework/utils");

const folder = process.argv[2];
const ONLY = process.env.ONLY?.split(",");
const ROUNDS = 5;
/** No further round begins after so many milliseconds. */
const LONGEST = 30_000;

const read = (name) => readFileSync(join(folder, name));
const lines = (text) => text.toString().trim().split("\n");
const records = lines(gunzipSync(read("records.jsonl.gz"))).map((line) => JSON.parse(line));
const documents = records.map(({ attributes: _, ...record }) => record);
const queries = lines(read("queries.jsonl")).map((line) => JSON.parse(line));
const judged = new Map(queries.map(({ id }) => [id, new Map()]));
for (const line of lines(read("qrels.tsv"))) {
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
const textOf = ({ title, name, brand, description = "" }) => [title, name, brand, description].join("\n");
async function* inBatches(list) {
  for (let i = 0; i < list.length; i += 500) yield [{ action: "upsert", documents: list.slice(i, i + 500) }];
}
const index = (name, provider, schema, list) => ({
  name,
  entity: "product",
  provider,
  fields: search.define(schema).toFields(),
  seed: () => inBatches(list),
});
const OURS = "tandem-search";
const THEIRS = "search-postgres";
const indexes = [
  index("theirs", THEIRS, fields, documents),
  index("ours", OURS, fields, documents),
  index(
    "meaning",
    OURS,
    { ...fields, meaning: search.vector(192).embed() },
    documents.map((one) => ({ ...one, meaning: textOf(one) })),
  ),
].filter(({ name }) => ONLY === undefined || ONLY.includes(name));

const dataDir = mkdtempSync(join(tmpdir(), "tandem-measure-"));
process.once("exit", () => rmSync(dataDir, { recursive: true, force: true }));
const postgres = await startPostgres();
const logger = {
  ...console,
  info() {},
  debug() {},
  activity() {},
  progress() {},
  success() {},
  failure: console.error,
};

const providers = [
  { resolve: "@medusajs/search-postgres", id: "postgres" },
  { resolve: "tandem-search/medusa", id: "tandem", options: { dataDir } },
].filter(({ id }) => id === "postgres" || indexes.some(({ provider }) => provider === OURS));
const options = {
  modulesConfig: {
    search: { resolve: "@medusajs/search", options: { providers, default_provider: THEIRS, indexes } },
  },
  sharedResourcesConfig: { database: { clientUrl: postgres.url } },
  injectedDependencies: { logger },
  cwd: import.meta.dirname,
};
await MedusaAppMigrateUp(options);
const app = await MedusaApp(options);
const service = app.modules.search;

async function timed(work) {
  const start = performance.now();
  const value = await work();
  return { value, ms: performance.now() - start };
}
const quantile = (sorted, q) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))];
const shown = (n) => (n === undefined ? "–" : n >= 100 ? n.toFixed(0) : n >= 1 ? n.toFixed(1) : n.toFixed(2));

console.log(
  `${documents.length} documents, ${queries.length} queries (${answerable.length} with a relevant document), at most ${ROUNDS} rounds`,
);
console.log(
  `${cpus()[0].model}, ${cpus().length} cores, Node ${process.version}; load ${loadavg()
    .map((n) => n.toFixed(1))
    .join(" ")}`,
);

await service.executeIndexMigrationPlan(await service.createIndexMigrationPlan());
const seconds = {};
for (const { name } of indexes) {
  const { ms } = await timed(() => service.reindex({ index: name }));
  seconds[name] = ms / 1000;
  console.log(`reindex ${name}: ${shown(seconds[name])} s`);
}

const has = (name) => indexes.some((one) => one.name === name);
const take = 10;
const brands = { field: "brand", limit: 10 };
/** What is asked, by name: the query of the module for some words. */
const WAYS = {
  "all words": (q) => ({ filters: { q }, pagination: { take } }),
  "all words, typos": (q) => ({ filters: { q }, pagination: { take }, search_options: { typo_tolerance: true } }),
  "any word": (q) => ({ filters: { q }, pagination: { take }, search_options: { match_strategy: "any" } }),
  "all words, facets, price filter": (q) => ({
    filters: { q, price: { $gte: 10, $lt: 500 } },
    pagination: { take },
    search_options: { facets: [brands, { field: "price", type: "stats" }] },
  }),
};
const MEANING = {
  "words and meaning": (q) => ({
    filters: { q },
    pagination: { take },
    search_options: { vector: { field: "meaning", query: q } },
  }),
};

async function measure(way, names) {
  const rows = Object.fromEntries(names.map((name) => [name, { times: [], ids: new Map(), none: 0 }]));
  const ask = (name, q) => service.search({ entity: name, ...way(q) });
  for (const { id, query } of queries)
    for (const name of names) {
      const { hits, metadata } = await ask(name, query);
      rows[name].ids.set(
        id,
        hits.map((hit) => hit.id),
      );
      if (metadata.count === 0) rows[name].none++;
    }
  // Both in turns, so that what else runs on the machine slows both.
  const enough = performance.now() + LONGEST;
  for (let round = 0; round < ROUNDS && performance.now() < enough; round++)
    for (const name of names)
      for (const { query } of queries) rows[name].times.push((await timed(() => ask(name, query))).ms);
  return Object.fromEntries(
    Object.entries(rows).map(([name, { times, ids, none }]) => {
      const sorted = times.toSorted((a, b) => a - b);
      const quality = answerable.reduce((sum, { id }) => sum + ndcg(id, ids.get(id)), 0) / answerable.length;
      return [name, { ndcg: quality, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), none }];
    }),
  );
}

console.log(
  "\n| query | provider | nDCG@10 | p50 ms | p99 ms | no hits | p50 ratio | p99 ratio |\n|---|---|--:|--:|--:|--:|--:|--:|",
);
for (const [title, way, wanted] of [
  ...Object.entries(WAYS).map(([title, way]) => [title, way, ["theirs", "ours"]]),
  ...Object.entries(MEANING).map(([title, way]) => [title, way, ["meaning"]]),
]) {
  const found = await measure(way, wanted.filter(has));
  const base = found.theirs;
  for (const [name, one] of Object.entries(found)) {
    const ratio = (key) => (base && name !== "theirs" ? `${shown(base[key] / one[key])}×` : "");
    console.log(
      `| ${title} | ${name} | ${one.ndcg.toFixed(3)} | ${shown(one.p50)} | ${shown(one.p99)} | ${one.none} | ${ratio("p50")} | ${ratio("p99")} |`,
    );
  }
}

// Counts whose truth a loop over the documents gives.
const released = (one) => (one.released === undefined ? undefined : Date.parse(one.released));
const brandCounts = new Map();
for (const { brand } of documents) if (brand !== undefined) brandCounts.set(brand, (brandCounts.get(brand) ?? 0) + 1);
const [first, second] = [...brandCounts].toSorted(([, a], [, b]) => b - a).map(([name]) => name);
const since = "2015-01-01";
const COUNTS = [
  ["all", {}, () => true],
  ["brand", { brand: first }, (one) => one.brand === first],
  ["brands", { brand: [first, second] }, (one) => [first, second].includes(one.brand)],
  ["not brand", { brand: { $ne: first } }, (one) => one.brand !== first],
  ["no brand of", { brand: { $nin: [first, second] } }, (one) => ![first, second].includes(one.brand)],
  ["price", { price: { $gte: 100, $lt: 200 } }, ({ price }) => price >= 100 && price < 200],
  ["no price", { price: null }, ({ price }) => price === undefined],
  ["since", { released: { $gte: since } }, (one) => released(one) >= Date.parse(since)],
  ["one code", { ean: documents[7].ean[0] }, (one) => (one.ean ?? []).includes(documents[7].ean[0])],
  [
    "codes",
    { ean: { $overlaps: documents.slice(0, 50).flatMap(({ ean = [] }) => ean.slice(0, 1)) } },
    (one) => (one.ean ?? []).some((code) => documents.slice(0, 50).some(({ ean = [] }) => ean[0] === code)),
  ],
  ["or", { $or: [{ brand: first }, { price: { $lt: 20 } }] }, (one) => one.brand === first || one.price < 20],
  [
    "not",
    { $not: { $and: [{ brand: first }, { price: { $lt: 50 } }] } },
    (one) => !(one.brand === first && one.price < 50),
  ],
  ["ids", { id: documents.slice(0, 300).map(({ id }) => id) }, (one) => documents.indexOf(one) < 300],
];
let wrong = 0;
const names = ["theirs", "ours"].filter(has);
console.log(`\n| filter | truth | ${names.join(" | ")} |\n|---|--:|${names.map(() => "--:|").join("")}`);
for (const [title, filters, holds] of COUNTS) {
  const truth = documents.filter(holds).length;
  const counts = await Promise.all(
    names.map(async (entity) => {
      try {
        const { metadata } = await service.search({ entity, filters, pagination: { take: 1 } });
        if (entity === "ours" && metadata.count !== truth) wrong++;
        return metadata.count;
      } catch (error) {
        if (entity === "ours") wrong++;
        return `${error.type}: ${error.message.slice(0, 60)}`;
      }
    }),
  );
  console.log(`| ${title} | ${truth} | ${counts.join(" | ")} |`);
}
const truth = [...brandCounts].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, 10);
for (const entity of names) {
  const { facets } = await service.search({ entity, pagination: { take: 0 }, search_options: { facets: [brands] } });
  const same = JSON.stringify(facets.brand.values.map(({ value, count }) => [value, count])) === JSON.stringify(truth);
  if (entity === "ours" && !same) wrong++;
  console.log(`ten most frequent brands, ${entity}: ${same ? "as counted" : JSON.stringify(facets.brand.values)}`);
}

await app.onApplicationPrepareShutdown();
await app.onApplicationShutdown();
await postgres.stop();
process.exit(wrong === 0 ? 0 : 1);
