// A disk that fails: at each of its operations in turn, once or from then on, with nothing or a half of a write done. A call is done
// or refused, and what was done is there after a reopening. STORAGE_SEED=n draws another life; a life that fails is shrunk.

import { describe, expect, it } from "vitest";
import { type SearchEngine, SearchError } from "../../src/index.js";
import type { StoreSizes } from "../../src/storage/store.js";
import { type Call, shown, take } from "../lives/calls.js";
import { type Life, live, seedOf } from "../lives/live.js";
import { type CallOptions, StorageCalls } from "../lives/storage-calls.js";
import { asText, contentOf, isLocked, openFolder, openMemory, SIZES, TINY_SIZES } from "../support/data-folder.js";
import { type DiskFault, FakeDisk } from "../support/fake-disk.js";
import { PATIENCE } from "../support/patience.js";
import { Random } from "../support/random.js";
import { FAST, SCALE } from "../support/size.js";

/** The first seed: its calls are of most verbs, and replace several records at once. */
const SEED = seedOf("STORAGE") ?? 5;
/** The long size tries so many lives. */
const LIVES = Math.max(1, Math.round(SCALE));
const ROUNDS = 14;
const MINUTES = 60_000;
const TIMEOUT = PATIENCE * MINUTES * 5 * Math.max(1, SCALE);

const FAULTS: readonly Omit<DiskFault, "after">[] = ["EIO", "ENOSPC", "EMFILE"].flatMap((code) => [
  { code },
  { code, forEver: true },
  { code, short: true },
  { code, short: true, forEver: true },
]);

/** What the system says of a call, or "done". */
async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "done";
  } catch (error) {
    if (!(error instanceof SearchError)) throw error;
    return `${error.code} ${error.error}`;
  }
}

const OF_DISK = /^(507 storage_full|500 storage_failed)$/;
const DONE_OR_OF_DISK = /^(done|507 storage_full|500 storage_failed)$/;

/** Lives with the same faults. */
interface Lives {
  readonly name: string;
  readonly calls: CallOptions;
  readonly sizes: StoreSizes;
  /** One fault in so many is tried: in the fast size, the slow one and the long one. */
  readonly oneIn: readonly [number, number, number];
}

const LIVES_OF: readonly Lives[] = [
  { name: "with small batches and some that get a file", calls: {}, sizes: SIZES, oneIn: [5, 2, 1] },
  { name: "with files and manifests after every few calls", calls: {}, sizes: TINY_SIZES, oneIn: [15, 6, 2] },
  {
    name: "with a log that is emptied at the end",
    calls: { filler: 30_000, records: 7 },
    sizes: SIZES,
    oneIn: [40, 14, 7],
  },
];

/** A life of calls that are drawn first; then it is lived with many faults. */
class DrawnLife implements Life {
  readonly random: Random;
  readonly story: string[] = [];
  private readonly calls: Call[] = [];
  private readonly source: StorageCalls;
  private readonly lives: Lives;

  constructor(random: Random, lives: Lives) {
    this.random = random;
    this.lives = lives;
    this.source = new StorageCalls(random, lives.calls);
  }

  draw(): void {
    const call = this.source.next();
    this.calls.push(call);
    this.story.push(shown(call));
  }

  /** Lives it without a fault, and once for each fault that is tried. */
  async liveAll(seed: number): Promise<void> {
    const { sizes, oneIn } = this.lives;
    const step = oneIn[FAST ? 0 : SCALE > 1 ? 2 : 1];
    const operations = await new FaultyLife(this.calls, sizes).run(undefined);
    for (let i = seed % step; i < operations * FAULTS.length; i += step) {
      // Neighbours in the list fail at neighbouring operations, each in another way.
      const fault = { ...FAULTS[(i + Math.floor(i / operations)) % FAULTS.length]!, after: i % operations };
      try {
        await new FaultyLife(this.calls, sizes).run(fault);
      } catch (error) {
        if (error instanceof Error) error.message = `with ${JSON.stringify(fault)}: ${error.message}`;
        throw error;
      }
    }
  }
}

