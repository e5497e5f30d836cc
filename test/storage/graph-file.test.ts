// The graph of an index in a data folder: it is opened with its index and not built again, whatever was written meanwhile; and where
// its file cannot be used, it is built anew. The graphs here are so poor that what they find depends on each of their links, and
// they keep deleted nodes, so that a graph that was built anew is another one.

import { expect, it } from "vitest";
import type { JsonRecord, SearchEngine, SearchWarning } from "../../src/index.js";
import { type FolderOptions, openFolder, openMemory, SIZES } from "../support/data-folder.js";
import { FakeDisk } from "../support/fake-disk.js";
import { PATIENCE } from "../support/patience.js";
import { Random } from "../support/random.js";
import { seq } from "../support/seq.js";
import { randomNumbers, USABLE_KINDS } from "../support/vectors.js";

const DIMENSIONS = 12;
const POOR = { kind: "hnsw", m: 2, efConstruction: 4, efSearch: 1 } as const;
const SETTINGS = {
  embedder: false,
  searchableAttributes: ["title"],
  vectorAttribute: "v",
  dimensions: DIMENSIONS,
  vectorIndex: POOR,
} as const;
const RECORDS = 2000;
const TIMEOUT = 60_000 * PATIENCE;

function open(disk: FakeDisk, options: FolderOptions = {}): Promise<SearchEngine> {
  return openFolder(disk, { sizes: { ...SIZES, graphNodes: 100 }, ...options });
}

/** Records with vectors of their own; every tenth has that of the one before it. */
function records(from: number, count: number, draw = 0): JsonRecord[] {
  return seq(count, (i) => {
    const number = from + i;
    const seed = 1e6 * draw + (number % 10 === 9 ? number - 1 : number);
    return { id: `r${number}`, title: `lamp ${number}`, v: randomNumbers(new Random(seed + 1), DIMENSIONS) };
  });
}

const ids = (from: number, count: number, step = 1): string[] => seq(count, (i) => `r${from + step * i}`);

/** What an index finds with its graph, and what this takes in memory. */
async function stateOf(engine: SearchEngine, name = "shop"): Promise<unknown> {
  // An index is read when it is asked for first.
  await engine.estimate(name);
  await engine.index(name).whenIdle();
  const answers: unknown[] = [];
  for (let seed = 1; seed <= 30; seed++) {
    const vector = randomNumbers(new Random(1e9 + seed), DIMENSIONS);
    const { data } = await engine.query(name, { query: "", vector, semanticDepth: 10, hitsPerPage: 10 });
    answers.push(data.hits.map(({ id, score }) => `${id} ${score}`));
  }
  return { answers, graph: (await engine.estimate(name)).graph };
}

/** The scores of all records for the questions of {@link stateOf}, computed without a graph. */
async function trueScores(engine: SearchEngine): Promise<ReadonlySet<string>[]> {
  await engine.copyIndex("shop", "exact");
  await engine.updateSettings("exact", { vectorIndex: { kind: "exact" } });
  const scores: Set<string>[] = [];
  for (let seed = 1; seed <= 30; seed++) {
    const vector = randomNumbers(new Random(1e9 + seed), DIMENSIONS);
    const { data } = await engine.query("exact", { query: "", vector, semanticDepth: 10_000, hitsPerPage: 1000 });
    scores.push(new Set(data.hits.map(({ id, score }) => `${id} ${score}`)));
  }
  await engine.deleteIndex("exact");
  return scores;
}

async function fill(engine: SearchEngine): Promise<void> {
  await engine.createIndex("shop", SETTINGS);
  // The graph is built in this order, and in another one from the merged segments.
  for (let from = RECORDS - 500; from >= 0; from -= 500) {
    await engine.addRecords("shop", records(from, 500));
    await engine.index("shop").whenIdle();
  }
  await engine.deleteRecords("shop", ids(0, RECORDS / 5, 5));
}

