// What a data folder says: which files it has, what stands in them, and how they are read.
//
//   manifest     names the indexes, their settings, and the segments of each with their deleted records; replaced at once
//   log-N        the changes since that manifest: a frame for each, with new small segments in it
//   segment-N    a segment; written once and never changed
//   settings-N   the settings of an index, where they are long; written once
//   graph-N      the graph of an index; written once, and replaced by another one
//   watermark    up to where the log is safe: see write-log.ts
//   lock files   see folder-lock.ts
//
// Indexes may share segments, so copying and renaming are changes of the manifest's lists alone, and no name of an index is ever
// a name on the disk. Only the manifest names graphs: a change makes none wrong, only incomplete.

import { randomBytes } from "node:crypto";
import { AttributeHistory } from "../docvalues/attribute-catalog.js";
import { RecentIds } from "../state/index-data.js";
import type { LearnedFloor } from "../state/index-snapshot.js";
import type { Segment } from "../state/segment.js";
import { DocSet } from "../util/doc-set.js";
import { SearchError } from "../util/errors.js";
import { has } from "../util/json.js";
import { advanced, type History, type Progress, positionOf, whereIs } from "../util/position.js";
import { pauseIfLong, runTask, type Task } from "../util/tasks.js";
import type { OpenFolder } from "./file-system.js";
import { GraphFile } from "./graph-file.js";
import { OpenFiles, type StoredFile } from "./open-files.js";
import { type PackedCounts, type PackedSegment, packCounts, unpackCounts, unpackSegment } from "./pack-segment.js";
import {
  bodyBytes,
  type Expected,
  type FileMetadata,
  fileOf,
  HEAD_BYTES,
  type ReadableFile,
  type ReadFile,
  readAll,
  readBody,
  readFileBytes,
  readOpenFile,
  readSum,
  STORE_ID_BYTES,
  writeFile,
} from "./sections.js";
import { damagedFile, fileError, isOutOfFiles, missingFile, tooManyFiles } from "./storage-error.js";
import { type LogContent, readWatermark, type SafeEnd, WriteLog } from "./write-log.js";

export const MANIFEST = "manifest";
/** The name of the log of a number, or of the file of a segment, of settings or of a graph. */
export function nameOf(kind: "log" | StoredKind, number: number): string {
  return `${kind}-${number}`;
}
/** The names of all files that a store makes, and of what it left half made. */
export const OWN_NAME: RegExp = /^(manifest|watermark|(log|segment|settings|graph)-\d+)(\.tmp|\.temp)?$/;

/** What has a file that is written once. */
type StoredKind = "segment" | "settings" | "graph";

/** Settings of more characters have a file of their own, so that a manifest does not repeat them. */
const LONG_SETTINGS = 2 ** 12;
/** Indexes whose entries are laid out together, so that none of them takes long to be read or written. */
const INDEXES_AT_ONCE = 64;
/** Files opened at a time. */
const OPENED_AT_ONCE = 32;

/** What the manifest says. */
export type Manifest = {
  readonly nextNumber: number;
  readonly log: number;
  /** The bytes that no other log has: a log of the same number is of another copy of the folder. Absent in older folders. */
  readonly logId?: Uint8Array;
  /** Absent in older folders. */
  readonly histories?: readonly History[];
  /** The files of segments: their numbers, and what identifies them. */
  readonly files: { readonly numbers: Float64Array; readonly bytes: Float64Array; readonly sums: Uint32Array };
  /** Each the body of a list of {@link ManifestIndex}. */
  readonly indexes: readonly Uint8Array[];
};

type ManifestIndex = {
  readonly name: string;
  /** null: they are in a file. */
  readonly settings: string | null;
  readonly settingsFile: FileEntry | null;
  readonly segments: readonly (SizedSegment & { readonly deleted: Uint32Array | null })[];
  readonly written: PackedCounts;
  readonly deletedIds: readonly string[];
  readonly graph: FileEntry | null;
  /** Absent in older folders, as is `used`. */
  readonly floor?: LearnedFloor | null;
  readonly used?: readonly string[];
};

