import { describe, expect, it } from "vitest";
import { addRecordFields, addTotals, type FieldTotal, meanLength, totalsOf } from "../../src/inverted/bm25.js";
import type { LocalDoc } from "../../src/util/doc-set.js";
import { Random } from "../support/random.js";
import { type PlainRecord, postingsOf } from "../support/word-index.js";

const RECORDS: readonly PlainRecord[] = [
  { "!title": "red drill", body: "a drill for wood" },
  { title: "saw" },
  { body: "", brand: "forge" },
  {},
];

describe("field totals", () => {
  it("are tokens and records of each field, empty ones included", () => {
    expect(Object.fromEntries(totalsOf(postingsOf(RECORDS)))).toEqual({
      title: { length: 3, docs: 2 },
      body: { length: 4, docs: 2 },
      brand: { length: 1, docs: 1 },
    });
  });

  it("of two segments add up, without a change to either", () => {
    const [a, b] = [totalsOf(postingsOf(RECORDS.slice(0, 2))), totalsOf(postingsOf(RECORDS.slice(2)))];
    const before = [new Map(a), new Map(b)];
    expect(addTotals(a, b)).toEqual(totalsOf(postingsOf(RECORDS)));
    expect([a, b]).toEqual(before);
  });

  for (const seed of [1, 2, 3, 4, 5])
    it(`keep no trace of records that came and went, in any order (seed ${seed})`, () => {
      const random = new Random(seed);
      const postings = postingsOf(RECORDS);
      const totals = new Map<string, FieldTotal>([["brand", { length: 70, docs: 9 }]]);
      const before = new Map(totals);
      for (const doc of random.shuffle([0, 1, 2, 3])) addRecordFields(totals, postings, doc as LocalDoc, 1);
      expect(totals).toEqual(addTotals(before, totalsOf(postings)));
      for (const doc of random.shuffle([0, 1, 2, 3])) addRecordFields(totals, postings, doc as LocalDoc, -1);
      expect(totals).toEqual(before);
    });
});

describe("the mean length of a field", () => {
  const means: [length: number, docs: number, mean: number][] = [
    [0, 5, 1],
    [1, 1, 1],
    [10_000, 1000, 10],
    [10_007, 1000, 10], // steps of 1/64 from 8 to 16
    [10_008, 1000, 10.015625],
    [1, 3, 171 / 512],
    [1, 100_000, 1 / 512],
    [65_535, 1, 65_536],
  ];
  for (const [length, docs, mean] of means)
    it(`of ${length} tokens in ${docs} records is ${mean}`, () => expect(meanLength({ length, docs })).toBe(mean));
  it("of a field that no record has is 1", () => expect(meanLength(undefined)).toBe(1));
});
