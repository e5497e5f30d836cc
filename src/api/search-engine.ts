// An engine: named indexes. The verbs of an index are those of its handle (search-index.ts), called by name.

import { EmbeddingJob } from "../embedding/remembered-vectors.js";
import {
  type CreateOptions,
  type ImportOptions,
  type ImportSkipResult,
  type RefreshOptions,
  type ReplaceOptions,
  readOptions,
  type SkipOption,
  type SnapshotOptions,
} from "../input/call-options.js";
import { type EngineOptions, type OpenOptions, readEngineOptions, readOpenOptions } from "../input/engine-options.js";
import {
  contextOf,
  readSettingsText,
  restoreSettings,
  type SettingsPair,
  withFunctions,
} from "../input/extension-ids.js";
import type { PlainObject } from "../input/plain-data.js";
import { checkSettings, copySettings, knownSettings } from "../input/read-settings.js";
import { wasmAvailable as wasmForWords } from "../inverted/score-kernel.js";
import type { ResolvedSettings } from "../settings/resolved-settings.js";
import type { IndexSettings } from "../settings/settings.js";
import {
  type EngineActivity,
  type EngineContext,
  engineContext,
  type QueryMetrics,
  type SlowQuery,
  type WriteMetrics,
} from "../state/engine-activity.js";
import { absolutePath, openStore, snapshotFiles } from "../storage/disk.js";
import type { FollowedFolder } from "../storage/followed-folder.js";
import { readSnapshot, type SnapshotFileContent, writeSnapshot } from "../storage/snapshot-file.js";
import { damagedFile, noFolder, readOnlyStore, snapshotError } from "../storage/storage-error.js";
import type { Disk, IndexRemoval, Recovery, SharedStore, StorageReport, StoredIndex } from "../storage/store.js";
import type { OpenStore } from "../storage/written-folder.js";
import { addBrand, isBytes } from "../util/brand.js";
import { engineClosed, refusal, SearchError, show } from "../util/errors.js";
import type { Warn } from "../util/extension-points.js";
import type { JsonRecord } from "../util/json.js";
import { aborted, beginTask, endedTask, firstOf, pauseIfLong, runTask, type Task } from "../util/tasks.js";
import { NO_WASM } from "../util/web-assembly.js";
import { vectorKernelAvailable } from "../vectors/row-kernel.js";
import { graphProblem } from "../vectors/vector-graph.js";
import { Engine, type IndexInfo } from "./engine.js";
import { Following } from "./following.js";
import { aboutIndex, type IndexContext, LiveIndex } from "./live-index.js";
import { checkIndexName, checkSameSettings, indexExists, notFound } from "./name-rules.js";
import { SearchIndex } from "./search-index.js";
import { exportLines, type ImportSource, importLines, settingsOfImport } from "./transfer.js";

/**
 * What this process can use. Without it other code answers, more slowly. The answers are the same, except where a graph would be
 * used (by default above 50,000 vectors): an exact scan may then find semantic matches that the graph misses.
 */
export interface Capabilities {
  /** Whether the neighbour graph in WebAssembly can be used. */
  readonly hnsw: boolean;
  /** Whether the neighbour graph of the optional package hnswlib-node can be used. Without any graph, vectors are scanned exactly. */
  readonly hnswlib: boolean;
  /** Whether WebAssembly with SIMD scans words and vectors. If not, plain JavaScript does, more slowly. */
  readonly wasm: boolean;
  /** For each that is false, the reason, for people. */
  readonly unavailable: Readonly<Partial<Record<"hnsw" | "hnswlib" | "wasm", string>>>;
}

/** What an engine did since it was made, and what it holds. Times are in milliseconds. */
export interface EngineMetrics {
  /** Calls of `query`. */
  readonly queries: QueryMetrics;
  /** Calls of `addRecords`, `updateRecords`, `replaceAllRecords`, `deleteRecords` and `deleteBy`. */
  readonly writes: WriteMetrics;
  /** Sorted by name. */
  readonly indexes: { readonly name: string; readonly records: number; readonly bytes: number }[];
}

/** The settings of a new index are read without a pause up to so many steps: enough for some hundred rules or synonyms. */
const STEPS_AT_ONCE = 4;

