// The compiled kernel of the table (see assembly/word-rows.ts), loaded at first use. Where it cannot be, the plain one does the same.
import { loadOnce } from "../../base/wasm/web-assembly.js";
const load = loadOnce(new URL("./word-rows.wasm", import.meta.url), (functions) => {
    const { dot, dots, squares } = functions;
    // Of codes that are all 0 each component is -8.
    return dots(0, 0) === undefined && squares(0, 0) === undefined && dot(0, 0) === 192 * 64;
});
/** A memory of so many bytes, all 0; undefined where there is none to be had. */
export function createRowMemory(bytes) {
    return load()?.createMemory(bytes);
}
/** The kernel's functions over a memory from `createRowMemory`. */
export function instantiateRows(memory) {
    return load().instantiate(memory);
}
