// What an engine's indexes stand on in a cluster: changes are made there before anyone sees them here. Of each index it knows which
// physical one has its records, and up to which operation this process has them.

import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import type { SettingsPair } from "../input/extension-ids.js";
import { indexesAlike, stableText } from "../settings/fingerprint.js";
import type { ResolvedSettings } from "../settings/resolved-settings.js";
import { type ChangeScope, type SharedIndex, WriteConflict } from "../state/durability.js";
import { idsOf } from "../state/index-snapshot.js";
import type { Segment } from "../state/segment.js";
import type { LocalCopy } from "../storage/local-copy.js";
import type { IndexChange, IndexRemoval, SharedStore } from "../storage/store.js";
import type { SearchError } from "../util/errors.js";
import { at } from "../util/json.js";
import { clusterPosition, progressIn } from "../util/position.js";
import { runTask } from "../util/tasks.js";
import {
  type DocumentSource,
  type DocumentVersion,
  documentsOf,
  type NotedSettings,
  type OperationNumber,
  type ReadDocument,
  type RecordDocument,
  recordItem,
  type SettingsDocument,
  settingsItem,
  type WrittenDocument,
} from "./cluster-documents.js";
import {
  type ClusterIndexes,
  isSettingsChanged,
  type ListedIndex,
  operationsOf,
  settingsChanged,
} from "./cluster-indexes.js";
import { documentIdOf, newTag, tokenOf } from "./cluster-names.js";
import type { SearchForm } from "./cluster-options.js";
import { cannot, RemoteDocuments } from "./remote-documents.js";
import { ALL } from "./remote-filter.js";

/** A document keeps the tags of so many calls that changed it as it was: so a request that came twice is known again. */
const MOST_TAGS = 8;

/** Settings that the documents of an index that the cluster searches depend on, besides those by which records are indexed. */
const KEPT_BY = ["bm25", "language", "titleEvidence"] as const;

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
  /** Of an index that the cluster searches: how many records it has, how far its shards have come, and what is there of what is written next. */
  count = 0;
  shards: readonly number[] = [];
  found: ReadonlyMap<string, DocumentVersion> = new Map();
  /** All operations up to this one are applied. Where the cluster searches, those of all shards are counted together. */
  position: number;
  /** Operations that were done before now, up to this one. */
  private known = -1;
  /** The operations of this process behind `position`. */
  private readonly own = new Set<number>();

  constructor(
    physical: string,
    settings: SettingsDocument,
    at: Pick<KeptIndex, "position" | "since"> & { readonly problem?: SearchError },
  ) {
    this.physical = physical;
    this.settings = settings;
    this.position = at.position;
    this.since = at.since;
    this.problem = at.problem;
  }

  /** Who searches it. */
  get form(): SearchForm {
    return this.settings.lengths === undefined ? "replica" : "remote";
  }

  /** All operations up to this one were done before now, as far as this process knows. */
  get latest(): number {
    return Math.max(this.position, this.known);
  }

  /** Whether this is what a look found. */
  isOf({ physical, uuid = this.uuid }: ListedIndex): boolean {
    return physical === this.physical && (this.uuid ?? uuid) === uuid;
  }

  /** Whether an operation is applied. */
  has(seqNo: number): boolean {
    return this.form === "replica" && (seqNo <= this.position || this.own.has(seqNo));
  }

  /** Operations of this process were done, and are applied. */
  did(operations: readonly OperationNumber[]): void {
    if (this.form === "remote") this.known = this.latest + operations.length;
    else for (const { seqNo } of operations) this.wrote(seqNo);
  }

  /** An operation was done; `isApplied`: by this process, which shows it. */
  wrote(seqNo: number, isApplied = true): void {
    this.known = Math.max(this.known, seqNo);
    if (isApplied) this.own.add(seqNo);
    this.reach(this.position);
  }

  /** All operations up to this one are applied now. */
  reach(position: number): void {
    if (position > this.position) for (const seqNo of this.own) if (seqNo <= position) this.own.delete(seqNo);
    this.position = Math.max(this.position, position);
    while (this.own.delete(this.position + 1)) this.position++;
  }

  /** The same under another name. */
  renamed(since: number): KeptIndex {
    const { uuid, known, count, shards, position } = this;
    const kept = new KeptIndex(this.physical, this.settings, { position, since });
    for (const seqNo of this.own) kept.wrote(seqNo);
    return Object.assign(kept, { uuid, known, count, shards });
  }
}

