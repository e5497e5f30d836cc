// A snapshot file: one index in one file, with its settings, segments and vectors, so that nothing is analysed or embedded again. It can
// be built in one place and read in another. The file has parts, one after the other, each laid out like a file of its own: first what
// concerns the whole index, then each segment.

import { randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";
import type { SnapshotProgress } from "../input/call-options.js";
import type { RestoredIndex } from "../state/index-data.js";
import { DocSet } from "../util/doc-set.js";
import { SearchError } from "../util/errors.js";
import { runTask } from "../util/tasks.js";
import type { FileSystem, StorageFile } from "./file-system.js";
import { packWritten, unpackWritten } from "./folder-content.js";
import { type PackedCounts, type PackedSegment, packSegment, unpackSegment } from "./pack-segment.js";
import {
  type Expected,
  type FileKind,
  fileOf,
  HEAD_BYTES,
  lengthOfPart,
  readFileBytes,
  STORE_ID_BYTES,
  type Structure,
  writeFile,
} from "./sections.js";
import { codeOf, damagedFile, failure, fileError, snapshotError } from "./storage-error.js";

/** The first part of a snapshot. */
type SnapshotHead = {
  readonly settings: string;
  readonly written: PackedCounts;
  readonly deletedIds: readonly string[];
  /** The number of the parts after it. */
  readonly segments: number;
  readonly records: number;
};

/** Each other part. */
type SnapshotSegment = { readonly parts: PackedSegment; readonly deleted: Uint32Array | null };

/** What a snapshot file has of an index. */
export interface SnapshotFileContent extends RestoredIndex {
  /** The settings and what they need, as text. */
  readonly settings: string;
  /** The number of live records. */
  readonly recordCount: number;
}

/**
 * Writes a snapshot to a file at an absolute path, and puts it in place at once. A process that has the file before it open
 * goes on reading that. A failure leaves the file before it. In memory are one segment at a time and the last piece of the one
 * before it. Returns the size of the file in bytes.
 *
 * @throws SearchError 500 `storage_failed`, also where something stands that is no file; 507 `storage_full`
 */
export async function writeSnapshot(
  files: FileSystem,
  place: string,
  content: SnapshotFileContent,
  onProgress: (progress: SnapshotProgress) => void,
): Promise<number> {
  // Short, because names have at most 255 bytes. A process that is killed leaves its temporary file. None is removed, because
  // another process may be writing it.
  const temporary = join(dirname(place), `snapshot-${randomBytes(8).toString("hex")}.tmp`);
  let bytes = 0;
  let ofIndex: unknown;
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of piecesOf(content, onProgress)) {
        bytes += piece.length;
        yield piece;
      }
    } catch (error) {
      ofIndex = error;
      throw error;
    }
  };
  try {
    await checkPlace(files, place);
    await writeFile(files, temporary, counted());
    try {
      await files.rename(temporary, place);
    } catch (error) {
      await files.remove(temporary).catch(() => {});
      throw error;
    }
    await files.syncFolder(dirname(place));
  } catch (error) {
    throw error === ofIndex ? error : snapshotError(error, "written");
  }
  onProgress({ done: content.recordCount, total: content.recordCount });
  return bytes;
}

/** What the system says of a link, a folder, a device, a pipe or a socket. */
const NO_FILE = ["ENOTFILE", "ELOOP", "EISDIR", "ENXIO", "ENODEV", "EMLINK", "EFTYPE"];

/** Refuses a place at which something stands that is no file: it would be replaced by one. */
async function checkPlace(files: FileSystem, place: string): Promise<void> {
  try {
    const there = await files.open(place, "read");
    await there?.close();
  } catch (error) {
    const code = codeOf(error);
    // A file that may not be read may be replaced.
    if (code === "EACCES") return;
    if (!NO_FILE.includes(code)) throw error;
    const msg =
      "file leads to a link, a folder, a device or the like; pass the path of a file, or one where nothing is.";
    throw new SearchError(500, "storage_failed", msg, { param: "file", cause: error });
  }
}

