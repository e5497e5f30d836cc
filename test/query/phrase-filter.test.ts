// Phrases in quotes and exclusions behind a hyphen: which titles they find.

import { expect, it } from "vitest";
import { plainShop } from "../support/plain-shop.js";

const TITLES = [
  "noise-cancelling headphones",
  "headphones, noise cancelling",
  "Sony WH-1000XM4 headphones",
  "kettle 1.5 L glass",
  "東京都タワー",
  "men's running shoes",
  "made in italy",
  "drill for metal",
];
const RECORDS = TITLES.map((title, id) => ({ id, title }));
const { ids } = await plainShop({}, RECORDS.slice(0, 3), RECORDS.slice(3));

it.each([
  ['"noise cancelling"', "01"],
  ['"headphones noise"', "1"],
  ['"WH-1000XM4 headphones"', "2"],
  ['"1.5 L glass"', "3"],
  ['"glass 1.5 L"', ""],
  ['"man\'s running shoe"', "5"],
  ['"drill metal"', ""],
  ...TITLES.map((title, id) => [`"${title}"`, String(id)]),
  ["headphones -sony", "01"],
  ["headphones -cancel", "2"],
  ['headphones -"headphones noise"', "02"],
  ["headphones -WH-1000XM4", "01"],
  ["headphones -noise-cancelling", "2"],
  ["-headphones", "34567"],
  ["“headphones noise”", "1"],
  ["„noise headphones“", ""],
  ["noise-cancelling", "01"],
  ['"sony""headphones"', "2"],
  ['headphones -"noise cancelling', "2"],
  ['glass 1.5" -tv', "3"],
  ["--glass", "0124567"],
])("%s finds the titles %s", async (query, found) => {
  expect((await ids({ query, advancedSyntax: true })).sort().join("")).toBe(found);
});

it("a phrase stands in one record, in one of the fields that are searched", async () => {
  const apart = await plainShop({}, [
    { id: 1, title: "oak", body: "shelf" },
    { id: 2, title: "x", body: "oak shelf" },
  ]);
  const params = { query: '"oak shelf"', advancedSyntax: true };
  expect(await apart.ids(params)).toEqual(["2"]);
  expect(await apart.ids({ ...params, restrictSearchableAttributes: ["body"] })).toEqual(["2"]);
  expect(await apart.ids({ ...params, restrictSearchableAttributes: ["title"] })).toEqual([]);
});
