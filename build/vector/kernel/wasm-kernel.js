// The kernel of assembly/vector-scan.ts over the memory of one segment's rows.
import { scaleOf, sumOf } from "../unit-vector.js";
import { writeCoarseQuery } from "./coarse-rows.js";
import { BLOCK_ROWS, COARSE_QUERY, QUERY_SCALE, QUERY_SUM } from "./row-memory.js";
import { instantiate } from "./web-assembly.js";
/** Rows in a WebAssembly memory. */
export class WasmKernel {
    list;
    found;
    sums;
    buffer;
    query;
    scan;
    coarseComponents;
    asked;
    coarselyAsked;
    constructor({ memory, query, list, found, sums, coarseQuery }, { stride, coarse }) {
        const { buffer } = memory;
        this.buffer = buffer;
        this.query = new Int16Array(buffer, query, stride);
        this.coarseComponents = new Int16Array(buffer, coarseQuery, 4 * (coarse?.stride ?? 0));
        this.list = new Uint32Array(buffer, list, BLOCK_ROWS);
        this.found = new Uint32Array(buffer, found, BLOCK_ROWS);
        this.sums = new Int32Array(buffer, sums, BLOCK_ROWS);
        this.scan = instantiate(memory);
    }
    ask(query) {
        if (query === this.asked)
            return;
        this.query.set(query.components);
        new Int32Array(this.buffer)[QUERY_SUM] = sumOf(query);
        new Float32Array(this.buffer)[QUERY_SCALE] = scaleOf(query);
        this.asked = query;
    }
    sift(from, to, threshold) {
        return this.scan.sift(from, to, threshold);
    }
    siftListed(count, threshold) {
        return this.scan.siftListed(count, threshold);
    }
    dots(count) {
        this.scan.dots(count);
    }
    askCoarse(query) {
        if (query === this.coarselyAsked)
            return;
        const { scale, growth, leeway } = writeCoarseQuery(query, this.coarseComponents);
        new Float32Array(this.buffer).set([scale, growth, leeway], COARSE_QUERY);
        this.coarselyAsked = query;
    }
    scout(from, to) {
        this.scan.scout(from, to);
    }
    pick(from, to, { least, below }) {
        return this.scan.pick(from, to, least, below);
    }
}
