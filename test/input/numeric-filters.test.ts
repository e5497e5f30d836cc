// Chosen ranges of numbers: which groups the texts form, and what they say about their numbers.

import { describe, expect, it } from "vitest";
import { readNumericFilters } from "../../src/input/refinements.js";
import { DEFAULT_LIMITS } from "../../src/util/limits.js";

const INFINITY = Number.POSITIVE_INFINITY;
const range = (attribute: string, low: number, high: number, excludesLow?: boolean, excludesHigh = false) => ({
  ...{ kind: "between", attribute, low, high },
  ...(excludesLow === undefined ? {} : { excludesLow, excludesHigh }),
});
const not = (filter: unknown) => ({ kind: "not", filter });
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
