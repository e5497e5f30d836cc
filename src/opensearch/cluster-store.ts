// What an engine's indexes stand on in a cluster: changes are made there before anyone sees them here. Of each index it knows which
// physical one has its records, and up to which operation this process has them.

import { createHash } from "node:crypto";
import { idsOf } from "../index/index-snapshot.js";
import { type ChangeScope, type SharedIndex, WriteConflict } from "../index/writer.js";
import type { LocalCopy } from "../storage/local-copy.js";
import type { IndexChange, IndexRemoval, SharedStore } from "../storage/store.js";
import { SearchError } from "../util/errors.js";
import { clusterPosition, progressIn } from "../util/position.js";
import { runTask } from "../util/tasks.js";
import {
  deletionOf,
  documentsOf,
  type OperationNumber,
  type SettingsDocument,
  settingsItem,
  sourceOf,
  type WriteItem,
  type WrittenDocument,
  writtenAgain,
} from "./cluster-documents.js";
import { type ClusterIndexes, type ListedIndex, settingsChanged } from "./cluster-indexes.js";
import { newTag, tokenOf } from "./cluster-names.js";

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
    return kept;
  }
}

/** When a replacement of all records began. */
type Mark = { readonly physical: string; readonly operation: number };

/** What an engine is made of. */
export interface ClusterParts {
  readonly indexes: ClusterIndexes;
  /** Tells the cluster, and the part of it that is this engine's, from others. */
  readonly cluster: string;
  readonly local: LocalCopy | undefined;
  readonly tombstoneMs: number;
}

/** What a store stands on. */
interface ClusterStoreContext extends ClusterParts {
  /** Applies what other engines wrote to an index: in a turn of it, or in one of its own. */
  readonly catchUp: (name: string) => Promise<void>;
  readonly catchUpInTurn: (name: string) => Promise<void>;
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

  constructor(context: ClusterStoreContext) {
    this.context = context;
  }

  /** An index, as far as this process has it; undefined: it has none of this name. */
  find(name: string): KeptIndex | undefined {
    return this.kept.get(name);
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
    return new Map([...this.kept].filter(([, { problem }]) => problem === undefined));
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
    const mark = (): Mark => ({ physical: this.of(name).physical, operation: this.of(name).latest });
    return { patienceMs: indexes.patienceMs, catchUp: () => catchUp(name), mark };
  }

  async settle(name: string): Promise<void> {
    const kept = this.kept.get(name);
    // The write is done; when this fails, the next look shows what came before it.
    if (kept !== undefined && kept.position < kept.latest) await this.context.catchUpInTurn(name).catch(() => {});
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
    const results = await this.put(name, kept, documents, isConditional).catch((error: unknown): never => {
      if (!(error instanceof SearchError) || error.error !== "settings_changed") throw error;
      // They go to the index that has the name by now.
      throw new WriteConflict(new Set(documents.map(({ id }) => id)));
    });
    return () => {
      for (const { seqNo } of results) kept.wrote(seqNo);
      if (added === undefined) void this.forgetDeletions(name, kept);
    };
  }

  /** Writes documents. Throws {@link WriteConflict} if `isConditional` and others wrote some of them since they were read. */
  private async put(
    name: string,
    kept: KeptIndex,
    documents: readonly WrittenDocument[],
    isConditional: boolean,
  ): Promise<readonly OperationNumber[]> {
    const { indexes } = this.context;
    const { physical, by } = kept;
    const tag = newTag();
    const conflictOf = (refused: readonly WrittenDocument[]): WriteConflict =>
      new WriteConflict(new Set(refused.map(({ id }) => id)));
    const keysOf = (some: readonly WrittenDocument[]): string[] => some.map(({ documentId }) => documentId);
    const versions = isConditional ? await indexes.versions(physical, keysOf(documents)) : [];
    if (versions.some((version) => version !== null && !kept.has(version.seqNo))) throw conflictOf(documents);
    const items = documents.map(({ documentId, ...document }, i): WriteItem => {
      const version = versions[i];
      const tags = isConditional ? [...(version?.tags ?? []), tag].slice(-MOST_TAGS) : undefined;
      return { documentId, source: sourceOf(physical, document, by, tags), version };
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

  /** Fills a physical index that nobody sees, and gives it the name, at once. */
  private async commitAll(
    { name, vectorAttribute, segments, settings }: IndexChange,
    scope: ChangeScope & { readonly kind: "all" },
  ): Promise<() => void> {
    const { indexes } = this.context;
    const before = this.kept.get(name);
    const since = scope.since as Mark | undefined;
    if (since !== undefined && since.physical !== before?.physical) throw settingsChanged();
    const { physical, settings: kept } = await indexes.create(name, settings ?? this.of(name).settings.text);
    const conflict = (): Error => (scope.build === undefined ? settingsChanged() : new WriteConflict(new Set()));
    let isLocked = false;
    let mayBeSeen = false;
    try {
      let position = 0;
      for (const segment of segments)
        position = Math.max(position, await this.fill(physical, await runTask(documentsOf(segment, vectorAttribute))));
      let last = position;
      if (before !== undefined && (since !== undefined || scope.build !== undefined)) {
        isLocked = true;
        isLocked = await indexes.lock(before.physical, physical);
        if (!isLocked) throw conflict();
        for await (const some of this.carried(before, scope, vectorAttribute))
          last = Math.max(last, await this.fill(physical, "text" in some ? { ...kept, text: some.text } : some));
      }
      mayBeSeen = true;
      mayBeSeen = await indexes.give(physical, { to: name, replaced: before?.physical, isLocked });
      if (!mayBeSeen) throw conflict();
      const made = new KeptIndex(physical, kept, { position, since: this.tick() });
      made.wrote(last, false);
      await this.keep(name, made);
      return () => {};
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

  /** Writes documents or settings to a physical index that nobody sees, and returns the number of the last operation. */
  private async fill(physical: string, some: readonly WrittenDocument[] | SettingsDocument): Promise<number> {
    const itemOf = ({ documentId, ...document }: WrittenDocument): WriteItem => ({
      documentId,
      source: sourceOf(physical, document, ""),
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

/** What tells a part of a cluster from others: 32 hexadecimal digits. */
export function clusterId(uuid: string, prefix: string): string {
  return createHash("sha256").update(`${uuid}\0${prefix}`).digest("hex").slice(0, 32);
}
