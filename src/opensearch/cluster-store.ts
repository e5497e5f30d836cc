// What an engine's indexes stand on in a cluster: changes are made there before anyone sees them here. Of each index it knows which
// physical one has its records, and up to which operation this process has them.

import { createHash, randomBytes } from "node:crypto";
import type { Deletions, IndexSnapshot } from "../index/index-snapshot.js";
import { type ChangeScope, type SharedIndex, WriteConflict } from "../index/writer.js";
import type { IndexChange, IndexRemoval, IndexStore, Recovery, StorageReport, Store } from "../storage/store.js";
import type { SearchError } from "../util/errors.js";
import { clusterPosition, progressIn } from "../util/position.js";
import { runTask } from "../util/tasks.js";
import { deletionOf, documentsOf, sourceOf, type WrittenDocument } from "./cluster-documents.js";
import {
  type ClusterIndexes,
  type DocumentVersion,
  type SettingsDocument,
  settingsChanged,
  type WriteItem,
} from "./cluster-indexes.js";
import { type ClusterNames, documentIdOf, tokenOf } from "./cluster-names.js";
import type { LocalCopy } from "./local-copy.js";

/** A document keeps the tags of so many calls that changed it as it was: so a request that came twice is known again. */
const MOST_TAGS = 8;
const newTag = (): string => randomBytes(6).toString("base64url");

/** An index, as far as this process has it. */
export class KeptIndex {
  readonly physical: string;
  settings: SettingsDocument;
  /** Why its records are not here; undefined: they are. */
  readonly problem: SearchError | undefined;
  /** What its documents name as their writer, so that this process need not read them again. */
  by: string = newTag();
  /** When it got its name, by the clock of the store. */
  readonly since: number;
  private reached: number;
  /** The last operation of this process. */
  private last = -1;
  /** The operations of this process behind `reached`: the document of each, and the last one of each document. */
  private readonly documents = new Map<number, string>();
  private readonly operations = new Map<string, number>();

  constructor(
    physical: string,
    {
      settings,
      position,
      since,
      problem,
    }: {
      readonly settings: SettingsDocument;
      readonly position: number;
      readonly since: number;
      readonly problem?: SearchError | undefined;
    },
  ) {
    this.physical = physical;
    this.settings = settings;
    this.reached = position;
    this.since = since;
    this.problem = problem;
  }

  /** All operations up to this one are applied. */
  get position(): number {
    return this.reached;
  }

  /** All operations up to this one were done before now, as far as this process knows. */
  get latest(): number {
    return Math.max(this.reached, this.last);
  }

  /** Whether this process has a version of a document, or a later one. */
  has(documentId: string, seqNo: number): boolean {
    return seqNo <= this.reached || (this.operations.get(documentId) ?? -1) >= seqNo;
  }

  /** Notes an operation of this process that is applied here. */
  wrote(documentId: string, seqNo: number): void {
    this.last = Math.max(this.last, seqNo);
    this.documents.set(seqNo, documentId);
    this.operations.set(documentId, Math.max(seqNo, this.operations.get(documentId) ?? -1));
    while (this.documents.has(this.reached + 1)) this.reach(this.reached + 1);
  }

  /** An operation of this process was done that is not applied here. */
  expect(seqNo: number): void {
    this.last = Math.max(this.last, seqNo);
  }

  /** All operations up to this one are applied now. */
  reach(position: number): void {
    if (position - this.reached === 1) this.drop(position);
    else for (const seqNo of this.documents.keys()) if (seqNo <= position) this.drop(seqNo);
    this.reached = Math.max(this.reached, position);
    while (this.documents.has(this.reached + 1)) this.reach(this.reached + 1);
  }

  private drop(seqNo: number): void {
    const documentId = this.documents.get(seqNo);
    if (documentId === undefined) return;
    this.documents.delete(seqNo);
    if (this.operations.get(documentId) === seqNo) this.operations.delete(documentId);
  }

