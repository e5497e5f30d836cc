// A data folder: what all indexes of an engine hold, kept so that nothing acknowledged is lost.
//
//   manifest     names the indexes, their settings, and the segments of each with their deleted records; replaced at once
//   log-N        the changes since that manifest: a frame for each, with new small segments in it
//   segment-N    a segment; written once and never changed
//   lock files   see folder-lock.ts
//
// Indexes may share segments, so copying and renaming are changes of the manifest's lists alone, and no name of an index is ever
// a name on the disk. A change is a frame of the log; large segments of it are written to files before. A checkpoint writes the
// small segments of the log to files, replaces the manifest and begins a new log.

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { WrittenAttributes } from "../docvalues/attribute-catalog.js";
import { RecentIds, type RestoredIndex } from "../index/index-data.js";
import type { LiveSegment } from "../index/index-snapshot.js";
import type { Segment } from "../index/segment.js";
import { WriteQueue } from "../index/write-scheduler.js";
import { postingsBytes } from "../inverted/postings.js";
import { has } from "../util/checks.js";
import { DocSet } from "../util/doc-set.js";
import type { SearchError } from "../util/errors.js";
import type { SearchWarning } from "../util/extension-points.js";
import { offsetAt } from "../util/offset-table.js";
import { runTask, type Task } from "../util/tasks.js";
import { type FileSystem, type FolderEntry, nodeFileSystem } from "./file-system.js";
import { acquireLock, type FolderLock } from "./folder-lock.js";
import {
  closeAll,
  leaveToFile,
  type PackedCounts,
  type PackedSegment,
  packCounts,
  packSegment,
  SegmentFile,
  unpackCounts,
  unpackSegment,
} from "./pack-segment.js";
import {
  checkVersion,
  type FileStamp,
  fileOf,
  HEAD_BYTES,
  layOut,
  readAll,
  readBody,
  readFileBytes,
  readOpenFile,
  STORE_ID_BYTES,
  writeFile,
} from "./sections.js";
import { noStore, storageCorrupt, storageError } from "./storage-error.js";
import { type LogContent, WriteLog } from "./write-log.js";

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
  sizes: { inlineBytes: 2 ** 22, logBytes: 2 ** 26 },
};

/** How to open a data folder. */
export interface StoreOptions extends Disk {
  /** An absolute path. */
  readonly folder: string;
  readonly readOnly: boolean;
  readonly durability: "sync" | "interval";
  readonly warn: (warning: SearchWarning) => void;
}

/** An index in a frame of the log. */
type IndexFrame =
  | { readonly name: string; readonly isGone: true }
  | {
      readonly name: string;
      readonly isGone: false;
      readonly settings: string | null;
      readonly isFresh: boolean;
      /** All its segments, with the number of records of each. */
      readonly segments: readonly SizedSegment[];
      /** The records that were deleted since the frame before, by segment. */
      readonly deleted: readonly { readonly number: number; readonly docs: Uint32Array }[];
      readonly written: PackedCounts;
      readonly deletedIds: readonly string[];
    };

type Frame = {
  readonly indexes: readonly IndexFrame[];
  /** Segments that no earlier frame names: in this frame, or in files of their own. */
  readonly inline: readonly { readonly number: number; readonly parts: PackedSegment }[];
  readonly files: readonly StampedSegment[];
};

type SizedSegment = { readonly number: number; readonly size: number };

type StampedSegment = { readonly number: number; readonly bytes: number; readonly sum: number };

type Manifest = {
  readonly nextNumber: number;
  readonly log: number;
  readonly files: readonly StampedSegment[];
  readonly indexes: readonly {
    readonly name: string;
    readonly settings: string;
    readonly segments: readonly (SizedSegment & { readonly deleted: Uint32Array | null })[];
    readonly written: PackedCounts;
    readonly deletedIds: readonly string[];
  }[];
};

/** An index as the manifest and the frames so far describe it. */
interface KeptIndex {
  settings: string;
  segments: KeptSegment[];
  written: KeptWritten;
  deletedIds: RecentIds;
}

interface KeptSegment extends SizedSegment {
  deleted: DocSet | null;
}

/** The written attributes of an index: as they are stored, until there are more. */
type KeptWritten = { readonly packed: PackedCounts } | { readonly value: WrittenAttributes };

