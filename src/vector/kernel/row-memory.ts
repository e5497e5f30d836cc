// Where the rows of a segment lie: in arrays, or, from a size on, in a WebAssembly memory of their own with the same arrays as
// views of it. Such a memory is laid out for the kernel: a header, then a query and lists of rows, then the rows.

import type { LinearMemory } from "../../base/wasm/web-assembly.js";
import { createMemory } from "./web-assembly.js";

/**
 * The rows, filled by whoever allocates them and read-only afterwards. Component c of a row is
 * `(high << shift) + low`: the high byte alone is the component within 2^shift.
 */
export interface RowMemory {
  /** Components of a row in `high` and `low`, the last ones 0: the dimensions, rounded up to a whole vector register. */
  readonly stride: number;
  readonly high: Int8Array;
  readonly low: Uint8Array;
  readonly shifts: Uint8Array;
  /** 2^shift over the row's length. */
  readonly factors: Float32Array;
  /** How far the cosine by high bytes may be from the exact one. */
  readonly slacks: Float32Array;
  /** null: rows are too short to gain by it. */
  readonly coarse: CoarseRows | null;
  /** null: the arrays are ordinary ones. */
  readonly linear: LinearRows | null;
}

/** The same rows once more in 4 bits a component, for a first look at many: see coarse-rows.ts. */
export interface CoarseRows {
  /** 16-bit lanes of a row, of four components each. */
  readonly stride: number;
  readonly lanes: Int16Array;
  /** What a lane's unit is, over the row's length. */
  readonly factors: Float32Array;
  /** How far the cosine by lanes may be from the exact one, if the query's were exact. */
  readonly slacks: Float32Array;
  /** What the cosines reach at most: written by a kernel, for the query asked last. */
  readonly reaches: Float32Array;
}

/** A memory with the places of what the kernel reads and writes besides the rows. */
export interface LinearRows {
  readonly memory: LinearMemory;
  readonly query: number;
  readonly list: number;
  readonly found: number;
  readonly sums: number;
  readonly coarseQuery: number;
}

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
export function allocateRows(count: number, dimensions: number, leastLinear: number = LEAST_LINEAR_BYTES): RowMemory {
  const stride = Math.ceil(dimensions / LANES) * LANES;
  const isCoarse = dimensions >= LEAST_COARSE && dimensions <= MOST_COARSE;
  const coarseStride = isCoarse ? LANES * Math.ceil(dimensions / COARSE_STEP) : 0;
  const size = { count, stride, coarseStride };
  const memory = 2 * count * stride < leastLinear ? undefined : createMemory(layout(size).end);
  return memory === undefined ? ordinary(size) : linear(memory, size);
}

interface Size {
  readonly count: number;
  readonly stride: number;
  /** 0: no coarse rows. */
  readonly coarseStride: number;
}

function ordinary({ count, stride }: Size): RowMemory {
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

function linear(memory: LinearMemory, size: Size): RowMemory {
  const { buffer } = memory;
  const { count, stride, coarseStride } = size;
  const { query, list, found, sums, factors, slacks, high, low, shifts, ...coarse } = layout(size);
  const header = new Uint32Array(buffer);
  header.set([stride, query, list, found, sums, factors, slacks, high, low, shifts]);
  header.set(
    [2 * coarseStride, coarse.query4, coarse.lanes, coarse.factors4, coarse.slacks4, coarse.reaches],
    COARSE_FIELDS,
  );
  return {
    stride,
    high: new Int8Array(buffer, high, count * stride),
    low: new Uint8Array(buffer, low, count * stride),
    shifts: new Uint8Array(buffer, shifts, count),
    factors: new Float32Array(buffer, factors, count),
    slacks: new Float32Array(buffer, slacks, count),
    coarse:
      coarseStride === 0
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
function layout({ count, stride, coarseStride }: Size): Record<Place | "end", number> {
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

type Place =
  | "query"
  | "query4"
  | "list"
  | "found"
  | "sums"
  | "factors"
  | "slacks"
  | "high"
  | "low"
  | "shifts"
  | "lanes"
  | "factors4"
  | "slacks4"
  | "reaches";

function aligned(at: number): number {
  return Math.ceil(at / 64) * 64;
}
