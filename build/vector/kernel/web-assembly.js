// The compiled kernel (see assembly/vector-scan.ts), loaded at first use. Where it cannot be, the plain one does the same.
import { loadOnce } from "../../base/wasm/web-assembly.js";
const load = loadOnce(new URL("./vector-scan.wasm", import.meta.url), (functions) => {
    const { sift, siftListed, dots, scout, pick } = functions;
    const nothing = sift(0, 0, 0) + siftListed(0, 0) + pick(0, 0, 0, 0);
    return nothing === 0 && dots(0) === undefined && scout(0, 0) === undefined;
});
/** True when the compiled kernel can be used; the first call loads it. */
export function wasmAvailable() {
    return load() !== null;
}
/** A memory of so many bytes, all 0; undefined where there is none to be had. */
export function createMemory(bytes) {
    return load()?.createMemory(bytes);
}
/** The kernel's functions over a memory from `createMemory`. */
export function instantiate(memory) {
    return load().instantiate(memory);
}
