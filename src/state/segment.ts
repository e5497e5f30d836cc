// A segment: a set of records, indexed once and never changed. Records are numbered in the order of their ids. Its caches hold
// what can be computed again, so they change no answer, and they are dropped with the segment.

import type { AttributeCatalog } from "../docvalues/attribute-catalog.js";
import type { DocValues } from "../docvalues/doc-values.js";
import type { ItemTable } from "../docvalues/item-table.js";
import { type FieldTotals, totalsOf } from "../inverted/bm25.js";
import { allLists, MAX_DOCS, type Postings } from "../inverted/postings.js";
import { TextCaches } from "../inverted/text-searcher.js";
import { loadTitles } from "../inverted/title/title-table.js";
import type { FieldRules } from "../settings/field-rules.js";
import type { DocArray, DocSet, LocalDoc } from "../util/doc-set.js";
import type { Task } from "../util/tasks.js";
import type { VectorRows } from "../vectors/vector-rows.js";
import { allBytes, type RecordTable } from "./record-table.js";

/** The maximum number of records. It bounds every array of a segment, the cost of a merge, and the length of a slice. */
export const MAX_SEGMENT_RECORDS: number = MAX_DOCS;
/** The maximum number of postings of a merged segment: bit positions in posting lists are 32-bit numbers. */
export const MAX_SEGMENT_POSTINGS: number = 2 ** 26;
/** The approximate maximum number of bytes of JSON. */
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
  /** The attributes of its records, also of those that were deleted since. */
  readonly attributes: AttributeCatalog;
  readonly caches: SegmentCaches;
}

/** A segment within a snapshot. */
export interface LiveSegment {
  readonly segment: Segment;
  /** The deleted or replaced records; null: none. */
  readonly deletedDocs: DocSet<LocalDoc> | null;
  readonly liveCount: number;
  /** Live records with a vector. */
  readonly vectorCount: number;
  /** The number of its first record in the whole snapshot. */
  readonly base: number;
}

/** The doc-values column of one attribute in one segment, or a table of items. */
export interface KeptColumn {
  /** undefined: no record of the segment, or no item, has the attribute. */
  readonly column: DocValues | undefined;
  /** Where this is the table of the items of a list; undefined: no record has any. */
  readonly items?: ItemTable | undefined;
  readonly bytes: number;
  /** The number of running queries that use it. */
  references: number;
}

/** Records of one segment in the order of the hashes of their ids, ties by id. */
export interface HashedDocs {
  readonly docs: DocArray<LocalDoc>;
  readonly hashes: Uint32Array;
}

/** By probe: the records of one segment that are nearest to it, deleted or not; a constant number of them. */
export interface ProbeNeighbours {
  readonly probes: VectorRows;
  readonly nearest: readonly { readonly docs: readonly LocalDoc[]; readonly cosines: readonly number[] }[];
}

/** What was computed from a segment. */
export class SegmentCaches {
  /** From its words, for queries. */
  readonly text: TextCaches;
  /**
   * By attribute, the most recently used last: all declared columns, those in use, and a limited number of others. Tables of items and
   * the columns of these have keys of `column-store`.
   */
  readonly columns: Map<string, KeptColumn> = new Map();
  /** The attributes that were declared when the segment was built: their columns are stored with it. */
  readonly declared: Set<string> = new Set();
  /**
   * By attribute: the columns that need not be built from the records, with the bytes that their stored form takes in memory. Reading gives
   * undefined where no record has the attribute; it fails with 500 `storage_corrupt`.
   */
  readonly stored: Map<string, { readonly bytes: number; read(): Task<DocValues | undefined> }> = new Map();
  /** The records with the smallest hashes: a constant number of them. */
  hashedDocs: HashedDocs | undefined = undefined;
  /** The rounded cosines of those in the last sample with the probes. */
  probeCosines: { readonly probes: VectorRows; readonly byDoc: ReadonlyMap<LocalDoc, Int16Array> } | undefined =
    undefined;
  probeNeighbours: ProbeNeighbours | undefined = undefined;
  /** Whether some searched attributes have names of categories, by the last rules. */
  categories: { readonly rules: FieldRules; readonly areNamed: boolean } | undefined = undefined;

  constructor(postings: Postings) {
    this.text = new TextCaches(postings);
  }
}

/** Whether parts of a segment are in a file. */
export function isInFile({ records }: Segment): boolean {
  return !(records.source instanceof Uint8Array);
}

/** Reads into memory what is in the file of a segment. */
export function* keepInMemory({ records, postings }: Segment): Task<void> {
  records.source = yield* allBytes(records);
  postings.lists = yield* allLists(postings);
  yield* loadTitles([postings.titles]);
}

let lastSegmentId = 0;

/** Creates a segment with a new id. */
export function createSegment(
  records: RecordTable,
  postings: Postings,
  vectors: VectorRows | null,
  attributes: AttributeCatalog,
): Segment {
  return {
    segmentId: ++lastSegmentId,
    size: records.ids.size,
    records,
    postings,
    vectors,
    totals: totalsOf(postings),
    attributes,
    caches: new SegmentCaches(postings),
  };
}
