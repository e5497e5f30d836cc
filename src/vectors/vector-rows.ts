// The quantized vectors of one segment: one row for each record that has a vector, in the order of the records; immutable. A
// component is split into a high and a low byte: both together are exact, and the high bytes alone bound the cosine.

import type { DocSet, LocalDoc } from "../util/doc-set.js";
import type { Task } from "../util/tasks.js";
import { allocateRows, BLOCK_ROWS, kernelOf, type RowMemory } from "./row-kernel.js";
import type { UnitVector } from "./unit-vector.js";

/** The vectors of one segment. */
export interface VectorRows extends RowMemory {
  readonly dimensions: number;
  readonly count: number;
  readonly inverseLengths: Float64Array;
  /** The record of each row, ascending. */
  readonly rowDoc: Uint32Array;
  /** The row of each record, or -1. */
  readonly docRow: Int32Array;
  /** To be called before the low bytes of a row are read, which may not be checked yet: throws 500 `storage_corrupt`. */
  readonly check?: (row: number) => void;
}

/** A segment's vectors in a search. */
export interface VectorSegment {
  readonly rows: VectorRows;
  readonly deletedDocs: DocSet<LocalDoc> | null;
  /** The number of the segment's first record within the whole index. */
  readonly base: number;
}

const PAUSE_EVERY = 1024;
/** Bits of a high byte without its sign. */
const HIGH_BITS = 7;
/** An upper bound of the rounding errors of 32-bit floats in the bound that a kernel compares. */
const FLOAT_LOSS = 2e-6;

/** Writes the vectors of the records in order; `vectors[d]` is the vector of record d, or null. */
export function* writeVectorRows(
  vectors: readonly (UnitVector | null)[],
  dimensions: number,
  minWasmBytes?: number,
): Task<VectorRows> {
  const count = vectors.reduce((total, vector) => total + (vector === null ? 0 : 1), 0);
  const rows = emptyRows(vectors.length, dimensions, allocateRows(count, dimensions, minWasmBytes));
  let row = 0;
  for (const [doc, vector] of vectors.entries()) {
    if (doc % PAUSE_EVERY === 0) yield;
    if (vector === null) continue;
    writeRow(rows, row, vector);
    rows.rowDoc[row] = doc;
    rows.docRow[doc] = row++;
  }
  return rows;
}

/** Writes the rows of a merged segment, whose record i was record `docs[i]` of `segments[sources[i]]`. */
export function* mergeVectorRows(
  segments: readonly VectorRows[],
  sources: Uint16Array,
  docs: Uint32Array,
  dimensions: number,
): Task<VectorRows> {
  let count = 0;
  for (let i = 0; i < docs.length; i++) if (segments[sources[i]!]!.docRow[docs[i]!]! >= 0) count++;
  const rows = emptyRows(docs.length, dimensions, allocateRows(count, dimensions));
  let row = 0;
  for (let i = 0; i < docs.length; i++) {
    if (i % PAUSE_EVERY === 0) yield;
    const from = segments[sources[i]!]!;
    const fromRow = from.docRow[docs[i]!]!;
    if (fromRow < 0) continue;
    copyRow(rows, row, from, fromRow);
    rows.rowDoc[row] = i;
    rows.docRow[i] = row++;
  }
  return rows;
}

/** A copy of the vector of a record, or null. */
export function vectorOf(rows: VectorRows, doc: LocalDoc): UnitVector | null {
  const row = rows.docRow[doc]!;
  return row < 0 ? null : vectorAt(rows, row);
}

function vectorAt(rows: VectorRows, row: number): UnitVector {
  const { high, low, dimensions } = rows;
  rows.check?.(row);
  const at = row * rows.stride;
  const shift = rows.shifts[row]!;
  const components = new Int16Array(dimensions);
  for (let i = 0; i < dimensions; i++) components[i] = (high[at + i]! << shift) + low[at + i]!;
  return { components, inverseLength: rows.inverseLengths[row]! };
}

