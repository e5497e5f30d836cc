// An open data folder: it makes changes durable, keeps all indexes of an engine, and loses nothing that was acknowledged. What its
// files say is in folder-content.ts.
//
// A change is a frame of the log; large segments of it are written to files before. A checkpoint writes the small segments of the log
// to files, replaces the manifest and begins a new log.

import { join } from "node:path";
import type { WrittenAttributes } from "../docvalues/attribute-catalog.js";
import type { RestoredIndex } from "../index/index-data.js";
import type { LiveSegment } from "../index/index-snapshot.js";
import type { GraphContent, StoredGraph } from "../index/keep-graph.js";
import type { Segment } from "../index/segment.js";
import { WriteQueue } from "../index/write-scheduler.js";
import { postingsBytes } from "../inverted/postings.js";
import { tellFlush, tellSegment } from "../util/diagnostics.js";
import type { SearchError } from "../util/errors.js";
import { type SearchWarning, storageWarning } from "../util/extension-points.js";
import { offsetAt } from "../util/offset-table.js";
import { runTask, type Task } from "../util/tasks.js";
import { type FileSystem, nodeFileSystem } from "./file-system.js";
import {
  applyFrame,
  checkGraph,
  checkLog,
  checkManifest,
  checkSegment,
  createStore,
  type FolderContent,
  type Frame,
  graphName,
  graphsOf,
  hasNoStore,
  type IndexFrame,
  type KeptIndex,
  logName,
  MANIFEST,
  type Manifest,
  missingFile,
  newlyDeleted,
  OWN_NAME,
  type Place,
  packIndexes,
  packKept,
  packWritten,
  putManifest,
  readBesideWriter,
  readFolder,
  type StampedSegment,
  segmentName,
  unpackWritten,
} from "./folder-content.js";
import { acquireLock, type FolderLock } from "./folder-lock.js";
import { type GraphFile, graphFileOf } from "./graph-file.js";
import { closeAll, leaveToFile, packSegment, SegmentFile } from "./pack-segment.js";
import { type FileStamp, fileOf, layOut, writeFile } from "./sections.js";
import { noStore, storageError } from "./storage-error.js";
import { WriteLog } from "./write-log.js";

/** A change of one index: what it holds afterwards, and what of that is new. */
export interface IndexChange {
  readonly name: string;
  /** The settings as text, if they are new. */
  readonly settings: string | undefined;
  readonly segments: readonly Pick<LiveSegment, "segment" | "deletedDocs">[];
  /** True: what was remembered before, written attributes and deleted ids, is forgotten. */
  readonly isFresh: boolean;
  readonly written: WrittenAttributes;
  readonly deletedIds: readonly string[];
}

/** An index that is deleted, or that has another name from now on. */
export interface IndexRemoval {
  readonly name: string;
  readonly isGone: true;
}

/** An index as the folder has it. */
export interface StoredIndex {
  readonly name: string;
  readonly settings: string;
  /** The number of live records. */
  readonly recordCount: number;
  /** Reads its segments. Rejects with 500 `storage_corrupt`. */
  readonly load: () => Promise<RestoredIndex>;
}

