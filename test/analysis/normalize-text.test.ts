import { describe, expect, it } from "vitest";
import { isBlank, normalizeText } from "../../src/analysis/normalize-text.js";
import { property } from "../support/random.js";

/** Text as given, and as it is compared. */
const EXAMPLES: readonly (readonly [rule: string, given: string, normal: string])[] = [
  ["changes the case of ASCII", "Cordless DRILL\t18V\n", "cordless drill\t18v\n"],
  ["drops diacritics", "Crème Brûlée, Ångström, Ñandú", "creme brulee, angstrom, nandu"],
  ["drops them where they stand apart", "cre\u0300me", "creme"],
  ["makes trade signs blanks, so that they grow onto no word", "Core™ i7® ℠©", "core  i7    "],
  ["takes compatibility forms apart", "ﬁlter ＡＢＣ１２ m² Ⅷ ㎏", "filter abc12 m2 viii kg"],
  ["writes the fractions of Unicode as digits, apart from a number before them", "3½ ⅔ 1⁄4", "3 1/2  2/3 1/4"],
  ["drops soft hyphens, joiners and marks of direction", "note\u00adbook\u200d \u202eab\ufeff", "notebook ab"],
  ["drops controls", "a\u0000b\u0007c\u007f", "abc"],
  [
    "folds letters with strokes",
    "Straße Ærø Œuvre Łódź Đorđe Ðýr Þór Ħal",
    "strasse aero oeuvre lodz dorde dyr thor hal",
  ],
  ["folds further letters with strokes", "Ŧroms ƀɨʉ Ƶ ǥ ȼ ɇ ɉ ɍ ɏ Ⱥ Ⱦ Ɫ Ᵽ", "troms biu z g c e j r y a t l p"],
  ["drops the points of Hebrew", "נִסָּיוֹן שָׁלוֹם", "נסיון שלום"],
  ["takes the hyphen of Hebrew as any", "בֵּית־סֵפֶר", "בית-ספר"],
  ["drops the vowel signs and the lengthening of Arabic", "كِتَابٌ كـتـاب قُرْآن", "كتاب كتاب قران"],
  ["drops the hamza of Arabic letters that carry one", "أحمر إلى آخر", "احمر الى اخر"],
  ["folds the capital sharp s and the dotted capital i", "STRAẞE İstanbul Işık", "strasse istanbul isik"],
  ["writes the Greek final sigma as any", "ΟΔΌΣ οδός", "οδοσ οδοσ"],
  ["knows one hyphen", "a‐b‑c‒d–e—f―g−h－i﹣j・k", "a-b-c-d-e-f-g-h-i-j-k"],
  ["knows one apostrophe", "a'b‘c’dʼe＇f", "a'b'c'd'e'f"],
  ["takes an acute accent that stands alone as an apostrophe, as people type it", "don´t", "don't"],
  ["keeps the marks of other scripts", "がぎ हिन्दी 가", "がぎ हिन्दी 가"],
  ["replaces half a surrogate pair", "a\ud83db", "a\ufffdb"],
];

describe("normalizeText", () => {
  for (const [rule, given, normal] of EXAMPLES) it(rule, () => expect(normalizeText(given)).toBe(normal));

  it("gives a decomposed text the same form as a composed one", () => {
    const words = ["Crème", "Ångström", "がぎぐ", "한국어", "Việt Nam", "ΟΔΌΣ"];
    for (const word of words) expect(normalizeText(word.normalize("NFD"))).toBe(normalizeText(word.normalize("NFC")));
  });

  property("gives a text the same form whatever follows it", 300, (random) => {
    const unit = () =>
      random.pick([random.between(0x20, 0x7e), random.between(0xa0, 0xff), random.between(0x2000, 0x2130)]);
    const text = String.fromCharCode(...random.list(0, 30, unit));
    // Behind a blank, a letter of a script that nothing here joins.
    expect(normalizeText(`${text} あ`)).toBe(`${normalizeText(text)} あ`);
  });

  it("changes nothing about what it made, for every character of the basic plane", () => {
    const changed: string[] = [];
    for (let code = 0; code < 0x10000; code++) {
      const once = normalizeText(String.fromCharCode(code));
      if (normalizeText(once) !== once) changed.push(code.toString(16));
    }
    expect(changed).toEqual([]);
  });
});

describe("isBlank", () => {
  it("is true where there is nothing to see", () => {
    expect(["", "  ", "\n\t\u00a0", "\u200b \u2060", "\ufeff", "\u00ad", "\u0001\u0002"].every(isBlank)).toBe(true);
  });

  it("is false for anything else, zero and punctuation included", () => {
    expect(["0", ".", " a ", "™", "東", "\u200ba", "\u0301"].some(isBlank)).toBe(false);
  });
});
