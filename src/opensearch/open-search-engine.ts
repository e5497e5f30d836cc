// An engine whose indexes are kept by a cluster of OpenSearch nodes. Each process that opens one has all of them in memory, or in a folder,
// answers by itself, and follows what the others write; but for those that the cluster searches, of which it has the settings alone.

import { Following } from "../api/following.js";
import { LiveIndex } from "../api/live-index.js";
import { checkIndexName, isIndexName, notFound } from "../api/name-rules.js";
import { IndexRegistry, SearchEngine } from "../api/search-engine.js";
import { type SearchIndex, UnseenIndex } from "../api/search-index.js";
import type { CreateOptions, SnapshotOptions } from "../input/call-options.js";
import { type EngineOptions, readEngineOptions } from "../input/engine-options.js";
import { readSettingsText, type SettingsPair } from "../input/extension-ids.js";
import { checkSettings } from "../input/read-settings.js";
import type { IndexSettings } from "../settings/settings.js";
import { type EngineContext, engineContext } from "../state/engine-activity.js";
import type { Segment } from "../state/segment.js";
import { LocalCopy } from "../storage/local-copy.js";
import { addBrand } from "../util/brand.js";
import { SearchError, show } from "../util/errors.js";
import { type SearchWarning, storageWarning } from "../util/extension-points.js";
import type { JsonRecord } from "../util/json.js";
import { GREATEST_LIMITS } from "../util/limits.js";
import { runTask } from "../util/tasks.js";
import { IndexWriter } from "../write/writer.js";
import { damaged, foreignRecords, type RecordDocument, type SettingsDocument, sizeOf } from "./cluster-documents.js";
import {
  ClusterIndexes,
  isSettingsChanged,
  type ListedIndex,
  noShard,
  operationsOf,
  settingsChanged,
} from "./cluster-indexes.js";
import { tokenOf } from "./cluster-names.js";
import {
  type ClusterOptions,
  type FormOption,
  readClusterOptions,
  readForm,
  type SearchForm,
} from "./cluster-options.js";
import { askedForm, ClusterStore, type ClusterStoreContext, clusterId, KeptIndex } from "./cluster-store.js";
import { cannot } from "./remote-documents.js";
import { RemoteIndex } from "./remote-index.js";
import { RemoteSearch } from "./remote-search.js";

/** Options of `OpenSearchEngine.open`. */
export interface OpenSearchOptions extends EngineOptions, ClusterOptions {}

/** So many characters of records are indexed at once when an index is loaded. */
const LOADED_AT_ONCE = 2 ** 25;

/** An index that was read from the cluster, before anyone sees it. */
interface LoadedIndex {
  readonly live: LiveIndex;
  readonly kept: KeptIndex;
}

/** `SearchEngine` without what it has besides its verbs: this engine is opened in another way. */
const Base: new () => SearchEngine = SearchEngine;

/**
 * An engine as `SearchEngine`, whose indexes are kept by a cluster of OpenSearch nodes. Several processes may have an engine of the same
 * cluster, and each may write: each has all indexes, and sees what the others write soon after it.
 */
export class OpenSearchEngine extends Base {
  private readonly local: LocalCopy | undefined;
  private readonly inCluster: ClusterStore;
  private readonly searches = new WeakMap<LiveIndex, RemoteSearch>();
  /** Why the last look could not show one of the indexes. */
  private failure: unknown;
  /** Stands behind the handles of indexes that this engine does not have yet. */
  private unknown: LiveIndex | undefined;

  static {
    addBrand(OpenSearchEngine, "OpenSearchEngine");
  }

