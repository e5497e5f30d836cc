// The log of a data folder, on the real disk: what was appended is read again, and whatever happens to the file is told as a torn end
// or as damage. The bytes of the format are made here by hand.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FileSystem, nodeFileSystem, type StorageFile } from "../../src/storage/file-system.js";
import { FORMAT_VERSION } from "../../src/storage/sections.js";
import { storageError } from "../../src/storage/storage-error.js";
import { type LogContent, WriteLog } from "../../src/storage/write-log.js";
import type { SearchError } from "../../src/util/errors.js";
import { nextTurn } from "../../src/util/tasks.js";
import { FakeDisk } from "../support/fake-disk.js";
import { property, Random } from "../support/random.js";
import { rejectionOf } from "../support/refusal.js";

const STORE = Uint8Array.from({ length: 16 }, (_, i) => 200 + i);
const HEADER = 64;
const FRAME = 48;
const NAME = "log-1";
const MiB = 1 << 20;

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "write-log-"));
  path = join(folder, NAME);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const create = (files: FileSystem = nodeFileSystem, firstSequence = 1) =>
  WriteLog.create(files, path, { storeId: STORE, firstSequence });

/** A file that cannot be written. */
function fileOf(bytes: Uint8Array): StorageFile {
  const never = async () => {
    throw new Error("Reading changes nothing.");
  };
  return {
    async read(into, offset) {
      const part = bytes.subarray(offset, offset + into.byteLength);
      into.set(part);
      return part.byteLength;
    },
    write: never,
    sync: never,
    truncate: never,
    size: async () => bytes.byteLength,
    isAt: () => true,
    close: async () => {},
  };
}

const readBytes = (bytes: Uint8Array, storeId: Uint8Array = STORE) => WriteLog.read(fileOf(bytes), storeId, NAME);

const read = () => readBytes(readFileSync(path));

async function reopen(files: FileSystem = nodeFileSystem): Promise<WriteLog> {
  return WriteLog.open(files, path, await read());
}

const payloadsOf = ({ frames }: LogContent) => frames.map(({ payload }) => [...payload]);
const bytesOf = (length: number, seed = length) =>
  Uint8Array.from({ length }, (_, i) => (Math.imul(i + seed + 1, 0x9e3779b1) >>> 13) & 255);

