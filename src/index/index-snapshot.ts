// What an index holds at one moment: immutable segments, the deleted records of each, and sums over the live records. A
// snapshot never changes. Writers publish a new one by swapping one reference, and a query reads one snapshot to its end.

import { addTotals, countRecord, type FieldTotals } from "../inverted/field-totals.js";
import { DocSet } from "../util/doc-set.js";
import type { JsonRecord } from "../util/json.js";
import { mergeRuns, partitionPoint } from "../util/sorted.js";
import { runTaskAtOnce, type Task } from "../util/tasks.js";
import { findRecord, readRecord } from "./record-table.js";
import type { Segment } from "./segment.js";
import { SnapshotCaches } from "./segment-caches.js";

/** Records deleted between two pauses. */
const PAUSE_EVERY = 1024;

/** A segment within a snapshot. */
export interface LiveSegment {
  readonly segment: Segment;
  /** The deleted or replaced records; null: none. */
  readonly deletedDocs: DocSet | null;
  readonly liveCount: number;
  /** Live records with a vector. */
  readonly vectorCount: number;
  /** The number of its first record in the whole snapshot. */
  readonly base: number;
}

/** A change to publish: segments to add, records to delete, segments to drop (because they were merged). */
export interface SnapshotChange {
  readonly added?: readonly Segment[];
  /** By segment id: the numbers of records within it. */
  readonly deletions?: ReadonlyMap<number, readonly number[]>;
  readonly dropped?: ReadonlySet<number>;
}

/** One version of an index. */
export class IndexSnapshot {
  readonly segments: readonly LiveSegment[];
  /** Record numbers are 0 … docSpan - 1; deleted records have numbers too. */
  readonly docSpan: number;
  readonly liveCount: number;
  readonly vectorCount: number;
  readonly totals: FieldTotals;
  readonly caches: SnapshotCaches = new SnapshotCaches();

  private constructor(segments: readonly Omit<LiveSegment, "base">[], totals: FieldTotals) {
    let base = 0;
    this.segments = segments.map((live) => {
      const placed = { ...live, base };
      base += live.segment.size;
      return placed;
    });
    this.docSpan = base;
    this.liveCount = segments.reduce((total, live) => total + live.liveCount, 0);
    this.vectorCount = segments.reduce((total, live) => total + live.vectorCount, 0);
    this.totals = totals;
  }

  static empty(): IndexSnapshot {
    return new IndexSnapshot([], new Map());
  }

  /** The snapshot after a change. Segments without a live record are dropped. */
  with(change: SnapshotChange): IndexSnapshot {
    return runTaskAtOnce(this.after(change));
  }

  /** As {@link with}, as a task. */
  *after({ added = [], deletions = new Map(), dropped = new Set() }: SnapshotChange): Task<IndexSnapshot> {
    let totals = new Map(this.totals);
    const segments: Omit<LiveSegment, "base">[] = [];
    for (const live of this.segments) {
      if (dropped.has(live.segment.segmentId)) continue;
      const after = yield* deleteDocs(live, deletions.get(live.segment.segmentId) ?? [], totals);
      if (after.liveCount > 0) segments.push(after);
    }
    for (const segment of added) {
      segments.push({ segment, deletedDocs: null, liveCount: segment.size, vectorCount: segment.vectors?.count ?? 0 });
      // The records of a merged segment are counted already.
      if (dropped.size === 0) totals = addTotals(totals, segment.totals);
    }
    return new IndexSnapshot(segments, totals);
  }

  /** The segment of a record number. */
  segmentOf(doc: number): LiveSegment {
    const { segments } = this;
    return segments[partitionPoint(1, segments.length, (i) => segments[i]!.base <= doc) - 1]!;
  }

  idOf(doc: number): string {
    const { segment, base } = this.segmentOf(doc);
    return segment.records.ids[doc - base]!;
  }

  /** Whether the id of `a` precedes that of `b` by code unit. Within a segment, record numbers are in id order. */
  idBefore(a: number, b: number): boolean {
    const inA = this.segmentOf(a);
    const inB = this.segmentOf(b);
    if (inA === inB) return a < b;
    return inA.segment.records.ids[a - inA.base]! < inB.segment.records.ids[b - inB.base]!;
  }

  /** A fresh copy of a stored record. */
  recordOf(doc: number): JsonRecord {
    const { segment, base } = this.segmentOf(doc);
    return readRecord(segment.records, doc - base);
  }

  /** The number of the live record with this id, or -1. */
  find(id: string): number {
    for (const { segment, deletedDocs, base } of this.segments) {
      const doc = findRecord(segment.records, id);
      if (doc >= 0 && !deletedDocs?.has(doc)) return base + doc;
    }
    return -1;
  }

  /** The numbers of all live records, ascending. */
  liveDocs(): Uint32Array {
    const docs = new Uint32Array(this.liveCount);
    let at = 0;
    for (const { segment, deletedDocs, base } of this.segments)
      for (let doc = 0; doc < segment.size; doc++) if (!deletedDocs?.has(doc)) docs[at++] = base + doc;
    return docs;
  }
}

/** The numbers of a segment's live records, within the segment. */
export function livingDocs({ segment, deletedDocs }: Pick<LiveSegment, "segment" | "deletedDocs">): number[] {
  const docs: number[] = [];
  for (let doc = 0; doc < segment.size; doc++) if (!deletedDocs?.has(doc)) docs.push(doc);
  return docs;
}

/** The numbers of all live records of a snapshot, in the order of their ids by code unit. */
export function* docsInIdOrder(snapshot: IndexSnapshot): Task<readonly number[]> {
  const runs: number[][] = [];
  for (const live of snapshot.segments) {
    runs.push(livingDocs(live).map((doc) => live.base + doc));
    yield;
  }
  return yield* mergeRuns(runs, (a, b) => (snapshot.idBefore(a, b) ? -1 : 1));
}

/** Deletes records from a segment and subtracts their lengths from the totals. */
function* deleteDocs(
  live: LiveSegment,
  docs: readonly number[],
  totals: Map<string, { length: number; docs: number }>,
): Task<Omit<LiveSegment, "base">> {
  if (docs.length === 0) return live;
  const { segment } = live;
  const deletedDocs = live.deletedDocs?.copy() ?? new DocSet(segment.size);
  let vectors = 0;
  for (const [i, doc] of docs.entries()) {
    if (i % PAUSE_EVERY === 0) yield;
    deletedDocs.add(doc);
    countRecord(totals, segment.postings, doc, -1);
    if (segment.vectors !== null && segment.vectors.docRow[doc]! >= 0) vectors++;
  }
  return { segment, deletedDocs, liveCount: live.liveCount - docs.length, vectorCount: live.vectorCount - vectors };
}
