import { describe, expect, it } from "vitest";
import { ENGLISH_WORDS, PLAIN_WORDS, type WordForms } from "../../src/analysis/word-forms.js";
import type { Postings } from "../../src/inverted/postings.js";
import { isSurfaceForm, longestWord, NearWords, wordsFrom } from "../../src/inverted/spelling-dictionary.js";
import type { SearchableSegment } from "../../src/inverted/text-searcher.js";
import { DocSet } from "../../src/util/doc-set.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { distanceOf } from "../support/naive-vocabulary.js";
import { property, type Random } from "../support/random.js";
import { postingsOf, segmentOf } from "../support/word-index.js";

/** As the index writes them: each stem, and behind it the word where it differs. */
const segment = segmentOf([
  { "!title": "drill ~drill~drills", sku: "=dr18v dr18v 18" },
  { body: "drill drill ~drill~drilling vacuum" },
  { body: "nois ~nois~noise cancel ~cancel~cancelling #volume:1.5" },
]);
const records = segment.postings;

/** The words of a segment, shortest first. */
function written(postings: Postings): string[] {
  const lengths = Array.from({ length: longestWord(postings) + 1 }, (_, length) => length);
  return lengths.flatMap((length) => {
    const terms = runTaskAtOnce(wordsFrom(postings, "", length));
    return terms.map((term) => postings.dictionary.textAt(term).slice(-length));
  });
}

const writtenIn = (...bodies: readonly string[]): string[] => written(postingsOf(bodies.map((body) => ({ body }))));

describe("the spelling dictionary of a segment", () => {
  it("has the written words by length: no codes, no numbers, no marked terms, no stems that nobody writes", () => {
    expect(written(records)).toEqual(["drill", "noise", "vacuum", "drills", "drilling", "cancelling"]);
    expect(writtenIn()).toEqual([]);
  });

  it("has a stem where it stands more often than the words of that stem, field by field", () => {
    expect(writtenIn("drill ~drill~drills drill ~drill~drilling")).toEqual(["drills", "drilling"]);
    expect(writtenIn("drill drill ~drill~drills")).toEqual(["drill", "drills"]);
    expect(writtenIn("drill ~drill~drills", "drill")).toEqual(["drill", "drills"]);
    expect(written(postingsOf([{ body: "drill ~drill~drills", title: "drill" }]))).toEqual(["drill", "drills"]);
  });

  it("finds the words that begin with a prefix by the word as it was written, not by its stem", () => {
    const words = postingsOf([{ body: "easi ~easi~easy easier die ~die~dying" }]);
    const beginning = (prefix: string, length: number) =>
      runTaskAtOnce(wordsFrom(words, prefix, length)).map((term) => words.dictionary.textAt(term));
    expect([beginning("easi", 6), beginning("easi", 4), beginning("dy", 5)]).toEqual([["easier"], [], ["~die~dying"]]);
  });
});

describe("a word is written", () => {
  const living = (given: SearchableSegment, notIn?: ReadonlySet<string>): string[] =>
    [...given.postings.spelling.terms]
      .filter((term) => runTaskAtOnce(isSurfaceForm(given, term, notIn)))
      .map((term) => given.postings.dictionary.textAt(term).replace(/.*~/, ""))
      .sort();
  const without = (...docs: readonly number[]): SearchableSegment => ({
    ...segment,
    deletedDocs: new DocSet(3).addAll(docs),
  });

  it("no longer when the records that held it are deleted", () => {
    expect(living(without(1))).toEqual(["cancelling", "drills", "noise"]);
    expect(living(without(0, 2))).toEqual(["drill", "drilling", "vacuum"]);
    expect(living(without(0, 1, 2))).toEqual([]);
  });

  it("only in fields that are searched, and not in those left out", () => {
    const weights = segment.scoring.weights.map((weight, at) => (records.fields[at] === "body" ? 0 : weight));
    expect(living({ ...segment, scoring: { ...segment.scoring, weights } })).toEqual(["drills"]);
    expect(living(segment, new Set(["title"]))).not.toContain("drills");
  });

  it("where living records have more than its stem", () => {
    const lists = segmentOf([{ body: "drill ~drill~drills" }, { body: "drill drill ~drill~drilling" }]);
    expect(living(lists)).toEqual(["drill", "drilling", "drills"]);
    expect(living(lists, new Set(["body"]))).toEqual([]);
    expect(living({ ...lists, deletedDocs: new DocSet(2).addAll([1]) })).toEqual(["drills"]);
  });
});

