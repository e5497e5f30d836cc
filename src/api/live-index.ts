// One index at work, for records of any type: its methods, on top of the current data and the write scheduler.

import type { AddResult } from "../index/add-records.js";
import {
  type AddOptions,
  type CallOptions,
  type CheckedOptions,
  readOptions,
  type UpdateOptions,
} from "../index/call-options.js";
import { readDeletion } from "../index/delete-by.js";
import { digestContent } from "../index/digest-content.js";
import type { CheckedEngineOptions } from "../index/engine-options.js";
import { estimateMemory, type MemoryEstimate } from "../index/estimate-memory.js";
import type { IndexData } from "../index/index-data.js";
import { IndexWriter } from "../index/index-writer.js";
import { readBatch, readPatches } from "../index/read-batch.js";
import { readId, readIds } from "../index/read-ids.js";
import { browseRecords, recordsById, storedEntries } from "../index/read-records.js";
import type { WrittenEntry } from "../index/record-table.js";
import { effectiveSettings } from "../index/semantic-floor.js";
import { mergePatches } from "../index/update-records.js";
import { shareTurn, WriteScheduler } from "../index/write-scheduler.js";
import { checkParams, type ParamsContext } from "../search/check-params.js";
import { type FacetHits, searchForFacetValues } from "../search/facet-search.js";
import type { SearchAnswer } from "../search/response.js";
import { type QueryContext, runQuery } from "../search/search.js";
import { type Absence, whyNot } from "../search/why-not.js";
import { checkSettings } from "../settings/check-settings.js";
import { copySettings, knownSettings } from "../settings/copy-settings.js";
import type { EffectiveSettings, IndexSettings, ResolvedSettings } from "../settings/settings.js";
import type { SearchError } from "../util/errors.js";
import type { JsonRecord } from "../util/json.js";
import { runTask } from "../util/tasks.js";
import { notFound } from "./name-rules.js";

/** What an engine passes to each of its indexes. */
export interface IndexContext extends CheckedEngineOptions {
  readonly name: string;
  readonly settings: ResolvedSettings;
  /** The settings as the caller passed them. */
  readonly given: IndexSettings;
}

/** The index behind all its handles; `SearchIndex` documents the methods. */
export class LiveIndex {
  /** The name of the index. */
  readonly name: string;
  private readonly context: IndexContext;
  private readonly scheduler: WriteScheduler;
  private readonly writer: IndexWriter;
  private pending = false;

  /** @internal */
  constructor(context: IndexContext) {
    this.name = context.name;
    this.context = context;
    this.scheduler = new WriteScheduler(() => this.writer.merge());
    this.writer = new IndexWriter(context, this.scheduler);
    context.memory.add(this.writer);
  }

  /** The number of live records. */
  get recordCount(): number {
    return this.data.snapshot.liveCount;
  }

  async addRecords(records: readonly object[], options: AddOptions = {}): Promise<AddResult> {
    const checked = this.readOptions(options);
    // Reading and queueing begin before the first await, so calls take effect in the order in which they were made.
    const { settings } = this.data;
    const reading = runTask(readBatch(records, this.readContext()), checked.signal);
    return this.scheduler.write(reading, checked.signal, (entries, stop) => {
      this.writer.checkSame(settings);
      return this.writer.put(entries, { ...checked, signal: stop });
    });
  }

  async updateRecords(records: readonly object[], options: UpdateOptions = {}): Promise<AddResult> {
    const checked = this.readOptions(options);
    const { settings } = this.data;
    const reading = runTask(readPatches(records, this.readContext()), checked.signal);
    return this.scheduler.write(reading, checked.signal, async (patches, stop) => {
      this.writer.checkSame(settings);
      const merged = mergePatches(patches, this.data.snapshot, checked.createIfNotExists, this.readContext());
      return this.writer.put(await runTask(merged, stop), { ...checked, signal: stop });
    });
  }

  async replaceAllRecords(records: readonly object[], options: AddOptions = {}): Promise<AddResult> {
    const checked = this.readOptions(options);
    const reading = runTask(readBatch(records, this.readContext()), checked.signal);
    const { settings } = this.data;
    return this.scheduler.write(reading, checked.signal, async (entries, stop) => {
      this.writer.checkSame(settings);
      const added = await this.writer.rebuild(entries, { ...checked, signal: stop });
      return { added, replaced: 0 };
    });
  }

  async deleteRecords(ids: readonly (string | number)[], options: CallOptions = {}): Promise<{ deleted: number }> {
    const { signal } = this.readOptions(options);
    const wanted = readIds(ids, this.context.limits);
    return this.scheduler.write(undefined, signal, (_, stop) => this.writer.deleteIds(wanted, stop));
  }

  async deleteBy(params: unknown, options: CallOptions = {}): Promise<{ deleted: number }> {
    const { signal } = this.readOptions(options);
    const filter = readDeletion(params, this.context.limits);
    return this.scheduler.write(undefined, signal, (_, stop) => this.writer.deleteMatching(filter, stop));
  }