/** CRC32 bit by bit, as its definition says. */
function crcByBits(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

const u64 = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const summed = (bytes: Uint8Array) => Buffer.concat([bytes, u32(crcByBits(bytes))]);

interface HeaderParts {
  readonly magic?: string;
  readonly version?: number;
  readonly kind?: number;
  readonly storeId?: Uint8Array;
  readonly firstSequence?: number;
}

const SALT: Uint8Array = Buffer.from("saltsalt");

function headerBytes(parts: HeaderParts = {}, salt = SALT): Buffer {
  const {
    magic = "tandem-search\0\0\0",
    version = FORMAT_VERSION,
    kind = 2,
    storeId = STORE,
    firstSequence = 1,
  } = parts;
  const start = Buffer.concat([Buffer.from(magic, "latin1"), Buffer.from([version, kind, 0, 0, 0, 0, 0, 0]), storeId]);
  return summed(Buffer.concat([start, salt, u64(firstSequence), u32(0)]));
}

function frameBytes(sequence: number, watermark: number, kind: number, payload: Uint8Array, salt = SALT): Buffer {
  const body = Buffer.concat([payload, Buffer.alloc((8 - (payload.length % 8)) % 8)]);
  const start = [salt, u64(sequence), u64(watermark), u64(payload.length), Buffer.from([kind, 0, 0, 0])];
  return Buffer.concat([summed(Buffer.concat([...start, u32(crcByBits(body)), u32(0)])), body]);
}

/** A log of batches that were each synced before the next one; and where each frame begins. */
async function smallLog(isClosed: boolean): Promise<{ readonly bytes: Buffer; readonly starts: readonly number[] }> {
  const log = await create();
  const starts: number[] = [];
  for (let length = 0; length < 6; length++) {
    starts.push(log.end);
    await log.append([bytesOf(length * 3)]);
    await log.sync();
  }
  if (isClosed) {
    starts.push(log.end);
    await log.closeFrame();
  }
  await log.close();
  const bytes = readFileSync(path);
  rmSync(path);
  return { bytes, starts };
}

describe("what is appended", () => {
  it("is read again, of any length, in the order of the calls", async () => {
    const log = await create(nodeFileSystem, 41);
    const payloads = Array.from({ length: 30 }, (_, length) => bytesOf(length));
    const ends = await Promise.all(
      payloads.map((payload) => log.append([payload.subarray(0, 7), payload.subarray(7)])),
    );
    let end = HEADER;
    for (const [i, { length }] of payloads.entries()) {
      end += FRAME + Math.ceil(length / 8) * 8;
      expect(ends[i]).toBe(end);
    }
    expect([log.end, log.nextSequence]).toEqual([end, 71]);
    const content = await read();
    expect(payloadsOf(content)).toEqual(payloads.map((payload) => [...payload]));
    expect(content.frames.map(({ sequence }) => sequence)).toEqual(payloads.map((_, i) => 41 + i));
    expect(content).toMatchObject({ end, nextSequence: 71, isClosed: false, droppedBytes: 0 });
    for (const { payload } of content.frames) expect(payload.byteOffset).toBe(0);
    await log.close();
  });

  it("is laid out as the format says", async () => {
    const log = await create(nodeFileSystem, 7);
    await log.append([bytesOf(5)]);
    const first = log.end;
    await log.append([bytesOf(16)]);
    await log.sync();
    const second = log.end;
    await log.append([]);
    const third = log.end;
    await log.closeFrame();
    await log.close();
    const bytes = readFileSync(path);
    const salt = bytes.subarray(40, 48);
    expect(bytes).toEqual(
      Buffer.concat([
        headerBytes({ firstSequence: 7 }, salt),
        frameBytes(7, HEADER, 1, bytesOf(5), salt),
        frameBytes(8, HEADER, 1, bytesOf(16), salt),
        frameBytes(9, second, 1, bytesOf(0), salt),
        frameBytes(10, third, 2, bytesOf(0), salt),
      ]),
    );
    expect(first).toBe(HEADER + FRAME + 8);
  });

  it("may have several MB, in one chunk or in many", async () => {
    const log = await create();
    const large = bytesOf(5 * MiB + 13);
    await log.append([bytesOf(3), large, bytesOf(2)]);
    const many = Array.from({ length: 30_000 }, (_, i) => bytesOf(i % 101));
    await log.append(many);
    await log.append([bytesOf(9)]);
    await log.close();
    const [first, second, third] = (await read()).frames;
    expect(Buffer.compare(first!.payload, Buffer.concat([bytesOf(3), large, bytesOf(2)]))).toBe(0);
    expect(Buffer.compare(second!.payload, Buffer.concat(many))).toBe(0);
    expect([...third!.payload]).toEqual([...bytesOf(9)]);
  });

  it("goes on after closing, and after a kill", async () => {
    let log = await create();
    expect(await read()).toMatchObject({ frames: [], end: HEADER, nextSequence: 1, isClosed: false, droppedBytes: 0 });
    await log.append([bytesOf(1)]);
    await log.closeFrame();
    await log.close();
    expect(await read()).toMatchObject({ nextSequence: 2, isClosed: true, droppedBytes: 0 });
    log = await reopen();
    expect(await read()).toMatchObject({ isClosed: true, droppedBytes: 0 });
    await log.append([bytesOf(2)]);
    await log.close();
    expect(await read()).toMatchObject({ isClosed: false, droppedBytes: 0 });
    log = await reopen();
    expect(log.syncedEnd).toBe(log.end);
    await log.append([bytesOf(3)]);
    await log.closeFrame();
    await log.close();
    const content = await read();
    expect(payloadsOf(content)).toEqual([1, 2, 3].map((length) => [...bytesOf(length)]));
    expect(content).toMatchObject({ isClosed: true, droppedBytes: 0 });
  });

  it("leaves the same bytes when it is opened and closed again", async () => {
    let log = await create();
    for (const count of [0, 3]) {
      for (let i = 0; i < count; i++) await log.append([bytesOf(i)]);
      await log.closeFrame();
      await log.close();
      const bytes = readFileSync(path);
      for (let round = 0; round < 2; round++) {
        log = await reopen();
        expect(readFileSync(path)).toEqual(bytes);
        await log.sync();
        await log.closeFrame();
        await log.close();
        expect(readFileSync(path)).toEqual(bytes);
      }
      log = await reopen();
    }
    await log.close();
  });

  it("is refused after close, which may be called twice", async () => {
    const log = await create();
    const before = log.append([bytesOf(4)]);
    const closing = log.close();
    for (const call of [log.append([bytesOf(5)]), log.sync(), log.closeFrame()]) {
      const { code, error, message } = await rejectionOf(call);
      expect([code, error]).toEqual([500, "storage_failed"]);
      expect(message).toContain("closed");
    }
    await Promise.all([before, closing, log.close()]);
    expect(payloadsOf(await read())).toEqual([[...bytesOf(4)]]);
  });

  it("never replaces a file", async () => {
    writeFileSync(path, "mine");
    expect((await rejectionOf(create())).error).toBe("storage_failed");
    expect(readFileSync(path, "utf8")).toBe("mine");
    expect(
      (
        await rejectionOf(
          WriteLog.create(nodeFileSystem, join(folder, "no", NAME), { storeId: STORE, firstSequence: 1 }),
        )
      ).error,
    ).toBe("storage_failed");
  });
});

describe("a log that is read while another writes it", () => {
  it("holds the first of its batches, and never seems damaged", async () => {
    const log = await create();
    const payloads = Array.from({ length: 150 }, (_, i) => bytesOf(i * 97));
    let isDone = false;
    const writing = (async () => {
      for (const payload of payloads) {
        await log.append([payload]);
        await log.sync();
      }
      isDone = true;
    })();
    const file = await nodeFileSystem.open(path, "read");
    const read = () => WriteLog.read(file!, STORE, NAME);
    while (!isDone) {
      const { frames } = await read();
      for (const [i, { payload }] of frames.entries()) expect(Buffer.compare(payload, payloads[i]!)).toBe(0);
    }
    await writing;
    expect((await read()).frames).toHaveLength(payloads.length);
    await file!.close();
    await log.close();
  });
});

describe("a log that was changed", () => {
  it.each([true, false])("at any one bit is damaged, but for its last frame (closed: %s)", async (isClosed) => {
    const { bytes, starts } = await smallLog(isClosed);
    const whole = payloadsOf(await readBytes(bytes));
    const last = starts.at(-1)!;
    for (let at = 0; at < bytes.length; at++)
      for (let bit = 0; bit < 8; bit++) {
        const changed = Buffer.from(bytes);
        changed[at]! ^= 1 << bit;
        const where = `byte ${at}, bit ${bit}`;
        if (at < last) {
          const { code, error, details } = await rejectionOf(readBytes(changed));
          const offset = at < HEADER ? 0 : starts.findLast((start) => start <= at);
          if (error === "storage_version") expect([code, at, details], where).toEqual([500, 16, { file: NAME }]);
          else expect([code, error, details], where).toEqual([500, "storage_corrupt", { file: NAME, offset }]);
        } else {
          const content = await readBytes(changed);
          expect(payloadsOf(content), where).toEqual(isClosed ? whole : whole.slice(0, -1));
          expect(content, where).toMatchObject({ end: last, isClosed: false, droppedBytes: bytes.length - last });
        }
      }
  });

  it("at any one bit is damaged, also where one sync made several batches safe and nothing was written since", async () => {
    const disk = new TroubledDisk();
    const log = await create(disk);
    await log.sync();
    expect(readFileSync(path)).toHaveLength(HEADER);
    await log.append([bytesOf(10)]);
    await log.sync();
    expect(readFileSync(path)).toHaveLength(log.end);
    // The mark is written after the sync; the length of the file tells when.
    const marked = async () => {
      await log.sync();
      while (readFileSync(path).length === log.end) await nextTurn();
    };
    await Promise.all([0, 1, 2, 3, 4].map((length) => log.append([bytesOf(length)])));
    await marked();
    disk.trouble = () => {
      disk.trouble = () => {};
      throw failure("ENOSPC");
    };
    expect((await rejectionOf(log.append([bytesOf(9)]))).code).toBe(507);
    expect(readFileSync(path)).toHaveLength(log.end);
    await marked();
    await log.close();
    const bytes = readFileSync(path);
    expect(await readBytes(bytes)).toMatchObject({ end: log.end, nextSequence: 7, isClosed: false, droppedBytes: 0 });
    for (let at = HEADER; at < log.end; at++) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1 << (at % 8);
      expect((await rejectionOf(readBytes(changed))).error, `byte ${at}`).toBe("storage_corrupt");
    }
    for (let at = log.end; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1 << (at % 8);
      expect(await readBytes(changed)).toMatchObject({ nextSequence: 7, droppedBytes: FRAME });
    }
  });

  it.each([true, false])("cut at any length tells what is missing of its last frame (closed: %s)", async (isClosed) => {
    const { bytes, starts } = await smallLog(isClosed);
    const whole = payloadsOf(await readBytes(bytes));
    for (let length = 0; length < bytes.length; length++) {
      const cut = bytes.subarray(0, length);
      if (length < HEADER) {
        expect((await rejectionOf(readBytes(cut))).error).toBe("storage_corrupt");
        continue;
      }
      const content = await readBytes(cut);
      const end = [...starts, bytes.length].findLast((start) => start <= length)!;
      expect(payloadsOf(content)).toEqual(whole.slice(0, starts.indexOf(end)));
      expect(content).toMatchObject({ end, isClosed: false, droppedBytes: length - end });
    }
  });

  it("cut where it was closed once and opened again does not pass for closed", async () => {
    let log = await create();
    for (let i = 0; i < 3; i++) {
      await log.append([bytesOf(8)]);
      await log.closeFrame();
      await log.close();
      log = await reopen();
    }
    await log.closeFrame();
    await log.close();
    const bytes = readFileSync(path);
    expect((await readBytes(bytes)).isClosed).toBe(true);
    for (let length = HEADER; length < bytes.length; length += 8)
      expect((await readBytes(bytes.subarray(0, length))).isClosed, `${length} bytes`).toBe(false);
  });

  it("behind its end has a torn end, which opening cuts off, once", async () => {
    const random = new Random(3);
    const tails: Record<string, Buffer> = {
      "a byte": Buffer.from([7]),
      zeros: Buffer.alloc(4096),
      garbage: Buffer.from(random.list(1000, 1000, () => random.between(0, 255))),
      "a frame of another salt": frameBytes(8, HEADER, 1, bytesOf(10)),
    };
    for (const isClosed of [true, false]) {
      rmSync(path, { force: true });
      const { bytes } = await smallLog(isClosed);
      const whole = payloadsOf(await readBytes(bytes));
      const salt = bytes.subarray(40, 48);
      const torn = frameBytes(isClosed ? 8 : 7, bytes.length, 1, bytesOf(40), salt);
      const hole = Buffer.concat([
        Buffer.alloc(torn.length),
        frameBytes(isClosed ? 9 : 8, bytes.length, 1, bytesOf(40), salt),
      ]);
      const halves = Buffer.concat([torn.subarray(0, 60), Buffer.alloc(torn.length - 60)]);
      for (const [what, tail] of Object.entries({ ...tails, "a hole before a frame": hole, "half a frame": halves })) {
        writeFileSync(path, Buffer.concat([bytes, tail]));
        const end = isClosed ? bytes.length - FRAME : bytes.length;
        expect(await read(), what).toMatchObject({ end, isClosed, droppedBytes: tail.length });
        const log = await reopen();
        expect(await read(), what).toMatchObject({ isClosed: false, droppedBytes: 0 });
        await log.append([bytesOf(11)]);
        await log.closeFrame();
        await log.close();
        const after = await read();
        expect(payloadsOf(after), what).toEqual([...whole, [...bytesOf(11)]]);
        expect(after, what).toMatchObject({ isClosed: true, droppedBytes: 0 });
      }
    }
  });

  it("in the middle of what was never synced has a torn end there, whatever stands behind", async () => {
    const log = await create();
    await log.append([bytesOf(20)]);
    await log.sync();
    const starts: number[] = [];
    for (let i = 0; i < 4; i++) starts.push((await log.append([bytesOf(30 + i)])) - FRAME - 32 - (i > 2 ? 8 : 0));
    await log.close();
    const bytes = readFileSync(path);
    for (const [i, start] of starts.entries()) {
      const holed = Buffer.from(bytes).fill(0, start + 3, start + FRAME + 5);
      const content = await readBytes(holed);
      expect(content).toMatchObject({ end: start, droppedBytes: bytes.length - start });
      expect(content.frames).toHaveLength(i + 1);
    }
  });

  it("is damaged where the header of a later frame says that it was synced, even when that frame is torn", async () => {
    const first = frameBytes(1, HEADER, 1, bytesOf(100));
    const second = frameBytes(2, HEADER + first.length, 1, bytesOf(100));
    const whole = Buffer.concat([headerBytes(), first, second]);
    whole[HEADER + 60]! ^= 1;
    expect((await rejectionOf(readBytes(whole.subarray(0, -60)))).details).toEqual({ file: NAME, offset: HEADER });
    // The same frame, written when nothing was synced, proves nothing.
    const unsynced = Buffer.concat([headerBytes(), first, frameBytes(2, HEADER, 1, bytesOf(100))]);
    unsynced[HEADER + 60]! ^= 1;
    expect(await readBytes(unsynced)).toMatchObject({ end: HEADER, droppedBytes: unsynced.length - HEADER });
  });

  it("is damaged wherever the frame stands that says so, also across the borders of what is read at once", async () => {
    for (let length = MiB - 2 * FRAME - 16; length <= MiB + 16; length += 8) {
      const payload = Buffer.alloc(length, 7);
      const first = Buffer.concat([frameBytes(1, HEADER, 1, bytesOf(0)), payload]);
      const next = frameBytes(2, HEADER + first.length, 1, bytesOf(9));
      const { details } = await rejectionOf(
        readBytes(Buffer.concat([headerBytes(), Buffer.alloc(first.length), next])),
      );
      expect(details, `${length} bytes`).toEqual({ file: NAME, offset: HEADER });
    }
  });

  it("whose length is absurd has a torn end there", async () => {
    const frame = Buffer.alloc(FRAME);
    const start = Buffer.concat([SALT, u64(1), u64(HEADER), u64(2 ** 40), Buffer.from([1, 0, 0, 0]), u32(0), u32(0)]);
    summed(start).copy(frame);
    const bytes = Buffer.concat([headerBytes(), frame]);
    expect(await readBytes(bytes)).toMatchObject({ frames: [], end: HEADER, droppedBytes: FRAME });
  });

  it("by frames out of order has a torn end there", async () => {
    const one = frameBytes(1, HEADER, 1, bytesOf(8));
    for (const sequence of [0, 1, 3]) {
      const bytes = Buffer.concat([headerBytes(), one, frameBytes(sequence, HEADER, 1, bytesOf(8))]);
      expect(await readBytes(bytes), `${sequence}`).toMatchObject({ end: HEADER + one.length, nextSequence: 2 });
    }
  });

  it("in its header is judged by magic, then version, then all else", async () => {
    const verdict = async (bytes: Buffer) => {
      const { code, error, message } = await rejectionOf(readBytes(bytes));
      expect(code).toBe(500);
      expect(message).toContain(NAME);
      return error;
    };
    expect(await verdict(headerBytes({ magic: "tandem-search\0\0\x01", version: FORMAT_VERSION + 1 }))).toBe(
      "storage_corrupt",
    );
    expect(await verdict(headerBytes({ version: FORMAT_VERSION + 1, kind: 9, storeId: SALT }).subarray(0, 63))).toBe(
      "storage_corrupt",
    );
    const newer = headerBytes({ version: FORMAT_VERSION + 1, kind: 9 });
    newer[60]! ^= 1;
    expect(await verdict(newer)).toBe("storage_version");
    expect(await verdict(headerBytes({ version: 0 }))).toBe("storage_version");
    expect(await verdict(headerBytes({ kind: 1 }))).toBe("storage_corrupt");
    expect(await verdict(headerBytes({ storeId: new Uint8Array(16) }))).toBe("storage_corrupt");
    expect(await readBytes(headerBytes({ firstSequence: 2 ** 40 }))).toMatchObject({ nextSequence: 2 ** 40 });
  });
});

