// What queries search by words: the segments of a snapshot, with their postings, their deleted records and the scoring of their
// fields, and the statistics of all of them.

import type { DocSet, LocalDoc } from "../util/doc-set.js";
import { Kept } from "../util/kept.js";
import type { FieldScoring } from "./bm25.js";
import { ImpactCache } from "./impact-list.js";
import type { Postings } from "./postings.js";

/** The text of an index, with the statistics that scores depend on. */
export interface TextSearcher {
  readonly segments: readonly SearchableSegment[];
  /** The number of records with deleted ones: all record numbers are below it. */
  readonly maxDoc: number;
  /** The number of live records. */
  readonly docCount: number;
  /** k1 of BM25. */
  readonly k1: number;
  /** What queries derive from it. No answer depends on it. */
  readonly kept: Kept;
}

/** A segment within a snapshot. */
export interface SearchableSegment {
  readonly postings: Postings;
  /** Records that are not there for this searcher: deleted or replaced, or beyond the bounds of who asks; null: none. */
  readonly deletedDocs: DocSet<LocalDoc> | null;
  /** Those that statistics do not count, where these are others: deleted or replaced ones alone. */
  readonly uncountedDocs?: DocSet<LocalDoc> | null;
  /** The number of this segment's first record in the index; add it to a number within the segment. */
  readonly base: number;
  readonly scoring: FieldScoring;
  readonly caches: TextCaches;
}

/** What queries derive from the postings of a segment and keep with it. No answer depends on it. */
export class TextCaches {
  /** Impact lists, bounded by the number of postings. */
  readonly impacts: ImpactCache;
  readonly kept: Kept = new Kept();
  /**
   * The last scoring of the fields. A write that changes no mean length reuses this object, so the impact lists that were read
   * with it stay valid.
   */
  scoring: FieldScoring | undefined = undefined;

  constructor(postings: Postings) {
    this.impacts = new ImpactCache(postings);
  }
}