/** A life on a disk that fails once or from some operation on. */
class FaultyLife {
  readonly disk = new FakeDisk();
  private readonly calls: readonly Call[];
  /** Takes the calls that were done. */
  private readonly twin: SearchEngine = openMemory();
  private done: readonly Call[] = [];
  /** By what they would lead to: calls that were refused because a sync failed, so that nobody knows whether they are on the disk. */
  private readonly unsure = new Map<string, Call>();
  private hasSyncFailed = false;
  /** A write could not be taken back, or a sync failed: the engine may refuse all writes until it is opened anew. */
  private isStuck = false;
  /** How many operations have failed. */
  private failures = 0;
  private engine: SearchEngine | undefined;

  private readonly sizes: StoreSizes;

  constructor(calls: readonly Call[], sizes: StoreSizes) {
    this.calls = calls;
    this.sizes = sizes;
  }

  /** Takes all calls; `fault` counts the operations from the beginning. Returns how many operations there were. */
  async run(fault: DiskFault | undefined): Promise<number> {
    let operations = 0;
    if (fault !== undefined) this.disk.fail(fault);
    this.disk.onOperation = (kind) => {
      const isFailing = operations === fault?.after || (fault?.forEver && operations > fault.after!);
      if (isFailing) this.failures++;
      if (isFailing && (kind === "sync" || kind === "syncFolder")) this.hasSyncFailed = true;
      if (this.hasSyncFailed || (isFailing && kind === "truncate")) this.isStuck = true;
      operations++;
    };
    const half = this.calls.length >> 1;
    for (const [i, call] of this.calls.entries()) {
      if (i === half) await this.close();
      this.engine ??= await this.open();
      if (this.engine === undefined) break;
      await this.take(this.engine, call, fault);
    }
    await this.close();
    this.disk.heal();
    this.disk.onOperation = undefined;
    await this.expectAfter();
    await this.twin.close();
    return operations;
  }

  private async open(): Promise<SearchEngine | undefined> {
    let engine: SearchEngine | undefined;
    const outcome = await outcomeOf(
      openFolder(this.disk, { sizes: this.sizes }).then((opened) => {
        engine = opened;
      }),
    );
    expect(outcome).toMatch(DONE_OR_OF_DISK);
    if (engine === undefined) expect([this.disk.openFiles, isLocked(this.disk)]).toEqual([0, false]);
    else {
      this.hasSyncFailed = false;
      this.isStuck = false;
      await this.expectContent(engine);
    }
    return engine;
  }

  private async close(): Promise<void> {
    expect(await outcomeOf(this.engine?.close() ?? Promise.resolve())).toMatch(DONE_OR_OF_DISK);
    this.engine = undefined;
    expect([this.disk.openFiles, isLocked(this.disk)]).toEqual([0, false]);
  }

  private async take(engine: SearchEngine, call: Call, fault: DiskFault | undefined): Promise<void> {
    const { twin } = this;
    const { failures } = this;
    const outcome = await outcomeOf(take(engine, call));
    if (!OF_DISK.test(outcome)) {
      expect(outcome).toBe(await outcomeOf(take(twin, call)));
      this.done = [...this.done, call];
    } else if (!this.isStuck) {
      expect(this.failures).toBeGreaterThan(failures);
      expect(outcome).toBe(fault?.code === "ENOSPC" ? "507 storage_full" : "500 storage_failed");
    }
    if (OF_DISK.test(outcome) && this.hasSyncFailed) this.unsure.set(await contentWith(this.done, call), call);
    const content = await readable(engine);
    if (content !== undefined) expect(content).toBe(asText(await contentOf(twin)));
  }

