// A data folder that an engine writes to: it makes changes durable, keeps all indexes of the engine, and loses nothing that was
// acknowledged.
//
// A change is a frame of the log; large segments of it are written to files before. A checkpoint writes the small segments of the log
// to files, replaces the manifest and begins a new log.

import { randomBytes } from "node:crypto";
import { postingsBytes } from "../inverted/postings.js";
import { errorName, publishFlush } from "../state/engine-activity.js";
import type { GraphContent } from "../state/keep-graph.js";
import type { Segment } from "../state/segment.js";
import { engineClosed, type SearchError } from "../util/errors.js";
import { storageWarning } from "../util/extension-points.js";
import { offsetAt } from "../util/offset-table.js";
import { advanced } from "../util/position.js";
import { pauseIfLong, runInBackground, runTask, type Task, WriteQueue } from "../util/tasks.js";
import { OpenFolder } from "./file-system.js";
import {
  applyFrame,
  areLong,
  checkFile,
  createStore,
  type FileEntry,
  type FolderContent,
  type Frame,
  hasNoStore,
  type IndexFrame,
  type KeptIndex,
  MANIFEST,
  manifestOf,
  nameOf,
  newlyDeleted,
  OWN_NAME,
  packWritten,
  putManifest,
  readFolder,
  readLog,
  readManifest,
  type SegmentLocation,
  sideFilesOf,
  writeSettingsFile,
} from "./folder-content.js";
import type { FolderLock } from "./folder-lock.js";
import type { FollowedFolder } from "./followed-folder.js";
import { graphFileOf } from "./graph-file.js";
import { OpenFiles } from "./open-files.js";
import { leaveToFile, packSegment } from "./pack-segment.js";
import { type FileMetadata, fileOf, layOut, writeFile } from "./sections.js";
import { damagedFile, fileError, storageError } from "./storage-error.js";
import { type IndexChange, type IndexRemoval, type Look, releaseAll, Store, type StoreOptions } from "./store.js";
import { WATERMARK, Watermark, WriteLog } from "./write-log.js";

/** A data folder, however it was opened. */
export type OpenStore = FollowedFolder | WrittenFolder;

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
const NO_GRAPH = "The graph could not be stored; it is built anew when the data folder is opened again.";

/** A graph is not stored because its index has ended or has other content. */
class GraphIsOver extends Error {}

/** The approximate bytes that a segment takes in a file. */
function storedBytes({ records, postings, vectors }: Segment): number {
  const text = postingsBytes(postings);
  return offsetAt(records.offsets, records.ids.size) + text + (vectors === null ? 0 : 2 * vectors.high.byteLength);
}

