// Hits that are far behind the best one are left out: of pages, counts and facets alike, in every order.

import { describe, expect, it } from "vitest";
import { kettleHits, kettleShop } from "./support/kettles.js";

/** The name of a product is the code of another one. */
const NAMED_BY_CODE = { id: 5, title: "shower head", sku: "kettle" };

describe("relevancyStrictness", () => {
  it("leaves out hits below a share of the best score, whatever the order, the page and the facets", async () => {
    const index = await kettleShop();
    const { ids, scores } = await kettleHits(index, {});
    expect(ids).toEqual(["1", "2", "3"]);
    const shareOfLast = Math.floor((100 * scores[2]!) / scores[0]!);
    expect((await kettleHits(index, { relevancyStrictness: shareOfLast })).ids).toEqual(["1", "2", "3"]);
    const strict = { relevancyStrictness: shareOfLast + 1 };
    expect((await kettleHits(index, strict)).ids).toEqual(["1", "2"]);
    expect((await kettleHits(index, { ...strict, sort: ["price:asc"] })).ids).toEqual(["2", "1"]);
    expect((await kettleHits(index, { ...strict, hitsPerPage: 1, page: 2, facets: ["brand"] })).ids).toEqual(["2"]);
    expect((await kettleHits(index, { relevancyStrictness: 100 })).ids).toEqual(["1"]);
  });

  it("takes the best score of the records that pass filters, and before refinements", async () => {
    const index = await kettleShop();
    expect((await kettleHits(index, { relevancyStrictness: 100, filters: "price < 10" })).ids).toEqual(["3"]);
    expect((await kettleHits(index, { relevancyStrictness: 100, facetFilters: ["brand:Forge"] })).nbHits).toBe(0);
  });

  it("keeps a record whose identifier is the query, and does not measure others by it", async () => {
    const index = await kettleShop();
    await index.addRecords([NAMED_BY_CODE]);
    expect((await kettleHits(index, { relevancyStrictness: 100 })).ids).toEqual(["5", "1"]);
  });

  it("leaves out nothing of a blank query", async () => {
    const index = await kettleShop();
    expect((await kettleHits(index, { query: "", relevancyStrictness: 100 })).nbHits).toBe(4);
  });

  it("is a setting, too, that the parameter replaces", async () => {
    const index = await kettleShop({ relevancyStrictness: 100 });
    expect((await kettleHits(index, {})).nbHits).toBe(1);
    expect((await kettleHits(index, { relevancyStrictness: 0 })).nbHits).toBe(3);
    await index.updateSettings({ relevancyStrictness: 0 });
    expect((await kettleHits(index, {})).nbHits).toBe(3);
  });

  it("is told by whyNot", async () => {
    const index = await kettleShop();
    const { scores } = await kettleHits(index, {});
    expect(await index.whyNot({ query: "kettle", relevancyStrictness: 100 }, 3)).toEqual({
      found: false,
      reason: "relevancyStrictness",
      relevancy: { score: scores[2], bestScore: scores[0] },
    });
  });
});
