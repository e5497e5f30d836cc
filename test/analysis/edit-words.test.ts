import { describe, expect, it } from "vitest";
import { WordEdits } from "../../src/analysis/edit-words.js";
import { ENGLISH_WORDS, PLAIN_WORDS } from "../../src/analysis/word-forms.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";

const edited = (text: string, edits: Record<string, string>, words = ENGLISH_WORDS, most = 4096): string => {
  const list = Object.entries(edits).map(([word, insert]) => ({ delete: word, insert }));
  return runTaskAtOnce(new WordEdits(list).edit(text, words, most));
};

describe("editing the words of a text", () => {
  it.each([
    ["garden drill", { garden: "" }, "drill"],
    ["Electric  BOILERS, cheap", { boiler: "kettle" }, "Electric  kettle, cheap"],
    ["drill garden", { Gardens: "" }, "drill"],
    ["a garden b garden c", { garden: "" }, "a b c"],
    ["cafe lamp", { café: "bistro" }, "bistro lamp"],
    ["garden hose reel", { "garden hose": "water" }, "water reel"],
    ["garden, hose", { "garden hose": "" }, ""],
    ["garden reel hose", { "garden hose": "water" }, "garden reel hose"],
    ["wi-fi drill", { "wi fi": "wireless" }, "wireless drill"],
    ["wi-fi drill", { wi: "x" }, "wi-fi drill"],
    ["WH-1000XM4 case", { wh1000xm4: "headphones" }, "headphones case"],
    ["men's boots", { men: "women" }, "women boots"],
    ["drill", { saw: "hammer" }, "drill"],
    ["  drill  ", { saw: "" }, "  drill  "],
    ["drill", { drill: "" }, ""],
    ["a b", { a: "b", b: "c" }, "b c"],
    ["東京 ランプ", { 東京: "大阪" }, "大阪 ランプ"],
    ["", { a: "b" }, ""],
    ["a", { "!": "b" }, "a"],
  ])("makes of %j with %j %j", (text, edits, expected) => {
    expect(edited(text, edits as unknown as Record<string, string>)).toBe(expected);
  });

  it("takes the first of the edits that begin at a word, and words as they are in a plain language", () => {
    expect(edited("garden hose", { "garden hose": "1", garden: "2" })).toBe("1");
    expect(edited("garden hose", { garden: "2", "garden hose": "1" })).toBe("2 hose");
    expect(edited("drills", { drill: "saw" }, PLAIN_WORDS)).toBe("drills");
  });

  it("makes no long text of a short one", () => {
    const text = edited("a ".repeat(2000), { a: "x".repeat(4000) }, ENGLISH_WORDS, 5000);
    expect([text.length, text.isWellFormed()]).toEqual([5000, true]);
  });
});
