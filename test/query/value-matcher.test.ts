// Which values of a facet a typed text finds: 0 what equals it, 1 what begins with it, 2 what has it in a later word, - what is not found.

import { expect, it } from "vitest";
import { rankingsFor } from "../../src/query/facets/value-matcher.js";
import { findValues } from "../support/naive-facets.js";
import { property } from "../support/random.js";

/** The rank of each value by the first ranking that finds any, as the values of a facet are shown. */
function ranks(typed: string, values: readonly (string | number)[], mends = true): number[] {
  const all = rankingsFor(typed, mends).map((rankOf) => values.map(rankOf));
  return all.find((found) => found.some((rank) => rank >= 0)) ?? values.map(() => -1);
}

/** Typed texts and values are parted by bars. */
const ROWS: readonly (readonly [what: string, typed: string, values: string, found: string])[] = [
  ["parts of words", "black", "Black|black/gold|jet black|blackish|unblack", "0121-"],
  ["several words", "nike g", "Nike Golf|Nike|The Nike Girl", "1-2"],
  ["any case, accents and signs", "LOREAL", "L'Or\u00e9al|l\u2019oreal paris", "01"],
  ["signs that are left out", "dr oet|dr. oet|droet|Dr.-Oet", "Dr. Oetker", "1"],
  ["signs that are blanks", "coca c|cocac|coca-c|coca_c", "Coca-Cola", "1"],
  ["letters with a sign between", "hm", "H&M|Handmade", "0-"],
  ["letters with points", "usa", "U.S.A.|US", "0-"],
  ["the word behind an apostrophe", "longhi", "De'Longhi", "2"],
  ["umlauts in one letter or two", "loewenbraeu|Löwenbräu|löwenbraeu", "Löwenbräu|Loewenbraeu", "00"],
  ["umlauts that are begun", "mue", "Müller|Mu\u0308hle|Blue", "11-"],
  ["no umlaut in two letters of a word", "blue", "Blu-ray|Blue", "-0"],
  [
    "and for &",
    "black & d|black and d|black&d|black &|black an|black a",
    "Black & Decker|Black and Decker|Black",
    "11-",
  ],
  ["and for & between letters", "h and m", "H&M", "0"],
  ["no and within a word", "hand", "H&M|Hand cream", "-1"],
  ["and as a word", "and", "AND|Salt and Pepper|H&M", "02-"],
  ["& that is typed last", "h&", "H&M|Hema", "1-"],
  ["& alone", "&", "H&M|Hema", "2-"],
  ["# behind a letter", "c#", "C#|C|C++|C# 12", "0--1"],
  ["a letter before a sign", "c", "C#|C|C++|Cobol", "1011"],
  ["a + that is left out", "a grade", "A+ Grade", "1"],
  ["a + between words", "salt pepper", "Salt + Pepper", "0"],
  ["numbers whole", "42", "42|142|42.5|10-42", "0-12"],
  ["no digits across signs", "425", "42.5|42-5|4 25", "---"],
  ["a decimal comma", "42,5", "42.5|42-5", "0-"],
  ["thousands", "1000", "1,000 W|1.000", "1-"],
  ["words and numbers side by side", "iphone12", "iPhone 12|iPhone 1", "0-"],
  ["scripts without blanks from any character", "\u30bf\u30ef\u30fc", "\u6771\u4eac\u30bf\u30ef\u30fc", "2"],
  ["signs alone where they stand", "\u2605", "\u2605|\u2605 new|new \u2605|new", "012-"],
  ["two letters that are exchanged", "adidsa", "Adidas|Nike", "0-"],
  ["an error in any word", "blakc", "black|jet black|black/gold|blue", "021-"],
  ["what has no error alone, where there is such", "oetkr", "Dr. Oetker|Oetkr", "-0"],
  ["an error beside and", "black and dekcer", "Black & Decker", "0"],
  ["any one error", "osch|boschh|bosvh|obsch|bsch", "Bosch", "0"],
  ["no two errors, nor one in a short word", "bxxch|bsh", "Bosch", "-"],
  ["no error in numbers", "size 4211|4211", "Size 4212|4212", "--"],
];

it.each(ROWS)("finds %s: %s in %s", (_, typed, values, found) => {
  for (const text of typed.split("|"))
    expect(
      ranks(text, values.split("|"))
        .map((rank) => "-012"[rank + 1])
        .join(""),
      text,
    ).toBe(found);
});

it("finds numbers, mends nothing where that is switched off, and finds all where it is blank", () => {
  expect(ranks("42", [42, 1.42])).toEqual([0, -1]);
  expect([ranks("blakc", ["black"], false), ranks("lowenbrau", ["Loewenbraeu"], false)]).toEqual([[-1], [-1]]);
  expect(rankingsFor(" \u200b", true)).toEqual([]);
});

const PARTS = [..."ö oe o\u0308 black b a and & - . , 1 42 000 + # ' aab \u00e9 \u4eac".split(" "), " & ", " "];

property("finds what the naive twin finds, in its order", 400, (random) => {
  const text = (most: number): string => random.list(1, most, () => random.pick(PARTS)).join("");
  const values = [...new Set(random.list(1, 12, () => text(7)))].map((value, i) => ({ value, count: 99 - i }));
  const typed = random.chance(0.5) ? text(4) : random.pick(values).value.slice(0, random.between(1, 9));
  const found = ranks(
    typed,
    values.map(({ value }) => value),
  );
  const isBlank = rankingsFor(typed, true).length === 0;
  const shown = isBlank ? values : [0, 1, 2].flatMap((rank) => values.filter((_, i) => found[i] === rank));
  expect(shown, typed).toEqual(findValues(values, typed, true));
});

it("is linear in a repetitive value", () => {
  const [rankOf] = rankingsFor(`${"a".repeat(3000)}b`, true);
  expect(rankOf!("a ".repeat(200_000))).toBe(-1);
  const [, mended] = rankingsFor(`${"a".repeat(60)}b`, true);
  expect(mended!("a ".repeat(200_000))).toBe(1);
});