/** The memory of a segment's vectors in bytes. */
export function rowsBytes({ wasm, high, low, shifts, factors, errors, ...rows }: VectorRows): number {
  const arrays = wasm === null ? [high, low, shifts, factors, errors] : [wasm.memory.buffer];
  const all = [...arrays, rows.inverseLengths, rows.rowDoc, rows.docRow];
  return all.reduce((total, { byteLength }) => total + byteLength, 0);
}

function emptyRows(docs: number, dimensions: number, memory: RowMemory): VectorRows {
  const count = memory.shifts.length;
  return {
    ...memory,
    dimensions,
    count,
    inverseLengths: new Float64Array(count),
    rowDoc: new Uint32Array(count),
    docRow: new Int32Array(docs).fill(-1),
  };
}

/**
 * Quantizes a vector. With a component as `2^shift * (high + 1/2) + rest`, the cosine computed from `high + 1/2` differs from the
 * exact one by at most `|rest| / |row|` (Cauchy-Schwarz): that is the quantization error.
 */
function writeRow(rows: VectorRows, row: number, vector: UnitVector): void {
  const { components, inverseLength } = vector;
  const { high, low } = rows;
  const shift = shiftOf(components);
  const mask = (1 << shift) - 1;
  const half = 1 << (shift - 1);
  const at = row * rows.stride;
  let rest = 0;
  for (let i = 0; i < components.length; i++) {
    const component = components[i]!;
    const lower = component & mask;
    high[at + i] = component >> shift;
    low[at + i] = lower;
    rest += (lower - half) * (lower - half);
  }
  rows.shifts[row] = shift;
  rows.factors[row] = 2 ** shift * inverseLength;
  rows.errors[row] = Math.sqrt(rest) * inverseLength + FLOAT_LOSS;
  rows.inverseLengths[row] = inverseLength;
}

/** The least number of low bits, 1 to 8, such that the high ones fit in a byte. */
function shiftOf(components: Int16Array): number {
  let bits = 0;
  // The bitwise complement of a negative component: -128 fits in a byte like 127.
  for (let i = 0; i < components.length; i++) bits |= components[i]! ^ (components[i]! >> 15);
  return Math.max(1, 32 - Math.clz32(bits) - HIGH_BITS);
}

function copyRow(to: VectorRows, row: number, from: VectorRows, fromRow: number): void {
  const { stride } = to;
  from.check?.(fromRow);
  const start = fromRow * stride;
  to.high.set(from.high.subarray(start, start + stride), row * stride);
  to.low.set(from.low.subarray(start, start + stride), row * stride);
  to.shifts[row] = from.shifts[fromRow]!;
  to.factors[row] = from.factors[fromRow]!;
  to.errors[row] = from.errors[fromRow]!;
  to.inverseLengths[row] = from.inverseLengths[fromRow]!;
}

/** The result for a record without a vector. */
export const NO_COSINE = -2;

/** Writes the exact cosine of each row of `list` to `cosines`. The formula over integer sums is fixed, so the bits are always the same. */
export function cosinesOfRows(
  rows: VectorRows,
  list: ArrayLike<number>,
  query: UnitVector,
  cosines: Float64Array,
): void {
  const kernel = kernelOf(rows);
  kernel.setQuery(query);
  for (let from = 0; from < list.length; from += BLOCK_ROWS) {
    const count = Math.min(BLOCK_ROWS, list.length - from);
    for (let i = 0; i < count; i++) {
      kernel.list[i] = list[from + i]!;
      rows.check?.(list[from + i]!);
    }
    kernel.dots(count);
    for (let i = 0; i < count; i++)
      cosines[from + i] = toCosine(kernel.sums[i]!, rows.inverseLengths[list[from + i]!]!, query.inverseLength);
  }
}

/** dot / (|a| |b|), where a and b are in units of 1 / SCALE, clamped to -1 … 1 against rounding errors. */
function toCosine(sum: number, inverseA: number, inverseB: number): number {
  return Math.max(-1, Math.min(1, sum * inverseA * inverseB));
}