/** What opening found. */
export interface Recovery {
  /** The folder was not closed properly, or its end was dropped. */
  readonly recovered: boolean;
  /** Bytes of changes that were never acknowledged, and were dropped. */
  readonly droppedBytes: number;
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
const NOT_TIDIED = "The data folder could not be tidied; nothing is lost, and it will be tried again.";
const NOT_SYNCED =
  "The writes of the last second could not be synced, and a power cut may take them; open the data folder again to write.";

const NO_GRAPH = "The graph could not be stored; it is built anew when the data folder is opened again.";

/** A graph is not stored because its index has ended or has other content. */
class GraphIsOver extends Error {}

/** What `checkStorage` found. */
export interface StorageReport {
  readonly ok: boolean;
  readonly problems: readonly { readonly file: string; readonly message: string }[];
}

/** What a store holds until it is closed. */
interface Held {
  readonly open: Set<SegmentFile>;
  /** undefined: for reading only. */
  readonly log?: WriteLog;
  readonly lock?: FolderLock;
}

/** The approximate bytes that a segment takes in a file. */
function storedBytes({ records, postings, vectors }: Segment): number {
  const text = postingsBytes(postings);
  return offsetAt(records.offsets, records.ids.size) + text + (vectors === null ? 0 : 2 * vectors.high.byteLength);
}

/** An open data folder. */
export class Store {
  readonly recovery: Recovery;
  /** The indexes that the opening found; empty after they were taken. */
  private readonly found: StoredIndex[];
  private readonly options: StoreOptions;
  private readonly sizes: StoreSizes;
  private readonly storeId: Uint8Array;
  private readonly indexes: Map<string, KeptIndex>;
  private readonly places = new WeakMap<Segment, Place>();
  /** The segments of all indexes that only the log has, by number. */
  private readonly inline = new Map<number, Place>();
  /** By number: the files that the manifest or a frame of the log names. */
  private readonly named = new Map<number, FileStamp>();
  /** The numbers of the graphs that the manifest or an index names. */
  private readonly graphs: Set<number>;
  /** An index has a graph that the manifest does not name yet. */
  private hasNewGraph = false;
  /** Files that are there, or being written, but in no frame yet. */
  private readonly pending = new Set<number>();
  /** Appends and checkpoints take turns. */
  private readonly queue = new WriteQueue();
  private readonly lock: FolderLock | undefined;
  private readonly openFiles: Set<SegmentFile>;
  /** undefined: for reading only. */
  private log: WriteLog | undefined;
  private logNumber: number;
  private nextNumber: number;
  private manifestStamp: FileStamp;
  /** Bytes of files that were named since the last checkpoint. */
  private growth = 0;
  /** The last frame of the log says that the folder was closed. */
  private isClosedInLog: boolean;
  private failure: SearchError | undefined;
  private timer: NodeJS.Timeout | undefined;
  private checkpointing: Promise<void> | undefined;

  private constructor(options: StoreOptions, content: FolderContent, { open, log, lock }: Held) {
    const { storeId, manifest, indexes, places } = content;
    this.options = options;
    this.sizes = options.sizes;
    this.storeId = storeId;
    this.indexes = indexes;
    this.log = log;
    this.lock = lock;
    this.openFiles = open;
    this.logNumber = manifest.log;
    this.manifestStamp = content.stamp;
    this.isClosedInLog = content.log.isClosed;
    for (const place of places.values())
      if (place.stamp === undefined) this.inline.set(place.number, place);
      else this.named.set(place.number, place.stamp);
    this.graphs = new Set(content.graphs.keys());
    this.nextNumber = content.lastNumber + 1;
    this.found = [...indexes].map(([name, { settings, segments, written, deletedIds, graph }]) => {
      // Copies, because changes of the index are applied to what is kept.
      const kept = segments.map(({ number, deleted }) => ({
        place: places.get(number)!,
        deletedDocs: deleted?.copy() ?? null,
      }));
      const packed = packKept(written);
      const ids = [...deletedIds];
      const recordCount = segments.reduce((total, { size, deleted }) => total + size - (deleted?.count() ?? 0), 0);
      const load = async (): Promise<RestoredIndex> => ({
        ...{ written: unpackWritten(packed), deletedIds: ids },
        graph: graph === null ? undefined : this.storedGraph(content.graphs.get(graph.number)!),
        segments: await Promise.all(
          kept.map(async ({ place, deletedDocs }) => ({ segment: await this.loaded(place), deletedDocs })),
        ),
      });
      return { name, settings, recordCount, load };
    });
    this.recovery = {
      recovered: !content.log.isClosed && content.isNew !== true,
      droppedBytes: content.log.droppedBytes,
    };
  }

