// The graph against its naive twin, node for node, and what every kind of graph promises besides. Where a kind cannot be used, each
// test asserts just that.

import { describe, expect, it } from "vitest";
import { HnswGraph, type ImageSource } from "../../src/vectors/hnsw/hnsw-graph.js";
import { HnswlibGraph } from "../../src/vectors/hnsw/hnswlib-graph.js";
import type { GraphKind, HnswOptions, NodeGraph } from "../../src/vectors/hnsw/node-graph.js";
import type { UnitVector } from "../../src/vectors/unit-vector.js";
import { inBytes, NaiveGraph } from "../support/naive-graph.js";
import { Random } from "../support/random.js";
import { exactCosine, GRAPH_KINDS, randomNumbers, stored, USABLE_KINDS } from "../support/vectors.js";

const OPTIONS: HnswOptions = { dimensions: 8, m: 16, efConstruction: 100, efSearch: 64 };

type Body = (graph: NodeGraph) => void;

/** Runs `body` on a new graph of a kind, or asserts that there is none. */
function onKind(kind: GraphKind, body: Body, options: HnswOptions = OPTIONS, mostBytes?: number): void {
  const graph = kind === "hnsw" ? HnswGraph.create(options, mostBytes) : HnswlibGraph.create(options);
  expect(graph !== undefined).toBe(USABLE_KINDS.includes(kind));
  if (graph === undefined) return;
  body(graph);
  graph.dispose();
}

function onGraph(body: Body, options: HnswOptions = OPTIONS, mostBytes?: number): void {
  onKind("hnsw", body, options, mostBytes);
}

/** Vectors no two of which are the same in bytes. */
function distinctVectors(count: number, dimensions: number, seed = 1): UnitVector[] {
  const random = new Random(seed);
  const distinct = new Map<string, UnitVector>();
  while (distinct.size < count) {
    const vector = stored(randomNumbers(random, dimensions));
    const key = String(inBytes(vector.components));
    if (!distinct.has(key)) distinct.set(key, vector);
  }
  return [...distinct.values()];
}

/** Adds the vectors to graphs, and returns them. */
function addAll(vectors: readonly UnitVector[], ...graphs: readonly NodeGraph[]): readonly UnitVector[] {
  for (const graph of graphs) for (const vector of vectors) graph.add(vector);
  return vectors;
}

const ONE_TO_EIGHT = stored([1, 2, 3, 4, 5, 6, 7, 8]);

describe("the graph and its naive twin", () => {
  it.each([
    [2, 4, 1, 3],
    [3, 20, 5, 16],
    [4, 30, 40, 24],
    [16, 60, 100, 9],
  ])("with m %i, efConstruction %i and efSearch %i find the same nodes in %i dimensions", (m, efConstruction, efSearch, dimensions) => {
    onGraph(
      (graph) => {
        const random = new Random(m);
        const naive = new NaiveGraph({ m, efConstruction });
        const vectors = distinctVectors(400, dimensions, m);
        for (const [node, vector] of vectors.entries()) {
          expect(graph.add(vector)).toBe(node);
          naive.add(vector.components);
          if (node % 40 !== 0) continue;
          const query = stored(randomNumbers(random, dimensions));
          const wanted = random.between(1, 20);
          expect(graph.search(query, wanted)).toEqual(
            naive.nearest(query.components, wanted, Math.max(efSearch, Math.min(wanted, node + 1)), () => false),
          );
        }
      },
      { dimensions, m, efConstruction, efSearch },
    );
  });

  it("agree where many are as near as others", () => {
    onGraph(
      (graph) => {
        const naive = new NaiveGraph({ m: 3, efConstruction: 12 });
        const random = new Random(3);
        const grid = Array.from({ length: 3 ** 6 }, (_, i) =>
          [0, 1, 2, 3, 4, 5].map((at) => (Math.trunc(i / 3 ** at) % 3) - 1),
        );
        const vectors = random.shuffle(grid.filter((numbers) => numbers.some((number) => number !== 0))).map(stored);
        for (const { components } of addAll(vectors, graph)) naive.add(components);
        for (const query of vectors.slice(0, 100))
          expect(graph.search(query, 20)).toEqual(naive.nearest(query.components, 20, 20, () => false));
      },
      { dimensions: 6, m: 3, efConstruction: 12, efSearch: 10 },
    );
  });

  it("agree about what is left when nodes are dead", () => {
    onGraph((graph) => {
      const naive = new NaiveGraph(OPTIONS);
      for (const { components } of addAll(distinctVectors(300, 8), graph)) naive.add(components);
      const isDeleted = (node: number): boolean => node % 3 === 0;
      for (let node = 0; node < 300; node += 3) graph.setDeleted(node, true);
      // A third is dead, so half as many more are kept.
      for (const query of distinctVectors(20, 8, 5))
        expect(graph.search(query, 10)).toEqual(naive.nearest(query.components, 10, 96, isDeleted));
    });
  });
});

