import { describe, expect, it } from "vitest";
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

describe("a phrase finds", async () => {
  const { ids } = await plainShop({}, RECORDS.slice(0, 3), RECORDS.slice(3));
  const found = (query: string) => ids({ query, advancedSyntax: true });

  const EXAMPLES: readonly (readonly [query: string, ids: readonly string[]])[] = [
    ['"noise cancelling"', ["0", "1"]],
    ['"headphones noise"', ["1"]],
    ['"noise headphones"', []],
    ['"WH-1000XM4 headphones"', ["2"]],
    ['"1.5 L glass"', ["3"]],
    ['"glass 1.5 L"', []],
    ['"woman\'s running shoe"', []],
    ['"man\'s running shoe"', ["5"]],
    ['"men\'s running shoe"', ["5"]],
    ['"made in italy"', ["6"]],
    ['"in made italy"', []],
    ['"drill metal"', []],
    ['"for metal"', ["7"]],
  ];
  for (const [query, expected] of EXAMPLES)
    it(`by ${query} ${expected.length} records`, async () => {
      expect((await found(query)).sort()).toEqual(expected);
    });

  for (const [id, title] of TITLES.entries())
    it(`the record whose title is ${title}`, async () => {
      expect(await found(`"${title}"`)).toContain(String(id));
    });

  it("nothing where its words stand in two records or two fields", async () => {
    const apart = await plainShop({}, [{ id: 1, title: "oak", body: "shelf" }]);
    expect(await apart.ids({ query: '"oak shelf"', advancedSyntax: true })).toEqual([]);
  });

  it("only in the fields that are searched", async () => {
    const fields = await plainShop({}, [{ id: 1, title: "x", body: "oak shelf" }]);
    const params = { query: '"oak shelf"', advancedSyntax: true };
    expect(await fields.ids({ ...params, restrictSearchableAttributes: ["body"] })).toEqual(["1"]);
    expect(await fields.ids({ ...params, restrictSearchableAttributes: ["title"] })).toEqual([]);
  });
});

describe("an exclusion", async () => {
  const { ids } = await plainShop({}, RECORDS);
  const found = (query: string) => ids({ query, advancedSyntax: true });

  it("hides the records that hold the word, in any of its forms", async () => {
    expect((await found("headphones -sony")).sort()).toEqual(["0", "1"]);
    expect(await found("headphones -cancel")).toEqual(["2"]);
  });

  it("hides those where the words of a phrase stand together", async () => {
    expect(await found('headphones -"headphones noise"')).toEqual(["0", "2"]);
  });

  it("of compounds and codes hides what holds them, whole or joined", async () => {
    expect((await found("headphones -WH-1000XM4")).sort()).toEqual(["0", "1"]);
    expect(await found("headphones -noise-cancelling")).not.toContain("0");
  });

  it("alone leaves all other records", async () => {
    expect((await found("-headphones")).length).toBe(5);
  });
});
