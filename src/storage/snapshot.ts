// A snapshot: one index in one file, with its settings, segments and vectors, so that nothing is analysed or embedded again. It can
// be built in one place and read in another.

import { randomBytes } from "node:crypto";
import { basename, dirname, join, resolve } from "node:path";
import type { RestoredIndex } from "../index/index-data.js";
import { DocSet } from "../util/doc-set.js";
import { runTask } from "../util/tasks.js";
import type { FileSystem } from "./file-system.js";
import { packWritten, unpackWritten } from "./folder-content.js";
import { type PackedCounts, type PackedSegment, packSegment, unpackSegment } from "./pack-segment.js";
import { fileOf, readAll, readFileBytes, STORE_ID_BYTES, writeFile } from "./sections.js";
import { storageError } from "./storage-error.js";

/** What a snapshot has of an index. */
export interface SnapshotContent extends RestoredIndex {
  /** The settings and what they need, as text. */
  readonly settings: string;
}

type PackedSnapshot = {
  readonly settings: string;
  readonly segments: readonly { readonly parts: PackedSegment; readonly deleted: Uint32Array | null }[];
  readonly written: PackedCounts;
  readonly deletedIds: readonly string[];
};

/**
 * Writes a snapshot to a file, which is put in place at once: who has the file open that was there before goes on reading that one.
 * A failure leaves what was there. Returns the size of the file in bytes.
 *
 * @throws SearchError 500 `storage_failed`, 507 `storage_full`
 */
export async function writeSnapshot(
  files: FileSystem,
  path: string,
  { settings, segments, written, deletedIds }: SnapshotContent,
): Promise<number> {
  const parts: PackedSnapshot["segments"][number][] = [];
  for (const { segment, deletedDocs } of segments)
    parts.push({ parts: await runTask(packSegment(segment)), deleted: deletedDocs?.words ?? null });
  const packed: PackedSnapshot = {
    settings,
    segments: parts,
    written: packWritten(written),
    deletedIds,
  };
  const { pieces, stamp } = await runTask(fileOf("snapshot", randomBytes(STORE_ID_BYTES), packed));
  const place = resolve(path);
  const temporary = join(dirname(place), `${basename(place)}.${randomBytes(6).toString("hex")}.tmp`);
  await writeFile(files, temporary, pieces);
  try {
    await files.rename(temporary, place);
  } catch (error) {
    await files.remove(temporary).catch(() => {});
    throw error;
  }
  await files.syncFolder(dirname(place));
  return stamp.bytes;
}

/** The name by which errors call a snapshot that was passed as bytes. */
const BYTES_NAME = "snapshot";

/**
 * Reads a snapshot from a file, or from bytes, which are copied.
 *
 * @throws SearchError 500 `storage_corrupt`, `storage_version`, `storage_failed`
 */
export async function readSnapshot(
  files: FileSystem,
  given: string | Uint8Array,
): Promise<SnapshotContent & { readonly recordCount: number }> {
  const bytes = typeof given === "string" ? await readPath(files, given) : new Uint8Array(given);
  const name = typeof given === "string" ? basename(given) : BYTES_NAME;
  const { structure } = await runTask(readFileBytes(bytes, { name, kind: "snapshot" }));
  const { settings, segments, written, deletedIds } = structure as PackedSnapshot;
  let recordCount = 0;
  const restored: RestoredIndex["segments"][number][] = [];
  for (const { parts, deleted } of segments) {
    const segment = await runTask(unpackSegment(parts));
    const deletedDocs = deleted === null ? null : new DocSet(segment.size, deleted);
    recordCount += segment.size - (deletedDocs?.count() ?? 0);
    restored.push({ segment, deletedDocs });
  }
  return { settings, segments: restored, written: unpackWritten(written), deletedIds, recordCount };
}

async function readPath(files: FileSystem, path: string): Promise<Uint8Array> {
  const file = await files.open(resolve(path), "read");
  if (file === undefined) throw storageError(Object.assign(new Error("There is no such file."), { code: "ENOENT" }));
  try {
    return await readAll(file);
  } finally {
    await file.close();
  }
}
