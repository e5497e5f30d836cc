// The way of a write, from the call to its publication; the only place where the records of an index change. Writes take turns.
//
//   read      read-batch     checks the caller's records and writes each down as JSON
//   analyse   build-segment  finds the terms of their fields; embeds their texts
//   segment   build-segment  writes posting lists, vector rows, stored records and columns, which nobody sees yet
//   commit    live-index     makes the change durable, where the index has a data folder (`Durability`)
//   publish   index-data     swaps one reference: a new snapshot with the new segments and the deleted records
//   merge     merge-segments merges small segments in the background, which changes no answer
//
// All steps before the publication may wait or fail, and change nothing. The publication is synchronous and cannot fail.
//
// A replacement of all records is built beside the turns. Meanwhile the writes of records are done, and answered, on the old version; they are
// kept as calls and repeated on the new one, the last of them in the turn that publishes it. All other turns wait for the replacement.

import { AttributeHistory, KnownAttributes } from "../docvalues/attribute-catalog.js";
import { NumberTexts } from "../docvalues/number-texts.js";
import { EmbeddingJob } from "../embedding/remembered-vectors.js";
import { type CheckedOptions, readOptions } from "../input/call-options.js";
import type { SettingsPair } from "../input/extension-ids.js";
import { changedSettings, checkSettings, knownSettings } from "../input/read-settings.js";
import { differingSettings, embedsAlike, givenAlike, indexesAlike, stableText } from "../settings/fingerprint.js";
import type { ResolvedSettings } from "../settings/resolved-settings.js";
import type { IndexSettings } from "../settings/settings.js";
import { firstOf, pauseFor, throwIfAborted } from "../util/abort.js";
import { errorName, tellMerge } from "../util/diagnostics.js";
import { SearchError } from "../util/errors.js";
import { isLocal, storageWarning, type Warn } from "../util/extension-points.js";
import { GREATEST_LIMITS, type Limits } from "../util/limits.js";
import { show, showNames } from "../util/show.js";
import { sortDistinct } from "../util/sorted.js";
import { runInBackground, runTask, startTask, type Task } from "../util/tasks.js";
import type { UnitVector } from "../vectors/unit-vector.js";
import { buildSegment, cutIntoSegments } from "./build-segment.js";
import { warnUnfulfilled } from "./check-attributes.js";
import { ColumnReferences, ensureColumns, inheritColumns } from "./column-store.js";
import { docsToDelete, readDeletion } from "./delete-by.js";
import type { EngineContext } from "./engine-activity.js";
import { deletedIdsOf, IndexData, type IndexVersion } from "./index-data.js";
import {
  countDeletions,
  type Deletions,
  findLiveDocs,
  type IndexSnapshot,
  type SnapshotChange,
} from "./index-snapshot.js";
import type { GraphContent, GraphStorage } from "./keep-graph.js";
import { MemoryReservation, segmentBytes } from "./memory-budget.js";
import { chooseMerge, chooseRest, type MergedSegment, mergeSegments } from "./merge-segments.js";
import {
  type BatchContext,
  mergePatches,
  type ReadContext,
  type ReadRecords,
  readBatch,
  readEntry,
  readIds,
  readPatches,
  type SkippedRecord,
  sortEntries,
  sortSkipped,
  storedEntries,
} from "./read-batch.js";
import { entryBytes, type WrittenEntry } from "./record-table.js";
import type { LiveSegment, Segment } from "./segment.js";
import { prepareFloor } from "./semantic-floor.js";
import { SettledAttributes, TitleWarning } from "./warn-value-kinds.js";
import { WriteGroups, WriteScheduler } from "./write-scheduler.js";

/** The number of records that a call added and replaced. */
export interface AddResult {
  readonly added: number;
  readonly replaced: number;
}

/** The result of a call with `onInvalid: "skip"`. */
export interface SkipResult extends AddResult {
  /** The records that were left out, in the order of the call. */
  readonly skipped: readonly SkippedRecord[];
}

/** A change that is about to be published. */
export interface PreparedChange {
  /** The settings afterwards. */
  readonly data: IndexData;
  /** The records afterwards. */
  readonly snapshot: IndexSnapshot;
  /** Whether `data` is new: then what the index remembered before is forgotten. */
  readonly isFresh: boolean;
  /** The attributes and deleted ids to remember. */
  readonly written: AttributeHistory;
  readonly deletedIds: readonly string[];
  readonly scope: ChangeScope;
}

/** Which part of an index a change concerns. */
export type ChangeScope =
  /** Some records; `isConditional`: those that were read, which must still be as they were, or else it is a {@link WriteConflict}. */
  | {
      readonly kind: "records";
      readonly before: IndexSnapshot;
      readonly change: SnapshotChange;
      readonly isConditional: boolean;
    }
  /** The settings, under which the records and their vectors stay; they must still be as they were read. */
  | { readonly kind: "settings" }
  /**
   * All of it. Where other engines write too, what they wrote `since` then stands; or, with `build`, what they wrote that this engine has
   * not seen: it makes segments of it under the new settings.
   */
  | {
      readonly kind: "all";
      readonly since?: unknown;
      readonly build?: (json: readonly string[]) => Promise<readonly Segment[]>;
    }
  /** Nothing that another engine would see, or what it wrote itself. */
  | { readonly kind: "own" };

/** Some records were not written, because another engine wrote them since they were read. Those that were written come by `catchUp`. */
export class WriteConflict extends Error {
  readonly ids: ReadonlySet<string>;

  /** `ids`: of these records; none: of the settings. */
  constructor(ids: ReadonlySet<string>) {
    super("Another engine wrote meanwhile.");
    this.ids = ids;
  }
}

/** Other engines write to the same index. */
export interface SharedIndex {
  /** Applies what they wrote by now. To be called in a turn. `ids`: of those elsewhere, takes these; `isWhole`: with what they say. */
  catchUp(ids?: readonly string[], isWhole?: boolean): Promise<void>;
  /** How many records there are where this process has none but those that it is about to write; undefined: it has all. */
  countElsewhere(): number | undefined;
  /** How far that has come, for a replacement. */
  mark(): unknown;
  /** For so many milliseconds a call tries again what other engines change at the same time. */
  readonly patienceMs: number;
}

/** Makes the changes of an index durable before anyone sees them. */
export interface Durability {
  /** Rejects if that fails; then the change is not published. */
  commit(change: PreparedChange): Promise<void>;
  /** As {@link commit}, for a change that was not promised to anybody: a power cut may take it. */
  note(change: PreparedChange): Promise<void>;
  /** Whether a segment is so large that it gets a file of its own. */
  isLarge(segment: Segment): boolean;
  /** Writes a large segment to its file, so that the commit that names it need not wait for it. */
  prepare(segment: Segment): Promise<void>;
  /** Removes the file of a segment that no commit names. */
  discard(segment: Segment): Promise<void>;
  /** undefined: graphs are not stored. */
  readonly graphs?: GraphStorage | undefined;
  /** undefined: no other engine writes. */
  readonly shared?: SharedIndex | undefined;
}

