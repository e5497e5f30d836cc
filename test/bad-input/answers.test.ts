// What a query may ask of its answer: facets, order, what is shown of hits; and the verbs searchForFacetValues and
// whyNot.

import { expect } from "vitest";
import { bad, gives, passes, type Refusal, type Row, type Rows, refuses, resembles, shown, testRows } from "./row.js";
import { idsOf, type Seen, type World } from "./world.js";

// Facets.

const counted = (world: World, facets: unknown): unknown => world.ask({ query: "", facets });
const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `a${i}`);

testRows("facets", [
  passes("facets", [["brand", "brand"], new Array(50).fill("brand")], counted, (result) =>
    expect((result as Seen).facets).toEqual({ brand: [{ value: "Forge", count: 1 }] }),
  ),
  {
    what: "no facets, and all of them",
    run: async (world) => [
      (await world.ask({ query: "", facets: [] })).facets,
      Object.keys((await world.ask({ query: "", facets: ["*", "brand"] })).facets ?? {}).sort(),
    ],
    expect: (result) => {
      const [none, all] = result as unknown[];
      expect(none ?? {}).toEqual({});
      expect(all).toEqual(expect.arrayContaining(["brand", "price", "specs.volts", "tags"]));
    },
  },
  {
    what: "20 attributes",
    prepare: (world) => world.add([Object.fromEntries([["id", 9], ...names(20).map((name) => [name, 1])])]),
    run: async (world) => Object.keys((await world.ask({ query: "", facets: names(20) })).facets ?? {}).length,
    expect: (result) => expect(result).toBe(20),
  },
]);

testRows("facets", [
  gives(
    "values that built-in objects know, in the order of counts, then texts",
    {
      kind: [
        { value: "constructor", count: 2 },
        ...["", 10, "10", "9", "__proto__", "toString", "true", true].map((value) => ({ value, count: 1 })),
      ],
    },
    async (world) => {
      const kinds = ["constructor", "10", "9", "__proto__", "constructor", 10, true, "true", "", "toString"];
      await world.create("new");
      await world.add(
        kinds.map((kind, id) => ({ id, kind })),
        "new",
      );
      return (await world.ask({ query: "", facets: ["kind"] }, "new")).facets;
    },
  ),
  gives(
    "a record is counted once a value, however often it holds it",
    {
      kind: [{ value: "a", count: 1 }],
      "deep.n": [
        { value: 0, count: 1 },
        { value: 1, count: 1 },
      ],
    },
    async (world) => {
      await world.create("new");
      await world.add([{ id: 1, kind: ["a", "a", ["a"]], deep: [{ n: 1 }, { n: 1 }, { n: -0 }, { n: 0 }] }], "new");
      return (await world.ask({ query: "", facets: ["kind", "deep.n"] }, "new")).facets;
    },
  ),
  gives(
    "statistics of numbers that no sum of two halves gives",
    { n: { min: -1e16, max: 1e16, sum: 1, avg: 1 / 3 } },
    async (world) => {
      await world.create("new");
      await world.add(
        [1e16, 1, -1e16, "x", true].map((n, id) => ({ id, n })),
        "new",
      );
      const { data } = await world.engine.query("new", { query: "", facets: ["n"] });
      return data.facetStats;
    },
  ),
  gives(
    "facets changed by the caller have no effect on later answers",
    { brand: [{ value: "Forge", count: 1 }] },
    async (world) => {
      const first = await world.ask({ query: "", facets: ["brand"] });
      Reflect.set(first.facets!.brand![0]!, "count", 99);
      Reflect.set(first.facets!, "brand", []);
      return (await world.ask({ query: "", facets: ["brand"] })).facets;
    },
  ),
]);

testRows("facets", [
  ...(
    [
      [0, 0],
      [-0, 0],
      [1, 1],
      [2, 2],
      [1e9, 2],
      [undefined, 2],
    ] as const
  ).map(([maxValuesPerFacet, shownValues]) =>
    gives(
      `maxValuesPerFacet ${maxValuesPerFacet}`,
      shownValues,
      async (world) => (await world.ask({ query: "", facets: ["tags"], maxValuesPerFacet })).facets?.tags?.length,
    ),
  ),
]);

// The order and the groups of hits.

const ORDER_INVALID: Refusal = bad("invalid_parameter", "sort");
const sorted = (world: World, sort: unknown): unknown => world.ask({ query: "", sort });

