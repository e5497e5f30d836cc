import { expect, it } from "vitest";
import { normalizeText } from "../../src/analysis/normalize-text.js";
import { PAIR_MARK, QUANTITY_MARK, scanTokens } from "../../src/analysis/scan-tokens.js";
import { tokenTerms } from "../../src/analysis/text-terms.js";
import { ENGLISH_WORDS, PLAIN_WORDS, type WordForms } from "../../src/analysis/word-forms.js";
import { indexText } from "../support/index-text.js";
import { property } from "../support/random.js";

function both(text: string, words: WordForms): readonly [indexed: string[], byToken: string[]] {
  const indexed: string[] = [];
  indexText(text, words, Number.POSITIVE_INFINITY, (term) => {
    // Quantities may reach over several tokens, as pairs of neighbours do.
    if (!term.startsWith(QUANTITY_MARK) && !term.startsWith(PAIR_MARK)) indexed.push(term);
  });
  const normal = normalizeText(text);
  const byToken: string[] = [];
  scanTokens(normal, (kind, start, end) => byToken.push(...tokenTerms(kind, normal.slice(start, end), words)));
  return [indexed, byToken.filter((term) => !term.startsWith(PAIR_MARK))];
}

for (const text of [
  "",
  "Mugs and men's cafés, 'tis l'oréal",
  "wi-fi noise-cancelling AT&T rock_&_roll x-'s",
  "WH-1000XM4 7-in-1 3.5mm 1,000 978-3-16-148410-0 tablets2 2024",
  "東京タワー 机 한국어",
])
  it(`gives what the index gives for ${JSON.stringify(text)}`, () => {
    for (const words of [ENGLISH_WORDS, PLAIN_WORDS]) {
      const [indexed, byToken] = both(text, words);
      expect(byToken).toEqual(indexed);
    }
  });

property("gives what the index gives", 300, (random) => {
  const bits = ["running", "mugs", "1", "42", "-", "_", "&", "'", "'s", ".", ",", "/", " ", " ", "é", "京", "都", "ß"];
  const [indexed, byToken] = both(random.list(0, 40, () => random.pick(bits)).join(""), ENGLISH_WORDS);
  expect(byToken).toEqual(indexed);
});
