// An open data folder: it makes changes durable, keeps all indexes of an engine, and loses nothing that was acknowledged. What its
// files say is in folder-content.ts.
//
// A change is a frame of the log; large segments of it are written to files before. A checkpoint writes the small segments of the log
// to files, replaces the manifest and begins a new log.

import { randomBytes } from "node:crypto";
import type { AttributeHistory } from "../docvalues/attribute-catalog.js";
import { postingsBytes } from "../inverted/postings.js";
import type { ChangeScope, SharedIndex } from "../state/durability.js";
import type { RestoredIndex } from "../state/index-data.js";
import type { LearnedFloor } from "../state/index-snapshot.js";
import type { GraphContent, StoredGraph } from "../state/keep-graph.js";
import type { LiveSegment, Segment } from "../state/segment.js";
import { publishFlush, publishSegment } from "../util/diagnostics.js";
import { engineClosed, type SearchError } from "../util/errors.js";
import { type SearchWarning, storageWarning } from "../util/extension-points.js";
import { offsetAt } from "../util/offset-table.js";
import { advanced, hasReached, type Progress, positionOf } from "../util/position.js";
import { pauseIfLong, runInBackground, runTask, type Task, WriteQueue } from "../util/tasks.js";
import { type FileSystem, nodeFileSystem } from "./file-system.js";
import {
  applyFrame,
  areLong,
  checkGraph,
  checkLog,
  checkManifest,
  checkOpenFile,
  createStore,
  type DamagedIndex,
  type FileEntry,
  type FolderContent,
  type Frame,
  graphName,
  hasNoStore,
  type IndexFrame,
  type KeptIndex,
  logName,
  MANIFEST,
  type Manifest,
  manifestOf,
  newlyDeleted,
  OWN_NAME,
  packKept,
  packWritten,
  putManifest,
  readBesideWriter,
  readChecked,
  readFolder,
  type SegmentLocation,
  segmentName,
  settingsName,
  sideFilesOf,
  unpackWritten,
  writeSettingsFile,
} from "./folder-content.js";
import { acquireLock, type FolderLock } from "./folder-lock.js";
import { FollowedFolder } from "./followed-folder.js";
import { type GraphFile, graphFileOf } from "./graph-file.js";
import { OpenFiles } from "./open-files.js";
import { OpenFolder } from "./open-folder.js";
import { leaveToFile, packSegment } from "./pack-segment.js";
import { type Expected, type FileMetadata, fileOf, layOut, writeFile } from "./sections.js";
import { fileError, missingFile, noStore, storageError } from "./storage-error.js";
import { WATERMARK, Watermark } from "./watermark.js";
import { WriteLog } from "./write-log.js";

/** A change of one index: its content afterwards, and which parts of that are new. */
export interface IndexChange {
  readonly name: string;
  /** The settings as text, if they are new. */
  readonly settings: string | undefined;
  readonly segments: readonly Pick<LiveSegment, "segment" | "deletedDocs">[];
  /** True: what was remembered before, written attributes and deleted ids, is forgotten. */
  readonly isFresh: boolean;
  readonly written: AttributeHistory;
  readonly deletedIds: readonly string[];
  readonly floor: LearnedFloor | null;
  /** The undeclared attributes that queries used. */
  readonly used: readonly string[];
  readonly scope: ChangeScope;
  /** The attribute of the records' own vectors; null: their texts were embedded, or there are no vectors. */
  readonly vectorAttribute: string | null;
}

/** Where several engines keep the same indexes. */
export interface SharedStore {
  /** Makes changes where all engines see them, all together, and then in the data folder of this one, by `keep`. */
  commit(changes: readonly (IndexChange | IndexRemoval)[], keep: () => Promise<void>): Promise<void>;
  /** What the writer of an index needs to know of others. */
  sharedIndex(name: string): SharedIndex;
  /** After a write of this engine: shows what other engines wrote before it. */
  settle(name: string): Promise<void>;
  /** How far this engine has come. */
  readonly position: string;
}

/** An index that is deleted, or that has another name from now on. */
export interface IndexRemoval {
  readonly name: string;
  readonly isGone: true;
}

/** An index as the folder has it. */
export interface StoredIndex {
  readonly name: string;
  /** Their text, or why it cannot be read. */
  readonly settings: string | SearchError;
  /** Nothing that is known of an index of this name holds any more. */
  readonly isFresh: boolean;
  /** The number of live records. */
  readonly recordCount: number;
  /** The undeclared attributes that queries used. */
  readonly used?: readonly string[];
  /** Reads its segments. Rejects with 500 `storage_corrupt`. */
  readonly load: () => Promise<RestoredIndex>;
}

/** What opening found. */
export interface Recovery {
  /** The folder was not closed properly, or its end was dropped. */
  readonly recovered: boolean;
  /** Bytes of changes that were never acknowledged, and were dropped. */
  readonly droppedBytes: number;
  /**
   * The indexes of which a file is missing or damaged, as far as opening looks, and that file; absent: none. What needs it is 500
   * `storage_corrupt`.
   */
  readonly damagedIndexes?: readonly { readonly indexName: string; readonly file: string }[];
}