/** Where a segment is stored. */
interface Place {
  readonly number: number;
  /** What identifies its file; undefined as long as only the log has it. */
  stamp: FileStamp | undefined;
  /** The segment, which is read once. */
  readonly load: () => Promise<Segment>;
}

const MANIFEST = "manifest";
const logName = (number: number): string => `log-${number}`;
const segmentName = (number: number): string => `segment-${number}`;
/** The names of all files that a store makes, and of what it left half made. */
const OWN_NAME = /^(manifest|log-\d+|segment-\d+)(\.tmp|\.temp)?$/;
/** A log of more bytes is emptied by a checkpoint when the folder is closed, so that it opens faster. */
const MOST_CLOSED_LOG_BYTES = 2 ** 20;
/** Files of this many bytes, or of as many as all indexes need, may be added before a checkpoint removes those not needed any more. */
const MOST_GROWTH_BYTES = 2 ** 26;
const SYNC_INTERVAL_MS = 1000;
const NOT_TIDIED = "The data folder could not be tidied; nothing is lost, and it will be tried again.";
const NOT_SYNCED =
  "The writes of the last second could not be synced, and a power cut may take them; open the data folder again to write.";

/** What `checkStorage` found. */
export interface StorageReport {
  readonly ok: boolean;
  readonly problems: readonly { readonly file: string; readonly message: string }[];
}

/** What a folder holds. */
interface FolderContent {
  readonly storeId: Uint8Array;
  readonly stamp: FileStamp;
  readonly manifest: Manifest;
  readonly log: LogContent;
  readonly indexes: Map<string, KeptIndex>;
  /** By number: the segments of all indexes. */
  readonly places: ReadonlyMap<number, Place>;
  /** The greatest number that a segment has or had. */
  readonly lastNumber: number;
  /** The store was made just now. */
  readonly isNew?: boolean;
}

/** What a store holds until it is closed. */
interface Held {
  readonly open: Set<SegmentFile>;
  /** undefined: for reading only. */
  readonly log?: WriteLog;
  readonly lock?: FolderLock;
}

/** How often a folder is read again when a writer changed it meanwhile. */
const READ_ATTEMPTS = 20;

function missing(name: string): SearchError {
  return storageCorrupt(name, undefined, "is missing");
}

function damaged(name: string, offset?: number): SearchError {
  return storageCorrupt(name, offset, "is not as it was written");
}

/** The bytes of a file; throws 500 `storage_corrupt` if it is missing. */
async function readWhole(files: FileSystem, folder: string, name: string): Promise<Uint8Array> {
  const file = await files.open(join(folder, name), "read");
  if (file === undefined) throw missing(name);
  try {
    return await readAll(file);
  } finally {
    await file.close();
  }
}

async function readManifest(
  files: FileSystem,
  folder: string,
): Promise<Pick<FolderContent, "storeId" | "stamp" | "manifest">> {
  const bytes = await readWhole(files, folder, MANIFEST);
  const { structure, storeId, stamp } = await runTask(readFileBytes(bytes, { name: MANIFEST, kind: "manifest" }));
  return { storeId, stamp, manifest: structure as Manifest };
}

async function readLog(files: FileSystem, folder: string, number: number, storeId: Uint8Array): Promise<LogContent> {
  const name = logName(number);
  const file = await files.open(join(folder, name), "read");
  if (file === undefined) throw missing(name);
  try {
    return await WriteLog.read(file, { storeId, name });
  } finally {
    await file.close();
  }
}

/** Opens the file of a segment, which is read when the segment is needed. It stays open, also when a writer removes its name. */
async function openSegment(
  files: FileSystem,
  folder: string,
  { number, bytes, sum }: StampedSegment,
  { storeId, open }: { readonly storeId: Uint8Array; readonly open: Set<SegmentFile> },
): Promise<Place> {
  const name = segmentName(number);
  const stamp = { bytes, sum };
  const file = await files.open(join(folder, name), "read");
  if (file === undefined) throw missing(name);
  const opened = new SegmentFile(name, file, open);
  const start = new Uint8Array(HEAD_BYTES);
  await file.read(start, 0);
  // A folder of another format is refused as a whole, before an answer needs it.
  checkVersion(start, name);
  if ((await file.size()) !== bytes) throw damaged(name);
  const read = async (): Promise<Segment> => {
    const { structure } = await readOpenFile(file, { name, kind: "segment", storeId, stamp });
    return runTask(unpackSegment(structure as PackedSegment, opened));
  };
  return { number, stamp, load: once(read) };
}