const graphsOn = (disk: FakeDisk): string[] => [...disk.files().keys()].filter((path) => path.includes("/graph-"));

it("is opened with its index, by a reader too, and finds what it found", { timeout: TIMEOUT }, async () => {
  const disk = new FakeDisk();
  const warnings: SearchWarning[] = [];
  let engine = await open(disk, { warnings });
  await fill(engine);
  const state = await stateOf(engine);
  await engine.updateSettings("shop", { vectorIndex: { ...POOR, efSearch: 2 } });
  // The same records in the same segments, but a graph that was built anew.
  expect(await stateOf(engine)).not.toEqual(state);
  await engine.updateSettings("shop", { vectorIndex: POOR });
  const anew = await stateOf(engine);
  expect(anew).not.toEqual(state);
  await engine.close();
  for (const readOnly of [false, true, false]) {
    const files = graphsOn(disk);
    engine = await open(disk, { warnings, readOnly });
    expect(await stateOf(engine)).toEqual(anew);
    expect(await engine.checkStorage()).toEqual({ ok: true, problems: [] });
    await engine.close();
    // What has not changed is not written again.
    expect([graphsOn(disk), files.length]).toEqual([files, 1]);
  }
  expect([warnings, disk.openFiles]).toEqual([[], 0]);
});

it("is read behind the first answer, which would have to wait for it", { timeout: TIMEOUT }, async () => {
  const disk = new FakeDisk();
  let engine = await open(disk);
  await fill(engine);
  const state = await stateOf(engine);
  await engine.close();
  let reads = 0;
  disk.onOperation = (kind, path) => {
    if (kind === "read" && path.includes("/graph-")) reads++;
  };
  for (const preload of [false, true]) {
    engine = await open(disk, { preload });
    if (!preload) {
      reads = 0;
      expect((await engine.query("shop", { query: "lamp 7" })).data.hits[0]!.id).toBe("r7");
      expect(reads).toBe(0);
    }
    await engine.index("shop").whenIdle();
    expect(reads).toBeGreaterThan(0);
    expect(await stateOf(engine)).toEqual(state);
    await engine.close();
  }
});

it("goes on like one that was never closed", { timeout: TIMEOUT }, async () => {
  const disk = new FakeDisk();
  const twin = openMemory();
  let engine = await open(disk);
  const both = async (work: (each: SearchEngine) => Promise<unknown>): Promise<void> => {
    for (const each of [twin, engine]) {
      await work(each);
      await each.index("shop").whenIdle();
    }
    expect(await stateOf(engine)).toEqual(await stateOf(twin));
  };
  const reopen = async (): Promise<void> => {
    await engine.close();
    engine = await open(disk);
    expect(await stateOf(engine)).toEqual(await stateOf(twin));
  };
  await both(fill);
  await reopen();
  await both((each) => each.addRecords("shop", records(RECORDS, 300)));
  await both((each) => each.deleteRecords("shop", ids(100, 50)));
  await reopen();
  // Deleted nodes come back with their vectors, others get new ones.
  await both((each) => each.addRecords("shop", [...records(100, 20), ...records(700, 40, 1)]));
  await reopen();
  // So many small segments that they are merged.
  for (let step = 0; step < 10; step++) await both((each) => each.addRecords("shop", records(3000 + 3 * step, 3)));
  await reopen();
  await both((each) => each.addRecords("shop", records(4000, 300)));
  await reopen();
  // So many nodes die that another graph takes over, with the write after that.
  const before = (await stateOf(engine)) as { graph: number };
  await engine.deleteRecords("shop", ids(300, 1200));
  await engine.index("shop").whenIdle();
  await engine.addRecords("shop", records(5000, 5));
  const state = (await stateOf(engine)) as { graph: number };
  expect(state.graph).toBeLessThan(before.graph);
  await engine.close();
  engine = await open(disk);
  expect(await stateOf(engine)).toEqual(state);
  expect(await engine.checkStorage()).toEqual({ ok: true, problems: [] });
  await Promise.all([twin.close(), engine.close()]);
});

