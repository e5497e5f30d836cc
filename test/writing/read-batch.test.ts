import { expect, it } from "vitest";
import { MAX_SEGMENT_BYTES, MAX_SEGMENT_RECORDS } from "../../src/state/segment.js";
import { cutIntoSegments } from "../../src/writing/read-batch.js";

const entries = (count: number, json = "{}") => Array.from({ length: count }, (_, i) => ({ id: String(i), json }));

it("a batch is cut at 65,536 records a segment, in order", () => {
  const given = entries(MAX_SEGMENT_RECORDS + 1);
  const groups = cutIntoSegments(given);
  expect(groups.map((group) => group.length)).toEqual([MAX_SEGMENT_RECORDS, 1]);
  expect(groups.flat()).toEqual(given);
  expect(cutIntoSegments([])).toEqual([]);
});

it("a batch is cut at 64 MB a segment", () => {
  const third = "x".repeat(MAX_SEGMENT_BYTES / 3);
  expect(cutIntoSegments(entries(7, third)).map((group) => group.length)).toEqual([3, 3, 1]);
  expect(cutIntoSegments(entries(2, "x".repeat(MAX_SEGMENT_BYTES + 1))).map((group) => group.length)).toEqual([1, 1]);
});
