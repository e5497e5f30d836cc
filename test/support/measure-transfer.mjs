// Prints what an import and an export take in memory beside the index, in MB, at most.

import { SearchEngine } from "../../dist/index.js";

const COUNT = Number(process.argv[2]);
const FILLER = "lorem ipsum ".repeat(80);

function held() {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}

let most = 0;
let last = -Infinity;
function look() {
  if (performance.now() - last < 50) return;
  most = Math.max(most, held());
  last = performance.now();
}

function* lines() {
  yield '{"tandem-search":1,"settings":{"searchableAttributes":["title"]}}\n';
  for (let id = 0; id < COUNT; id++) {
    look();
    yield `${JSON.stringify({ id, title: `lamp ${id % 50}`, price: id % 9, filler: id + FILLER })}\n`;
  }
}

const engine = new SearchEngine({ embedder: false });
const looking = setInterval(look, 20);
await engine.importIndex("shop", lines());
const imported = most - held();
await engine.index("shop").whenIdle();
const index = held();
most = index;
let characters = 0;
for await (const piece of engine.exportIndex("shop")) {
  look();
  characters += piece.length;
}
clearInterval(looking);
process.stdout.write(JSON.stringify({ imported, exported: most - index, characters }));
