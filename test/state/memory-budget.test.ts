import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { LiveIndex } from "../../src/api/live-index.js";
import { SearchEngine } from "../../src/index.js";
import { readOptions } from "../../src/input/call-options.js";
import { readEngineOptions } from "../../src/input/engine-options.js";
import { checkSettings } from "../../src/input/read-settings.js";
import { type EngineContext, engineContext } from "../../src/state/engine-activity.js";
import { MemoryBudget } from "../../src/state/memory-budget.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { hnswAvailable } from "../../src/vectors/hnsw/graph-memory.js";
import { heapInUse } from "../support/heap.js";
import { Random } from "../support/random.js";
import { thrownBy } from "../support/refusal.js";
import { seq } from "../support/seq.js";
import { ROOT } from "../support/source-tree.js";
import { randomNumbers, USABLE_KINDS } from "../support/vectors.js";

const drills = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: from + i,
    title: `Cordless drill ${from + i}`,
    text: "steel ".repeat(20),
  }));

const full = { code: 507, error: "memory_limit", param: "records" };

async function filled(bytes: number): Promise<SearchEngine> {
  const engine = new SearchEngine({ embedder: false, limits: { maxMemory: Math.floor(bytes) } });
  await engine.createIndex("shop");
  await engine.createIndex("other");
  return engine;
}

/** What 100 drills take. */
async function sizeOfHundred(): Promise<number> {
  const engine = await filled(Number.MAX_SAFE_INTEGER);
  await engine.addRecords("shop", drills(0, 100));
  return (await engine.estimate("shop")).total;
}

/** Where our own graph cannot be used, it is warned of in the same way. */
const KINDS = ["hnsw", ...USABLE_KINDS.filter((kind) => kind === "hnswlib")] as const;

