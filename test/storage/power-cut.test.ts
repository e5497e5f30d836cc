// Power cuts in the lives of data folders. Random calls go to an engine on the fake disk and, before that, to one in memory. At the
// operations of the disk, images of what a cut would leave are opened: each must hold what the engine in memory held after some
// number of calls, at least those that were acknowledged and at most those that had begun. STORAGE_SEED=n repeats one
// life; a life that fails is shrunk.

import { beforeAll, describe, expect, it } from "vitest";
import type { SearchEngine, SearchWarning } from "../../src/index.js";
import type { StoreSizes } from "../../src/storage/store.js";
import { type Call, shown, take, takeTogether } from "../lives/calls.js";
import { type Life, live, seedOf } from "../lives/live.js";
import { type CallOptions, StorageCalls, someSnapshot } from "../lives/storage-calls.js";
import {
  answersOf,
  asText,
  type Content,
  contentOf,
  isLocked,
  openFolder,
  openMemory,
  SIZES,
  TINY_SIZES,
} from "../support/data-folder.js";
import type { FakeDisk as Disk, DiskOperation } from "../support/fake-disk.js";
import { FakeDisk } from "../support/fake-disk.js";
import { PATIENCE } from "../support/patience.js";
import { Random } from "../support/random.js";
import { scaled } from "../support/size.js";

const ONLY = seedOf("STORAGE");
/** Images of the fast size; the others take as many as their scale says. */
const LEAST_IMAGES = 2000;
const IMAGES = Math.max(LEAST_IMAGES, scaled(5000));
const MINUTES = 60_000;

/** Operations that leave the disk as it was. */
const IDLE: readonly DiskOperation[] = ["list", "open", "read", "size", "close"];

/** What an engine holds, and what it answers. */
interface State {
  readonly content: string;
  readonly answers: string;
}

/** Calls that were made together, and what there may be as long as not all are acknowledged. */
interface Round {
  readonly before: Content;
  /** After each call, in the order in which they are done: the content of everything if they have one, else of the index that it changes. */
  readonly after: readonly Content[];
  readonly isOrdered: boolean;
  readonly acknowledged: Set<number>;
}

/** The contents that calls under way may have led to. */
function* between({ before, after, isOrdered, acknowledged }: Round): Generator<string> {
  if (isOrdered) {
    const least = Math.max(0, ...[...acknowledged].map((call) => call + 1));
    for (let done = least; done <= after.length; done++) yield asText(done === 0 ? before : after[done - 1]!);
    return;
  }
  for (let subset = 0; subset < 1 << after.length; subset++) {
    if ([...acknowledged].some((call) => (subset & (1 << call)) === 0)) continue;
    yield asText(new Map([...before, ...after.flatMap((each, call) => (subset & (1 << call) ? [...each] : []))]));
  }
}

interface LifeOptions extends CallOptions {
  readonly sizes: StoreSizes;
  readonly durability: "sync" | "interval";
  readonly rounds: number;
  /** The shares of the changes before which the power is cut: of the log, and of other files. It is cut before each new manifest. */
  readonly ofLog: number;
  readonly ofOthers: number;
  /** The share of the rounds after which the folder is closed and opened. */
  readonly closes: number;
  /** The share of the rounds after which all merges are waited for. */
  readonly idles?: number;
  /** The share of the rounds after which the folder is moved away under the open engine. */
  readonly moves?: number;
}

/** One data folder, its twin in memory, and the images that were opened. */
class StoredLife implements Life {
  readonly random: Random;
  readonly story: string[] = [];
  images = 0;
  /** Cuts just before a manifest replaced another one. */
  replacements = 0;
  /** The folder is elsewhere: a cut would leave none where images look for it. */
  private isMoved = false;
  readonly disk = new FakeDisk();
  private readonly cuts = new Random(0);
  private readonly calls: StorageCalls;
  private readonly options: LifeOptions;
  private readonly twin: SearchEngine = openMemory();
  private engine: SearchEngine | undefined;
  /** All rounds since the last one that nothing can take back, which is the first. */
  private open: Round[] = [];
  /** By content: what the twin answered when it had that; undefined where it may have been otherwise. */
  private readonly answers = new Map<string, Set<string> | undefined>();
  private points = 0;
  private readonly warnings: SearchWarning[] = [];
  /** What the twin holds. */
  private content: Content = new Map();
  private failure: unknown;

