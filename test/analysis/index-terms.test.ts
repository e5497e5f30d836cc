import { describe, expect, it } from "vitest";
import { identifierTerm, indexIdentifier } from "../../src/analysis/identifier-terms.js";
import { ENGLISH_WORDS, PLAIN_WORDS } from "../../src/analysis/word-forms.js";
import { indexText } from "../support/index-text.js";

/** The terms of a text, joined by blanks, and its length in tokens. */
function read(text: string, mostTokens = 100, words = ENGLISH_WORDS) {
  const terms: string[] = [];
  const tokens = indexText(text, words, mostTokens, (term) => terms.push(term));
  return { terms: terms.join(" "), tokens };
}

const [CANCEL, CODE] = ["cancel ~cancel~cancelling", "wh1000xm4 wh 1000xm4 1000 xm ^wh1000 ^1000xm ^xm4"];

describe("the terms of a text, and its length,", () => {
  it.each([
    ["Drills, drill 18 the 18", "drill ~drill~drills drill 18 the 18", 5],
    ["men’s L'Oréal", "man ~man~men l oreal loreal", 2],
    ["Noise-Cancelling", `noisecancel ~noisecancel~noisecancelling nois ~nois~noise ${CANCEL}`, 2],
    ["WH-1000XM4", CODE, 2],
    ["12-rolls", "12rolls 12 rolls roll ~roll~rolls", 2],
    ["1,000", "1000", 1],
    ["1.5 L kettle", "1.5 l kettl ~kettl~kettle #volume:1.5", 3],
    ["1500ml", "1500ml 1500 ml #volume:1.5", 1],
    ["東京都", "東 京 都 東京 京都", 3],
    ["東", "東", 1],
    ["𠮷野", "𠮷 野 𠮷野", 2],
    ["", "", 0],
    [" .-' ", "", 0],
    ["😀", "", 0],
  ])("%s", (text, terms, tokens) => expect(read(text)).toEqual({ terms, tokens }));

  it("are words as they are in a plain language", () => {
    expect(read("Drills, drill wi-fi", 100, PLAIN_WORDS)).toEqual({ terms: "drills drill wifi wi fi", tokens: 4 });
  });

  it.each([
    ["a b c d", "a b c"],
    ["18v 19v 20v 21v", "18v 19v 20v"],
    ["東京都庁舎", "東京都"],
    ["東京 東京 東京", "東京 東"],
    ["a 東京都", "a 東京"],
    ["red wi-fi 12 v", "red wi-fi"],
  ])("are those of the first three tokens of %s where three are taken", (text, firstThree) => {
    expect(read(text, 3).terms).toBe(read(firstThree).terms);
    expect(read(text, 0).terms).toBe("");
  });
});

describe("the terms of an identifier", () => {
  it.each([
    ["AB-12 cd34", "ab12 ab 12 cd34 cd 34 ab12cd34", 2],
    ["RUNNING", "running", 1],
    ["wi-fis", "wifis wi fis", 1],
    ["12-34", "12-34 1234 12 34 ^1234", 1],
    ["東京都", "東 京 都 東京 京都 東京都", 1],
    [" -- ", "", 0],
  ])("are its runs whole and by part, and all of it without punctuation, never stemmed: %s", (value, expected, length) => {
    const terms: string[] = [];
    const tokens = indexIdentifier(value, (term) => terms.push(term));
    expect([terms.toSorted().join(" "), tokens]).toEqual([expected.split(" ").sort().join(" "), length]);
  });

  it("begin with the whole", () => {
    const terms: string[] = [];
    indexIdentifier("978-3-16-148410-0", (term) => terms.push(term));
    expect(terms[0]).toBe("9783161484100");
  });
});

it("the exact code is one for all spellings of an identifier, and no term of any text", () => {
  const spellings = ["WH-1000XM4", "wh1000 xm4", "Wh.1000/xm4", "WH–1000XM4™"];
  expect(new Set(spellings.map(identifierTerm))).toEqual(new Set(["=wh1000xm4"]));
  expect(read("=wh1000xm4 = wh1000xm4").terms.split(" ")).not.toContain("=wh1000xm4");
  expect(identifierTerm(" .-# ")).toBeUndefined();
});
