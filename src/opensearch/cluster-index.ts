// One index of an engine in a cluster: what its verbs run on. The cluster has the records and the settings; here are copies of both, which
// are made anew when the cluster has others.

import { aboutIndex, applicableChanges, type IndexBackend } from "../api/live-index.js";
import { checkSameSettings, notFound } from "../api/name-rules.js";
import { AttributeHistory, KnownAttributes } from "../docvalues/attribute-catalog.js";
import type { Filter } from "../docvalues/filter.js";
import { ColumnReferences } from "../index/column-store.js";
import { docsToDelete, readDeletion } from "../index/delete-by.js";
import { type EngineContext, PhaseClock } from "../index/engine-activity.js";
import { estimateMemory, type MemoryEstimate } from "../index/estimate-memory.js";
import type { IndexData, IndexVersion, RestoredIndex } from "../index/index-data.js";
import { browseRecords, type IndexSnapshot } from "../index/index-snapshot.js";
import { type ReadRecords, readIds, readPatches } from "../index/read-batch.js";
import { fieldRules } from "../index/read-fields.js";
import { SearchLanguage } from "../index/search-language.js";
import type { Segment } from "../index/segment.js";
import { type AddResult, IndexWriter, type PreparedChange, type SkipResult } from "../index/writer.js";
import { type CallOptions, type CheckedOptions, readOptions } from "../input/call-options.js";
import { readSettingsText, type SettingsPair } from "../input/extension-ids.js";
import type { ParamsContext } from "../input/read-params.js";
import type { QueryContext } from "../search/search.js";

import { embedsAlike, indexesAlike } from "../settings/fingerprint.js";
import type { IndexSettings, ResolvedSettings } from "../settings/settings.js";
import { firstOf, pauseFor, releaseSignal, throwIfAborted } from "../util/abort.js";
import { SearchError } from "../util/errors.js";
import type { Warn } from "../util/extension-points.js";
import { has, type JsonRecord } from "../util/json.js";
import { GREATEST_LIMITS } from "../util/limits.js";
import { show } from "../util/show.js";
import { pauseIfLong, runTask, startTask, type Task } from "../util/tasks.js";
import {
  type ClusterIndexes,
  type DocumentVersion,
  type IndexState,
  keptSettings,
  type PhysicalIndex,
  serves,
  settingsChanged,
  type WriteResult,
} from "./cluster-indexes.js";
import { filterQuery } from "./match-query.js";
import { CATALOG_REQUEST, catalogOf, learnSample, PartQuery, type PartSource, sampleRequest } from "./part-query.js";
import type { PointInTime } from "./point-in-time.js";
import {
  documentsOf,
  type RecordDocument,
  type RestoreContext,
  restored,
  type WrittenDocument,
} from "./record-documents.js";
import { UnseenIndex } from "./unseen-index.js";

/** After so long the cluster is asked whether another process changed the settings; after much longer, that is waited for. */
const SETTINGS_MS = 500;
const MOST_AGE_MS = 5000;

/** Settings with what is derived from them, and the physical index that has records under them. */
interface KnownIndex extends SettingsPair {
  readonly physical: PhysicalIndex;
  readonly language: SearchLanguage;
}

/** A state of the records, with what shows that they are still the same. */
interface KnownRecords {
  readonly of: KnownIndex;
  readonly state: string;
  readonly data: IndexData;
}

/** What is written at once. */
interface PutWork {
  readonly work: (scratch: IndexWriter) => Promise<AddResult>;
  /** What the scratch writer waits for. */
  readonly bring?: () => Promise<void>;
  /** The records that it has at first. Only these versions are replaced. */
  readonly versions?: ReadonlyMap<string, DocumentVersion>;
}

/** What replaces all records. */
interface RefillWork<T> {
  readonly work: (scratch: IndexWriter) => Promise<T>;
  /** The writes before; absent: they are over. */
  readonly before?: Promise<void>;
  /** The records that the scratch writer has at first. */
  readonly seed?: IndexData;
}

/** The longest pause before another attempt to change records that other processes change at the same time. */
const LONGEST_PAUSE_MS = 50;

