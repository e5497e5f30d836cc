// Every limit at n and at n + 1, on engines with small limits of their own: those that refuse, then those that clamp or cut;
// defaults above a lowered limit; and limits that are none.

import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS, type Limits, SearchEngine } from "../../src/index.js";
import { expectRefusal } from "./message-rules.js";
import { bad, type Refusal } from "./row.js";
import { anything, idsOf, World } from "./world.js";

/** What passes at the limit and is refused beyond it. */
interface Edge {
  readonly limit: number;
  readonly at: readonly unknown[];
  readonly over: readonly unknown[];
  readonly run: (world: World, input: unknown) => Promise<unknown>;
  readonly refusal: Refusal;
}

const refusal = (code: number, error: string, param: string): Refusal => ({ code, error, param });
const add = (world: World, record: unknown): Promise<unknown> => world.add([record]);
const e = "\u00e9";

/** Limits that refuse what is over them, each with what is at the limit and what is over it by one. */
const EDGES: { readonly [name in keyof Limits]?: readonly Edge[] } = {
  queryBytes: [
    {
      limit: 10,
      at: ["red kettle", e.repeat(5)],
      over: ["red kettles", `${e.repeat(5)}a`],
      run: (world, query) => world.ask({ query }),
      refusal: refusal(400, "query_too_long", "query"),
    },
  ],
  paramsBytes: [
    {
      limit: 10,
      at: ["query=abcd", `query=${e}${e}`],
      over: ["query=abcde", `query=${e}${e}a`],
      run: (world, params) => world.ask({ params }),
      refusal: refusal(400, "params_too_long", "params"),
    },
  ],
  paramsPairs: [
    {
      limit: 2,
      at: ["query=a&page=1", "query=a&query=b"],
      over: ["query=a&page=1&x=1", "query=a&query=b&query=c", "query=a&&&x=1&y"],
      run: (world, params) => world.ask({ params }),
      refusal: refusal(400, "params_too_long", "params"),
    },
    {
      limit: 2,
      at: [{ query: "a", page: 1 }],
      over: [{ query: "a", page: 1, x: 1 }],
      run: (world, params) => world.ask(params),
      refusal: refusal(400, "invalid_request", "params"),
    },
  ],
  page: [
    {
      limit: 5,
      at: [5],
      over: [6],
      run: (world, page) => world.ask({ query: "a", page }),
      refusal: refusal(400, "invalid_page", "page"),
    },
  ],
  semanticDepth: [
    {
      limit: 7,
      at: [7],
      over: [8],
      run: (world, semanticDepth) => world.ask({ query: "a", semanticDepth }),
      refusal: refusal(400, "invalid_parameter", "semanticDepth"),
    },
    {
      limit: 7,
      at: [7],
      over: [8],
      run: (world, semanticDepth) => world.create("new", { semanticDepth }),
      refusal: refusal(400, "invalid_setting", "semanticDepth"),
    },
  ],
  recordBytes: [
    {
      limit: 40,
      at: [bytes(40, {}), bytes(40, { a: [1, "x", null, true] }), bytes(40, { b: { c: {} } }), bytes(40, { d: e })],
      over: [bytes(41, {}), bytes(41, { a: [1, "x", null, true] }), bytes(41, { b: { c: {} } }), bytes(41, { d: e })],
      run: add,
      refusal: refusal(413, "record_too_large", "records[0]"),
    },
  ],
  recordDepth: [
    {
      limit: 3,
      at: [
        { id: 1, a: { b: {} } },
        { id: 1, a: [[]] },
        { id: 1, a: [{ b: 1 }] },
      ],
      over: [
        { id: 1, a: { b: { c: {} } } },
        { id: 1, a: [[[]]] },
        { id: 1, a: [{ b: [] }] },
      ],
      run: add,
      refusal: refusal(413, "record_too_large", "records[0]"),
    },
  ],
  recordAttributes: [
    {
      limit: 3,
      at: [
        { id: 1, a: 1, b: 1 },
        { id: 1, a: { b: 1 } },
        { id: 1, a: 1, b: 1, c: undefined },
      ],
      over: [
        { id: 1, a: 1, b: 1, c: 1 },
        { id: 1, a: { b: 1, c: 1 } },
        { id: 1, a: [{ b: 1 }, { b: 1 }] },
      ],
      run: add,
      refusal: refusal(413, "record_too_large", "records[0]"),
    },
  ],
  arrayItems: [
    {
      limit: 3,
      at: [{ id: 1, a: [1, 2, 3], b: [1, 2, 3] }],
      over: [
        { id: 1, a: [1, 2, 3, 4] },
        { id: 1, a: [[1, 2, 3, 4]] },
      ],
      run: add,
      refusal: refusal(413, "record_too_large", "records[0]"),
    },
  ],
  idBytes: [
    {
      limit: 4,
      at: ["abcd", e + e, 1234],
      over: ["abcde", `${e}${e}a`, 12_345],
      run: (world, id) => world.add([{ id }]),
      refusal: refusal(400, "invalid_id", "records[0]"),
    },
    {
      limit: 4,
      at: ["abcd"],
      over: ["abcde"],
      run: (world, id) => world.get([id]),
      refusal: refusal(400, "invalid_id", "ids[0]"),
    },
  ],
  attributeName: [
    {
      limit: 5,
      at: [
        { id: 1, title: 1 },
        { id: 1, a: [{ title: 1 }] },
      ],
      over: [
        { id: 1, titles: 1 },
        { id: 1, a: [{ titles: 1 }] },
      ],
      run: add,
      refusal: refusal(400, "invalid_record", "records[0]"),
    },
    {
      limit: 5,
      at: ["title"],
      over: ["titles"],
      run: (world, idAttribute) => world.create("new", { idAttribute }),
      refusal: refusal(400, "invalid_setting", "idAttribute"),
    },
  ],
  batchRecords: [
    {
      limit: 2,
      at: [[{ id: 1 }, { id: 2 }]],
      over: [
        [{ id: 1 }, { id: 2 }, { id: 3 }],
        [{ id: 1 }, { id: 1 }, { id: 1 }],
      ],
      run: (world, records) => world.add(records),
      refusal: refusal(413, "batch_too_large", "records"),
    },
    ...(["delete", "get"] as const).map((verb) => ({
      limit: 2,
      at: [[1, 2]],
      over: [[1, 2, 3]],
      run: (world: World, ids: unknown) => world[verb](ids),
      refusal: refusal(413, "batch_too_large", "ids"),
    })),
  ],
  indexRecords: [
    {
      limit: 2,
      at: [
        [{ id: 1 }, { id: 2 }],
        [{ id: 1 }, { id: 1 }, { id: 1 }],
      ],
      over: [[{ id: 1 }, { id: 2 }, { id: 3 }]],
      run: (world, records) => world.add(records),
      refusal: refusal(507, "index_full", "records"),
    },
  ],
  indexName: [
    {
      limit: 4,
      at: ["abcd"],
      over: ["abcde"],
      run: (world, name) => world.create(name),
      refusal: refusal(400, "invalid_index_name", "indexName"),
    },
  ],
  dimensions: [
    {
      limit: 4,
      at: [4],
      over: [5],
      run: (world, dimensions) => world.create("new", { vectorAttribute: "v", dimensions }),
      refusal: refusal(400, "invalid_dimensions", "dimensions"),
    },
    {
      limit: 4,
      at: [4],
      over: [5],
      run: (world, dimensions) => world.create("new", { embedder: { id: "x", dimensions, embed: async () => [] } }),
      refusal: refusal(400, "invalid_embedder", "embedder.dimensions"),
    },
  ],
};

