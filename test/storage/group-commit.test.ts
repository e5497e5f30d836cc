// Calls of one index that wait at the same time share a commit. What each of them does and answers is as if it had been alone: the
// truth is an engine in memory that was given one call after the other.

import { describe, expect, it } from "vitest";
import { type IndexSettings, type JsonRecord, SearchEngine, SearchError } from "../../src/index.js";
import { nextTurn } from "../../src/util/tasks.js";
import { AxisEmbedder } from "../support/axis-embedder.js";
import { asText, contentOf, openFolder } from "../support/data-folder.js";
import { FakeDisk } from "../support/fake-disk.js";
import { property, Random } from "../support/random.js";
import { seq } from "../support/seq.js";

const SETTINGS: IndexSettings = { searchableAttributes: ["title"], attributesForFaceting: ["brand"] };
/** Enough for twenty calls to be read. */
const TURNS_TO_READ = 300;
const WORDS = ["lamp", "drill", "sofa", "oak"];

/** Fails for some texts. */
class FragileEmbedder extends AxisEmbedder {
  override async embed(...args: Parameters<AxisEmbedder["embed"]>): ReturnType<AxisEmbedder["embed"]> {
    if (args[0].some((text) => text.includes("broken"))) throw new Error("It is broken.");
    return super.embed(...args);
  }
}

/** Waits until calls that were made are read, so that they are written together. */
async function untilRead(): Promise<void> {
  for (let turn = 0; turn < TURNS_TO_READ; turn++) await nextTurn();
}

type Write = (engine: SearchEngine) => Promise<unknown>;

/** Writes to a small index, of which many concern the same records, and some are refused. */
function drawWrite(random: Random, step: number): Write {
  const id = (): number => random.between(1, 40);
  const record = (): JsonRecord => ({
    id: id(),
    title: random.list(1, 3, () => random.pick(WORDS)).join(" ") + (random.chance(0.02) ? " broken" : ""),
    step,
    ...(random.chance(0.1) ? { [`only${step}`]: 1 } : {}),
  });
  const records = random.list(0, random.pick([1, 1, 4, 12]), record);
  const ids = random.list(1, 3, id);
  const operations = [...ids, ids[0]!].map((each) => ({
    id: each,
    step: { _operation: random.pick(["Increment", "Decrement"] as const), value: step },
    tags: { _operation: random.pick(["Add", "AddUnique", "Remove"] as const), value: random.pick(WORDS) },
    ...(random.chance(0.1) ? { title: { _operation: "Increment", value: 1 } } : {}),
  }));
  const isAborted = random.chance(0.05);
  const write = random.pick<(engine: SearchEngine, options: { readonly signal: AbortSignal }) => Promise<unknown>>([
    (engine, options) => engine.addRecords("shop", records, options),
    (engine, options) => engine.addRecords("shop", records, options),
    (engine, options) => engine.addRecords("shop", [...records, ...records.slice(0, 2)], options),
    (engine, options) => engine.addRecords("shop", records, { ...options, onProgress: () => {} }),
    (engine, options) => engine.addRecords("shop", [{ title: "no id" }], options),
    (engine, options) => engine.updateRecords("shop", records, options),
    (engine, options) => engine.updateRecords("shop", records, { ...options, createIfNotExists: false }),
    (engine, options) => engine.updateRecords("shop", [{ id: ids[0]!, brand: "Hem" }], options),
    (engine, options) => engine.updateRecords("shop", operations, options),
    (engine, options) => engine.updateRecords("shop", [...operations, ...records], { ...options, onInvalid: "skip" }),
    (engine, options) => engine.addRecords("shop", [{}, ...records, ...operations], { ...options, onInvalid: "skip" }),
    (engine, options) => engine.deleteRecords("shop", ids, options),
  ]);
  return async (engine) => {
    const controller = new AbortController();
    const written = write(engine, { signal: controller.signal });
    if (isAborted) controller.abort();
    return written;
  };
}

async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await work);
  } catch (error) {
    if (!(error instanceof SearchError)) throw error;
    const { code, message, param } = error;
    return JSON.stringify([code, error.error, message, param]);
  }
}

