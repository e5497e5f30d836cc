// The life of a record: prepare builds private segments and may wait or fail, changing nothing; commit publishes them by
// swapping one reference. Deleting shares the second half.

import { AttributeCatalog } from "../docvalues/attribute-values.js";
import { parseRanking } from "../settings/check-settings.js";
import type { CheckedSettings } from "../settings/settings.js";
import { SearchError } from "../util/errors.js";
import type { JsonRecord } from "../util/json.js";
import { partitionPoint } from "../util/sorted.js";
import { runTask, type Task } from "../util/tasks.js";
import type { UnitVector } from "../vectors/unit-vector.js";
import { vectorOf } from "../vectors/vector-rows.js";
import { type BuildContext, buildSegment } from "./build-segment.js";
import { buildDeclaredColumns } from "./column-store.js";
import { estimateMemory } from "./estimate-memory.js";
import type { IndexSnapshot, LiveSegment, SnapshotChange } from "./index-snapshot.js";
import { cutIntoSegments } from "./read-batch.js";
import type { WrittenEntry } from "./record-table.js";
import type { Segment } from "./segment.js";

/** What addRecords did. */
export interface AddResult {
  readonly added: number;
  readonly replaced: number;
}

/** A change that is ready to be published, and what it does. */
export interface PreparedBatch {
  readonly change: SnapshotChange;
  /** Attributes that the records hold. */
  readonly attributes: AttributeCatalog;
  readonly added: number;
  readonly replaced: number;
}

/** What preparing a batch depends on. */
export type BatchContext = Omit<BuildContext, "previous" | "onProgress" | "attributes"> & {
  readonly onProgress?: ProgressHandler | undefined;
  /** Claims so many bytes in all for what is built; throws 507 when there is no room. undefined: memory is not limited. */
  readonly claim: ((bytes: number) => void) | undefined;
  /** Where records with unchanged text find their vectors; default: in the state that is changed. */
  readonly vectorsFrom?: IndexSnapshot | undefined;
};

/** Builds the segments of a batch against a state; entries are sorted by id and distinct. Touches nothing. */
export async function prepareBatch(
  snapshot: IndexSnapshot,
  entries: readonly WrittenEntry[],
  context: BatchContext,
): Promise<PreparedBatch> {
  const { limits, signal, claim } = context;
  const groups = await runTask(cutIntoSegments(entries), signal);
  // The stored JSON alone is the least that the records will take: what cannot fit is refused before anything is built.
  let ahead = claim === undefined ? 0 : await runTask(jsonLength(groups), signal);
  claim?.(ahead);
  const deletions = await runTask(
    findLiving(snapshot, entries.length, (i) => entries[i]!.id),
    signal,
  );
  const replaced = countDeleted(deletions);
  if (snapshot.liveCount + entries.length - replaced > limits.indexRecords)
    throw new SearchError(
      507,
      "index_full",
      `The index would hold more than ${limits.indexRecords} records; delete some or raise limits.indexRecords.`,
      { param: "records" },
    );
  const attributes = new AttributeCatalog();
  const declared = declaredAttributes(context.settings.effective);
  const segments: Segment[] = [];
  let built = 0;
  const previous = previousRecords(context.vectorsFrom ?? (deletions.size > 0 ? snapshot : undefined));
  let done = 0;
  for (const group of groups) {
    const before = done;
    const onProgress: BuildContext["onProgress"] = (phase, count) =>
      context.onProgress?.({ done: before + count, total: entries.length, phase });
    const segment = await buildSegment(group, { ...context, attributes, previous, onProgress });
    done += group.length;
    await runTask(buildDeclaredColumns(segment, declared), signal);
    if (claim !== undefined) {
      built += estimateMemory({ segments: [segment], graphBytes: 0 }).total;
      for (const { json } of group) ahead -= json.length;
      claim(built + ahead);
    }
    segments.push(segment);
  }
  return { change: { added: segments, deletions }, attributes, added: entries.length - replaced, replaced };
}

function* jsonLength(groups: readonly (readonly WrittenEntry[])[]): Task<number> {
  let total = 0;
  for (const group of groups) {
    for (const { json } of group) total += json.length;
    yield;
  }
  return total;
}

/** Attributes whose columns are built at once, because the settings name them. */
function declaredAttributes({ attributesForFaceting, customRanking, attributeForDistinct }: CheckedSettings): string[] {
  const ranking = customRanking.map((text) => parseRanking(text)!.attribute);
  return [
    ...(attributesForFaceting ?? []),
    ...ranking,
    ...(attributeForDistinct === null ? [] : [attributeForDistinct]),
  ];
}

/** How far a call of addRecords has come. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly phase: "indexing" | "embedding";
}

/** Gets the progress of a call; what it throws is ignored. */
export type ProgressHandler = (progress: Progress) => void;

/**
 * The living records among `count` sorted, distinct ids: by segment uid, ascending record numbers. Walks ids and segments
 * side by side, leaping where one is far ahead, so that few ids cost a few searches and many cost one pass.
 */
export function* findLiving(
  snapshot: IndexSnapshot,
  count: number,
  idAt: (i: number) => string,
): Task<Map<number, number[]>> {
  const found = new Map<number, number[]>();
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
): Task<number[]> {
  const theirs = segment.records.ids;
  const docs: number[] = [];
  let doc = 0;
  for (let i = 0; i < count && doc < theirs.length; i++) {
    const id = idAt(i);
    doc = leapTo(theirs, doc, id);
    if (theirs[doc] === id && !deletedDocs?.has(doc)) docs.push(doc);
    if (i % 512 === 0) yield;
  }
  return docs;
}

/** The first index at or after `from` whose id is not before `id`, by galloping search. */
function leapTo(ids: readonly string[], from: number, id: string): number {
  let step = 1;
  let low = from;
  while (low + step < ids.length && ids[low + step]! < id) {
    low += step;
    step *= 2;
  }
  return partitionPoint(low, Math.min(low + step, ids.length), (i) => ids[i]! < id);
}

/** How many records a retirement names. */
export function countDeleted(deletions: ReadonlyMap<number, readonly number[]>): number {
  let count = 0;
  for (const docs of deletions.values()) count += docs.length;
  return count;
}

/** Looks up the record that an id has before the change. */
function previousRecords(snapshot: IndexSnapshot | undefined): BuildContext["previous"] {
  if (snapshot === undefined) return () => undefined;
  return (id): { record: JsonRecord; vector: UnitVector | null } | undefined => {
    const doc = snapshot.find(id);
    if (doc < 0) return undefined;
    const { segment, base } = snapshot.segmentOf(doc);
    return {
      record: snapshot.recordOf(doc),
      vector: segment.vectors === null ? null : vectorOf(segment.vectors, doc - base),
    };
  };
}
