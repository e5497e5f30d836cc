// A segment: some records, indexed once and never changed. Records are numbered in the order of their ids.

import type { RecordTable } from "../records/record-table.js";
import { type FieldTotals, totalsOf } from "../text/field-totals.js";
import type { Postings } from "../text/postings.js";
import type { VectorRows } from "../vector/vector-rows.js";

/** At most so many records: bounds every array of a segment, the cost of a merge, and the length of a slice. */
export const MAX_SEGMENT_RECORDS = 65_536;
/** Merged to at most so many postings: places in lists are counted in bits, in 32 of them. */
export const MAX_SEGMENT_POSTINGS: number = 2 ** 26;
/** At most about so many bytes of JSON. */
export const MAX_SEGMENT_BYTES: number = 64 * 1024 * 1024;

/** The three organs of one segment, over the same record numbers. */
export interface Segment {
  readonly segmentId: number;
  readonly size: number;
  readonly records: RecordTable;
  readonly postings: Postings;
  /** null: the index has no vectors. */
  readonly vectors: VectorRows | null;
  readonly totals: FieldTotals;
}

let lastSegmentId = 0;

/** Joins the organs to a segment with a number of its own. */
export function createSegment(records: RecordTable, postings: Postings, vectors: VectorRows | null): Segment {
  return {
    segmentId: ++lastSegmentId,
    size: records.ids.length,
    records,
    postings,
    vectors,
    totals: totalsOf(postings),
  };
}