/** A record of so many bytes as JSON. */
function bytes(count: number, own: object): object {
  const frame = Buffer.byteLength(JSON.stringify({ id: 1, ...own, t: "" }));
  return { id: 1, ...own, t: "x".repeat(count - frame) };
}

const complexity = (param: string, error = "filter_too_complex"): Refusal => ({ code: 400, error, param });

/** What is at a limit of filters, and over it, in `filters` and in a verb that takes them. */
function edges(limit: number, at: readonly unknown[], over: readonly unknown[]): Edge[] {
  const run = (world: World, filters: unknown): Promise<unknown> => world.ask({ query: "", filters });
  const runDeletion = (world: World, filters: unknown): Promise<unknown> => world.call("deleteBy", "shop", { filters });
  return [run, runDeletion].map((each) => ({ limit, at, over, run: each, refusal: complexity("filters") }));
}

function refinements(limit: number, at: readonly unknown[], over: readonly unknown[]): Edge {
  const run = (world: World, facetFilters: unknown): Promise<unknown> => world.ask({ query: "", facetFilters });
  return { limit, at, over, run, refusal: complexity("facetFilters") };
}

/** Limits of filters, facets and projections. */
const LANGUAGE_EDGES: { readonly [name in keyof Limits]?: readonly Edge[] } = {
  filterBytes: edges(
    10,
    ["brand:abcd", `k:"${e}${e}${e}"`, `${e}${e}:"${e}"`, "a:1       "],
    ["brand:abcde", `k:"${e}${e}${e}x"`, "a:1        "],
  ),
  filterDepth: [
    ...edges(
      3,
      [
        "((a:1))",
        "NOT NOT a:1",
        "NOT (a:1)",
        "((a:1)) AND ((a:1))",
        { AND: [{ OR: [{ a: 1 }] }] },
        { NOT: { NOT: { a: 1 } } },
        { a: { in: [1] } },
      ],
      [
        "(((a:1)))",
        "NOT NOT NOT a:1",
        "NOT (NOT a:1)",
        "a:1 OR (((a:1)))",
        { AND: [{ OR: [{ AND: [{ a: 1 }] }] }] },
        { NOT: { NOT: { NOT: { a: 1 } } } },
      ],
    ),
  ],
  filterConditions: [
    ...edges(
      3,
      [
        "a:1 OR a:1 OR a:1",
        "a:1 TO 2 AND (b EXISTS OR NOT c:1)",
        { a: 1, b: 2, c: [1, 2, 3, 4] },
        { a: { gt: 1, lt: 2 }, b: null },
        { OR: [{ a: 1 }, { a: 2 }, { a: 3 }] },
      ],
      [
        "a:1 OR a:1 OR a:1 OR a:1",
        { a: 1, b: 2, c: 3, d: 4 },
        { a: { gt: 1, lt: 2, ne: 3 }, b: null },
        { OR: [{ a: 1 }, { a: 2 }, { a: 3 }, { a: 4 }] },
      ],
    ),
    refinements(
      3,
      [["a:1", "b:2", "c:3"], ["a:1", ["b:2", "b:3"]], { a: [1, 2, 3, 4], b: 1, c: 1 }],
      [["a:1", "b:2", "c:3", "d:4"], ["a:1", ["b:2", "b:3", "b:4"]], { a: 1, b: 1, c: 1, d: 1 }],
    ),
  ],
  filterValues: [
    ...edges(
      3,
      [{ a: [1, 2, 3] }, { a: { in: ["x", "x", null] } }, { a: [1], b: [2, 3] }],
      [{ a: [1, 2, 3, 4] }, { a: { in: ["x", "x", "x", "x"] } }, { a: [1, 2], b: [1, 2] }],
    ),
    refinements(3, [{ a: [1, 2, 3] }, { a: [1], b: [2, 3] }], [{ a: [1, 2, 3, 4] }, { a: [1, 2], b: [1, 2] }]),
  ],
  facets: [
    {
      limit: 3,
      at: [
        ["a", "b", "c"],
        ["a", "a", "a", "a", "b"],
      ],
      over: [["a", "b", "c", "d"]],
      run: (world, facets) => world.ask({ query: "", facets }),
      refusal: complexity("facets", "invalid_parameter"),
    },
  ],
  attributesToRetrieve: ["attributesToRetrieve", "attributesToHighlight", "attributesToSnippet"].map((name) => ({
    limit: 3,
    at: [["a", "b", "c"], []],
    over: [
      ["a", "b", "c", "d"],
      ["a", "a", "a", "a"],
    ],
    run: (world: World, names: unknown) => world.ask({ query: "", [name]: names }),
    refusal: complexity(name, "invalid_parameter"),
  })),
};

