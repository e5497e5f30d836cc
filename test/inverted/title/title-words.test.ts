import { expect, it } from "vitest";
import type { Postings } from "../../../src/inverted/postings.js";
import { PostingsWriter } from "../../../src/inverted/postings-writer.js";
import { TextCaches } from "../../../src/inverted/searchable-segment.js";
import { CorpusCaches } from "../../../src/inverted/text-corpus.js";
import { titleWordsOf } from "../../../src/inverted/title/title-evidence.js";
import { TitleWriter } from "../../../src/inverted/title/title-table.js";
import {
  isModifierBoundary,
  NO_WORD,
  SimilarityRow,
  TitleCache,
  type WordCache,
  type WordEmbeddings,
  type WordOrdinalMap,
  wordCacheOf,
  wordNumber,
} from "../../../src/inverted/title/title-words.js";
import { DocSet } from "../../../src/util/doc-set.js";
import { runTaskAtOnce } from "../../../src/util/tasks.js";
import { property } from "../../support/random.js";
import { postingsOf } from "../../support/word-index.js";

const caches = new Map<Postings, TitleCache>();

/** The same cache for the same postings. */
function cacheOf(postings: Postings): TitleCache {
  const cache = caches.get(postings) ?? new TitleCache(postings);
  caches.set(postings, cache);
  return cache;
}

function ordinalMap(words: WordCache, postings: Postings): WordOrdinalMap {
  return cacheOf(postings).ordinalMapFor(words);
}

/** One record with a title, and a text besides. */
function titlePostings(title: string, text = ""): Postings {
  const writer = new PostingsWriter();
  writer.beginRecord();
  for (const [name, words] of [
    ["text", text.split(" ")],
    ["title", title.split(" ")],
  ] as const) {
    writer.beginField(name, name === "title");
    for (const word of words.filter((each) => each !== "")) {
      const number = writer.numberOf(word);
      writer.addNumber(number);
      if (name === "title") writer.titles.add(number, true);
    }
    writer.endField(words.length);
  }
  return runTaskAtOnce(writer.finish());
}

/** Knows all words except those that begin with "x", and lists the words it was asked for. */
function embeddings(): WordEmbeddings & { readonly asked: string[] } {
  const asked: string[] = [];
  const meaningOf = (word: string) => {
    asked.push(word);
    return word.startsWith("x") ? null : { nearnessTo: () => 0.5 };
  };
  return { asked, meaningOf };
}

/** The number that a term has among titles. */
function numberOf({ dictionary, titles }: Postings, term: string): number {
  return titles.terms.indexOf(dictionary.ordinalOf(term)!);
}

it("asks an embedder once for a word, however often an index changes", () => {
  const known = embeddings();
  const first = titlePostings("red drill for xylo");
  const second = titlePostings("blue drill");
  const words = wordCacheOf(known);
  for (const postings of [first, second, first]) {
    const places = ordinalMap(words, postings);
    for (let number = 0; number < postings.titles.terms.length; number++) places.entryOf(number);
  }
  expect([...known.asked].sort()).toEqual(["blue", "drill", "for", "red", "xylo"]);
  expect(wordCacheOf(known)).toBe(words);
});

it("tells words from codes, modifier boundaries from other words, and which words have no meaning", () => {
  const words = wordCacheOf(embeddings());
  expect([words.entryOf("ab12"), words.entryOf("=sku"), words.entryOf("#volume:1")]).toEqual([
    NO_WORD,
    NO_WORD,
    NO_WORD,
  ]);
  const [drill, fits, xylo] = [words.entryOf("drill"), words.entryOf("~fit~fits"), words.entryOf("xylo")];
  expect([drill, fits, xylo].map((entry) => [wordNumber(entry), isModifierBoundary(entry)])).toEqual([
    [0, false],
    [1, true],
    [2, false],
  ]);
  expect(words.meanings.map((meaning) => meaning !== null)).toEqual([true, true, false]);
  expect([0, 1, 2].map((number) => words.termOf(number))).toEqual(["drill", "~fit~fits", "xylo"]);
});

