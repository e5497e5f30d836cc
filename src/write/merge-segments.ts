// Merges segments, behind the writes and beside them: builds one segment from several, without their deleted records, and puts it in their
// place. The policy says which segments, and when: queries then visit few segments, and adding one record to a million rebuilds almost
// nothing. Merging never changes an answer.

import { mergeCatalogs } from "../docvalues/attribute-catalog.js";
import { mergePostings } from "../inverted/merge-postings.js";
import type { ResolvedSettings } from "../settings/resolved-settings.js";
import { inheritColumns } from "../state/column-store.js";
import { type IndexWriterContext, noChange } from "../state/durability.js";
import { errorName, publishMerge, type SegmentMessage } from "../state/engine-activity.js";
import type { IndexData } from "../state/index-data.js";
import { type MergedSegment, visitInIdOrder } from "../state/index-snapshot.js";
import { segmentBytes } from "../state/memory-budget.js";
import { mergeRecordTables, RecordReader } from "../state/record-table.js";
import {
  createSegment,
  type LiveSegment,
  MAX_SEGMENT_POSTINGS,
  MAX_SEGMENT_RECORDS,
  type Segment,
} from "../state/segment.js";
import { prepareFloor } from "../state/semantic-floor.js";
import type { DocArray, LocalDoc } from "../util/doc-set.js";
import { storageWarning } from "../util/extension-points.js";
import { pauseFor, runInBackground, type Task } from "../util/tasks.js";
import { mergeVectorRows, type VectorRows } from "../vectors/vector-rows.js";
import type { WriteScheduler } from "./write-scheduler.js";

/** This many segments of one size class are merged into one of the next, so every record is rewritten log8(n) times. */
const FANOUT = 8;
/** A segment with a greater share of deleted records is rewritten. */
const MAX_DELETED_SHARE = 0.3;
/** Few segments open faster the next time, but merging more records than this would delay closing. */
const MOST_AT_CLOSE = 2 ** 12;

/** What decides about merges. Each choice is of segments to merge next, and empty where there is nothing to merge. */
export const mergePolicy = {
  /** Behind each write, until there is no more to merge: of some segments, so many of about one size as fit; or one of which much is deleted. */
  behindWrite(segments: readonly LiveSegment[], isClosing = false): readonly LiveSegment[] {
    const worn = segments.find(({ segment, liveCount }) => segment.size - liveCount > MAX_DELETED_SHARE * segment.size);
    const chosen = worn === undefined ? alikeOf(segments) : [worn];
    return isClosing && recordsOf(chosen) > MOST_AT_CLOSE ? [] : chosen;
  },

  /** So long nothing is written before what is left is merged. */
  restMs: 1000,

  /**
   * While nothing is written, until as few as possible are left. The greatest are left out while they are more than all the others, so each
   * record is rewritten log2(n) times at most.
   */
  atRest(segments: readonly LiveSegment[]): readonly LiveSegment[] {
    const chosen = smallestOf(segments);
    while (chosen.length > 0 && recordsOf(chosen) < 2 * chosen.at(-1)!.liveCount) chosen.pop();
    return chosen.length > 1 ? chosen : [];
  },
};

