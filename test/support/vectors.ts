// Random vectors and segments of them, for the tests of the leg of meaning.

import { runTaskAtOnce } from "../../src/util/tasks.js";
import type { GraphKind } from "../../src/vectors/hnsw/node-graph.js";
import type { SearchableVectors, VectorSearcher } from "../../src/vectors/search-vectors.js";
import { requireVector, type UnitVector } from "../../src/vectors/unit-vector.js";
import { graphProblem } from "../../src/vectors/vector-graph.js";
import { writeVectorRows } from "../../src/vectors/vector-rows.js";
import type { Random } from "./random.js";

/** The kinds of graph, and those of them that this process can use. */
export const GRAPH_KINDS: readonly GraphKind[] = ["hnsw", "hnswlib"];
export const USABLE_KINDS: readonly GraphKind[] = GRAPH_KINDS.filter((kind) => graphProblem(kind) === undefined);

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
  segmentId: number,
  base: number,
  vectors: readonly (readonly number[] | null)[],
): SearchableVectors {
  const dimensions = vectors.find((vector) => vector !== null)?.length ?? 1;
  return storedSegment(
    segmentId,
    base,
    vectors.map((vector) => (vector === null ? null : stored(vector))),
    { dimensions },
  );
}

/** The kernels, and from which size in bytes rows are laid out for them. */
export const KERNELS: Readonly<Record<"plain" | "wasm", number>> = { plain: Number.POSITIVE_INFINITY, wasm: 0 };

/** A segment of vectors as they are stored, laid out for one kernel. */
export function storedSegment(
  segmentId: number,
  base: number,
  vectors: readonly (UnitVector | null)[],
  { dimensions, leastLinear }: { readonly dimensions: number; readonly leastLinear?: number },
): SearchableVectors {
  const rows = runTaskAtOnce(writeVectorRows(vectors, dimensions, leastLinear));
  return { segmentId, base, size: vectors.length, vectorCount: rows.count, deletedDocs: null, rows };
}

/** The dot product of stored vectors by big integers, within 32 bits as the kernels give it. */
export function exactDot(a: UnitVector, b: UnitVector): number {
  let sum = 0n;
  for (const [i, component] of a.components.entries()) sum += BigInt(component) * BigInt(b.components[i]!);
  return Number(BigInt.asIntN(32, sum));
}

/** The cosine of stored vectors, computed without a kernel. */
export function exactCosine(a: UnitVector, b: UnitVector): number {
  return Math.max(-1, Math.min(1, exactDot(a, b) * a.inverseLength * b.inverseLength));
}

/** All segments as one searcher; ids order as the record numbers do, unless told otherwise. */
export function vectorSearcher(
  segments: readonly SearchableVectors[],
  idBefore: (a: number, b: number) => boolean = (a, b) => a < b,
): VectorSearcher {
  return {
    segments,
    docSpan: segments.reduce((total, { size }) => total + size, 0),
    vectorCount: segments.reduce((total, { rows }) => total + rows.count, 0),
    segmentById: (key) => segments.find(({ segmentId }) => segmentId === key),
    idBefore,
  };
}
