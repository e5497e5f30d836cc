// What an engine's indexes stand on in a cluster: changes are made there before anyone sees them here. Of each index it knows which
// physical one has its records, and up to which operation this process has them.

import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import type { LiveIndex } from "../api/live-index.js";
import { notFound } from "../api/name-rules.js";
import { idsOf } from "../index/index-snapshot.js";
import type { Segment } from "../index/segment.js";
import { type AddResult, type ChangeScope, type SharedIndex, WriteConflict } from "../index/writer.js";
import type { SettingsPair } from "../input/extension-ids.js";
import type { LocalCopy } from "../storage/local-copy.js";
import type { IndexChange, IndexRemoval, SharedStore } from "../storage/store.js";
import { SearchError } from "../util/errors.js";
import { clusterPosition, progressIn } from "../util/position.js";
import { runTask } from "../util/tasks.js";
import {
  type DocumentVersion,
  deletionOf,
  documentsOf,
  type NotedSettings,
  type RecordDocument,
  type SettingsDocument,
  settingsItem,
  sourceOf,
  type WriteItem,
  type WrittenDocument,
  writtenAgain,
} from "./cluster-documents.js";
import {
  type ClusterIndexes,
  type ListedIndex,
  type PointInTime,
  settingsChanged,
  type WriteResult,
} from "./cluster-indexes.js";
import { documentIdOf, newTag, tokenOf } from "./cluster-names.js";
import type { SearchForm } from "./cluster-options.js";
import { RemoteDocuments } from "./remote-documents.js";

/** A document keeps the tags of so many calls that changed it as it was: so a request that came twice is known again. */
const MOST_TAGS = 8;

/** An index, as far as this process has it. */
export class KeptIndex {
  readonly physical: string;
  settings: SettingsDocument;
  /** Of the physical index; undefined: it was not looked at since. */
  uuid: unknown;
  /** When it got its name, by the clock of the store. */
  readonly since: number;
  /** Why its records are not here; undefined: they are. */
  readonly problem: SearchError | undefined;
  /** What its documents name as their writer, so that this process need not read them again. */
  by: string = newTag();
  /** Of an index that the cluster searches: how many records it has, how far its shards have come, and a number that changes with them. */
  count = 0;
  shards: readonly number[] = [];
  version = 0;
  private reached: number;
  /** Operations that were done before now, up to this one. */
  private known = -1;
  /** The operations of this process behind `reached`. */
  private readonly own = new Set<number>();

  constructor(
    physical: string,
    settings: SettingsDocument,
    at: { readonly position: number; readonly since: number; readonly problem?: SearchError },
  ) {
    this.physical = physical;
    this.settings = settings;
    this.reached = at.position;
    this.since = at.since;
    this.problem = at.problem;
  }

  /** Who searches it. */
  get form(): SearchForm {
    return this.settings.lengths === undefined ? "replica" : "remote";
  }

  /** All operations up to this one are applied. */
  get position(): number {
    return this.reached;
  }

  /** All operations up to this one were done before now, as far as this process knows. */
  get latest(): number {
    return Math.max(this.reached, this.known);
  }

  /** Whether this is what a look found. */
  isOf({ physical, uuid = this.uuid }: ListedIndex): boolean {
    return physical === this.physical && (this.uuid ?? uuid) === uuid;
  }

  /** Whether an operation is applied. */
  has(seqNo: number): boolean {
    return seqNo <= this.reached || this.own.has(seqNo);
  }

  /** An operation was done; `isApplied`: by this process, which shows it. */
  wrote(seqNo: number, isApplied = true): void {
    this.known = Math.max(this.known, seqNo);
    if (isApplied) this.own.add(seqNo);
    this.reach(this.reached);
  }

  /** All operations up to this one are applied now. */
  reach(position: number): void {
    if (position > this.reached) for (const seqNo of this.own) if (seqNo <= position) this.own.delete(seqNo);
    this.reached = Math.max(this.reached, position);
    while (this.own.delete(this.reached + 1)) this.reached++;
  }

  /** The same under another name. */
  renamed(since: number): KeptIndex {
    const kept = new KeptIndex(this.physical, this.settings, { position: this.reached, since });
    for (const seqNo of this.own) kept.wrote(seqNo);
    [kept.known, kept.uuid] = [this.known, this.uuid];
    [kept.count, kept.shards, kept.version] = [this.count, this.shards, this.version];
    return kept;
  }
}