  /** After a request of which nobody knows what it did, or that was not applied: its documents are read as those of others. */
  forgetWriter(): void {
    this.by = newTag();
  }

  /** The same under another name. */
  renamed(since: number): KeptIndex {
    const { physical, settings, reached: position } = this;
    const kept = new KeptIndex(physical, { settings, position, since });
    for (const [seqNo, documentId] of this.documents) kept.wrote(documentId, seqNo);
    kept.last = this.last;
    kept.by = this.by;
    return kept;
  }
}

/** When a replacement of all records began. */
interface Mark {
  readonly physical: string;
  readonly operation: number;
}

/** What a store stands on. */
export interface ClusterStoreContext {
  readonly indexes: ClusterIndexes;
  readonly names: ClusterNames;
  /** Tells the cluster, and the part of it that is this engine's, from others. */
  readonly cluster: string;
  readonly local: LocalCopy | undefined;
  readonly tombstoneMs: number;
  /** Applies what other engines wrote to an index; in a turn of it, or in one of its own. */
  readonly catchUp: (name: string) => Promise<void>;
  readonly catchUpInTurn: (name: string) => Promise<void>;
}

/** The cluster as the store of an engine's indexes. */
export class ClusterStore implements IndexStore {
  readonly isReadOnly = false;
  private readonly context: ClusterStoreContext;
  private readonly kept = new Map<string, KeptIndex>();
  /** What stands for the indexes that the last look found. */
  listed: ReadonlySet<string> = new Set();
  private time = 0;
  /** When deletions of an index were forgotten last, by physical index. */
  private readonly forgotten = new Map<string, number>();

  constructor(context: ClusterStoreContext) {
    this.context = context;
  }

  private get local(): Store | undefined {
    return this.context.local?.store;
  }

  /** An index, as far as this process has it; undefined: it has none of this name. */
  find(name: string): KeptIndex | undefined {
    return this.kept.get(name);
  }

  /** A new time of the clock that orders looks and changes of names. */
  tick(): number {
    return ++this.time;
  }

  /** Notes which physical index has a name. */
  keep(name: string, kept: KeptIndex): void {
    this.kept.set(name, kept);
    this.save();
  }

  forget(name: string): void {
    this.kept.delete(name);
  }

  /** Notes soon in the local copy how far it has come. */
  save(): void {
    this.context.local?.saveSoon(() => this.positions());
  }

  private positions(): ReadonlyMap<string, number> {
    const whole = [...this.kept.values()].filter(({ problem }) => problem === undefined);
    return new Map(whole.map(({ physical, position }) => [physical, position]));
  }

  get position(): string {
    const indexes = [...this.kept].map(
      ([name, { physical, position }]) => [tokenOf(name, physical), position] as const,
    );
    return clusterPosition({ cluster: this.context.cluster, indexes: new Map(indexes) });
  }

  /** Whether this process has come to a position. What the last look did not find any more is behind it. Throws 400. */
  hasReached(position: string): boolean {
    const asked = progressIn(position, this.context.cluster).indexes;
    const own = new Map([...this.kept].map(([name, { physical, position: n }]) => [tokenOf(name, physical), n]));
    return [...asked].every(([token, n]) => (own.get(token) ?? (this.listed.has(token) ? -2 : n)) >= n);
  }

  sharedIndex(name: string): SharedIndex {
    const { indexes, catchUp } = this.context;
    return {
      patienceMs: indexes.patienceMs,
      catchUp: () => catchUp(name),
      mark: (): Mark => {
        const { physical, latest: operation } = this.of(name);
        return { physical, operation };
      },
    };
  }

  async settle(name: string): Promise<void> {
    const kept = this.kept.get(name);
    // The write is done; when it fails, the next look shows what came before it.
    if (kept !== undefined && kept.position < kept.latest) await this.context.catchUpInTurn(name).catch(() => {});
  }

  private of(name: string): KeptIndex {
    const kept = this.kept.get(name);
    if (kept === undefined) throw settingsChanged();
    return kept;
  }