/** When a store writes what; tests use smaller ones. */
export interface StoreSizes {
  /** Segments of more bytes get a file at once; smaller ones stand in the log until the next checkpoint. */
  readonly inlineBytes: number;
  /** The log may grow to this many bytes before a checkpoint. */
  readonly logBytes: number;
  /** So many nodes of a graph may be missing in its file. */
  readonly graphNodes: number;
}

/** What a store stands on. */
export interface Disk {
  readonly files: FileSystem;
  readonly sizes: StoreSizes;
  /** Throws 409 `storage_locked`. */
  readonly lock: (folder: string) => Promise<FolderLock>;
}

/** The disk of this machine. */
export const nodeDisk: Disk = {
  files: nodeFileSystem,
  lock: acquireLock,
  sizes: { inlineBytes: 2 ** 22, logBytes: 2 ** 26, graphNodes: 1000 },
};

/** How to open a data folder. */
export interface StoreOptions extends Disk {
  /** An absolute path. */
  readonly folder: string;
  readonly readOnly: boolean;
  readonly durability: "sync" | "interval";
  readonly warn: (warning: SearchWarning) => void;
}

/** A log of more bytes is emptied by a checkpoint when the folder is closed, so that it opens faster. */
const MOST_CLOSED_LOG_BYTES = 2 ** 20;
/** Files of this many bytes, or of as many as all indexes need, may be added before a checkpoint removes those not needed any more. */
const MOST_GROWTH_BYTES = 2 ** 26;
const SYNC_INTERVAL_MS = 1000;
/** When so much was synced since the watermark was written, it is written again. */
const WATERMARK_BYTES = 2 ** 18;
/** Files that a writer has open to read, at most; a reader opens all of its state. */
const MOST_OPEN_FILES = 200;
const NOT_TIDIED = "The data folder could not be tidied; nothing is lost, and it will be tried again.";
const NOT_SYNCED =
  "The writes of the last second could not be synced, so they are lost when the engine is closed; open the data folder again and repeat them.";

const HISTORY_BYTES = 8;
const RESTORED =
  "The files of the data folder were replaced, by a backup or another store; the engine shows what is there now, and what it showed before may be lost.";
const NO_GRAPH = "The graph could not be stored; it is built anew when the data folder is opened again.";

/** A graph is not stored because its index has ended or has other content. */
class GraphIsOver extends Error {}

/** What `checkStorage` found. */
export interface StorageReport {
  readonly ok: boolean;
  readonly problems: readonly { readonly file: string; readonly message: string }[];
}

/** What a store holds until it is closed. */
interface StoreResources {
  readonly folder: OpenFolder;
  readonly files: Pick<OpenFiles, "file" | "keep" | "close">;
  /** undefined: for writing. */
  readonly followed?: FollowedFolder;
  /** undefined: for reading only. */
  readonly writing?: { readonly log: WriteLog; readonly watermark: Watermark; readonly lock: FolderLock };
}

/** The approximate bytes that a segment takes in a file. */
function storedBytes({ records, postings, vectors }: Segment): number {
  const text = postingsBytes(postings);
  return offsetAt(records.offsets, records.ids.size) + text + (vectors === null ? 0 : 2 * vectors.high.byteLength);
}

function expectedSegment({ number, ...metadata }: FileEntry, storeId: Uint8Array): Expected {
  return { name: segmentName(number), kind: "segment", storeId, metadata };
}

/** What tells states of each index apart: its settings, its segments, and how many records of each are deleted. */
function shownBy({ indexes, settings }: FolderContent): ReadonlyMap<string, string> {
  const shown = new Map<string, string>();
  for (const [name, { segments }] of indexes) {
    const each = segments.map(({ number, deleted }) => `${number}:${deleted?.count() ?? 0}`);
    shown.set(name, `${each.join(" ")} ${String(settings.get(name))}`);
  }
  return shown;
}

/** Looks at a file, and notes what is wrong with it. */
type Look = (file: string, work: () => Promise<unknown>) => Promise<void>;

/** Closes or releases each of these, whatever fails: nothing depends on it any more. */
async function releaseAll(
  held: readonly ({ close(): Promise<void> } | { release(): Promise<void> } | undefined)[],
): Promise<void> {
  for (const each of held) {
    if (each === undefined) continue;
    await ("release" in each ? each.release() : each.close()).catch(() => {});
  }
}