  /** Opens a folder, or makes it. Throws 409 `storage_locked`, 500 `storage_…`, 507 `storage_full`; then nothing has changed. */
  static async open(options: StoreOptions): Promise<Store> {
    const { files, folder, readOnly } = options;
    const open = new Set<SegmentFile>();
    if (readOnly) {
      if (!(await files.list(folder))?.some(({ name }) => OWN_NAME.test(name))) throw noStore();
      return new Store(options, await readBesideWriter(files, folder, open), { open });
    }
    await files.makeFolder(folder);
    const lock = await options.lock(folder);
    let log: WriteLog | undefined;
    try {
      const entries = (await files.list(folder)) ?? [];
      const content = (await hasNoStore(files, folder, entries)) ? await createStore(files, folder) : undefined;
      const found = content ?? (await readFolder(files, folder, open));
      log = await WriteLog.open(files, join(folder, logName(found.manifest.log)), found.log);
      const store = new Store(options, found, { open, log, lock });
      await store.removeUnneeded().catch((error: unknown) => store.warn(error));
      return store;
    } catch (error) {
      await log?.close().catch(() => {});
      await closeAll(open);
      await lock.release();
      throw error;
    }
  }

  private storedGraph(file: GraphFile): StoredGraph {
    return {
      bytes: file.bytes,
      open: async (options, signal) => {
        const opened = await file.open(options, signal);
        return opened && { ...opened, nodesOf: (segment) => opened.nodes.get(this.places.get(segment)?.number ?? 0) };
      },
    };
  }

  private async loaded(place: Place): Promise<Segment> {
    const segment = await place.load();
    this.places.set(segment, place);
    return segment;
  }

  get isReadOnly(): boolean {
    return this.options.readOnly;
  }

  /** See {@link StoreSizes}. */
  get graphNodes(): number {
    return this.sizes.graphNodes;
  }

  /** The indexes that the opening found; the second call gives none. */
  takeIndexes(): readonly StoredIndex[] {
    return this.found.splice(0);
  }

  /**
   * Makes changes durable, all together: with durability "sync", it resolves when a power cut cannot take them back. Throws 507
   * `storage_full`, and 500 `storage_failed`; then no later opening has the changes, except perhaps after a failed sync.
   */
  async commit(changes: readonly (IndexChange | IndexRemoval)[]): Promise<void> {
    this.check();
    const prepared: Segment[] = [];
    let log: WriteLog;
    try {
      for (const change of changes)
        for (const { segment } of "isGone" in change ? [] : change.segments)
          if (await this.prepare(segment, change.name)) prepared.push(segment);
      log = await this.queue.run(() => this.append(changes));
    } catch (error) {
      for (const segment of prepared) await this.discard(segment);
      throw error;
    }
    if (this.options.durability === "sync") await log.sync();
    else this.syncSoon();
    this.checkpointIfLarge();
  }

  /** Whether a segment gets a file before a change names it. */
  isLarge(segment: Segment): boolean {
    return storedBytes(segment) > this.sizes.inlineBytes;
  }

  /** Writes a large segment to a file before a change names it, and tells whether it did. Small ones are left to the change. */
  async prepare(segment: Segment, indexName: string): Promise<boolean> {
    if (this.places.has(segment) || !this.isLarge(segment)) return false;
    this.check();
    const number = this.nextNumber++;
    this.pending.add(number);
    try {
      const stamp = await this.flushSegment(number, segment, indexName);
      await this.options.files.syncFolder(this.options.folder);
      this.places.set(segment, { number, stamp, load: async () => segment });
      return true;
    } catch (error) {
      this.pending.delete(number);
      throw error;
    }
  }

  /** Removes the file of a segment that no frame names. */
  async discard(segment: Segment): Promise<void> {
    const { number } = this.places.get(segment)!;
    this.places.delete(segment);
    this.pending.delete(number);
    const { files, folder } = this.options;
    await files.remove(join(folder, segmentName(number))).catch(() => {});
  }

