import { describe, expect, it } from "vitest";
import { nearestName } from "../../src/util/errors.js";

const KNOWN = ["query", "page", "hitsPerPage", "filters", "facetFilters"];

describe("nearestName", () => {
  it("mends a dropped, a doubled, a wrong and a swapped letter", () => {
    const found = ["quer", "queery", "quary", "qurey"].map((name) => nearestName(name, KNOWN));
    expect(found).toEqual(["query", "query", "query", "query"]);
  });

  it("does not mind case", () => {
    expect(nearestName("HITSPERPAGE", KNOWN)).toBe("hitsPerPage");
  });

  it("finds nothing where every name is farther than two letters or a third", () => {
    expect(nearestName("limit", KNOWN)).toBeUndefined();
    expect(nearestName("", KNOWN)).toBeUndefined();
    expect(nearestName("hitsPrPag", KNOWN)).toBe("hitsPerPage");
  });

  it("takes the nearer of two, and of equally near ones the first", () => {
    expect(nearestName("filter", KNOWN)).toBe("filters");
    expect(nearestName("bat", ["bar", "bag"])).toBe("bar");
    expect(nearestName("bat", ["bag", "bar"])).toBe("bag");
  });

  it("counts a swap of neighbours as one change", () => {
    expect(nearestName("ab", ["xyz", "ba"])).toBe("ba");
    expect(nearestName("abdc", ["abxyz", "abcd"])).toBe("abcd");
  });

  it("does not compare names of more than 64 characters", () => {
    expect(nearestName("q".repeat(64), ["q".repeat(63)])).toBe("q".repeat(63));
    expect(nearestName("q".repeat(65), ["q".repeat(64)])).toBeUndefined();
  });
});

describe("the distance of names", () => {
  it("is that of the shortest way, of insertions, deletions, substitutions and swaps", () => {
    const far = "x".repeat(40);
    for (const [name, near] of [
      ["abcdefghi", "abcdefgh"],
      ["abcdefgh", "abcdefghi"],
      ["bacdfe", "abcdef"],
      ["abc", "c"],
      ["abcdefghijkl", "abcdefgh"],
    ] as const)
      expect(nearestName(name, [far, near]), name).toBe(near);
    expect(nearestName("kitten", ["sitting"])).toBeUndefined();
  });

  it("may be two of a short name, and a third of a long one, no more", () => {
    expect([nearestName("abc", ["a"]), nearestName("abcd", ["a"])]).toEqual(["a", undefined]);
    expect(nearestName("abcdefghi", ["abcdef"])).toBe("abcdef");
    expect(nearestName("abcdefghi", ["abcde"])).toBeUndefined();
    expect(nearestName("abcdefgh", ["abcde"])).toBeUndefined();
  });

  it("counts a swap once and not what only looks like one", () => {
    expect(nearestName("abab", ["xxxxxxxx", "baba"])).toBe("baba");
    expect(nearestName("ac", ["ca", "a"])).toBe("ca");
    expect(nearestName("abc", ["cba", "ab"])).toBe("ab");
    expect([nearestName("aabb", ["bbaa"]), nearestName("abc", ["xay"]), nearestName("bac", ["axy"])]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
