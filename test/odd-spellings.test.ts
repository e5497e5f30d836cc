// A spelling that one record has as typed does not hide the others; and a word that leads nowhere is corrected even if it is one. Trades and
// words of our own, besides the cases that the rules came from.

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type JsonRecord, SearchEngine } from "../src/index.js";

const DEMO = "docs/demo/catalogue";
const engine = new SearchEngine();
let shops = 0;

async function titlesFor(query: string, titles: readonly string[]): Promise<readonly unknown[]> {
  const index = await engine.createIndex(`shop-${++shops}`);
  await index.addRecords(titles.map((title, id) => ({ id, title })));
  return (await index.query({ query })).data.hits.map(({ source }) => source.title);
}

describe("a spelling that one record has", () => {
  it.each([
    ["lavaza", "Lavazza beans", "Lavazza ground", "Lavaza mug"],
    ["makitta", "Makita grinder", "Makitta bits"],
    ["trampolin", "Trampoline 3 m", "Trampolin cover"],
    ["nevea", "Nivea cream", "Nivea soap", "Nevea sample"],
    ["rasberry", "Raspberry jam", "Raspberry syrup", "Rasberry tart"],
    ["choclate", "Chocolate bar", "Choclate cake mix"],
    ["yogurt", "Yoghurt maker", "Yoghurt cups", "Yogurt spoon"],
    ["80x150", "Rug 80 x 150 cm", "Rug 80cm x 150cm", "Mat 80x150"],
    ["yo yo", "Yoyo wood", "Yo-yo metal"],
    ["rj 45", "RJ-45 coupler", "RJ45 plug", "RJ 45 socket"],
  ])("does not hide the others: %s", async (query, ...titles) => {
    expect(await titlesFor(query, [...titles, "Garden hose"])).toEqual(expect.arrayContaining(titles));
  });

  it("does not hide the others in a large shop either, where few records have these", async () => {
    const others = Array.from({ length: 2000 }, (_, i) => `Garden hose ${i} with brass nozzle`);
    const titles = ["Lavazza beans", "Lavazza ground", "Lavaza mug", "Lavaza spoon"];
    expect((await titlesFor("lavaza", [...titles, "Lavazo rug", ...others])).toSorted()).toEqual(titles.toSorted());
  });
});

describe("a word that the embedder knows", () => {
  it.each([
    ["merrill", "Merrell boots"],
    ["lotus", "Lottus tissues"],
    ["fisher", "Fischer plugs"],
    ["salmon", "Salomon shoes"],
    ["garmin", "Garmen strap"],
    ["barilla", "Barila pasta"],
  ])("is corrected where nothing is near: %s", async (query, title) => {
    expect((await titlesFor(query, ["Garden rake", title, "Leather belt"]))[0]).toBe(title);
  });

  it.each([
    ["angel", "Angle grinder 115 mm, 750 W"],
    ["medial", "Media unit 180 cm for televisions up to 75 inch"],
  ])("is corrected in a whole shop, too, where no record is as near as records usually are: %s", async (query, title) => {
    const files = readdirSync(DEMO).filter((name) => name.endsWith(".jsonl"));
    const lines = files.flatMap((name) => readFileSync(`${DEMO}/${name}`, "utf8").trim().split("\n"));
    const index = await engine.createIndex(`shop-${++shops}`);
    await index.addRecords(lines.map((line) => JSON.parse(line) as JsonRecord));
    expect((await index.query({ query })).data.hits[0]!.source.title).toBe(title);
  });

  it.each([
    ["sofa", "Couch blue", "Soda water"],
    ["boat", "Ship model", "Boot polish"],
    ["jeans", "Denim trousers", "Beans baked"],
    ["purse", "Wallet brown", "Nurse costume"],
    ["rug", "Carpet round", "Mug stand"],
  ])("is not corrected where its meaning is there: %s", async (query, right, wrong) => {
    const found = await titlesFor(query, [wrong, right]);
    expect(found[0]).toBe(right);
    expect(found).not.toContain(wrong);
  });
});
