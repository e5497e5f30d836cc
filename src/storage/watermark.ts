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

import type { StorageFile } from "./file-system.js";
import type { OpenFolder } from "./open-folder.js";
import { FILE_KINDS, FORMAT_VERSION, HEAD_BYTES, headOf, isWholeHead, MAGIC, readAll } from "./sections.js";
import { damagedFile, missingFile } from "./storage-error.js";

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
  private writes: Promise<void> = Promise.resolve();

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
    const say = async (): Promise<void> => {
      // The same offset is not written twice: a folder that nobody writes to stays as it is.
      if (this.endOf(safe.logId) !== safe.end) await this.write(safe);
      if (isSynced && !this.isSynced) await this.file.sync();
      this.isSynced ||= isSynced;
    };
    return this.inTurn(say);
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
    const check = async (): Promise<void> => {
      if (!this.file.isAt(this.folder.pathOf(WATERMARK))) throw missingFile(WATERMARK);
      const { safe, turn, isWhole } = await readSlots(this.file, this.storeId);
      if (!isWhole || turn !== this.turn || safe?.end !== this.said?.end) throw damagedFile(WATERMARK);
    };
    return this.inTurn(check);
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.writes.then(work);
    this.writes = done.catch(() => {});
    return done;
  }

  async close(): Promise<void> {
    await this.writes;
    await this.file.close();
  }
}
