import { describe, expect, it } from "vitest";
import { ENGLISH_WORDS } from "../../src/language/english-words.js";
import { identifierTerms, indexIdentifier, indexText } from "../../src/language/index-terms.js";
import type { RewritingRules } from "../../src/rewriting/rewrite-query.js";
import { Vocabulary } from "../../src/text/vocabulary.js";
import { rewritten } from "../support/rewriting.js";
import { segmentOf } from "../support/word-index.js";

/** The words of titles, each a record's, and of one more record the codes. */
function holding(titles: readonly string[], codes: readonly string[] = []): Partial<RewritingRules> {
  const records = titles.map((title) => {
    const terms: string[] = [];
    indexText(title, ENGLISH_WORDS, 1000, (term) => terms.push(term));
    return { title: terms.join(" ") };
  });
  const terms = codes.flatMap(identifierTerms);
  for (const code of codes) indexIdentifier(code, (term) => terms.push(term));
  return { vocabulary: new Vocabulary([segmentOf([...records, { sku: terms.join(" ") }])]) };
}

/** The forms of each term of a query, as "a+b". */
const forms = (query: string, given: Partial<RewritingRules>) =>
  rewritten(query, given).map(({ alternatives }) => alternatives.map(({ terms }) => terms.join("+")));

describe("a word that nobody holds", () => {
  const shop = holding(["cordless drills", "electric kettle", "vacuum cleaners", "head phones"]);

  it("is completed where it is the last", () => {
    expect(forms("vacu", shop)).toEqual([["vacu", "vacuum"]]);
    expect(forms("cordless dri", shop)).toEqual([["cordless"], ["dri", "~drill~drills"]]);
  });

  it("is mended where it is not, by the nearest words", () => {
    expect(forms("vacum drill", shop)).toEqual([["vacum", "vacuum"], ["drill"]]);
    expect(forms("vacu drill", shop)).toEqual([["vacu"], ["drill"]]);
  });

  it("is mended by one letter from four, by two from eight", () => {
    expect(forms("drlls x", shop)[0]).toEqual(["drlls", "drill"]);
    expect(forms("ktle x", shop)[0]).toEqual(["ktle"]);
    expect(forms("elcetrik x", shop)[0]).toContain("electr");
    expect(forms("elcrik x", shop)[0]).not.toContain("electr");
    expect(forms("drl x", holding(["drill", "drls"]))[0]).toEqual(["drl"]);
  });

  it("is split where one record holds both halves", () => {
    expect(forms("headphones x", shop)[0]).toEqual(["headphon", "headphones", "head+phone"]);
    expect(forms("headphones x", holding(["head", "phones"]))[0]).toEqual(["headphon", "headphones"]);
  });

  it("stays alone where nothing may be done", () => {
    expect(forms("vacu", { ...shop, queryType: "prefixNone", typoTolerance: false })).toEqual([["vacu"]]);
    expect(forms("vacum x", { ...shop, typoTolerance: false })[0]).toEqual(["vacum"]);
  });

  it("is not mended when it is one that never is, or that an embedder knows", () => {
    expect(forms("vacum x", { ...shop, exactWords: new Set(["vacum"]) })[0]).toEqual(["vacum"]);
    expect(forms("vacum x", { ...shop, isKnown: (word) => word === "vacum" })[0]).toEqual(["vacum"]);
  });

  it("is not completed when an embedder knows it and it has six letters, unless the query says so", () => {
    const known = { ...shop, isKnown: (word: string) => ["cordle", "cordl"].includes(word) };
    expect(forms("cordle", known)).toEqual([["cordl", "cordle"]]);
    expect(forms("cordl", known)).toEqual([["cordl", "cordless"]]);
    expect(forms("cordle", { ...known, queryType: "prefixLast" })).toEqual([["cordl", "cordle", "cordless"]]);
    expect(forms("cordle drill", { ...known, queryType: "prefixAll" })[0]).toEqual(["cordl", "cordle", "cordless"]);
    expect(forms("headphones", { ...shop, isKnown: () => true })[0]).toContain("head+phone");
  });

  it("is mended by words of the other fields, in which alone it then counts", () => {
    const exactFields = new Set(["brand"]);
    const [term] = rewritten("vacum x", { ...shop, exactFields });
    expect(term!.alternatives[1]).toEqual({ terms: ["vacuum"], weight: 1, notIn: exactFields });
    expect(forms("vacum x", { ...shop, exactFields: new Set(["title"]) })[0]).toEqual(["vacum"]);
  });
});