/** Tested below; maxMemory, whose unit is what the records themselves take, in state/memory-budget.test.ts. */
const SOFT = ["queryTerms", "hitsPerPage", "fieldCharacters", "fieldTokens", "facetValues", "maxMemory"];
const ALL_EDGES = { ...EDGES, ...LANGUAGE_EDGES };

it("each limit is tested", () => {
  const tested = [...Object.keys(ALL_EDGES), ...SOFT];
  expect(tested.sort()).toEqual(Object.keys(DEFAULT_LIMITS).sort());
});

for (const [name, edges] of Object.entries(ALL_EDGES))
  describe(name, () => {
    for (const { limit, at, over, run, refusal: refused } of edges) {
      it.each(at.map((input) => [input]))(`%j passes at ${limit}`, async (input) => {
        const world = await World.bare({ limits: { [name]: limit } });
        await run(world, input);
      });
      it.each(over.map((input) => [input]))(`%j is refused at ${limit}, and passes at ${limit + 1}`, async (input) => {
        const world = await World.bare({ limits: { [name]: limit } });
        const before = await world.picture();
        expectRefusal(await run(world, input).catch((error: unknown) => error), refused);
        expect(await world.picture()).toEqual(before);
        await run(await World.bare({ limits: { [name]: limit + 1 } }), input);
      });
    }
  });