/** What another engine wrote to the records of an index. */
export interface ForeignRecords {
  /** Sorted by id, and distinct. */
  readonly entries: readonly WrittenEntry[];
  /** The vectors of their texts, by id; undefined: the records bring their own, or there are none. */
  readonly vectors: ReadonlyMap<string, UnitVector> | undefined;
  /** Sorted. */
  readonly deletedIds: readonly string[];
}

/** The options of the engine, and the initial settings of the index. */
export interface IndexWriterContext extends EngineContext {
  /** For messages. */
  readonly name?: string;
  readonly settings: ResolvedSettings;
  /** The settings as the caller passed them. */
  readonly given: IndexSettings;
  /** undefined: the index is in memory only. */
  readonly durability?: Durability | undefined;
  /** What each write waits for: the loading of an index from its data folder. undefined: it is there. */
  readonly whenLoaded?: () => Promise<void> | undefined;
  /** Called when all of the index is replaced: what was still to be loaded is not needed any more. */
  readonly wasReplaced?: () => void;
  /** Aborted, with the error to throw, when writes stop waiting for embedders; undefined: never. */
  readonly patience?: AbortSignal | undefined;
}

/** Where a batch is published, and what it takes from elsewhere. */
interface Destination {
  /** If this is not the current data, publishing makes it current. */
  readonly data: IndexData;
  /** Where records with unchanged text find their vectors; undefined: in the snapshot that is changed. */
  readonly vectorsFrom?: IndexSnapshot | undefined;
  /** The attributes to remember; undefined: those of the batch. */
  readonly remembered?: AttributeHistory;
  /** The vectors of all records, where they were embedded before. */
  readonly embedded?: ForeignRecords["vectors"];
  readonly isConditional?: boolean;
  /** What is published, if not the records of the batch. */
  readonly scope?: ChangeScope;
}

/** The records of a call that may share a commit with others. */
interface Batch extends ReadRecords {
  /** True: the entries are merged into stored records, and several may have the same id. False: ids are distinct. */
  readonly isPatch: boolean;
  /** The settings under which the batch was read. */
  readonly settings: ResolvedSettings;
  readonly options: CheckedOptions;
  /** Of patches that were merged: the ids of which there was no record. */
  readonly lacked?: ReadonlySet<string>;
}

/** What becomes visible. */
interface Published {
  readonly change: SnapshotChange;
  readonly written?: AttributeHistory;
  readonly scope: ChangeScope;
}

/** The longest pause before another attempt to change what other engines change at the same time. */
const LONGEST_PAUSE_MS = 50;

/** Tries again what other engines change at the same time, for some time. */
export class Trying {
  private readonly patienceMs: number;
  private ends: number | undefined;

  constructor({ patienceMs }: SharedIndex) {
    this.patienceMs = patienceMs;
  }

  /** Pauses. Throws 409 `version_conflict` when the time, which begins with the first conflict, is over. */
  async again(ids: ReadonlySet<string>): Promise<void> {
    this.ends ??= performance.now() + this.patienceMs;
    if (performance.now() > this.ends) throw versionConflict([...ids]);
    await pauseFor(Math.random() * LONGEST_PAUSE_MS, []);
  }
}

/** Finds the records that a call deletes. */
type FindDeleted = (data: IndexData, warn: Warn) => Task<Deletions>;

/** The new version of an index whose records are all being replaced. Calls go on with the old one, and are repeated on the new. */
interface Replacement {
  readonly data: IndexData;
  readonly reservation: MemoryReservation;
  readonly options: CheckedOptions & { readonly signal: AbortSignal; readonly job: EmbeddingJob };
  /** The calls to repeat, in their order. */
  readonly kept: (Batch | FindDeleted)[];
  /** About how many bytes they take. */
  keptBytes: number;
  /** Its segments that have a file. */
  readonly inFiles: Segment[];
  /** Changes that fit the old version alone. */
  readonly leftOut: Set<string>;
  /** Where other engines write too: what was written from then on, by any of them, is not repeated, but taken as it is. */
  readonly since: unknown;
  /** Waits until the new version is built, and makes it the current one; in a turn, which others need not take then. */
  readonly finish: () => Promise<AddResult>;
  /** Settles when it is finished. */
  readonly done: Promise<AddResult>;
}

/** When kept calls take more bytes, a write waits for the replacement. */
const MOST_KEPT_BYTES = 2 ** 25;
/** What a kept call takes besides its texts, in bytes. */
const KEPT_CALL_BYTES = 512;
/** So many kept calls may be repeated in the turn of the replacement. */
const REPEATED_IN_TURN = 32;
/** So many are looked at to repeat them together. */
const REPEATED_TOGETHER = 2 ** 10;

/** Batches of more bytes are not written together: each of them keeps the disk busy for long enough. */
const MOST_BYTES_TOGETHER = 2 ** 20;

/** How many batches can be written together, from the first on: none has an id of another, or reports its progress. */
function* countTogether(batches: readonly Batch[]): Task<number> {
  if (batches.length === 1) return 1;
  const ids = new Set<string>();
  let bytes = 0;
  let count = 0;
  for (const { entries, options } of batches) {
    for (const entry of entries) bytes += entryBytes(entry);
    yield;
    if (options.onProgress !== undefined || bytes > MOST_BYTES_TOGETHER) break;
    if (entries.some(({ id }) => ids.has(id))) break;
    for (const { id } of entries) ids.add(id);
    count++;
  }
  return Math.max(1, count);
}

/** A batch that is ready to be published. */
interface PreparedBatch {
  readonly change: SnapshotChange;
  readonly written: AttributeHistory;
  readonly numberTexts: NumberTexts;
  readonly result: AddResult;
}

/** Merges of more records do not begin while the index is being closed. */
const MERGED_AT_CLOSE = 2 ** 12;

/** So long nothing is written before what is left is merged. */
const REST_MS = 1000;

/** The current data of an index, and the operations that change it. */
export class IndexWriter {
  data: IndexData;
  readonly scheduler: WriteScheduler;
  private readonly groups: WriteGroups<Batch, AddResult>;
  /** Of all records; undefined: none is under way. It begins, and ends, in a turn. */
  private replacement: Replacement | undefined;
  /** The sources of merged segments that are being written to their files. */
  private readonly merging = new Set<Segment>();
  /** Segments were merged, and no commit has named the new ones yet. */
  private hasUncommittedMerge = false;
  private readonly context: IndexWriterContext;
  /** The settings whose attributes were warned of. */
  private warnedOf: ResolvedSettings | undefined;
  /** The attributes that the settings name are there. */
  private isFulfilled = false;
  private readonly settled = new SettledAttributes();
  private readonly titleWarning = new TitleWarning();
  /** Ends the merging of what is left. Made when it is first needed: most of many indexes are never written. */
  private resting: AbortController | undefined;
  /** It will be merged when nothing is written for a while. */
  private isWaiting = false;
  /** The snapshot whose columns were prepared last, or are being prepared. */
  private preparedOf: IndexSnapshot | "pending" | undefined;
  /** How many tidyings began and ended: odd while one is under way. */
  private tidyings = 0;