/** Settings for a new index; `resolved` is undefined where they change those of an index that is there. */
interface NewSettings {
  readonly taken: PlainObject;
  readonly given: IndexSettings;
  readonly resolved: ResolvedSettings | undefined;
}

/** While a data folder is closed, reads and embedders that run may go on for so many milliseconds. */
const PATIENCE_MS = 500;

/** Indexes by name, until the engine is closed. */
export class IndexRegistry {
  /** A Map, because an object has inherited names. */
  private readonly indexes = new Map<string, LiveIndex>();
  private closing: Promise<void> | undefined;
  private readonly ending = new AbortController();
  private readonly ended = new AbortController();
  /** Work that no index knows of. */
  private readonly running = new Set<Promise<unknown>>();
  /** What keeps the indexes; undefined: they are in memory only. */
  private readonly store: { close(): Promise<void> } | undefined;

  constructor(store?: { close(): Promise<void> }) {
    this.store = store;
  }

  /** Aborted, with 503 `closed`, when the engine is closed and waits for nothing any more. */
  get patience(): AbortSignal {
    return this.ended.signal;
  }

  /** The index of this name; throws 404 `index_not_found`, or 503 when the engine is closed. */
  get(name: unknown): LiveIndex {
    this.checkOpen();
    const index = typeof name === "string" ? this.indexes.get(name) : undefined;
    if (index !== undefined) return index;
    throw notFound(name);
  }

  /** The index of this name, if there is one. */
  find(name: string): LiveIndex | undefined {
    return this.indexes.get(name);
  }

  set(name: string, index: LiveIndex): void {
    this.checkOpen();
    this.indexes.set(name, index);
  }

  /** Ends an index. From then on its handles throw 404. */
  async delete(name: string): Promise<void> {
    const index = this.get(name);
    if (index.isKept) await index.deleteKept(() => this.forget(index));
    await this.drop(index);
  }

  /** As {@link delete}, for this index alone: another one may have its name by now. */
  async drop(index: LiveIndex): Promise<void> {
    this.forget(index);
    await index.end(notFound(index.name));
  }

  /** Frees the name of an index, unless another index has it by now. */
  forget(index: LiveIndex): void {
    if (this.indexes.get(index.name) === index) this.indexes.delete(index.name);
  }

  /** All indexes, also those that are still to be made. */
  known(): LiveIndex[] {
    return [...this.indexes.values()];
  }