/** The bytes of a snapshot. Each part is a whole file; its random number shows that all are of one snapshot. */
async function* piecesOf(
  { settings, segments, written, deletedIds, recordCount }: SnapshotFileContent,
  onProgress: (progress: SnapshotProgress) => void,
): AsyncGenerator<Uint8Array> {
  const id = randomBytes(STORE_ID_BYTES);
  const head: SnapshotHead = {
    settings,
    written: packWritten(written),
    deletedIds,
    segments: segments.length,
    records: recordCount,
  };
  yield* (await runTask(fileOf("snapshot", id, head))).pieces;
  let done = 0;
  for (const stored of segments) {
    yield* segmentPieces(stored, id);
    done += stored.segment.size - (stored.deletedDocs?.count() ?? 0);
    if (done < recordCount) onProgress({ done, total: recordCount });
  }
}

/** The bytes of a segment. Apart, so that none of them is held while those of the next are packed. */
async function* segmentPieces(
  { segment, deletedDocs }: SnapshotFileContent["segments"][number],
  id: Uint8Array,
): AsyncGenerator<Uint8Array> {
  const part: SnapshotSegment = { parts: await runTask(packSegment(segment)), deleted: deletedDocs?.words ?? null };
  yield* (await runTask(fileOf("segment", id, part))).pieces;
}

/** The name by which errors call a snapshot that was passed as bytes. */
const BYTES_NAME = "snapshot";

/**
 * Reads a snapshot from the file at an absolute path, or from bytes, which are copied, part by part. Checksums tell damage; what it says
 * is trusted, as the code of a program is.
 *
 * @throws SearchError 500 `storage_corrupt`, `storage_version`, `storage_failed`
 */
export async function readSnapshot(
  files: FileSystem,
  given: string | Uint8Array,
  onProgress: (progress: SnapshotProgress) => void,
): Promise<SnapshotFileContent> {
  try {
    if (typeof given !== "string")
      return await readParts(new PartReader(fileOfBytes(given), given.length, BYTES_NAME), onProgress);
    const file = await files.open(given, "read");
    if (file === undefined) throw failure("ENOENT", "There is no such file.");
    try {
      return await readParts(new PartReader(file, await file.size(), basename(given)), onProgress);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw snapshotError(error, "read");
  }
}

async function readParts(
  reader: PartReader,
  onProgress: (progress: SnapshotProgress) => void,
): Promise<SnapshotFileContent> {
  try {
    const head = (await reader.next("snapshot")) as SnapshotHead;
    const { settings, written, deletedIds, segments, records: total } = head;
    const restored: RestoredIndex["segments"][number][] = [];
    let done = 0;
    for (let i = 0; i < segments; i++) {
      const { parts, deleted } = (await reader.next("segment")) as SnapshotSegment;
      const segment = await runTask(unpackSegment(parts));
      const deletedDocs = deleted === null ? null : new DocSet(segment.size, deleted);
      restored.push({ segment, deletedDocs });
      done += segment.size - (deletedDocs?.count() ?? 0);
      if (done < total) onProgress({ done, total });
    }
    reader.end();
    return { settings, segments: restored, written: unpackWritten(written), deletedIds, recordCount: total };
  } catch (error) {
    throw fileError(error, reader.name);
  }
}

/** Reads the parts of a snapshot one after the other. */
class PartReader {
  readonly name: string;
  private readonly file: Pick<StorageFile, "read">;
  private readonly size: number;
  private at = 0;
  private id: Uint8Array | undefined;

  constructor(file: Pick<StorageFile, "read">, size: number, name: string) {
    this.file = file;
    this.size = size;
    this.name = name;
  }

  /** The next part, with memory of its own. */
  async next(kind: FileKind): Promise<Structure> {
    const expected: Expected = { name: this.name, kind, storeId: this.id, from: this.at };
    const rest = this.size - this.at;
    const start = await this.read(Math.min(HEAD_BYTES, rest));
    const bytes = await this.read(lengthOfPart(start, rest, expected));
    const { structure, storeId } = await runTask(readFileBytes(bytes, expected));
    this.id = storeId;
    this.at += bytes.length;
    return structure;
  }

  /** Throws 500 `storage_corrupt` if there is more. */
  end(): void {
    if (this.at < this.size) throw damagedFile(this.name, this.at, "is longer than it was written");
  }

  private async read(length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    return bytes.subarray(0, await this.file.read(bytes, this.at));
  }
}

/** Bytes in memory as a file. */
function fileOfBytes(bytes: Uint8Array): Pick<StorageFile, "read"> {
  return {
    async read(into, from) {
      // The caller may have given their memory away meanwhile.
      if (from >= bytes.length) return 0;
      const found = bytes.subarray(from, from + into.length);
      into.set(found);
      return found.length;
    },
  };
}