/** What a frame of the log says: a change of some indexes. */
export type Frame = {
  /** The id of its {@link History}. Absent in older folders. */
  readonly history?: string;
  readonly indexes: readonly IndexFrame[];
  // Segments that no earlier frame names: those in this frame, and those in files of their own.
  readonly inline: readonly { readonly number: number; readonly parts: PackedSegment }[];
  readonly files: readonly FileEntry[];
};

/** An index in a frame of the log. */
export type IndexFrame =
  | { readonly name: string; readonly isGone: true }
  | {
      readonly name: string;
      readonly isGone: false;
      /** The text of new settings, in UTF-8. */
      readonly settings: Uint8Array | null;
      readonly isFresh: boolean;
      /** All its segments, with the number of records of each. */
      readonly segments: readonly SizedSegment[];
      /** The records that were deleted since the frame before, by segment. */
      readonly deleted: readonly { readonly number: number; readonly docs: Uint32Array }[];
      readonly written: PackedCounts;
      readonly deletedIds: readonly string[];
      /** What was learned from exactly these records. */
      readonly floor?: LearnedFloor | null;
      /** The undeclared attributes that queries used; absent: those of the frame before. */
      readonly used?: readonly string[];
    };

type SizedSegment = { readonly number: number; readonly size: number };

/** A file by its number, and what identifies it. */
export type FileEntry = { readonly number: number; readonly bytes: number; readonly sum: number };

/** An index as the manifest and the frames so far describe it. */
export interface KeptIndex {
  settings: KeptSettings;
  segments: KeptSegment[];
  written: KeptWritten;
  deletedIds: RecentIds;
  graph: FileEntry | null;
  floor: LearnedFloor | null;
  used: readonly string[];
}

/** The text of settings, or the file that has it. */
export type KeptSettings = { readonly text: string } | { readonly file: FileEntry };

interface KeptSegment extends SizedSegment {
  deleted: DocSet | null;
}

/** The written attributes of an index: as they are stored, until there are more. */
type KeptWritten = { readonly packed: PackedCounts } | { readonly value: AttributeHistory };

/** Where a segment is stored. */
export interface SegmentLocation {
  readonly number: number;
  /** What identifies its file; undefined as long as only the log has it. */
  metadata: FileMetadata | undefined;
  /** Its file, if it was there when the folder was opened. */
  readonly file?: StoredFile;
  /** The segment, which is read once. */
  readonly load: () => Promise<Segment>;
}

/** What a folder holds. */
export interface FolderContent {
  readonly storeId: Uint8Array;
  readonly metadata: FileMetadata;
  readonly manifest: Manifest;
  readonly log: LogContent;
  readonly progress: Progress;
  readonly indexes: Map<string, KeptIndex>;
  /** By the name of the index: the text of its settings, or why that cannot be read. */
  readonly settings: ReadonlyMap<string, string | SearchError>;
  /** By number: the segments of all indexes. */
  readonly locations: ReadonlyMap<number, SegmentLocation>;
  /** By number: the graphs of all indexes. */
  readonly graphs: ReadonlyMap<number, GraphFile>;
  /** The indexes of which a file is missing or damaged, as far as opening looks. */
  readonly damaged: readonly DamagedIndex[];
  /** The greatest number that a segment has or had. */
  readonly lastNumber: number;
  /** The store was made just now. */
  readonly isNew?: boolean;
}

/** An index of which a file cannot be read. */
export interface DamagedIndex {
  readonly indexName: string;
  /** The name of the file within the data folder. */
  readonly file: string;
}

