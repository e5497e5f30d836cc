// Which item of a list matches: hand-made records, and what the random tests of test/oracle cannot ask for.

import { describe, expect, it } from "vitest";
import { type FilterObject, type JsonRecord, SearchEngine, type SearchIndex, type SearchParams } from "../src/index.js";
import { fromOutside } from "../src/input/call-options.js";
import { rejectionOf } from "./support/refusal.js";
import { seq } from "./support/seq.js";

const v = (size: string, color: string, price: number, ...stock: number[]): JsonRecord => ({
  ...{ size, color, price },
  stock: stock.map((n) => ({ n })),
});
const SHIRTS: readonly JsonRecord[] = [
  { id: "a", title: "shirt", variants: [v("M", "red", 9, 0), v("L", "blue", 15, 2, 0)] },
  { id: "b", title: "shirt", variants: [v("S", "red", 5, 1), v("M", "blue", 20, 3)] },
  { id: "c", title: "shirt", variants: v("M", "blue", 12) },
  { id: "d", title: "shirt", variants: [null, "M", [v("M", "green", 7), [v("S", "blue", 8)]]] },
  { id: "e", title: "shirt" },
];

async function shirts(settings: object = {}, records: readonly JsonRecord[] = SHIRTS): Promise<SearchIndex> {
  const index = await new SearchEngine().createIndex("shirts", { embedder: false, ...settings });
  await index.addRecords(records);
  return index;
}

const ask = async (index: SearchIndex, params: Partial<SearchParams>) =>
  (await index.query({ query: "", ...params })).data;
const placesOf = ({ hits }: Awaited<ReturnType<typeof ask>>) => hits.map(({ id, matchedItems }) => [id, matchedItems]);
const idsOf = ({ hits }: Awaited<ReturnType<typeof ask>>) => hits.map(({ id }) => id).join("");

describe("items", () => {
  it.each<[filters: SearchParams["filters"], list: string, places: Record<string, number[]>]>([
    ["variants{size:M} OR title:shirt", "variants", { a: [0], b: [1], c: [0], d: [2], e: [] }],
    ["variants{NOT size:M}", "variants", { a: [1], b: [0], d: [3] }],
    [{ variants: { some: { stock: { some: { n: { gte: 2 } } } } } }, "variants", { a: [1], b: [1] }],
    ["variants.stock{n:0}", "variants.stock", { a: [0, 2] }],
  ])("have places in their list, whatever else is in it, also where no record is read: %j", async (filters, list, places) => {
    const index = await shirts();
    const expected = Object.entries(places).map(([id, found]) => [id, { [list]: found }]);
    for (const more of [{}, { attributesToRetrieve: [] }])
      expect(placesOf(await ask(index, { filters, ...more })).sort()).toEqual(expected);
  });

  it("of hostile names are own properties", async () => {
    const hostile = '[{"id":"x","__proto__":[{"constructor":1},{"constructor":2}]}]';
    const index = await shirts({}, JSON.parse(hostile) as JsonRecord[]);
    const params = { filters: "__proto__{constructor:2}", facets: ["__proto__.constructor"] };
    const { hits, facets } = await ask(index, params);
    expect(JSON.stringify(hits[0]!.matchedItems)).toBe('{"__proto__":[1]}');
    expect(JSON.stringify(facets)).toBe('{"__proto__.constructor":[{"value":2,"count":1}]}');
  });

  it("are no attributes of records, whatever these are called", async () => {
    const odd = "\u0000values\u00008\u0000variantssize";
    const index = await shirts({}, [...SHIRTS, { id: "odd", [odd]: "M" }]);
    const { facets } = await ask(index, { filters: "variants{size:M}", facets: ["*"] });
    expect(facets).not.toHaveProperty([odd]);
    for (const filters of [`${JSON.stringify(odd)}:M`, { [odd]: "M" }])
      await expect(index.query({ query: "", filters })).rejects.toMatchObject({ error: "unknown_filter_field" });
  });

  it("do not match by what stands under NOT, in boosts and in the bounds of a key", async () => {
    const engine = new SearchEngine();
    const boosts = [{ filters: { variants: { some: { size: "M", color: "blue" } } }, weight: 0.5 }];
    const index = await engine.createIndex("s", { embedder: false, boosts });
    await index.addRecords(SHIRTS);
    expect(placesOf(await ask(index, { filters: "NOT variants{size:S}" }))).toEqual(
      [["c"], ["a"], ["e"]].map(([id]) => [id, undefined]),
    );
    const within = { filters: "variants{size:M}" };
    const params = { query: "", filters: "variants{color:red}", facets: ["variants.size"] };
    const { data } = await engine.query("s", params, fromOutside({}, within));
    expect(placesOf(data as never)).toEqual(["b", "a"].map((id) => [id, { variants: [0] }]));
    expect(data.facets!["variants.size"]).toEqual(["M", "S"].map((value) => ({ value, count: 1 })));
  });
});

