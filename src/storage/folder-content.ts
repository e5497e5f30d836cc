// What a data folder says: which files it has, what stands in them, and how they are read.
//
//   manifest     names the indexes, their settings, and the segments of each with their deleted records; replaced at once
//   log-N        the changes since that manifest: a frame for each, with new small segments in it
//   segment-N    a segment; written once and never changed
//   graph-N      the graph of an index; written once, and replaced by another one
//   lock files   see folder-lock.ts
//
// Indexes may share segments, so copying and renaming are changes of the manifest's lists alone, and no name of an index is ever
// a name on the disk. Only the manifest names graphs: a change makes none wrong, only incomplete.

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { WrittenAttributes } from "../docvalues/attribute-catalog.js";
import { RecentIds } from "../index/index-data.js";
import type { Segment } from "../index/segment.js";
import { has } from "../util/checks.js";
import { DocSet } from "../util/doc-set.js";
import type { SearchError } from "../util/errors.js";
import { runTask } from "../util/tasks.js";
import type { FileSystem, FolderEntry } from "./file-system.js";
import { GraphFile } from "./graph-file.js";
import {
  closeAll,
  type PackedCounts,
  type PackedSegment,
  packCounts,
  SegmentFile,
  unpackCounts,
  unpackSegment,
} from "./pack-segment.js";
import {
  checkVersion,
  type FileStamp,
  fileOf,
  HEAD_BYTES,
  readAll,
  readBody,
  readFileBytes,
  readOpenFile,
  STORE_ID_BYTES,
  writeFile,
} from "./sections.js";
import { storageCorrupt } from "./storage-error.js";
import { type LogContent, WriteLog } from "./write-log.js";

export const MANIFEST = "manifest";
export const logName = (number: number): string => `log-${number}`;
export const segmentName = (number: number): string => `segment-${number}`;
export const graphName = (number: number): string => `graph-${number}`;
/** The names of all files that a store makes, and of what it left half made. */
export const OWN_NAME: RegExp = /^(manifest|(log|segment|graph)-\d+)(\.tmp|\.temp)?$/;

/** What the manifest says. */
export type Manifest = {
  readonly nextNumber: number;
  readonly log: number;
  readonly files: readonly StampedSegment[];
  readonly indexes: readonly {
    readonly name: string;
    readonly settings: string;
    readonly segments: readonly (SizedSegment & { readonly deleted: Uint32Array | null })[];
    readonly written: PackedCounts;
    readonly deletedIds: readonly string[];
    readonly graph: StampedGraph | null;
  }[];
};

/** What a frame of the log says: a change of some indexes. */
export type Frame = {
  readonly indexes: readonly IndexFrame[];
  /** Segments that no earlier frame names: in this frame, or in files of their own. */
  readonly inline: readonly { readonly number: number; readonly parts: PackedSegment }[];
  readonly files: readonly StampedSegment[];
};

/** An index in a frame of the log. */
export type IndexFrame =
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

type SizedSegment = { readonly number: number; readonly size: number };

export type StampedSegment = { readonly number: number; readonly bytes: number; readonly sum: number };

/** The file of a graph. */
export type StampedGraph = StampedSegment;

/** An index as the manifest and the frames so far describe it. */
export interface KeptIndex {
  settings: string;
  segments: KeptSegment[];
  written: KeptWritten;
  deletedIds: RecentIds;
  graph: StampedGraph | null;
}

interface KeptSegment extends SizedSegment {
  deleted: DocSet | null;
}

/** The written attributes of an index: as they are stored, until there are more. */
type KeptWritten = { readonly packed: PackedCounts } | { readonly value: WrittenAttributes };

/** Where a segment is stored. */
export interface Place {
  readonly number: number;
  /** What identifies its file; undefined as long as only the log has it. */
  stamp: FileStamp | undefined;
  /** The segment, which is read once. */
  readonly load: () => Promise<Segment>;
}

/** What a folder holds. */
export interface FolderContent {
  readonly storeId: Uint8Array;
  readonly stamp: FileStamp;
  readonly manifest: Manifest;
  readonly log: LogContent;
  readonly indexes: Map<string, KeptIndex>;
  /** By number: the segments of all indexes. */
  readonly places: ReadonlyMap<number, Place>;
  /** By number: the graphs of all indexes. */
  readonly graphs: ReadonlyMap<number, GraphFile>;
  /** The greatest number that a segment has or had. */
  readonly lastNumber: number;
  /** The store was made just now. */
  readonly isNew?: boolean;
}