/** Whether a folder has no store yet. Removes what is left of one that was never finished. */
export async function hasNoStore(folder: OpenFolder): Promise<boolean> {
  const entries = await folder.list();
  const own = entries.filter(({ name, kind }) => kind === "file" && OWN_NAME.test(name));
  if (entries.some(({ name }) => name === MANIFEST)) return false;
  const logs = own.filter(({ name }) => /^log-\d+$/.test(name));
  if (own.some(({ name }) => /^((segment|settings|graph)-\d+|watermark)$/.test(name))) throw missingFile(MANIFEST);
  if (logs.some(({ name }) => name !== nameOf("log", 1))) throw missingFile(MANIFEST);
  for (const { name } of logs) if ((await sizeOf(folder, name))! > HEAD_BYTES) throw missingFile(MANIFEST);
  for (const { name } of own) await folder.remove(name);
  return true;
}

/** Makes a store without indexes. */
export async function createStore(folder: OpenFolder): Promise<void> {
  const storeId = randomBytes(STORE_ID_BYTES);
  const log = await WriteLog.create(folder, nameOf("log", 1), { storeId, firstSequence: 1 });
  await log.close();
  await putManifest(
    folder,
    storeId,
    await runTask(manifestOf({ nextNumber: 1, log: 1, logId: log.id, histories: [], files: [], indexes: new Map() })),
  );
  await folder.sync();
}

/** The manifest of some indexes. `files`: of their segments. */
export function* manifestOf({
  files,
  indexes,
  ...rest
}: Required<Omit<Manifest, "files" | "indexes">> & {
  readonly files: readonly FileEntry[];
  readonly indexes: ReadonlyMap<string, KeptIndex>;
}): Task<Manifest> {
  const groups: Uint8Array[] = [];
  let group: ManifestIndex[] = [];
  for (const [name, index] of indexes) {
    group.push(packIndex(name, index));
    if (group.length < INDEXES_AT_ONCE) continue;
    groups.push(yield* bodyBytes(group));
    group = [];
    yield;
  }
  if (group.length > 0) groups.push(yield* bodyBytes(group));
  const entries = {
    numbers: Float64Array.from(files, ({ number }) => number),
    bytes: Float64Array.from(files, ({ bytes }) => bytes),
    sums: Uint32Array.from(files, ({ sum }) => sum),
  };
  return { ...rest, files: entries, indexes: groups };
}

/** Replaces the manifest. The folder has to be synced afterwards. */
export async function putManifest(folder: OpenFolder, storeId: Uint8Array, manifest: Manifest): Promise<FileMetadata> {
  const { pieces, metadata } = await runTask(fileOf("manifest", storeId, manifest));
  const temporary = `${MANIFEST}.tmp`;
  await folder.remove(temporary);
  await writeFile(folder, temporary, pieces);
  // The files that it names must be there before it is.
  await folder.sync();
  await folder.rename(temporary, MANIFEST);
  return metadata;
}

/** Segments and graphs that a reader has, by their numbers. */
type ReadBefore = Pick<FolderContent, "locations" | "graphs" | "progress">;

/** Whether a folder goes on from what was read before: it has all changes until then. Only then numbers mean what they meant. */
export function goesOn(
  { progress }: Pick<FolderContent, "progress">,
  before: Pick<FolderContent, "progress">,
): boolean {
  return whereIs(positionOf(before.progress), progress) === "there";
}

/**
 * Reads a folder, without its segments. Throws 500 `storage_corrupt` or `storage_version`; changes nothing. An index of which a file is
 * missing is named in `damaged`. `files` opens segments and graphs when they are read; with `opensAll`, all of them at once, because a
 * writer may remove their names. If the folder goes on from what was read `known`, they are taken from that, and not opened again.
 */
