// Compiles the AssemblyScript kernels to WebAssembly, beside the code that loads them.
import { main } from "assemblyscript/asc";

const options = ["--runtime", "stub", "--noAssert", "--enable", "simd", "--importMemory", "--initialMemory", "1"];
for (const [source, outFile] of [
  ["assembly/vector-scan.ts", "src/vector/kernel/vector-scan.wasm"],
  ["assembly/word-rows.ts", "src/vector/static-en/word-rows.wasm"],
  ["assembly/neighbour-graph.ts", "src/vector/graph/neighbour-graph.wasm"],
  ["assembly/score-scan.ts", "src/text/score-scan.wasm"],
  ["assembly/token-scan.ts", "src/language/tokens/token-scan.wasm"],
]) {
  const { error, stderr } = await main([source, "--outFile", outFile, "-O3", "--converge", ...options]);
  if (error) {
    console.error(stderr.toString());
    process.exit(1);
  }
}
