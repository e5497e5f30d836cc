import { describe, expect, it } from "vitest";
import { ENGLISH_WORDS } from "../../src/analysis/word-forms.js";
import { Vocabulary } from "../../src/inverted/vocabulary.js";
import { DocSet } from "../../src/util/doc-set.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { segmentOf } from "../support/word-index.js";

const first = segmentOf([
  { title: "vacuum clean ~clean~cleaner", sku: "=wh1000 wh1000 wh 1000" },
  { title: "vacuum ~vacuum~vacuums", body: "kettl ~kettl~kettle" },
  { title: "vaccin ~vaccin~vaccine drill" },
]);
const second = segmentOf([{ title: "vacant drill ~drill~drills" }, { title: "kettl ~kettl~kettles", sku: "=wh2" }]);

const both = new Vocabulary([first, second]);
const alone = new Vocabulary([first]);
/** The third record of the first segment and the first of the second are deleted. */
const fewer = new Vocabulary([
  { ...first, deletedDocs: new DocSet(3).addAll([2]) },
  { ...second, deletedDocs: new DocSet(2).addAll([0]) },
]);

const wordsFrom = (vocabulary: Vocabulary, prefix: string, most = 100) =>
  runTaskAtOnce(vocabulary.wordsFrom(prefix, most));
const nearest = (vocabulary: Vocabulary, word: string, most: number, notIn?: ReadonlySet<string>) =>
  runTaskAtOnce(vocabulary.nearest(word, most, ENGLISH_WORDS, notIn));

const has = (vocabulary: Vocabulary, term: string) => runTaskAtOnce(vocabulary.has(term));

describe("a vocabulary holds", () => {
  it("the terms of living records of all segments", () => {
    expect(["vacuum", "kettl", "vacant", "=wh2", "wh"].every((term) => has(both, term))).toBe(true);
    expect(["kettle", "vac", "", "="].some((term) => has(both, term))).toBe(false);
    expect([has(alone, "vacant"), has(fewer, "vacant"), has(fewer, "drill")]).toEqual([false, false, false]);
  });

  it("terms together where one living record holds them all", () => {
    expect(runTaskAtOnce(both.cooccur(["vacuum", "kettl"]))).toBe(true);
    expect(runTaskAtOnce(both.cooccur(["clean", "kettl"]))).toBe(false);
    expect(runTaskAtOnce(both.cooccur(["vaccin", "drill"]))).toBe(true);
    expect(runTaskAtOnce(fewer.cooccur(["vaccin", "drill"]))).toBe(false);
  });
});

describe("the words that begin with a prefix", () => {
  it("are named by their index terms, the shortest first, then by code unit", () => {
    expect(wordsFrom(both, "vac")).toEqual(["vacant", "vacuum", "~vaccin~vaccine", "~vacuum~vacuums"]);
    expect(wordsFrom(both, "kettle")).toEqual(["~kettl~kettle", "~kettl~kettles"]);
  });

  it("are at most as many as asked for", () => {
    expect(wordsFrom(both, "vac", 2)).toEqual(["vacant", "vacuum"]);
    expect(wordsFrom(both, "vac", 0)).toEqual([]);
  });

  it("are never stems that nobody wrote, codes or numbers", () => {
    expect(wordsFrom(both, "vaccin")).toEqual(["~vaccin~vaccine"]);
    expect([...wordsFrom(both, "1"), ...wordsFrom(both, "wh1"), ...wordsFrom(both, "=")]).toEqual([]);
  });

  it("are none that only deletedDocs records held", () => {
    expect(wordsFrom(fewer, "vac")).toEqual(["vacuum", "~vacuum~vacuums"]);
    expect(wordsFrom(fewer, "dr")).toEqual([]);
  });
});

describe("the terms that begin with a prefix", () => {
  const termsFrom = (vocabulary: Vocabulary, prefix: string, most = 100) =>
    runTaskAtOnce(vocabulary.termsFrom(prefix, most));

  it("are whatever begins so, the shortest first", () => {
    expect(termsFrom(both, "=wh")).toEqual(["=wh2", "=wh1000"]);
    expect(termsFrom(both, "=wh", 1)).toEqual(["=wh2"]);
    expect([termsFrom(alone, "=wh2"), termsFrom(both, "zz")]).toEqual([[], []]);
  });

  it("are none that only deletedDocs records held", () => {
    expect(termsFrom(fewer, "drill")).toEqual([]);
  });
});

describe("the stems nearest to a word", () => {
  it("are those of the least distance, over all segments", () => {
    expect(nearest(both, "vacum", 2)).toEqual(["vacuum"]);
    expect(nearest(both, "vacxnt", 2)).toEqual(["vacant"]);
    expect(nearest(new Vocabulary([second, first]), "vacum", 2)).toEqual(["vacuum"]);
  });

  it("are all that are equally near, by code unit", () => {
    expect(nearest(new Vocabulary([segmentOf([{ a: "cat bat hat" }])]), "xat", 1)).toEqual(["bat", "cat", "hat"]);
    expect(nearest(new Vocabulary([segmentOf([{ a: "cat" }]), segmentOf([{ a: "bat" }])]), "xat", 1)).toEqual([
      "bat",
      "cat",
    ]);
  });

  it("are measured from words, never from stems that nobody wrote", () => {
    expect(nearest(both, "ketle", 1)).toEqual(["kettl"]);
    expect(nearest(both, "ketl", 1)).toEqual([]);
  });

  it("are none that only deletedDocs records held, or that stand only in fields left out", () => {
    expect(nearest(fewer, "drll", 1)).toEqual([]);
    expect(nearest(alone, "ketle", 2, new Set(["body"]))).toEqual([]);
    expect(nearest(both, "ketle", 1, new Set(["body"]))).toEqual(["kettl"]);
  });
});