/** An index in a cluster. */
export class ClusterIndex implements IndexBackend {
  readonly name: string;
  readonly context: EngineContext;
  private readonly indexes: ClusterIndexes;
  private readonly isGone: () => void;
  private known: KnownIndex | undefined;
  /** `performance.now()` when the cluster was asked for the settings. */
  private knownAt = Number.NEGATIVE_INFINITY;
  /** The settings are being read while the known ones are used. */
  private reading: Promise<void> | undefined;
  private records: KnownRecords | undefined;
  private large: PartSource | undefined;
  /** The number of records when it was seen last. */
  private count = 0;
  private readonly ending = new AbortController();
  /** Why nothing more is asked; undefined: it may be. */
  private reason: SearchError | undefined;
  private lastTurn: Promise<void> = Promise.resolve();

  /** `isGone` is called when the cluster has no such index. */
  constructor(name: string, context: EngineContext, indexes: ClusterIndexes, isGone: () => void) {
    this.name = name;
    this.context = aboutIndex(context, name);
    this.indexes = indexes;
    this.isGone = isGone;
  }

  get recordCount(): number {
    return this.count;
  }

  get settings(): ResolvedSettings {
    return this.loaded.settings;
  }

  get data(): Pick<IndexData, "given" | "settings" | "snapshot"> {
    const { given, settings } = this.loaded;
    // Of a large index, the sample tells what settings learn from the records.
    const snapshot = this.large?.sample?.version.snapshot ?? this.records?.data.snapshot;
    if (snapshot === undefined) throw notFound(this.name);
    return { given, settings, snapshot };
  }

  private get loaded(): KnownIndex {
    if (this.known === undefined) throw notFound(this.name);
    return this.known;
  }

  /** Takes over settings that this process gave the index. */
  knows(physical: PhysicalIndex, { settings, given }: SettingsPair): void {
    this.known = { physical, settings, given, language: new SearchLanguage(settings) };
    this.knownAt = performance.now();
  }

  /** Forgets the settings: the cluster is asked for them the next time. */
  forget(): void {
    this.knownAt = Number.NEGATIVE_INFINITY;
  }

  /** Ends the index: later calls throw this. */
  end(reason: SearchError): void {
    this.reason ??= reason;
    this.ending.abort(reason);
  }

  check(): void {
    if (this.reason !== undefined) throw this.reason;
  }

  /** The settings: those that were read a moment ago, while they are read again; else they are waited for. Throws 404. */
  async load(signal?: AbortSignal): Promise<KnownIndex> {
    this.check();
    const { known } = this;
    const age = performance.now() - this.knownAt;
    if (known === undefined || age > MOST_AGE_MS) return this.readSettings(signal);
    if (age > SETTINGS_MS && this.reading === undefined)
      this.reading = this.readSettings()
        .then(() => {})
        .catch(() => this.forget())
        .finally(() => {
          this.reading = undefined;
        });
    return known;
  }

  private async readSettings(signal?: AbortSignal): Promise<KnownIndex> {
    const physical = await this.indexes.find(this.name, signal);
    this.check();
    if (physical === undefined) {
      this.known = undefined;
      this.records = undefined;
      this.large = undefined;
      this.isGone();
      throw notFound(this.name);
    }
    this.knownAt = performance.now();
    const { known } = this;
    if (known?.physical.name === physical.name && known.physical.settings === physical.settings) return known;
    this.knows(physical, await runTask(readSettingsText(physical.settings, this.context)));
    return this.loaded;
  }

  /** Runs work on the index as it is. If it was replaced or deleted meanwhile, once more. */
  private async onLoaded<T>(signal: AbortSignal | undefined, work: (known: KnownIndex) => Promise<T>): Promise<T> {
    const known = await this.load(signal);
    try {
      return await work(known);
    } catch (error) {
      if (!(error instanceof SearchError) || error.error !== "index_replaced") throw error;
      this.forget();
      return work(await this.load(signal));
    }
  }

  /** The records now. */
  private async current(signal?: AbortSignal): Promise<IndexData> {
    return this.onLoaded(signal, async (known) =>
      this.recordsOf(known, await this.indexes.stateOf(known.physical, signal), signal),
    );
  }

  /** The records in a state, which are read unless they are the last ones that were. */
  private async recordsOf(
    known: KnownIndex,
    { state, count }: IndexState,
    signal: AbortSignal | undefined,
  ): Promise<IndexData> {
    this.count = count;
    const { records } = this;
    if (records?.of === known && records.state === state) return records.data;
    const documents = await this.indexes.documents(known.physical, signal);
    const data = await this.dataOf(documents, known, signal);
    this.records = { of: known, state, data };
    return data;
  }

