// Hits that are far behind the best one are left out: of pages, counts and facets alike, in every order.

import { expect, it } from "vitest";
import type { IndexSettings, SearchParams } from "../src/index.js";
import { kettleHits, kettleShop } from "./support/kettles.js";

it("hits below a share of the best score are left out, and whyNot tells the scores", async () => {
  const index = await kettleShop();
  const { ids, scores } = await kettleHits(index, {});
  expect(ids).toEqual(["1", "2", "3"]);
  const share = Math.floor((100 * scores[2]!) / scores[0]!);
  expect((await kettleHits(index, { relevancyStrictness: share })).ids).toEqual(["1", "2", "3"]);
  expect((await kettleHits(index, { relevancyStrictness: share + 1 })).ids).toEqual(["1", "2"]);
  const absence = {
    found: false,
    reason: "relevancyStrictness",
    relevancy: { score: scores[2], bestScore: scores[0] },
  };
  expect(await index.whyNot({ query: "kettle", relevancyStrictness: 100 }, 3)).toEqual(absence);
});

it.each<[ids: string, params: Partial<SearchParams>, settings?: IndexSettings]>([
  ["1", { relevancyStrictness: 100 }],
  ["2 1", { relevancyStrictness: 60, sort: ["price:asc"] }],
  ["2", { relevancyStrictness: 60, hitsPerPage: 1, page: 2, facets: ["brand"] }],
  // The best score is that of the records that pass filters, before refinements.
  ["3", { relevancyStrictness: 100, filters: "price < 10" }],
  ["", { relevancyStrictness: 100, facetFilters: ["brand:Forge"] }],
  ["1 2 4 3", { query: "", relevancyStrictness: 100, boosts: [{ attribute: "price", weight: 1 }] }],
  // As a setting, that the parameter replaces.
  ["1", {}, { relevancyStrictness: 100 }],
  ["1 2 3", { relevancyStrictness: 0 }, { relevancyStrictness: 100 }],
])("leaves %s of %j, with %j", async (ids, params, settings) => {
  expect((await kettleHits(await kettleShop(settings), params)).ids.join(" ")).toBe(ids);
});

it("a record whose identifier is the query stays, and others are not measured by it", async () => {
  const index = await kettleShop();
  await index.addRecords([{ id: 5, title: "shower head", sku: "kettle" }]);
  expect((await kettleHits(index, { relevancyStrictness: 100 })).ids).toEqual(["5", "1"]);
});
