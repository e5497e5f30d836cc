// Rankings of any origin, measured and compared; and what is refused.

import { describe, expect, it } from "vitest";
import { compareRuns, measureRun } from "../../src/evaluation.js";
import { rejectionOf, thrownBy } from "../support/refusal.js";

const QUERIES = [
  { id: "q1", query: "sofa" },
  { id: 2, query: "lamp" },
  { id: "none", query: "nothing relevant" },
];
const QRELS = [
  { queryId: "q1", recordId: 1, relevance: 1 },
  { queryId: "2", recordId: "b", relevance: 2 },
  { queryId: "none", recordId: "b", relevance: 0 },
  { queryId: "elsewhere", recordId: "b", relevance: 1 },
];
const SET = { queries: QUERIES, qrels: QRELS };

describe("measureRun", () => {
  it("measures rankings by query, and leaves out queries without a relevant record", () => {
    const run = measureRun([{ queryId: 2, recordIds: ["x", "b"] }], SET);
    expect(run.leftOut).toEqual(["none"]);
    expect(run.queries.map(({ queryId, mrr }) => [queryId, mrr])).toEqual([
      ["q1", 0],
      ["2", 0.5],
    ]);
    expect(run.means.mrr).toBe(0.25);
  });

  it("takes ids as numbers or texts", () => {
    const asNumber = measureRun([{ queryId: "q1", recordIds: [1] }], SET);
    expect(measureRun([{ queryId: "q1", recordIds: ["1"] }], SET)).toEqual(asNumber);
    expect(asNumber.queries[0]!.ndcg).toBe(1);
  });

  it.each([
    [{ queries: "q", qrels: [] }, "queries"],
    [{ queries: [{ id: "a" }], qrels: [] }, "queries[0].query"],
    [{ queries: [{ query: "a" }], qrels: [] }, "queries[0].id"],
    [{ queries: [...QUERIES, { id: "q1", query: "again" }], qrels: QRELS }, "queries[3].id"],
    [{ queries: [{ id: "a", query: "b", params: { page: 2 } }], qrels: [] }, "queries[0].params.page"],
    [{ queries: QUERIES, qrels: undefined }, "qrels"],
    [{ queries: QUERIES, qrels: [{ queryId: "q1", recordId: "1" }] }, "qrels[0].relevance"],
    [{ queries: QUERIES, qrels: [{ queryId: "q1", recordId: "1", relevance: Number.NaN }] }, "qrels[0].relevance"],
    [{ queries: QUERIES, qrels: [{ queryId: "q1", relevance: 1 }] }, "qrels[0].recordId"],
    [{ queries: QUERIES, qrels: [{ recordId: "q1", relevance: 1 }] }, "qrels[0].queryId"],
    [{ queries: QUERIES, qrels: [...QRELS, { queryId: "q1", recordId: "1", relevance: 2 }] }, "qrels[4].relevance"],
    [{ queries: QUERIES, qrels: [] }, "qrels"],
    [null, "judgements"],
    [{ queries: [null], qrels: [] }, "queries[0]"],
  ])("refuses %j", (set, param) => {
    const error = thrownBy(() => measureRun([], set as typeof SET));
    expect([error.code, error.error, error.param]).toEqual([400, "invalid_judgements", param]);
  });

  it.each([
    ["x", "rankings"],
    [[{ queryId: "q1", recordIds: "1" }], "rankings[0].recordIds"],
    [[{ queryId: "q1", recordIds: ["1", 1] }], "rankings[0].recordIds"],
    [[{ recordIds: [] }], "rankings[0].queryId"],
    [[2, "2"].map((queryId) => ({ queryId, recordIds: [] })), "rankings[1].queryId"],
  ])("refuses the rankings %j", (rankings, param) => {
    const error = thrownBy(() => measureRun(rankings as never, SET));
    expect([error.code, error.error, error.param]).toEqual([400, "invalid_rankings", param]);
  });

  it.each([
    [{ k: 0 }, "k"],
    [{ k: 1001 }, "k"],
    [{ k: 20, recallAt: 10 }, "recallAt"],
    [{ relevantFrom: 0 }, "relevantFrom"],
    [{ resamples: 10 }, "resamples"],
    [{ seed: -1 }, "seed"],
    [{ onProgress: "yes" }, "onProgress"],
    [{ engine: {} }, "engine"],
    [{ K: 3 }, "K"],
  ])("refuses the options %j", (options, param) => {
    const error = thrownBy(() => measureRun([], SET, options as { k: number }));
    expect([error.code, error.param]).toEqual([400, param]);
  });
});

describe("compareRuns", () => {
  const good = measureRun(
    [
      { queryId: "q1", recordIds: [1] },
      { queryId: 2, recordIds: ["b"] },
    ],
    SET,
  );
  const bad = measureRun([{ queryId: "q1", recordIds: ["x", "1"] }], SET);

  it("finds no difference between a run and itself", async () => {
    const nothing = { difference: 0, low: 0, high: 0, significant: false };
    const comparison = await compareRuns(good, good);
    expect(Object.values(comparison)).toEqual(Array.from({ length: 6 }, () => nothing));
  });

  it("subtracts the baseline, query by query", async () => {
    const { mrr, ndcg } = await compareRuns(good, bad, { seed: 3 });
    expect(mrr).toEqual({ difference: 0.75, low: 0.5, high: 1, significant: true });
    expect(ndcg.difference).toBeCloseTo((1 - 1 / Math.log2(3) + 1) / 2, 12);
    expect(await compareRuns(good, bad, { seed: 3 })).toEqual({ ...(await compareRuns(good, bad, { seed: 3 })) });
  });

  it("refuses runs over different queries, and what is no run", async () => {
    const other = measureRun([], { queries: QUERIES.slice(0, 1), qrels: QRELS });
    expect((await rejectionOf(compareRuns(good, other))).error).toBe("invalid_baseline");
    const broken: typeof good = JSON.parse('{ "queries": [null] }');
    expect((await rejectionOf(compareRuns(good, broken))).param).toBe("baseline");
    expect((await rejectionOf(compareRuns(JSON.parse("null"), good))).param).toBe("run");
  });

  it("is given up by its signal", async () => {
    expect((await rejectionOf(compareRuns(good, bad, { signal: AbortSignal.abort() }))).code).toBe(499);
  });
});