  async commit(changes: readonly (IndexChange | IndexRemoval)[]): Promise<void> {
    const [first, second] = changes;
    if (first !== undefined && !("isGone" in first) && second !== undefined && "isGone" in second)
      return this.rename(second.name, first.name);
    for (const change of changes)
      if ("isGone" in change) await this.remove(change.name);
      else await this.commitChange(change, change.scope);
  }

  private async commitChange(change: IndexChange, scope: ChangeScope): Promise<void> {
    if (scope.kind === "records") return this.commitRecords(change, scope);
    if (scope.kind === "all") return this.commitAll(change, scope);
    if (scope.kind === "settings") return this.commitSettings(change);
    await this.keepLocally(change);
  }

  /** The local copy follows what is done in the cluster. */
  private async keepLocally(change: IndexChange): Promise<void> {
    const { local } = this.context;
    const kept = this.kept.get(change.name);
    if (local === undefined || kept === undefined) return;
    await local.commit(() => local.store.commit([{ ...change, name: kept.physical }]));
    this.save();
  }

  private async dropLocally(physical: string): Promise<void> {
    const { local } = this.context;
    if (local?.store.indexNames.includes(physical) !== true) return;
    await local.commit(() => local.store.commit([{ name: physical, isGone: true }]));
  }

  private async commitRecords(change: IndexChange, scope: ChangeScope & { readonly kind: "records" }): Promise<void> {
    const kept = this.of(change.name);
    const { added = [], deletions = new Map() } = scope.change;
    const documents: WrittenDocument[] = [];
    for (const segment of added) documents.push(...(await runTask(documentsOf({ segment }, change.vectorAttribute))));
    if (added.length === 0) documents.push(...idsIn(scope.before, deletions).map(deletionOf));
    const results = await this.put(change.name, kept, documents, scope.isConditional);
    await this.keepLocally(change);
    for (const [i, seqNo] of results.entries()) kept.wrote(documents[i]!.documentId, seqNo);
    if (added.length === 0) void this.forgetDeletions(change.name, kept);
  }

  /** Writes documents. Throws {@link WriteConflict} if `isConditional` and others wrote some of them since they were read. */
  private async put(
    name: string,
    kept: KeptIndex,
    documents: readonly WrittenDocument[],
    isConditional: boolean,
  ): Promise<readonly number[]> {
    const { indexes, names } = this.context;
    const { physical, by } = kept;
    const tag = newTag();
    const idOf = ({ documentId }: WrittenDocument): string => documentId;
    const versions = isConditional ? await indexes.versions(physical, documents.map(idOf)) : undefined;
    for (const [documentId, version] of versions ?? [])
      if (version !== null && !kept.has(documentId, version.seqNo))
        throw new WriteConflict(new Set(documents.map(({ id }) => id)));
    const items = documents.map((document): WriteItem => {
      const version = versions?.get(document.documentId);
      const tags = versions && [...(version?.tags ?? []), tag].slice(-MOST_TAGS);
      return { documentId: document.documentId, source: sourceOf(physical, document, { by, tags }), version };
    });
    let results: (number | undefined)[];
    try {
      results = await indexes.write(physical, names.aliasOf(name), items);
      const refused = documents.filter((_, i) => results[i] === undefined).map(idOf);
      if (refused.length > 0) {
        // A request that came twice was done by the first, and refused to the second.
        const now = await indexes.versions(physical, refused);
        const done = (version: DocumentVersion | null | undefined): number | undefined =>
          version?.tags.includes(tag) === true ? version.seqNo : undefined;
        results = results.map((seqNo, i) => seqNo ?? done(now.get(documents[i]!.documentId)));
      }
    } catch (error) {
      kept.forgetWriter();
      throw error;
    }
    const lost = documents.filter((_, i) => results[i] === undefined);
    if (lost.length === 0) return results as number[];
    kept.forgetWriter();
    throw new WriteConflict(new Set(lost.map(({ id }) => id)));
  }

