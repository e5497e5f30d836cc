import { expect, it } from "vitest";
import type { FacetSearchParams, JsonRecord } from "../src/index.js";
import { plainShop } from "./support/plain-shop.js";
import { rejectionOf } from "./support/refusal.js";

const BRANDS = ["Black & Decker", "Bosch", "Bosch", "Émile Henry", "De'Longhi", "bösch-rexroth", "7Seas", "Big Bosch"];
const RECORDS: readonly JsonRecord[] = [
  ...BRANDS.map((brand, id) => ({ id, title: id % 2 === 0 ? "drill" : "saw", brand, price: id })),
  { id: "none", title: "drill" },
];
const { index } = await plainShop({}, RECORDS.slice(0, 4), RECORDS.slice(4));

it.each<[what: string, facetQuery: string, params: Partial<FacetSearchParams<JsonRecord>>, found: string]>([
  ["those with the text in any word", "bosch", {}, "Bosch 2, bösch-rexroth 1, Big Bosch 1"],
  ["the most frequent first, where no text is given", "  ", { maxFacetHits: 1 }, "Bosch 2"],
  ["none where none is wanted", "", { maxFacetHits: 0 }, ""],
  ["of other attributes", "", { facetName: "title" }, "drill 5, saw 4"],
  ["of numbers", "7", { facetName: "price" }, "7 1"],
  ["counted by words", "bosch", { query: "saw" }, "Bosch 1, bösch-rexroth 1, Big Bosch 1"],
  ["counted by filters", "bosch", { filters: "price < 2" }, "Bosch 1"],
  ["whatever else of them is chosen", "big", { facetFilters: [["brand:Bosch"]] }, "Big Bosch 1"],
  ["counted by other choices", "big", { facetFilters: ["title:drill"] }, ""],
  ["with one typing error", "bocsh", {}, "Bosch 2, bösch-rexroth 1, Big Bosch 1"],
  ["without typing errors", "bocsh", { typoTolerance: false }, ""],
  ["the one that equals the text first, however rare", "BIG-BOSCH", { maxFacetHits: 1 }, "Big Bosch 1"],
  ["cut after they are ordered", "bosch", { filters: "price > 2", maxFacetHits: 1 }, "bösch-rexroth 1"],
])("finds values of a facet, %s: %s, %j", async (_, facetQuery, params, found) => {
  const { facetHits } = await index.searchForFacetValues({ facetName: "brand", facetQuery, ...params });
  expect(facetHits.map(({ value, count }) => `${value} ${count}`).join(", ")).toBe(found);
});

it("values of a facet are found by parameters in one text, too", async () => {
  const params = "facetName=brand&facetQuery=bosch&query=saw&maxFacetHits=1&filters=price%3E0";
  expect(await index.searchForFacetValues({ params })).toEqual({ facetHits: [{ value: "Bosch", count: 1 }] });
  const mixed = { params, facetName: "brand" } as object as FacetSearchParams<JsonRecord>;
  expect(await rejectionOf(index.searchForFacetValues(mixed))).toMatchObject({ error: "params_not_alone" });
});
