import { describe, expect, it } from "vitest";
import { normalizeText } from "../../src/analysis/normalize-text.js";
import { scanTokens } from "../../src/analysis/scan-tokens.js";

function tokens(text: string): string[] {
  const found: string[] = [];
  scanTokens(text, (_, start, end) => found.push(text.slice(start, end)));
  return found;
}

describe("marks piled on one character", () => {
  it("are cut, however many come, and the letter stays", () => {
    const piled = `a${"\u0301\u0323".repeat(100_000)}b`;
    expect(normalizeText(piled)).toBe("ab");
  });

  it("of a script that needs them stay", () => {
    expect(normalizeText("हिन्दी")).toBe("हिन्दी");
  });
});

describe("commas between digits", () => {
  it("part a list", () => {
    expect(tokens("size 1,2,3")).toEqual(["size", "1", "2", "3"]);
    expect(tokens("10,20,30")).toEqual(["10", "20", "30"]);
  });

  it("stay in decimals and thousands", () => {
    expect(tokens("3,5 mm")).toEqual(["3,5", "mm"]);
    expect(tokens("1,000,000 parts")).toEqual(["1,000,000", "parts"]);
  });
});
