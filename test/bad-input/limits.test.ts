// Every limit at n and at n + 1, on engines with small limits of their own: those that refuse, then those that clamp or cut;
// defaults above a lowered limit; and limits that are none.

import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS, type Limits, SearchEngine } from "../../src/index.js";
import { thrownBy } from "../support/refusal.js";
import { expectRefusal } from "./message-rules.js";
import { bad, type Refusal } from "./row.js";
import { anything, idsOf, World } from "./world.js";

type Run = (world: World, input: unknown) => Promise<unknown>;

/** A call of inputs that pass at a limit, and of inputs that are refused there and pass at one more. */
interface Edge {
  readonly name: keyof Limits;
  readonly limit: number;
  readonly run: Run;
  readonly refusal: Refusal;
  readonly at: readonly unknown[];
  readonly over: readonly unknown[];
}

function edge(
  name: keyof Limits,
  limit: number,
  run: Run,
  refusal: Refusal,
  [at, over]: readonly [at: readonly unknown[], over: readonly unknown[]],
): Edge {
  return { name, limit, run, refusal, at, over };
}

const asking =
  (name: string): Run =>
  (world, value) =>
    world.ask({ query: "", [name]: value });
const creating =
  (settings: (value: unknown) => object): Run =>
  (world, value) =>
    world.create("new", settings(value));
const add: Run = (world, record) => world.add([record]);
const addAll: Run = (world, records) => world.add(records);
const deleteBy: Run = (world, filters) => world.call("deleteBy", "shop", { filters });

const TOO_LARGE = bad("record_too_large", "records[0]", 413);
const TOO_MANY_PARAMS = bad("params_too_long", "params");
const TOO_COMPLEX = bad("filter_too_complex", "filters");
const CLICKS = bad("filter_too_complex", "facetFilters");
const e = "\u00e9";

/** Records of so many bytes as JSON. */
function records(bytes: number): object[] {
  return [{}, { a: [1, "x", null, true] }, { b: { c: {} } }, { d: e }].map((own) => {
    const frame = Buffer.byteLength(JSON.stringify({ id: 1, ...own, t: "" }));
    return { id: 1, ...own, t: "x".repeat(bytes - frame) };
  });
}

const record = (own: object): object => ({ id: 1, ...own });
const ids = (...all: readonly number[]): object[] => all.map((id) => ({ id }));

/** Filters at a limit and over it, in queries and in the verb that deletes by them. */
const filtering = (
  name: keyof Limits,
  limit: number,
  inputs: readonly [readonly unknown[], readonly unknown[]],
): Edge[] => [asking("filters"), deleteBy].map((run) => edge(name, limit, run, TOO_COMPLEX, inputs));

