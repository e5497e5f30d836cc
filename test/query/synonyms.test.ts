import { describe, expect, it } from "vitest";
import { builtInSynonyms } from "../../src/analysis/built-in-synonyms.js";
import { type QueryToken, readTokens } from "../../src/analysis/parse-query.js";
import { type SynonymRule, SynonymTable } from "../../src/analysis/synonyms.js";
import { ENGLISH_WORDS } from "../../src/analysis/word-forms.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";

const both = (...texts: string[]): SynonymRule => ({ inputs: texts, outputs: texts });
const oneWay = (input: string, ...outputs: string[]): SynonymRule => ({ inputs: [input], outputs });

const apply = (query: string, ...rules: readonly SynonymRule[]) =>
  runTaskAtOnce(new SynonymTable(rules, ENGLISH_WORDS).apply(readTokens(query, ENGLISH_WORDS)));

/** The forms of each token, as "a+b". */
const formsOf = (query: string, ...rules: readonly SynonymRule[]) =>
  apply(query, ...rules).map(({ term }) => term.alternatives.map(({ terms }) => terms.join("+")));

describe("synonyms", () => {
  it("both ways stand for each other, one way only for the first", () => {
    expect(formsOf("couch", both("couch", "sofa"))).toEqual([["couch", "sofa"]]);
    expect(formsOf("sofa", both("couch", "sofa"))).toEqual([["sofa", "couch"]]);
    expect(formsOf("hoover", oneWay("hoover", "vacuum"))).toEqual([["hoover", "vacuum"]]);
    expect(formsOf("vacuum", oneWay("hoover", "vacuum"))).toEqual([["vacuum"]]);
  });

  it("of several words count together", () => {
    expect(formsOf("hoover", oneWay("hoover", "vacuum cleaner"))).toEqual([
      ["hoover", "vacuum+cleaner", "vacuumclean"],
    ]);
    expect(formsOf("water boiler cheap", both("kettle", "water boiler"))).toEqual([
      ["water+boiler", "waterboil", "kettl", "kettle"],
      ["cheap"],
    ]);
  });

  it("are found in any form of their words", () => {
    expect(formsOf("Couches", both("couch", "sofa"))).toEqual([["couch", "couches", "sofa"]]);
  });

  it("take the longest sequence, the first from the left", () => {
    const rules = [oneWay("tv", "television"), oneWay("tv stand", "console")];
    expect(formsOf("tv stand", ...rules)).toEqual([["tv+stand", "tvstand", "consol", "console"]]);
    expect(formsOf("tv wall", ...rules)).toEqual([["tv", "televis", "television"], ["wall"]]);
  });

  it("are those of a word with its signs, or of the word without them", () => {
    expect(formsOf("tv+", both("tv", "television"))).toEqual([["tv+", "tv", "+tv"]]);
    expect(formsOf("c++", both("c++", "cpp"), both("c", "clang"))).toEqual([["c++", "c", "+c", "cpp"]]);
  });

  it("are not chained, and add up over rules of one word", () => {
    expect(formsOf("a1", oneWay("a1", "settee"), oneWay("settee", "divan"))[0]).not.toContain("divan");
    expect(formsOf("couch", oneWay("couch", "sofa"), oneWay("couch", "divan"))).toEqual([["couch", "sofa", "divan"]]);
  });

  it("are looser than what was typed", () => {
    const [{ term }] = apply("couch", both("couch", "sofa", "ps-4")) as [QueryToken];
    expect(term.alternatives).toMatchObject([
      { terms: ["couch"], weight: 1 },
      { terms: ["sofa"], weight: 0.98, distance: 0.21 },
      { terms: ["ps4"], weight: 0.98, distance: 0.21 },
      { terms: ["^ps4"], weight: 0.98 * 0.8, distance: 0.21 },
    ]);
  });

  it("are found in each spelling of their words", () => {
    const spellings: readonly (readonly [input: string, queries: readonly string[]])[] = [
      ["t-shirt", ["t-shirt", "t shirt", "tshirt", "T-Shirts", "t shirts", "tshirts", "t_shirt"]],
      ["washing-up liquid", ["washing up liquid", "washing-up liquids", "washing-up-liquid"]],
      ["dishwasher", ["dish washer", "dish-washers", "dishwashers"]],
      ["usa", ["usa", "u.s.a.", "U.S.A", "u s a"]],
      ["u.s.a.", ["usa", "u.s.a"]],
      ["PlayStation 4", ["playstation-4", "playstation4", "play station 4"]],
      ["sports shoes", ["sport shoe", "sports shoe", "sports-shoes"]],
      ["mouse", ["mice"]],
    ];
    for (const [input, queries] of spellings)
      for (const query of queries)
        expect([query, formsOf(query, oneWay(input, "other")).map((forms) => forms.includes("other"))]).toEqual([
          query,
          [true],
        ]);
    expect(formsOf("1 2", oneWay("12", "dozen"))).toEqual([
      ["1", "one"],
      ["2", "two"],
    ]);
  });

  it("leave what was typed as good as the spelling of the settings", () => {
    const [{ term }] = apply("t shirt", both("t-shirt", "tee")) as [QueryToken];
    const typed = term.alternatives.filter(({ weight }) => weight === 1);
    expect(typed.map(({ terms }) => terms.join("+"))).toEqual(["t+shirt", "tshirt", "tshirt", "t+shirt"]);
    expect(typed.every(({ distance }) => (distance ?? 0) === 0)).toBe(true);
  });

  it("of nothing that can be read are passed over", () => {
    expect(formsOf("drill", oneWay("?!", "drill"), oneWay("drill", "...", ""))).toEqual([["drill"]]);
    expect(formsOf("", both("a", "b"))).toEqual([]);
  });

  it("may be words that are said in passing", () => {
    expect(apply("the", oneWay("the", "article"))[0]!.stop).toBe(false);
  });

  it("leave tokens that nothing stands for as they are", () => {
    const tokens = readTokens("cordless drill 18V", ENGLISH_WORDS);
    expect(runTaskAtOnce(new SynonymTable([both("a", "b")], ENGLISH_WORDS).apply(tokens))).toEqual(tokens);
  });

  it("leave the text of a word as it was typed, which is what may be completed or corrected", () => {
    const [token] = apply("berries", oneWay("berries", "fruit"));
    expect([token!.kind, token!.text]).toEqual(["word", "berries"]);
  });
});