  constructor(random: Random, options: LifeOptions, snapshot: Uint8Array) {
    this.random = random;
    this.options = options;
    this.calls = new StorageCalls(random, { ...options, snapshot });
  }

  /** Opens the folder for the first time. */
  async begin(): Promise<void> {
    await this.note();
    this.settle();
    this.disk.onOperation = async (kind, path) => {
      this.points++;
      if (IDLE.includes(kind) || this.failure !== undefined || this.isMoved) return;
      const isReplacement = kind === "rename" && this.engine !== undefined;
      if (isReplacement) this.replacements++;
      const { ofLog, ofOthers } = this.options;
      if (!isReplacement && !this.cuts.chance(path.includes("/log-") ? ofLog : ofOthers)) return;
      await this.cut(`point ${this.points}, before ${kind} of ${path}`);
    };
    this.engine = await this.openDisk();
  }

  /** Checks what is there in the end, when the folder is closed. */
  async end(): Promise<void> {
    await this.close();
    if (this.failure !== undefined) throw this.failure;
    // The records of a life may have none of the attributes that its settings name, and lack what was changed beside their coming.
    const expected = ["unknown_attribute", "change_left_out"];
    expect(this.warnings.filter(({ code }) => !expected.includes(code))).toEqual([]);
    expect(this.disk.openFiles).toBe(0);
    await this.twin.close();
  }

  /** Cuts nothing any more. */
  leave(): void {
    this.disk.onOperation = undefined;
  }

  private openDisk(): Promise<SearchEngine> {
    const { durability, sizes } = this.options;
    return openFolder(this.disk, { durability, sizes, warnings: this.warnings });
  }

  /** A call or several at once, and sometimes more. */
  async round(): Promise<void> {
    const { random, story } = this;
    const engine = this.engine!;
    this.cuts.restart(random.between(0, 2 ** 32 - 1));
    const calls = random.chance(0.2) ? this.calls.nextTogether() : [this.calls.next()];
    story.push(calls.map(shown).join(" together with "));
    await this.make(engine, calls);
    if (random.chance(this.options.idles ?? 0.15)) {
      story.push("whenIdle");
      await Promise.all((await engine.listIndexes()).map(({ name }) => engine.index(name).whenIdle()));
    }
    if (random.chance(0.1)) {
      story.push("flush");
      await engine.flush();
      this.settle();
    }
    const isToMove = random.chance(this.options.moves ?? 0);
    if (isToMove || random.chance(this.options.closes)) {
      story.push(isToMove ? "move the folder away, close, move it back and open" : "close and open");
      await (isToMove ? this.move(engine) : this.close());
      this.engine = await this.openDisk();
      expect(this.engine.recovery()).toEqual({ recovered: false, droppedBytes: 0 });
      expect(asText(await contentOf(this.engine))).toBe(asText(this.content));
    }
    if (this.failure !== undefined) throw this.failure;
  }

  /** Moves the folder away, with a copy in its place or none, closes the engine beside reads, and moves the folder back. */
  private async move(engine: SearchEngine): Promise<void> {
    this.isMoved = true;
    const warned = this.warnings.length;
    this.disk.move("/data", "/moved");
    if (this.random.chance(0.5)) {
      await this.disk.makeFolder("/data");
      for (const [path, bytes] of this.disk.files("/moved")) this.disk.put(path.replace("moved", "data"), bytes);
    }
    const stood = this.disk.files("/data");
    const reads = (await engine.listIndexes()).map(({ name }) => engine.digest(name).catch(() => {}));
    const refusal = { error: "storage_failed" };
    await expect(engine.createIndex("late", { embedder: false })).rejects.toMatchObject(refusal);
    await expect(engine.close()).rejects.toMatchObject(refusal);
    await Promise.all(reads);
    // Merges that were under way are told of.
    for (const { code } of this.warnings.splice(warned)) expect(code).toBe("storage_failed");
    expect(this.disk.files("/data")).toEqual(stood);
    this.disk.dropFolder("/data");
    this.disk.move("/moved", "/data");
    this.isMoved = false;
    this.settle();
  }

