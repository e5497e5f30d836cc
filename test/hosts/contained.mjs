// Functions of the caller's that fail later than their call: each returns a promise that rejects, or something that acts as one.
// Prints a JSON line with what came out; without care, Node ends the process at the first rejection that nobody handles.

import { writeSync } from "node:fs";
import { evaluate } from "../../dist/evaluation.js";
import { createStaticEnEmbedder, SearchEngine } from "../../dist/index.js";

const failing = async () => {
  throw new Error("later");
};
const thenable = () => ({
  // biome-ignore lint/suspicious/noThenProperty: it acts as a promise.
  then(_resolve, reject) {
    reject(new Error("later"));
  },
});
const WAYS = [failing, thenable];

const records = Array.from({ length: 40 }, (_, i) => ({ id: i, title: `lamp number ${i}` }));
const outcomes = [];
const outcome = async (work) => {
  try {
    outcomes.push(await work());
  } catch (error) {
    outcomes.push(`${error.code} ${error.error}`);
  }
};

for (const fail of WAYS) {
  const embedder = { ...createStaticEnEmbedder(), knows: fail, meaningOf: fail };
  const engine = new SearchEngine({ onWarning: fail, embedder });
  const index = await engine.createIndex("a");
  await outcome(async () => (await index.addRecords(records, { onProgress: fail })).added);
  await outcome(async () => (await index.query({ query: "couch lamp", unknown: 1 })).data.nbHits);
  const judgements = {
    queries: [{ id: "1", query: "lamp" }],
    qrels: [{ queryId: "1", recordId: "1", relevance: 1 }],
  };
  await outcome(async () => Object.keys((await evaluate("a", judgements, { engine, onProgress: fail })).runs).length);
  await outcome(async () => {
    const own = await engine.createIndex("b", { embedder: { id: "b", dimensions: 2, retries: 0, embed: fail } });
    return own.addRecords(records);
  });
  await outcome(async () => {
    const embed = async (texts) => texts.map(fail);
    const own = await engine.createIndex("c", { embedder: { id: "c", dimensions: 2, retries: 0, embed } });
    return own.addRecords(records);
  });
  await outcome(async () => {
    const embedParts = fail;
    const embed = async (texts) => texts.map(() => [1, 0]);
    const own = await engine.createIndex("d", {
      embedder: { id: "d", dimensions: 2, retries: 0, embed, embedParts },
      synonyms: [{ type: "synonym", synonyms: ["lamp", "light"] }],
    });
    await own.addRecords(records);
    return (await own.query({ query: "lamp" })).data.nbHits;
  });
  await outcome(async () => {
    const own = await engine.createIndex("e", { analyzer: { id: "e", analyze: fail }, embedder: false });
    return own.addRecords(records);
  });
  await outcome(async () => {
    const analyze = (text) => text.split(" ").map(fail);
    const own = await engine.createIndex("f", { analyzer: { id: "f", analyze }, embedder: false });
    return own.addRecords(records);
  });
}
// Unhandled rejections are found when the microtasks of a turn have run.
await new Promise((resolve) => setTimeout(resolve, 50));
writeSync(1, `${JSON.stringify(outcomes)}\n`);
