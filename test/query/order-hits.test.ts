// In which order hits stand: sorted, by custom ranking, in groups. All answers pass the checks of check-query.ts, pages among them.

import { expect, it } from "vitest";
import type { JsonRecord, SearchParams } from "../../src/index.js";
import { plainShop } from "../support/plain-shop.js";

const RECORDS: readonly JsonRecord[] = [
  { id: "a", title: "lamp", price: 5, brand: "Volt", sizes: [3, 9] },
  { id: "b", title: "lamp", price: 5, brand: "forge", sizes: [1, 4] },
  { id: "c", title: "lamp", price: "cheap", brand: "Forge" },
  { id: "d", title: "lamp", brand: "Volt", sizes: [] },
  { id: "e", title: "lamp", price: -1, sizes: 2 },
  { id: "f", title: "lamp", price: null, brand: true },
];
const MAKERS = ["Zebra", "adidas", "\u00c9clair", "eBay", "Fiat", "emile", "\u00c4pfel", " ", "\u00c9mile", "EMILE"];
const NAMED = MAKERS.map((maker, id) => ({ id, title: "lamp", maker, price: id % 3 }));
const COSTS = ["100.00", "19.5", 30, "9.99", "1,299.00", "n/a", "0,50", "+7"];
const PRICED = COSTS.map((cost, id) => ({ id, title: "lamp", cost }));

type Sort = NonNullable<SearchParams["sort"]>;

it.each<[what: string, records: readonly JsonRecord[], sort: Sort, ids: string]>([
  ["numbers before texts, and records without a value last, by id", RECORDS, ["price:asc"], "e a b c d f"],
  ["records without a value last downwards, too", RECORDS, ["price:desc"], "c a b e d f"],
  ["equals by the next attribute", RECORDS, ["price:asc", "brand:asc"], "e b a c d f"],
  ["by the least of several values", RECORDS, ["sizes:asc"], "b e a c d f"],
  ["downwards by the greatest of several values", RECORDS, ["sizes:desc"], "a b e c d f"],
  ["texts as in a dictionary, blank ones last", NAMED, ["maker:asc"], "1 6 3 2 5 8 9 4 0 7"],
  ["texts downwards, equal but for case and accents by id", NAMED, ["maker:desc"], "0 4 5 8 9 2 3 6 1 7"],
  ["texts that differ by case and accents by the next one", NAMED, ["maker:asc", "price:asc"], "1 6 3 2 9 5 8 4 0 7"],
  ["texts that are written as numbers", PRICED, ["cost:asc"], "6 7 3 1 2 0 4 5"],
  ["texts that are written as numbers, downwards", PRICED, ["cost:desc"], "5 4 0 2 1 3 7 6"],
])("sorts %s, in any segments", async (_, records, sort, expected) => {
  for (const cut of [1, 3, 6]) {
    const { ids, index } = await plainShop({}, records.slice(cut), records.slice(0, cut));
    expect((await ids({ sort })).join(" ")).toBe(expected);
    const scores = (await index.query({ query: "lamp", sort })).data.hits.map(({ score }) => score);
    expect(new Set(scores)).toEqual(new Set([(await index.query({ query: "lamp" })).data.hits[0]!.score]));
  }
});

it("ranks by custom ranking what has the same score, attribute by attribute, and numbers in texts as such", async () => {
  const { ids } = await plainShop({ customRanking: ["desc(price)", "asc(brand)"] }, [
    { id: 1, title: "lamp lamp", price: 1 },
    { id: 2, title: "lamp and much more beside it", price: 99 },
    { id: 3, title: "lamp lamp", price: 1, brand: "A" },
    { id: 4, title: "lamp lamp", price: 7, brand: "Z" },
  ]);
  expect(await ids({ query: "lamp" })).toEqual(["4", "3", "1", "2"]);
  expect(await ids({})).toEqual(["2", "4", "3", "1"]);
  expect((await ids({ sort: ["brand:desc"] }))[0]).toBe("4");
  expect(await (await plainShop({ customRanking: ["asc(cost)"] }, PRICED)).ids({})).toEqual([..."67312045"]);
});

it("orders what sort leaves equal by score, then by custom ranking, then by id by code unit, in any segments", async () => {
  const ids = ["9", "\uff41", "10", "\u{1f600}", "a"];
  const records: JsonRecord[] = [
    { id: "0", title: "lamp and much more beside it", popularity: 9, price: 5 },
    ...ids.map((id) => ({ id, title: "lamp", price: 5, popularity: id === "a" ? 2 : 1 })),
    { id: "1", title: "lamp", price: 6, popularity: 1, weight: 3 },
  ];
  const equals = ["a", "10", "9", "\u{1f600}", "\uff41", "0"];
  for (const cut of [0, 2, 4]) {
    const shop = await plainShop({ customRanking: ["desc(popularity)"] }, records.slice(cut), records.slice(0, cut));
    expect(await shop.ids({ query: "lamp", sort: ["price:asc"] })).toEqual([...equals, "1"]);
    expect(await shop.ids({ query: "lamp", sort: ["price:desc"] })).toEqual(["1", ...equals]);
    expect(await shop.ids({ query: "lamp", sort: ["weight:asc"] })).toEqual(["1", ...equals]);
  }
});

it("groups show the best of each in the order in force; those without one stand alone", async () => {
  const groups = [1, 1, "1", undefined, null].map((group) => (group === undefined ? {} : { group }));
  const records = groups.map((group, i) => ({
    ...{ id: "abcde"[i]!, title: i === 0 ? "lamp red" : "lamp", price: [3, 9, 5, 4, 2][i]! },
    ...group,
  }));
  const settings = { attributeForDistinct: "group", distinct: true };
  const { ids } = await plainShop(settings, records.slice(0, 1), records.slice(1));
  expect(await ids({})).toEqual(["a", "c", "d", "e"]);
  expect(await ids({ sort: ["price:desc"] })).toEqual(["b", "c", "d", "e"]);
  expect(await ids({ query: "lamp" })).toContain("b");
  expect(await ids({ distinct: false })).toHaveLength(5);
});