describe("a word that a record holds", () => {
  const shop = holding(["lap desk", "laptop", "drill", "drills", "dril"]);

  it("stays as it is", () => {
    expect(forms("lap", shop)).toEqual([["lap"]]);
    expect(forms("dril x", shop)[0]).toEqual(["dril"]);
  });

  it("is completed where the query says so, the last or all", () => {
    expect(new Set(forms("lap", { ...shop, queryType: "prefixLast" })[0])).toEqual(new Set(["lap", "laptop"]));
    expect(forms("lap desk", { ...shop, queryType: "prefixLast" })[0]).toEqual(["lap"]);
    expect(forms("lap desk", { ...shop, queryType: "prefixAll" })[0]).toContain("laptop");
  });
});

describe("codes and numbers", () => {
  const shop = holding(["drill 18V 2024"], ["WH-1000XM4", "5012345678900", "D-101"]);

  it("are never mended or split", () => {
    expect(forms("D-102 x", shop)[0]).toEqual(["d102", "d+102"]);
    expect(forms("5012345678901 x", shop)[0]).toEqual(["5012345678901"]);
  });

  it("are completed to whole codes, never to a part", () => {
    expect(forms("WH-1000X", shop)[0]!.at(-1)).toBe("=wh1000xm4");
    expect(forms("WH-1000", shop)[0]).toEqual(["wh1000", "wh+1000"]);
    expect(forms("1000x", shop)[0]!.some((form) => form.startsWith("="))).toBe(false);
  });

  it("are completed from four digits, alone in the query", () => {
    expect(forms("5012", shop)).toEqual([["5012", "=5012345678900"]]);
    expect(forms("501", shop)).toEqual([["501"]]);
    expect(forms("drill 5012", shop)).toEqual([["drill"], ["5012"]]);
  });
});

describe("two words", () => {
  it("are joined where a record holds them so and none holds both", () => {
    expect(forms("head phones", holding(["headphones", "head", "phones"]))).toEqual([["headphon", "headphones"]]);
    expect(forms("head phones", holding(["headphones", "head with phones"]))).toHaveLength(2);
    expect(forms("head phones", holding(["head", "phones"]))).toHaveLength(2);
  });

  it("that give one term are one", () => {
    expect(forms("kettel kettle", holding(["kettle"]))).toHaveLength(2);
    expect(forms("drill drills", holding(["drill"]))).toHaveLength(1);
  });
});

describe("a quantity", () => {
  it("stays one where a record holds it, in any unit", () => {
    expect(forms("1500 ml", holding(["kettle 1.5 L"]))).toEqual([["#volume:1.5"]]);
  });

  it("is read as what it is made of where none does", () => {
    expect(forms("1.5 L", holding(["kettle"]))).toEqual([["1.5"], ["l"]]);
    expect(forms("18V", holding(["kettle"]))).toEqual([["18v", "18+v"]]);
  });
});

describe("a query of many unheld words", () => {
  const letters = [..."abcdefghijklmnopqrst"];

  it("has the first sixteen of them mended", () => {
    const shop = holding(letters.map((letter) => `${letter}kettle`));
    const mended = forms(`${letters.map((letter) => `${letter}kettlq`).join(" ")} x`, shop);
    expect(mended.slice(0, 20).map((words) => words.length)).toEqual([...Array(16).fill(2), ...Array(4).fill(1)]);
  });

  it("has its words completed by four hundred in all, a hundred each", () => {
    const prefixes = letters.slice(0, 6).map((letter) => `q${letter}`);
    const titles = prefixes.map((prefix) =>
      Array.from({ length: 110 }, (_, i) => prefix + letters[i % 16]! + letters[Math.floor(i / 16)]!).join(" "),
    );
    const completed = forms(prefixes.join(" "), { ...holding(titles), queryType: "prefixAll" });
    expect(completed.map((words) => words.length - 1)).toEqual([100, 100, 100, 100, 0, 0]);
  });
});
