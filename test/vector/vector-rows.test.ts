import { expect, it } from "vitest";
import { runTaskAtOnce } from "../../src/base/tasks.js";
import { wasmAvailable } from "../../src/vector/kernel/web-assembly.js";
import { mergeVectorRows, vectorOf, writeVectorRows } from "../../src/vector/vector-rows.js";
import { Random } from "../support/random.js";
import { randomNumbers, stored, vectorSegment } from "../support/vectors.js";

const A = [[1, 2], null, [3, 4]] as const;
const B = [null, [5, -6]] as const;

it("rows give each record its vector, or null", () => {
  const { rows } = vectorSegment(1, 0, A);
  expect([0, 1, 2].map((doc) => vectorOf(rows, doc))).toEqual([stored(A[0]), null, stored(A[2])]);
  expect([rows.count, [...rows.rowDoc], [...rows.docRow]]).toEqual([2, [0, 2], [0, -1, 1]]);
});

it("rows of records without vectors are empty", () => {
  const rows = runTaskAtOnce(writeVectorRows([null, null], 4));
  expect([rows.count, rows.high.length, [...rows.docRow]]).toEqual([0, 0, [-1, -1]]);
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

it("merged rows are there in 4 bits a component too, wherever they were before (not without WebAssembly)", () => {
  const random = new Random(2);
  const [many, few] = [400, 3].map((count) => Array.from({ length: count }, () => randomNumbers(random, 256)));
  const [large, small] = [vectorSegment(1, 0, many!).rows, vectorSegment(2, 400, few!).rows];
  expect([large.coarse === null, small.coarse === null]).toEqual([!wasmAvailable(), true]);
  const docs = Uint32Array.from([...many!.keys(), ...few!.keys()]);
  const sources = Uint16Array.from(docs, (_, i) => (i < 400 ? 0 : 1));
  const merged = runTaskAtOnce(mergeVectorRows([large, small], sources, docs, 256));
  const { coarse } = vectorSegment(3, 0, [...many!, ...few!]).rows;
  if (coarse === null) expect(merged.coarse).toBeNull();
  else expect(merged.coarse).toMatchObject({ lanes: coarse.lanes, factors: coarse.factors, slacks: coarse.slacks });
});
