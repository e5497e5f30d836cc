// Everything that is remembered of one segment or one snapshot besides what it consists of. All of it can be computed again, so
// it changes no answer; it goes when its segment or snapshot goes. What queries remember of a segment's words is in
// inverted/searchable-segment.ts, and what they remember of one column in docvalues/doc-values.ts.

import type { DocValues } from "../docvalues/doc-values.js";
import type { Postings } from "../inverted/postings.js";
import { TextCaches } from "../inverted/searchable-segment.js";
import type { TextCorpus } from "../inverted/weighted-query.js";
import type { CheckedSettings } from "../settings/settings.js";
import type { VectorCorpus } from "../vectors/search-vectors.js";
import type { VectorRows } from "../vectors/vector-rows.js";

/** The doc-values column of one attribute in one segment. */
export interface KeptColumn {
  /** undefined: no record of the segment has the attribute. */
  readonly column: DocValues | undefined;
  readonly bytes: number;
  /** Declared columns are never dropped. */
  declared: boolean;
  /** The number of running queries that use it. */
  leases: number;
}

/** Records of one segment in the order of the hashes of their ids, ties by id. */
export interface HashedDocs {
  readonly docs: Uint32Array;
  readonly hashes: Uint32Array;
}

/** The rounded cosines of sampled records of one segment with the probes. */
export interface ProbeCosines {
  readonly probes: VectorRows;
  readonly byDoc: ReadonlyMap<number, Int16Array>;
}

/** What is remembered of a segment. */
export class SegmentCaches {
  /** What queries computed from its words. */
  readonly text: TextCaches;
  /** By attribute, the most recently used last: all declared columns, those in use, and a limited number of others. */
  readonly columns: Map<string, KeptColumn> = new Map();
  /** The bytes of its immutable parts. */
  bytes: { readonly records: number; readonly text: number; readonly vectors: number } | undefined = undefined;
  /** The records with the smallest hashes: a constant number of them. */
  hashedDocs: HashedDocs | undefined = undefined;
  /** Of the records in the last sample. */
  probeCosines: ProbeCosines | undefined = undefined;

  constructor(postings: Postings) {
    this.text = new TextCaches(postings);
  }
}

/** What is remembered of a snapshot: one of each. */
export class SnapshotCaches {
  /** Its words under the last settings. */
  textCorpus: { readonly settings: CheckedSettings; readonly corpus: TextCorpus } | undefined = undefined;
  vectorCorpus: VectorCorpus | undefined = undefined;
  /** The minimum similarity learned with the last probes; null: there are too few vectors to learn from. */
  minSimilarity: { readonly probes: VectorRows; readonly value: number | null } | undefined = undefined;
}
