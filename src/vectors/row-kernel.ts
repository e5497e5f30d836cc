// The vectors of a segment in memory and the inner loops over them, for one query at a time. There are two kernels: WebAssembly for
// rows in a memory of their own, plain JavaScript for rows in ordinary arrays. Both give the same rows and the same bits.

import { type LinearMemory, loadOnce } from "../util/web-assembly.js";
import { scaleOf, sumOf, type UnitVector } from "./unit-vector.js";
import { VECTOR_SCAN } from "./vector-scan.wasm.js";

/**
 * The quantized rows, which are filled by the caller of `allocateRows` and read-only afterwards. Component c of a row is
 * `(high << shift) + low`; its high byte alone gives it within 2^shift.
 */
export interface RowMemory {
  /** Bytes of a row in `high` and in `low`: the dimensions, padded with zeros to a multiple of 8. */
  readonly stride: number;
  readonly high: Int8Array;
  readonly low: Uint8Array;
  readonly shifts: Uint8Array;
  /** 2^shift over the row's length. */
  readonly factors: Float32Array;
  /** The quantization error: how far the cosine computed from the high bytes may be from the exact one. */
  readonly errors: Float32Array;
  /** Null if the arrays are ordinary ones. */
  readonly wasm: WasmRows | null;
  /** Made by the first search. */
  kernel?: RowKernel;
}

/** A memory that contains the rows, and the addresses of the kernel's other arrays. */
interface WasmRows {
  readonly memory: LinearMemory;
  readonly query: number;
  readonly list: number;
  readonly found: number;
  readonly sums: number;
}

/** The loops over rows. The arrays have `BLOCK_ROWS` entries and are overwritten by each call. */
export interface RowKernel {
  /** Input of `filterListed` and `dots`: rows. */
  readonly list: Uint32Array;
  /** Output of `filter` and `filterListed`: the rows that passed. */
  readonly found: Uint32Array;
  /** The dot product of the query and the high bytes of each found row; after `dots`, the exact one of each listed row. */
  readonly sums: Int32Array;
  /** Sets the query of the following calls. */
  setQuery(query: UnitVector): void;
  /** Finds the rows among `from` to `to - 1` whose cosine may reach the threshold; returns their number. */
  filter(from: number, to: number, threshold: number): number;
  /** As `filter`, for the first `count` rows of `list`. */
  filterListed(count: number, threshold: number): number;
  /** Computes the exact dot products of the first `count` rows of `list`. */
  dots(count: number): void;
}

/** The most rows of one call. */
export const BLOCK_ROWS = 2048;

/** The kernel of a segment's rows. */
export function kernelOf(rows: RowMemory): RowKernel {
  rows.kernel ??= rows.wasm === null ? new PlainKernel(rows) : new WasmKernel(rows.wasm, rows);
  return rows.kernel;
}

/** The functions of assembly/vector-scan.ts over one memory. */
type VectorScan = Pick<RowKernel, "filter" | "filterListed" | "dots">;

const load = loadOnce<VectorScan>(
  VECTOR_SCAN,
  ({ filter, filterListed, dots }) => filter(0, 0, 0) + filterListed(0, 0) === 0 && dots(0) === undefined,
);

/** True when rows can be scanned by WebAssembly; the first call loads it. */
export function vectorKernelAvailable(): boolean {
  return load() !== null;
}

/** Smaller segments stay in ordinary arrays: a WebAssembly call takes as long as scanning them, and its memory has whole pages. */
const MIN_WASM_BYTES = 131_072;

const LANES = 8;
const HEADER_BYTES = 128;
const LIST_BYTES = 4 * BLOCK_ROWS;
// Fields of the header, in 32-bit words, as in assembly/vector-scan.ts.
const QUERY_SUM = 10;
const QUERY_SCALE = 11;

/** The bytes of a row in `high` and in `low`. */
export function strideOf(dimensions: number): number {
  return Math.ceil(dimensions / LANES) * LANES;
}

/** Zeroed rows. From `minWasmBytes` on they get a WebAssembly memory, if one can be allocated. */
export function allocateRows(count: number, dimensions: number, minWasmBytes: number = MIN_WASM_BYTES): RowMemory {
  const stride = strideOf(dimensions);
  const memory = 2 * count * stride < minWasmBytes ? undefined : load()?.createMemory(layout(count, stride).end);
  if (memory !== undefined) return wasmRows(memory, count, stride);
  return {
    stride,
    high: new Int8Array(count * stride),
    low: new Uint8Array(count * stride),
    shifts: new Uint8Array(count),
    factors: new Float32Array(count),
    errors: new Float32Array(count),
    wasm: null,
  };
}

function wasmRows(memory: LinearMemory, count: number, stride: number): RowMemory {
  const { buffer } = memory;
  const at = layout(count, stride);
  const header = new Uint32Array(buffer);
  header.set([stride, at.query, at.list, at.found, at.sums, at.factors, at.errors, at.high, at.low, at.shifts]);
  return {
    stride,
    high: new Int8Array(buffer, at.high, count * stride),
    low: new Uint8Array(buffer, at.low, count * stride),
    shifts: new Uint8Array(buffer, at.shifts, count),
    factors: new Float32Array(buffer, at.factors, count),
    errors: new Float32Array(buffer, at.errors, count),
    wasm: { memory, ...at },
  };
}

