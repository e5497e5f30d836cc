// The way of a write, from the call to its publication; the only place where the records of an index change. Writes take turns.
//
//   read      read-batch       checks the caller's records and writes each down as JSON
//   group     write-scheduler  gives several calls that wait one turn
//   build     build-segment    finds the terms of their fields, and embeds their texts; writes posting lists, vector rows, stored records
//                              and columns, which nobody sees yet
//   commit    durability       makes the change durable, where the index has a data folder
//   publish   index-data       swaps one reference: a new snapshot with the new segments and the deleted records
//   merge     merge-segments   merges small segments in the background, which changes no answer
//
// All steps before the publication may wait or fail, and change nothing. The publication is synchronous and cannot fail. A `replacement` of
// all records is built beside the turns.

import { AttributeHistory, type NumberTexts } from "../docvalues/attribute-catalog.js";
import { EmbeddingJob } from "../embedding/remembered-vectors.js";
import { type CheckedOptions, readOptions } from "../input/call-options.js";
import type { SettingsPair } from "../input/extension-ids.js";
import { changedSettings, checkSettings, knownSettings } from "../input/read-settings.js";
import { readIds } from "../input/record-ids.js";
import { differingSettings, embedsAlike, givenAlike, indexesAlike, stableText } from "../settings/fingerprint.js";
import type { ResolvedSettings } from "../settings/resolved-settings.js";
import type { IndexSettings } from "../settings/settings.js";
import { RecordWarnings } from "../state/check-attributes.js";
import { ColumnReferences, ensureColumns } from "../state/column-store.js";
import {
  type ChangeScope,
  type ForeignRecords,
  freshChange,
  type IndexWriterContext,
  retryOnConflict,
  type SharedIndex,
  WriteConflict,
} from "../state/durability.js";
import { deletedIdsOf, IndexData, type IndexVersion } from "../state/index-data.js";
import { countDeletions, findLiveDocs, type IndexSnapshot, type SnapshotChange } from "../state/index-snapshot.js";
import type { GraphContent } from "../state/keep-graph.js";
import { MemoryReservation } from "../state/memory-budget.js";
import type { WrittenEntry } from "../state/record-table.js";
import type { Segment } from "../state/segment.js";
import { SearchError } from "../util/errors.js";
import { GREATEST_LIMITS } from "../util/limits.js";
import { sortDistinct } from "../util/sorted.js";
import { runInBackground, runTask, startTask, type Task, throwIfAborted } from "../util/tasks.js";
import { type BatchDestination, buildBatch } from "./build-segment.js";
import { docsToDelete, readDeletion } from "./delete-by.js";
import { MergeScheduler } from "./merge-segments.js";
import {
  type AddResult,
  type Batch,
  type BatchContext,
  mergeBatches,
  type ReadContext,
  type ReadRecords,
  readBatch,
  readEntry,
  readPatches,
  type SkippedRecord,
  sortEntries,
  sortSkipped,
  storedEntries,
  withSkipped,
} from "./read-batch.js";
import { type FindDeleted, Replacement } from "./replacement.js";
import { WriteGroups, WriteScheduler } from "./write-scheduler.js";

/** Where a batch is published. If that is not the current data, publishing makes it current. */
interface Destination extends Omit<BatchDestination, "reservation"> {
  readonly isConditional?: boolean;
  /** What is published, if not the records of the batch. */
  readonly scope?: ChangeScope;
}

/** The current data of an index, and the operations that change it. */
export class IndexWriter {
  data: IndexData;
  readonly scheduler: WriteScheduler;
  readonly merges: MergeScheduler;
  /** Of all records; undefined: none is under way. */
  replacement: Replacement | undefined;
  private readonly groups: WriteGroups;
  private readonly context: IndexWriterContext;
  private readonly warnings = new RecordWarnings();
  /** The snapshot whose columns were prepared last, or are being prepared. */
  private preparedOf: IndexSnapshot | "pending" | undefined;

