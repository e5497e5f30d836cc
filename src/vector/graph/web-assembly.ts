// The compiled graph (see assembly/neighbour-graph.ts), loaded at first use. Where it cannot be, there are no graphs, and
// vectors are scanned.

import { type GrowingMemory, type LinearMemory, loadOnce } from "../../base/wasm/web-assembly.js";

/** The functions of assembly/neighbour-graph.ts over one memory; nodes and places are addresses in it. */
export interface LinkedNodes {
  open(
    rowBytes: number,
    m: number,
    efConstruction: number,
    listed: number,
    nearness: number,
    pool: number,
    chosen: number,
  ): void;
  add(node: number, level: number): void;
  nearest(query: number, count: number, ef: number): number;
}

const load = loadOnce(
  new URL("./neighbour-graph.wasm", import.meta.url),
  (functions) => (functions as LinkedNodes).nearest(0, 0, 0) === 0,
);

/** True when graphs can be used; the first call loads what they need. */
export function hnswAvailable(): boolean {
  return load() !== null;
}

/** A memory of so many bytes, all 0, that can grow to `most`; undefined where there is none to be had. */
export function createGraphMemory(bytes: number, most: number): GrowingMemory | undefined {
  return load()?.createMemory(bytes, most);
}

/** Tells that a memory from `createGraphMemory` is not used any more. */
export function releaseGraphMemory(memory: GrowingMemory): void {
  load()!.release(memory);
}

/** The graph's functions over a memory from `createGraphMemory`. */
export function instantiateGraph(memory: LinearMemory): LinkedNodes {
  return load()!.instantiate(memory) as LinkedNodes;
}