const EDGES: readonly Edge[] = [
  edge("queryBytes", 10, asking("query"), bad("query_too_long", "query"), [
    ["red kettle", e.repeat(5)],
    ["red kettles", `${e.repeat(5)}a`],
  ]),
  edge("paramsBytes", 10, (world, params) => world.ask({ params }), TOO_MANY_PARAMS, [
    ["query=abcd", `query=${e}${e}`],
    ["query=abcde", `query=${e}${e}a`],
  ]),
  edge("paramsPairs", 2, (world, params) => world.ask({ params }), TOO_MANY_PARAMS, [
    ["query=a&page=1", "query=a&query=b"],
    ["query=a&page=1&x=1", "query=a&query=b&query=c", "query=a&&&x=1&y"],
  ]),
  edge("paramsPairs", 2, (world, params) => world.ask(params), bad("invalid_request", "params"), [
    [{ query: "a", page: 1 }],
    [{ query: "a", page: 1, x: 1 }],
  ]),
  edge("page", 5, asking("page"), bad("invalid_page", "page"), [[5], [6]]),
  edge("semanticDepth", 7, asking("semanticDepth"), bad("invalid_parameter", "semanticDepth"), [[7], [8]]),
  edge(
    "semanticDepth",
    7,
    creating((semanticDepth) => ({ semanticDepth })),
    bad("invalid_setting", "semanticDepth"),
    [[7], [8]],
  ),
  edge("recordBytes", 40, add, TOO_LARGE, [records(40), records(41)]),
  edge("recordDepth", 3, add, TOO_LARGE, [
    [{ a: { b: {} } }, { a: [[]] }, { a: [{ b: 1 }] }].map(record),
    [{ a: { b: { c: {} } } }, { a: [[[]]] }, { a: [{ b: [] }] }].map(record),
  ]),
  edge("recordAttributes", 3, add, TOO_LARGE, [
    [{ a: 1, b: 1 }, { a: { b: 1 } }, { a: 1, b: 1, c: undefined }].map(record),
    [{ a: 1, b: 1, c: 1 }, { a: { b: 1, c: 1 } }, { a: [{ b: 1 }, { b: 1 }] }].map(record),
  ]),
  edge("arrayItems", 3, add, TOO_LARGE, [
    [{ a: [1, 2, 3], b: [1, 2, 3] }].map(record),
    [{ a: [1, 2, 3, 4] }, { a: [[1, 2, 3, 4]] }].map(record),
  ]),
  edge("idBytes", 4, (world, id) => world.add([{ id }]), bad("invalid_id", "records[0]"), [
    ["abcd", e + e, 1234],
    ["abcde", `${e}${e}a`, 12_345],
  ]),
  edge("idBytes", 4, (world, id) => world.get([id]), bad("invalid_id", "ids[0]"), [["abcd"], ["abcde"]]),
  edge("attributeName", 5, add, bad("invalid_record", "records[0]"), [
    [{ title: 1 }, { a: [{ title: 1 }] }].map(record),
    [{ titles: 1 }, { a: [{ titles: 1 }] }].map(record),
  ]),
  edge(
    "attributeName",
    5,
    creating((idAttribute) => ({ idAttribute })),
    bad("invalid_setting", "idAttribute"),
    [["title"], ["titles"]],
  ),
  edge("batchRecords", 2, addAll, bad("batch_too_large", "records", 413), [[ids(1, 2)], [ids(1, 2, 3), ids(1, 1, 1)]]),
  ...(["delete", "get"] as const).map((verb) =>
    edge("batchRecords", 2, (world, given) => world[verb](given), bad("batch_too_large", "ids", 413), [
      [[1, 2]],
      [[1, 2, 3]],
    ]),
  ),
  edge("indexRecords", 2, addAll, bad("index_full", "records", 507), [[ids(1, 2), ids(1, 1, 1)], [ids(1, 2, 3)]]),
  edge("indexName", 4, (world, name) => world.create(name), bad("invalid_index_name", "indexName"), [
    ["abcd"],
    ["abcde"],
  ]),
  edge(
    "dimensions",
    4,
    creating((dimensions) => ({ vectorAttribute: "v", dimensions })),
    bad("invalid_dimensions", "dimensions"),
    [[4], [5]],
  ),
  edge(
    "dimensions",
    4,
    creating((dimensions) => ({ embedder: { id: "x", dimensions, embed: async () => [] } })),
    bad("invalid_embedder", "embedder.dimensions"),
    [[4], [5]],
  ),
  ...filtering("filterBytes", 10, [
    ["brand:abcd", `k:"${e}${e}${e}"`, `${e}${e}:"${e}"`, "a:1       "],
    ["brand:abcde", `k:"${e}${e}${e}x"`, "a:1        "],
  ]),
  ...filtering("filterDepth", 3, [
    [
      ...["((a:1))", "NOT NOT a:1", "NOT (a:1)", "((a:1)) AND ((a:1))"],
      ...[{ AND: [{ OR: [{ a: 1 }] }] }, { NOT: { NOT: { a: 1 } } }, { a: { in: [1] } }],
    ],
    [
      ...["(((a:1)))", "NOT NOT NOT a:1", "NOT (NOT a:1)", "a:1 OR (((a:1)))"],
      ...[{ AND: [{ OR: [{ AND: [{ a: 1 }] }] }] }, { NOT: { NOT: { NOT: { a: 1 } } } }],
    ],
  ]),
  ...filtering("filterConditions", 3, [
    [
      ...["a:1 OR a:1 OR a:1", "a:1 TO 2 AND (b EXISTS OR NOT c:1)", { a: 1, b: 2, c: [1, 2, 3, 4] }],
      ...[{ a: { gt: 1, lt: 2 }, b: null }, { OR: [{ a: 1 }, { a: 2 }, { a: 3 }] }],
    ],
    [
      ...["a:1 OR a:1 OR a:1 OR a:1", { a: 1, b: 2, c: 3, d: 4 }, { a: { gt: 1, lt: 2, ne: 3 }, b: null }],
      { OR: [{ a: 1 }, { a: 2 }, { a: 3 }, { a: 4 }] },
    ],
  ]),
  edge("filterConditions", 3, asking("facetFilters"), CLICKS, [
    [["a:1", "b:2", "c:3"], ["a:1", ["b:2", "b:3"]], { a: [1, 2, 3, 4], b: 1, c: 1 }],
    [["a:1", "b:2", "c:3", "d:4"], ["a:1", ["b:2", "b:3", "b:4"]], { a: 1, b: 1, c: 1, d: 1 }],
  ]),
  ...filtering("filterValues", 3, [
    [{ a: [1, 2, 3] }, { a: { in: ["x", "x", null] } }, { a: [1], b: [2, 3] }],
    [{ a: [1, 2, 3, 4] }, { a: { in: ["x", "x", "x", "x"] } }, { a: [1, 2], b: [1, 2] }],
  ]),
  edge("filterValues", 3, asking("facetFilters"), CLICKS, [
    [{ a: [1, 2, 3] }, { a: [1], b: [2, 3] }],
    [{ a: [1, 2, 3, 4] }, { a: [1, 2], b: [1, 2] }],
  ]),
  edge("facets", 3, asking("facets"), bad("invalid_parameter", "facets"), [
    [
      ["a", "b", "c"],
      ["a", "a", "a", "a", "b"],
    ],
    [["a", "b", "c", "d"]],
  ]),
  ...["attributesToRetrieve", "attributesToHighlight", "attributesToSnippet"].map((name) =>
    edge("attributesToRetrieve", 3, asking(name), bad("invalid_parameter", name), [
      [["a", "b", "c"], []],
      [["a", "b", "c", "d"], Array(4).fill("a")],
    ]),
  ),
];

