import { describe, expect, it } from "vitest";
import * as holders from "../../src/inverted/find-holders.js";
import { DocSet } from "../../src/util/doc-set.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { segmentOf } from "../support/word-index.js";

const segment = segmentOf([
  { title: "drill saw", body: "drill" },
  { title: "saw" },
  { body: "drill" },
  { title: "lamp", body: "saw" },
]);

const holdersOf = (...given: Parameters<typeof holders.holdersOf>) => [...runTaskAtOnce(holders.holdersOf(...given))];
const holdersOfAll = (...given: Parameters<typeof holders.commonHolders>) => [
  ...runTaskAtOnce(holders.commonHolders(...given)),
];

describe("the holders of a term", () => {
  it("are living records, ascending", () => {
    expect([...new Set(holdersOf(segment, "drill"))]).toEqual([0, 2]);
    expect(holdersOf({ ...segment, deletedDocs: new DocSet(4).addAll([0]) }, "drill")).toEqual([2]);
    expect(holdersOf(segment, "sofa")).toEqual([]);
  });

  it("hold it in a field that is searched and not left out", () => {
    expect(holdersOf(segment, "saw", new Set(["body"]))).toEqual([0, 1]);
    const weights = segment.scoring.weights.map((weight, at) => (segment.postings.fields[at] === "title" ? 0 : weight));
    expect(holdersOf({ ...segment, scoring: { ...segment.scoring, weights } }, "saw")).toEqual([3]);
  });
});

describe("the holders of several terms", () => {
  it("hold them all, in whatever fields", () => {
    expect(holdersOfAll(segment, ["drill", "saw"])).toEqual([0]);
    expect(holdersOfAll(segment, ["lamp", "saw"])).toEqual([3]);
    expect(holdersOfAll(segment, ["lamp", "drill"])).toEqual([]);
    expect(holdersOfAll(segment, [])).toEqual([]);
  });
});