it("is stored in the background, and helps although much was written since", { timeout: TIMEOUT }, async () => {
  const disk = new FakeDisk();
  const engine = await open(disk);
  await fill(engine);
  await engine.index("shop").whenIdle();
  expect(graphsOn(disk)).toHaveLength(1);
  const grown = await stateOf(engine);
  // Neither is enough to store the graph again.
  await engine.addRecords("shop", records(RECORDS, 50));
  for (let step = 0; step < 10; step++) await engine.addRecords("shop", records(3000 + 3 * step, 3));
  await engine.deleteRecords("shop", ids(1001, 30));
  const state = await stateOf(engine);
  expect(state).not.toEqual(grown);
  // What a kill of the process leaves.
  const killed = disk.copy();
  const again = await open(killed);
  expect(await stateOf(again)).toEqual(state);
  await again.close();
  // So much is deleted that a graph with all these nodes would not pay.
  await engine.deleteRecords("shop", ids(0, 1400));
  const scores = await trueScores(engine);
  const poor = await open(disk.copy());
  const { answers, graph } = (await stateOf(poor)) as { answers: string[][]; graph: number };
  expect([answers.length, graph < (state as { graph: number }).graph / 2]).toEqual([30, true]);
  for (const [at, hits] of answers.entries()) for (const hit of hits) expect(scores[at]).toContain(hit);
  await poor.close();
  await engine.close();
});

it("is built anew where its file is damaged, lost, or that of another graph", { timeout: TIMEOUT }, async () => {
  const disk = new FakeDisk();
  let first = await open(disk);
  await fill(first);
  const scores = await trueScores(first);
  const stored = await stateOf(first);
  await first.close();
  const [path] = graphsOn(disk) as [string];
  first = await open(disk);
  await first.createIndex("other", { ...SETTINGS, vectorIndex: { ...POOR, m: 3 } });
  await first.addRecords("other", records(0, RECORDS));
  await first.index("other").whenIdle();
  await first.close();
  const [other, ...more] = graphsOn(disk).filter((each) => each !== path);
  expect(more).toEqual([]);
  const bytes = disk.files().get(path)!;
  const damages: ((copy: FakeDisk) => void)[] = [
    (copy) => copy.lose(path),
    (copy) => copy.cut(path, bytes.length - 1),
    (copy) => copy.cut(path, 0),
    (copy) => copy.put(path, disk.files().get(other!)!),
    (copy) => copy.put(path, Uint8Array.from([...bytes, 0])),
    // The version of the format, the head, the JSON, the nodes of records, the nodes, and the last link.
    ...[16, 40, 100, 2000, Math.trunc(bytes.length / 2), bytes.length - 1].map(
      (at) => (copy: FakeDisk) => copy.flipBit(path, at, at % 8),
    ),
  ];
  for (const [i, damage] of damages.entries()) {
    const copy = disk.copy();
    damage(copy);
    const warnings: SearchWarning[] = [];
    let engine = await open(copy, { warnings });
    const { ok, problems } = await engine.checkStorage();
    expect([ok, problems.map(({ file }) => `/data/${file}`)], `damage ${i}`).toEqual([false, [path]]);
    const state = (await stateOf(engine)) as { answers: string[][]; graph: number };
    expect(state, `damage ${i}`).not.toEqual(stored);
    expect(state.graph).toBeGreaterThan(0);
    for (const [at, hits] of state.answers.entries()) for (const hit of hits) expect(scores[at]).toContain(hit);
    expect(warnings.map(({ code, cause }) => [code, (cause as { error: string }).error])).toEqual([
      ["storage_failed", i === 5 ? "storage_version" : "storage_corrupt"],
    ]);
    warnings.length = 0;
    await engine.close();
    engine = await open(copy, { warnings });
    expect(await stateOf(engine)).toEqual(state);
    expect(await engine.checkStorage()).toEqual({ ok: true, problems: [] });
    await engine.close();
    expect([warnings, copy.openFiles]).toEqual([[], 0]);
  }
});

