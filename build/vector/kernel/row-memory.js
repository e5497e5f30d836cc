// Where the rows of a segment lie: in arrays, or, from a size on, in a WebAssembly memory of their own with the same arrays as
// views of it. Such a memory is laid out for the kernel: a header, then a query and lists of rows, then the rows.
import { createMemory } from "./web-assembly.js";
/** Rows looked at in one call of a kernel. */
export const BLOCK_ROWS = 2048;
/** Rows of fewer bytes are scanned as fast as a kernel is called, and a page for each of many small indexes is waste. */
const LEAST_LINEAR_BYTES = 131_072;
const LANES = 8;
/** Components of a step in `CoarseRows`: four in each lane of a vector register. */
const COARSE_STEP = 4 * LANES;
/** Rows with fewer components are read as fast as they are multiplied, so that a second plane only costs. */
const LEAST_COARSE = 256;
/** Above it a query would have to be rounded to where it tells little. */
const MOST_COARSE = 16_384;
const HEADER_BYTES = 128;
const LIST_BYTES = 4 * BLOCK_ROWS;
/** Fields of the header, as assembly/vector-scan.ts names them: 32-bit words. */
export const QUERY_SUM = 10;
export const QUERY_SCALE = 11;
const COARSE_FIELDS = 12;
/** Three floats from here on. */
export const COARSE_QUERY = 18;
/** Room for rows, all 0. `leastLinear` is the size in bytes from which they get a WebAssembly memory, if there is one. */
export function allocateRows(count, dimensions, leastLinear = LEAST_LINEAR_BYTES) {
    const stride = Math.ceil(dimensions / LANES) * LANES;
    const isCoarse = dimensions >= LEAST_COARSE && dimensions <= MOST_COARSE;
    const coarseStride = isCoarse ? LANES * Math.ceil(dimensions / COARSE_STEP) : 0;
    const size = { count, stride, coarseStride };
    const memory = 2 * count * stride < leastLinear ? undefined : createMemory(layout(size).end);
    return memory === undefined ? ordinary(size) : linear(memory, size);
}
function ordinary({ count, stride }) {
    return {
        stride,
        high: new Int8Array(count * stride),
        low: new Uint8Array(count * stride),
        shifts: new Uint8Array(count),
        factors: new Float32Array(count),
        slacks: new Float32Array(count),
        coarse: null,
        linear: null,
    };
}
function linear(memory, size) {
    const { buffer } = memory;
    const { count, stride, coarseStride } = size;
    const { query, list, found, sums, factors, slacks, high, low, shifts, ...coarse } = layout(size);
    const header = new Uint32Array(buffer);
    header.set([stride, query, list, found, sums, factors, slacks, high, low, shifts]);
    header.set([2 * coarseStride, coarse.query4, coarse.lanes, coarse.factors4, coarse.slacks4, coarse.reaches], COARSE_FIELDS);
    return {
        stride,
        high: new Int8Array(buffer, high, count * stride),
        low: new Uint8Array(buffer, low, count * stride),
        shifts: new Uint8Array(buffer, shifts, count),
        factors: new Float32Array(buffer, factors, count),
        slacks: new Float32Array(buffer, slacks, count),
        coarse: coarseStride === 0
            ? null
            : {
                stride: coarseStride,
                lanes: new Int16Array(buffer, coarse.lanes, count * coarseStride),
                factors: new Float32Array(buffer, coarse.factors4, count),
                slacks: new Float32Array(buffer, coarse.slacks4, count),
                reaches: new Float32Array(buffer, coarse.reaches, count),
            },
        linear: { memory, query, list, found, sums, coarseQuery: coarse.query4 },
    };
}
/** Places in the memory, each on a border of 64 bytes. */
function layout({ count, stride, coarseStride }) {
    const query = HEADER_BYTES;
    const query4 = aligned(query + 2 * stride);
    const list = aligned(query4 + 8 * coarseStride);
    const found = list + LIST_BYTES;
    const sums = found + LIST_BYTES;
    const factors = sums + LIST_BYTES;
    const slacks = aligned(factors + 4 * count);
    const high = aligned(slacks + 4 * count);
    const low = aligned(high + count * stride);
    const shifts = aligned(low + count * stride);
    const lanes = aligned(shifts + count);
    const coarse = coarseStride === 0 ? 0 : count;
    const factors4 = aligned(lanes + 2 * coarse * coarseStride);
    const slacks4 = aligned(factors4 + 4 * coarse);
    const reaches = aligned(slacks4 + 4 * coarse);
    const end = aligned(reaches + 4 * coarse);
    const places = { query, query4, list, found, sums, factors, slacks, high, low, shifts };
    return { ...places, lanes, factors4, slacks4, reaches, end };
}
function aligned(at) {
    return Math.ceil(at / 64) * 64;
}