/** When a replacement of all records began: how far each shard had come. */
type Mark = { readonly physical: string; readonly operations: readonly number[] };

/** What a store stands on. */
export interface ClusterStoreContext {
  readonly indexes: ClusterIndexes;
  /** Tells the cluster, and the part of it that is this engine's, from others. */
  readonly cluster: string;
  readonly local: LocalCopy | undefined;
  /** Applies what other engines wrote to an index: in a turn of it (see {@link SharedIndex}), or in one of its own. */
  readonly catchUp: (name: string, ids?: readonly string[], isWhole?: boolean) => Promise<void>;
  readonly catchUpInTurn: (name: string) => Promise<void>;
  /** The settings of an index, as this process has them. */
  readonly settingsOf: (name: string) => ResolvedSettings;
  /** Settings as they were written. */
  readonly readSettings: (text: string) => Promise<SettingsPair>;
  /** The segments of records as they were read, in memory. */
  readonly segmentsOf: (documents: readonly RecordDocument[], pair: SettingsPair) => Promise<readonly Segment[]>;
}

/** Who is to search the index that a call makes. */
export const askedForm: AsyncLocalStorage<SearchForm> = new AsyncLocalStorage();

/** The cluster as the store of an engine's indexes. */
export class ClusterStore implements SharedStore {
  readonly indexes: ClusterIndexes;
  private readonly context: ClusterStoreContext;
  private readonly kept = new Map<string, KeptIndex>();
  /** What stands for the indexes that the last look found. */
  listed: ReadonlySet<string> = new Set();
  private time = 0;
  /** When deletions of an index were forgotten last, by physical index. */
  private readonly forgotten = new Map<string, number>();

  constructor(context: ClusterStoreContext) {
    this.indexes = context.indexes;
    this.context = context;
  }

  /** An index, as far as this process has it; undefined: it has none of this name. */
  find(name: string): KeptIndex | undefined {
    return this.kept.get(name);
  }

  /** Applies in a turn of its own what other engines wrote to an index. */
  catchUp(name: string): Promise<void> {
    return this.context.catchUpInTurn(name);
  }

  /** An index that this process has. Throws 409. */
  of(name: string): KeptIndex {
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
    const { catchUp } = this.context;
    const mark = (): Mark => {
      const { physical, latest, shards, form } = this.of(name);
      return { physical, operations: form === "remote" ? shards : [latest] };
    };
    const countElsewhere = (): number | undefined => {
      const { form, count } = this.kept.get(name) ?? {};
      return form === "remote" ? count : undefined;
    };
    const { patienceMs } = this.indexes;
    return { patienceMs, mark, countElsewhere, catchUp: (ids, isWhole) => catchUp(name, ids, isWhole) };
  }

  async settle(name: string): Promise<void> {
    const kept = this.kept.get(name);
    if (kept === undefined || kept.position >= kept.latest) return;
    const caughtUp = this.context.catchUpInTurn(name);
    // In a replica, the write is done; when this fails, the next look shows what came before it.
    await (kept.form === "remote" ? caughtUp : caughtUp.catch(() => {}));
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
    if (scope.kind === "records") return this.commitRecords(first, scope);
    if (scope.kind === "all") return this.commitAll(first, scope);
    if (scope.kind !== "settings") return () => {};
    const kept = this.of(first.name);
    if (!(await this.keepsDocuments(first, kept))) return this.commitAll(first, {}, kept);
    const text = first.settings ?? kept.settings.text;
    if (!(await this.putSettings(first.name, kept, { ...kept.settings, text }))) throw new WriteConflict(new Set());
    return () => kept.did([kept.settings]);
  }

