// An engine whose indexes are in a cluster of OpenSearch nodes.

import { Engine, type IndexInfo } from "../api/engine.js";
import { checkIndexName, indexExists } from "../api/name-rules.js";
import { SearchIndex } from "../api/search-index.js";
import { exportLines, type ImportSource, importLines, settingsOfImport } from "../api/transfer.js";
import { EmbeddingJob } from "../embedding/remembered-vectors.js";
import { type EngineActivity, type EngineContext, engineContext } from "../index/engine-activity.js";
import {
  type CreateOptions,
  type ImportOptions,
  type ImportSkipResult,
  readOptions,
  type SkipOption,
  type SnapshotOptions,
} from "../input/call-options.js";
import { type EngineOptions, readEngineOptions } from "../input/engine-options.js";
import { contextOf, type SettingsPair, withFunctions } from "../input/extension-ids.js";
import { checkSettings, knownSettings, takeSettings } from "../input/read-settings.js";
import type { IndexSettings } from "../settings/settings.js";
import { firstOf, releaseSignal, throwIfAborted } from "../util/abort.js";
import { addBrand } from "../util/brand.js";
import { engineClosed } from "../util/errors.js";
import type { JsonRecord } from "../util/json.js";
import { endedTask, runTask, startTask } from "../util/tasks.js";
import { Cluster } from "./cluster.js";
import { ClusterIndex } from "./cluster-index.js";
import { ClusterIndexes, keptSettings, settingsChanged } from "./cluster-indexes.js";
import { ClusterNames } from "./cluster-names.js";
import { type ClusterOptions, readClusterOptions } from "./cluster-options.js";
import { UnseenIndex } from "./unseen-index.js";

/** Options of `OpenSearchEngine.open`. */
export interface OpenSearchOptions extends EngineOptions, ClusterOptions {}

/**
 * The verbs of `SearchEngine` on a cluster of OpenSearch nodes, which has the records and the settings of all indexes. Several processes
 * may have an engine of the same cluster: each sees what the others write.
 */
export class OpenSearchEngine extends Engine {
  private readonly options: EngineContext;
  private readonly indexes: ClusterIndexes;
  private readonly known = new Map<string, ClusterIndex>();
  private isClosed = false;
  private readonly ending = new AbortController();

  static {
    addBrand(OpenSearchEngine, "OpenSearchEngine");
  }

  private constructor(options: EngineContext, indexes: ClusterIndexes) {
    super();
    this.options = options;
    this.indexes = indexes;
  }

  /**
   * Opens an engine, and asks the cluster whether it is there.
   *
   * @throws SearchError 400 (options), 502 `cluster_refused`, 503 `cluster_unavailable`
   * @example
   * const engine = await OpenSearchEngine.open({ nodes: ["http://127.0.0.1:9200"] });
   * const products = await engine.createIndex("products", {}, { ifExists: "open" });
   */
  static async open(options: OpenSearchOptions): Promise<OpenSearchEngine> {
    const { address, prefix, shape, rest } = readClusterOptions(options);
    const checked = engineContext(readEngineOptions(rest));
    const cluster = new Cluster(address);
    await cluster.call({ method: "GET", path: "/", isRead: true });
    return new OpenSearchEngine(checked, new ClusterIndexes(cluster, new ClusterNames(prefix), shape));
  }

  /** @internal */
  protected get activity(): EngineActivity {
    return this.options.activity;
  }

  /** @internal */
  protected checkOpen(): void {
    if (this.isClosed) throw engineClosed();
  }

  /** The handle of an index. Whether it is there shows when something is asked of it: then it may be 404 `index_not_found`. */
  index<R extends object = JsonRecord>(name: string): SearchIndex<R> {
    return new SearchIndex<R>(this.indexOf(name));
  }

  private indexOf(name: string): ClusterIndex {
    this.checkOpen();
    let index = this.known.get(name);
    if (index === undefined) {
      checkIndexName(name, this.options.limits);
      this.indexes.checkName(name);
      // What a stranger asks for by a name is not kept, unless it is there.
      index = new ClusterIndex(name, this.options, this.indexes, () => this.known.delete(name));
      this.known.set(name, index);
    }
    return index;
  }

