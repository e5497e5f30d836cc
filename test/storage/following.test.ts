// Readers that follow the engine that writes to their folder: each state that they show is one of the writer's, whole, and in order.

import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { comparePositions, SearchEngine, type SearchWarning } from "../../src/index.js";
import { take } from "../lives/calls.js";
import { StorageCalls } from "../lives/storage-calls.js";
import {
  answersOf,
  asText,
  contentOf,
  FOLDER,
  openFolder,
  openMemory,
  SIZES,
  TINY_SIZES,
} from "../support/data-folder.js";
import { FakeDisk } from "../support/fake-disk.js";
import { PATIENCE } from "../support/patience.js";
import { Random } from "../support/random.js";
import { rejectionOf } from "../support/refusal.js";
import { seq } from "../support/seq.js";
import { scaled } from "../support/size.js";

const WORDS = { embedder: false } as const;
const stateOf = async (engine: SearchEngine): Promise<string> =>
  `${asText(await contentOf(engine))}\n${await answersOf(engine)}`;

/** A writer with one index, and a reader that was opened after the first record. */
async function pair(disk = new FakeDisk(), sizes = SIZES) {
  const writer = await openFolder(disk, { sizes });
  await writer.createIndex("shop", WORDS);
  await writer.addRecords("shop", [{ id: 1, title: "red lamp" }]);
  const reader = await openFolder(disk, { sizes, readOnly: true });
  const countOf = async (query: string): Promise<number> => (await reader.query("shop", { query })).data.nbHits;
  return { disk, writer, reader, countOf };
}

