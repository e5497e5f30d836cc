import { expect, it } from "vitest";
import { bigrams } from "../../src/analysis/token-forms.js";

it("pairs each character with its neighbour", () => {
  expect(bigrams("東京都")).toEqual({ characters: ["東", "京", "都"], pairs: ["東京", "京都"] });
});

it("gives a single character no pair", () => {
  expect(bigrams("東")).toEqual({ characters: ["東"], pairs: [] });
  expect(bigrams("")).toEqual({ characters: [], pairs: [] });
});

it("keeps characters outside the basic plane whole", () => {
  expect(bigrams("𠮷野")).toEqual({ characters: ["𠮷", "野"], pairs: ["𠮷野"] });
});