const MIXED: readonly unknown[] = [
  { id: "a", n: 5 },
  { id: "b", n: "x" },
  { id: "c", n: true },
  { id: "d", n: null },
  { id: "e" },
  { id: "f", n: [9, 1] },
  { id: "g", n: false },
  { id: "h", n: 5 },
  { id: "i", n: [] },
  { id: "j", n: "\u{1f600}" },
  { id: "k", n: "\uffff" },
  { id: "l", n: "" },
];

async function order(world: World, sort: readonly string[], settings?: object): Promise<string> {
  await world.create("new", settings);
  await world.add(MIXED, "new");
  return idsOf(
    await world.ask({ query: "", sort: sort.length === 0 ? undefined : sort, hitsPerPage: 100 }, "new"),
  ).join("");
}

const ASCENDING = "fahbjkgcdeil";
const DESCENDING = "cgkjbfahdeil";

testRows("the order and the groups of hits", [
  {
    what: "sort by long texts",
    prepare: (world) => world.add([{ id: 9, text: "long ".repeat(40) }]),
    run: (world) => sorted(world, ["text:asc"]),
    expect: { ...ORDER_INVALID, error: "not_sortable", msg: /attributesForFaceting/ },
  },
  ...(
    [
      ["n:asc", ASCENDING],
      ["n:desc", DESCENDING],
    ] as const
  ).flatMap(
    ([sort, expected]): Rows => [
      gives(`mixed and missing values, ${sort}`, expected, (world) => order(world, [sort])),
      gives(`mixed and missing values by custom ranking, ${sort}`, expected, (world) =>
        order(world, [], { customRanking: [sort === "n:asc" ? "asc(n)" : "desc(n)"] }),
      ),
      gives(`one record an addition, ${sort}`, expected, async (world) => {
        await world.create("new");
        for (const record of [...MIXED].reverse()) await world.add([record], "new");
        return idsOf(await world.ask({ query: "", sort: [sort], hitsPerPage: 100 }, "new")).join("");
      }),
    ],
  ),
  gives("the attribute twice: the first counts", ASCENDING, (world) => order(world, ["n:asc", "n:desc"])),
  gives("pages of a sorted answer hold each record once", ASCENDING, async (world) => {
    await order(world, ["n:asc"]);
    const pages = [];
    for (let page = 1; page <= 5; page++)
      pages.push(...idsOf(await world.ask({ query: "", sort: ["n:asc"], hitsPerPage: 3, page }, "new")));
    return pages.join("");
  }),
  refuses(
    "distinct without an attributeForDistinct",
    { ...bad("invalid_parameter", "distinct"), msg: /attributeForDistinct/ },
    (world) => world.ask({ query: "", distinct: true }),
  ),
  resembles("distinct: false without an attributeForDistinct", { nbHits: 3 }, (world) =>
    world.ask({ query: "", distinct: false }),
  ),
  gives(
    "groups of mixed values: 5 and the text 5 are two, records without a value stand alone",
    [8, "01345689"],
    async (world) => {
      await world.create("new", { attributeForDistinct: "g" });
      await world.add(
        [5, "5", 5, null, undefined, [], "__proto__", "__proto__", true, "true"].map((g, id) => ({ id, g })),
        "new",
      );
      const { nbHits, hits } = await world.ask({ query: "", distinct: true }, "new");
      return [nbHits, hits.map((hit) => hit.id).join("")];
    },
  ),
]);

// What a hit shows.

const HITS_LISTS = [
  "attributesToRetrieve",
  "attributesToHighlight",
  "attributesToSnippet",
  "restrictSearchableAttributes",
];

const refusal = (param: string, error = "invalid_parameter"): Refusal => ({ code: 400, error, param });

/** The only hit of a query, as it is shown. */
async function hitOf(world: World, params: object): Promise<Readonly<Record<string, unknown>>> {
  const { hits } = await world.ask({ query: "kettle", ...params });
  return { ...hits[0]! };
}

const FULL = { id: 1, title: "Red kettle", brand: "Forge", price: 10 };

const RECORD =
  '{"id":5,"title":"kettle","a":{"__proto__":{"b":1},"c":2},"__proto__":{"d":3},"x.y":1,"x":{"y":2,"z":[{"y":1},{"z":5}]}}';

/** What of that record some paths show. */
function projected(paths: readonly string[], expected: string): Rows {
  return gives(`${JSON.stringify(paths)} of keys that built-in objects have`, [expected, "5"], async (world) => {
    await world.create("new");
    await world.add([JSON.parse(RECORD)], "new");
    const { hits } = await world.ask({ query: "kettle", attributesToRetrieve: paths }, "new");
    return [JSON.stringify(hits[0]?.source), hits[0]?.id];
  });
}