  private async commitRecords(
    { name, vectorAttribute }: IndexChange,
    { before, change, isConditional }: ChangeScope & { readonly kind: "records" },
  ): Promise<() => void> {
    const kept = this.of(name);
    const { added, deletions = new Map() } = change;
    const { lengths } = kept.settings;
    const maker = lengths && new RemoteDocuments(this.context.settingsOf(name), lengths);
    maker?.learn(added ?? []);
    let documents: WrittenDocument[] = added === undefined ? idsOf(before, deletions).map(deletionOf) : [];
    for (const segment of added ?? []) documents = documents.concat(await madeBy(maker, { segment }, vectorAttribute));
    const versions = isConditional ? await this.versionsToReplace(kept, documents) : undefined;
    const results = await this.put(name, kept, documents, versions).catch((error: unknown): never => {
      if (!isSettingsChanged(error)) throw error;
      // They go to the index that has the name by now.
      throw new WriteConflict(new Set(documents.map(({ id }) => id)));
    });
    // As long as few lengths are known. They are an estimate, so that those of others are as good.
    if (maker !== undefined && maker.lengths !== lengths)
      await this.putSettings(name, kept, { ...kept.settings, lengths: maker.lengths }).catch(() => {});
    return () => {
      kept.did(results);
      if (added === undefined) void this.forgetDeletions(name, kept);
    };
  }

  /** Counts the records of an index that the cluster searches, as all searches show them from then on. */
  async count(kept: KeptIndex): Promise<void> {
    const { indexes } = this;
    const { physical } = kept;
    const shards = await indexes.shardsOf(physical);
    await indexes.refresh(physical);
    const [found] = await indexes.searchAll(physical, [{ size: 0, track_total_hits: true, query: ALL }], "count");
    [kept.count, kept.shards] = [Number(at(found, "hits", "total", "value")), shards];
    kept.reach(operationsOf(shards));
  }

  /** Deletes records of an index that the cluster searches, but for those that are not as they were read: it returns their ids. */
  async remove(name: string, documents: readonly ReadDocument[]): Promise<ReadonlySet<string>> {
    const kept = this.of(name);
    const deletions = documents.map(({ id }) => deletionOf(id));
    const versions = documents.map(({ version }) => version);
    try {
      kept.did(await this.put(name, kept, deletions, versions));
      void this.forgetDeletions(name, kept);
      return new Set();
    } catch (error) {
      if (error instanceof WriteConflict) return error.ids;
      throw error;
    }
  }

  /** Reads records of an index that the cluster searches, which are written next; `isWhole`: with what they say. */
  async read(name: string, ids: readonly string[], isWhole: boolean): Promise<readonly RecordDocument[]> {
    const kept = this.of(name);
    const wanted = [...new Set(ids)].map(documentIdOf);
    const found = await this.indexes.documents(kept.physical, wanted, isWhole);
    const there = found.filter((document) => document !== null);
    kept.found = new Map(there.map(({ id, version }) => [id, version]));
    return there;
  }

  /** The versions of documents, all of which this process has. Throws {@link WriteConflict}. */
  private async versionsToReplace(
    kept: KeptIndex,
    documents: readonly WrittenDocument[],
  ): Promise<readonly (DocumentVersion | null)[]> {
    if (kept.form === "remote") return documents.map(({ id }) => kept.found.get(id) ?? null);
    const versions = await this.indexes.versions(kept.physical, keysOf(documents));
    if (versions.some((version) => version !== null && !kept.has(version.seqNo))) throw conflictOf(documents);
    return versions;
  }

