// The log of a data folder: one file, to whose end batches of changes are written; below it the file "watermark", which says up to where
// the log is safe. A batch is there as a whole or not at all, and reading tells a torn end from damage. Nobody was promised what stands in a
// torn end.
//
// All numbers are unsigned and little-endian. The head of the file has, behind the store id:
//
//   salt (8) | first sequence u64 | 0 (4)
//
// Then come frames, each at a multiple of 8. The length is that of the payload without the zeros behind it:
//
//   salt (8 bytes) | sequence u64 | watermark u64 | length u64 | kind of frame u8 | 0 (3) | CRC32 u32 of payload and zeros | 0 (4) | CRC32 u32 of these
//   payload | zeros up to a multiple of 8
//
// The salt is drawn anew for each log, so that no other bytes pass for a frame of this one. The watermark is the offset up to
// which the file was known to be synced when the frame was written. What stands before the watermark of a later frame was whole
// once, so a bad place there is damage. Any other bad place begins a torn end. This is why the header of a frame has a checksum
// of its own: it is evidence even when its payload is torn, and it is checked without reading the payload.
//
// Two kinds of frames have no payload. A "close" frame is written when the log is closed. A "watermark" frame is written when a log
// is opened that was not closed, and after one sync made several batches safe: it only carries the watermark, which a kill
// would lose otherwise. The next frame overwrites a frame of these two kinds: it takes its place and its number, because its own
// watermark is at least as great.
// Opening and closing a log that was closed before changes no byte of it. A log that was cut at the border of two frames is not mistaken for a closed
// one.

import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { SearchError } from "../util/errors.js";
import { runTask, WriteQueue } from "../util/tasks.js";
import type { FileSystem, OpenFolder, StorageFile } from "./file-system.js";
import {
  checksum,
  checkVersion,
  FILE_KINDS,
  FORMAT_VERSION,
  HEAD_BYTES,
  headOf,
  isWholeHead,
  joinSmall,
  MAGIC,
  readAll,
} from "./sections.js";
import { damagedFile, failure, missingFile } from "./storage-error.js";

const FRAME_BYTES = 48;

const BATCH = 1;
const CLOSE = 2;
const WATERMARK_FRAME = 3;

/** What is read, written or summed in one go; a multiple of 8. */
const PIECE_BYTES = 1 << 20;

/** What a log holds. Offsets are in bytes. */
export interface LogContent {
  /**
   * The batches in the order in which they were appended. The number of each is one more than that of the batch before. What was appended
   * is in a buffer of its own, from the beginning of the buffer.
   */
  readonly frames: readonly { readonly sequence: number; readonly payload: Uint8Array }[];
  /** Where the last batch ends, and the next one goes. */
  readonly end: number;
  /** The number of the next batch. */
  readonly nextSequence: number;
  /** The log was closed, and nothing was appended since. */
  readonly isClosed: boolean;
  /** The length of the torn end, zeros of room that was kept free included. */
  readonly droppedBytes: number;
  readonly salt: Uint8Array;
  /** The last batch: where it begins, and the checksum in its header; undefined: the log has none. */
  readonly last: { readonly start: number; readonly sum: number } | undefined;
}

/** Up to where a log was read. */
type LogPlace = Pick<LogContent, "salt" | "end" | "nextSequence" | "last">;

/** Where a log is: names that it is given are paths of this. */
type LogFolder = Pick<FileSystem, "open" | "remove">;

/**
 * A log that is open to append to it. Failures are SearchErrors.
 *
 * A failed write undoes itself (507 `storage_full` or 500 `storage_failed`), and the log goes on. When it cannot be undone, the
 * log has *failed*: nothing can be appended until the folder is opened again. A failed sync fails the log too: the system may
 * have thrown away what it could not write, and says so only once. Then nothing more is synced, and what was not synced is cut
 * off.
 */
export class WriteLog {
  private readonly file: StorageFile;
  /** The bytes that no other log has. */
  readonly id: Uint8Array;
  /** Why nothing can be appended any more, if so. */
  failed: SearchError | undefined;
  /** Where the next batch goes, and its number. */
  end: number;
  nextSequence: number;
  /** Up to where all batches are known to be synced. */
  syncedEnd: number;
  private readonly appends = new WriteQueue();
  private readonly syncs = new WriteQueue();
  private canSync = true;
  private isClosed = false;
  /** Where the last batch begins. */
  private lastStart: number;
  /** The watermark of the last frame. */
  private lastWatermark: number;

