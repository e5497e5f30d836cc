import { EventEmitter, once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type JsonRecord, SearchEngine } from "../src/index.js";
import { AxisEmbedder } from "./support/axis-embedder.js";
import { rejectionOf } from "./support/refusal.js";

const open = (options = {}) => new SearchEngine({ embedder: false, ...options }).createIndex("a");
const items = (count: number, version = 0): JsonRecord[] =>
  Array.from({ length: count }, (_, i) => ({ id: `r${i}`, title: `drill ${i}`, version }));

/** The same object with everything in it frozen. */
function frozen<T extends object>(value: T): T {
  for (const inner of Object.values(value)) if (typeof inner === "object" && inner !== null) frozen(inner as object);
  return Object.freeze(value);
}

describe("writers", () => {
  it("queue: each sees what the one before left", async () => {
    const index = await open();
    const results = await Promise.all([
      index.addRecords(items(30)),
      index.addRecords(items(40)),
      index.deleteRecords(["r0", "r39", "none"]),
      index.addRecords(items(1)),
    ]);
    expect(results).toEqual([
      { added: 30, replaced: 0 },
      { added: 10, replaced: 30 },
      { deleted: 2 },
      { added: 1, replaced: 0 },
    ]);
    expect(index.recordCount).toBe(39);
  });

  it("go on after one of them failed", async () => {
    const embedder = new AxisEmbedder();
    const index = await open({ embedder });
    embedder.wait = async () => {
      embedder.wait = async () => {};
      throw new Error("once");
    };
    const [first, second] = await Promise.allSettled([index.addRecords(items(3)), index.addRecords(items(2))]);
    expect([first.status, second.status, index.recordCount]).toEqual(["rejected", "fulfilled", 2]);
  });
});

describe("a query", () => {
  it("sees one version, whatever is written meanwhile", async () => {
    const index = await open();
    await index.addRecords(items(200));
    const writes = (async () => {
      for (let version = 1; version <= 15; version++) await index.addRecords(items(200, version));
    })();
    for (let i = 0; i < 30; i++) {
      const { data } = await index.query({ query: "drill", hitsPerPage: 300 });
      expect(new Set(data.hits.map(({ source }) => source.version)).size).toBe(1);
      expect([data.nbHits, data.hits.length]).toEqual([200, 200]);
      await wait(1);
    }
    await writes;
  });

  it("that waits for its embedding answers from the state after the wait", async () => {
    const embedder = new AxisEmbedder();
    const index = await open({ embedder });
    await index.addRecords([{ id: 1, title: "drill" }]);
    const door = new EventEmitter();
    const opened = once(door, "open");
    embedder.wait = async ({ purpose }) => void (purpose === "query" && (await opened));
    const answer = index.query({ query: "drill" });
    await index.addRecords([{ id: 2, title: "drill" }]);
    door.emit("open");
    expect((await answer).data.hits.map(({ id }) => id)).toEqual(["1", "2"]);
  });
});

describe("what the caller passed", () => {
  it("is never changed, and may be frozen", async () => {
    const records = frozen([
      { id: 2, title: "drill", nested: { list: ["x"] } },
      { id: 1, title: "saw" },
    ]);
    const index = await open();
    await index.addRecords(records);
    await index.query(frozen({ query: "drill", page: 1 }), frozen({}));
    await index.deleteRecords(frozen(["1"]), frozen({}));
    expect(await index.getRecords(frozen([2]))).toEqual([records[0]]);
  });

  it("may be params that change while the query waits", async () => {
    const embedder = new AxisEmbedder();
    const index = await open({ embedder });
    await index.addRecords([{ id: 1, title: "drill" }]);
    const vector = new Float32Array([1, 0, 0]);
    const params = { query: "drill", page: 1, vector };
    const answer = index.query(params);
    params.page = 9;
    vector.fill(0);
    expect((await answer).data).toMatchObject({ page: 1, nbHits: 1 });
  });
});

describe("a signal", () => {
  it("aborted while the call waits for its turn ends it then", { timeout: 5000 }, async () => {
    const embedder = new AxisEmbedder();
    const index = await open({ embedder });
    embedder.wait = () => new Promise(() => {});
    const first = new AbortController();
    const hanging = rejectionOf(index.addRecords(items(1), { signal: first.signal }));
    const error = await rejectionOf(index.addRecords(items(2), { signal: AbortSignal.timeout(20) }));
    first.abort();
    expect([error.code, (await hanging).code]).toEqual([499, 499]);
  });
});
