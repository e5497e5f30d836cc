// Keeps the content of one index, and changes it: the only place where records come, go and are replaced. Called by writers
// in their turn.

import { type AddResult, type BatchContext, countRetired, findLiving, prepareBatch } from "./add-records.js";
import type { Filter } from "./attributes/filter.js";
import { throwIfAborted } from "./base/abort.js";
import { SearchError } from "./base/errors.js";
import { byCodeUnit, sortInSteps } from "./base/merge-runs.js";
import { runInSlices } from "./base/slices.js";
import type { CheckedOptions } from "./call-options.js";
import type { CheckedEngineOptions } from "./engine-options.js";
import type { WrittenEntry } from "./records/record-table.js";
import { embedsAlike, indexesAlike } from "./settings/fingerprint.js";
import type { IndexSettings, ResolvedSettings } from "./settings/settings.js";
import { ColumnHold, inheritColumns } from "./state/column-store.js";
import { prepareFloor } from "./state/floor/semantic-floor.js";
import { IndexContent } from "./state/index-content.js";
import { chooseMerge, mergeSegments } from "./state/merge-segments.js";
import { SearchLanguage } from "./state/search-language.js";
import { docsToDelete } from "./writing/delete-by.js";
import type { IndexWriters } from "./writing/index-writers.js";

/** What a keeper needs of its engine, and with what it begins. */
export interface KeeperContext extends Pick<CheckedEngineOptions, "limits" | "warn" | "memory"> {
  readonly settings: ResolvedSettings;
  readonly given: IndexSettings;
}

/** The content in force, and how it changes. */
export class ContentKeeper {
  content: IndexContent;
  /** The settings as the caller gave them. */
  given: IndexSettings;
  private readonly context: KeeperContext;
  private readonly writers: IndexWriters;

  constructor(context: KeeperContext, writers: IndexWriters) {
    this.context = context;
    this.writers = writers;
    this.given = context.given;
    this.content = this.newContent(context.settings);
  }

  /** An empty content under these settings; where `like` has the same ones, what was made of them is used again. */
  newContent(settings: ResolvedSettings, like?: IndexContent): IndexContent {
    const { warn, memory } = this.context;
    const language = like?.settings === settings ? like.language : new SearchLanguage(settings);
    const fits = (bytes: number): boolean => memory.fits(bytes);
    return new IndexContent({ settings, language, warn, stop: this.writers.stop, fits });
  }

  /** Puts a content in place of the present one. */
  replace(fresh: IndexContent): void {
    this.writers.check();
    const old = this.content;
    this.content = fresh;
    old.graph.end();
  }

  /** Takes over what another keeper keeps. */
  takeFrom(other: ContentKeeper): void {
    const fresh = this.newContent(other.content.settings, other.content);
    fresh.shareRecords(other.content);
    this.replace(fresh);
    this.given = other.given;
  }

  /** What was read by settings that are no longer in force cannot be used: 409. */
  checkSame(settings: ResolvedSettings): void {
    if (settings === this.content.settings) return;
    const msg = "The settings changed while the call waited for its turn, and nothing was written; call again.";
    throw new SearchError(409, "settings_changed", msg, { param: "records" });
  }

  /** Adds or replaces records, which are sorted by id. */
  async put(entries: readonly WrittenEntry[], options: CheckedOptions): Promise<AddResult> {
    if (entries.length === 0) return { added: 0, replaced: 0 };
    const { content } = this;
    return this.withClaim(async (claim) => {
      const prepared = await prepareBatch(content.state, entries, this.batch(content, options, claim));
      const after = await runInSlices(content.state.after(prepared.change), options.signal);
      throwIfAborted(options.signal);
      this.writers.check();
      content.publish(after, prepared.change, prepared.attributes);
      return { added: prepared.added, replaced: prepared.replaced };
    });
  }

