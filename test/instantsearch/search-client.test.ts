// The search client by itself: requests in all their forms, answers in Algolia's shape, and what is refused.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, expectTypeOf, it } from "vitest";
import * as tandem from "../../src/index.js";
import { type SearchAnswer, SearchEngine, SearchError, type SearchWarning } from "../../src/index.js";
import { PARAMETERS } from "../../src/input/parameter-table.js";
import {
  createInstantSearchClient,
  type InstantSearchOptions,
  type InstantSearchResult,
} from "../../src/instantsearch.js";
import { cells, PARAMETER_VALUES, refusedValues } from "../bad-input/refused-values.js";
import { rejectionOf, thrownBy } from "../support/refusal.js";
import { seq } from "../support/seq.js";
import { ROOT } from "../support/source-tree.js";

const RECORDS = [
  { id: 1, title: "Oak lamp", brand: "Forge", price: 10, sizes: [1, "S"], group: "a", inStock: true },
  { id: "b", title: "Steel lamp <b>", brand: "Forge & Co", price: 30, sizes: ["1", "__proto__"], group: "a" },
  { id: 3, title: "Drill", brand: "-Hem", price: 20, sizes: [], group: "b", inStock: false },
];

let warnings: SearchWarning[] = [];
afterEach(() => {
  warnings = [];
});

async function shop(records: readonly object[] = RECORDS): Promise<SearchEngine> {
  const engine = new SearchEngine({ embedder: false, onWarning: (warning) => warnings.push(warning) });
  await engine.createIndex("shop", { attributeForDistinct: "group" });
  await engine.addRecords("shop", records);
  return engine;
}

const clientOf = async (options?: InstantSearchOptions) => createInstantSearchClient(await shop(), options);

async function search(
  params: object,
  options?: InstantSearchOptions,
  indexName = "shop",
): Promise<InstantSearchResult> {
  const { results } = await (await clientOf(options)).search([{ indexName, params }]);
  return results[0]!;
}

const refusalIn = (error: unknown): SearchError => {
  if (error instanceof SearchError) return error;
  throw error;
};

const idsOf = ({ hits }: InstantSearchResult): string[] => hits.map(({ objectID }) => objectID);

describe("objectID", () => {
  it("is the attribute of ids in filters, choices, optional filters and attributes to retrieve", async () => {
    for (const params of [
      { filters: "objectID:b" },
      { filters: 'objectID:"b" AND NOT objectID:3' },
      { filters: { objectID: "b" } },
      { filters: { OR: [{ objectID: ["b"] }, { brand: "objectID" }] } },
      { facetFilters: ["objectID:b"] },
      { facetFilters: [["objectID:b", "objectID:none"]] },
    ])
      expect(idsOf(await search({ query: "", ...params })), JSON.stringify(params)).toEqual(["b"]);
    const [first] = (await search({ query: "", optionalFilters: ["objectID:3<score=2>"] })).hits;
    expect(first!.objectID).toBe("3");
    const { hits } = await search({ query: "steel", attributesToRetrieve: ["objectID"] });
    expect(hits[0]).toMatchObject({ id: "b", objectID: "b" });
    expect(hits[0]).not.toHaveProperty("title");
  });

  it("stays a value where it is one, and is what the option says", async () => {
    const engine = new SearchEngine({ embedder: false });
    await engine.createIndex("shop", { idAttribute: "the key" });
    await engine.addRecords("shop", [
      { "the key": "1", note: "objectID:2" },
      { "the key": "2", note: "objectID" },
    ]);
    const client = createInstantSearchClient(engine, { idAttribute: "the key" });
    const found = async (filters: unknown) => {
      const { results } = await client.search([{ indexName: "shop", params: { query: "", filters } }]);
      return idsOf(results[0]!);
    };
    expect(await found("objectID:2")).toEqual(["2"]);
    expect(await found('note:"objectID:2" OR objectID:2')).toEqual(["1", "2"]);
    expect(await found("note:objectID")).toEqual(["2"]);
    expect(await found({ note: "objectID" })).toEqual(["2"]);
    expect(thrownBy(() => createInstantSearchClient(engine, { idAttribute: "" }))).toMatchObject({
      ...{ error: "invalid_options", param: "idAttribute" },
    });
  });
});