/** When a replacement of all records began. */
type Mark = { readonly physical: string; readonly operation: number; readonly shards: readonly number[] };

/** What an engine is made of. */
export interface ClusterParts {
  readonly indexes: ClusterIndexes;
  /** Tells the cluster, and the part of it that is this engine's, from others. */
  readonly cluster: string;
  readonly local: LocalCopy | undefined;
  readonly tombstoneMs: number;
  /** Who searches new indexes. */
  readonly search: SearchForm;
}

/** An index that the cluster searches, for its queries. */
export interface RemoteSource {
  readonly live: LiveIndex;
  readonly indexes: ClusterIndexes;
  /** The physical index that has its records now. Throws 404. */
  readonly physical: string;
  /** Another number as soon as there may be other records. */
  readonly version: number;
}

/** How what others wrote to an index that the cluster searches is carried over to another one. */
interface RemoteCarry {
  /** How far its shards had come, and its records then. */
  readonly shards: readonly number[];
  readonly point: PointInTime;
  readonly maker: RemoteDocuments;
  readonly make: (documents: readonly RecordDocument[]) => Promise<readonly Segment[]>;
  /** The settings are what is changed, and must be those of before. */
  readonly isSettings: boolean;
}

/** A new physical index, before it has a name. */
interface NewContent {
  readonly text: string;
  /** Makes its documents, if the cluster is to search it. */
  readonly maker: RemoteDocuments | undefined;
  readonly pages: AsyncIterable<readonly WrittenDocument[]>;
  /** The index whose place it takes, and what others wrote there until nobody writes any more; undefined: that is gone. */
  readonly before: KeptIndex | undefined;
  readonly carried?: (() => AsyncIterable<readonly WrittenDocument[] | SettingsDocument>) | undefined;
  readonly conflict: () => Error;
}

/** What a store stands on. */
interface ClusterStoreContext extends ClusterParts {
  /** Applies what other engines wrote to an index: in a turn of it, or in one of its own. */
  readonly catchUp: (name: string) => Promise<void>;
  readonly catchUpInTurn: (name: string) => Promise<void>;
  /** Settings as they were written. */
  readonly readSettings: (text: string) => Promise<SettingsPair>;
  /** The segments of records as they were read, in memory. */
  readonly segmentsOf: (documents: readonly RecordDocument[], pair: SettingsPair) => Promise<readonly Segment[]>;
}

/** The cluster as the store of an engine's indexes. */
export class ClusterStore implements SharedStore {
  private readonly context: ClusterStoreContext;
  private readonly kept = new Map<string, KeptIndex>();
  /** What stands for the indexes that the last look found. */
  listed: ReadonlySet<string> = new Set();
  private time = 0;
  /** When deletions of an index were forgotten last, by physical index. */
  private readonly forgotten = new Map<string, number>();
  /** Who is to search the index that a call makes. */
  private readonly asked = new AsyncLocalStorage<SearchForm>();
  private readonly sources = new WeakMap<LiveIndex, RemoteSource>();

  constructor(context: ClusterStoreContext) {
    this.context = context;
  }

  /** An index, as far as this process has it; undefined: it has none of this name. */
  find(name: string): KeptIndex | undefined {
    return this.kept.get(name);
  }

  /** Runs what makes an index, for this form. */
  making<T>(form: SearchForm, work: () => Promise<T>): Promise<T> {
    return this.asked.run(form, work);
  }

  /** The form of an index that is made now. */
  get newForm(): SearchForm {
    return this.asked.getStore() ?? this.context.search;
  }

  /** An index that the cluster searches, as its queries know it: the same object for all handles. */
  sourceOf(live: LiveIndex): RemoteSource {
    const known = this.sources.get(live);
    if (known !== undefined) return known;
    const shown = (): KeptIndex => {
      live.check();
      const kept = this.kept.get(live.name);
      if (kept?.form === "remote") return kept;
      throw notFound(live.name);
    };
    const source = {
      ...{ live, indexes: this.context.indexes },
      get physical() {
        return shown().physical;
      },
      get version() {
        return shown().version;
      },
    };
    this.sources.set(live, source);
    return source;
  }