/** Words of few letters, so that many are near to each other; some are marked words of another one. */
function words(random: Random, most: number): string[] {
  const letters = random.pick(["ab", "abc", "aé東", "abcdefgh", "aseiy", "sei"]);
  return random.list(0, most, () => random.list(1, 12, () => random.pick([...letters])).join(""));
}

/** The words of a segment of plain and marked words that are near to one, with their distances, by code unit. */
function near(
  given: readonly string[],
  word: string,
  most: number,
  { otherNumbers }: WordForms = PLAIN_WORDS,
): [string, number][] {
  const body = given.map((each, at) => (at % 2 === 0 ? each : `~x~${each}`)).join(" ");
  const postings = postingsOf([{ body }]);
  return runTaskAtOnce(new NearWords({ word, otherNumbers }, most).in(postings))
    .map(({ term, distance }): [string, number] => [postings.dictionary.textAt(term).replace("~x~", ""), distance])
    .sort(byWord);
}

const byWord = ([a]: readonly [string, number], [b]: readonly [string, number]): number => (a < b ? -1 : a > b ? 1 : 0);

const nearByComparing: typeof near = (given, word, most, { otherNumbers } = PLAIN_WORDS) => {
  const known = new Set(given.map((each, at) => (at % 2 === 0 ? each : `~x~${each}`)));
  return [...known]
    .map((term) => term.replace("~x~", ""))
    .map((each): [string, number] => [
      each,
      Math.min(...[each, ...otherNumbers(each)].map((form) => distanceOf(form, word))),
    ])
    .filter(([, distance]) => distance <= most)
    .sort(byWord);
};

describe("the words near to a word", () => {
  it("are those whose other number is near, where the language has numbers", () => {
    for (const [typed, written] of [
      ["pilow", "pillows"],
      ["strawbery", "strawberries"],
      ["batteires", "battery"],
      ["brushse", "brush"],
    ] as const) {
      expect(near([written], typed, 1, ENGLISH_WORDS)).toEqual([[written, 1]]);
      expect(near([written], typed, 1)).toEqual([]);
    }
    expect(near(["bags", "bus"], "bagx", 0, ENGLISH_WORDS)).toEqual([]);
  });

  it("count no letter of a swap twice", () => {
    expect(near(["abc"], "ca", 2)).toEqual([]);
    expect(near(["abc"], "ca", 3)).toEqual([["abc", 3]]);
  });

  it("are found among words of more than 64 letters", () => {
    const long = "x".repeat(64);
    expect(near([long, `${long}yyy`], `${long}y`, 1)).toEqual([[long, 1]]);
    expect(near([long, `${long}yyy`], `${long}y`, 2)).toHaveLength(2);
  });

  property("are those that comparing with each word finds", 300, (random) => {
    const given = words(random, 60);
    const forms = random.some(given, 0.1).flatMap(ENGLISH_WORDS.otherNumbers);
    const cut = forms.map((form) => form.slice(0, -1));
    for (const word of [...random.some(given, 0.2), ...words(random, 4), ...forms, ...cut])
      for (const most of [0, 1, 2, 3])
        for (const language of [PLAIN_WORDS, ENGLISH_WORDS])
          expect(near(given, word, most, language), word).toEqual(nearByComparing(given, word, most, language));
  });

  property("are those among thousands of words, too", 3, (random) => {
    const given = random.list(4000, 5000, () => random.list(3, 9, () => random.pick([..."aeinrst"])).join(""));
    for (const word of [...random.some(given, 0.003), "transient", "q"])
      expect(near(given, word, 2), word).toEqual(nearByComparing(given, word, 2));
  });
});
