// What the graph of hnswlib-node does about the traps of that package: wrong lengths, growth, memory that runs out, graphs that are not
// closed, equal vectors, deletions. Where the package cannot be used, each test asserts that there is no graph.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import type { LocalDoc } from "../../src/util/doc-set.js";
import { HnswlibGraph, hnswlibBytes, liveHnswlibGraphs } from "../../src/vectors/hnsw/hnswlib-graph.js";
import type { HnswOptions } from "../../src/vectors/hnsw/node-graph.js";
import { graphKindFor, VectorGraph } from "../../src/vectors/vector-graph.js";
import { vectorOf } from "../../src/vectors/vector-rows.js";
import { Random } from "../support/random.js";
import { thrownBy } from "../support/refusal.js";
import { ROOT } from "../support/source-tree.js";
import { exactCosine, randomNumbers, stored, USABLE_KINDS, vectorSegment } from "../support/vectors.js";

const OPTIONS: HnswOptions = { dimensions: 8, m: 16, efConstruction: 100, efSearch: 100 };
const isUsable = USABLE_KINDS.includes("hnswlib");

afterEach(() => {
  vi.restoreAllMocks();
});

/** Runs `body` on a new graph, or asserts that there is none. */
function onGraph(body: (graph: HnswlibGraph) => void, options: HnswOptions = OPTIONS): void {
  const graph = HnswlibGraph.create(options);
  expect(graph !== undefined).toBe(isUsable);
  if (graph === undefined) return;
  try {
    body(graph);
  } finally {
    graph.dispose();
  }
}

const randomVectors = (count: number, dimensions = 8, seed = 1) => {
  const random = new Random(seed);
  return Array.from({ length: count }, () => stored(randomNumbers(random, dimensions)));
};

/** The share of the ten nearest live nodes that a graph finds. */
function recallOf(graph: HnswlibGraph, vectors: ReturnType<typeof randomVectors>): number {
  let found = 0;
  for (const query of randomVectors(50, 8, 99)) {
    const cosines = vectors.map((vector, node) => ({ node, cosine: exactCosine(vector, query) }));
    const nearest = cosines.filter(({ node }) => !graph.isDeleted(node)).sort((a, b) => b.cosine - a.cosine);
    const answer = new Set(graph.search(query, 12));
    for (const { node } of nearest.slice(0, 10)) if (answer.has(node)) found++;
  }
  return found / 500;
}

it("refuses nodes that it does not have", () => {
  onGraph((graph) => {
    graph.add(randomVectors(1)[0]!);
    for (const node of [-1, 1, 2 ** 32, Number.NaN])
      for (const call of [graph.setDeleted, graph.isDeleted])
        expect(() => Reflect.apply(call, graph, [node])).toThrow(RangeError);
    expect(graph.deletedCount).toBe(0);
  });
});

it("grows step by step, announces each step, and forgets nothing", () => {
  onGraph((graph) => {
    const vectors = randomVectors(4000);
    let steps = 0;
    for (const [node, vector] of vectors.entries()) {
      const { growth, bytes } = graph;
      if (node % 3 === 2) graph.setDeleted(node - 1, true);
      expect(graph.add(vector)).toBe(node);
      if (growth === 0) continue;
      steps++;
      expect(graph.bytes - bytes).toBeGreaterThanOrEqual(growth);
    }
    expect([steps > 10, graph.size, graph.deletedCount]).toEqual([true, 4000, 1333]);
    expect(recallOf(graph, vectors)).toBeGreaterThanOrEqual(0.98);
  });
});

it("is full where the machine has no more memory, and goes on with the nodes it has", () => {
  const vectors = randomVectors(1100);
  onGraph((graph) => {
    for (const vector of vectors.slice(0, 1024)) graph.add(vector);
    vi.spyOn(process, "constrainedMemory").mockReturnValue(hnswlibBytes(OPTIONS, 1100));
    expect(thrownBy(() => graph.add(vectors[1024]!))).toMatchObject({ code: 507, error: "index_full" });
    expect(thrownBy(() => HnswlibGraph.create({ ...OPTIONS, m: 256 }))).toMatchObject({ error: "index_full" });
    expect([graph.add(vectors[5]!), graph.search(vectors[5]!, 1), graph.size]).toEqual([5, [5], 1024]);
    vi.restoreAllMocks();
    expect(graph.add(vectors[1024]!)).toBe(1024);
  });
});

