import { expect, it } from "vitest";
import { plainShop } from "../support/plain-shop.js";

it("gives the documented keys in the documented order, offset and length behind the page, and nothing more", async () => {
  const { index } = await plainShop({}, [{ id: 1, title: "drill", price: 5 }]);
  const keysOf = async (params: object): Promise<string> => {
    const { data, ...envelope } = await index.query({ query: "drill", ...params });
    expect(envelope).toEqual({ msg: "success", code: 200 });
    return Object.keys(data).join(" ");
  };
  const head = "query indexUse recallSource nbHits page hitsPerPage";
  expect(await keysOf({})).toBe(`${head} serverTimeMS processingTimeMS hits`);
  const all = { offset: 0, facets: ["price"], getMatchInfo: true, getParsedQuery: true };
  const asked = "facets facetStats parsedQuery matchInfo";
  expect(await keysOf(all)).toBe(`${head} offset length serverTimeMS processingTimeMS hits ${asked}`);
});