  private constructor(file: StorageFile, salt: Uint8Array, end: number, nextSequence: number) {
    this.file = file;
    this.id = salt;
    this.end = end;
    this.nextSequence = nextSequence;
    this.syncedEnd = end;
    this.lastStart = end;
    this.lastWatermark = end;
  }

  /** Whether a path leads to the file of this log. */
  isAt(path: string): boolean {
    return this.file.isAt(path);
  }

  /** Makes an empty log and syncs the file. Its name is safe when the caller has synced the folder. No file remains of a failure. */
  static async create(
    files: LogFolder,
    path: string,
    { storeId, firstSequence }: { readonly storeId: Uint8Array; readonly firstSequence: number },
  ): Promise<WriteLog> {
    const file = (await files.open(path, "create"))!;
    try {
      const salt = randomBytes(8);
      const fill = (header: Buffer): void => {
        header.set(salt, 40);
        header.writeBigUInt64LE(BigInt(firstSequence), 48);
      };
      await file.write(headOf("log", storeId, fill), 0);
      await file.sync();
      return new WriteLog(file, salt, HEAD_BYTES, firstSequence);
    } catch (error) {
      await Promise.allSettled([file.close()]);
      await Promise.allSettled([files.remove(path)]);
      throw error;
    }
  }

  /**
   * Reads the log of a store, with a name for errors, and changes nothing. Throws 500 `storage_corrupt` for damage and 500 `storage_version` for a log of another format. What
   * a writer appends meanwhile may be missing.
   */
  static async read(file: StorageFile, storeId: Uint8Array, name: string): Promise<LogContent> {
    const pieces = new FilePieces(file, await file.size());
    return readFrames(pieces, readHeader(await pieces.at(0, HEAD_BYTES), storeId, name), name);
  }

  /**
   * As {@link read}, of what was appended since `before` was read. undefined: the last batch of `before` is not there any more, because
   * a failed write was undone, or the log was cut after a crash.
   */
  static async readOn(file: StorageFile, before: LogPlace, name: string): Promise<LogContent | undefined> {
    const pieces = new FilePieces(file, await file.size());
    const { last, salt, nextSequence } = before;
    // Another log may have the name of one that was made in vain.
    if (!(await pieces.at(40, salt.length)).equals(salt)) return undefined;
    if (last !== undefined) {
      const header = frameAt(await pieces.at(last.start, FRAME_BYTES), 0, salt);
      if (header?.sequence !== nextSequence - 1 || header.sum !== last.sum) return undefined;
    }
    return readFrames(pieces, before, name);
  }

  /**
   * Opens a log to go on after what was read of it. A closed log stays as it is until the next batch. If the log was not
   * closed, its torn end is cut off, and the file is synced and gets a watermark frame.
   */
  static async open(files: LogFolder, path: string, content: LogContent): Promise<WriteLog> {
    const file = await files.open(path, "change");
    if (file === undefined) throw failure("ENOENT", "The log is gone.");
    try {
      const { end, nextSequence, droppedBytes, salt } = content;
      const log = new WriteLog(file, salt, end, nextSequence);
      if (content.isClosed && droppedBytes === 0) return log;
      if (droppedBytes > 0) await file.truncate(end);
      // After a kill, what was read may never have been synced; the watermarks of the next frames say that it was.
      await file.sync();
      await log.write(WATERMARK_FRAME, []);
      return log;
    } catch (error) {
      await Promise.allSettled([file.close()]);
      throw error;
    }
  }

  /**
   * Appends one batch, given as bytes one after the other; they must not change until then. Resolves when it is written, not yet
   * synced, to the offset where it ends. Batches are written in the order of the calls; a failed one does not hold up those behind it.
   */
  append(payload: readonly Uint8Array[]): Promise<number> {
    return this.enqueue(() => this.write(BATCH, payload));
  }

