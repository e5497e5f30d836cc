// What an index holds at one moment: immutable segments, the deleted records of each, and sums over the live records. A
// snapshot never changes. Writers publish a new one by swapping one reference, and a query reads one snapshot to its end.

import { addRecordFields, addTotals, type FieldTotals } from "../inverted/bm25.js";
import { type Doc, type DocArray, DocSet, type LocalDoc, toDoc, toLocal } from "../util/doc-set.js";
import type { JsonRecord } from "../util/json.js";
import { Kept } from "../util/kept.js";
import { lowerBound, partitionPoint, RunHeads } from "../util/sorted.js";
import { pauseIfLong, runTask, runTaskAtOnce, type Task } from "../util/tasks.js";
import type { TextTable } from "../util/text-table.js";
import type { SearchableVectors, VectorSearcher } from "../vectors/search-vectors.js";
import { RecordReader, readRecords, type StoredRecord } from "./record-table.js";
import type { LiveSegment, Segment } from "./segment.js";

/** Records visited between two pauses. */
const VISITED_AT_ONCE = 1024;
/** Records deleted between two pauses. */
const DELETED_AT_ONCE = 1024;
/** Records parsed between two pauses. */
const PARSED_AT_ONCE = 16;
/** Ids looked up between two pauses. */
const FOUND_AT_ONCE = 512;

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
  storedRecords(docs: readonly Doc[]): Task<StoredRecord[]> {
    return readRecords(
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

/** Records to delete. By segment id: their numbers within the segment, ascending. */
export type Deletions = ReadonlyMap<number, readonly LocalDoc[]>;

/** A change to publish: segments to add, records to delete. */
export interface SnapshotChange {
  readonly added?: readonly Segment[];
  readonly deletions?: Deletions;
}

/** A segment that others were merged into. */
export interface MergedSegment {
  readonly segment: Segment;
  readonly sources: readonly LiveSegment[];
  /** Record i comes from record `docs[i]` of `sources[origin[i]]`. */
  readonly origin: Uint16Array;
  readonly docs: DocArray<LocalDoc>;
}

/** A semantic floor with what it depends on besides the records. */
export type LearnedFloor = {
  /** null: there are too few vectors to learn from. */
  readonly value: number | null;
  /** That of a query whose terms no record holds together. Absent: no such query was asked. */
  readonly outOfVocabulary?: number;
  /** The id. */
  readonly embedder: string;
  readonly method: number;
};

/** One version of an index. */
export class IndexSnapshot extends LiveRecords {
  readonly totals: FieldTotals;
  /** What was computed from it. It can be computed again, so it changes no answer. */
  readonly caches: { vectorSearcher?: VectorSearcher; floor: LearnedFloor | null } = { floor: null };
  readonly kept: Kept = new Kept();

  private constructor(segments: readonly Omit<LiveSegment, "base">[], totals: FieldTotals) {
    let base = 0;
    const placed = segments.map((live) => {
      const from = base;
      base += live.segment.size;
      return { ...live, base: from };
    });
    super(placed);
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
  *after({ added = [], deletions = new Map() }: SnapshotChange): Task<IndexSnapshot> {
    let totals = new Map(this.totals);
    const segments: Omit<LiveSegment, "base">[] = [];
    for (const live of this.segments) {
      const after = yield* deleteDocs(live, deletions.get(live.segment.segmentId) ?? [], totals);
      if (after.liveCount > 0) segments.push(after);
    }
    for (const segment of added) {
      segments.push({ segment, deletedDocs: null, liveCount: segment.size, vectorCount: segment.vectors?.count ?? 0 });
      totals = addTotals(totals, segment.totals);
    }
    return new IndexSnapshot(segments, totals);
  }

  /** The vectors of its records. */
  get vectorSearcher(): VectorSearcher {
    this.caches.vectorSearcher ??= vectorSearcherOf(this);
    return this.caches.vectorSearcher;
  }

  /** The snapshot with a merged segment in place of its sources. Records that were deleted since the merge began stay deleted. */
  withMerged({ segment, sources, origin, docs }: MergedSegment): IndexSnapshot {
    const now = sources.map((source) =>
      this.segments.find((live) => live.segment.segmentId === source.segment.segmentId),
    );
    const isAlike = now.every((live, i) => live?.deletedDocs === sources[i]!.deletedDocs);
    const deletedDocs = isAlike ? null : new DocSet<LocalDoc>(segment.size);
    let [liveCount, vectorCount] = [segment.size, segment.vectors?.count ?? 0];
    for (let doc = 0 as LocalDoc; deletedDocs !== null && doc < segment.size; doc++) {
      const source = now[origin[doc]!];
      // A source without a live record is in the snapshot no more.
      if (source !== undefined && source.deletedDocs?.has(docs[doc]!) !== true) continue;
      deletedDocs.add(doc);
      liveCount--;
      if (segment.vectors !== null && segment.vectors.docRow[doc]! >= 0) vectorCount--;
    }
    const others = this.segments.filter((live) => !now.includes(live));
    const merged = liveCount === 0 ? [] : [{ segment, deletedDocs, liveCount, vectorCount }];
    // Its records are counted already.
    return new IndexSnapshot([...others, ...merged], this.totals);
  }
}

function vectorSearcherOf(snapshot: IndexSnapshot): VectorSearcher {
  const bySegment = new Map<number, SearchableVectors>();
  for (const { segment, deletedDocs, base, vectorCount } of snapshot.segments) {
    const { segmentId, size, vectors } = segment;
    if (vectors !== null) bySegment.set(segmentId, { segmentId, size, rows: vectors, deletedDocs, base, vectorCount });
  }
  return {
    segments: [...bySegment.values()],
    docSpan: snapshot.docSpan,
    vectorCount: snapshot.vectorCount,
    segmentById: (segmentId) => bySegment.get(segmentId),
    idBefore: (a, b) => snapshot.idBefore(a, b),
  };
}

/** Visits the live records of some segments in the order of their ids by code unit. `source`: the place of the segment. */
export function* visitInIdOrder(
  sources: readonly LiveSegment[],
  visit: (source: number, doc: LocalDoc) => void,
): Task<void> {
  const ids = sources.map(({ segment }) => segment.records.ids);
  const next = new Uint32Array(sources.length);
  /** Advances a source to its first live record from `doc` on; false when there is none. */
  const goTo = (source: number, doc: number): boolean => {
    const { segment, deletedDocs } = sources[source]!;
    let live = doc as LocalDoc;
    while (live < segment.size && deletedDocs?.has(live)) live++;
    next[source] = live;
    return live < segment.size;
  };
  const filled = [...sources.keys()].filter((source) => goTo(source, 0));
  const heads = new RunHeads(filled, (a, b) => ids[a]!.compareWith(next[a]!, ids[b]!, next[b]!) < 0);
  let visited = 0;
  for (let source = heads.least; source !== undefined; source = heads.least) {
    if (visited++ % VISITED_AT_ONCE === 0) yield;
    const doc = next[source] as LocalDoc;
    visit(source, doc);
    heads.taken(goTo(source, doc + 1));
  }
}

/** The numbers of all live records of a snapshot, in the order of their ids by code unit. */
export function* docsInIdOrder({ segments }: IndexSnapshot): Task<readonly Doc[]> {
  const docs: Doc[] = [];
  yield* visitInIdOrder(segments, (source, doc) => docs.push(toDoc(segments[source]!.base, doc)));
  return docs;
}

/** Reads records of a snapshot, those of each segment in ascending order. */
export class SnapshotReader {
  private readonly snapshot: IndexSnapshot;
  private readonly readers = new Map<number, RecordReader>();

  constructor(snapshot: IndexSnapshot) {
    this.snapshot = snapshot;
  }

  /** A record as it is stored; valid until the next call. */
  *stored(doc: Doc): Task<StoredRecord> {
    const { segment, base } = this.snapshot.segmentOf(doc);
    let reader = this.readers.get(segment.segmentId);
    if (reader === undefined) {
      reader = new RecordReader(segment.records);
      this.readers.set(segment.segmentId, reader);
    }
    return yield* reader.stored(toLocal(base, doc));
  }
}

/** Fresh copies of all live records, in the order of their ids. */
export async function* browseRecords<R>(
  given: IndexSnapshot | Promise<IndexSnapshot>,
): AsyncGenerator<R, void, undefined> {
  const snapshot = await given;
  const reader = new SnapshotReader(snapshot);
  for (const doc of await runTask(docsInIdOrder(snapshot))) {
    yield (await runTask(reader.stored(doc))).parse() as R;
    // Without a pause, a consumer that awaits nothing else would block the event loop.
    await pauseIfLong();
  }
}

/** A fresh copy of each of these records; null if there is none. */
export function* recordsById(snapshot: IndexSnapshot, ids: readonly string[]): Task<(JsonRecord | null)[]> {
  const records: (JsonRecord | null)[] = [];
  for (let from = 0; from < ids.length; from += PARSED_AT_ONCE) {
    const docs = ids.slice(from, from + PARSED_AT_ONCE).map((id) => snapshot.find(id));
    const stored = yield* snapshot.storedRecords(docs.filter((doc) => doc >= 0));
    let at = 0;
    for (const doc of docs) records.push(doc < 0 ? null : stored[at++]!.parse());
    yield;
  }
  return records;
}

/**
 * The live records among `count` sorted, distinct ids. Walks ids and segments side by side with galloping search, so that few
 * ids cost a few searches and many ids cost one pass.
 */
export function* findLiveDocs(
  snapshot: IndexSnapshot,
  count: number,
  idAt: (i: number) => string,
): Task<Map<number, LocalDoc[]>> {
  const found = new Map<number, LocalDoc[]>();
  for (const live of snapshot.segments) {
    const docs = yield* findInSegment(live, count, idAt);
    if (docs.length > 0) found.set(live.segment.segmentId, docs);
  }
  return found;
}

function* findInSegment(
  { segment, deletedDocs }: LiveSegment,
  count: number,
  idAt: (i: number) => string,
): Task<LocalDoc[]> {
  const { ids } = segment.records;
  const docs: LocalDoc[] = [];
  let doc = 0 as LocalDoc;
  for (let i = 0; i < count && doc < ids.size; i++) {
    const id = idAt(i);
    doc = gallopTo(ids, doc, id) as LocalDoc;
    if (doc < ids.size && ids.compare(doc, id) === 0 && !deletedDocs?.has(doc)) docs.push(doc);
    if (i % FOUND_AT_ONCE === 0) yield;
  }
  return docs;
}

/** The first index at or after `from` whose id does not precede `id`. */
function gallopTo(ids: TextTable, from: number, id: string): number {
  let step = 1;
  let low = from;
  while (low + step < ids.size && ids.compare(low + step, id) < 0) {
    low += step;
    step *= 2;
  }
  return partitionPoint(low, Math.min(low + step, ids.size), (i) => ids.compare(i, id) < 0);
}

/** The ids of records to delete. */
export function idsOf({ segments }: IndexSnapshot, deletions: Deletions): string[] {
  return segments.flatMap(({ segment }) =>
    (deletions.get(segment.segmentId) ?? []).map((doc) => segment.records.ids.textAt(doc)),
  );
}

/** The total number of records to delete. */
export function countDeletions(deletions: Deletions): number {
  let count = 0;
  for (const docs of deletions.values()) count += docs.length;
  return count;
}

/** Deletes records from a segment and subtracts their lengths from the totals. */
function* deleteDocs(
  live: LiveSegment,
  docs: readonly LocalDoc[],
  totals: Map<string, { length: number; docs: number }>,
): Task<Omit<LiveSegment, "base">> {
  if (docs.length === 0) return live;
  const { segment } = live;
  const deletedDocs = live.deletedDocs?.copy() ?? new DocSet<LocalDoc>(segment.size);
  let vectors = 0;
  for (const [i, doc] of docs.entries()) {
    if (i % DELETED_AT_ONCE === 0) yield;
    deletedDocs.add(doc);
    addRecordFields(totals, segment.postings, doc, -1);
    if (segment.vectors !== null && segment.vectors.docRow[doc]! >= 0) vectors++;
  }
  return { segment, deletedDocs, liveCount: live.liveCount - docs.length, vectorCount: live.vectorCount - vectors };
}