  /** All records in the order of their ids. */
  async *browse(): AsyncGenerator<JsonRecord, void, undefined> {
    const now = await this.now();
    if (!has(now, "catalog")) return yield* browseRecords<JsonRecord>(now.snapshot);
    const { point } = await this.openPoint();
    try {
      for await (const documents of point.documentsById())
        for (const { json } of documents) {
          yield JSON.parse(json);
          await pauseIfLong();
        }
    } finally {
      await point.close();
    }
  }

  /** The records with these ids; undefined: all records are at hand. */
  async snapshotOf(ids: readonly string[]): Promise<IndexSnapshot | undefined> {
    return this.onLoaded(undefined, async (known) => {
      const found = await this.largeSource(known, undefined);
      if (has(found, "state")) return undefined;
      const documents = await this.indexes.documentsOf(known.physical, ids);
      return (await this.dataOf(documents, known, undefined)).snapshot;
    });
  }

  private async dataOf(
    documents: readonly RecordDocument[],
    known: KnownIndex,
    signal: AbortSignal | undefined,
  ): Promise<IndexData> {
    const { data } = this.scratch(known);
    data.restore(await this.restore(documents, known, signal));
    data.graph.end();
    return data;
  }

  private restore(
    documents: readonly RecordDocument[],
    { settings, language }: KnownIndex,
    signal: AbortSignal | undefined,
  ): Promise<RestoredIndex> {
    const { limits } = this.context;
    const rules = fieldRules(settings.effective);
    const context: RestoreContext = { settings, rules, language, limits, signal };
    return restored(documents, context);
  }

  /** A writer of an index in memory. `commit` writes to the cluster what it would publish; `bring`: what it needs first. */
  private scratch(
    { settings, given }: SettingsPair,
    commit?: (change: PreparedChange) => Promise<void>,
    bring?: () => Promise<void>,
  ): IndexWriter {
    const durability = commit && {
      commit,
      note: async () => {},
      isLarge: () => false,
      prepare: async () => {},
      discard: async () => {},
    };
    return new IndexWriter({ ...this.context, settings, given, durability, whenLoaded: () => bring?.() });
  }

  async read<T>(options: unknown, work: (checked: CheckedOptions) => Promise<T>): Promise<T> {
    this.check();
    const checked = readOptions("call", options);
    try {
      await this.load(checked.signal);
      return await work(checked);
    } finally {
      releaseSignal(checked.signal);
    }
  }

  async write<T>(options: unknown, work: (checked: CheckedOptions) => Promise<T>, needsTable = true): Promise<T> {
    this.check();
    const checked = readOptions("call", options);
    try {
      const { settings } = await this.load(checked.signal);
      if (settings.missing !== undefined) throw settings.missing;
      if (needsTable && settings.readOnly !== undefined) throw settings.readOnly;
      return await work(checked);
    } catch (error) {
      // The next call asks for the settings, instead of meeting the same index that is gone.
      if (error instanceof SearchError && error.error === "settings_changed") this.forget();
      throw error;
    } finally {
      releaseSignal(checked.signal);
    }
  }

  async query<T>(
    options: CallOptions,
    work: (context: QueryContext) => Promise<T>,
    clock: PhaseClock = new PhaseClock(),
  ): Promise<T> {
    return this.read(options, async ({ signal, isFromOutside }) => {
      const { missing } = this.settings;
      if (missing !== undefined) throw missing;
      const context = this.queryContext(signal, isFromOutside, clock);
      return this.onLoaded(signal, async (known) => {
        const found = await this.largeSource(known, signal);
        if (!has(found, "state")) return new PartQuery(found, signal).run(context, work);
        const version = (await this.recordsOf(known, found, signal)).version();
        return work({ ...context, version: () => version });
      });
    });
  }

  private queryContext(
    signal: AbortSignal | undefined,
    isFromOutside: boolean,
    clock: PhaseClock = new PhaseClock(),
  ): Omit<QueryContext, "version"> {
    const { limits, memory } = this.context;
    return {
      name: this.name,
      limits,
      signal,
      memory,
      clock,
      ended: this.ending.signal,
      warn: (warning) => this.context.warn(warning, isFromOutside),
      whileThere: (wait) => this.whileThere(signal, wait),
    };
  }

