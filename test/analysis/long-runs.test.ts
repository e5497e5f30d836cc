// No text makes reading quadratic: a million characters of each kind of unbroken run come through, in short terms.

import { expect, it } from "vitest";
import { normalizeText } from "../../src/analysis/normalize-text.js";
import { scanTokens } from "../../src/analysis/scan-tokens.js";
import { ENGLISH_WORDS } from "../../src/analysis/word-forms.js";
import { indexText } from "../support/index-text.js";
import { rewritten } from "../support/rewriting.js";
import { FAST } from "../support/size.js";

const LENGTH = FAST ? 50_000 : 1_000_000;

const FAMILIES = [
  ...[
    "a",
    "1",
    "/",
    "#",
    "1/",
    "1.",
    "1,000,",
    "1,",
    "1:",
    "a-",
    "a'",
    "a&",
    "_",
    "a1",
    "ab12-",
    "東",
    "ไทย",
    "𐐨",
    "the ",
  ],
  ...["\u0000", "\ud83d", "👩\u200d", "\u0301", "a\u20dd", "a\u00ad"],
];

it.each(
  FAMILIES,
)("a million characters (fewer in the fast size) of %j are read to the end in terms of at most 64", (unit) => {
  const text = unit.repeat(Math.ceil(LENGTH / unit.length));
  let longest = 0;
  scanTokens(normalizeText(text), (kind, start, end) => {
    if (kind !== "unspaced") longest = Math.max(longest, end - start);
  });
  indexText(text, ENGLISH_WORDS, Number.POSITIVE_INFINITY, (term) => {
    longest = Math.max(longest, term.length);
  });
  expect(longest).toBeLessThanOrEqual(64);
  expect(rewritten(text).length).toBeLessThanOrEqual(64);
});

it("characters that grow eighteenfold and marks that have to be put in order are read to the end", () => {
  expect(normalizeText("ﷺ".repeat(50_000))).toHaveLength(900_000);
  expect(normalizeText(`a${"\u0301\u0323".repeat(5000)}`)).toBe("a");
});
