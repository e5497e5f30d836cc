// One index of a folder is damaged. The others work, it can be deleted and replaced as a whole, and nothing tells anything wrong.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Embedder, SearchEngine } from "../../src/index.js";
import { openFolder, TINY_SIZES } from "../support/data-folder.js";
import { FakeDisk } from "../support/fake-disk.js";
import { rejectionOf } from "../support/refusal.js";
import { seq } from "../support/seq.js";

const base = mkdtempSync(join(tmpdir(), "tandem-damaged-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const SNAPSHOT = join(base, "snapshot");
const synonyms = seq(300, (i) => ({ type: "synonym" as const, synonyms: [`word ${i}`, `other ${i}`] }));
const GOOD = [{ id: 1, title: "good lamp" }];

/** A folder with an index of which each file can be damaged, and two others, one of which shares its segments. */
async function folder(): Promise<FakeDisk> {
  const disk = new FakeDisk();
  const engine = await openFolder(disk, { sizes: TINY_SIZES });
  await engine.createIndex("bad", { embedder: false, synonyms });
  await engine.createIndex("other", { embedder: false });
  for (const name of ["bad", "other"])
    await engine.addRecords(
      name,
      seq(6, (i) => ({ id: i, title: `lamp ${i}`, filler: "-".repeat(400) })),
    );
  await engine.copyIndex("bad", "twin");
  await engine.close();
  return disk;
}

let whole: FakeDisk;
let exported: string;
beforeAll(async () => {
  whole = await folder();
  const engine = await openFolder(whole);
  const good = await openFolder(new FakeDisk());
  await good.createIndex("good", { embedder: false });
  await good.addRecords("good", GOOD);
  await good.writeSnapshot("good", SNAPSHOT);
  exported = "";
  for await (const piece of good.exportIndex("good")) exported += piece;
  await good.close();
  await engine.close();
});

const fileOf = (disk: FakeDisk, kind: string): string =>
  [...disk.files("/data").keys()].filter((path) => path.includes(`/${kind}-`)).sort()[0]!;

const DAMAGES: Readonly<Record<string, (disk: FakeDisk) => string>> = {
  "a segment is missing": (disk) => {
    const path = fileOf(disk, "segment");
    disk.lose(path);
    return path;
  },
  "a segment is damaged": (disk) => {
    const path = fileOf(disk, "segment");
    disk.flipBit(path, 70, 3);
    return path;
  },
  "a segment is empty": (disk) => {
    const path = fileOf(disk, "segment");
    disk.cut(path, 0);
    return path;
  },
};

const CORRUPT = { code: 500, error: "storage_corrupt" };

const REPLACEMENTS: Readonly<Record<string, (engine: SearchEngine) => Promise<unknown>>> = {
  readSnapshot: (engine) => engine.readSnapshot("bad", SNAPSHOT, { ifExists: "replace" }),
  "readSnapshot of bytes": (engine) => engine.readSnapshot("bad", readFileSync(SNAPSHOT), { ifExists: "replace" }),
  importIndex: (engine) => engine.importIndex("bad", exported, { ifExists: "replace" }),
  replaceAllRecords: (engine) => engine.replaceAllRecords("bad", GOOD),
  "clearIndex, then addRecords": async (engine) => {
    await engine.clearIndex("bad");
    await engine.addRecords("bad", GOOD);
  },
  copyIndex: async (engine) => {
    await engine.createIndex("good", { embedder: false });
    await engine.addRecords("good", GOOD);
    await engine.copyIndex("good", "bad");
  },
  moveIndex: async (engine) => {
    await engine.createIndex("good", { embedder: false });
    await engine.addRecords("good", GOOD);
    await engine.moveIndex("good", "bad");
  },
  "deleteIndex, then createIndex": async (engine) => {
    await engine.deleteIndex("bad");
    await engine.createIndex("bad", { embedder: false });
    await engine.addRecords("bad", GOOD);
  },
};

describe.each(Object.entries(DAMAGES))("an index of which %s", (what, damage) => {
  it("is refused, by the name of the file, and the others work", async () => {
    for (const readOnly of [false, true]) {
      const disk = whole.copy();
      const file = damage(disk).slice("/data/".length);
      const engine = await openFolder(disk, { readOnly });
      expect((await engine.query("other", { query: "lamp" })).data.nbHits).toBe(6);
      const reads = [
        () => engine.query("bad", { query: "lamp" }),
        () => engine.digest("bad"),
        () => engine.getRecords("bad", [1]),
        () => engine.writeSnapshot("bad", join(base, "none")),
        () =>
          engine
            .exportIndex("bad")
            .next()
            .then(() => engine.digest("bad")),
      ];
      for (const read of reads) expect(await rejectionOf(read())).toMatchObject({ ...CORRUPT, details: { file } });
      if (what.includes("missing"))
        expect(engine.recovery()).toEqual({
          recovered: false,
          droppedBytes: 0,
          damagedIndexes: [
            { indexName: "bad", file },
            { indexName: "twin", file },
          ],
        });
      const { ok, problems } = await engine.checkStorage();
      expect([ok, problems.map((problem) => problem.file)]).toEqual([false, [file]]);
      if (!readOnly) {
        expect(await rejectionOf(engine.addRecords("bad", GOOD))).toMatchObject(CORRUPT);
        expect(await rejectionOf(engine.updateRecords("bad", GOOD))).toMatchObject(CORRUPT);
        expect(await rejectionOf(engine.deleteRecords("bad", [1]))).toMatchObject(CORRUPT);
        expect(await rejectionOf(engine.copyIndex("bad", "c"))).toMatchObject(CORRUPT);
        await engine.addRecords("other", [{ id: "more", title: "lamp" }]);
      }
      await engine.close();
      expect(disk.openFiles).toBe(0);
    }
  });

  it.each(Object.entries(REPLACEMENTS))("is mended by %s", async (_, replace) => {
    const disk = whole.copy();
    damage(disk);
    let engine = await openFolder(disk);
    await replace(engine);
    for (let opening = 0; opening < 3; opening++) {
      expect((await engine.query("bad", { query: "lamp" })).data.hits.map(({ source }) => source)).toEqual(GOOD);
      expect((await engine.listIndexes()).find(({ name }) => name === "bad")?.records).toBe(1);
      if (opening === 1) await engine.deleteIndex("twin");
      await engine.close();
      engine = await openFolder(disk);
    }
    expect(engine.recovery()).toEqual({ recovered: false, droppedBytes: 0 });
    expect(await engine.checkStorage()).toEqual({ ok: true, problems: [] });
    expect((await engine.query("other", { query: "lamp" })).data.nbHits).toBe(6);
    await engine.close();
  });
});

describe("an index whose settings cannot be read", () => {
  it.each(["missing", "damaged"])("can be deleted or replaced; the others work (%s)", async (how) => {
    for (const replace of [REPLACEMENTS.importIndex!, REPLACEMENTS.readSnapshot!, REPLACEMENTS.copyIndex!]) {
      const disk = whole.copy();
      const path = fileOf(disk, "settings");
      if (how === "missing") disk.lose(path);
      else disk.flipBit(path, 100, 2);
      const file = path.slice("/data/".length);
      let engine = await openFolder(disk);
      expect(engine.recovery().damagedIndexes).toEqual([{ indexName: "bad", file }]);
      for (const refused of [
        () => engine.query("bad", { query: "lamp" }),
        () => engine.getSettings("bad"),
        () => engine.digest("bad"),
        () => engine.addRecords("bad", GOOD),
        () => engine.clearIndex("bad"),
        () => engine.replaceAllRecords("bad", GOOD),
        () => engine.updateSettings("bad", { typoTolerance: false }),
        () => engine.copyIndex("bad", "c"),
      ])
        expect(await rejectionOf(refused())).toMatchObject({ ...CORRUPT, details: { file } });
      expect((await engine.query("twin", { query: "other 7 lamp", matching: "any" })).data.nbHits).toBe(6);
      expect((await engine.checkStorage()).problems.map((problem) => problem.file)).toEqual([file]);
      await engine.close();
      engine = await openFolder(disk);
      await replace(engine);
      await engine.close();
      engine = await openFolder(disk);
      expect(engine.recovery()).toEqual({ recovered: false, droppedBytes: 0 });
      expect((await engine.query("bad", { query: "lamp" })).data.nbHits).toBe(1);
      await engine.close();
    }
  });
});

describe("a replacement of all records", () => {
  /** An embedder of ours that counts the texts that it is asked for. */
  const counting = (): Embedder & { asked: number } => {
    const embedder = {
      ...{ id: "counting", dimensions: 2, asked: 0 },
      embed: async (texts: readonly string[]) => {
        embedder.asked += texts.length;
        return texts.map(() => [1, 0]);
      },
    };
    return embedder;
  };

  it("keeps the vectors of unchanged texts where they can be read, and asks for them again where not", async () => {
    const records = seq(5, (i) => ({ id: i, title: `lamp ${i}`, filler: "-".repeat(300) }));
    const disk = new FakeDisk();
    let engine = await openFolder(disk, { embedder: counting(), sizes: TINY_SIZES });
    await engine.createIndex("a");
    await engine.addRecords("a", records);
    await engine.close();
    for (const isDamaged of [false, true]) {
      const copy = disk.copy();
      if (isDamaged) copy.lose(fileOf(copy, "segment"));
      const embedder = counting();
      engine = await openFolder(copy, { embedder });
      await engine.replaceAllRecords("a", records);
      expect(embedder.asked).toBe(isDamaged ? records.length : 0);
      expect((await engine.query("a", { query: "lamp" })).data.nbHits).toBe(5);
      await engine.close();
    }
  });

  it("reads no segment where nothing of it is needed", async () => {
    const disk = whole.copy();
    const engine = await openFolder(disk);
    let reads = 0;
    disk.onOperation = (kind, path) => void (kind === "open" && path.includes("segment-") && reads++);
    await engine.clearIndex("bad");
    await engine.replaceAllRecords("other", GOOD);
    await engine.importIndex("twin", exported, { ifExists: "replace" });
    expect(reads).toBe(0);
    await engine.close();
  });
});
