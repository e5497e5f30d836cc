import { describe, expect, it } from "vitest";
import type { JsonRecord } from "../../src/index.js";
import { plainShop } from "../support/plain-shop.js";
import { property } from "../support/random.js";

const RECORDS: readonly JsonRecord[] = [
  { id: "a", title: "lamp", price: 5, brand: "Volt", sizes: [3, 9] },
  { id: "b", title: "lamp", price: 5, brand: "forge", sizes: [1, 4] },
  { id: "c", title: "lamp", price: "cheap", brand: "Forge" },
  { id: "d", title: "lamp", brand: "Volt", sizes: [] },
  { id: "e", title: "lamp", price: -1, sizes: 2 },
  { id: "f", title: "lamp", price: null, brand: true },
];

describe("sorting", async () => {
  const { ids, index } = await plainShop({}, RECORDS.slice(3), RECORDS.slice(0, 3));

  it("puts numbers before texts, and records without a value last, by id", async () => {
    expect(await ids({ sort: ["price:asc"] })).toEqual(["e", "a", "b", "c", "d", "f"]);
    expect((await ids({ sort: ["price:desc"] })).slice(-2)).toEqual(["d", "f"]);
  });

  it("goes on with the next attribute among equals", async () => {
    expect((await ids({ sort: ["price:asc", "brand:asc"] })).slice(0, 3)).toEqual(["e", "b", "a"]);
    expect((await ids({ sort: ["brand:asc", "price:asc"] })).slice(-1)).toEqual(["e"]);
  });

  it("takes of several values the least upwards, the greatest downwards", async () => {
    expect((await ids({ sort: ["sizes:asc"] })).slice(0, 3)).toEqual(["b", "e", "a"]);
    expect((await ids({ sort: ["sizes:desc"] })).slice(0, 3)).toEqual(["a", "b", "e"]);
  });

  it("leaves the scores as they are", async () => {
    const scores = async (sort: readonly `${string}:asc`[]) => {
      const { hits } = (await index.query({ query: "lamp", sort })).data;
      return hits.map(({ id, score }) => `${id} ${score}`).sort();
    };
    expect(await scores(["price:asc"])).toEqual(await scores([]));
  });
});

describe("texts", async () => {
  const makers = ["Zebra", "adidas", "\u00c9clair", "eBay", "Fiat", "emile", "\u00c4pfel", " ", "\u00c9mile", "EMILE"];
  const records = makers.map((maker, id) => ({ id, title: "lamp", maker, price: id % 3 }));
  const sorted = ["1", "6", "3", "2", "5", "8", "9", "4", "0"];

  it("sort as in a dictionary, whatever their case and accents, and blank ones last", async () => {
    const { ids } = await plainShop({}, records.slice(4), records.slice(0, 4), [{ id: "none", title: "lamp" }]);
    expect(await ids({ sort: ["maker:asc"] })).toEqual([...sorted, "7", "none"]);
    const same = ["9", "8", "5"];
    expect((await ids({ sort: ["maker:desc"] })).slice(0, 2)).toEqual(["0", "4"]);
    expect((await ids({ sort: ["maker:desc"] })).slice(2, 5).sort()).toEqual(same.toSorted());
    expect((await ids({ sort: ["maker:desc"] })).slice(-2)).toEqual(["7", "none"]);
  });

  it("that differ by case and accents alone are equal: the next attribute decides", async () => {
    const { ids } = await plainShop({}, records.slice(6), records.slice(0, 6));
    expect((await ids({ sort: ["maker:asc", "price:asc"] })).slice(4, 7)).toEqual(["9", "5", "8"]);
    expect((await ids({ sort: ["maker:asc", "price:desc"] })).slice(4, 7)).toEqual(["5", "8", "9"]);
  });

  it("sort as numbers where they are written so, beside numbers, and whatever segment they are in", async () => {
    const costs = ["100.00", "19.5", 30, "9.99", "1,299.00", "n/a", "0,50", "+7"];
    const priced = costs.map((cost, id) => ({ id, title: "lamp", cost }));
    const wanted = ["6", "7", "3", "1", "2", "0", "4", "5"];
    for (const cut of [1, 4, 8]) {
      const { ids } = await plainShop({ customRanking: ["asc(cost)"] }, priced.slice(cut), priced.slice(0, cut));
      expect(await ids({ sort: ["cost:asc"] })).toEqual(wanted);
      expect(await ids({ sort: ["cost:desc"] })).toEqual(wanted.toReversed());
      expect(await ids({})).toEqual(wanted);
    }
  });
});

describe("custom ranking", async () => {
  it("breaks ties of the score only, attribute by attribute", async () => {
    const { ids } = await plainShop({ customRanking: ["desc(price)", "asc(brand)"] }, [
      { id: 1, title: "lamp lamp", price: 1 },
      { id: 2, title: "lamp and much more beside it", price: 99 },
      { id: 3, title: "lamp lamp", price: 1, brand: "A" },
      { id: 4, title: "lamp lamp", price: 7, brand: "Z" },
    ]);
    expect(await ids({ query: "lamp" })).toEqual(["4", "3", "1", "2"]);
    expect(await ids({})).toEqual(["2", "4", "3", "1"]);
    expect((await ids({ sort: ["brand:desc"] }))[0]).toBe("4");
  });
});

describe("grouping", async () => {
  const settings = { attributeForDistinct: "group", distinct: true };
  const groups = [
    { id: "a", title: "lamp red", group: 1, price: 3 },
    { id: "b", title: "lamp", group: 1, price: 9 },
    { id: "c", title: "lamp", group: "1", price: 5 },
    { id: "d", title: "lamp", price: 4 },
    { id: "e", title: "lamp", group: null, price: 2 },
  ];

  it("shows the best of each group in the order in force; those without one stand alone", async () => {
    const { ids } = await plainShop(settings, groups.slice(0, 1), groups.slice(1));
    expect(await ids({})).toEqual(["a", "c", "d", "e"]);
    expect(await ids({ sort: ["price:desc"] })).toEqual(["b", "c", "d", "e"]);
    expect(await ids({ query: "lamp" })).toContain("b");
    expect(await ids({ distinct: false })).toHaveLength(5);
  });

  property("counts groups, and joins pages to the whole", 15, async (random) => {
    const records = random.list(1, 40, (i) => ({
      id: i,
      title: random.pick(["lamp", "red lamp", "saw"]),
      ...(random.chance(0.8) ? { group: random.between(0, 6) } : {}),
      price: random.between(0, 5),
    }));
    const { ids, count } = await plainShop(settings, records.slice(0, 10), records.slice(10));
    const query = random.pick(["", "lamp", "red lamp saw"]);
    const all = await ids({ query, sort: ["price:asc"], matching: "any" });
    expect(await count({ query, matching: "any" })).toBe(all.length);
    const hitsPerPage = random.between(1, 5);
    const pages: string[] = [];
    for (let page = 1; page * hitsPerPage < all.length + hitsPerPage; page++)
      pages.push(...(await ids({ query, sort: ["price:asc"], matching: "any", page, hitsPerPage })));
    expect(pages).toEqual(all);
  });
});