  /** Applies in a turn of its own what other engines wrote to an index. */
  catchUp(name: string): Promise<void> {
    return this.context.catchUpInTurn(name);
  }

  /** The index of a name that the cluster searches. Throws 409. */
  remote(name: string): KeptIndex {
    const kept = this.of(name);
    if (kept.form === "remote") return kept;
    throw settingsChanged();
  }

  private of(name: string): KeptIndex {
    const kept = this.kept.get(name);
    if (kept === undefined) throw settingsChanged();
    return kept;
  }

  /** A new time of the clock that orders looks and changes of names. */
  tick(): number {
    return ++this.time;
  }

  /** Notes which physical index has a name; undefined: none. */
  async keep(name: string, kept: KeptIndex | undefined): Promise<void> {
    if (kept === undefined) this.kept.delete(name);
    else this.kept.set(name, kept);
    await this.context.local?.distrust(name, kept?.physical);
  }

  /** Notes soon in the local copy how far it has come. */
  save(): void {
    this.context.local?.saveSoon(() => this.positions());
  }

  private positions(): ReadonlyMap<string, KeptIndex> {
    return new Map([...this.kept].filter(([, { problem, form }]) => problem === undefined && form === "replica"));
  }

  get position(): string {
    const entries = [...this.positions()].map(([name, kept]) => [tokenOf(name, kept.physical), kept.position] as const);
    return clusterPosition({ cluster: this.context.cluster, indexes: new Map(entries) });
  }

  /** Whether this process has come to a position. What the last look did not find any more is behind it. Throws 400. */
  hasReached(position: string): boolean {
    const { cluster } = this.context;
    const own = progressIn(this.position, cluster).indexes;
    const isReached = ([token, n]: readonly [string, number]): boolean =>
      own.has(token) ? own.get(token)! >= n : !this.listed.has(token);
    return [...progressIn(position, cluster).indexes].every(isReached);
  }

  sharedIndex(name: string): SharedIndex {
    const { indexes, catchUp } = this.context;
    const mark = (): Mark => {
      const { physical, latest: operation, shards } = this.of(name);
      return { physical, operation, shards };
    };
    return { patienceMs: indexes.patienceMs, catchUp: () => catchUp(name), mark };
  }

  async settle(name: string): Promise<void> {
    const kept = this.kept.get(name);
    // The write is done; when this fails, the next look shows what came before it.
    if (kept?.form === "replica" && kept.position < kept.latest) await this.context.catchUpInTurn(name).catch(() => {});
  }

  async commit(changes: readonly (IndexChange | IndexRemoval)[], keep: () => Promise<void>): Promise<void> {
    const wrote = await this.commitShared(changes);
    await this.context.local?.commit(keep);
    wrote();
    this.save();
  }

  /** Makes changes in the cluster. What it returns notes that they are applied here. */
  private async commitShared(changes: readonly (IndexChange | IndexRemoval)[]): Promise<() => void> {
    const [first, second] = changes;
    if (first === undefined) return () => {};
    if ("isGone" in first) return this.move(first.name, undefined);
    if (second !== undefined && "isGone" in second) return this.move(second.name, first.name);
    const { scope } = first;
    // Another process made it an index that the cluster searches, whose records are written otherwise.
    if ((scope.kind === "records" || scope.kind === "settings") && this.of(first.name).form === "remote")
      throw settingsChanged();
    if (scope.kind === "records") return this.commitRecords(first, scope);
    if (scope.kind === "settings") return this.commitSettings(first);
    return scope.kind === "all" ? this.commitAll(first, scope) : () => {};
  }

  private async commitRecords(
    { name, vectorAttribute }: IndexChange,
    { before, change, isConditional }: ChangeScope & { readonly kind: "records" },
  ): Promise<() => void> {
    const kept = this.of(name);
    const { added, deletions = new Map() } = change;
    let documents = added === undefined ? idsOf(before, deletions).map(deletionOf) : [];
    for (const segment of added ?? [])
      documents = documents.concat(await runTask(documentsOf({ segment }, vectorAttribute)));
    const versions = isConditional ? await this.versionsToReplace(kept, documents) : undefined;
    const results = await this.put(name, kept, documents, versions).catch((error: unknown): never => {
      if (!(error instanceof SearchError) || error.error !== "settings_changed") throw error;
      // They go to the index that has the name by now.
      throw new WriteConflict(new Set(documents.map(({ id }) => id)));
    });
    return () => {
      for (const { seqNo } of results) kept.wrote(seqNo);
      if (added === undefined) void this.forgetDeletions(name, kept);
    };
  }

