// An engine whose folder is moved, removed, replaced or linked elsewhere while it is open. It touches nothing of another folder, tells
// that its own is gone, and what it acknowledged is in the folder that it opened, wherever that is now.

import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonRecord, SearchEngine } from "../../src/index.js";
import { openFolder, TINY_SIZES } from "../support/data-folder.js";
import { FakeDisk } from "../support/fake-disk.js";
import { rejectionOf } from "../support/refusal.js";
import { seq } from "../support/seq.js";
import { openAt, tempPaths } from "../support/temp-folder.js";

const POSIX = process.platform !== "win32";
const pathOf = tempPaths();

/** More than a closed folder keeps in its log, so that closing makes files and a new manifest. */
const MANY = seq(200, (i) => ({ id: i, text: "x".repeat(9000) + i }));
const ONE = [{ id: 1, text: "acknowledged" }];

/** All files of a folder but locks, by name. */
const filesOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    fs
      .readdirSync(folder)
      .filter((name) => !name.startsWith("lock"))
      .map((name) => [name, fs.readFileSync(join(folder, name), "latin1")]),
  );

async function filled(path: string, index: string, records: readonly JsonRecord[] = ONE): Promise<SearchEngine> {
  const engine = await openAt(path);
  await (await engine.createIndex(index)).addRecords(records);
  return engine;
}

async function indexesAt(path: string): Promise<unknown> {
  const engine = await openAt(path);
  const indexes = await engine.listIndexes();
  expect(await engine.checkStorage()).toEqual({ ok: true, problems: [] });
  await engine.close();
  return indexes;
}

/** What became of the folder of an engine, and where that folder is then; undefined: nowhere. */
type Change = (path: string) => string | undefined;

const CHANGES: Readonly<Record<string, Change>> = {
  "was moved away": (path) => {
    fs.renameSync(path, `${path}-moved`);
    return `${path}-moved`;
  },
  "was removed": (path) => {
    fs.rmSync(path, { recursive: true });
    return undefined;
  },
  "lies beneath a folder that was moved": (path) => {
    fs.renameSync(join(path, ".."), `${join(path, "..")}-moved`);
    fs.mkdirSync(join(path, ".."));
    return join(`${join(path, "..")}-moved`, "data");
  },
};

