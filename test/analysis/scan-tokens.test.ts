import { describe, expect, it } from "vitest";
import { MAX_RUN, scanTokens } from "../../src/analysis/scan-tokens.js";
import { property } from "../support/random.js";

/** The tokens of a normalised text as "kind token". */
function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  scanTokens(text, (kind, start, end) => tokens.push(`${kind} ${text.slice(start, end)}`));
  return tokens;
}

type Example = readonly [text: string, tokens: string];

const KINDS: readonly Example[] = [
  ["cordless drill", "word cordless; word drill"],
  ["18 2024", "number 18; number 2024"],
  ["18v mp3 4k", "code 18v; code mp3; code 4k"],
  ["wi-fi", "compound wi-fi"],
  ["東京タワー", "unspaced 東京タワー"],
  ["สวัสดี ไทย", "unspaced สวัสดี; unspaced ไทย"],
  ["usb東京9", "word usb; unspaced 東京; number 9"],
  ["한국어 ລາວ ខ្មែរ မြန်မာ", "unspaced 한국어; unspaced ລາວ; unspaced ខ្មែរ; unspaced မြန်မာ"],
  ["हिन्दी дом", "word हिन्दी; word дом"],
  ['  ,.;!?()[]{}<>#@*+=|\\"  ', ""],
  ["", ""],
];

const CONNECTORS: Readonly<Record<string, readonly Example[]>> = {
  "hyphens and underscores join letters and digits": [
    ["e-mail a_b", "compound e-mail; compound a_b"],
    ["wh-1000xm4", "code wh-1000xm4"],
    ["7-in-1 x_1 12-34", "code 7-in-1; code x_1; code 12-34"],
    ["a--b a- -b _c_", "word a; word b; word a; word b; word c"],
    ["a-.b a-東", "word a; word b; word a; unspaced 東"],
  ],
  "apostrophes join letters alone": [
    ["don't rock'n'roll", "word don't; word rock'n'roll"],
    ["'tis' dogs'", "word tis; word dogs"],
    ["3'4 a'4 4's", "number 3; number 4; word a; number 4; number 4; word s"],
    ["men's-wear", "compound men's-wear"],
  ],
  "ampersands join letters alone": [
    ["at&t b&q", "compound at&t; compound b&q"],
    ["a&4 4&4 a && b", "word a; number 4; number 4; number 4; word a; word b"],
  ],
  "points and slashes join letters, up to a digit": [
    ["a.b a/b ac/dc node.js", "compound a.b; compound a/b; compound ac/dc; compound node.js"],
    ["u.s.a. a./b a//b", "compound u.s.a; word a; word b; word a; word b"],
    ["usb/c3 a.b1 500ml/can 3d/a", "word usb; code c3; word a; code b1; code 500ml; word can; code 3d; word a"],
  ],
  "points join a single letter and digits": [
    ["m.2 u.20 am.2 m/2", "code m.2; code u.20; word am; number 2; word m; number 2"],
    ["a-m.2", "compound a-m; number 2"],
  ],
  "points, slashes and colons join digits, colons nothing else": [
    ["1.5 1/2 16:9 192.168.1.1", "code 1.5; code 1/2; code 16:9; code 192.168.1.1"],
    ["v1.5 3.5mm", "code v1.5; code 3.5mm"],
    ["a:b", "word a; word b"],
    ["1.a a/1 .5 5. 1..2", "number 1; word a; word a; number 1; number 5; number 5; number 1; number 2"],
  ],
  "up to three signs + and # belong to what is before them": [
    ["c++ c# a+++ s22+ 50+ wi-fi+", "signed c++; signed c#; signed a+++; signed s22+; signed 50+; signed wi-fi+"],
    ["a++++ +a # 5", "word a; word a; number 5"],
    ["a+b 2+1 item#7 a++b", "word a; word b; number 2; number 1; word item; number 7; word a; word b"],
    ["c++11 c++, (c#) c+-d 東+", "signed c++; number 11; signed c++; signed c#; signed c+; word d; unspaced 東"],
  ],
  "a comma joins digits when exactly three follow it": [
    ["1,000 1,000,000 12,345.5", "code 1,000; code 1,000,000; code 12,345.5"],
    ["1,000,x", "code 1,000; word x"],
    ["1,0000", "number 1; number 0000"],
  ],
  "a comma joins digits when fewer than three follow it, and no other comma": [
    ["3,5 12,50", "code 3,5; code 12,50"],
    ["3,5, 12,50,", "number 3; number 5; number 12; number 50"],
    ["1,2,3 10,20", "number 1; number 2; number 3; code 10,20"],
    ["1,5,x", "number 1; number 5; word x"],
    ["a,b 1, 2 a,1", "word a; word b; number 1; number 2; word a; number 1"],
  ],
};

describe("scanTokens knows the kind of a run", () => {
  it.each(KINDS)("of %j", (text, tokens) => expect(tokensOf(text).join("; ")).toBe(tokens));
});

describe("in scanTokens", () => {
  for (const [rule, examples] of Object.entries(CONNECTORS))
    it(rule, () => {
      for (const [text, tokens] of examples) expect(tokensOf(text).join("; "), text).toBe(tokens);
    });

  it("a run ends at 64 characters, and the next begins there", () => {
    expect(tokensOf("a".repeat(130))).toEqual([`word ${"a".repeat(64)}`, `word ${"a".repeat(64)}`, "word aa"]);
    expect(tokensOf("1".repeat(64))).toEqual([`number ${"1".repeat(64)}`]);
  });

  it("a cut run neither begins nor ends with a connector", () => {
    expect(tokensOf("a-".repeat(40))).toEqual([`compound ${"a-".repeat(31)}a`, `compound ${"a-".repeat(7)}a`]);
  });

  it("combining marks belong to their letter, and letters outside the basic plane are letters", () => {
    expect(tokensOf("x\u20ddy 𐐨𐐩 𠮷野")).toEqual(["word x\u20ddy", "word 𐐨𐐩", "unspaced 𠮷野"]);
  });
});

property(
  "random text gives tokens in reading order of at most 64 characters, and leaves out no letter",
  300,
  (random) => {
    const alphabet = [..."abz019-_&'.,/: #", "東", "ー", "é", "\u0301", "😀", "𠮷"];
    const text = random.list(200, 200, () => random.pick(alphabet)).join("");
    let rest = "";
    let last = 0;
    scanTokens(text, (kind, start, end) => {
      expect(start >= last && end > start).toBe(true);
      expect(kind === "unspaced" || end - start <= MAX_RUN).toBe(true);
      rest += text.slice(last, start);
      last = end;
    });
    expect(rest + text.slice(last)).toMatch(/^[-_&'.,/: #😀]*$/u);
    expect(tokensOf(`xyz-1 ${text}`).slice(1)).toEqual(tokensOf(text));
  },
);