describe("an answer", () => {
  it("has Algolia's shape", async () => {
    const answer = await search({ query: "oak", hitsPerPage: 2, facets: ["price"], analytics: false });
    expect(answer).toEqual({
      ...{ index: "shop", query: "oak", nbHits: 1, page: 0, nbPages: 1, hitsPerPage: 2 },
      params: "query=oak&hitsPerPage=2&facets=%5B%22price%22%5D&analytics=false",
      processingTimeMS: expect.any(Number),
      exhaustive: { facetsCount: true, nbHits: true, typo: true },
      ...{ exhaustiveFacetsCount: true, exhaustiveNbHits: true, exhaustiveTypo: true },
      facets: { price: { "10": 1 } },
      facets_stats: { price: { min: 10, max: 10, avg: 10, sum: 10 } },
      hits: [{ ...RECORDS[0], objectID: "1", _highlightResult: expect.anything() }],
    });
    expect(answer.hits[0]!._highlightResult).toMatchObject({
      title: { value: "<em>Oak</em> lamp", matchLevel: "full", fullyHighlighted: false, matchedWords: ["oak"] },
      brand: { value: "Forge", matchLevel: "none", matchedWords: [] },
    });
  });

  it("counts values as they print", async () => {
    const { facets } = await search({ facets: ["sizes", "inStock", "brand"] });
    expect(facets).toEqual({
      sizes: { "1": 2, S: 1, ["__proto__"]: 1 },
      inStock: { true: 1, false: 1 },
      brand: { "-Hem": 1, Forge: 1, "Forge & Co": 1 },
    });
    expect(await search({ facetFilters: [["sizes:1"]] })).toMatchObject({ nbHits: 2 });
  });

  it("has ranges and bars beside the values", async () => {
    const ranges = [
      [null, 20],
      [20, null],
    ] as const;
    const { facets, facetRanges } = await search({ facets: ["brand", { attribute: "price", ranges }] });
    expect(Object.keys(facets!)).toEqual(["brand"]);
    expect(facetRanges).toEqual({ price: ranges.map(([from, to], i) => ({ from, to, count: i + 1 })) });
  });

  it("counts pages from 0, and none where no hits were asked for", async () => {
    expect(await search({})).toMatchObject({ page: 0, hitsPerPage: 20, nbPages: 1, nbHits: 3 });
    expect(await search({ page: 1, hitsPerPage: 2 })).toMatchObject({ page: 1, nbPages: 2, hits: [{}] });
    expect(await search({ hitsPerPage: 0 })).toMatchObject({ page: 0, nbPages: 0, nbHits: 3, hits: [] });
    expect(await search({ hitsPerPage: 5000 })).toMatchObject({ hitsPerPage: 1000, nbPages: 1 });
    const slice = await search({ offset: 1, length: 1, page: 7, hitsPerPage: 3 });
    expect(slice).toMatchObject({ offset: 1, length: 1, page: 1, hitsPerPage: 1, nbPages: 3, nbHits: 3 });
    expect(idsOf(slice)).toEqual(["3"]);
  });

  it("has what else the engine tells", async () => {
    const more = { getParsedQuery: true, getMatchInfo: true, aroundLatLng: "48,11", explain: true };
    const answer = await search({ query: "lmap", ...more });
    expect(answer).toMatchObject({ parsedQuery: { text: "lamp" }, hits: [{ explanation: {} }, {}] });
    expect(answer).toMatchObject({ matchInfo: { nbHitsByWords: 2, allWords: true } });
    expect(answer).not.toHaveProperty("queryID");
  });

  it("has what rules say, and which items match", async () => {
    const rules = [
      { id: "m", conditions: [{ context: "mobile" }], consequence: { hide: [3], userData: { banner: "b" } } },
    ];
    const engine = await shop([
      { id: 1, title: "Oak lamp", variants: [{ size: "S" }, { size: "M" }] },
      { id: 3, title: "Oak drill", variants: [{ size: "M" }] },
    ]);
    await engine.updateSettings("shop", { rules });
    const client = createInstantSearchClient(engine);
    const params = { query: "oak", ruleContexts: ["mobile"], filters: "variants{size:M}", facets: ["variants.size"] };
    const { results } = await client.search([{ indexName: "shop", params }]);
    const answer = { appliedRules: ["m"], userData: [{ banner: "b" }], facets: { "variants.size": { M: 1 } } };
    expect(results).toMatchObject([{ ...answer, hits: [{ objectID: "1", matchedItems: { variants: [1] } }] }]);
    const [open] = (await client.search([{ indexName: "shop" }])).results;
    expect(["appliedRules", "userData", "queryID"].filter((name) => name in open!)).toEqual([]);
  });

  it("escapes texts, but not where the front end does so behind its markers", async () => {
    const markers = { highlightPreTag: "__ais-highlight__", highlightPostTag: "__/ais-highlight__" };
    for (const [params, value] of [
      [{}, "<em>Steel</em> lamp &lt;b&gt;"],
      [{ highlightPreTag: "[", highlightPostTag: "]" }, "[Steel] lamp &lt;b&gt;"],
      [markers, "__ais-highlight__Steel__/ais-highlight__ lamp <b>"],
      [{ ...markers, escapeHTML: true }, "__ais-highlight__Steel__/ais-highlight__ lamp &lt;b&gt;"],
      [{ escapeHTML: false }, "<em>Steel</em> lamp <b>"],
    ] as const)
      expect((await search({ query: "steel", ...params })).hits[0]).toMatchObject({
        _highlightResult: { title: { value } },
      });
  });

  it("highlights and shows no more than was asked for", async () => {
    const { hits } = await search({ query: "oak", attributesToHighlight: ["title"], attributesToRetrieve: ["brand"] });
    expect(hits).toEqual([{ brand: "Forge", objectID: "1", _highlightResult: { title: expect.anything() } }]);
    expect((await search({ attributesToHighlight: [] })).hits[0]).not.toHaveProperty("_highlightResult");
    const snippet = await search({ query: "oak", attributesToSnippet: ["title:1"] });
    expect(snippet.hits[0]!._snippetResult).toMatchObject({ title: { value: "<em>Oak</em>…", matchLevel: "full" } });
  });
});

