// What was clicked: which groups the two forms stand for, and what they refuse.

import { describe, expect, it } from "vitest";
import { copyParams } from "../../src/input/read-params.js";
import { readFacetFilters } from "../../src/input/refinements.js";
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
