// Prints what an import, an export and a snapshot of a data folder take in memory beside the index, in MB, at most.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SearchEngine } from "../../dist/index.js";

const COUNT = Number(process.argv[2]);
const FILLER = "lorem ipsum ".repeat(80);

function held() {
  // Buffers are freed in the background; the second waits for what the first began.
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
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
const exported = most - index;
await engine.close();

const folder = mkdtempSync(join(tmpdir(), "transfer-"));
const stored = await SearchEngine.open({ dataDir: join(folder, "data"), embedder: false, durability: "interval" });
await stored.importIndex("shop", lines());
await stored.index("shop").whenIdle();
await stored.query("shop", { query: "lamp" });
most = held();
const before = most;
const { bytes } = await stored.writeSnapshot("shop", join(folder, "snapshot"));
const written = most - before;
clearInterval(looking);
await stored.close();
rmSync(folder, { recursive: true });
process.stdout.write(JSON.stringify({ imported, exported, characters, written, bytes }));
