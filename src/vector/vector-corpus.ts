// The vectors of a whole index as one corpus: its segments, and exact cosines by record number.

import { cosineOf, cosinesOfRun, NO_COSINE } from "./row-cosines.js";
import type { UnitVector } from "./unit-vector.js";
import type { VectorSegment } from "./vector-rows.js";

/** A segment's vectors, under the key by which a graph knows it. */
export interface SearchableVectors extends VectorSegment {
  readonly segmentId: number;
  readonly size: number;
  /** Living records with a vector. */
  readonly vectorCount: number;
}

/** What the leg needs to know of the whole index. */
export interface VectorCorpus {
  readonly segments: readonly SearchableVectors[];
  /** Numbers given to records: the length of arrays by record. */
  readonly docSpan: number;
  /** Living records with a vector. */
  readonly vectorCount: number;
  /** The segment with this key, if it is one of these. */
  readonly segmentOfUid: (segmentId: number) => SearchableVectors | undefined;
  readonly idBefore: (a: number, b: number) => boolean;
}

/** The cosine of one record, or NO_COSINE. */
export function cosineOfDoc({ segments }: VectorCorpus, doc: number, query: UnitVector): number {
  let low = 0;
  let high = segments.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (segments[middle]!.base <= doc) low = middle;
    else high = middle - 1;
  }
  const segment = segments[low];
  return segment === undefined || !holds(segment, doc) ? NO_COSINE : cosineOf(segment.rows, doc - segment.base, query);
}

/** The cosines of many records, by position; the list must ascend. NO_COSINE where there is no vector. */
export function cosinesOfDocs({ segments }: VectorCorpus, docs: ArrayLike<number>, query: UnitVector): Float64Array {
  const cosines = new Float64Array(docs.length).fill(NO_COSINE);
  let at = 0;
  for (const segment of segments) {
    while (at < docs.length && docs[at]! < segment.base) at++;
    const from = at;
    while (at < docs.length && holds(segment, docs[at]!)) at++;
    if (at > from) cosinesOfRun(segment, { docs, from, to: at, cosines }, query);
  }
  return cosines;
}

/** True when a record's number is one of a segment's. */
export function holds({ base, size }: SearchableVectors, doc: number): boolean {
  return doc >= base && doc < base + size;
}