  /** Gives calls to the twin, one after the other as they are done, and then to the engine, all at once. */
  private async make(engine: SearchEngine, calls: readonly Call[]): Promise<void> {
    const { twin } = this;
    const isOrdered = new Set(calls.map(({ args }) => args[0])).size === 1;
    const before = this.content;
    const after: Content[] = [];
    /** By call: its place in `after`. */
    const places = new Map<Call, number>();
    const taken = async (call: Call): Promise<void> => {
      this.content = await contentOf(twin);
      const name = String(call.args[0]);
      places.set(call, after.length);
      after.push(isOrdered ? this.content : new Map([...this.content].filter(([each]) => each === name)));
      if (isOrdered) await this.note();
    };
    const results: string[] = [];
    for (const each of isOrdered ? [calls] : calls.map((call) => [call]))
      results.push(...(await takeTogether(twin, each, (call) => resultOf(twin, call), taken)));
    const round: Round = { before, after, isOrdered, acknowledged: new Set() };
    if (!isOrdered) for (const text of between(round)) this.answers.set(text, undefined);
    this.open.push(round);
    const made = calls.map(async (call) => {
      const result = await resultOf(engine, call);
      if (this.options.durability === "sync") round.acknowledged.add(places.get(call)!);
      return result;
    });
    expect(await Promise.all(made)).toEqual(results);
    if (this.options.durability === "sync") this.settle();
  }

  /** Notes the state of the twin. */
  private async note(): Promise<void> {
    const { content } = this;
    const text = asText(content);
    // Several answers: the attributes of records that are gone are known to one of the states, and not to the other.
    if (!this.answers.has(text)) this.answers.set(text, new Set());
    this.answers.get(text)?.add(await answersOf(this.twin));
  }

  /** From now on, nothing can take back what was called until now. */
  private settle(): void {
    this.open = [{ before: this.content, after: [], isOrdered: true, acknowledged: new Set() }];
  }

  private async close(): Promise<void> {
    await this.engine!.close();
    this.settle();
  }

  /** Opens what a cut may leave now. */
  private async cut(where: string): Promise<void> {
    const { cuts } = this;
    const allowed = new Set(this.open.flatMap((round) => [...between(round)]));
    const kind = cuts.between(0, 5);
    const image = this.disk.images(cuts, Math.min(kind, 2) + 1).at(-1)!;
    const again = image.copy();
    const count = ++this.images;
    const asks = count % 5 === 0;
    try {
      const state = await this.look(image, asks);
      expect(allowed).toContain(state.content);
      const answers = this.answers.get(state.content);
      if (asks && answers !== undefined) expect([...answers]).toContain(state.answers);
      if (count % 8 === 0) await this.cutAgain(again, state);
    } catch (error) {
      // The engine would take it for a failure of its disk.
      if (error instanceof Error) error.message = `${where}, image of kind ${Math.min(kind, 2)}: ${error.message}`;
      this.failure ??= error;
    }
  }

  /** Opens an image and closes it. */
  private async look(image: Disk, asks: boolean): Promise<State> {
    const engine = await openFolder(image);
    const content = asText(await contentOf(engine));
    const answers = asks ? await answersOf(engine) : "";
    expect(await engine.checkStorage()).toEqual({ ok: true, problems: [] });
    await engine.close();
    expect([image.openFiles, isLocked(image)]).toEqual([0, false]);
    return { content, answers };
  }