  /** The versions of documents, all of which this process has. Throws {@link WriteConflict}. */
  private async versionsToReplace(kept: KeptIndex, documents: readonly WrittenDocument[]) {
    const versions = await this.context.indexes.versions(kept.physical, keysOf(documents));
    if (versions.some((version) => version !== null && !kept.has(version.seqNo))) throw conflictOf(documents);
    return versions;
  }

  /** Writes documents. Throws {@link WriteConflict} if others wrote some of them since these versions, if there are any. */
  private async put(
    name: string,
    kept: KeptIndex,
    documents: readonly WrittenDocument[],
    versions: readonly (DocumentVersion | null)[] | undefined,
  ): Promise<readonly NonNullable<WriteResult>[]> {
    const { indexes } = this.context;
    const { physical, by } = kept;
    const tag = newTag();
    const items = documents.map(({ documentId, ...document }, i): WriteItem => {
      const version = versions?.[i];
      const tags = versions && [...(version?.tags ?? []), tag].slice(-MOST_TAGS);
      return { documentId, source: sourceOf(physical, document, by, tags), version };
    });
    try {
      const results = await indexes.write(name, physical, items);
      const refused = documents.filter((_, i) => results[i] === undefined);
      if (refused.length === 0) return results as NonNullable<WriteResult>[];
      // A request that came twice was done by the first, and refused to the second.
      const now = await indexes.versions(physical, keysOf(refused));
      const lost = refused.filter((_, i) => now[i]?.tags.includes(tag) !== true);
      if (lost.length > 0) throw conflictOf(lost);
      const done = now.values();
      return results.map((result) => result ?? done.next().value!);
    } catch (error) {
      // What was written, if anything, is read as that of others.
      kept.by = newTag();
      throw error;
    }
  }

  /** Writes the settings, if they are still those that were read. Records and vectors stay. */
  private async commitSettings({ name, settings: text }: IndexChange): Promise<() => void> {
    const kept = this.of(name);
    const isWritten = await this.putSettings(name, kept, { ...kept.settings, text: text ?? kept.settings.text });
    if (!isWritten) throw new WriteConflict(new Set());
    return () => kept.wrote(kept.settings.seqNo);
  }

  /** Writes settings, if the version is still that one; false: it is not. */
  private async putSettings(name: string, kept: KeptIndex, settings: SettingsDocument): Promise<boolean> {
    const [result] = await this.context.indexes.write(name, kept.physical, [settingsItem(kept.physical, settings)]);
    if (result !== undefined) kept.settings = { ...settings, ...result };
    return result !== undefined;
  }

  /** Replaces all of an index, or makes it. */
  private async commitAll(
    { name, vectorAttribute, segments, settings }: IndexChange,
    scope: ChangeScope & { readonly kind: "all" },
  ): Promise<() => void> {
    const { readSettings, segmentsOf, search } = this.context;
    const before = this.kept.get(name);
    const since = scope.since as Mark | undefined;
    if (since !== undefined && since.physical !== before?.physical) throw settingsChanged();
    const text = settings ?? this.of(name).settings.text;
    const form = this.asked.getStore() ?? before?.form ?? search;
    const pair = form === "remote" ? await readSettings(text) : undefined;
    const maker = pair && new RemoteDocuments(pair.settings);
    maker?.learn(segments.map(({ segment }) => segment));
    const pages = async function* (): AsyncGenerator<readonly WrittenDocument[]> {
      for (const segment of segments)
        yield maker === undefined ? await runTask(documentsOf(segment, vectorAttribute)) : await maker.of(segment);
    };
    const isCarried = since !== undefined || scope.build !== undefined;
    const content = {
      ...{ text, maker, before, pages: pages() },
      conflict: () => (scope.build === undefined ? settingsChanged() : new WriteConflict(new Set())),
    };
    let made: KeptIndex;
    if (before === undefined || !isCarried) made = await this.install(name, content);
    else if (pair === undefined || maker === undefined)
      made = await this.install(name, { ...content, carried: () => this.carried(before, scope, vectorAttribute) });
    else {
      const shards = since?.shards ?? [];
      const make = (documents: readonly RecordDocument[]) => segmentsOf(documents, pair);
      made = await this.atPoint(before, (point) =>
        this.install(name, {
          ...content,
          carried: () => this.carriedRemote(before, { shards, point, maker, make, isSettings: false }),
        }),
      );
    }
    await this.keep(name, made);
    return () => {};
  }

