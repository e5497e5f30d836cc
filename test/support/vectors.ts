// Random vectors and segments of them, for the tests of the leg of meaning.

import { runAtOnce } from "../../src/base/slices.js";
import type { SearchableVectors, VectorCorpus } from "../../src/vector/search-vectors.js";
import { requireVector, type UnitVector } from "../../src/vector/unit-vector.js";
import { writeVectorRows } from "../../src/vector/vector-rows.js";
import type { Random } from "./random.js";

/** A vector of normally distributed components. */
export function randomNumbers(random: Random, dimensions: number): number[] {
  return Array.from({ length: dimensions }, () => random.normal() + 1e-6);
}

/** The vector as it is stored. */
export function stored(numbers: readonly number[]): UnitVector {
  return requireVector(numbers, numbers.length, "vector");
}

/** The cosine of two vectors in 64-bit floats. */
export function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]) => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

/** A segment of vectors; null: a record without one. */
export function vectorSegment(
  uid: number,
  base: number,
  vectors: readonly (readonly number[] | null)[],
): SearchableVectors {
  const dimensions = vectors.find((vector) => vector !== null)?.length ?? 1;
  const unit = vectors.map((vector) => (vector === null ? null : stored(vector)));
  return { uid, base, size: vectors.length, dead: null, rows: runAtOnce(writeVectorRows(unit, dimensions)) };
}

/** All segments as one corpus; ids order as the record numbers do, unless told otherwise. */
export function vectorCorpus(
  segments: readonly SearchableVectors[],
  idBefore: (a: number, b: number) => boolean = (a, b) => a < b,
): VectorCorpus {
  return {
    segments,
    docSpan: segments.reduce((total, { size }) => total + size, 0),
    vectorCount: segments.reduce((total, { rows }) => total + rows.count, 0),
    segmentOf: (doc) => segments.findLast(({ base }) => base <= doc)!,
    idBefore,
  };
}
