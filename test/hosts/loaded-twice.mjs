// Several copies of the library in one process: by another address, by another folder (its argument), by require where Node
// can. They share nothing, and none of them changes a global. Prints a line a check.

import assert from "node:assert/strict";
import { writeSync } from "node:fs";
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

/** What a library could change by mistake: the names of all globals, and names and values of what is built in. */
function globalState() {
  const owners = [...INTRINSICS, ...INTRINSICS.map((one) => one.prototype).filter(Boolean)];
  const builtIn = owners.map((owner) =>
    Reflect.ownKeys(owner).map((key) => {
      const { value, get, set } = Reflect.getOwnPropertyDescriptor(owner, key);
      return [key, value, get, set];
    }),
  );
  return [builtIn, Reflect.ownKeys(globalThis), Reflect.ownKeys(process)];
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

assert.deepEqual(await use(first, "shop", "red lamp"), [["red lamp"], "boolean"]);
assert.notEqual(second.SearchEngine, first.SearchEngine);
assert.deepEqual(await use(second, "shop", "blue sofa"), [["blue sofa"], "boolean"]);
assert.equal((await first.query("shop", { query: "sofa" })).data.nbHits, 0);
writeSync(1, "another folder: apart\n");

assert.equal(renamed.SearchEngine, first.SearchEngine);
assert.equal((await renamed.query("shop", { query: "lamp" })).data.nbHits, 1);
writeSync(1, "another address of the front door: the same library\n");

const refused = await second.query("shop", {}).catch((error) => error);
assert.ok(refused instanceof second.SearchError && !(refused instanceof first.SearchError));
assert.deepEqual([refused.name, refused.code], ["SearchError", 400]);
const embedder = second.createStaticEnEmbedder();
const engine = new first.SearchEngine({ embedder });
await engine.createIndex("mixed");
await engine.addRecords("mixed", [{ id: 1, title: "red lamp" }]);
assert.equal((await engine.query("mixed", { query: "red lamp" })).data.hits.length, 1);
writeSync(1, "an embedder of the other: works\n");

if (process.features.require_module === true) {
  const required = createRequire(import.meta.url)("../../dist/index.js");
  assert.equal(required.SearchEngine, first.SearchEngine);
  writeSync(1, "by require: the same library\n");
} else writeSync(1, "by require: not in this Node\n");

assert.deepEqual([globalState(), listeners()], before);
writeSync(1, "globals: unchanged\n");
