import { expect, it } from "vitest";
import type { Postings } from "../../../src/inverted/postings.js";
import { PostingsWriter } from "../../../src/inverted/postings-writer.js";
import { titleWordsOf } from "../../../src/inverted/title/title-words.js";
import {
  isTurn,
  memoryOf,
  NO_WORD,
  numberIn,
  placeBytes,
  type Speaker,
} from "../../../src/inverted/title/word-memory.js";
import { runTaskAtOnce } from "../../../src/util/tasks.js";

/** One record with a title, and a text besides. */
function postingsOf(title: string, text = ""): Postings {
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

/** Knows all words but those that begin with "x", and notes what it was asked. */
function speaker(): Speaker & { readonly asked: string[] } {
  const asked: string[] = [];
  const meaningOf = (word: string) => {
    asked.push(word);
    return word.startsWith("x") ? null : { nearnessTo: () => 0.5 };
  };
  return { asked, meaningOf };
}

/** The number that a term has among titles. */
function numberOf({ names, titles }: Postings, term: string): number {
  return titles.terms.indexOf(names.numberOf(term)!);
}

it("asks a speaker once for a word, however often an index changes", () => {
  const speaks = speaker();
  const first = postingsOf("red drill for xylo");
  const second = postingsOf("blue drill");
  const memory = memoryOf(speaks);
  for (const postings of [first, second, first]) {
    const places = memory.placesIn(postings);
    for (let number = 0; number < postings.titles.terms.length; number++) places.entryOf(number);
  }
  expect([...speaks.asked].sort()).toEqual(["blue", "drill", "for", "red", "xylo"]);
  expect(memoryOf(speaks)).toBe(memory);
});

it("tells words from codes, turns from other words, and what has no meaning", () => {
  const memory = memoryOf(speaker());
  expect([memory.entryOf("ab12"), memory.entryOf("=sku"), memory.entryOf("#volume:1")]).toEqual([
    NO_WORD,
    NO_WORD,
    NO_WORD,
  ]);
  const [drill, fits, xylo] = [memory.entryOf("drill"), memory.entryOf("~fit~fits"), memory.entryOf("xylo")];
  expect([drill, fits, xylo].map((entry) => [numberIn(entry), isTurn(entry)])).toEqual([
    [0, false],
    [1, true],
    [2, false],
  ]);
  expect(memory.meanings.map((meaning) => meaning !== null)).toEqual([true, true, false]);
  expect([0, 1, 2].map((number) => memory.nameOf(number))).toEqual(["drill", "~fit~fits", "xylo"]);
});

it("knows where its words stand in each segment", () => {
  const memory = memoryOf(speaker());
  const first = postingsOf("red drill");
  const second = postingsOf("drill bit", "red");
  expect(placeBytes(first)).toBe(0);
  const [inFirst, inSecond] = [memory.placesIn(first), memory.placesIn(second)];
  const red = numberIn(memory.entryOf("red"));
  const bit = numberIn(memory.entryOf("bit"));
  for (let turn = 0; turn < 2; turn++) {
    expect([inFirst, inSecond].map((places) => places.titleNumberOf(red))).toEqual([numberOf(first, "red"), -1]);
    expect([inFirst, inSecond].map((places) => places.titleNumberOf(bit))).toEqual([-1, numberOf(second, "bit")]);
  }
  expect(memory.placesIn(first)).toBe(inFirst);
  expect(placeBytes(first)).toBe(4 * 2 + 4 * 2 + 4 * 2);
});

it("forgets all at once when there are too many, and numbers anew", () => {
  const memory = memoryOf(speaker());
  const postings = postingsOf("zebra");
  const word = (i: number) => [...String(i)].map((digit) => "abcdefghij"[Number(digit)]).join("");
  for (let i = 0; i < 32_767; i++) memory.entryOf(word(i));
  memory.makeRoom();
  const before = memory.placesIn(postings);
  expect([memory.generation, numberIn(before.entryOf(0)), before.titleNumberOf(32_767)]).toEqual([0, 32_767, 0]);
  const row = memory.rowOf("zebra");
  expect(memory.rowOf("zebra")).toBe(row);
  memory.makeRoom();
  expect([memory.generation, memory.meanings.length]).toEqual([1, 0]);
  expect(memory.rowOf("zebra")).not.toBe(row);
  expect(numberIn(memory.placesIn(postings).entryOf(0))).toBe(0);
  expect(memory.placesIn(postings).titleNumberOf(0)).toBe(0);
});

it("keeps what is near to the last words of queries only", () => {
  const memory = memoryOf(speaker());
  const row = memory.rowOf("drill");
  expect(memory.rowOf("xylo")).toBeNull();
  for (let i = 0; i < 63; i++) memory.rowOf(`word${i}`);
  expect(memory.rowOf("drill")).toBe(row);
  memory.rowOf("more");
  expect(memory.rowOf("drill")).not.toBe(row);
});

it("rarities are those of the words that have the numbers now", () => {
  const speaks = speaker();
  const memory = memoryOf(speaks);
  const segments = ["zebra", "yak", "zebra"].map((title, base) => {
    const postings = postingsOf(title);
    const fields = {
      weights: new Float64Array(2),
      titleWeights: new Float64Array(2),
      averages: new Float64Array(2),
      b: 0,
    };
    return { postings, deletedDocs: null, base, fields };
  });
  const words = runTaskAtOnce(titleWordsOf({ segments, docSpan: 3, docCount: 3, k1: 1.2 }, speaks));
  const rarityIn = (segment: number) => {
    words.makeRoom();
    return words.rarityOf(numberIn(words.entryOf(segment, 0)));
  };
  // ln(1 + (N - tdf + .5) / (tdf + .5)), by hand
  const [zebra, yak] = [Math.log(1 + 1.5 / 2.5), Math.log(1 + 2.5 / 1.5)];
  expect([rarityIn(0), rarityIn(1), rarityIn(2)]).toEqual([zebra, yak, zebra]);
  const word = (i: number) => [...String(i)].map((digit) => "abcdefghij"[Number(digit)]).join("");
  for (let i = 0; i < 32_768; i++) memory.entryOf(word(i));
  expect([rarityIn(1), rarityIn(0), rarityIn(2)]).toEqual([yak, zebra, zebra]);
});
