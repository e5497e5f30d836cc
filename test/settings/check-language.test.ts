import { describe, expect, it } from "vitest";
import { readLanguage } from "../../src/settings/check-settings.js";
import { Checker } from "../../src/util/checks.js";
import { thrownBy } from "../support/refusal.js";

function language(given: Readonly<Record<string, unknown>>) {
  const check = new Checker("invalid_setting", "settings");
  const read = readLanguage(new Map(Object.entries(given)), check);
  return { read, refused: check.complaints.map(({ param }) => param) };
}

const refused = (given: Readonly<Record<string, unknown>>) => language(given).refused;

describe("settings about words", () => {
  it("have the documented defaults", () => {
    expect(language({})).toEqual({
      read: {
        synonyms: [],
        stopWords: null,
        optionalWords: [],
        typoTolerance: true,
        disableTypoToleranceOnWords: [],
        disableTypoToleranceOnAttributes: [],
        queryType: "prefixAuto",
      },
      refused: [],
    });
  });

  it("are read as they are given", () => {
    const given = { stopWords: ["the"], optionalWords: ["cheap"], typoTolerance: false, queryType: "prefixAll" };
    expect(language(given).read).toMatchObject(given);
    expect([language({ stopWords: false }).read.stopWords, language({ stopWords: [] }).read.stopWords]).toEqual([
      false,
      [],
    ]);
  });

  it("are refused where they are of the wrong type", () => {
    for (const name of [
      "stopWords",
      "optionalWords",
      "disableTypoToleranceOnWords",
      "disableTypoToleranceOnAttributes",
    ])
      for (const value of ["the", [5], null, true, ["x".repeat(257)]])
        expect(refused({ [name]: value })).toEqual([name]);
    expect(refused({ typoTolerance: "min" })).toEqual(["typoTolerance"]);
    expect(refused({ queryType: "prefixFirst" })).toEqual(["queryType"]);
  });
});

describe("synonyms", () => {
  it("go both ways or one, and lose what is not of their form", () => {
    const both = { type: "synonym", synonyms: ["sofa", "couch"] };
    const oneWay = { type: "oneWaySynonym", input: "hoover", synonyms: ["vacuum"] };
    expect(language({ synonyms: [{ ...both, objectID: 5 }, oneWay] })).toMatchObject({
      read: { synonyms: [both, oneWay] },
      refused: [],
    });
  });

  it("are refused where they are of the wrong form", () => {
    for (const synonyms of ["sofa", {}, null]) expect(refused({ synonyms })).toEqual(["synonyms"]);
    expect(refused({ synonyms: [{ synonyms: ["a"] }] })).toEqual(["synonyms[0].type"]);
    expect(refused({ synonyms: [{ type: "synonym" }] })).toEqual(["synonyms[0].synonyms"]);
    expect(refused({ synonyms: [{ type: "oneWaySynonym", synonyms: ["a"] }] })).toEqual(["synonyms[0].input"]);
    expect(refused({ synonyms: [{ type: "placeholder", synonyms: ["a"] }] })).toEqual(["synonyms[0].type"]);
    for (const item of ["a", null, 5, ["a"]])
      expect(thrownBy(() => language({ synonyms: [item] })).code, String(item)).toBe(400);
  });

  it("of one word are at most a thousand, and ten thousand in all", () => {
    const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`);
    const oneWay = (count: number) => ({ type: "oneWaySynonym", input: "x", synonyms: words(count) });
    expect(refused({ synonyms: [oneWay(1000)] })).toEqual([]);
    expect(refused({ synonyms: [oneWay(500), oneWay(501), oneWay(5)] })).toEqual(["synonyms[1]"]);
    const many = Array.from({ length: 10_001 }, (_, i) => ({ type: "synonym", synonyms: [`a${i}`] }));
    expect([refused({ synonyms: many.slice(1) }), refused({ synonyms: many })]).toEqual([[], ["synonyms"]]);
  });

  it("of one word count together whatever its case and blanks, and are complained of once", () => {
    const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`);
    const oneWay = (input: string, count: number) => ({ type: "oneWaySynonym", input, synonyms: words(count) });
    expect(refused({ synonyms: [oneWay("Sofa", 600), oneWay(" sofa", 600)] })).toEqual(["synonyms[1]"]);
    expect(refused({ synonyms: [oneWay("\u212a", 600), oneWay("k", 600)] })).toEqual(["synonyms[1]"]);
    expect(refused({ synonyms: [oneWay("x", 1000), oneWay("x", 1), oneWay("x", 1)] })).toEqual(["synonyms[1]"]);
    expect(refused({ synonyms: [oneWay("x".repeat(256), 1), oneWay("x".repeat(257), 1)] })).toEqual([
      "synonyms[1].input",
    ]);
  });

  it("that are refused read as none", () => {
    expect(language({ synonyms: 5 }).read.synonyms).toEqual([]);
    expect(language({ synonyms: [{ type: "synonym", synonyms: 5 }] }).read.synonyms).toEqual([
      { type: "synonym", synonyms: [] },
    ]);
  });
});

it("queries are of four types", () => {
  for (const queryType of ["prefixAuto", "prefixLast", "prefixAll", "prefixNone"])
    expect(language({ queryType })).toMatchObject({ read: { queryType }, refused: [] });
  expect(language({ queryType: "x" }).read.queryType).toBe("prefixAuto");
});
