// What this process can do; what it cannot is done another way, with the same answers.

import { wasmAvailable as wasmForWords } from "../inverted/score-kernel.js";
import { hnswAvailable } from "../vectors/hnsw/graph-memory.js";
import { wasmAvailable as wasmForVectors } from "../vectors/row-kernel.js";

/** What this process can do. */
export interface Capabilities {
  /** The neighbour graph can be used; else vectors are scanned exactly. */
  readonly hnsw: boolean;
  /** Words and vectors are scanned by WebAssembly with SIMD; else by plain JavaScript: the same answers, slower. */
  readonly wasm: boolean;
}

/** Finds out, loading what there is. */
export function findCapabilities(): Capabilities {
  return { hnsw: hnswAvailable(), wasm: wasmForWords() && wasmForVectors() };
}