  async getRecords(ids: readonly (string | number)[]): Promise<(JsonRecord | null)[]> {
    this.check();
    return runTask(recordsById(this.data.snapshot, readIds(ids, this.context.limits)));
  }

  browseRecords(): AsyncIterableIterator<JsonRecord> {
    this.check();
    return browseRecords(this.data.snapshot);
  }

  async clearIndex(): Promise<void> {
    return this.scheduler.write(undefined, undefined, async () =>
      this.writer.replace(this.writer.newData(this.data.settings, this.data)),
    );
  }

  async getSettings(): Promise<{ readonly settings: IndexSettings; readonly effective: EffectiveSettings }> {
    this.check();
    const { writer, context } = this;
    return { settings: copySettings(writer.given), effective: await effectiveSettings(writer.data, context.warn) };
  }

  async digest(options: CallOptions = {}): Promise<string> {
    this.check();
    const { signal } = this.readOptions(options);
    const { snapshot, settings } = this.data;
    return runTask(digestContent(snapshot, settings.effective), signal);
  }

  async estimate(): Promise<MemoryEstimate> {
    this.check();
    const { snapshot, graph } = this.data;
    return estimateMemory({ segments: snapshot.segments.map((live) => live.segment), graphBytes: graph.bytes });
  }

  async updateSettings(settings: IndexSettings, options: AddOptions = {}): Promise<void> {
    const checked = this.readOptions(options);
    const changes = copySettings(settings);
    await this.scheduler.write(undefined, checked.signal, async (_, stop) => {
      const { data, writer } = this;
      const given = { ...writer.given, ...changes };
      const settings = checkSettings(given, this.context);
      const entries = storedEntries(data.snapshot, settings.effective, this.context.limits);
      const read = (): Promise<readonly WrittenEntry[]> => runTask(entries, stop);
      await writer.applySettings({ settings, given: knownSettings(given) }, read, { ...checked, signal: stop });
    });
  }

  async query(params: unknown, options: CallOptions = {}): Promise<SearchAnswer> {
    const context = this.queryContext(options);
    return runQuery(checkParams(params, this.paramsContext()), context);
  }

  async searchForFacetValues(params: unknown, options: CallOptions = {}): Promise<FacetHits> {
    return searchForFacetValues(params, this.paramsContext(), this.queryContext(options));
  }

  async whyNot(params: unknown, id: string | number): Promise<Absence> {
    const context = this.queryContext({});
    return whyNot(checkParams(params, this.paramsContext()), readId(id, this.context.limits), context);
  }

  async whenIdle(): Promise<void> {
    await this.scheduler.idle();
    await this.data.graph.idle();
  }

  /** Ends the index: running calls are aborted, later ones throw `reason`. @internal */
  async end(reason: SearchError): Promise<void> {
    this.scheduler.end(reason);
    await this.whenIdle();
    this.data.graph.dispose();
    this.context.memory.remove(this.writer);
  }

  get settings(): ResolvedSettings {
    return this.data.settings;
  }

  /** An empty index of another name with the same settings. It is pending, and not visible, until records are swapped in. */
  sibling(name: string): LiveIndex {
    const { settings } = this.data;
    const sibling = new LiveIndex({ ...this.context, name, settings, given: this.writer.given });
    sibling.pending = true;
    return sibling;
  }

  /** False while the index is pending. */
  get isThere(): boolean {
    return !this.pending;
  }

  /**
   * Replaces settings and records of `target` with those of this index. It joins the write queues of both at once, so that
   * calls take effect in their order and cannot deadlock. With `reason`, this index then ends, and waiting writes throw it.
   */
  async swapInto(target: LiveIndex, reason?: SearchError): Promise<void> {
    await shareTurn(this.scheduler, target.scheduler, async () => {
      target.writer.copyFrom(this.writer);
      target.pending = false;
      if (reason !== undefined) this.scheduler.end(reason);
    });
  }

  private get data(): IndexData {
    return this.writer.data;
  }

  /** For reads; writes may be queued while the index is still pending. */
  private check(): void {
    this.scheduler.check();
    if (this.pending) throw notFound(this.name);
  }

  private readOptions(options: unknown): CheckedOptions {
    this.scheduler.check();
    return readOptions(options);
  }

  private readContext(): Parameters<typeof readBatch>[1] {
    return { settings: this.data.settings.effective, limits: this.context.limits };
  }

  private paramsContext(): ParamsContext {
    const { limits, strict, warn } = this.context;
    return { limits, strict, warn, dimensions: this.data.settings.effective.dimensions };
  }

  private queryContext(options: CallOptions): QueryContext {
    const started = performance.now();
    this.check();
    const { signal } = this.readOptions(options);
    const { limits, warn, memory } = this.context;
    const version = (): ReturnType<IndexData["version"]> => this.data.version();
    return { name: this.name, limits, signal, warn, memory, version, started };
  }
}