  /** Expects what was done, and perhaps the call whose sync failed. */
  private async expectContent(engine: SearchEngine): Promise<void> {
    const content = await readable(engine);
    const known = asText(await contentOf(this.twin));
    if (content === undefined || content === known) return;
    expect([...this.unsure.keys(), known]).toContain(content);
    const call = this.unsure.get(content)!;
    await take(this.twin, call);
    this.done = [...this.done, call];
  }

  /** What a kill, a cut and a reopening leave; then calls are done again. */
  private async expectAfter(): Promise<void> {
    for (const image of [...this.disk.images(new Random(1), 1), this.disk.copy(), this.disk]) {
      const engine = await openFolder(image);
      await this.expectContent(engine);
      expect(await readable(engine)).toBeDefined();
      expect(await engine.checkStorage()).toEqual({ ok: true, problems: [] });
      await engine.createIndex("afterwards", { embedder: false });
      const content = asText(await contentOf(engine));
      await engine.close();
      const again = await openFolder(image);
      expect([again.recovery().recovered, asText(await contentOf(again))]).toEqual([false, content]);
      await again.close();
      expect(image.openFiles).toBe(0);
    }
  }
}

/** The content of an engine. A read that failed once does not fail again; undefined: the disk cannot be read any more. */
async function readable(engine: SearchEngine): Promise<string | undefined> {
  for (let attempt = 0; attempt < 2; attempt++)
    try {
      return asText(await contentOf(engine));
    } catch (error) {
      if (!(error instanceof SearchError)) throw error;
      expect(`${error.code} ${error.error}`).toMatch(OF_DISK);
    }
  return undefined;
}

/** What calls lead to, and one more. */
async function contentWith(calls: readonly Call[], last: Call): Promise<string> {
  const engine = openMemory();
  for (const call of [...calls, last]) await outcomeOf(take(engine, call));
  const content = asText(await contentOf(engine));
  await engine.close();
  return content;
}

describe("a disk that fails at any operation", () => {
  it.each(LIVES_OF)("has done or refused each call, $name", { timeout: TIMEOUT }, async (lives) => {
    for (let seed = SEED; seed < SEED + LIVES; seed++)
      await live("STORAGE", seed, {
        make: (random) => new DrawnLife(random, lives),
        steps: [[1, async (life) => life.draw()]],
        length: [ROUNDS, ROUNDS],
        end: (life) => life.liveAll(seed),
      });
  });

  it("refuses what it cannot read, and leaves no rejection unhandled, when the process is busy", async () => {
    const whole = new FakeDisk();
    const writer = await openFolder(whole);
    await writer.createIndex("shop", { embedder: false });
    await writer.addRecords("shop", [
      { id: 1, title: "lamp", filler: "-".repeat(90_000) },
      { id: 2, title: "lamp", filler: "-".repeat(90_000) },
      { id: 3, title: "lamp", filler: "-".repeat(90_000) },
    ]);
    const content = asText(await contentOf(writer));
    await writer.close();
    const rejections: unknown[] = [];
    const note = (error: unknown) => void rejections.push(error);
    process.on("unhandledRejection", note);
    try {
      for (let after = 0, isFailing = true; isFailing; after++) {
        const disk = whole.copy();
        isFailing = false;
        disk.onOperation = (kind) => {
          if (kind !== "read" || disk.count("read") <= after) return;
          // Whoever waits for several reads is not there yet when this one fails.
          if (!isFailing) for (const began = performance.now(); performance.now() - began < 6; );
          isFailing = true;
        };
        disk.fail({ kind: "read", code: "EIO", after });
        const engine = await openFolder(disk).catch((error: SearchError) => error);
        if (engine instanceof SearchError) expect(engine.error).toBe("storage_failed");
        else {
          expect(await readable(engine)).toBe(content);
          await engine.close();
        }
        expect(disk.openFiles).toBe(0);
      }
      expect(rejections).toEqual([]);
    } finally {
      process.off("unhandledRejection", note);
    }
  });
});
