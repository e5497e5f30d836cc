// tsc copies code only; the embedder's word table goes along with it.
import { copyFileSync, mkdirSync } from "node:fs";

const folder = "vector/static-en";
const file = "static-en-60k-192-int4.bin";
mkdirSync(`dist/${folder}`, { recursive: true });
copyFileSync(`src/${folder}/${file}`, `dist/${folder}/${file}`);
