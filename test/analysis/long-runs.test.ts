// No text makes reading quadratic: a million characters of each kind of unbroken run come through, in short terms.

import { describe, expect, it } from "vitest";
import { normalizeText } from "../../src/analysis/normalize-text.js";
import { scanTokens } from "../../src/analysis/scan-tokens.js";
import { ENGLISH_WORDS } from "../../src/analysis/word-forms.js";
import { indexText } from "../support/index-text.js";
import { rewritten } from "../support/rewriting.js";
import { FAST } from "../support/size.js";

const LENGTH = FAST ? 50_000 : 1_000_000;

const FAMILIES: Readonly<Record<string, string>> = {
  "a letter": "a",
  "a digit": "1",
  slashes: "/",
  "number signs": "#",
  "fractions without an end": "1/",
  "versions without an end": "1.",
  "thousands without an end": "1,000,",
  "lists of digits": "1,",
  "times without an end": "1:",
  "hyphenated letters": "a-",
  "letters and apostrophes": "a'",
  ampersands: "a&",
  underscores: "_",
  "letters and digits": "a1",
  "codes without an end": "ab12-",
  "Han characters": "東",
  "Thai words": "ไทย",
  "NUL characters": "\u0000",
  "lone surrogates": "\ud83d",
  "joined emoji": "👩\u200d",
  "combining marks": "\u0301",
  "letters and enclosing marks": "a\u20dd",
  "letters outside the basic plane": "𐐨",
  "soft hyphens": "a\u00ad",
  "blanks and words": "the ",
};

describe("a run of a million characters (fewer in the fast size) of", () => {
  for (const [name, unit] of Object.entries(FAMILIES))
    it(`${name} are read to the end in terms of at most 64 characters`, () => {
      const text = unit.repeat(Math.ceil(LENGTH / unit.length));
      const normal = normalizeText(text);
      let longest = 0;
      scanTokens(normal, (kind, start, end) => {
        if (kind !== "unspaced") longest = Math.max(longest, end - start);
      });
      indexText(text, ENGLISH_WORDS, Number.POSITIVE_INFINITY, (term) => {
        longest = Math.max(longest, term.length);
      });
      expect(longest).toBeLessThanOrEqual(64);
      expect(rewritten(text).length).toBeLessThanOrEqual(64);
    });
});

it("characters that grow eighteenfold and marks that have to be put in order are read to the end", () => {
  expect(normalizeText("ﷺ".repeat(50_000))).toHaveLength(900_000);
  expect(normalizeText(`a${"\u0301\u0323".repeat(5000)}`)).toBe("a");
});
