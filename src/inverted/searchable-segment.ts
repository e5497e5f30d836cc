// A segment as the leg of words sees it: its postings, who is deletedDocs, and what its fields count at this moment.

import type { DocSet } from "../util/doc-set.js";
import type { Postings } from "./postings.js";

/** A segment as the search sees it: which records are deletedDocs, and what its fields count. */
export interface SearchableSegment {
  readonly postings: Postings;
  /** Deleted or replaced records; null: none. */
  readonly deletedDocs: DocSet | null;
  /** Number of this segment's first record in the whole index. */
  readonly base: number;
  /** Weight and mean length of each of its fields, by the field's number. */
  readonly fields: FieldNorms;
}

/** Per field: its weight (0: not searched), its weight as a title, the mean length over all living records that have it, and b of BM25. */
export interface FieldNorms {
  readonly weights: Float64Array;
  readonly titleWeights: Float64Array;
  readonly averages: Float64Array;
  readonly b: number;
}
