// The state behind all handles of one index: its writer, with the current data and the queue of writes, and whether it exists.

import { AttributeHistory } from "../docvalues/attribute-catalog.js";
import { type CallOptions, type CheckedOptions, readOptions } from "../input/call-options.js";
import { type SettingsPair, settingsText, withFunctions } from "../input/extension-ids.js";
import { isTableName } from "../input/extensions.js";
import { type ParamsContext, readParams } from "../input/read-params.js";
import { readWordTable } from "../query/read/embed-query.js";
import type { SearchAnswer } from "../query/response.js";
import { type QueryContext, runQuery } from "../query/run-query.js";
import { warmUpOnce } from "../query/warm-up.js";
import type { ResolvedSettings } from "../settings/resolved-settings.js";
import type { IndexSettings } from "../settings/settings.js";
import { keepColumnsInMemory } from "../state/column-store.js";
import {
  type Durability,
  freshChange,
  type IndexWriterContext,
  noChange,
  type PreparedChange,
} from "../state/durability.js";
import { PhaseClock } from "../state/engine-activity.js";
import { type IndexData, type IndexVersion, snapshotOf } from "../state/index-data.js";
import type { IndexSnapshot } from "../state/index-snapshot.js";
import { estimateMemory, type MemoryEstimate } from "../state/memory-budget.js";
import { keepInMemory } from "../state/segment.js";
import { outOfVocabularyFloor, semanticFloor } from "../state/semantic-floor.js";
import type { SnapshotFileContent } from "../storage/snapshot-file.js";
import type { IndexChange, IndexRemoval, SharedStore, StoredIndex } from "../storage/store.js";
import type { OpenStore, WrittenFolder } from "../storage/written-folder.js";
import type { SearchError } from "../util/errors.js";
import { isLocal, type Warn } from "../util/extension-points.js";
import type { JsonRecord } from "../util/json.js";
import { runInBackground, runTask, startTask, type Task } from "../util/tasks.js";
import { inTurnOfBoth } from "../write/write-scheduler.js";
import { IndexWriter } from "../write/writer.js";
import { notFound } from "./name-rules.js";

/** What an engine passes to each of its indexes. */
export interface IndexContext extends IndexWriterContext {
  readonly name: string;
  /** The data folder; undefined: there is none. */
  readonly store?: OpenStore | undefined;
  /** What keeps the index for several engines; undefined: this one alone has it. */
  readonly shared?: SharedStore | undefined;
}

/** What a data folder or a snapshot has of an index. */
export type StoredContent = Pick<StoredIndex, "recordCount" | "used" | "load"> &
  Partial<Pick<StoredIndex, "settings" | "isFresh">>;

/** Options whose warnings name an index. */
export function aboutIndex<O extends { readonly warn: Warn }>(options: O, indexName: string): O {
  const { warn } = options;
  // The first name counts: it is that of the index which warns.
  return { ...options, warn: (warning, isFromOutside) => warn({ indexName, ...warning }, isFromOutside) };
}

/** Fewer records are no load: more are to come, or there is little to wait for. */
const LEAST_WARMED = 100;

/** One index, shared by its handles; the verbs are those of `SearchIndex`. */
export class LiveIndex {
  readonly name: string;
  readonly context: IndexContext;
  readonly writer: IndexWriter;
  /** The copies and moves into this index that are under way. */
  incomingCopies = 0;
  /** A deletion of this index is under way. */
  isBeingDeleted = false;
  private isUncommitted = false;
  /** Why no more calls are taken, although those that run may end. */
  private closing: SearchError | undefined;
  /** What is still to be read; undefined: nothing. */
  private stored: StoredContent | undefined;
  private loading: Promise<void> | undefined;
  /** Reads that run. */
  private reads = 0;
  private wasRead = (): void => {};
  /** The settings that the data folder has. */
  private storedSettings: ResolvedSettings | undefined;
  /** Those that were found there, as text. */
  private settingsFound: string | undefined;

  constructor(given: IndexContext) {
    const { name } = given;
    const context = aboutIndex(given, name);
    this.name = name;
    this.context = context;
    const durability = this.isKept ? this.durability() : undefined;
    const wasReplaced = (): void => {
      this.stored = undefined;
    };
    this.writer = new IndexWriter({ ...context, durability, whenLoaded: () => this.whenLoaded(), wasReplaced });
    context.memory.add(this.writer);
  }

