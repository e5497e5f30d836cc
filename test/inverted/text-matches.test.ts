import { describe, expect, it } from "vitest";
import { findIdentifiers } from "../../src/inverted/find-holders.js";
import type { MatchRule } from "../../src/inverted/text-matches.js";
import { type SearchableSegment, TextCaches } from "../../src/inverted/text-searcher.js";
import { DocSet } from "../../src/util/doc-set.js";
import { Kept } from "../../src/util/kept.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { searchWords } from "../support/search-words.js";
import { type PlainRecord, postingsOf, scoringOf, segmentOf, termOf } from "../support/word-index.js";

const RECORDS: readonly PlainRecord[] = [
  { body: "red drill" },
  { body: "red saw" },
  { body: "red hammer" },
  { body: "cordless drill for metal and wood" },
  { body: "sofa" },
];

const ANY: MatchRule = { matching: "any", ratio: 0.4 };
const corpusOf = (segments: readonly SearchableSegment[], docCount: number) => ({
  segments,
  maxDoc: segments.reduce((total, { postings }) => total + postings.maxDoc, 0),
  docCount,
  k1: 1.2,
  kept: new Kept(),
});
const whole = corpusOf([segmentOf(RECORDS)], 5);
const members = (words: string, rule: Partial<MatchRule>) => [
  ...searchWords(
    whole,
    words.split(" ").map((word) => termOf(word)),
    { ...ANY, ...rule },
  ).members,
];

describe("members by words", () => {
  it('hold any term, with "any"', () => {
    expect(members("red drill", { matching: "any" })).toEqual([0, 1, 2, 3]);
  });

  it('hold every term, with "all"', () => {
    expect(members("red drill", { matching: "all" })).toEqual([0]);
    expect(members("red sofa", { matching: "all" })).toEqual([]);
  });

  it('lack nothing else: with "all" a term that no record holds leaves none', () => {
    expect(members("red zebra", { matching: "all" })).toEqual([]);
    expect(members("red zebra", { matching: "any" })).toEqual([0, 1, 2]);
  });

  it('hold every term, or earn the ratio of the best, with "auto"', () => {
    expect(members("red drill", { matching: "auto", ratio: 1 })).toEqual([0]);
    expect(members("red drill", { matching: "auto", ratio: 0 })).toEqual([0, 1, 2, 3]);
  });

  it('are, with "auto", exactly those whose share reaches ratio times the best', () => {
    const terms = ["red", "drill"].map((word) => termOf(word));
    const shares = [...searchWords(whole, terms, ANY).scores];
    for (const ratio of [0.2, 0.4, 0.5, 0.6, 0.8]) {
      const expected = shares.flatMap((share, doc) => (share > 0 && share >= ratio * Math.max(...shares) ? [doc] : []));
      expect(members("red drill", { matching: "auto", ratio }), `ratio ${ratio}`).toEqual(expected);
    }
  });

  it("are none for no terms", () => {
    for (const matching of ["any", "all", "auto"] as const)
      expect(searchWords(whole, [], { matching, ratio: 0.4 })).toMatchObject({
        maxScore: 0,
        members: new Uint32Array(),
      });
  });

  it("are counted right for queries of more than 255 terms", () => {
    const words = Array.from({ length: 300 }, (_, i) => `w${i}`);
    const searcher = corpusOf([segmentOf([{ body: words.join(" ") }, { body: "w1" }])], 2);
    const terms = (count: number) => words.slice(0, count).map((word) => termOf(word));
    for (const count of [255, 256, 257, 300]) {
      expect([...searchWords(searcher, terms(count), { matching: "all", ratio: 0 }).members]).toEqual([0]);
      expect([...searchWords(searcher, terms(count), ANY).members]).toEqual([0, 1]);
    }
  });
});

