// An engine whose indexes are kept by a cluster of OpenSearch nodes. Each process that opens one has all of them in memory, or in a folder,
// answers by itself, and follows what the others write.

import type { IndexInfo } from "../api/engine.js";
import { Following } from "../api/following.js";
import { IndexRegistry } from "../api/index-registry.js";
import { LiveIndex } from "../api/live-index.js";
import { checkIndexName, notFound } from "../api/name-rules.js";
import { type NewSettings, SearchEngine } from "../api/search-engine.js";
import { SearchIndex } from "../api/search-index.js";
import type { ImportSource } from "../api/transfer.js";
import { type EngineContext, engineContext } from "../index/engine-activity.js";
import type { ImportOptions, ImportSkipResult, ReplaceOptions, SkipOption } from "../input/call-options.js";
import { type EngineOptions, readEngineOptions } from "../input/engine-options.js";
import { readSettingsText, type SettingsPair } from "../input/extension-ids.js";
import { checkSettings } from "../input/read-settings.js";
import { addBrand } from "../util/brand.js";
import { SearchError } from "../util/errors.js";
import { storageWarning } from "../util/extension-points.js";
import type { JsonRecord } from "../util/json.js";
import { show } from "../util/show.js";
import { runTask } from "../util/tasks.js";
import { Cluster, unavailable } from "./cluster.js";
import { damaged, foreignRecords, type RecordDocument } from "./cluster-documents.js";
import { ClusterIndexes, type ListedIndex, type SettingsDocument, settingsChanged } from "./cluster-indexes.js";
import { ClusterNames, documentIdOf, tokenOf } from "./cluster-names.js";
import { type ClusterOptions, readClusterOptions } from "./cluster-options.js";
import { ClusterStore, clusterId, KeptIndex } from "./cluster-store.js";
import { LocalCopy } from "./local-copy.js";

/** Options of `OpenSearchEngine.open`. */
export interface OpenSearchOptions extends EngineOptions, ClusterOptions {}

/** So many characters of records are indexed at once when an index is loaded. */
const LOADED_AT_ONCE = 2 ** 25;

/** An index that was read from the cluster, before anyone sees it. */
interface LoadedIndex {
  readonly live: LiveIndex;
  readonly kept: KeptIndex;
}

/** A look at the names of all indexes. */
interface Look {
  /** By the clock of the store. */
  readonly time: number;
  readonly listed: ReadonlyMap<string, ListedIndex>;
}

/** `SearchEngine` without what it has besides its verbs: this engine is opened in another way. */
const Base: new () => SearchEngine = SearchEngine;

/**
 * An engine as `SearchEngine`, whose indexes are kept by a cluster of OpenSearch nodes. Several processes may have an engine of the same
 * cluster, and each may write: each has all indexes, and sees what the others write soon after it.
 */
export class OpenSearchEngine extends Base {
  private readonly cluster: ClusterIndexes;
  private readonly names: ClusterNames;
  private readonly local: LocalCopy | undefined;
  private readonly shared: ClusterStore;
  private readonly looking: Following;
  /** Stands behind the handles of indexes that this engine does not have yet. */
  private unknown: LiveIndex | undefined;

  static {
    addBrand(OpenSearchEngine, "OpenSearchEngine");
  }

  private constructor(
    options: EngineContext,
    {
      cluster,
      names,
      local,
      id,
      tombstoneMs,
    }: {
      readonly cluster: ClusterIndexes;
      readonly names: ClusterNames;
      readonly local: LocalCopy | undefined;
      readonly id: string;
      readonly tombstoneMs: number;
    },
  ) {
    super();
    this.options = options;
    this.cluster = cluster;
    this.names = names;
    this.local = local;
    this.shared = new ClusterStore({
      ...{ indexes: cluster, names, cluster: id, local, tombstoneMs },
      catchUp: (name) => this.catchUp(name),
      catchUpInTurn: (name) => this.inTurn(name, () => this.catchUp(name)),
    });
    this.store = this.shared;
    this.indexes = new IndexRegistry(this.shared);
    const look = (): Promise<void> => this.look();
    const hasReached = (position: string): boolean => this.shared.hasReached(position);
    this.looking = new Following({ what: "cluster", look, hasReached }, options.warn);
    this.following = this.looking;
  }

