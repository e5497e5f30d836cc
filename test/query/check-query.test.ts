// The checker of test/support/check-query.ts complains about each way in which an answer can be wrong.

import { describe, expect, it } from "vitest";
import type { EncodedParams, Hit, SearchData, SearchIndex, SearchParams } from "../../src/index.js";
import { type Asked, checkQuery, type Snapshots } from "../support/check-query.js";
import { plainShop } from "../support/plain-shop.js";

const RECORDS = ["Volt", "Volt", "Hem", "Hem", "Hem"].map((brand, i) => ({ id: i + 1, title: "drill", brand }));
const ASKED: SearchParams = { query: "drill", facets: ["brand"], hitsPerPage: 4 };

type Break = (data: SearchData, params: SearchParams | EncodedParams, count: number) => SearchData | undefined;

/** The index with answers that are broken; undefined: this one is not. */
function broken(index: SearchIndex, spoil: Break): Asked {
  let count = 0;
  const query = async (params: SearchParams | EncodedParams) => {
    const answer = await index.query(params);
    return { ...answer, data: spoil(answer.data, params, ++count) ?? answer.data };
  };
  return { query, whyNot: index.whyNot.bind(index) } as Asked;
}

const swapped = (data: SearchData): SearchData => ({ ...data, hits: [...data.hits].reverse() });
const explained = (hit: Hit): Hit => (hit.explanation ? { ...hit, explanation: { lexical: undefined as never } } : hit);
const is = (params: SearchParams | EncodedParams, more: SearchParams | object): boolean =>
  Object.entries(more).every(([name, value]) => Reflect.get(params, name) === value);

const BREAKS: readonly (readonly [what: string, spoil: Break, says: RegExp])[] = [
  [
    "another order the second time",
    (data, _, count) => (count === 2 ? swapped(data) : undefined),
    /asked again has .*hits/,
  ],
  [
    "no facets as an encoded text",
    (data, p) => ("params" in p ? { ...data, facets: {} } : undefined),
    /encoded .* facets/,
  ],
  [
    "a hit on two pages",
    (data, p) => (is(p, { page: 2 }) ? { ...data, hits: data.hits.slice(1) } : undefined),
    /on page 2 of 2/,
  ],
  [
    "hits behind the last page",
    (data, p) => (is(p, { page: 4 }) ? { ...data, hits: [{} as Hit] } : undefined),
    /on page 4 .*not \[\]/,
  ],
  [
    "fewer hits on a page",
    (data, p) => (is(p, { page: 3 }) ? { ...data, nbHits: 4 } : undefined),
    /5, and 4 on page 3/,
  ],
  ["more hits than there are", (data) => ({ ...data, nbHits: 6 }), /nbHits is 6, and shows 5 hits/],
  [
    "another page than asked for",
    (data, p) => (is(p, { hitsPerPage: 1000 }) ? swapped(data) : undefined),
    /on its page, not/,
  ],
  [
    "a wrong count",
    (data, p) => (is(p, { hitsPerPage: 0 }) ? { ...data, nbHits: 1 } : undefined),
    /counts 3 for the brand "Hem", which finds 1/,
  ],
  [
    "an explanation that lacks a part",
    (data) => ({ ...data, hits: data.hits.map(explained) }),
    /explains .* of the score/,
  ],
];

describe("the checker of queries", () => {
  it("returns the answer of an index that is as it should be, and of its snapshot", async () => {
    const { index, engine } = await plainShop({}, RECORDS);
    const { hits, facets } = await checkQuery(index, ASKED, engine);
    expect([hits.map(({ id }) => id), facets!.brand]).toEqual([
      ["1", "2", "3", "4"],
      [
        { value: "Hem", count: 3 },
        { value: "Volt", count: 2 },
      ],
    ]);
  });

  it.each(BREAKS)("complains about %s", async (_, spoil, says) => {
    const { index } = await plainShop({}, RECORDS);
    await expect(checkQuery(broken(index, spoil), ASKED)).rejects.toThrow(says);
  });

  it("complains about a first hit that whyNot does not find", async () => {
    const { index } = await plainShop({}, RECORDS);
    const asked = { ...broken(index, () => undefined), whyNot: () => index.whyNot({ query: "saw" }, 1) } as Asked;
    await expect(checkQuery(asked, ASKED)).rejects.toThrow("shows 1 first, of which whyNot says membership");
  });

  it("complains about a snapshot that answers otherwise, and makes it again after a write", async () => {
    const [{ index, engine }, other] = [await plainShop({}, RECORDS), await plainShop({}, RECORDS.slice(2))];
    await checkQuery(index, ASKED, engine);
    await index.deleteRecords([1]);
    await checkQuery(index, ASKED, engine);
    await index.deleteRecords([2, 3]);
    const readSnapshot = async () => ({ records: 0 });
    const lying = {
      writeSnapshot: engine.writeSnapshot.bind(engine),
      readSnapshot,
      index: () => other.index,
    } as Snapshots;
    await expect(checkQuery(index, ASKED, lying)).rejects.toThrow(/of the snapshot has other nbHits: 3, not 2/);
  });

  it("counts beside choices as one chooses", async () => {
    const { index } = await plainShop({}, RECORDS);
    for (const facetFilters of [{ brand: ["Hem"] }, [["brand:Hem"]], ["brand:-Volt"]])
      await checkQuery(index, { query: "drill", facets: ["brand"], facetFilters, offset: 1, length: 2 });
  });
});
