// The vectors of a whole index: its segments, and exact cosines by record number.

import { partitionPoint } from "../util/binary-search.js";
import type { UnitVector } from "./unit-vector.js";
import { cosineOf, cosinesOfRows, NO_COSINE, type VectorSegment } from "./vector-rows.js";

/** A segment's vectors and the id by which a graph knows the segment. */
export interface SearchableVectors extends VectorSegment {
  readonly segmentId: number;
  readonly size: number;
  /** Living records with a vector. */
  readonly vectorCount: number;
}

/** The vectors of a whole index. */
export interface VectorCorpus {
  readonly segments: readonly SearchableVectors[];
  /** The length of arrays that are indexed by record number. */
  readonly docSpan: number;
  /** Living records with a vector. */
  readonly vectorCount: number;
  /** The segment with this id, if it is one of these. */
  readonly segmentOfUid: (segmentId: number) => SearchableVectors | undefined;
  readonly idBefore: (a: number, b: number) => boolean;
}

/** The cosine of one record, or NO_COSINE. */
export function cosineOfDoc({ segments }: VectorCorpus, doc: number, query: UnitVector): number {
  const segment = segments[partitionPoint(0, segments.length, (i) => segments[i]!.base <= doc) - 1];
  return segment === undefined || !holds(segment, doc) ? NO_COSINE : cosineOf(segment.rows, doc - segment.base, query);
}

/** The cosines of many records, which must ascend; NO_COSINE for records without a vector. */
export function cosinesOfDocs({ segments }: VectorCorpus, docs: ArrayLike<number>, query: UnitVector): Float64Array {
  const cosines = new Float64Array(docs.length).fill(NO_COSINE);
  const rows = new Uint32Array(docs.length);
  const places = new Uint32Array(docs.length);
  let at = 0;
  for (const segment of segments) {
    const { docRow } = segment.rows;
    let count = 0;
    while (at < docs.length && docs[at]! < segment.base) at++;
    for (; at < docs.length && holds(segment, docs[at]!); at++) {
      const row = docRow[docs[at]! - segment.base]!;
      if (row < 0) continue;
      rows[count] = row;
      places[count++] = at;
    }
    if (count === 0) continue;
    const found = new Float64Array(count);
    cosinesOfRows(segment.rows, rows.subarray(0, count), query, found);
    for (let i = 0; i < count; i++) cosines[places[i]!] = found[i]!;
  }
  return cosines;
}

/** True when a record number belongs to a segment. */
export function holds({ base, size }: SearchableVectors, doc: number): boolean {
  return doc >= base && doc < base + size;
}
