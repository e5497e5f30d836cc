// Readers of a folder whose files are replaced, by a backup of it or by another store. They show only whole states, of one history each,
// and at equal positions the same records.

import { afterEach, describe, expect, it } from "vitest";
import { comparePositions, type SearchEngine, SearchError, type SearchWarning } from "../../src/index.js";
import { take } from "../lives/calls.js";
import { StorageCalls } from "../lives/storage-calls.js";
import { asText, contentOf, FOLDER, openFolder, TINY_SIZES } from "../support/data-folder.js";
import { FakeDisk } from "../support/fake-disk.js";
import { PATIENCE } from "../support/patience.js";
import { property, type Random } from "../support/random.js";
import { rejectionOf } from "../support/refusal.js";
import { seq } from "../support/seq.js";

type Files = ReadonlyMap<string, Uint8Array>;

const engines: SearchEngine[] = [];
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});
async function open(...given: Parameters<typeof openFolder>): Promise<SearchEngine> {
  const engine = await openFolder(...given);
  engines.push(engine);
  return engine;
}

/** The ways to put files in place of those of a folder, file by file. */
const WAYS = ["removed and copied", "renamed into place", "written over", "what differs"] as const;
function* exchange(disk: FakeDisk, files: Files, way: (typeof WAYS)[number]): Generator<void> {
  const there = disk.files(FOLDER);
  const isSame = (path: string): boolean => Buffer.compare(there.get(path) ?? Buffer.alloc(0), files.get(path)!) === 0;
  if (way === "removed and copied") for (const path of there.keys()) yield disk.lose(path);
  for (const [path, bytes] of files) {
    if (way === "what differs" && isSame(path)) continue;
    if (way === "written over" && there.has(path)) disk.overwrite(path, bytes);
    else disk.put(path, bytes);
    yield;
  }
  if (way === "what differs") for (const path of there.keys()) if (!files.has(path)) yield disk.lose(path);
}

/** A folder with one record, a backup of it, and a reader beside a writer that has changed it since. */
async function lost({ changes = 3, sizes = TINY_SIZES, isLoaded = true, filler = 0 } = {}) {
  const disk = new FakeDisk();
  let writer = await open(disk, { sizes });
  await writer.createIndex("shop", { embedder: false });
  await writer.addRecords("shop", [{ id: 1, title: "one" }]);
  await writer.close();
  const backup = disk.files(FOLDER);
  const add = async (kind: string, count: number): Promise<void> => {
    writer = await open(disk, { sizes });
    for (const i of seq(count, (at) => at))
      await writer.addRecords("shop", [{ id: `${kind}${i}`, title: kind, filler: "-".repeat(filler) }]);
  };
  await add("lost", changes);
  const warnings: SearchWarning[] = [];
  const reader = await open(disk, { sizes, readOnly: true, warnings });
  if (isLoaded) await reader.query("shop", { query: "" });
  const position = writer.position();
  await writer.close();
  const restore = (way: (typeof WAYS)[number] = "removed and copied") => [...exchange(disk, backup, way)];
  const idsOf = async (engine: SearchEngine) =>
    (await engine.query("shop", { query: "" })).data.hits.map(({ id }) => id);
  return { disk, reader, warnings, position, backup, restore, add, idsOf, writer: () => writer };
}

/** "lost" or "new", or both, of ids but the first. */
const kindsOf = (ids: readonly unknown[]): string[] => [
  ...new Set(ids.slice(1).map((id) => String(id).replace(/\d/, ""))),
];