describe("what matching items have", () => {
  it("is ordered, counted and refined by", async () => {
    const index = await shirts({}, SHIRTS.slice(0, 4));
    const asked = { query: "shirt", filters: "variants{size:M} OR variants{color:blue}" };
    for (const [more, ids] of [
      [{ sort: ["variants.price:asc"] }, "dacb"],
      [{ sort: ["variants.color:desc"], filters: "variants{size:M}" }, "adbc"],
      [{ numericFilters: ["variants.price<9"] }, "d"],
      [{ facetFilters: { "variants.size": "S" } }, "d"],
    ] as const)
      expect(idsOf(await ask(index, { ...asked, ...more })), JSON.stringify(more)).toBe(ids);
    const { facets, facetStats } = await ask(index, { ...asked, facets: ["variants.*"], hitsPerPage: 0 });
    expect(Object.keys(facets!)).toEqual(["variants.color", "variants.price", "variants.size", "variants.stock.n"]);
    expect(facets!["variants.size"]!.map(({ value, count }) => `${value} ${count}`)).toEqual(["M 4", "L 1", "S 1"]);
    expect(facetStats!["variants.price"]).toMatchObject({ min: 7, max: 20 });
  });

  it("counts where it is in a matching item of each bound list around it", async () => {
    const index = await shirts();
    const filters = "variants{size:L} OR variants.stock{n < 2}";
    const data = await ask(index, { filters, facets: ["variants.stock.n"], sort: ["variants.stock.n:asc"] });
    expect(placesOf(data)).toEqual([
      ["a", { variants: [1], "variants.stock": [0, 2] }],
      ["b", { variants: [], "variants.stock": [0] }],
    ]);
    expect(data.facets).toEqual({ "variants.stock.n": [{ value: 0, count: 1 }] });
    const refined = ["variants.stock.n=1", "variants.stock.n!=0"].map((one) =>
      ask(index, { filters, numericFilters: [one] }),
    );
    expect((await Promise.all(refined)).map(({ nbHits }) => nbHits)).toEqual([0, 1]);
  });

  it("is where it is, for places", async () => {
    const spot = (lat: number): JsonRecord => ({ lat, lng: 0 });
    const index = await shirts({}, [
      { id: "n", _geoloc: [spot(1), spot(50)] },
      { id: "f", _geoloc: [spot(40)] },
    ]);
    const sort = ["_geoPoint(0,0):asc"] as const;
    expect(idsOf(await ask(index, { sort }))).toBe("nf");
    expect(idsOf(await ask(index, { sort, filters: "_geoloc{lat > 30}" }))).toBe("fn");
  });

  it("stays the same when segments are merged", async () => {
    const index = await shirts({}, []);
    for (const record of SHIRTS) await index.addRecords([record]);
    const shown = { facets: ["variants.color"], sort: ["variants.price:desc"] as const };
    const before = await ask(index, { filters: "variants{size:M}", ...shown });
    await index.addRecords(seq(9, (i) => ({ id: `z${i}`, variants: [{ size: "XS" }] })));
    await index.deleteBy({ filters: "variants{size:XS}" });
    await index.whenIdle();
    const { hits, facets } = await ask(index, { filters: "variants{size:M}", ...shown });
    expect([hits, facets]).toEqual([before.hits, before.facets]);
  });
});

it("finds no items of a list that is reached by a dotted name only", async () => {
  const index = await shirts({}, []);
  await index.addRecords([{ id: 1, title: "one", a: [{ x: 1, b: [{ y: 1, c: [{ n: 3 }] }] }] }]);
  await index.addRecords([{ id: 2, title: "two", a: [{ x: 1, "b.c": [{ n: 1 }] }] }]);
  const filters = "a{x:1} AND a.b.c{n>0} AND (a.b{y:1} OR title EXISTS)";
  const data = await ask(index, { filters, facets: ["a.b.c.n"], sort: ["a.b.c.n:asc"] });
  expect([idsOf(data), data.facets]).toEqual(["12", { "a.b.c.n": [{ value: 3, count: 1 }] }]);
  expect(idsOf(await ask(index, { filters, numericFilters: ["a.b.c.n>0"] }))).toBe("1");
});

it("deletes by one item, but not every record by what cannot be", async () => {
  const index = await shirts();
  const never: FilterObject = { NOT: { variants: { some: { size: [] } } } };
  await expect(index.deleteBy({ filters: never })).rejects.toMatchObject({ error: "invalid_filter" });
  expect(await index.deleteBy({ filters: "variants{size:M AND color:blue}" })).toEqual({ deleted: 2 });
});

