import { expect, it } from "vitest";
import { apostropheParts, cleanWord, compoundForms } from "../../src/analysis/token-forms.js";

it("takes a compound apart at hyphens, underscores, ampersands, points and slashes, and joins it", () => {
  expect(compoundForms("wi-fi")).toEqual({ joined: "wifi", parts: ["wi", "fi"] });
  expect(compoundForms("noise_cancelling")).toEqual({ joined: "noisecancelling", parts: ["noise", "cancelling"] });
  expect(compoundForms("at&t")).toEqual({ joined: "att", parts: ["at", "t"] });
  expect(compoundForms("a-b_c&d.e/f").parts).toEqual(["a", "b", "c", "d", "e", "f"]);
});

it("cleans the parts of apostrophes", () => {
  expect(compoundForms("men's-wear")).toEqual({ joined: "menwear", owned: "menswear", parts: ["men", "wear"] });
});

it("takes a word apart at apostrophes, unless it is shortened", () => {
  expect(["o'neill", "rock'n'roll", "o'neill's", "men's", "don't", "we're", "drill"].map(apostropheParts)).toEqual([
    ["o", "neill"],
    ["rock", "n", "roll"],
    ["o", "neill"],
    ...[[], [], [], []],
  ]);
});

it("takes the owner's s and other apostrophes off a word", () => {
  expect(["men's", "l'oreal", "rock'n'roll", "drill", "o's's"].map(cleanWord)).toEqual([
    "men",
    "loreal",
    "rocknroll",
    "drill",
    "os",
  ]);
});
