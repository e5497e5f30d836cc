import { expect } from "vitest";
import { countOnes, countOnesInBoth } from "../../src/util/doc-set.js";
import { property, type Random } from "../support/random.js";

function randomWords(random: Random, length: number): Uint32Array {
  const draw = random.pick([
    () => 0,
    () => 0xffffffff,
    () => random.between(0, 0xffffffff),
    () => (random.chance(0.1) ? 1 << random.between(0, 31) : 0),
  ]);
  return Uint32Array.from({ length }, draw);
}

function byHand(words: Uint32Array, others: Uint32Array): number {
  let count = 0;
  words.forEach((word, i) => {
    for (let bit = 0; bit < 32; bit++) if ((word >>> bit) & (others[i]! >>> bit) & 1) count++;
  });
  return count;
}

property("bits are counted, in one array and in both of two", 60, (random) => {
  const length = random.pick([0, 1, 7, 8, 255, 256, 257, 263, 1000, 2047, 2048, 2049, 4097, 6000]);
  const words = randomWords(random, length);
  const others = randomWords(random, length);
  // Views of longer arrays, whose other elements do not count.
  const [word, other] = [words, others].map((view) => Uint32Array.of(0xffffffff, ...view, 0xffffffff).subarray(1, -1));
  expect(countOnes(word!)).toBe(byHand(words, words));
  expect(countOnesInBoth(word!, other!)).toBe(byHand(words, others));
});