/** The real disk, of which a test may fail operations and count them. */
class TroubledDisk implements FileSystem {
  readonly counts = { write: 0, sync: 0, truncate: 0 };
  /** Called and awaited before each operation, with its number among its kind, from 1; throws to make it fail. */
  trouble: (kind: "write" | "sync" | "truncate", nth: number) => void | Promise<void> = () => {};
  /** What was done, in order. */
  readonly done: string[] = [];
  /** How much of a failing write reaches the file. */
  share = 0.5;
  running = 0;
  mostRunning = 0;
  readonly makeFolder = nodeFileSystem.makeFolder;
  readonly holdFolder = nodeFileSystem.holdFolder;
  readonly list = nodeFileSystem.list;
  readonly rename = nodeFileSystem.rename;
  readonly remove = nodeFileSystem.remove;
  readonly syncFolder = nodeFileSystem.syncFolder;
  readonly watchFolder = nodeFileSystem.watchFolder;

  async open(where: string, mode: "read" | "change" | "create"): Promise<StorageFile | undefined> {
    const file = await nodeFileSystem.open(where, mode);
    if (file === undefined) return undefined;
    return {
      read: (into, offset) => file.read(into, offset),
      size: () => file.size(),
      isAt: (path) => file.isAt(path),
      close: async () => {
        this.done.push("close");
        await file.close();
      },
      write: async (bytes, offset) => {
        try {
          await this.trouble("write", ++this.counts.write);
        } catch (error) {
          await file.write(bytes.subarray(0, Math.ceil(bytes.byteLength * this.share)), offset);
          throw error;
        }
        await file.write(bytes, offset);
        this.done.push("write");
      },
      sync: async () => {
        this.running++;
        this.mostRunning = Math.max(this.mostRunning, this.running);
        try {
          await this.trouble("sync", ++this.counts.sync);
          await file.sync();
          this.done.push("sync");
        } finally {
          this.running--;
        }
      },
      truncate: async (length) => {
        await this.trouble("truncate", ++this.counts.truncate);
        await file.truncate(length);
        this.done.push("truncate");
      },
    };
  }
}

