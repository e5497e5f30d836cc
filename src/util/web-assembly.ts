// Loads WebAssembly: compiles a module, which is a base64 text in the code, at first use and instantiates it over a memory. The modules
// are small, so this is synchronous. It never throws: without WebAssembly, SIMD or little-endian byte order there is no module, and the
// caller runs plain JavaScript.

import { endianness } from "node:os";

/** A linear memory of fixed size: its buffer never changes. */
export interface LinearMemory {
  readonly buffer: ArrayBuffer;
}

/** A linear memory that can grow. Growing replaces the buffer and detaches the old one. */
export interface GrowingMemory extends LinearMemory {
  grow(pages: number): number;
}

/** The part of the global `WebAssembly` that is used here; TypeScript declares it for browsers only. */
interface WebAssemblyGlobal {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => GrowingMemory;
}

/** What to tell a user where no module can be loaded. */
export const NO_WASM = "this process has no WebAssembly with SIMD";
/** The unit in which memories are allocated. */
export const PAGE_BYTES = 65_536;
/** Even a small memory reserves 10 GB of address space, so their number is limited. */
const MAX_LIVE = 1000;

let live = 0;
const collected = new FinalizationRegistry<undefined>(() => void live--);

/** A compiled module that imports its memory and exports `Functions`. */
export class WasmModule<Functions extends object = object> {
  private readonly wasm: WebAssemblyGlobal;
  private readonly module: object;

  constructor(wasm: WebAssemblyGlobal, module: object) {
    this.wasm = wasm;
    this.module = module;
  }

  /**
   * A zeroed memory of at least `bytes`, which can grow to `most`; undefined if none can be allocated. The garbage collector frees it.
   */
  createMemory(bytes: number, most: number = bytes): GrowingMemory | undefined {
    if (live >= MAX_LIVE) return undefined;
    try {
      const memory = new this.wasm.Memory({ initial: pagesFor(bytes), maximum: pagesFor(most) });
      live++;
      collected.register(memory, undefined, memory);
      return memory;
    } catch {
      return undefined;
    }
  }

  /** Stops counting a memory from `createMemory` before it is garbage collected. */
  release(memory: LinearMemory): void {
    if (collected.unregister(memory)) live--;
  }

  /** The module's functions over a memory. */
  instantiate(memory: LinearMemory): Functions {
    return new this.wasm.Instance(this.module, { env: { memory } }).exports as Functions;
  }
}

/** Compiles a module; null if that fails. */
export function loadModule<Functions extends object = object>(base64: string): WasmModule<Functions> | null {
  try {
    const wasm = (globalThis as { readonly WebAssembly?: WebAssemblyGlobal }).WebAssembly;
    // Typed arrays use the machine's byte order, WebAssembly always little-endian.
    if (wasm === undefined || endianness() !== "LE") return null;
    return new WasmModule(wasm, new wasm.Module(bytesOf(base64)));
  } catch {
    return null;
  }
}

/**
 * A function that compiles a module at its first call and returns it. It returns null if that fails, or if `works`, called with the
 * functions of the module over one empty page, does not return true.
 *
 * @example
 * const load = loadOnce<LinkedNodes>(NEIGHBOUR_GRAPH, ({ nearest }) => nearest(0, 0, 0) === 0);
 */
export function loadOnce<Functions extends object = object>(
  base64: string,
  works: (functions: Functions) => boolean,
): () => WasmModule<Functions> | null {
  let loaded: WasmModule<Functions> | null | undefined;
  return () => {
    if (loaded === undefined) {
      const module = loadModule<Functions>(base64);
      loaded = module !== null && passes(module, works) ? module : null;
    }
    return loaded;
  };
}

function passes<Functions extends object>(
  module: WasmModule<Functions>,
  works: (functions: Functions) => boolean,
): boolean {
  try {
    const memory = module.createMemory(1);
    if (memory === undefined) return false;
    const answer = works(module.instantiate(memory));
    module.release(memory);
    return answer;
  } catch {
    return false;
  }
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function pagesFor(bytes: number): number {
  return Math.ceil(bytes / PAGE_BYTES);
}