  /**
   * Stores the graph of an index in place of the one before; false: it was not stored, which fails nothing. Nothing may be added to
   * the graph meanwhile. `isOver`, asked now and then, ends it.
   */
  async storeGraph(name: string, { image, nodes }: GraphContent, isOver: () => boolean): Promise<boolean> {
    if (this.log === undefined || (this.failure ?? this.log.failed) !== undefined) return false;
    const { files, folder } = this.options;
    const number = this.nextNumber++;
    const path = join(folder, graphName(number));
    this.pending.add(number);
    try {
      // What a failure before may have left.
      await files.remove(path);
      const check = (): void => {
        if (isOver()) throw new GraphIsOver();
      };
      // A segment that has no number yet is not named: its vectors will be found.
      const segments = [...nodes].flatMap(([segment, own]) => {
        const place = this.places.get(segment);
        return place === undefined ? [] : { number: place.number, nodes: own };
      });
      const { pieces, stamp } = await runTask(graphFileOf(this.storeId, { image, segments }, check));
      await writeFile(files, path, pieces);
      await this.queue.run(async () => {
        const index = this.indexes.get(name);
        if (index === undefined || isOver()) throw new GraphIsOver();
        index.graph = { number, ...stamp };
        this.graphs.add(number);
        this.hasNewGraph = true;
      });
    } catch (error) {
      await files.remove(path).catch(() => {});
      if (!(error instanceof GraphIsOver)) this.warn(error, NO_GRAPH);
      return false;
    } finally {
      this.pending.delete(number);
    }
    // One that is under way may name it, or not.
    await this.checkpointing;
    if (this.hasNewGraph) await this.checkpointSoon();
    return true;
  }

  /** Resolves when all that was committed before is safe. */
  async flush(): Promise<void> {
    this.check();
    await this.log?.sync();
  }

  /** Makes everything safe and frees the lock. Throws what prevents that; the lock is free all the same. */
  async close(): Promise<void> {
    clearTimeout(this.timer);
    await this.checkpointing?.catch(() => {});
    const { log } = this;
    try {
      if (log === undefined || this.failure !== undefined || log.failed !== undefined) return;
      await log.sync();
      const needed = this.neededNumbers();
      const hasUnneeded =
        [...this.named.keys()].some((number) => !needed.has(number)) ||
        this.graphs.size > graphsOf(this.indexes).length;
      const isTidy = log.end <= MOST_CLOSED_LOG_BYTES && !hasUnneeded && !this.hasNewGraph;
      if (!isTidy) await this.checkpoint().catch((error: unknown) => this.warn(error));
      if (!this.isClosedInLog) await this.log!.closeFrame().catch((error: unknown) => this.warn(error));
    } finally {
      await this.log?.close().catch(() => {});
      await closeAll(this.openFiles);
      await this.lock?.release();
    }
  }

  /** Reads all files again and tells what is wrong with them. */
  async checkFiles(): Promise<StorageReport> {
    const problems: StorageReport["problems"][number][] = [];
    const look = async (file: string, work: () => Promise<unknown>): Promise<void> => {
      try {
        await work();
      } catch (error) {
        problems.push({ file, message: error instanceof Error ? error.message : String(error) });
      }
    };
    if (this.log === undefined) {
      const { files, folder } = this.options;
      try {
        const open = new Set<SegmentFile>();
        const { places, indexes, storeId } = await readBesideWriter(files, folder, open);
        for (const { number, stamp } of places.values())
          if (stamp !== undefined)
            await look(segmentName(number), () => checkSegment(files, folder, { number, ...stamp }, storeId));
        for (const graph of graphsOf(indexes))
          await look(graphName(graph.number), () => checkGraph(files, folder, graph, storeId));
        await closeAll(open);
      } catch (error) {
        const { details, message } = storageError(error);
        problems.push({ file: String(details?.file ?? MANIFEST), message });
      }
    } else await this.checkOwnFiles(look);
    return { ok: problems.length === 0, problems };
  }

  private async checkOwnFiles(look: (file: string, work: () => Promise<unknown>) => Promise<void>): Promise<void> {
    const { files, folder } = this.options;
    const { storeId } = this;
    const segments = await this.queue.run(async () => {
      await look(MANIFEST, () => checkManifest(files, folder, this.manifestStamp));
      const { logNumber: number } = this;
      await look(logName(number), () => checkLog(files, folder, { number, storeId, end: this.log!.end }));
      const needed = this.neededNumbers();
      return [...this.named].filter(([number]) => needed.has(number));
    });
    const graphs = graphsOf(this.indexes);
    // While these are read, changes go on.
    for (const [number, stamp] of segments)
      await look(segmentName(number), async () => {
        try {
          await checkSegment(files, folder, { number, ...stamp }, storeId);
        } catch (error) {
          // A checkpoint may have removed it meanwhile.
          if (this.named.has(number)) throw error;
        }
      });
    for (const graph of graphs)
      await look(graphName(graph.number), async () => {
        try {
          await checkGraph(files, folder, graph, storeId);
        } catch (error) {
          if (this.graphs.has(graph.number)) throw error;
        }
      });
  }