  /** What is known of all records, where they are more than a query reads; else their state. */
  private async largeSource(known: KnownIndex, signal: AbortSignal | undefined): Promise<PartSource | IndexState> {
    const { settings, language, physical } = known;
    const { rankWindow, semanticDepth } = settings.effective;
    const most = rankWindow + semanticDepth;
    if (this.large?.physical === physical && this.large.catalog.docCount > most) return this.large;
    this.large = undefined;
    const state = await this.indexes.stateOf(physical, signal);
    this.count = state.count;
    if (state.count <= most) return state;
    const [body, sample] = await this.indexes.searchAll(physical, [CATALOG_REQUEST, sampleRequest(settings)], signal);
    const { limits } = this.context;
    const catalog = catalogOf(body!);
    const source: PartSource = {
      indexes: this.indexes,
      physical,
      settings,
      language,
      limits,
      catalog,
      sample: undefined,
    };
    await learnSample(source, sample!, signal);
    this.large = source;
    return source;
  }

  /** The records at this moment; what is known of them, where they are more than a query reads. */
  private async now(signal?: AbortSignal): Promise<PartSource | IndexData> {
    return this.onLoaded(signal, async (known) => {
      this.large = undefined;
      const found = await this.largeSource(known, signal);
      return has(found, "state") ? this.recordsOf(known, found, signal) : found;
    });
  }

  async whileThere<T>(signal: AbortSignal | undefined, wait: (stop: AbortSignal) => Promise<T>): Promise<T> {
    const ended = this.ending.signal;
    const { signal: stop, end } = firstOf(signal === undefined ? [ended] : [signal, ended]);
    try {
      return await wait(stop);
    } catch (error) {
      if (stop.aborted) this.check();
      throw error;
    } finally {
      end();
    }
  }

  paramsContext({ warn }: Pick<QueryContext, "warn">): ParamsContext {
    const { limits, strict } = this.context;
    return { limits, strict, warn, dimensions: this.settings.effective.dimensions };
  }

  async snapshot(): Promise<IndexSnapshot> {
    return (await this.current()).snapshot;
  }

  async ready(): Promise<void> {
    await this.now();
  }

  async *untilClosed<T>(items: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    for await (const item of items) {
      this.check();
      yield item;
    }
  }

  estimate(): MemoryEstimate {
    const { records } = this;
    if (records === undefined) throw notFound(this.name);
    const segments = records.data.snapshot.segments.map(({ segment }) => segment);
    return estimateMemory({ segments, nameBytes: records.data.written.bytes, graphBytes: 0 });
  }

  async whenIdle(): Promise<void> {
    await this.lastTurn;
  }

  async preview<T>(
    changes: Promise<IndexSettings>,
    options: CallOptions,
    work: (before: QueryContext, after: () => Promise<QueryContext>) => Promise<T>,
  ): Promise<T> {
    return this.read(options, async ({ signal: aborted, isFromOutside }) => {
      // Of a large index, too: all records may have to be indexed again.
      const data = await this.current(aborted);
      const known = this.loaded;
      const context = { ...this.queryContext(aborted, isFromOutside), version: () => data.version() };
      const writer = this.scratch(known);
      writer.data.shareRecords(data);
      writer.data.graph.end();
      const applicable = applicableChanges(await changes, known, this.context);
      return this.whileThere(context.signal, (signal) =>
        writer.preview(applicable, signal, (before, after) => {
          const on = (version: IndexVersion): QueryContext => ({ ...context, signal, version: () => version });
          return work(on(before), async () => on(await after()));
        }),
      );
    });
  }

  /** Runs a write after those that were called before. */
  private async inTurn<T>(work: (before: Promise<void>) => Promise<T>): Promise<T> {
    const before = this.lastTurn;
    let end = (): void => {};
    this.lastTurn = new Promise((resolve) => {
      end = resolve;
    });
    try {
      return await work(before);
    } finally {
      // A write that fails while it waits must not let the next one overtake those before it.
      void before.then(end);
    }
  }

