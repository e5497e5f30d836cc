// A Medusa application from the files of docs/medusa.md, on PostgreSQL: 1,000 products come, change and go by its workflows, and what its
// search finds is compared with the truth, also after restarts.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort, startPostgres } from "./postgres.mjs";

const HERE = import.meta.dirname;
/** The files of the page, which scripts/platforms.mjs puts here. */
const APP = join(HERE, "guide");
const page = readFileSync(join(HERE, "../../docs/medusa.md"), "utf8");
const told = [...page.matchAll(/^\| `(\S+)`.* \| (\d+) \|$/gm)];
assert.equal(told.length, 4);
for (const [, file, lines] of told)
  assert.equal(readFileSync(join(APP, file), "utf8").split("\n").length - 1, Number(lines), file);

// What `create-medusa-app` makes.
const { dependencies } = JSON.parse(readFileSync(join(HERE, "package.json"), "utf8"));
writeFileSync(join(APP, "package.json"), JSON.stringify({ name: "shop", private: true, dependencies }));
const compilerOptions = {
  ...{ target: "ES2022", module: "Node16", moduleResolution: "Node16", jsx: "react-jsx", types: ["node"] },
  ...{ strict: true, skipLibCheck: true, esModuleInterop: true },
};
const include = ["**/*", "../types.ts"];
writeFileSync(join(APP, "tsconfig.json"), JSON.stringify({ compilerOptions, include, "ts-node": { swc: true } }));
execFileSync(process.execPath, [join(HERE, "node_modules/typescript/bin/tsc"), "--noEmit"], {
  cwd: APP,
  stdio: "inherit",
});

const postgres = await startPostgres();
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const env = {
  ...process.env,
  NODE_ENV: "development",
  DATABASE_URL: postgres.url,
  SEARCH_FOLDER: join(APP, "search-data"),
  JWT_SECRET: "a",
  COOKIE_SECRET: "b",
  DISABLE_MEDUSA_ADMIN: "true",
  MEDUSA_DISABLE_TELEMETRY: "true",
};
const CLI = join(HERE, "node_modules/@medusajs/cli/cli.js");
const children = new Set();
process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