  constructor(context: IndexWriterContext) {
    this.context = context;
    this.scheduler = new WriteScheduler(() => this.tidy(), {
      write: () => (this.replacement === undefined ? context.whenLoaded?.() : this.readyBeside(this.replacement)),
      others: () => this.replacement && this.replaced(),
    });
    this.groups = new WriteGroups(this.scheduler, {
      countTogether,
      write: (batches, stop) => this.putGroup(batches, stop),
      // Where other engines write too, nobody knows after a failure which records were written, and a second time is not the first.
      mayRepeat: (error) => this.shared === undefined || (error instanceof SearchError && error.code < 500),
    });
    this.data = this.emptyData(context);
  }

  /** Adds records, or replaces those with the same ids. Calls that wait share a commit. */
  async addRecords(records: unknown, options: CheckedOptions): Promise<AddResult> {
    return this.writeInGroup(readBatch(records, this.batchContext(options)), options, false);
  }

  /** As {@link addRecords}, for records that were read one by one. */
  async addEntries(entries: WrittenEntry[], options: CheckedOptions): Promise<AddResult> {
    const sorting = startTask(sortEntries(entries), options.signal);
    return this.scheduler.write(sorting, options.signal, (sorted, signal) =>
      this.put(sorted, { ...options, signal }, { data: this.data }),
    );
  }

  /** Merges attributes into records. Calls that wait share a commit. */
  async updateRecords(patches: unknown, options: CheckedOptions): Promise<AddResult> {
    return this.writeInGroup(readPatches(patches, this.batchContext(options)), options, true);
  }

  /** Replaces all records by these. */
  async replaceAllRecords(records: unknown, options: CheckedOptions): Promise<AddResult> {
    const reading = startTask(readBatch(records, this.batchContext(options)), options.signal);
    reading.catch(() => {}); // the replacement handles a rejection
    const { settings } = this.data;
    // In a turn of its own, so that calls are kept from here on.
    const { done } = await this.scheduler.replace(undefined, options.signal, async () => {
      await this.shared?.catchUp();
      if (this.readsOtherwise(settings)) {
        // Invalid records are refused as such.
        await reading;
        throw settingsChanged();
      }
      return this.beginReplacement(reading, options);
    });
    try {
      return await done;
    } catch (error) {
      this.scheduler.check();
      throw error;
    }
  }

  private beginReplacement(reading: Promise<ReadRecords>, given: CheckedOptions): Replacement {
    const { scheduler } = this;
    const { signal, end } = firstOf(given.signal === undefined ? [scheduler.stop] : [given.signal, scheduler.stop]);
    const replacement: Replacement = {
      data: this.emptyData(this.data),
      reservation: new MemoryReservation(this.context.memory, this),
      options: { ...given, signal, job: new EmbeddingJob() },
      ...{ kept: [], keptBytes: 0, inFiles: [], leftOut: new Set(), since: this.shared?.mark() },
      finish: () => {
        finished ??= this.finishReplacement(replacement, building).finally(end);
        return finished;
      },
      get done() {
        return done;
      },
    };
    this.replacement = replacement;
    let finished: Promise<AddResult> | undefined;
    const building = this.buildReplacement(reading, replacement);
    const done = building
      .catch(() => {})
      .then(() => scheduler.betweenTurns(replacement.finish))
      .finally(() => scheduler.tidy());
    scheduler.runAside(async () => void (await done.catch(() => {})));
    return replacement;
  }

  /** Builds the new version, and repeats calls on it until few are left. */
  private async buildReplacement(reading: Promise<ReadRecords>, replacement: Replacement): Promise<PreparedBatch> {
    const { data, kept, reservation, inFiles, options } = replacement;
    const { durability } = this.context;
    const { entries, skipped } = await reading;
    await this.loadVectors();
    const batch = await this.putUnseen(entries, replacement, this.data.snapshot, options.onProgress);
    for (const { segment } of data.snapshot.segments) {
      if (durability?.isLarge(segment) !== true) continue;
      await durability.prepare(segment);
      inFiles.push(segment);
    }
    while (kept.length > REPEATED_IN_TURN) {
      await this.repeat(replacement);
      const chosen = chooseMerge({
        segments: data.snapshot.segments.filter(({ segment }) => !inFiles.includes(segment)),
      });
      if (chosen.length === 0) continue;
      const merged = await this.merged(data, chosen, options.signal);
      data.publishMerge(merged);
      reservation.grow(
        chosen.reduce((bytes, { segment }) => bytes - segmentBytes(segment), segmentBytes(merged.segment)),
      );
    }
    return { ...batch, result: withSkipped(batch.result, skipped, options) };
  }

  /** Makes the new version the current one; if anything fails, the old one stands with all that was written to it. */
  private async finishReplacement(replacement: Replacement, building: Promise<PreparedBatch>): Promise<AddResult> {
    const { data, kept, options, reservation, inFiles, leftOut } = replacement;
    const { durability, warn } = this.context;
    let batch: PreparedBatch;
    try {
      batch = await building;
      while (kept.length > 0) await this.repeat(replacement);
      throwIfAborted(options.signal);
      await this.publishWhole(data, { kind: "all", since: replacement.since });
    } finally {
      this.replacement = undefined;
      reservation.end();
      for (const segment of inFiles) await durability!.discard(segment);
    }
    data.graph.begin();
    options.job.end();
    if (leftOut.size > 0) {
      const message = `What was changed while all records were replaced does not fit the new ones, and was left out: ${showNames([...leftOut])}.`;
      warn({ code: "change_left_out", message });
    }
    if (data.snapshot.liveCount > 0) await this.warnOfRecords(data, batch.numberTexts);
    return batch.result;
  }

  /** Adds records to the new version. */
  private async putUnseen(
    entries: readonly WrittenEntry[],
    { data, reservation, options: { signal, job } }: Replacement,
    vectorsFrom?: IndexSnapshot,
    onProgress?: CheckedOptions["onProgress"],
  ): Promise<PreparedBatch> {
    const batch = await this.prepare(entries, { signal, job, onProgress }, { data, vectorsFrom, reservation });
    data.publish(await runTask(data.snapshot.after(batch.change), signal), batch.change, batch.written, false);
    return batch;
  }

