import { describe, expect, it } from "vitest";
import { rankingsFor } from "../../src/query/facets/value-matcher.js";
import { findValues } from "../support/naive-facets.js";
import { property } from "../support/random.js";

/** The rank of each value by the first ranking that finds any, as the values of a facet are shown; -1: not shown. */
function ranks(typed: string, values: readonly (string | number | boolean)[], mends = true): number[] {
  const all = rankingsFor(typed, mends).map((rankOf) => values.map(rankOf));
  return all.find((found) => found.some((rank) => rank >= 0)) ?? values.map(() => -1);
}

describe("a typed text finds", () => {
  it("what equals it, what begins with it, what has it in a later word, and nothing else", () => {
    expect(ranks("black", ["Black", "black/gold", "jet black", "blackish", "unblack"])).toEqual([0, 1, 2, 1, -1]);
    expect(ranks("nike g", ["Nike Golf", "Nike", "The Nike Girl"])).toEqual([1, -1, 2]);
  });

  it("values by their letters, whatever their case, accents and signs", () => {
    expect(ranks("LOREAL", ["L'Or\u00e9al", "l\u2019oreal paris"])).toEqual([0, 1]);
    for (const typed of ["dr oet", "dr. oet", "droet", "Dr.-Oet"]) expect(ranks(typed, ["Dr. Oetker"])).toEqual([1]);
    for (const typed of ["coca c", "cocac", "coca-c", "coca_c"]) expect(ranks(typed, ["Coca-Cola"])).toEqual([1]);
    expect(ranks("hm", ["H&M", "Handmade"])).toEqual([0, -1]);
    expect(ranks("usa", ["U.S.A.", "US"])).toEqual([0, -1]);
    expect(ranks("longhi", ["De'Longhi"])).toEqual([2]);
  });

  it("umlauts in one letter or two", () => {
    for (const typed of ["loewenbraeu", "Löwenbräu", "löwenbraeu"])
      expect(ranks(typed, ["Löwenbräu", "Loewenbraeu"], false), typed).toEqual([0, 0]);
    expect(ranks("lowenbrau", ["Löwenbräu", "Loewenbraeu"], false)).toEqual([0, -1]);
    expect(ranks("mue", ["Müller", "Mu\u0308hle", "Blue"])).toEqual([1, 1, -1]);
    expect(ranks("blue", ["Blu-ray", "Blue"])).toEqual([-1, 0]);
  });

  it("and for &, also while it is being typed", () => {
    for (const typed of ["black & d", "black and d", "black&d", "black &", "black an", "black a"])
      expect(ranks(typed, ["Black & Decker", "Black and Decker", "Black"]), typed).toEqual([1, 1, -1]);
    expect(ranks("h and m", ["H&M"])).toEqual([0]);
    expect(ranks("hand", ["H&M", "Hand cream"])).toEqual([-1, 1]);
    expect(ranks("and", ["AND", "Salt and Pepper", "H&M"])).toEqual([0, 2, -1]);
    expect(ranks("h&", ["H&M", "Hema"])).toEqual([1, -1]);
    expect(ranks("&", ["H&M", "Hema"])).toEqual([2, -1]);
  });

  it("a + or # behind a letter: the typed form equals, the one with more only begins so", () => {
    expect(ranks("c#", ["C#", "C", "C++", "C# 12"])).toEqual([0, -1, -1, 1]);
    expect(ranks("c", ["C#", "C", "C++", "Cobol"])).toEqual([1, 0, 1, 1]);
    expect(ranks("a grade", ["A+ Grade"])).toEqual([1]);
    expect(ranks("salt pepper", ["Salt + Pepper"])).toEqual([0]);
  });

  it("numbers whole from their beginning, never from within", () => {
    expect(ranks("42", ["42", "142", "42.5", 42, 1.42, "10-42"])).toEqual([0, -1, 1, 0, -1, 2]);
    expect(ranks("425", ["42.5", "42-5", "4 25"])).toEqual([-1, -1, -1]);
    expect(ranks("42,5", ["42.5", "42-5"])).toEqual([0, -1]);
    expect(ranks("1000", ["1,000 W", "1.000"])).toEqual([1, -1]);
    expect(ranks("iphone12", ["iPhone 12", "iPhone 1"])).toEqual([0, -1]);
  });

  it("scripts without blanks from any character on", () => {
    expect(ranks("\u30bf\u30ef\u30fc", ["\u6771\u4eac\u30bf\u30ef\u30fc"])).toEqual([2]);
  });

  it("signs alone where they stand, and all values where it is blank", () => {
    expect(ranks("\u2605", ["\u2605", "\u2605 new", "new \u2605", "new"])).toEqual([0, 1, 2, -1]);
    expect(rankingsFor(" \u200b", true)).toEqual([]);
  });
});

describe("one typing error", () => {
  it("is forgiven where nothing else is found", () => {
    expect(ranks("adidsa", ["Adidas", "Nike"])).toEqual([0, -1]);
    expect(ranks("blakc", ["black", "jet black", "black/gold", "blue"])).toEqual([0, 2, 1, -1]);
    expect(ranks("oetkr", ["Dr. Oetker", "Oetkr"])).toEqual([-1, 0]);
    expect(ranks("dr oetkr", ["Dr. Oetker"])).toEqual([0]);
    expect(ranks("black and dekcer", ["Black & Decker"])).toEqual([0]);
    for (const typed of ["osch", "boschh", "bosvh", "obsch", "bsch"]) expect(ranks(typed, ["Bosch"])).toEqual([0]);
  });

  it("and no more: not two, not in short words, not in numbers, not where it is turned off", () => {
    expect(ranks("bxxch", ["Bosch"])).toEqual([-1]);
    expect(ranks("bsh", ["Bosch"])).toEqual([-1]);
    expect(ranks("nike x", ["Nike Golf"])).toEqual([-1]);
    expect(ranks("size 4211", ["Size 4212"])).toEqual([-1]);
    expect(ranks("4211", ["4212"])).toEqual([-1]);
    expect(ranks("blakc", ["black"], false)).toEqual([-1]);
  });
});

const PARTS = [
  "ö",
  "oe",
  "o\u0308",
  "black",
  "b",
  "a",
  "and",
  "&",
  " & ",
  " ",
  "-",
  ".",
  ",",
  "1",
  "42",
  "000",
  "+",
  "#",
  "'",
  "aab",
  "\u00e9",
  "\u4eac",
];

property("finds what the naive twin finds, in its order", 400, (random) => {
  const text = (most: number): string => random.list(1, most, () => random.pick(PARTS)).join("");
  const values = [...new Set(random.list(1, 12, () => text(7)))].map((value, i) => ({ value, count: 99 - i }));
  const typed = random.chance(0.5) ? text(4) : random.pick(values).value.slice(0, random.between(1, 9));
  const found = ranks(
    typed,
    values.map(({ value }) => value),
  );
  const shown =
    rankingsFor(typed, true).length === 0
      ? values
      : [0, 1, 2].flatMap((rank) => values.filter((_, i) => found[i] === rank));
  expect(shown, typed).toEqual(findValues(values, typed, true));
});

it("is linear in a repetitive value", () => {
  const [rankOf] = rankingsFor(`${"a".repeat(3000)}b`, true);
  expect(rankOf!("a ".repeat(200_000))).toBe(-1);
  const [, mended] = rankingsFor(`${"a".repeat(60)}b`, true);
  expect(mended!("a ".repeat(200_000))).toBe(1);
});
