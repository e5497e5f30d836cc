// Everything a caller passes comes from another vm context, with an Array, an Object and errors of its own; the answers are
// those to the same things of this context, and what is refused is refused by the library's own error. Prints a line a check.

import assert from "node:assert/strict";
import { writeSync } from "node:fs";
import vm from "node:vm";
import { SearchEngine, SearchError } from "../../dist/index.js";
import { print } from "./digest.mjs";
import { products, vectorOf } from "./scenario-products.mjs";
import { QUERIES } from "./scenario-queries.mjs";
import { REFUSALS } from "./scenario-refusals.mjs";

const context = vm.createContext({});
const foreign = (value) => vm.runInContext(`(${JSON.stringify(value) ?? "undefined"})`, context);

/** A parameter of the other context where JSON can bring it there. */
const abroad = (params) => {
  try {
    return /undefined|function|symbol|NaN/.test(print(params)) ? params : foreign(params);
  } catch {
    // A BigInt, a cycle.
    return params;
  }
};

const SETTINGS = {
  attributeForDistinct: "brand",
  customRanking: ["desc(price)"],
  synonyms: [{ type: "synonym", synonyms: ["couch", "sofa"] }],
};

async function askAll(bring) {
  const engine = new SearchEngine(Object.assign(bring({ strict: false }), { onWarning() {} }));
  await engine.createIndex("shop", bring(SETTINGS));
  await engine.addRecords("shop", bring(products(80)));
  const lines = [];
  for (const params of QUERIES) lines.push(print(await engine.query("shop", bring(params))));
  lines.push(print(await engine.updateRecords("shop", bring([{ id: 4, tags: ["new"] }]))));
  lines.push(
    print(await engine.deleteRecords("shop", bring([5, "p-6"]))),
    print(await engine.getRecords("shop", bring([4, 5]))),
  );
  await engine.close();
  return lines;
}

async function askWithVectors(wrap) {
  const engine = new SearchEngine();
  await engine.createIndex("own", { vectorAttribute: "v", dimensions: 8, semanticFloor: -1 });
  const records = products(50).map((record, i) => ({ ...record, v: wrap(vectorOf(i, 8)) }));
  await engine.addRecords("own", records);
  const answer = await engine.query("own", {
    query: "",
    vector: wrap(vectorOf(99, 8)),
    attributesToRetrieve: ["title"],
  });
  await engine.close();
  return print(answer);
}

const asFloats = (make) => (vector) => make(Float32Array.from(vector));
const foreignFloats = vm.runInContext("(list) => Float32Array.from(list)", context);

assert.deepEqual(await askAll(abroad), await askAll((value) => value));
writeSync(1, "answers: same\n");
assert.equal(await askWithVectors(foreign), await askWithVectors((vector) => vector));
assert.equal(await askWithVectors(asFloats(foreignFloats)), await askWithVectors(asFloats((floats) => floats)));
writeSync(1, "vectors: same\n");

const shop = new SearchEngine();
await shop.createIndex("shop");
await shop.addRecords("shop", products(20));
const abroadEngine = new Proxy(shop, {
  get:
    (engine, name) =>
    (first, second, ...rest) =>
      engine[name](first, abroad(second), ...rest),
});
for (const call of REFUSALS)
  await assert.rejects(
    async () =>
      call(abroadEngine, { SearchEngine, quoteFilterValue: () => Promise.reject(new SearchError(400, "x", "x")) }),
    SearchError,
    `not refused: ${call}`,
  );
writeSync(1, "refusals: same\n");

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
