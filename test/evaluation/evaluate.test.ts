// An index measured by judgements: the small shop, whose answers can be worked out by hand.

import { describe, expect, it } from "vitest";
import { evaluate, type JudgedSet, measureRun } from "../../src/evaluation.js";
import { SearchEngine, setDefaultEngine } from "../../src/index.js";
import { AxisEmbedder } from "../support/axis-embedder.js";
import { rejectionOf } from "../support/refusal.js";

const RECORDS = [
  { id: 1, title: "Cordless drill", body: "for wood" },
  { id: 2, title: "Corner couch", body: "a sofa, a sofa" },
  { id: 3, title: "Desk lamp" },
  { id: 4, title: "Reading chair" },
];
const SET: JudgedSet = {
  queries: [
    { id: "drill", query: "drill" },
    { id: "couch", query: "couch" },
    { id: "chair", query: "chair" },
  ],
  qrels: [
    { queryId: "drill", recordId: 1, relevance: 2 },
    { queryId: "couch", recordId: 2, relevance: 1 },
    { queryId: "chair", recordId: 4, relevance: 1 },
    { queryId: "chair", recordId: 99, relevance: 1 },
  ],
};

async function shopEngine(embedder = new AxisEmbedder()): Promise<SearchEngine> {
  const engine = new SearchEngine({ embedder });
  const index = await engine.createIndex("shop");
  await index.addRecords(RECORDS);
  return engine;
}

describe("evaluate", () => {
  it("asks by words, by meaning and by both, and measures what each finds", async () => {
    const engine = await shopEngine();
    const { runs, missingRecords } = await evaluate("shop", SET, { engine });
    // The axes know drill, sofa and lamp: neither couch nor chair has a vector, so meaning finds only the drill.
    const recallOf = (way: "words" | "meaning" | "both") => runs[way]!.queries.map(({ recall }) => recall);
    expect(recallOf("words")).toEqual([1, 1, 0.5]);
    expect(recallOf("meaning")).toEqual([1, 0, 0]);
    expect(recallOf("both")).toEqual([1, 1, 0.5]);
    expect(missingRecords).toEqual(["99"]);
  });

  it("takes a handle, or says that an index may be one of another engine", async () => {
    const engine = await shopEngine();
    expect(await evaluate(engine.index("shop"), SET)).toEqual(await evaluate("shop", SET, { engine }));
    await expect(evaluate("shop", SET)).rejects.toMatchObject({
      ...{ code: 404, error: "index_not_found" },
      msg: expect.stringContaining("If it is one of an engine of yours, pass { engine }."),
    });
    await expect(evaluate("other", SET, { engine })).rejects.toThrow(/create it with createIndex\.$/);
  });

  it("compares with words, or with what it is told", async () => {
    const engine = await shopEngine();
    const byDefault = await evaluate("shop", SET, { engine });
    expect(Object.keys(byDefault.differences)).toEqual(["meaning", "both"]);
    expect(byDefault.differences.meaning!.recall.difference).toBeCloseTo(-0.5, 12);
    expect(byDefault.differences.both!.recall).toEqual({ difference: 0, low: 0, high: 0, significant: false });
    const { differences } = await evaluate("shop", SET, { engine, baseline: "meaning" });
    expect(differences.words!.recall.difference).toBeCloseTo(0.5, 12);
    const nothing = measureRun([], SET);
    const against = await evaluate("shop", SET, { engine, ways: ["both"], baseline: nothing });
    expect(against.differences.both!.recall.difference).toBeCloseTo(2.5 / 3, 12);
    expect((await evaluate("shop", SET, { engine, ways: ["both"] })).differences).toEqual({});
  });

  it("passes each query's own parameters on", async () => {
    const engine = await shopEngine();
    const queries = [{ id: "drill", query: "drill", params: { filters: { id: 3 } } }];
    const { runs } = await evaluate("shop", { queries, qrels: SET.qrels }, { engine, ways: ["words"] });
    expect(runs.words!.means.recall).toBe(0);
    const vectors = [{ id: "couch", query: "couch", params: { vector: [0, 1, 0] } }];
    const own = await evaluate("shop", { queries: vectors, qrels: SET.qrels }, { engine, ways: ["meaning"] });
    expect(own.runs.meaning!.means.mrr).toBe(1);
  });

  it("looks as deep as recallAt says", async () => {
    const engine = new SearchEngine({ embedder: false });
    await (await engine.createIndex("many")).addRecords(
      Array.from({ length: 30 }, (_, i) => ({ id: i + 10, title: "Lamp" })),
    );
    const set = { queries: [{ id: 1, query: "lamp" }], qrels: [{ queryId: 1, recordId: 24, relevance: 1 }] };
    const recall = async (recallAt: number) =>
      (await evaluate("many", set, { engine, recallAt, ways: ["words"] })).runs.words!.means.recall;
    // Equal scores stand in the order of their ids: 24 is the fifteenth.
    expect([await recall(14), await recall(15)]).toEqual([0, 1]);
  });

  it("tells how far it is, and is given up by its signal", async () => {
    const engine = await shopEngine();
    const told: number[] = [];
    await evaluate("shop", SET, { engine, onProgress: ({ done, total }) => told.push(done / total) });
    expect(told).toHaveLength(9);
    expect(told.at(-1)).toBe(1);
    const stop = new AbortController();
    const onProgress = () => stop.abort();
    expect((await rejectionOf(evaluate("shop", SET, { engine, signal: stop.signal, onProgress }))).code).toBe(499);
  });

  it.each([
    [{ ways: [] }, "ways"],
    [{ ways: "words" }, "ways"],
    [{ ways: ["words", "words"] }, "ways"],
    [{ ways: ["letters"] }, "ways"],
    [{ ways: ["both"], baseline: "words" }, "baseline"],
    [{ baseline: { queries: [{}] } }, "baseline"],
    [{ wyas: ["both"] }, "wyas"],
  ])("refuses %j", async (options, param) => {
    const engine = await shopEngine();
    const error = await rejectionOf(evaluate("shop", SET, { engine, ...(options as object) }));
    expect([error.code, error.param]).toEqual([400, param]);
  });
});

it("asks the default engine where none is named", async () => {
  const engine = await shopEngine();
  const previous = setDefaultEngine(engine);
  try {
    expect(await evaluate("shop", SET)).toEqual(await evaluate("shop", SET, { engine }));
  } finally {
    setDefaultEngine(previous);
  }
});