describe("limits.maxMemory", () => {
  it("takes what fits to the byte, and nothing of what does not", async () => {
    const most = await sizeOfHundred();
    const exact = await filled(most);
    await exact.addRecords("shop", drills(0, 100));
    const tight = await filled(most - 1);
    const before = await tight.digest("shop");
    await expect(tight.addRecords("shop", drills(0, 100))).rejects.toMatchObject(full);
    expect(await tight.digest("shop")).toBe(before);
    await tight.addRecords("shop", drills(0, 50));
  });

  it("is refused with numbers that add up: what the call takes, what indexes take, and other calls", () => {
    const budget = new MemoryBudget(1000);
    budget.reserve(0, 700);
    budget.reserve(0, 200);
    const error = thrownBy(() => budget.reserve(200, 350)) as { msg: string };
    expect(error.msg.match(/[0-9]+/g)).toEqual(["350", "0", "700", "1000"]);
  });

  it("counts all indexes of the engine together, and what is deleted no more", async () => {
    const engine = await filled((await sizeOfHundred()) * 1.5);
    await engine.addRecords("shop", drills(0, 100));
    await expect(engine.addRecords("other", drills(0, 100))).rejects.toMatchObject(full);
    await engine.deleteIndex("shop");
    await engine.addRecords("other", drills(0, 100));
    await engine.clearIndex("other");
    await engine.addRecords("other", drills(100, 100));
  });

  it("counts what a copy shares once", async () => {
    const engine = await filled((await sizeOfHundred()) * 1.2);
    await engine.addRecords("shop", drills(0, 100));
    await engine.copyIndex("shop", "copy");
    await engine.addRecords("copy", drills(100, 1));
  });

  it("counts what writers build at the same time", async () => {
    const engine = await filled((await sizeOfHundred()) * 1.5);
    const outcomes = await Promise.allSettled(["shop", "other"].map((name) => engine.addRecords(name, drills(0, 100))));
    // Whether the other one still fits depends on which claims its memory first.
    expect(outcomes.map(({ status }) => status)).toContain("rejected");
  });

  it("refuses new settings and replacements that do not fit beside the old, and keeps the old", async () => {
    const engine = await filled((await sizeOfHundred()) * 1.5);
    await engine.addRecords("shop", drills(0, 100));
    const before = await engine.digest("shop");
    await expect(engine.updateSettings("shop", { analyzer: "plain" })).rejects.toMatchObject(full);
    await expect(engine.replaceAllRecords("shop", drills(0, 100))).rejects.toMatchObject(full);
    expect(await engine.digest("shop")).toBe(before);
    await engine.replaceAllRecords("shop", drills(0, 10));
  });

  it("refuses a replacement whose records do not fit beside the old ones before anything of it is made", async () => {
    const engine = await filled((await sizeOfHundred()) * 1.01);
    await engine.addRecords("shop", drills(0, 100));
    const phases: string[] = [];
    const onProgress = ({ phase }: { readonly phase: string }) => void phases.push(phase);
    await expect(engine.replaceAllRecords("shop", drills(0, 100), { onProgress })).rejects.toMatchObject(full);
    expect(phases).toEqual([]);
  });

  it("counts what is written beside a replacement in both versions", async () => {
    const size = await sizeOfHundred();
    // The old version, what is written to it and the new one fit, but not what is repeated there.
    const engine = await filled(size * 3.5);
    await engine.addRecords("shop", drills(0, 100));
    const replaced = engine.replaceAllRecords("shop", drills(0, 100));
    const refused = expect(replaced).rejects.toMatchObject(full);
    await engine.addRecords("shop", drills(100, 100));
    await refused;
    const roomy = await filled(size * 4.5);
    await roomy.addRecords("shop", drills(0, 100));
    await Promise.all([roomy.replaceAllRecords("shop", drills(0, 100)), roomy.addRecords("shop", drills(100, 100))]);
    for (const each of [engine, roomy]) expect(each.index("shop").recordCount).toBe(200);
    // Nothing stays reserved.
    await roomy.addRecords("other", drills(0, 200));
  });

  it("makes columns give way: queries are answered, and keep none where there is no room", async () => {
    const engine = await filled((await sizeOfHundred()) + 100);
    await engine.addRecords("shop", drills(0, 100));
    const names = (await engine.estimate("shop")).columns;
    const { data } = await engine.query("shop", { query: "drill", filters: "title = 'Cordless drill 7'" });
    expect(data.nbHits).toBe(1);
    expect((await engine.estimate("shop")).columns).toBe(names);
    const roomy = await filled((await sizeOfHundred()) * 1.8);
    await roomy.addRecords("shop", drills(0, 100));
    await roomy.query("shop", { query: "drill", facets: ["title", "text"] });
    expect((await roomy.estimate("shop")).columns).toBeGreaterThan(names);
    await roomy.addRecords("other", drills(0, 70));
    expect((await roomy.estimate("shop")).columns).toBe(names);
  });

  it.each(
    KINDS.flatMap((kind) => [16, 256].map((dimensions) => ({ kind, dimensions }))),
  )("keeps a graph away for which there is no room ($kind, $dimensions): vectors are scanned", async ({
    kind,
    dimensions,
  }) => {
    const warnings: string[] = [];
    const engine = new SearchEngine({
      limits: { maxMemory: dimensions === 16 ? 500_000 : 1_500_000 },
      onWarning: (warning) => warnings.push(warning.code),
    });
    const index = await engine.createIndex("near", {
      vectorAttribute: "v",
      dimensions,
      vectorIndex: { kind },
    });
    const random = new Random(1);
    await index.addRecords(
      Array.from({ length: dimensions === 16 ? 1500 : 500 }, (_, id) => ({ id, v: randomNumbers(random, dimensions) })),
    );
    await index.whenIdle();
    expect((await index.estimate()).graph).toBe(0);
    expect(warnings).toEqual(["graph_unavailable"]);
    expect((await index.query({ query: "", vector: randomNumbers(random, dimensions) })).data.nbHits).toBeGreaterThan(
      0,
    );
  });
});

/** An index whose memory the budget of these options counts. */
function indexUnder(options: EngineContext, name: string): LiveIndex {
  return new LiveIndex({ ...options, name, settings: runTaskAtOnce(checkSettings({}, options)), given: {} });
}

