import { describe, expect, it } from "vitest";
import { type Doc, DocSet, type LocalDoc } from "../../src/util/doc-set.js";
import { searchVectors } from "../../src/vectors/search-vectors.js";
import { VectorGraph } from "../../src/vectors/vector-graph.js";
import { vectorOf } from "../../src/vectors/vector-rows.js";
import { Random } from "../support/random.js";
import { randomNumbers, stored, USABLE_KINDS, vectorSearcher, vectorSegment } from "../support/vectors.js";

/** Vectors at these angles to [1, 0], in degrees. */
const at = (degrees: number) => [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
const EAST = stored([1, 0]);

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

    it("the same members and similarities are found as by the scan, those the graph does not hold included", () => {
      const graph = graphOfFirst();
      for (let seed = 1; seed <= 10; seed++) {
        const query = stored(randomNumbers(new Random(seed), 16));
        const rule = { depth: 20, floor: 0.1 };
        const [byGraph, byScan] = [graph, undefined].map((each) => searchVectors(searcher, query, rule, each));
        expect([...byGraph!.docs], `seed ${seed}`).toEqual([...byScan!.docs]);
        for (let doc = 1 as Doc; doc < 600; doc = (doc + 7) as Doc)
          expect(byGraph!.similarityOf(doc)).toBe(byScan!.similarityOf(doc));
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
  });
