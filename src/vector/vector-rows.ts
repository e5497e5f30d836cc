// The vectors of one segment: one row a record that has one, in the order of the records. Immutable. A row's components are
// kept as high and low bytes: 2 bytes a component, exact together, and the high ones alone say how near a row may be. Long rows
// in a WebAssembly memory are there in 4 bits a component besides.

import type { DocSet } from "../base/doc-set.js";
import type { Task } from "../base/tasks.js";
import { copyCoarse, writeCoarse } from "./kernel/coarse-rows.js";
import { allocateRows, type RowMemory } from "./kernel/row-memory.js";
import type { UnitVector } from "./unit-vector.js";

/** The vectors of one segment. */
export interface VectorRows extends RowMemory {
  readonly dimensions: number;
  readonly count: number;
  readonly inverseLengths: Float64Array;
  /** The record of each row, ascending. */
  readonly rowDoc: Uint32Array;
  /** The row of each record, -1: none. */
  readonly docRow: Int32Array;
}

/** A segment's vectors as the search sees them. */
export interface VectorSegment {
  readonly rows: VectorRows;
  readonly deletedDocs: DocSet | null;
  /** Number of this segment's first record in the whole index. */
  readonly base: number;
}

const PAUSE_EVERY = 1024;
/** Besides the sign. */
const HIGH_BITS = 7;
/** More than all that 32-bit floats can lose between the exact cosine and what a kernel compares. */
const FLOAT_LOSS = 2e-6;

/** Rows for the records in order; `vectors[d]` is record d's, or null. */
export function* writeVectorRows(
  vectors: readonly (UnitVector | null)[],
  dimensions: number,
  leastLinear?: number,
): Task<VectorRows> {
  const count = vectors.reduce((total, vector) => total + (vector === null ? 0 : 1), 0);
  const rows = emptyRows(vectors.length, dimensions, allocateRows(count, dimensions, leastLinear));
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

/** The rows of a merged segment: record i comes from record `docs[i]` of `segments[sources[i]]`. */
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

/** The vector of a record, or null. A copy. */
export function vectorOf(rows: VectorRows, doc: number): UnitVector | null {
  const row = rows.docRow[doc]!;
  return row < 0 ? null : vectorAt(rows, row);
}

function vectorAt(rows: VectorRows, row: number): UnitVector {
  const { high, low, dimensions } = rows;
  const at = row * rows.stride;
  const shift = rows.shifts[row]!;
  const components = new Int16Array(dimensions);
  for (let i = 0; i < dimensions; i++) components[i] = (high[at + i]! << shift) + low[at + i]!;
  return { components, inverseLength: rows.inverseLengths[row]! };
}

/** The memory that the vectors of a segment take. */
export function rowsBytes({ linear, high, low, shifts, factors, slacks, ...rows }: VectorRows): number {
  const arrays = linear === null ? [high, low, shifts, factors, slacks] : [linear.memory.buffer];
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
 * With a component as `2^shift * (high + 1/2) + rest`, the cosine with a query q is the one by `high + 1/2`, and at most
 * `|rest| |q| / (|row| |q|)` besides (Cauchy-Schwarz): that is the slack.
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
  rows.slacks[row] = Math.sqrt(rest) * inverseLength + FLOAT_LOSS;
  rows.inverseLengths[row] = inverseLength;
  if (rows.coarse !== null) writeCoarse(rows.coarse, row, vector);
}

/** The least number of low bits, 1 … 8, that leaves the high ones within a byte. */
function shiftOf(components: Int16Array): number {
  let bits = 0;
  // A negative component turned around: -128 fits a byte as 127 does.
  for (let i = 0; i < components.length; i++) bits |= components[i]! ^ (components[i]! >> 15);
  return Math.max(1, 32 - Math.clz32(bits) - HIGH_BITS);
}

function copyRow(to: VectorRows, row: number, from: VectorRows, fromRow: number): void {
  const { stride } = to;
  const start = fromRow * stride;
  to.high.set(from.high.subarray(start, start + stride), row * stride);
  to.low.set(from.low.subarray(start, start + stride), row * stride);
  to.shifts[row] = from.shifts[fromRow]!;
  to.factors[row] = from.factors[fromRow]!;
  to.slacks[row] = from.slacks[fromRow]!;
  to.inverseLengths[row] = from.inverseLengths[fromRow]!;
  if (to.coarse === null) return;
  // Rows in ordinary arrays have no coarse ones.
  if (from.coarse === null) writeCoarse(to.coarse, row, vectorAt(from, fromRow));
  else copyCoarse(to.coarse, row, from.coarse, fromRow);
}