describe("a request", () => {
  it.each([
    [{ facets: "brand" }, 3],
    [{ facetFilters: ["brand:-Forge"] }, 2],
    [{ facetFilters: [["brand:\\-Hem"]] }, 1],
    [{ numericFilters: ["price>=20"] }, 2],
    [{ filters: "price < 30", facetFilters: [["brand:Forge", "brand:Forge & Co"]] }, 1],
    [{ distinct: 1 }, 2],
    [{ distinct: 0 }, 3],
    [{ query: "lmap", typoTolerance: "strict" }, 2],
    [{ query: "lmap", typoTolerance: false }, 0],
    [{ optionalWords: null, aroundRadius: "all", insideBoundingBox: null, explain: ["match.alternatives"] }, 3],
    [{ insideBoundingBox: " ", tagFilters: "", insidePolygon: [] }, 3],
    [{ tagFilters: [], query: undefined, page: undefined }, 3],
  ])("takes %j", async (params, nbHits) => {
    expect(await search(params)).toMatchObject({ nbHits });
    expect(warnings).toEqual([]);
  });

  it("shows one hit of a group and its own attributes, however many the index shows", async () => {
    const engine = await shop();
    await engine.updateSettings("shop", { distinct: 3 });
    const params = { query: "lamp", attributesToRetrieve: ["group"], attributesToHighlight: [] };
    const [result] = (await createInstantSearchClient(engine).search([{ indexName: "shop", params }])).results;
    expect(result).toMatchObject({ nbHits: 1, hits: [{ group: "a" }] });
    expect(result).not.toHaveProperty("nbRecords");
  });

  it.each([
    ["50,12,40,10", ["1"]],
    ["40,10,50,12", ["1"]],
    ["50,10,40,12", ["1"]],
    ["-1,-160,-30,170", ["3", "4"]],
    ["-30,170,-1,-160", ["3", "4"]],
    ["60,170,0,-170", ["1", "2"]],
    ["0,-170,60,170", ["1", "2"]],
    ["50,12,40,10,60,20,51,12", ["1", "2"]],
  ])("takes a box by any two corners: %j", async (insideBoundingBox, ids) => {
    const places = { 1: [48, 11], 2: [52, 13], 3: [-18, 178], 4: [-14, -171] } as const;
    const records = Object.entries(places).map(([id, [lat, lng]]) => ({ id, title: "shop", _geoloc: { lat, lng } }));
    const client = createInstantSearchClient(await shop(records));
    const { results } = await client.search([{ indexName: "shop", params: { insideBoundingBox } }]);
    expect(results.map(idsOf)).toEqual([ids]);
  });

  it("may come in a list or in an object, with its parameters inside or beside the name", async () => {
    const client = await clientOf();
    const hits = async (requests: Parameters<typeof client.search>[0]) =>
      (await client.search(requests)).results.map(({ nbHits }) => nbHits);
    expect(await hits([])).toEqual([]);
    expect(await hits([{ indexName: "shop", params: { query: "lamp" } }, { indexName: "shop" }])).toEqual([2, 3]);
    const flat = { indexName: "shop", query: "lamp", type: "default" };
    expect(await hits({ requests: [flat, { indexName: "shop" }] })).toEqual([2, 3]);
  });

  it("may have all parameters of Algolia; the engine is told none that has no meaning here", async () => {
    const types = readFileSync(join(ROOT, "node_modules/@algolia/client-search/dist/node.d.ts"), "utf8");
    const namesIn = (type: string): string[] => {
      const [, body = ""] = new RegExp(`^type ${type} = \\{\n(.*?)^\\};`, "ms").exec(types) ?? [];
      return [...body.matchAll(/^ {4}(\w+)\?:/gm)].map(([, name]) => name!);
    };
    const names = ["BaseSearchParamsWithoutQuery", "IndexSettingsAsSearchParams", "SearchParamsQuery"].flatMap(namesIn);
    expect(names.length).toBeGreaterThan(60);
    const told: string[] = [];
    const refuse = (params: object): Promise<never> => {
      told.push(...Object.keys(params));
      return Promise.reject(new Error("not answered"));
    };
    const client = createInstantSearchClient({
      query: (_, params) => refuse(params),
      searchForFacetValues: (_, params) => refuse(params),
      similar: (_, __, params) => refuse(params),
    });
    for (const name of names.filter((one) => one !== "tagFilters" && one !== "insidePolygon")) {
      const requests = [{ indexName: "shop", params: { [name]: 0 } }];
      await expect(client.search(requests)).rejects.toThrow("not answered");
    }
    expect(told.filter((name) => !Object.hasOwn(PARAMETERS, name))).toEqual([]);
  });

  it("is told of a name that nobody knows, and refused where that was meant to hide records", async () => {
    await search({ hitPerPage: 3 });
    expect(warnings).toMatchObject([{ code: "unknown_parameter", param: "hitPerPage" }]);
    expect(await rejectionOf(search({ filter: "brand:Forge" }))).toMatchObject({ error: "unknown_parameter" });
  });
});