describe("limits.maxMemory with many indexes", () => {
  /** How often a write looks at indexes that it does not concern, beside so many of them, in all. */
  async function looksBeside(count: number, maxMemory = 1e12): Promise<number> {
    const options = engineContext(readEngineOptions({ embedder: false, limits: { maxMemory } }));
    let looks = 0;
    for (let i = 0; i < count; i++) {
      const other = indexUnder(engineContext(readEngineOptions({ embedder: false })), `other${i}`);
      await other.writer.addRecords(drills(0, 1), readOptions("call", {}));
      const holder = {
        get data() {
          looks++;
          return other.data;
        },
      };
      options.memory.add(holder);
      options.memory.wasRead(holder);
    }
    const { writer } = indexUnder(options, "written");
    looks = 0;
    for (let id = 0; id < 10; id++) await writer.addRecords(drills(id, 1), readOptions("call", {})).catch(() => {});
    await writer.deleteRecords(["3"], readOptions("call", {}));
    await writer.scheduler.idle();
    options.memory.columnsToKeep();
    return looks;
  }

  it("counts no more of them for a write, however many they are", async () => {
    const few = await looksBeside(10);
    expect(await looksBeside(500)).toBeLessThan(2 * few);
  });

  it("counts at most some of them for a write that it refuses", async () => {
    const some = await looksBeside(500, 100);
    expect(await looksBeside(1500, 100)).toBeLessThan(1.1 * some);
  });

  it("drops what was computed for the index that was asked least recently, and no more than it must", async () => {
    const roomy = await filled(Number.MAX_SAFE_INTEGER);
    const totals = async (engine: SearchEngine): Promise<number[]> =>
      Promise.all(["a", "b", "c"].map(async (name) => (await engine.estimate(name)).total));
    const fill = async (engine: SearchEngine): Promise<void> => {
      for (const name of ["a", "b", "c"]) {
        await engine.createIndex(name);
        await engine.addRecords(name, drills(0, 100));
      }
      for (const name of ["b", "c", "a"]) await engine.query(name, { query: "drill", facets: ["title", "text"] });
    };
    await fill(roomy);
    const full = await totals(roomy);
    await roomy.addRecords("shop", drills(0, 1));
    const one = (await roomy.estimate("shop")).total;
    const engine = await filled(full[0]! + full[1]! + full[2]! + one - 1);
    await fill(engine);
    await engine.addRecords("shop", drills(0, 1));
    const [a, b, c] = await totals(engine);
    expect([a, c]).toEqual([full[0], full[2]]);
    expect(b).toBeLessThan(full[1]!);
  });

  it("drops what queries left to a copy when the index that was asked is gone", async () => {
    const size = await sizeOfHundred();
    const engine = await filled(size * 1.8);
    await engine.addRecords("shop", drills(0, 100));
    await engine.query("shop", { query: "drill", facets: ["title", "text"] });
    await engine.copyIndex("shop", "copy");
    await engine.deleteIndex("shop");
    expect((await engine.estimate("copy")).total).toBeGreaterThan(size);
    await engine.addRecords("other", drills(0, 75));
    expect((await engine.estimate("copy")).total).toBe(size);
  });

  it("counts the graphs of other indexes", async () => {
    const engineWith = async (maxMemory: number): Promise<SearchEngine> => {
      const engine = await filled(maxMemory);
      const settings = { vectorAttribute: "v", dimensions: 2, vectorIndex: { kind: "hnsw" } } as const;
      const index = await engine.createIndex("near", settings);
      await index.addRecords(seq(500, (id) => ({ id, v: [id + 1, 1] })));
      await index.whenIdle();
      return engine;
    };
    const roomy = await engineWith(Number.MAX_SAFE_INTEGER);
    const { total, graph } = await roomy.estimate("near");
    expect(graph > 0).toBe(hnswAvailable());
    await roomy.addRecords("shop", drills(0, 1000));
    const most = total + (await roomy.estimate("shop")).total;
    await (await engineWith(most)).addRecords("shop", drills(0, 1000));
    const tight = await engineWith(most - 1);
    expect((await tight.estimate("near")).total).toBe(total);
    await expect(tight.addRecords("shop", drills(0, 1000))).rejects.toMatchObject(full);
  });

  it("finds out what has left the memory for a file, before it refuses", async () => {
    const index = indexUnder(engineContext(readEngineOptions({ embedder: false })), "shop");
    await index.writer.addRecords(drills(0, 100), readOptions("call", {}));
    const budget = new MemoryBudget(index.estimate().total);
    budget.add(index.writer);
    expect(budget.fits(0)).toBe(true);
    expect(budget.fits(1)).toBe(false);
    const { records } = index.data.snapshot.segments[0]!.segment;
    const { source } = records;
    if (!(source instanceof Uint8Array)) throw new Error("The records are not in memory.");
    records.source = async () => new Uint8Array(source);
    expect(budget.fits(source.byteLength)).toBe(true);
    expect(budget.fits(source.byteLength + 1)).toBe(false);
  });

  it("counts the columns that a deletion by a filter built", async () => {
    const size = await sizeOfHundred();
    const engine = await filled(size * 1.8);
    await engine.addRecords("shop", drills(0, 100));
    expect(await engine.deleteBy("shop", { filters: "title = 'none' OR text = 'none'" })).toEqual({ deleted: 0 });
    expect((await engine.estimate("shop")).total).toBeGreaterThan(size);
    await engine.addRecords("other", drills(0, 75));
    expect((await engine.estimate("shop")).total).toBe(size);
  });
});