const WORDS = ["amber", "birch", "cedar", "delta"];

describe("queryTerms", () => {
  it.each([3, 4])("%i distinct terms are searched, the rest is not", async (queryTerms) => {
    const world = await World.bare({ limits: { queryTerms } });
    await world.add(WORDS.map((title, id) => ({ id, title })));
    const query = `amber amber ${WORDS.join(" ")}`;
    const seen = await world.ask({ query, matching: "any" });
    expect(idsOf(seen).sort()).toEqual(["0", "1", "2", "3"].slice(0, queryTerms));
    expect(seen.query).toBe(query);
  });
});

describe("hitsPerPage", () => {
  it.each([
    [2, 2],
    [3, 3],
    [4, 3],
    [undefined, 3],
  ])("%s is %i where 3 are the most", async (hitsPerPage, shown) => {
    const world = await World.bare({ limits: { hitsPerPage: 3 } });
    await world.add(WORDS.map((title, id) => ({ id, title })));
    const seen = await world.ask({ query: "", hitsPerPage });
    expect([seen.hitsPerPage, seen.hits.length, seen.nbHits]).toEqual([shown, shown, 4]);
  });
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

describe("facetValues", () => {
  it.each([
    [2, 2],
    [3, 3],
    [4, 3],
    [undefined, 3],
  ])("%s values of a facet are %i where 3 are the most", async (most, shown) => {
    const world = await World.bare({ limits: { facetValues: 3 } });
    await world.add(WORDS.map((title, id) => ({ id, title })));
    const { facets } = await world.ask({ query: "", facets: ["title"], maxValuesPerFacet: most });
    expect(facets?.title).toHaveLength(shown);
    const found = await world.call("searchForFacetValues", "shop", { facetName: "title", maxFacetHits: most });
    expect(found).toMatchObject({ facetHits: { length: shown } });
  });

  it("do not limit how many facets are asked for", async () => {
    const world = await World.bare({ limits: { facetValues: 2 } });
    await world.add([{ id: 1, a: 1, b: 1, c: 1 }]);
    const { facets } = await world.ask({ query: "", facets: ["a", "b", "c"] });
    expect(Object.keys(facets ?? {})).toEqual(["a", "b", "c"]);
  });
});

const BAD_LIMITS: readonly (readonly [string, unknown])[] = [
  ["null", null],
  ["a number", 5],
  ["a text", "page"],
  ["an array", []],
  ["a function", () => ({})],
  ["an unknown name", { queryByte: 5 }],
  ["an own key __proto__", JSON.parse('{"__proto__":5}')],
  ["constructor", { constructor: 5 }],
  ...[0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "5", null, true, 5n, [5], {}].map(
    (page) => [`page ${String(page)}`, { page }] as const,
  ),
];

it.each(BAD_LIMITS)("limits that are none: %s", (_what, limits) => {
  let thrown: unknown;
  try {
    new SearchEngine({ limits: anything(limits) });
  } catch (error) {
    thrown = error;
  }
  expectRefusal(thrown, bad("invalid_option", "limits"));
});