/** Starts the command of Medusa -> its process, with what it has written so far as `output`. */
function medusa(...args) {
  const child = spawn(process.execPath, [CLI, ...args], { cwd: APP, env, stdio: ["ignore", "pipe", "pipe"] });
  children.add(child);
  child.once("exit", () => children.delete(child));
  child.output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (child.output += text));
  return child;
}
async function run(...args) {
  const start = performance.now();
  const child = medusa(...args);
  const [status] = await once(child, "exit");
  assert.equal(status, 0, `medusa ${args.join(" ")}: ${child.output.slice(-3000)}`);
  console.log(`medusa ${args[0]}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return child.output;
}

/** Asks every 100 ms until the answer is what is wanted; fails with both after a minute. */
async function until(wanted, ask) {
  for (const end = Date.now() + 60_000; ; await pause(100)) {
    const found = await ask().catch((error) => error.message);
    if (found === wanted) return;
    if (Date.now() > end) return assert.equal(found, wanted, server.output.slice(-3000));
  }
}

let server;
async function start() {
  server = medusa("start", "--port", String(port));
  await until(200, async () => (await fetch(`${url}/health`)).status);
}
async function stop(signal) {
  const end = once(server, "exit");
  server.kill(signal);
  await end;
}

const headers = { "content-type": "application/json" };
async function post(path, body) {
  const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
  const json = await answer.json();
  assert.ok(answer.ok, `${path}: ${answer.status} ${JSON.stringify(json).slice(0, 1000)}`);
  return json;
}
const get = async (path) => (await fetch(url + path, { headers })).json();

await run("db:migrate");
const login = { email: "owner@example.com", password: "something" };
await start();
// Another process of the same application, beside the one that has the folder.
await run("user", "--email", login.email, "--password", login.password);
const { token } = await post("/auth/user/emailpass", login);
headers.authorization = `Bearer ${token}`;

const [channel, other] = await Promise.all(
  ["Shop", "Elsewhere"].map(async (name) => (await post("/admin/sales-channels", { name })).sales_channel.id),
);
const { api_key: key } = await post("/admin/api-keys", { title: "Storefront", type: "publishable" });
await post(`/admin/api-keys/${key.id}/sales-channels`, { add: [channel] });
headers["x-publishable-api-key"] = key.token;
const types = [];
for (const value of ["Light", "Seat", "Table"])
  types.push((await post("/admin/product-types", { value })).product_type);
const { shipping_profiles: profiles } = await get("/admin/shipping-profiles");

// The truth: what the shop holds now, by id.
const COLOURS = ["red", "green", "blue", "amber"];
const THINGS = ["lamp", "chair", "desk"];
const products = new Map();
const wanted = Array.from({ length: 1000 }, (_, i) => ({
  title: `${COLOURS[i % 4]} ${THINGS[i % 3]} ${i}`,
  description: i % 10 === 0 ? "Made of walnut." : "Made of steel.",
  status: i % 7 === 0 ? "draft" : "published",
  type_id: types[i % 3].id,
  sales_channels: [{ id: i % 11 === 0 ? other : channel }],
  ...(profiles?.[0] && { shipping_profile_id: profiles[0].id }),
  options: [{ title: "Size", values: ["one"] }],
  variants: [{ title: "one", options: { Size: "one" }, prices: [{ currency_code: "eur", amount: 5 + (i % 200) }] }],
}));
const remember = (product, { sales_channels, variants }) =>
  products.set(product.id, {
    title: product.title,
    description: product.description,
    status: product.status,
    type: types.find(({ id }) => id === product.type_id).value,
    channel: sales_channels[0].id,
    price: variants[0].prices[0].amount,
    variant: product.variants[0].id,
  });

const searchStore = async (body) => (await post("/store/search", { entity: "product", ...body })).results[0];
const countAll = async () => (await searchStore({ pagination: { take: 0 } })).metadata.count;
const shown = () => [...products.values()].filter((one) => one.status === "published" && one.channel === channel);
const settled = () => until(shown().length, countAll);

async function timed(what, work) {
  const begin = performance.now();
  await work();
  console.log(`${what}: ${((performance.now() - begin) / 1000).toFixed(1)} s`);
}

await timed("1,000 products made, and found", async () => {
  for (let i = 0; i < wanted.length; i += 100) {
    const create = wanted.slice(i, i + 100);
    const { created } = await post("/admin/products/batch", { create });
    const madeFor = ({ title }) => created.find((product) => product.title === title);
    for (const one of create) remember(madeFor(one), one);
  }
  await settled();
});

/** Compares counts, hits, an order and facets of the store's route with the truth. */
async function check() {
  const all = shown();
  const word = (text) => (one) =>
    `${one.title} ${one.description} ${one.type}`.toLowerCase().split(/\W+/).includes(text);
  const cases = [
    ...[...COLOURS, ...THINGS, "walnut", "steel", "table", "gone", "purple"].map((q) => [{ q }, word(q)]),
    [{ q: "red lamp" }, (one) => word("red")(one) && word("lamp")(one)],
    [{ type: "Seat" }, ({ type }) => type === "Seat"],
    [{ q: "blue", price: { $gte: 50, $lt: 90 } }, (one) => word("blue")(one) && one.price >= 50 && one.price < 90],
    [{ $or: [{ type: "Light" }, { price: { $lt: 10 } }] }, ({ type, price }) => type === "Light" || price < 10],
  ];
  for (const [filters, holds] of cases) {
    const truth = all.filter(holds);
    const { hits, metadata, facets } = await searchStore({
      filters,
      pagination: { take: 100, order: { price: "ASC" } },
      search_options: { facets: [{ field: "type" }, { field: "price", type: "stats" }] },
    });
    const what = JSON.stringify(filters);
    assert.equal(metadata.count, truth.length, what);
    assert.equal(hits.length, Math.min(100, truth.length), what);
    const prices = truth.map(({ price }) => price).toSorted((a, b) => a - b);
    assert.deepEqual(
      hits.map(({ document }) => document.price),
      prices.slice(0, 100),
      what,
    );
    for (const { id, document } of hits) assert.equal(document.title, products.get(id)?.title, what);
    const counts = types.map(({ value }) => [value, truth.filter(({ type }) => type === value).length]);
    const found = new Map(facets.type.values.map(({ value, count }) => [value, count]));
    assert.deepEqual(
      counts.filter(([, n]) => n > 0),
      counts.filter(([, n]) => n > 0).map(([value]) => [value, found.get(value)]),
      what,
    );
    if (truth.length > 0) assert.deepEqual([facets.price.min, facets.price.max], [prices[0], prices.at(-1)], what);
  }
  // The service itself, through the route of the admin, which sees drafts and all channels.
  const { results } = await get("/admin/search?q=lamp&entity[]=product");
  assert.equal(results[0].count, [...products.values()].filter(word("lamp")).length);
  console.log(
    `${cases.length} queries and the admin's search: as counted, of ${products.size} products, ${all.length} in the store`,
  );
}
await check();

