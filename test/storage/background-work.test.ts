// What a data folder does besides the calls: syncs by the clock, new logs and manifests, merged segments. Its failures are warnings
// and fail no call.

import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { JsonRecord, SearchEngine, SearchError, SearchWarning } from "../../src/index.js";
import { asText, contentOf, openFolder, openMemory, TINY_SIZES } from "../support/data-folder.js";
import { FakeDisk } from "../support/fake-disk.js";
import { PATIENCE } from "../support/patience.js";
import { Random } from "../support/random.js";
import { seq } from "../support/seq.js";

const SETTINGS = { embedder: false, searchableAttributes: ["title"] } as const;
/** Records whose segment is a little smaller than those that get a file of their own. */
const NEARLY_LARGE = { count: 4, filler: 60_000 };
/** So many of them are more than a log may hold before it is emptied. */
const A_LOG_FULL = 75;
const MOST_TURNS = 1000 * PATIENCE;

const records = (step: number, { count, filler }: { readonly count: number; readonly filler: number }): JsonRecord[] =>
  seq(count, (i) => ({ id: i, title: `lamp ${step}`, step, filler: "-".repeat(filler) }));

/** What is left by a cut that takes everything that was not synced. */
async function afterCut(disk: FakeDisk): Promise<string> {
  const engine = await openFolder(disk.images(new Random(1), 1)[0]!);
  try {
    return asText(await contentOf(engine));
  } finally {
    await engine.close();
  }
}

/** Waits until the background has done something. */
async function until(done: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    if (await done()) return;
    await pause(10);
  }
  throw new Error("It was never done.");
}

async function fillLog(engine: SearchEngine): Promise<void> {
  for (let step = 0; step < A_LOG_FULL; step++) await engine.addRecords("shop", records(step, NEARLY_LARGE));
}

describe("in the background", () => {
  it("syncs what was written to the log that follows a full one", async () => {
    const disk = new FakeDisk();
    const warnings: SearchWarning[] = [];
    const engine = await openFolder(disk, { durability: "interval", warnings });
    await engine.createIndex("shop", SETTINGS);
    await fillLog(engine);
    await until(() => disk.files("/data").has("/data/log-2") && !disk.files("/data").has("/data/log-1"));
    await engine.addRecords("shop", [{ id: "last", title: "the last" }]);
    const content = asText(await contentOf(engine));
    await until(async () => (await afterCut(disk)) === content);
    expect(warnings).toEqual([]);
    await engine.close();
  });

  it("removes no file that was begun while it looked for those that nothing needs", async () => {
    const disk = new FakeDisk();
    const warnings: SearchWarning[] = [];
    const engine = await openFolder(disk, {
      warnings,
      sizes: { inlineBytes: 3000, logBytes: 2 ** 14, graphNodes: 1000 },
    });
    await engine.createIndex("shop", SETTINGS);
    let letGo = (): void => {};
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let isListing = false;
    disk.onOperation = (kind) => {
      if (kind !== "list" || isListing) return;
      isListing = true;
      return gate;
    };
    for (let step = 0; !isListing; step++) await engine.addRecords("shop", records(step, { count: 1, filler: 1000 }));
    await engine.addRecords("shop", records(-1, { count: 4, filler: 2000 }));
    letGo();
    await engine.index("shop").whenIdle();
    await pause(10);
    expect(await engine.checkStorage()).toEqual({ ok: true, problems: [] });
    expect(warnings).toEqual([]);
    await engine.close();
  });

  it.each([
    "create",
    "write",
    "sync",
    "rename",
    "remove",
    "syncFolder",
  ] as const)("fails no call and warns when a full log cannot be emptied because a %s fails", async (kind) => {
    const disk = new FakeDisk();
    const warnings: SearchWarning[] = [];
    const engine = await openFolder(disk, { warnings });
    await engine.createIndex("shop", SETTINGS);
    let isFailing = false;
    // Segments get files of their own, and manifests are made, when the log is full only.
    disk.onOperation = (begun, path) => {
      if (isFailing || begun !== kind || path.endsWith("/log-1")) return;
      isFailing = true;
      disk.fail({ kind, code: "EIO" });
    };
    await fillLog(engine);
    const content = asText(await contentOf(engine));
    await until(() => warnings.length > 0);
    expect(isFailing).toBe(true);
    expect(warnings.map(({ code }) => code)).toEqual(["storage_failed"]);
    expect(asText(await contentOf(engine))).toBe(content);
    disk.onOperation = undefined;
    // After a failed sync of the folder, nobody knows which manifest a cut would leave.
    if (kind !== "syncFolder") await engine.addRecords("shop", [{ id: "last", title: "the last" }]);
    const written = asText(await contentOf(engine));
    expect(await afterCut(disk)).toBe(written);
    await engine.close();
    expect(disk.openFiles).toBe(0);
    expect(await afterCut(disk)).toBe(written);
  });

  it("fails no call and warns when a merged segment cannot be written", async () => {
    const disk = new FakeDisk();
    const warnings: SearchWarning[] = [];
    const engine = await openFolder(disk, { warnings });
    const index = await engine.createIndex("shop", SETTINGS);
    disk.fail({ kind: "create", code: "ENOSPC", forEver: true });
    for (let step = 0; step < 20; step++)
      await index.addRecords(seq(2, (i) => ({ id: `${step} ${i}`, title: "lamp", filler: "-".repeat(30_000) })));
    await index.whenIdle();
    const [warning] = warnings;
    expect([warning?.code, (warning?.cause as SearchError).error]).toEqual(["storage_full", "storage_full"]);
    disk.heal();
    await index.addRecords([{ id: "last", title: "the last" }]);
    const content = asText(await contentOf(engine));
    expect(await afterCut(disk)).toBe(content);
    await engine.close();
    expect(await afterCut(disk)).toBe(content);
  });
});