  /** Writes the settings, if they are still those that were read. Records and vectors stay. */
  private async commitSettings(change: IndexChange): Promise<void> {
    const kept = this.of(change.name);
    const { indexes, names } = this.context;
    const { physical, settings, by } = kept;
    const text = change.settings ?? settings.text;
    const item = indexes.settingsItem(physical, text, settings.forgotten, by, settings);
    const [seqNo] = await indexes.write(physical, names.aliasOf(change.name), [item]);
    if (seqNo === undefined) throw new WriteConflict(new Set());
    await this.keepLocally(change);
    kept.settings = await indexes.settingsOf(physical);
    kept.wrote(item.documentId, seqNo);
  }

  /** Fills a physical index that nobody sees, and gives it the name, at once. */
  private async commitAll(change: IndexChange, scope: ChangeScope & { readonly kind: "all" }): Promise<void> {
    const { name, vectorAttribute } = change;
    const { indexes } = this.context;
    const before = this.kept.get(name);
    const physical = await indexes.create(name, change.settings ?? this.of(name).settings.text);
    let isLocked = false;
    let mayBeSeen = false;
    try {
      let position = 0;
      for (const segment of change.segments) {
        const documents = await runTask(documentsOf(segment, vectorAttribute));
        position = Math.max(position, await this.fill(physical, documents));
      }
      const since = scope.since as Mark | undefined;
      const carries = before !== undefined && (since !== undefined || scope.build !== undefined);
      let last = position;
      if (carries) {
        if (since !== undefined && since.physical !== before.physical) throw settingsChanged();
        isLocked = await indexes.lock(before.physical, physical);
        if (!isLocked) throw settingsChanged();
        for await (const documents of this.carried(before, scope, vectorAttribute))
          last = Math.max(last, await this.fill(physical, documents));
      }
      mayBeSeen = true;
      mayBeSeen = await indexes.swap(name, physical, before && { physical: before.physical, isLocked });
      if (!mayBeSeen) throw settingsChanged();
      const made = new KeptIndex(physical, {
        ...{ settings: await indexes.settingsOf(physical), position, since: this.tick() },
      });
      made.expect(last);
      this.kept.set(name, made);
      await this.keepLocally({ ...change, isFresh: true });
      if (before !== undefined) await this.dropLocally(before.physical);
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
  ): AsyncGenerator<readonly WrittenDocument[]> {
    const { indexes } = this.context;
    const { physical } = before;
    const upTo = await indexes.checkpointOf(physical);
    const after = since === undefined ? before.position : (since as Mark).operation;
    for await (const { documents } of indexes.changes(physical, { after, upTo })) {
      const fresh = documents
        .filter(({ seqNo, document }) => since !== undefined || !before.has(documentIdOf(document.id), seqNo))
        .map(({ document }) => ({ ...document, documentId: documentIdOf(document.id) }));
      if (build === undefined) yield fresh;
      else {
        yield fresh.filter(({ json }) => json === undefined);
        for (const segment of await build(fresh.flatMap(({ json }) => json ?? [])))
          yield await runTask(documentsOf({ segment }, vectorAttribute));
      }
    }
  }

  /** Writes documents to a physical index that nobody sees, and returns the number of the last operation. */
  private async fill(physical: string, documents: readonly WrittenDocument[]): Promise<number> {
    const items = documents.map((document) => ({
      documentId: document.documentId,
      source: sourceOf(physical, document, { by: "" }),
    }));
    const results = await this.context.indexes.write(physical, physical, items);
    return results.reduce<number>((last, seqNo) => Math.max(last, seqNo ?? -1), -1);
  }

  private async rename(from: string, to: string): Promise<void> {
    const kept = this.of(from);
    const replaced = this.kept.get(to);
    const { indexes } = this.context;
    if (!(await indexes.rename(kept.physical, from, to, replaced?.physical))) throw settingsChanged();
    this.kept.delete(from);
    this.kept.set(to, kept.renamed(this.tick()));
    if (replaced !== undefined) await this.dropLocally(replaced.physical);
  }

  private async remove(name: string): Promise<void> {
    const { physical } = this.of(name);
    if (!(await this.context.indexes.remove(name, physical))) throw settingsChanged();
    this.kept.delete(name);
    await this.dropLocally(physical);
  }

  /**
   * Removes what tells of deletions that are old enough, now and then. Before, the settings note up to where: an engine that has not come so
   * far loads the index anew.
   */
  private async forgetDeletions(name: string, kept: KeptIndex): Promise<void> {
    const { indexes, names, tombstoneMs } = this.context;
    const { physical, by } = kept;
    const now = performance.now();
    if (now - (this.forgotten.get(physical) ?? Number.NEGATIVE_INFINITY) < tombstoneMs / 10) return;
    this.forgotten.set(physical, now);
    try {
      const versions = await indexes.deletionsBefore(physical, Date.now() - tombstoneMs);
      if (versions.size === 0) return;
      const last = Math.max(...[...versions.values()].map(({ seqNo }) => seqNo));
      const settings = await indexes.settingsOf(physical);
      const item = indexes.settingsItem(physical, settings.text, Math.max(last, settings.forgotten), by, settings);
      const [seqNo] = await indexes.write(physical, names.aliasOf(name), [item]);
      if (seqNo !== undefined) await indexes.forget(physical, versions);
    } catch {
      // The next deletion tries it again.
    }
  }

  async note(change: IndexChange): Promise<void> {
    const { local } = this.context;
    const kept = this.kept.get(change.name);
    if (local !== undefined && kept !== undefined)
      await local.commit(() => local.store.note({ ...change, name: kept.physical }));
  }

  isLarge(segment: Parameters<IndexStore["isLarge"]>[0]): boolean {
    return this.local?.isLarge(segment) ?? false;
  }

  async prepare(...args: Parameters<IndexStore["prepare"]>): Promise<boolean> {
    return (await this.local?.prepare(...args)) ?? false;
  }

  async discard(segment: Parameters<IndexStore["discard"]>[0]): Promise<void> {
    await this.local?.discard(segment);
  }

  get graphNodes(): number {
    return this.local?.graphNodes ?? 0;
  }

  async storeGraph(...[name, content, isOver]: Parameters<IndexStore["storeGraph"]>): Promise<boolean> {
    const kept = this.kept.get(name);
    return kept !== undefined && ((await this.local?.storeGraph(kept.physical, content, isOver)) ?? false);
  }

  lacksFloor(name: string): boolean {
    const kept = this.kept.get(name);
    return kept !== undefined && (this.local?.lacksFloor(kept.physical) ?? false);
  }

  lacksUsed(change: IndexChange): boolean {
    const kept = this.kept.get(change.name);
    return kept !== undefined && (this.local?.lacksUsed({ ...change, name: kept.physical }) ?? false);
  }

  get recovery(): Recovery {
    return this.local?.recovery ?? { recovered: false, droppedBytes: 0 };
  }

  noteDamage(): void {}

  async flush(): Promise<void> {
    await this.context.local?.save(this.positions());
  }

  async checkFiles(): Promise<StorageReport> {
    return (await this.local?.checkFiles()) ?? { ok: true, problems: [] };
  }

  async close(): Promise<void> {
    await this.context.local?.save(this.positions());
    await this.local?.close();
  }
}

/** What tells a part of a cluster from others: 32 hexadecimal digits. */
export function clusterId(uuid: string, prefix: string): string {
  return createHash("sha256").update(`${uuid}\0${prefix}`).digest("hex").slice(0, 32);
}

/** The ids of deleted records. */
function idsIn({ segments }: IndexSnapshot, deletions: Deletions): string[] {
  return segments.flatMap(({ segment }) =>
    (deletions.get(segment.segmentId) ?? []).map((doc) => segment.records.ids.textAt(doc)),
  );
}