  /** Throws when the store takes no more changes. */
  private check(): void {
    const failure = this.failure ?? this.log?.failed;
    if (failure !== undefined) throw failure;
  }

  /** Writes a frame. Nothing has changed if that fails. */
  private async append(changes: readonly (IndexChange | IndexRemoval)[]): Promise<WriteLog> {
    this.check();
    const log = this.log!;
    const frame = await runTask(this.frameOf(changes));
    const { pieces } = await runTask(layOut(frame.content, false));
    await log.append([...pieces]);
    this.isClosedInLog = false;
    for (const { number, ...stamp } of frame.content.files) {
      this.named.set(number, stamp);
      this.pending.delete(number);
      this.growth += stamp.bytes;
    }
    for (const [segment, number] of frame.inline) {
      const place: Place = { number, stamp: undefined, load: async () => segment };
      this.places.set(segment, place);
      this.inline.set(number, place);
    }
    for (const index of frame.content.indexes) applyFrame(this.indexes, index);
    return log;
  }

  /** The frame of some changes, with the numbers that it gives to new segments. */
  private *frameOf(changes: readonly (IndexChange | IndexRemoval)[]): Task<{
    readonly content: Frame;
    readonly inline: ReadonlyMap<Segment, number>;
  }> {
    const inline = new Map<Segment, number>();
    const files = new Map<number, StampedSegment>();
    const numberOf = (segment: Segment): number => {
      const place = this.places.get(segment);
      if (place?.stamp !== undefined && !this.named.has(place.number))
        files.set(place.number, { number: place.number, ...place.stamp });
      const number = place?.number ?? inline.get(segment) ?? this.nextNumber++;
      if (place === undefined) inline.set(segment, number);
      return number;
    };
    const indexes = changes.map((change): IndexFrame => {
      if ("isGone" in change) return change;
      const { name, settings, segments, isFresh, written, deletedIds } = change;
      const before = isFresh ? undefined : this.indexes.get(name);
      const sized = segments.map(({ segment }) => ({ number: numberOf(segment), size: segment.size }));
      const deleted = segments.map(({ deletedDocs }, i) => {
        const { number } = sized[i]!;
        const known = before?.segments.find((kept) => kept.number === number)?.deleted ?? null;
        return { number, docs: newlyDeleted(known, deletedDocs) };
      });
      return {
        ...{ name, isGone: false, settings: settings ?? null, isFresh, segments: sized },
        deleted: deleted.filter(({ docs }) => docs.length > 0),
        written: packWritten(written),
        deletedIds,
      };
    });
    const parts: Frame["inline"][number][] = [];
    for (const [segment, number] of inline) parts.push({ number, parts: yield* packSegment(segment, "log") });
    return { content: { indexes, inline: parts, files: [...files.values()] }, inline };
  }