export async function readFolder(
  folder: OpenFolder,
  files: OpenFiles,
  opensAll: boolean,
  known?: ReadBefore,
): Promise<FolderContent> {
  const head = await readManifest(folder);
  const { storeId, manifest } = head;
  const { safe } = await readWatermark(folder, storeId);
  const log = await readLog(folder, manifest.log, storeId, manifest.logId, safe);
  const name = nameOf("log", manifest.log);
  const indexes = await unpackIndexes(manifest);
  const named: NamedSegments = { inFiles: filesIn(manifest), inline: new Map() };
  const { histories = [] } = manifest;
  const start = { storeId, histories, sequence: log.nextSequence - log.frames.length - 1 };
  const progress = await applyFrames(log, name, { indexes, progress: start }, named);
  const before = known && goesOn({ progress }, known) ? known : undefined;
  const locations = await locationsOf(indexes, named, name, files, storeId, before);
  const graphs = new Map<number, GraphFile>();
  for (const { number, ...metadata } of graphsOf(indexes)) {
    const expected = { name: nameOf("graph", number), storeId, metadata };
    graphs.set(number, before?.graphs.get(number) ?? new GraphFile(files.file(expected.name), expected));
  }
  const lastNumber = Math.max(manifest.nextNumber - 1, ...named.inFiles.keys(), ...named.inline.keys());
  const content = { ...head, log, progress, indexes, locations, graphs, lastNumber };
  const gone = opensAll ? await openAll(content) : await missingIn(folder, content);
  const { settings, damaged } = await readSettings(folder, content);
  return { ...content, settings, damaged: [...damaged, ...damagedBy(indexes, gone)] };
}

/** The segments that a manifest and frames of its log name, by number. */
interface NamedSegments {
  readonly inFiles: Map<number, FileEntry>;
  readonly inline: Map<number, PackedSegment>;
}

/** Applies the frames of a log, and collects the segments that they name; returns how far the folder has come by them. */
async function applyFrames(
  { frames }: Pick<LogContent, "frames">,
  name: string,
  { indexes, progress: before }: Pick<FolderContent, "indexes" | "progress">,
  { inFiles, inline }: NamedSegments,
): Promise<Progress> {
  let progress = before;
  try {
    for (const { sequence, payload } of frames) {
      const frame = (await runTask(readBody(payload))) as Frame;
      for (const file of frame.files) inFiles.set(file.number, file);
      for (const { number, parts } of frame.inline) inline.set(number, parts);
      for (const index of frame.indexes) applyFrame(indexes, index);
      progress = advanced(progress, sequence, frame.history);
    }
    return progress;
  } catch (error) {
    throw fileError(error, name);
  }
}

/** Where the segments of indexes are. `name`: of the log that names them. */
async function locationsOf(
  indexes: ReadonlyMap<string, KeptIndex>,
  { inFiles, inline }: NamedSegments,
  name: string,
  files: OpenFiles,
  storeId: Uint8Array,
  before: ReadBefore | undefined,
): Promise<Map<number, SegmentLocation>> {
  const find = (number: number): SegmentLocation => {
    const file = inFiles.get(number);
    const parts = inline.get(number);
    if (file !== undefined) return locationInFile(files, file, storeId);
    if (parts === undefined) throw damagedFile(name);
    return { number, metadata: undefined, load: once(() => runTask(unpackSegment(parts))) };
  };
  const locations = new Map<number, SegmentLocation>();
  for (const { segments } of indexes.values()) {
    await pauseIfLong();
    // What stood in the log has its number in a file after a checkpoint.
    for (const { number } of segments)
      if (!locations.has(number)) locations.set(number, before?.locations.get(number) ?? find(number));
  }
  return locations;
}

/**
 * What a folder holds after more frames of its log. All files that they name are open then. Throws 500 `storage_corrupt` if one is
 * missing.
 */
export async function withFrames(
  content: FolderContent,
  log: LogContent,
  folder: OpenFolder,
  files: OpenFiles,
): Promise<FolderContent> {
  const { storeId, indexes, manifest } = content;
  const name = nameOf("log", manifest.log);
  const named: NamedSegments = { inFiles: new Map(), inline: new Map() };
  const progress = await applyFrames(log, name, content, named);
  const locations = await locationsOf(indexes, named, name, files, storeId, content);
  const fresh = [...locations].filter(([number]) => named.inFiles.has(number));
  const gone = await openAll({ locations: new Map(fresh), graphs: new Map() });
  for (const number of gone) throw missingFile(nameOf("segment", number));
  const { settings } = await readSettings(folder, { indexes, storeId }, content.settings);
  return { ...content, log: { ...log, frames: [] }, progress, locations, settings };
}

