// Compiles the AssemblyScript kernels to WebAssembly, each into a TypeScript file beside the code that loads it: bundlers then need to
// know nothing of WebAssembly. A kernel is compiled only if its sources, the compiler, its options or this script have changed since
// the last time: the first line of the file holds their hash.

import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const OPTIONS = ["--runtime", "stub", "--noAssert", "--enable", "simd", "--importMemory", "--initialMemory", "1"];
const OPTIMISE = ["-O3", "--converge"];

/** Each source with the file that is generated from it, and the constant that this exports. */
const KERNELS = [
  ["assembly/vector-scan.ts", "src/vectors/vector-scan.wasm.ts", "VECTOR_SCAN"],
  ["assembly/word-rows.ts", "src/embedding/word-rows.wasm.ts", "WORD_ROWS"],
  ["assembly/neighbour-graph.ts", "src/vectors/hnsw/neighbour-graph.wasm.ts", "NEIGHBOUR_GRAPH"],
  ["assembly/score-scan.ts", "src/inverted/score-scan.wasm.ts", "SCORE_SCAN"],
];

/** A source and the sources that it imports. */
function readSources(file) {
  const text = readFileSync(file, "utf8");
  const imported = [...text.matchAll(/\bfrom "(\.[^"]+)"/g)].map(([, name]) => join(dirname(file), `${name}.ts`));
  return [text, ...imported.flatMap(readSources)];
}

/** The WebAssembly module of a source. */
async function compile(source) {
  // The compiler is loaded only if something has changed, because loading it takes long.
  const { main } = await import("assemblyscript/asc");
  const folder = mkdtempSync(join(tmpdir(), "tandem-search-kernel-"));
  try {
    const file = join(folder, "kernel.wasm");
    const { error, stderr } = await main([source, "--outFile", file, "--baseDir", ".", ...OPTIMISE, ...OPTIONS], {});
    if (error) throw new Error(stderr.toString());
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const manifest = readFileSync("node_modules/assemblyscript/package.json", "utf8");
const script = readFileSync(fileURLToPath(import.meta.url), "utf8");
for (const [source, generated, name] of KERNELS) {
  const inputs = [JSON.parse(manifest).version, script, ...readSources(source)];
  const stamp = `// ${createHash("sha256").update(JSON.stringify(inputs)).digest("hex")}\n`;
  if (existsSync(generated) && readFileSync(generated, "utf8").startsWith(stamp)) continue;
  const module = (await compile(source)).toString("base64");
  const comment = `// Generated from ${source} by scripts/build-kernels.mjs.\n`;
  writeFileSync(generated, `${stamp}${comment}\nexport const ${name}: string = "${module}";\n`);
}