  async createIndex<R extends object = JsonRecord>(
    name: string,
    settings?: IndexSettings<NoInfer<R>>,
    options: CreateOptions = {},
  ): Promise<SearchIndex<R>> {
    this.checkOpen();
    const { options: engine } = this;
    checkIndexName(name, engine.limits);
    const { ifExists } = readOptions("createIndex", options);
    const taken = await startTask(takeSettings(settings));
    const given = withFunctions(taken, engine);
    const index = this.indexOf(name);
    if ((await this.indexes.find(name)) === undefined) {
      const resolved = await runTask(checkSettings(given, index.context));
      if (resolved.advice !== undefined) index.context.warn(resolved.advice);
      const pair = { settings: resolved, given: knownSettings(given) };
      const physical = await this.indexes.create(name, keptSettings(pair));
      if (physical !== undefined) {
        index.knows(physical, pair);
        return new SearchIndex<R>(index);
      }
    }
    if (ifExists === "error") {
      await runTask(checkSettings(given, index.context));
      throw indexExists(name);
    }
    index.forget();
    const known = await index.load();
    if (ifExists === "open") {
      const { tableProblem } = known.settings;
      const alike = { ...contextOf(known.settings, engine), tableProblem: () => tableProblem, warn: () => {} };
      await index.checkSettings(given, await runTask(checkSettings(given, alike)));
    } else if (Object.keys(taken).length > 0)
      await index.write({}, (checked) => index.updateSettings(endedTask(taken), checked), false);
    return new SearchIndex<R>(index);
  }

  async copyIndex(source: string, destination: string): Promise<void> {
    const from = this.indexOf(source);
    const to = this.indexOf(destination);
    if (source === destination) await from.load();
    else await this.install(to, await from.copied(destination), "replace");
  }

  /** Makes an index that nobody sees the one of a name, at once; a failure leaves none. */
  private async install(
    to: ClusterIndex,
    made: UnseenIndex,
    ifExists: "error" | "replace",
    signal?: AbortSignal,
  ): Promise<void> {
    const { physical, pair } = made;
    const { name } = to;
    let mayBeSeen = false;
    try {
      throwIfAborted(signal);
      const before = await this.indexes.find(name);
      if (before !== undefined && ifExists === "error") throw indexExists(name, "replace");
      // After no answer, it may be the one of the name.
      mayBeSeen = true;
      mayBeSeen = await this.indexes.swap(name, physical, before);
      if (!mayBeSeen) throw ifExists === "error" ? indexExists(name, "replace") : settingsChanged();
    } finally {
      if (!mayBeSeen) await made.discard();
    }
    to.knows(physical, pair);
  }

  async moveIndex(source: string, destination: string): Promise<void> {
    const from = this.indexOf(source);
    const to = this.indexOf(destination);
    from.forget();
    const { physical } = await from.load();
    if (source === destination) return;
    await this.indexes.rename(physical, source, destination, await this.indexes.find(destination));
    from.forget();
    to.forget();
  }

  async deleteIndex(name: string): Promise<void> {
    const index = this.indexOf(name);
    index.forget();
    const { physical } = await index.load();
    await this.indexes.remove(physical);
    index.forget();
  }

  async listIndexes(): Promise<IndexInfo[]> {
    this.checkOpen();
    const counts = await this.indexes.list();
    return [...counts].map(([name, records]) => ({ name, records }));
  }

  exportIndex(name: string, options: SnapshotOptions = {}): AsyncIterableIterator<string> {
    return this.exportLines(name, options);
  }

  private async *exportLines(name: string, options: SnapshotOptions): AsyncGenerator<string, void, undefined> {
    const index = this.indexOf(name);
    const { onProgress } = readOptions("snapshot", options);
    const { pair, point } = await index.openPoint();
    try {
      yield* index.untilClosed(exportLines(pair, point.pieces(), { onProgress }));
    } finally {
      await point.close();
    }
  }

  importIndex(name: string, source: ImportSource, options: ImportOptions & SkipOption): Promise<ImportSkipResult>;
  importIndex(name: string, source: ImportSource, options?: ImportOptions): Promise<{ records: number }>;
  async importIndex(name: string, source: ImportSource, options: ImportOptions = {}): Promise<{ records: number }> {
    const index = this.indexOf(name);
    const { ifExists, signal, onProgress, format, settings: given, onInvalid } = readOptions("importIndex", options);
    const { signal: stop, end } = firstOf(signal === undefined ? [this.ending.signal] : [signal, this.ending.signal]);
    const job = new EmbeddingJob();
    try {
      if (ifExists === "error" && (await this.indexes.find(name)) !== undefined) throw indexExists(name, "replace");
      const { options: engine, indexes } = this;
      const unseen = { engine: index.context, indexes, signal: stop, job };
      const begin = (pair: SettingsPair): Promise<UnseenIndex> => UnseenIndex.make(name, pair, unseen);
      const settings = await settingsOfImport(format, given, index.context);
      const { target, result } = await importLines(source, {
        ...{ engine, stop, onProgress, begin, settings, onInvalid },
      });
      await this.install(index, target, ifExists, stop);
      job.end();
      return result;
    } finally {
      end();
      releaseSignal(signal);
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.ending.abort(engineClosed());
    for (const index of this.known.values()) index.end(engineClosed());
    this.known.clear();
  }
}
