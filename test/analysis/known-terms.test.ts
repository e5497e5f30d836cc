import { expect, it } from "vitest";
import { normalizeText } from "../../src/analysis/normalize-text.js";
import { quantitiesIn } from "../../src/analysis/quantities.js";
import { scanTokens } from "../../src/analysis/scan-tokens.js";
import { tokenReader, tokenTerms } from "../../src/analysis/text-terms.js";
import { PLAIN_WORDS, type WordForms } from "../../src/analysis/word-forms.js";
import { indexText } from "../support/index-text.js";
import { neighbourPairs } from "../support/naive-terms.js";
import { property, type Random } from "../support/random.js";

const NUMBERS = "1 2 10 12 19 1.5 .5 1,5 1,500 1/2 1-1/2 ½ 5 1234567890123 12345678901234567 2x4 3x 7x7".split(" ");
const UNITS =
  "cm mm x in in. ft feet ' \" ” ′ % °c ° m2 m3 v kg fl fl. oz cubic meter watt hours gb gb/s g/m2 l a".split(" ");
const OTHERS = "red lamp m8 M8x1.25 WH-1000XM4 wi-fi 802.11 東京 ; ) ( $ - . é y2 x4 men's 64mp/10mp".split(" ");

function textOf(random: Random): string {
  const piece = () => random.pick(random.pick([NUMBERS, UNITS, OTHERS]));
  return random.list(0, 14, () => piece() + random.pick(["", " ", " ", "-", ", ", '"'])).join("");
}

/** The terms of a text. */
function termsOf(text: string, words: WordForms): string[] {
  const terms: string[] = [];
  indexText(text, words, Number.POSITIVE_INFINITY, (term) => terms.push(term));
  return terms;
}

property(
  "a text has the terms of its tokens one by one, each with its pair, and then its quantities, known or not",
  10,
  (random) => {
    const words: WordForms = { ...PLAIN_WORDS };
    for (let texts = 0; texts < 150; texts++) {
      const text = textOf(random);
      const normal = normalizeText(text);
      const expected: string[] = [];
      const pairs = neighbourPairs(text, PLAIN_WORDS);
      let token = 0;
      scanTokens(normal, (kind, start, end) => {
        const pair = pairs[token++];
        expected.push(
          ...tokenTerms(kind, normal.slice(start, end), PLAIN_WORDS),
          ...(pair === undefined ? [] : [pair]),
        );
      });
      expected.push(...quantitiesIn(normal).map(({ term }) => term));
      for (const before of ["", "other", ""]) {
        termsOf(before, words);
        expect(termsOf(text, words)).toEqual(expected);
      }
    }
  },
);

it("knows every term while tokens are forgotten between texts", () => {
  const words: WordForms = { ...PLAIN_WORDS };
  for (let i = 0; i < 40_000; i++) {
    const letters = i.toString(16).replace(/\d/g, (digit) => "ghijklmnop"[Number(digit)]!);
    const expected = ["known", `za${letters}`, `zb${letters}`, "known", `zc${letters}`, "other", "known"];
    const taken = termsOf(expected.join(" "), words);
    if (taken.join() !== expected.join()) expect.fail(`text ${i}: ${taken.join()}`);
  }
  expect(tokenReader(words).memo.age).toBe(1);
});

it("knows every measure while measures are forgotten between texts", () => {
  for (let i = 0; i < 10_000; i++) {
    const terms = quantitiesIn(`10 cm, ${i}.1 v, ${i}.2 v, 12", ${i}.3 v, 10 cm`).map(({ term }) => term);
    const expected = `#length:0.1 #voltage:${i}.1 #voltage:${i}.2 #length:0.3048 #voltage:${i}.3 #length:0.1`;
    if (terms.join(" ") !== expected) expect.fail(`text ${i}: ${terms.join(" ")}`);
  }
});

it.each([
  [["12 fl, red", "12 fl oz"], "#volume:0.354882355"],
  [["5 cubic, red", "5 cubic meter"], "#volume:5000"],
  [["6 ft, red", "6 ft 5 in"], "#length:1.9558"],
  [["7 cm, red", "7 cm x 8 cm"], "#size:0.07x0.08m"],
  [["8 cm, red", `${"long ".repeat(2000)}8 cm`], "#length:0.08"],
  [["9 cm, red", "2,9 cm"], "#length:0.029"],
])("reads a measure by what stands around it, though its beginning is known: %j", ([first, second], term) => {
  quantitiesIn(first!);
  expect(quantitiesIn(second!).map((quantity) => quantity.term)).toEqual([term]);
});