describe("a log that cannot grow any more", () => {
  it("is replaced by a new one where that makes room, so that deletions are not refused", async () => {
    const disk = new FakeDisk();
    const engine = await openFolder(disk);
    await engine.createIndex("shop", SETTINGS);
    for (let step = 0; step < 5; step++) await engine.addRecords("shop", records(step, { count: 3, filler: 1000 }));
    // A limit of the size of files: no write to this log is taken.
    disk.onOperation = (kind, path) => {
      if (kind === "write" && path.endsWith("/log-1")) disk.fail({ kind: "write", code: "EFBIG" });
    };
    expect(await engine.deleteRecords("shop", [1])).toEqual({ deleted: 1 });
    await engine.addRecords("shop", [{ id: "more", title: "lamp" }]);
    const content = asText(await contentOf(engine));
    expect(await afterCut(disk)).toBe(content);
    await engine.close();
    expect(disk.openFiles).toBe(0);
  });

  it("refuses writes as long as there is no room at all, and tries to make some once", async () => {
    const disk = new FakeDisk();
    const engine = await openFolder(disk);
    await engine.createIndex("shop", SETTINGS);
    await engine.addRecords("shop", records(0, { count: 3, filler: 1000 }));
    const content = asText(await contentOf(engine));
    disk.fail({ kind: "write", code: "ENOSPC", forEver: true });
    const made: string[] = [];
    disk.onOperation = (kind, path) => void (kind === "create" && made.push(path));
    for (let i = 0; i < 5; i++)
      await expect(engine.deleteRecords("shop", [1])).rejects.toMatchObject({ code: 507, error: "storage_full" });
    expect(made.length).toBe(1);
    expect(asText(await contentOf(engine))).toBe(content);
    disk.heal();
    expect(await engine.deleteRecords("shop", [1])).toEqual({ deleted: 1 });
    await engine.close();
    expect(disk.openFiles).toBe(0);
  });
});