  /** All indexes, sorted by name. */
  all(): LiveIndex[] {
    this.checkOpen();
    return [...this.indexes.values()].filter((index) => index.isThere).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Ends all indexes and closes the data folder, which waits for running writes. Closing twice is allowed. */
  async close(): Promise<void> {
    this.closing ??= this.endAll();
    return this.closing;
  }

  /** Throws 503 when the engine is closed. */
  checkOpen(): void {
    if (this.closing !== undefined) throw engineClosed();
  }

  /** Runs work that builds an index which has no name yet. It is aborted by the signal (499), or when the engine is closed (503). */
  async whileOpen<T>(signal: AbortSignal | undefined, work: (stop: AbortSignal) => Promise<T>): Promise<T> {
    this.checkOpen();
    const { signal: stop, end } = firstOf(signal === undefined ? [this.ending.signal] : [signal, this.ending.signal]);
    const result = work(stop);
    this.running.add(result);
    try {
      return await result;
    } catch (error) {
      if (!stop.aborted) throw error;
      this.checkOpen();
      throw aborted(stop);
    } finally {
      this.running.delete(result);
      end();
    }
  }

  private async endAll(): Promise<void> {
    const reason = engineClosed();
    this.ending.abort();
    const indexes = [...this.indexes.values()];
    // All at once, so that no handle takes a call while the engine is being closed.
    for (const index of indexes) index.refuse(reason);
    try {
      if (this.store !== undefined) await this.finishAll(indexes);
      this.ended.abort(reason);
      const ends: Promise<void>[] = [];
      for (const index of indexes) {
        ends.push(index.end(reason));
        await pauseIfLong();
      }
      await Promise.allSettled([...ends, ...this.running]);
    } finally {
      this.indexes.clear();
      await this.store?.close();
    }
  }

  /** Waits until what runs is done, and for embedders and reads not too long. */
  private async finishAll(indexes: readonly LiveIndex[]): Promise<void> {
    let giveUp = (): void => {};
    const late = new Promise<void>((resolve) => {
      giveUp = resolve;
    });
    const timer = setTimeout(() => {
      this.ended.abort(engineClosed());
      giveUp();
    }, PATIENCE_MS);
    try {
      const writes: Promise<void>[] = [];
      for (const index of indexes) {
        if (index.isIdle) continue;
        writes.push(index.finish());
        await pauseIfLong();
      }
      await Promise.allSettled(writes);
      await Promise.race([late, Promise.all(indexes.map((index) => index.whenRead()))]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** A set of named indexes in this process. */
export class SearchEngine extends Engine {
  /** @internal */
  protected indexes: IndexRegistry = new IndexRegistry();
  /** @internal */
  protected options: EngineContext;
  /** @internal The data folder; undefined: there is none. */
  protected store: OpenStore | undefined;
  /** @internal What keeps the indexes for several engines; undefined: this one alone has them. */
  protected shared: SharedStore | undefined;
  /** @internal undefined: this engine alone writes. */
  protected following: Following | undefined;

  static {
    addBrand(SearchEngine, "SearchEngine");
  }

  /** An engine in memory. Throws 400 with all complaints; {@link SearchEngine.open} opens a data folder. */
  constructor(options: EngineOptions = {}) {
    super();
    this.options = engineContext(readEngineOptions(options));
  }

  /**
   * Opens a data folder, and makes it where there is none: an engine whose indexes survive the end of the process. One engine at a
   * time writes to a folder; any number may read it beside that one.
   *
   * @throws SearchError 400 (options), 409 `storage_locked`, 500 `storage_corrupt`, `storage_version`, `storage_failed`, 507
   * @example
   * const engine = await SearchEngine.open({ dataDir: "./data" });
   * const products = await engine.createIndex("products", {}, { ifExists: "open" });
   */
  static async open(options: OpenOptions): Promise<SearchEngine> {
    return SearchEngine.openOn(undefined, options);
  }

  /** @internal For tests, which bring a disk that fails. */
  static async openOn(disk: Disk | undefined, options: OpenOptions): Promise<SearchEngine> {
    const { dataDir, readOnly, durability, preload, follow, followIntervalMs, ...checked } = readOpenOptions(options);
    const { warn } = checked;
    const store = await openStore({ folder: dataDir, readOnly, durability, warn }, disk);
    try {
      const engine = new SearchEngine();
      engine.options = engineContext(checked);
      engine.store = store;
      engine.indexes = new IndexRegistry(store);
      for (const stored of store.takeIndexes()) {
        const takeOver = await engine.prepareRestored(stored);
        takeOver();
      }
      const known = engine.indexes.known();
      if (preload) await Promise.all(known.map((index) => engine.preload(index, store)));
      // Of several indexes, nobody knows which one is asked first.
      else if (known.length === 1) known[0]!.warmUp();
      if (store.isReadOnly) engine.following = engine.followFolder(store, warn);
      if (follow) engine.following!.start(followIntervalMs);
      return engine;
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  /**
   * @internal Prepares an index of the data folder; the function that it returns takes it over. One whose settings cannot be read can only be
   * deleted, or replaced as a whole.
   */
  protected async prepareRestored(stored: StoredIndex): Promise<() => void> {
    const { name, settings, recordCount } = stored;
    const isRead = typeof settings === "string";
    const reading = isRead ? readSettingsText(settings, this.options) : restoreSettings({}, this.options);
    const pair = await runTask(reading);
    return () => {
      const { store } = this;
      const context = { ...this.options, ...pair, ...this.keptBy(), name };
      const unread = { ...context, settings: { ...pair.settings, missing: isRead ? undefined : settings } };
      const index = isRead
        ? LiveIndex.restored(context, stored)
        : LiveIndex.restored(unread, { recordCount, load: () => Promise.reject(settings) });
      this.indexes.set(name, index);
      if (store?.isReadOnly) index.writer.scheduler.refuse(readOnlyStore());
    };
  }

  private followFolder(store: FollowedFolder, warn: Warn): Following {
    const look = (): Promise<void> =>
      store.refresh(async (changes) => {
        const show = await this.prepareChanges(changes);
        show();
      });
    const hasReached = (position: string): boolean => store.hasReached(position);
    return new Following({ what: "data folder", look, hasReached, watch: (changed) => store.watch(changed) }, warn);
  }

  /** Prepares what another engine changed in the data folder; the function that it returns shows all of it, at once. */
  private async prepareChanges(changes: readonly (StoredIndex | IndexRemoval)[]): Promise<() => void> {
    const shows: (() => void)[] = [];
    for (const change of changes) {
      const index = this.indexes.find(change.name);
      const isGone = "isGone" in change;
      const show = isGone
        ? undefined
        : await index?.prepareChange(change, (settings) => runTask(readSettingsText(settings, this.options)));
      const restore = show === undefined && !isGone ? await this.prepareRestored(change) : undefined;
      const remake = (): void => {
        if (index !== undefined) void this.indexes.drop(index);
        restore?.();
      };
      shows.push(show ?? remake);
    }
    return () => {
      this.indexes.checkOpen();
      for (const show of shows) show();
    };
  }

  /** Reads an index at the opening. Damage of one leaves the others alone. */
  private async preload(index: LiveIndex, store: OpenStore): Promise<void> {
    try {
      await index.preload();
    } catch (error) {
      if (!(error instanceof SearchError) || error.error !== "storage_corrupt") throw error;
      store.noteDamage({ indexName: index.name, file: String(error.details?.file) });
    }
  }

  /** Reads the settings of a snapshot. Rejects with 500 `storage_corrupt`. */
  private async snapshotSettings({ settings }: SnapshotFileContent): Promise<SettingsPair> {
    let pair: SettingsPair;
    try {
      pair = await runTask(readSettingsText(settings, { ...this.options, strict: true }));
    } catch (cause) {
      throw snapshotError(damagedFile("snapshot", undefined, undefined, cause), "read");
    }
    if (pair.settings.missing !== undefined) throw pair.settings.missing;
    return pair;
  }

  async createIndex<R extends object = JsonRecord>(
    name: string,
    settings?: IndexSettings<NoInfer<R>>,
    options: CreateOptions = {},
  ): Promise<SearchIndex<R>> {
    this.checkWritable();
    checkIndexName(name, this.options.limits);
    const { ifExists } = readOptions("createIndex", options);
    // An index of usual settings is there at once, so that what is called next finds it.
    const reading = beginTask(this.readNew(name, settings, ifExists), undefined, STEPS_AT_ONCE);
    const read = reading instanceof Promise ? await reading : reading;
    return this.onNames(() => this.makeOrOpen<R>(name, ifExists, read));
  }

  /** @internal What keeps the indexes, for each of them. */
  protected keptBy(): Pick<IndexContext, "store" | "shared" | "patience"> {
    const { store, shared, indexes } = this;
    return { store, shared, patience: indexes.patience };
  }

  /** @internal Does what depends on which index has which name. */
  protected onNames<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }

  /** Creates an index of settings that were read, or opens the one that is there. */
  private async makeOrOpen<R extends object>(
    name: string,
    ifExists: "error" | "open" | "update",
    { taken, given, resolved }: NewSettings,
  ): Promise<SearchIndex<R>> {
    this.indexes.checkOpen();
    let existing = this.indexes.find(name);
    if (existing !== undefined && !existing.isBeingDeleted && ifExists === "error") throw indexExists(name);
    while (existing !== undefined && (!existing.isThere || existing.isBeingDeleted)) {
      // It may still fail to be made, or be deleted.
      await existing.writer.scheduler.idle();
      this.indexes.checkOpen();
      existing = this.indexes.find(name);
    }
    if (existing !== undefined) {
      if (ifExists === "error") throw indexExists(name);
      if (ifExists === "update") {
        const index = existing;
        if (Object.keys(taken).length > 0)
          await index.write({}, (checked) => index.updateSettings(endedTask(taken), checked), false);
        return new SearchIndex<R>(index);
      }
      // An index that was made with or without the word table, or with another one, stays so.
      const { tableProblem } = existing.settings;
      const alike = { ...contextOf(existing.settings, this.options), tableProblem: () => tableProblem, warn: () => {} };
      await runTask(checkSameSettings(existing, given, await runTask(checkSettings(given, alike))));
      return new SearchIndex<R>(existing);
    }
    // What should have been updated was deleted meanwhile.
    if (resolved === undefined) {
      const checked = await runTask(checkSettings(given, aboutIndex(this.options, name)));
      return this.makeOrOpen<R>(name, ifExists, { taken, given, resolved: checked });
    }
    if (resolved.advice !== undefined) this.options.warn(resolved.advice);
    const context = { name, settings: resolved, given: knownSettings(given), ...this.options, ...this.keptBy() };
    const index = new LiveIndex(context);
    this.indexes.set(name, index);
    if (index.isKept)
      await index.commitNew().catch(async (error: unknown) => {
        await this.indexes.drop(index);
        throw error;
      });
    return new SearchIndex<R>(index);
  }

  /** Takes and checks the settings of a new index. An update is checked together with the settings that are there. */
  private *readNew(name: string, settings: unknown, ifExists: string): Task<NewSettings> {
    const taken = yield* copySettings(settings);
    const given = withFunctions(taken, this.options);
    const isUpdate = ifExists === "update" && this.indexes.find(name) !== undefined;
    const resolved = isUpdate ? undefined : yield* checkSettings(given, aboutIndex(this.options, name));
    return { taken, given, resolved };
  }

  index<R extends object = JsonRecord>(name: string): SearchIndex<R> {
    return new SearchIndex<R>(this.indexes.get(name));
  }

  /** @internal */
  protected get activity(): EngineActivity {
    return this.options.activity;
  }

  /** @internal */
  protected checkOpen(): void {
    this.indexes.checkOpen();
  }

  /** Copies settings and records to another index, new or existing. Segments are shared, so it is quick. */
  async copyIndex(source: string, destination: string): Promise<void> {
    return this.onNames(() => this.hand(source, destination, false));
  }

  async moveIndex(source: string, destination: string): Promise<void> {
    return this.onNames(() => this.hand(source, destination, true));
  }

  /**
   * Writes an index to one file, for shipping it to where it is only searched: settings, records and vectors, as they are at the
   * call. The file is written segment by segment and put in place at once; a failure leaves what was there.
   *
   * @throws SearchError 400 (no path, wrong options), 404, 500 `storage_failed`, 507 `storage_full`
   * @example
   * await engine.writeSnapshot("products", "products.snapshot");
   */
  async writeSnapshot(
    name: string,
    file: string,
    options: SnapshotOptions = {},
  ): Promise<{ bytes: number; records: number }> {
    const live = this.indexes.get(name);
    live.check();
    const { onProgress } = readOptions("snapshot", options);
    if (typeof file !== "string" || file === "" || file.includes("\0"))
      throw refusal("invalid_path", "file", `file is ${show(file)}; pass the path of the snapshot to write.`);
    const place = absolutePath(file);
    return live.read({}, async () => {
      const content = await live.content();
      return { bytes: await writeSnapshot(snapshotFiles, place, content, onProgress), records: content.recordCount };
    });
  }

  /**
   * Makes an index of a snapshot: all of it, at once, or nothing. Nothing is embedded again.
   *
   * @param source - the path of the file, or its bytes, which are copied
   * @throws SearchError 400, 409 `index_exists`, `embedder_missing`, `analyzer_missing`, 500 `storage_corrupt`, `storage_version`,
   *   `storage_failed`, 507
   * @example
   * await engine.readSnapshot("products", "products.snapshot", { ifExists: "replace" });
   */
  async readSnapshot(
    name: string,
    source: string | Uint8Array,
    options: ReplaceOptions = {},
  ): Promise<{ records: number }> {
    this.checkWritable();
    checkIndexName(name, this.options.limits);
    const { ifExists, onProgress } = readOptions("readSnapshot", options);
    if (!(typeof source === "string" && source !== "" && !source.includes("\0")) && !isBytes(source))
      throw refusal(
        "invalid_source",
        "source",
        `source is ${show(source)}; pass the path of a snapshot, or its bytes.`,
      );
    return this.indexes.whileOpen(undefined, async () => {
      await this.onNames(async () => this.checkFree(name, ifExists));
      const from = typeof source === "string" ? absolutePath(source) : source;
      const content = await readSnapshot(snapshotFiles, from, onProgress);
      const pair = await this.snapshotSettings(content);
      const { recordCount } = content;
      const made = LiveIndex.restored({ ...this.options, ...pair, name }, { recordCount, load: async () => content });
      const installed = await this.install(made, name, ifExists, undefined);
      onProgress({ done: recordCount, total: recordCount });
      return installed;
    });
  }

  /** Gives an index that nobody sees its name, at once; in any case it is ended. */
  private async install(
    made: LiveIndex,
    name: string,
    ifExists: "error" | "replace",
    signal: AbortSignal | undefined,
  ): Promise<{ records: number }> {
    try {
      await this.onNames(async () => {
        this.checkFree(name, ifExists);
        await this.give(made, name, { leave: undefined, signal });
      });
      return { records: made.recordCount };
    } finally {
      await made.end(notFound(name));
    }
  }

  private checkFree(name: string, ifExists: "error" | "replace"): void {
    if (ifExists === "error" && this.indexes.find(name) !== undefined) throw indexExists(name, "replace");
  }

  exportIndex(name: string, options: SnapshotOptions = {}): AsyncIterableIterator<string> {
    try {
      const live = this.indexes.get(name);
      live.check();
      const { onProgress } = readOptions("snapshot", options);
      return live.untilClosed(exportLines(live.data, live.snapshot(), { onProgress }));
    } catch (error) {
      return failing(error);
    }
  }

  importIndex(name: string, source: ImportSource, options: ImportOptions & SkipOption): Promise<ImportSkipResult>;
  importIndex(name: string, source: ImportSource, options?: ImportOptions): Promise<{ records: number }>;
  async importIndex(name: string, source: ImportSource, options: ImportOptions = {}): Promise<{ records: number }> {
    this.checkWritable();
    checkIndexName(name, this.options.limits);
    const { ifExists, signal, onProgress, format, settings: given, onInvalid } = readOptions("importIndex", options);
    const work = async (stop: AbortSignal): Promise<{ records: number }> => {
      await this.onNames(async () => this.checkFree(name, ifExists));
      const settings = await settingsOfImport(format, given, aboutIndex(this.options, name));
      const job = new EmbeddingJob();
      const { options: engine } = this;
      const begin = (pair: SettingsPair): LiveIndex => new LiveIndex({ ...engine, ...pair, name });
      const context = { engine, stop, onProgress, job, begin, settings, onInvalid };
      const { target, result } = await importLines(source, context);
      await this.install(target, name, ifExists, stop);
      job.end();
      return result;
    };
    return this.indexes.whileOpen(signal, work);
  }

  async deleteIndex(name: string): Promise<void> {
    this.checkWritable();
    await this.onNames(() => this.indexes.delete(name));
  }

  async listIndexes(): Promise<IndexInfo[]> {
    return this.onNames(async () =>
      this.indexes.all().map(({ name, recordCount }) => ({ name, records: recordCount })),
    );
  }

  /** What this process can do. Loads WebAssembly and hnswlib-node, unless they were used before. */
  capabilities(): Capabilities {
    const hasWasm = wasmForWords() && vectorKernelAvailable();
    const problems = {
      hnsw: graphProblem("hnsw"),
      hnswlib: graphProblem("hnswlib"),
      wasm: hasWasm ? undefined : NO_WASM,
    };
    const unavailable = Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined));
    return {
      hnsw: problems.hnsw === undefined,
      hnswlib: problems.hnswlib === undefined,
      wasm: problems.wasm === undefined,
      unavailable,
    };
  }

  /**
   * What this engine did since it was made, and what it holds now: plain JSON, a copy, at once. `bytes`: the approximate bytes in
   * memory, as `estimate().total`. A closed engine holds nothing.
   *
   * @example
   * const { queries } = engine.metrics();
   * console.log(`${queries.total} queries, ${queries.durations.sum / queries.total} ms on the mean`);
   */
  metrics(): EngineMetrics {
    const indexes: { name: string; records: number; bytes: number }[] = [];
    // Names without objects are sorted faster; this takes no pause.
    const names = this.indexes.known().map(({ name }) => name);
    for (const name of names.sort()) {
      const index = this.indexes.find(name)!;
      if (index.isThere) indexes.push({ name, records: index.recordCount, bytes: index.estimate().total });
    }
    return { ...this.options.activity.metrics(), indexes };
  }

  /**
   * The 20 slowest queries of the last hour, the slowest first: copies. Queries that were refused are not among them.
   *
   * @example
   * for (const { params, milliseconds, phases } of engine.slowQueries()) console.log(milliseconds, params, phases);
   */
  slowQueries(): SlowQuery[] {
    return this.options.activity.slow.list(performance.now());
  }

  /** What opening the data folder found; in memory nothing ever is. */
  recovery(): Recovery {
    this.indexes.checkOpen();
    return this.store?.recovery ?? { recovered: false, droppedBytes: 0 };
  }

  /**
   * For an engine that was opened with `readOnly: true`, or that is of a cluster: shows what other engines have acknowledged by now, or, with
   * `atLeast`, waits for that position. At once for an engine that alone writes.
   *
   * @throws SearchError 400, 499 (`signal`), 500 `storage_failed` (the folder was replaced: open it again), `storage_corrupt`, 503
   * @example
   * const position = writer.position();
   * await reader.refresh({ atLeast: position });
   */
  async refresh(options: RefreshOptions = {}): Promise<void> {
    this.indexes.checkOpen();
    const checked = readOptions("refresh", options);
    await this.following?.refresh(checked);
  }

  /**
   * How far this engine has come in the changes of its data folder, or of its cluster: a text, which `comparePositions` compares with those
   * of other engines of the same folder or cluster.
   *
   * @throws SearchError 404 `storage_not_found`: the engine is in memory
   */
  position(): string {
    this.indexes.checkOpen();
    const { position } = this.shared ?? this.store ?? {};
    if (position === undefined) throw noFolder();
    return position;
  }

  /** Resolves when all writes that were called before are safe from a power cut. At once in memory. */
  async flush(): Promise<void> {
    this.indexes.checkOpen();
    await Promise.all(this.indexes.known().map((index) => index.writer.whenWritten()));
    if (this.store?.isReadOnly === false) await this.store.flush();
  }

  /** Reads all files of the data folder again, and tells what is wrong with them. */
  async checkStorage(): Promise<StorageReport> {
    this.indexes.checkOpen();
    const report = (await this.store?.checkFiles()) ?? { ok: true, problems: [] };
    // What was closed meanwhile could not be read.
    this.indexes.checkOpen();
    return report;
  }

  private checkWritable(): void {
    this.indexes.checkOpen();
    if (this.store?.isReadOnly) throw readOnlyStore();
  }

  /**
   * Closes the engine. In memory it aborts running writes; with a data folder it waits for them, makes them safe and frees the
   * folder. Embedders, queries and other reads that run have half a second. Later calls throw 503 `closed`; closing twice is allowed.
   *
   * @throws SearchError 500 `storage_failed`, 507: what was written cannot be made safe. The folder is free all the same.
   */
  async close(): Promise<void> {
    this.following?.stop();
    await this.indexes.close();
  }

  /** @internal */
  protected async hand(source: string, destination: string, moves: boolean): Promise<void> {
    this.checkWritable();
    const from = this.indexes.get(source);
    checkIndexName(destination, this.options.limits);
    if (source === destination) return;
    const leave = (): SearchError => {
      this.indexes.forget(from);
      return notFound(source);
    };
    await this.give(from, destination, { leave: moves ? leave : undefined, signal: undefined });
    if (moves) await this.indexes.drop(from);
  }

  /** Gives settings and records of an index to the one of this name, new or existing. */
  private async give(
    from: LiveIndex,
    name: string,
    { leave, signal }: { readonly leave: (() => SearchError) | undefined; readonly signal: AbortSignal | undefined },
  ): Promise<void> {
    const to = this.indexes.find(name) ?? from.emptyCopy(name, this.keptBy());
    // From now on no other index can be created under this name.
    this.indexes.set(name, to);
    to.incomingCopies++;
    try {
      await from.swapInto(to, leave, signal);
    } finally {
      to.incomingCopies--;
      if (!to.isThere && to.incomingCopies === 0) await this.indexes.drop(to);
    }
  }
}

/** An iteration that throws when it begins. */
async function* failing(error: unknown): AsyncGenerator<never, void, undefined> {
  yield Promise.reject(error);
}
