// The log of a data folder: what was appended is read again, and whatever happens to the file is told as a torn end or as damage. The
// bytes of the format are made here by hand.

import { describe, expect, it } from "vitest";
import { FORMAT_VERSION } from "../../src/storage/sections.js";
import { type LogContent, WriteLog } from "../../src/storage/write-log.js";
import { nextTurn } from "../../src/util/tasks.js";
import { FakeDisk } from "../support/fake-disk.js";
import { property, type Random } from "../support/random.js";
import { rejectionOf } from "../support/refusal.js";

const STORE = Uint8Array.from({ length: 16 }, (_, i) => 200 + i);
const HEADER = 64;
const FRAME = 48;
const NAME = "log-1";
const PATH = `/${NAME}`;
const MiB = 1 << 20;

const create = (disk: FakeDisk, firstSequence = 1) => WriteLog.create(disk, PATH, { storeId: STORE, firstSequence });
const bytesOn = (disk: FakeDisk) => Buffer.from(disk.files().get(PATH)!);

/** What a log holds; or what was appended to it since it held what is given. */
async function read(disk: FakeDisk): Promise<LogContent>;
async function read(disk: FakeDisk, before: LogContent): Promise<LogContent | undefined>;
async function read(disk: FakeDisk, before?: LogContent): Promise<LogContent | undefined> {
  const file = (await disk.open(PATH, "read"))!;
  try {
    return await (before === undefined ? WriteLog.read(file, STORE, NAME) : WriteLog.readOn(file, before, NAME));
  } finally {
    await file.close();
  }
}

function diskWith(...bytes: readonly Uint8Array[]): FakeDisk {
  const disk = new FakeDisk();
  disk.put(PATH, Buffer.concat(bytes));
  return disk;
}

const readBytes = (...bytes: readonly Uint8Array[]) => read(diskWith(...bytes));

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
  const disk = new FakeDisk();
  const log = await create(disk);
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
  return { bytes: bytesOn(disk), starts };
}