/** An open data folder. */
export class Store {
  private readonly foundAtOpening: Recovery;
  private readonly damaged: DamagedIndex[];
  /** What the opening found, until its indexes are taken. */
  private found: FolderContent | undefined;
  private readonly options: StoreOptions;
  private readonly sizes: StoreSizes;
  private readonly storeId: Uint8Array;
  /** For writing: the id of the history of its changes. */
  private readonly history = randomBytes(HISTORY_BYTES).toString("hex");
  private readonly folder: OpenFolder;
  private readonly files: StoreResources["files"];
  /** undefined: for writing. */
  private readonly followed: FollowedFolder | undefined;
  /** For reading: what was shown last of each index. */
  private shown: ReadonlyMap<string, string>;
  /** The last change of what this store shows. */
  private progress: Progress;
  private readonly indexes: Map<string, KeptIndex>;
  /** By the number of a segment: how many indexes have it. */
  private readonly users = new Map<number, number>();
  private readonly locations = new WeakMap<Segment, SegmentLocation>();
  /** The segments that some index has and only the log holds, by number. */
  private readonly unflushed = new Map<number, SegmentLocation>();
  /** By number: the files of segments that the manifest or a frame of the log names. */
  private readonly committedFiles = new Map<number, FileMetadata>();
  /** The names of the graphs and settings that the manifest or an index has. */
  private readonly sideFiles: Set<string>;
  /** An index has a graph that the manifest does not name yet. */
  private hasNewGraph = false;
  /** Numbers of files that are there, or being written, but in no frame yet. */
  private readonly uncommittedFiles = new Set<number>();
  /** Appends and checkpoints take turns. */
  private readonly queue = new WriteQueue();
  private readonly lock: FolderLock | undefined;
  /** undefined: for reading only. */
  private log: WriteLog | undefined;
  private readonly watermark: Watermark | undefined;
  private logNumber: number;
  private nextNumber: number;
  private manifestMetadata: FileMetadata;
  /** Bytes of files that were named since the last checkpoint. */
  private growth = 0;
  /** The number of the batch that found no room. A checkpoint was to make some. */
  private fullAt = 0;
  /** The last frame of the log says that the folder was closed. */
  private isClosedInLog: boolean;
  private failure: SearchError | undefined;
  private timer: NodeJS.Timeout | undefined;
  private checkpointing: Promise<void> | undefined;
  /** Graphs that are being stored. */
  private readonly storing = new Set<Promise<boolean>>();
  private isClosing = false;
  private isClosed = false;

  private constructor(
    options: StoreOptions,
    content: FolderContent,
    { folder, files, followed, writing }: StoreResources,
  ) {
    const { storeId, manifest, indexes, locations, damaged } = content;
    this.followed = followed;
    this.shown = shownBy(content);
    this.progress = content.progress;
    this.options = options;
    this.sizes = options.sizes;
    this.storeId = storeId;
    this.indexes = indexes;
    this.folder = folder;
    this.files = files;
    this.log = writing?.log;
    this.watermark = writing?.watermark;
    this.lock = writing?.lock;
    this.logNumber = manifest.log;
    this.manifestMetadata = content.metadata;
    this.isClosedInLog = content.log.isClosed;
    for (const location of locations.values())
      if (location.metadata === undefined) this.unflushed.set(location.number, location);
      else this.committedFiles.set(location.number, location.metadata);
    for (const { segments } of indexes.values()) this.countUsers(segments, 1);
    this.sideFiles = sideFilesOf(indexes);
    this.nextNumber = content.lastNumber + 1;
    this.found = content;
    this.foundAtOpening = {
      recovered: !content.log.isClosed && content.isNew !== true,
      droppedBytes: content.log.droppedBytes,
    };
    this.damaged = [...damaged];
  }

  /** Opens a folder, or makes it. Throws 409 `storage_locked`, 500 `storage_…`, 507 `storage_full`; then nothing has changed. */
  static async open(options: StoreOptions): Promise<Store> {
    if (options.readOnly) return Store.openToRead(options);
    await options.files.makeFolder(options.folder);
    const folder = await OpenFolder.of(options.files, options.folder);
    let lock: FolderLock | undefined;
    let log: WriteLog | undefined;
    let watermark: Watermark | undefined;
    const files = new OpenFiles((name) => folder.openToRead(name), MOST_OPEN_FILES);
    try {
      lock = await options.lock(folder.path);
      const isNew = await hasNoStore(folder);
      if (isNew) await createStore(folder);
      const found = await readFolder({ folder, files, opensAll: false });
      const { storeId } = found;
      log = await WriteLog.open(folder, logName(found.manifest.log), found.log);
      folder.watch(logName(found.manifest.log), log);
      const safe = { logId: log.id, end: log.syncedEnd };
      watermark = await Watermark.open(folder, storeId, safe);
      const store = new Store(options, { ...found, isNew }, { folder, files, writing: { log, watermark, lock } });
      if (watermark.endOf(log.id) < log.syncedEnd) await watermark.say(safe);
      await store.removeUnneeded().catch((error: unknown) => store.warn(error));
      return store;
    } catch (error) {
      await releaseAll([files, log, watermark, lock, folder]);
      throw fileError(error, MANIFEST);
    }
  }

  private static async openToRead(options: StoreOptions): Promise<Store> {
    const folder = await OpenFolder.of(options.files, options.folder);
    try {
      if (!(await folder.list()).some(({ name }) => OWN_NAME.test(name))) throw noStore();
      const followed = await FollowedFolder.open(folder);
      return new Store(options, followed.found, { folder, files: followed.files, followed });
    } catch (error) {
      await releaseAll([folder]);
      throw fileError(error, MANIFEST);
    }
  }

  private storedGraph(file: GraphFile): StoredGraph {
    return {
      bytes: file.bytes,
      open: async (options, signal) => {
        const opened = await file.open(options, signal);
        return (
          opened && { ...opened, nodesOf: (segment) => opened.nodes.get(this.locations.get(segment)?.number ?? 0) }
        );
      },
    };
  }

