// A segment: a set of records, indexed once and never changed. Records are numbered in the order of their ids.

import { type FieldTotals, totalsOf } from "../inverted/field-totals.js";
import type { Postings } from "../inverted/postings.js";
import type { VectorRows } from "../vectors/vector-rows.js";
import type { RecordTable } from "./record-table.js";
import { SegmentCaches } from "./segment-caches.js";

/** The maximum number of records. It bounds every array of a segment, the cost of a merge, and the length of a slice. */
export const MAX_SEGMENT_RECORDS = 65_536;
/** The maximum number of postings of a merged segment: bit positions in posting lists are 32-bit numbers. */
export const MAX_SEGMENT_POSTINGS: number = 2 ** 26;
/** The approximate maximum of bytes of JSON. */
export const MAX_SEGMENT_BYTES: number = 64 * 1024 * 1024;

/** Records, postings and vectors of one segment, over the same record numbers. */
export interface Segment {
  readonly segmentId: number;
  readonly size: number;
  readonly records: RecordTable;
  readonly postings: Postings;
  /** null: the index has no vectors. */
  readonly vectors: VectorRows | null;
  readonly totals: FieldTotals;
  readonly caches: SegmentCaches;
}

let lastSegmentId = 0;

/** Creates a segment with a new id. */
export function createSegment(records: RecordTable, postings: Postings, vectors: VectorRows | null): Segment {
  return {
    segmentId: ++lastSegmentId,
    size: records.ids.length,
    records,
    postings,
    vectors,
    totals: totalsOf(postings),
    caches: new SegmentCaches(postings),
  };
}