  constructor(context: IndexWriterContext) {
    this.context = context;
    this.scheduler = new WriteScheduler(() => this.tidy(), {
      write: () => (this.replacement === undefined ? context.whenLoaded?.() : this.replacement.readyBeside()),
      others: () => this.replacement?.ended(),
    });
    this.merges = new MergeScheduler(this, context);
    this.groups = new WriteGroups(
      this.scheduler,
      (batches, stop) => this.putGroup(batches, stop),
      // Where other engines write too, nobody knows after a failure which records were written, and a second time is not the first.
      (error) => this.shared === undefined || (error instanceof SearchError && error.code < 500),
    );
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
      return new Replacement(this, this.context, reading, options);
    });
    try {
      return await done;
    } catch (error) {
      this.scheduler.check();
      throw error;
    }
  }

  /** Resolves when all writes that were called before are done. */
  async whenWritten(): Promise<void> {
    await this.scheduler.betweenTurns(() => {});
    await this.replacement?.done.catch(() => {});
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

  /**
   * Puts batches together, which share a commit. Where other engines write too, patches are merged into the records as they are there now:
   * what one of them was faster to write is read and changed again. If another index has the name meanwhile, that one takes the records.
   */
  private async putGroup(batches: readonly Batch[], given: AbortSignal): Promise<readonly AddResult[]> {
    const { shared } = this;
    const isConditional = shared !== undefined && batches.some(({ isPatch }) => isPatch);
    const sums = batches.map(() => ({ added: 0, replaced: 0, skipped: [] as SkippedRecord[] }));
    let signal: AbortSignal | undefined = given;
    let isAgain = false;
    let rest = batches;
    await retryOnConflict(shared, async () => {
      if (isConditional || isAgain || shared?.countElsewhere() !== undefined)
        await shared!.catchUp(
          rest.flatMap(({ entries }) => entries.map(({ id }) => id)),
          isConditional,
        );
      if (rest.some(({ settings }) => this.readsOtherwise(settings))) throw settingsChanged();
      isAgain = true;
      const { data } = this;
      const { snapshot } = data;
      const groups = await runTask(mergeBatches(rest, snapshot, this.readContext()), signal);
      const [{ options, entries }] = groups as [Batch];
      const isAlone = groups.length === 1;
      const all = isAlone ? entries : await runTask(sortEntries(groups.flatMap((group) => group.entries)), signal);
      const put = await this.put(all, { ...options, signal }, { data, isConditional }).catch((error: unknown) => {
        if (error instanceof WriteConflict) return error;
        throw error;
      });
      const conflicts = put instanceof WriteConflict ? put.ids : undefined;
      for (const [i, group] of groups.entries()) {
        const written = conflicts === undefined ? group.entries : group.entries.filter(({ id }) => !conflicts.has(id));
        const { added, replaced } =
          isAlone && !(put instanceof WriteConflict) ? put : await runTask(countReplaced(written, snapshot));
        const sum = sums[i]!;
        sum.added += added;
        sum.replaced += replaced;
        sum.skipped.push(...group.skipped.filter(({ id }) => id === undefined || conflicts?.has(id) !== true));
        // What is written is not taken back.
        if (written.length > 0) signal = undefined;
      }
      this.replacement?.keepBatches(rest, groups);
      if (conflicts === undefined) return;
      const isLost = ({ id }: WrittenEntry): boolean => conflicts.has(id);
      rest = rest.map((batch) => ({ ...batch, entries: batch.entries.filter(isLost), skipped: [] }));
      throw put;
    });
    const results: AddResult[] = [];
    for (const [i, { skipped, ...sum }] of sums.entries())
      results.push(withSkipped(sum, await runTask(sortSkipped(skipped)), batches[i]!.options));
    return results;
  }

  /** Whether records that were read under some settings are to be read anew. */
  private readsOtherwise(settings: ResolvedSettings): boolean {
    const { settings: now } = this.data;
    return this.shared === undefined ? settings !== now : !readsAlike(settings, now);
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
    const job = options.job ?? (data.settings.embedder && new EmbeddingJob());
    try {
      const batch = await buildBatch(entries, { ...destination, reservation }, { ...options, job }, this.context);
      const { change, written, numberTexts, result } = batch;
      const { isConditional = false } = destination;
      const { scope = { kind: "records", before: data.snapshot, change, isConditional } as const } = destination;
      await this.publish(data, { change, written, scope }, options.signal);
      if (options.job === undefined) job?.end();
      // What another engine wrote was warned of there.
      if (entries.length > 0 && scope.kind !== "own") await this.warnOfRecords(data, numberTexts);
      return result;
    } finally {
      reservation.end();
    }
  }

  async warnOfRecords(data: IndexData, numberTexts: NumberTexts): Promise<void> {
    await runTask(this.warnings.warnOf(data, numberTexts, this.context.warn));
  }

  /** Publishes a change of `data`, and makes `data` the current data. */
  private async publish(
    data: IndexData,
    {
      change,
      written,
      scope,
    }: { readonly change: SnapshotChange; readonly written?: AttributeHistory; readonly scope: ChangeScope },
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const after = await runTask(data.snapshot.after(change), signal);
    throwIfAborted(signal);
    this.scheduler.check();
    const { durability } = this.context;
    // From here on, the signal has no effect: what is durable is done.
    if (durability !== undefined) {
      const isFresh = data !== this.data;
      const remembered = new AttributeHistory();
      if (isFresh) remembered.add(data.written);
      if (written !== undefined) remembered.add(written);
      const deletedIds = [...(isFresh ? data.deletedIds() : []), ...deletedIdsOf(data.snapshot, change)];
      await durability.commit({ data, snapshot: after, isFresh, written: remembered, deletedIds, scope });
      this.merges.wereCommitted();
    }
    // No step below waits or fails.
    data.publish(after, change, written);
    this.replace(data);
  }

  /** Makes data that holds everything already the current data. */
  async publishWhole(data: IndexData, scope: ChangeScope): Promise<void> {
    this.scheduler.check();
    await this.context.durability?.commit(freshChange(data, scope));
    this.replace(data);
  }

  /** Makes `fresh` the current data. */
  replace(fresh: IndexData): void {
    this.scheduler.check();
    const old = this.data;
    this.data = fresh;
    if (old !== fresh) {
      fresh.inheritUsed(old);
      this.merges.wereCommitted();
      this.context.wasReplaced?.();
      old.graph.end();
    }
    this.context.memory.changed(this);
  }

  /** After each write. */
  private async tidy(): Promise<void> {
    if (this.scheduler.stop.aborted) return;
    await this.merges.behindWrite();
    if (this.data.usedAttributes().length > 0) this.prepareColumns();
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
    const references = new ColumnReferences();
    const work = function* (): Task<void> {
      yield;
      yield* ensureColumns(snapshot, data.usedAttributes(), references);
    };
    scheduler.runAside(async () => {
      // Where a column cannot be built, the query that needs it tells why.
      await runInBackground(work(), scheduler.closed).catch(() => {});
      references.release(memory.columnsToKeep());
      memory.changed(this);
      this.preparedOf = snapshot;
      this.prepareColumns();
    });
  }

  /** Deletes the records with these ids. */
  async deleteRecords(ids: unknown, { signal }: CheckedOptions): Promise<{ deleted: number }> {
    const reading = startTask(readIds(ids, this.context.limits), signal);
    return this.scheduler.write(reading, signal, async (wanted, stop) => {
      const sorted = await runTask(sortDistinct(wanted), stop);
      const find: FindDeleted = ({ snapshot }) => findLiveDocs(snapshot, sorted.length, (i) => sorted[i]!);
      return this.deleteFound(find, sorted, stop);
    });
  }

  /** Deletes the records that pass a filter. */
  async deleteBy(params: unknown, { signal }: CheckedOptions): Promise<{ deleted: number }> {
    const filter = readDeletion(params, this.context.limits);
    const { memory } = this.context;
    const find: FindDeleted = (data, warn) => docsToDelete(filter, data.version(), memory, warn);
    return this.scheduler.write(undefined, signal, (_, stop) => this.deleteFound(find, undefined, stop));
  }

  /** `ids`: of all that may be found; undefined: a record that another engine writes meanwhile is looked at again. */
  private async deleteFound(
    find: FindDeleted,
    ids: readonly string[] | undefined,
    stop: AbortSignal,
  ): Promise<{ deleted: number }> {
    let deleted = 0;
    await retryOnConflict(this.shared, async () => {
      await this.shared?.catchUp(ids);
      const { data, context } = this;
      const deletions = await runTask(find(data, context.warn), deleted === 0 ? stop : undefined);
      // The search may have built columns.
      context.memory.changed(this);
      const count = countDeletions(deletions);
      this.scheduler.check();
      const change = { deletions };
      const scope = { kind: "records", before: data.snapshot, change, isConditional: ids === undefined } as const;
      deleted += count;
      if (count === 0) return;
      await this.publish(data, { change, scope }, stop).catch((error: unknown) => {
        if (error instanceof WriteConflict) deleted -= error.ids.size;
        throw error;
      });
    });
    this.replacement?.keep(find, ids?.reduce((bytes, id) => bytes + id.length, 0) ?? 0);
    return { deleted };
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
      await retryOnConflict(this.shared, async () => {
        await this.shared?.catchUp();
        const data = await this.dataUnder(changes, this.data);
        await this.changeTo(data, { ...options, signal }, false);
      });
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
        const { change } = await buildBatch(
          entries,
          { data, reservation, remembered: data.written },
          own,
          this.context,
        );
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
        const { change, written } = await buildBatch(entries, { ...destination, reservation }, options, this.context);
        data.publish(await runTask(data.snapshot.after(change), signal), change, written, false);
        return data.version();
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
    const graphs = durability?.graphs;
    // The graph of data that is not published yet is not stored: no opening would use it.
    const graphStorage = graphs && {
      leastNodes: graphs.leastNodes,
      store: async (content: GraphContent, isOver: () => boolean): Promise<boolean> =>
        this.data === data && graphs.store(content, isOver),
    };
    const data: IndexData = new IndexData({
      ...{ settings, given, warn, graphStorage },
      fits: (bytes) => memory.fits(bytes),
      changed: () => memory.graphChanged(this),
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
}

function* countReplaced(entries: readonly WrittenEntry[], snapshot: IndexSnapshot): Task<AddResult> {
  const replaced = countDeletions(yield* findLiveDocs(snapshot, entries.length, (i) => entries[i]!.id));
  return { added: entries.length - replaced, replaced };
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

/** A batch was read under settings that are no longer the current ones. */
function settingsChanged(): SearchError {
  const msg = "The settings changed while the call waited for its turn, and nothing was written; call again.";
  return new SearchError(409, "settings_changed", msg, { param: "records" });
}