describe("calls of one index that wait at the same time", () => {
  it("share a sync", async () => {
    const disk = new FakeDisk();
    const engine = await openFolder(disk);
    const index = await engine.createIndex("shop", SETTINGS);
    const before = disk.count("sync");
    const results = await Promise.all([
      ...seq(30, (i) => index.addRecords([{ id: i, title: "lamp" }])),
      ...seq(10, (i) => index.updateRecords([{ id: 100 + i, title: "sofa" }])),
    ]);
    expect(results).toEqual(seq(40, () => ({ added: 1, replaced: 0 })));
    // The first may be alone, because the others are still being read.
    expect(disk.count("sync")).toBeLessThanOrEqual(before + 2);
    const content = asText(await contentOf(engine));
    const afterCut = await openFolder(disk.images(new Random(1), 1)[0]!);
    expect(asText(await contentOf(afterCut))).toBe(content);
    await Promise.all([engine.close(), afterCut.close()]);
  });

  it("report the progress of their own records alone", async () => {
    const engine = await openFolder(new FakeDisk());
    const index = await engine.createIndex("shop", SETTINGS);
    const totals = new Set<number>();
    const options = { onProgress: ({ total }: { readonly total: number }) => void totals.add(total) };
    await Promise.all(
      seq(12, (i) => index.addRecords([{ id: i, title: "lamp" }], i === 5 || i === 6 ? options : undefined)),
    );
    expect([...totals]).toEqual([1]);
    await engine.close();
  });

  it("are refused one by one when the disk has room for some", async () => {
    const disk = new FakeDisk();
    const engine = await openFolder(disk);
    const index = await engine.createIndex("shop", SETTINGS);
    // The write of the first succeeds. That of all others together fails, and then, of those one by one, the second.
    let isFirst = true;
    disk.onOperation = async (kind) => {
      if (kind !== "write" || !isFirst) return;
      isFirst = false;
      await untilRead();
    };
    disk.fail({ kind: "write", code: "ENOSPC", after: 1 });
    disk.fail({ kind: "write", code: "ENOSPC", after: 2 });
    // A new log would make room.
    disk.fail({ kind: "create", code: "ENOSPC", forEver: true });
    const outcomes = await Promise.all(seq(5, (i) => outcomeOf(index.addRecords([{ id: i, title: "lamp" }]))));
    expect(outcomes.map((outcome) => outcome.includes("storage_full"))).toEqual([false, false, true, false, false]);
    expect((await index.query({ query: "lamp" })).data.hits.map(({ id }) => id)).toEqual(["0", "1", "3", "4"]);
    disk.heal();
    await engine.close();
  });

  property("do and answer what they would have one after the other", 100, async (random) => {
    const disk = new FakeDisk();
    const options = { embedder: new FragileEmbedder(), limits: { indexRecords: 30 } };
    const engine = await openFolder(disk, options);
    const twin = new SearchEngine({ ...options, embedder: new FragileEmbedder() });
    for (const each of [engine, twin]) await each.createIndex("shop", SETTINGS);
    for (let round = 0; round < 6; round++) {
      const writes = random.list(1, 12, (i) => drawWrite(random, 100 * round + i));
      const outcomes = await Promise.all(writes.map((write) => outcomeOf(write(engine))));
      const expected: string[] = [];
      for (const write of writes) expected.push(await outcomeOf(write(twin)));
      expect(outcomes).toEqual(expected);
      expect(asText(await contentOf(engine))).toBe(asText(await contentOf(twin)));
    }
    // What an index remembers beside its records: names that attributes once had, and ids that were deleted.
    for (let step = 0; step < 600; step += 7) {
      const params = { query: "", filters: `only${step} = 1` };
      expect(await outcomeOf(engine.query("shop", params).then(({ data }) => data.nbHits))).toBe(
        await outcomeOf(twin.query("shop", params).then(({ data }) => data.nbHits)),
      );
    }
    for (let id = 1; id <= 40; id++)
      expect(await outcomeOf(engine.whyNot("shop", { query: "lamp" }, id))).toBe(
        await outcomeOf(twin.whyNot("shop", { query: "lamp" }, id)),
      );
    await Promise.all([engine.close(), twin.close()]);
  });
});
