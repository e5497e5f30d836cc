// The memory of English words after many more of them than it keeps.

import { expect, it } from "vitest";
import { ENGLISH_WORDS } from "../../src/analysis/word-forms.js";
import { heapInUse } from "../support/heap.js";

/** Another word for each number. */
function lettersOf(number: number): string {
  return number.toString(26).replace(/[0-9]/g, (digit) => String.fromCharCode(113 + Number(digit)));
}

it("does not grow with the number of words ever read", () => {
  ENGLISH_WORDS.stem("drills");
  const before = heapInUse();
  for (let i = 0; i < 400_000; i++) ENGLISH_WORDS.stem(`a word of quite some length, number ${i}`);
  for (let i = 0; i < 400_000; i++) ENGLISH_WORDS.stem(`zzwordwithoutameaning${lettersOf(i)}`);
  expect(heapInUse() - before).toBeLessThan(60e6);
});

it("forgets, and gives the same forms again afterwards", () => {
  const words = "consistently knackeries skies dying generously hopping hoping the".split(" ");
  const before = words.map(ENGLISH_WORDS.stem);
  for (let i = 0; i < 210_000; i++) ENGLISH_WORDS.stem(lettersOf(i));
  expect(words.map(ENGLISH_WORDS.stem)).toEqual(before);
});
