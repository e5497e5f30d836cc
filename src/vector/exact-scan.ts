// The exact cosine of every record that has a vector. Deterministic: integer sums, one fixed formula. O(records x dimensions).

import type { DocSet } from "../base/doc-set.js";
import { SCALE, type UnitVector } from "./unit-vector.js";
import type { VectorRows } from "./vector-rows.js";

/** A segment's vectors as the search sees them. */
export interface VectorSegment {
  readonly rows: VectorRows;
  readonly dead: DocSet | null;
  /** Number of this segment's first record in the whole index. */
  readonly base: number;
}

/** In an array of cosines: the record has no vector, or was not looked at. No cosine is below -1. */
export const NO_COSINE = -2;

/** The cosines of the living (and allowed) records with a vector, by record; NO_COSINE elsewhere. */
export function scanAll(
  segments: readonly VectorSegment[],
  query: UnitVector,
  docSpan: number,
  allowed: DocSet | null = null,
): Float64Array {
  const cosines = new Float64Array(docSpan).fill(NO_COSINE);
  for (const segment of segments) scanSegment(segment, query, cosines, allowed);
  return cosines;
}

function scanSegment(
  { rows, dead, base }: VectorSegment,
  query: UnitVector,
  cosines: Float64Array,
  allowed: DocSet | null,
): void {
  const { components, inverseLengths, rowDoc, count, dimensions } = rows;
  const asked = query.components;
  for (let row = 0, at = 0; row < count; row++, at += dimensions) {
    const doc = rowDoc[row]!;
    if (dead?.has(doc) || (allowed !== null && !allowed.has(base + doc))) continue;
    let sum = 0;
    // The sums of unit vectors stay within 32 bits (see unit-vector), so `| 0` loses nothing and keeps V8 on integers.
    for (let i = 0; i < dimensions; i++) sum = (sum + components[at + i]! * asked[i]!) | 0;
    cosines[base + doc] = toCosine(sum, inverseLengths[row]!, query.inverseLength);
  }
}

/** The cosine of one record, or NO_COSINE. */
export function cosineOf(rows: VectorRows, doc: number, query: UnitVector): number {
  const row = rows.docRow[doc]!;
  if (row < 0) return NO_COSINE;
  const at = row * rows.dimensions;
  let sum = 0;
  for (let i = 0; i < rows.dimensions; i++) sum = (sum + rows.components[at + i]! * query.components[i]!) | 0;
  return toCosine(sum, rows.inverseLengths[row]!, query.inverseLength);
}

/** dot / (|a| |b|), where a and b are counted in 1/SCALE; kept within -1 … 1 against the last bit. */
function toCosine(sum: number, inverseA: number, inverseB: number): number {
  return Math.max(-1, Math.min(1, sum * inverseA * inverseB));
}

/** The components as ordinary numbers in -1 … 1, for a graph or an embedder's caller. */
export function toNumbers(vector: UnitVector): Float64Array {
  return Float64Array.from(vector.components, (component) => component / SCALE);
}
