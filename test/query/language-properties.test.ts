// What must hold for every shop and every request of the query language.

import { expect } from "vitest";
import { escapeHtml } from "../../src/query/shape/highlight.js";
import { checkQuery } from "../support/check-query.js";
import { plainShop } from "../support/plain-shop.js";
import { property, type Random } from "../support/random.js";
import { randomRecords, randomRequest, randomWords, SINGLE } from "../support/random-values.js";

/** A shop in two segments, with some records written twice; all attributes are known. */
async function randomShop(random: Random) {
  const records = randomRecords(random, 40);
  const settings = {
    attributesForFaceting: [...SINGLE, "colors", "kind"],
    attributeForDistinct: "brand",
    ...(random.chance(0.3) ? { distinct: true } : {}),
  };
  return plainShop(settings, records.slice(0, 15), records.slice(10));
}

property("what always holds does for any request", 150, async (random) => {
  const { index } = await randomShop(random);
  await checkQuery(index, randomRequest(random));
});

property("a highlighted text without its tags is the escaped text", 60, async (random) => {
  const { index } = await randomShop(random);
  const params = {
    query: randomWords(random),
    attributesToHighlight: ["*" as const],
    attributesToSnippet: ["title:500"],
  };
  const tags = { highlightPreTag: "\u0001", highlightPostTag: "\u0002" };
  for (const { source, _highlightResult, _snippetResult } of (await index.query({ ...params, ...tags })).data.hits)
    for (const shown of [_highlightResult, _snippetResult]) {
      const { value } = shown!.title as { value: string };
      expect(value.replace(/[\u0001\u0002]/g, "")).toBe(escapeHtml(String(source.title)));
      expect(value.replace(/[^\u0001\u0002]/g, "")).toMatch(/^(\u0001\u0002)*$/);
    }
});