describe("an estimate", () => {
  it("is near what the process takes", async () => {
    const program = join(ROOT, "test/support/measure-memory.mjs");
    const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", program]);
    const { estimated, measured } = JSON.parse(stdout) as { estimated: number; measured: number };
    expect(estimated / measured).toBeGreaterThan(0.75);
    expect(estimated / measured).toBeLessThan(1.25);
  }, 60_000);
});

describe("a batch that was written", () => {
  it("is not kept until the next one", async () => {
    const engine = new SearchEngine({ embedder: false });
    const index = await engine.createIndex("shop", { searchableAttributes: ["title"] });
    await index.addRecords(seq(1000, (id) => ({ id, title: "drill", note: `${id} `.repeat(4000) })));
    await index.whenIdle();
    const before = heapInUse();
    await index.addRecords([{ id: 0, title: "lamp" }]);
    expect(before - heapInUse()).toBeLessThan(4_000_000);
  });
});

describe("cacheBytes", () => {
  const words = ["cordless", "drill", "steel", "hammer", "wrench", "saw", "lamp", "oak"];
  const records = Array.from({ length: 6000 }, (_, id) => ({
    id,
    title: words.filter((_, i) => id % (i + 2) === 0).join(" "),
    brand: `b${id % 7}`,
  }));
  const ask = async (engine: SearchEngine, name: string): Promise<string[]> => {
    const answers: string[] = [];
    for (const a of words)
      for (const b of words) {
        const { data } = await engine.query(name, { query: `${a} ${b}`, facets: ["brand"], hitsPerPage: 3 });
        answers.push(JSON.stringify([data.hits, data.nbHits, data.facets]));
      }
    return answers;
  };
  const engineWith = async (cacheBytes: number): Promise<SearchEngine> => {
    const engine = new SearchEngine({ embedder: false, cacheBytes });
    for (const name of ["a", "b"]) {
      await engine.createIndex(name);
      await engine.addRecords(name, records);
    }
    return engine;
  };
  const totalOf = async (engine: SearchEngine, name: string) => (await engine.estimate(name)).total;

  it("bounds what queries keep, and changes no answer", async () => {
    const [much, little] = [await engineWith(2 ** 28), await engineWith(50_000)];
    const empty = await totalOf(little, "a");
    expect(await ask(little, "a")).toEqual(await ask(much, "a"));
    expect((await totalOf(little, "a")) - empty).toBeLessThanOrEqual(50_000);
    expect((await totalOf(much, "a")) - empty).toBeGreaterThan(100_000);
  });

  it("is a number of bytes", () => {
    for (const cacheBytes of [-1, 0.5, "1", Number.NaN])
      expect(() => new SearchEngine({ cacheBytes: cacheBytes as number })).toThrow(/cacheBytes/);
  });
});