describe("a replica", () => {
  const replicas = {
    shop_price_desc: { indexName: "shop", sort: ["price:desc"], hitsPerPage: 2 },
    lamps: { indexName: "shop", filters: "price < 25", query: "lamp" },
  };

  it("asks its index in another order, and is named in the answer", async () => {
    const answer = await search({ query: "lamp" }, { replicas }, "shop_price_desc");
    expect(answer).toMatchObject({ index: "shop_price_desc", hitsPerPage: 2, params: "query=lamp" });
    expect(idsOf(answer)).toEqual(["b", "1"]);
  });

  it("gives what a request does not", async () => {
    expect(idsOf(await search({}, { replicas }, "lamps"))).toEqual(["1"]);
    expect(idsOf(await search({ query: "drill" }, { replicas }, "lamps"))).toEqual(["3"]);
    expect(idsOf(await search({ filters: "price > 25" }, { replicas }, "lamps"))).toEqual(["b"]);
    const client = await clientOf({ replicas });
    const [brands] = await client.searchForFacetValues([{ indexName: "lamps", params: { facetName: "brand" } }]);
    expect(brands!.facetHits.map(({ value }) => value)).toEqual(["Forge"]);
  });

  it("is one by its own name alone", async () => {
    for (const name of ["toString", "__proto__", "shop_price_asc"])
      expect(await rejectionOf(search({}, { replicas }, name))).toMatchObject({ error: "index_not_found" });
  });

  it.each([
    [{ replica: {} }, "replica"],
    [{ replicas: [] }, "replicas"],
    [{ replicas: { a: "shop" } }, "replicas"],
    [{ replicas: { a: { sort: ["price:asc"] } } }, "replicas"],
    [{ replicas: { a: { indexName: 5 } } }, "replicas"],
    [5, "options"],
    [null, "options"],
  ])("is refused in %j", async (options, param) => {
    const engine = await shop();
    const error = thrownBy(() => createInstantSearchClient(engine, options as InstantSearchOptions));
    expect(error).toMatchObject({ code: 400, error: "invalid_options", param });
  });
});

