// The checker of test/support/check-query.ts complains about each way in which an answer can be wrong.

import { describe, expect, it } from "vitest";
import type { EncodedParams, Hit, SearchData, SearchIndex, SearchParams } from "../../src/index.js";
import { type Asked, checkQuery, type Snapshots } from "../support/check-query.js";
import { plainShop } from "../support/plain-shop.js";

const RECORDS = ["Volt", "Volt", "Hem", "Hem", "Hem"].map((brand, i) => ({ id: i + 1, title: "drill", brand }));
const ASKED: SearchParams = { query: "drill", facets: ["brand"], hitsPerPage: 4 };

/** What is wrong in the answer to these parameters, the query of that number; false: nothing. */
type Break = (data: SearchData, params: SearchParams & Partial<EncodedParams>, count: number) => object | false;

function broken(index: SearchIndex, spoil: Break): Asked {
  let count = 0;
  const query = async (params: SearchParams | EncodedParams) => {
    const answer = await index.query(params);
    return { ...answer, data: { ...answer.data, ...spoil(answer.data, params as SearchParams, ++count) } };
  };
  return { query, whyNot: index.whyNot.bind(index) } as Asked;
}

const swapped = ({ hits }: SearchData): object => ({ hits: [...hits].reverse() });
const explained = (hit: Hit): object => (hit.explanation ? { ...hit, explanation: {} } : hit);

it.each<[what: string, spoil: Break, says: RegExp]>([
  ["another order the second time", (data, _, count) => count === 2 && swapped(data), /asked again has .*hits/],
  ["no facets as an encoded text", (_, { params }) => params !== undefined && { facets: {} }, /encoded .* facets/],
  ["a hit on two pages", ({ hits }, { page }) => page === 2 && { hits: hits.slice(1) }, /on page 2 of 2/],
  ["hits behind the last page", (_, { page }) => page === 4 && { hits: [{}] }, /on page 4 .*not \[\]/],
  ["fewer hits on a page", (_, { page }) => page === 3 && { nbHits: 4 }, /5, and 4 on page 3/],
  ["more hits than there are", () => ({ nbHits: 6 }), /nbHits is 6, and shows 5 hits/],
  ["another page", (data, { hitsPerPage }) => hitsPerPage === 1000 && swapped(data), /on its page, not/],
  ["a wrong count", (_, { hitsPerPage }) => hitsPerPage === 0 && { nbHits: 1 }, /counts 3 for .*"Hem", which finds 1/],
  ["a part of a score that is lacking", ({ hits }) => ({ hits: hits.map(explained) }), /explains .* of the score/],
])("the checker of queries complains about %s", async (_, spoil, says) => {
  const { index } = await plainShop({}, RECORDS);
  await expect(checkQuery(broken(index, spoil), ASKED)).rejects.toThrow(says);
});

describe("the checker of queries", () => {
  it("complains about a first hit that whyNot does not find", async () => {
    const { index } = await plainShop({}, RECORDS);
    const asked = { ...broken(index, () => false), whyNot: () => index.whyNot({ query: "saw" }, 1) } as Asked;
    await expect(checkQuery(asked, ASKED)).rejects.toThrow("shows 1 first, of which whyNot says membership");
  });

  it("complains about a snapshot that answers otherwise, and makes it again after a write", async () => {
    const [{ index, engine }, other] = [await plainShop({}, RECORDS), await plainShop({}, RECORDS.slice(2))];
    expect((await checkQuery(index, ASKED, engine)).hits.map(({ id }) => id)).toEqual(["1", "2", "3", "4"]);
    await index.deleteRecords([1]);
    await checkQuery(index, ASKED, engine);
    await index.deleteRecords([2, 3]);
    const readSnapshot = async () => ({ records: 0 });
    const writeSnapshot = engine.writeSnapshot.bind(engine);
    const lying = { writeSnapshot, readSnapshot, index: () => other.index } as Snapshots;
    await expect(checkQuery(index, ASKED, lying)).rejects.toThrow(/of the snapshot has other nbHits: 3, not 2/);
  });

  it("counts beside choices as one chooses", async () => {
    const { index } = await plainShop({}, RECORDS);
    for (const facetFilters of [{ brand: ["Hem"] }, [["brand:Hem"]], ["brand:-Volt"]])
      await checkQuery(index, { query: "drill", facets: ["brand"], facetFilters, offset: 1, length: 2 });
  });
});