function failure(code: string): SearchError {
  return storageError(Object.assign(new Error(code), { code }));
}

describe("sync", () => {
  it("is shared by those who wait together", async () => {
    const disk = new TroubledDisk();
    const log = await create(disk);
    const before = disk.counts.sync;
    await Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        const end = await log.append([bytesOf(i)]);
        await log.sync();
        expect(log.syncedEnd).toBeGreaterThanOrEqual(end);
      }),
    );
    expect(disk.counts.sync - before).toBeLessThanOrEqual(2);
    await log.sync();
    expect(disk.counts.sync - before).toBeLessThanOrEqual(2);
    expect(disk.mostRunning).toBe(1);
    await log.close();
  });

  it("covers what was appended before it began, and nothing that was appended meanwhile", async () => {
    const disk = new TroubledDisk();
    const log = await create(disk);
    const before = Promise.all([log.append([bytesOf(1)]), log.append([bytesOf(2)])]);
    let meanwhile = 0;
    disk.trouble = async (kind) => {
      if (kind === "sync" && meanwhile === 0) meanwhile = await log.append([bytesOf(3)]);
    };
    await log.sync();
    const [, end] = await before;
    expect(log.syncedEnd).toBe(end);
    expect(log.end).toBe(meanwhile);
    // The batch that followed says what was synced; no mark has to.
    expect(disk.done).toEqual(["write", "sync", "write", "write", "write", "sync"]);
    await Promise.all([log.sync(), log.sync()]);
    expect(log.syncedEnd).toBe(meanwhile);
    await log.close();
  });

  it("ends before the file is closed", async () => {
    const disk = new TroubledDisk();
    const log = await create(disk);
    await log.append([bytesOf(1)]);
    disk.trouble = () => nextTurn();
    await Promise.all([log.sync(), log.close()]);
    expect(disk.done).toEqual(["write", "sync", "write", "sync", "close"]);
  });

  it("comes before and after the close frame, and when a log is opened that was not closed", async () => {
    const disk = new TroubledDisk();
    let log = await create(disk);
    await log.append([bytesOf(1)]);
    await log.closeFrame();
    await log.close();
    expect(disk.done.splice(0)).toEqual(["write", "sync", "write", "sync", "write", "sync", "close"]);
    log = await reopen(disk);
    await log.append([bytesOf(1)]);
    await log.close();
    // What was closed was synced.
    expect(disk.done.splice(0)).toEqual(["write", "close"]);
    writeFileSync(path, Buffer.concat([readFileSync(path), bytesOf(5)]));
    log = await reopen(disk);
    await log.close();
    expect(disk.done).toEqual(["truncate", "sync", "write", "close"]);
  });
});

