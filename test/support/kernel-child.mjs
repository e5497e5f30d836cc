// Builds an index of a few words and random vectors and prints what queries answer; run with and without WebAssembly by kernels-agree.test.ts.
import { SearchEngine } from "../../dist/index.js";

const [count, dimensions] = [3000, 48];
let state = 1;
const next = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
  return (state >>> 8) / 2 ** 24;
};
const vector = () => Array.from({ length: dimensions }, () => next() - 0.5);
const engine = new SearchEngine();
const index = await engine.createIndex("vectors", { vectorAttribute: "vector", dimensions });
const words = ["red", "green", "blue", "lamp", "chair"];
const records = Array.from({ length: count }, (_, i) => ({
  id: i,
  title: `${words[i % 5]} ${words[(i * 7) % 4]}`,
  group: i % 100,
  vector: vector(),
}));
await index.addRecords(records);
await index.deleteRecords(["7", "70", "700"]);
const answers = [];
for (const filters of [undefined, "group < 50", "group = 3", "group = 1000"])
  for (const [query, matching] of [
    ["", "auto"],
    ["lamp", "auto"],
    ["red chair", "auto"],
    ["red chair", "any"],
    ["red chair", "all"],
    ["red green lamp", "auto"],
  ]) {
    const { data } = await index.query({
      query,
      matching,
      vector: vector(),
      semanticWeight: 0.5,
      semanticFloor: 0.1,
      hitsPerPage: 1000,
      attributesToRetrieve: ["title"],
      ...(filters === undefined ? {} : { filters }),
    });
    answers.push([data.nbHits, data.hits.map(({ id, score }) => `${id} ${score}`)]);
  }
process.stdout.write(JSON.stringify({ wasm: engine.capabilities().wasm, answers }));
await engine.close();
