import { describe, expect, it } from "vitest";
import {
  addRecordFields,
  addTotals,
  idf,
  lengthNorm,
  meanLength,
  saturate,
  termMaximum,
  totalsOf,
} from "../../src/inverted/bm25.js";
import { explainTerm } from "../../src/inverted/explain-term.js";
import type { LocalDoc } from "../../src/util/doc-set.js";
import { property } from "../support/random.js";
import { postingsOf } from "../support/word-index.js";

const PARAMETERS = { k1: 1.2, b: 0.75 };

describe("BM25", () => {
  it("has the idf that Lucene explains: ln(1 + (N - df + 0.5) / (df + 0.5))", () => {
    // "docFreq 1, docCount 5": 1.3862944, and "docFreq 1, docCount 1": 0.2876821 (Elasticsearch reference, Explain API)
    expect(idf(5, 1)).toBeCloseTo(1.3862944, 7);
    expect(idf(1, 1)).toBeCloseTo(0.2876821, 7);
  });

  it("has the score that the Elasticsearch reference explains for one field", () => {
    // termFreq 1, k1 1.2, b 0.75, fieldLength 4, avgFieldLength 5.4: tfNorm 1.1186441, times idf 1.3862944: 1.55077
    const field = { field: "message", frequency: 1, weight: 1, length: 4, averageLength: 5.4 };
    const counts = { docFreq: 1, docCount: 5, weight: 16_384, maxScore: 16_384 * 65_535 };
    const explained = explainTerm("elasticsearch", counts, { fields: [field], factor: 1 }, PARAMETERS);
    expect(explained.saturated).toBeCloseTo(1.1186441, 6);
    expect(explained.idf * explained.saturated).toBeCloseTo(1.55077, 5);
    // The only term of its query: its score is a share of the greatest possible one, idf * (k1 + 1).
    expect(explained.impact).toBe(Math.round((65_535 * 1.1186441) / 2.2));
    expect(explained.score).toBeCloseTo(1.55077 / (1.3862944 * 2.2), 4);
  });

  it("never gives a negative idf, even to a term that every record holds", () => {
    for (const count of [1, 2, 1000, 10_000_000]) expect(idf(count, count)).toBeGreaterThan(0);
    expect(idf(1000, 10)).toBeGreaterThan(idf(1000, 11));
  });

  it("saturates from 0 to k1 + 1", () => {
    expect([0, 1.2, 1e12].map((frequency) => saturate(frequency, 1.2))).toEqual([0, 1.1, expect.closeTo(2.2, 9)]);
    expect([saturate(0.5, 0), saturate(9, 0)]).toEqual([1, 1]);
    expect(termMaximum(2, 1.2)).toBe(4.4);
  });

  it("counts a field of mean length by its weight, and only b of a length", () => {
    expect(lengthNorm(3, 7, 7, 0.6)).toBe(3);
    expect([lengthNorm(1, 100, 5, 0), lengthNorm(1, 20, 5, 1)]).toEqual([1, 0.25]);
  });

  it("adds the weighted fields before it saturates, as BM25F does", () => {
    // by hand: title 2 * 1 / (0.4 + 0.6 * 4 / 5) = 2.2727…, body 1 * 3 / (0.4 + 0.6 * 20 / 10) = 1.875; f = 4.1477…
    const title = { field: "title", frequency: 1, weight: 2, length: 4, averageLength: 5 };
    const body = { field: "body", frequency: 3, weight: 1, length: 20, averageLength: 10 };
    const counts = { docFreq: 3, docCount: 9, weight: 1, maxScore: 65_535 };
    const explained = explainTerm("x", counts, { fields: [body, title], factor: 1 }, { k1: 1.2, b: 0.6 });
    expect(explained.fields.map(({ normalized }) => normalized)).toEqual([1.875, expect.closeTo(2.272727, 6)]);
    expect(explained.frequency).toBeCloseTo(4.147727, 6);
    expect(explained.score).toBeCloseTo(4.147727 / 5.347727, 4);
  });
});

describe("the mean length of a field", () => {
  it.each([
    [0, 5, 1],
    [1, 1, 1],
    [10_000, 1000, 10],
    [10_007, 1000, 10], // steps of 1/64 from 8 to 16
    [10_008, 1000, 10.015625],
    [1, 3, 171 / 512],
    [1, 100_000, 1 / 512],
    [65_535, 1, 65_536],
  ])("of %d tokens in %d records is %d", (length, docs, mean) => expect(meanLength({ length, docs })).toBe(mean));

  it("of a field that no record has is 1", () => expect(meanLength(undefined)).toBe(1));
});

property("the totals of fields keep no trace of records that came and went, in any order", 50, (random) => {
  const postings = postingsOf([
    { "!title": "red drill", body: "a drill for wood" },
    { title: "saw" },
    { body: "" },
    {},
  ]);
  const totals = new Map([["brand", { length: 70, docs: 9 }]]);
  const before = new Map(totals);
  for (const sign of [1, -1] as const) {
    for (const doc of random.shuffle([0, 1, 2, 3])) addRecordFields(totals, postings, doc as LocalDoc, sign);
    expect(totals).toEqual(sign === 1 ? addTotals(before, totalsOf(postings)) : before);
  }
});