describe("a search for values of a facet", () => {
  const valuesOf = async (params: object) =>
    (await (await clientOf()).searchForFacetValues([{ indexName: "shop", params }]))[0]!.facetHits;

  it("counts as a query does, whatever page that shows", async () => {
    const params = { facetName: "brand", query: "lamp", page: 3, hitsPerPage: 0, numericFilters: ["price>5"] };
    expect(await valuesOf({ ...params, facetQuery: "", analytics: true })).toEqual([
      { value: "Forge", highlighted: "Forge", count: 1 },
      { value: "Forge & Co", highlighted: "Forge &amp; Co", count: 1 },
    ]);
    expect(await valuesOf({ ...params, facetQuery: "co", maxFacetHits: 1 })).toHaveLength(1);
    expect(await valuesOf({ facetName: "sizes", facetQuery: "1" })).toEqual([
      { value: "1", highlighted: "<em>1</em>", count: 2 },
    ]);
    expect(warnings).toEqual([]);
  });

  it.each([
    ["Forge & Co", "fo", "<em>Fo</em>rge &amp; Co"],
    ["Forge & Co", "Forge Co", "<em>Forge</em> &amp; <em>Co</em>"],
    ["Café Müller", "cafe mu", "<em>Café</em> <em>Mü</em>ller"],
    ["Straße <1>", "strasse", "<em>Straße</em> &lt;1&gt;"],
    ["aa a aaa", "a", "<em>a</em>a <em>a</em> <em>a</em>aa"],
    ["東京タワー", "タワ", "東京<em>タワ</em>ー"],
    ["-Hem", "-h", "-<em>H</em>em"],
    ["Forge", "frge", "Forge"],
  ])("shows in %j where %j is", async (value, facetQuery, highlighted) => {
    const engine = await shop([{ id: 1, title: "x", brand: value }]);
    const params = { facetName: "brand", facetQuery };
    const [found] = await createInstantSearchClient(engine).searchForFacetValues([{ indexName: "shop", params }]);
    expect(found!.facetHits).toEqual([{ value, highlighted, count: 1 }]);
  });

  it("takes one call as Algolia's version 5 does", async () => {
    const client = await clientOf();
    const call = { indexName: "shop", facetName: "brand", searchForFacetValuesRequest: { facetQuery: "co" } };
    expect((await client.searchForFacetValues(call)).facetHits.map(({ value }) => value)).toEqual(["Forge & Co"]);
    expect((await client.searchForFacetValues({ indexName: "shop", facetName: "brand" })).facetHits).toHaveLength(3);
  });
});