testRows("what a hit shows", [
  ...(
    [
      [["*"], FULL],
      [["*", "title"], FULL],
      [["-note"], FULL],
      [["*", "-note", "-x"], FULL],
      [[], {}],
      [["nope"], {}],
      [["title", "title", "nope"], { title: "Red kettle" }],
      [["-title", "-nope", "-note", "-brand", "-price"], { id: 1 }],
      [["title", "-title"], {}],
      [["title.length", "title.0", "brand"], { brand: "Forge" }],
    ] as const
  ).map(
    ([attributesToRetrieve, expected]): Row => ({
      what: `attributesToRetrieve ${JSON.stringify(attributesToRetrieve)}`,
      run: async (world) => (await hitOf(world, { attributesToRetrieve })).source,
      expect: (result) => {
        const { note: _note, ...source } = result as Readonly<Record<string, unknown>>;
        expect(source).toEqual(expected);
      },
    }),
  ),
  projected(["__proto__"], '{"__proto__":{"d":3}}'),
  projected(["a.__proto__.b"], '{"a":{"__proto__":{"b":1}}}'),
  projected(["a.__proto__", "a.constructor", "constructor.name"], '{"a":{"__proto__":{"b":1}}}'),
  projected(["toString", "__proto__.toString", "a.b", "title.__proto__"], "{}"),
  projected(["x.y"], '{"x.y":1}'),
  projected(["x.z.y"], '{"x":{"z":[{"y":1}]}}'),
  projected(["*", "-a.__proto__", "-x", "-x.y", "-title"], '{"id":5,"a":{"c":2},"__proto__":{"d":3}}'),
  projected(["*", "-__proto__", "-a", "-x", "-x.y"], '{"id":5,"title":"kettle"}'),
]);

testRows(
  "what a hit shows",
  HITS_LISTS.flatMap((name) => [
    refuses(`10,000 names in`, refusal(name), (world, value) => world.ask({ query: "kettle", [name]: value }), {
      [name]: new Array(10_000).fill("title"),
    }),
    refuses(
      `encoded ${name}`,
      refusal(name),
      (world, text) =>
        world.ask({
          params: new URLSearchParams([
            ["query", "a"],
            [name, String(text)],
          ]).toString(),
        }),
      ["[", "{}", "[5]", "[null]", ",", "a,,b"],
    ),
  ]),
);

testRows("what a hit shows", [
  ...["<b title='x'>", "\0", "$&", "$1$`", "&amp;", "\\", ""].map((tag) =>
    resembles(
      `tags stand as they are, the text is escaped: ${JSON.stringify(tag)}`,
      [
        { title: { value: `&lt;script&gt;x()&lt;/script&gt; ${tag}kettle${tag} &quot;a&quot; &amp; &#39;b&#39;` } },
        { title: `<script>x()</script> kettle "a" & 'b'` },
      ],
      async (world) => {
        await world.add([{ id: 1, title: `<script>x()</script> kettle "a" & 'b'` }]);
        const hit = await hitOf(world, {
          attributesToHighlight: ["title"],
          highlightPreTag: tag,
          highlightPostTag: tag,
        });
        return [hit._highlightResult, hit.source];
      },
    ),
  ),
  ...(["attributesToHighlight", "attributesToSnippet"] as const).flatMap((name) =>
    passes(
      name,
      [["nope"], ["constructor"], ["title.length"], [], ["__proto__"]],
      async (world, value) => {
        const hit = await hitOf(world, { [name]: value });
        return hit[name === "attributesToHighlight" ? "_highlightResult" : "_snippetResult"] ?? {};
      },
      (result) => expect(JSON.stringify(result)).toBe("{}"),
    ),
  ),
  {
    what: "highlights of attributes that built-in objects have",
    run: async (world) => {
      await world.create("new");
      await world.add([JSON.parse(RECORD)], "new");
      const params = {
        query: "kettle",
        attributesToHighlight: ["__proto__", "a", "x"],
        attributesToSnippet: ["__proto__:1"],
      };
      const { hits } = await world.ask(params, "new");
      const hit = { ...hits[0]! } as { readonly _highlightResult?: object };
      return [JSON.stringify(Object.keys(hit._highlightResult ?? {}).sort()), JSON.stringify(hit)];
    },
    expect: (result) => {
      const [names, hit] = result as [string, string];
      expect(names).toBe('["__proto__","a","x"]');
      expect(hit).toContain('"_snippetResult":{"__proto__":{"d":');
    },
  },
  gives("what is shown of a hit, changed by the caller, has no effect on later answers", true, async (world) => {
    const params = {
      attributesToHighlight: ["*"],
      attributesToSnippet: ["*"],
      attributesToRetrieve: ["title"],
      explain: true,
    };
    const first = await hitOf(world, params);
    const before = JSON.stringify(first);
    for (const name of ["_highlightResult", "_snippetResult", "source", "explanation"])
      Reflect.set(first[name] as object, "title", "changed");
    return JSON.stringify(await hitOf(world, params)) === before;
  }),
]);