/** How often a folder is read again when a writer changed it meanwhile. */
const READ_ATTEMPTS = 20;

/** As {@link readFolder}, beside a writer that may replace what is being read; all files are open then, beside those of `before`. */
export async function readBesideWriter(
  folder: OpenFolder,
  before?: { readonly content: ReadBefore; readonly files: OpenFiles },
): Promise<{ readonly content: FolderContent; readonly files: OpenFiles }> {
  for (let attempt = 1; ; attempt++) {
    const files = before?.files ?? new OpenFiles(folder);
    const head = await readManifest(folder);
    const logSize = await sizeOf(folder, nameOf("log", head.manifest.log));
    let failure: unknown;
    try {
      const content = await readFolder(folder, files, true, before?.content);
      if (content.damaged.length === 0) return { content, files };
      if (attempt === READ_ATTEMPTS || (await isAsBefore())) return { content, files };
    } catch (error) {
      failure = error;
    }
    // Those that were read before stay open, in the same files.
    if (before === undefined) await files.close();
    if (failure !== undefined && (attempt === READ_ATTEMPTS || (await isAsBefore()))) throw failure;

    async function isAsBefore(): Promise<boolean> {
      const { metadata, manifest } = await readManifest(folder);
      return metadata.sum === head.metadata.sum && logSize === (await sizeOf(folder, nameOf("log", manifest.log)));
    }
  }
}

async function sizeOf(folder: OpenFolder, name: string): Promise<number | undefined> {
  const file = await folder.open(name, "read");
  try {
    return await file?.size();
  } finally {
    await file?.close();
  }
}

function readWhole(folder: OpenFolder, expected: Expected): Promise<ReadFile> {
  return folder.reading(expected.name, (file) => readFile(file, expected));
}

async function readFile(file: ReadableFile, expected: Expected): Promise<ReadFile> {
  return runTask(readFileBytes(await readAll(file), expected));
}

export async function readManifest(
  folder: OpenFolder,
): Promise<Pick<FolderContent, "storeId" | "metadata" | "manifest">> {
  const { structure, ...head } = await readWhole(folder, { name: MANIFEST, kind: "manifest" });
  return { ...head, manifest: structure as Manifest };
}

/** Reads the log of a number. `id`: which log it must be; undefined: any. `safe`: where it ends at least. */
export async function readLog(
  folder: OpenFolder,
  number: number,
  storeId: Uint8Array,
  id: Uint8Array | undefined,
  safe?: SafeEnd,
): Promise<LogContent> {
  const name = nameOf("log", number);
  const log = await folder.reading(name, (file) => WriteLog.read(file, storeId, name));
  if (id !== undefined && Buffer.compare(id, log.salt) !== 0) throw damagedFile(name, 0);
  const isOfThis = safe !== undefined && Buffer.compare(safe.logId, log.salt) === 0;
  if (isOfThis && safe.end > log.end) throw damagedFile(name, log.end, "ends before changes that were safe");
  return log;
}

/** Checks all bytes of a file that is written once. */
export async function checkFile(
  file: ReadableFile & { close(): Promise<void> },
  kind: StoredKind,
  { number, ...metadata }: FileEntry,
  storeId: Uint8Array,
): Promise<void> {
  const expected = { name: nameOf(kind, number), storeId, metadata };
  if (kind === "graph") await new GraphFile(file, expected).check();
  else await readFile(file, { ...expected, kind });
}

function filesIn({ files: { numbers, bytes, sums } }: Manifest): Map<number, FileEntry> {
  return new Map(Array.from(numbers, (number, i) => [number, { number, bytes: bytes[i]!, sum: sums[i]! }]));
}

