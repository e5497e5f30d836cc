// Several copies of the library in one process: by another address, by another folder (its argument), by require. They have the same
// default engine and know each other's errors and engines; the one global that they add is the symbol that holds this engine. Prints
// a line a check.

import assert from "node:assert/strict";
import { once } from "node:events";
import { writeSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const INTRINSICS = [
  Object,
  Array,
  String,
  Number,
  Map,
  Set,
  Promise,
  Error,
  RegExp,
  Date,
  Function,
  JSON,
  Math,
  Reflect,
];

const DEFAULT_ENGINE = Symbol.for("tandem-search.default-engine.1");

/** What a library could change by mistake: the names of all globals, and names and values of what is built in. */
function globalState() {
  const owners = [...INTRINSICS, ...INTRINSICS.map((one) => one.prototype).filter(Boolean)];
  const builtIn = owners.map((owner) =>
    Reflect.ownKeys(owner).map((key) => {
      const { value, get, set } = Reflect.getOwnPropertyDescriptor(owner, key);
      return [key, value, get, set];
    }),
  );
  const globals = Reflect.ownKeys(globalThis).filter((key) => key !== DEFAULT_ENGINE);
  return [builtIn, globals, Reflect.ownKeys(process)];
}

async function use({ addRecords, createIndex, query, SearchEngine }, name, title) {
  await createIndex(name);
  await addRecords(name, [{ id: 1, title }]);
  const { data } = await query(name, { query: title, attributesToHighlight: ["title"] });
  return [data.hits.map(({ source }) => source.title), typeof new SearchEngine().capabilities().hnsw];
}

const listeners = () => process.eventNames().map((name) => [name, process.listenerCount(name)]);

const before = [globalState(), listeners()];
const first = await import("../../dist/index.js");
const renamed = await import("../../dist/index.js?again");
const second = await import(pathToFileURL(process.argv[2]).href);
const require = createRequire(import.meta.url);
const required = require("../../dist/index.cjs");
const [{ answerRequest, hashKey }, { evaluate }] = await Promise.all(
  ["service", "evaluation"].map((name) => import(`../../dist/${name}.js`)),
);
const key = "a key of sixteen or more";
const headers = { "x-search-application-id": "a", "x-search-api-key": key, "content-type": "application/json" };
const credentials = [{ applicationId: "a", keyHash: hashKey(key), permissions: ["search"] }];
const queries = [{ id: "1", query: "sofa" }];
const qrels = [{ queryId: "1", recordId: "1", relevance: 1 }];
assert.equal(Object.hasOwn(globalThis, DEFAULT_ENGINE), false);

assert.deepEqual(await use(first, "shop", "red lamp"), [["red lamp"], "boolean"]);
const sofa = { id: 1, title: "blue sofa" };
for (const [other, name] of [
  [second, "another folder"],
  [required, "by require"],
]) {
  assert.notEqual(other.SearchEngine, first.SearchEngine);
  await other.addRecords("shop", [sofa]);
  const { data } = await first.query("shop", { query: "sofa" });
  assert.deepEqual(data.hits[0].source, sofa);
  const refused = await other.query("shop", {}).catch((error) => error);
  for (const { SearchError } of [first, second, required]) assert.ok(refused instanceof SearchError);
  const mine = class extends first.SearchError {};
  assert.ok(!(refused instanceof mine) && new mine(400, "mine", "Mine.") instanceof other.SearchError);
  const engine = new other.SearchEngine({ embedder: false });
  const previous = first.setDefaultEngine(engine);
  assert.equal(other.setDefaultEngine(previous), engine);
  assert.throws(() => first.setDefaultEngine({}), { error: "invalid_engine" });
  assert.ok(engine instanceof first.SearchEngine);
  await engine.createIndex("own");
  await engine.addRecords("own", [sofa]);
  const request = { indexName: "own", headers, body: '{ "query": "sofa" }' };
  const { status, body } = await answerRequest(engine, request, { credentials });
  assert.deepEqual([status, body.data?.nbHits], [200, 1]);
  const { runs } = await evaluate("own", { queries, qrels }, { engine, ways: ["words"] });
  assert.equal(runs.words.means.ndcg, 1);
  writeSync(1, `${name}: the same default engine, errors and engines of each other\n`);
}

assert.equal(renamed.SearchEngine, first.SearchEngine);
assert.equal((await renamed.query("shop", { query: "sofa" })).data.nbHits, 1);
writeSync(1, "another address of the front door: the same library\n");

const embedder = second.createStaticEnEmbedder();
const engine = new first.SearchEngine({ embedder });
await engine.createIndex("mixed");
await engine.addRecords("mixed", [{ id: 1, title: "red lamp" }]);
assert.equal((await engine.query("mixed", { query: "red lamp" })).data.hits.length, 1);
writeSync(1, "an embedder of the other: works\n");

assert.deepEqual([globalState(), listeners()], before);
writeSync(1, "globals: one symbol more\n");

// After the globals: Node's own fetch adds one.
const { OpenSearchEngine } = await import("../../dist/opensearch.js");
const server = createServer((_, response) => response.end("{}")).listen(0, "127.0.0.1");
await once(server, "listening");
const nodes = [`http://127.0.0.1:${server.address().port}`];
const cluster = await OpenSearchEngine.open({ nodes, embedder: false, onWarning() {} });
server.close();
server.closeAllConnections();
assert.ok(cluster instanceof require("../../dist/opensearch.cjs").OpenSearchEngine);
assert.ok(cluster instanceof first.SearchEngine && !(engine instanceof OpenSearchEngine));
const previous = required.setDefaultEngine(cluster);
assert.equal(second.setDefaultEngine(previous), cluster);
writeSync(1, "an engine of a cluster: one for all\n");
