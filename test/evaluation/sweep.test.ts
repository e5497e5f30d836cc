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
const BODY: IndexSettings = { searchableAttributes: ["body"] };
const RRF: IndexSettings = { fusion: { method: "rrf" } };
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
  expect(points.map(({ values }) => [values.attributeWeights!.title, values.b, values.semanticWeight])).toEqual(
    [1, 30].flatMap((title) => [0, 1].flatMap((b) => [0, 0.5].map((weight) => [title, b, weight]))),
  );
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

it.each<[vary: Variations, ...asIf: IndexSettings[]]>([
  [{ settings: [BODY, {}, RRF] }, BODY, {}, RRF],
  [{ settings: [{ semanticWeight: 0.2 }], semanticWeight: [0.7] }, { semanticWeight: 0.7 }],
])("tries %j, each from the index as it is", async (vary, ...asIf) => {
  const { points } = await sweep("shop", SET, { engine: await shopEngine({ matching: "any" }), vary });
  const expected = await Promise.all(asIf.map((one) => measured({ matching: "any", ...one })));
  expect(points.map(({ run }) => run.means.ndcg)).toEqual(expected);
});

it("takes a weight as convex fusion, in place of that of the settings", async () => {
  const fusion = { method: "convex", semanticWeight: 0.7 } as const;
  for (const settings of [RRF, { semanticWeight: 0.9 }]) {
    const engine = await shopEngine(settings);
    const [point] = (await sweep("shop", SET, { engine, vary: { semanticWeight: [0.7] } })).points;
    expect([point!.settings, point!.run.means.ndcg]).toEqual([{ fusion }, await measured({ fusion })]);
    await engine.updateSettings("shop", point!.settings);
    expect((await engine.getSettings("shop")).settings).not.toHaveProperty("semanticWeight");
  }
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