describe.runIf(POSIX)("an engine whose folder", () => {
  it.each(Object.entries(CHANGES))("%s leaves the store alone that stands there now", async (_, change) => {
    const path = join(pathOf("above"), "data");
    const old = await filled(path, "a", MANY);
    const place = change(path);
    const young = await filled(path, "b");
    if (place !== undefined)
      expect(await rejectionOf(openAt(place))).toMatchObject({ code: 409, error: "storage_locked" });
    const before = filesOf(path);
    expect(await rejectionOf(old.addRecords("a", ONE))).toMatchObject({ code: 500, error: "storage_failed" });
    expect(await rejectionOf(old.createIndex("c"))).toMatchObject({ error: "storage_failed" });
    expect(await rejectionOf(old.flush())).toMatchObject({ error: "storage_failed" });
    expect((await old.query("a", { query: "", hitsPerPage: 0 })).data.nbHits).toBe(200);
    expect(await rejectionOf(old.close())).toMatchObject({ error: "storage_failed" });
    expect(filesOf(path)).toEqual(before);
    await young.addRecords("b", [{ id: 2 }]);
    await young.close();
    expect(await indexesAt(path)).toEqual([{ name: "b", records: 2 }]);
    if (place !== undefined) expect(await indexesAt(place)).toEqual([{ name: "a", records: 200 }]);
  });

  it.each(Object.entries(CHANGES))("%s acknowledges nothing, and makes no folder", async (_, change) => {
    const path = join(pathOf("above"), "data");
    const old = await filled(path, "a");
    change(path);
    expect(await rejectionOf(old.addRecords("a", [{ id: 2 }]))).toMatchObject({ error: "storage_failed" });
    expect(await rejectionOf(old.close())).toMatchObject({ error: "storage_failed" });
    expect(fs.existsSync(path)).toBe(false);
  });

  it("is a link that leads elsewhere now goes on in the folder that it opened", async () => {
    const [v1, v2, link] = [pathOf("v1"), pathOf("v2"), pathOf("current")];
    fs.mkdirSync(v1);
    fs.mkdirSync(v2);
    fs.symlinkSync(v1, link);
    const old = await filled(link, "a", MANY);
    fs.rmSync(link);
    fs.symlinkSync(v2, link);
    const young = await filled(link, "b");
    await old.addRecords("a", [{ id: "late" }]);
    await old.close();
    await young.close();
    expect(await indexesAt(v1)).toEqual([{ name: "a", records: 201 }]);
    expect(await indexesAt(v2)).toEqual([{ name: "b", records: 1 }]);
  });

  it("lost its log acknowledges nothing more", async () => {
    for (const lose of [
      (log: string) => fs.rmSync(log),
      (log: string) => fs.renameSync(log, `${log}.old`),
      (log: string) => {
        const bytes = fs.readFileSync(log);
        fs.rmSync(log);
        fs.writeFileSync(log, bytes);
      },
    ]) {
      const path = pathOf();
      const engine = await filled(path, "a");
      lose(join(path, "log-1"));
      expect(await rejectionOf(engine.addRecords("a", [{ id: 2 }]))).toMatchObject({
        error: "storage_failed",
        details: { file: "log-1" },
      });
      expect(await rejectionOf(engine.close())).toMatchObject({ error: "storage_failed" });
    }
  });

  it("was moved away while it was being opened is locked by nobody afterwards", async () => {
    const disk = new FakeDisk();
    disk.onOperation = (kind, path) => {
      if (kind === "create" && path.endsWith("manifest.tmp")) disk.move("/data", "/elsewhere");
    };
    expect(await rejectionOf(openFolder(disk))).toMatchObject({ error: "storage_failed" });
    expect(disk.openFiles).toBe(0);
    expect([...disk.files("/data").keys()]).toEqual([]);
    disk.onOperation = undefined;
    await (await openFolder(disk)).close();
  });

  it("is replaced in the moment in which a file is made leaves no file in the other one", async () => {
    const disk = new FakeDisk();
    const engine = await openFolder(disk, { sizes: TINY_SIZES });
    await engine.createIndex("a", { embedder: false });
    disk.onOperation = async (kind) => {
      if (kind !== "create") return;
      disk.onOperation = undefined;
      disk.move("/data", "/moved");
      await disk.makeFolder("/data");
      disk.put("/data/manifest", new Uint8Array([1]));
    };
    const large = [{ id: 1, filler: "-".repeat(2000) }];
    expect(await rejectionOf(engine.addRecords("a", large))).toMatchObject({ error: "storage_failed" });
    expect([...disk.files("/data").keys()]).toEqual(["/data/manifest"]);
    await rejectionOf(engine.close());
    expect(disk.openFiles).toBe(0);
  });

  it("was moved at any moment has what it acknowledged, and makes nothing in the folder that is there then", async () => {
    for (let at = 0, isMoved = true; isMoved; at += 3) {
      const disk = new FakeDisk();
      const engine = await openFolder(disk, { sizes: TINY_SIZES });
      await engine.createIndex("a", { embedder: false });
      isMoved = false;
      const begun = disk.count();
      disk.onOperation = async () => {
        if (isMoved || disk.count() - begun <= at) return;
        isMoved = true;
        disk.move("/data", "/moved");
        await disk.makeFolder("/data");
      };
      let done = 0;
      try {
        for (; done < 12; done++) await engine.addRecords("a", [{ id: done, title: "lamp", filler: "-".repeat(300) }]);
      } catch (error) {
        expect(error).toMatchObject({ error: "storage_failed" });
      }
      await engine.close().catch((error: unknown) => expect(error).toMatchObject({ error: "storage_failed" }));
      disk.onOperation = undefined;
      expect(disk.openFiles).toBe(0);
      if (!isMoved) break;
      expect([...disk.files("/data").keys()]).toEqual([]);
      disk.move("/data", "/empty");
      disk.move("/moved", "/data");
      const again = await openFolder(disk, { sizes: TINY_SIZES });
      expect([done, done + 1]).toContain((await again.listIndexes())[0]?.records);
      expect(await again.checkStorage()).toEqual({ ok: true, problems: [] });
      await again.close();
    }
  });
});