// The verb similar.

const like = (world: World, of: unknown, params: unknown = {}): unknown => world.call("similar", "shop", of, params);
const someIds = (count: number): string[] => Array.from({ length: count }, () => "1");

testRows("similar", [
  refuses("similar to", refusal("of", "invalid_id"), like, {
    ...shown(undefined, null, "", 1.5, Number.NaN, 2 ** 53, true, 5n, () => 1, Symbol(), [], {
      like: ["1"],
      unlik: ["1"],
    }),
    "a list of 101": someIds(101),
    "a long id": "x".repeat(1025),
    "half of a pair": "\ud800",
  }),
  refuses("an id in a list,", refusal("of[1]", "invalid_id"), (world, id) => like(world, ["1", id]), [
    ...["", null, undefined, {}, [], 0.5, true],
  ]),
  refuses("like", refusal("of.like", "invalid_id"), (world, ids) => like(world, { like: ids, unlike: ["1"] }), {
    ...shown(undefined, null, "1", 1, {}, []),
    "a list of 101": someIds(101),
  }),
  refuses("unlike", refusal("of.unlike", "invalid_id"), (world, ids) => like(world, { like: ["1"], unlike: ids }), {
    ...shown(null, "1", 1, {}),
    "a list of 101": someIds(101),
  }),
  refuses("an id that is not there,", bad("record_not_found", "of", 404), like, {
    ...shown("nobody", 12345, "__proto__", ["1", "nobody"], { like: ["1"], unlike: ["constructor"] }),
  }),
  refuses("a query", refusal("query"), (world, query) => like(world, 1, { query }), ["drill", " a"]),
  refuses("no parameters:", bad("invalid_request", "params"), (world, params) => like(world, 1, params), [
    null,
    5,
    "x",
    [],
  ]),
]);

// The verbs searchForFacetValues and whyNot.

const INVALID_REQUEST: Refusal = bad("invalid_request", "params");
const facet = (world: World, params: unknown): unknown => world.call("searchForFacetValues", "shop", params);
const why = (world: World, params: unknown, id: unknown = 1): unknown => world.call("whyNot", "shop", params, id);

const NO_REQUESTS: Readonly<Record<string, unknown>> = {
  ...shown(undefined, null, "tags", [], 5, true, () => ({}), Symbol()),
};

