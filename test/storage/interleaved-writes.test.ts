// Steps of the store that meet: a hook of the disk holds one of them until another has happened.

import { afterEach, describe, expect, it, vi } from "vitest";
import type { IndexSettings, JsonRecord, SearchEngine } from "../../src/index.js";
import { type Content, contentOf, openFolder, openMemory } from "../support/data-folder.js";
import { FakeDisk } from "../support/fake-disk.js";
import { Random } from "../support/random.js";

const SETTINGS: IndexSettings = { embedder: false, searchableAttributes: ["title"] };
/** Segments of a record with filler get a file of their own, and a log is emptied after a few small ones. */
const SIZES = { inlineBytes: 2000, logBytes: 2 ** 13, graphNodes: 0 };

const record = (id: number, filler: number): JsonRecord => ({ id, title: "lamp", filler: "-".repeat(filler) });
const segmentsOf = (disk: FakeDisk) => [...disk.files("/data").keys()].filter((path) => path.includes("/segment-"));

async function contentOfImage(image: FakeDisk): Promise<Content> {
  const engine = await openFolder(image, { sizes: SIZES });
  const content = await contentOf(engine);
  expect(await engine.checkStorage()).toEqual({ ok: true, problems: [] });
  await engine.close();
  return content;
}

describe("two indexes that write at once", () => {
  it.each([
    ["one in the log and one in a file", 10, "write"],
    ["both in files", 5000, "create"],
  ] as const)("give their segments different numbers: %s", async (_, filler, held) => {
    const disk = new FakeDisk();
    const engine = await openFolder(disk, { sizes: SIZES });
    await engine.createIndex("first", SETTINGS);
    await engine.createIndex("second", SETTINGS);
    let second: Promise<unknown> | undefined;
    // The first segment has a number by then, and nothing of it is written yet.
    disk.onOperation = async (kind) => {
      if (kind !== held || second !== undefined) return;
      const made = new Promise<void>((resolve) => {
        disk.onOperation = (begun, path) => {
          if (begun === "create" && path.includes("/segment-")) resolve();
        };
      });
      second = engine.addRecords("second", [record(1, 5000)]);
      await made;
    };
    await engine.addRecords("first", [record(2, filler)]);
    await second;
    const content = await contentOf(engine);
    await engine.close();
    expect(await contentOfImage(disk)).toEqual(content);
  });
});

describe("a checkpoint", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("leaves a file that a change needs no more as long as a power cut can take the change back", async () => {
    // No second passes, so nothing is synced but by a checkpoint.
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const disk = new FakeDisk();
    const engine: SearchEngine = await openFolder(disk, { sizes: SIZES, durability: "interval" });
    await engine.createIndex("shop", SETTINGS);
    await engine.createIndex("other", SETTINGS);
    await engine.addRecords("shop", [record(1, 5000)]);
    const [file] = segmentsOf(disk);
    await engine.flush();
    const allowed: unknown[] = [];
    let cleared: Promise<void> | undefined;
    let wasReplaced = false;
    const removed: string[] = [];
    disk.onOperation = async (kind, path) => {
      wasReplaced ||= kind === "rename";
      // The next manifest makes the change safe, and then the file may go.
      if (kind === "rename" && cleared !== undefined) disk.onOperation = undefined;
      if (kind === "remove" && cleared !== undefined) removed.push(path);
      if (kind !== "list" || !wasReplaced || cleared !== undefined) return;
      // The manifest names the file, and the files that nobody needs are about to be removed.
      allowed.push((await contentOf(engine)).get("shop"));
      cleared = engine.clearIndex("shop");
      await cleared;
      allowed.push((await contentOf(engine)).get("shop"));
    };
    for (let id = 1; cleared === undefined; id++) await engine.addRecords("other", [record(id, 500)]);
    await cleared;
    for (let turn = 0; turn < 20; turn++) await engine.query("other", { query: "lamp" });
    disk.onOperation = undefined;
    expect(removed).not.toContain(file);
    for (const image of disk.images(new Random(1), 60))
      expect(allowed).toContain((await contentOfImage(image)).get("shop"));
    await engine.close();
  });
});