describe("built-in synonyms", () => {
  const rules = builtInSynonyms();
  const builtIn = new SynonymTable([], ENGLISH_WORDS);
  for (const rule of rules) builtIn.addLater(rule);
  const formsWith = (query: string, ...rules: readonly SynonymRule[]) =>
    runTaskAtOnce(new SynonymTable(rules, ENGLISH_WORDS, builtIn).apply(readTokens(query, ENGLISH_WORDS))).map(
      ({ term }) => term.alternatives.map(({ terms }) => terms.join("+")),
    );

  it("are British and American spellings, and names of things", () => {
    expect(formsWith("grey fridges")).toEqual([
      ["grey", "gray"],
      ["fridg", "fridges", "refriger", "refrigerator"],
    ]);
    expect(formsWith("flashlight")[0]).toContain("torch");
    expect(formsWith("torch")).toEqual([["torch"]]);
  });

  it("are the names of a size in letters, however they are typed", () => {
    for (const typed of ["extra large", "x-large", "XL"]) {
      const [forms, ...others] = formsWith(typed);
      expect(others).toEqual([]);
      expect(forms).toEqual(expect.arrayContaining(["xl", "x+larg", "extra+larg"]));
    }
    expect(formsWith("2xl")[0]).toContain("xxl");
    expect(formsWith("large")).toEqual([["larg", "large"]]);
  });

  it("are spellings of words that may be split", () => {
    for (const typed of ["water colour", "watercolour", "water-colour"])
      expect(formsWith(typed)[0]).toEqual(expect.arrayContaining(["watercolor", "water+color", "watercolour"]));
  });

  it("leave several words that are typed several words", () => {
    expect(formsWith("memory stick")).toHaveLength(2);
    expect(formsWith("vacuum cleaner")).toHaveLength(2);
    expect(formsWith("hoover")[0]).toContain("vacuum+cleaner");
  });

  it("are left out for words that are inputs of your own", () => {
    expect(formsWith("television", oneWay("tv", "television"))).toEqual([["televis", "television", "telli", "telly"]]);
    expect(formsWith("tv", oneWay("TVs", "screen"))).toEqual([["tv", "screen"]]);
    expect(formsWith("fridge", oneWay("smeg", "fridge"))[0]).toContain("refriger");
  });

  it("change no text that an embedder reads", () => {
    const table = new SynonymTable([], ENGLISH_WORDS, builtIn);
    expect(table.texts(readTokens("grey fridge", ENGLISH_WORDS))).toBeUndefined();
  });

  it("are the same whether they are read when a query has their first letters, or all before", () => {
    const all = new SynonymTable(rules, ENGLISH_WORDS);
    const texts = rules.flatMap(({ inputs, outputs }) => [...new Set([...inputs, ...outputs])]);
    const spellings = texts.flatMap((text) => {
      const spaced = text.replaceAll("-", " ");
      const joined = spaced.replaceAll(" ", "");
      const cut = Math.min(4, joined.length >> 1);
      return [text, `${spaced}s red`, joined, `${joined.slice(0, cut)} ${joined.slice(cut)}`, [...joined].join(" ")];
    });
    for (const query of [...spellings, "fe et", "m ice", "teeth", "l ap t op stand"]) {
      const tokens = readTokens(query, ENGLISH_WORDS);
      expect(builtIn.sequences(tokens), query).toEqual(all.sequences(tokens));
    }
  });

  it("name no stop word, and no word in two groups", () => {
    const inputs = rules.flatMap((rule) => rule.inputs);
    expect(inputs.filter(ENGLISH_WORDS.isStopWord)).toEqual([]);
    expect(rules.filter(({ inputs: texts }) => texts.length === 0)).toEqual([]);
    const texts = rules.flatMap((rule) => [...new Set([...rule.inputs, ...rule.outputs])]);
    expect(texts.filter((text) => !/^[a-z0-9]+([ -][a-z]+)*$/.test(text))).toEqual([]);
  });
});