testRows("searchForFacetValues and whyNot", [
  refuses("searchForFacetValues with", INVALID_REQUEST, facet, NO_REQUESTS),
  refuses(
    "facetName",
    refusal("facetName"),
    (world, facetName) => facet(world, { facetName }),
    String.raw`undefined | null | "" | "*" | 5 | ["tags"] | {} | true | Symbol() | "a\n" | "n x 257"`,
  ),
  refuses(
    "an unknown facetName",
    refusal("facetName", "unknown_field"),
    (world, facetName) => facet(world, { facetName }),
    ["colour", "__proto__", "constructor", "tags.length"],
  ),
  refuses("facetQuery", refusal("facetQuery"), (world, facetQuery) => facet(world, { facetName: "tags", facetQuery }), [
    null,
    5,
    {},
    ["gar"],
    true,
    Symbol(),
    Object("gar"),
  ]),
  refuses(
    "a facetQuery of more than 4,096 bytes:",
    refusal("facetQuery", "query_too_long"),
    (world, facetQuery) => facet(world, { facetName: "tags", facetQuery }),
    { "one byte more": "a".repeat(4097), "10 MB": "a".repeat(10_000_000) },
  ),
  refuses(
    "maxFacetHits",
    refusal("maxFacetHits"),
    (world, maxFacetHits) => facet(world, { facetName: "tags", maxFacetHits }),
    [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "5", null, true, [5], 5n],
  ),
  ...(
    [
      [0, 0],
      [1, 1],
      [1e9, 2],
      [undefined, 2],
    ] as const
  ).map(
    ([maxFacetHits, count]): Row => ({
      what: `maxFacetHits ${maxFacetHits}`,
      run: (world) => facet(world, { facetName: "tags", maxFacetHits }),
      expect: (result) => expect((result as { readonly facetHits: unknown[] }).facetHits).toHaveLength(count),
    }),
  ),
  refuses(
    "all complaints of searchForFacetValues come together",
    { ...refusal("facetName"), msg: /facetName.*facetQuery.*maxFacetHits.*filters/ },
    (world) => facet(world, { facetName: 5, facetQuery: 5, maxFacetHits: -1, filters: 5 }),
  ),
  ...(
    [
      ["query", 5, "invalid_query"],
      ["filters", 5, "invalid_filter"],
      ["facetFilters", "x", "invalid_facet_filters"],
      ["typoTolerance", "yes", "invalid_parameter"],
    ] as const
  ).map(([name, value, error]) =>
    refuses(`searchForFacetValues with a bad ${name}`, refusal(name, error), (world) =>
      facet(world, { facetName: "tags", [name]: value }),
    ),
  ),
  ...["filter", "facetFilter"].map((name) =>
    refuses(
      `searchForFacetValues with ${name}, which was meant to hide values`,
      refusal(name, "unknown_parameter"),
      (world) => facet(world, { facetName: "tags", [name]: "brand:Forge" }),
    ),
  ),
  {
    what: "a misspelt facetQuery under strict, the nearest name told",
    options: { strict: true },
    run: (world) => facet(world, { facetName: "tags", facetQuerry: "gar" }),
    expect: { ...refusal("facetQuerry", "unknown_parameter"), msg: /facetQuery/ },
  },
  gives("facetQuery", { facetHits: [] }, (world, facetQuery) => facet(world, { facetName: "tags", facetQuery }), [
    ".*",
    "(",
    "[",
    "\\",
    "^",
    "\ud800",
    "constructor",
  ]),
  {
    what: "searchForFacetValues reads own properties only",
    run: (world) =>
      facet(
        world,
        Object.assign(Object.create({ facetQuery: "zzz", maxFacetHits: 0, filters: 5 }), { facetName: "tags" }),
      ),
    expect: (result) => expect((result as { readonly facetHits: unknown[] }).facetHits).toHaveLength(2),
  },
  {
    what: "searchForFacetValues with an own key __proto__",
    run: (world) => facet(world, JSON.parse('{"facetName":"tags","__proto__":{"facetQuery":"zzz"}}')),
    expect: (result, world) => {
      expect((result as { readonly facetHits: unknown[] }).facetHits).toHaveLength(2);
      expect(world.warnings.map(({ code }) => code)).toEqual(["unknown_parameter"]);
    },
  },
]);

testRows("searchForFacetValues and whyNot", [
  refuses("whyNot with", INVALID_REQUEST, why, NO_REQUESTS),
  refuses(
    "whyNot with the id",
    refusal("id", "invalid_id"),
    (world, id) => world.call("whyNot", "shop", { query: "drill" }, id),
    [undefined, null, "", {}, [], [1], true, Number.NaN, 1.5, 2 ** 53, 1n, Symbol(), "i".repeat(513), "\ud800"],
  ),
  refuses("whyNot without a query", refusal("query", "missing_query"), (world) => why(world, {})),
  refuses("whyNot with a bad page", refusal("page", "invalid_page"), (world) =>
    why(world, { query: "drill", page: 0 }),
  ),
  refuses("whyNot with bad filters", { ...refusal("filters", "invalid_filter"), span: [7, 7] }, (world) =>
    why(world, { query: "drill", filters: "brand =" }),
  ),
  refuses("whyNot with params beside", refusal("params", "params_not_alone"), (world) =>
    why(world, { params: "query=a", page: 1 }),
  ),
  ...(
    [
      [{ query: "drill" }, "two", { found: true }],
      [{ params: "query=drill&page=5" }, 3, { found: true }],
      [{ query: "drill" }, "nope", { found: false, reason: "unknown" }],
      [{ query: "drill" }, "__proto__", { found: false, reason: "unknown" }],
      [{ query: "drill" }, 1, { found: false, reason: "membership", words: { share: 0 } }],
      [{ query: "drill", filters: { brand: "Forge" } }, "two", { found: false, reason: "filters" }],
      [{ query: "drill", facetFilters: ["brand:Forge"] }, "two", { found: false, reason: "facetFilters" }],
      [{ query: "" }, 1, { found: true }],
      [{ query: "!!!" }, 1, { found: false, reason: "membership" }],
    ] as const
  ).map(([params, id, expected]) =>
    resembles(`whyNot ${JSON.stringify([params, id])}`, expected, (world) => why(world, params, id)),
  ),
]);
