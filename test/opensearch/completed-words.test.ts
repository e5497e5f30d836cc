// Which words a text that is being typed may end in, as the cluster is asked for them.

import { expect, test } from "vitest";
import { goesOn } from "../../src/opensearch/completed-words.js";
import { Random } from "../support/random.js";

const LETTERS = [..."abc.*|[é"];

/** All texts that a text becomes by one error behind its first letter. */
function withOneError(text: string): Set<string> {
  const found = new Set<string>([text]);
  for (let at = 1; at < text.length; at++) {
    const [before, after] = [text.slice(0, at), text.slice(at)];
    found.add(before + after.slice(1));
    for (const letter of LETTERS) found.add(before + letter + after).add(before + letter + after.slice(1));
    if (after.length > 1) found.add(before + after[1] + after[0] + after.slice(2));
  }
  return found;
}

interface Clauses {
  readonly bool: { readonly should: readonly { readonly regexp?: { readonly words: { readonly value: string } } }[] };
}

/** What the cluster is asked as patterns; what they mean is the same here and there. */
function patternsOf(nearly: string): RegExp[] {
  const query = goesOn({ beginnings: [nearly], nearly, terms: [], shown: [] });
  const { bool }: Clauses = JSON.parse(JSON.stringify(query));
  return bool.should.flatMap(({ regexp }) => (regexp === undefined ? [] : [new RegExp(`^(?:${regexp.words.value})$`)]));
}

test("words nearly begin with a text if it has one error behind its first letter, whatever its signs mean", () => {
  const random = new Random(7);
  const someWord = (least: number, most: number): string =>
    Array.from({ length: random.between(least, most) }, () => random.pick(LETTERS)).join("");
  for (let i = 0; i < 300; i++) {
    const text = someWord(4, 6);
    const beginnings = [...withOneError(text)];
    const patterns = patternsOf(text);
    const words = [
      ...Array.from({ length: 30 }, () => text[0] + someWord(2, 8)),
      ...beginnings.map((one) => `${one}a`),
    ];
    for (const word of words) {
      const expected = beginnings.some((beginning) => word.startsWith(beginning));
      const actual = word.startsWith(text) || patterns.some((pattern) => pattern.test(word));
      expect([text, word, actual]).toEqual([text, word, expected]);
    }
  }
});

test("a text of very many letters is not mended", () => {
  expect(patternsOf("x".repeat(64)).length).toBe(63);
  expect(Math.max(...patternsOf("x".repeat(64)).map(({ source }) => source.length))).toBeLessThan(1000);
  expect(patternsOf("x".repeat(65))).toEqual([]);
});