  /** An index that a data folder or a snapshot has. */
  static restored(context: IndexContext, stored: StoredContent): LiveIndex {
    const index = new LiveIndex(context);
    index.stored = stored;
    index.data.usedBefore = stored.used ?? [];
    index.storedSettings = index.settings;
    if (typeof stored.settings === "string") index.settingsFound = stored.settings;
    // The first query needs it. A failure is told when that is embedded.
    const { patience } = index.context;
    if (patience !== undefined)
      readWordTable(index.settings.wordModel ?? index.settings.dictionary, patience).catch(() => {});
    return index;
  }

  /** Waits until the segments are read, if they are not yet; undefined: they are. Rejects with 500 `storage_corrupt`. */
  whenLoaded(): Promise<void> | undefined {
    if (this.stored === undefined) return undefined;
    this.loading ??= this.load(this.stored).finally(() => {
      this.loading = undefined;
    });
    return this.loading;
  }

  /** Reads everything into memory. */
  async preload(): Promise<void> {
    await this.whenLoaded();
    for (const { segment } of this.data.snapshot.segments) {
      await runTask(keepInMemory(segment));
      await runTask(keepColumnsInMemory(segment));
    }
    this.context.memory.changed(this.writer);
    this.data.graph.begin();
  }

  private async load(stored: StoredContent): Promise<void> {
    const restored = await stored.load();
    // The index may have ended, or been replaced, meanwhile.
    if (this.stored === undefined) return;
    // Or another engine has changed it.
    if (this.stored !== stored) return this.load(this.stored);
    this.data.restore(restored);
    this.stored = undefined;
    this.warmUp();
  }

  /** Compiles the code of queries in the background, the first time in a process. */
  warmUp(): void {
    const { name, limits, memory, warmUp } = this.context;
    if (!warmUp || this.countHere < LEAST_WARMED) return;
    const { scheduler } = this.writer;
    warmUpOnce({
      ...{ name, limits, memory },
      ended: scheduler.stop,
      version: () => this.data.version(),
      ready: async () => this.whenLoaded(),
      isBusy: () => this.reads > 0 || !scheduler.isIdle || this.closing !== undefined,
    });
  }

  /**
   * Prepares what the data folder has of the index now, because another engine changed it. The function that it returns shows that, at
   * once; undefined: the settings of one of the two cannot be read, so the index has to be made anew.
   */
  async prepareChange(
    stored: StoredContent,
    readSettings: (text: string) => Promise<SettingsPair>,
  ): Promise<(() => void) | undefined> {
    const { writer } = this;
    const { settings: text, isFresh = false } = stored;
    if (typeof text !== "string" || this.settingsFound === undefined) return undefined;
    const data = text === this.settingsFound && !isFresh ? undefined : writer.emptyData(await readSettings(text));
    const show = await this.prepareRecords(stored, data);
    return () => {
      if (data !== undefined) writer.replace(data);
      this.settingsFound = text;
      show();
      this.context.memory.changed(writer);
    };
  }

  /** As {@link prepareChange}, of the records. `data`: under other settings, without records. */
  private async prepareRecords(stored: StoredContent, data: IndexData | undefined): Promise<() => void> {
    if (this.stored !== undefined)
      return () => {
        this.stored = stored;
      };
    const restored = await stored.load();
    if (data !== undefined) {
      data.restore(restored);
      return () => {};
    }
    const snapshot = await runTask(snapshotOf(restored));
    return () => this.data.follow(restored, snapshot);
  }

  get data(): IndexData {
    return this.writer.data;
  }

  get settings(): ResolvedSettings {
    return this.data.settings;
  }

  /** The number of live records. */
  get recordCount(): number {
    const elsewhere = this.context.shared?.sharedIndex(this.name).countElsewhere();
    return elsewhere ?? this.countHere;
  }

  private get countHere(): number {
    return this.stored?.recordCount ?? this.data.snapshot.liveCount;
  }

  /** The approximate bytes in memory; nothing is read for it. */
  estimate(): MemoryEstimate {
    return estimateMemory(this.data);
  }

  /** False for the target of a copy or move until the records have arrived. */
  get isThere(): boolean {
    return !this.isUncommitted;
  }

