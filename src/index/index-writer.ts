// Holds the data of one index and changes it: the only place where records are added, replaced and deleted. The write
// scheduler calls it, one write at a time.

import type { Filter } from "../docvalues/filter.js";
import { embedsAlike, indexesAlike } from "../settings/fingerprint.js";
import type { IndexSettings, ResolvedSettings } from "../settings/settings.js";
import { throwIfAborted } from "../util/abort.js";
import { SearchError } from "../util/errors.js";
import { byCodeUnit, sortWithPauses } from "../util/sorted.js";
import { runTask } from "../util/tasks.js";
import { type AddResult, type BatchContext, countDeleted, findLiving, prepareBatch } from "./add-records.js";
import type { CheckedOptions } from "./call-options.js";
import { ColumnLease, inheritColumns } from "./column-store.js";
import { docsToDelete } from "./delete-by.js";
import type { CheckedEngineOptions } from "./engine-options.js";
import { IndexData } from "./index-data.js";
import { chooseMerge, mergeSegments } from "./merge-segments.js";
import type { WrittenEntry } from "./record-table.js";
import { SearchLanguage } from "./search-language.js";
import { prepareFloor } from "./semantic-floor.js";
import type { WriteScheduler } from "./write-scheduler.js";

/** What an index writer needs from its engine, and the initial settings. */
export interface IndexWriterContext extends Pick<CheckedEngineOptions, "limits" | "warn" | "memory"> {
  readonly settings: ResolvedSettings;
  readonly given: IndexSettings;
}

/** The current data of an index, and the operations that change it. */
export class IndexWriter {
  data: IndexData;
  /** The settings as the caller passed them. */
  given: IndexSettings;
  private readonly context: IndexWriterContext;
  private readonly scheduler: WriteScheduler;

  constructor(context: IndexWriterContext, scheduler: WriteScheduler) {
    this.context = context;
    this.scheduler = scheduler;
    this.given = context.given;
    this.data = this.newData(context.settings);
  }

  /** Empty data under these settings. If `like` has the same settings, its language is reused. */
  newData(settings: ResolvedSettings, like?: IndexData): IndexData {
    const { warn, memory } = this.context;
    const language = like?.settings === settings ? like.language : new SearchLanguage(settings);
    const fits = (bytes: number): boolean => memory.fits(bytes);
    return new IndexData({ settings, language, warn, stop: this.scheduler.stop, fits });
  }

  /** Replaces the current data. */
  replace(fresh: IndexData): void {
    this.scheduler.check();
    const old = this.data;
    this.data = fresh;
    old.graph.end();
  }

  /** Copies settings and records from another index; segments are shared. */
  copyFrom(other: IndexWriter): void {
    const fresh = this.newData(other.data.settings, other.data);
    fresh.shareRecords(other.data);
    this.replace(fresh);
    this.given = other.given;
  }

  /** Throws 409 `settings_changed` when these settings are no longer the current ones: what was read with them is unusable. */
  checkSame(settings: ResolvedSettings): void {
    if (settings === this.data.settings) return;
    const msg = "The settings changed while the call waited for its turn, and nothing was written; call again.";
    throw new SearchError(409, "settings_changed", msg, { param: "records" });
  }

  /** Adds or replaces records. `entries` are sorted by id. */
  async put(entries: readonly WrittenEntry[], options: CheckedOptions): Promise<AddResult> {
    if (entries.length === 0) return { added: 0, replaced: 0 };
    const { data } = this;
    return this.withClaim(async (claim) => {
      const prepared = await prepareBatch(data.snapshot, entries, this.batch(data, options, claim));
      const after = await runTask(data.snapshot.after(prepared.change), options.signal);
      throwIfAborted(options.signal);
      this.scheduler.check();
      data.publish(after, prepared.change, prepared.attributes);
      return { added: prepared.added, replaced: prepared.replaced };
    });
  }

