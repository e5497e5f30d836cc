// The formulas, against figures that others published and against sums worked out by hand.

import { describe, expect, it } from "vitest";
import { meanMeasures, measureRanking } from "../../src/relevance/measures.js";

const ALL = { k: 10, recallAt: 100, relevantFrom: 1 };
const relevance = (values: Record<string, number>) => new Map(Object.entries(values));

describe("nDCG", () => {
  it("is .785 for the example of the encyclopaedia", () => {
    // Wikipedia, "Discounted cumulative gain": D1 … D6 graded 3, 2, 3, 0, 1, 2; the collection also has D7 (3), D8 (2).
    const judged = relevance({ d1: 3, d2: 2, d3: 3, d4: 0, d5: 1, d6: 2, d7: 3, d8: 2 });
    const { ndcg } = measureRanking(["d1", "d2", "d3", "d4", "d5", "d6"], judged, { ...ALL, k: 6 });
    expect(ndcg).toBeCloseTo(0.785, 3);
  });

  it("is what scikit-learn's documentation shows", () => {
    // sklearn.metrics.ndcg_score: true relevance [10, 0, 0, 1, 5]; 0.69…, 0.49…, and 0.35… at k = 4.
    const judged = relevance({ a: 10, b: 0, c: 0, d: 1, e: 5 });
    const of = (ranked: string, k = 10) => measureRanking([...ranked], judged, { ...ALL, k }).ndcg;
    expect(of("edcba")).toBeCloseTo(0.6957, 4);
    expect(Math.floor(of("bcdae") * 100)).toBe(49);
    expect(Math.floor(of("bcdae", 4) * 100)).toBe(35);
    expect(of("aedbc", 4)).toBe(1);
  });

  it("is trec_eval's, by the example of pytrec_eval", () => {
    // Its README gives ndcg 0.5 and 0.6934264036172708; the rest is counted from the same rankings.
    const q1 = measureRanking(["d3", "d1", "d2"], relevance({ d1: 0, d2: 1, d3: 0 }), ALL);
    const q2 = measureRanking(["d1", "d3", "d2"], relevance({ d2: 1, d3: 1 }), ALL);
    expect([q1.ndcg, q2.ndcg]).toEqual([0.5, 0.6934264036172708]);
    expect([q1.mrr, q2.mrr]).toEqual([1 / 3, 1 / 2]);
    expect([q1.precision, q2.precision]).toEqual([0.1, 0.2]);
  });

  it("takes negative relevance as no gain", () => {
    const judged = relevance({ good: 1, spam: -2 });
    expect(measureRanking(["good", "spam"], judged, ALL).ndcg).toBe(1);
    expect(measureRanking(["spam", "good"], judged, ALL).ndcg).toBeCloseTo(1 / Math.log2(3), 12);
  });
});

describe("the other measures", () => {
  const judged = relevance({ a: 2, b: 1, c: 0, d: 1 });

  it("are sums worked out by hand", () => {
    const ranked = ["x", "b", "c", "y", "a"];
    const ideal = 2 + 1 / Math.log2(3) + 1 / 2;
    expect(measureRanking(ranked, judged, { k: 3, recallAt: 5, relevantFrom: 1 })).toEqual({
      ndcg: 1 / Math.log2(3) / ideal,
      recall: 2 / 3,
      mrr: 1 / 2,
      precision: 1 / 3,
      judged: 2 / 3,
      // Without x and y: b, c, a.
      condensedNdcg: (1 + 2 / Math.log2(4)) / ideal,
    });
  });

  it("count as relevant from relevantFrom on, while the gains stay", () => {
    const strict = measureRanking(["b", "a"], judged, { ...ALL, relevantFrom: 2 });
    expect([strict.recall, strict.mrr, strict.precision]).toEqual([1, 1 / 2, 0.1]);
    expect(strict.ndcg).toBe(measureRanking(["b", "a"], judged, ALL).ndcg);
  });

  it("are nothing for an empty ranking, which holds nothing unjudged", () => {
    const nothing = measureRanking([], judged, ALL);
    expect(nothing).toEqual({ ndcg: 0, recall: 0, mrr: 0, precision: 0, judged: 1, condensedNdcg: 0 });
  });

  it("look no deeper than they say", () => {
    const late = [...Array.from({ length: 10 }, (_, i) => `x${i}`), "a"];
    expect(measureRanking(late, judged, { k: 10, recallAt: 10, relevantFrom: 1 })).toMatchObject({
      ndcg: 0,
      recall: 0,
      mrr: 0,
    });
    expect(measureRanking(late, judged, { k: 10, recallAt: 11, relevantFrom: 1 })).toMatchObject({
      recall: 1 / 3,
      mrr: 1 / 11,
    });
  });
});

it("means MRR as the encyclopaedia's example does: 11/18", () => {
  // Wikipedia, "Mean reciprocal rank": the right answer on rank 3, 2 and 1.
  const of = (ranked: string) => measureRanking([...ranked], relevance({ a: 1 }), ALL);
  expect(meanMeasures([of("xya"), of("xa"), of("a")]).mrr).toBeCloseTo(11 / 18, 12);
});
