// A log that was cut, or replaced by an older copy, is told from one whose end was torn: the file "watermark" says up to where it was safe.

import { basename } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { SearchError } from "../../src/index.js";
import { asText, contentOf, openFolder } from "../support/data-folder.js";
import { FakeDisk } from "../support/fake-disk.js";
import { rejectionOf } from "../support/refusal.js";
import { FAST } from "../support/size.js";

const LOG = "/data/log-1";
const WATERMARK = "/data/watermark";
const RECORDS = 10;

/** A folder with ten records, each of a call of its own, and what its log and its content were after each call. */
async function folder(options: { readonly durability?: "sync" | "interval" } = {}) {
  const disk = new FakeDisk();
  const engine = await openFolder(disk, options);
  await engine.createIndex("a", { embedder: false });
  const contents = [asText(await contentOf(engine))];
  const lengths = [disk.files("/data").get(LOG)!.length];
  for (let id = 0; id < RECORDS; id++) {
    await engine.addRecords("a", [{ id, title: `lamp ${id}` }]);
    contents.push(asText(await contentOf(engine)));
    lengths.push(disk.files("/data").get(LOG)!.length);
  }
  return { disk, engine, contents, lengths };
}

/** What opening says: the number of the records, or the error with the file that it blames. */
async function opened(disk: FakeDisk, readOnly = false): Promise<unknown> {
  try {
    const engine = await openFolder(disk, { readOnly });
    const records = (await engine.listIndexes())[0]?.records ?? 0;
    const { recovered } = engine.recovery();
    await engine.close();
    return [records, recovered];
  } catch (error) {
    if (!(error instanceof SearchError)) throw error;
    expect(disk.openFiles).toBe(0);
    return [error.error, error.details?.file];
  }
}

const CUT = ["storage_corrupt", "log-1"];

describe("the log of a folder that was closed", () => {
  let disk: FakeDisk;
  let end: number;
  beforeAll(async () => {
    const made = await folder();
    await made.engine.close();
    disk = made.disk;
    end = made.lengths.at(-1)!;
  });

  it("is refused at each length at which it misses a change, and lacks nothing without its last frame", async () => {
    const { length } = disk.files("/data").get(LOG)!;
    expect(length).toBeGreaterThan(end);
    for (let cut = 0; cut < length; cut += FAST ? 40 : 1)
      for (const readOnly of [false, true]) {
        const copy = disk.copy();
        copy.cut(LOG, cut);
        expect([cut, await opened(copy, readOnly)]).toEqual([cut, cut < end ? CUT : [RECORDS, true]]);
      }
  });

  it("is refused when it is an older copy of itself", async () => {
    const made = await folder();
    const older = made.disk.files("/data").get(LOG)!;
    await made.engine.addRecords("a", [{ id: "later", title: "lamp" }]);
    await made.engine.close();
    made.disk.put(LOG, older);
    expect(await opened(made.disk)).toEqual(CUT);
  });
});

describe("the log of a folder that was killed", () => {
  it.each([
    "sync",
    "interval",
  ] as const)("is refused where it misses what was there at a flush (%s)", async (durability) => {
    const { disk, engine, lengths, contents } = await folder({ durability });
    await engine.flush();
    const flushed = lengths.at(-1)!;
    await engine.addRecords("a", [{ id: "later", title: "lamp" }]);
    const killed = disk.copy();
    await engine.close();
    const { length } = killed.files("/data").get(LOG)!;
    for (let cut = 64; cut < length; cut += 40) {
      const copy = killed.copy();
      copy.cut(LOG, cut);
      expect([cut, await opened(copy)]).toEqual([cut, cut < flushed ? CUT : [RECORDS, true]]);
    }
    expect(contents.length).toBe(RECORDS + 1);
  });

  it("is refused where it misses what was there when it was opened", async () => {
    const { disk, engine, lengths } = await folder();
    await engine.close();
    const again = await openFolder(disk);
    await again.addRecords("a", [{ id: "later", title: "lamp" }]);
    const killed = disk.copy();
    await again.close();
    killed.cut(LOG, lengths[5]!);
    expect(await opened(killed)).toEqual(CUT);
  });

  it("is refused where it misses much, though nobody flushed", async () => {
    const disk = new FakeDisk();
    const engine = await openFolder(disk);
    await engine.createIndex("a", { embedder: false });
    const early = disk.files("/data").get(LOG)!.length;
    for (let id = 0; id < 8; id++) await engine.addRecords("a", [{ id, title: "lamp", filler: "-".repeat(90_000) }]);
    const killed = disk.copy();
    await engine.close();
    killed.cut(LOG, early);
    expect(await opened(killed)).toEqual(CUT);
  });
});

