// The records of some segments that are not deleted, by their numbers and ids.

import { type Doc, type LocalDoc, toDoc, toLocal } from "../util/doc.js";
import type { DocSet } from "../util/doc-set.js";
import { lowerBound } from "../util/sorted.js";
import type { Task } from "../util/tasks.js";
import { readRecords, type StoredRecord } from "./record-table.js";
import type { Segment } from "./segment.js";

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

/** The live records of some segments. */
export class LiveRecords {
  readonly segments: readonly LiveSegment[];
  /** Record numbers are 0 … docSpan - 1; deleted records have numbers too. */
  readonly docSpan: number;
  readonly liveCount: number;
  readonly vectorCount: number;
  /** By segment: the number of its first record. */
  private readonly bases: Uint32Array;

  constructor(segments: readonly LiveSegment[]) {
    this.segments = segments;
    this.docSpan = segments.reduce((span, live) => span + live.segment.size, 0);
    this.liveCount = segments.reduce((total, live) => total + live.liveCount, 0);
    this.vectorCount = segments.reduce((total, live) => total + live.vectorCount, 0);
    this.bases = Uint32Array.from(segments, (live) => live.base);
  }

  /** The segment of a record number. */
  segmentOf(doc: Doc): LiveSegment {
    return this.segments[lowerBound(this.bases, doc + 1) - 1]!;
  }

  idOf(doc: Doc): string {
    const { segment, base } = this.segmentOf(doc);
    return segment.records.ids.textAt(toLocal(base, doc));
  }

  /** Whether the id of `a` precedes that of `b` by code unit. Within a segment, record numbers are in id order. */
  idBefore(a: Doc, b: Doc): boolean {
    const inA = this.segmentOf(a);
    const inB = this.segmentOf(b);
    if (inA === inB) return a < b;
    return inA.segment.records.ids.compareWith(toLocal(inA.base, a), inB.segment.records.ids, toLocal(inB.base, b)) < 0;
  }

  /** Some records as they are stored, in the order of the numbers. */
  *storedRecords(docs: readonly Doc[]): Task<StoredRecord[]> {
    return yield* readRecords(
      docs.map((doc) => {
        const { segment, base } = this.segmentOf(doc);
        return { table: segment.records, doc: toLocal(base, doc) };
      }),
    );
  }

  /** The number of the live record with this id, or -1. */
  find(id: string): Doc {
    for (const { segment, deletedDocs, base } of this.segments) {
      const doc = segment.records.ids.indexOf(id) as LocalDoc;
      if (doc >= 0 && !deletedDocs?.has(doc)) return toDoc(base, doc);
    }
    return -1 as Doc;
  }
}
