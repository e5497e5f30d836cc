// A replacement of all records, which is built beside the turns. Meanwhile the writes of records are done, and answered, on the old version;
// they are kept as calls and repeated on the new one, the last of them in the turn that publishes it. All other turns wait for the
// replacement. If it fails, the old version stands with all that was written to it.

import type { AttributeHistory, NumberTexts } from "../docvalues/attribute-catalog.js";
import { EmbeddingJob } from "../embedding/remembered-vectors.js";
import type { CheckedOptions } from "../input/call-options.js";
import type { ChangeScope, IndexWriterContext } from "../state/durability.js";
import type { IndexData } from "../state/index-data.js";
import { countDeletions, type Deletions, type IndexSnapshot, type SnapshotChange } from "../state/index-snapshot.js";
import { MemoryReservation, segmentBytes } from "../state/memory-budget.js";
import { entryBytes, type WrittenEntry } from "../state/record-table.js";
import type { Segment } from "../state/segment.js";
import { SearchError, showNames } from "../util/errors.js";
import { isLocal, type Warn } from "../util/extension-points.js";
import { runTask, type Task, throwIfAborted } from "../util/tasks.js";
import { type BuiltBatch, buildBatch } from "./build-segment.js";
import { type MergedIndex, type MergeScheduler, mergePolicy } from "./merge-segments.js";
import {
  type AddResult,
  type Batch,
  countTogether,
  mergeBatches,
  type ReadRecords,
  sortEntries,
  withSkipped,
} from "./read-batch.js";

/** Finds the records that a call deletes. */
export type FindDeleted = (data: IndexData, warn: Warn) => Task<Deletions>;

/** The writer of the index, with the old version. */
export interface ReplacedIndex extends MergedIndex {
  readonly merges: MergeScheduler;
  /** The replacement that is under way. It begins, and ends, in a turn. */
  replacement: Replacement | undefined;
  emptyData(like: IndexData): IndexData;
  publishWhole(data: IndexData, scope: ChangeScope): Promise<void>;
  warnOfRecords(data: IndexData, numberTexts: NumberTexts): Promise<void>;
}

/** When kept calls take more bytes, a write waits for the replacement. */
const MOST_KEPT_BYTES = 2 ** 25;
/** What a kept call takes besides its texts, in bytes. */
const KEPT_CALL_BYTES = 512;
/** So many kept calls may be repeated in the turn of the replacement. */
const REPEATED_IN_TURN = 32;
/** So many are looked at to repeat them together. */
const REPEATED_TOGETHER = 2 ** 10;

/** The new version of an index whose records are all being replaced. */
export class Replacement {
  private readonly writer: ReplacedIndex;
  private readonly context: IndexWriterContext;
  private readonly data: IndexData;
  private readonly reservation: MemoryReservation;
  private readonly options: CheckedOptions & { readonly signal: AbortSignal; readonly job: EmbeddingJob };
  /** The calls to repeat, in their order, and about how many bytes they take. */
  private readonly kept: (Batch | FindDeleted)[] = [];
  private keptBytes = 0;
  /** Its segments that have a file. */
  private readonly inFiles: Segment[] = [];
  /** Changes that fit the old version alone. */
  private readonly leftOut = new Set<string>();
  /** Where other engines write too: what was written from then on, by any of them, is not repeated, but taken as it is. */
  private readonly since: unknown;
  private readonly building: Promise<BuiltBatch>;
  private finishing: Promise<AddResult> | undefined;
  /** Settles when it is finished. */
  readonly done: Promise<AddResult>;

  /** To be called in a turn. */
  constructor(
    writer: ReplacedIndex,
    context: IndexWriterContext,
    reading: Promise<ReadRecords>,
    given: CheckedOptions,
  ) {
    const { scheduler } = writer;
    const { signal, end } = scheduler.orStop(given.signal);
    this.writer = writer;
    this.context = context;
    this.data = writer.emptyData(writer.data);
    this.reservation = new MemoryReservation(context.memory, writer);
    this.options = { ...given, signal, job: new EmbeddingJob() };
    this.since = context.durability?.shared?.mark();
    writer.replacement = this;
    this.building = this.build(reading);
    this.done = this.building
      .catch(() => {})
      .then(() => scheduler.betweenTurns(() => this.finish()))
      .finally(() => {
        end();
        scheduler.tidy();
      });
    scheduler.runAside(async () => void (await this.done.catch(() => {})));
  }

  /** Builds the new version, and repeats calls on it until few are left. */
  private async build(reading: Promise<ReadRecords>): Promise<BuiltBatch> {
    const { writer, data, kept, reservation, inFiles, options } = this;
    const { durability } = this.context;
    const { entries, skipped } = await reading;
    await this.loadVectors();
    const batch = await this.put(entries, writer.data.snapshot, options.onProgress);
    for (const { segment } of data.snapshot.segments) {
      if (durability?.isLarge(segment) !== true) continue;
      await durability.prepare(segment);
      inFiles.push(segment);
    }
    while (kept.length > REPEATED_IN_TURN) {
      await this.repeat();
      const inMemory = data.snapshot.segments.filter(({ segment }) => !inFiles.includes(segment));
      const chosen = mergePolicy.behindWrite(inMemory);
      if (chosen.length === 0) continue;
      const merged = await writer.merges.merge(chosen, data.settings, options.signal);
      data.publishMerge(merged);
      const before = chosen.reduce((bytes, { segment }) => bytes + segmentBytes(segment), 0);
      reservation.grow(segmentBytes(merged.segment) - before);
    }
    return { ...batch, result: withSkipped(batch.result, skipped, options) };
  }