/** What the function resolves with, as soon as it did once. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work().catch((error: unknown) => {
      result = undefined;
      throw error;
    });
    return result;
  };
}

/** Checks all bytes of the file of a segment. */
async function checkSegment(
  files: FileSystem,
  folder: string,
  { number, bytes, sum }: StampedSegment,
  storeId: Uint8Array,
): Promise<void> {
  const name = segmentName(number);
  const whole = await readWhole(files, folder, name);
  await runTask(readFileBytes(whole, { name, kind: "segment", storeId, stamp: { bytes, sum } }));
}

/**
 * Reads a folder, without its segments, and opens their files, which it adds to `open`. Throws 500 `storage_corrupt` or
 * `storage_version`; changes nothing.
 */
async function readFolder(files: FileSystem, folder: string, open: Set<SegmentFile>): Promise<FolderContent> {
  const head = await readManifest(files, folder);
  const { storeId, manifest } = head;
  const log = await readLog(files, folder, manifest.log, storeId);
  const name = logName(manifest.log);
  const indexes = keptIndexes(manifest);
  const stamped = new Map(manifest.files.map((file) => [file.number, file]));
  const inline = new Map<number, PackedSegment>();
  for (const { payload } of log.frames) {
    const frame = (await runTask(readBody(payload, () => damaged(name)))) as Frame;
    for (const file of frame.files) stamped.set(file.number, file);
    for (const { number, parts } of frame.inline) inline.set(number, parts);
    for (const index of frame.indexes) applyFrame(indexes, index);
  }
  const numbers = new Set([...indexes.values()].flatMap((index) => index.segments.map(({ number }) => number)));
  const found = await Promise.all(
    Array.from(numbers, async (number): Promise<Place> => {
      const file = stamped.get(number);
      const parts = inline.get(number);
      if (file !== undefined) return openSegment(files, folder, file, { storeId, open });
      if (parts === undefined) throw damaged(name);
      return { number, stamp: undefined, load: once(() => runTask(unpackSegment(parts))) };
    }),
  );
  const places = new Map(found.map((place) => [place.number, place]));
  const lastNumber = Math.max(manifest.nextNumber - 1, ...stamped.keys(), ...inline.keys());
  return { ...head, log, indexes, places, lastNumber };
}

/** As {@link readFolder}, beside a writer that may replace what is being read. */
async function readBesideWriter(files: FileSystem, folder: string, open: Set<SegmentFile>): Promise<FolderContent> {
  for (let attempt = 1; ; attempt++) {
    const before = await readManifest(files, folder);
    const logSize = await sizeOf(files, join(folder, logName(before.manifest.log)));
    try {
      return await readFolder(files, folder, open);
    } catch (error) {
      await closeAll(open);
      const { stamp, manifest } = await readManifest(files, folder);
      const isSame =
        stamp.sum === before.stamp.sum && logSize === (await sizeOf(files, join(folder, logName(manifest.log))));
      if (isSame || attempt === READ_ATTEMPTS) throw error;
    }
  }
}

async function sizeOf(files: FileSystem, path: string): Promise<number | undefined> {
  const file = await files.open(path, "read");
  try {
    return await file?.size();
  } finally {
    await file?.close();
  }
}

function keptIndexes({ indexes }: Manifest): Map<string, KeptIndex> {
  return new Map(
    indexes.map(({ name, settings, segments, written, deletedIds }) => {
      const kept = segments.map(({ number, size, deleted }) => ({
        ...{ number, size },
        deleted: deleted === null ? null : new DocSet(size, deleted),
      }));
      const ids = new RecentIds();
      ids.add(deletedIds);
      return [name, { settings, segments: kept, written: { packed: written }, deletedIds: ids }];
    }),
  );
}