  /**
   * Opens an engine, and loads all indexes of the cluster; from `dataDir` only what changed since. Where the cluster answers and its
   * indexes cannot be read at the moment, the engine tries again, and its verbs are 503 until then.
   *
   * @throws SearchError 400 (options), 409 `storage_locked` (`dataDir`), 502 `cluster_refused`, 503 `cluster_unavailable`
   * @example
   * const engine = await OpenSearchEngine.open({ nodes: ["http://127.0.0.1:9200"] });
   * const products = await engine.createIndex("products", {}, { ifExists: "open" });
   */
  static async open(options: OpenSearchOptions): Promise<OpenSearchEngine> {
    const { address, prefix, rest, replicas, dataDir, refreshIntervalMs, tombstoneMs } = readClusterOptions(options);
    const checked = engineContext(readEngineOptions(rest));
    const names = new ClusterNames(prefix);
    const cluster = new ClusterIndexes(new Cluster(address), names, replicas);
    const id = clusterId(await cluster.greet(), prefix);
    const local = dataDir === undefined ? undefined : await LocalCopy.open(dataDir, id, checked.warn);
    const engine = new OpenSearchEngine(checked, { cluster, names, local, id, tombstoneMs });
    try {
      await engine.begin();
    } catch (error) {
      await engine.close();
      throw error;
    }
    if (refreshIntervalMs > 0) engine.looking.start(refreshIntervalMs);
    return engine;
  }

  private async begin(): Promise<void> {
    const settings = await runTask(checkSettings({}, { ...this.options, warn: () => {} }));
    this.unknown = new LiveIndex({ ...this.options, settings, given: {}, name: "" });
    try {
      await this.look();
    } catch (cause) {
      if (!(cause instanceof SearchError) || cause.code !== 503) throw cause;
      this.options.warn(storageWarning("The cluster's indexes could not be read; it will be tried again.", cause));
    }
  }

  /**
   * The handle of an index. One that this engine does not have yet is looked for in the cluster when it is asked for something: if it is not
   * there, that is 404 `index_not_found`.
   */
  override index<R extends object = JsonRecord>(name: string): SearchIndex<R> {
    this.checkOpen();
    if (this.indexes.find(name) !== undefined || !isIndexName(name, this.options.limits)) return super.index<R>(name);
    const known = (): SearchIndex<R> | undefined =>
      this.indexes.find(name) === undefined ? undefined : super.index<R>(name);
    const find = async (): Promise<SearchIndex<R>> => {
      await this.refresh();
      return super.index<R>(name);
    };
    return new UnseenIndex<R>(this.unknown!, name, { known, find });
  }

  /** @internal */
  protected override async makeOrOpen<R extends object>(
    name: string,
    ifExists: "error" | "open" | "update",
    settings: NewSettings,
  ): Promise<SearchIndex<R>> {
    this.names.check(name);
    return this.onNames(() => super.makeOrOpen<R>(name, ifExists, settings));
  }

  override async copyIndex(source: string, destination: string): Promise<void> {
    return this.onNames(() => super.copyIndex(source, this.checked(destination)));
  }

  override async moveIndex(source: string, destination: string): Promise<void> {
    return this.onNames(() => super.moveIndex(source, this.checked(destination)));
  }

  override async deleteIndex(name: string): Promise<void> {
    return this.onNames(() => super.deleteIndex(name));
  }

  override async listIndexes(): Promise<IndexInfo[]> {
    return this.onNames(() => super.listIndexes());
  }

  override importIndex(
    name: string,
    source: ImportSource,
    options: ImportOptions & SkipOption,
  ): Promise<ImportSkipResult>;
  override importIndex(name: string, source: ImportSource, options?: ImportOptions): Promise<{ records: number }>;
  override async importIndex(
    name: string,
    source: ImportSource,
    options: ImportOptions = {},
  ): Promise<{ records: number }> {
    const given = { ...options };
    await this.looking.refresh({ atLeast: undefined, timeoutMs: undefined, signal: undefined });
    return super.importIndex(this.checked(name), source, given);
  }

  override async readSnapshot(
    name: string,
    source: string | Uint8Array,
    options: ReplaceOptions = {},
  ): Promise<{ records: number }> {
    return this.onNames(() => super.readSnapshot(this.checked(name), source, options));
  }