describe("a reader of a restored folder", () => {
  it.each(WAYS)("shows the backup and what was written since, however many changes: %s", async (way) => {
    for (const isLoaded of [true, false])
      for (const changes of [0, 1, 3, 4]) {
        const { reader, warnings, restore, add, idsOf, writer } = await lost({ isLoaded });
        restore(way);
        await add("new", changes);
        await reader.refresh({ atLeast: writer().position(), timeoutMs: 10_000 * PATIENCE });
        expect(await idsOf(reader)).toEqual(await idsOf(writer()));
        expect(reader.position()).toBe(writer().position());
        await reader.refresh();
        expect(warnings.map(({ code }) => code)).toEqual(["storage_restored"]);
      }
  });

  it.each(WAYS)("shows the backup before anybody writes to it: %s", async (way) => {
    for (const changes of [1, 30]) {
      const { disk, reader, restore, idsOf } = await lost({ changes });
      await reader.refresh();
      restore(way);
      await reader.refresh();
      expect(await idsOf(reader)).toEqual(["1"]);
      expect(reader.position()).toBe((await open(disk, { readOnly: true })).position());
    }
  });

  it.each(WAYS)("shows nothing of files that are still being replaced: %s", async (way) => {
    for (const isLoaded of [true, false]) {
      const { disk, reader, restore, add, idsOf, writer } = await lost({ isLoaded, filler: 1500 });
      const there = disk.files(FOLDER);
      restore();
      await add("new", 3);
      await writer().close();
      const other = disk.files(FOLDER);
      for (const _ of exchange(disk, there, WAYS[0]));
      for (const _ of exchange(disk, other, way)) {
        const refusal = await reader.refresh().catch((error: SearchError) => error);
        expect([undefined, "storage_corrupt"]).toContain(refusal?.error);
        if (isLoaded && way !== "written over") expect(kindsOf(await idsOf(reader))).toHaveLength(1);
      }
      await reader.refresh();
      expect(await idsOf(reader)).toEqual(["1", "new0", "new1", "new2"]);
    }
  });

  it("keeps no file open of what it could not show", async () => {
    const { disk, reader, restore, add, writer } = await lost({ filler: 1500 });
    restore();
    await add("new", 3);
    await writer().close();
    const last = [...disk.files(FOLDER)].filter(([path]) => path.includes("segment-")).at(-1)!;
    disk.cut(last[0], last[1].length - 9);
    await rejectionOf(reader.refresh());
    const { openFiles } = disk;
    for (const _ of seq(5, (i) => i)) await rejectionOf(reader.refresh());
    expect(disk.openFiles).toBe(openFiles);
    disk.put(...last);
    await reader.refresh();
    expect(await reader.digest("shop")).toBe(await (await open(disk, { readOnly: true })).digest("shop"));
  });

  it("refuses a position that was lost, and says so", async () => {
    for (const changes of [0, 2, 3, 9]) {
      const { reader, position, restore, add, writer } = await lost();
      restore();
      await add("new", changes);
      const refusal = await rejectionOf(reader.refresh({ atLeast: position, timeoutMs: 10_000 * PATIENCE }));
      expect(refusal).toMatchObject({ code: 400, error: "invalid_position", param: "atLeast" });
      expect(refusal.message).toContain("lost");
      if (changes === 3) expect(() => comparePositions(position, writer().position())).toThrow(SearchError);
    }
  });

  it("leaves a query the records that it began with", async () => {
    const { reader, restore, add } = await lost();
    const browsing = reader.browseRecords("shop");
    const seen = [(await browsing.next()).value?.id];
    restore();
    await add("new", 3);
    await reader.refresh();
    for await (const { id } of browsing) seen.push(id);
    expect(seen).toEqual([1, "lost0", "lost1", "lost2"]);
  });

  it("knows of no record that only the lost files had", async () => {
    const { disk, reader, restore, writer, add } = await lost();
    const again = await open(disk, { sizes: TINY_SIZES });
    await again.deleteRecords("shop", ["lost0"]);
    await again.close();
    await reader.refresh();
    expect(await reader.index("shop").whyNot({ query: "" }, "lost0")).toMatchObject({ reason: "deleted" });
    restore();
    await add("new", 1);
    await reader.refresh({ atLeast: writer().position() });
    expect(await reader.index("shop").whyNot({ query: "" }, "lost0")).toMatchObject({ reason: "unknown" });
  });

  it("opens the graph that is stored there, and builds none", async () => {
    const disk = new FakeDisk();
    const vectors = { vectorAttribute: "v", dimensions: 4, vectorIndex: { kind: "hnsw" } } as const;
    const fill = async (first: number): Promise<void> => {
      const writer = await open(disk, { sizes: TINY_SIZES });
      await writer.createIndex("shop", { ...vectors, embedder: false }, { ifExists: "open" });
      await writer.addRecords(
        "shop",
        seq(50, (id) => ({ id, title: "lamp", v: seq(4, (k) => Math.sin(first + id * 4 + k)) })),
      );
      await writer.index("shop").whenIdle();
      await writer.close();
    };
    await fill(1);
    const backup = disk.files(FOLDER);
    await fill(2);
    const reader = await open(disk, { sizes: TINY_SIZES, readOnly: true });
    const ask = () => reader.query("shop", { query: "lamp", vector: [1, 0, 0, 0] });
    await ask();
    await reader.index("shop").whenIdle();
    for (const _ of exchange(disk, backup, WAYS[0]));
    await reader.refresh();
    const read: string[] = [];
    disk.onOperation = (kind, path) => void (kind === "read" && read.push(path));
    await ask();
    await reader.index("shop").whenIdle();
    expect([...backup.keys()].filter((path) => path.includes("graph-") && read.includes(path))).toHaveLength(1);
  });

  it("keeps its handles, and has no index that the backup does not have", async () => {
    const { reader, restore, add, writer } = await lost();
    const handle = reader.index("shop");
    restore();
    await add("new", 1);
    await writer().updateSettings("shop", { searchableAttributes: ["brand"] });
    await reader.refresh();
    expect((await handle.getSettings()).settings.searchableAttributes).toEqual(["brand"]);
    expect(await handle.digest()).toBe(await writer().digest("shop"));
  });

  it("has the position of another store in the same folder", async () => {
    const { disk, reader, warnings, position } = await lost();
    for (const path of disk.files(FOLDER).keys()) disk.lose(path);
    const other = await open(disk);
    await other.createIndex("shop", { embedder: false });
    await reader.refresh({ atLeast: other.position() });
    expect((await reader.query("shop", { query: "" })).data.nbHits).toBe(0);
    expect(reader.position()).toBe(other.position());
    expect(await rejectionOf(reader.refresh({ atLeast: position }))).toMatchObject({ error: "invalid_position" });
    expect(warnings.map(({ code }) => code)).toEqual(["storage_restored"]);
  });

  it("is refused where manifest and log are of two copies", async () => {
    const { disk, reader, restore, add, writer } = await lost({ changes: 30 });
    const there = disk.files(FOLDER);
    const isLog = (path: string): boolean => path.includes("log-");
    const names = [...there.keys()].filter(isLog);
    restore();
    for (let found: string | undefined; found !== names[0]; [found] = [...disk.files(FOLDER).keys()].filter(isLog)) {
      await add("new", 3);
      await writer().close();
    }
    for (const [path, bytes] of there) if (!isLog(path)) disk.put(path, bytes);
    expect(await rejectionOf(reader.refresh())).toMatchObject({ code: 500, error: "storage_corrupt" });
    expect(await rejectionOf(open(disk))).toMatchObject({ code: 500, error: "storage_corrupt" });
  });
});

