// The vectors of one segment: one row a record that has one, in the order of the records. Immutable; 2 bytes a component.

import type { Steps } from "../base/slices.js";
import type { UnitVector } from "./unit-vector.js";

/** The vectors of one segment. */
export interface VectorRows {
  readonly dimensions: number;
  readonly count: number;
  /** Row r is components[r * dimensions] … */
  readonly components: Int16Array;
  readonly inverseLengths: Float64Array;
  /** The record of each row, ascending. */
  readonly rowDoc: Uint32Array;
  /** The row of each record, -1: none. */
  readonly docRow: Int32Array;
}

const PAUSE_EVERY = 1024;

/** Rows for the records in order; `vectors[d]` is record d's, or null. */
export function* writeVectorRows(vectors: readonly (UnitVector | null)[], dimensions: number): Steps<VectorRows> {
  const count = vectors.reduce((total, vector) => total + (vector === null ? 0 : 1), 0);
  const rows = emptyRows(vectors.length, count, dimensions);
  let row = 0;
  for (const [doc, vector] of vectors.entries()) {
    if (doc % PAUSE_EVERY === 0) yield;
    if (vector === null) continue;
    rows.components.set(vector.components, row * dimensions);
    rows.inverseLengths[row] = vector.inverseLength;
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
): Steps<VectorRows> {
  let count = 0;
  for (let i = 0; i < docs.length; i++) if (segments[sources[i]!]!.docRow[docs[i]!]! >= 0) count++;
  const rows = emptyRows(docs.length, count, dimensions);
  let row = 0;
  for (let i = 0; i < docs.length; i++) {
    if (i % PAUSE_EVERY === 0) yield;
    const from = segments[sources[i]!]!;
    const fromRow = from.docRow[docs[i]!]!;
    if (fromRow < 0) continue;
    rows.components.set(from.components.subarray(fromRow * dimensions, (fromRow + 1) * dimensions), row * dimensions);
    rows.inverseLengths[row] = from.inverseLengths[fromRow]!;
    rows.rowDoc[row] = i;
    rows.docRow[i] = row++;
  }
  return rows;
}

/** The vector of a record, or null. A view, not a copy. */
export function vectorOf(rows: VectorRows, doc: number): UnitVector | null {
  const row = rows.docRow[doc]!;
  if (row < 0) return null;
  const components = rows.components.subarray(row * rows.dimensions, (row + 1) * rows.dimensions);
  return { components, inverseLength: rows.inverseLengths[row]! };
}

/** The memory that the vectors of a segment take. */
export function rowsBytes({ components, inverseLengths, rowDoc, docRow }: VectorRows): number {
  return components.byteLength + inverseLengths.byteLength + rowDoc.byteLength + docRow.byteLength;
}

function emptyRows(docs: number, count: number, dimensions: number): VectorRows {
  return {
    dimensions,
    count,
    components: new Int16Array(count * dimensions),
    inverseLengths: new Float64Array(count),
    rowDoc: new Uint32Array(count),
    docRow: new Int32Array(docs).fill(-1),
  };
}