describe("recommendations", () => {
  const LAMPS = seq(12, (i) => ({
    id: i,
    title: `${["Oak", "Steel", "Glass"][i % 3]} ${["desk lamp", "floor lamp", "drill", "lamp <b>"][i % 4]}`,
    price: 10 * i,
    group: `g${i}`,
  }));
  const replicas = { cheap: { indexName: "shop", filters: "price < 80" } };
  const lamps = async () => {
    const engine = await shop(LAMPS);
    const client = createInstantSearchClient(engine, { replicas });
    const model = "related-products";
    const one = async (request: object): Promise<InstantSearchResult> =>
      (await client.getRecommendations([{ indexName: "shop", model, objectID: "1", ...request }])).results[0]!;
    return { engine, client, one };
  };
  const shown = ({ hits }: InstantSearchResult) => hits.map(({ _highlightResult, ...hit }) => hit);
  const expected = ({ data }: SearchAnswer) =>
    data.hits.map(({ id, source, score }) => ({ ...source, objectID: id, _score: 100 * score }));

  it("are similar records, with a hundred times their score", async () => {
    const { engine, client, one } = await lamps();
    const all = await engine.similar("shop", "1", { hitsPerPage: 30 });
    const answer = await one({});
    expect(all.data.nbHits).toBeGreaterThan(5);
    expect(answer.hits).toEqual(expected(all));
    expect(answer).toMatchObject({ index: "shop", nbHits: all.data.nbHits, page: 0, hitsPerPage: 30, query: "" });
    const request = { indexName: "shop", model: "looking-similar", objectID: 1 };
    const { results } = await client.getRecommendations({ requests: [request, request] });
    expect(results.map(({ hits }) => hits)).toEqual([answer.hits, answer.hits]);
  });

  it("are as many, as similar and of such records as was asked for", async () => {
    const { engine, one } = await lamps();
    const threshold = Math.floor(100 * (await engine.similar("shop", "1")).data.hits[3]!.score);
    const wanted = { minScore: threshold / 100, hitsPerPage: 2, numericFilters: ["price>20"], filters: "price < 80" };
    const ignored = { query: "", page: 3, hitsPerPage: 9, offset: 1, length: 1, minScore: 0.99, analytics: false };
    const answer = await one({
      ...{ indexName: "cheap", threshold, maxRecommendations: 2 },
      queryParameters: { numericFilters: ["price>20"], ...ignored },
    });
    const similar = await engine.similar("shop", "1", wanted);
    expect(answer).toMatchObject({ index: "cheap", nbHits: similar.data.nbHits, page: 0, hitsPerPage: 2 });
    expect(answer.hits).toEqual(expected(similar));
    expect(answer.hits.length).toBeGreaterThan(0);
    expect(warnings).toEqual([]);
  });

  it("show texts as the hits of a search do", async () => {
    const { one } = await lamps();
    const queryParameters = { attributesToHighlight: ["title"], attributesToRetrieve: ["price"] };
    const titles = async (more: object): Promise<unknown[]> =>
      (await one({ objectID: "7", queryParameters: { ...queryParameters, ...more } })).hits.map(
        (hit) => JSON.stringify(hit._highlightResult).match(/&lt;b&gt;|<b>/)?.[0] ?? "",
      );
    expect(new Set(await titles({}))).toEqual(new Set(["&lt;b&gt;", ""]));
    expect(new Set(await titles({ highlightPreTag: "__ais-highlight__" }))).toEqual(new Set(["<b>", ""]));
    expect(Object.keys(shown(await one({ queryParameters }))[0]!)).toEqual(["price", "_score", "objectID"]);
  });

  it.each([
    [{ model: "bought-together" }, "invalid_parameter", "model"],
    [{ model: undefined }, "invalid_parameter", "model"],
    [{ threshold: -1 }, "invalid_parameter", "threshold"],
    [{ threshold: 101 }, "invalid_parameter", "threshold"],
    [{ threshold: "5" }, "invalid_parameter", "threshold"],
    [{ maxRecommendations: -1 }, "invalid_hits_per_page", "hitsPerPage"],
    [{ queryParameters: 5 }, "invalid_parameter", "queryParameters"],
    [{ queryParameters: { tagFilters: ["a"] } }, "invalid_parameter", "tagFilters"],
    [{ queryParameters: { filters: "price:" } }, "invalid_filter", "filters"],
    [{ objectID: undefined }, "invalid_id", undefined],
    [{ objectID: "404" }, "record_not_found", undefined],
  ])("are refused for %j", async (wrong, error, param) => {
    const { one } = await lamps();
    expect(await rejectionOf(one(wrong))).toMatchObject({ error, ...(param && { param }) });
  });
});