  /** Resolves when all that was appended before the call is synced. Calls that wait at the same time share a sync. */
  async sync(): Promise<void> {
    this.throwIfClosed();
    // Behind what was appended before: it does not wait for what is appended meanwhile, as `idle` would.
    await this.appends.run(async () => {});
    await this.syncTo(this.end);
    // The next batch, or the next sync, says the same.
    if (this.needsWatermark)
      this.enqueue(async () => this.needsWatermark && this.write(WATERMARK_FRAME, [])).catch(() => {});
  }

  /** Syncs all that was appended before, then appends the frame that says that the log was closed, and syncs it. */
  async closeFrame(): Promise<void> {
    // The first sync is for the watermark of the close frame: it protects all that stands before it.
    await this.sync();
    await this.enqueue(() => this.write(CLOSE, []));
    await this.syncTo(Number.POSITIVE_INFINITY);
  }

  /** Closes the file after what was called before; syncs nothing. Later calls are refused, but it may be called again. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    await this.appends.idle();
    await this.syncs.idle();
    await this.file.close();
  }

  private async enqueue<T>(write: () => Promise<T>): Promise<T> {
    this.throwIfClosed();
    return this.appends.run(write);
  }

  /** Every batch is synced, but for some batch before the last no frame on disk says so yet. */
  private get needsWatermark(): boolean {
    return this.syncedEnd === this.end && this.lastWatermark < this.lastStart;
  }

  private async write(kind: number, payload: readonly Uint8Array[]): Promise<number> {
    if (this.failed) throw this.failed;
    const length = payload.reduce((sum, chunk) => sum + chunk.byteLength, 0);
    // Joined, a batch of few bytes takes one checksum instead of one for each of its many arrays.
    const chunks =
      length > PIECE_BYTES
        ? [...payload, new Uint8Array(padded(length) - length)]
        : [Buffer.concat(payload, padded(length))];
    let sum = 0;
    for (const chunk of chunks) sum = await runTask(checksum(chunk, sum));
    const start = this.end;
    const watermark = this.syncedEnd;
    const header = makeFrame(this.id, { sequence: this.nextSequence, watermark, length, kind, sum });
    try {
      let offset = start;
      for await (const piece of joinSmall([header, ...chunks])) {
        await this.file.write(piece, offset);
        offset += piece.byteLength;
      }
    } catch (error) {
      await this.undo(start, error);
      throw error;
    }
    this.lastWatermark = watermark;
    if (kind !== BATCH) return start;
    this.nextSequence++;
    this.lastStart = start;
    this.end = start + FRAME_BYTES + padded(length);
    return this.end;
  }

  /** Cuts a failed write off, and syncs that: a frame that was refused must not come back after a power cut. */
  private async undo(start: number, cause: unknown): Promise<void> {
    // A watermark frame that stood there is gone too.
    this.lastWatermark = 0;
    try {
      await this.file.truncate(start);
    } catch {
      throw this.fail(cause);
    }
    await this.syncTo(Number.POSITIVE_INFINITY);
  }

  /**
   * Syncs if not all before `end` is synced. One sync runs at a time: of two at once, the system might tell only one of a
   * failure. A sync serves all calls that wait for it: when their turn comes, their bytes are synced already.
   */
  private syncTo(end: number): Promise<void> {
    return this.syncs.run(async () => {
      if (this.syncedEnd >= end) return;
      if (!this.canSync) throw this.failed;
      const written = this.end;
      try {
        await this.file.sync();
      } catch (error) {
        this.canSync = false;
        const failure = this.fail(error);
        // The system still shows bytes that it will never write. They must not pass for synced when the log is opened again.
        await this.file.truncate(this.syncedEnd).catch(() => {});
        throw failure;
      }
      this.syncedEnd = written;
    });
  }

  private fail(error: unknown): SearchError {
    const cause = error instanceof SearchError ? (error.cause ?? error) : error;
    const { code = "an unknown error" } = cause as NodeJS.ErrnoException;
    this.failed ??= logHasStopped(code, cause);
    return this.failed;
  }

  /** The system may have given the number of the closed file to another file. Nothing of ours may be written there. */
  private throwIfClosed(): void {
    if (this.isClosed) throw logHasStopped("it is closed");
  }
}

