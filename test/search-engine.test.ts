import { describe, expect, it } from "vitest";
import { SearchEngine } from "../src/index.js";
import { AxisEmbedder } from "./support/axis-embedder.js";
import { rejectionOf, thrownBy } from "./support/refusal.js";
import { seq } from "./support/seq.js";
import { USABLE_KINDS } from "./support/vectors.js";

const engineOf = (options: object = {}) => new SearchEngine({ embedder: false, ...options });

it("an index is found by the call right behind the one that creates it, also with some hundred settings", async () => {
  const engine = engineOf();
  const synonyms = seq(300, (i) => ({ type: "synonym" as const, synonyms: [`one${i}`, `other${i}`] }));
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
    const writing = rejectionOf(index.addRecords(seq(20_000, (id) => ({ id, title: "drill" }))));
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
    const batch = (from: number) => seq(5000, (i) => ({ id: from + i, title: "drill sofa" }));
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
  it.each([
    [3, { embedder: new AxisEmbedder() }],
    [192, { embedder: "static-en" }],
    [0, {}],
  ])("choose the embedder of indexes that name none, of %i dimensions", async (dimensions, options) => {
    const index = await engineOf(options).createIndex("a");
    expect((await index.getSettings()).effective.dimensions).toBe(dimensions);
  });

  it("may hold a warning handler that throws", async () => {
    const onWarning = () => {
      throw new Error("theirs");
    };
    const index = await engineOf({ onWarning }).createIndex("a", { unknown: 1 } as object);
    expect((await index.query({ query: "x", pgae: 1 } as never)).code).toBe(200);
  });
});
