import { expect, it } from "vitest";
import type { LocalDoc } from "../../src/util/doc-set.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { mergeVectorRows, vectorOf } from "../../src/vectors/vector-rows.js";
import { stored, vectorSegment } from "../support/vectors.js";

const A = [[1, 2], null, [3, 4]] as const;
const B = [null, [5, -6]] as const;

it("rows give each record its vector, or null", () => {
  const { rows } = vectorSegment(1, 0, A);
  expect([0, 1, 2].map((doc) => vectorOf(rows, doc as LocalDoc))).toEqual([stored(A[0]), null, stored(A[2])]);
  expect([rows.count, [...rows.rowDoc], [...rows.docRow]]).toEqual([2, [0, 2], [0, -1, 1]]);
});

it("merged rows are those of the records asked for, as if written afresh", () => {
  const order = [
    [1, 1],
    [0, 1],
    [0, 2],
    [1, 0],
    [0, 0],
  ] as const;
  const merged = runTaskAtOnce(
    mergeVectorRows(
      [vectorSegment(1, 0, A).rows, vectorSegment(2, 3, B).rows],
      Uint16Array.from(order, ([source]) => source),
      Uint32Array.from(order, ([, doc]) => doc),
      2,
    ),
  );
  expect(merged).toEqual(vectorSegment(3, 0, [B[1], A[1], A[2], B[0], A[0]]).rows);
});