describe("a disk that fails", () => {
  it("leaves no half-made log", async () => {
    for (const kind of ["write", "sync"]) {
      const disk = new TroubledDisk();
      disk.trouble = (what) => {
        if (what === kind) throw failure("ENOSPC");
      };
      expect((await rejectionOf(create(disk))).code).toBe(507);
      expect(await nodeFileSystem.list(folder)).toEqual([]);
    }
  });

  it.each([0, 0.5, 1])("at a write refuses that batch alone, though %s of it were written", async (share) => {
    for (const [code, error] of [
      ["ENOSPC", "storage_full"],
      ["EIO", "storage_failed"],
    ] as const) {
      const disk = new TroubledDisk();
      const log = await create(disk);
      disk.share = share;
      await log.append([bytesOf(10)]);
      const nth = disk.counts.write + 2;
      disk.trouble = (kind, at) => {
        if (kind === "write" && at === nth) throw failure(code);
      };
      const [one, two, three] = await Promise.allSettled([11, 12, 13].map((length) => log.append([bytesOf(length)])));
      expect([one!.status, two!.status, three!.status]).toEqual(["fulfilled", "rejected", "fulfilled"]);
      expect((two as PromiseRejectedResult).reason).toMatchObject({ error });
      expect(log.failed).toBeUndefined();
      await log.sync();
      expect(log.syncedEnd).toBe(log.end);
      expect(payloadsOf(await read())).toEqual([10, 11, 13].map((length) => [...bytesOf(length)]));
      await log.closeFrame();
      await log.close();
      expect(await read()).toMatchObject({ isClosed: true, droppedBytes: 0, nextSequence: 4 });
      rmSync(path);
    }
  });

  it("at a write of several MB cuts the whole batch off", async () => {
    const disk = new TroubledDisk();
    const log = await create(disk);
    const nth = disk.counts.write + 3;
    disk.trouble = (kind, at) => {
      if (kind === "write" && at === nth) throw failure("ENOSPC");
    };
    expect((await rejectionOf(log.append([bytesOf(2 * MiB), bytesOf(2 * MiB)]))).code).toBe(507);
    expect(disk.counts.write).toBe(nth);
    expect(readFileSync(path)).toHaveLength(HEADER);
    expect(log.end).toBe(HEADER);
    await log.close();
  });

  it("syncs what it cut off before it refuses, so that no refused batch comes back", async () => {
    const disk = new TroubledDisk();
    const log = await create(disk);
    disk.trouble = (kind) => {
      if (kind === "write") throw failure("EIO");
    };
    await log.append([bytesOf(3)]).catch(() => disk.done.push("refused"));
    await log.close();
    expect(disk.done).toEqual(["write", "sync", "truncate", "sync", "refused", "close"]);
  });

  it("at a write and at cutting it off fails the log, until it is opened again", async () => {
    const disk = new TroubledDisk();
    let log = await create(disk);
    await log.append([bytesOf(10)]);
    disk.trouble = (kind) => {
      if (kind !== "sync") throw failure("EIO");
    };
    const [first, second] = await Promise.allSettled([log.append([bytesOf(11)]), log.append([bytesOf(12)])]);
    expect([first!.status, second!.status]).toEqual(["rejected", "rejected"]);
    disk.trouble = () => {};
    expect(log.failed).toMatchObject({ code: 500, error: "storage_failed" });
    expect(await rejectionOf(log.append([bytesOf(13)]))).toBe(log.failed);
    // What was written before can be made safe all the same.
    await log.sync();
    expect(await rejectionOf(log.closeFrame())).toBe(log.failed);
    await log.close();
    expect((await read()).droppedBytes).toBeGreaterThan(0);
    log = await reopen(disk);
    await log.append([bytesOf(14)]);
    await log.close();
    expect(payloadsOf(await read())).toEqual([10, 14].map((length) => [...bytesOf(length)]));
  });

  it("at a sync fails the log: a later sync that succeeds would say nothing", async () => {
    const disk = new TroubledDisk();
    let log = await create(disk);
    await log.append([bytesOf(10)]);
    const nth = disk.counts.sync + 1;
    disk.trouble = (kind, at) => {
      if (kind === "sync" && at === nth) throw failure("ENOSPC");
    };
    const waiting = await Promise.allSettled([
      log.sync(),
      log.append([bytesOf(11)]).then(() => log.sync()),
      log.sync(),
    ]);
    expect(waiting.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    for (const each of waiting) expect((each as PromiseRejectedResult).reason).toBe(log.failed);
    expect(log.failed).toMatchObject({ code: 500, error: "storage_failed", cause: { code: "ENOSPC" } });
    expect(log.failed!.message).toContain("open the data folder again");
    expect(log.syncedEnd).toBe(HEADER);
    expect(await rejectionOf(log.append([bytesOf(12)]))).toBe(log.failed);
    expect(await rejectionOf(log.sync())).toBe(log.failed);
    expect(disk.counts.sync).toBe(nth);
    await log.close();
    // What the system shows and may never write is gone.
    expect((await read()).frames).toEqual([]);
    log = await reopen(disk);
    await log.append([bytesOf(13)]);
    await log.sync();
    await log.close();
    expect(payloadsOf(await read())).toEqual([[...bytesOf(13)]]);
  });

  it("at any operation, once or for ever, loses no batch that was synced and keeps none that was refused", async () => {
    for (const kind of ["write", "sync", "truncate"] as const)
      for (const forEver of [false, true])
        for (let fault = 1; fault <= 12; fault++) {
          const disk = new TroubledDisk();
          disk.trouble = (what, nth) => {
            if (what === "write" && kind === "truncate" && nth % 3 === 0) throw failure("ENOSPC");
            if (what === kind && (forEver ? nth >= fault : nth === fault)) throw failure("EIO");
          };
          const safe: number[] = [];
          const unsure: number[] = [];
          let log = await create(disk).catch(() => undefined);
          for (let i = 0; log !== undefined && i < 6; i++) {
            const hadFailed = log.failed !== undefined;
            try {
              await log.append([bytesOf(i)]);
            } catch {
              if (log.failed && !hadFailed) unsure.push(i);
              continue;
            }
            unsure.push(i);
            await log.sync().then(
              () => safe.push(unsure.pop()!),
              () => {},
            );
            if (i !== 3) continue;
            await log.closeFrame().catch(() => {});
            await log.close();
            log = await reopen(disk).catch(() => undefined);
          }
          await log?.close();
          const where = `${kind} ${fault}${forEver ? " and all later" : ""}`;
          if (!(await nodeFileSystem.list(folder))!.length) {
            expect(safe, where).toEqual([]);
            continue;
          }
          const found = (await read()).frames.map(({ payload }) => payload.length);
          expect(
            found.filter((i) => !unsure.includes(i)),
            where,
          ).toEqual(safe);
          const last = await reopen();
          await last.append([bytesOf(20)]);
          await last.close();
          expect(payloadsOf(await read()).at(-1), where).toEqual([...bytesOf(20)]);
          rmSync(path);
        }
  });
});

describe("a power cut", () => {
  /** What a caller knows of its batches, by their numbers, and what may therefore be found after a cut. */
  class Promises {
    readonly called: number[] = [];
    readonly safe = new Set<number>();
    readonly refused = new Set<number>();
    /** Refused by a log that failed, so they may be there or not. */
    readonly unsure = new Set<number>();

    expectKept(found: readonly number[]): void {
      const open = this.called.filter((n) => !this.unsure.has(n) && !this.refused.has(n));
      const certain = found.filter((n) => !this.unsure.has(n));
      expect(certain).toEqual(open.slice(0, certain.length));
      expect(found).toEqual(found.toSorted((a, b) => a - b));
      expect([...this.safe].filter((n) => !found.includes(n))).toEqual([]);
      expect(found.filter((n) => this.refused.has(n))).toEqual([]);
    }
  }

  const PATH = "/data/log-1";

  async function readOn(disk: FakeDisk): Promise<{ readonly content: LogContent; readonly numbers: number[] }> {
    const file = await disk.open(PATH, "read");
    const content = await WriteLog.read(file!, STORE, NAME);
    await file!.close();
    const numbers = content.frames.map(({ payload }) => {
      const number = Buffer.from(payload).readUInt32LE();
      const rest = Buffer.alloc(payload.length - 4, number % 251);
      if (!rest.equals(payload.subarray(4))) throw new Error(`Batch ${number} is not what was appended.`);
      return number;
    });
    return { content, numbers };
  }

  /** Recovers a copy of a disk; a second cut on the way leaves what the first one left. */
  async function expectRecovery(disk: FakeDisk, numbers: readonly number[], random: Random): Promise<void> {
    disk.onOperation = async () => {
      for (const image of disk.images(random, 3)) expect((await readOn(image)).numbers).toEqual(numbers);
    };
    const { content } = await readOn(disk);
    const log = await WriteLog.open(disk, PATH, content);
    await log.close();
    disk.onOperation = undefined;
    const { content: again, numbers: kept } = await readOn(disk);
    expect(kept).toEqual(numbers);
    expect(again).toMatchObject({ isClosed: false, droppedBytes: 0 });
  }

  property(
    "keeps each batch that was synced, none that was refused, and never seems to be damage",
    60,
    async (random) => {
      const promises = new Promises();
      let disk = new FakeDisk();
      await disk.makeFolder("/data");
      await (await WriteLog.create(disk, PATH, { storeId: STORE, firstSequence: 1 })).close();
      await disk.syncFolder("/data");
      for (let life = 0; life < 4; life++) {
        const current = disk;
        const log = await WriteLog.open(disk, PATH, (await readOn(disk)).content);
        disk.onOperation = async (kind) => {
          if (kind !== "write" && kind !== "sync" && kind !== "truncate") return;
          for (const image of current.images(random, 5)) {
            const { numbers } = await readOn(image);
            promises.expectKept(numbers);
            if (random.chance(0.1)) await expectRecovery(image, numbers, random);
          }
        };
        if (random.chance(0.5))
          disk.fail({
            kind: random.pick(["write", "sync", "truncate"]),
            after: random.between(0, 12),
            code: random.pick(["EIO", "ENOSPC"]),
            short: random.chance(0.5),
            forEver: random.chance(0.2),
          });
        const one = async () => {
          const number = promises.called.push(promises.called.length) - 1;
          const payload = Buffer.alloc(4 + random.pick([0, 1, 400, 500, 600, 3000]), number % 251);
          payload.writeUInt32LE(number);
          try {
            await log.append([payload]);
          } catch {
            (log.failed ? promises.unsure : promises.refused).add(number);
            return;
          }
          if (random.chance(0.5)) return;
          await log.sync().then(
            () => promises.safe.add(number),
            () => promises.unsure.add(number),
          );
        };
        for (let step = random.between(2, 5); step > 0; step--) await Promise.all(random.list(1, 4, one));
        if (random.chance(0.5)) await log.closeFrame().catch(() => {});
        await log.close();
        disk.onOperation = undefined;
        disk.heal();
        // The next life begins after a kill, or after a cut; what is found then counts as called, and is safe once the log is open.
        disk = random.chance(0.5) ? disk : disk.images(random, 3)[2]!;
        const { numbers } = await readOn(disk);
        promises.expectKept(numbers);
        for (const number of promises.called) promises[numbers.includes(number) ? "safe" : "refused"].add(number);
        for (const number of numbers) promises.unsure.delete(number);
      }
    },
  );
});

describe("what was appended since a log was read", () => {
  const readOn = async (before: LogContent) => {
    const file = (await nodeFileSystem.open(path, "read"))!;
    try {
      return await WriteLog.readOn(file, before, "log-1");
    } finally {
      await file.close();
    }
  };

  it("is read alone, and nothing is after a batch that another one replaced, or in another log", async () => {
    const start = headerBytes();
    const [one, two, other] = [1, 2, 3].map((byte) => Uint8Array.of(byte));
    const first = frameBytes(1, 64, 1, one!);
    writeFileSync(path, Buffer.concat([start, first]));
    const before = await read();
    expect(payloadsOf((await readOn(before))!)).toEqual([]);
    const second = frameBytes(2, 64, 1, two!);
    writeFileSync(path, Buffer.concat([start, first, second]));
    const after = (await readOn(before))!;
    expect(payloadsOf(after)).toEqual([[2]]);
    expect(after.nextSequence).toBe(3);
    writeFileSync(path, Buffer.concat([start, first, frameBytes(2, 64, 1, other!)]));
    expect(await readOn(after)).toBeUndefined();
    expect(payloadsOf((await readOn(before))!)).toEqual([[3]]);
    writeFileSync(path, Buffer.concat([start, first]));
    expect(await readOn(after)).toBeUndefined();
    const salt = Buffer.from("anothers");
    writeFileSync(path, Buffer.concat([headerBytes({}, salt), frameBytes(1, 64, 1, one!, salt)]));
    expect(await readOn(before)).toBeUndefined();
  });
});