/** Whether a folder has no store yet. Removes what is left of one that was never finished. */
export async function hasNoStore(files: FileSystem, folder: string, entries: readonly FolderEntry[]): Promise<boolean> {
  const own = entries.filter(({ name, kind }) => kind === "file" && OWN_NAME.test(name));
  if (entries.some(({ name }) => name === MANIFEST)) return false;
  const logs = own.filter(({ name }) => /^log-\d+$/.test(name));
  if (own.some(({ name }) => /^(segment|graph)-\d+$/.test(name)) || logs.some(({ name }) => name !== logName(1)))
    throw missingFile(MANIFEST);
  for (const { name } of own) {
    const size = await sizeOf(files, join(folder, name));
    if (name === logName(1) && size! > HEAD_BYTES) throw missingFile(MANIFEST);
  }
  for (const { name } of own) await files.remove(join(folder, name));
  return true;
}

/** Makes a store without indexes. */
export async function createStore(files: FileSystem, folder: string): Promise<FolderContent> {
  const storeId = randomBytes(STORE_ID_BYTES);
  const manifest: Manifest = { nextNumber: 1, log: 1, files: [], indexes: [] };
  const log = await WriteLog.create(files, join(folder, logName(1)), { storeId, firstSequence: 1 });
  await log.close();
  const stamp = await putManifest(files, folder, storeId, manifest);
  await files.syncFolder(folder);
  return { ...(await readFolder(files, folder, new Set())), stamp, isNew: true };
}

/** Replaces the manifest. The folder has to be synced afterwards. */
export async function putManifest(
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

/**
 * Reads a folder, without its segments, and opens their files, which it adds to `open`. Throws 500 `storage_corrupt` or
 * `storage_version`; changes nothing.
 */
export async function readFolder(files: FileSystem, folder: string, open: Set<SegmentFile>): Promise<FolderContent> {
  const head = await readManifest(files, folder);
  const { storeId, manifest } = head;
  const log = await readLog(files, folder, manifest.log, storeId);
  const name = logName(manifest.log);
  const indexes = unpackIndexes(manifest);
  const stamped = new Map(manifest.files.map((file) => [file.number, file]));
  const inline = new Map<number, PackedSegment>();
  for (const { payload } of log.frames) {
    const frame = (await runTask(readBody(payload, () => damagedFile(name)))) as Frame;
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
      if (parts === undefined) throw damagedFile(name);
      return { number, stamp: undefined, load: once(() => runTask(unpackSegment(parts))) };
    }),
  );
  const places = new Map(found.map((place) => [place.number, place]));
  const graphs = await Promise.all(
    graphsOf(indexes).map((graph) => openGraph(files, folder, graph, { storeId, open })),
  );
  const lastNumber = Math.max(manifest.nextNumber - 1, ...stamped.keys(), ...inline.keys());
  return { ...head, log, indexes, places, graphs: new Map(graphs), lastNumber };
}

/** How often a folder is read again when a writer changed it meanwhile. */
const READ_ATTEMPTS = 20;