function logHasStopped(why: string, cause?: unknown): SearchError {
  const message = `The log takes no changes any more (${why}); close the engine and open the data folder again.`;
  return new SearchError(500, "storage_failed", message, cause === undefined ? {} : { cause });
}

function readHeader(header: Buffer, storeId: Uint8Array, name: string): LogPlace {
  if (header.length < HEAD_BYTES) throw damagedFile(name, 0, "is shorter than its header");
  if (!header.subarray(0, 16).equals(MAGIC)) throw damagedFile(name, 0, "is no file of tandem-search");
  // Another format may have another header: nothing else can be judged before the version.
  checkVersion(header, name);
  if (!isWholeHead(header)) throw damagedFile(name, 0, "has a damaged header");
  if (header.readUInt8(17) !== FILE_KINDS.log) throw damagedFile(name, 0, "is no log");
  if (!header.subarray(24, 40).equals(storeId)) throw damagedFile(name, 0, "belongs to another data folder");
  const nextSequence = Number(header.readBigUInt64LE(48));
  return { salt: Buffer.from(header.subarray(40, 48)), end: HEAD_BYTES, nextSequence, last: undefined };
}

/** The header of a frame; `length` is that of the payload, `sum` the checksum of the payload and the zeros behind it. */
interface FrameHeader {
  readonly sequence: number;
  readonly watermark: number;
  readonly length: number;
  readonly kind: number;
  readonly sum: number;
}

function makeFrame(salt: Uint8Array, { sequence, watermark, length, kind, sum }: FrameHeader): Uint8Array {
  const frame = Buffer.alloc(FRAME_BYTES);
  frame.set(salt, 0);
  frame.writeBigUInt64LE(BigInt(sequence), 8);
  frame.writeBigUInt64LE(BigInt(watermark), 16);
  frame.writeBigUInt64LE(BigInt(length), 24);
  frame.writeUInt8(kind, 32);
  frame.writeUInt32LE(sum, 36);
  frame.writeUInt32LE(crc32(frame.subarray(0, 44)), 44);
  return frame;
}

/** The header of the frame that begins at `at`, if one begins there. */
function frameAt(bytes: Buffer, at: number, salt: Uint8Array): FrameHeader | undefined {
  if (at + FRAME_BYTES > bytes.length || !bytes.subarray(at, at + 8).equals(salt)) return undefined;
  if (crc32(bytes.subarray(at, at + 44)) !== bytes.readUInt32LE(at + 44)) return undefined;
  return {
    sequence: Number(bytes.readBigUInt64LE(at + 8)),
    watermark: Number(bytes.readBigUInt64LE(at + 16)),
    length: Number(bytes.readBigUInt64LE(at + 24)),
    kind: bytes.readUInt8(at + 32),
    sum: bytes.readUInt32LE(at + 36),
  };
}

/** The next frame behind a place; undefined when it is not there as it was written. */
async function readFrame(
  pieces: FilePieces,
  { end, salt, nextSequence }: Omit<LogPlace, "last">,
): Promise<{ readonly kind: number; readonly payload: Uint8Array; readonly sum: number } | undefined> {
  const header = frameAt(await pieces.at(end, FRAME_BYTES), 0, salt);
  if (header?.sequence !== nextSequence) return undefined;
  const { length, kind, sum } = header;
  const from = end + FRAME_BYTES;
  const whole = padded(length);
  if (whole > pieces.size - from) return undefined;
  const payload = new Uint8Array(whole);
  let found = 0;
  for (let at = 0; at < whole; at += PIECE_BYTES) {
    const piece = await pieces.at(from + at, Math.min(PIECE_BYTES, whole - at));
    payload.set(piece, at);
    found = crc32(piece, found);
  }
  return found === sum ? { kind, payload: payload.subarray(0, length), sum } : undefined;
}

