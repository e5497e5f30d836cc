import { describe, expect, it } from "vitest";
import { readAdvancedSyntax } from "../../src/rewriting/advanced-syntax.js";
import { property } from "../support/random.js";

const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");

/** What is searched, its words joined by one blank. */
function read(query: string) {
  const { text, phrases, excluded } = readAdvancedSyntax(query);
  return { text: words(text).join(" "), phrases, excluded };
}

describe("advanced syntax", () => {
  const EXAMPLES: readonly (readonly [query: string, text: string, phrases: string[], excluded: string[]])[] = [
    ["cordless drill", "cordless drill", [], []],
    ['"cordless drill" 18v', "cordless drill 18v", ["cordless drill"], []],
    ["“cordless drill” „saw“", "cordless drill saw", ["cordless drill", "saw"], []],
    ["drill -cordless", "drill", [], ["cordless"]],
    ['drill -"with case"', "drill", [], ["with case"]],
    ["-drill", "", [], ["drill"]],
    ["wi-fi router", "wi-fi router", [], []],
    ["drill - saw", "drill - saw", [], []],
    ["drill -", "drill -", [], []],
    ["drill --saw", "drill", [], ["-saw"]],
    ['tv 55" wide', 'tv 55" wide', [], []],
    ['a "b', 'a "b', [], []],
    ['"a""b"', "a b", ["a", "b"], []],
    ['-a"b', "", [], ['a"b']],
    ['""', "", [""], []],
    ["", "", [], []],
  ];
  for (const [query, text, phrases, excluded] of EXAMPLES)
    it(`of ${JSON.stringify(query)}`, () => {
      expect(read(query)).toEqual({ text, phrases, excluded });
    });

  property("keeps every word in exactly one place", 200, (random) => {
    const parts = random.list(0, 8, (i) => `${random.pick(["", "", "-"])}${random.pick(["w", '"w x"'])}${i}`);
    const found = readAdvancedSyntax(parts.join(" "));
    const kept = [...words(found.text), ...found.excluded.flatMap(words)];
    expect(kept.join("").replaceAll('"', "")).toHaveLength(parts.join("").replace(/[-" ]/g, "").length);
  });

  property("without quotes and hyphens changes nothing", 100, (random) => {
    const text = random.list(0, 20, () => random.pick(["drill", " ", "é", "'", "18V", "東"])).join("");
    expect(readAdvancedSyntax(text)).toEqual({ text, phrases: [], excluded: [] });
  });
});