describe("refresh", () => {
  it("shows what was acknowledged before, and nothing shows by itself", async () => {
    const { writer, reader, countOf } = await pair();
    await writer.addRecords("shop", [{ id: 2, title: "oak table" }]);
    expect(await countOf("table")).toBe(0);
    await reader.refresh();
    expect(await countOf("table")).toBe(1);
    await writer.deleteRecords("shop", [1]);
    await reader.refresh();
    expect(await countOf("lamp")).toBe(0);
    await writer.close();
    await reader.close();
  });

  it("shows new, replaced, moved and deleted indexes, and settings; a handle stays good", async () => {
    const { writer, reader } = await pair();
    const handle = reader.index("shop");
    await writer.createIndex("new", { ...WORDS, synonyms: [{ type: "synonym", synonyms: ["couch", "sofa"] }] });
    await writer.addRecords("new", [{ id: "s", title: "sofa" }]);
    await writer.copyIndex("shop", "copy");
    await writer.updateSettings("shop", { searchableAttributes: ["brand"] });
    await reader.refresh();
    expect((await reader.listIndexes()).map(({ name }) => name)).toEqual(["copy", "new", "shop"]);
    expect((await reader.query("new", { query: "couch" })).data.nbHits).toBe(1);
    expect((await handle.query({ query: "lamp" })).data.nbHits).toBe(0);
    expect((await handle.getSettings()).settings.searchableAttributes).toEqual(["brand"]);
    await writer.moveIndex("copy", "shop");
    await writer.deleteIndex("new");
    await reader.refresh();
    expect((await reader.listIndexes()).map(({ name }) => name)).toEqual(["shop"]);
    expect((await handle.query({ query: "lamp" })).data.nbHits).toBe(1);
    expect(await rejectionOf(reader.query("new", { query: "" }))).toMatchObject({
      code: 404,
      error: "index_not_found",
    });
    await writer.close();
    await reader.close();
  });

  it("forgets what was deleted from an index that was made anew", async () => {
    const { writer, reader } = await pair();
    await reader.query("shop", { query: "" });
    await writer.deleteRecords("shop", [1]);
    await reader.refresh();
    expect(await reader.index("shop").whyNot({ query: "" }, 1)).toMatchObject({ reason: "deleted" });
    await writer.deleteIndex("shop");
    await writer.createIndex("shop", WORDS);
    await writer.addRecords("shop", [{ id: 2, title: "oak table" }]);
    await reader.refresh();
    expect(await reader.index("shop").whyNot({ query: "" }, 1)).toMatchObject({ reason: "unknown" });
    await writer.close();
    await reader.close();
  });

  it("waits for a position, and no longer than it may", async () => {
    const { writer, reader, countOf } = await pair();
    const soon = pause(50).then(() => writer.addRecords("shop", [{ id: 2, title: "oak table" }]));
    const [store, sequence] = writer.position().split("-");
    const next = `${store}-${Number(sequence) + 1}`;
    await reader.refresh({ atLeast: next });
    await soon;
    expect(await countOf("table")).toBe(1);
    expect(comparePositions(reader.position(), next)).toBe(0);
    const later = `${store}-${Number(sequence) + 9}`;
    expect(await rejectionOf(reader.refresh({ atLeast: later, timeoutMs: 30 }))).toMatchObject({
      code: 503,
      error: "timeout",
    });
    const stop = new AbortController();
    const waiting = reader.refresh({ atLeast: later, signal: stop.signal });
    stop.abort();
    expect(await rejectionOf(waiting)).toMatchObject({ code: 499, error: "aborted" });
    const other = `${"0".repeat(32)}-1`;
    expect(await rejectionOf(reader.refresh({ atLeast: other }))).toMatchObject({
      code: 400,
      error: "invalid_position",
    });
    expect(await rejectionOf(reader.refresh({ atLeast: "soon" }))).toMatchObject({
      code: 400,
      error: "invalid_options",
    });
    await writer.close();
    await reader.close();
    expect(await rejectionOf(reader.refresh())).toMatchObject({ code: 503, error: "closed" });
  });

  it("does nothing in an engine that writes, or in memory", async () => {
    const { writer, reader } = await pair();
    const before = writer.position();
    await writer.refresh();
    expect(writer.position()).toBe(before);
    const memory = openMemory();
    await memory.refresh();
    expect(() => memory.position()).toThrow(expect.objectContaining({ code: 404, error: "storage_not_found" }));
    for (const engine of [writer, reader, memory]) await engine.close();
  });

  it("leaves the records to a query that began before", async () => {
    const { writer, reader } = await pair();
    await writer.addRecords(
      "shop",
      seq(500, (id) => ({ id, title: `red lamp ${id}` })),
    );
    await reader.refresh();
    const browsing = reader.browseRecords("shop");
    const first = await browsing.next();
    await writer.clearIndex("shop");
    await reader.refresh();
    let count = first.done ? 0 : 1;
    for await (const _record of browsing) count++;
    expect(count).toBe(500);
    expect((await reader.query("shop", { query: "lamp" })).data.nbHits).toBe(0);
    await writer.close();
    await reader.close();
  });

  it("opens no file again that is open", async () => {
    const disk = new FakeDisk();
    const { writer, reader } = await pair(disk, TINY_SIZES);
    await writer.addRecords(
      "shop",
      seq(200, (id) => ({ id, title: `red lamp ${id}` })),
    );
    await reader.refresh();
    await reader.digest("shop");
    const opened = new Set<string>();
    await writer.addRecords("shop", [{ id: "z", title: "zebra" }]);
    disk.onOperation = (kind, path) => {
      if (kind === "open") opened.add(path);
    };
    await reader.refresh();
    disk.onOperation = undefined;
    expect([...opened].filter((path) => path.includes("segment-"))).toEqual([]);
    expect(await reader.digest("shop")).toBe(await writer.digest("shop"));
    await writer.close();
    await reader.close();
  });

  it("refuses damage, and shows what it showed before", async () => {
    const { disk, writer, reader, countOf } = await pair();
    await writer.addRecords("shop", [{ id: 2, title: "oak table" }]);
    await writer.addRecords("shop", [{ id: 3, title: "steel drill" }]);
    await writer.flush();
    const log = (await disk.list(FOLDER))!.find(({ name }) => name.startsWith("log-"))!.name;
    const file = (await disk.open(`${FOLDER}/${log}`, "change"))!;
    const bytes = new Uint8Array(await file.size());
    await file.read(bytes, 0);
    const at = Buffer.from(bytes).indexOf("oak");
    await file.write(new TextEncoder().encode("OAK"), at);
    expect(await rejectionOf(reader.refresh())).toMatchObject({ code: 500, error: "storage_corrupt" });
    expect(await countOf("lamp")).toBe(1);
    await file.write(new TextEncoder().encode("oak"), at);
    await file.close();
    await reader.refresh();
    expect(await countOf("table")).toBe(1);
    await writer.close();
    await reader.close();
  });

  it("goes on after a look that had no room for a file", async () => {
    for (let after = 0; after < 24; after++) {
      const { disk, writer, reader, countOf } = await pair(new FakeDisk(), TINY_SIZES);
      const filler = "-".repeat(1500);
      for (const id of seq(8, (i) => i + 2)) await writer.addRecords("shop", [{ id, title: "oak table", filler }]);
      await writer.close();
      disk.fail({ kind: "open", code: "EMFILE", after });
      await reader.refresh().catch(() => {});
      disk.heal();
      await reader.refresh();
      expect(await countOf("table"), `after ${after}`).toBe(8);
      await reader.close();
      expect(disk.openFiles).toBe(0);
    }
  });

  it("reads what is there now where the writer removes files during a look", async () => {
    const filler = "-".repeat(1500);
    for (let at = 0; at < 24; at++) {
      const { disk, writer, reader, countOf } = await pair(new FakeDisk(), TINY_SIZES);
      for (const id of seq(2, (i) => i + 2)) await writer.addRecords("shop", [{ id, title: "oak table", filler }]);
      await writer.index("shop").whenIdle();
      let left = at;
      disk.onOperation = async () => {
        if (left-- > 0) return;
        disk.onOperation = undefined;
        await writer.replaceAllRecords("shop", [{ id: 1, title: "steel drill", filler }]);
        await writer.close();
      };
      await reader.refresh();
      disk.onOperation = undefined;
      await reader.refresh();
      await writer.close();
      await reader.refresh();
      expect([await countOf("table"), await countOf("drill")], `at ${at}`).toEqual(left < 0 ? [0, 1] : [2, 0]);
      await reader.close();
      expect(disk.openFiles).toBe(0);
    }
  });

  it("is 503 beside close, whatever the look is reading, and leaves no file open", async () => {
    for (let at = 0; at < 24; at += 2) {
      const { disk, writer, reader } = await pair(new FakeDisk(), TINY_SIZES);
      const filler = "-".repeat(1500);
      for (const id of seq(6, (i) => i + 2)) await writer.addRecords("shop", [{ id, title: "oak table", filler }]);
      const atLeast = writer.position().replace(/\d+$/, "99");
      let left = at;
      let closing: Promise<void> | undefined;
      disk.onOperation = async () => {
        if (left-- !== 0) return;
        closing = reader.close();
        await pause(5);
      };
      const calls = [reader.refresh(), reader.refresh({ atLeast, timeoutMs: 100 * PATIENCE })];
      const errors = (await Promise.allSettled(calls)).map((each) => each.status === "rejected" && each.reason.error);
      expect(errors[1]).toBe(closing === undefined ? "timeout" : "closed");
      expect(["closed", false]).toContain(errors[0]);
      disk.onOperation = undefined;
      await (closing ?? reader.close());
      await writer.close();
      expect(disk.openFiles).toBe(0);
    }
  });

  it("goes on after a write that failed and was undone", async () => {
    const { disk, writer, reader, countOf } = await pair();
    await reader.refresh();
    disk.fail({ kind: "write", code: "EIO", short: true });
    await rejectionOf(writer.addRecords("shop", [{ id: 2, title: "oak table" }]));
    await reader.refresh();
    await writer.addRecords("shop", [{ id: 3, title: "steel drill" }]);
    await reader.refresh();
    expect([await countOf("table"), await countOf("drill")]).toEqual([0, 1]);
    await writer.close();
    await reader.close();
  });
});