describe("a merged segment", () => {
  // The change that a copy makes is the first that names it: merging is no change.
  it.each([
    ["in the log", 0],
    ["in a file", 5000],
  ])("is kept when the copy that named it first is gone (%s)", async (_, filler) => {
    const disk = new FakeDisk();
    const engine = await openFolder(disk, { sizes: SIZES });
    const shop = await engine.createIndex("shop", SETTINGS);
    await engine.createIndex("other", SETTINGS);
    for (let id = 1; id <= 16; id++) await shop.addRecords([record(id, filler)]);
    await shop.whenIdle();
    await engine.copyIndex("shop", "copy");
    await engine.deleteIndex("copy");
    const before = disk.count("rename");
    for (let id = 1; disk.count("rename") === before; id++) await engine.addRecords("other", [record(id, 500)]);
    await engine.index("other").whenIdle();
    await shop.addRecords([record(100, 0)]);
    const content = await contentOf(engine);
    await engine.close();
    expect(await contentOfImage(disk.copy())).toEqual(content);
  });
});

describe("a replacement of all records", () => {
  const count = 60;
  const olds = Array.from({ length: 20 }, (_, i) => ({ id: i, title: "lamp", stock: 1000 }));
  // A file of its own.
  const news = Array.from({ length: 20 }, (_, i) => ({ ...record(i + 10, 200), stock: 5000 }));
  const write = (engine: SearchEngine, call: number): Promise<unknown> => {
    if (call % 10 === 9) return engine.deleteRecords("shop", [call % 30]);
    if (call % 10 === 8) return engine.addRecords("shop", [{ id: call % 35, title: "sofa", stock: call }]);
    const patches: JsonRecord[] = [
      { id: 10 + (call % 12), stock: { _operation: "Decrement", value: 1 } },
      { id: `made ${call % 15}`, stock: call },
    ];
    return engine.updateRecords("shop", patches);
  };

  /** A folder with the old records, and what it holds after each write, and after the replacement before or behind these writes. */
  async function begun() {
    const disk = new FakeDisk();
    const engine = await openFolder(disk, { sizes: { ...SIZES, logBytes: 2 ** 16 } });
    const twins = [openMemory(), openMemory()];
    const states: string[][] = [[], []];
    for (const each of [engine, ...twins]) {
      await each.createIndex("shop", SETTINGS);
      await each.addRecords("shop", olds);
    }
    await twins[1]!.replaceAllRecords("shop", news);
    for (let call = 0; call <= count; call++)
      for (const [i, twin] of twins.entries()) {
        states[i]!.push((await contentOf(twin)).get("shop")!);
        await write(twin, call);
      }
    return { disk, engine, old: states[0]!, new: states[1]! };
  }

  /** Writes while the first file of the replacement is begun and afterwards, until the engine is closed. */
  function replaceBeside(disk: FakeDisk, engine: SearchEngine, options: { readonly signal?: AbortSignal } = {}) {
    const done = { writes: 0, replacement: false };
    let isHeld = false;
    let looks: (path: string) => Promise<void> = async () => {};
    const writes = async (until: number): Promise<void> => {
      try {
        for (; done.writes < until; done.writes++) await write(engine, done.writes);
      } catch (error) {
        if ((error as { readonly error?: string }).error !== "closed") throw error;
      }
    };
    let written: Promise<void> | undefined;
    disk.onOperation = async (kind, path) => {
      await looks(path);
      if (isHeld || kind !== "create" || !path.includes("/segment-")) return;
      isHeld = true;
      await writes(count / 2);
      written = writes(count);
    };
    const replaced = engine.replaceAllRecords("shop", news, options).then(() => {
      done.replacement = true;
    });
    const look = (take: typeof looks): void => {
      looks = take;
    };
    return { done, replaced, look, written: async () => written };
  }

  it("leaves no file when it is given up, and what was written beside it stands", async () => {
    const { disk, engine, ...states } = await begun();
    const control = new AbortController();
    const { replaced, look, written } = replaceBeside(disk, engine, { signal: control.signal });
    let file: string | undefined;
    look(async (path) => {
      if (!path.includes("/segment-")) return;
      file ??= path;
      control.abort();
    });
    await expect(replaced).rejects.toMatchObject({ error: "aborted" });
    await written();
    disk.onOperation = undefined;
    expect((await contentOf(engine)).get("shop")).toBe(states.old[count]);
    expect(segmentsOf(disk)).not.toContain(file);
    await engine.close();
    expect((await contentOfImage(disk)).get("shop")).toBe(states.old[count]);
  });

  it("is done when the engine is closed meanwhile, with what was written beside it", async () => {
    const { disk, engine, ...states } = await begun();
    const { done, replaced, look, written } = replaceBeside(disk, engine);
    let closed: Promise<void> | undefined;
    look(async () => {
      if (done.writes > count / 4) closed ??= engine.close();
    });
    await replaced;
    await written();
    await closed;
    expect(done.writes).toBeLessThan(count / 2);
    expect((await contentOfImage(disk)).get("shop")).toBe(states.new[done.writes]);
  });
});