  private async loaded(location: SegmentLocation): Promise<Segment> {
    const segment = await location.load();
    this.locations.set(segment, location);
    return segment;
  }

  /** What opening found: a copy. */
  get recovery(): Recovery {
    const damagedIndexes = this.damaged.map((each) => ({ ...each }));
    return { ...this.foundAtOpening, ...(damagedIndexes.length > 0 && { damagedIndexes }) };
  }

  /** Remembers an index that could not be read at the opening. */
  noteDamage(index: DamagedIndex): void {
    if (!this.damaged.some(({ indexName }) => indexName === index.indexName)) this.damaged.push(index);
  }

  get isReadOnly(): boolean {
    return this.options.readOnly;
  }

  /** See {@link StoreSizes}. */
  get graphNodes(): number {
    return this.sizes.graphNodes;
  }

  /** The indexes that the opening found, before any change. The second call gives none. */
  *takeIndexes(): Generator<StoredIndex> {
    const found = this.found;
    this.found = undefined;
    for (const [name, kept] of found?.indexes ?? []) yield this.storedIndex(name, kept, found!);
  }

  /** The names of the indexes that the folder has. */
  get indexNames(): readonly string[] {
    return [...this.indexes.keys()];
  }

  /** The last change of what this store shows, as a text: see `comparePositions`. */
  get position(): string {
    return positionOf(this.progress);
  }

  /** Whether this store shows a position. Throws 400 if it never will. */
  hasReached(position: string): boolean {
    return hasReached(this.progress, position);
  }

  /** For reading: calls back when something in the folder changes, where the file system tells; returns what ends that. */
  watch(changed: () => void): () => void {
    return this.folder.watchNames(changed);
  }

  /**
   * For reading: reads what the writer changed since the last call, if anything. `show` is given the indexes that changed, as they are
   * now, and shows all of them at once; if it fails, the next call tries again.
   */
  async refresh(show: (changes: readonly (StoredIndex | IndexRemoval)[]) => Promise<void>): Promise<void> {
    const isRestored = await this.followed!.look(async (content, isRestored) => {
      const now = shownBy(content);
      const changes: (StoredIndex | IndexRemoval)[] = [];
      for (const name of this.shown.keys()) if (!now.has(name)) changes.push({ name, isGone: true });
      for (const [name, kept] of content.indexes) {
        if (!isRestored && now.get(name) === this.shown.get(name)) continue;
        changes.push(this.storedIndex(name, kept, content, isRestored));
        await pauseIfLong();
      }
      await show(changes);
      this.shown = now;
      this.progress = content.progress;
    });
    if (isRestored) this.options.warn({ code: "storage_restored", message: RESTORED });
  }

  private storedIndex(
    name: string,
    { segments, written, deletedIds, graph, floor, used }: KeptIndex,
    { locations, graphs, settings }: FolderContent,
    isFresh = true,
  ): StoredIndex {
    // Copies, because changes of the index are applied to what is kept.
    const kept = segments.map(({ number, deleted }) => ({
      location: locations.get(number)!,
      deletedDocs: deleted?.copy() ?? null,
    }));
    const recordCount = segments.reduce((total, { size, deleted }) => total + size - (deleted?.count() ?? 0), 0);
    const file = graph === null ? undefined : graphs.get(graph.number)!;
    const rest = { packed: packKept(written), deletedIds: [...deletedIds], floor, used };
    return { name, settings: settings.get(name)!, isFresh, recordCount, used, load: this.loaderOf(kept, file, rest) };
  }

  /** Reads an index. A method of its own, so that what it returns keeps nothing of other indexes in memory. */
  private loaderOf(
    segments: readonly { readonly location: SegmentLocation; readonly deletedDocs: LiveSegment["deletedDocs"] }[],
    graph: GraphFile | undefined,
    {
      packed,
      ...rest
    }: Pick<RestoredIndex, "deletedIds" | "floor" | "used"> & { readonly packed: ReturnType<typeof packKept> },
  ): StoredIndex["load"] {
    return async () => ({
      ...{ written: unpackWritten(packed), ...rest },
      graph: graph && this.storedGraph(graph),
      segments: await Promise.all(
        segments.map(async ({ location, deletedDocs }) => ({ segment: await this.loaded(location), deletedDocs })),
      ),
    });
  }

  /**
   * Makes changes durable, all together: with durability "sync", it resolves when a power cut cannot take them back. Throws 507
   * `storage_full`, and 500 `storage_failed`; then no later opening finds the changes, except perhaps after a failed sync.
   */
  async commit(changes: readonly (IndexChange | IndexRemoval)[]): Promise<void> {
    this.check();
    const prepared: Segment[] = [];
    let log: WriteLog;
    try {
      // Most segments are those of the commit before.
      for (const change of changes)
        for (const { segment } of "isGone" in change ? [] : change.segments)
          if (!this.locations.has(segment) && (await this.prepare(segment, change.name))) prepared.push(segment);
      log = await this.appendOrMakeRoom(changes);
    } catch (error) {
      for (const segment of prepared) await this.discard(segment);
      throw error;
    }
    if (this.options.durability === "sync") await this.sync(log);
    else this.syncSoon();
    this.checkpointIfLarge();
  }