it("maps its words to the title terms of each segment", () => {
  const words = wordCacheOf(embeddings());
  const first = titlePostings("red drill");
  const second = titlePostings("drill bit", "red");
  expect(cacheOf(first).bytes).toBe(0);
  const [inFirst, inSecond] = [ordinalMap(words, first), ordinalMap(words, second)];
  const red = wordNumber(words.entryOf("red"));
  const bit = wordNumber(words.entryOf("bit"));
  for (let turn = 0; turn < 2; turn++) {
    expect([inFirst, inSecond].map((places) => places.titleTermOf(red))).toEqual([numberOf(first, "red"), -1]);
    expect([inFirst, inSecond].map((places) => places.titleTermOf(bit))).toEqual([-1, numberOf(second, "bit")]);
  }
  expect(ordinalMap(words, first)).toBe(inFirst);
  expect(cacheOf(first).bytes).toBe(4 * 2 + 4 * 2 + 4 * 2);
});

it("forgets all at once when there are too many, and numbers anew", () => {
  const words = wordCacheOf(embeddings());
  const postings = titlePostings("zebra");
  const word = (i: number) => [...String(i)].map((digit) => "abcdefghij"[Number(digit)]).join("");
  for (let i = 0; i < 32_767; i++) words.entryOf(word(i));
  words.makeRoom();
  const before = ordinalMap(words, postings);
  expect([words.generation, wordNumber(before.entryOf(0)), before.titleTermOf(32_767)]).toEqual([0, 32_767, 0]);
  const row = words.rowOf("zebra");
  expect(words.rowOf("zebra")).toBe(row);
  words.makeRoom();
  expect([words.generation, words.meanings.length]).toEqual([1, 0]);
  expect(words.rowOf("zebra")).not.toBe(row);
  expect(wordNumber(ordinalMap(words, postings).entryOf(0))).toBe(0);
  expect(ordinalMap(words, postings).titleTermOf(0)).toBe(0);
});

it("keeps the similarities of the last words of queries only", () => {
  const words = wordCacheOf(embeddings());
  const row = words.rowOf("drill");
  expect(words.rowOf("xylo")).toBeNull();
  for (let i = 0; i < 63; i++) words.rowOf(`word${i}`);
  expect(words.rowOf("drill")).toBe(row);
  words.rowOf("more");
  expect(words.rowOf("drill")).not.toBe(row);
});

it("idfs are those of the words that have the numbers now", () => {
  const known = embeddings();
  const words = wordCacheOf(known);
  const segments = ["zebra", "yak", "zebra"].map((title, base) => {
    const postings = titlePostings(title);
    const scoring = {
      weights: new Float64Array(2),
      titleWeights: new Float64Array(2),
      averages: new Float64Array(2),
      b: 0,
    };
    return { postings, deletedDocs: null, base, scoring, caches: new TextCaches(postings) };
  });
  const titleWords = runTaskAtOnce(
    titleWordsOf({ segments, maxDoc: 3, docCount: 3, k1: 1.2, caches: new CorpusCaches() }, known),
  );
  const idfIn = (segment: number) => {
    titleWords.makeRoom();
    return titleWords.idfOf(wordNumber(titleWords.entryOf(segment, 0)));
  };
  // ln(1 + (N - tdf + .5) / (tdf + .5)), by hand
  const [zebra, yak] = [Math.log(1 + 1.5 / 2.5), Math.log(1 + 2.5 / 1.5)];
  expect([idfIn(0), idfIn(1), idfIn(2)]).toEqual([zebra, yak, zebra]);
  const word = (i: number) => [...String(i)].map((digit) => "abcdefghij"[Number(digit)]).join("");
  for (let i = 0; i < 32_768; i++) words.entryOf(word(i));
  expect([idfIn(1), idfIn(0), idfIn(2)]).toEqual([yak, zebra, zebra]);
});

it("compares two words once, in steps of 1/256 from 0 to 1", () => {
  const similarities = [0.5, 0.30001, -0.2, 7, Number.NaN, 0.9];
  const meanings = similarities.map((value) => ({ value, nearnessTo: () => 0 }));
  let asked = 0;
  const row = new SimilarityRow({
    nearnessTo: (other) => {
      asked++;
      return similarities[meanings.indexOf(other as (typeof meanings)[number])]!;
    },
  });
  for (const _ of [1, 2]) {
    expect(similarities.map((_, number) => row.similarityTo(number, meanings))).toEqual([
      0.5,
      77 / 256,
      0,
      1,
      0,
      230 / 256,
    ]);
    expect(asked).toBe(similarities.length);
  }
});

