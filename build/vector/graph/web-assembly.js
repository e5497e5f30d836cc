// The compiled graph (see assembly/neighbour-graph.ts), loaded at first use. Where it cannot be, there are no graphs, and
// vectors are scanned.
import { loadOnce } from "../../base/wasm/web-assembly.js";
const load = loadOnce(new URL("./neighbour-graph.wasm", import.meta.url), (functions) => functions.nearest(0, 0, 0) === 0);
/** True when graphs can be used; the first call loads what they need. */
export function hnswAvailable() {
    return load() !== null;
}
/** A memory of so many bytes, all 0, that can grow to `most`; undefined where there is none to be had. */
export function createGraphMemory(bytes, most) {
    return load()?.createMemory(bytes, most);
}
/** Tells that a memory from `createGraphMemory` is not used any more. */
export function releaseGraphMemory(memory) {
    load().release(memory);
}
/** The graph's functions over a memory from `createGraphMemory`. */
export function instantiateGraph(memory) {
    return load().instantiate(memory);
}
