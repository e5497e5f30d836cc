import { expect, it } from "vitest";
import { readTitleParts } from "../../src/analysis/title-parts.js";
import type { WordForms } from "../../src/analysis/word-forms.js";
import { ENGLISH_WORDS, PLAIN_WORDS } from "../../src/analysis/word-forms.js";

function partsOf(text: string, words: WordForms = ENGLISH_WORDS, most = 80): string[][] {
  const parts: string[][] = [];
  readTitleParts(text, words, most, {
    begin: () => parts.push([]),
    known: ({ terms }, from, end) => parts.at(-1)!.push(...terms.slice(from, end)),
    one: (term) => parts.at(-1)!.push(term),
  });
  return parts;
}

it("gives each word as it was written", () => {
  expect(partsOf("Cordless DRILLS, men's")).toEqual([["cordless"], ["~drill~drills"], ["~man~men"]]);
  expect(partsOf("Cordless drills", PLAIN_WORDS)).toEqual([["cordless"], ["drills"]]);
});

it("gives the parts of a compound one by one, and each with the whole", () => {
  expect(partsOf("wi-fi router")).toEqual([["wi", "wifi"], ["fi", "wifi"], ["router"]]);
});

it("gives a code with all its forms at one place", () => {
  const code = ["wh1000xm4", "wh", "1000xm4", "1000", "xm", "^wh1000", "^1000xm", "^xm4"];
  expect(partsOf("WH-1000XM4 strap")).toEqual([code, ["strap"]]);
});

it("gives a pair of neighbours at both of its parts", () => {
  expect(partsOf("PS 5, 5 m")).toEqual([
    ["^ps5", "ps"],
    ["^ps5", "5"],
    ["#length:5", "5"],
    ["#length:5", "m"],
  ]);
  expect(partsOf("X box")).toEqual([
    ["^xbox", "x"],
    ["^xbox", "box"],
  ]);
});

it("gives a quantity at every part that it covers", () => {
  expect(partsOf("kettle 1500 ml")).toEqual([["~kettl~kettle"], ["#volume:1.5", "1500"], ["#volume:1.5", "ml"]]);
});

it("gives the characters of scripts without blanks, each with its pair", () => {
  expect(partsOf("電動工具")).toEqual([
    ["電動", "電"],
    ["動工", "動"],
    ["工具", "工"],
    ["工具", "具"],
  ]);
});

it("stops at the most parts, within compounds and runs too", () => {
  expect(partsOf("a-b-c dd", PLAIN_WORDS, 2)).toEqual([
    ["a", "abc"],
    ["b", "abc"],
  ]);
  expect(partsOf("電動工具", PLAIN_WORDS, 1)).toEqual([["電動", "電"]]);
  expect(partsOf("x ".repeat(200))).toHaveLength(80);
});

it("reads no further than it must, however long the title", () => {
  expect(partsOf(`${" ".repeat(10_000)}far`)).toEqual([]);
  expect(partsOf(`near ${" ".repeat(10_000)}far`)).toEqual([["near"]]);
});
