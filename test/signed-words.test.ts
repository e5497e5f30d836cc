// Signs behind words, and numbers in words, letters and ranges: who stands first, or which titles are found at all.

import { describe, expect, it } from "vitest";
import { foundTitles } from "./support/found-titles.js";
import { plainShop } from "./support/plain-shop.js";

describe("a sign right after a word, a number or a code", () => {
  const LANGUAGES = ["C for beginners", "C# for beginners", "C++ for beginners"];
  const FRIDGES = ["Fridge class B", "Fridge class B++", "Fridge class B+"];

  it.each([
    ["c++", "C++ for beginners", LANGUAGES],
    ["c#", "C# for beginners", LANGUAGES],
    ["c", "C for beginners", LANGUAGES],
    ["C++ beginners", "C++ for beginners", LANGUAGES],
    ["c beginners", "C for beginners", LANGUAGES],
    ["fridge b+", "Fridge class B+", FRIDGES],
    ["fridge b++", "Fridge class B++", FRIDGES],
    ["fridge b", "Fridge class B", FRIDGES],
  ])("tells %s from the others: first %s", async (query, first, titles) => {
    expect((await foundTitles(titles, query))[0]).toBe(first);
  });

  it.each([
    ["Oppo R11 cover", "Oppo R11+ cover"],
    ["Sun milk 30", "Sun milk 30+"],
    ["Paramount poster", "Paramount+ poster"],
    ["TV cable", "TV+ cable"],
    ["Marker pro", "Marker pro+"],
  ])("tells %s from %s", async (plain, signed) => {
    expect(await foundTitles([plain, signed], signed)).toEqual([signed, plain]);
    expect(await foundTitles([signed, plain], plain)).toEqual([plain, signed]);
  });

  it.each([
    ["textpad", "Textpad++ guide"],
    ["textpad++", "Textpad guide"],
    ["texpad", "Textpad++ guide"],
    ["texpad++", "Textpad guide"],
    ["textp", "Textpad++ guide"],
    ["16gb phone", "Phone 16 GB+"],
  ])("hides nothing of the other form: %s finds %s", async (query, title) => {
    expect(await foundTitles([title, "Garden hose", "Phone 32 GB"], query)).toEqual([title]);
  });

  it("is highlighted with its word", async () => {
    const { index } = await plainShop({}, [{ id: 1, title: "Learn C++ now" }]);
    const { hits } = (await index.query({ query: "c++", attributesToHighlight: ["title"] })).data;
    expect(JSON.stringify(hits[0])).toContain("Learn <em>C++</em> now");
  });
});

describe("a number", () => {
  /** Each line: the query, what is meant, the others. */
  it.each([
    ["bike rack 2 bikes", "Bike rack, two bikes", "Bike rack, 3 bikes"],
    ["4 season tent", "Four-season tent", "3-season tent"],
    ["five star guide", "5 star guide", "4-star guide"],
    ["two tier cake stand", "2-tier cake stand", "3-tier cake stand"],
    ["tent 3 persons", "Tent 2-3 persons", "Tent 4 persons"],
    ["a 2 easel", "Easel A2", "Easel A3"],
    ["c 4 envelopes", "Envelopes C4", "Envelopes C5"],
    ["i 7 laptop", "Laptop i7", "Laptop i5"],
    ["blinds 120 cm", "Blinds, 60-120 cm", "Curtain 120 cm", "Blinds 90 cm"],
    ["blinds 60 cm", "Blinds, 60-120 cm", "Curtain 60 cm", "Blinds 90 cm"],
    ["tripod 1.5 m", "Tripod, 0.5-1.5 m", "Rope 1.5 m", "Tripod 1 m"],
    ["shoe rack 60 cm", "Shoe rack 60 to 90 cm", "Shoe rack 80 cm"],
  ])("is found in words and ranges, %s: first %s", async (query, ...titles) => {
    expect((await foundTitles([...titles].reverse(), query))[0]).toBe(titles[0]);
  });
});