  /** Applies other settings to the same records; indexes them again only when the settings require it. */
  async applySettings(
    { settings, given }: Pick<IndexWriterContext, "settings" | "given">,
    entries: () => Promise<readonly WrittenEntry[]>,
    options: CheckedOptions,
  ): Promise<void> {
    const old = this.data;
    const fresh = this.newData(settings);
    await this.withClaim(async (claim) => {
      if (indexesAlike(old.settings, settings)) fresh.shareRecords(old);
      else {
        const vectorsFrom = embedsAlike(old.settings, settings) ? old.snapshot : undefined;
        const batch = { ...this.batch(fresh, options, claim), vectorsFrom };
        const { change } = await prepareBatch(fresh.snapshot, await entries(), batch);
        // The catalog covers all records since the index was created or cleared, under any settings.
        fresh.publish(await runTask(fresh.snapshot.after(change), options.signal), change, old.catalog);
        fresh.inheritDeletedIds(old);
      }
      throwIfAborted(options.signal);
      this.replace(fresh);
      this.given = given;
    });
  }

  /** Indexes these records into new data, which replaces the current data; returns the number of records. */
  async rebuild(entries: readonly WrittenEntry[], options: CheckedOptions): Promise<number> {
    const fresh = this.newData(this.data.settings, this.data);
    return this.withClaim(async (claim) => {
      const batch = { ...this.batch(fresh, options, claim), vectorsFrom: this.data.snapshot };
      const { change, attributes, added } = await prepareBatch(fresh.snapshot, entries, batch);
      const after = await runTask(fresh.snapshot.after(change), options.signal);
      throwIfAborted(options.signal);
      this.scheduler.check();
      fresh.publish(after, change, attributes);
      this.replace(fresh);
      return added;
    });
  }

  /** Deletes records, given as numbers by segment id. */
  private async deleteDocs(
    deletions: ReadonlyMap<number, readonly number[]>,
    stop: AbortSignal,
  ): Promise<{ deleted: number }> {
    const deleted = countDeleted(deletions);
    this.scheduler.check();
    if (deleted === 0) return { deleted };
    const after = await runTask(this.data.snapshot.after({ deletions }), stop);
    throwIfAborted(stop);
    this.scheduler.check();
    this.data.rememberDeletedIds(deletions);
    this.data.publish(after, { deletions });
    return { deleted };
  }

  /** Deletes the records with these ids. */
  async deleteIds(ids: readonly string[], stop: AbortSignal): Promise<{ deleted: number }> {
    const sorted = await runTask(sortWithPauses([...new Set(ids)], byCodeUnit), stop);
    const living = findLiving(this.data.snapshot, sorted.length, (i) => sorted[i]!);
    return this.deleteDocs(await runTask(living, stop), stop);
  }

  /** Deletes the records that pass a filter. */
  async deleteMatching(filter: Filter, stop: AbortSignal): Promise<{ deleted: number }> {
    const lease = new ColumnLease();
    try {
      return await this.deleteDocs(await runTask(docsToDelete(filter, this.data.version(), lease), stop), stop);
    } finally {
      lease.release(this.context.memory.columnsToKeep());
    }
  }

  /** Merges small segments and segments with many deleted records; changes no answer. */
  async merge(): Promise<void> {
    const { data } = this;
    const { stop } = this.scheduler;
    for (let chosen = chooseMerge(data.snapshot); chosen.length > 0; chosen = chooseMerge(data.snapshot)) {
      const merged = await runTask(mergeSegments(chosen), stop);
      await runTask(inheritColumns(merged), stop);
      await runTask(prepareFloor(merged.segment, data.settings), stop);
      data.publishMerge(merged);
    }
  }

  /** Claims memory for what `build` makes, until it is published or abandoned. */
  private async withClaim<T>(build: (claim: BatchContext["claim"]) => Promise<T>): Promise<T> {
    const { claim, counts, end } = this.context.memory.open();
    try {
      return await build(counts ? claim : undefined);
    } finally {
      end();
    }
  }

  private batch(
    { settings, rules, language }: IndexData,
    { signal, onProgress }: CheckedOptions,
    claim: BatchContext["claim"],
  ): BatchContext {
    const { limits, warn } = this.context;
    return { settings, rules, language, limits, warn, signal, onProgress, claim };
  }
}
