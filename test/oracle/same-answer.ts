// The engine's answer is the twin's: on every page, in both forms of the parameters.

import { expect } from "vitest";
import type { EncodedParams, Hit, JsonRecord, SearchAnswer, SearchIndex, SearchParams } from "../../src/index.js";
import { type NaiveAnswer, NaiveEngine } from "../support/naive-engine.js";
import { project } from "../support/naive-projection.js";
import type { Random } from "../support/random.js";
import type { Shop } from "../support/random-shop.js";
import { idOf, withShop } from "./build-index.js";

export function encoded(params: SearchParams): EncodedParams {
  const pairs = Object.entries(params).map(([name, value]): [string, string] => [
    name,
    typeof value === "object" ? JSON.stringify(value) : String(value),
  ]);
  return { params: new URLSearchParams(pairs).toString() };
}

/** Every page of the answer is the expected one, all on one page and on several. */
export async function expectAnswer(
  index: { readonly query: (params: SearchParams | EncodedParams) => Promise<SearchAnswer> },
  expected: NaiveAnswer,
  params: SearchParams,
  random: Random,
): Promise<void> {
  const most = Math.max(1, Math.ceil(expected.nbHits / random.between(2, 5)));
  // At most eight pages.
  const size = random.between(Math.ceil(most / 2), most);
  // With groups, an answer has at most 1,000 records.
  const largest = expected.nbRecords === undefined ? 1000 : 10;
  const { hits: expectedHits, ...expectedRest } = expected;
  for (const hitsPerPage of [largest, Math.min(size, largest)]) {
    const hits: unknown[] = [];
    const pages = Math.ceil(expected.nbHits / hitsPerPage);
    for (let page = 1; page <= pages + 1; page++) {
      const slice = { offset: (page - 1) * hitsPerPage, length: hitsPerPage };
      const asked = {
        ...params,
        ...(random.chance(0.3) ? slice : { page, hitsPerPage }),
        ...(random.chance(0.2) ? { getParsedQuery: true } : {}),
        ...(random.chance(0.2) ? { getMatchInfo: true } : {}),
      };
      const { data } = await index.query(random.chance(0.5) ? asked : encoded(asked));
      const { nbHits, nbRecords, recallSource, facets, facetStats, appliedRules, userData } = data;
      const rest = { nbHits, nbRecords, recallSource, facets, facetStats, appliedRules, userData };
      expect(rest, JSON.stringify(asked)).toEqual(expectedRest);
      expect(Object.keys(facets ?? {}), JSON.stringify(asked)).toEqual(Object.keys(expected.facets ?? {}));
      expect([data.hits.length <= hitsPerPage, data.page, data.hitsPerPage]).toEqual([true, page, hitsPerPage]);
      const shown = ({ id, score, source, _geoDistance, matchedItems }: Omit<Hit, "group">): object => {
        if (params.attributesToRetrieve === undefined) expect(String(source.id)).toBe(id);
        return { id, score, _geoDistance, matchedItems };
      };
      for (const { group, ...hit } of data.hits)
        hits.push({ ...shown(hit), group: group && { ...group, hits: group.hits.map(shown) } });
    }
    expect(hits, JSON.stringify({ ...params, hitsPerPage })).toEqual(expectedHits);
  }
}

/** One page of the answer, found without the others, is the expected one. */
export async function expectPage(
  index: SearchIndex,
  { hits, ...rest }: NaiveAnswer,
  params: SearchParams,
): Promise<void> {
  const { page = 1, hitsPerPage = 12 } = params;
  const { data } = await index.query(params);
  expect(data, JSON.stringify(params)).toMatchObject(rest);
  const shown = data.hits.map(({ id, score }) => ({ id, score }));
  expect(shown, JSON.stringify(params)).toEqual(hits.slice((page - 1) * hitsPerPage, page * hitsPerPage));
}

/** What hits show is what their records have of it. */
async function expectSources(index: SearchIndex, records: readonly JsonRecord[], params: SearchParams): Promise<void> {
  const byId = new Map(records.map((record) => [String(idOf(record)), record]));
  const { data } = await index.query({ ...params, hitsPerPage: 1000 });
  const shown = data.hits.map(({ id }) => project(byId.get(id)!, params.attributesToRetrieve));
  const sources = data.hits.map(({ source }) => source);
  expect(sources, JSON.stringify(params)).toEqual(shown);
}

/** However the records came in, batches up to the largest given, every query is answered as the twin answers it. */
export async function expectSameShop(shop: Shop, random: Random, largest: readonly number[]): Promise<void> {
  const naive = new NaiveEngine(shop.naive, shop.records);
  const answers = shop.queries.map((params) => [params, naive.query(params)] as const);
  for (const most of largest)
    await withShop(shop, random, most, async (index) => {
      for (const [params, expected] of answers) await expectAnswer(index, expected, params, random);
      for (const params of shop.queries)
        if (params.attributesToRetrieve !== undefined) await expectSources(index, shop.records, params);
      expect(await index.getRecords(shop.records.map(idOf))).toEqual(shop.records);
    });
}