  readonly writer: IndexBackend["writer"] = {
    addRecords: (records, options) => this.add(records, options),
    updateRecords: (records, options) => this.update(records, options),
    replaceAllRecords: (records, options) =>
      this.replace(options, (scratch) => scratch.replaceAllRecords(records, options)),
    deleteRecords: (ids, options) => this.deleteRecords(ids, options),
    deleteBy: (params, options) => this.deleteBy(params, options),
    clear: async () => {
      const options = readOptions("call", {});
      await this.replace(options, (scratch) => scratch.replaceAllRecords([], options));
    },
  };

  /** Adds records, after the writes before; they are read and analysed meanwhile. */
  private async add(records: unknown, options: CheckedOptions): Promise<AddResult> {
    return this.inTurn(async (before) => {
      const { result, written } = await this.put(this.loaded, options, {
        work: (scratch) => scratch.addRecords(records, options),
        bring: () => before,
      });
      return { ...result, added: written.added, replaced: written.replaced };
    });
  }

  /** Writes what a scratch writer makes, with the records of `versions` at first; the cluster knows which of them it had. */
  private async put(
    known: KnownIndex,
    { signal, onProgress }: CheckedOptions,
    { work, bring, versions }: PutWork,
  ): Promise<{ readonly result: AddResult; readonly written: WriteResult }> {
    const { settings } = known;
    const had = new Set<Segment>();
    let written: WriteResult = { added: 0, replaced: 0, conflicts: [] };
    const commit = async ({ snapshot }: PreparedChange): Promise<void> => {
      const documents: WrittenDocument[] = [];
      for (const live of snapshot.segments)
        if (!had.has(live.segment)) documents.push(...(await runTask(documentsOf(live, settings))));
      // Versions count for the index that they were read of alone.
      const { physical } = versions === undefined ? this.under(known) : known;
      const total = documents.length;
      const onWritten = (done: number): void => onProgress?.({ done, total, phase: "writing" });
      written = await this.indexes.write(physical, documents, { signal, versions, onWritten });
    };
    const scratch = this.scratch(known, commit, bring);
    scratch.data.graph.end();
    if (versions !== undefined) {
      const documents = [...versions.values()].map(({ document }) => document);
      scratch.data.restore(await this.restore(documents, known, signal));
      for (const { segment } of scratch.data.snapshot.segments) had.add(segment);
    }
    const result = await work(scratch);
    return { result, written };
  }

  /** Changes records as they are. Those that another process changes meanwhile are read and changed again. */
  private async update(records: unknown, options: CheckedOptions): Promise<AddResult> {
    const { loaded: asRead } = this;
    const { limits } = this.context;
    const context = { settings: asRead.settings.effective, limits, skipsInvalid: options.onInvalid === "skip" };
    const reading = startTask(readPatches(records, context), options.signal);
    return this.inTurn(async (before) => {
      let patches = await reading;
      await before;
      const known = this.under(asRead);
      let [added, replaced] = [0, 0];
      let ends: number | undefined;
      for (;;) {
        // What is written is not taken back.
        const signal = added + replaced === 0 ? options.signal : undefined;
        throwIfAborted(signal);
        const own = { ...options, signal };
        const ids = [...new Set(patches.entries.map(({ id }) => id))];
        const versions = await this.indexes.versionsOf(known.physical, ids, signal);
        const work = (scratch: IndexWriter): Promise<AddResult> => scratch.updateEntries(patches, own);
        const { result, written } = await this.put(known, own, { work, versions });
        added += written.added;
        replaced += written.replaced;
        if (written.conflicts.length === 0) return { ...result, added, replaced };
        // Counted from the first conflict, because the first attempt may write many records.
        ends ??= performance.now() + this.indexes.patienceMs;
        if (performance.now() > ends) throw versionConflict(written.conflicts);
        patches = onlyOf(new Set(written.conflicts), patches, result);
        await pauseFor(Math.random() * LONGEST_PAUSE_MS, []);
        // A search sees the write of another process only after a refresh. Without one, this attempt would read the version before
        // and conflict again.
        await this.indexes.refresh(known.physical.name);
      }
    });
  }

  /** The index as it is now, if its settings are still those. Throws 409. */
  private under({ physical }: KnownIndex): KnownIndex {
    const now = this.loaded;
    if (now.physical.settings !== physical.settings) throw settingsChanged();
    return now;
  }