/** Addresses in the memory, each a multiple of 64. */
function layout(count: number, stride: number) {
  let end = HEADER_BYTES;
  const reserve = (bytes: number): number => {
    const at = end;
    end = Math.ceil((at + bytes) / 64) * 64;
    return at;
  };
  const query = reserve(2 * stride);
  const list = reserve(LIST_BYTES);
  const found = reserve(LIST_BYTES);
  const sums = reserve(LIST_BYTES);
  const factors = reserve(4 * count);
  const errors = reserve(4 * count);
  const high = reserve(count * stride);
  const low = reserve(count * stride);
  const shifts = reserve(count);
  return { query, list, found, sums, factors, errors, high, low, shifts, end };
}

/** Rows in a WebAssembly memory. */
export class WasmKernel implements RowKernel {
  readonly list: Uint32Array;
  readonly found: Uint32Array;
  readonly sums: Int32Array;
  private readonly buffer: ArrayBuffer;
  private readonly query: Int16Array;
  private readonly scan: VectorScan;
  private current: UnitVector | undefined;

  constructor({ memory, query, list, found, sums }: WasmRows, { stride }: RowMemory) {
    const { buffer } = memory;
    this.buffer = buffer;
    this.query = new Int16Array(buffer, query, stride);
    this.list = new Uint32Array(buffer, list, BLOCK_ROWS);
    this.found = new Uint32Array(buffer, found, BLOCK_ROWS);
    this.sums = new Int32Array(buffer, sums, BLOCK_ROWS);
    this.scan = load()!.instantiate(memory);
  }

  setQuery(query: UnitVector): void {
    if (query === this.current) return;
    this.query.set(query.components);
    new Int32Array(this.buffer)[QUERY_SUM] = sumOf(query);
    new Float32Array(this.buffer)[QUERY_SCALE] = scaleOf(query);
    this.current = query;
  }

  filter(from: number, to: number, threshold: number): number {
    return this.scan.filter(from, to, threshold);
  }

  filterListed(count: number, threshold: number): number {
    return this.scan.filterListed(count, threshold);
  }

  dots(count: number): void {
    this.scan.dots(count);
  }
}

// Results are read before the next call, so all plain kernels can share these arrays.
const list = new Uint32Array(BLOCK_ROWS);
const found = new Uint32Array(BLOCK_ROWS);
const sums = new Int32Array(BLOCK_ROWS);

/** Rows in ordinary arrays, in plain JavaScript: every step does the arithmetic of assembly/vector-scan.ts, including its 32-bit floats. */
export class PlainKernel implements RowKernel {
  readonly list: Uint32Array = list;
  readonly found: Uint32Array = found;
  readonly sums: Int32Array = sums;
  private readonly rows: RowMemory;
  private readonly query: Int16Array;
  private current: UnitVector | undefined;
  private querySum = 0;
  private scale = 0;

  constructor(rows: RowMemory) {
    this.rows = rows;
    this.query = new Int16Array(rows.stride);
  }

  setQuery(query: UnitVector): void {
    if (query === this.current) return;
    this.query.set(query.components);
    this.querySum = sumOf(query);
    this.scale = Math.fround(scaleOf(query));
    this.current = query;
  }

  filter(from: number, to: number, threshold: number): number {
    const least = Math.fround(threshold);
    let count = 0;
    for (let row = from; row < to; row++) count = this.filterRow(row, least, count);
    return count;
  }

  filterListed(count: number, threshold: number): number {
    const least = Math.fround(threshold);
    let kept = 0;
    for (let at = 0; at < count; at++) kept = this.filterRow(list[at]!, least, kept);
    return kept;
  }

  dots(count: number): void {
    const { high, low, shifts, stride } = this.rows;
    for (let at = 0; at < count; at++) {
      const row = list[at]!;
      const ofHigh = dotProduct(high, row * stride, this.query);
      sums[at] = (ofHigh << shifts[row]!) + dotProduct(low, row * stride, this.query);
    }
  }

  private filterRow(row: number, least: number, count: number): number {
    const { high, stride, factors, errors } = this.rows;
    const sum = dotProduct(high, row * stride, this.query);
    const middle = Math.fround((2 * sum + this.querySum) | 0);
    const cosine = Math.fround(Math.fround(middle * factors[row]!) * this.scale);
    if (Math.fround(cosine + errors[row]!) < least) return count;
    found[count] = row;
    sums[count] = sum;
    return count + 1;
  }
}

/** The sum of products, which fits into 32 bits. */
function dotProduct(bytes: Int8Array | Uint8Array, at: number, query: Int16Array): number {
  let sum = 0;
  for (let i = 0; i < query.length; i++) sum = (sum + bytes[at + i]! * query[i]!) | 0;
  return sum;
}