  /**
   * Writes a frame. If there is no room for it, a checkpoint may make some: a new log leaves out everything that is not needed
   * any more.
   */
  private async appendOrMakeRoom(changes: readonly (IndexChange | IndexRemoval)[]): Promise<WriteLog> {
    try {
      return await this.queue.run(() => this.append(changes));
    } catch (error) {
      const log = this.log!;
      const { nextSequence } = log;
      // A checkpoint is tried once for each state of the log, because a full disk refuses many writes.
      if (storageError(error).error !== "storage_full" || this.fullAt === nextSequence) throw error;
      this.fullAt = nextSequence;
      await this.checkpointSoon(() => {});
      if (this.log === log) throw error;
      return this.queue.run(() => this.append(changes));
    }
  }

  /** Whether the folder has no floor for the records of an index. */
  lacksFloor(name: string): boolean {
    return !this.isReadOnly && this.indexes.get(name)?.floor === null;
  }

  /** Whether the folder has other names of used attributes than a change. */
  lacksUsed({ name, used }: IndexChange): boolean {
    const kept = this.isReadOnly ? undefined : this.indexes.get(name);
    return kept !== undefined && JSON.stringify(kept.used) !== JSON.stringify(used);
  }

  /** Adds a change that is not worth a sync of its own: it may be lost with the power. */
  async note(change: IndexChange): Promise<void> {
    this.check();
    await this.queue.run(() => this.append([change]));
    this.checkpointIfLarge();
  }

  /** Syncs the log. Throws 500 `storage_failed` when what was synced is not in the folder any more. */
  private async sync(log: WriteLog): Promise<void> {
    await log.sync();
    this.folder.checkWatched();
    if (this.log !== log || log.syncedEnd - this.watermark!.endOf(log.id) < WATERMARK_BYTES) return;
    this.storeWatermark().catch((error: unknown) => this.warn(error));
  }

  /** Writes down up to where the log is safe. */
  private async storeWatermark(isSynced = false): Promise<void> {
    const { log } = this;
    await this.watermark!.say({ logId: log!.id, end: log!.syncedEnd }, isSynced);
  }

  /** Whether a segment gets a file before a change names it. */
  isLarge(segment: Segment): boolean {
    return storedBytes(segment) > this.sizes.inlineBytes;
  }

  /**
   * Writes a large segment to a file before a change names it, and tells whether it did. Small ones are left to the change. `run` runs the
   * tasks.
   */
  async prepare(segment: Segment, indexName: string, run: typeof runTask = runTask): Promise<boolean> {
    if (this.locations.has(segment) || !this.isLarge(segment)) return false;
    this.check();
    const number = this.nextNumber++;
    this.uncommittedFiles.add(number);
    try {
      const metadata = await this.flushSegment(number, segment, indexName, run);
      await this.folder.sync();
      this.locations.set(segment, { number, metadata, load: async () => segment });
      return true;
    } catch (error) {
      this.uncommittedFiles.delete(number);
      throw error;
    }
  }

  /** Removes the file of a segment, unless a frame names it. */
  async discard(segment: Segment): Promise<void> {
    const { number } = this.locations.get(segment)!;
    if (!this.uncommittedFiles.has(number)) return;
    this.locations.delete(segment);
    this.uncommittedFiles.delete(number);
    await this.folder.remove(segmentName(number)).catch(() => {});
  }

  /**
   * Stores the graph of an index in place of the one before; false: it was not stored, which fails nothing. Nothing may be added to
   * the graph meanwhile. `isOver`, asked now and then, ends it.
   */
  async storeGraph(name: string, content: GraphContent, isOver: () => boolean): Promise<boolean> {
    if (this.log === undefined || (this.failure ?? this.log.failed) !== undefined) return false;
    const storing = this.putGraph(name, content, () => isOver() || this.isClosing);
    this.storing.add(storing);
    try {
      if (!(await storing)) return false;
    } finally {
      this.storing.delete(storing);
    }
    // A checkpoint that is under way may name the graph, or not.
    await this.checkpointing;
    if (this.hasNewGraph) await this.checkpointSoon();
    return true;
  }

  private async putGraph(name: string, { image, nodes }: GraphContent, isOver: () => boolean): Promise<boolean> {
    const { folder } = this;
    const number = this.nextNumber++;
    const fileName = graphName(number);
    this.uncommittedFiles.add(number);
    try {
      // What a failure before may have left.
      await folder.remove(fileName);
      const check = (): void => {
        if (isOver()) throw new GraphIsOver();
      };
      // A segment that has no number yet is not named: its vectors will be found.
      const segments = [...nodes].flatMap(([segment, own]) => {
        const location = this.locations.get(segment);
        return location === undefined ? [] : { number: location.number, nodes: own };
      });
      const { pieces, metadata } = await runInBackground(graphFileOf(this.storeId, { image, segments }, check));
      await writeFile(folder, fileName, pieces);
      await this.queue.run(async () => {
        const index = this.indexes.get(name);
        if (index === undefined || isOver()) throw new GraphIsOver();
        index.graph = { number, ...metadata };
        this.sideFiles.add(fileName);
        this.hasNewGraph = true;
      });
      return true;
    } catch (error) {
      await folder.remove(fileName).catch(() => {});
      if (!(error instanceof GraphIsOver)) this.warn(error, NO_GRAPH);
      return false;
    } finally {
      this.uncommittedFiles.delete(number);
    }
  }

