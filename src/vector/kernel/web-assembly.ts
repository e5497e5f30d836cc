// The compiled kernel (see assembly/vector-scan.ts), loaded at first use. Where it cannot be, the plain one does the same.

import { type LinearMemory, loadOnce } from "../../base/wasm/web-assembly.js";

/** The functions of assembly/vector-scan.ts over one memory. */
export interface VectorScan {
  sift(from: number, to: number, threshold: number): number;
  siftListed(count: number, threshold: number): number;
  dots(count: number): void;
  scout(from: number, to: number): void;
  pick(from: number, to: number, least: number, below: number): number;
}

const load = loadOnce(new URL("./vector-scan.wasm", import.meta.url), (functions) => {
  const { sift, siftListed, dots, scout, pick } = functions as VectorScan;
  const nothing = sift(0, 0, 0) + siftListed(0, 0) + pick(0, 0, 0, 0);
  return nothing === 0 && dots(0) === undefined && scout(0, 0) === undefined;
});

/** True when the compiled kernel can be used; the first call loads it. */
export function wasmAvailable(): boolean {
  return load() !== null;
}

/** A memory of so many bytes, all 0; undefined where there is none to be had. */
export function createMemory(bytes: number): LinearMemory | undefined {
  return load()?.createMemory(bytes);
}

/** The kernel's functions over a memory from `createMemory`. */
export function instantiate(memory: LinearMemory): VectorScan {
  return load()!.instantiate(memory) as VectorScan;
}