describe("a wrong request", () => {
  it.each([
    [{ tagFilters: "a" }, "tagFilters"],
    [{ tagFilters: ["a", ["b"]] }, "tagFilters"],
    [{ insidePolygon: [[1, 2, 3, 4, 5, 6]] }, "insidePolygon"],
    [{ insideBoundingBox: "1,2,3" }, "insideBoundingBox"],
    [{ insideBoundingBox: "1,2,3,x" }, "insideBoundingBox"],
    [{ insideBoundingBox: "1,2,,4" }, "insideBoundingBox"],
    [{ minScore: 5 }, "minScore"],
    [{ page: -1 }, "page"],
    [{ page: 1.5 }, "page"],
    [{ page: "1" }, "page"],
  ])("is refused: %j", async (params, param) => {
    expect(await rejectionOf(search(params))).toMatchObject({ code: 400, param });
  });

  it.each([
    [undefined, "requests"],
    [5, "requests"],
    [{}, "requests"],
    [{ requests: 5 }, "requests"],
    [Array(51).fill({ indexName: "shop" }), "requests"],
    [[5], "request"],
    [[[]], "request"],
    [[{ indexName: "shop", params: "query=drill" }], "params"],
  ])("is refused, whichever verb is asked: %j", async (given, param) => {
    const client = await clientOf();
    const refused = { code: 400, error: "invalid_parameter", param };
    expect(await rejectionOf(client.search(given as []))).toMatchObject(refused);
    if (Array.isArray(given))
      expect(await rejectionOf(client.searchForFacetValues(given as []))).toMatchObject(refused);
  });

  it("is refused as a query is, whatever a parameter holds", async () => {
    const engine = await shop();
    const client = createInstantSearchClient(engine);
    const taken: string[] = [];
    // Pages are the client's own, and a cursor is refused beside them.
    const rows = refusedValues(PARAMETER_VALUES).filter(({ param }) => param !== "page" && param !== "cursor");
    for (const { param, values } of rows) {
      for (const value of cells(values)) {
        const params = { [param]: value };
        const alone = await rejectionOf(engine.query("shop", { query: "", ...params }));
        const asked = { param: alone.param, error: alone.error };
        const refusal = await client.search([{ indexName: "shop", params }]).then(() => undefined, refusalIn);
        if (refusal === undefined) taken.push(param);
        else expect({ param: refusal.param, error: refusal.error }).toEqual(asked);
      }
    }
    // Algolia takes other values of these.
    expect([...new Set(taken)].sort()).toEqual([
      "distinct",
      "explain",
      "facets",
      "insideBoundingBox",
      "optionalWords",
      "queryLanguages",
      "typoTolerance",
    ]);
  });

  it("rejects the call with the error of the engine", async () => {
    const client = await clientOf();
    const right = { indexName: "shop" };
    const error = await rejectionOf(client.search([right, { indexName: "shop", params: { filters: "brand:" } }]));
    expect(error).toMatchObject({ code: 400, error: "invalid_filter", param: "filters", details: { start: 6 } });
    expect(await rejectionOf(client.search([right, { indexName: "none" }]))).toMatchObject({ code: 404 });
    expect(await rejectionOf(client.search([{} as typeof right]))).toMatchObject({ code: 404 });
    const facets = client.searchForFacetValues([{ indexName: "shop", params: { facetName: "none" } }]);
    expect(await rejectionOf(facets)).toMatchObject({ error: "unknown_field", param: "facetName" });
  });

  it("that cannot be said is left out of what is said", async () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const { params } = await search({ query: "oak", analyticsTags: circle, userToken: 5n, ranking: () => {} });
    expect(params).toBe("query=oak");
  });
});

describe("the client", () => {
  it("asks the functions of the module, too", async () => {
    const engine = await shop();
    const before = tandem.setDefaultEngine(engine);
    try {
      const client = createInstantSearchClient(tandem);
      const { results } = await client.search([{ indexName: "shop", params: { query: "oak" } }]);
      expect(results.map(idsOf)).toEqual([["1"]]);
    } finally {
      tandem.setDefaultEngine(before);
    }
  });

  it("may be spread into another one", async () => {
    const client = { ...(await clientOf()) };
    expect((await client.search([{ indexName: "shop" }])).results[0]!.nbHits).toBe(3);
  });

  it("types hits by the record", async () => {
    interface Product {
      readonly id: number;
      readonly title: string;
    }
    const client = createInstantSearchClient<Product>(await shop());
    const { results } = await client.search([{ indexName: "shop", params: { query: "oak" } }]);
    expectTypeOf(results[0]!.hits[0]!.title).toEqualTypeOf<string>();
    expectTypeOf(results[0]!.hits[0]!.objectID).toEqualTypeOf<string>();
    const other = await client.search<{ readonly sku: number }>([{ indexName: "shop" }]);
    expectTypeOf(other.results[0]!.hits[0]!.sku).toEqualTypeOf<number>();
  });
});