  /** Resolves when all that was committed before is safe. */
  async flush(): Promise<void> {
    this.check();
    if (this.log === undefined) return;
    await this.sync(this.log);
    await this.storeWatermark();
  }

  /** Makes everything safe and frees the lock. Throws what prevents that; the lock is free all the same. */
  async close(): Promise<void> {
    clearTimeout(this.timer);
    // Nothing begins any more in the background. Graphs of indexes that have ended may still be on their way.
    this.isClosing = true;
    await Promise.all([this.checkpointing, ...this.storing]);
    try {
      await (this.followed ?? this.files).close();
      if (this.log !== undefined && (this.failure ?? this.log.failed) === undefined) await this.closeLog(this.log);
    } finally {
      this.isClosed = true;
      await releaseAll([this.log, this.watermark, this.lock, this.folder]);
    }
  }

  private async closeLog(log: WriteLog): Promise<void> {
    await log.sync();
    const needed = this.users;
    const hasUnneeded =
      [...this.committedFiles.keys()].some((number) => !needed.has(number)) ||
      this.sideFiles.size > sideFilesOf(this.indexes).size;
    const isTidy = log.end <= MOST_CLOSED_LOG_BYTES && !hasUnneeded && !this.hasNewGraph;
    if (!isTidy && this.isInPlace) await this.checkpoint().catch((error: unknown) => this.warn(error));
    if (!this.isClosedInLog) {
      const close = async (): Promise<void> => {
        await this.log!.closeFrame();
        if (this.isInPlace) await this.storeWatermark(true);
      };
      await close().catch((error: unknown) => this.warn(error));
    }
    // All of it is in the folder that was opened. That folder is elsewhere, or gone.
    this.folder.check();
  }

  /** Whether the path of the folder still leads to it. */
  private get isInPlace(): boolean {
    try {
      this.folder.check();
      return true;
    } catch {
      return false;
    }
  }

  /** Reads all files again and tells what is wrong with them. */
  async checkFiles(): Promise<StorageReport> {
    const problems: StorageReport["problems"][number][] = [];
    const look: Look = async (file, work) => {
      try {
        await work();
      } catch (error) {
        problems.push({ file, message: error instanceof Error ? error.message : String(error) });
      }
    };
    await (this.log === undefined ? this.checkFoundFiles(look) : this.checkOwnFiles(look));
    return { ok: problems.length === 0, problems };
  }

  /** Checks what a reader would find now. All files are open, so that a writer may remove their names. */
  private async checkFoundFiles(look: Look): Promise<void> {
    const { folder } = this;
    const filesOf = (): OpenFiles => new OpenFiles((name) => folder.openToRead(name), Number.POSITIVE_INFINITY);
    let files: OpenFiles | undefined;
    try {
      const found = await readBesideWriter(folder, filesOf);
      files = found.files;
      const { locations, graphs, damaged, storeId } = found.content;
      for (const { file } of damaged.filter(({ file }) => file.startsWith("settings-")))
        await look(file, () => Promise.reject(missingFile(file)));
      for (const { number, metadata, file } of locations.values())
        if (metadata !== undefined)
          await look(segmentName(number), () =>
            checkOpenFile(file!, expectedSegment({ number, ...metadata }, storeId)),
          );
      for (const [number, graph] of graphs) await look(graphName(number), () => graph.check());
    } catch (error) {
      const known = storageError(error);
      await look(String(known.details?.file ?? MANIFEST), () => Promise.reject(known));
    } finally {
      await files?.close();
    }
  }

  private async checkOwnFiles(look: Look): Promise<void> {
    const { folder, storeId } = this;
    const segments = await this.queue.run(async () => {
      await look(MANIFEST, () => checkManifest(folder, this.manifestMetadata));
      const { logNumber: number } = this;
      await look(logName(number), () => checkLog(folder, { number, id: this.log!.id, storeId, end: this.log!.end }));
      await look(WATERMARK, () => this.watermark!.check());
      return [...this.committedFiles].filter(([number]) => this.users.has(number));
    });
    // While these are read, changes go on, and a checkpoint may remove a file.
    const lookUnlessGone = (file: string, isNeeded: () => boolean, work: () => Promise<unknown>): Promise<void> =>
      look(file, () =>
        work().catch((error: unknown) => {
          if (isNeeded()) throw error;
        }),
      );
    const sides = [...this.indexes.values()].map(({ settings, graph }) => ({ settings, graph }));
    for (const [number, metadata] of segments)
      await lookUnlessGone(
        segmentName(number),
        () => this.committedFiles.has(number),
        () => readChecked(folder, expectedSegment({ number, ...metadata }, storeId)),
      );
    for (const { settings, graph } of sides) {
      if ("file" in settings) {
        const { number, ...metadata } = settings.file;
        const name = settingsName(number);
        await lookUnlessGone(
          name,
          () => this.sideFiles.has(name),
          () => readChecked(folder, { name, kind: "settings", storeId, metadata }),
        );
      }
      if (graph !== null) {
        const name = graphName(graph.number);
        await lookUnlessGone(
          name,
          () => this.sideFiles.has(name),
          () => checkGraph(folder, graph, storeId),
        );
      }
    }
  }

