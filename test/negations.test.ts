import { expect, it } from "vitest";
import { SearchEngine } from "../src/index.js";
import { foundTitles } from "./support/found-titles.js";
import { plainShop } from "./support/plain-shop.js";

/** Each list: the query; what says that it has none, what names nothing of it, what has it. */
it.each([
  ["curtains without rings", "Curtains, ringless", "Curtains, linen, long and heavy, 250 cm", "Curtains with rings"],
  ["shampoo no sulfates", "Sulfate-free shampoo", "Shampoo, mint", "Shampoo with sulfates"],
  ["bra without wire", "Wireless bra", "Bra, cotton", "Bra with wire"],
  ["cookies without gluten", "Gluten free cookies, oats, family pack", "Cookies", "Cookies, gluten"],
  ["coffee without caffeine", "Decaf coffee", "Coffee, dark roast, 500 g", "Coffee with caffeine"],
  ["gum w/o sugar", "Unsweetened gum", "Gum, mint", "Gum with sugar"],
  ["candle without scent", "Unscented candle", "Candle, white, 20 cm", "Candle, scent of rose"],
  ["sim free phone", "SIM-free phone", "Phone", "Dual SIM phone"],
  ["sugar-free gum", "Gum without sugar", "Gum, mint", "Gum, sugar"],
  ["non-wrinkle shirt", "Wrinkle free shirt", "Shirt", "Shirt, wrinkle"],
  ["shirt free of formaldehyde", "Shirt, no formaldehyde", "Shirt", "Shirt, formaldehyde"],
  ["dress without plastic zipper", "Dress, no plastic zipper", "Dress, red", "Dress with plastic zipper"],
  ["shoes not black", "Shoes, non-black", "Shoes, red", "Shoes, black"],
  ["pot without any lid", "Pot without lid", "Pot", "Pot with lid"],
])("%s: first what has none, then what names none of it", async (query, ...titles) => {
  expect(await foundTitles([...titles].reverse(), query)).toEqual(titles);
});

it.each([
  ["no show socks", "No show socks, 3 pairs", "Ankle socks"],
  ["chanel no 5", "Chanel No 5 perfume", "Chanel Coco perfume"],
  ["hands free kit", "Handsfree kit", "Hand kit"],
  ["sugar free", "Sugar-free gum", "Sugar, 1 kg"],
  ["free standing bath", "Freestanding bath", "Bath tray"],
  ["not without my daughter", "Not Without My Daughter", "My daughter"],
  ["gum with sugar", "Gum with sugar", "Gum without sugar"],
])("%s is found as it is typed", async (query, first, other) => {
  expect((await foundTitles([other, first], query))[0]).toBe(first);
});

it("what is not wanted is no word that a hit must have, nor one that is missing", async () => {
  const { ids, index } = await plainShop({ matching: "all" }, [{ id: "1", title: "Soap, oat" }]);
  const query = "soap without perfume";
  expect(await ids({ query })).toEqual(["1"]);
  const { parsedQuery } = (await index.query({ query, getParsedQuery: true })).data;
  expect(parsedQuery).toEqual({ text: query, corrected: [], completed: [], unknown: [], relaxed: false });
});

it("another language and an analyzer of one's own read no negations", async () => {
  const own = { id: "own", analyze: (text: string) => text.toLowerCase().split(/\W+/) };
  const titles = ["Seife without x", "Seife perfume"];
  for (const analyzer of ["plain", own] as const)
    expect(await foundTitles(titles, "seife without perfume", { analyzer })).toHaveLength(2);
});

it("meaning is asked without the words of a negation", async () => {
  const index = await new SearchEngine().createIndex("shop");
  await index.addRecords([{ id: "1", title: "Soap" }]);
  const scoreOf = async (query: string) =>
    (await index.query({ query, explain: true })).data.hits[0]!.explanation!.semantic!.cosine;
  expect(await scoreOf("soap without perfume")).toBe(await scoreOf("soap"));
});