  /** Repeats the first of the kept calls on the new version, with those behind it that can be written together. */
  private async repeat(replacement: Replacement): Promise<void> {
    const { data, kept, leftOut, options } = replacement;
    const { signal } = options;
    const [first] = kept;
    if (typeof first === "function") {
      kept.shift();
      const found = runTask(
        first(data, () => {}),
        signal,
      );
      const deletions = await found.catch((error: unknown): Deletions => {
        if (!(error instanceof SearchError) || error.code !== 400) throw error;
        leftOut.add(`deleteBy (${error.message})`);
        return new Map();
      });
      if (countDeletions(deletions) === 0) return;
      data.publish(await runTask(data.snapshot.after({ deletions }), signal), { deletions }, undefined, false);
      return;
    }
    const alike: Batch[] = [];
    for (const call of kept.slice(0, REPEATED_TOGETHER)) {
      if (typeof call === "function" || call.isPatch !== first!.isPatch) break;
      alike.push(call);
    }
    const batches = alike.slice(0, await runTask(countTogether(alike), signal));
    kept.splice(0, batches.length);
    const merged = await this.mergeBatches(batches, data.snapshot, signal);
    for (const [i, { skipped, lacked = [] }] of merged.entries()) {
      for (const { id } of skipped) leftOut.add(`update of ${id}`);
      for (const id of lacked) if (!batches[i]!.lacked!.has(id)) leftOut.add(`update of ${id}`);
    }
    const entries = await runTask(sortEntries(merged.flatMap((batch) => batch.entries)), signal);
    if (entries.length > 0) await this.putUnseen(entries, replacement, first!.isPatch ? undefined : this.data.snapshot);
  }

  /** Keeps a call that was done on the old version for the new one. */
  private keep(call: Batch | FindDeleted, bytes: number): void {
    if (this.replacement === undefined || this.replacement.since !== undefined) return;
    this.replacement.kept.push(call);
    this.replacement.keptBytes += bytes + KEPT_CALL_BYTES;
  }

  /** Keeps batches as they were read, without what was refused. */
  private keepBatches(batches: readonly Batch[], merged: readonly Batch[]): void {
    if (this.replacement === undefined) return;
    for (const [i, { lacked, skipped }] of merged.entries()) {
      const batch = batches[i]!;
      const refused = new Set(skipped.map(({ index }) => index));
      const entries = batch.entries.filter(({ position = 0 }) => !refused.has(position));
      const options = { ...batch.options, onProgress: undefined, onInvalid: "skip" } as const;
      const bytes = entries.reduce((total, entry) => total + entryBytes(entry), 0);
      this.keep({ ...batch, entries, options, skipped: [], ...(lacked && { lacked }) }, bytes);
    }
  }

  /** What a write of records beside a replacement waits for, in its turn. */
  private async readyBeside({ keptBytes }: Replacement): Promise<void> {
    const { whenLoaded } = this.context;
    const isDamaged = await whenLoaded?.()?.then(
      () => false,
      () => true,
    );
    // What is damaged takes no write, but what replaces it does.
    if (isDamaged === true || keptBytes > MOST_KEPT_BYTES) await this.replaced();
    await whenLoaded?.();
  }

  /** Resolves when no replacement is under way; to be called in a turn. */
  private async replaced(): Promise<void> {
    await this.replacement?.finish().catch(() => {});
  }

  /** Resolves when all writes that were called before are done. */
  async whenWritten(): Promise<void> {
    await this.scheduler.settled();
    await this.replacement?.done.catch(() => {});
  }

  /**
   * Loads the vectors that a replacement can keep, if embedding the texts again would cost more. Damaged vectors do not hold up
   * the replacement.
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

  /** Reads a batch, and writes it in a turn that other calls may share. What is copied before the first pause is read at once. */
  private async writeInGroup(
    reading: Task<ReadRecords>,
    options: CheckedOptions,
    isPatch: boolean,
  ): Promise<AddResult> {
    const { settings } = this.data;
    const read = async (): Promise<Batch> => {
      const records = await startTask(reading, options.signal);
      return { ...records, isPatch, settings, options };
    };
    return this.groups.write(read(), options.signal);
  }

  /** Puts batches together, which share a commit. */
  private async putGroup(batches: readonly Batch[], signal: AbortSignal): Promise<readonly AddResult[]> {
    const { data, shared } = this;
    if (batches.some(({ settings }) => this.readsOtherwise(settings))) throw settingsChanged();
    if (shared !== undefined) return this.putShared(batches, shared, signal);
    const groups = await this.mergeBatches(batches, data.snapshot, signal);
    const [{ options, entries, skipped }] = groups as [Batch];
    if (groups.length === 1) {
      const result = await this.put(entries, { ...options, signal }, { data });
      this.keepBatches(batches, groups);
      return [withSkipped(result, skipped, options)];
    }
    const results: AddResult[] = [];
    for (const { entries, skipped, options } of groups) {
      const idAt = (i: number): string => entries[i]!.id;
      const replaced = countDeletions(await runTask(findLiveDocs(data.snapshot, entries.length, idAt), signal));
      results.push(withSkipped({ added: entries.length - replaced, replaced }, skipped, options));
    }
    const all = await runTask(sortEntries(groups.flatMap((group) => group.entries)), signal);
    await this.put(all, { ...options, signal }, { data });
    this.keepBatches(batches, groups);
    return results;
  }

  /** Whether records that were read under some settings are to be read anew. */
  private readsOtherwise(settings: ResolvedSettings): boolean {
    const { settings: now } = this.data;
    return this.shared === undefined ? settings !== now : !readsAlike(settings, now);
  }

  /**
   * Puts batches together where other engines write, too. Patches are merged into the records as they are there now: what one of them was
   * faster to write is read and changed again. If another index has the name meanwhile, that one takes the records.
   */
  private async putShared(
    batches: readonly Batch[],
    shared: SharedIndex,
    given: AbortSignal,
  ): Promise<readonly AddResult[]> {
    const sums = batches.map(() => ({ added: 0, replaced: 0, skipped: [] as SkippedRecord[] }));
    const isConditional = batches.some(({ isPatch }) => isPatch);
    const trying = new Trying(shared);
    let rest = batches;
    let signal: AbortSignal | undefined = given;
    for (let isAgain = false; ; isAgain = true) {
      const ids = rest.flatMap(({ entries }) => entries.map(({ id }) => id));
      if (isConditional || isAgain || shared.countElsewhere() !== undefined) await shared.catchUp(ids, isConditional);
      if (isAgain && rest.some(({ settings }) => this.readsOtherwise(settings))) throw settingsChanged();
      const { data } = this;
      const { snapshot } = data;
      const groups = await this.mergeBatches(rest, snapshot, signal);
      const all = await runTask(sortEntries(groups.flatMap((group) => group.entries)), signal);
      const [{ options }] = rest as [Batch];
      let conflicts: ReadonlySet<string> = new Set();
      try {
        await this.put(all, { ...options, signal }, { data, isConditional });
      } catch (error) {
        if (!(error instanceof WriteConflict)) throw error;
        conflicts = error.ids;
      }
      for (const [i, group] of groups.entries()) {
        const written = group.entries.filter(({ id }) => !conflicts.has(id));
        const found = findLiveDocs(snapshot, written.length, (at) => written[at]!.id);
        const replaced = countDeletions(await runTask(found));
        sums[i]!.added += written.length - replaced;
        sums[i]!.replaced += replaced;
        for (const each of group.skipped)
          if (each.id === undefined || !conflicts.has(each.id)) sums[i]!.skipped.push(each);
        // What is written is not taken back.
        if (written.length > 0) signal = undefined;
      }
      if (conflicts.size === 0) break;
      await trying.again(conflicts);
      rest = rest.map((batch) => ({
        ...batch,
        entries: batch.entries.filter(({ id }) => conflicts.has(id)),
        skipped: [],
      }));
    }
    const results: AddResult[] = [];
    for (const [i, { added, replaced, skipped }] of sums.entries())
      results.push(withSkipped({ added, replaced }, await runTask(sortSkipped(skipped)), batches[i]!.options));
    return results;
  }