/** Tested below; maxMemory, whose unit is what the records themselves take, in state/memory-budget.test.ts. */
const SOFT = ["queryTerms", "hitsPerPage", "fieldCharacters", "fieldTokens", "facetValues", "maxMemory"];

it("each limit is tested", () => {
  const tested = new Set([...EDGES.map(({ name }) => name), ...SOFT]);
  expect([...tested].sort()).toEqual(Object.keys(DEFAULT_LIMITS).sort());
});

describe.each(EDGES)("$name of $limit", ({ name, limit, run, refusal, at, over }) => {
  it.each(at.map((input) => [input]))(`%j passes at ${limit}`, async (input) => {
    await run(await World.bare({ limits: { [name]: limit } }), input);
  });

  it.each(over.map((input) => [input]))(`%j is refused at ${limit}, and passes at ${limit + 1}`, async (input) => {
    const world = await World.bare({ limits: { [name]: limit } });
    const before = await world.outline();
    expectRefusal(await run(world, input).catch((error: unknown) => error), refusal);
    expect(await world.outline()).toEqual(before);
    await run(await World.bare({ limits: { [name]: limit + 1 } }), input);
  });
});

const WORDS = ["amber", "birch", "cedar", "delta"];

it.each([3, 4])("%i distinct terms of a query are searched, the rest is not", async (queryTerms) => {
  const world = await World.bare({ limits: { queryTerms } });
  await world.add(WORDS.map((title, id) => ({ id, title })));
  const query = `amber amber ${WORDS.join(" ")}`;
  const seen = await world.ask({ query, matching: "any" });
  expect(idsOf(seen).sort()).toEqual(["0", "1", "2", "3"].slice(0, queryTerms));
  expect(seen.query).toBe(query);
});

/** What is asked for where 3 are the most, and how many are shown. */
const CLAMPED = [
  [2, 2],
  [3, 3],
  [4, 3],
  [undefined, 3],
] as const;

it.each(CLAMPED)("%s hits a page are %i where 3 are the most", async (hitsPerPage, shown) => {
  const world = await World.bare({ limits: { hitsPerPage: 3 } });
  await world.add(WORDS.map((title, id) => ({ id, title })));
  const seen = await world.ask({ query: "", hitsPerPage });
  expect([seen.hitsPerPage, seen.hits.length, seen.nbHits]).toEqual([shown, shown, 4]);
});

it("shows at least one group, of as many records as a page may have, however many are asked for", async () => {
  const index = await new SearchEngine({ limits: { hitsPerPage: 3 } }).createIndex("shop", {
    attributeForDistinct: "model",
  });
  await index.addRecords(WORDS.map((title, id) => ({ id, title, model: "m" })));
  for (const params of [{ hitsPerPage: 1 }, { length: 1 }, { offset: 0 }]) {
    const { hits } = (await index.query({ query: "", distinct: 4, ...params })).data;
    const shown = hits.map(({ group }) => [group?.nbRecords, group?.hits.length]);
    expect(shown, JSON.stringify(params)).toEqual([[4, 2]]);
  }
});