  /** With durability "interval": syncs the log within a second. */
  private syncSoon(): void {
    if (this.timer !== undefined) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      // A checkpoint may have begun another log, and made all safe that the one before had.
      this.log?.sync().catch((error: unknown) => this.warn(error, NOT_SYNCED));
    }, SYNC_INTERVAL_MS).unref();
  }

  private checkpointIfLarge(): void {
    const isSmall = this.growth < MOST_GROWTH_BYTES || this.growth < this.neededBytes();
    if (this.log!.end < this.sizes.logBytes && isSmall) return;
    void this.checkpointSoon();
  }

  /** Resolves when the checkpoint that is under way, or else a new one, is done. */
  private checkpointSoon(): Promise<void> {
    // A failure in the background fails no call: the log is there, and the next change tries again.
    this.checkpointing ??= this.checkpoint()
      .catch((error: unknown) => this.warn(error))
      .finally(() => {
        this.checkpointing = undefined;
      });
    return this.checkpointing;
  }

  /** Writes the segments that only the log has to files, replaces the manifest, and begins a new log. */
  private async checkpoint(): Promise<void> {
    // While these are written, changes go on.
    await this.writeInline();
    await this.queue.run(async () => {
      this.check();
      await this.writeInline();
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

  private async writeInline(): Promise<void> {
    const needed = this.neededNumbers();
    for (const place of [...this.inline.values()]) {
      const { number } = place;
      if (needed.has(number)) {
        place.stamp = await this.flushSegment(number, await this.loaded(place), this.nameOf(number));
        this.named.set(number, place.stamp);
      }
      this.inline.delete(number);
    }
  }

  /** The name of an index that has the segment; several may share it. */
  private nameOf(number: number): string {
    for (const [name, { segments }] of this.indexes)
      if (segments.some((segment) => segment.number === number)) return name;
    return "";
  }

  /** Writes a segment to its file, and tells about it. */
  private async flushSegment(number: number, segment: Segment, indexName: string): Promise<FileStamp> {
    const flush = (): Promise<FileStamp> => this.writeSegment(number, segment);
    return tellSegment(tellFlush, indexName, flush, ({ bytes }) => ({ records: segment.size, bytes }));
  }

  private async writeSegment(number: number, segment: Segment): Promise<FileStamp> {
    const { files, folder } = this.options;
    const name = segmentName(number);
    const path = join(folder, name);
    // What a failure before may have left.
    await files.remove(path);
    const parts = await runTask(packSegment(segment));
    const { pieces, stamp, offsetOf } = await runTask(fileOf("segment", this.storeId, parts));
    await writeFile(files, path, pieces);
    const file = await files.open(path, "read");
    if (file === undefined) throw missingFile(name);
    leaveToFile(segment, parts, new SegmentFile(name, file, this.openFiles), offsetOf);
    return stamp;
  }

  /** Begins a new log and puts a manifest in place that names it. */
  private async replaceManifest(): Promise<void> {
    const { files, folder } = this.options;
    const logNumber = this.logNumber + 1;
    const path = join(folder, logName(logNumber));
    await files.remove(path);
    const log = await WriteLog.create(files, path, { storeId: this.storeId, firstSequence: this.log!.nextSequence });
    try {
      this.manifestStamp = await putManifest(files, folder, this.storeId, this.manifest(logNumber));
    } catch (error) {
      await log.close().catch(() => {});
      await files.remove(path).catch(() => {});
      throw error;
    }
    this.log = log;
    this.logNumber = logNumber;
    this.isClosedInLog = false;
    this.growth = 0;
    const needed = this.neededNumbers();
    for (const number of this.named.keys()) if (!needed.has(number)) this.named.delete(number);
    this.graphs.clear();
    for (const { number } of graphsOf(this.indexes)) this.graphs.add(number);
    this.hasNewGraph = false;
    try {
      await files.syncFolder(folder);
    } catch (error) {
      // Nobody knows which of the two manifests a power cut would leave.
      this.failure = storageError(error);
      throw error;
    }
  }

  private manifest(log: number): Manifest {
    const needed = this.neededNumbers();
    return {
      nextNumber: this.nextNumber,
      log,
      files: [...needed].map((number) => ({ number, ...this.named.get(number)! })),
      indexes: packIndexes(this.indexes),
    };
  }

  /** The numbers of the segments that some index has. */
  private neededNumbers(): Set<number> {
    return new Set([...this.indexes.values()].flatMap(({ segments }) => segments.map(({ number }) => number)));
  }

  private neededBytes(): number {
    let bytes = 0;
    for (const number of this.neededNumbers()) bytes += this.named.get(number)?.bytes ?? 0;
    return bytes;
  }

  /** Removes files that neither the manifest nor the log names: of what was deleted, merged, or left half made. */
  private async removeUnneeded(): Promise<void> {
    const { files, folder } = this.options;
    const numbers = [...this.pending, ...this.named.keys()];
    const graphs = [...this.pending, ...this.graphs];
    const names = [MANIFEST, logName(this.logNumber), ...numbers.map(segmentName), ...graphs.map(graphName)];
    for (const { name, kind } of (await files.list(folder)) ?? [])
      if (kind === "file" && OWN_NAME.test(name) && !names.includes(name)) await files.remove(join(folder, name));
  }

  private warn(cause: unknown, message: string = NOT_TIDIED): void {
    this.options.warn(storageWarning(message, storageError(cause)));
  }
}
