// A segment: a set of records, indexed once and never changed. Records are numbered in the order of their ids.
import { totalsOf } from "../text/field-totals.js";
/** The maximum number of records. It bounds every array of a segment, the cost of a merge, and the length of a slice. */
export const MAX_SEGMENT_RECORDS = 65_536;
/** The maximum number of postings of a merged segment: bit positions in posting lists are 32-bit numbers. */
export const MAX_SEGMENT_POSTINGS = 2 ** 26;
/** The approximate maximum of bytes of JSON. */
export const MAX_SEGMENT_BYTES = 64 * 1024 * 1024;
let lastSegmentId = 0;
/** Creates a segment with a new id. */
export function createSegment(records, postings, vectors) {
    return {
        segmentId: ++lastSegmentId,
        size: records.ids.length,
        records,
        postings,
        vectors,
        totals: totalsOf(postings),
    };
}
