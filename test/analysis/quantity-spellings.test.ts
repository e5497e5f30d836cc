import { describe, expect, it } from "vitest";
import { readTokens } from "../../src/analysis/parse-query.js";
import { ENGLISH_WORDS } from "../../src/analysis/word-forms.js";
import { indexText } from "../support/index-text.js";

/** What each term of a query counts in a text, from 1, as typed, to 0, not found. */
function found(query: string, text: string): number[] {
  const held = new Set<string>();
  indexText(text, ENGLISH_WORDS, 1000, (term) => held.add(term));
  return readTokens(query, ENGLISH_WORDS)
    .filter(({ stop }) => !stop)
    .map(({ term }) =>
      Math.max(
        0,
        ...term.alternatives.filter(({ terms }) => terms.every((one) => held.has(one))).map((one) => one.weight),
      ),
    );
}

/** A query, and the texts that are it as typed, in another spelling, or something else. */
const SIZES: readonly (readonly [query: string, same: string, spelled: string, other: string])[] = [
  ["90x200", "90x200|90 x 200|90×200|90*200", "90 x 200 cm|90cm x 200cm|900 x 2000 mm|0.9 x 2 m", "80x200|90 cm"],
  ["160x200 cm", "160 x 200 cm|1.6 x 2 m", "160x200|1600x2000", "140x200|160 cm"],
  ["24 x 36 inch", '24" x 36"|2 x 3 ft', "24x36", "24x30"],
  [
    "10 pack",
    "10-pack|10pk|pack of 10|set of 10|box of 10",
    "10 pcs|10 pieces|10 count|ten-pack|box of ten",
    "5 pack|pack of 100",
  ],
  ["pack of 10", "10 pack|pack of 10", "10 pieces|ten pack|set of ten", "pack of 5|of 10"],
  ["1/2 inch", '1/2"|½ inch|0.5 in|12.7 mm', "1/2|half inch", '3/4"|1 1/4"'],
  ["half inch", "half inch", '1/2"|½"', '3/4"|1/4"|inch'],
  ["half a litre", "half a litre", "500 ml|0.5 l", "1.5 l|litre"],
  ["three quarter inch", "three quarter inch", '3/4"', '1/2"'],
  ["set of four", "set of four", "4 pack|box of 4", "set of 5|four"],
  ["0,25 kg", "0.25 kg|250 g", "quarter kilo|quarter of a kilogram", "25 kg"],
  ["2 dozen", "24 pieces|2 dozen", "two dozen|24 pack", "12 pieces"],
  ["18 carat", "18 karat", "", "9 carat"],
  ["200 gsm", "200 g/m2|200 g/m²", "", "100 g/m²"],
  ["3 seater", "3-seater|3 seats|3-seat", "three-seater|three seats", "2-man|3"],
  ["three seater", "three-seater", "3-seater|three seats", "three"],
  ["4 man", "4-man|4 person|for 4 people", "four person|four-man", "4 seats"],
  ["six-pack", "six-pack", "6 pack|pack of 6", "7 pack"],
  ["10000 mAh", "10,000 mAh|10000mAh|10 Ah", "10 000 mAh|10.000 mAh|10'000 mAh", "20 000 mAh|10 mAh|20.000 mAh"],
  ["26800mah", "26,800 mAh", "26 800 mAh|26.800 mAh", "20 800 mAh|26 mAh"],
  ["10.000 mAh", "10.000 mAh", "10,000 mAh|10 000 mAh", "20,000 mAh"],
  ["1000", "1,000|1000|1.000", "1 000", "100|10.000"],
  ["1.000", "1.000|1,000|1000", "", "100|1.001"],
  ["1 000", "1 000", "1,000|1000|1.000", "1|100"],
  ["size 42", "size 42", "EU 42|sz 42|UK 42|US 42", "size 44|EU 44|size"],
  ["eu 42", "EU 42", "size 42|EUR 42", "EU 44|eu"],
  ["uk 7½", "UK 7.5|UK 7½|UK 7 1/2", "size 7.5", "UK 7|UK 8"],
  ["size 42.5", "size 42.5|size 42,5|size 42½", "EU 42.5", "size 42"],
  ["size m", "size M", "medium|sz m", "size L"],
  ["size xl", "size XL", "extra large|X-Large", "size L|large"],
  ["size 4xl", "size 4XL", "XXXXL|EU 4XL", "size XXL"],
  ["size medium", "size medium", "medium|M", "size L"],
  ["w32 l34", "W32 L34|W32/L34", "32/34|32x34", "W34 L36|34/32"],
  ["w32l34", "W32L34|W32 L34", "32/34", ""],
  ["32/34", "32/34", "W32 L34", "W32 L36"],
];

describe("a quantity of a query", () => {
  for (const [query, same, spelled, other] of SIZES) {
    for (const text of same.split("|"))
      it(`${query} is ${text}`, () => expect(found(query, `Thing, ${text}`)).toEqual([1]));
    for (const text of spelled.split("|").filter((one) => one !== ""))
      it(`${query} is also ${text}, which counts less`, () => {
        const [weight] = found(query, `Thing, ${text}`);
        expect(weight).toBeGreaterThanOrEqual(0.8);
        expect(weight).toBeLessThan(1);
      });
    for (const text of other.split("|").filter((one) => one !== ""))
      it(`${query} is not ${text}`, () => expect(Math.max(...found(query, `Thing, ${text}`))).toBe(0));
  }

  it("that is a size counts half where its numbers stand otherwise", () => {
    for (const text of ["90x200x20 cm", "200x90", "width 90, length 200"]) expect(found("90x200", text)).toEqual([0.5]);
  });

  it("that is a size with a label counts half without it", () => {
    expect(found("size 42", "Shoes 42")).toEqual([0.5]);
    expect(found("eu 42", "UK 42")).toEqual([0.5]);
  });

  it("that is a number of parts counts half without the number", () => {
    for (const query of ["3 drawers", "three drawer"]) expect(found(query, "Chest with drawers")).toEqual([0.5]);
    expect(found("3 kg", "Bag of some kg")).toEqual([0]);
  });

  it("asks for the number before its cross too", () => {
    expect(found("6x330ml", "6 x 330 ml")).toEqual([1, 1]);
    expect(found("6x330ml", "4x330ml")).toEqual([0, 1]);
    expect(found("6 x 330 ml", "6x330ml")[0]).toBe(1);
  });

  it("is none where its number is a part of something else", () => {
    const isQuantity = (query: string) => readTokens(query, ENGLISH_WORDS).some(({ kind }) => kind === "quantity");
    expect(
      ["two-year-old", "someone inch", "out of 10", "king size bed", "us open", "size matters"].some(isQuantity),
    ).toBe(false);
  });
});

describe("a code of a query", () => {
  it("is found where a letter after a digit begins another word", () => {
    expect(found("rtx3060ti", "RTX3060 Ti")).toEqual([0.8]);
    expect(found("w36l30", "W30 L36")).toEqual([0]);
  });
});