  /**
   * Loads the vectors that the new version can keep, if embedding the texts again would cost more. Damaged vectors do not hold up the
   * replacement.
   */
  private async loadVectors(): Promise<void> {
    const { embedder } = this.data.settings;
    if (embedder === undefined || isLocal(embedder)) return;
    try {
      await this.context.whenLoaded?.();
    } catch (error) {
      if (!(error instanceof SearchError) || error.error !== "storage_corrupt") throw error;
    }
  }

  /** Waits until the new version is built, and makes it the current one; in a turn, which others need not take then. */
  finish(): Promise<AddResult> {
    this.finishing ??= this.publish();
    return this.finishing;
  }

  private async publish(): Promise<AddResult> {
    const { context, data, options, leftOut } = this;
    let batch: BuiltBatch;
    try {
      batch = await this.building;
      while (this.kept.length > 0) await this.repeat();
      throwIfAborted(options.signal);
      await this.writer.publishWhole(data, { kind: "all", since: this.since });
    } finally {
      this.writer.replacement = undefined;
      this.reservation.end();
      for (const segment of this.inFiles) await context.durability!.discard(segment);
    }
    data.graph.begin();
    options.job.end();
    if (leftOut.size > 0) {
      const message = `What was changed while all records were replaced does not fit the new ones, and was left out: ${showNames([...leftOut])}.`;
      context.warn({ code: "change_left_out", message });
    }
    if (data.snapshot.liveCount > 0) await this.writer.warnOfRecords(data, batch.numberTexts);
    return batch.result;
  }

  /** Resolves when it has ended, in any way; to be called in a turn. */
  async ended(): Promise<void> {
    await this.finish().catch(() => {});
  }

  /** What a write of records beside it waits for, in its turn. */
  async readyBeside(): Promise<void> {
    const { whenLoaded } = this.context;
    const isDamaged = await whenLoaded?.()?.then(
      () => false,
      () => true,
    );
    // What is damaged takes no write, but what replaces it does.
    if (isDamaged === true || this.keptBytes > MOST_KEPT_BYTES) await this.ended();
    await whenLoaded?.();
  }

  /** Keeps a call that was done on the old version for the new one. */
  keep(call: Batch | FindDeleted, bytes: number): void {
    if (this.since !== undefined) return;
    this.kept.push(call);
    this.keptBytes += bytes + KEPT_CALL_BYTES;
  }

  /** Keeps batches as they were read, without what was refused. */
  keepBatches(batches: readonly Batch[], merged: readonly Batch[]): void {
    for (const [i, { lacked, skipped }] of merged.entries()) {
      const batch = batches[i]!;
      const refused = new Set(skipped.map(({ index }) => index));
      const entries = batch.entries.filter(({ position = 0 }) => !refused.has(position));
      const options = { ...batch.options, onProgress: undefined, onInvalid: "skip" } as const;
      const bytes = entries.reduce((total, entry) => total + entryBytes(entry), 0);
      this.keep({ ...batch, entries, options, skipped: [], ...(lacked && { lacked }) }, bytes);
    }
  }

  /** Repeats the first of the kept calls on the new version, with those behind it that can be written together. */
  private async repeat(): Promise<void> {
    const { writer, data, kept, leftOut } = this;
    const { signal } = this.options;
    const [first] = kept;
    if (typeof first === "function") {
      kept.shift();
      return this.repeatDeletion(first);
    }
    const alike: Batch[] = [];
    for (const call of kept.slice(0, REPEATED_TOGETHER)) {
      if (typeof call === "function" || call.isPatch !== first!.isPatch) break;
      alike.push(call);
    }
    const batches = alike.slice(0, countTogether(alike));
    kept.splice(0, batches.length);
    const context = { settings: data.settings.effective, limits: this.context.limits };
    const merged = await runTask(mergeBatches(batches, data.snapshot, context), signal);
    for (const [i, { skipped, lacked = [] }] of merged.entries()) {
      for (const { id } of skipped) leftOut.add(`update of ${id}`);
      for (const id of lacked) if (!batches[i]!.lacked!.has(id)) leftOut.add(`update of ${id}`);
    }
    const entries = await runTask(sortEntries(merged.flatMap((batch) => batch.entries)), signal);
    if (entries.length > 0) await this.put(entries, first!.isPatch ? undefined : writer.data.snapshot);
  }

  private async repeatDeletion(find: FindDeleted): Promise<void> {
    try {
      const deletions = await runTask(
        find(this.data, () => {}),
        this.options.signal,
      );
      if (countDeletions(deletions) > 0) await this.change({ deletions });
    } catch (error) {
      if (!(error instanceof SearchError) || error.code !== 400) throw error;
      this.leftOut.add(`deleteBy (${error.message})`);
    }
  }

  /** Adds records to the new version. */
  private async put(
    entries: readonly WrittenEntry[],
    vectorsFrom?: IndexSnapshot,
    onProgress?: CheckedOptions["onProgress"],
  ): Promise<BuiltBatch> {
    const { data, reservation, context } = this;
    const { signal, job } = this.options;
    const batch = await buildBatch(entries, { data, reservation, vectorsFrom }, { signal, job, onProgress }, context);
    await this.change(batch.change, batch.written);
    return batch;
  }

  private async change(change: SnapshotChange, written?: AttributeHistory): Promise<void> {
    const { data } = this;
    data.publish(await runTask(data.snapshot.after(change), this.options.signal), change, written, false);
  }
}