  /** Cuts the power while an image is opened, written to and closed; each time the same is there, and then what was written. */
  private async cutAgain(image: Disk, { content }: State): Promise<void> {
    const found: Disk[] = [];
    image.onOperation = (kind) => {
      if (!IDLE.includes(kind)) found.push(...image.images(this.cuts, 3).slice(this.cuts.between(0, 2)).slice(0, 1));
    };
    const engine = await openFolder(image);
    const opened = found.splice(0);
    await engine.createIndex("afterwards", { embedder: false });
    await engine.addRecords("afterwards", [{ id: 1, title: "lamp" }]);
    found.length = 0;
    const written = asText(await contentOf(engine));
    await engine.close();
    image.onOperation = undefined;
    for (const each of this.cuts.shuffle(opened).slice(0, 2)) {
      this.images++;
      expect((await this.look(each, false)).content).toBe(content);
    }
    for (const each of [...this.cuts.shuffle(found).slice(0, 1), image]) {
      this.images++;
      expect((await this.look(each, false)).content).toBe(written);
    }
    const last = await openFolder(image);
    expect(last.recovery()).toEqual({ recovered: false, droppedBytes: 0 });
    await last.close();
  }
}

/** What a call leads to, as text. */
async function resultOf(engine: SearchEngine, call: Call): Promise<string> {
  try {
    const result = await take(engine, call);
    return call.verb === "createIndex" ? "created" : JSON.stringify(result ?? "done");
  } catch (error) {
    return `${(error as { error?: string }).error ?? error}`;
  }
}

let snapshot: Uint8Array;
beforeAll(async () => {
  snapshot = await someSnapshot();
});

/** Lives, each with a seed of its own, until so many images were opened. Returns how many manifests were about to be replaced. */
async function livesOf(least: number, optionsOf: (seed: number) => LifeOptions): Promise<number> {
  let images = 0;
  let replacements = 0;
  for (let seed = ONLY ?? 1; images < least; seed++) {
    const options = optionsOf(seed);
    const life = await live("STORAGE", seed, {
      make: (random) => new StoredLife(random, options, snapshot),
      begin: (life) => life.begin(),
      steps: [[1, (life) => life.round()]],
      length: [options.rounds, options.rounds],
      end: (life) => life.end(),
      leave: (life) => life.leave(),
    });
    expect(life.images).toBeGreaterThan(0);
    images += life.images;
    replacements += life.replacements;
    if (ONLY !== undefined) break;
  }
  return replacements;
}

const timeout = PATIENCE * MINUTES * Math.max(3, IMAGES / 1000);
const durabilityOf = (seed: number) => (seed % 3 === 0 ? "interval" : "sync");

describe("a power cut leaves what was acknowledged, and nothing else", () => {
  it("in lives of small batches and some large ones", { timeout }, async () => {
    const replacements = await livesOf(Math.round(0.77 * IMAGES), (seed) => ({
      ...{ durability: durabilityOf(seed), sizes: seed % 2 === 0 ? TINY_SIZES : SIZES, rounds: 40 },
      ...{ ofLog: 0.6, ofOthers: seed % 2 === 0 ? 0.3 : 1, closes: 0.08 },
    }));
    expect(replacements).toBeGreaterThan(10);
  });

  it("in lives that leave more in the log than a closed folder keeps there", { timeout }, async () => {
    const replacements = await livesOf(Math.round(0.12 * IMAGES), (seed) => ({
      ...{ durability: durabilityOf(seed), sizes: SIZES, rounds: 40 },
      ...{ ofLog: 0.1, ofOthers: 1, closes: 0.05, filler: 30_000, records: 7 },
    }));
    expect(replacements).toBeGreaterThan(0);
  });

  it("in lives of openings with one write each, with merges, and with folders that are moved", {
    timeout,
  }, async () => {
    await livesOf(Math.round(0.1 * IMAGES), (seed) => ({
      ...{
        durability: durabilityOf(seed),
        sizes: { ...TINY_SIZES, inlineBytes: seed % 2 === 0 ? 1 : 700 },
        rounds: 60,
      },
      ...{ ofLog: 0.2, ofOthers: 0.1, closes: 0.9, idles: 0.5, moves: 0.1, records: 1 },
    }));
  });

  it("while a log that has grown too long is emptied", { timeout }, async () => {
    const replacements = await livesOf(Math.round(0.01 * IMAGES), (seed) => ({
      ...{ durability: durabilityOf(seed), sizes: { ...SIZES, logBytes: 2 ** 21 }, rounds: 60 },
      ...{ ofLog: 0, ofOthers: 0.3, closes: 0, filler: 30_000, records: 7 },
    }));
    expect(replacements).toBeGreaterThan(0);
  });
});
