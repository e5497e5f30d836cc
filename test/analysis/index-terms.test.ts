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

function identify(value: string) {
  const terms: string[] = [];
  const tokens = indexIdentifier(value, (term) => terms.push(term));
  return { terms, tokens };
}

describe("the terms of a text", () => {
  it("are stems of words and numbers as they are, each time they stand, words beside their stems", () => {
    expect(read("Drills, drill 18 the 18")).toEqual({ terms: "drill ~drill~drills drill 18 the 18", tokens: 5 });
    expect(read("Drills, drill", 100, PLAIN_WORDS).terms).toBe("drills drill");
  });

  it("lack the owner's s and other apostrophes, which also part a word", () => {
    expect(read("men’s L'Oréal")).toEqual({ terms: "man ~man~men l oreal loreal", tokens: 2 });
  });

  it("of a compound are the joined stem and the parts' stems; it is as long as its parts", () => {
    const marked = ["noisecancel ~noisecancel~noisecancelling", "nois ~nois~noise", "cancel ~cancel~cancelling"];
    expect(read("Noise-Cancelling")).toEqual({ terms: marked.join(" "), tokens: 2 });
    expect(read("wi-fi", 100, PLAIN_WORDS)).toEqual({ terms: "wifi wi fi", tokens: 2 });
  });

  it("of a code are whole, pieces, parts, pairs and stems of longer parts, each once; its pieces are tokens", () => {
    expect(read("WH-1000XM4")).toEqual({ terms: "wh1000xm4 wh 1000xm4 1000 xm ^wh1000 ^1000xm ^xm4", tokens: 2 });
    expect(read("12-rolls")).toEqual({ terms: "12rolls 12 rolls roll ~roll~rolls", tokens: 2 });
    expect(read("1,000")).toEqual({ terms: "1000", tokens: 1 });
  });

  it("of a quantity are its parts and, behind all else, the quantity in its base unit", () => {
    expect(read("1.5 L kettle")).toEqual({ terms: "1.5 l kettl ~kettl~kettle #volume:1.5", tokens: 3 });
    expect(read("1500ml").terms.split(" ").at(-1)).toBe(read("1.5 L").terms.split(" ").at(-1));
    expect(read("kettle 1.5 L", 1).terms).not.toContain("#");
  });

  it("of a script without blanks are characters and pairs; each character is a token", () => {
    expect(read("東京都")).toEqual({ terms: "東 京 都 東京 京都", tokens: 3 });
    expect(read("東")).toEqual({ terms: "東", tokens: 1 });
    expect(read("𠮷野")).toEqual({ terms: "𠮷 野 𠮷野", tokens: 2 });
  });

  it("are none where nothing can be read", () => {
    expect([read(""), read(" .-' "), read("😀")].every(({ tokens }) => tokens === 0)).toBe(true);
  });

  const CUT: readonly (readonly [text: string, firstThree: string])[] = [
    ["a b c d", "a b c"],
    ["18v 19v 20v 21v", "18v 19v 20v"],
    ["東京都庁舎", "東京都"],
    ["東京 東京 東京", "東京 東"],
    ["a 東京都", "a 東京"],
  ];
  for (const [text, firstThree] of CUT)
    it(`are those of the first three tokens of ${text} where three are taken`, () => {
      expect(read(text, 3).terms).toBe(read(firstThree).terms);
      expect(read(text, 0).terms).toBe("");
    });
});

describe("the terms of an identifier", () => {
  it("are its runs whole and by part, and all of it without punctuation", () => {
    const { terms, tokens } = identify("AB-12 cd34");
    expect(new Set(terms)).toEqual(new Set(["ab12", "ab", "12", "cd34", "cd", "34", "ab12cd34"]));
    expect(terms).toHaveLength(new Set(terms).size);
    expect(tokens).toBe(2);
  });

  it("are never stemmed", () => {
    expect(identify("RUNNING").terms).toEqual(["running"]);
    expect(identify("wi-fis").terms).toEqual(["wifis", "wi", "fis"]);
  });

  it("of digits with separators hold each run without them too", () => {
    expect(identify("12-34").terms).toEqual(["12-34", "1234", "12", "34", "^1234"]);
    expect(identify("978-3-16-148410-0").terms[0]).toBe("9783161484100");
  });

  it("of a script without blanks are its characters, pairs and the whole, and nothing empty", () => {
    expect(new Set(identify("東京都").terms)).toEqual(new Set(["東", "京", "都", "東京", "京都", "東京都"]));
  });

  it("are none of punctuation alone", () => {
    expect(identify(" -- ")).toEqual({ terms: [], tokens: 0 });
  });
});

describe("the exact code", () => {
  it("is one for all spellings of an identifier", () => {
    const spellings = ["WH-1000XM4", "wh1000 xm4", "Wh.1000/xm4", "WH–1000XM4™"];
    expect(new Set(spellings.map(identifierTerm))).toEqual(new Set(["=wh1000xm4"]));
  });

  it("is no term of any text", () => {
    expect(read("=wh1000xm4 = wh1000xm4").terms.split(" ")).not.toContain("=wh1000xm4");
    expect(identifierTerm(" .-# ")).toBeUndefined();
  });
});
