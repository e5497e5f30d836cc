// Payload on SQLite with the plugin of docs/payload.md: what is made, changed, drafted and deleted is found, or no longer, by /api/search.
// With the argument `transactions` the database has them. SQLite can then run jobs only one after the other, so Payload does not by itself.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sqliteAdapter } from "@payloadcms/db-sqlite";
import { buildConfig, getPayload, handleEndpoints } from "payload";
import { SearchEngine } from "tandem-search";

const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
execFileSync(process.execPath, [tsc, "-p", "."], { stdio: "inherit" });
const folder = mkdtempSync(join(tmpdir(), "tandem-payload-"));
const hasTransactions = process.argv[2] === "transactions";
process.env.SEARCH_DATA = join(folder, "search-data");
if (hasTransactions) process.env.SEARCH_WRITES = "no";
const { tandemSearch } = await import("./dist/tandem-search.js");

const everybody = () => true;
const config = await buildConfig({
  secret: "of the check",
  telemetry: false,
  typescript: { autoGenerate: false },
  logger: { options: { level: "silent" } },
  db: sqliteAdapter({
    client: { url: `file:${join(folder, "payload.db")}` },
    ...(hasTransactions && { transactionOptions: {} }),
  }),
  localization: { locales: ["en", "de"], defaultLocale: "en", fallback: true },
  collections: [
    { slug: "brands", access: { read: everybody }, fields: [{ name: "name", type: "text" }] },
    {
      slug: "products",
      access: { read: everybody },
      trash: true,
      versions: { drafts: true },
      fields: [
        { name: "title", type: "text", localized: true },
        { name: "description", type: "textarea", access: { read: () => false } },
        { name: "brand", type: "relationship", relationTo: "brands" },
        { name: "priceInCents", type: "number" },
      ],
    },
  ],
  plugins: [tandemSearch],
});
const other = await SearchEngine.open({ dataDir: process.env.SEARCH_DATA });
const payload = await getPayload({ config, cron: true });
/** How many jobs wait, without the one for the next night. */
async function jobs() {
  const soon = { less_than: new Date(Date.now() + 600_000).toISOString() };
  const where = { or: [{ waitUntil: { exists: false } }, { waitUntil: soon }] };
  return (await payload.count({ collection: "payload-jobs", where })).totalDocs;
}
/** Resolves when all jobs are done; rejects where they are not for long. */
async function work() {
  for (const until = Date.now() + 20_000; (await jobs()) > 0; await wait(200)) {
    assert(Date.now() < until, "jobs wait for long");
    if (hasTransactions)
      await payload.jobs.run({ queue: "tandem-search", limit: 1000, silent: true, sequential: true });
  }
}
async function search(asked) {
  const response = await handleEndpoints({
    config,
    request: new Request(`http://localhost/api/search?${new URLSearchParams(asked)}`),
  });
  return { status: response.status, ...(await response.json()) };
}
const titles = async (query) => (await search({ query })).hits.map(({ source }) => source.title);
const make = (data, more = {}) =>
  payload.create({ collection: "products", data: { _status: "published", ...data }, ...more });

assert.equal((await search({ query: "" })).status, 503);
const volt = await payload.create({ collection: "brands", data: { name: "Volt" } });
const drill = await make({ title: "Cordless drill", description: "for staff", brand: volt.id, priceInCents: 9900 });
const sofa = await make({ title: "Corner sofa", priceInCents: 49900 });
await make({ title: "Secret lamp", _status: "draft" }, { draft: true });

// While another process has the folder, saving goes on, and jobs are tried again.
const waits = await jobs();
await wait(2000);
assert.equal(await jobs(), waits);
await other.close();
await work();

// Made: found by words, misspelt and by meaning; drafts and what only staff may read are not.
assert.deepEqual(
  [await titles("cordles dril"), await titles("couch"), await titles("lamp")],
  [["Cordless drill"], ["Corner sofa"], []],
);
const { nbHits, facets, hits } = await search({ query: "", facetFilters: '["brand:Volt"]', sort: "priceInCents:desc" });
assert.deepEqual([nbHits, facets.brand], [1, [{ value: "Volt", count: 1 }]]);
const shown = { id: drill.id, title: "Cordless drill", brand: "Volt", priceInCents: 9900 };
assert.deepEqual(hits[0].source, shown);
assert.deepEqual([(await search({ page: "x" })).status, (await search({ sort: "none:asc" })).status], [400, 400]);
assert.equal((await search({ query: "", hitsPerPage: "1000", explain: "true" })).hitsPerPage, 12); // not among what may be sent

// Changed: a draft of a published product changes nothing; another language is not searched; 50 changes in a row.
const update = (id, data, more = {}) => payload.update({ collection: "products", id, data, ...more });
await update(sofa.id, { title: "Draft of a sofa" }, { draft: true });
await update(drill.id, { title: "Akkuschrauber" }, { locale: "de" });
await work();
assert.deepEqual(await titles(""), ["Cordless drill", "Corner sofa"]);
for (let i = 0; i < 50; i++) await update(sofa.id, { title: `Garden bench ${i}`, _status: "published" });
await work();
assert.deepEqual([await titles("bench"), await titles("sofa")], [["Garden bench 49"], []]);
await update(sofa.id, { _status: "draft" }); // unpublished
await work();
assert.deepEqual(await titles(""), ["Cordless drill"]);

if (hasTransactions) {
  // A transaction that is taken back leaves no job behind.
  const transactionID = await payload.db.beginTransaction();
  await make({ title: "Taken back" }, { req: { transactionID } });
  await payload.db.rollbackTransaction(transactionID);
  await work();
  assert.deepEqual(await titles("taken"), []);
}

// A brand gets another name, which no change of a product tells: everything is read anew.
await payload.update({ collection: "brands", id: volt.id, data: { name: "Ampere" } });
await payload.jobs.queue({ task: "tandem-search", queue: "tandem-search", input: {} });
await work();
assert.deepEqual(await titles("ampere"), ["Cordless drill"]);

// Put into the trash and taken out, then deleted.
await update(drill.id, { deletedAt: new Date().toISOString() });
await work();
assert.deepEqual(await titles(""), []);
await update(drill.id, { deletedAt: null, _status: "published" }, { trash: true });
await work();
assert.deepEqual(await titles(""), ["Cordless drill"]);
await payload.delete({ collection: "products", id: drill.id });
await work();
assert.deepEqual(await titles(""), []);

rmSync(folder, { recursive: true });
process.exit(); // the database stays open otherwise