  /** Throws when the store takes no more changes. */
  private check(): void {
    if (this.isClosed) throw engineClosed();
    const failure = this.failure ?? this.log?.failed;
    if (failure !== undefined) throw failure;
  }

  /** Writes a frame. Nothing has changed if that fails. */
  private async append(changes: readonly (IndexChange | IndexRemoval)[]): Promise<WriteLog> {
    this.check();
    this.folder.checkWatched();
    const log = this.log!;
    const frame = await runTask(this.frameOf(changes));
    const { pieces } = await runTask(layOut(frame.content, false));
    await log.append([...pieces]);
    this.progress = advanced(this.progress, log.nextSequence - 1, this.history);
    this.isClosedInLog = false;
    for (const { number, ...metadata } of frame.content.files) {
      this.committedFiles.set(number, metadata);
      this.uncommittedFiles.delete(number);
      this.growth += metadata.bytes;
    }
    for (const [segment, number] of frame.inline) {
      const location: SegmentLocation = { number, metadata: undefined, load: async () => segment };
      this.locations.set(segment, location);
      this.unflushed.set(number, location);
    }
    for (const index of frame.content.indexes) {
      const before = this.indexes.get(index.name)?.segments ?? [];
      applyFrame(this.indexes, index);
      this.countUsers(this.indexes.get(index.name)?.segments ?? [], 1);
      this.countUsers(before, -1);
    }
    return log;
  }

  /** Counts an index as a user of its segments, or not any more. A segment that no index has leaves the memory, although the log has it. */
  private countUsers(segments: KeptIndex["segments"], by: 1 | -1): void {
    for (const { number } of segments) {
      const users = (this.users.get(number) ?? 0) + by;
      if (users > 0) this.users.set(number, users);
      else {
        this.users.delete(number);
        this.unflushed.delete(number);
      }
    }
  }

  /** The frame of some changes, with the numbers that it gives to new segments. */
  private *frameOf(changes: readonly (IndexChange | IndexRemoval)[]): Task<{
    readonly content: Frame;
    readonly inline: ReadonlyMap<Segment, number>;
  }> {
    const inline = new Map<Segment, number>();
    const files = new Map<number, FileEntry>();
    const numberOf = (segment: Segment): number => {
      const location = this.locations.get(segment);
      if (location?.metadata !== undefined && !this.committedFiles.has(location.number))
        files.set(location.number, { number: location.number, ...location.metadata });
      const number = location?.number ?? inline.get(segment) ?? this.nextNumber++;
      if (location === undefined) inline.set(segment, number);
      return number;
    };
    const indexes = changes.map((change): IndexFrame => {
      if ("isGone" in change) return change;
      const { name, settings, segments, isFresh, written, deletedIds, floor, used } = change;
      const before = isFresh ? undefined : this.indexes.get(name);
      const sized = segments.map(({ segment }) => ({ number: numberOf(segment), size: segment.size }));
      const deleted = segments.map(({ deletedDocs }, i) => {
        const { number } = sized[i]!;
        const known = before?.segments.find((kept) => kept.number === number)?.deleted ?? null;
        return { number, docs: newlyDeleted(known, deletedDocs) };
      });
      return {
        ...{
          name,
          isGone: false,
          settings: settings === undefined ? null : Buffer.from(settings),
          isFresh,
          segments: sized,
        },
        deleted: deleted.filter(({ docs }) => docs.length > 0),
        written: packWritten(written),
        ...{ deletedIds, floor },
        ...(this.lacksUsed(change) ? { used } : {}),
      };
    });
    const parts: Frame["inline"][number][] = [];
    for (const [segment, number] of inline) parts.push({ number, parts: yield* packSegment(segment, "log") });
    return { content: { history: this.history, indexes, inline: parts, files: [...files.values()] }, inline };
  }

