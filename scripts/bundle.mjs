// Joins the compiled files to one for each front door and one for what they share: two hundred small modules take three
// times as long to load. tsc has written them to build/, and their types to dist/, where the joined files go.

import { copyFileSync } from "node:fs";
import { rolldown } from "rolldown";

await join({ index: "build/index.js", evaluation: "build/evaluation.js" });
// A thread of its own loads little, and shares nothing.
await join({ "indexing-thread": "build/indexing-thread.js" });

async function join(input) {
  const bundle = await rolldown({
    input,
    platform: "node",
    external: /^[^./]/,
    onLog(level, log) {
      if (level === "warn") throw new Error(log.message);
    },
  });
  await bundle.write({ dir: "dist", format: "esm", chunkFileNames: "[name].js", comments: false });
  await bundle.close();
}

// Read by files of build/ from beside themselves, and by the joined file from beside it.
for (const [folder, file] of [
  ["vector/static-en", "static-en-60k-192-int4.bin"],
  ["vector/static-en", "word-rows.wasm"],
  ["vector/kernel", "vector-scan.wasm"],
  ["vector/graph", "neighbour-graph.wasm"],
  ["text", "score-scan.wasm"],
  ["language/tokens", "token-scan.wasm"],
]) {
  copyFileSync(`src/${folder}/${file}`, `build/${folder}/${file}`);
  copyFileSync(`src/${folder}/${file}`, `dist/${file}`);
}
