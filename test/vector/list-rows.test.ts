import { describe, expect, it } from "vitest";
import { DocSet } from "../../src/base/doc-set.js";
import { listRows } from "../../src/vector/list-rows.js";
import { Random } from "../support/random.js";
import { storedSegment } from "../support/vectors.js";

/** Some records of a segment and what it is among others: more than are listed at a time, and no whole number of words. */
const SIZE = 9001;
const BASE = 77;
const AFTER = 50;

function listed(share: number, held: number, deletedDocs: number, limits: readonly number[]) {
  const random = new Random(SIZE + 1000 * share + held);
  const chosen = (size: number, of: number) => {
    const set = new DocSet(size);
    for (let doc = 0; doc < size; doc++) if (random.chance(of)) set.add(doc);
    return set;
  };
  const vectors = Array.from({ length: SIZE }, () =>
    random.chance(held) ? { components: Int16Array.of(1), inverseLength: 1 } : null,
  );
  const segment = {
    ...storedSegment(1, BASE, vectors, { dimensions: 1 }),
    deletedDocs: deletedDocs === 0 ? null : chosen(SIZE, deletedDocs),
  };
  const allowed = chosen(BASE + SIZE + AFTER, share);
  const list = new Uint32Array(2048);
  const found: number[] = [];
  const blocks: number[] = [];
  listRows(segment, allowed, list, (count) => {
    found.push(...list.subarray(0, count));
    blocks.push(count);
    return limits[blocks.length % limits.length]!;
  });
  const expected: number[] = [];
  let row = 0;
  for (const [doc, vector] of vectors.entries()) {
    if (vector === null) continue;
    if (allowed.has(BASE + doc) && segment.deletedDocs?.has(doc) !== true) expected.push(row);
    row++;
  }
  return { found, expected, blocks };
}

describe("a filter as rows", () => {
  for (const share of [0, 0.001, 0.05, 0.5, 1])
    for (const [held, deletedDocs] of [
      [1, 0],
      [1, 0.3],
      [0.7, 0],
      [0.7, 0.3],
    ] as const)
      it(`lists the living of ${share * 100} % where ${held * 100} % have a vector and ${deletedDocs * 100} % are dead`, () => {
        const { found, expected } = listed(share, held, deletedDocs, [256, 1, 2048, 700]);
        expect(found).toEqual(expected);
        expect(share === 0).toBe(expected.length === 0);
      });

  it("lists a block of as many as it is told, and in the end the others", () => {
    const { found, blocks } = listed(1, 1, 0, [2048, 256, 4]);
    expect(blocks.slice(0, 6)).toEqual([0, 256, 4, 2048, 256, 4]);
    expect(blocks.reduce((sum, count) => sum + count)).toBe(found.length);
  });
});