  private checked(name: string): string {
    if (typeof name === "string") this.names.check(name);
    return name;
  }

  /** Does what depends on which index has which name: again, if another process changes that meanwhile. */
  private async onNames<T>(work: () => Promise<T>): Promise<T> {
    const ends = performance.now() + this.cluster.patienceMs;
    for (;;) {
      this.checkOpen();
      await this.looking.refresh({ atLeast: undefined, timeoutMs: undefined, signal: undefined });
      try {
        return await work();
      } catch (error) {
        if (!isOutrun(error) || performance.now() > ends) throw error;
      }
    }
  }

  /** Shows what all other engines wrote by now. */
  private async look(): Promise<void> {
    const time = this.shared.tick();
    const listed = await this.cluster.list();
    const look = { time, listed };
    const captured = await this.captureRenamed(look);
    if (this.local !== undefined) await this.local.keepOnly(new Set([...listed.values()].map((each) => each.physical)));
    const followed = await Promise.allSettled(
      [...listed].map(([name, found]) => this.follow(name, found, look, captured.get(found.physical))),
    );
    for (const index of this.indexes.known()) {
      const kept = this.shared.find(index.name);
      if (listed.has(index.name) || kept === undefined || kept.since >= time) continue;
      this.shared.forget(index.name);
      void this.indexes.drop(index);
    }
    this.shared.listed = new Set([...listed].map(([name, { physical }]) => tokenOf(name, physical)));
    const failed = followed.find((each) => each.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }

  /** The indexes that have another name by now, as they are, by physical index. */
  private async captureRenamed({ listed, time }: Look): Promise<ReadonlyMap<string, LoadedIndex>> {
    const captured = new Map<string, LoadedIndex>();
    for (const index of this.indexes.known()) {
      const kept = this.shared.find(index.name);
      const isElsewhere = [...listed].some(
        ([name, { physical }]) => physical === kept?.physical && name !== index.name,
      );
      if (!isElsewhere || kept === undefined || kept.since >= time || kept.problem !== undefined) continue;
      await index.whenLoaded();
      await index.writer.scheduler.betweenTurns(() => {
        const live = index.emptyCopy(index.name, undefined);
        live.data.graph.end();
        live.writer.replace(live.writer.copyOf(index.writer));
        captured.set(kept.physical, { live, kept: kept.renamed(time) });
      });
    }
    return captured;
  }

  /** Brings the index of a name to what a look found. */
  private async follow(
    name: string,
    { physical, checkpoint }: ListedIndex,
    { time }: Look,
    captured: LoadedIndex | undefined,
  ): Promise<void> {
    const isOver = (): boolean => (this.shared.find(name)?.since ?? -1) >= time;
    const kept = this.shared.find(name);
    if (isOver()) return;
    if (kept?.physical === physical && kept.problem === undefined) {
      if (checkpoint === undefined) throw noShard(physical);
      if (kept.position < checkpoint)
        await this.inTurn(name, () => this.applyChanges(name, this.shared.find(name), checkpoint));
      return;
    }
    const index = this.indexes.find(name);
    if (index === undefined && captured === undefined && (await this.restore(name, physical, time))) {
      await this.inTurn(name, () => this.catchUp(name));
      return;
    }
    let loaded: LoadedIndex;
    try {
      loaded = captured ?? (await this.load(name, physical, time));
    } catch (error) {
      if (!(error instanceof SearchError) || error.code === 503 || error.error === "settings_changed") throw error;
      if (kept?.physical !== physical && !isOver()) await this.showProblem(name, physical, tooLarge(name, error), time);
      return;
    }
    const take = async (target: LiveIndex): Promise<void> => {
      if (isOver()) return;
      this.shared.keep(name, loaded.kept);
      await target.writer.applyWhole(loaded.live.writer);
    };
    if (index !== undefined && kept?.problem === undefined)
      await index.writer.scheduler.replace(undefined, undefined, () => take(index));
    else {
      const made = new LiveIndex({ ...this.contextOf(loaded.live.data), name });
      await take(made);
      if (index !== undefined) void this.indexes.drop(index);
      if (this.shared.find(name) === loaded.kept) this.indexes.set(name, made);
    }
    await loaded.live.end(notFound(name));
    if (captured !== undefined) await this.inTurn(name, () => this.catchUp(name));
  }

  private contextOf(pair: SettingsPair): Omit<ConstructorParameters<typeof LiveIndex>[0], "name"> {
    const { settings, given } = pair;
    return { ...this.options, settings, given, store: this.shared, patience: this.indexes.patience };
  }

  /** Shows an index that cannot be read: it can only be deleted, or replaced as a whole. */
  private async showProblem(name: string, physical: string, problem: SearchError, since: number): Promise<void> {
    const settings: SettingsDocument = { seqNo: -1, primaryTerm: 0, tags: [], text: "", forgotten: 0 };
    this.shared.keep(name, new KeptIndex(physical, { settings, position: -1, since, problem }));
    const load = (): Promise<never> => Promise.reject(problem);
    const take = await this.prepareRestored({ name, settings: problem, isFresh: true, recordCount: 0, load });
    const index = this.indexes.find(name);
    if (index !== undefined) void this.indexes.drop(index);
    take();
  }

  /** Takes an index from the local copy; false: it is not there. */
  private async restore(name: string, physical: string, since: number): Promise<boolean> {
    const found = this.local?.take(physical);
    if (found === undefined) return false;
    const { stored, position } = found;
    const pair = await runTask(readSettingsText(stored.settings as string, this.options));
    const now = await this.cluster.settingsOf(physical);
    const isSame = now.text === stored.settings;
    const settings = isSame ? now : { ...now, text: stored.settings as string, seqNo: -1 };
    this.shared.keep(name, new KeptIndex(physical, { settings, position, since }));
    this.indexes.set(name, LiveIndex.restored({ ...this.contextOf(pair), name }, stored));
    return true;
  }

  /** Reads an index from the cluster. */
  private async load(name: string, physical: string, since: number): Promise<LoadedIndex> {
    const upTo = await this.cluster.checkpointOf(physical);
    let live: LiveIndex | undefined;
    let settings: SettingsDocument | undefined;
    let waiting: RecordDocument[] = [];
    let characters = 0;
    try {
      const apply = async (): Promise<void> => {
        const index = live!;
        const records = readForeign(waiting, index);
        waiting = [];
        characters = 0;
        await index.writer.scheduler.write(undefined, undefined, () => index.writer.applyRecords(records));
      };
      for await (const changes of this.cluster.changes(physical, { after: -1, upTo })) {
        if (live === undefined) {
          settings = changes.settings ?? (await this.cluster.settingsOf(physical));
          const pair = await this.readSettings(settings);
          live = new LiveIndex({ ...this.options, ...pair, name, warn: () => {} });
          live.data.graph.end();
        }
        for (const { document } of changes.documents) {
          if (document.json === undefined) continue;
          waiting.push(document);
          characters += document.json.length + (document.vector?.length ?? 0);
        }
        if (characters > LOADED_AT_ONCE) await apply();
      }
      await apply();
      return { live: live!, kept: new KeptIndex(physical, { settings: settings!, position: upTo, since }) };
    } catch (error) {
      await live?.end(notFound(name));
      throw error;
    }
  }

  private async readSettings({ text }: SettingsDocument): Promise<SettingsPair> {
    try {
      return await runTask(readSettingsText(text, this.options));
    } catch (cause) {
      throw cause instanceof SearchError ? cause : damaged(cause);
    }
  }

  /** Runs a step between the writes of an index. */
  private async inTurn(name: string, work: () => Promise<void>): Promise<void> {
    const index = this.indexes.find(name);
    if (index !== undefined) await index.writer.scheduler.write(undefined, undefined, work);
  }

  /** Applies what other engines wrote to an index by now, in a turn of it: also that another one has its name. */
  private async catchUp(name: string): Promise<void> {
    const kept = this.shared.find(name);
    const found = await this.cluster.find(name);
    const index = this.indexes.find(name);
    if (index === undefined || kept === undefined || found === undefined) throw settingsChanged();
    if (found.physical === kept.physical) return this.applyChanges(name, kept, found.checkpoint);
    const { live, kept: fresh } = await this.load(name, found.physical, this.shared.tick());
    this.shared.keep(name, fresh);
    await index.writer.applyWhole(live.writer);
    await live.end(notFound(name));
  }

  /** Applies the operations up to a checkpoint, in a turn. */
  private async applyChanges(name: string, kept: KeptIndex | undefined, upTo: number | undefined): Promise<void> {
    const index = this.indexes.find(name);
    if (upTo === undefined) throw noShard(name);
    if (index === undefined || kept === undefined || kept.position >= upTo) return;
    const { writer } = index;
    for await (const { documents, settings } of this.cluster.changes(kept.physical, {
      ...{ after: kept.position, upTo, notBy: kept.by },
    })) {
      if (settings !== undefined && settings.forgotten > kept.position) return this.loadAnew(index, kept);
      if (settings !== undefined && settings.seqNo !== kept.settings.seqNo) {
        if (settings.text !== kept.settings.text) await writer.applySettings(await this.readSettings(settings));
        kept.settings = settings;
      }
      const fresh = documents.filter(({ seqNo, document }) => !kept.has(documentIdOf(document.id), seqNo));
      await writer.applyRecords(
        readForeign(
          fresh.map(({ document }) => document),
          index,
        ),
      );
    }
    kept.reach(upTo);
    this.shared.save();
  }

  /** Loads an index of which this engine has missed deletions that are not told any more; in a turn. */
  private async loadAnew({ name, writer }: LiveIndex, { physical }: KeptIndex): Promise<void> {
    const { live, kept } = await this.load(name, physical, this.shared.tick());
    this.shared.keep(name, kept);
    await writer.applyWhole(live.writer);
    await live.end(notFound(name));
  }
}

/** What documents say, as an index takes it. */
function readForeign(documents: readonly RecordDocument[], { settings }: LiveIndex): ReturnType<typeof foreignRecords> {
  return foreignRecords(documents, settings.effective);
}

function isIndexName(name: unknown, limits: EngineContext["limits"]): boolean {
  try {
    checkIndexName(name, limits);
    return true;
  } catch {
    return false;
  }
}

/** How the handle of an index is found. */
interface UnseenLook<R extends object> {
  readonly known: () => SearchIndex<R> | undefined;
  readonly find: () => Promise<SearchIndex<R>>;
}

/** The handle of an index that this engine does not have yet: each verb looks for it first. */
class UnseenIndex<R extends object> extends SearchIndex<R> {
  private readonly ownName: string;
  private readonly looking: UnseenLook<R>;

