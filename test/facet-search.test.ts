import { describe, expect, it } from "vitest";
import type { FacetSearchParams, JsonRecord } from "../src/index.js";
import { plainShop } from "./support/plain-shop.js";

const BRANDS = ["Black & Decker", "Bosch", "Bosch", "Émile Henry", "De'Longhi", "bösch-rexroth", "7Seas", "Big Bosch"];
const RECORDS: readonly JsonRecord[] = [
  ...BRANDS.map((brand, id) => ({ id, title: id % 2 === 0 ? "drill" : "saw", brand, price: id })),
  { id: "none", title: "drill" },
];

describe("the values of a facet", async () => {
  const { index } = await plainShop({}, RECORDS.slice(0, 4), RECORDS.slice(4));
  const found = async (params: FacetSearchParams<JsonRecord>) =>
    (await index.searchForFacetValues(params)).facetHits.map(({ value, count }) => `${value} ${count}`);
  const brands = (facetQuery: string) => found({ facetName: "brand", facetQuery });

  it("begin with the text in any of their words, case and accents aside", async () => {
    expect(await brands("bosch")).toEqual(["Bosch 2", "bösch-rexroth 1", "Big Bosch 1"]);
    expect(await brands("REX")).toEqual(["bösch-rexroth 1"]);
    expect(await brands("emile h")).toEqual(["Émile Henry 1"]);
    expect(await brands("longhi")).toEqual(["De'Longhi 1"]);
    expect(await brands("sch")).toEqual([]);
  });

  it("are all of them, the most frequent first, where no text is given", async () => {
    expect(await found({ facetName: "brand" })).toHaveLength(7);
    expect((await found({ facetName: "brand", facetQuery: "  " }))[0]).toBe("Bosch 2");
  });

  it("are the same for parameters in one text", async () => {
    const text = "facetName=brand&facetQuery=bosch&query=saw&maxFacetHits=1&filters=price%3E0";
    expect(await index.searchForFacetValues({ params: text })).toEqual({ facetHits: [{ value: "Bosch", count: 1 }] });
    const mixed = { params: text, facetName: "brand" } as object as FacetSearchParams<JsonRecord>;
    await expect(index.searchForFacetValues(mixed)).rejects.toMatchObject({ error: "params_not_alone" });
    await expect(index.searchForFacetValues({ params: "facetName=brand&maxFacetHits=x" })).rejects.toMatchObject({
      ...{ error: "invalid_parameter", param: "maxFacetHits" },
    });
  });

  it("are at most as many as asked for, ten by default", async () => {
    expect(await found({ facetName: "brand", maxFacetHits: 2 })).toHaveLength(2);
    expect(await found({ facetName: "brand", maxFacetHits: 0 })).toEqual([]);
    expect(await found({ facetName: "title" })).toEqual(["drill 5", "saw 4"]);
  });

  it("count as the query counts them: by words, filters and other clicks", async () => {
    expect(await found({ facetName: "brand", facetQuery: "bosch", query: "saw" })).toEqual([
      "Bosch 1",
      "bösch-rexroth 1",
      "Big Bosch 1",
    ]);
    expect(await found({ facetName: "brand", facetQuery: "bosch", filters: "price < 2" })).toEqual(["Bosch 1"]);
    expect(await found({ facetName: "brand", facetQuery: "big", facetFilters: [["brand:Bosch"]] })).toEqual([
      "Big Bosch 1",
    ]);
    expect(await found({ facetName: "brand", facetQuery: "big", facetFilters: ["title:drill"] })).toEqual([]);
  });

  it("are those with one typing error where there are no others, unless that is turned off", async () => {
    expect(await brands("bocsh")).toEqual(["Bosch 2", "bösch-rexroth 1", "Big Bosch 1"]);
    expect(await brands("delonhgi")).toEqual(["De'Longhi 1"]);
    expect(await found({ facetName: "brand", facetQuery: "bocsh", typoTolerance: false })).toEqual([]);
    expect(await brands("umbrella")).toEqual([]);
  });

  it("are cut only after they are ordered: the one that equals the text is first, however rare", async () => {
    expect(await found({ facetName: "brand", facetQuery: "BIG-BOSCH", maxFacetHits: 1 })).toEqual(["Big Bosch 1"]);
    expect(await found({ facetName: "brand", facetQuery: "bosch", filters: "price > 2", maxFacetHits: 1 })).toEqual([
      "bösch-rexroth 1",
    ]);
  });

  it("may be numbers", async () => {
    expect(await found({ facetName: "price", facetQuery: "7" })).toEqual(["7 1"]);
  });
});
