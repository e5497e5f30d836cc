import { describe, expect, it } from "vitest";
import { type Doc, DocSet, type LocalDoc } from "../../src/util/doc-set.js";
import { searchVectors } from "../../src/vectors/search-vectors.js";
import { VectorGraph } from "../../src/vectors/vector-graph.js";
import { vectorOf } from "../../src/vectors/vector-rows.js";
import { Random } from "../support/random.js";
import { cosine, randomNumbers, stored, USABLE_KINDS, vectorSearcher, vectorSegment } from "../support/vectors.js";

/** Vectors at these angles to [1, 0], in degrees. */
const at = (degrees: number) => [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
const EAST = stored([1, 0]);

describe("members by meaning", () => {
  const angles = [80, 10, 40, 120, 10, 60];
  const searcher = vectorSearcher([vectorSegment(1, 0, [...angles.map(at), null])]);

  it("are the nearest, up to the depth, at or above the floor", () => {
    const members = (depth: number, floor: number) => [
      ...searchVectors(searcher, EAST, { depth, floor }, undefined).docs,
    ];
    expect(members(100, -1)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(members(100, 0)).toEqual([0, 1, 2, 4, 5]);
    expect(members(100, 0.7)).toEqual([1, 2, 4]);
    expect(members(3, -1)).toEqual([1, 2, 4]);
    expect(members(100, 0.99)).toEqual([]);
  });

  it("tied at the edge are taken by id", () => {
    const members = (before: (a: number, b: number) => boolean) => {
      const reordered = vectorSearcher(searcher.segments, before);
      return [...searchVectors(reordered, EAST, { depth: 1, floor: 0 }, undefined).docs];
    };
    expect(members((a, b) => a < b)).toEqual([1]);
    expect(members((a, b) => a > b)).toEqual([4]);
  });

  it("reach the floor to six decimals", () => {
    const floor = Math.round(Math.cos((40 * Math.PI) / 180) * 1e4) / 1e4;
    const exact = searchVectors(searcher, EAST, { depth: 9, floor: 0 }, undefined).similarityOf(2 as Doc);
    const members = (asked: number) => [...searchVectors(searcher, EAST, { depth: 9, floor: asked }, undefined).docs];
    expect(members(exact + 4e-7)).toContain(2);
    expect(members(exact + 2e-6)).not.toContain(2);
    expect(exact).toBeCloseTo(floor, 3);
  });

  it("are none where there is no vector", () => {
    const none = vectorSearcher([vectorSegment(1, 0, [null, null])]);
    expect([...searchVectors(none, stored([1]), { depth: 9, floor: -1 }, undefined).docs]).toEqual([]);
  });
});

describe("the similarity of a record", () => {
  it("is its cosine, at least 0, member or not, and 0 without a vector", () => {
    const searcher = vectorSearcher([vectorSegment(1, 0, [at(60), at(120), null])]);
    const { similarityOf } = searchVectors(searcher, EAST, { depth: 1, floor: 0.9 }, undefined);
    expect(([0, 1, 2] as Doc[]).map(similarityOf)).toEqual([expect.closeTo(0.5, 3), 0, 0]);
  });
});

for (const kind of USABLE_KINDS)
  describe(`with a graph of kind ${kind}`, () => {
    const random = new Random(11);
    const vectors = random.list(600, 600, () => randomNumbers(random, 16));
    const deletedDocs = new DocSet(400);
    for (let doc = 0; doc < 400; doc += 7) deletedDocs.add(doc);
    const segments = [
      { ...vectorSegment(1, 0, vectors.slice(0, 400)), deletedDocs },
      vectorSegment(2, 400, vectors.slice(400)),
    ];
    const searcher = vectorSearcher(segments);

    /** A graph of the living records of the first segment; the second is left to the scan. */
    function graphOfFirst(): VectorGraph {
      const graph = VectorGraph.create(kind, { dimensions: 16, m: 16, efConstruction: 200, efSearch: 600 })!;
      const { segmentId, size, rows } = segments[0]!;
      for (let doc = 0 as LocalDoc; doc < 400; doc++)
        if (!deletedDocs.has(doc)) graph.add({ segmentId, size, vectors: rows }, doc, vectorOf(rows, doc)!);
      return graph;
    }

    it("the same members are found as by the scan, those the graph does not hold included", () => {
      const graph = graphOfFirst();
      for (let seed = 1; seed <= 10; seed++) {
        const query = stored(randomNumbers(new Random(seed), 16));
        const rule = { depth: 20, floor: 0.1 };
        const [byGraph, byScan] = [graph, undefined].map((each) => searchVectors(searcher, query, rule, each));
        expect([...byGraph!.docs], `seed ${seed}`).toEqual([...byScan!.docs]);
      }
      graph.dispose();
    });

    it("every similarity is exact, of a deleted record's neighbours and of members alike", () => {
      const graph = graphOfFirst();
      const numbers = randomNumbers(new Random(99), 16);
      const { similarityOf } = searchVectors(searcher, stored(numbers), { depth: 5, floor: 0 }, graph);
      const scanned = searchVectors(searcher, stored(numbers), { depth: 5, floor: 0 }, undefined);
      for (let doc = 1 as Doc; doc < 600; doc = (doc + 7) as Doc) {
        expect(similarityOf(doc)).toBe(scanned.similarityOf(doc));
        expect(similarityOf(doc)).toBeCloseTo(Math.max(0, cosine(vectors[doc]!, numbers)), 3);
      }
      graph.dispose();
    });

    it("members are found where the nearest nodes stand for records of a later write", () => {
      const before = vectorSegment(1, 0, [at(50), at(70)]);
      const later = vectorSegment(2, 2, [at(1), at(2), at(3)]);
      const graph = VectorGraph.create(kind, { dimensions: 2, m: 16, efConstruction: 200, efSearch: 250 })!;
      for (const { segmentId, size, rows } of [before, later])
        for (let doc = 0 as LocalDoc; doc < size; doc++)
          graph.add({ segmentId, size, vectors: rows }, doc, vectorOf(rows, doc)!);
      const members = (depth: number) => [
        ...searchVectors(vectorSearcher([before]), EAST, { depth, floor: 0 }, graph).docs,
      ];
      expect([members(1), members(2), members(3)]).toEqual([[0], [0, 1], [0, 1]]);
      graph.dispose();
    });

    it("records without a vector have the similarity 0", () => {
      const graph = graphOfFirst();
      const more = vectorSearcher([...segments, { ...vectorSegment(3, 600, [null, randomNumbers(random, 16)]) }]);
      expect(searchVectors(more, stored(vectors[1]!), { depth: 5, floor: 0 }, graph).similarityOf(600 as Doc)).toBe(0);
      graph.dispose();
    });
  });
