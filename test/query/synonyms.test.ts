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

/** Rules as in "couch = sofa" and "hoover > vacuum, duster"; forms of each token as in "couch, sofa / red". */
function rulesOf(text: string): SynonymRule[] {
  return text.split("; ").map((rule) => {
    const [input, outputs] = rule.split(" > ");
    return outputs === undefined ? both(...rule.split(" = ")) : oneWay(input!, ...outputs.split(", "));
  });
}

it.each([
  ["both ways", "couch = sofa", "couch", "couch, sofa"],
  ["both ways back", "couch = sofa", "sofa", "sofa, couch"],
  ["one way", "hoover > vacuum", "hoover", "hoover, vacuum"],
  ["not the other way", "hoover > vacuum", "vacuum", "vacuum"],
  ["several words for one", "hoover > vacuum cleaner", "hoover", "hoover, vacuum+cleaner, vacuumclean"],
  ["one for several words", "jug = water boiler", "water boiler x", "water+boiler, waterboil, jug / x"],
  ["any form of a word", "couch = sofa", "Couches", "couch, couches, sofa"],
  ["the longest sequence", "tv > television; tv stand > console", "tv stand", "tv+stand, tvstand, consol, console"],
  ["the first from the left", "tv > television; tv stand > console", "tv wall", "tv, televis, television / wall"],
  ["a word with or without its signs", "tv = television", "tv+", "tv+, tv, +tv"],
  ["a word with its signs before one without", "c++ = cpp; c = clang", "c++", "c++, c, +c, cpp"],
  ["no chains", "couch > settee; settee > divan", "couch", "couch, sette, settee"],
  ["all rules of one word", "couch > sofa; couch > divan", "couch", "couch, sofa, divan"],
  ["nothing for signs", "?! > drill; drill > ..., ", "drill", "drill"],
  ["nothing for no text", "a = b", "", ""],
  ["no word in two numbers", "12 > dozen", "1 2", "1, one / 2, two"],
])("synonyms stand for %s: by %s, %s is %s", (_, rules, query, forms) => {
  const found = formsOf(query, ...rulesOf(rules)).map((all) => all.join(", "));
  expect(found.join(" / ")).toBe(forms);
});

describe("synonyms", () => {
  it("are looser than what was typed", () => {
    const [{ term }] = apply("couch", both("couch", "sofa", "ps-4")) as [QueryToken];
    expect(term.alternatives).toMatchObject([
      { terms: ["couch"], weight: 1 },
      { terms: ["sofa"], weight: 0.98, distance: 0.21 },
      { terms: ["ps4"], weight: 0.98, distance: 0.21 },
      { terms: ["^ps4"], weight: 0.98 * 0.8, distance: 0.21 },
    ]);
  });

  it.each([
    ["t-shirt", "t-shirt; t shirt; tshirt; T-Shirts; t shirts; tshirts; t_shirt"],
    ["washing-up liquid", "washing up liquid; washing-up liquids; washing-up-liquid"],
    ["dishwasher", "dish washer; dish-washers; dishwashers"],
    ["usa", "usa; u.s.a.; U.S.A; u s a"],
    ["u.s.a.", "usa; u.s.a"],
    ["PlayStation 4", "playstation-4; playstation4; play station 4"],
    ["sports shoes", "sport shoe; sports shoe; sports-shoes"],
    ["mouse", "mice"],
  ])("of %s are found as %s", (input, queries) => {
    for (const query of queries.split("; ")) {
      const found = formsOf(query, oneWay(input, "other"));
      expect([query, found.map((forms) => forms.includes("other"))]).toEqual([query, [true]]);
    }
  });

  it("may be words that are said in passing", () => {
    expect(apply("the", oneWay("the", "article"))[0]!.stop).toBe(false);
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

  it.each<[query: string, forms: string[], rules?: SynonymRule[]]>([
    ["grey", ["grey", "gray"]],
    ["fridges", ["fridg", "fridges", "refriger", "refrigerator"]],
    ["torch", ["torch"]],
    ["large", ["larg", "large"]],
    ["television", ["televis", "television", "telli", "telly"], [oneWay("tv", "television")]],
    ["tv", ["tv", "screen"], [oneWay("TVs", "screen")]],
  ])("are spellings and names that are not inputs of your own: %s is %j", (query, forms, own = []) => {
    expect(formsWith(query, ...own)).toEqual([forms]);
  });

  it.each([
    ["flashlight", "torch"],
    ["hoover", "vacuum+cleaner"],
    ["2xl", "xxl"],
    ...["extra large", "x-large", "XL"].map((typed) => [typed, "xl", "x+larg", "extra+larg"]),
    ...["water colour", "watercolour", "water-colour"].map((typed) => [typed, "watercolor", "water+color"]),
  ])("stand for what may be split, too: %s", (typed, ...forms) => {
    const [found, ...others] = formsWith(typed!);
    expect([found, others]).toEqual([expect.arrayContaining(forms), []]);
  });

  it("leave several words that are typed several words", () => {
    expect([formsWith("memory stick").length, formsWith("vacuum cleaner").length]).toEqual([2, 2]);
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
    expect(rules.flatMap(({ inputs }) => inputs).filter(ENGLISH_WORDS.isStopWord)).toEqual([]);
    expect(rules.filter(({ inputs }) => inputs.length === 0)).toEqual([]);
    const texts = rules.flatMap((rule) => [...new Set([...rule.inputs, ...rule.outputs])]);
    expect(texts.filter((text) => !/^[a-z0-9]+([ -][a-z]+)*$/.test(text))).toEqual([]);
  });
});

describe("a query in parts", () => {
  const texts = (query: string, ...rules: readonly SynonymRule[]) =>
    new SynonymTable(rules, ENGLISH_WORDS).texts(readTokens(query, ENGLISH_WORDS));

  it("is its tokens, each with the texts that may stand for it, once each, sixteen at most", () => {
    const rules = [both("couch", "sofa", "Corner Sofa!"), oneWay("couch", "sofa", "divan")];
    expect(texts("Red Couches", ...rules)).toEqual([["red"], ["couches", "sofa", "corner sofa", "divan"]]);
    expect(texts("tv stand", oneWay("tv stand", "console"))).toEqual([["tv stand", "console"]]);
    expect(texts("ps-4 games", both("PS4", "PlayStation 4"))).toEqual([["ps4", "playstation 4"], ["games"]]);
    const words = Array.from({ length: 40 }, (_, i) => `w${"abcdefghij"[i % 10]}${"klmn"[Math.floor(i / 10)]}`);
    expect(texts("couch", oneWay("couch", ...words))).toEqual([["couch", ...words.slice(0, 15)]]);
  });

  it("is undefined where nothing has a synonym", () => {
    for (const query of ["red sofa", ""]) expect(texts(query, both("couch", "divan"))).toBeUndefined();
  });
});
