// Where the codes of a table lie, and how rows are multiplied there: in a WebAssembly memory under the compiled kernel, or, where
// there is none, in the bytes that were given. Sums of integers, so both answer the same.
import { dotOfRows } from "./row-products.js";
import { createRowMemory, instantiateRows } from "./web-assembly.js";
/** Rows multiplied in one call: about a tenth of a millisecond under the plain kernel, less under the compiled one. */
export const BLOCK_ROWS = 1024;
// As assembly/word-rows.ts has them.
const SUMS = 512;
const ROWS = 4608;
/** Takes a copy of the codes where a kernel can be compiled; else they must not be changed. */
export function placeCodes(codes) {
    const memory = createRowMemory(ROWS + codes.length);
    return memory === undefined ? new PlainCodes(codes) : new CompiledCodes(memory, codes);
}
/** Rows in a WebAssembly memory. */
export class CompiledCodes {
    codes;
    sums;
    scan;
    constructor(memory, codes) {
        this.codes = new Uint8Array(memory.buffer, ROWS, codes.length);
        this.codes.set(codes);
        this.sums = new Int32Array(memory.buffer, SUMS, BLOCK_ROWS);
        this.scan = instantiateRows(memory);
    }
    dots(row, from, to) {
        this.scan.ask(row);
        this.scan.dots(from, to);
        return this.sums;
    }
    squares(from, to) {
        this.scan.squares(from, to);
        return this.sums;
    }
    dot(a, b) {
        return this.scan.dot(a, b);
    }
}
/** Rows in an ordinary array. */
export class PlainCodes {
    codes;
    sums = new Int32Array(BLOCK_ROWS);
    constructor(codes) {
        this.codes = codes;
    }
    dots(row, from, to) {
        for (let other = from; other < to; other++)
            this.sums[other - from] = dotOfRows(this.codes, row, other);
        return this.sums;
    }
    squares(from, to) {
        for (let row = from; row < to; row++)
            this.sums[row - from] = dotOfRows(this.codes, row, row);
        return this.sums;
    }
    dot(a, b) {
        return dotOfRows(this.codes, a, b);
    }
}