/** Applies what a frame says of one index. */
function applyFrame(indexes: Map<string, KeptIndex>, frame: IndexFrame): void {
  if (frame.isGone) {
    indexes.delete(frame.name);
    return;
  }
  const before = indexes.get(frame.name);
  const known = frame.isFresh ? undefined : before;
  const deletedIds = known?.deletedIds ?? new RecentIds();
  deletedIds.add(frame.deletedIds);
  const written = withMore(known?.written, frame.written);
  const docs = new Map(frame.deleted.map((deleted) => [deleted.number, deleted.docs]));
  const segments = frame.segments.map(({ number, size }) => {
    const deleted = known?.segments.find((segment) => segment.number === number)?.deleted ?? null;
    const added = docs.get(number);
    return { number, size, deleted: added === undefined ? deleted : (deleted ?? new DocSet(size)).addAll(added) };
  });
  indexes.set(frame.name, { settings: frame.settings ?? before?.settings ?? "{}", segments, written, deletedIds });
}

function withMore(known: KeptWritten | undefined, more: PackedCounts): KeptWritten {
  if (known === undefined) return { packed: more };
  if (more.short.length === 0) return known;
  const value = has(known, "value") ? known.value : unpackWritten(known.packed);
  value.add(unpackWritten(more));
  return { value };
}

function packKept(kept: KeptWritten): PackedCounts {
  return has(kept, "value") ? packWritten(kept.value) : kept.packed;
}

export function packWritten(written: WrittenAttributes): PackedCounts {
  return packCounts(written.entries());
}

export function unpackWritten(counts: PackedCounts): WrittenAttributes {
  return WrittenAttributes.of(unpackCounts(counts));
}

/** The records that are in `after` and not in `before`. */
function newlyDeleted(before: DocSet | null, after: DocSet | null): Uint32Array {
  if (after === null) return new Uint32Array();
  const docs: number[] = [];
  for (const [at, word] of after.words.entries())
    for (let left = word & ~(before?.words[at] ?? 0); left !== 0; left &= left - 1)
      docs.push(32 * at + 31 - Math.clz32(left & -left));
  return Uint32Array.from(docs);
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
    this.nextNumber = content.lastNumber + 1;
    this.found = [...indexes].map(([name, { settings, segments, written, deletedIds }]) => {
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
      const content = (await isNew(files, folder, entries)) ? await createStore(files, folder) : undefined;
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

  private async loaded(place: Place): Promise<Segment> {
    const segment = await place.load();
    this.places.set(segment, place);
    return segment;
  }

  get isReadOnly(): boolean {
    return this.options.readOnly;
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
      for (const { segment } of changes.flatMap((change) => ("isGone" in change ? [] : change.segments)))
        if (await this.prepare(segment)) prepared.push(segment);
      log = await this.queue.run(() => this.append(changes));
    } catch (error) {
      for (const segment of prepared) await this.discard(segment);
      throw error;
    }
    if (this.options.durability === "sync") await log.sync();
    else this.syncSoon();
    this.checkpointIfLarge();
  }

  /** Writes a large segment to a file before a change names it, and tells whether it did. Small ones are left to the change. */
  async prepare(segment: Segment): Promise<boolean> {
    if (this.places.has(segment) || storedBytes(segment) <= this.sizes.inlineBytes) return false;
    this.check();
    const number = this.nextNumber++;
    this.pending.add(number);
    try {
      const stamp = await this.writeSegment(number, segment);
      await this.options.files.syncFolder(this.options.folder);
      this.places.set(segment, { number, stamp, load: async () => segment });
      return true;
    } catch (error) {
      this.pending.delete(number);
      throw error;
    }
  }

  /** Removes the file of a segment that no frame names. */
  private async discard(segment: Segment): Promise<void> {
    const { number } = this.places.get(segment)!;
    this.places.delete(segment);
    this.pending.delete(number);
    const { files, folder } = this.options;
    await files.remove(join(folder, segmentName(number))).catch(() => {});
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
      const isTidy = log.end <= MOST_CLOSED_LOG_BYTES && [...this.named.keys()].every((number) => needed.has(number));
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
        const { places, storeId } = await readBesideWriter(files, folder, open);
        for (const { number, stamp } of places.values())
          if (stamp !== undefined)
            await look(segmentName(number), () => checkSegment(files, folder, { number, ...stamp }, storeId));
        await closeAll(open);
      } catch (error) {
        const { details, message } = storageError(error);
        problems.push({ file: String(details?.file ?? MANIFEST), message });
      }
    } else await this.queue.run(() => this.checkOwnFiles(look));
    return { ok: problems.length === 0, problems };
  }

  private async checkOwnFiles(look: (file: string, work: () => Promise<unknown>) => Promise<void>): Promise<void> {
    const { files, folder } = this.options;
    await look(MANIFEST, async () => {
      const { stamp } = await readManifest(files, folder);
      if (stamp.sum !== this.manifestStamp.sum) throw damaged(MANIFEST);
    });
    const name = logName(this.logNumber);
    await look(name, async () => {
      const { end, droppedBytes } = await readLog(files, folder, this.logNumber, this.storeId);
      if (end !== this.log!.end || droppedBytes > 0) throw damaged(name, end);
    });
    for (const number of this.neededNumbers()) {
      const stamp = this.named.get(number);
      if (stamp !== undefined)
        await look(segmentName(number), () => checkSegment(files, folder, { number, ...stamp }, this.storeId));
    }
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
    await log.append(pieces);
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
    for (const [segment, number] of inline) parts.push({ number, parts: yield* packSegment(segment) });
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
    // A failure in the background fails no call: the log is there, and the next change tries again.
    this.checkpointing ??= this.checkpoint()
      .catch((error: unknown) => this.warn(error))
      .finally(() => {
        this.checkpointing = undefined;
      });
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
        place.stamp = await this.writeSegment(number, await this.loaded(place));
        this.named.set(number, place.stamp);
      }
      this.inline.delete(number);
    }
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
    if (file === undefined) throw missing(name);
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
      indexes: [...this.indexes].map(([name, { settings, segments, written, deletedIds }]) => ({
        ...{ name, settings, written: packKept(written), deletedIds: [...deletedIds] },
        segments: segments.map(({ number, size, deleted }) => ({ number, size, deleted: deleted?.words ?? null })),
      })),
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
    const names = [MANIFEST, logName(this.logNumber), ...numbers.map(segmentName)];
    for (const { name, kind } of (await files.list(folder)) ?? [])
      if (kind === "file" && OWN_NAME.test(name) && !names.includes(name)) await files.remove(join(folder, name));
  }

  private warn(cause: unknown, message: string = NOT_TIDIED): void {
    this.options.warn({ code: "storage_failed", message, cause: storageError(cause) });
  }
}