describe("a query in parts", () => {
  const texts = (query: string, ...rules: readonly SynonymRule[]) =>
    new SynonymTable(rules, ENGLISH_WORDS).texts(readTokens(query, ENGLISH_WORDS));

  it("is its tokens, each with the texts that may stand for it, once each", () => {
    const rules = [both("couch", "sofa", "Corner Sofa!"), oneWay("couch", "sofa", "divan")];
    expect(texts("Red Couches", ...rules)).toEqual([["red"], ["couches", "sofa", "corner sofa", "divan"]]);
    expect(texts("tv stand", oneWay("tv stand", "console"))).toEqual([["tv stand", "console"]]);
    expect(texts("ps-4 games", both("PS4", "PlayStation 4"))).toEqual([["ps4", "playstation 4"], ["games"]]);
  });

  it("has sixteen texts a part at most", () => {
    const words = Array.from({ length: 40 }, (_, i) => `w${"abcdefghij"[i % 10]}${"klmn"[Math.floor(i / 10)]}`);
    expect(texts("couch", oneWay("couch", ...words))).toEqual([["couch", ...words.slice(0, 15)]]);
  });

  it("is undefined where nothing has a synonym", () => {
    expect(texts("red sofa", both("couch", "divan"))).toBeUndefined();
    expect(texts("red sofa")).toBeUndefined();
    expect(texts("", both("couch", "divan"))).toBeUndefined();
  });
});