  /**
   * How changes of the index become durable. While the index is uncommitted, nothing of it is made durable; the change that ends
   * this makes all of it durable.
   */
  private durability(): Durability {
    const { shared } = this.context;
    const store = this.writtenFolder;
    return {
      shared: shared?.sharedIndex(this.name),
      commit: async (change) => {
        if (this.isUncommitted) return;
        await this.keep([await this.changeOf(change)]);
        this.storedSettings = change.data.settings;
      },
      note: async (change) => {
        if (!this.isUncommitted) await store?.note(await this.changeOf(change));
      },
      isLarge: (segment) => store?.isLarge(segment) ?? false,
      prepare: async (segment) => {
        await store?.prepare(segment, this.name, runInBackground);
      },
      discard: async (segment) => store?.discard(segment),
      graphs:
        store === undefined
          ? undefined
          : {
              leastNodes: store.graphNodes,
              store: async (content, isOver) => !this.isUncommitted && store.storeGraph(this.name, content, isOver),
            },
    };
  }

  /** The data folder of the index, if this engine writes to it. */
  private get writtenFolder(): WrittenFolder | undefined {
    const { store } = this.context;
    return store?.isReadOnly === false ? store : undefined;
  }

  /** The index outlives the process. */
  get isKept(): boolean {
    return this.context.store !== undefined || this.context.shared !== undefined;
  }

  /** Makes changes durable: where other engines see them, and in the data folder. */
  private async keep(changes: readonly (IndexChange | IndexRemoval)[]): Promise<void> {
    const { shared } = this.context;
    const inFolder = async (): Promise<void> => this.writtenFolder?.commit(changes);
    await (shared === undefined ? inFolder() : shared.commit(changes, inFolder));
  }

  private async changeOf({ data, snapshot, ...change }: PreparedChange): Promise<IndexChange> {
    if (data !== this.data) data.inheritUsed(this.data);
    const isStored = data.settings === this.storedSettings;
    const settings = isStored ? undefined : await runTask(settingsText(data));
    const { segments, caches } = snapshot;
    const { vectorAttribute } = data.settings.effective;
    const used = data.usedAttributes().sort();
    return { ...change, name: this.name, settings, segments, floor: caches.floor, used, vectorAttribute };
  }

  /** What a snapshot file of the index has now. */
  async content(): Promise<SnapshotFileContent> {
    await this.ready();
    const { data } = this;
    const { segments, liveCount } = data.snapshot;
    const written = new AttributeHistory();
    written.add(data.written);
    const settings = await runTask(settingsText(data));
    return { settings, segments, written, deletedIds: data.deletedIds(), recordCount: liveCount };
  }

  /** Makes a new index durable, before all writes. It is uncommitted until then. */
  async commitNew(): Promise<void> {
    this.isUncommitted = true;
    await this.writer.scheduler.inTurn(async () => {
      await this.keep([await this.changeOf(freshChange(this.data))]);
      this.storedSettings = this.settings;
      this.isUncommitted = false;
    });
  }

  /** Deletes the index from what keeps it, after all writes that were called before. */
  async deleteKept(forget: () => void): Promise<void> {
    this.isBeingDeleted = true;
    try {
      await this.writer.scheduler.inTurn(async () => {
        await this.keep([{ name: this.name, isGone: true }]);
        forget();
        this.writer.scheduler.end(notFound(this.name));
      });
    } finally {
      this.isBeingDeleted = false;
    }
  }

  /** Takes no more calls; those that run go on. */
  refuse(reason: SearchError): void {
    this.closing ??= reason;
    this.writer.scheduler.refuse(reason);
  }

  /** Nothing was asked of the index since it was found in a data folder. */
  get isIdle(): boolean {
    return this.stored !== undefined && this.loading === undefined && this.writer.scheduler.turnCount === 0;
  }

  /** Resolves when all writes and merges are done, what was merged is noted, and the graph is stored. */
  async finish(): Promise<void> {
    const { scheduler } = this.writer;
    if (this.context.store?.isReadOnly !== true) scheduler.tidy();
    await scheduler.idle();
    await this.storeLearned();
    await this.data.graph.close();
  }

  /**
   * Stores the learned floors and the names of the attributes that queries used. The floors are learned for that where no query had to,
   * unless that asks an embedder of the caller's.
   */
  private async storeLearned(): Promise<void> {
    const { context, data, settings } = this;
    const { patience: signal } = context;
    const store = this.writtenFolder;
    const { embedder } = settings;
    if (this.stored !== undefined || store === undefined) return;
    try {
      const learning = { signal, warn: () => {} };
      const lacksFloor = embedder !== undefined && store.lacksFloor(this.name);
      if (lacksFloor && isLocal(embedder))
        for (const learn of [semanticFloor, outOfVocabularyFloor]) await learn(data.snapshot, settings, learning);
      const change = await this.changeOf(noChange(data));
      if ((lacksFloor && change.floor !== null) || store.lacksUsed(change)) await store.note(change);
    } catch {
      // Then the next query after opening learns the floors, and builds columns.
    }
  }

