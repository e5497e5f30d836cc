import { expect, it } from "vitest";
import { apostropheParts, cleanWord, compoundForms } from "../../src/analysis/token-forms.js";

it.each([
  ["wi-fi", { joined: "wifi", parts: ["wi", "fi"] }],
  ["noise_cancelling", { joined: "noisecancelling", parts: ["noise", "cancelling"] }],
  ["at&t", { joined: "att", parts: ["at", "t"] }],
  ["a-b_c&d.e/f", { joined: "abcdef", parts: [..."abcdef"] }],
  ["men's-wear", { joined: "menwear", owned: "menswear", parts: ["men", "wear"] }],
])("takes a compound apart, cleans its parts and joins it: %s", (word, forms) => {
  expect(compoundForms(word)).toEqual(forms);
});

it.each([
  ["o'neill", "o neill", "oneill"],
  ["rock'n'roll", "rock n roll", "rocknroll"],
  ["o'neill's", "o neill", "oneill"],
  ["l'oreal", "l oreal", "loreal"],
  ["men's", "", "men"],
  ["don't", "", "dont"],
  ["we're", "", "were"],
  ["drill", "", "drill"],
  ["o's's", "", "os"],
])("takes a word apart at apostrophes, unless it is shortened, and apostrophes and the owner's s off it: %s", (word, parts, clean) => {
  expect([apostropheParts(word).join(" "), cleanWord(word)]).toEqual([parts, clean]);
});