  /** Merges the patches of batches into the records of a snapshot. */
  private async mergeBatches(
    batches: readonly Batch[],
    snapshot: IndexSnapshot,
    signal: AbortSignal | undefined,
  ): Promise<readonly Batch[]> {
    const merged: Batch[] = [];
    for (const batch of batches) {
      const { options, lacked: before } = batch;
      const lacked = new Set<string>();
      // A record of the old version that the new one lacks is not made again.
      const creates = (id: string): boolean => {
        lacked.add(id);
        return options.createIfNotExists && before?.has(id) !== false;
      };
      if (!batch.isPatch) merged.push(batch);
      else {
        const merging = mergePatches(batch.entries, snapshot, { ...this.batchContext(options), creates });
        const { entries, skipped } = await runTask(merging, signal);
        const all = await runTask(sortSkipped([...batch.skipped, ...skipped]), signal);
        merged.push({ ...batch, entries, lacked, skipped: all });
      }
    }
    return merged;
  }

  /** Builds the segments of a batch and publishes them. `entries` are sorted by id and distinct. */
  private async put(
    entries: readonly WrittenEntry[],
    options: CheckedOptions,
    destination: Destination,
  ): Promise<AddResult> {
    const { data } = destination;
    if (entries.length === 0 && data === this.data) return { added: 0, replaced: 0 };
    const reservation = new MemoryReservation(this.context.memory, this);
    const job = options.job ?? new EmbeddingJob();
    try {
      const batch = await this.prepare(entries, { ...options, job }, { ...destination, reservation });
      const { change, written, numberTexts } = batch;
      const { scope, isConditional = false } = destination;
      await this.publish(
        data,
        { change, written, scope: scope ?? { kind: "records", before: data.snapshot, change, isConditional } },
        options.signal,
      );
      if (options.job === undefined) job.end();
      // What another engine wrote was warned of there.
      if (entries.length > 0 && scope?.kind !== "own") await this.warnOfRecords(data, numberTexts);
      return batch.result;
    } finally {
      reservation.end();
    }
  }

  private async warnOfRecords(data: IndexData, numberTexts: NumberTexts): Promise<void> {
    await this.warnUnfulfilled();
    await runTask(this.settled.warnOf(numberTexts, data, this.context.warn));
    this.titleWarning.warnOf(data, this.context.warn);
  }

  /** Warns once for each version of the settings. */
  private async warnUnfulfilled(): Promise<void> {
    const { data } = this;
    const { settings, attributes } = data.version();
    if (this.warnedOf === settings || this.isFulfilled) return;
    const context = { settings: settings.effective, given: data.given, attributes };
    const isWrong = await runTask(warnUnfulfilled(context, this.context.warn));
    if (isWrong) this.warnedOf = settings;
    else if (this.data === data) this.isFulfilled = true;
  }

  /** Builds the segments of a batch. Changes nothing. */
  private async prepare(
    entries: readonly WrittenEntry[],
    { signal, onProgress, job }: Pick<CheckedOptions, "signal" | "onProgress" | "job">,
    { data, vectorsFrom, remembered, embedded, reservation }: Destination & { readonly reservation: MemoryReservation },
  ): Promise<PreparedBatch> {
    const groups = await runTask(cutIntoSegments(entries), signal);
    await runTask(reservation.begin(groups), signal);
    const { snapshot, settings } = data;
    const deletions = await runTask(
      findLiveDocs(snapshot, entries.length, (i) => entries[i]!.id),
      signal,
    );
    const replaced = countDeletions(deletions);
    const added = entries.length - replaced;
    this.checkRoom(snapshot.liveCount + added);
    const { limits, warn, patience } = this.context;
    const written = new AttributeHistory();
    if (remembered !== undefined) written.add(remembered);
    const numberTexts = new NumberTexts(settings.effective.idAttribute);
    const segments: Segment[] = [];
    let done = 0;
    for (const group of groups) {
      const before = done;
      const segment = await buildSegment(group, {
        ...{ settings, limits, warn, signal, patience, job, numberTexts, embedded },
        vectorsFrom: vectorsFrom ?? (replaced > 0 ? snapshot : undefined),
        onProgress: (phase, count) => onProgress?.({ done: before + count, total: entries.length, phase }),
      });
      reservation.add(segment, group);
      segments.push(segment);
      await prepareFloor(segment, settings, signal);
      if (remembered === undefined) await runTask(written.addSegment(segment.attributes), signal);
      done += group.length;
    }
    reservation.grow(data.written.growthBy(written));
    return { change: { added: segments, deletions }, written, numberTexts, result: { added, replaced } };
  }

  /** Publishes a change of `data`, and makes `data` the current data. */
  private async publish(
    data: IndexData,
    { change, written, scope }: Published,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const after = await runTask(data.snapshot.after(change), signal);
    throwIfAborted(signal);
    this.scheduler.check();
    const { durability } = this.context;
    // From here on, the signal has no effect: what is durable is done.
    if (durability !== undefined) {
      const isFresh = data !== this.data;
      const own = isFresh ? freshChange(data, after, scope) : { data, snapshot: after, isFresh, deletedIds: [], scope };
      const remembered = new AttributeHistory();
      if (isFresh) remembered.add(data.written);
      if (written !== undefined) remembered.add(written);
      const deletedIds = [...own.deletedIds, ...deletedIdsOf(data.snapshot, change)];
      await durability.commit({ ...own, written: remembered, deletedIds });
      this.hasUncommittedMerge = false;
    }
    // No step below waits or fails.
    data.publish(after, change, written);
    this.replace(data);
  }

  /** Makes data that holds everything already the current data. */
  private async publishWhole(data: IndexData, scope: ChangeScope): Promise<void> {
    this.scheduler.check();
    await this.context.durability?.commit(freshChange(data, data.snapshot, scope));
    this.replace(data);
  }

  /** Makes `fresh` the current data. */
  replace(fresh: IndexData): void {
    this.scheduler.check();
    const old = this.data;
    this.data = fresh;
    if (old !== fresh) {
      fresh.inheritUsed(old);
      this.hasUncommittedMerge = false;
      this.isFulfilled = false;
      this.context.wasReplaced?.();
      old.graph.end();
    }
    this.context.memory.changed(this);
  }