/** Whether a folder has no store yet. What is left of one that was never finished does not count. */
async function isNew(files: FileSystem, folder: string, entries: readonly FolderEntry[]): Promise<boolean> {
  const own = entries.filter(({ name, kind }) => kind === "file" && OWN_NAME.test(name));
  if (entries.some(({ name }) => name === MANIFEST)) return false;
  const logs = own.filter(({ name }) => /^log-\d+$/.test(name));
  if (own.some(({ name }) => /^segment-\d+$/.test(name)) || logs.some(({ name }) => name !== logName(1)))
    throw missing(MANIFEST);
  for (const { name } of own) {
    const size = await sizeOf(files, join(folder, name));
    if (name === logName(1) && size! > HEAD_BYTES) throw missing(MANIFEST);
  }
  for (const { name } of own) await files.remove(join(folder, name));
  return true;
}

/** Makes a store without indexes. */
async function createStore(files: FileSystem, folder: string): Promise<FolderContent> {
  const storeId = randomBytes(STORE_ID_BYTES);
  const manifest: Manifest = { nextNumber: 1, log: 1, files: [], indexes: [] };
  const log = await WriteLog.create(files, join(folder, logName(1)), { storeId, firstSequence: 1 });
  await log.close();
  const stamp = await putManifest(files, folder, storeId, manifest);
  await files.syncFolder(folder);
  return { ...(await readFolder(files, folder, new Set())), stamp, isNew: true };
}

/** Replaces the manifest. The folder has to be synced afterwards. */
async function putManifest(
  files: FileSystem,
  folder: string,
  storeId: Uint8Array,
  manifest: Manifest,
): Promise<FileStamp> {
  const { pieces, stamp } = await runTask(fileOf("manifest", storeId, manifest));
  const temporary = join(folder, `${MANIFEST}.tmp`);
  await files.remove(temporary);
  await writeFile(files, temporary, pieces);
  // The files that it names must be there before it is.
  await files.syncFolder(folder);
  await files.rename(temporary, join(folder, MANIFEST));
  return stamp;
}