/** A segment in a file, which is read when the segment is needed. */
function locationInFile(files: OpenFiles, { number, bytes, sum }: FileEntry, storeId: Uint8Array): SegmentLocation {
  const name = nameOf("segment", number);
  const metadata = { bytes, sum };
  const file = files.file(name);
  const read = async (): Promise<Segment> => {
    const { structure } = await readOpenFile(file, { name, kind: "segment", storeId, metadata });
    return runTask(unpackSegment(structure as PackedSegment, file));
  };
  return { number, metadata, file, load: once(read) };
}

/** A segment, or only the file of a graph. */
type OpenedAtOnce = Partial<Pick<SegmentLocation, "number" | "metadata">> & { readonly file?: ReadableFile };

/** Opens the files of all segments and graphs; returns the numbers of the segments whose files are missing, or are others. */
async function openAll({
  locations,
  graphs,
}: Pick<FolderContent, "locations" | "graphs">): Promise<ReadonlySet<number>> {
  const gone = new Set<number>();
  const open = async ({ number, metadata, file }: OpenedAtOnce): Promise<void> => {
    try {
      const sum = file && (await readSum(file));
      if (number !== undefined && sum !== metadata?.sum) gone.add(number);
    } catch (error) {
      if (!(error instanceof SearchError)) throw error;
      if (isOutOfFiles(error)) throw tooManyFiles(locations.size + graphs.size, error);
      // Nothing depends on a graph: reading it will fail, and it is built anew.
      if (number !== undefined && error.error !== "storage_corrupt") throw error;
      if (number !== undefined) gone.add(number);
    }
  };
  const rest: OpenedAtOnce[] = [...locations.values(), ...Array.from(graphs.values(), ({ file }) => ({ file }))];
  // All of them end before a failure is thrown, so that the caller finds all files that it has to close.
  const work = Array.from({ length: OPENED_AT_ONCE }, async () => {
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) await open(next);
  });
  for (const outcome of await Promise.allSettled(work)) if (outcome.status === "rejected") throw outcome.reason;
  return gone;
}

/** The numbers of the segments whose files are not in the folder. */
async function missingIn(
  folder: OpenFolder,
  { locations }: Pick<FolderContent, "locations">,
): Promise<ReadonlySet<number>> {
  const names = new Set((await folder.list()).map(({ name }) => name));
  const gone = new Set<number>();
  for (const { number, metadata } of locations.values())
    if (metadata !== undefined && !names.has(nameOf("segment", number))) gone.add(number);
  return gone;
}

/** The indexes that have one of some segments. */
function damagedBy(indexes: ReadonlyMap<string, KeptIndex>, gone: ReadonlySet<number>): DamagedIndex[] {
  if (gone.size === 0) return [];
  return [...indexes].flatMap(([indexName, { segments }]) => {
    const missing = segments.find(({ number }) => gone.has(number));
    return missing === undefined ? [] : [{ indexName, file: nameOf("segment", missing.number) }];
  });
}

/** Reads the settings of all indexes; those that cannot be read leave the other indexes alone. */
async function readSettings(
  folder: OpenFolder,
  { indexes, storeId }: Pick<FolderContent, "indexes" | "storeId">,
  known?: FolderContent["settings"],
): Promise<{ readonly settings: Map<string, string | SearchError>; readonly damaged: readonly DamagedIndex[] }> {
  const settings = new Map<string, string | SearchError>();
  const damaged: DamagedIndex[] = [];
  for (const [indexName, { settings: kept }] of indexes) {
    await pauseIfLong();
    const text = has(kept, "text") ? kept.text : known?.get(indexName);
    if (has(kept, "text") || typeof text === "string") {
      settings.set(indexName, text!);
      continue;
    }
    try {
      settings.set(indexName, await readSettingsFile(folder, kept.file, storeId));
    } catch (error) {
      if (!(error instanceof SearchError) || error.error !== "storage_corrupt") throw error;
      settings.set(indexName, error);
      damaged.push({ indexName, file: nameOf("settings", kept.file.number) });
    }
  }
  return { settings, damaged };
}

