// What a data folder takes, however it is used: few files after many openings, little memory after many writes, few open files, and
// small manifests.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SnapshotProgress } from "../../src/index.js";
import { OpenFiles } from "../../src/storage/open-files.js";
import { asText, contentOf, openFolder, openMemory, TINY_SIZES } from "../support/data-folder.js";
import { FakeDisk } from "../support/fake-disk.js";
import { buffersInUse } from "../support/heap.js";
import { rejectionOf } from "../support/refusal.js";
import { seq } from "../support/seq.js";
import { FAST } from "../support/size.js";
import { ROOT } from "../support/source-tree.js";
import { tempPaths } from "../support/temp-folder.js";

const pathOf = tempPaths();
/** As many segments as merging leaves: seven of each size class, and some. */
const FEW = 24;

const segmentsIn = (disk: FakeDisk): string[] =>
  [...disk.files("/data").keys()].filter((path) => /segment-/.test(path));

describe("a folder that is opened for one write each time", () => {
  const WAYS = ["idle, then closed", "closed at once", "killed when idle", "killed at once"] as const;

  it.each(WAYS)("has few segments in the end: %s", async (way) => {
    let disk = new FakeDisk();
    const twin = openMemory();
    await twin.createIndex("jobs", { embedder: false });
    const openings = FAST ? 36 : 150;
    for (let i = 0; i < openings; i++) {
      // So small that each segment has a file after the next checkpoint.
      const engine = await openFolder(disk, { sizes: { ...TINY_SIZES, inlineBytes: 1 } });
      const index = await engine.createIndex("jobs", { embedder: false }, { ifExists: "open" });
      const record = { id: i, title: `nightly job ${i}` };
      await index.addRecords([record]);
      await twin.addRecords("jobs", [record]);
      if (way.includes("idle")) await index.whenIdle();
      if (way.includes("closed")) await engine.close();
      else {
        const killed = disk.copy();
        await engine.close();
        disk = killed;
      }
    }
    const engine = await openFolder(disk);
    expect(asText(await contentOf(engine))).toBe(asText(await contentOf(twin)));
    await engine.close();
    // Who is killed at once never has the time to merge, but the next one does.
    if (way !== "killed at once") expect(segmentsIn(disk).length).toBeLessThanOrEqual(FEW);
    await twin.close();
  });
});

describe("segments that nothing needs any more", () => {
  it("leave the memory when they are replaced", { timeout: 300_000 }, () => {
    const count = FAST ? 600 : 10_000;
    const program = `
      import { SearchEngine } from ${JSON.stringify(join(ROOT, "dist/index.js"))};
      const engine = await SearchEngine.open({ dataDir: ${JSON.stringify(pathOf())}, durability: "interval", embedder: false });
      const index = await engine.createIndex("a");
      const heap = async () => { await index.whenIdle(); gc(); await new Promise(setImmediate); gc(); return process.memoryUsage().heapUsed; };
      // What the first writes leave is compiled code, which does not grow.
      for (let i = 0; i < 600; i++) await index.addRecords([{ id: 1, title: "claw hammer", price: i }]);
      const before = await heap();
      for (let i = 0; i < ${count}; i++) await index.addRecords([{ id: 1, title: "claw hammer", price: i }]);
      console.log((await heap()) - before);
      await engine.close();`;
    const flags = ["--expose-gc", "--no-warnings", "--input-type=module", "--eval", program];
    const grown = Number(execFileSync(process.execPath, flags, { encoding: "utf8" }));
    // It was 9 kB for each.
    expect(grown / count).toBeLessThan(1000);
  });

  it("leave the memory as a snapshot is written: it reads each with no more held than one segment takes", async () => {
    const disk = new FakeDisk();
    const engine = await openFolder(disk, { embedder: false });
    await engine.createIndex("a", { searchableAttributes: ["title"], attributesForFaceting: ["notes"] });
    // Two segments of 8,000 long notes, of which each snapshot has all texts twice: in the records, and in their column.
    const shelf = (id: number, notes: number) => ({
      id,
      notes: seq(notes, (i) => `${id} ${i} ${"steel ".repeat(80)}`),
    });
    for (const ids of [seq(400, (id) => shelf(id, 20)), seq(80, (i) => shelf(400 + i, 100))])
      await engine.addRecords("a", ids);
    await engine.index("a").whenIdle();
    const before = buffersInUse();
    const held: number[] = [];
    disk.onOperation = () => void held.push(buffersInUse() - before);
    const written: number[] = [];
    const onProgress = ({ done }: SnapshotProgress) => void written.push(done);
    const { bytes } = await engine.writeSnapshot("a", pathOf(), { onProgress });
    expect(written).toEqual([400, 480]);
    expect(held.length).toBeGreaterThan(2);
    expect(Math.max(...held)).toBeLessThan((1.25 * bytes) / 2);
    await engine.close();
  });
});

