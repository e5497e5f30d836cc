// Hits whose final score is too low are left out: of pages, counts, facets and groups alike, in every order.

import { describe, expect, it } from "vitest";
import { kettleHits, kettleShop } from "./support/kettles.js";

describe("minScore", () => {
  it("leaves out hits with a lower score, whatever the order, the page and the facets", async () => {
    const index = await kettleShop();
    const { ids, scores } = await kettleHits(index, {});
    expect(ids).toEqual(["1", "2", "3"]);
    expect((await kettleHits(index, { minScore: scores[2]! })).ids).toEqual(["1", "2", "3"]);
    const strict = { minScore: scores[2]! + 1e-6 };
    expect((await kettleHits(index, strict)).ids).toEqual(["1", "2"]);
    expect((await kettleHits(index, { ...strict, sort: ["price:asc"] })).ids).toEqual(["2", "1"]);
    expect((await kettleHits(index, { ...strict, offset: 1, length: 1, facets: ["brand"] })).ids).toEqual(["2"]);
  });

  it("compares the score with boosts, behind relevancyStrictness, which does not", async () => {
    const index = await kettleShop();
    const boosts = [{ filters: "id:3", weight: 1 }];
    const { ids, scores } = await kettleHits(index, { boosts });
    expect(ids[0]).toBe("3");
    expect((await kettleHits(index, { boosts, minScore: scores[0]! })).ids).toEqual(["3"]);
    expect((await kettleHits(index, { boosts, minScore: scores[0]!, relevancyStrictness: 100 })).ids).toEqual([]);
  });

  it("counts a group when its best passes, and keeps a record whose identifier is the query", async () => {
    const index = await kettleShop({ attributeForDistinct: "brand", distinct: true });
    const { scores } = await kettleHits(index, {});
    expect((await kettleHits(index, { minScore: scores[0]! })).ids).toEqual(["1"]);
    expect((await kettleHits(index, { minScore: scores[1]! })).nbHits).toBe(2);
    const boosts = [{ filters: "brand:Hem", weight: -1 }];
    expect((await kettleHits(index, { query: "HEAD-77", boosts, minScore: 1 })).ids).toEqual(["4"]);
  });

  it("leaves out nothing of a blank query, unless boosts in force give it scores", async () => {
    const index = await kettleShop();
    expect((await kettleHits(index, { query: "", minScore: 1 })).nbHits).toBe(4);
    expect(
      (await kettleHits(index, { query: "", minScore: 1, boosts: [{ filters: "brand:Volt", weight: 1 }] })).nbHits,
    ).toBe(4);
    const boosts = [{ filters: "brand:Hem", weight: 0.5 }];
    const hem = { query: "", minScore: 0.3, boosts, facets: ["brand"] };
    expect(await kettleHits(index, hem)).toMatchObject({ nbHits: 3, facets: { brand: [{ value: "Hem", count: 3 }] } });
    expect((await kettleHits(index, { ...hem, facetFilters: ["brand:Forge"] })).nbHits).toBe(0);
  });

  it("is told by whyNot", async () => {
    const index = await kettleShop();
    const { scores } = await kettleHits(index, {});
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