async function readSettingsFile(
  folder: OpenFolder,
  { number, ...metadata }: FileEntry,
  storeId: Uint8Array,
): Promise<string> {
  const expected = { name: nameOf("settings", number), kind: "settings", storeId, metadata } as const;
  const { structure } = await readWhole(folder, expected);
  return Buffer.from((structure as { readonly text: Uint8Array }).text).toString();
}

/** Writes settings to a file of their own. */
export async function writeSettingsFile(
  folder: OpenFolder,
  { number, text, storeId }: { readonly number: number; readonly text: string; readonly storeId: Uint8Array },
): Promise<FileEntry> {
  const name = nameOf("settings", number);
  // What a failure before may have left.
  await folder.remove(name);
  const { pieces, metadata } = await runTask(fileOf("settings", storeId, { text: Buffer.from(text) }));
  await writeFile(folder, name, pieces);
  return { number, ...metadata };
}

/** Whether settings get a file of their own. */
export function areLong(settings: KeptSettings): settings is { readonly text: string } {
  return has(settings, "text") && settings.text.length > LONG_SETTINGS;
}

/** The stored graphs of indexes. */
export function graphsOf(indexes: ReadonlyMap<string, KeptIndex>): FileEntry[] {
  return Array.from(indexes.values(), ({ graph }) => graph).filter((graph) => graph !== null);
}

/** The names of the files that indexes have besides those of segments. */
export function sideFilesOf(indexes: ReadonlyMap<string, KeptIndex>): Set<string> {
  const names = new Set(graphsOf(indexes).map(({ number }) => nameOf("graph", number)));
  for (const { settings } of indexes.values())
    if (has(settings, "file")) names.add(nameOf("settings", settings.file.number));
  return names;
}

/** A function that runs `work` at its first call, and gives all calls the same result. After a failure, the next call runs it again. */
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

async function unpackIndexes({ indexes }: Manifest): Promise<Map<string, KeptIndex>> {
  const unpacked = new Map<string, KeptIndex>();
  for (const group of indexes) {
    const body = (await runTask(readBody(group))) as readonly ManifestIndex[];
    for (const index of body) {
      await pauseIfLong();
      unpacked.set(index.name, unpackIndex(index));
    }
  }
  return unpacked;
}

function unpackIndex({ settings, settingsFile, segments, written, deletedIds, ...rest }: ManifestIndex): KeptIndex {
  const { graph, floor = null, used = [] } = rest;
  const kept = segments.map(({ number, size, deleted }) => ({
    ...{ number, size },
    deleted: deleted === null ? null : new DocSet(size, deleted),
  }));
  const ids = new RecentIds();
  ids.add(deletedIds);
  return {
    settings: settingsFile === null ? { text: settings ?? "{}" } : { file: settingsFile },
    ...{ segments: kept, written: { packed: written }, deletedIds: ids, graph, floor, used },
  };
}

function packIndex(name: string, { settings, segments, written, deletedIds, ...kept }: KeptIndex): ManifestIndex {
  return {
    ...{ ...kept, name, written: packKept(written), deletedIds: [...deletedIds] },
    settings: has(settings, "text") ? settings.text : null,
    settingsFile: has(settings, "file") ? settings.file : null,
    segments: segments.map(({ number, size, deleted }) => ({ number, size, deleted: deleted?.words ?? null })),
  };
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
  const settings =
    frame.settings === null ? (before?.settings ?? { text: "{}" }) : { text: Buffer.from(frame.settings).toString() };
  const { floor = null, used = before?.used ?? [] } = frame;
  indexes.set(frame.name, { settings, segments, written, deletedIds, graph: known?.graph ?? null, floor, used });
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

export function packWritten(written: AttributeHistory): PackedCounts {
  return packCounts(written.entries());
}

export function unpackWritten(counts: PackedCounts): AttributeHistory {
  return AttributeHistory.of(unpackCounts(counts));
}

/** The records that are in `after` and not in `before`. */
export function newlyDeleted(before: DocSet | null, after: DocSet | null): Uint32Array {
  if (after === null) return new Uint32Array();
  return (before === null ? after : after.copy().andNot(before)).toArray();
}
