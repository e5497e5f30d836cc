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
  /** null: the arrays are ordinary ones. */
  readonly linear: LinearRows | null;
}

/** A memory with the places of what the kernel reads and writes besides the rows. */
export interface LinearRows {
  readonly memory: LinearMemory;
  readonly query: number;
  readonly list: number;
  readonly found: number;
  readonly sums: number;
}

/** Rows looked at in one call of a kernel. */
export const BLOCK_ROWS = 2048;

/** Rows of fewer bytes are scanned as fast as a kernel is called, and a page for each of many small indexes is waste. */
const LEAST_LINEAR_BYTES = 131_072;

const LANES = 8;
const HEADER_BYTES = 64;
const LIST_BYTES = 4 * BLOCK_ROWS;
/** Fields of the header, as assembly/vector-scan.ts names them: 32-bit words. */
export const QUERY_SUM = 10;
export const QUERY_SCALE = 11;

/** Room for rows, all 0. `leastLinear` is the size in bytes from which they get a WebAssembly memory, if there is one. */
export function allocateRows(count: number, dimensions: number, leastLinear: number = LEAST_LINEAR_BYTES): RowMemory {
  const stride = Math.ceil(dimensions / LANES) * LANES;
  const memory = 2 * count * stride < leastLinear ? undefined : createMemory(layout(count, stride).end);
  return memory === undefined ? ordinary(count, stride) : linear(memory, count, stride);
}

function ordinary(count: number, stride: number): RowMemory {
  return {
    stride,
    high: new Int8Array(count * stride),
    low: new Uint8Array(count * stride),
    shifts: new Uint8Array(count),
    factors: new Float32Array(count),
    slacks: new Float32Array(count),
    linear: null,
  };
}

function linear(memory: LinearMemory, count: number, stride: number): RowMemory {
  const { buffer } = memory;
  const { query, list, found, sums, factors, slacks, high, low, shifts } = layout(count, stride);
  new Uint32Array(buffer).set([stride, query, list, found, sums, factors, slacks, high, low, shifts]);
  return {
    stride,
    high: new Int8Array(buffer, high, count * stride),
    low: new Uint8Array(buffer, low, count * stride),
    shifts: new Uint8Array(buffer, shifts, count),
    factors: new Float32Array(buffer, factors, count),
    slacks: new Float32Array(buffer, slacks, count),
    linear: { memory, query, list, found, sums },
  };
}

/** Places in the memory, each on a border of 64 bytes. */
function layout(count: number, stride: number): Record<Place | "end", number> {
  const query = HEADER_BYTES;
  const list = aligned(query + 2 * stride);
  const found = list + LIST_BYTES;
  const sums = found + LIST_BYTES;
  const factors = sums + LIST_BYTES;
  const slacks = aligned(factors + 4 * count);
  const high = aligned(slacks + 4 * count);
  const low = aligned(high + count * stride);
  const shifts = aligned(low + count * stride);
  return { query, list, found, sums, factors, slacks, high, low, shifts, end: shifts + count };
}

type Place = "query" | "list" | "found" | "sums" | "factors" | "slacks" | "high" | "low" | "shifts";

function aligned(at: number): number {
  return Math.ceil(at / 64) * 64;
}
