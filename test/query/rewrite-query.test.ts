import { describe, expect, it } from "vitest";
import { identifierTerms, indexIdentifier } from "../../src/analysis/identifier-terms.js";
import { readQuery } from "../../src/analysis/parse-query.js";
import type { QueryTerm } from "../../src/analysis/query-term.js";
import { SynonymTable } from "../../src/analysis/synonyms.js";
import { ENGLISH_WORDS, PLAIN_WORDS } from "../../src/analysis/word-forms.js";
import { Vocabulary } from "../../src/inverted/vocabulary.js";
import type { RewriteRules } from "../../src/query/prepare/expand-word.js";
import { indexText } from "../support/index-text.js";
import { rewritten } from "../support/rewriting.js";
import { segmentOf } from "../support/word-index.js";

const rewrite = (text: string, maxTerms = 64) => rewritten(text, { maxTerms });
const read = (text: string) => readQuery(text, ENGLISH_WORDS, false);

/** Alternatives as "a+b*0.5", joined by " | ". */
function shown({ alternatives }: QueryTerm): string {
  return alternatives.map(({ terms, weight }) => terms.join("+") + (weight === 1 ? "" : `*${weight}`)).join(" | ");
}

const termsOf = (text: string, maxTerms?: number) => rewrite(text, maxTerms).map(shown);