  /** Replaces all records by what a scratch writer makes, after the writes before. */
  private async replace<T>(
    options: Pick<CheckedOptions, "signal" | "onProgress">,
    work: (scratch: IndexWriter) => Promise<T>,
  ): Promise<T> {
    return this.inTurn((before) => this.refill(options, { work, before }));
  }

  /** Replaces all records, and the settings, by what a scratch writer makes. */
  private async refill<T>(
    { signal, onProgress }: Pick<CheckedOptions, "signal" | "onProgress">,
    { work, before, seed }: RefillWork<T>,
  ): Promise<T> {
    const known = this.loaded;
    const commit = async ({ data, snapshot }: PreparedChange): Promise<void> => {
      // A writer in memory waits for nothing before it replaces all records.
      await before;
      if (seed !== undefined && snapshot === seed.snapshot && serves(known.settings, data.settings)) {
        const kept = keptSettings(data);
        await this.indexes.keepSettings(known.physical, kept.text, signal);
        this.knows({ ...known.physical, settings: kept.text }, data);
        return;
      }
      const { physical: replaced } = seed === undefined ? this.under(known) : known;
      const total = snapshot.liveCount;
      const onWritten = (done: number): void => onProgress?.({ done, total, phase: "writing" });
      const unseen = { engine: this.context, indexes: this.indexes, signal, onWritten };
      await this.install(await UnseenIndex.of(this.name, data, unseen, snapshot), data, replaced);
    };
    const scratch = this.scratch(known, commit, before && (() => before));
    if (seed !== undefined) scratch.data.shareRecords(seed);
    scratch.data.graph.end();
    return work(scratch);
  }

  private async deleteRecords(ids: unknown, { signal }: CheckedOptions): Promise<{ deleted: number }> {
    const reading = startTask(readIds(ids, this.context.limits), signal);
    return this.inTurn(async (before) => {
      const wanted = await reading;
      await before;
      throwIfAborted(signal);
      return { deleted: await this.indexes.delete(this.loaded.physical, [...new Set(wanted)], signal) };
    });
  }

  private async deleteBy(params: unknown, { signal }: CheckedOptions): Promise<{ deleted: number }> {
    const filter = readDeletion(params, this.context.limits);
    return this.inTurn(async (before) => {
      await before;
      const now = await this.now(signal);
      const known = this.loaded;
      const { warn } = this.context;
      const ids = has(now, "catalog")
        ? await this.idsOfLarge(filter, now, known, signal)
        : await this.idsToDelete(filter, now.version(), warn, signal);
      return { deleted: await this.indexes.delete(known.physical, ids, signal) };
    });
  }

  /** The ids of the records of a version that a deletion names. */
  private async idsToDelete(
    filter: Filter,
    version: IndexVersion,
    warn: Warn,
    signal: AbortSignal | undefined,
  ): Promise<string[]> {
    const references = new ColumnReferences();
    try {
      const deletions = await runTask(docsToDelete(filter, version, references, warn), signal);
      return version.snapshot.segments.flatMap(({ segment }) =>
        (deletions.get(segment.segmentId) ?? []).map((doc) => segment.records.ids.textAt(doc)),
      );
    } finally {
      references.release(this.context.memory.columnsToKeep());
    }
  }

  /** The same of an index that is not read whole: the cluster finds the records that may be meant, and some at a time are looked at. */
  private async idsOfLarge(
    filter: Filter,
    { catalog, physical }: PartSource,
    known: KnownIndex,
    signal: AbortSignal | undefined,
  ): Promise<string[]> {
    const attributes = new KnownAttributes(catalog.written, []);
    const warned = new Set<string>();
    const warn: Warn = (warning, isFromOutside) => {
      if (warned.has(warning.message)) return;
      warned.add(warning.message);
      this.context.warn(warning, isFromOutside);
    };
    const idsIn = async (documents: readonly RecordDocument[]): Promise<string[]> => {
      const version = (await this.dataOf(documents, known, signal)).version();
      return this.idsToDelete(filter, { ...version, attributes }, warn, signal);
    };
    // Names that no record has are refused though the cluster finds nothing.
    const ids = await idsIn([]);
    const point = await this.indexes.openPoint(physical, signal);
    try {
      for await (const documents of point.documents(filterQuery(filter).query)) ids.push(...(await idsIn(documents)));
    } finally {
      await point.close();
    }
    return ids;
  }

