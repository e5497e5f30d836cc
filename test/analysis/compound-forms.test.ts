import { expect, it } from "vitest";
import { cleanWord, compoundForms } from "../../src/analysis/token-forms.js";

it("takes a compound apart at hyphens, underscores and ampersands, and joins it", () => {
  expect(compoundForms("wi-fi")).toEqual({ joined: "wifi", parts: ["wi", "fi"] });
  expect(compoundForms("noise_cancelling")).toEqual({ joined: "noisecancelling", parts: ["noise", "cancelling"] });
  expect(compoundForms("at&t")).toEqual({ joined: "att", parts: ["at", "t"] });
  expect(compoundForms("a-b_c&d").parts).toEqual(["a", "b", "c", "d"]);
});

it("cleans the parts of apostrophes", () => {
  expect(compoundForms("men's-wear")).toEqual({ joined: "menwear", parts: ["men", "wear"] });
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