/** The batches behind a place. Throws 500 `storage_corrupt` for damage. */
async function readFrames(pieces: FilePieces, { salt, ...from }: LogPlace, name: string): Promise<LogContent> {
  const frames: LogContent["frames"][number][] = [];
  let { end, nextSequence, last } = from;
  let frame = await readFrame(pieces, { end, salt, nextSequence });
  while (frame?.kind === BATCH) {
    frames.push({ sequence: nextSequence++, payload: frame.payload });
    last = { start: end, sum: frame.sum };
    end += FRAME_BYTES + padded(frame.payload.length);
    frame = await readFrame(pieces, { end, salt, nextSequence });
  }
  const tornStart = frame === undefined ? end : end + FRAME_BYTES;
  if (await wasSynced(pieces, tornStart, salt))
    throw damagedFile(name, tornStart, "holds bytes that are not those that were written");
  const isClosed = frame?.kind === CLOSE;
  return { frames, end, nextSequence, isClosed, droppedBytes: pieces.size - tornStart, salt, last };
}

/** Whether a frame behind a place says that the file was synced beyond it. */
async function wasSynced(pieces: FilePieces, place: number, salt: Uint8Array): Promise<boolean> {
  // Pieces overlap by the header of a frame, which may lie across their border.
  for (let from = place; from + FRAME_BYTES <= pieces.size; from += PIECE_BYTES - FRAME_BYTES) {
    const piece = await pieces.at(from, PIECE_BYTES);
    for (let at = piece.indexOf(salt); at >= 0; at = piece.indexOf(salt, at + 1))
      if ((frameAt(piece, at, salt)?.watermark ?? 0) > place) return true;
  }
  return false;
}

/** The bytes of a file, read in pieces. */
class FilePieces {
  /** The length of the file when reading began. A writer may append meanwhile; what is written later is not looked at. */
  readonly size: number;
  private readonly file: StorageFile;
  private readonly buffer: Buffer;
  private piece: Buffer = Buffer.alloc(0);
  private start = 0;

  constructor(file: StorageFile, size: number) {
    this.file = file;
    this.size = size;
    this.buffer = Buffer.alloc(Math.min(size, PIECE_BYTES));
  }

  /** Bytes from an offset on, at most a piece, fewer at the end of the file. They are valid until the next call. */
  async at(offset: number, length: number): Promise<Buffer> {
    const end = Math.min(offset + length, this.size);
    if (offset < this.start || end > this.start + this.piece.length) {
      const wanted = this.buffer.subarray(0, Math.max(0, Math.min(PIECE_BYTES, this.size - offset)));
      this.piece = wanted.subarray(0, await this.file.read(wanted, offset));
      this.start = offset;
    }
    return this.piece.subarray(offset - this.start, end - this.start);
  }
}

function padded(length: number): number {
  return Math.ceil(length / 8) * 8;
}

// The file "watermark": up to where the log is known to be safe. A log that ends before the watermark was cut, or replaced by
// an older copy: it lacks changes that were acknowledged. The log itself cannot tell.
//
// The file has two slots, each in a sector of its own, which are written in turn: a torn write leaves the other. A slot is the head of a
// file that has, behind the store id:
//
//   id of the log (8 bytes) | offset f64 | turn u32
//
// A slot of another log says nothing. A slot names an offset that was safe before the slot was written, so it needs no sync of
// its own. A power cut may take the slot, and then less is noticed.

export const WATERMARK = "watermark";

const SECTOR = 512;
const FILE_BYTES: number = SECTOR + HEAD_BYTES;

/** Up to where a log is safe. */
export interface SafeEnd {
  /** The bytes that no other log has. */
  readonly logId: Uint8Array;
  /** The offset in bytes. */
  readonly end: number;
}

/** What the file says. */
interface Found {
  readonly safe: SafeEnd | undefined;
  readonly turn: number;
  /** The file is as a whole one is. */
  readonly isWhole: boolean;
}

const NOTHING: Found = { safe: undefined, turn: 0, isWhole: false };

/** What the file says; nothing, where it is missing, damaged, or speaks of another store. */
export async function readWatermark(folder: OpenFolder, storeId: Uint8Array): Promise<Found> {
  const file = await folder.open(WATERMARK, "read");
  if (file === undefined) return NOTHING;
  try {
    return await readSlots(file, storeId);
  } finally {
    await file.close();
  }
}