/** A data folder to write to. */
export class WrittenFolder extends Store {
  readonly isReadOnly = false;
  private readonly options: StoreOptions;
  private readonly storeId: Uint8Array;
  /** The id of the history of its changes. */
  private readonly history = randomBytes(HISTORY_BYTES).toString("hex");
  private readonly folder: OpenFolder;
  private readonly files: OpenFiles;
  private readonly indexes: Map<string, KeptIndex>;
  /** By the number of a segment: how many indexes have it. */
  private readonly users = new Map<number, number>();
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
  private readonly lock: FolderLock;
  private log: WriteLog;
  private readonly watermark: Watermark;
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
    isNew: boolean,
    folder: OpenFolder,
    { files, log, watermark, lock }: { files: OpenFiles; log: WriteLog; watermark: Watermark; lock: FolderLock },
  ) {
    super(content, isNew);
    const { storeId, manifest, indexes, locations } = content;
    this.options = options;
    this.storeId = storeId;
    this.indexes = indexes;
    this.folder = folder;
    this.files = files;
    this.log = log;
    this.watermark = watermark;
    this.lock = lock;
    this.logNumber = manifest.log;
    this.manifestMetadata = content.metadata;
    this.isClosedInLog = content.log.isClosed;
    for (const location of locations.values())
      if (location.metadata === undefined) this.unflushed.set(location.number, location);
      else this.committedFiles.set(location.number, location.metadata);
    for (const { segments } of indexes.values()) this.countUsers(segments, 1);
    this.sideFiles = sideFilesOf(indexes);
    this.nextNumber = content.lastNumber + 1;
  }

  /** Opens a folder, or makes it. Throws 409 `storage_locked`, 500 `storage_…`, 507 `storage_full`; then nothing has changed. */
  static async open(options: StoreOptions): Promise<WrittenFolder> {
    await options.files.makeFolder(options.folder);
    const folder = await OpenFolder.of(options.files, options.folder);
    let lock: FolderLock | undefined;
    let log: WriteLog | undefined;
    let watermark: Watermark | undefined;
    const files = new OpenFiles(folder, MOST_OPEN_FILES);
    try {
      lock = await options.lock(folder.path);
      const isNew = await hasNoStore(folder);
      if (isNew) await createStore(folder);
      const found = await readFolder(folder, files, false);
      const name = nameOf("log", found.manifest.log);
      log = await WriteLog.open(folder, name, found.log);
      folder.watch(name, log);
      const safe = { logId: log.id, end: log.syncedEnd };
      watermark = await Watermark.open(folder, found.storeId, safe);
      const store = new WrittenFolder(options, found, isNew, folder, { files, log, watermark, lock });
      if (watermark.endOf(log.id) < log.syncedEnd) await watermark.say(safe);
      await store.removeUnneeded().catch((error: unknown) => store.warn(error));
      return store;
    } catch (error) {
      await releaseAll([files, log, watermark, lock, folder]);
      throw fileError(error, MANIFEST);
    }
  }

  /** See {@link StoreSizes}. */
  get graphNodes(): number {
    return this.options.sizes.graphNodes;
  }

  /** The names of the indexes that the folder has. */
  get indexNames(): readonly string[] {
    return [...this.indexes.keys()];
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
      const log = this.log;
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
    return this.indexes.get(name)?.floor === null;
  }

  /** Whether the folder has other names of used attributes than a change. */
  lacksUsed({ name, used }: IndexChange): boolean {
    const kept = this.indexes.get(name);
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
    if (this.log !== log || log.syncedEnd - this.watermark.endOf(log.id) < WATERMARK_BYTES) return;
    this.storeWatermark().catch((error: unknown) => this.warn(error));
  }

  /** Writes down up to where the log is safe. */
  private async storeWatermark(isSynced = false): Promise<void> {
    const { log } = this;
    await this.watermark.say({ logId: log.id, end: log.syncedEnd }, isSynced);
  }

  /** Whether a segment gets a file before a change names it. */
  isLarge(segment: Segment): boolean {
    return storedBytes(segment) > this.options.sizes.inlineBytes;
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
    await this.folder.remove(nameOf("segment", number)).catch(() => {});
  }

  /**
   * Stores the graph of an index in place of the one before; false: it was not stored, which fails nothing. Nothing may be added to
   * the graph meanwhile. `isOver`, asked now and then, ends it.
   */
  async storeGraph(name: string, content: GraphContent, isOver: () => boolean): Promise<boolean> {
    if ((this.failure ?? this.log.failed) !== undefined) return false;
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
    const fileName = nameOf("graph", number);
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
      await this.files.close();
      if ((this.failure ?? this.log.failed) === undefined) await this.closeLog(this.log);
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
        await this.log.closeFrame();
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

  protected async lookAtFiles(look: Look): Promise<void> {
    const { folder, storeId } = this;
    const files = await this.queue.run(async () => {
      const { log, logNumber } = this;
      await look(MANIFEST, async () => {
        const { metadata } = await readManifest(folder);
        if (metadata.sum !== this.manifestMetadata.sum) throw damagedFile(MANIFEST);
      });
      const name = nameOf("log", logNumber);
      await look(name, async () => {
        const found = await readLog(folder, logNumber, storeId, log.id);
        if (found.end !== log.end || found.droppedBytes > 0) throw damagedFile(name, found.end);
      });
      await look(WATERMARK, () => this.watermark.check());
      return [
        ...[...this.committedFiles]
          .filter(([number]) => this.users.has(number))
          .map(([number, metadata]) => ["segment", { number, ...metadata }] as const),
        ...[...this.indexes.values()].flatMap(({ settings, graph }) => [
          ...("file" in settings ? [["settings", settings.file] as const] : []),
          ...(graph === null ? [] : [["graph", graph] as const]),
        ]),
      ];
    });
    // While these are read, changes go on, and a checkpoint may remove a file.
    for (const [kind, entry] of files) {
      const name = nameOf(kind, entry.number);
      await look(name, async () => {
        try {
          await folder.reading(name, (file) => checkFile(file, kind, entry, storeId));
        } catch (error) {
          if (kind === "segment" ? this.committedFiles.has(entry.number) : this.sideFiles.has(name)) throw error;
        }
      });
    }
  }

  /** Throws when the store takes no more changes. */
  private check(): void {
    if (this.isClosed) throw engineClosed();
    const failure = this.failure ?? this.log.failed;
    if (failure !== undefined) throw failure;
  }

  /** Writes a frame. Nothing has changed if that fails. */
  private async append(changes: readonly (IndexChange | IndexRemoval)[]): Promise<WriteLog> {
    this.check();
    this.folder.checkWatched();
    const log = this.log;
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
        ...{ name, isGone: false, isFresh, segments: sized, deletedIds, floor },
        settings: settings === undefined ? null : Buffer.from(settings),
        deleted: deleted.filter(({ docs }) => docs.length > 0),
        written: packWritten(written),
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
      this.sync(this.log).catch((error: unknown) => this.warn(error, NOT_SYNCED));
    }, SYNC_INTERVAL_MS).unref();
  }

  private checkpointIfLarge(): void {
    let needed = MOST_GROWTH_BYTES;
    if (this.growth >= needed)
      needed = [...this.users.keys()].reduce((sum, number) => sum + (this.committedFiles.get(number)?.bytes ?? 0), 0);
    const isSmall = this.growth < needed;
    if (this.log.end < this.options.sizes.logBytes && isSmall) return;
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
      const old = this.log;
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
    // Several indexes may share a segment.
    const names = new Map<number, string>();
    for (const [name, { segments }] of this.indexes) for (const { number } of segments) names.set(number, name);
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
      const name = nameOf("settings", number);
      this.sideFiles.add(name);
      const file = await writeSettingsFile(this.folder, { number, text: settings.text, storeId: this.storeId });
      if (index.settings === settings) index.settings = { file };
    }
  }

  /** Writes a segment to its file, and tells about it. */
  private async flushSegment(
    number: number,
    segment: Segment,
    indexName: string,
    run: typeof runTask = runTask,
  ): Promise<FileMetadata> {
    const started = performance.now();
    const tell = (records: number, bytes: number, failed: { error?: string } = {}): void =>
      publishFlush(() => ({ indexName, milliseconds: performance.now() - started, records, bytes, ...failed }));
    try {
      const name = nameOf("segment", number);
      // What a failure before may have left.
      await this.folder.remove(name);
      const parts = await run(packSegment(segment));
      const { pieces, metadata, offsetOf } = await run(fileOf("segment", this.storeId, parts));
      await writeFile(this.folder, name, pieces);
      leaveToFile(segment, parts, this.files.file(name), offsetOf);
      tell(segment.size, metadata.bytes);
      return metadata;
    } catch (error) {
      tell(0, 0, { error: errorName(error) });
      throw error;
    }
  }

  /** Begins a new log and puts a manifest in place that names it. */
  private async replaceManifest(): Promise<void> {
    const { folder } = this;
    const logNumber = this.logNumber + 1;
    const name = nameOf("log", logNumber);
    await folder.remove(name);
    const log = await WriteLog.create(folder, name, { storeId: this.storeId, firstSequence: this.log.nextSequence });
    try {
      const { nextNumber, indexes, progress } = this;
      const files = Array.from(this.users.keys(), (each) => ({ number: each, ...this.committedFiles.get(each)! }));
      const { histories } = progress;
      const manifest = await runTask(
        manifestOf({ nextNumber, log: logNumber, logId: log.id, histories, files, indexes }),
      );
      this.manifestMetadata = await putManifest(folder, this.storeId, manifest);
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

  /** Removes files that neither the manifest nor the log names: of what was deleted, merged, or left half made. */
  private async removeUnneeded(): Promise<void> {
    const { folder } = this;
    const found = await folder.list();
    // Looked up after the files were listed: the list may have files that were begun meanwhile.
    const segments = [...this.uncommittedFiles, ...this.committedFiles.keys()].map((number) =>
      nameOf("segment", number),
    );
    const names = new Set([MANIFEST, WATERMARK, nameOf("log", this.logNumber), ...segments, ...this.sideFiles]);
    for (const number of this.uncommittedFiles) names.add(nameOf("graph", number));
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
