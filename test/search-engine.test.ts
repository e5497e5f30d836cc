import { describe, expect, it } from "vitest";
import { SearchEngine } from "../src/index.js";
import { AxisEmbedder } from "./support/axis-embedder.js";
import { rejectionOf, thrownBy } from "./support/refusal.js";
import { USABLE_KINDS } from "./support/vectors.js";

const engineOf = (options: object = {}) => new SearchEngine({ embedder: false, ...options });

it("an index is found by the call right behind the one that creates it, also with some hundred settings", async () => {
  const engine = new SearchEngine({ embedder: false });
  const synonyms = Array.from({ length: 300 }, (_, i) => ({
    type: "synonym" as const,
    synonyms: [`one${i}`, `other${i}`],
  }));
  const made = engine.createIndex("a", { synonyms });
  expect((await engine.query("a", { query: "x" })).data.nbHits).toBe(0);
  await made;
});

describe("deleteIndex", () => {
  it("makes old handles answer 404, also when the name is taken again", async () => {
    const engine = engineOf();
    const old = await engine.createIndex("a");
    await old.addRecords([{ id: 1 }]);
    await engine.deleteIndex("a");
    const fresh = await engine.createIndex("a");
    const calls = [
      old.query({ query: "" }),
      old.addRecords([{ id: 2 }]),
      old.getRecords([1]),
      old.clearIndex(),
      old.getSettings(),
    ];
    for (const error of await Promise.all(calls.map(rejectionOf)))
      expect(error).toMatchObject({ code: 404, error: "index_not_found" });
    expect(thrownBy(() => old.browseRecords()).code).toBe(404);
    expect([fresh.recordCount, await engine.listIndexes()]).toEqual([0, [{ name: "a", records: 0 }]]);
  });

  it("in the middle of a write leaves nothing of it", async () => {
    const engine = engineOf();
    const index = await engine.createIndex("a");
    const writing = rejectionOf(index.addRecords(Array.from({ length: 20_000 }, (_, id) => ({ id, title: "drill" }))));
    await engine.deleteIndex("a");
    expect((await writing).code).toBe(404);
    expect(await engine.listIndexes()).toEqual([]);
  });
});

describe("close", () => {
  it.each(
    USABLE_KINDS,
  )("during work, with %s, ends all of it: each call resolves or is refused with 503", async (kind) => {
    const engine = new SearchEngine({ embedder: new AxisEmbedder() });
    const index = await engine.createIndex("a", { vectorIndex: { kind } });
    const batch = (from: number) => Array.from({ length: 5000 }, (_, i) => ({ id: from + i, title: "drill sofa" }));
    const calls = [index.addRecords(batch(0)), index.addRecords(batch(5000)), index.query({ query: "drill" })];
    const outcomes = Promise.allSettled<unknown>(calls);
    await engine.close();
    for (const outcome of await outcomes)
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: 503, error: "closed" });
  });

  it("comes to an end though an embedder hangs", { timeout: 5000 }, async () => {
    const embedder = new AxisEmbedder();
    embedder.wait = () => new Promise(() => {});
    const engine = new SearchEngine({ embedder });
    const index = await engine.createIndex("a");
    const writing = rejectionOf(index.addRecords([{ id: 1, title: "drill" }]));
    await engine.close();
    expect((await writing).code).toBe(503);
  });
});

describe("the options of an engine", () => {
  it("choose the embedder of indexes that name none", async () => {
    const own = await new SearchEngine({ embedder: new AxisEmbedder() }).createIndex("a");
    const packaged = await new SearchEngine({ embedder: "static-en" }).createIndex("a");
    const none = await engineOf().createIndex("a");
    const dimensions = await Promise.all(
      [own, packaged, none].map(async (index) => (await index.getSettings()).effective.dimensions),
    );
    expect(dimensions).toEqual([3, 192, 0]);
  });

  it("may hold a warning handler that throws", async () => {
    const onWarning = () => {
      throw new Error("theirs");
    };
    const index = await engineOf({ onWarning }).createIndex("a", { unknown: 1 } as object);
    expect((await index.query({ query: "x", pgae: 1 } as never)).code).toBe(200);
  });
});