  /** After each write: merges segments, and makes that durable unless the next write will. */
  private async tidy(): Promise<void> {
    if (this.scheduler.stop.aborted) return;
    this.tidyings++;
    await this.merge();
    this.tidyings++;
    if (this.data.usedAttributes().length > 0) this.prepareColumns();
    void this.mergeRestLater();
    if (!this.hasUncommittedMerge || !this.scheduler.isIdle) return;
    try {
      await this.context.durability!.note(noChange(this.data));
      this.hasUncommittedMerge = false;
    } catch (cause) {
      this.warnOfMerge(cause);
    }
  }

  /** Merges small segments and segments with many deleted records. Changes no answer. */
  private async merge(): Promise<void> {
    const { data } = this;
    const { durability } = this.context;
    try {
      for (let chosen = this.choose(chooseMerge, data); chosen.length > 0; chosen = this.choose(chooseMerge, data)) {
        // Few segments open faster the next time, but much work would delay closing.
        const records = chosen.reduce((total, { liveCount }) => total + liveCount, 0);
        if (this.scheduler.isClosing && records > MERGED_AT_CLOSE) break;
        const merged = await this.merged(data, chosen, this.scheduler.stop);
        if (durability?.isLarge(merged.segment) !== true) this.publishMerge(data, merged);
        else this.scheduler.runAside(async () => void (await this.finishMerge(data, merged)));
      }
    } catch (cause) {
      this.warnOfMerge(cause);
    }
  }

  /** Builds the columns of used attributes in the segments that lack them, behind the calls, once for each snapshot. */
  prepareColumns(): void {
    const { data, scheduler } = this;
    const { memory } = this.context;
    const { snapshot } = data;
    if (this.preparedOf === "pending" || this.preparedOf === snapshot || scheduler.isClosing || scheduler.stop.aborted)
      return;
    if (memory.columnsToKeep() === 0) return;
    this.preparedOf = "pending";
    this.resting ??= new AbortController();
    const { signal } = this.resting;
    const references = new ColumnReferences();
    const work = function* (): Task<void> {
      yield;
      yield* ensureColumns(snapshot, data.usedAttributes(), references);
    };
    scheduler.runAside(async () => {
      // Where a column cannot be built, the query that needs it tells why.
      await runInBackground(work(), signal).catch(() => {});
      references.release(memory.columnsToKeep());
      memory.changed(this);
      this.preparedOf = snapshot;
      this.prepareColumns();
    });
  }

  private choose(from: typeof chooseMerge, { snapshot }: IndexData): readonly LiveSegment[] {
    return from({ segments: snapshot.segments.filter(({ segment }) => !this.merging.has(segment)) });
  }

  private async merged(data: IndexData, chosen: readonly LiveSegment[], stop: AbortSignal): Promise<MergedSegment> {
    const started = performance.now();
    // Writes wait for merges that take a turn, if there are any.
    const isAwaited = (): boolean => stop === this.scheduler.stop && !this.scheduler.isIdle;
    const run = <T>(task: Task<T>): Promise<T> => runInBackground(task, stop, isAwaited);
    const merged = await run(mergeSegments(chosen));
    await run(inheritColumns(merged, data.settings.effective));
    await prepareFloor(merged.segment, data.settings, stop, run);
    this.tellMerge(started, merged.segment);
    return merged;
  }

  /** Merges what is left when nothing was written or merged for a while. */
  private async mergeRestLater(): Promise<void> {
    if (this.isWaiting) return;
    this.isWaiting = true;
    const { scheduler } = this;
    this.resting ??= new AbortController();
    const isQuiet = (seen: number): boolean =>
      seen === this.tidyings && seen % 2 === 0 && scheduler.isIdle && this.replacement === undefined;
    for (let seen = 1; !isQuiet(seen) && !scheduler.isClosing; ) {
      seen = this.tidyings;
      await pauseFor(REST_MS, [this.resting.signal], true);
    }
    this.isWaiting = false;
    await this.mergeRest();
  }

  /** Merges what is left, beside the writes, which do not wait for it. Resolves when nothing is written or merged. */
  async mergeRest(): Promise<void> {
    await this.scheduler.idle();
    for (let isDone = true; isDone; ) {
      const { data } = this;
      this.resting ??= new AbortController();
      const { signal } = this.resting;
      const chosen = this.scheduler.isClosing ? [] : this.choose(chooseRest, data);
      if (chosen.length === 0) break;
      // What failed once is tried again after the next write.
      isDone = false;
      this.scheduler.runAside(async () => {
        try {
          for (const { segment } of chosen) this.merging.add(segment);
          isDone = (await this.finishMerge(data, await this.merged(data, chosen, signal))) || this.data !== data;
        } catch (cause) {
          for (const { segment } of chosen) this.merging.delete(segment);
          if (!signal.aborted) this.warnOfMerge(cause);
        }
      });
      await this.scheduler.idle();
    }
  }

  /** Takes no more writes, and ends the merging of what is left. */
  refuse(reason: SearchError): void {
    this.scheduler.refuse(reason);
    this.resting?.abort(reason);
  }

  private publishMerge(data: IndexData, merged: MergedSegment): void {
    data.publishMerge(merged);
    this.hasUncommittedMerge = this.context.durability !== undefined;
    this.context.memory.changed(this);
  }

  /** Tells that segments were merged; the file of the new one is told as a flush. */
  private tellMerge(started: number, segment: Segment): void {
    const indexName = this.context.name ?? "";
    const milliseconds = performance.now() - started;
    tellMerge(() => ({ indexName, milliseconds, ...sizeOf(segment) }));
  }

  /**
   * Publishes a merged segment when it is in its file, if it gets one; false: that failed, or is not needed any more. Meanwhile writes go
   * on, but none of its sources is merged again.
   */
  private async finishMerge(data: IndexData, merged: MergedSegment): Promise<boolean> {
    const { durability } = this.context;
    const isLarge = durability?.isLarge(merged.segment) === true;
    const sources = merged.sources.map(({ segment }) => segment);
    for (const source of sources) this.merging.add(source);
    let isPublished = false;
    try {
      if (isLarge) await durability!.prepare(merged.segment);
      await this.scheduler.betweenTurns(() => {
        isPublished = this.data === data && !this.scheduler.stop.aborted;
        if (isPublished) this.publishMerge(data, merged);
      });
      if (isLarge && !isPublished) await durability!.discard(merged.segment);
    } catch (cause) {
      this.warnOfMerge(cause);
    } finally {
      for (const source of sources) this.merging.delete(source);
    }
    if (isPublished) this.scheduler.tidy();
    return isPublished;
  }

  private warnOfMerge(cause: unknown): void {
    const indexName = this.context.name ?? "";
    tellMerge(() => ({ indexName, milliseconds: 0, records: 0, bytes: 0, error: errorName(cause) }));
    const { durability, warn } = this.context;
    if (durability === undefined || this.scheduler.stop.aborted) return;
    const message = "Segments could not be merged (see cause); no answer changes, and the next write tries it again.";
    warn(storageWarning(message, cause));
  }

