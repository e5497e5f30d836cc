import { describe, expect, it } from "vitest";
import { DocSet } from "../../src/base/doc-set.js";
import { matchTerm } from "../../src/text/match-term.js";
import type { QueryTerm } from "../../src/text/query-term.js";
import { segmentOf, termOf } from "../support/word-index.js";

/** With b = 0 lengths do not count, so that frequencies are plain to see. */
const segment = segmentOf(
  [
    { "!title": "wi fi", body: "wi fi fi" },
    { body: "wifi wifi wifi" },
    { body: "wi router" },
    { body: "wifi wi fi fi" },
    { body: "cable" },
  ],
  0,
);

function matched(term: QueryTerm, dead: DocSet | null = null): Record<number, number> {
  const { docs, frequencies, size } = matchTerm({ ...segment, dead }, term);
  expect([...docs.subarray(0, size)]).toEqual([...docs.subarray(0, size)].sort());
  return Object.fromEntries(Array.from({ length: size }, (_, i) => [docs[i]!, frequencies[i]!]));
}

describe("a term of a query", () => {
  it("counts its occurrences in all fields, those in a title twice", () => {
    expect(matched(termOf("wi"))).toEqual({ 0: 3, 2: 1, 3: 1 });
    expect(matched(termOf("cable"))).toEqual({ 4: 1 });
  });

  it("is held by nobody when no record has it", () => {
    expect(matched(termOf("sofa"))).toEqual({});
    expect(matched(termOf("wi+sofa"))).toEqual({});
    expect(matched(termOf("sofa+wi"))).toEqual({});
  });

  it("of several parts is held where all are, and counts as often as the rarest", () => {
    expect(matched(termOf("wi+fi"))).toEqual({ 0: 3, 3: 1 });
    expect(matched(termOf("fi+router"))).toEqual({});
  });

  it("of several alternatives counts as the best of them", () => {
    expect(matched(termOf("wifi", "wi+fi"))).toEqual({ 0: 3, 1: 3, 3: 1 });
    expect(matched(termOf("fi", "wifi"))).toEqual({ 0: 4, 1: 3, 3: 2 });
    expect(matched(termOf("sofa", "cable"))).toEqual({ 4: 1 });
  });

  it("weighs each alternative", () => {
    expect(matched(termOf("wifi", ["wi+fi", 0.5]))).toEqual({ 0: 1.5, 1: 3, 3: 1 });
    expect(matched(termOf(["fi", 0.5], "wifi"))).toEqual({ 0: 2, 1: 3, 3: 1 });
  });

  it("passes over the dead", () => {
    const dead = new DocSet(5);
    dead.add(0);
    dead.add(1);
    expect(matched(termOf("wifi", "wi+fi"), dead)).toEqual({ 3: 1 });
    expect(matched(termOf("wi"), dead)).toEqual({ 2: 1, 3: 1 });
  });

  it("counts less in a field longer than the mean, more in a shorter one", () => {
    const found = matchTerm(segmentOf([{ body: "a" }, { body: "a b c" }], 0.5), termOf("a"));
    // mean length 2; by hand 1 / (0.5 + 0.5 * 1 / 2) and 1 / (0.5 + 0.5 * 3 / 2)
    expect([...found.frequencies]).toEqual([1 / 0.75, 1 / 1.25]);
  });
});