  /** Writes documents. Throws {@link WriteConflict} if others wrote some of them since these versions, if there are any. */
  private async put(
    name: string,
    kept: KeptIndex,
    documents: readonly WrittenDocument[],
    versions: readonly (DocumentVersion | null)[] | undefined,
  ): Promise<readonly OperationNumber[]> {
    const { indexes } = this;
    const { physical, by } = kept;
    const tag = newTag();
    const items = documents.map((document, i) => {
      const version = versions?.[i];
      const tags = versions && [...(version?.tags ?? []), tag].slice(-MOST_TAGS);
      return recordItem(physical, document, by, version, tags);
    });
    try {
      const results = await indexes.write(name, physical, items);
      const refused = documents.filter((_, i) => results[i] === undefined);
      if (refused.length === 0) return results as OperationNumber[];
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

  /** Writes settings, if the version is still that one; false: it is not. */
  private async putSettings(name: string, kept: KeptIndex, settings: SettingsDocument): Promise<boolean> {
    const [result] = await this.indexes.write(name, kept.physical, [settingsItem(kept.physical, settings)]);
    if (result !== undefined) kept.settings = { ...settings, ...result };
    return result !== undefined;
  }

  /** Whether the documents of an index stay as they are under settings that were changed. */
  private async keepsDocuments({ name, settings: text }: IndexChange, { form, settings }: KeptIndex): Promise<boolean> {
    if (form === "replica") return true;
    const { settings: after } = await this.context.readSettings(text ?? settings.text);
    const before = this.context.settingsOf(name);
    const [a, b] = [before, after].map(({ effective }) => stableText(KEPT_BY.map((setting) => effective[setting])));
    return indexesAlike(before, after) && a === b;
  }

  /** Replaces all of an index, or makes it. `given`: the records are those that this one has in the cluster, and not those of the change. */
  private async commitAll(
    change: Pick<IndexChange, "name" | "vectorAttribute" | "segments" | "settings">,
    { since, build }: Pick<ChangeScope & { readonly kind: "all" }, "since" | "build">,
    given?: KeptIndex,
  ): Promise<() => void> {
    const { indexes } = this;
    const { readSettings, segmentsOf, settingsOf } = this.context;
    const { name, vectorAttribute, segments } = change;
    const before = this.kept.get(name);
    const mark = since as Mark | undefined;
    if (mark !== undefined && mark.physical !== before?.physical) throw settingsChanged();
    const text = change.settings ?? this.of(name).settings.text;
    const form = askedForm.getStore() ?? given?.form ?? before?.form ?? indexes.options.search;
    const pair = form === "remote" ? await readSettings(text) : undefined;
    const maker = pair && new RemoteDocuments(pair.settings);
    const source = given ?? (maker && build && before);
    const isChanged = before !== undefined && (build !== undefined || source === before);
    const idAttributeOf = ({ effective }: ResolvedSettings): string => effective.idAttribute;
    if (isChanged && pair !== undefined && idAttributeOf(pair.settings) !== idAttributeOf(settingsOf(name)))
      throw cannot("another idAttribute; load the records into a new index", "settings");
    const again = async function* (documents: readonly RecordDocument[]): AsyncGenerator<readonly WrittenDocument[]> {
      if (pair === undefined && build === undefined) return yield documents;
      yield documents.filter(({ json }) => json === undefined);
      const there = documents.filter(({ json }) => json !== undefined);
      const made = await (build?.(there.map(({ json }) => json!)) ?? segmentsOf(there, pair!));
      maker?.learn(made);
      for (const segment of made) yield await madeBy(maker, { segment }, vectorAttribute);
    };
    const conflict = (): Error => (isChanged ? new WriteConflict(new Set()) : settingsChanged());
    const { physical, settings: kept } = await indexes.create(name, text, maker);
    let isLocked = false;
    let mayBeSeen = false;
    try {
      let position = 0;
      maker?.learn(segments.map(({ segment }) => segment));
      for (const segment of segments)
        position = Math.max(position, await this.fill(physical, await madeBy(maker, segment, vectorAttribute)));
      if (source !== undefined)
        for await (const documents of indexes.pages(indexes.openPoint(source.physical)))
          for await (const some of again(documents)) await this.fill(physical, some);
      let last = position;
      let settings = kept;
      if (before !== undefined && (isChanged || mark !== undefined)) {
        isLocked = true;
        isLocked = await indexes.lock(before.physical, physical);
        if (!isLocked) throw conflict();
        for await (const some of this.carried(before, mark, again))
          if ("text" in some) settings = { ...settings, text: some.text };
          else last = Math.max(last, await this.fill(physical, some));
      }
      settings = { ...settings, lengths: maker?.lengths };
      if (settings.text !== kept.text || settings.lengths !== kept.lengths)
        last = Math.max(last, await this.fill(physical, settings));
      if (maker !== undefined) await indexes.refresh(physical);
      mayBeSeen = true;
      mayBeSeen = await indexes.give(physical, { to: name, replaced: before?.physical, isLocked });
      if (!mayBeSeen) throw conflict();
      const made = new KeptIndex(physical, kept, { position: maker === undefined ? position : -1, since: this.tick() });
      made.wrote(last, false);
      // A look has to show a copy.
      if (given === undefined || given === before) await this.keep(name, made);
      return () => {};
    } finally {
      if (!mayBeSeen) {
        if (isLocked) await indexes.unlock(before!.physical, physical).catch(() => {});
        await indexes.discard(physical);
      }
    }
  }

  /** Makes a copy of an index that the cluster searches, in the same form. */
  async copy(from: string, to: string): Promise<void> {
    const source = this.of(from);
    const change = { name: to, settings: source.settings.text, segments: [], vectorAttribute: null };
    await this.commitAll(change, {}, source);
  }

  /** What other engines wrote, and the new index is to have, too; nobody writes any more. `since`: then; undefined: when they were applied. */
  private async *carried(
    before: KeptIndex,
    since: Mark | undefined,
    again: (documents: readonly RecordDocument[]) => AsyncIterable<readonly WrittenDocument[]>,
  ): AsyncGenerator<readonly WrittenDocument[] | SettingsDocument> {
    const { indexes } = this;
    const { physical, position, shards, form } = before;
    const from = since?.operations ?? (form === "remote" ? shards : [position]);
    for (const [shard, upTo] of (await indexes.shardsOf(physical)).entries()) {
      const after = from[shard] ?? -1;
      for await (const { documents, settings } of indexes.changes(physical, { after, upTo, shard })) {
        if (settings !== undefined && settings.text !== before.settings.text) {
          if (since === undefined) throw new WriteConflict(new Set());
          yield settings;
        }
        yield* again(documents.filter(({ version }) => since !== undefined || !before.has(version.seqNo)));
      }
    }
  }

  /** Writes documents or settings to a physical index that nobody sees, and returns the number of the last operation. */
  private async fill(physical: string, some: readonly WrittenDocument[] | NotedSettings): Promise<number> {
    const items =
      "text" in some ? [settingsItem(physical, some)] : some.map((document) => recordItem(physical, document, ""));
    const results = await this.indexes.write(undefined, physical, items);
    return results.reduce((last, result) => Math.max(last, result?.seqNo ?? -1), -1);
  }

  /** Gives an index another name, or none: then it is gone. */
  private async move(from: string, to: string | undefined): Promise<() => void> {
    const kept = this.of(from);
    const replaced = to === undefined ? undefined : this.kept.get(to)?.physical;
    if (!(await this.indexes.give(kept.physical, { from, to, replaced }))) throw settingsChanged();
    await this.keep(from, undefined);
    if (to !== undefined) await this.keep(to, kept.renamed(this.tick()));
    return () => {};
  }

  /**
   * Removes what tells of deletions that are old enough, now and then. Before, the settings note up to where: an engine that has not come so
   * far loads the index anew.
   */
  private async forgetDeletions(name: string, kept: KeptIndex): Promise<void> {
    const { indexes } = this;
    const { tombstoneMs } = indexes.options;
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

/** The documents of records in memory. `maker`: for the cluster to search. */
function madeBy(
  maker: RemoteDocuments | undefined,
  live: DocumentSource,
  vectorAttribute: string | null,
): Promise<WrittenDocument[]> {
  return runTask(maker === undefined ? documentsOf(live, vectorAttribute) : maker.of(live));
}

/** The document that a deleted record leaves behind. */
function deletionOf(id: string): WrittenDocument {
  return { id, json: undefined };
}

function conflictOf(refused: readonly WrittenDocument[]): WriteConflict {
  return new WriteConflict(new Set(refused.map(({ id }) => id)));
}

function keysOf(documents: readonly WrittenDocument[]): string[] {
  return documents.map(({ id }) => documentIdOf(id));
}

/** What tells a part of a cluster from others: 32 hexadecimal digits. */
export function clusterId(uuid: string, prefix: string): string {
  return createHash("sha256").update(`${uuid}\0${prefix}`).digest("hex").slice(0, 32);
}
