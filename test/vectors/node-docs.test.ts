import { expect, it } from "vitest";
import { NO_NODE, NodeDocs } from "../../src/vectors/vector-graph.js";
import { Random } from "../support/random.js";
import { vectorSegment } from "../support/vectors.js";

const segmentOf = (segmentId: number, size: number) => ({
  segmentId,
  size,
  vectors: vectorSegment(
    segmentId,
    0,
    Array.from({ length: size }, () => [1, 0]),
  ).rows,
});

/** The records of a node, as `segmentId/doc`, in order. */
function recordsOf(records: NodeDocs, node: number): string[] {
  const found: string[] = [];
  records.each(node, (segmentId, doc) => found.push(`${segmentId}/${doc}`));
  return found.sort();
}

it("takes the memory of its lists, and of each equal vector more", () => {
  const records = new NodeDocs();
  const segment = segmentOf(1, 1000);
  records.add(segment, 0, 0);
  const before = records.bytes;
  expect(before).toBeGreaterThanOrEqual(4000);
  for (let doc = 1; doc < 1000; doc++) records.add(segment, doc, 0);
  const full = records.bytes;
  expect(full - before).toBeGreaterThan(8 * 999);
  for (let doc = 0; doc < 999; doc++) records.remove(1, doc);
  expect(records.bytes).toBe(before);
});

it("through random changes it holds what a plain list of pairs holds", () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = new Random(seed);
    const records = new NodeDocs();
    let segments = [segmentOf(1, 30), segmentOf(2, 5)];
    /** By `segmentId/doc` the node. */
    const pairs = new Map<string, number>();
    let [segmentId, nodes] = [2, 0];
    for (let turn = 0; turn < 300; turn++) {
      const segment = random.pick(segments);
      const doc = random.between(0, segment.size - 1);
      const key = `${segment.segmentId}/${doc}`;
      const kind = random.between(0, 20);
      if (kind < 12 && !pairs.has(key)) {
        const node = nodes > 0 && random.between(0, 1) === 0 ? random.between(0, nodes - 1) : nodes++;
        records.add(segment, doc, node);
        pairs.set(key, node);
      } else if (kind < 19) {
        const node = pairs.get(key);
        pairs.delete(key);
        const isLast = node !== undefined && ![...pairs.values()].includes(node);
        expect(records.remove(segment.segmentId, doc), `seed ${seed}`).toBe(isLast ? node : NO_NODE);
      } else if (kind === 19) {
        for (let at = 0; at < segment.size; at++) pairs.delete(`${segment.segmentId}/${at}`);
        records.forget(segment.segmentId);
        segments = [...segments.filter((other) => other !== segment), segmentOf(++segmentId, 20)];
      } else {
        const moved = segmentOf(++segmentId, Math.max(1, segment.size - 3));
        const docs = Uint32Array.from({ length: moved.size }, (_, i) => segment.size - 1 - i);
        records.move(moved, [segment.segmentId], new Uint16Array(moved.size), docs);
        const before = new Map(pairs);
        for (let at = 0; at < segment.size; at++) pairs.delete(`${segment.segmentId}/${at}`);
        for (const [i, from] of docs.entries()) {
          const node = before.get(`${segment.segmentId}/${from}`);
          if (node !== undefined) pairs.set(`${moved.segmentId}/${i}`, node);
        }
        records.forget(segment.segmentId);
        segments = [...segments.filter((other) => other !== segment), moved];
      }
      expect(records.count, `seed ${seed}`).toBe(pairs.size);
      const own = [...pairs.keys()].filter((each) => each.startsWith(`${segment.segmentId}/`));
      expect(records.countOf(segment.segmentId), `seed ${seed}`).toBe(own.length);
    }
    for (let node = 0; node < nodes; node++) {
      const held = [...pairs].flatMap(([key, of]) => (of === node ? [key] : [])).sort();
      expect(recordsOf(records, node)).toEqual(held);
      expect(records.hasAny(node)).toBe(held.length > 0);
    }
    for (const { segmentId: each, size } of segments)
      for (let doc = 0; doc < size; doc++)
        expect(records.nodesOf(each)?.[doc] ?? NO_NODE).toBe(pairs.get(`${each}/${doc}`) ?? NO_NODE);
  }
});