  /** The same records under other settings, indexed again only where the settings say so. */
  async resettle(
    { settings, given }: Pick<KeeperContext, "settings" | "given">,
    entries: () => Promise<readonly WrittenEntry[]>,
    options: CheckedOptions,
  ): Promise<void> {
    const old = this.content;
    const fresh = this.newContent(settings);
    await this.withClaim(async (claim) => {
      if (indexesAlike(old.settings, settings)) fresh.shareRecords(old);
      else {
        const vectorsFrom = embedsAlike(old.settings, settings) ? old.state : undefined;
        const batch = { ...this.batch(fresh, options, claim), vectorsFrom };
        const { change } = await prepareBatch(fresh.state, await entries(), batch);
        // Attributes are known since the index was created or cleared, whatever the settings.
        fresh.publish(await runInSlices(fresh.state.after(change), options.signal), change, old.catalog);
        fresh.inheritDeleted(old);
      }
      throwIfAborted(options.signal);
      this.replace(fresh);
      this.given = given;
    });
  }

  /** A content of its own from these records, put in place of the present one; returns how many records it has. */
  async rebuild(entries: readonly WrittenEntry[], options: CheckedOptions): Promise<number> {
    const fresh = this.newContent(this.content.settings, this.content);
    return this.withClaim(async (claim) => {
      const batch = { ...this.batch(fresh, options, claim), vectorsFrom: this.content.state };
      const { change, attributes, added } = await prepareBatch(fresh.state, entries, batch);
      const after = await runInSlices(fresh.state.after(change), options.signal);
      throwIfAborted(options.signal);
      this.writers.check();
      fresh.publish(after, change, attributes);
      this.replace(fresh);
      return added;
    });
  }

  /** Takes records away: by segment uid, their numbers. */
  private async retire(
    retired: ReadonlyMap<number, readonly number[]>,
    stop: AbortSignal,
  ): Promise<{ deleted: number }> {
    const deleted = countRetired(retired);
    this.writers.check();
    if (deleted === 0) return { deleted };
    const after = await runInSlices(this.content.state.after({ retired }), stop);
    throwIfAborted(stop);
    this.writers.check();
    this.content.rememberDeleted(retired);
    this.content.publish(after, { retired });
    return { deleted };
  }

  /** Takes away the records with these ids. */
  async retireIds(ids: readonly string[], stop: AbortSignal): Promise<{ deleted: number }> {
    const sorted = await runInSlices(sortInSteps([...new Set(ids)], byCodeUnit), stop);
    const living = findLiving(this.content.state, sorted.length, (i) => sorted[i]!);
    return this.retire(await runInSlices(living, stop), stop);
  }

  /** Takes away the records that pass a filter. */
  async retireMatching(filter: Filter, stop: AbortSignal): Promise<{ deleted: number }> {
    const hold = new ColumnHold();
    try {
      return await this.retire(await runInSlices(docsToDelete(filter, this.content.version(), hold), stop), stop);
    } finally {
      hold.release(this.context.memory.columnsToKeep());
    }
  }

  /** Merges what became small or worn; changes no answer. */
  async merge(): Promise<void> {
    const { content } = this;
    const { stop } = this.writers;
    for (let chosen = chooseMerge(content.state); chosen.length > 0; chosen = chooseMerge(content.state)) {
      const merged = await runInSlices(mergeSegments(chosen), stop);
      await runInSlices(inheritColumns(merged), stop);
      await runInSlices(prepareFloor(merged.segment, content.settings), stop);
      content.publishMerge(merged);
    }
  }

  /** Room for what is built stays claimed until it is published or given up. */
  private async withClaim<T>(build: (claim: BatchContext["claim"]) => Promise<T>): Promise<T> {
    const { claim, counts, end } = this.context.memory.open();
    try {
      return await build(counts ? claim : undefined);
    } finally {
      end();
    }
  }

  private batch(
    { settings, rules, language }: IndexContent,
    { signal, onProgress }: CheckedOptions,
    claim: BatchContext["claim"],
  ): BatchContext {
    const { limits, warn } = this.context;
    return { settings, rules, language, limits, warn, signal, onProgress, claim };
  }
}