async function readSlots(file: StorageFile, storeId: Uint8Array): Promise<Found> {
  const bytes = Buffer.from(await readAll(file));
  const slots = [0, SECTOR].map((at) => readSlot(bytes.subarray(at, at + HEAD_BYTES), storeId));
  const [first, second] = slots;
  const last = (first?.turn ?? -1) > (second?.turn ?? -1) ? first : second;
  if (last === undefined) return NOTHING;
  const between = bytes.subarray(HEAD_BYTES, SECTOR);
  const isWhole = slots.every(Boolean) && bytes.length === FILE_BYTES && between.every((byte) => byte === 0);
  return { ...last, isWhole };
}

function readSlot(slot: Buffer, storeId: Uint8Array): { readonly safe: SafeEnd; readonly turn: number } | undefined {
  // Nothing in a torn slot is judged, not even its version; that of the folder is in the manifest.
  if (!isWholeHead(slot)) return undefined;
  if (!slot.subarray(0, MAGIC.length).equals(MAGIC) || slot[16] !== FORMAT_VERSION) return undefined;
  if (slot[17] !== FILE_KINDS.watermark || !slot.subarray(24, 40).equals(storeId)) return undefined;
  const logId = new Uint8Array(slot.subarray(40, 48));
  return { safe: { logId, end: slot.readDoubleLE(48) }, turn: slot.readUInt32LE(56) };
}

function slotOf(storeId: Uint8Array, { logId, end }: SafeEnd, turn: number): Buffer {
  return headOf("watermark", storeId, (slot) => {
    slot.set(logId, 40);
    slot.writeDoubleLE(end, 48);
    slot.writeUInt32LE(turn, 56);
  });
}

/** The file, open to be written. */
export class Watermark {
  private readonly folder: OpenFolder;
  private readonly storeId: Uint8Array;
  private readonly file: StorageFile;
  private turn: number;
  private said: SafeEnd | undefined;
  private isSynced = false;
  private readonly queue = new WriteQueue();

  private constructor(folder: OpenFolder, storeId: Uint8Array, file: StorageFile, { safe, turn }: Found) {
    this.folder = folder;
    this.storeId = storeId;
    this.file = file;
    this.said = safe;
    this.turn = turn;
  }

  /** Opens the file, and makes or mends it so that it says at least this. */
  static async open(folder: OpenFolder, storeId: Uint8Array, safe: SafeEnd): Promise<Watermark> {
    const found = await readWatermark(folder, storeId);
    const there = await folder.open(WATERMARK, "change");
    const file = there ?? (await folder.open(WATERMARK, "create"))!;
    try {
      const watermark = new Watermark(folder, storeId, file, found);
      if (found.isWhole) return watermark;
      await file.truncate(0);
      for (const _slot of [0, 1]) await watermark.write(safe);
      await file.sync();
      if (there === undefined) await folder.sync();
      return watermark;
    } catch (error) {
      await file.close().catch(() => {});
      throw error;
    }
  }

  /** Where the last slot says that a log is safe; 0: it speaks of another log. */
  endOf(logId: Uint8Array): number {
    const { said } = this;
    return said !== undefined && Buffer.compare(said.logId, logId) === 0 ? said.end : 0;
  }

  /** Says up to where a log is safe. `isSynced`: resolves when that is safe, too. */
  say(safe: SafeEnd, isSynced = false): Promise<void> {
    return this.queue.run(async () => {
      // The same offset is not written twice: a folder that nobody writes to stays as it is.
      if (this.endOf(safe.logId) !== safe.end) await this.write(safe);
      if (isSynced && !this.isSynced) await this.file.sync();
      this.isSynced ||= isSynced;
    });
  }

  private async write(safe: SafeEnd): Promise<void> {
    const turn = this.turn + 1;
    await this.file.write(slotOf(this.storeId, safe, turn), (turn % 2) * SECTOR);
    this.turn = turn;
    this.said = safe;
    this.isSynced = false;
  }

  /** Checks that the file is as it was written. Throws 500 `storage_corrupt` if not. */
  check(): Promise<void> {
    return this.queue.run(async () => {
      if (!this.file.isAt(this.folder.pathOf(WATERMARK))) throw missingFile(WATERMARK);
      const { safe, turn, isWhole } = await readSlots(this.file, this.storeId);
      if (!isWhole || turn !== this.turn || safe?.end !== this.said?.end) throw damagedFile(WATERMARK);
    });
  }

  async close(): Promise<void> {
    await this.queue.idle();
    await this.file.close();
  }
}
