import { describe, expect, it } from "vitest";
import { nearestName } from "../../src/util/errors.js";

const KNOWN = ["query", "page", "hitsPerPage", "filters", "facetFilters"];
const FAR = "x".repeat(40);

describe("the name nearest to", () => {
  it.each<[string, readonly string[], string | undefined]>([
    ["quer", KNOWN, "query"],
    ["queery", KNOWN, "query"],
    ["quary", KNOWN, "query"],
    ["qurey", KNOWN, "query"],
    ["HITSPERPAGE", KNOWN, "hitsPerPage"],
    ["filter", KNOWN, "filters"],
    ["bat", ["bar", "bag"], "bar"],
    ["bat", ["bag", "bar"], "bag"],
    // Of short names two letters may differ, of long ones a third.
    ["limit", KNOWN, undefined],
    ["", KNOWN, undefined],
    ["hitsPrPag", KNOWN, "hitsPerPage"],
    ["abc", ["a"], "a"],
    ["abcd", ["a"], undefined],
    ["abcdefghi", ["abcdef"], "abcdef"],
    ["abcdefghi", ["abcde"], undefined],
    ["abcdefgh", ["abcde"], undefined],
    ["kitten", ["sitting"], undefined],
    // The shortest way, of insertions, deletions, substitutions and swaps.
    ["abcdefghi", [FAR, "abcdefgh"], "abcdefgh"],
    ["abcdefgh", [FAR, "abcdefghi"], "abcdefghi"],
    ["bacdfe", [FAR, "abcdef"], "abcdef"],
    ["abc", [FAR, "c"], "c"],
    ["abcdefghijkl", [FAR, "abcdefgh"], "abcdefgh"],
    // A swap of neighbours is one change, and only that is one.
    ["ab", ["xyz", "ba"], "ba"],
    ["abdc", ["abxyz", "abcd"], "abcd"],
    ["abab", ["xxxxxxxx", "baba"], "baba"],
    ["ac", ["ca", "a"], "ca"],
    ["abc", ["cba", "ab"], "ab"],
    ["aabb", ["bbaa"], undefined],
    ["abc", ["xay"], undefined],
    ["bac", ["axy"], undefined],
  ])("%j among %j is %j", (name, known, nearest) => expect(nearestName(name, known)).toBe(nearest));

  it("a name of more than 64 characters is not looked for", () => {
    expect(nearestName("q".repeat(64), ["q".repeat(63)])).toBe("q".repeat(63));
    expect(nearestName("q".repeat(65), ["q".repeat(64)])).toBeUndefined();
  });
});
