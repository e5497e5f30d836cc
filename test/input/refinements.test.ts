// What was clicked, chosen ranges of numbers, and the facets to count, as they are read.

import { describe, expect, it } from "vitest";
import { readFacets, valuesOf } from "../../src/input/facets.js";
import { readFilters } from "../../src/input/filter-object.js";
import { Checker } from "../../src/input/kinds.js";
import { decodeParameter } from "../../src/input/parameter-table.js";
import { copyParams } from "../../src/input/read-params.js";
import { readFacetFilters, readNumericFilters } from "../../src/input/refinements.js";
import { DEFAULT_LIMITS } from "../../src/util/limits.js";
import { property } from "../support/random.js";

const read = (facetFilters: unknown) =>
  readFacetFilters(copyParams({ facetFilters }, DEFAULT_LIMITS).facetFilters, DEFAULT_LIMITS);

const is = (attribute: string, value: string, printed = true) => ({ kind: "equals", attribute, value, printed });
const not = (filter: unknown) => ({ kind: "not", filter });
const or = (...filters: unknown[]) => ({ kind: "or", filters });
const click = (filter: unknown) => ({ ownFacet: null, filter });
const choice = (attribute: string, filter: unknown) => ({ ownFacet: attribute, filter });
const UNDER_100 = { kind: "compare", attribute: "price", operator: "lt", value: 100 };

describe("readFacetFilters reads", () => {
  for (const [given, groups] of [
    [[], []],
    [{}, []],
    [[[]], []],
    [{ brand: [] }, []],
    [["brand:Forge"], [click(is("brand", "Forge"))]],
    [[["brand:Forge"]], [choice("brand", is("brand", "Forge"))]],
    [
      [["brand:Forge", "brand:Volt"], "colors:black", "brand:-Hem"],
      [
        choice("brand", or(is("brand", "Forge"), is("brand", "Volt"))),
        click(is("colors", "black")),
        click(not(is("brand", "Hem"))),
      ],
    ],
    [["brand:Black & Decker"], [click(is("brand", "Black & Decker"))]],
    [["category.main:a:b "], [click(is("category.main", "a:b "))]],
    [["price:89"], [click(is("price", "89"))]],
    [["brand:"], [click(is("brand", ""))]],
    [["kind:__proto__"], [click(is("kind", "__proto__"))]],
    [["a:\\-5"], [click(is("a", "-5"))]],
    [["a:-\\-5"], [click(not(is("a", "-5")))]],
    [["a:\\\\-5"], [click(is("a", "\\-5"))]],
    [
      ["a:\\5", "a:\\", "a:-"],
      [click(is("a", "\\5")), click(is("a", "\\")), click(not(is("a", "")))],
    ],
    [[["a:-x", "a:y"]], [choice("a", or(not(is("a", "x")), is("a", "y")))]],
    [
      { brand: ["Forge", "Volt"], price: { lt: 100 } },
      [choice("brand", { kind: "in", attribute: "brand", values: ["Forge", "Volt"] }), choice("price", UNDER_100)],
    ],
    [{ brand: "Forge" }, [choice("brand", is("brand", "Forge", false))]],
    [{ rank: null }, [choice("rank", not({ kind: "exists", attribute: "rank" }))]],
    [JSON.parse('{"__proto__":"x"}'), [choice("__proto__", is("__proto__", "x", false))]],
  ] as const)
    it(JSON.stringify(given), () => expect(read(given)).toEqual(groups));

  property("every value, with a backslash more before a hyphen at its beginning", 300, (random) => {
    const value = random.list(0, 5, () => random.pick(["-", "\\", ":", "x", " ", "\n"])).join("");
    const written = /^\\*-/.test(value) ? `\\${value}` : value;
    expect(read([`a:${written}`])).toEqual([click(is("a", value))]);
    expect(read([`a:-${written}`])).toEqual([click(not(is("a", value)))]);
  });
});

const INFINITY = Number.POSITIVE_INFINITY;
const range = (attribute: string, low: number, high: number, excludesLow?: boolean, excludesHigh = false) => ({
  ...{ kind: "between", attribute, low, high },
  ...(excludesLow === undefined ? {} : { excludesLow, excludesHigh }),
});
const group = (ownFacet: string | null, filter: unknown) => ({ ownFacet, filter });

describe("readNumericFilters reads", () => {
  for (const [given, groups] of [
    [[], []],
    [["price>=10"], [group("price", range("price", 10, INFINITY, false))]],
    [[" unit price < -2.5e-1 "], [group("unit price", range("unit price", -INFINITY, -0.25, false, true))]],
    [["price:1\tTO 3"], [group("price", range("price", 1, 3))]],
    [["price=-0"], [group("price", range("price", 0, 0, false))]],
    [["price!=5"], [group("price", not(range("price", 5, 5, false)))]],
    [
      ["price>=1", "rating>4", "price<9", "price!=5"],
      [
        group("price", { kind: "and", filters: [range("price", 1, 9, false, true), not(range("price", 5, 5, false))] }),
        group("rating", range("rating", 4, INFINITY, true)),
      ],
    ],
    [["price>5", "price>=5"], [group("price", range("price", 5, INFINITY, true))]],
    [["price:1 TO 9", "price>4"], [group("price", range("price", 4, 9, true))]],
    [["a>2", "a<1"], [group("a", range("a", 2, 1, true, true))]],
    [[["price>1"]], [group("price", range("price", 1, INFINITY, true))]],
    [
      [["a>1", "a!=2"], ["a=1", "b=1"], "__proto__<=1"],
      [
        group("__proto__", range("__proto__", -INFINITY, 1, false)),
        group("a", { kind: "or", filters: [range("a", 1, INFINITY, true), not(range("a", 2, 2, false))] }),
        group(null, { kind: "or", filters: [range("a", 1, 1, false), range("b", 1, 1, false)] }),
      ],
    ],
  ] as const)
    it(JSON.stringify(given), () => expect(readNumericFilters(given, DEFAULT_LIMITS)).toEqual(groups));
});

function facetsOf(facets: unknown) {
  const check = new Checker("invalid_parameter", "");
  return {
    facets: readFacets(copyParams({ facets }, DEFAULT_LIMITS).facets, "facets", check, DEFAULT_LIMITS),
    complaints: check.complaints.length,
  };
}

it("a property of a facet that is undefined counts as not there", () => {
  expect(
    facetsOf([{ attribute: "price", histogram: 5, ranges: undefined, sort: undefined, limit: undefined }]),
  ).toEqual({
    facets: [{ kind: "histogram", attribute: "price", bars: 5 }],
    complaints: 0,
  });
  expect(facetsOf([{ attribute: "brand", sort: undefined }])).toEqual({ facets: [valuesOf("brand")], complaints: 0 });
  expect(facetsOf([{ attribute: "price", histogram: 5, limit: 3 }]).complaints).toBe(1);
});

it("facets keep the order in which they were asked for, each name once", () => {
  const names = ["b", { attribute: "a", sort: "alpha" }, "c", "b"];
  expect(facetsOf(names).facets.map(({ attribute }) => attribute)).toEqual(["b", "a", "c"]);
  expect(facetsOf(["a", { attribute: "a", histogram: 2 }]).complaints).toBe(1);
});

it("minus zero is zero in filters, and an empty text is the empty vector", () => {
  for (const price of [-0, { lte: -0 }])
    expect(readFilters(copyParams({ filters: { price } }, DEFAULT_LIMITS).filters, DEFAULT_LIMITS)).toMatchObject({
      value: 0,
    });
  expect(decodeParameter("vector", "")).toEqual([]);
});