  /** Does something with the records of an index that the cluster searches as they are now. */
  private async atPoint<T>({ physical }: KeptIndex, work: (point: PointInTime) => Promise<T>): Promise<T> {
    const { indexes } = this.context;
    const point = await indexes.openPoint(physical);
    try {
      return await work(point);
    } finally {
      await indexes.endPoint(point);
    }
  }

  /** Fills a physical index that nobody sees, and gives it the name, at once. */
  private async install(
    name: string,
    { text, maker, pages, before, carried, conflict }: NewContent,
  ): Promise<KeptIndex> {
    const { indexes } = this.context;
    const { physical, settings: kept } = await indexes.create(name, text, maker);
    let isLocked = false;
    let mayBeSeen = false;
    try {
      let position = 0;
      for await (const page of pages) position = Math.max(position, await this.fill(physical, page));
      let last = position;
      let settings = { ...kept, ...(maker && { lengths: maker.lengths }) };
      if (before !== undefined && carried !== undefined) {
        isLocked = true;
        isLocked = await indexes.lock(before.physical, physical);
        if (!isLocked) throw conflict();
        for await (const some of carried())
          if ("text" in some) settings = { ...settings, text: some.text };
          else last = Math.max(last, await this.fill(physical, some, maker !== undefined));
      }
      if (maker !== undefined || settings.text !== kept.text)
        last = Math.max(last, await this.fill(physical, settings));
      if (maker !== undefined) await indexes.refresh(physical);
      const count = maker === undefined ? 0 : await indexes.count(physical);
      mayBeSeen = true;
      mayBeSeen = await indexes.give(physical, { to: name, replaced: before?.physical, isLocked });
      if (!mayBeSeen) throw conflict();
      const at = { position: maker === undefined ? position : -1, since: this.tick() };
      const made = new KeptIndex(physical, { ...kept, lengths: settings.lengths }, at);
      if (maker === undefined) made.wrote(last, false);
      else made.count = count;
      return made;
    } finally {
      if (!mayBeSeen) {
        if (isLocked) await indexes.unlock(before!.physical, physical).catch(() => {});
        await indexes.discard(physical);
      }
    }
  }

  /** What other engines wrote, and the new index is to have, too; nobody writes any more. */
  private async *carried(
    before: KeptIndex,
    { since, build }: ChangeScope & { readonly kind: "all" },
    vectorAttribute: string | null,
  ): AsyncGenerator<readonly WrittenDocument[] | SettingsDocument> {
    const { indexes } = this.context;
    const { physical } = before;
    const upTo = await indexes.checkpointOf(physical);
    const after = since === undefined ? before.position : (since as Mark).operation;
    for await (const { documents, settings } of indexes.changes(physical, { after, upTo })) {
      if (settings !== undefined && settings.text !== before.settings.text) {
        if (since === undefined) throw new WriteConflict(new Set());
        yield settings;
      }
      const fresh = documents.filter(({ seqNo }) => since !== undefined || !before.has(seqNo)).map(writtenAgain);
      if (build === undefined) yield fresh;
      else {
        yield fresh.filter(({ json }) => json === undefined);
        for (const segment of await build(fresh.flatMap(({ json }) => json ?? [])))
          yield await runTask(documentsOf({ segment }, vectorAttribute));
      }
    }
  }

