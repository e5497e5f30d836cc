import { describe, expect, it } from "vitest";
import { ENGLISH_WORDS } from "../../src/language/english-words.js";
import { indexIdentifier, indexText } from "../../src/language/index-terms.js";
import { PLAIN_WORDS } from "../../src/language/word-forms.js";
import { readQuery } from "../../src/rewriting/rewrite-query.js";
import type { QueryTerm } from "../../src/text/query-term.js";
import { rewritten } from "../support/rewriting.js";

const rewrite = (text: string, mostTerms = 64) => rewritten(text, { mostTerms });
const read = (text: string) => readQuery(text, ENGLISH_WORDS, false);

/** Alternatives as "a+b*0.5", joined by " | ". */
function shown({ alternatives }: QueryTerm): string {
  return alternatives.map(({ terms, weight }) => terms.join("+") + (weight === 1 ? "" : `*${weight}`)).join(" | ");
}

const termsOf = (text: string, mostTerms?: number) => rewrite(text, mostTerms).map(shown);

const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  "cordless drill": ["cordless", "drill"],
  drills: ["drill | drills"],
  "men's L'Oréal": ["men", "loreal"],
  "18 2024": ["18", "2024"],
  "wi-fi": ["wifi | wi+fi"],
  "noise-cancelling": ["noisecancel | nois+cancel | noisecancelling | noise+cancelling"],
  "bye-bye": ["byeby | bye | byebye"],
  "WH-1000XM4": ["wh1000xm4 | wh+1000+xm+4*0.5"],
  "12-rolls": ["12rolls | 12+rolls*0.5 | 12+roll*0.5"],
  "1,000": ["1000"],
  "3,5": ["3.5"],
  "18v": ["18v | 18+v*0.5"],
  "2x2": ["2x2 | 2+x*0.5"],
  東京都: ["東京", "京都"],
  東: ["東"],
  "東京 東京": ["東京"],
};

describe("the terms of a query", () => {
  for (const [text, terms] of Object.entries(EXAMPLES))
    it(`of ${text}`, () => {
      expect(termsOf(text)).toEqual(terms);
    });

  it("count doubles once, in whatever form they stand", () => {
    expect(rewrite("drill drills DRILLING 18v 18V wi-fi WI‑FI 5 5")).toHaveLength(4);
  });

  it("are at most as many as the limit, the first ones", () => {
    expect(termsOf("a1 b2 c3", 2)).toEqual(["a1 | a+1*0.5", "b2 | b+2*0.5"]);
    expect(rewrite(Array.from({ length: 100 }, (_, i) => `w${i}`).join(" "))).toHaveLength(64);
  });

  it("lack stop words where anything else stands", () => {
    expect(termsOf("the drill with a case")).toEqual(["drill", "case"]);
    expect(termsOf("the 18")).toEqual(["18"]);
  });

  it("are the stop words where nothing else stands", () => {
    expect(termsOf("to be or not to be")).toEqual(["to", "be", "or", "not"]);
    expect(termsOf("The Who")).toEqual(["the", "who"]);
  });

  it("spend no place of the limit on stop words", () => {
    expect(termsOf("the a of drill", 1)).toEqual(["drill"]);
  });

  it("are none where nothing can be read", () => {
    expect(rewrite(" .,-' 😀 ")).toEqual([]);
  });
});

describe("a record holds every term of a query that is its own text", () => {
  const TEXTS = [
    "Men's Noise-Cancelling WH-1000XM4 headphones, 1,000 mAh",
    "12-rolls of 3,5mm tape 16:9 1/2 inch",
    "東京タワー LEGO 21051 AT&T",
    "running shoes don't l'oréal rock'n'roll café",
    "ISBN 978-3-16-148410-0 v1.5 x_1 12-34",
  ];
  for (const text of TEXTS)
    it(JSON.stringify(text), () => {
      const held = new Set<string>();
      indexText(text, ENGLISH_WORDS, 1000, (term) => held.add(term));
      for (const { alternatives } of rewrite(text))
        expect(
          alternatives[0]!.terms.every((term) => held.has(term)),
          alternatives[0]!.terms.join(),
        ).toBe(true);
    });

  for (const code of [
    "ABC-RUNNING",
    "WH-1000XM4",
    "RUNNING",
    "12-34",
    "978-3-16-148410-0",
    "AB.12/CD",
    "東京-1",
    "X&Y",
  ])
    it(`and of one that is its identifier ${code}`, () => {
      const held = new Set<string>();
      indexIdentifier(code, (term) => held.add(term));
      for (const term of rewrite(code))
        expect(
          term.alternatives.some(({ terms }) => terms.every((each) => held.has(each))),
          shown(term),
        ).toBe(true);
    });
});

describe("besides its terms, a query has", () => {
  it("the code that it may be as a whole", () => {
    expect(read("WH-1000 xm4").identifiers).toEqual(["=wh1000xm4"]);
    expect(read("...").identifiers).toEqual([]);
  });

  it("a text for embedders of words, each code one unbroken word", () => {
    expect(read("Sony WH-1000XM4 head-phones").wordsText).toBe("sony wh1000xm4 head-phones");
    expect(read(" ?! ").wordsText).toBe("");
  });

  it("words, unless it is made of codes alone", () => {
    expect(["drill", "18", "wi-fi", "東京", "18v drill"].every((text) => read(text).hasWords)).toBe(true);
    expect(["WH-1000XM4", "18v 3.5mm", "", "?"].some((text) => read(text).hasWords)).toBe(false);
  });
});

describe("an analyzer of the user's", () => {
  const analyzer = { id: "halves-1", analyze: (text: string) => text.split("|") };

  it("gives the terms, doubles once, as they are", () => {
    const terms = rewritten("The|drills|The", { words: analyzer });
    expect(terms).toEqual([
      { key: "The", alternatives: [{ terms: ["The"], weight: 1 }] },
      { key: "drills", alternatives: [{ terms: ["drills"], weight: 1 }] },
    ]);
    expect(rewritten("a|b|c", { words: analyzer, mostTerms: 2 })).toHaveLength(2);
  });

  it("leaves codes and embedded texts as they are for all", () => {
    const own = readQuery("Sony WH-1000XM4", analyzer, false);
    expect(own).toMatchObject({ identifiers: ["=sonywh1000xm4"], hasWords: true, wordsText: "sony wh1000xm4" });
  });
});

it("plain words are neither stemmed nor left out", () => {
  const terms = rewritten("the Drills", { words: PLAIN_WORDS });
  expect(terms.map(shown)).toEqual(["the", "drills"]);
});
