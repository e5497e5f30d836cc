// tsc copies code only; the embedder's word table and the compiled kernel go along with it.
import { copyFileSync, mkdirSync } from "node:fs";

for (const [folder, file] of [
  ["vector/static-en", "static-en-60k-192-int4.bin"],
  ["vector/kernel", "vector-scan.wasm"],
]) {
  mkdirSync(`dist/${folder}`, { recursive: true });
  copyFileSync(`src/${folder}/${file}`, `dist/${folder}/${file}`);
}