describe("scores by words", () => {
  it("are those of BM25F by hand", () => {
    // mean length 13/5 = 2.6; "drill": df 2 of 5; record 0 has length 2, record 3 length 6; k1 1.2, b 0.6
    const { scores, maxScore, weights } = searchWords(whole, [termOf("drill")], ANY);
    const f = [1 / (0.4 + (0.6 * 2) / 2.6), 1 / (0.4 + (0.6 * 6) / 2.6)];
    // The only term weighs 16,384 steps; an impact is f / (k1 + f) in steps of 1/65,535.
    const impacts = f.map((one) => Math.round((65_535 * one) / (1.2 + one)));
    expect([...weights]).toEqual([16_384]);
    expect([...scores]).toEqual([16_384 * impacts[0]!, 0, 0, 16_384 * impacts[1]!, 0]);
    expect(maxScore).toBe(16_384 * 65_535);
  });

  it("weigh each term that a record holds by its share of the idf, in steps of 1/16,384", () => {
    const { weights, maxScore } = searchWords(whole, [termOf("drill"), termOf("zebra"), termOf("red")], ANY);
    const [drill, red] = [Math.log(1 + 3.5 / 2.5), Math.log(1 + 2.5 / 3.5)];
    const expected = [drill, 0, red].map((idf) => Math.round((16_384 * idf) / (drill + red)));
    expect([...weights]).toEqual(expected);
    expect(maxScore).toBe(65_535 * 16_384);
  });

  it("are the same bits however the records are cut into segments", () => {
    const terms = ["red", "drill", "wood"].map((word) => termOf(word));
    const together = searchWords(whole, terms, { matching: "auto", ratio: 0.4 });
    for (const cut of [1, 2, 3, 4]) {
      const parts = [RECORDS.slice(0, cut), RECORDS.slice(cut)].map((records, i) => {
        const postings = postingsOf(records);
        return {
          postings,
          deletedDocs: null,
          base: i * cut,
          scoring: scoringOf(postings, RECORDS),
          caches: new TextCaches(postings),
        };
      });
      expect(searchWords(corpusOf(parts, 5), terms, { matching: "auto", ratio: 0.4 })).toEqual(together);
    }
  });

  it("know nothing of deleted records, but for their numbers", () => {
    const living = segmentOf(RECORDS.slice(1));
    const deletedDocs = new DocSet(5);
    deletedDocs.add(0);
    const postings = postingsOf(RECORDS);
    const buried = {
      postings,
      deletedDocs,
      base: 0,
      scoring: scoringOf(postings, RECORDS.slice(1)),
      caches: new TextCaches(postings),
    };
    const terms = [termOf("red"), termOf("drill")];
    const [alone, beside] = [
      searchWords(corpusOf([living], 4), terms, ANY),
      searchWords(corpusOf([buried], 4), terms, ANY),
    ];
    expect([...beside.scores].slice(1)).toEqual([...alone.scores]);
    expect([...beside.members]).toEqual([...alone.members].map((doc) => doc + 1));
  });
});

describe("findIdentifiers", () => {
  const first = segmentOf([{ ean: "=123", sku: "=123" }, { sku: "=9" }, { sku: "=123" }]);
  const second = { ...segmentOf([{ sku: "=123" }]), base: 3 };

  it("gives each living record that holds the code once, ascending", () => {
    expect(runTaskAtOnce(findIdentifiers([first, second], ["=123"]))).toEqual([0, 2, 3]);
    expect(runTaskAtOnce(findIdentifiers([first, second], ["=12"]))).toEqual([]);
    expect(runTaskAtOnce(findIdentifiers([first, second], []))).toEqual([]);
  });

  it("gives those that hold any of several codes", () => {
    expect(runTaskAtOnce(findIdentifiers([first, second], ["=9", "=123"]))).toEqual([0, 1, 2, 3]);
  });

  it("passes over the dead", () => {
    const deletedDocs = new DocSet(3);
    deletedDocs.add(0);
    expect(runTaskAtOnce(findIdentifiers([{ ...first, deletedDocs }, second], ["=123"]))).toEqual([2, 3]);
  });
});