// The page of the storefront, as Next.js renders it on the server.
Object.assign(process.env, { MEDUSA_URL: url, PUBLISHABLE_KEY: key.token });
const require = createRequire(import.meta.url);
const ts = require("typescript");
const source = readFileSync(join(APP, "storefront/app/search/page.tsx"), "utf8");
writeFileSync(
  join(APP, "page.cjs"),
  ts.transpileModule(source, { compilerOptions: { ...compilerOptions, jsx: 4, module: 1, target: 9 } }).outputText,
);
const { default: Page } = require("./guide/page.cjs");
const html = require("react-dom/server").renderToStaticMarkup(
  await Page({ searchParams: Promise.resolve({ q: "walnut lmap", type: "Light" }) }),
);
assert.match(html, /<p>(\d+) products<\/p>.*>Light \(\1\)<\/a>/);
assert.match(html, /<li><a href="\/products\/\w+-lamp-\d+0"><span>.*?<mark>lamp<\/mark>/);

await timed("100 products changed, 50 prices, 120 deleted, and found", async () => {
  const ids = [...products.keys()];
  const changed = ids.slice(0, 100).map((id, i) => ({ id, title: `purple ${THINGS[i % 3]} ${i}` }));
  const gone = ids.slice(500, 620);
  await post("/admin/products/batch", { update: changed, delete: gone });
  for (const { id, title } of changed) products.get(id).title = title;
  for (const id of gone) products.delete(id);
  for (const id of ids.slice(200, 250)) {
    const one = products.get(id);
    one.price = 1000;
    await post(`/admin/products/${id}/variants/${one.variant}`, { prices: [{ currency_code: "eur", amount: 1000 }] });
  }
  const dear = shown().filter(({ price }) => price === 1000).length;
  await until(dear, async () => (await searchStore({ filters: { price: 1000 } })).metadata.count);
  await until(
    shown().filter(({ title }) => title.startsWith("purple")).length,
    async () => (await searchStore({ filters: { q: "purple" } })).metadata.count,
  );
  await settled();
});
await check();

for (const signal of ["SIGTERM", "SIGKILL"]) {
  await stop(signal);
  await start();
  await check();
  assert.doesNotMatch(server.output, /Seeding/, "The folder holds what it held.");
}

// A new definition: a process beside the server cannot write; without the server it can, and the next start fills the new version.
const definition = join(APP, "src/search/product.ts");
writeFileSync(definition, readFileSync(definition, "utf8").replace("weight: 3", "weight: 5"));
await assert.rejects(run("db:migrate"), /has the data folder open/);
await stop("SIGTERM");
await run("db:migrate");
await start();
await until(true, async () => server.output.includes('Making "product" version 2 active'));
await check();
await stop("SIGTERM");

rmSync(env.SEARCH_FOLDER, { recursive: true, force: true });
await start();
await post("/admin/search-indexes/product/reindex", {});
await settled();
await check();
await stop("SIGTERM");
await postgres.stop();
rmSync(APP, { recursive: true, force: true });