describe("what is appended", () => {
  it("is laid out as the format says", async () => {
    const disk = new FakeDisk();
    const log = await create(disk, 7);
    await log.append([bytesOf(5)]);
    const first = log.end;
    await log.append([bytesOf(16)]);
    await log.sync();
    const second = log.end;
    await log.append([]);
    const third = log.end;
    await log.closeFrame();
    await log.close();
    const bytes = bytesOn(disk);
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
    const disk = new FakeDisk();
    const log = await create(disk);
    const large = bytesOf(5 * MiB + 13);
    await log.append([bytesOf(3), large, bytesOf(2)]);
    const many = Array.from({ length: 30_000 }, (_, i) => bytesOf(i % 101));
    await log.append(many);
    await log.append([bytesOf(9)]);
    await log.close();
    const [first, second, third] = (await read(disk)).frames;
    expect(Buffer.compare(first!.payload, Buffer.concat([bytesOf(3), large, bytesOf(2)]))).toBe(0);
    expect(Buffer.compare(second!.payload, Buffer.concat(many))).toBe(0);
    expect([...third!.payload]).toEqual([...bytesOf(9)]);
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
    const disk = new FakeDisk();
    const log = await create(disk);
    await log.sync();
    expect(bytesOn(disk)).toHaveLength(HEADER);
    await log.append([bytesOf(10)]);
    await log.sync();
    expect(bytesOn(disk)).toHaveLength(log.end);
    // The mark is written after the sync; the length of the file tells when.
    const marked = async () => {
      await log.sync();
      while (bytesOn(disk).length === log.end) await nextTurn();
    };
    await Promise.all([0, 1, 2, 3, 4].map((length) => log.append([bytesOf(length)])));
    await marked();
    disk.fail({ kind: "write", code: "ENOSPC", short: true });
    expect((await rejectionOf(log.append([bytesOf(9)]))).code).toBe(507);
    expect(bytesOn(disk)).toHaveLength(log.end);
    await marked();
    await log.close();
    const bytes = bytesOn(disk);
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

  it.each([true, false])("behind its end has a torn end, which opening cuts off (closed: %s)", async (isClosed) => {
    const { bytes } = await smallLog(isClosed);
    const end = isClosed ? bytes.length - FRAME : bytes.length;
    const hole = Buffer.concat([Buffer.alloc(88), frameBytes(9, bytes.length, 1, bytesOf(40), bytes.subarray(40, 48))]);
    for (const tail of [Buffer.from([7]), Buffer.alloc(4096), frameBytes(8, HEADER, 1, bytesOf(10)), hole]) {
      const disk = diskWith(bytes, tail);
      expect(await read(disk)).toMatchObject({ end, isClosed, droppedBytes: tail.length });
      await (await WriteLog.open(disk, PATH, await read(disk))).close();
      expect(await read(disk)).toMatchObject({ isClosed: false, droppedBytes: 0 });
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
      const { details } = await rejectionOf(readBytes(headerBytes(), Buffer.alloc(first.length), next));
      expect(details, `${length} bytes`).toEqual({ file: NAME, offset: HEADER });
    }
  });

  it("whose length is absurd has a torn end there", async () => {
    const frame = Buffer.alloc(FRAME);
    const start = Buffer.concat([SALT, u64(1), u64(HEADER), u64(2 ** 40), Buffer.from([1, 0, 0, 0]), u32(0), u32(0)]);
    summed(start).copy(frame);
    expect(await readBytes(headerBytes(), frame)).toMatchObject({ frames: [], end: HEADER, droppedBytes: FRAME });
  });

  it("in its header is judged by magic, then version, then all else", async () => {
    const version = FORMAT_VERSION + 1;
    const newer = headerBytes({ version, kind: 9 });
    newer[60]! ^= 1;
    const wrong: readonly (readonly [string, Buffer])[] = [
      ["storage_corrupt", headerBytes({ magic: "tandem-search\0\0\x01", version })],
      ["storage_corrupt", headerBytes({ version, kind: 9, storeId: SALT }).subarray(0, 63)],
      ["storage_version", newer],
      ["storage_version", headerBytes({ version: 0 })],
      ["storage_corrupt", headerBytes({ kind: 1 })],
      ["storage_corrupt", headerBytes({ storeId: new Uint8Array(16) })],
    ];
    for (const [i, [error, bytes]] of wrong.entries()) {
      const refusal = await rejectionOf(readBytes(bytes));
      expect(refusal, `header ${i}`).toMatchObject({ code: 500, error, message: expect.stringContaining(NAME) });
    }
    expect(await readBytes(headerBytes({ firstSequence: 2 ** 40 }))).toMatchObject({ nextSequence: 2 ** 40 });
  });
});

it("a sync covers what was appended before it began, and nothing that was appended meanwhile", async () => {
  const disk = new FakeDisk();
  const log = await create(disk);
  const before = Promise.all([log.append([bytesOf(1)]), log.append([bytesOf(2)])]);
  let meanwhile = 0;
  const done: string[] = [];
  disk.onOperation = async (kind) => {
    if (kind === "sync" && meanwhile === 0) meanwhile = await log.append([bytesOf(3)]);
    done.push(kind);
  };
  await log.sync();
  const [, end] = await before;
  expect(log.syncedEnd).toBe(end);
  expect(log.end).toBe(meanwhile);
  // The batch that followed says what was synced; no mark has to.
  expect(done).toEqual(["write", "write", "write", "sync"]);
  await Promise.all([log.sync(), log.sync()]);
  expect(log.syncedEnd).toBe(meanwhile);
  await log.close();
});

it("a sync that fails ends the log: a later sync that succeeds would say nothing", async () => {
  const disk = new FakeDisk();
  let log = await create(disk);
  await log.append([bytesOf(10)]);
  const before = disk.count("sync");
  disk.fail({ kind: "sync", code: "ENOSPC" });
  const waiting = await Promise.allSettled([log.sync(), log.append([bytesOf(11)]).then(() => log.sync()), log.sync()]);
  expect(waiting.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  for (const each of waiting) expect((each as PromiseRejectedResult).reason).toBe(log.failed);
  expect(log.failed).toMatchObject({ code: 500, error: "storage_failed", cause: { code: "ENOSPC" } });
  expect(log.failed!.message).toContain("open the data folder again");
  expect(log.syncedEnd).toBe(HEADER);
  for (const call of [log.append([bytesOf(12)]), log.sync()]) expect(await rejectionOf(call)).toBe(log.failed);
  expect(disk.count("sync")).toBe(before + 1);
  await log.close();
  // What the system shows and may never write is gone.
  expect((await read(disk)).frames).toEqual([]);
  log = await WriteLog.open(disk, PATH, await read(disk));
  await log.append([bytesOf(13)]);
  await log.sync();
  await log.close();
  expect(payloadsOf(await read(disk))).toEqual([[...bytesOf(13)]]);
});

it("a log syncs what it cut off before it refuses, so that no refused batch comes back", async () => {
  const disk = new FakeDisk();
  const log = await create(disk);
  const done: string[] = [];
  disk.onOperation = (kind) => void done.push(kind);
  disk.fail({ kind: "write", code: "EIO" });
  await log.append([bytesOf(3)]).catch(() => done.push("refused"));
  await log.close();
  expect(done).toEqual(["write", "truncate", "sync", "refused", "close"]);
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

  async function readOn(disk: FakeDisk): Promise<{ readonly content: LogContent; readonly numbers: number[] }> {
    const content = await read(disk);
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
      await (await create(disk)).close();
      await disk.syncFolder("/");
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
  it("is read alone, and nothing is after a batch that another one replaced, or in another log", async () => {
    const start = headerBytes();
    const [one, two, other] = [1, 2, 3].map((byte) => Uint8Array.of(byte));
    const first = frameBytes(1, 64, 1, one!);
    const before = await readBytes(start, first);
    const readOn = (since: LogContent, ...bytes: readonly Buffer[]) => read(diskWith(...bytes), since);
    expect(payloadsOf((await readOn(before, start, first))!)).toEqual([]);
    const after = (await readOn(before, start, first, frameBytes(2, 64, 1, two!)))!;
    expect([payloadsOf(after), after.nextSequence]).toEqual([[[2]], 3]);
    const replaced = [start, first, frameBytes(2, 64, 1, other!)];
    expect(await readOn(after, ...replaced)).toBeUndefined();
    expect(payloadsOf((await readOn(before, ...replaced))!)).toEqual([[3]]);
    expect(await readOn(after, start, first)).toBeUndefined();
    const salt = Buffer.from("anothers");
    expect(await readOn(before, headerBytes({}, salt), frameBytes(1, 64, 1, one!, salt))).toBeUndefined();
  });
});
