// The library loaded by `import` and by `require` in one process: one default engine, and engines, errors and embedders of one are
// engines, errors and embedders of the other. The one global that it adds is the symbol of this engine. Prints a line a check.

import assert from "node:assert/strict";
import { once } from "node:events";
import { writeSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";

const DEFAULT_ENGINE = Symbol.for("tandem-search.default-engine.1");
const globals = () => Reflect.ownKeys(globalThis).filter((key) => key !== DEFAULT_ENGINE);
const before = globals();

const require = createRequire(import.meta.url);
const FORMATS = {
  import: (name) => import(`../../dist/${name}.js`),
  require: async (name) => require(`../../dist/${name}.cjs`),
};
const [imported, required] = await Promise.all(Object.values(FORMATS).map((load) => load("index")));
assert.notEqual(imported.SearchEngine, required.SearchEngine);

const key = "a key of sixteen or more";
const headers = { "x-search-application-id": "a", "x-search-api-key": key, "content-type": "application/json" };
const sofa = { id: 1, title: "blue sofa" };

async function check(name, one, other, load) {
  const { answerRequest, hashKey } = await load("service");
  const { evaluate } = await load("evaluation");
  await one.createIndex(name);
  await other.addRecords(name, [sofa]);
  assert.deepEqual((await one.query(name, { query: "sofa" })).data.hits[0].source, sofa);

  const refused = await other.query(name, {}).catch((error) => error);
  assert.ok(refused instanceof one.SearchError && refused instanceof other.SearchError);
  const mine = class extends one.SearchError {};
  assert.ok(!(refused instanceof mine) && new mine(400, "mine", "Mine.") instanceof other.SearchError);

  const engine = new other.SearchEngine({ embedder: other.createStaticEnEmbedder() });
  assert.ok(engine instanceof one.SearchEngine);
  const previous = one.setDefaultEngine(engine);
  assert.equal(other.setDefaultEngine(previous), engine);
  assert.throws(() => one.setDefaultEngine({}), { error: "invalid_engine" });
  await engine.createIndex("own");
  await engine.addRecords("own", [sofa]);
  const credentials = [{ applicationId: "a", keyHash: hashKey(key), permissions: ["search"] }];
  const request = { indexName: "own", headers, body: '{ "query": "sofa" }' };
  const { status, body } = await answerRequest(engine, request, { credentials });
  assert.deepEqual([status, body.data?.nbHits], [200, 1]);
  const judgements = {
    queries: [{ id: "1", query: "sofa" }],
    qrels: [{ queryId: "1", recordId: "1", relevance: 1 }],
  };
  assert.equal((await evaluate("own", judgements, { engine, ways: ["words"] })).runs.words.means.ndcg, 1);

  const mixed = new one.SearchEngine({ embedder: other.createStaticEnEmbedder() });
  await mixed.createIndex("mixed");
  await mixed.addRecords("mixed", [sofa]);
  assert.equal((await mixed.query("mixed", { query: "couch" })).data.nbHits, 1);
}

await check("a", imported, required, FORMATS.import);
writeSync(1, "import knows what is of require\n");
await check("b", required, imported, FORMATS.require);
writeSync(1, "require knows what is of import\n");
assert.deepEqual(globals(), before);
writeSync(1, "globals: one symbol more\n");

const { OpenSearchEngine } = await FORMATS.import("opensearch");
const server = createServer((_, response) => response.end("{}")).listen(0, "127.0.0.1");
await once(server, "listening");
const nodes = [`http://127.0.0.1:${server.address().port}`];
const cluster = await OpenSearchEngine.open({ nodes, embedder: false, onWarning() {} });
server.close();
server.closeAllConnections();
assert.ok(cluster instanceof (await FORMATS.require("opensearch")).OpenSearchEngine);
assert.ok(cluster instanceof imported.SearchEngine && cluster instanceof required.SearchEngine);
assert.ok(!(new imported.SearchEngine() instanceof OpenSearchEngine));
const previous = required.setDefaultEngine(cluster);
assert.equal(imported.setDefaultEngine(previous), cluster);
writeSync(1, "an engine of a cluster: one for both\n");