describe("a merged segment", () => {
  /** Merges while the file of the merged segment waits to be made; `meanwhile` runs until it may be. */
  async function mergedWhile(meanwhile: (engine: SearchEngine) => Promise<void>) {
    const disk = new FakeDisk();
    const warnings: SearchWarning[] = [];
    const engine = await openFolder(disk, {
      sizes: { inlineBytes: 3000, logBytes: 2 ** 24, graphNodes: 1000 },
      warnings,
    });
    const index = await engine.createIndex("shop", { searchableAttributes: ["title"] });
    let goOn = () => {};
    const waiting = new Promise<void>((begun) => {
      disk.onOperation = async (kind, path) => {
        if (kind !== "create" || !path.includes("/segment-")) return;
        disk.onOperation = undefined;
        begun();
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
      };
    });
    for (let i = 0; i < 8; i++)
      await index.addRecords([
        { id: i, title: "lamp drill", filler: "-".repeat(600) },
        { id: `${i}b`, title: "sofa" },
      ]);
    await waiting;
    await meanwhile(engine);
    goOn();
    return { disk, engine, warnings };
  }
  const filesOf = (disk: FakeDisk) => [...disk.files("/data").keys()].filter((path) => path.includes("/segment-"));

  it("holds up no write while its file is written, and takes over what is deleted meanwhile", async () => {
    const { disk, engine, warnings } = await mergedWhile(async (working) => {
      await working.deleteRecords("shop", [1, "1b", 3]);
      await working.updateRecords("shop", [{ id: 5, title: "oak" }]);
      await working.addRecords("shop", [{ id: "new", title: "lamp" }]);
    });
    await engine.index("shop").whenIdle();
    expect(filesOf(disk)).toHaveLength(1);
    await engine.addRecords("shop", [{ id: "last", title: "drill" }]);
    const twin = openMemory();
    await twin.createIndex("shop", { searchableAttributes: ["title"] });
    for (const i of [0, 2, 4, 5, 6, 7])
      await twin.addRecords("shop", [{ id: i, title: "lamp drill", filler: "-".repeat(600) }]);
    for (const i of [0, 2, 3, 4, 5, 6, 7]) await twin.addRecords("shop", [{ id: `${i}b`, title: "sofa" }]);
    await twin.updateRecords("shop", [{ id: 5, title: "oak" }]);
    await twin.addRecords("shop", [
      { id: "new", title: "lamp" },
      { id: "last", title: "drill" },
    ]);
    const content = asText(await contentOf(twin));
    expect(asText(await contentOf(engine))).toBe(content);
    for (const query of ["lamp", "drill", "oak", "sofa"])
      expect((await engine.query("shop", { query, explain: true })).data.hits).toEqual(
        (await twin.query("shop", { query, explain: true })).data.hits,
      );
    expect(await afterCut(disk)).toBe(content);
    await engine.close();
    expect(await afterCut(disk)).toBe(content);
    expect(warnings).toEqual([]);
  });

  it("may have no record left", async () => {
    const { engine, disk } = await mergedWhile(async (working) => {
      for (let i = 0; i < 8; i++) await working.deleteRecords("shop", [i, `${i}b`]);
    });
    await engine.index("shop").whenIdle();
    await engine.addRecords("shop", [{ id: "last", title: "drill" }]);
    expect((await engine.query("shop", { query: "" })).data.hits.map(({ id }) => id)).toEqual(["last"]);
    const content = asText(await contentOf(engine));
    await engine.close();
    expect(await afterCut(disk)).toBe(content);
  });

  it.each<[string, (engine: SearchEngine) => Promise<unknown>]>([
    ["cleared", (engine) => engine.clearIndex("shop")],
    ["replaced", (engine) => engine.replaceAllRecords("shop", [{ id: 1, title: "saw" }])],
  ])("is abandoned with its file when the index is %s meanwhile", async (_, change) => {
    const { disk, engine, warnings } = await mergedWhile(async (working) => void (await change(working)));
    const content = asText(await contentOf(engine));
    await engine.index("shop").whenIdle();
    expect([filesOf(disk), warnings]).toEqual([[], []]);
    expect(asText(await contentOf(engine))).toBe(content);
    await engine.close();
    expect(disk.openFiles).toBe(0);
  });
});

describe("checkStorage", () => {
  /** An engine with one segment in a file, whose check waits before it opens that file. */
  async function checking() {
    const disk = new FakeDisk();
    const engine = await openFolder(disk, { sizes: TINY_SIZES });
    await engine.createIndex("shop", SETTINGS);
    await engine.createIndex("other", SETTINGS);
    await engine.addRecords("shop", records(0, { count: 1, filler: 2000 }));
    const names = () => [...disk.files("/data").keys()].filter((path) => /segment-\d+$/.test(path));
    const [path] = names();
    let goOn = () => {};
    const waiting = new Promise<void>((begun) => {
      disk.onOperation = async (kind, opened) => {
        if (kind !== "open" || opened !== path) return;
        begun();
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
      };
    });
    const report = engine.checkStorage();
    await waiting;
    disk.onOperation = undefined;
    return { disk, engine, path: path!, names, report, goOn: () => goOn() };
  }

  it("holds up no write while it reads segments", async () => {
    const { engine, report, goOn } = await checking();
    await engine.addRecords("shop", [{ id: "meanwhile", title: "lamp" }]);
    goOn();
    expect(await report).toEqual({ ok: true, problems: [] });
    await engine.close();
  });

  it("reports no file that a checkpoint removes meanwhile, but each that is damaged", async () => {
    const gone = await checking();
    await gone.engine.deleteIndex("shop");
    for (let step = 0; gone.names().includes(gone.path); step++) {
      await gone.engine.addRecords("other", records(step, { count: 1, filler: 600 }));
      await pause(0);
    }
    gone.goOn();
    expect(await gone.report).toEqual({ ok: true, problems: [] });
    await gone.engine.close();
    const damaged = await checking();
    damaged.disk.flipBit(damaged.path, 100, 3);
    damaged.goOn();
    expect(await damaged.report).toMatchObject({ ok: false, problems: [{ file: "segment-1" }] });
    await damaged.engine.close();
  });
});