  private constructor(options: EngineContext, parts: Pick<ClusterStoreContext, "indexes" | "cluster" | "local">) {
    super();
    this.options = options;
    this.local = parts.local;
    this.inCluster = new ClusterStore({
      ...parts,
      catchUp: (name, ids, isWhole) => this.catchUp(name, ids, isWhole),
      catchUpInTurn: (name) => this.inTurn(name, () => this.catchUp(name)),
      settingsOf: (name) => this.indexes.get(name).settings,
      readSettings: (text) => this.readSettings(text),
      segmentsOf: (documents, pair) => this.segmentsOf(documents, pair),
    });
    this.shared = this.inCluster;
    this.store = parts.local?.store;
    this.indexes = new IndexRegistry(this.inCluster);
    const look = (): Promise<void> => this.again(() => this.look());
    const hasReached = (position: string): boolean => this.inCluster.hasReached(position);
    this.following = new Following({ what: "cluster", look, hasReached }, options.warn);
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
    const read = readClusterOptions(options);
    const { prefix, rest, dataDir, refreshIntervalMs } = read;
    const checked = engineContext(readEngineOptions(rest));
    const indexes = new ClusterIndexes(read);
    const cluster = clusterId(await indexes.greet(), prefix);
    const local = dataDir === undefined ? undefined : await LocalCopy.open(dataDir, cluster, checked.warn);
    const engine = new OpenSearchEngine(checked, { indexes, cluster, local });
    try {
      await engine.begin();
    } catch (error) {
      await engine.close();
      throw error;
    }
    if (refreshIntervalMs > 0) engine.following!.start(refreshIntervalMs);
    return engine;
  }

