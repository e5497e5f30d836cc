import { describe, expect, it } from "vitest";
import { parseRanking, readOrder } from "../../src/settings/check-settings.js";
import { Checker } from "../../src/util/checks.js";

function order(given: Readonly<Record<string, unknown>>) {
  const check = new Checker("invalid_setting", "settings");
  const read = readOrder(new Map(Object.entries(given)), 256, check);
  return { read, refused: check.complaints.map(({ param }) => param) };
}

const refused = (given: Readonly<Record<string, unknown>>) => order(given).refused;

describe("settings about values", () => {
  it("have the documented defaults", () => {
    const read = { attributesForFaceting: null, customRanking: [], attributeForDistinct: null, distinct: false };
    expect(order({})).toEqual({ read, refused: [] });
  });

  it("are read as they are given", () => {
    const given = { attributesForFaceting: ["a", "b.c"], customRanking: ["desc(sold)", "asc(a.b)"] };
    const grouped = { attributeForDistinct: "group", distinct: true };
    expect(order({ ...given, ...grouped })).toEqual({ read: { ...given, ...grouped }, refused: [] });
    expect(order({ attributesForFaceting: [] }).read.attributesForFaceting).toEqual([]);
  });

  it("are refused where they are of the wrong form", () => {
    for (const value of ["a", [5], [""], null]) expect(refused({ attributesForFaceting: value })).toHaveLength(1);
    for (const value of ["desc(a)", ["a"], ["desc()"], ["DESC(a)"], ["desc(a"], [5], null])
      expect(refused({ customRanking: value }), JSON.stringify(value)).toEqual(["customRanking"]);
    for (const value of ["", 5, null, ["a"]]) expect(refused({ attributeForDistinct: value })).toHaveLength(1);
    expect(refused({ attributeForDistinct: "a", distinct: 1 })).toEqual(["distinct"]);
  });

  it("ask for an attribute to group by where hits are grouped", () => {
    expect(refused({ distinct: true })).toEqual(["distinct"]);
  });

  it("are refused by name, and read as their defaults then", () => {
    expect(order({ attributesForFaceting: 5 })).toMatchObject({
      read: { attributesForFaceting: null },
      refused: ["attributesForFaceting"],
    });
    expect(order({ customRanking: 5 })).toMatchObject({ read: { customRanking: [] }, refused: ["customRanking"] });
    expect(order({ attributeForDistinct: 5 })).toMatchObject({ refused: ["attributeForDistinct"] });
    expect(refused({ customRanking: ["desc(a)", "b"] })).toEqual(["customRanking"]);
    expect(refused({ customRanking: [["desc(a)"]] })).toEqual(["customRanking"]);
    expect(refused({ customRanking: ["desc(a) b"] })).toEqual(["customRanking"]);
    expect(refused({ customRanking: [`desc(${"x".repeat(257)})`] })).toEqual(["customRanking"]);
  });

  it("are at most sixteen rankings", () => {
    const many = Array.from({ length: 17 }, (_, i) => `asc(a${i})`);
    expect([refused({ customRanking: many.slice(1) }), refused({ customRanking: many })]).toEqual([
      [],
      ["customRanking"],
    ]);
  });
});

it("a ranking is taken apart at its outer brackets", () => {
  expect(parseRanking("desc(popularity)")).toEqual({ direction: "desc", attribute: "popularity" });
  expect(parseRanking("asc(a (b).c)")).toEqual({ direction: "asc", attribute: "a (b).c" });
  expect(
    ["popularity", "desc popularity", " desc(a)", "up(a)", ""].map(parseRanking).every((each) => each === undefined),
  ).toBe(true);
});