it("counts the open graphs, and closes any number of them", () => {
  for (let round = 0; round < 100; round++)
    onGraph((graph) => {
      graph.add(randomVectors(1)[0]!);
      expect(liveHnswlibGraphs()).toBe(1);
    });
  expect(liveHnswlibGraphs()).toBe(0);
});

it("has one node for 10,000 equal vectors, deleted or not, and loses no other", () => {
  onGraph((graph) => {
    const [same, ...others] = randomVectors(1001);
    for (const vector of others.slice(0, 500)) graph.add(vector);
    for (let i = 0; i < 10_000; i++) expect(graph.add(same!)).toBe(500);
    graph.setDeleted(500, true);
    expect([graph.add(same!), graph.isDeleted(500), graph.search(same!, 1)[0] === 500]).toEqual([500, true, false]);
    graph.setDeleted(500, false);
    for (const vector of others.slice(500)) graph.add(vector);
    expect(graph.size).toBe(1001);
    const lost = others.filter((vector, i) => graph.search(vector, 1)[0] !== (i < 500 ? i : i + 1));
    expect(lost).toEqual([]);
  });
});

it("finds what lives through deletions until it should be rebuilt, and a new graph does then", () => {
  const random = new Random(4);
  const numbers = random.list(2000, 2000, () => randomNumbers(random, 8));
  const { segmentId, size, rows } = vectorSegment(1, 0, numbers);
  const live = new Set([...numbers.keys()] as LocalDoc[]);
  const grown = (): VectorGraph => {
    const graph = VectorGraph.create("hnswlib", OPTIONS)!;
    for (const doc of live) graph.add({ segmentId, size, vectors: rows }, doc, vectorOf(rows, doc)!);
    return graph;
  };
  expect(VectorGraph.create("hnswlib", OPTIONS) !== undefined).toBe(isUsable);
  if (!isUsable) return;
  for (let round = 0; round < 4; round++) {
    const graph = grown();
    while (!graph.needsRebuild) {
      const gone = random.some([...live], 0.1);
      for (const doc of gone) live.delete(doc);
      graph.remove(segmentId, gone);
    }
    let found = 0;
    for (const doc of live) {
      const docs: LocalDoc[] = [];
      for (const node of graph.nearest(vectorOf(rows, doc)!, 10))
        graph.records.each(node, (_, each) => docs.push(each));
      expect(docs.filter((each) => !live.has(each))).toEqual([]);
      if (docs[0] === doc) found++;
    }
    expect(found / live.size).toBeGreaterThan(0.99);
    graph.dispose();
  }
});

it("is chosen for vectors that only it can hold, where it can be used and the machine has the memory", () => {
  const options = { dimensions: 192, m: 16, efConstruction: 200, efSearch: 250 };
  const canHnsw = USABLE_KINDS.includes("hnsw");
  vi.spyOn(process, "constrainedMemory").mockReturnValue(0);
  expect(graphKindFor(options, 100_000)).toBe(canHnsw || !isUsable ? "hnsw" : "hnswlib");
  vi.spyOn(process, "constrainedMemory").mockReturnValue(hnswlibBytes(options, 13_000_000) - 1);
  expect(graphKindFor(options, 13_000_000)).toBe("hnsw");
});

it("never has its files read or written, nor its other class used", () => {
  // No other file imports the package (test/house).
  const user = readFileSync(join(ROOT, "src/vectors/hnsw/hnswlib-graph.ts"), "utf8");
  expect(user).toContain("hnswlib-node");
  expect(user).not.toMatch(/\b(readIndex|writeIndex|BruteforceSearch)/);
});
