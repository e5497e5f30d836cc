// Modules compiled to WebAssembly that lie beside the code that loads them: small enough to be read and compiled
// synchronously, at first use. Where there is no WebAssembly, or no SIMD, or no such file, there is no module.
import { readFileSync } from "node:fs";
import { endianness } from "node:os";
/** Memories are as large as so many bytes times a number. */
export const PAGE_BYTES = 65_536;
/** A memory reserves 10 GB of addresses, though it takes no more memory than it has pages. */
const MAX_LIVE = 1000;
let live = 0;
const forgotten = new FinalizationRegistry(() => void live--);
/** A compiled module that imports its memory. */
export class WasmModule {
    wasm;
    module;
    constructor(wasm, module) {
        this.wasm = wasm;
        this.module = module;
    }
    /**
     * A memory of so many bytes at least, all 0, that can grow to `most`; undefined where there is none to be had. It is given
     * back when nothing refers to it.
     */
    createMemory(bytes, most = bytes) {
        if (live >= MAX_LIVE)
            return undefined;
        try {
            const [initial, maximum] = [bytes, most].map((size) => Math.ceil(size / PAGE_BYTES));
            const memory = new this.wasm.Memory({ initial: initial, maximum: maximum });
            live++;
            forgotten.register(memory, undefined, memory);
            return memory;
        }
        catch {
            return undefined;
        }
    }
    /** Tells that a memory from here is not used any more, before that is found out. */
    release(memory) {
        if (forgotten.unregister(memory))
            live--;
    }
    /** The module's functions over a memory. */
    instantiate(memory) {
        return new this.wasm.Instance(this.module, { env: { memory } }).exports;
    }
}
/** Reads and compiles a module; null: that cannot be done here. */
export function loadModule(file) {
    try {
        const wasm = globalThis.WebAssembly;
        // The views of a memory are written in the machine's order of bytes, and read in WebAssembly's.
        if (wasm === undefined || endianness() !== "LE")
            return null;
        return new WasmModule(wasm, new wasm.Module(readFileSync(file)));
    }
    catch {
        return null;
    }
}
/** A module that is loaded when it is first asked for; null where it cannot be, or where its functions do not work. */
export function loadOnce(file, works) {
    let loaded;
    return () => {
        if (loaded === undefined) {
            const found = loadModule(file);
            loaded = found !== null && tried(found, works) ? found : null;
        }
        return loaded;
    };
}
function tried(module, works) {
    try {
        const memory = module.createMemory(1);
        if (memory === undefined)
            return false;
        const answer = works(module.instantiate(memory));
        module.release(memory);
        return answer;
    }
    catch {
        return false;
    }
}
