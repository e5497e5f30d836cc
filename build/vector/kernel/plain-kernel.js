// The kernel in plain JavaScript: for small segments, and wherever there is no WebAssembly. Every step does the arithmetic of
// assembly/vector-scan.ts, 32-bit floats included, so that both find the same rows.
import { scaleOf, sumOf } from "../unit-vector.js";
import { BLOCK_ROWS } from "./row-memory.js";
// A call's results are read before the next call, so all kernels can share them.
const list = new Uint32Array(BLOCK_ROWS);
const found = new Uint32Array(BLOCK_ROWS);
const sums = new Int32Array(BLOCK_ROWS);
/** Rows in any memory. */
export class PlainKernel {
    list = list;
    found = found;
    sums = sums;
    rows;
    query;
    asked;
    querySum = 0;
    scale = 0;
    constructor(rows) {
        this.rows = rows;
        this.query = new Int16Array(rows.stride);
    }
    ask(query) {
        if (query === this.asked)
            return;
        this.query.set(query.components);
        this.querySum = sumOf(query);
        this.scale = Math.fround(scaleOf(query));
        this.asked = query;
    }
    sift(from, to, threshold) {
        const least = Math.fround(threshold);
        let count = 0;
        for (let row = from; row < to; row++)
            count = this.siftRow(row, least, count);
        return count;
    }
    siftListed(count, threshold) {
        const least = Math.fround(threshold);
        let kept = 0;
        for (let at = 0; at < count; at++)
            kept = this.siftRow(list[at], least, kept);
        return kept;
    }
    dots(count) {
        const { high, low, shifts, stride } = this.rows;
        for (let at = 0; at < count; at++) {
            const row = list[at];
            const ofHigh = dotOfHigh(high, row * stride, this.query);
            sums[at] = (ofHigh << shifts[row]) + dotOfLow(low, row * stride, this.query);
        }
    }
    siftRow(row, least, count) {
        const { high, stride, factors, slacks } = this.rows;
        const sum = dotOfHigh(high, row * stride, this.query);
        const middle = Math.fround((2 * sum + this.querySum) | 0);
        const cosine = Math.fround(Math.fround(middle * factors[row]) * this.scale);
        if (Math.fround(cosine + slacks[row]) < least)
            return count;
        found[count] = row;
        sums[count] = sum;
        return count + 1;
    }
}
/** Eight products at a time, as many as a row is padded to; their sum is a whole number far below 2^53. */
function dotOfHigh(high, at, query) {
    let sum = 0;
    for (let i = 0; i < query.length; i += 8, at += 8)
        sum =
            (sum +
                high[at] * query[i] +
                high[at + 1] * query[i + 1] +
                high[at + 2] * query[i + 2] +
                high[at + 3] * query[i + 3] +
                high[at + 4] * query[i + 4] +
                high[at + 5] * query[i + 5] +
                high[at + 6] * query[i + 6] +
                high[at + 7] * query[i + 7]) |
                0;
    return sum;
}
function dotOfLow(low, at, query) {
    let sum = 0;
    for (let i = 0; i < query.length; i += 8, at += 8)
        sum =
            (sum +
                low[at] * query[i] +
                low[at + 1] * query[i + 1] +
                low[at + 2] * query[i + 2] +
                low[at + 3] * query[i + 3] +
                low[at + 4] * query[i + 4] +
                low[at + 5] * query[i + 5] +
                low[at + 6] * query[i + 6] +
                low[at + 7] * query[i + 7]) |
                0;
    return sum;
}