  /** As {@link carried}, for an index that the cluster searches. `point`: its records at first. */
  private async *carriedRemote(
    { physical, settings: known }: KeptIndex,
    { shards, point, maker, make, isSettings }: RemoteCarry,
  ): AsyncGenerator<readonly WrittenDocument[] | SettingsDocument> {
    const { indexes } = this.context;
    let untold = 0;
    for (const [shard, upTo] of (await indexes.shardsOf(physical)).entries()) {
      const after = shards[shard] ?? -1;
      untold += upTo - after;
      if (upTo <= after) continue;
      for await (const { documents, settings } of indexes.changes(physical, { after, upTo, shard })) {
        untold -= documents.length;
        if (settings !== undefined && settings.seqNo > after) untold--;
        if (settings !== undefined && settings.text !== known.text) {
          if (isSettings) throw new WriteConflict(new Set());
          yield settings;
        }
        for (const segment of await make(documents)) yield await maker.of({ segment });
      }
    }
    // Something was deleted, or written twice.
    if (untold > 0)
      for await (const documents of indexes.pages(point)) {
        const now = await indexes.versions(physical, keysOf(documents.map(writtenAgain)));
        yield documents.filter((_, i) => now[i] === null).map(({ id }) => deletionOf(id));
      }
  }

  /**
   * Gives a name to an index of the records of one that the cluster searches, in the same form. `to`: under these settings, with segments that
   * `segmentsOf` makes; what others wrote meanwhile is carried over. Without it: a copy under another name, which a look has to show.
   */
  async rebuild(
    from: string,
    name: string,
    to?: {
      readonly text: string;
      readonly pair: SettingsPair;
      readonly segmentsOf: (documents: readonly RecordDocument[]) => Promise<readonly Segment[]>;
    },
  ): Promise<void> {
    const { indexes, segmentsOf, readSettings } = this.context;
    const source = this.remote(from);
    const { physical } = source;
    const { text } = to ?? source.settings;
    const pair = to?.pair ?? (await readSettings(text));
    const maker = new RemoteDocuments(pair.settings);
    const make = to?.segmentsOf ?? ((documents) => segmentsOf(documents, pair));
    const shards = await indexes.shardsOf(physical);
    const pages = async function* (point: PointInTime): AsyncGenerator<readonly WrittenDocument[]> {
      for await (const documents of indexes.pages(point)) {
        const segments = await make(documents);
        maker.learn(segments);
        for (const segment of segments) yield await maker.of({ segment });
      }
    };
    const made = await this.atPoint(source, (point) =>
      this.install(name, {
        ...{ text, maker, pages: pages(point), conflict: () => settingsChanged() },
        before: to === undefined ? this.kept.get(name) : source,
        carried: to && (() => this.carriedRemote(source, { shards, point, maker, make, isSettings: true })),
      }),
    );
    if (to !== undefined) await this.keep(name, made);
  }

  /** Writes the records of segments to an index that the cluster searches, and shows them to searches. As {@link put}. */
  async write(
    name: string,
    segments: readonly Segment[],
    pair: SettingsPair,
    versions?: ReadonlyMap<string, DocumentVersion>,
  ): Promise<AddResult & { readonly conflicts: ReadonlySet<string> }> {
    const kept = this.remote(name);
    const maker = await this.makerOf(name, kept, segments, pair);
    let [added, replaced] = [0, 0];
    const conflicts = new Set<string>();
    try {
      for (const segment of segments) {
        const documents = await maker.of({ segment });
        const own = versions && documents.map(({ id }) => versions.get(id) ?? null);
        const results = await this.put(name, kept, documents, own).catch((error: unknown) => {
          if (!(error instanceof WriteConflict)) throw error;
          for (const id of error.ids) conflicts.add(id);
          return [];
        });
        for (const [i, { id }] of documents.entries()) {
          if (conflicts.has(id)) continue;
          if (own === undefined ? results[i]!.outcome === "created" : own[i] === null) added++;
          else replaced++;
        }
      }
    } catch (error) {
      await this.wrote(kept, added).catch(() => {});
      throw error;
    }
    await this.wrote(kept, added);
    return { added, replaced, conflicts };
  }

  /** Removes records of an index that the cluster searches; with `versions`, those alone that are as they were read. */
  async remove(
    name: string,
    ids: readonly string[],
    versions?: readonly DocumentVersion[],
  ): Promise<{ readonly deleted: number; readonly conflicts: readonly string[] }> {
    const kept = this.remote(name);
    const items = ids.map((id, i) => ({ documentId: documentIdOf(id), source: "", version: versions?.[i] }));
    const results = await this.context.indexes.write(undefined, kept.physical, items);
    const deleted = results.filter((result) => result?.outcome === "deleted").length;
    await this.wrote(kept, -deleted);
    return { deleted, conflicts: ids.filter((_, i) => results[i] === undefined) };
  }