/** As many segments of the first size class that has enough of them as one segment may hold. */
function alikeOf(candidates: readonly LiveSegment[]): readonly LiveSegment[] {
  const classes = new Map<number, LiveSegment[]>();
  for (const live of candidates) {
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

/** The index whose segments are merged. */
export interface MergedIndex {
  readonly data: IndexData;
  readonly scheduler: WriteScheduler;
  /** undefined: its records are not being replaced. */
  readonly replacement: object | undefined;
}

/** Carries out the merges of an index. */
export class MergeScheduler {
  private readonly index: MergedIndex;
  private readonly context: IndexWriterContext;
  /** The sources of merged segments that are being written to their files. */
  private readonly merging = new Set<Segment>();
  /** Segments were merged, and no commit has named the new ones yet. */
  private isUncommitted = false;
  /** It will be merged when nothing is written for a while. */
  private isWaiting = false;
  /** How many writes were followed by merges. */
  private writes = 0;

  constructor(index: MergedIndex, context: IndexWriterContext) {
    this.index = index;
    this.context = context;
  }

  /** After each write, in the queue of writes: merges segments, and makes that durable unless the next write will. */
  async behindWrite(): Promise<void> {
    const { index } = this;
    const { data, scheduler } = index;
    const choose = (): readonly LiveSegment[] => mergePolicy.behindWrite(this.candidates(data), scheduler.isClosing);
    try {
      for (let chosen = choose(); chosen.length > 0; chosen = choose()) {
        // A write that waits also waits for this.
        const merged = await this.merge(chosen, data.settings, scheduler.stop, () => !scheduler.isIdle);
        if (this.context.durability?.isLarge(merged.segment) !== true) this.publish(data, merged);
        else scheduler.runAside(async () => void (await this.finish(data, merged)));
      }
    } catch (cause) {
      this.warn(cause);
    }
    this.writes++;
    void this.mergeRestLater();
    if (!this.isUncommitted || !scheduler.isIdle) return;
    try {
      await this.context.durability!.note(noChange(index.data));
      this.isUncommitted = false;
    } catch (cause) {
      this.warn(cause);
    }
  }

  /** A commit names all segments, or there are others. */
  wereCommitted(): void {
    this.isUncommitted = false;
  }

  /** Merges what is left when nothing was written or merged for a while. */
  private async mergeRestLater(): Promise<void> {
    if (this.isWaiting) return;
    this.isWaiting = true;
    const { index } = this;
    const { scheduler } = index;
    for (let seen = -1; !scheduler.isClosing; ) {
      if (seen === this.writes && scheduler.isIdle && index.replacement === undefined) break;
      seen = this.writes;
      await pauseFor(mergePolicy.restMs, [scheduler.closed], true);
    }
    this.isWaiting = false;
    await this.mergeRest();
  }

  /** Merges what is left, beside the writes, which do not wait for it. Resolves when nothing is written or merged. */
  async mergeRest(): Promise<void> {
    const { index } = this;
    const { scheduler } = index;
    await scheduler.idle();
    for (let isDone = true; isDone; ) {
      const { data } = index;
      const chosen = scheduler.isClosing ? [] : mergePolicy.atRest(this.candidates(data));
      if (chosen.length === 0) break;
      // What failed once is tried again after the next write.
      isDone = false;
      scheduler.runAside(async () => {
        try {
          for (const { segment } of chosen) this.merging.add(segment);
          const merged = await this.merge(chosen, data.settings, scheduler.closed);
          isDone = (await this.finish(data, merged)) || index.data !== data;
        } catch (cause) {
          for (const { segment } of chosen) this.merging.delete(segment);
          if (!scheduler.closed.aborted) this.warn(cause);
        }
      });
      await scheduler.idle();
    }
  }

  /** The segments that are not being merged. */
  private candidates({ snapshot }: IndexData): readonly LiveSegment[] {
    return snapshot.segments.filter(({ segment }) => !this.merging.has(segment));
  }

  /** Makes one segment of several, with all that is derived from them. `isAwaited`: whether somebody waits for it. */
  async merge(
    sources: readonly LiveSegment[],
    settings: ResolvedSettings,
    stop: AbortSignal,
    isAwaited?: () => boolean,
  ): Promise<MergedSegment> {
    const started = performance.now();
    const run = <T>(task: Task<T>): Promise<T> => runInBackground(task, stop, isAwaited);
    const merged = await run(mergeSegments(sources));
    const { segment } = merged;
    await run(inheritColumns(merged, settings.effective));
    await prepareFloor(segment, settings, stop, run);
    const milliseconds = performance.now() - started;
    // Its file is told as a flush.
    this.report(() => ({ milliseconds, records: segment.size, bytes: segmentBytes(segment) }));
    return merged;
  }

  private publish(data: IndexData, merged: MergedSegment): void {
    data.publishMerge(merged);
    this.isUncommitted = this.context.durability !== undefined;
    this.context.memory.changed(this.index);
  }

  /**
   * Publishes a merged segment when it is in its file, if it gets one; false: that failed, or is not needed any more. Meanwhile writes go
   * on, but none of its sources is merged again.
   */
  private async finish(data: IndexData, merged: MergedSegment): Promise<boolean> {
    const { index } = this;
    const { durability } = this.context;
    const isLarge = durability?.isLarge(merged.segment) === true;
    const sources = merged.sources.map(({ segment }) => segment);
    for (const source of sources) this.merging.add(source);
    let isPublished = false;
    try {
      if (isLarge) await durability!.prepare(merged.segment);
      await index.scheduler.betweenTurns(() => {
        isPublished = index.data === data && !index.scheduler.stop.aborted;
        if (isPublished) this.publish(data, merged);
      });
      if (isLarge && !isPublished) await durability!.discard(merged.segment);
    } catch (cause) {
      this.warn(cause);
    } finally {
      for (const source of sources) this.merging.delete(source);
    }
    if (isPublished) index.scheduler.tidy();
    return isPublished;
  }

  private warn(cause: unknown): void {
    this.report(() => ({ milliseconds: 0, records: 0, bytes: 0, error: errorName(cause) }));
    const { durability, warn } = this.context;
    if (durability === undefined || this.index.scheduler.stop.aborted) return;
    const message = "Segments could not be merged (see cause); no answer changes, and the next write tries it again.";
    warn(storageWarning(message, cause));
  }

  private report(message: () => Omit<SegmentMessage, "indexName">): void {
    publishMerge(() => ({ indexName: this.context.name ?? "", ...message() }));
  }
}

/** Builds one segment from the live records of all `sources`. */
export function* mergeSegments(sources: readonly LiveSegment[]): Task<MergedSegment> {
  const count = sources.reduce((total, { liveCount }) => total + liveCount, 0);
  const [origin, numbers] = [new Uint16Array(count), new Uint32Array(count)];
  const docs = numbers as DocArray<LocalDoc>;
  let at = 0;
  yield* visitInIdOrder(sources, (source, doc) => {
    origin[at] = source;
    numbers[at++] = doc;
  });
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
