// What must hold for every shop and every request of the query language.

import { expect } from "vitest";
import type { JsonRecord } from "../../src/index.js";
import { escapeHtml } from "../../src/query/shape/highlight.js";
import { checkQuery } from "../support/check-query.js";
import { plainShop } from "../support/plain-shop.js";
import { property, type Random } from "../support/random.js";
import { randomFilter, randomRecords, randomRequest, randomWords, SINGLE } from "../support/random-values.js";

/** A shop in two segments, with some records written twice; all attributes are known. */
async function randomShop(random: Random) {
  const records = randomRecords(random, 40);
  const settings = {
    attributesForFaceting: [...SINGLE, "colors", "kind"],
    attributeForDistinct: "brand",
    ...(random.chance(0.3) ? { distinct: true } : {}),
  };
  return { records, ...(await plainShop(settings, records.slice(0, 15), records.slice(10))) };
}

property("a filter of text and its object pass the same records", 40, async (random) => {
  const { ids } = await randomShop(random);
  const { text, object } = randomFilter(random, 4);
  expect(await ids({ filters: text }), text).toEqual(await ids({ filters: object }));
});

property("a filter and its negation part the records, and twice negated it is itself", 40, async (random) => {
  const { ids } = await randomShop(random);
  const { text } = randomFilter(random, 3);
  const base = { distinct: false };
  const [passed, others] = [await ids({ ...base, filters: text }), await ids({ ...base, filters: `NOT (${text})` })];
  expect([...passed, ...others].sort(), text).toEqual((await ids(base)).sort());
  expect(await ids({ ...base, filters: `NOT (NOT (${text}))` }), text).toEqual(passed);
});

property("negated AND is OR of negations, negated OR is AND of them", 40, async (random) => {
  const { ids } = await randomShop(random);
  const [a, b] = [randomFilter(random, 3).text, randomFilter(random, 3).text];
  const query = randomWords(random);
  const same = async (one: string, other: string) =>
    expect(await ids({ query, filters: one }), one).toEqual(await ids({ query, filters: other }));
  await same(`NOT (${a} AND ${b})`, `NOT (${a}) OR NOT (${b})`);
  await same(`NOT (${a} OR ${b})`, `NOT (${a}) AND NOT (${b})`);
});

property("counts of an attribute with one value sum to the hits that have it", 40, async (random) => {
  const { index, ids, records } = await randomShop(random);
  const params = { query: randomWords(random), distinct: false };
  const byId = new Map(records.map((record) => [String(record.id), record]));
  const { facets } = (await index.query({ ...params, facets: SINGLE, maxValuesPerFacet: 1000 })).data;
  const hits = (await ids(params)).map((id) => byId.get(id)!);
  for (const attribute of SINGLE) {
    const sum = facets![attribute]!.reduce((total, { count }) => total + count, 0);
    expect(sum, attribute).toBe(hits.filter((record) => valueAt(record, attribute) !== undefined).length);
  }
});

function valueAt(record: JsonRecord, path: string): unknown {
  return path === "kind.main" ? (record.kind as { main?: string } | null | undefined)?.main : record[path];
}

property("the number beside a value is what clicking it leaves", 25, async (random) => {
  const { ids } = await randomShop(random);
  const facetFilters = random.pick([{}, { "kind.main": ["tools"] }, { brand: ["Forge", "Volt"] }]);
  const params = { query: randomWords(random), filters: randomFilter(random, 2).object };
  await ids({ ...params, facetFilters, facets: ["brand", "colors", "price"] });
});

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