it("comparePositions orders positions of one folder alone", () => {
  const [a, b] = ["a".repeat(32), "b".repeat(32)];
  expect(comparePositions(`${a}-9`, `${a}-10`)).toBeLessThan(0);
  expect(comparePositions(`${a}-10`, `${a}-9`)).toBeGreaterThan(0);
  expect(comparePositions(`${a}-10`, `${a}-10`)).toBe(0);
  for (const [first, second] of [
    [`${a}-1`, `${b}-1`],
    ["", `${a}-1`],
    [`${a}-1`, `${a}-1x`],
  ] as const)
    expect(() => comparePositions(first, second)).toThrow(
      expect.objectContaining({ code: 400, error: "invalid_position" }),
    );
});

describe("a random life", () => {
  it.each(seq(scaled(40), (seed) => seed + 1))("is the same at each position, whatever the calls: %d", async (seed) => {
    const random = new Random(seed);
    const disk = new FakeDisk();
    let writer = await openFolder(disk, { sizes: TINY_SIZES });
    const readers = [
      await openFolder(disk, { sizes: TINY_SIZES, readOnly: true }),
      await openFolder(disk, { sizes: TINY_SIZES, readOnly: true, preload: true }),
    ];
    const calls = new StorageCalls(random);
    for (let step = 0; step < 40; step++) {
      await take(writer, calls.next()).catch(() => {});
      if (random.chance(0.1)) {
        await writer.close();
        writer = await openFolder(disk, { sizes: TINY_SIZES });
      }
      const state = await stateOf(writer);
      const position = writer.position();
      for (const reader of readers) {
        if (random.chance(0.5)) continue;
        await reader.refresh({ atLeast: position });
        expect(await stateOf(reader), `seed ${seed}, step ${step}`).toBe(state);
      }
    }
    for (const reader of readers) {
      await writer.close();
      writer = await openFolder(disk, { sizes: TINY_SIZES });
      await reader.refresh();
      expect(await stateOf(reader)).toBe(await stateOf(writer));
      await reader.close();
    }
    await writer.close();
  });
});