it.each(CLAMPED)("%s values of a facet are %i where 3 are the most", async (most, shown) => {
  const world = await World.bare({ limits: { facetValues: 3 } });
  await world.add(WORDS.map((title, id) => ({ id, title })));
  const { facets } = await world.ask({ query: "", facets: ["title"], maxValuesPerFacet: most });
  expect(facets?.title).toHaveLength(shown);
  const found = await world.call("searchForFacetValues", "shop", { facetName: "title", maxFacetHits: most });
  expect(found).toMatchObject({ facetHits: { length: shown } });
});

it("the values of a facet do not limit how many facets are asked for", async () => {
  const world = await World.bare({ limits: { facetValues: 2 } });
  await world.add([{ id: 1, a: 1, b: 1, c: 1 }]);
  const { facets } = await world.ask({ query: "", facets: ["a", "b", "c"] });
  expect(Object.keys(facets ?? {})).toEqual(["a", "b", "c"]);
});

describe.each([
  ["fieldCharacters", 11, "amber birch", "amber birchcedar"],
  ["fieldCharacters", 11, "amber birch", "amber birch cedar"],
  ["fieldCharacters", 11, ["amber", "birch."], ["amber", "birch.", "cedar"]],
  ["fieldTokens", 2, "amber birch", "amber birch cedar"],
  ["fieldTokens", 2, ["amber", "birch"], ["amber", "birch", "cedar"]],
] as const)("%s of %i", (name, limit, at, over) => {
  const open = async (title: unknown): Promise<World> => {
    const world = await World.bare({ limits: { [name]: limit } });
    await world.add([{ id: 1, title }]);
    expect(await world.get([1])).toEqual([{ id: 1, title }]);
    return world;
  };

  it("searches all of what is within, without a warning", async () => {
    const world = await open(at);
    expect(await world.found("amber birch")).toEqual(["1"]);
    expect(world.warnings).toEqual([]);
  });

  it("searches the beginning of what is over, with one warning", async () => {
    const world = await open(over);
    expect(await world.found("amber birch")).toEqual(["1"]);
    expect(await world.found("cedar")).toEqual([]);
    expect(world.warnings).toMatchObject([{ code: "field_truncated", param: "title" }]);
  });
});

it("a default above a lowered limit is lowered too", async () => {
  const world = await World.bare({ limits: { semanticDepth: 7 } });
  const { effective } = await world.engine.getSettings("shop");
  expect(effective.semanticDepth).toBeLessThanOrEqual(7);
});

it("a limit can be raised", async () => {
  const world = await World.bare({ limits: { recordBytes: 200_000, queryBytes: 10_000 } });
  expect(await world.add([{ id: 1, title: "x".repeat(150_000) }])).toEqual({ added: 1, replaced: 0 });
  expect(await world.ask({ query: "x".repeat(10_000) })).toMatchObject({ page: 1 });
});

it("the default limits are frozen, and what a caller does with its own has no effect", async () => {
  expect(Object.isFrozen(DEFAULT_LIMITS)).toBe(true);
  const limits = { queryBytes: 4 };
  const world = await World.bare({ limits });
  limits.queryBytes = 100;
  await expect(world.ask({ query: "abcde" })).rejects.toMatchObject({ error: "query_too_long" });
});

it.each([
  ...[null, 5, "page", [], () => ({}), { queryByte: 5 }, JSON.parse('{"__proto__":5}'), { constructor: 5 }],
  ...[0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "5", null, true, 5n, [5], {}].map((page) => ({
    page,
  })),
  ...[{ filterDepth: 257 }, { recordDepth: 257 }, { semanticDepth: 2 ** 53 - 1 }, { batchRecords: 1e9 }],
])("no limits are %o", (limits) => {
  const thrown = thrownBy(() => new SearchEngine({ limits: anything(limits) }));
  expectRefusal(thrown, bad("invalid_option", "limits"));
});

it("says the greatest possible value of a limit", () => {
  const { msg } = thrownBy(() => new SearchEngine({ limits: { recordDepth: 257 } }));
  expect(msg).toBe("limits.recordDepth is 257; the greatest possible is 256.");
});
