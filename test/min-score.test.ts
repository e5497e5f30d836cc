// Hits whose final score is too low are left out: of pages, counts, facets and groups alike, in every order.

import { expect, it } from "vitest";
import { kettleHits, kettleShop } from "./support/kettles.js";

it("minScore leaves out hits with a lower score, whatever the order, and whyNot tells of it", async () => {
  const index = await kettleShop();
  const [, , least] = (await kettleHits(index, {})).scores;
  expect((await kettleHits(index, { minScore: least! })).ids).toEqual(["1", "2", "3"]);
  const strict = { minScore: least! + 1e-6, facets: ["brand"] };
  expect((await kettleHits(index, strict)).ids).toEqual(["1", "2"]);
  expect((await kettleHits(index, { ...strict, sort: ["price:asc"] })).ids).toEqual(["2", "1"]);
  const absence = await index.whyNot({ query: "kettle", minScore: 1, offset: 2 }, 3);
  expect(absence).toEqual({ found: false, reason: "minScore", final: { score: least, minScore: 1 } });
});

it("minScore compares the score with boosts, behind relevancyStrictness, which does not", async () => {
  const index = await kettleShop();
  const boosts = [{ filters: "id:3", weight: 1 }];
  const { ids, scores } = await kettleHits(index, { boosts });
  expect(ids[0]).toBe("3");
  expect((await kettleHits(index, { boosts, minScore: scores[0]! })).ids).toEqual(["3"]);
  expect((await kettleHits(index, { boosts, minScore: scores[0]!, relevancyStrictness: 100 })).ids).toEqual([]);
});

it("minScore counts a group when its best passes, and keeps a record whose identifier is the query", async () => {
  const index = await kettleShop({ attributeForDistinct: "brand", distinct: true });
  const { scores } = await kettleHits(index, {});
  expect((await kettleHits(index, { minScore: scores[0]! })).ids).toEqual(["1"]);
  const boosts = [{ filters: "brand:Hem", weight: -1 }];
  expect((await kettleHits(index, { query: "HEAD-77", boosts, minScore: 1 })).ids).toEqual(["4"]);
});

it("minScore leaves out nothing of a blank query, unless boosts in force give it scores", async () => {
  const index = await kettleShop();
  const countOf = async (filters: string, weight: number) =>
    (await kettleHits(index, { query: "", minScore: 0.3, boosts: [{ filters, weight }] })).nbHits;
  expect([await countOf("brand:Volt", 1), await countOf("brand:Hem", 0.5)]).toEqual([4, 3]);
});