describe("the watermark", () => {
  it("says nothing of a log that has taken the place of another", async () => {
    const { disk, engine } = await folder();
    for (let i = 0; i < 8; i++) await engine.addRecords("a", [{ id: "big", filler: `${i}${"-".repeat(99_000)}` }]);
    for (let i = 0; i < 8; i++) await engine.addRecords("a", [{ id: "big", filler: `${i}${"-".repeat(99_000)}` }]);
    await engine.close();
    expect([...disk.files("/data").keys()].map((path) => basename(path))).not.toContain("log-1");
    expect(await opened(disk)).toEqual([RECORDS + 1, false]);
  });

  it("is made anew, and is told of, when it is missing or damaged; answers are the same", async () => {
    const { disk, engine } = await folder();
    await engine.close();
    const { length } = disk.files("/data").get(WATERMARK)!;
    const damages: readonly ((copy: FakeDisk) => void)[] = [
      (copy) => copy.lose(WATERMARK),
      (copy) => copy.cut(WATERMARK, 0),
      (copy) => copy.cut(WATERMARK, length - 1),
      (copy) => copy.flipBit(WATERMARK, 50, 1),
      (copy) => copy.flipBit(WATERMARK, length - 20, 6),
      (copy) => copy.put(WATERMARK, new Uint8Array(3)),
      // Torn after the first bytes of a slot, or of both.
      (copy) => copy.put(WATERMARK, copy.files("/data").get(WATERMARK)!.fill(0, 16, 64)),
      (copy) => copy.put(WATERMARK, copy.files("/data").get(WATERMARK)!.fill(7, 10, 17).fill(0xff, 528)),
    ];
    for (const damage of damages) {
      const copy = disk.copy();
      damage(copy);
      expect(await opened(copy)).toEqual([RECORDS, false]);
      expect(copy.files("/data").get(WATERMARK)!.length).toBe(length);
      const again = await openFolder(copy);
      expect(await again.checkStorage()).toEqual({ ok: true, problems: [] });
      copy.flipBit(WATERMARK, 50, 1);
      expect((await again.checkStorage()).problems).toMatchObject([{ file: "watermark" }]);
      copy.lose(WATERMARK);
      expect((await again.checkStorage()).problems).toMatchObject([{ file: "watermark" }]);
      await again.close();
    }
  });

  it("of another store says nothing, and what is no file is refused", async () => {
    const [one, other] = [await folder(), await folder()];
    await one.engine.close();
    await other.engine.addRecords("a", [{ id: "more", title: "lamp" }]);
    await other.engine.close();
    one.disk.put(WATERMARK, other.disk.files("/data").get(WATERMARK)!);
    expect(await opened(one.disk)).toEqual([RECORDS, false]);
    one.disk.lose(WATERMARK);
    await one.disk.makeFolder(WATERMARK);
    expect(await rejectionOf(openFolder(one.disk))).toMatchObject({ error: "storage_failed" });
  });

  it("leaves a folder as it was that was only opened and closed", async () => {
    const { disk, engine } = await folder();
    await engine.close();
    const before = disk.files("/data");
    for (let i = 0; i < 3; i++) await (await openFolder(disk)).close();
    expect(disk.files("/data")).toEqual(before);
  });
});