describe("a graph of our own", () => {
  it("gives vectors that are the same in bytes one node", () => {
    onGraph((graph) => {
      const [one, two] = distinctVectors(2, 8);
      const nearOne = stored([...one!.components].map((component) => 5 * component + 1));
      expect([one!, two!, nearOne, two!].map((vector) => graph.add(vector))).toEqual([0, 1, 0, 1]);
      expect([graph.size, graph.search(one!, 5)]).toEqual([2, [0, 1]]);
    });
  });

  it("refuses a node for which there is no memory, and goes on with those it has", () => {
    onGraph(
      (graph) => {
        const vectors = distinctVectors(2000, 100);
        const full = vectors.findIndex((vector) => {
          try {
            graph.add(vector);
            return false;
          } catch (error) {
            expect(error).toMatchObject({ code: 507, error: "index_full" });
            return true;
          }
        });
        expect([full > 100, graph.size, graph.bytes < 300_000]).toEqual([true, full, true]);
        expect(() => graph.add(vectors[full]!)).toThrow(expect.objectContaining({ error: "index_full" }));
        expect([graph.add(vectors[5]!), graph.search(vectors[5]!, 1)]).toEqual([5, [5]]);
      },
      { ...OPTIONS, dimensions: 100 },
      262_144,
    );
  });

  it("is not there where not even its first bytes have room", () => {
    expect(HnswGraph.create(OPTIONS, 1000)).toBeUndefined();
  });
});

/** The image of a graph, read back from its bytes in pieces. */
function sourceOf(graph: NodeGraph, pieceBytes = 4096): ImageSource {
  const { copy, ...rest } = graph.image!;
  const bytes = new Uint8Array(rest.byteLength);
  for (let at = 0; at < bytes.length; at += pieceBytes)
    bytes.set(copy(at, Math.min(at + pieceBytes, bytes.length)), at);
  return { ...rest, read: async (into) => into.set(bytes) };
}

describe.each(GRAPH_KINDS)("the image of a graph of kind %s", (kind) => {
  it("gives a graph that finds the same, and goes on in the same way", async () => {
    for (const [seed, options] of [
      [1, OPTIONS],
      [2, { dimensions: 13, m: 2, efConstruction: 4, efSearch: 1 }],
      [3, { dimensions: 200, m: 5, efConstruction: 20, efSearch: 10 }],
    ] as const) {
      const graph = kind === "hnsw" ? HnswGraph.create(options) : HnswlibGraph.create(options);
      if (kind === "hnswlib") expect(graph?.image).toBeUndefined();
      if (graph?.image === undefined) continue;
      const vectors = distinctVectors(900, options.dimensions, seed);
      const queries = distinctVectors(50, options.dimensions, seed + 9);
      const answersOf = (each: NodeGraph) => queries.map((query) => each.search(query, 20));
      addAll(vectors.slice(0, 600), graph);
      for (let node = 0; node < 600; node += 7) graph.setDeleted(node, true);
      // The marks of searches are part of the memory.
      answersOf(graph);
      const source = sourceOf(graph, 64 * seed);
      // Neither searches nor deletions change the image.
      answersOf(graph);
      graph.setDeleted(1, true);
      const again = new Uint8Array(source.byteLength);
      await sourceOf(graph).read(again);
      const before = new Uint8Array(source.byteLength);
      await source.read(before);
      expect(again).toEqual(before);
      const opened = (await HnswGraph.fromImage(options, source))!;
      expect([opened.size, opened.deletedCount, opened.search(queries[0]!, 5)]).toEqual([600, 600, []]);
      for (const [node, vector] of vectors.slice(0, 600).entries()) {
        expect(opened.add(vector)).toBe(node);
        if (!graph.isDeleted(node)) opened.setDeleted(node, false);
      }
      expect([opened.size, opened.deletedCount, opened.bytes]).toEqual([600, graph.deletedCount, graph.bytes]);
      expect(answersOf(opened)).toEqual(answersOf(graph));
      for (const vector of vectors) expect(opened.add(vector)).toBe(graph.add(vector));
      expect(answersOf(opened)).toEqual(answersOf(graph));
      expect(opened.bytes).toBe(graph.bytes);
      for (const each of [graph, opened]) each.dispose();
    }
  });
});