  /** Resolves when no read runs. */
  async whenRead(): Promise<void> {
    if (this.reads === 0) return;
    await new Promise<void>((resolve) => {
      this.wasRead = resolve;
    });
  }

  /** Runs a read with its options, checked; closing the engine waits for it. Throws when the index has ended or is uncommitted. */
  async read<T>(options: unknown, work: (checked: CheckedOptions) => Promise<T>): Promise<T> {
    this.check();
    const checked = readOptions("call", options);
    this.reads++;
    try {
      return await work(checked);
    } finally {
      this.reads--;
      this.data.graph.begin();
      this.writer.prepareColumns();
      if (this.reads === 0) this.wasRead();
    }
  }

  /** Items, until the engine is closed: then 503, because nobody knows when the caller asks for the next item. */
  async *untilClosed<T>(items: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    for await (const item of items) {
      if (this.closing !== undefined) throw this.closing;
      yield item;
    }
  }

  /** Throws when the index has ended or is uncommitted. Only reads call it: writes may be queued while the index is uncommitted. */
  check(): void {
    this.checkOpen();
    if (this.isUncommitted) throw notFound(this.name);
  }

  /**
   * Runs a write with its options, checked. Throws when the index has ended, and 409 when it needs a function that the engine was
   * not given, or a missing word table.
   */
  async write<T>(options: unknown, work: (checked: CheckedOptions) => Promise<T>, needsTable = true): Promise<T> {
    this.checkOpen();
    const checked = readOptions("call", options);
    this.checkFunctions();
    if (needsTable && this.settings.readOnly !== undefined) throw this.settings.readOnly;
    const written = await work(checked);
    await this.context.shared?.settle(this.name);
    this.warmUp();
    return written;
  }

  /** Changes some settings, which are read from now on; to be called in `write`. */
  async updateSettings(reading: Task<IndexSettings>, options: CheckedOptions): Promise<void> {
    const changes = startTask(reading, options.signal).then((read) => this.applicable(read));
    return this.writer.updateSettings(changes, options);
  }

  /**
   * Runs queries on the index as it is, and as it would be after a change of settings, of which nothing is published. `work` gets the
   * context of both. Throws as {@link query} and {@link updateSettings} do.
   */
  async preview<T>(
    changes: Promise<IndexSettings>,
    options: CallOptions,
    work: (before: QueryContext, after: () => Promise<QueryContext>) => Promise<T>,
  ): Promise<T> {
    return this.query(options, async (context) => {
      const given = await changes;
      return this.whileThere(context.signal, (signal) =>
        this.writer.preview(this.applicable(given), signal, (before, after) => {
          const on = (version: IndexVersion): QueryContext => ({ ...context, signal, version: () => version });
          return work(on(before), async () => on(await after()));
        }),
      );
    });
  }

  /** Changes of settings with the functions that they name. Throws 409 where the index needs a missing word table for them. */
  private applicable(changes: IndexSettings): IndexSettings {
    const { context, data } = this;
    const { embedder } = changes;
    const { readOnly } = data.settings;
    const isBuiltIn = isTableName(embedder);
    const canEmbed = isBuiltIn && context.tableProblem?.(context.tables[embedder]) === undefined;
    if (!canEmbed && (embedder === undefined || isBuiltIn) && readOnly !== undefined) throw readOnly;
    return withFunctions(changes, context, data);
  }

  private checkFunctions(): void {
    const { missing } = this.settings;
    if (missing !== undefined) throw missing;
  }

  private checkOpen(): void {
    if (this.closing !== undefined) throw this.closing;
    this.writer.scheduler.check();
  }

  paramsContext({ warn, bounds }: Pick<QueryContext, "warn" | "bounds">): ParamsContext {
    const { limits, strict } = this.context;
    return { limits, strict, warn, bounds, dimensions: this.data.settings.effective.dimensions };
  }

  /** The records now; for an index that is not read yet, those that it has when it is. */
  snapshot(): IndexSnapshot | Promise<IndexSnapshot> {
    const loading = this.whenLoaded();
    if (loading === undefined) return this.data.snapshot;
    const snapshot = loading.then(() => this.data.snapshot);
    snapshot.catch(() => {}); // the caller that waits for it handles a rejection
    return snapshot;
  }