  async updateSettings(reading: Task<IndexSettings>, options: CheckedOptions): Promise<void> {
    const read = startTask(reading, options.signal);
    read.catch(() => {}); // handled in its turn
    await this.inTurn(async (before) => {
      await before;
      const changes = await read;
      const now = await this.now(options.signal);
      const applicable = applicableChanges(changes, this.loaded, this.context);
      if (has(now, "catalog")) await this.updateLarge(applicable, options, now);
      else await this.refill(options, { work: (scratch) => scratch.updateSettings(applicable, options), seed: now });
    });
  }

  /** Changes the settings of an index that is not read whole. Where its records are to be indexed again, they are copied. */
  private async updateLarge(
    changes: IndexSettings,
    options: CheckedOptions,
    { catalog: { written } }: PartSource,
  ): Promise<void> {
    const { signal, onProgress } = options;
    const known = this.loaded;
    let changed: IndexData | undefined;
    // Without records, it tells what the settings will be.
    const scratch = this.scratch(known, async ({ data }) => {
      changed = data;
    });
    scratch.data.restore({ segments: [], written: AttributeHistory.of(written.entries()), deletedIds: [] });
    scratch.data.graph.end();
    await scratch.updateSettings(changes, { ...options, onProgress: undefined });
    if (changed === undefined) return;
    const data: IndexData = changed;
    if (indexesAlike(known.settings, data.settings) && serves(known.settings, data.settings)) {
      const kept = keptSettings(data);
      await this.indexes.keepSettings(known.physical, kept.text, signal);
      this.knows({ ...known.physical, settings: kept.text }, data);
      return;
    }
    const total = this.count;
    const onWritten = (done: number): void => onProgress?.({ done, total, phase: "writing" });
    // Limits are for what comes, not for what is there.
    const engine = { ...this.context, limits: GREATEST_LIMITS };
    const point = await this.indexes.openPoint(known.physical, signal);
    try {
      const unseen = { engine, indexes: this.indexes, signal, onWritten };
      const hasVectors = embedsAlike(known.settings, data.settings);
      const made = await UnseenIndex.copyOf(this.name, data, unseen, { point, hasVectors });
      await this.install(made, data, known.physical);
    } finally {
      await point.close();
    }
  }

  /** Gives the name to an index that was filled. */
  private async install(made: UnseenIndex, pair: SettingsPair, replaced: PhysicalIndex): Promise<void> {
    if (!(await this.indexes.swap(this.name, made.physical, replaced))) {
      await made.discard();
      throw settingsChanged();
    }
    this.knows(made.physical, pair);
  }

  /** Throws 409 where the index has other settings than those. */
  checkSettings(given: object, resolved: ResolvedSettings): Promise<void> {
    const { given: own, settings } = this.loaded;
    return runTask(checkSameSettings({ name: this.name, data: { given: own, settings } }, given, resolved));
  }

  /** The settings, and all records at one moment. */
  async openPoint(): Promise<{ readonly pair: SettingsPair; readonly point: PointInTime }> {
    return this.onLoaded(undefined, async (known) => ({
      pair: { settings: known.settings, given: known.given },
      point: await this.indexes.openPoint(known.physical),
    }));
  }

  /** A copy of the index under another name, which nobody sees yet. */
  async copied(name: string): Promise<UnseenIndex> {
    const { pair, point } = await this.openPoint();
    try {
      const unseen = { engine: this.context, indexes: this.indexes, signal: this.ending.signal };
      return await UnseenIndex.copyOf(name, pair, unseen, { point, hasVectors: true });
    } finally {
      await point.close();
    }
  }
}

/** The patches of some records, to be tried again, after a result that may have left out others. */
function onlyOf(ids: ReadonlySet<string>, { entries }: ReadRecords, result: AddResult | SkipResult): ReadRecords {
  const skipped = has(result, "skipped") ? result.skipped : [];
  return {
    entries: entries.filter(({ id }) => ids.has(id)),
    skipped: skipped.filter(({ id }) => id === undefined || !ids.has(id)),
  };
}

/** Other processes changed records again and again. */
function versionConflict(ids: readonly string[]): SearchError {
  const msg = `Other processes changed the record ${show(ids[0])} again and again during the call; call again with the records of details.recordIds, since all others were written.`;
  return new SearchError(409, "version_conflict", msg, { param: "records", details: { recordIds: ids } });
}