  /** Deletes the records with these ids. */
  async deleteRecords(ids: unknown, { signal }: CheckedOptions): Promise<{ deleted: number }> {
    const reading = startTask(readIds(ids, this.context.limits), signal);
    return this.scheduler.write(reading, signal, async (wanted, stop) => {
      const sorted = await runTask(sortDistinct(wanted), stop);
      const find = ({ snapshot }: IndexData): Task<Deletions> =>
        findLiveDocs(snapshot, sorted.length, (i) => sorted[i]!);
      return this.deleteFound(find, sorted, stop);
    });
  }

  /** Deletes the records that pass a filter. */
  async deleteBy(params: unknown, { signal }: CheckedOptions): Promise<{ deleted: number }> {
    const filter = readDeletion(params, this.context.limits);
    const { memory } = this.context;
    const changed = (): void => memory.changed(this);
    const find = function* (data: IndexData, warn: Warn): Task<Deletions> {
      const references = new ColumnReferences();
      try {
        return yield* docsToDelete(filter, data.version(), references, warn);
      } finally {
        references.release(memory.columnsToKeep());
        changed();
      }
    };
    return this.scheduler.write(undefined, signal, (_, stop) => this.deleteFound(find, undefined, stop));
  }

  /** `ids`: of all that may be found; undefined: a record that another engine writes meanwhile is looked at again. */
  private async deleteFound(
    find: FindDeleted,
    ids: readonly string[] | undefined,
    stop: AbortSignal,
  ): Promise<{ deleted: number }> {
    const trying = this.shared && new Trying(this.shared);
    for (let deleted = 0; ; ) {
      await this.shared?.catchUp(ids);
      const deletions = await runTask(find(this.data, this.context.warn), deleted === 0 ? stop : undefined);
      const count = countDeletions(deletions);
      this.scheduler.check();
      try {
        const change = { deletions };
        const scope: ChangeScope = { kind: "records", before: this.data.snapshot, change, isConditional: !ids };
        if (count > 0) await this.publish(this.data, { change, scope }, stop);
      } catch (error) {
        if (!(error instanceof WriteConflict)) throw error;
        deleted += count - error.ids.size;
        await trying!.again(error.ids);
        continue;
      }
      this.keep(find, ids?.reduce((bytes, id) => bytes + id.length, 0) ?? 0);
      return { deleted: deleted + count };
    }
  }

  /** Deletes all records. */
  async clear(): Promise<void> {
    return this.scheduler.replace(undefined, undefined, async () => {
      await this.shared?.catchUp();
      await this.publishWhole(this.emptyData(this.data), { kind: "all", since: this.shared?.mark() });
    });
  }

  /** Changes some settings. The records are indexed again only if the change requires it. */
  async updateSettings(reading: IndexSettings | Promise<IndexSettings>, options: CheckedOptions): Promise<void> {
    await this.scheduler.replace(reading, options.signal, async (changes, signal) => {
      await this.context.whenLoaded?.();
      const trying = this.shared && new Trying(this.shared);
      for (;;) {
        await this.shared?.catchUp();
        const data = await this.dataUnder(changes, this.data);
        try {
          return await this.changeTo(data, { ...options, signal }, false);
        } catch (error) {
          if (!(error instanceof WriteConflict)) throw error;
          await trying!.again(error.ids);
        }
      }
    });
  }

  /** Makes data under other settings, without records, the current data, with the records of before. */
  private async changeTo(data: IndexData, options: CheckedOptions, isForeign: boolean): Promise<void> {
    const old = this.data;
    if (indexesAlike(old.settings, data.settings)) {
      // A program may give the same settings at each start, and the graph need not be built anew for that.
      if (
        (await runTask(givenAlike(old.given, data.given))) &&
        (await runTask(differingSettings(old.settings.shown, data.settings.shown))).length === 0
      )
        return;
      data.shareRecords(old);
      return this.publishWhole(data, isForeign ? { kind: "own" } : { kind: "settings" });
    }
    data.inheritDeletedIds(old);
    const { entries, ...destination } = await this.entriesUnder(data, old, options.signal!);
    const own: ChangeScope = keepsVectors(old.settings, data.settings)
      ? { kind: "settings" }
      : { kind: "all", build: this.builder(data, options) };
    // What another engine changed alone leaves the vectors as they are.
    const others: Partial<Destination> = isForeign
      ? { vectorsFrom: old.snapshot, scope: { kind: "own" } }
      : { scope: own };
    await this.put(entries, options, { ...destination, ...others });
  }

  /** What makes segments of records under the settings of `data`, which nobody sees. */
  private builder(
    data: IndexData,
    { signal, job }: CheckedOptions,
  ): (json: readonly string[]) => Promise<readonly Segment[]> {
    return async (json) => {
      const context = { settings: data.settings.effective, limits: GREATEST_LIMITS };
      const entries = await runTask(sortEntries(json.map((text) => readEntry(JSON.parse(text), context))), signal);
      const reservation = new MemoryReservation(this.context.memory, this);
      const own = { signal, onProgress: undefined, job: job ?? new EmbeddingJob() };
      try {
        const { change } = await this.prepare(entries, own, { data, reservation, remembered: data.written });
        return change.added ?? [];
      } finally {
        reservation.end();
      }
    };
  }

  private get shared(): SharedIndex | undefined {
    return this.context.durability?.shared;
  }

  /** Applies what another engine wrote to the records. To be called in a turn. */
  async applyRecords({ entries, vectors, deletedIds }: ForeignRecords): Promise<void> {
    const { data } = this;
    const signal = this.scheduler.stop;
    const scope = { kind: "own" } as const;
    const deletions = await runTask(
      findLiveDocs(data.snapshot, deletedIds.length, (i) => deletedIds[i]!),
      signal,
    );
    if (countDeletions(deletions) > 0) await this.publish(data, { change: { deletions }, scope }, signal);
    await this.put(entries, { ...readOptions("call", {}), signal }, { data, embedded: vectors, scope });
  }

  /** Applies what another engine changed of the settings; the vectors stay. To be called in a turn. */
  async applySettings(pair: SettingsPair): Promise<void> {
    const options = { ...readOptions("call", {}), signal: this.scheduler.stop };
    await this.changeTo(this.emptyData(pair), options, true);
  }

  /** Takes over the settings and records of another index, to which another engine gave the name. To be called in a turn. */
  async applyWhole(other: IndexWriter): Promise<void> {
    await this.publishWhole(this.copyOf(other), { kind: "own" });
  }

