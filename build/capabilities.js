// What this process can do; what it cannot is done another way, with the same answers.
import { wasmAvailable as wasmForWords } from "./text/score-kernel.js";
import { hnswAvailable } from "./vector/graph/web-assembly.js";
import { wasmAvailable as wasmForVectors } from "./vector/kernel/web-assembly.js";
/** Finds out, loading what there is. */
export function findCapabilities() {
    return { hnsw: hnswAvailable(), wasm: wasmForWords() && wasmForVectors() };
}