/** As {@link readFolder}, beside a writer that may replace what is being read. */
export async function readBesideWriter(
  files: FileSystem,
  folder: string,
  open: Set<SegmentFile>,
): Promise<FolderContent> {
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

/** The bytes of a file; throws 500 `storage_corrupt` if it is missing. */
async function readWhole(files: FileSystem, folder: string, name: string): Promise<Uint8Array> {
  const file = await files.open(join(folder, name), "read");
  if (file === undefined) throw missingFile(name);
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
  if (file === undefined) throw missingFile(name);
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
  if (file === undefined) throw missingFile(name);
  const opened = new SegmentFile(name, file, open);
  const start = new Uint8Array(HEAD_BYTES);
  await file.read(start, 0);
  // A folder of another format is refused as a whole, before an answer needs it.
  checkVersion(start, name);
  if ((await file.size()) !== bytes) throw damagedFile(name);
  const read = async (): Promise<Segment> => {
    const { structure } = await readOpenFile(file, { name, kind: "segment", storeId, stamp });
    return runTask(unpackSegment(structure as PackedSegment, opened));
  };
  return { number, stamp, load: once(read) };
}

/** Opens the file of a graph. If that fails, its reading will: nothing depends on it. */
async function openGraph(
  files: FileSystem,
  folder: string,
  { number, bytes, sum }: StampedGraph,
  { storeId, open }: { readonly storeId: Uint8Array; readonly open: Set<SegmentFile> },
): Promise<[number, GraphFile]> {
  const name = graphName(number);
  const file = await files.open(join(folder, name), "read").catch(() => undefined);
  const opened = file === undefined ? undefined : new SegmentFile(name, file, open);
  return [number, new GraphFile(opened, { name, storeId, stamp: { bytes, sum } })];
}

/** The stored graphs of indexes. */
export function graphsOf(indexes: ReadonlyMap<string, KeptIndex>): StampedGraph[] {
  return [...indexes.values()].flatMap(({ graph }) => graph ?? []);
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

function unpackIndexes({ indexes }: Manifest): Map<string, KeptIndex> {
  return new Map(
    indexes.map(({ name, settings, segments, written, deletedIds, graph }) => {
      const kept = segments.map(({ number, size, deleted }) => ({
        ...{ number, size },
        deleted: deleted === null ? null : new DocSet(size, deleted),
      }));
      const ids = new RecentIds();
      ids.add(deletedIds);
      return [name, { settings, segments: kept, written: { packed: written }, deletedIds: ids, graph }];
    }),
  );
}

/** The indexes as a manifest has them. */
export function packIndexes(indexes: ReadonlyMap<string, KeptIndex>): Manifest["indexes"] {
  return [...indexes].map(([name, { settings, segments, written, deletedIds, graph }]) => ({
    ...{ name, settings, graph, written: packKept(written), deletedIds: [...deletedIds] },
    segments: segments.map(({ number, size, deleted }) => ({ number, size, deleted: deleted?.words ?? null })),
  }));
}

/** Applies what a frame says of one index. */
export function applyFrame(indexes: Map<string, KeptIndex>, frame: IndexFrame): void {
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
  const settings = frame.settings ?? before?.settings ?? "{}";
  indexes.set(frame.name, { settings, segments, written, deletedIds, graph: known?.graph ?? null });
}

function withMore(known: KeptWritten | undefined, more: PackedCounts): KeptWritten {
  if (known === undefined) return { packed: more };
  if (more.short.length === 0) return known;
  const value = has(known, "value") ? known.value : unpackWritten(known.packed);
  value.add(unpackWritten(more));
  return { value };
}

export function packKept(kept: KeptWritten): PackedCounts {
  return has(kept, "value") ? packWritten(kept.value) : kept.packed;
}

export function packWritten(written: WrittenAttributes): PackedCounts {
  return packCounts(written.entries());
}

export function unpackWritten(counts: PackedCounts): WrittenAttributes {
  return WrittenAttributes.of(unpackCounts(counts));
}

/** The records that are in `after` and not in `before`. */
export function newlyDeleted(before: DocSet | null, after: DocSet | null): Uint32Array {
  if (after === null) return new Uint32Array();
  const docs: number[] = [];
  for (const [at, word] of after.words.entries())
    for (let left = word & ~(before?.words[at] ?? 0); left !== 0; left &= left - 1)
      docs.push(32 * at + 31 - Math.clz32(left & -left));
  return Uint32Array.from(docs);
}

/** Checks that the manifest is the one that was written last. */
export async function checkManifest(files: FileSystem, folder: string, { sum }: FileStamp): Promise<void> {
  const { stamp } = await readManifest(files, folder);
  if (stamp.sum !== sum) throw damagedFile(MANIFEST);
}

/** Checks that a log ends where it was written to. */
export async function checkLog(
  files: FileSystem,
  folder: string,
  expected: { readonly number: number; readonly storeId: Uint8Array; readonly end: number },
): Promise<void> {
  const { end, droppedBytes } = await readLog(files, folder, expected.number, expected.storeId);
  if (end !== expected.end || droppedBytes > 0) throw damagedFile(logName(expected.number), end);
}

/** Checks all bytes of the file of a segment. */
export async function checkSegment(
  files: FileSystem,
  folder: string,
  { number, bytes, sum }: StampedSegment,
  storeId: Uint8Array,
): Promise<void> {
  const name = segmentName(number);
  const whole = await readWhole(files, folder, name);
  await runTask(readFileBytes(whole, { name, kind: "segment", storeId, stamp: { bytes, sum } }));
}

/** Checks all bytes of the file of a graph. */
export async function checkGraph(
  files: FileSystem,
  folder: string,
  stamped: StampedGraph,
  storeId: Uint8Array,
): Promise<void> {
  const open = new Set<SegmentFile>();
  try {
    const [, graph] = await openGraph(files, folder, stamped, { storeId, open });
    await graph.check();
  } finally {
    await closeAll(open);
  }
}

export function missingFile(name: string): SearchError {
  return storageCorrupt(name, undefined, "is missing");
}

function damagedFile(name: string, offset?: number): SearchError {
  return storageCorrupt(name, offset, "is not as it was written");
}
