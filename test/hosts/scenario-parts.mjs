// The whole public interface, used: each part gives a line an answer, and a host that gives the same lines gives the same answers.
// Nothing of Node is used here, so that it runs in a browser too.

import { hashOf, print } from "./digest.mjs";
import { askDeep } from "./scenario-depth.mjs";
import { products } from "./scenario-products.mjs";
import { QUERIES, TEXTS } from "./scenario-queries.mjs";
import { REFUSALS } from "./scenario-refusals.mjs";
import { askVectors } from "./scenario-vectors.mjs";
import { useVerbs } from "./scenario-verbs.mjs";

const TUNED = {
  searchableAttributes: ["title", { attribute: "description", weight: 0.5 }, "specs.colour"],
  identifierAttributes: ["sku"],
  matchingRatio: 0.3,
  fusion: { method: "rrf", rankConstant: 20 },
  bm25: { k1: 1.5, b: 0.3 },
  attributesForFaceting: ["brand", "price", "sale", "categories", "specs.size.width", "specs.colour"],
  customRanking: ["desc(price)", "asc(stock)"],
  attributeForDistinct: "brand",
  distinct: true,
  synonyms: [
    { type: "synonym", synonyms: ["couch", "sofa"] },
    { type: "oneWaySynonym", input: "home", synonyms: ["household", "house"] },
  ],
  stopWords: ["every", "constructor"],
  optionalWords: ["red"],
  disableTypoToleranceOnWords: ["kettle"],
  disableTypoToleranceOnAttributes: ["description"],
  queryType: "prefixLast",
};
const PLAIN = { analyzer: "plain", embedder: false, stopWords: false, typoTolerance: false, matching: "all" };
const OWN_WORDS = { analyzer: { id: "letters-1", analyze: (text) => text.toLowerCase().match(/[a-z]+/g) ?? [] } };

/** The answer as a line, a refusal as its envelope; anything else thrown is told apart. */
export async function lineOf(library, work) {
  try {
    return print(await work());
  } catch (error) {
    if (!(error instanceof library.SearchError)) return `foreign ${error?.stack ?? error}`;
    return `${print(error.toEnvelope())} ${error.param} ${print(error.details)}`;
  }
}

async function askAll(library, engine, name) {
  const lines = [];
  for (const params of QUERIES) lines.push(await lineOf(library, () => engine.query(name, params)));
  for (const params of TEXTS) lines.push(await lineOf(library, () => engine.query(name, { params })));
  return lines;
}

/** An engine with an index of products. */
async function indexed(library, settings, warnings) {
  const engine = new library.SearchEngine({
    onWarning: ({ code, message, param }) => warnings.push([code, message, param]),
  });
  await engine.createIndex("shop", settings);
  // In batches, so that there are segments to merge.
  const all = products(150);
  for (let at = 0; at < all.length; at += 25) await engine.addRecords("shop", all.slice(at, at + 25));
  return engine;
}

async function askAs(library, settings) {
  const warnings = [];
  const engine = await indexed(library, settings, warnings);
  const lines = await askAll(library, engine, "shop");
  await engine.close();
  return [...lines, print(warnings)];
}

async function refusals(library) {
  const engine = await indexed(library, undefined, []);
  const before = print(await engine.query("shop", { query: "cordless drill" }));
  const lines = [];
  for (const call of REFUSALS) {
    const line = await lineOf(library, async () => call(engine, library));
    lines.push(/"?code"?=number:[45]/.test(line) ? line : `not refused: ${call}: ${line}`);
  }
  lines.push(`unchanged ${print(await engine.query("shop", { query: "cordless drill" })) === before}`);
  await engine.close();
  return lines;
}

/** Each part of the scenario: what it answered, a line an answer. */
const PARTS = {
  defaults: (library) => askAs(library, undefined),
  tuned: (library) => askAs(library, TUNED),
  plain: (library) => askAs(library, PLAIN),
  "own analyzer": (library) => askAs(library, OWN_WORDS),
  vectors: askVectors,
  verbs: useVerbs,
  refusals,
  depth: askDeep,
};

/** Runs all parts; gives a line for each, and the answers that are wrong whatever the host. */
export async function runScenario(library) {
  const report = [];
  const hashes = [];
  for (const [name, run] of Object.entries(PARTS)) {
    const lines = await run(library, lineOf);
    const wrong = lines.filter((line) => /^(foreign|not refused|wrong|unchanged false)/.test(line));
    hashes.push(hashOf(lines));
    report.push(`${name}: ${hashes.at(-1)} of ${lines.length} answers, ${wrong.length} wrong`, ...wrong);
  }
  const { hnsw, hnswlib } = new library.SearchEngine().capabilities();
  report.push(`hnsw ${hnsw}, hnswlib ${hnswlib}`, `all: ${hashOf(hashes)}`);
  return report;
}