it("is not used once other settings or other records make it another graph", { timeout: TIMEOUT }, async () => {
  const changes: ((engine: SearchEngine) => Promise<unknown>)[] = [
    (engine) => engine.updateSettings("shop", { vectorIndex: { ...POOR, m: 3 } }),
    (engine) => engine.updateSettings("shop", { vectorIndex: { ...POOR, efConstruction: 9 } }),
    (engine) => engine.updateSettings("shop", { vectorIndex: { kind: "exact" } }),
    (engine) => engine.replaceAllRecords("shop", records(0, 500, 1)),
    (engine) => engine.clearIndex("shop").then(() => engine.addRecords("shop", records(0, 500, 2))),
    (engine) => engine.deleteIndex("shop").then(() => engine.createIndex("shop", SETTINGS)),
    (engine) => engine.moveIndex("shop", "mart").then(() => engine.moveIndex("mart", "shop")),
  ];
  const disk = new FakeDisk();
  const filled = await open(disk);
  await fill(filled);
  await filled.close();
  for (const [i, change] of changes.entries()) {
    const copy = disk.copy();
    const engine = await open(copy);
    await stateOf(engine);
    await change(engine);
    // A kill right after the call.
    const killed = await open(copy.copy());
    const state = await stateOf(engine);
    expect(await stateOf(killed), `change ${i}`).toEqual(state);
    await engine.close();
    await killed.close();
    const again = await open(copy);
    expect(await stateOf(again), `change ${i}`).toEqual(state);
    await again.close();
    expect(graphsOn(copy).length, `change ${i}`).toBe(i === 2 || i === 5 ? 0 : 1);
  }
});

it("fails no call where there is no room for it, and is stored when there is", { timeout: TIMEOUT }, async () => {
  const disk = new FakeDisk();
  const warnings: SearchWarning[] = [];
  let engine = await open(disk, { warnings });
  let tries = 0;
  disk.onOperation = (kind, path) => {
    if (kind !== "create" || !path.includes("graph-")) return;
    tries++;
    disk.fail({ kind: "write", code: "ENOSPC" });
  };
  await fill(engine);
  await engine.index("shop").whenIdle();
  expect(warnings.map(({ code }) => code)).toEqual(seq(tries, () => "storage_full"));
  expect([tries > 0, graphsOn(disk)]).toEqual([true, []]);
  // It is not tried with each write.
  await engine.addRecords("shop", records(RECORDS, 100));
  await engine.index("shop").whenIdle();
  const before = tries;
  await engine.addRecords("shop", records(3000, 1));
  await engine.deleteRecords("shop", ids(RECORDS, 100));
  await engine.index("shop").whenIdle();
  expect(tries).toBe(before);
  const state = await stateOf(engine);
  disk.onOperation = undefined;
  await engine.close();
  engine = await open(disk);
  expect(graphsOn(disk)).toHaveLength(1);
  expect(await stateOf(engine)).toEqual(state);
  await engine.close();
});

it("of hnswlib-node is not stored, and built anew", { timeout: TIMEOUT }, async () => {
  if (!USABLE_KINDS.includes("hnswlib")) return;
  const disk = new FakeDisk();
  const warnings: SearchWarning[] = [];
  let engine = await open(disk, { warnings });
  await engine.createIndex("shop", { ...SETTINGS, vectorIndex: { kind: "hnswlib" } });
  await engine.addRecords("shop", records(0, 500));
  const state = await stateOf(engine);
  await engine.close();
  expect(graphsOn(disk)).toEqual([]);
  engine = await open(disk, { warnings });
  expect(await stateOf(engine)).toEqual(state);
  await engine.close();
  expect(warnings).toEqual([]);
});