describe("the image of a graph", () => {
  it("is refused by graphs of another layout, and where there is no memory", async () => {
    const graph = HnswGraph.create(OPTIONS);
    if (graph === undefined) return expect(USABLE_KINDS).not.toContain("hnsw");
    addAll(distinctVectors(500, 8), graph);
    const source = sourceOf(graph);
    for (const other of [{ dimensions: 9 }, { m: 15 }, { efConstruction: 99 }])
      expect(await HnswGraph.fromImage({ ...OPTIONS, ...other }, source)).toBeUndefined();
    for (const other of [{ nodes: 499 }, { byteLength: source.byteLength - 16 }, { layout: "" }])
      expect(await HnswGraph.fromImage(OPTIONS, { ...source, ...other })).toBeUndefined();
    expect(await HnswGraph.fromImage(OPTIONS, source, { mostBytes: source.byteLength })).toBeUndefined();
    const wider = await HnswGraph.fromImage({ ...OPTIONS, efSearch: 7 }, source);
    expect(wider?.size).toBe(500);
    for (const each of [graph, wider]) each?.dispose();
  });

  it("may be empty, may fail to be read, and its reading may be aborted", async () => {
    const graph = HnswGraph.create(OPTIONS);
    if (graph === undefined) return expect(USABLE_KINDS).not.toContain("hnsw");
    const empty = (await HnswGraph.fromImage(OPTIONS, sourceOf(graph)))!;
    for (const vector of distinctVectors(300, 8)) expect(empty.add(vector)).toBe(graph.add(vector));
    expect(empty.search(ONE_TO_EIGHT, 20)).toEqual(graph.search(ONE_TO_EIGHT, 20));
    const read = async () => {
      throw new Error("no disk");
    };
    await expect(HnswGraph.fromImage(OPTIONS, { ...sourceOf(graph), read })).rejects.toThrow("no disk");
    const aborted = HnswGraph.fromImage(OPTIONS, sourceOf(graph), { signal: AbortSignal.abort() });
    await expect(aborted).rejects.toMatchObject({ code: 499 });
    for (const each of [graph, empty]) each.dispose();
  });
});

