// The neighbour graph against an exact scan.

import { expect, it } from "vitest";
import { auditRecall, type RecallAudit } from "../../src/evaluation.js";
import { type IndexSettings, type JsonRecord, SearchEngine } from "../../src/index.js";
import { AxisEmbedder } from "../support/axis-embedder.js";
import { Random } from "../support/random.js";
import { rejectionOf } from "../support/refusal.js";
import { GRAPH_KINDS, randomNumbers, USABLE_KINDS } from "../support/vectors.js";

const DIMENSIONS = 24;
const OWN: IndexSettings = { vectorAttribute: "vector", dimensions: DIMENSIONS };

async function engineWith(records: readonly JsonRecord[], settings: IndexSettings): Promise<SearchEngine> {
  const engine = new SearchEngine();
  await (await engine.createIndex("shop", settings)).addRecords(records);
  return engine;
}

function randomRecords(count: number): JsonRecord[] {
  const random = new Random(9);
  return Array.from({ length: count }, (_, i) => ({ id: `r${i}`, vector: randomNumbers(random, DIMENSIONS) }));
}

it("finds nothing amiss where the index scans exactly", async () => {
  const engine = await engineWith(randomRecords(100), OWN);
  expect(await auditRecall("shop", { engine, sample: 30 })).toEqual({ recall: 1, lostShare: 0, lost: [], asked: 30 });
});

const graphs = new SearchEngine().capabilities().hnsw;

it.each(
  GRAPH_KINDS,
)("says what a graph of kind %s with few links would miss, by seed, and leaves the index alone", async (kind) => {
  const engine = await engineWith(randomRecords(3000), OWN);
  const poor = { kind, m: 2, efConstruction: 4, efSearch: 1 };
  const options = { engine, sample: 60, vectorIndex: poor };
  if (kind === "hnswlib" && !USABLE_KINDS.includes(kind)) {
    expect(await rejectionOf(auditRecall("shop", options))).toMatchObject({ param: "vectorIndex.kind" });
    return;
  }
  const audit = await auditRecall("shop", options);
  expect(audit.asked).toBe(60);
  expect(audit.lost).toHaveLength(Math.round(audit.lostShare * 60));
  // Without WebAssembly vectors are scanned exactly, and nothing can be missed.
  if (USABLE_KINDS.includes(kind)) expect(audit.recall).toBeLessThan(0.95);
  else expect(audit.recall).toBe(1);
  expect(await auditRecall("shop", options)).toEqual(audit);
  const good = { kind };
  expect((await auditRecall("shop", { ...options, vectorIndex: good })).recall).toBeGreaterThan(0.97);
  expect((await engine.getSettings("shop")).settings).toEqual(OWN);
  expect(await engine.listIndexes()).toHaveLength(1);
});

it("calls no record lost among equals, and passes over records without a vector", async () => {
  const same = Array.from({ length: 40 }, (_, i) => ({ id: i, vector: [1, 0] }));
  const engine = await engineWith([...same, { id: "none" }], { vectorAttribute: "vector", dimensions: 2 });
  const audit = await auditRecall("shop", { engine, vectorIndex: { kind: "hnsw" } });
  expect(audit).toEqual({ recall: 1, lostShare: 0, lost: [], asked: 40 });
});

it("knows the vectors of embedded texts, and asks for an embedder that is not built in", async () => {
  const records = [{ id: 1, title: "Sofa" }, { id: 2, title: "Lamp" }, { id: 3, title: "Chair" }, { id: 4 }];
  const builtIn = await engineWith(records, {});
  expect(await auditRecall("shop", { engine: builtIn })).toMatchObject({ recall: 1, lost: [], asked: 3 });
  const embedder = new AxisEmbedder();
  const engine = await engineWith(records, { embedder });
  expect(await auditRecall("shop", { engine, embedder })).toMatchObject({ recall: 1, lost: [], asked: 2 });
  expect((await rejectionOf(auditRecall("shop", { engine }))).param).toBe("embedder");
});

it("refuses an index without vectors, unknown names and wrong options", async () => {
  const engine = await engineWith([{ id: 1, title: "Sofa" }], { embedder: false });
  expect((await rejectionOf(auditRecall("shop", { engine }))).error).toBe("no_vectors");
  expect((await rejectionOf(auditRecall("nobody", { engine }))).code).toBe(404);
  expect((await rejectionOf(auditRecall("shop", { engine, sample: 0 }))).param).toBe("sample");
});

it("audits the graph of the index itself, and draws another sample by another seed", async () => {
  const vectorIndex = { kind: "hnsw", m: 2, efConstruction: 4, efSearch: 1 } as const;
  const engine = await engineWith(randomRecords(2000), { ...OWN, vectorIndex });
  const audits = [];
  for (const seed of [1, 2]) audits.push(await auditRecall("shop", { engine, sample: 50, seed }));
  const [{ recall }, other] = audits as [RecallAudit, RecallAudit];
  // Without WebAssembly vectors are scanned exactly, and nothing can be missed.
  if (!graphs) return expect(recall).toBe(1);
  expect(recall).toBeLessThan(0.95);
  expect(other.lost).not.toEqual(audits[0]!.lost);
});