  /** Waits until the segments are read. Reads call it before they look at the data. */
  async ready(): Promise<void> {
    this.check();
    const loading = this.whenLoaded();
    if (loading === undefined) return;
    await loading;
    this.check();
  }

  /** Answers a query: reads its options and its parameters, runs it, and counts it. `run`: where that is not this process's work. */
  async answer(
    given: unknown,
    options: CallOptions,
    run: typeof runQuery = runQuery,
  ): Promise<SearchAnswer<JsonRecord>> {
    return this.context.activity.query(this.name, (track) => {
      const work = async (context: QueryContext): Promise<SearchAnswer<JsonRecord>> => {
        const checked = readParams(given, this.paramsContext(context));
        track.params = checked.given;
        track.query = checked.query;
        return run(checked, context);
      };
      return this.query(options, work, track);
    });
  }

  /** Runs a query with its context. Throws as {@link read} does, and when the index needs a function that is missing. */
  async query<T>(
    options: CallOptions,
    work: (context: QueryContext) => Promise<T>,
    clock: PhaseClock = new PhaseClock(),
  ): Promise<T> {
    this.check();
    this.checkFunctions();
    return this.read(options, async ({ signal, isFromOutside, bounds }) => {
      const loading = this.whenLoaded();
      if (loading !== undefined) await loading;
      const { limits, memory } = this.context;
      try {
        return await work({
          name: this.name,
          limits,
          signal,
          bounds,
          ended: this.writer.scheduler.stop,
          warn: (warning) => this.context.warn(warning, isFromOutside),
          memory,
          version: () => this.data.version(),
          whileThere: (wait) => this.whileThere(signal, wait),
          clock,
        });
      } finally {
        memory.wasRead(this.writer);
      }
    });
  }

  /** Waits for code of the caller's: until it answers, the signal aborts, or the index ends. The end of the index throws its reason. */
  async whileThere<T>(signal: AbortSignal | undefined, wait: (stop: AbortSignal) => Promise<T>): Promise<T> {
    const { scheduler } = this.writer;
    const { signal: stop, end } = scheduler.orStop(signal);
    try {
      return await wait(stop);
    } catch (error) {
      if (stop.aborted) scheduler.check();
      throw error;
    } finally {
      end();
    }
  }

  /** An empty index of another name with the same settings. It is uncommitted, and not visible, until records are swapped in. */
  emptyCopy(name: string, keptBy: Pick<IndexContext, "store" | "shared"> = {}): LiveIndex {
    const { settings, given } = this.data;
    const { store, shared } = keptBy;
    const copy = new LiveIndex({ ...this.context, name, settings, given, store, shared });
    copy.isUncommitted = true;
    return copy;
  }

  /**
   * Replaces settings and records of `target` with those of this index. It joins the write queues of both at once, so that
   * calls take effect in their order and cannot deadlock. With `leave`, this index then ends: waiting writes throw the error
   * that `leave` returns. The signal aborts the swap while it waits for its turn.
   */
  async swapInto(target: LiveIndex, leave?: () => SearchError, signal?: AbortSignal): Promise<void> {
    const swap = async (): Promise<void> => {
      const loading = this.whenLoaded();
      if (loading !== undefined) await loading;
      const data = target.writer.copyOf(this.writer);
      if (target.isKept) {
        // If the source stays, its commit lists its merged segments too: otherwise deleting the copy would delete their files.
        const own: IndexChange | IndexRemoval =
          leave === undefined ? await this.changeOf(noChange(this.data)) : { name: this.name, isGone: true };
        await target.keep([await target.changeOf(freshChange(data)), own]);
      }
      target.writer.replace(data);
      target.storedSettings = target.settings;
      target.isUncommitted = false;
      if (leave !== undefined) this.writer.scheduler.end(leave());
    };
    await inTurnOfBoth(this.writer.scheduler, target.writer.scheduler, swap, signal);
  }

  /** Resolves when no write, no merge and no growth of the graph is under way, and nothing is left to merge. */
  async whenIdle(): Promise<void> {
    await this.writer.merges.mergeRest();
    await this.data.graph.idle();
  }

  /** Ends the index: running calls are aborted, later ones throw `reason`. */
  async end(reason: SearchError): Promise<void> {
    this.writer.scheduler.refuse(reason);
    this.writer.scheduler.end(reason);
    this.stored = undefined;
    await this.whenIdle();
    this.data.graph.dispose();
    this.context.memory.remove(this.writer);
  }
}
