import { expect, it } from "vitest";
import { readTitleParts } from "../../src/analysis/title-parts.js";
import type { WordForms } from "../../src/analysis/word-forms.js";
import { ENGLISH_WORDS, PLAIN_WORDS } from "../../src/analysis/word-forms.js";

/** The parts of a title, the terms of each with blanks between. */
function partsOf(text: string, words: WordForms = ENGLISH_WORDS, most = 80): string[] {
  const parts: string[][] = [];
  readTitleParts(text, words, most, {
    begin: () => parts.push([]),
    known: ({ terms }, from, end) => parts.at(-1)!.push(...terms.slice(from, end)),
    one: (term) => parts.at(-1)!.push(term),
  });
  return parts.map((terms) => terms.join(" "));
}

it.each([
  ["Cordless DRILLS, men's", ["cordless", "~drill~drills", "~man~men"]],
  // The parts of a compound stand with the whole, all forms of a code at one place.
  ["wi-fi router", ["wi wifi", "fi wifi", "router"]],
  ["WH-1000XM4 strap", ["wh1000xm4 wh 1000xm4 1000 xm ^wh1000 ^1000xm ^xm4", "strap"]],
  // Pairs of neighbours and quantities stand at each of their parts.
  ["PS 5, 5 m", ["^ps5 ps", "^ps5 5", "#length:5 5", "#length:5 m"]],
  ["X box", ["^xbox x", "^xbox box"]],
  ["kettle 1500 ml", ["~kettl~kettle", "#volume:1.5 1500", "#volume:1.5 ml"]],
  ["電動工具", ["電動 電", "動工 動", "工具 工", "工具 具"]],
  // No title is read further than it must be.
  [`${" ".repeat(10_000)}far`, []],
  [`near ${" ".repeat(10_000)}far`, ["near"]],
])("gives the parts of a title, and of each its terms: %s", (title, parts) => expect(partsOf(title)).toEqual(parts));

it("gives words as they are in a plain language", () => {
  expect(partsOf("Cordless drills", PLAIN_WORDS)).toEqual(["cordless", "drills"]);
});

it("stops at the most parts, within compounds and runs too", () => {
  expect(partsOf("a-b-c dd", PLAIN_WORDS, 2)).toEqual(["a abc", "b abc"]);
  expect(partsOf("電動工具", PLAIN_WORDS, 1)).toEqual(["電動 電"]);
  expect(partsOf("x ".repeat(200))).toHaveLength(80);
});
