// Merges small segments into larger ones and drops deleted records. Queries then visit few segments, and adding one record to
// a million rebuilds almost nothing. Merging never changes an answer.

import { mergeCatalogs } from "../docvalues/attribute-catalog.js";
import { mergePostings } from "../inverted/merge-postings.js";
import type { DocArray, LocalDoc } from "../util/doc.js";
import { DocSet } from "../util/doc-set.js";
import { RunHeads } from "../util/sorted.js";
import type { Task } from "../util/tasks.js";
import { mergeVectorRows, type VectorRows } from "../vectors/vector-rows.js";
import type { IndexSnapshot } from "./index-snapshot.js";
import { mergeRecordTables, RecordReader } from "./record-table.js";
import type { LiveSegment } from "./segment.js";
import { createSegment, MAX_SEGMENT_POSTINGS, MAX_SEGMENT_RECORDS, type Segment } from "./segment.js";

/** This many segments of one size class are merged into one of the next, so every record is rewritten log8(n) times. */
const FANOUT = 8;
/** A segment with a greater share of deleted records is rewritten. */
const MAX_DELETED_SHARE = 0.3;
/** Records sorted between two pauses. */
const PAUSE_EVERY = 1 << 10;

/** A merged segment and the origin of each of its records. */
export interface MergedSegment {
  readonly segment: Segment;
  readonly sources: readonly LiveSegment[];
  /** Record i comes from record `docs[i]` of `sources[origin[i]]`. */
  readonly origin: Uint16Array;
  readonly docs: DocArray<LocalDoc>;
}

/** Which of some segments to merge next while records are written; an empty list if there are none. */
export function chooseMerge({ segments: candidates }: Pick<IndexSnapshot, "segments">): readonly LiveSegment[] {
  const classes = new Map<number, LiveSegment[]>();
  for (const live of candidates) {
    if (live.segment.size - live.liveCount > MAX_DELETED_SHARE * live.segment.size) return [live];
    const sizeClass = Math.floor(Math.log(live.liveCount) / Math.log(FANOUT));
    classes.set(sizeClass, [...(classes.get(sizeClass) ?? []), live]);
  }
  for (const segments of classes.values()) {
    if (segments.length < FANOUT) continue;
    const chosen = smallestOf(segments);
    // Two of more than half the greatest size are never merged: so it waits for what fills one.
    if (chosen.length === segments.length && recordsOf(chosen) > MAX_SEGMENT_RECORDS / 2) continue;
    if (chosen.length > 1) return chosen;
  }
  return [];
}

/**
 * Which of some segments to merge next while nothing is written, until as few as possible are left; an empty list if there are none.
 * The greatest of them are left out while they are more than all the others, so each record is rewritten log2(n) times at most.
 */
export function chooseRest({ segments }: Pick<IndexSnapshot, "segments">): readonly LiveSegment[] {
  const chosen = smallestOf(segments);
  while (chosen.length > 0 && recordsOf(chosen) < 2 * chosen.at(-1)!.liveCount) chosen.pop();
  return chosen.length > 1 ? chosen : [];
}

/** As many of the smallest segments as one segment may hold. */
function smallestOf(segments: readonly LiveSegment[]): LiveSegment[] {
  let [records, postings] = [0, 0];
  const ascending = segments.toSorted((a, b) => a.liveCount - b.liveCount);
  const end = ascending.findIndex(({ liveCount, segment }) => {
    records += liveCount;
    postings += segment.postings.size;
    return records > MAX_SEGMENT_RECORDS || postings > MAX_SEGMENT_POSTINGS;
  });
  return end < 0 ? ascending : ascending.slice(0, end);
}

function recordsOf(segments: readonly LiveSegment[]): number {
  return segments.reduce((total, { liveCount }) => total + liveCount, 0);
}

/** Builds one segment from the live records of all `sources`. */
export function* mergeSegments(sources: readonly LiveSegment[]): Task<MergedSegment> {
  const { origin, docs } = yield* liveDocsInIdOrder(sources);
  yield;
  const records = yield* mergeRecordTables(
    sources.map((live) => live.segment.records),
    origin,
    docs,
  );
  const postings = yield* mergePostings(
    sources.map((live) => live.segment.postings),
    { segments: origin, docs },
  );
  const rows = sources.map((live) => live.segment.vectors).filter((vectors): vectors is VectorRows => vectors !== null);
  const vectors = rows.length === 0 ? null : yield* mergeVectorRows(rows, origin, docs, rows[0]!.dimensions);
  const reader = new RecordReader(records);
  const someDeleted = sources.some((live) => live.deletedDocs !== null);
  const attributes = yield* mergeCatalogs(
    sources.map((live) => live.segment.attributes),
    { count: docs.length, at: (i) => reader.parsed(i as LocalDoc), someDeleted },
  );
  return { segment: createSegment(records, postings, vectors, attributes), sources, origin, docs };
}

/** The records of a merged segment that were deleted from a snapshot since the merge began; null: none. */
export function deletedSince(
  { segment, sources, origin, docs }: MergedSegment,
  now: IndexSnapshot,
): DocSet<LocalDoc> | null {
  const current = new Map(now.segments.map((live) => [live.segment.segmentId, live]));
  const live = sources.map((source) => current.get(source.segment.segmentId));
  if (live.every((each, i) => each?.deletedDocs === sources[i]!.deletedDocs)) return null;
  const deleted = new DocSet<LocalDoc>(segment.size);
  // A source without a live record is in the snapshot no more.
  for (let doc = 0 as LocalDoc; doc < docs.length; doc++)
    if (live[origin[doc]!]?.deletedDocs?.has(docs[doc]!) ?? live[origin[doc]!] === undefined) deleted.add(doc);
  return deleted;
}

/** The origins of the live records of all sources, in id order. */
function* liveDocsInIdOrder(sources: readonly LiveSegment[]): Task<Pick<MergedSegment, "origin" | "docs">> {
  const ids = sources.map(({ segment }) => segment.records.ids);
  const next = new Uint32Array(sources.length);
  /** Advances a source to its first live record from `doc` on; false when there is none. */
  const goTo = (source: number, doc: LocalDoc): boolean => {
    const { segment, deletedDocs } = sources[source]!;
    let live = doc;
    while (live < segment.size && deletedDocs?.has(live)) live++;
    next[source] = live;
    return live < segment.size;
  };
  const filled = [...sources.keys()].filter((source) => goTo(source, 0 as LocalDoc));
  const heads = new RunHeads(filled, (a, b) => ids[a]!.compareWith(next[a]!, ids[b]!, next[b]!) < 0);
  const count = recordsOf(sources);
  const origin = new Uint16Array(count);
  const docs = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    if (i % PAUSE_EVERY === 0) yield;
    const source = heads.least!;
    origin[i] = source;
    docs[i] = next[source]!;
    heads.taken(goTo(source, (docs[i]! + 1) as LocalDoc));
  }
  return { origin, docs: docs as DocArray<LocalDoc> };
}