/** A state of a folder, and which positions lead to it. */
interface Backup {
  readonly files: Files;
  readonly positions: readonly string[];
}

describe("a random life", () => {
  property("shows no state twice under one position, whatever is done to the files", 40, async (random) => {
    const disk = new FakeDisk();
    const states = new Map<string, string>();
    const note = async (engine: SearchEngine): Promise<void> => {
      const content = asText(await contentOf(engine));
      expect(states.get(engine.position()) ?? content).toBe(content);
      states.set(engine.position(), content);
    };
    const backups: Backup[] = [{ files: new Map(), positions: [] }];
    let writer = await open(disk, { sizes: TINY_SIZES });
    let positions: string[] = [writer.position()];
    const warnings: SearchWarning[] = [];
    const readers = [
      await open(disk, { sizes: TINY_SIZES, readOnly: true, warnings }),
      await open(disk, { sizes: TINY_SIZES, readOnly: true, preload: true }),
    ];
    const calls = new StorageCalls(random);
    const write = async (): Promise<void> => {
      for (let left = random.between(0, 8); left > 0; left--) {
        await take(writer, calls.next()).catch(() => {});
        if (random.chance(0.5)) await note(writer);
        positions.push(writer.position());
        for (const reader of readers) if (random.chance(0.2)) await reader.refresh();
      }
    };
    for (let exchanges = 0; exchanges < 5; exchanges++) {
      for (let runs = random.between(1, 3); runs > 0; runs--) {
        await write();
        await writer.close();
        const files = disk.files(FOLDER);
        writer = await open(disk, { sizes: TINY_SIZES });
        positions.push(writer.position());
        if (random.chance(0.5)) backups.push({ files, positions: [...positions] });
      }
      await writer.close();
      const backup = random.pick(backups);
      await exchangeBeside(readers, { disk, random, files: backup.files, note });
      const before = positions;
      writer = await open(disk, { sizes: TINY_SIZES });
      positions = [...backup.positions, writer.position()];
      await write();
      for (const reader of readers) {
        const known = warnings.length;
        const shown = reader.position();
        const isLost = !positions.includes(shown);
        await reader.refresh({ atLeast: writer.position(), timeoutMs: 10_000 * PATIENCE });
        // A writer that merges in the background makes positions that nobody noted.
        if (reader === readers[0] && [...before, ...positions].includes(shown))
          expect(warnings.length - known).toBe(isLost ? 1 : 0);
        await note(reader);
        expect(asText(await contentOf(reader))).toBe(asText(await contentOf(writer)));
        for (const position of random.some(before, 0.2)) {
          const refusal = await reader.refresh({ atLeast: position }).catch(({ error }: SearchError) => error);
          expect(refusal).toBe(positions.includes(position) ? undefined : "invalid_position");
        }
      }
    }
    // A graph that was gone when it was looked for is built anew.
    const others = warnings.filter(({ code }) => code !== "storage_restored");
    expect(others.filter(({ message }) => !message.includes("graph"))).toEqual([]);
    for (const engine of [writer, ...readers]) await engine.close();
    expect(disk.openFiles).toBe(0);
  });
});

/** Puts files in the place of those of a folder, while readers look at it now and then, also in the middle of a look. */
async function exchangeBeside(
  readers: readonly SearchEngine[],
  {
    disk,
    random,
    files,
    note,
  }: {
    readonly disk: FakeDisk;
    readonly random: Random;
    readonly files: Files;
    readonly note: (engine: SearchEngine) => Promise<void>;
  },
): Promise<void> {
  const steps = exchange(disk, files, files.size === 0 ? WAYS[0] : random.pick(WAYS));
  const looks = random.pick([0, 0, 0.1, 0.5]);
  const refused = ({ error }: SearchError): void => expect(error).toBe("storage_corrupt");
  for (let step = steps.next(); !step.done; step = steps.next()) {
    if (!random.chance(looks)) continue;
    disk.onOperation = () => {
      if (random.chance(0.1)) steps.next();
    };
    const reader = random.pick(readers);
    await reader.refresh().catch(refused);
    disk.onOperation = undefined;
    await note(reader).catch((error: unknown) => {
      if (error instanceof SearchError) refused(error);
      else throw error;
    });
  }
}