describe.each(GRAPH_KINDS)("a graph of kind %s", (kind) => {
  it("finds nearly all of the nearest, however its memory grew meanwhile", { timeout: 60_000 }, () => {
    onKind(
      kind,
      (graph) => {
        const before = graph.bytes;
        const all = addAll(distinctVectors(2000, 100), graph);
        expect(graph.bytes - before).toBeGreaterThan(2000 * (100 + 4 * 32));
        expect(graph.size).toBe(2000);
        const lost = all.filter((vector, node) => graph.search(vector, 1)[0] !== node);
        expect(lost.length).toBeLessThanOrEqual(2);
        let found = 0;
        const clustered = all.slice(0, 50).map(({ components }) => stored([...components].map((c, i) => c + (i % 5))));
        for (const query of clustered) {
          const cosines = all.map((vector, node) => ({ node, cosine: exactCosine(vector, query) }));
          const nearest = cosines.sort((a, b) => b.cosine - a.cosine).slice(0, 1);
          found += nearest.filter(({ node }) => graph.search(query, 10).includes(node)).length;
        }
        expect(found).toBe(50);
      },
      { dimensions: 100, m: 16, efConstruction: 100, efSearch: 200 },
    );
  });

  it("keeps the dead out of its answers, and takes them back", () => {
    onKind(kind, (graph) => {
      const vectors = addAll(distinctVectors(20, 8), graph);
      for (const node of [3, 3, 4]) graph.setDeleted(node, true);
      expect([graph.deletedCount, graph.isDeleted(3), graph.isDeleted(5)]).toEqual([2, true, false]);
      const answer = graph.search(vectors[3]!, 20);
      expect([answer.length, answer.includes(3), answer.includes(4)]).toEqual([18, false, false]);
      for (const node of [3, 3, 5]) graph.setDeleted(node, false);
      expect([graph.deletedCount, graph.search(vectors[3]!, 1), graph.add(vectors[4]!)]).toEqual([1, [3], 4]);
      expect(graph.isDeleted(4)).toBe(true);
    });
  });

  it("finds all that live where most are dead", () => {
    onKind(
      kind,
      (graph) => {
        const vectors = addAll(distinctVectors(400, 8), graph);
        for (let node = 0; node < 400; node++) if (node % 100 !== 7) graph.setDeleted(node, true);
        expect(graph.search(vectors[0]!, 4).sort((a, b) => a - b)).toEqual([7, 107, 207, 307]);
        for (const node of [7, 107, 207, 307]) graph.setDeleted(node, true);
        expect(graph.search(vectors[7]!, 4)).toEqual([]);
      },
      { ...OPTIONS, efSearch: 1 },
    );
  });

  it("finds as many as are asked for, more than it would keep and no more than there are", () => {
    onKind(
      kind,
      (graph) => {
        expect(graph.search(ONE_TO_EIGHT, 5)).toEqual([]);
        const [first] = addAll(distinctVectors(200, 8), graph);
        const sizes = [0, 1, 150, 200, 1e9].map((count) => new Set(graph.search(first!, count)).size);
        expect(sizes).toEqual([0, 1, 150, 200, 200]);
      },
      { ...OPTIONS, efSearch: 1 },
    );
  });

  it("is the same for the same vectors in the same order", () => {
    const answers: number[][][] = [[], []];
    for (const each of answers)
      onKind(kind, (graph) => {
        addAll(distinctVectors(500, 8), graph);
        for (const query of distinctVectors(20, 8, 9)) each.push(graph.search(query, 20));
      });
    expect(answers[1]).toEqual(answers[0]);
  });

  it("takes all that settings may ask for", () => {
    for (const options of [
      { dimensions: 1, m: 2, efConstruction: 4, efSearch: 1 },
      { dimensions: 65_536, m: 256, efConstruction: 10_000, efSearch: 10_000 },
    ])
      onKind(
        kind,
        (graph) => {
          const vectors = addAll(distinctVectors(options.dimensions === 1 ? 2 : 5, options.dimensions), graph);
          expect(vectors.map((vector) => graph.search(vector, 1)[0])).toEqual(vectors.map((_, node) => node));
        },
        options,
      );
  });

  it("refuses vectors of other dimensions, and everything once it is closed", () => {
    onKind(kind, (graph) => {
      graph.add(ONE_TO_EIGHT);
      for (const dimensions of [1, 7, 9, 1000]) {
        const other = stored(Array.from({ length: dimensions }, () => 1));
        expect(() => graph.add(other)).toThrow(RangeError);
        expect(() => graph.search(other, 1)).toThrow(RangeError);
      }
      expect(graph.size).toBe(1);
      graph.dispose();
      graph.dispose();
      for (const call of [
        () => graph.add(ONE_TO_EIGHT),
        () => graph.search(ONE_TO_EIGHT, 1),
        () => graph.setDeleted(0, true),
        () => graph.growth,
      ])
        expect(call).toThrow(expect.objectContaining({ code: 503, error: "closed" }));
    });
  });
});
