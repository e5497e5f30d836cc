// Hits whose final score is too low are left out: of pages, counts, facets and groups alike, in every order.

import { describe, expect, it } from "vitest";
import { SearchEngine, type SearchIndex, type SearchParams } from "../src/index.js";

/** Titles whose scores by words fall, and a record whose code is a query. */
const RECORDS = [
  { id: 1, title: "kettle", brand: "Hem", price: 40 },
  { id: 2, title: "steel kettle", brand: "Forge", price: 30 },
  { id: 3, title: "descaler for your kettle, coffee machine and shower head", brand: "Hem", price: 5 },
  { id: 4, title: "shower head", brand: "Hem", price: 7, sku: "HEAD-77" },
];

async function shop(settings: object = {}): Promise<SearchIndex> {
  const index = await new SearchEngine({ embedder: false }).createIndex("shop", { matching: "any", ...settings });
  await index.addRecords(RECORDS);
  return index;
}

const hitsOf = async (index: SearchIndex, params: Partial<SearchParams>) => {
  const { data } = await index.query({ query: "kettle", ...params });
  return {
    ids: data.hits.map(({ id }) => id),
    nbHits: data.nbHits,
    scores: data.hits.map(({ score }) => score),
    facets: data.facets,
  };
};

describe("minScore", () => {
  it("leaves out hits with a lower score, whatever the order, the page and the facets", async () => {
    const index = await shop();
    const { ids, scores } = await hitsOf(index, {});
    expect(ids).toEqual(["1", "2", "3"]);
    expect((await hitsOf(index, { minScore: scores[2]! })).ids).toEqual(["1", "2", "3"]);
    const strict = { minScore: scores[2]! + 1e-6 };
    expect((await hitsOf(index, strict)).ids).toEqual(["1", "2"]);
    expect((await hitsOf(index, { ...strict, sort: ["price:asc"] })).ids).toEqual(["2", "1"]);
    expect(await hitsOf(index, { ...strict, offset: 1, length: 1, facets: ["brand"] })).toMatchObject({
      ids: ["2"],
      nbHits: 2,
      facets: {
        brand: [
          { value: "Forge", count: 1 },
          { value: "Hem", count: 1 },
        ],
      },
    });
  });

  it("compares the score with boosts, behind relevancyStrictness, which does not", async () => {
    const index = await shop();
    const boosts = [{ filters: "id:3", weight: 1 }];
    const { ids, scores } = await hitsOf(index, { boosts });
    expect(ids[0]).toBe("3");
    expect((await hitsOf(index, { boosts, minScore: scores[0]! })).ids).toEqual(["3"]);
    expect((await hitsOf(index, { boosts, minScore: scores[0]!, relevancyStrictness: 100 })).ids).toEqual([]);
  });

  it("counts a group when its best passes, and keeps a record whose identifier is the query", async () => {
    const index = await shop({ attributeForDistinct: "brand", distinct: true });
    const { scores } = await hitsOf(index, {});
    expect((await hitsOf(index, { minScore: scores[0]! })).ids).toEqual(["1"]);
    expect((await hitsOf(index, { minScore: scores[1]! })).nbHits).toBe(2);
    const boosts = [{ filters: "brand:Hem", weight: -1 }];
    expect((await hitsOf(index, { query: "HEAD-77", boosts, minScore: 1 })).ids).toEqual(["4"]);
  });

  it("leaves out nothing of a blank query, unless boosts in force give it scores", async () => {
    const index = await shop();
    expect((await hitsOf(index, { query: "", minScore: 1 })).nbHits).toBe(4);
    expect(
      (await hitsOf(index, { query: "", minScore: 1, boosts: [{ filters: "brand:Volt", weight: 1 }] })).nbHits,
    ).toBe(4);
    const boosts = [{ filters: "brand:Hem", weight: 0.5 }];
    const hem = { query: "", minScore: 0.3, boosts, facets: ["brand"] };
    expect(await hitsOf(index, hem)).toMatchObject({ nbHits: 3, facets: { brand: [{ value: "Hem", count: 3 }] } });
    expect((await hitsOf(index, { ...hem, facetFilters: ["brand:Forge"] })).nbHits).toBe(0);
  });

  it("is told by whyNot", async () => {
    const index = await shop();
    const { scores } = await hitsOf(index, {});
    const absence = await index.whyNot({ query: "kettle", minScore: 1, offset: 2 }, 3);
    expect(absence).toEqual({ found: false, reason: "minScore", final: { score: scores[2], minScore: 1 } });
    expect(
      await index.whyNot({ query: "", minScore: 0.3, boosts: [{ filters: "brand:Hem", weight: 0.5 }] }, 2),
    ).toEqual({
      found: false,
      reason: "minScore",
      final: { score: 0, minScore: 0.3 },
    });
  });
});
