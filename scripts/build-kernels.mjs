// Compiles the AssemblyScript kernels to WebAssembly, beside the code that loads them. A kernel is compiled only if its
// sources, the compiler or its options have changed since the last time: a stamp beside the module holds their hash.

import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const OPTIONS = ["--runtime", "stub", "--noAssert", "--enable", "simd", "--importMemory", "--initialMemory", "1"];
const OPTIMISE = ["-O3", "--converge"];

/** Each source with its module. */
export const KERNELS = [
  ["assembly/vector-scan.ts", "src/vectors/vector-scan.wasm"],
  ["assembly/word-rows.ts", "src/embedding/word-rows.wasm"],
  ["assembly/neighbour-graph.ts", "src/vectors/hnsw/neighbour-graph.wasm"],
  ["assembly/score-scan.ts", "src/inverted/score-scan.wasm"],
];

/** A source and the sources that it imports. */
function readSources(file) {
  const text = readFileSync(file, "utf8");
  const imported = [...text.matchAll(/\bfrom "(\.[^"]+)"/g)].map(([, name]) => join(dirname(file), `${name}.ts`));
  return [text, ...imported.flatMap(readSources)];
}

async function compile(source, module, stamp) {
  // The compiler is loaded only if something has changed, because loading it takes long.
  const { main } = await import("assemblyscript/asc");
  const { error, stderr } = await main([source, "--outFile", module, ...OPTIMISE, ...OPTIONS], {});
  if (error) throw new Error(stderr.toString());
  writeFileSync(`${module}.stamp`, stamp);
}

const manifest = readFileSync("node_modules/assemblyscript/package.json", "utf8");
for (const [source, module] of KERNELS) {
  const inputs = [JSON.parse(manifest).version, ...OPTIMISE, ...OPTIONS, ...readSources(source)];
  const stamp = createHash("sha256").update(JSON.stringify(inputs)).digest("hex");
  const isBuilt = existsSync(module) && existsSync(`${module}.stamp`);
  const isFresh = isBuilt && readFileSync(`${module}.stamp`, "utf8") === stamp;
  if (!isFresh) await compile(source, module, stamp);
}
