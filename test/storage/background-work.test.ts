// What a data folder does besides the calls: syncs by the clock, new logs and manifests, merged segments. Its failures are warnings
// and fail no call.

import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { JsonRecord, SearchEngine, SearchError, SearchWarning } from "../../src/index.js";
import { asText, contentOf, openFolder, TINY_SIZES } from "../support/data-folder.js";
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
    expect([warning?.code, (warning?.cause as SearchError).error]).toEqual(["storage_failed", "storage_full"]);
    disk.heal();
    await index.addRecords([{ id: "last", title: "the last" }]);
    const content = asText(await contentOf(engine));
    expect(await afterCut(disk)).toBe(content);
    await engine.close();
    expect(await afterCut(disk)).toBe(content);
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