it("refuses items where values are chosen", async () => {
  const params = JSON.parse('{"query":"","facetFilters":{"variants":{"some":{"size":"M"}}}}') as SearchParams;
  expect(await rejectionOf((await shirts()).query(params))).toMatchObject({ error: "invalid_facet_filters" });
});

describe("one value of a list", () => {
  const day = (at: string): string => `2024-01-${at}`;
  const RATED: readonly JsonRecord[] = [
    { id: "a", ratings: [2, 5], days: [day("01"), day("09")], variants: [v("M", "red", 60), v("L", "red", 95)] },
    { id: "b", ratings: [4, "4"], days: day("05T10:00Z"), variants: [v("M", "red", 80, 7)] },
    { id: "c", ratings: 3, days: [5, "soon"], variants: [{ prices: [60, 95] }, { prices: [[70]] }] },
    { id: "d", ratings: ["4"], variants: [{ gt: 5 }, { gt: [3, 4], lt: 9 }] },
  ];

  it.each<[filters: FilterObject, text: string, ids: string]>([
    [{ ratings: { some: { gt: 3, lt: 5 } } }, "ratings{> 3 AND < 5}", "b"],
    [{ ratings: { some: { gte: 3, lte: 4, between: [0, 9] } } }, "ratings{>=3 AND <=4 AND 0 TO 9}", "bc"],
    [{ ratings: { some: { gt: 3, lt: 3 } } }, "ratings{> 3 AND < 3}", ""],
    [{ ratings: { some: { gt: 4 } } }, "ratings{>4}", "a"],
    [{ NOT: { ratings: { some: { between: [3, 4] } } } }, "NOT ratings{3 TO 4}", "ad"],
    [
      { days: { some: { gt: day("01"), lt: new Date(day("09")) } } },
      `days{> "${day("01")}" AND < "${day("09")}"}`,
      "b",
    ],
    [{ "variants.price": { some: { gte: 70, lt: 90 } } }, "variants.price{>= 70 AND < 90}", "b"],
    [
      { variants: { some: { stock: { some: { n: { some: { gt: 6, lt: 8 } } } } } } },
      "variants{stock{n{>6 AND <8}}}",
      "b",
    ],
    [{ variants: { some: { prices: { some: { gt: 60, lt: 90 } } } } }, "variants{prices{>60 AND < 90}}", "c"],
    [{ variants: { some: { gt: { eq: 3 } } } }, "variants{gt:3}", "d"],
    [{ variants: { some: { gt: 3, lt: { eq: 9 } } } }, "variants{gt:3 AND lt:9}", "d"],
  ])("meets all bounds: %j", async (filters, text, ids) => {
    const index = await shirts({}, RATED);
    const found = [await ask(index, { filters }), await ask(index, { filters: text })];
    expect(found.map(idsOf)).toEqual([ids, ids]);
  });

  it("binds no list, and is asked for by choices, boosts, rules and deletions, too", async () => {
    const filters = { ratings: { some: { gt: 3, lt: 5 } } };
    const rule = {
      id: "r",
      conditions: [{ context: "rated" }],
      consequence: { params: { filters: "ratings{3 TO 3}" } },
    };
    const index = await shirts({ rules: [rule] }, RATED);
    expect(placesOf(await ask(index, { filters }))).toEqual([["b", undefined]]);
    const { hits, facets } = await ask(index, { facetFilters: filters, facets: ["ratings"] });
    expect([hits.length, facets!.ratings!.length]).toEqual([1, 5]);
    expect(idsOf(await ask(index, { boosts: [{ filters, weight: 0.5 }] }))[0]).toBe("b");
    expect(placesOf(await ask(index, { ruleContexts: ["rated"] }))).toEqual([["c", undefined]]);
    expect(await index.deleteBy({ filters })).toEqual({ deleted: 1 });
  });

  it.each<[filters: unknown, msg: RegExp]>([
    [{ ratings: { some: { gt: 3, lt: "2024-01-01" } } }, /some is numbers and dates; expected bounds/],
    [{ ratings: { some: { gt: "soon" } } }, /gt is "soon"; expected a finite number/],
    [{ ratings: { some: { lt: [3] } } }, /lt is an array/],
    [{ ratings: { some: { gt: null } } }, /gt is null/],
    ['ratings{> 3 AND < "2024-01-01"}', /position 0: found numbers and dates/],
    ["ratings{> 3 OR < 1}", /position 12: found "OR"; expected AND or "}"; one value/],
    ["ratings{> 3 AND days:5}", /position 16: found "days"; expected a bound/],
    ["ratings{> 3", /position 7: found a "{" that is never closed/],
    ["ratings{> x}", /position 10: found "x"; expected a number/],
  ])("refuses %j", async (filters, msg) => {
    const refused = (await shirts({}, RATED)).query({ query: "", filters: filters as string });
    expect(await rejectionOf(refused)).toMatchObject({ error: "invalid_filter", msg: expect.stringMatching(msg) });
  });
});
