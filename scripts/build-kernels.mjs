// Compiles the AssemblyScript kernels to WebAssembly, beside the code that loads them.
import { main } from "assemblyscript/asc";

const options = ["--runtime", "stub", "--noAssert", "--enable", "simd", "--importMemory", "--initialMemory", "1"];
const { error, stderr } = await main([
  "assembly/vector-scan.ts",
  "--outFile",
  "src/vector/kernel/vector-scan.wasm",
  "-O3",
  "--converge",
  ...options,
]);
if (error) {
  console.error(stderr.toString());
  process.exit(1);
}
