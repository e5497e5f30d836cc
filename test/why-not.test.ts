import { describe, expect, it } from "vitest";
import { type IndexSettings, type JsonRecord, SearchEngine, type SearchParams } from "../src/index.js";
import { plainShop } from "./support/plain-shop.js";
import { property } from "./support/random.js";
import { randomRecords, randomWords } from "./support/random-values.js";
import { shop } from "./support/small-shop.js";

const RECORDS: readonly JsonRecord[] = [
  { id: 1, title: "cordless drill", brand: "Volt", group: "g" },
  { id: 2, title: "drill and a cordless saw beside it", brand: "Hem", group: "g" },
  { id: 3, title: "saw", brand: "Volt" },
  { id: 4, title: "lamp", brand: "Volt" },
];

async function asking(settings: IndexSettings = {}) {
  const { index } = await plainShop(settings, RECORDS.slice(0, 2), RECORDS.slice(2));
  return { index, ask: (params: SearchParams, id: string | number) => index.whyNot(params, id) };
}

describe("why a record is not found:", () => {
  it("it is", async () => {
    const { ask } = await asking();
    expect(await ask({ query: "drill" }, 1)).toEqual({ found: true });
    expect(await ask({ query: "drill", page: 99, hitsPerPage: 0 }, "1")).toEqual({ found: true });
  });

  it("nobody has the id", async () => {
    const { ask } = await asking();
    expect(await ask({ query: "" }, "x")).toEqual({ found: false, reason: "unknown" });
  });

  it("nobody has it any more, which is the same before and after segments are merged", async () => {
    const { index, ask } = await asking();
    await index.addRecords(Array.from({ length: 10 }, (_, i) => ({ id: `n${i}` })));
    await index.deleteRecords(["n0"]);
    const before = await ask({ query: "" }, "n0");
    await index.deleteRecords(["n1", "n2", "n3", "n4", "n5"]);
    await index.whenIdle();
    expect(await ask({ query: "" }, "n0")).toEqual(before);
  });

  it("nobody has it any more, also after new settings and in a copy", async () => {
    const engine = new SearchEngine({ embedder: false });
    const index = await engine.createIndex("a");
    await index.addRecords([
      { id: 1, title: "drill" },
      { id: 2, title: "saw" },
    ]);
    await index.deleteRecords([1]);
    await index.updateSettings({ analyzer: "plain" });
    await engine.copyIndex("a", "b");
    for (const name of ["a", "b"]) expect((await engine.whyNot(name, { query: "drill" }, 1)).reason).toBe("deleted");
  });

  it("an unknown facet is refused, as it is by the query", async () => {
    const engine = new SearchEngine({ embedder: false });
    const index = await engine.createIndex("a");
    await index.addRecords([{ id: 1, title: "drill" }]);
    await expect(index.whyNot({ query: "drill", facets: ["nowhere"] as never }, 1)).rejects.toMatchObject({
      error: "unknown_field",
    });
  });

  it("a filter hides it, whatever else would", async () => {
    const { ask } = await asking();
    const params = { query: "lamp", filters: "brand:Hem", facetFilters: ["brand:Hem"] };
    expect(await ask(params, 1)).toEqual({ found: false, reason: "filters" });
  });

  it("a click hides it", async () => {
    const { ask } = await asking();
    const absence = await ask({ query: "drill", facetFilters: ["brand:Hem"] }, 1);
    expect(absence).toEqual({ found: false, reason: "facetFilters" });
  });

  it("a range of numbers hides it", async () => {
    const { ask } = await asking();
    expect(await ask({ query: "drill", numericFilters: ["id>1"] }, 1)).toEqual({
      found: false,
      reason: "numericFilters",
    });
    const both = { facetFilters: ["brand:Hem"], numericFilters: ["id>1"] };
    expect(await ask({ query: "drill", ...both }, 1)).toEqual({ found: false, reason: "facetFilters" });
  });

  it("a better one of its group is shown", async () => {
    const { ask } = await asking({ attributeForDistinct: "group" });
    expect(await ask({ query: "cordless drill", distinct: true }, 2)).toEqual({ found: false, reason: "distinct" });
    expect(await ask({ query: "cordless drill", distinct: true }, 1)).toEqual({ found: true });
  });

  it("it holds none of the words", async () => {
    const { ask } = await asking();
    const { reason, words } = await ask({ query: "cordless drill" }, 4);
    expect([reason, words!.share, words!.missing]).toEqual(["membership", 0, ["cordless", "drill"]]);
    expect(words!.bestShare).toBeGreaterThan(0.5);
  });

  it("it holds too little", async () => {
    const { ask } = await asking();
    const { words } = await ask({ query: "cordless drill lamp saw", matching: "all" }, 3);
    expect([words!.missing, words!.share > 0, words!.share <= words!.bestShare]).toEqual([
      ["cordless", "drill", "lamp"],
      true,
      true,
    ]);
  });

  it("the best share is that of records that pass the filters", async () => {
    const { ask } = await asking();
    const { words } = await ask({ query: "cordless drill", filters: 'brand:Volt AND NOT title:"cordless drill"' }, 4);
    expect(words!.bestShare).toBe(0);
  });
});

describe("why a record is not found by meaning:", () => {
  const meaningOf = async (params: SearchParams, id: number) => (await (await shop()).index.whyNot(params, id)).meaning;
  const byMeaning = { query: "drill", semanticWeight: 1 };

  it("it has no vector", async () => {
    expect((await meaningOf(byMeaning, 4))!.reason).toBe("no_vector");
  });

  it("it is below the floor, also at a right angle", async () => {
    expect(await meaningOf({ ...byMeaning, semanticFloor: 0.9 }, 2)).toMatchObject({ reason: "floor", floor: 0.9 });
    expect(await meaningOf({ ...byMeaning, semanticFloor: 0.9 }, 3)).toMatchObject({ reason: "floor", cosine: 0 });
  });

  it("others are nearer than its depth", async () => {
    expect(await meaningOf({ ...byMeaning, semanticDepth: 1 }, 2)).toMatchObject({ reason: "depth", depth: 1 });
  });
});

property("a record is said to be found exactly when it is a hit", 25, async (random) => {
  const records = randomRecords(random, 15);
  const { index, ids } = await plainShop({ attributeForDistinct: "brand", attributesForFaceting: ["brand"] }, records);
  const params = {
    query: randomWords(random),
    facetFilters: random.pick([[], ["brand:-Volt"]]),
    distinct: random.chance(0.5),
  };
  const hits = new Set(await ids(params));
  for (const { id } of records)
    expect((await index.whyNot(params, id as number)).found, String(id)).toBe(hits.has(String(id)));
});
