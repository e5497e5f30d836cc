import { describe, expect, it } from "vitest";
import { type QueryToken, readAdvancedSyntax, readTokens } from "../../src/analysis/parse-query.js";
import { ENGLISH_WORDS, PLAIN_WORDS } from "../../src/analysis/word-forms.js";
import { indexText } from "../support/index-text.js";
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
    expect(readAdvancedSyntax(text)).toEqual({ text, phrases: [], excluded: [], ranges: [] });
  });
});

const tokensOf = (text: string) => readTokens(text, ENGLISH_WORDS);
const shown = (tokens: readonly QueryToken[]) => tokens.map(({ kind, text }) => `${kind}:${text}`);

describe("the tokens of a query", () => {
  const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
    "Cordless drills": ["word:cordless", "word:drills"],
    "men's L'Oréal": ["word:men", "word:loreal"],
    "wi-fi WH-1000XM4": ["compound:wi-fi", "code:wh-1000xm4"],
    "kettle 1.5 L": ["word:kettle", "quantity:1.5 l"],
    "18V drill": ["quantity:18v", "word:drill"],
    "2024": ["number:2024"],
    東京都: ["unspaced:東京", "unspaced:京都"],
    東: ["unspaced:東"],
    " .,- ": [],
  };
  for (const [text, tokens] of Object.entries(EXAMPLES))
    it(`of ${text}`, () => {
      expect(shown(tokensOf(text))).toEqual(tokens);
    });

  it("know stop words", () => {
    expect(tokensOf("the drill").map(({ stop }) => stop)).toEqual([true, false]);
    expect(readTokens("the drill", PLAIN_WORDS).map(({ stop }) => stop)).toEqual([false, false]);
  });

  it("of a quantity are one, which remembers what it is made of", () => {
    const [token, ...rest] = tokensOf("1.5 litres");
    expect([token!.term.key, rest]).toEqual(["#volume:1.5", []]);
    expect(shown(token!.plain!)).toEqual(["code:1.5", "word:litres"]);
    expect(tokensOf("150 cl")[0]!.term).toEqual(token!.term);
    expect(tokensOf("1500 ml")[0]!.term.key).toBe(token!.term.key);
  });

  it("are the terms of an analyzer of the user's, as they are, and what has a digit", () => {
    const analyze = (text: string): string[] => text.split("|").filter((term) => term !== "");
    const tokens = readTokens("The|Drills|1.5 L|E27", { id: "halves-1", analyze });
    expect(shown(tokens)).toEqual(["word:The", "word:Drills", "quantity:1.5 l", "code:e27"]);
    expect(tokens.slice(0, 2).map(({ stop, term }) => [stop, term.alternatives.length])).toEqual([
      [false, 1],
      [false, 1],
    ]);
  });

  property("each ask for what the index has of the same text", 200, (random) => {
    const bits = ["drills", "wi-fi", "18V", "1.5 L", "x-1", "men's", "東京", " ", "-", "/", "55 inch", "the"];
    const text = random.list(1, 12, () => `${random.pick(bits)} `).join("");
    const held = new Set<string>();
    indexText(text, ENGLISH_WORDS, 1000, (term) => held.add(term));
    for (const { term } of tokensOf(text).flatMap((token) => [token, ...(token.plain ?? [])]))
      expect(
        term.alternatives.some(({ terms }) => terms.every((each) => held.has(each))),
        term.key,
      ).toBe(true);
  });
});