  /**
   * The index as it is, and as it would be after a change of settings, while `work` runs. It takes no turn, nothing is published, and
   * what is indexed again is in memory alone. Settings are checked first; `after` indexes the records again if the change requires it.
   */
  async preview<T>(
    changes: IndexSettings,
    signal: AbortSignal,
    work: (before: IndexVersion, after: () => Promise<IndexVersion>) => Promise<T>,
  ): Promise<T> {
    const old = this.data;
    const before = old.version();
    const data = await this.dataUnder(changes, old);
    const reservation = new MemoryReservation(this.context.memory, this);
    const job = new EmbeddingJob();
    try {
      return await work(before, async () => {
        if (indexesAlike(old.settings, data.settings)) return unpublished(data, before);
        const { settings, written: remembered } = old;
        const then = { snapshot: before.snapshot, settings, written: remembered };
        const { entries, ...destination } = await this.entriesUnder(data, then, signal);
        const options = { signal, onProgress: undefined, job };
        const { change, written } = await this.prepare(entries, options, { ...destination, reservation });
        const snapshot = await runTask(data.snapshot.after(change), signal);
        const attributes = new KnownAttributes(
          written,
          (change.added ?? []).map((segment) => segment.attributes),
        );
        return { ...data.version(), snapshot, attributes };
      });
    } finally {
      job.end();
      reservation.end();
    }
  }

  /** Data without records, under the settings of other data and some changes, which are checked. */
  private async dataUnder(changes: IndexSettings, old: IndexData): Promise<IndexData> {
    const given = changedSettings(old.given, changes);
    const settings = await runTask(checkSettings(given, this.context));
    const { advice } = settings;
    const isKnown = advice?.message === old.settings.advice?.message || old.settings.tableProblem !== undefined;
    if (advice !== undefined && !isKnown) this.context.warn(advice);
    return this.emptyData({ settings, given: knownSettings(given) });
  }

  /** The records of other data, to be indexed again under the settings of `data`. */
  private async entriesUnder(
    data: IndexData,
    old: Pick<IndexData, "snapshot" | "settings" | "written">,
    signal: AbortSignal,
  ): Promise<Destination & { readonly entries: readonly WrittenEntry[] }> {
    const context = { settings: data.settings.effective, limits: this.context.limits };
    const entries = await runTask(storedEntries(old.snapshot, context), signal);
    const vectorsFrom = embedsAlike(old.settings, data.settings) ? old.snapshot : undefined;
    // Names stay known under new settings, also if no record has them any more.
    return { entries, data, vectorsFrom, remembered: old.written };
  }

  /** The settings and records of another index as data of this one. Segments are immutable, so they are shared. */
  copyOf(other: IndexWriter): IndexData {
    const fresh = this.emptyData(other.data);
    fresh.shareRecords(other.data);
    return fresh;
  }

  /** Data without records, under the settings of `like`. */
  emptyData({ settings, given }: SettingsPair): IndexData {
    const { scheduler } = this;
    const { warn, memory, durability } = this.context;
    const fits = (bytes: number): boolean => memory.fits(bytes);
    const changed = (): void => memory.graphChanged(this);
    const graphs = durability?.graphs;
    // The graph of data that is not published yet is not stored: no opening would use it.
    const graphStorage = graphs && {
      leastNodes: graphs.leastNodes,
      store: async (content: GraphContent, isOver: () => boolean): Promise<boolean> =>
        this.data === data && graphs.store(content, isOver),
    };
    const data: IndexData = new IndexData({
      ...{ settings, given, warn, fits, changed, graphStorage },
      get stop() {
        return scheduler.stop;
      },
    });
    return data;
  }

  private readContext(): ReadContext {
    return { settings: this.data.settings.effective, limits: this.context.limits };
  }

  private batchContext({ onInvalid }: CheckedOptions): BatchContext {
    return { ...this.readContext(), skipsInvalid: onInvalid === "skip" };
  }

  private checkRoom(records: number): void {
    const { limits } = this.context;
    if (records > limits.indexRecords) throw indexFull(limits);
  }
}

/** An index would have more records than it may. */
function indexFull({ indexRecords }: Pick<Limits, "indexRecords">): SearchError {
  const msg = `The index would hold more than ${indexRecords} records; delete some or raise limits.indexRecords.`;
  return new SearchError(507, "index_full", msg, { param: "records" });
}

/** The result of a call, with what was left out if the call asks for that. */
function withSkipped(
  result: AddResult,
  skipped: readonly SkippedRecord[],
  { onInvalid }: CheckedOptions,
): AddResult | SkipResult {
  return onInvalid === "skip" ? { ...result, skipped } : result;
}

function sizeOf(segment: Segment): { readonly records: number; readonly bytes: number } {
  return { records: segment.size, bytes: segmentBytes(segment) };
}

/** The change to data that holds everything already. */
export function freshChange(
  data: IndexData,
  snapshot: IndexSnapshot,
  scope: ChangeScope = { kind: "all" },
): PreparedChange {
  return { data, snapshot, isFresh: true, written: data.written, deletedIds: data.deletedIds(), scope };
}

/** Nothing new but the segments that were merged. */
export function noChange(data: IndexData): PreparedChange {
  const scope = { kind: "own" } as const;
  return { data, snapshot: data.snapshot, isFresh: false, written: new AttributeHistory(), deletedIds: [], scope };
}

/** A version with the same records under the settings of other data, whose graph grows only once it is published. */
function unpublished({ settings }: IndexData, version: IndexVersion): IndexVersion {
  const { vectorIndex } = settings.effective;
  const isGraphAlike = stableText(version.settings.effective.vectorIndex) === stableText(vectorIndex);
  const graphFor = isGraphAlike ? version.graphFor : () => undefined;
  // A snapshot of its own: it keeps what it computes, and queries of the index meanwhile keep theirs.
  return { ...version, snapshot: version.snapshot.with({}), settings, graphFor };
}

/** Whether records have the same vectors under both settings, or none. */
function keepsVectors(a: ResolvedSettings, b: ResolvedSettings): boolean {
  return embedsAlike(a, b) || (a.effective.dimensions === 0 && b.effective.dimensions === 0);
}

/** Whether records are read alike under both settings. */
function readsAlike({ effective: a }: ResolvedSettings, { effective: b }: ResolvedSettings): boolean {
  return a.idAttribute === b.idAttribute && a.vectorAttribute === b.vectorAttribute && a.dimensions === b.dimensions;
}

/** Other engines changed the same records, or the settings, again and again. */
function versionConflict(ids: readonly string[]): SearchError {
  const what = ids.length === 0 ? "the settings" : `the record ${show(ids[0])}`;
  const rest = ids.length === 0 ? "" : " with the records of details.recordIds, since all others were written";
  const msg = `Other processes changed ${what} again and again during the call; call again${rest}.`;
  return new SearchError(409, "version_conflict", msg, { param: "records", details: { recordIds: ids } });
}

/** A batch was read under settings that are no longer the current ones. */
function settingsChanged(): SearchError {
  const msg = "The settings changed while the call waited for its turn, and nothing was written; call again.";
  return new SearchError(409, "settings_changed", msg, { param: "records" });
}
