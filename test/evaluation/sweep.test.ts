// Settings tried on copies: what each would answer, and that the index itself stays as it is.

import { expect, it } from "vitest";
import { evaluate, type JudgedSet, sweep, type Variations } from "../../src/evaluation.js";
import { type IndexSettings, SearchEngine } from "../../src/index.js";
import { AxisEmbedder } from "../support/axis-embedder.js";
import { rejectionOf } from "../support/refusal.js";

const RECORDS = [
  { id: 1, title: "Shade", body: "lamp lamp lamp", ean: "12345670" },
  { id: 2, title: "Lamp", body: "a long text about other things that stand beside it, and more of them" },
  { id: 3, title: "Sofa", body: "sofa" },
  { id: 4, title: "Couch", body: "drill and sofa" },
];
const SET: JudgedSet = {
  queries: [
    { id: "lamp", query: "lamp" },
    { id: "sofa", query: "sofa" },
  ],
  qrels: [
    { queryId: "lamp", recordId: 2, relevance: 1 },
    { queryId: "sofa", recordId: 3, relevance: 2 },
    { queryId: "sofa", recordId: 4, relevance: 1 },
  ],
};

async function shopEngine(settings: IndexSettings = {}): Promise<SearchEngine> {
  const engine = new SearchEngine({ embedder: new AxisEmbedder() });
  await (await engine.createIndex("shop", { builtInSynonyms: false, titleEvidence: false, ...settings })).addRecords(
    RECORDS,
  );
  return engine;
}

/** What the same settings answer in an index made with them. */
async function measured(settings: IndexSettings): Promise<number> {
  const engine = await shopEngine(settings);
  return (await evaluate("shop", SET, { engine, ways: ["both"] })).runs.both!.means.ndcg;
}

it("measures each combination as an index with these settings would answer", async () => {
  const engine = await shopEngine();
  const vary: Variations = {
    attributeWeights: [{ title: 1 }, { title: 30 }],
    b: [0, 1],
    semanticWeight: [0, 0.5],
    semanticFloor: [0.9],
    matchingRatio: [1],
  };
  const { baseline, points } = await sweep("shop", SET, { engine, vary });
  expect(points.map(({ values }) => [values.attributeWeights!.title, values.b, values.semanticWeight])).toEqual([
    [1, 0, 0],
    [1, 0, 0.5],
    [1, 1, 0],
    [1, 1, 0.5],
    [30, 0, 0],
    [30, 0, 0.5],
    [30, 1, 0],
    [30, 1, 0.5],
  ]);
  expect(baseline.means.ndcg).toBe(await measured({}));
  for (const { settings, run, differences } of points) {
    expect(run.means.ndcg, JSON.stringify(settings)).toBe(await measured(settings));
    expect(differences.ndcg.difference).toBeCloseTo(run.means.ndcg - baseline.means.ndcg, 12);
  }
  expect(new Set(points.map(({ run }) => run.means.ndcg)).size).toBeGreaterThan(1);
});

it("says the settings in the words of updateSettings", async () => {
  const engine = await shopEngine();
  const vary = { attributeWeights: [{ title: 5 }], k1: [2], semanticWeight: [0.3], semanticDepth: [7] };
  const { points } = await sweep("shop", SET, { engine, vary });
  expect(points[0]!.settings).toEqual({
    searchableAttributes: ["body", "ean", { attribute: "title", weight: 5 }],
    bm25: { k1: 2, b: 0.6 },
    fusion: { method: "convex", semanticWeight: 0.3 },
    semanticDepth: 7,
  });
});

it("tries any settings, each from the index as it is", async () => {
  const engine = await shopEngine();
  const settings = [{ searchableAttributes: ["body"] }, {}, { fusion: { method: "rrf" as const } }];
  const { baseline, points } = await sweep("shop", SET, { engine, vary: { settings } });
  expect(points[0]!.run.means.ndcg).toBe(await measured(settings[0]!));
  expect(points[1]!.run).toEqual(baseline);
  expect(points[2]!.run.means.ndcg).toBe(await measured(settings[2]!));
});

it("takes a weight as convex fusion where the index fuses by ranks", async () => {
  const engine = await shopEngine({ fusion: { method: "rrf" } });
  const { points } = await sweep("shop", SET, { engine, vary: { semanticWeight: [0.7] } });
  expect(points[0]!.run.means.ndcg).toBe(await measured({ fusion: { method: "convex", semanticWeight: 0.7 } }));
});

it("takes a weight in place of that of the settings", async () => {
  const engine = await shopEngine({ semanticWeight: 0.9 });
  const vary = { settings: [{ semanticWeight: 0.2 }], semanticWeight: [0.7] };
  const { points } = await sweep("shop", SET, { engine, vary });
  expect(points[0]!.settings).toEqual({ fusion: { method: "convex", semanticWeight: 0.7 } });
  await engine.updateSettings("shop", points[0]!.settings);
  expect((await engine.getSettings("shop")).settings).not.toHaveProperty("semanticWeight");
  expect(points[0]!.run.means.ndcg).toBe(await measured({ semanticWeight: 0.7 }));
});

it("keeps named attributes, and changes the weights of some", async () => {
  const engine = await shopEngine({ searchableAttributes: ["title", { attribute: "body", weight: 3 }] });
  const { points } = await sweep("shop", SET, { engine, vary: { attributeWeights: [{ title: 9 }] } });
  expect(points[0]!.settings.searchableAttributes).toEqual([
    { attribute: "title", weight: 9 },
    { attribute: "body", weight: 3 },
  ]);
});

it("never changes the index, and leaves no copy behind", async () => {
  const engine = await shopEngine();
  await engine.createIndex("evaluation-copy-1");
  const before = await engine.getSettings("shop");
  await sweep("shop", SET, { engine, vary: { matchingRatio: [0, 1], semanticWeight: [0, 1] } });
  const failing = { engine, vary: { matchingRatio: [0.5, 2] } };
  expect((await rejectionOf(sweep("shop", SET, failing))).error).toBe("invalid_setting");
  expect(await engine.getSettings("shop")).toEqual(before);
  expect((await engine.listIndexes()).map(({ name }) => name)).toEqual(["evaluation-copy-1", "shop"]);
});

it("is given up by its signal, without a copy left", async () => {
  const engine = await shopEngine();
  const stop = new AbortController();
  const options = { engine, vary: { semanticWeight: [0, 1] }, signal: stop.signal, onProgress: () => stop.abort() };
  expect((await rejectionOf(sweep("shop", SET, options))).code).toBe(499);
  expect(await engine.listIndexes()).toHaveLength(1);
});

it.each([
  [{}, "vary"],
  [{ weight: [1] }, "weight"],
  [{ semanticWeight: 0.3 }, "semanticWeight"],
  [{ semanticWeight: [] }, "semanticWeight"],
  [{ semanticWeight: ["0.3"] }, "semanticWeight"],
  [{ attributeWeights: [3] }, "attributeWeights"],
  [{ attributeWeights: [{ tilte: 3 }] }, "attributeWeights"],
  [{ settings: ["x"] }, "settings"],
  [{ k1: Array.from({ length: 40 }, (_, i) => i), b: Array.from({ length: 40 }, (_, i) => i / 40) }, "vary"],
  [undefined, "options.vary"],
])("refuses to vary %j", async (vary, param) => {
  const engine = await shopEngine();
  const error = await rejectionOf(sweep("shop", SET, { engine, vary: vary as Variations }));
  expect([error.code, error.param]).toEqual([400, param]);
  expect(await engine.listIndexes()).toHaveLength(1);
});
