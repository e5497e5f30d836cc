import { describe, expect, it } from "vitest";
import type { LocalDoc } from "../../src/util/doc-set.js";
import type { GraphKind } from "../../src/vectors/hnsw/node-graph.js";
import { VectorGraph } from "../../src/vectors/vector-graph.js";
import { GRAPH_KINDS, stored, USABLE_KINDS, vectorSegment } from "../support/vectors.js";

const OPTIONS = { dimensions: 2, m: 8, efConstruction: 50, efSearch: 100 };
const angle = (i: number) => [Math.cos(i / 20), Math.sin(i / 20)];

/** A graph of one segment of `count` records, each with a direction of its own. */
function filled(kind: GraphKind, count: number, directions = count) {
  const { segmentId, size, rows } = vectorSegment(
    7,
    0,
    Array.from({ length: count }, (_, i) => angle(i % directions)),
  );
  const segment = { segmentId, size, vectors: rows };
  const graph = VectorGraph.create(kind, OPTIONS)!;
  for (let doc = 0 as LocalDoc; doc < count; doc++) graph.add(segment, doc, stored(angle(doc % directions)));
  return { graph, segment };
}

it.each(GRAPH_KINDS)("a graph of kind %s can be created where it can be used", (kind) => {
  const graph = VectorGraph.create(kind, OPTIONS);
  expect(graph !== undefined).toBe(USABLE_KINDS.includes(kind));
  graph?.dispose();
});

for (const kind of USABLE_KINDS)
  describe(`a graph of kind ${kind}`, () => {
    it("finds the nearest nodes first", () => {
      const { graph } = filled(kind, 50);
      expect(graph.nearest(stored(angle(20)), 1)[0]).toBe(20);
      expect(new Set(graph.nearest(stored(angle(20)), 3).slice(0, 3))).toEqual(new Set([19, 20, 21]));
      graph.dispose();
    });

    it("lets a node go with the last of its records, and takes it back with a new one", () => {
      const { graph, segment } = filled(kind, 10, 5);
      graph.remove(7, [0] as LocalDoc[]);
      expect(graph.nearest(stored(angle(0)), 1)[0]).toBe(0);
      graph.remove(7, [5, 5] as LocalDoc[]);
      expect([graph.nearest(stored(angle(0)), 1)[0], graph.records.count]).toEqual([1, 8]);
      graph.add(segment, 5 as LocalDoc, stored(angle(0)));
      expect([graph.nearest(stored(angle(0)), 1)[0], graph.index.size]).toEqual([0, 5]);
      graph.dispose();
    });

    it("is worn when more than 30 % of its nodes are dead, and not before", () => {
      const { graph } = filled(kind, 100);
      graph.remove(
        7,
        Array.from({ length: 30 }, (_, doc) => doc as LocalDoc),
      );
      expect(graph.needsRebuild).toBe(false);
      graph.remove(7, [30, 31] as LocalDoc[]);
      expect(graph.needsRebuild).toBe(true);
      graph.dispose();
    });

    it("forgets segments that are gone", () => {
      const { graph } = filled(kind, 2);
      graph.forget(new Set([7]));
      expect(graph.records.nodesOf(7)).toBeDefined();
      graph.forget(new Set());
      expect(graph.records.nodesOf(7)).toBeUndefined();
      expect([graph.records.count, graph.nearest(stored(angle(0)), 2)]).toEqual([0, []]);
      graph.dispose();
    });

    it("gives its memory back", () => {
      const { graph } = filled(kind, 2000);
      const before = graph.bytes;
      graph.dispose();
      expect(graph.bytes).toBeLessThan(before / 2);
      expect(() => graph.nearest(stored(angle(1)), 1)).toThrow(expect.objectContaining({ code: 503, error: "closed" }));
    });
  });