const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  "cordless drill": ["cordless", "drill"],
  drills: ["drill | drills"],
  "men's L'Oréal": ["man | men", "loreal | l+oreal"],
  "18 2024": ["18", "2024"],
  "wi-fi": ["wifi | wi+fi"],
  "noise-cancelling": ["noisecancel | nois+cancel | noisecancelling | noise+cancelling"],
  "bye-bye": ["byeby | bye | byebye"],
  "WH-1000XM4": [
    [
      "wh1000xm4",
      "^wh1000+^1000xm+^xm4*0.8",
      "wh1000+^1000xm+^xm4*0.8",
      "^wh1000+1000xm+^xm4*0.8",
      "^wh1000+^1000xm+xm4*0.8",
      "wh1000+^1000xm+xm4*0.8",
    ].join(" | "),
  ],
  "12-rolls": ["12rolls | 12+rolls*0.5 | 12+roll*0.5"],
  "1,000": ["1000"],
  "3,5": ["3.5"],
  "18v": ["18v | ^18v*0.8"],
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
    expect(termsOf("a1 b2 c3", 2)).toEqual(["a1 | ^a1*0.8", "b2 | ^b2*0.8"]);
    expect(rewrite(Array.from({ length: 100 }, (_, i) => `w${i}`).join(" "))).toHaveLength(64);
  });

  it("lack stop words where anything else stands", () => {
    expect(termsOf("the drill with a case")).toEqual(["drill", "case"]);
    expect(termsOf("the 18")).toEqual(["18"]);
  });

  it("are the stop words where nothing else stands", () => {
    expect(termsOf("to be or not to be")).toEqual(["to", "be", "or", "not"]);
    expect(termsOf("That is it")).toEqual(["that", "is", "it"]);
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
    expect(rewritten("a|b|c", { words: analyzer, maxTerms: 2 })).toHaveLength(2);
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

/** The words of titles, each a record's, and of one more record the codes. */
function holding(titles: readonly string[], codes: readonly string[] = [], saysWords = false): Partial<RewriteRules> {
  const records = titles.map((title) => {
    const terms: string[] = [];
    indexText(title, ENGLISH_WORDS, 1000, (term) => terms.push(term));
    return { title: terms.join(" ") };
  });
  const terms = codes.flatMap(identifierTerms);
  for (const code of codes) indexIdentifier(code, (term) => terms.push(term));
  return {
    vocabulary: new Vocabulary([segmentOf([...records, { sku: terms.join(" ") }])]),
    isWord: saysWords ? () => false : null,
  };
}

/** The forms of each term of a query, as "a+b". */
const forms = (query: string, given: Partial<RewriteRules>) =>
  rewritten(query, given).map(({ alternatives }) => alternatives.map(({ terms }) => terms.join("+")));

describe("a word that no record has", () => {
  const shop = holding(["cordless drills", "electric kettle", "vacuum cleaners", "head phones"]);

  it("is completed where it is the last", () => {
    expect(forms("vacu", shop)).toEqual([["vacu", "vacuum"]]);
    expect(forms("cordless dri", shop)).toEqual([["cordless"], ["dri", "~drill~drills"]]);
  });

  it("is corrected where it is not, by the nearest words", () => {
    expect(forms("vacum drill", shop)).toEqual([["vacum", "vacuum"], ["drill"]]);
    expect(forms("vacu drill", shop)).toEqual([["vacu"], ["drill"]]);
  });

  it("is corrected by one letter from four, by two from eight", () => {
    expect(forms("drlls x", shop)[0]).toEqual(["drll", "drlls", "drill"]);
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

  it("is not corrected when it is one that never is, or that an embedder knows", () => {
    expect(forms("vacum x", { ...shop, exactWords: new Set(["vacum"]) })[0]).toEqual(["vacum"]);
    expect(forms("vacum x", { ...shop, isKnownToEmbedder: (word) => word === "vacum" })[0]).toEqual(["vacum"]);
  });

  it("is not completed when an embedder knows it and it has six letters, unless the query says so", () => {
    const known = { ...shop, isKnownToEmbedder: (word: string) => ["cordle", "cordl"].includes(word) };
    expect(forms("cordle", known)).toEqual([["cordl", "cordle"]]);
    expect(forms("cordl", known)).toEqual([["cordl", "cordless"]]);
    expect(forms("cordle", { ...known, queryType: "prefixLast" })).toEqual([["cordl", "cordle", "cordless"]]);
    expect(forms("cordle drill", { ...known, queryType: "prefixAll" })[0]).toEqual(["cordl", "cordle", "cordless"]);
    expect(forms("headphones", { ...shop, isKnownToEmbedder: () => true })[0]).toContain("head+phone");
  });

  it("is corrected by words of the other fields, in which alone it then counts", () => {
    const exactFields = new Set(["brand"]);
    const [term] = rewritten("vacum x", { ...shop, exactFields });
    expect(term!.alternatives[1]).toEqual({ terms: ["vacuum"], weight: 1, distance: 0, notIn: exactFields });
    expect(forms("vacum x", { ...shop, exactFields: new Set(["title"]) })[0]).toEqual(["vacum"]);
  });
});

describe("a word that a record holds", () => {
  const shop = holding(["lap desk", "laptop", "drill", "drills", "dril"]);

  it("stays as it is", () => {
    expect(forms("lap", shop)).toEqual([["lap"]]);
    expect(forms("drill x", shop)[0]).toEqual(["drill"]);
  });

  it("is completed where the query says so, the last or all", () => {
    expect(new Set(forms("lap", { ...shop, queryType: "prefixLast" })[0])).toEqual(new Set(["lap", "laptop"]));
    expect(forms("lap desk", { ...shop, queryType: "prefixLast" })[0]).toEqual(["lap"]);
    expect(forms("lap desk", { ...shop, queryType: "prefixAll" })[0]).toContain("laptop");
  });
});

describe("an umlaut", () => {
  it("that is typed may be written in two letters", () => {
    expect(forms("Größe", holding(["groesse"]))[0]).toContain("groess");
    const [term] = rewritten("größe", holding(["Größe", "Groesse"]));
    expect(term!.alternatives.map(({ weight }) => weight)).toEqual([1, 1, 0.8, 0.8]);
  });

  it("that is typed in two letters may be written as one", () => {
    expect(forms("groesse", holding(["Größe"]))).toEqual([["groess", "groesse", "gross"]]);
    expect(forms("oel", holding(["Öl"]))).toEqual([["oel", "ol"]]);
    expect(forms("schluesselanhaenger", holding(["Schlüsselanhänger"]))[0]).toContain("schlusselanhang");
  });

  it("is looked for only where no record has the word as typed, or as one that the embedder knows", () => {
    expect(forms("blue", holding(["blue", "blu"]))).toEqual([["blue"]]);
    expect(forms("blue x", { ...holding(["blu"]), isKnownToEmbedder: () => true })[0]).toEqual(["blue"]);
  });
});

describe("a word that few records hold", () => {
  const shop = holding(
    ["dril", "drill", "sunglasses", "sun glasses", "keyring", "key for a ring", "island", "is land"],
    [],
    true,
  );
  const known = (...words: readonly string[]) => ({
    isWord: (word: string) => words.includes(word),
  });
  /** So many records have the first word, so many the second. */
  const counts = (rare: number, frequent: number, all = 1000) =>
    holding(
      [
        ...Array.from({ length: rare }, () => "addidas"),
        ...Array.from({ length: frequent }, () => "adidas"),
        ...Array.from({ length: all - rare - frequent - 1 }, () => "sock"),
      ],
      [],
      true,
    );

  it("is also corrected, which counts half", () => {
    expect(shown(rewritten("dril x", shop)[0]!)).toBe("dril | drill*0.5");
    expect(forms("dril x", { ...shop, typoTolerance: false })[0]).toEqual(["dril"]);
    expect(forms("dril x", { ...shop, exactWords: new Set(["dril"]) })[0]).toEqual(["dril"]);
  });

  it("is not corrected where no embedder says which words it knows, or where it has synonyms", () => {
    const synonyms = new SynonymTable([{ inputs: ["dril"], outputs: ["key"] }], ENGLISH_WORDS);
    expect(forms("dril x", { ...shop, isWord: null })[0]).toEqual(["dril"]);
    expect(forms("dril x", { ...shop, synonyms })[0]).toEqual(["dril", "key"]);
  });

  it("is not corrected if the embedder knows it, or to another first letter", () => {
    expect(forms("dril x", { ...shop, ...known("dril") })[0]).toEqual(["dril"]);
    expect(forms("dril x", { ...shop, ...known("drils") })[0]).toEqual(["dril"]);
    expect(forms("frill x", holding(["frill", "drill"], [], true))[0]).toEqual(["frill"]);
  });

  it("is corrected to words that as many records hold", () => {
    expect(forms("addidas x", counts(1, 1))[0]).toContain("adida");
    expect(forms("addidas x", counts(2, 100))[0]).not.toContain("adida");
    expect(forms("addidas x", counts(2, 2, 2000))[0]).toContain("adida");
    expect(forms("addidas x", counts(2, 1, 2000))[0]).not.toContain("adida");
  });

  it("is also split, which counts half", () => {
    expect(shown(rewritten("keyring x", shop)[0]!)).toBe("keyr | keyring | key+ring*0.5");
    expect(shown(rewritten("sunglasses x", { ...shop, ...known("sunglasses") })[0]!)).toContain("sun+glass*0.5");
  });

  it("is corrected in full where only other words of its stem are held", () => {
    const [term] = rewritten("earings x", holding(["in-ear headphones", "earring"], [], true));
    expect(shown(term!)).toBe("ear | earings | earring");
  });
});

it("a half of a word may have two letters, if it is no small word and the whole is neither known nor corrected", () => {
  expect(forms("tvstand x", holding(["tv stand"]))[0]).toContain("tv+stand");
  expect(forms("island x", holding(["is land"]))[0]).toEqual(["island"]);
  expect(forms("campers x", { ...holding(["camp rs"]), isKnownToEmbedder: () => true })[0]).not.toContain("camp+rs");
  expect(forms("hpone x", holding(["hp one", "phone"]))[0]).toEqual(["hpone", "phone"]);
});

describe("codes and numbers", () => {
  const shop = holding(["drill 18V 2024"], ["WH-1000XM4", "5012345678900", "D-101"]);

  it("are never corrected or split", () => {
    expect(forms("D-102 x", shop)[0]).toEqual(["d102", "^d102"]);
    expect(forms("5012345678901 x", shop)[0]).toEqual(["5012345678901"]);
  });

  it("are completed to whole codes, never to a part", () => {
    expect(forms("WH-1000X", shop)[0]).toEqual([
      "wh1000x",
      "^wh1000+^1000x",
      "wh1000+^1000x",
      "^wh1000+1000x",
      "=wh1000xm4",
      "wh1000xm4",
    ]);
    expect(forms("1000x", shop)[0]!.some((form) => form.startsWith("="))).toBe(false);
  });

  it("are completed where a record has only their parts, or where they are the whole query", () => {
    expect(forms("WH-1000", shop)[0]).toEqual(["wh1000", "^wh1000", "=wh1000xm4", "wh1000xm4"]);
    expect(forms("D-101 drill", shop)[0]).toEqual(["d101", "^d101"]);
    expect(forms("QX18", holding(["QX18", "QX185"]))[0]).toContain("qx185");
  });

  it("count half and are farther than the code itself, where a record has that", () => {
    const [term] = rewritten("QX18", holding(["QX18", "QX185"]));
    expect(term!.alternatives.at(-1)).toEqual({ terms: ["qx185"], weight: 0.5, distance: 1 });
    const [outOfVocabulary] = rewritten("QX1", holding(["QX185"]));
    expect(outOfVocabulary!.alternatives.at(-1)).toEqual({ terms: ["qx185"], weight: 1, distance: 0 });
  });

  it("are completed to identifiers from three digits, alone in the query", () => {
    expect(forms("501", shop)).toEqual([["501", "=5012345678900", "5012345678900"]]);
    expect(forms("50", shop)).toEqual([["50", "5012345678900"]]);
    expect(forms("drill 5012", shop)).toEqual([["drill"], ["5012", "5012345678900"]]);
  });

  it("are completed without their separators too", () => {
    expect(forms("502.65", holding(["502.654.31"]))[0]).toContain("50265431");
  });
});

describe("the last word, as it is typed", () => {
  const typed = (text: string, texts: readonly string[], queryType: RewriteRules["queryType"] = "prefixLast") =>
    forms(text, { ...holding(texts), queryType });

  it("is a prefix after a hyphen, before what is written otherwise", () => {
    const shop = { ...holding(["T-shirt", "Tshaped hook", "t shirt"]), queryType: "prefixLast" } as const;
    const [term] = rewritten("t-sh", shop);
    const added = term!.alternatives.filter(({ distance }) => distance !== undefined);
    expect(added.map(({ terms, weight }) => [terms.join("+"), weight])).toEqual(
      [
        ["tshirt+t", 1],
        ["tshape", 0.8],
        ["t+shirt", 0.8],
      ].map(([terms, weight]) => [terms === "tshape" ? "~tshape~tshaped" : terms, weight]),
    );
  });

  it("is a prefix after a hyphen by default, also where a record has its parts", () => {
    expect(typed("t-sh", ["T-shirt", "t sh"], "prefixAuto")[0]).toContain("tshirt+t");
    expect(typed("t-shirt", ["T-shirt", "T-shirts-rack"], "prefixAuto")[0]).not.toContain("~tshirtsrack");
  });

  it("is a prefix of numbers and codes, wherever it stands", () => {
    expect(typed("product 33", ["product 331", "33"]).at(-1)).toContain("331");
    expect(typed("card rtx30", ["rtx3060", "rtx 30"], "prefixAuto").at(-1)).toEqual(["rtx30", "^rtx30", "rtx3060"]);
  });

  it("may be a stop word that goes on, which no record needs to have", () => {
    const [usb, he] = rewritten("usb he", { ...holding(["usb headset he"]), queryType: "prefixLast" });
    expect([usb!.optional, he!.optional]).toEqual([undefined, true]);
    expect(typed("usb he", ["usb headset he"])[1]).toEqual(["he", "he", "headset"]);
    expect(typed("usb he", ["usb headset"], "prefixAuto")[1]).toEqual(["he", "headset"]);
  });

  it("is left out as a stop word where it goes on to nothing, or where a record has it", () => {
    expect(typed("usb he", ["usb"])).toEqual([["usb"]]);
    expect(typed("usb he", ["usb headset he"], "prefixAuto")).toEqual([["usb"]]);
    expect(typed("usb he", ["usb headset"], "prefixNone")).toEqual([["usb"]]);
  });

  it("may be the unit of a quantity that some record has", () => {
    expect(typed("10 m", ["10 m", "10 mAh"])[0]).toContain("10+mah");
  });
});

describe("two words", () => {
  it("are joined where a record holds them so and none holds both", () => {
    expect(forms("head phones", holding(["headphones", "head", "phones"]))).toEqual([["headphon", "headphones"]]);
    expect(forms("head phones", holding(["headphones", "head with phones"]))).toHaveLength(2);
    expect(forms("head phones", holding(["head", "phones"]))).toHaveLength(2);
  });

  it("also find what is joined where a record holds both", () => {
    const shop = holding(["hand cream", "hand bag", "handbag", "hand of the bag"]);
    expect(rewritten("hand bag", shop).map(shown)).toEqual(["hand | handbag*0.9", "bag | handbag*0.9"]);
    expect(forms("bag hand", shop)).toEqual([["bag"], ["hand"]]);
  });

  it("of which one is small count side by side and joined, but need not be there", () => {
    const shop = holding(["earphones pro to go", "gopro mount", "pro", "plug", "plugin", "heater"]);
    expect(rewritten("go pro", shop).map(shown)).toEqual(["go+pro | gopro*0.9", "pro | gopro*0.9"]);
    expect(rewritten("go pro", shop).map(({ optional }) => optional)).toEqual([true, undefined]);
    expect(forms("plug in heater", shop)).toEqual([["plug", "plugin"], ["plug+in", "plugin"], ["heater"]]);
    expect(forms("go heater", shop)).toEqual([["heater"]]);
  });

  it("stay two where a small word connects them, or is meant", () => {
    const shop = holding(["bag", "mat for sport", "format", "across", "cross on a chain"]);
    expect(forms("bag for mat", shop)).toEqual([["bag"], ["mat"]]);
    expect(forms("a cross", shop)).toEqual([["cross"]]);
  });

  it("that give one term are one", () => {
    expect(forms("kettel kettle", holding(["kettle"]))).toHaveLength(2);
    expect(forms("drill drills", holding(["drill"]))).toHaveLength(1);
  });
});

describe("a quantity", () => {
  it("stays one where a record holds it, in any unit", () => {
    expect(forms("150 cl", holding(["kettle 1.5 L"]))).toEqual([["#volume:1.5"]]);
  });

  it("is read as what it is made of where none does", () => {
    expect(forms("1.5 L", holding(["kettle"]))).toEqual([["1.5"], ["l"]]);
    expect(forms("18V", holding(["kettle"]))).toEqual([["18v", "^18v"]]);
  });
});

describe("a query of many out-of-vocabulary words", () => {
  const letters = [..."abcdefghijklmnopqrst"];

  it("has the first sixteen of them corrected", () => {
    const shop = holding(letters.map((letter) => `${letter}kettle`));
    const corrected = forms(`${letters.map((letter) => `${letter}kettlq`).join(" ")} x`, shop);
    expect(corrected.slice(0, 20).map((words) => words.length)).toEqual([...Array(16).fill(2), ...Array(4).fill(1)]);
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