describe("a writer", () => {
  it("opens no segment before it is asked, and at most so many at a time", { timeout: 300_000 }, async () => {
    const disk = new FakeDisk();
    const names = seq(220, (i) => `i${i}`);
    const first = await openFolder(disk, { sizes: TINY_SIZES });
    for (const name of names) {
      await first.createIndex(name, { embedder: false });
      await first.addRecords(name, [{ id: 1, title: `lamp ${name}`, filler: "-".repeat(1000) }]);
    }
    await first.close();
    expect(segmentsIn(disk).length).toBe(names.length);
    const engine = await openFolder(disk);
    const atRest = disk.openFiles;
    expect(atRest).toBeLessThan(10);
    let most = 0;
    disk.onOperation = () => {
      most = Math.max(most, disk.openFiles);
    };
    for (const names_ of [names, [...names].reverse()])
      await Promise.all(
        names_.map(async (name) => {
          const { data } = await engine.query(name, { query: "lamp" });
          expect(data.hits[0]?.source).toMatchObject({ title: `lamp ${name}` });
        }),
      );
    expect(most - atRest).toBeLessThanOrEqual(200);
    expect(disk.openFiles - atRest).toBeGreaterThan(100);
    await engine.close();
    expect(disk.openFiles).toBe(0);
  });

  it("lets an older state be read to its end though its files were closed and are not needed any more", async () => {
    const disk = new FakeDisk();
    const files = new OpenFiles({ openToRead: async (name) => (await disk.open(`/data/${name}`, "read"))! }, 4);
    await disk.makeFolder("/data");
    for (let i = 0; i < 12; i++) disk.put(`/data/f${i}`, new Uint8Array([i]));
    const stored = seq(12, (i) => files.file(`f${i}`));
    const byteOf = async (i: number): Promise<number> => {
      const byte = new Uint8Array(1);
      await stored[i]!.read(byte, 0);
      return byte[0]!;
    };
    expect(await Promise.all(seq(12, byteOf))).toEqual(seq(12, (i) => i));
    expect(disk.openFiles).toBe(4);
    // Two may stay open without a name; for the others, the name has to stay.
    expect([await files.keep("f0"), await files.keep("f1"), await files.keep("f2")]).toEqual([true, true, false]);
    disk.lose("/data/f0");
    disk.lose("/data/f1");
    for (let round = 0; round < 3; round++) expect(await Promise.all(seq(12, byteOf))).toEqual(seq(12, (i) => i));
    expect(disk.openFiles).toBe(4);
    await stored[0]!.close();
    expect(await files.keep("f2")).toBe(true);
    await files.close();
    expect(disk.openFiles).toBe(0);
    expect(await rejectionOf(byteOf(3))).toMatchObject({ code: 503, error: "closed" });
  });

  it("closes other files where the process may open no more", async () => {
    const disk = new FakeDisk();
    await disk.makeFolder("/data");
    for (let i = 0; i < 6; i++) disk.put(`/data/f${i}`, new Uint8Array([i]));
    const files = new OpenFiles({ openToRead: async (name) => (await disk.open(`/data/${name}`, "read"))! }, 200);
    const stored = seq(6, (i) => files.file(`f${i}`));
    for (const file of stored.slice(0, 5)) await file.size();
    disk.fail({ kind: "open", code: "EMFILE" });
    expect(await stored[5]!.size()).toBe(1);
    expect(disk.openFiles).toBe(5);
    await files.close();
  });
});

describe("a reader", () => {
  it("names the limit where it may not open all files", async () => {
    const disk = new FakeDisk();
    const engine = await openFolder(disk, { sizes: TINY_SIZES });
    for (const name of seq(20, (i) => `i${i}`)) {
      await engine.createIndex(name, { embedder: false });
      await engine.addRecords(name, [{ id: 1, title: "lamp", filler: "-".repeat(1500) }]);
    }
    await engine.close();
    let opened = 0;
    disk.onOperation = (kind, path) => {
      if (kind === "open" && path.includes("segment-") && ++opened > 10) disk.fail({ kind: "open", code: "EMFILE" });
    };
    const refusal = await rejectionOf(openFolder(disk, { readOnly: true }));
    expect(refusal).toMatchObject({ code: 500, error: "storage_failed" });
    expect(refusal.msg).toMatch(/20 files.*ulimit -n/);
    expect(disk.openFiles).toBe(0);
  });
});

describe("large settings", () => {
  const synonyms = (count: number) =>
    seq(count, (i) => ({ type: "synonym" as const, synonyms: [`word ${i}`, `other ${i}`] }));

  it("are in a file of their own, not in each manifest, and are there again", async () => {
    const disk = new FakeDisk();
    const twin = openMemory();
    let engine = await openFolder(disk, { sizes: TINY_SIZES });
    for (const name of ["a", "b"])
      for (const each of [engine, twin]) await each.createIndex(name, { embedder: false, synonyms: synonyms(3000) });
    for (const each of [engine, twin]) {
      await each.updateSettings("a", { synonyms: synonyms(2000) });
      await each.copyIndex("a", "c");
      await each.updateSettings("b", { synonyms: synonyms(1) });
      await each.deleteIndex("b");
    }
    for (let i = 0; i < 30; i++)
      for (const each of [engine, twin])
        await each.addRecords("a", [{ id: i, title: `word ${i}`, filler: "-".repeat(600) }]);
    await engine.close();
    const sizes = new Map([...disk.files("/data")].map(([path, bytes]) => [path, bytes.length]));
    expect(sizes.get("/data/manifest")).toBeLessThan(10_000);
    expect([...sizes.keys()].filter((path) => path.includes("/settings-")).length).toBe(2);
    for (const readOnly of [false, true]) {
      engine = await openFolder(disk, { readOnly });
      expect(asText(await contentOf(engine))).toBe(asText(await contentOf(twin)));
      expect(await engine.getSettings("a")).toEqual(await twin.getSettings("a"));
      expect(await engine.checkStorage()).toEqual({ ok: true, problems: [] });
      const { data } = await engine.query("a", { query: "other 7" });
      expect(data.hits.map(({ id }) => id)).toEqual(["7"]);
      await engine.close();
    }
    await twin.close();
  });
});