it("takes numbers in any order, and gives words without a meaning a similarity of 0", () => {
  const row = new SimilarityRow({ nearnessTo: () => 1 });
  const known = { nearnessTo: () => 0 };
  const meanings = Array.from({ length: 5000 }, (_, number) => (number % 2 === 0 ? known : null));
  const numbers = [4999, 4998, 0, 1, 300, 301];
  expect(numbers.map((number) => row.similarityTo(number, meanings))).toEqual([0, 1, 1, 0, 1, 0]);
  expect(numbers.map((number) => row.similarityTo(number, meanings))).toEqual([0, 1, 1, 0, 1, 0]);
});

it("finds the greatest similarity to some words", () => {
  const similarities = [0.25, 0.75, 1, 0.5];
  const meanings = similarities.map((value) => ({ value, nearnessTo: () => 0 }));
  const row = new SimilarityRow({
    nearnessTo: (other) => similarities[meanings.indexOf(other as (typeof meanings)[number])]!,
  });
  expect(row.maxSimilarityTo([0], 0, meanings)).toBe(0);
  expect([row.maxSimilarityTo([0, 3, 1], 2, meanings), row.maxSimilarityTo([3, 1, 0], 3, meanings)]).toEqual([
    0.5, 0.75,
  ]);
  expect(row.maxSimilarityTo([0, 2, 1], 3, meanings)).toBe(1);
});

it("clears an array that it reuses, and compares again after its own was released", () => {
  const meanings = Array.from({ length: 300 }, (_, value) => ({ value, nearnessTo: () => 0 }));
  const rowOf = (least: number, room?: Uint16Array) =>
    new SimilarityRow(
      { nearnessTo: (other) => ((other as (typeof meanings)[number]).value >= least ? 1 : 0.5) },
      ...(room === undefined ? [] : [room]),
    );
  const numbers = [0, 7, 120, 299];
  const all = (row: SimilarityRow) => numbers.map((number) => row.similarityTo(number, meanings));
  const first = rowOf(100);
  expect(all(first)).toEqual([0.5, 0.5, 1, 1]);
  const room = first.release();
  expect(room.length).toBeGreaterThanOrEqual(300);
  const second = rowOf(5, room);
  expect([all(second), all(first), all(second)]).toEqual([
    [0.5, 1, 1, 1],
    [0.5, 0.5, 1, 1],
    [0.5, 1, 1, 1],
  ]);
  expect(first.release()).not.toBe(room);
});

/** The least numbers are those of the terms that come most often, so each is looked up. */
const TERMS = [0, 1, 2, 3];

property("titles are counted as a plain count does, whichever records are deleted", 30, (random) => {
  const given = random.list(1, 60, () =>
    random.list(0, 6, () => ({ term: random.between(0, 3), isFirst: random.chance(0.8) })),
  );
  const writer = new TitleWriter();
  for (const title of given) {
    writer.beginRecord();
    for (const { term, isFirst } of title) writer.add(term, isFirst);
  }
  const titles = runTaskAtOnce(writer.finish(4));
  const postings = { ...postingsOf([{ body: "a b c d" }]), docCount: given.length, titles };
  const byTerm = (counts: ArrayLike<number>) => TERMS.map((term) => counts[titles.terms.indexOf(term)] ?? 0);
  const counted = (deletedDocs: DocSet | null) =>
    TERMS.map(
      (term) =>
        given.filter(
          (title, doc) => deletedDocs?.has(doc) !== true && title.some((entry) => entry.isFirst && entry.term === term),
        ).length,
    );
  const cache = new TitleCache(postings);
  expect(cache.bytes).toBe(0);
  let deletedDocs = new DocSet(given.length);
  const older: { deletedDocs: DocSet; counts: ArrayLike<number>; expected: number[] }[] = [];
  for (let turn = 0; turn < 5; turn++) {
    deletedDocs = deletedDocs.copy().addAll(random.list(0, 5, () => random.between(0, given.length - 1)));
    const counts = runTaskAtOnce(cache.liveCounts(deletedDocs));
    older.push({ deletedDocs, counts, expected: counted(deletedDocs) });
    // A query of an older snapshot, and queries that keep the counts they got.
    const again = random.pick(older);
    expect(byTerm(runTaskAtOnce(cache.liveCounts(again.deletedDocs)))).toEqual(again.expected);
    for (const { counts, expected } of older) expect(byTerm(counts)).toEqual(expected);
  }
  expect(byTerm(runTaskAtOnce(cache.liveCounts(null)))).toEqual(counted(null));
  expect(cache.bytes).toBe(4 * titles.terms.length);
});
