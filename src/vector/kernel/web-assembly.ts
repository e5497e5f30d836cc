// The compiled kernel (see assembly/vector-scan.ts): read and compiled at first use, small enough to be so synchronously.
// Where there is no WebAssembly, or no SIMD, or no such file, there is no kernel, and the plain one does the same.

import { readFileSync } from "node:fs";
import { endianness } from "node:os";

/** Linear memory; its buffer stays the same, because nobody grows it. */
export interface LinearMemory {
  readonly buffer: ArrayBuffer;
}

/** The functions of assembly/vector-scan.ts over one memory. */
export interface VectorScan {
  sift(from: number, to: number, threshold: number): number;
  siftListed(count: number, threshold: number): number;
  dots(count: number): void;
  scout(from: number, to: number): void;
  pick(from: number, to: number, least: number, below: number): number;
}

/** What is used of the global of that name; TypeScript knows it in browsers only. */
interface WebAssemblyGlobal {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => LinearMemory;
}

interface Loaded {
  readonly wasm: WebAssemblyGlobal;
  readonly module: object;
}

const FILE = "./vector-scan.wasm";
const PAGE_BYTES = 65_536;
/** A memory reserves 10 GB of addresses, though it takes no more memory than it has pages. */
const MAX_LIVE = 1000;

let loaded: Loaded | null | undefined;
let live = 0;
const forgotten = new FinalizationRegistry<undefined>(() => void live--);

/** True when the compiled kernel can be used; the first call loads it. */
export function wasmAvailable(): boolean {
  return load() !== null;
}

/** A memory of so many bytes, all 0; undefined where there is none to be had. It is given back when nothing refers to it. */
export function createMemory(bytes: number): LinearMemory | undefined {
  const found = load();
  if (found === null || live >= MAX_LIVE) return undefined;
  const pages = Math.ceil(bytes / PAGE_BYTES);
  try {
    const memory = new found.wasm.Memory({ initial: pages, maximum: pages });
    live++;
    forgotten.register(memory, undefined);
    return memory;
  } catch {
    return undefined;
  }
}

/** The kernel's functions over a memory from `createMemory`. */
export function instantiate(memory: LinearMemory): VectorScan {
  const { wasm, module } = load()!;
  return new wasm.Instance(module, { env: { memory } }).exports as VectorScan;
}

function load(): Loaded | null {
  if (loaded !== undefined) return loaded;
  try {
    const wasm = (globalThis as { readonly WebAssembly?: WebAssemblyGlobal }).WebAssembly;
    // The views of a memory are written in the machine's order of bytes, and read in WebAssembly's.
    loaded =
      wasm === undefined || endianness() !== "LE" ? null : tried({ wasm, module: new wasm.Module(readKernel()) });
  } catch {
    loaded = null;
  }
  return loaded;
}

function readKernel(): Uint8Array {
  return readFileSync(new URL(FILE, import.meta.url));
}

/** Throws where the module compiles but cannot be used. */
function tried(found: Loaded): Loaded {
  const memory = new found.wasm.Memory({ initial: 1, maximum: 1 });
  const scan = new found.wasm.Instance(found.module, { env: { memory } }).exports as VectorScan;
  const { sift, siftListed, dots, scout, pick } = scan;
  const found0 = [sift(0, 0, 0), siftListed(0, 0), pick(0, 0, 0, 0)];
  if (found0.some((count) => count !== 0) || dots(0) !== undefined || scout(0, 0) !== undefined)
    throw new Error("The kernel is not whole.");
  return found;
}