  /** With durability "interval": syncs the log within a second. */
  private syncSoon(): void {
    if (this.timer !== undefined) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      // A checkpoint may have begun another log meanwhile. Then everything in the log before it is safe.
      if (this.log !== undefined) this.sync(this.log).catch((error: unknown) => this.warn(error, NOT_SYNCED));
    }, SYNC_INTERVAL_MS).unref();
  }

  private checkpointIfLarge(): void {
    const isSmall = this.growth < MOST_GROWTH_BYTES || this.growth < this.neededBytes();
    if (this.log!.end < this.sizes.logBytes && isSmall) return;
    void this.checkpointSoon();
  }

  /** Resolves when the checkpoint that is under way, or else a new one, is done. None begins while the folder is being closed. */
  private checkpointSoon(onFailure = (error: unknown): void => this.warn(error)): Promise<void> {
    if (this.isClosing) return Promise.resolve();
    // A failure in the background fails no call: the log is there, and the next change tries again.
    this.checkpointing ??= this.checkpoint()
      .catch(onFailure)
      .finally(() => {
        this.checkpointing = undefined;
      });
    return this.checkpointing;
  }

  /** Writes to files what only the log has, replaces the manifest, and begins a new log. */
  private async checkpoint(): Promise<void> {
    // While these are written, changes go on.
    await this.writeFiles();
    await this.queue.run(async () => {
      this.check();
      await this.writeFiles();
      const old = this.log!;
      await old.sync();
      try {
        await this.replaceManifest();
      } finally {
        if (this.log !== old) await old.close();
      }
    });
    await this.removeUnneeded();
  }

  /** Writes the segments and the long settings that only the log has to files. */
  private async writeFiles(): Promise<void> {
    const names = this.namesByNumber();
    for (const location of [...this.unflushed.values()]) {
      const { number } = location;
      if (this.users.has(number)) {
        location.metadata = await this.flushSegment(number, await this.loaded(location), names.get(number) ?? "");
        this.committedFiles.set(number, location.metadata);
      }
      this.unflushed.delete(number);
    }
    for (const index of [...this.indexes.values()]) {
      await pauseIfLong();
      const { settings } = index;
      if (!areLong(settings)) continue;
      const number = this.nextNumber++;
      const name = settingsName(number);
      this.sideFiles.add(name);
      const file = await writeSettingsFile(this.folder, { number, text: settings.text, storeId: this.storeId });
      if (index.settings === settings) index.settings = { file };
    }
  }

  /** By the number of a segment: the name of an index that has it; several may share it. */
  private namesByNumber(): ReadonlyMap<number, string> {
    const names = new Map<number, string>();
    for (const [name, { segments }] of this.indexes) for (const { number } of segments) names.set(number, name);
    return names;
  }

  /** Writes a segment to its file, and tells about it. */
  private async flushSegment(
    number: number,
    segment: Segment,
    indexName: string,
    run: typeof runTask = runTask,
  ): Promise<FileMetadata> {
    const flush = (): Promise<FileMetadata> => this.writeSegment(number, segment, run);
    return publishSegment(publishFlush, indexName, flush, ({ bytes }) => ({ records: segment.size, bytes }));
  }

  private async writeSegment(number: number, segment: Segment, run: typeof runTask): Promise<FileMetadata> {
    const name = segmentName(number);
    // What a failure before may have left.
    await this.folder.remove(name);
    const parts = await run(packSegment(segment));
    const { pieces, metadata, offsetOf } = await run(fileOf("segment", this.storeId, parts));
    await writeFile(this.folder, name, pieces);
    leaveToFile(segment, parts, this.files.file(name), offsetOf);
    return metadata;
  }

  /** Begins a new log and puts a manifest in place that names it. */
  private async replaceManifest(): Promise<void> {
    const { folder } = this;
    const logNumber = this.logNumber + 1;
    const name = logName(logNumber);
    await folder.remove(name);
    const log = await WriteLog.create(folder, name, { storeId: this.storeId, firstSequence: this.log!.nextSequence });
    try {
      this.manifestMetadata = await putManifest(folder, this.storeId, await this.manifest(logNumber, log.id));
    } catch (error) {
      await log.close().catch(() => {});
      await folder.remove(name).catch(() => {});
      throw error;
    }
    this.log = log;
    this.logNumber = logNumber;
    folder.watch(name, log);
    this.isClosedInLog = false;
    this.growth = 0;
    for (const number of this.committedFiles.keys()) if (!this.users.has(number)) this.committedFiles.delete(number);
    this.sideFiles.clear();
    for (const file of sideFilesOf(this.indexes)) this.sideFiles.add(file);
    this.hasNewGraph = false;
    try {
      await folder.sync();
    } catch (error) {
      // Nobody knows which of the two manifests a power cut would leave.
      this.failure = storageError(error);
      throw error;
    }
    await this.storeWatermark();
  }

  private manifest(log: number, logId: Uint8Array): Promise<Manifest> {
    const { nextNumber, indexes } = this;
    const { histories } = this.progress;
    const files = Array.from(this.users.keys(), (number) => ({ number, ...this.committedFiles.get(number)! }));
    return runTask(manifestOf({ nextNumber, log, logId, histories, files, indexes }));
  }

  private neededBytes(): number {
    let bytes = 0;
    for (const number of this.users.keys()) bytes += this.committedFiles.get(number)?.bytes ?? 0;
    return bytes;
  }

  /** Removes files that neither the manifest nor the log names: of what was deleted, merged, or left half made. */
  private async removeUnneeded(): Promise<void> {
    const { folder } = this;
    const found = await folder.list();
    // Looked up after the files were listed: the list may have files that were begun meanwhile.
    const segments = [...this.uncommittedFiles, ...this.committedFiles.keys()].map(segmentName);
    const names = new Set([MANIFEST, WATERMARK, logName(this.logNumber), ...segments, ...this.sideFiles]);
    for (const number of this.uncommittedFiles) names.add(graphName(number));
    for (const { name, kind } of found) {
      if (kind !== "file" || !OWN_NAME.test(name) || names.has(name)) continue;
      // A query that still searches an older state goes on reading.
      if (await this.files.keep(name)) await folder.remove(name);
    }
  }

  private warn(cause: unknown, message: string = NOT_TIDIED): void {
    this.options.warn(storageWarning(message, storageError(cause)));
  }
}