describe("follow", () => {
  it("shows a change within its interval, and needs readOnly", async () => {
    const disk = new FakeDisk();
    const { writer } = await pair(disk);
    const reader = await openFolder(disk, { readOnly: true, follow: true, followIntervalMs: 10 });
    await writer.addRecords("shop", [{ id: 2, title: "oak table" }]);
    await expect.poll(() => reader.position(), { timeout: 10_000 * PATIENCE }).toBe(writer.position());
    expect((await reader.query("shop", { query: "table" })).data.nbHits).toBe(1);
    await reader.close();
    await writer.close();
    expect(await rejectionOf(openFolder(disk, { follow: true }))).toMatchObject({ code: 400, error: "invalid_option" });
  });

  it("warns once when another folder is in its place, and goes on answering", async () => {
    const base = mkdtempSync(join(tmpdir(), "following-"));
    const dataDir = join(base, "data");
    try {
      const writer = await SearchEngine.open({ dataDir, ...WORDS });
      await writer.createIndex("shop");
      await writer.addRecords("shop", [{ id: 1, title: "red lamp" }]);
      const warnings: SearchWarning[] = [];
      const options = { readOnly: true, follow: true, followIntervalMs: 10, ...WORDS };
      const reader = await SearchEngine.open({
        dataDir,
        ...options,
        onWarning: (warning) => void warnings.push(warning),
      });
      await writer.addRecords("shop", [{ id: 2, title: "oak table" }]);
      await expect.poll(() => reader.position(), { timeout: 10_000 * PATIENCE }).toBe(writer.position());
      await writer.close();
      renameSync(dataDir, join(base, "elsewhere"));
      const other = await SearchEngine.open({ dataDir, ...WORDS });
      expect(await rejectionOf(reader.refresh())).toMatchObject({ code: 500, error: "storage_failed" });
      await expect.poll(() => warnings.length, { timeout: 10_000 * PATIENCE }).toBe(1);
      await pause(50);
      expect(warnings).toMatchObject([{ code: "storage_failed" }]);
      expect((await reader.query("shop", { query: "table" })).data.nbHits).toBe(1);
      await other.close();
      await reader.close();
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  });
});