  constructor(unknown: LiveIndex, name: string, looking: UnseenLook<R>) {
    super(unknown);
    this.ownName = name;
    this.looking = looking;
  }

  override get name(): string {
    return this.ownName;
  }

  override get recordCount(): number {
    return this.looking.known()?.recordCount ?? 0;
  }

  override async *browseRecords(): AsyncGenerator<R, void, undefined> {
    yield* (await this.found()).browseRecords();
  }

  private async found(): Promise<SearchIndex<R>> {
    return this.looking.known() ?? (await this.looking.find());
  }

  static {
    const { prototype } = SearchIndex;
    for (const verb of Object.getOwnPropertyNames(prototype)) {
      const { value } = Object.getOwnPropertyDescriptor(prototype, verb)!;
      if (typeof value !== "function" || Object.hasOwn(UnseenIndex.prototype, verb)) continue;
      const ask = async function (this: UnseenIndex<object>, ...args: readonly unknown[]): Promise<unknown> {
        return Reflect.apply(value, await this.found(), args);
      };
      Object.defineProperty(UnseenIndex.prototype, verb, { value: ask, writable: true, configurable: true });
    }
  }
}

/** Another process changed names, or made an index, at the same time. */
function isOutrun(error: unknown): boolean {
  return error instanceof SearchError && error.error === "settings_changed";
}

function noShard(physical: string): SearchError {
  return unavailable(new Error(`The primary shard of ${physical} is not started.`));
}

function tooLarge(name: string, error: SearchError): SearchError {
  if (error.code !== 507) return error;
  const msg = `The index ${show(name)} does not fit this process (see cause): raise limits.maxMemory, or limits.indexRecords, or keep it where there is more memory.`;
  return new SearchError(507, error.error, msg, { cause: error });
}
