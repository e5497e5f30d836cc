// Everything a caller passes comes from another vm context, with an Array, an Object and errors of its own; the answers are those to the
// same things of this context, and what fails there is the library's own error. Prints a line a check.

import assert from "node:assert/strict";
import { writeSync } from "node:fs";
import vm from "node:vm";
import { SearchEngine, SearchError } from "../../dist/index.js";
import { print } from "./digest.mjs";
import { products, vectorOf } from "./scenario-products.mjs";
import { QUERIES } from "./scenario-queries.mjs";

const context = vm.createContext({});
const foreign = (value) => vm.runInContext(`(${JSON.stringify(value)})`, context);
const foreignFloats = vm.runInContext("(list) => Float32Array.from(list)", context);

const SETTINGS = { attributeForDistinct: "brand", customRanking: ["desc(price)"] };
const OWN = { vectorAttribute: "v", dimensions: 8, semanticFloor: -1 };

async function askAll(bring, floats) {
  const engine = new SearchEngine({ onWarning() {} });
  await engine.createIndex("shop", bring(SETTINGS));
  await engine.addRecords("shop", bring(products(80)));
  const lines = [];
  for (const params of QUERIES) lines.push(print(await engine.query("shop", bring(params))));
  lines.push(print(await engine.updateRecords("shop", bring([{ id: 4, tags: ["new"] }]))));
  lines.push(print(await engine.deleteRecords("shop", bring([5, "p-6"]))));
  await engine.createIndex("own", bring(OWN));
  for (const wrap of [bring, floats]) {
    const records = products(50).map((record, i) => ({ ...record, v: wrap(vectorOf(i, 8)) }));
    await engine.addRecords("own", records);
    lines.push(print(await engine.query("own", { query: "", vector: wrap(vectorOf(99, 8)), facets: ["brand"] })));
  }
  await engine.close();
  return lines;
}

const here = await askAll(
  (value) => value,
  (list) => Float32Array.from(list),
);
assert.deepEqual(await askAll(foreign, foreignFloats), here);
writeSync(1, "answers: same\n");

const embed = vm.runInContext(
  "(texts) => { if (texts.some((text) => text.includes('fail'))) throw new Error('abroad'); return Promise.resolve(texts.map(() => [1, 0])); }",
  context,
);
const own = new SearchEngine({ embedder: { id: "abroad-1", dimensions: 2, embed } });
await own.createIndex("own");
await own.addRecords("own", [{ id: 1, title: "lamp" }]);
assert.equal((await own.query("own", { query: "zebra" })).data.hits.length, 1);
await assert.rejects(own.addRecords("own", [{ id: 2, title: "fail" }]), SearchError);
writeSync(1, "embedder: works\n");