  private async begin(): Promise<void> {
    const settings = await runTask(checkSettings({}, { ...this.options, warn: () => {} }));
    this.unknown = new LiveIndex({ ...this.options, settings, given: {}, name: "" });
    try {
      await this.again(() => this.look());
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
    if (this.indexes.find(name) !== undefined || !isIndexName(name, this.options.limits)) return this.handle<R>(name);
    const known = (): SearchIndex<R> | undefined =>
      this.indexes.find(name) === undefined ? undefined : this.handle<R>(name);
    const find = async (): Promise<SearchIndex<R>> => {
      await this.refresh();
      return this.handle<R>(name);
    };
    return new UnseenIndex<R>(this.unknown!, name, { known, find });
  }

  /** The handle of an index that this engine has. */
  private handle<R extends object = JsonRecord>(name: string): SearchIndex<R> {
    return this.isRemote(name) ? this.remote<R>(this.indexes.get(name)) : super.index<R>(name);
  }

  private remote<R extends object>(live: LiveIndex): RemoteIndex<R> {
    const search = this.searches.get(live) ?? new RemoteSearch(live, this.inCluster);
    this.searches.set(live, search);
    return new RemoteIndex<R>(live, this.inCluster, search);
  }

  /** Whether the cluster searches an index. */
  private isRemote(name: string): boolean {
    return this.inCluster.find(name)?.form === "remote";
  }

  override async createIndex<R extends object = JsonRecord>(
    name: string,
    settings?: IndexSettings<NoInfer<R>>,
    options: CreateOptions & FormOption = {},
  ): Promise<SearchIndex<R>> {
    if (typeof options !== "object" || options === null) return super.createIndex<R>(name, settings, options);
    const { search: given, ...others } = options;
    const asked = readForm("options.search", given);
    // Before anything is changed.
    if (asked !== undefined && others.ifExists !== undefined)
      await this.onNames(async () => this.checkForm(name, asked));
    const made = await askedForm.run(asked ?? this.inCluster.indexes.options.search, () =>
      super.createIndex<R>(name, settings, others),
    );
    this.checkForm(name, asked);
    return this.isRemote(name) ? this.handle<R>(name) : made;
  }

  /** Throws 409 where an index that is there has another form. */
  private checkForm(name: string, asked: SearchForm | undefined): void {
    const found = this.inCluster.find(name)?.form;
    if (asked === undefined || found === undefined || found === asked) return;
    const msg = `The index ${show(name)} exists with search: "${found}", not "${asked}"; open it without search, or load its records into a new index with search: "${asked}" and move that to the name.`;
    throw new SearchError(409, "settings_differ", msg, { param: "options.search" });
  }

  /** @internal */
  protected override keptBy(
    form: SearchForm = askedForm.getStore() ?? this.inCluster.indexes.options.search,
  ): ReturnType<SearchEngine["keptBy"]> & Partial<Pick<EngineContext, "warn">> {
    if (form === "replica") return super.keptBy();
    // Records that are being written do not tell which attributes of the settings no record has.
    const isUntold = ({ code, param = "" }: SearchWarning): boolean =>
      code === "unknown_attribute" && Object.hasOwn(this.unknown!.settings.effective, param);
    const warn: EngineContext["warn"] = (warning, ...rest) => isUntold(warning) || this.options.warn(warning, ...rest);
    return { ...super.keptBy(), store: undefined, warn };
  }

  override exportIndex(name: string, options: SnapshotOptions = {}): AsyncIterableIterator<string> {
    const live = this.indexes.find(name);
    if (live === undefined || !this.isRemote(name)) return super.exportIndex(name, options);
    return this.remote(live).exportLines(options);
  }

  override async writeSnapshot(
    ...args: Parameters<SearchEngine["writeSnapshot"]>
  ): ReturnType<SearchEngine["writeSnapshot"]> {
    if (this.isRemote(args[0])) throw cannot("snapshots; write what exportIndex gives to a file");
    return super.writeSnapshot(...args);
  }

  /** @internal */
  protected override async hand(source: string, destination: string, moves: boolean): Promise<void> {
    const [from, to] = [this.inCluster.find(source), this.inCluster.find(destination)];
    const isInMemory = moves ? to === undefined || to.form === from?.form : from?.form !== "remote";
    if (from === undefined || isInMemory || source === destination)
      return askedForm.run(from?.form ?? "replica", () => super.hand(source, destination, moves));
    checkIndexName(destination, this.options.limits);
    await this.inTurn(source, async () => {
      const names = { from: source, to: destination, replaced: to?.physical };
      if (!moves) await this.inCluster.copy(source, destination);
      else if (!(await this.inCluster.indexes.give(from.physical, names))) throw settingsChanged();
    });
    // As if another process had done it: the handles of the name may be of the other form.
    await this.look();
  }

  /** @internal Does it when this engine knows which index has which name in the cluster now. */
  protected override onNames<T>(work: () => Promise<T>): Promise<T> {
    return this.again(async () => {
      this.checkOpen();
      // An index that cannot be read concerns no other one.
      await this.refresh().catch((error: unknown) => error !== this.failure && Promise.reject(error));
      const result = await work();
      // What was imported to an index that the cluster searches is in memory until then.
      for (const { name, data } of this.indexes.known())
        if (this.isRemote(name) && data.snapshot.liveCount > 0) await this.inCluster.settle(name);
      return result;
    });
  }

  /** Does something again, for some time, if another process changes at the same time which index has which name. */
  private async again<T>(work: () => Promise<T>): Promise<T> {
    for (const ends = performance.now() + this.inCluster.indexes.patienceMs; ; )
      try {
        return await work();
      } catch (error) {
        if (!isSettingsChanged(error) || performance.now() > ends) throw error;
      }
  }

  /** Shows what all other engines wrote by now. */
  private async look(): Promise<void> {
    const time = this.inCluster.tick();
    const listed = await this.inCluster.indexes.list();
    const renamed = await this.captureRenamed(listed, time);
    const followed = [...listed].map(([name, found]) => this.follow(name, found, time, renamed.get(found.physical)));
    const [failed] = (await Promise.allSettled(followed)).filter(({ status }) => status === "rejected");
    for (const index of this.indexes.known()) {
      const kept = this.inCluster.find(index.name);
      if (listed.has(index.name) || kept === undefined || kept.since >= time) continue;
      await this.inCluster.keep(index.name, undefined);
      void this.indexes.drop(index);
    }
    const isLocal = (name: string): boolean => listed.has(name) || this.inCluster.find(name) !== undefined;
    await this.local?.keepOnly((name) => isLocal(name) && !this.isRemote(name));
    this.inCluster.listed = new Set([...listed].map(([name, { physical }]) => tokenOf(name, physical)));
    this.failure = (failed as PromiseRejectedResult | undefined)?.reason;
    if (failed !== undefined) throw this.failure;
  }

  /** The indexes that have another name by now, as they are, by physical index. */
  private async captureRenamed(
    listed: ReadonlyMap<string, ListedIndex>,
    time: number,
  ): Promise<ReadonlyMap<string, LoadedIndex>> {
    const names = new Map([...listed].map(([name, { physical }]) => [physical, name]));
    const captured = new Map<string, LoadedIndex>();
    for (const index of this.indexes.known()) {
      const kept = this.inCluster.find(index.name);
      const name = kept && names.get(kept.physical);
      if (kept === undefined || name === undefined || name === index.name) continue;
      if (kept.since >= time || kept.problem !== undefined) continue;
      await index.whenLoaded();
      await index.writer.scheduler.betweenTurns(() => {
        if (this.inCluster.find(index.name) !== kept) return;
        const live = index.emptyCopy(name);
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
    found: ListedIndex,
    time: number,
    captured: LoadedIndex | undefined,
  ): Promise<void> {
    const { physical, shards = noShard(physical) } = found;
    const index = this.indexes.find(name);
    const kept = index && this.inCluster.find(name);
    const isSame = kept?.isOf(found) === true;
    if (isSame) kept.uuid ??= found.uuid;
    const isMade = index !== undefined && !index.isThere;
    const isNewest = isSame && kept.position >= operationsOf(shards);
    if (isMade || isNewest || (kept?.since ?? -1) >= time) return captured?.live.end(notFound(name));
    const isFollowed = isSame && kept.problem === undefined;
    if (isFollowed || (index === undefined && (await this.restore(name, found, time))))
      return this.inTurn(name, () => this.applyChanges(name, found)).catch((error: unknown) => {
        throw tooLarge(name, error);
      });
    let loaded = captured;
    try {
      loaded ??= await this.load(name, physical, time);
    } catch (error) {
      if (!(error instanceof SearchError) || error.code === 503 || isSettingsChanged(error)) throw error;
      return this.showProblem(name, found, tooLarge(name, error), time);
    }
    loaded.kept.uuid ??= found.uuid;
    await this.takeOver(name, loaded, time);
    if (captured !== undefined) await this.inTurn(name, () => this.applyChanges(name, found));
  }

  /** Makes an index that was read from the cluster the one of a name, unless another one got the name since. */
  private async takeOver(name: string, { live, kept }: LoadedIndex, time: number): Promise<void> {
    const isOver = (): boolean => (this.inCluster.find(name)?.since ?? -1) >= time;
    const index = this.indexes.find(name);
    const { settings, given } = live.data;
    const before = this.inCluster.find(name);
    const isHere = index !== undefined && before?.problem === undefined && (before?.form ?? kept.form) === kept.form;
    const target = isHere
      ? index
      : new LiveIndex({ ...this.options, settings, given, ...this.keptBy(kept.form), name });
    const taking = (index ?? target).writer.scheduler.replace(undefined, undefined, async () => {
      if (isOver()) return;
      await this.inCluster.keep(name, kept);
      await target.writer.applyWhole(live.writer);
      if (isHere) return;
      if (index !== undefined) void this.indexes.drop(index);
      this.indexes.set(name, target);
    });
    await this.unlessGone(name, index, taking);
    await live.end(notFound(name));
  }

  /** Waits for a step of an index. That it fails because the index was deleted meanwhile is no failure of a look. */
  private async unlessGone(name: string, index: LiveIndex | undefined, step: Promise<void>): Promise<void> {
    await step.catch((error: unknown) => {
      if (this.indexes.find(name) === index) throw error;
    });
  }

  /** Shows an index that cannot be read, until it is another one: it can only be deleted, or replaced as a whole. */
  private async showProblem(name: string, found: ListedIndex, problem: SearchError, since: number): Promise<void> {
    const { physical, shards = [] } = found;
    const settings: SettingsDocument = { seqNo: -1, primaryTerm: 0, text: "", forgotten: -1 };
    await this.inCluster.keep(
      name,
      new KeptIndex(physical, settings, { position: operationsOf(shards), since, problem }),
    );
    const load = (): Promise<never> => Promise.reject(problem);
    const take = await this.prepareRestored({ name, settings: problem, isFresh: true, recordCount: 0, load });
    const index = this.indexes.find(name);
    if (index !== undefined) void this.indexes.drop(index);
    take();
  }

  /** Takes an index from the local copy; false: it is not there. */
  private async restore(name: string, listed: ListedIndex, since: number): Promise<boolean> {
    const { physical } = listed;
    const found = this.local?.found.get(physical);
    if (typeof found?.settings !== "string" || this.inCluster.find(name) !== undefined) return false;
    const pair = await runTask(readSettingsText(found.settings, this.options));
    const now = await this.inCluster.indexes.settingsOf(physical);
    const settings = now.text === found.settings ? now : { ...now, text: found.settings, seqNo: -1 };
    const kept = new KeptIndex(physical, settings, { position: found.position, since });
    kept.uuid = found.uuid;
    if (!kept.isOf(listed)) return false;
    if (found.name === name) {
      await this.inCluster.keep(name, kept);
      this.indexes.set(name, LiveIndex.restored({ ...this.options, ...pair, ...this.keptBy("replica"), name }, found));
      return true;
    }
    const live = LiveIndex.restored({ ...this.options, ...pair, name }, found);
    await live.whenLoaded();
    await this.takeOver(name, { live, kept }, since);
    return true;
  }

  /** Reads an index from the cluster. */
  private async load(name: string, physical: string, since: number): Promise<LoadedIndex> {
    const position = operationsOf(await this.inCluster.indexes.shardsOf(physical));
    const settings = await this.inCluster.indexes.settingsOf(physical);
    const live = new LiveIndex({ ...this.options, ...(await this.readSettings(settings.text)), name, warn: () => {} });
    live.data.graph.end();
    if (settings.lengths !== undefined) {
      const kept = new KeptIndex(physical, settings, { position: -1, since });
      await this.inCluster.count(kept);
      return { live, kept };
    }
    const { writer } = live;
    let waiting: RecordDocument[] = [];
    let characters = 0;
    const apply = async (): Promise<void> => {
      const documents = waiting;
      waiting = [];
      characters = 0;
      await writer.scheduler.write(undefined, undefined, () => applyDocuments(writer, documents));
    };
    try {
      for await (const { documents } of this.inCluster.indexes.changes(physical, { after: -1, upTo: position })) {
        waiting.push(...documents);
        characters += sizeOf(documents);
        if (characters > LOADED_AT_ONCE) await apply();
      }
      await apply();
      return { live, kept: new KeptIndex(physical, settings, { position, since }) };
    } catch (error) {
      await live.end(notFound(name));
      throw error;
    }
  }

  private async readSettings(text: string): Promise<SettingsPair> {
    try {
      return await runTask(readSettingsText(text, this.options));
    } catch (cause) {
      throw cause instanceof SearchError && cause.code !== 400 ? cause : damaged(cause);
    }
  }

  /** Runs a step between the writes of an index. */
  private async inTurn(name: string, work: () => Promise<void>): Promise<void> {
    const index = this.indexes.find(name);
    if (index !== undefined)
      await this.unlessGone(name, index, index.writer.scheduler.write(undefined, undefined, work));
  }

  /** The segments of records as they were read, with the vectors that they have. */
  private async segmentsOf(
    documents: readonly RecordDocument[],
    { settings, given }: SettingsPair,
  ): Promise<readonly Segment[]> {
    if (settings.missing !== undefined) throw settings.missing;
    const writer = new IndexWriter({ ...this.options, settings, given, limits: GREATEST_LIMITS });
    writer.data.graph.end();
    await applyDocuments(writer, documents);
    return writer.data.snapshot.segments.map(({ segment }) => segment);
  }

  /**
   * Applies what other engines wrote to an index by now, in a turn of it: also that another one has its name. Of one that the cluster searches,
   * memory has these records from then on, and no others.
   */
  private async catchUp(name: string, ids: readonly string[] = [], isWhole = false): Promise<void> {
    const time = this.inCluster.tick();
    const found = (await this.inCluster.indexes.list(name)).get(name);
    if (found === undefined) throw notFound(name);
    if (this.inCluster.find(name)?.isOf(found) === true) await this.applyChanges(name, found);
    else await this.loadAnew(name, found, time);
    if (!this.isRemote(name)) return;
    const { writer } = this.indexes.get(name);
    if (writer.data.snapshot.segments.length > 0) writer.replace(writer.emptyData(writer.data));
    const asksVectors = writer.data.settings.effective.vectorAttribute !== null;
    if (ids.length > 0) await applyDocuments(writer, await this.inCluster.read(name, ids, isWhole || asksVectors));
  }

  /** Applies the operations up to a checkpoint of the physical index that has the name, in a turn. */
  private async applyChanges(name: string, found: ListedIndex): Promise<void> {
    const { physical, shards = noShard(physical) } = found;
    const upTo = operationsOf(shards);
    const kept = this.inCluster.find(name);
    const writer = this.indexes.find(name)?.writer;
    if (writer === undefined || kept?.physical !== physical || kept.position >= upTo) return;
    if (kept.form === "remote") {
      const settings = await this.inCluster.indexes.settingsOf(physical);
      if (settings.text !== kept.settings.text) await writer.applySettings(await this.readSettings(settings.text));
      kept.settings = settings;
      return this.inCluster.count(kept);
    }
    const { position: after, by: notBy } = kept;
    for await (const { documents, settings } of this.inCluster.indexes.changes(physical, { after, upTo, notBy })) {
      if (settings !== undefined && settings.forgotten > after)
        return this.loadAnew(name, found, this.inCluster.tick());
      if (settings !== undefined && settings.seqNo !== kept.settings.seqNo) {
        if (settings.text !== kept.settings.text) await writer.applySettings(await this.readSettings(settings.text));
        kept.settings = settings;
      }
      await applyDocuments(writer, documents);
    }
    kept.reach(upTo);
    this.inCluster.save();
  }

  /** Loads an index in a turn: another one has the name, or this engine missed deletions that are not told any more. */
  private async loadAnew(name: string, found: ListedIndex, time: number): Promise<void> {
    const { live, kept } = await this.load(name, found.physical, time);
    // Who has a handle of the other form has to fetch one; a look shows the new one.
    if (this.inCluster.find(name)?.form !== kept.form) throw settingsChanged();
    await this.inCluster.keep(name, kept);
    await this.indexes.get(name).writer.applyWhole(live.writer);
    await live.end(notFound(name));
  }
}

/** Applies documents in a turn. Throws 500 `storage_corrupt` for what no engine wrote. */
async function applyDocuments(writer: IndexWriter, documents: readonly RecordDocument[]): Promise<void> {
  try {
    await writer.applyRecords(foreignRecords(documents, writer.data.settings.effective));
  } catch (cause) {
    throw cause instanceof SearchError && cause.code !== 400 ? cause : damaged(cause);
  }
}

function tooLarge<E>(name: string, error: E): E | SearchError {
  if (!(error instanceof SearchError) || error.code !== 507) return error;
  const msg = `The index ${show(name)} does not fit this process (see cause): raise limits.maxMemory, or limits.indexRecords, or keep it where there is more memory.`;
  return new SearchError(507, error.error, msg, { cause: error });
}
