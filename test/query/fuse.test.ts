import { describe, expect, it } from "vitest";
import { type FusionInput, fuse, type Leg } from "../../src/query/fuse.js";
import { roundScore } from "../../src/query/fusion/fused-ranking.js";

/** A leg whose scores are known for every record; members are those named. */
const leg = (scores: Readonly<Record<number, number>>, members = Object.keys(scores).map(Number)): Leg => ({
  members,
  scoreOf: (doc) => scores[doc] ?? 0,
});

const convex = (semanticWeight: number) => ({ method: "convex" as const, semanticWeight });
const rrf = { method: "rrf" as const, rankConstant: 60 };

function fused(lexical: Leg | null, semantic: Leg | null, method: FusionInput["method"], exact: number[] = []) {
  const ranking = fuse({ lexical, semantic, method, exact, titles: null });
  return Object.fromEntries([...ranking.members].map((doc, i) => [doc, ranking.scoreAt(i)]));
}

describe("the convex combination", () => {
  const words = leg({ 0: 0.8, 2: 0.5, 5: 0.25 }, [0, 2]);
  const meaning = leg({ 0: 0.1, 2: 0.9, 5: 0.7 }, [2, 5]);

  it("adds both parts for every member of either leg, by hand", () => {
    // 0: .9 * .8 + .1 * .1; 2: .9 * .5 + .1 * .9; 5: .9 * .25 + .1 * .7
    expect(fused(words, meaning, convex(0.1))).toEqual({ 0: 0.73, 2: 0.54, 5: 0.295 });
    expect(fused(words, meaning, convex(0.5))).toEqual({ 0: 0.45, 2: 0.7, 5: 0.475 });
  });

  it("lets a leg that ran alone count fully", () => {
    expect(fused(words, null, convex(0.1))).toEqual({ 0: 0.8, 2: 0.5 });
    expect(fused(null, meaning, convex(0.1))).toEqual({ 2: 0.9, 5: 0.7 });
    expect(fused(null, null, convex(0.1))).toEqual({});
  });

  it("rounds to six decimals", () => {
    expect(fused(leg({ 1: 1 / 3, 2: 2 / 3 }), null, convex(0))).toEqual({ 1: 0.333333, 2: 0.666667 });
    expect([roundScore(0.1 + 0.2), roundScore(1e-7), roundScore(5e-7)]).toEqual([0.3, 0, 0.000001]);
  });

  it("gives members in the order of the records, each once", () => {
    const { members } = fuse({
      lexical: leg({ 1: 1, 4: 1, 9: 1 }),
      semantic: leg({ 0: 1, 4: 1 }),
      method: convex(0.1),
      exact: [],
      titles: null,
    });
    expect([...members]).toEqual([0, 1, 4, 9]);
  });
});

describe("reciprocal rank fusion", () => {
  it("is the mean of (k + 1) / (k + rank) over the legs that ran, by hand", () => {
    // ranks by words 7: 1, 3: 2; by meaning 3: 1, 8: 2
    const both = fused(leg({ 3: 0.2, 7: 0.9 }), leg({ 3: 0.9, 8: 0.1 }), rrf);
    expect(both).toEqual({ 3: roundScore((61 / 62 + 1) / 2), 7: 0.5, 8: roundScore(61 / 62 / 2) });
    expect(both[3]).toBe(0.991935);
  });

  it("gives equal scores the same rank, and the next the rank after all of them", () => {
    const shared = fused(leg({ 0: 0.5, 1: 0.9, 2: 0.5, 3: 0.5, 4: 0.1 }), null, rrf);
    expect(shared).toEqual({ 0: 0.983871, 1: 1, 2: 0.983871, 3: 0.983871, 4: roundScore(61 / 65) });
  });

  it("calls scores equal that agree to six decimals", () => {
    expect(fused(leg({ 0: 0.5, 1: 0.5 + 1e-9 }), null, rrf)).toEqual({ 0: 1, 1: 1 });
  });

  it("counts a rank for the members of its leg alone", () => {
    const words = leg({ 0: 0.9, 1: 0.8 }, [0]);
    expect(fused(words, leg({ 1: 0.9 }), rrf)).toEqual({ 0: 0.5, 1: 0.5 });
    expect(fused(null, null, rrf, [4])).toEqual({ 4: 1 });
  });

  it("takes another constant", () => {
    expect(fused(leg({ 0: 0.9, 1: 0.8 }), null, { method: "rrf", rankConstant: 1 })).toEqual({ 0: 1, 1: 0.666667 });
  });
});

describe("the exact code", () => {
  it("scores 1 and is a member though no leg found it", () => {
    expect(fused(leg({ 0: 0.5 }), null, convex(0.1), [3])).toEqual({ 0: 0.5, 3: 1 });
    expect(fused(leg({ 0: 0.5 }), leg({ 3: 0.2 }), rrf, [3])).toEqual({ 0: 0.5, 3: 1 });
  });

  it("stands alone at 1", () => {
    expect(fused(leg({ 0: 1, 1: 1, 2: 0.9999999 }), null, convex(0.1), [1])).toEqual({
      0: 0.999999,
      1: 1,
      2: 0.999999,
    });
    expect(fused(leg({ 0: 1 }), null, convex(0.1))).toEqual({ 0: 1 });
  });
});