  /** Shows to searches what was written. */
  private async wrote(kept: KeptIndex, more: number): Promise<void> {
    await this.context.indexes.refresh(kept.physical);
    kept.count += more;
    kept.version++;
  }

  /** What makes documents by the lengths of fields; as long as few are known, the settings note those of the segments, too. */
  private async makerOf(
    name: string,
    kept: KeptIndex,
    segments: readonly Segment[],
    { settings }: SettingsPair,
  ): Promise<RemoteDocuments> {
    const maker = new RemoteDocuments(settings, kept.settings.lengths);
    maker.learn(segments);
    if (maker.lengths === kept.settings.lengths) return maker;
    if (await this.putSettings(name, kept, { ...kept.settings, lengths: maker.lengths })) return maker;
    // Others did so, too: the lengths are an estimate.
    const { text } = kept.settings;
    const now = await this.context.indexes.settingsOf(kept.physical);
    // Other settings are for a look to apply.
    if (now.text === text) kept.settings = now;
    return maker;
  }

  /** Writes settings under which the records of an index that the cluster searches stay; false: others wrote them meanwhile. */
  async note(name: string, text: string): Promise<boolean> {
    const kept = this.remote(name);
    const isNoted = await this.putSettings(name, kept, { ...kept.settings, text });
    if (isNoted) kept.version++;
    return isNoted;
  }

  /** Writes documents or settings to a physical index that nobody sees, and returns the number of the last operation. */
  private async fill(
    physical: string,
    some: readonly WrittenDocument[] | NotedSettings,
    removesDeleted = false,
  ): Promise<number> {
    const itemOf = ({ documentId, ...document }: WrittenDocument): WriteItem => ({
      documentId,
      source: removesDeleted && document.json === undefined ? "" : sourceOf(physical, document, ""),
    });
    const items = "text" in some ? [settingsItem(physical, some)] : some.map(itemOf);
    const results = await this.context.indexes.write(undefined, physical, items);
    return results.reduce((last, result) => Math.max(last, result?.seqNo ?? -1), -1);
  }

  /** Gives an index another name, or none: then it is gone. */
  private async move(from: string, to: string | undefined): Promise<() => void> {
    const kept = this.of(from);
    const replaced = to === undefined ? undefined : this.kept.get(to)?.physical;
    if (!(await this.context.indexes.give(kept.physical, { from, to, replaced }))) throw settingsChanged();
    await this.keep(from, undefined);
    if (to !== undefined) await this.keep(to, kept.renamed(this.tick()));
    return () => {};
  }

  /**
   * Removes what tells of deletions that are old enough, now and then. Before, the settings note up to where: an engine that has not come so
   * far loads the index anew.
   */
  private async forgetDeletions(name: string, kept: KeptIndex): Promise<void> {
    const { indexes, tombstoneMs } = this.context;
    const { physical } = kept;
    const now = performance.now();
    if (now - (this.forgotten.get(physical) ?? Number.NEGATIVE_INFINITY) < tombstoneMs / 10) return;
    this.forgotten.set(physical, now);
    try {
      const old = await indexes.deletionsBefore(physical, Date.now() - tombstoneMs);
      if (old.length === 0) return;
      const forgotten = Math.max(...old.map(({ version }) => version!.seqNo));
      const settings = await indexes.settingsOf(physical);
      if (settings.text !== kept.settings.text) return;
      const note = { ...settings, forgotten: Math.max(forgotten, settings.forgotten) };
      if (await this.putSettings(name, kept, note)) await indexes.write(undefined, physical, old);
    } catch {
      // The next deletion tries it again.
    }
  }

  /** Closes the local copy. */
  async close(): Promise<void> {
    await this.context.local?.close(() => this.positions());
  }
}

function conflictOf(refused: readonly WrittenDocument[]): WriteConflict {
  return new WriteConflict(new Set(refused.map(({ id }) => id)));
}

function keysOf(documents: readonly WrittenDocument[]): string[] {
  return documents.map(({ documentId }) => documentId);
}

/** What tells a part of a cluster from others: 32 hexadecimal digits. */
export function clusterId(uuid: string, prefix: string): string {
  return createHash("sha256").update(`${uuid}\0${prefix}`).digest("hex").slice(0, 32);
}
