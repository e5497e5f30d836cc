// The verbs similar, searchForFacetValues and whyNot: what they refuse. And what a caller may do with an answer.

import { expect } from "vitest";
import { cells } from "./refused-values.js";
import { bad, gives, type Refusal, refuses, resembles, shown, testRows } from "./row.js";
import { anything, type World } from "./world.js";

const refusal = (param: string, error = "invalid_parameter"): Refusal => bad(error, param);
const INVALID_REQUEST: Refusal = bad("invalid_request", "params");

// The verb similar.

const like = (world: World, of: unknown, params: unknown = {}): unknown => world.call("similar", "shop", of, params);
const LISTS: Readonly<Record<string, unknown>> = {
  ...shown(null, "1", 1, {}),
  "a list of 101": new Array(101).fill("1"),
};

testRows("similar", [
  refuses("similar to", refusal("of", "invalid_id"), like, {
    ...shown(...cells('undefined | null | "" | 1.5 | NaN | 9007199254740992 | true | 5n | function | Symbol() | []')),
    "a misspelt name": { like: ["1"], unlik: ["1"] },
    "a list of 101": new Array(101).fill("1"),
    "a long id": "x".repeat(1025),
    "half of a pair": "\ud800",
  }),
  refuses(
    "an id in a list,",
    refusal("of[1]", "invalid_id"),
    (world, id) => like(world, ["1", id]),
    '"" | null | undefined | {} | [] | 0.5 | true',
  ),
  refuses("like", refusal("of.like", "invalid_id"), (world, ids) => like(world, { like: ids, unlike: ["1"] }), {
    ...LISTS,
    ...shown(undefined, []),
  }),
  refuses(
    "unlike",
    refusal("of.unlike", "invalid_id"),
    (world, ids) => like(world, { like: ["1"], unlike: ids }),
    LISTS,
  ),
  refuses(
    "an id that is not there,",
    bad("record_not_found", "of", 404),
    like,
    '"nobody" | 12345 | "__proto__" | ["1","nobody"] | {"like":["1"],"unlike":["constructor"]}',
  ),
  refuses("a query", refusal("query"), (world, query) => like(world, 1, { query }), '"drill" | " a"'),
  refuses("no parameters:", INVALID_REQUEST, (world, params) => like(world, 1, params), 'null | 5 | "x" | []'),
]);

// The verbs searchForFacetValues and whyNot.

const facet = (world: World, params: unknown): unknown => world.call("searchForFacetValues", "shop", params);
const ofTags = (world: World, params: object): unknown => facet(world, { facetName: "tags", ...params });
const why = (world: World, params: unknown, id: unknown = 1): unknown => world.call("whyNot", "shop", params, id);
const NO_REQUESTS = 'undefined | null | "tags" | [] | 5 | true | function | Symbol()';

testRows("searchForFacetValues", [
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
    '"colour" | "__proto__" | "constructor" | "tags.length"',
  ),
  refuses(
    "facetQuery",
    refusal("facetQuery"),
    (world, facetQuery) => ofTags(world, { facetQuery }),
    'null | 5 | {} | ["gar"] | true | Symbol() | Object("gar")',
  ),
  refuses(
    "a long facetQuery",
    refusal("facetQuery", "query_too_long"),
    (world, facetQuery) => ofTags(world, { facetQuery }),
    '"a x 4097" | "é x 2049" | "a x 10000000"',
  ),
  refuses(
    "maxFacetHits",
    refusal("maxFacetHits"),
    (world, maxFacetHits) => ofTags(world, { maxFacetHits }),
    '-1 | 1.5 | NaN | Infinity | "5" | null | true | [5] | 5n',
  ),
  cells("[0,0] | [1,1] | [1000000000,2] | [null,2]").map((cell) => {
    const [maxFacetHits, count] = anything<readonly [number | null, number]>(cell);
    return resembles(`maxFacetHits ${maxFacetHits}`, { facetHits: { length: count } }, (world) =>
      ofTags(world, { maxFacetHits: maxFacetHits ?? undefined }),
    );
  }),
  refuses(
    "all complaints of searchForFacetValues come together",
    { ...refusal("facetName"), msg: /facetName.*facetQuery.*maxFacetHits.*filters/ },
    (world) => facet(world, { facetName: 5, facetQuery: 5, maxFacetHits: -1, filters: 5 }),
  ),
  (
    [
      ["query", 5, "invalid_query"],
      ["filters", 5, "invalid_filter"],
      ["facetFilters", "x", "invalid_facet_filters"],
      ["typoTolerance", "yes", "invalid_parameter"],
      ["filter", "brand:Forge", "unknown_parameter"],
      ["facetFilter", "brand:Forge", "unknown_parameter"],
    ] as const
  ).map(([name, value, error]) =>
    refuses(`searchForFacetValues with a bad ${name}`, refusal(name, error), (world) =>
      ofTags(world, { [name]: value }),
    ),
  ),
  {
    what: "a misspelt facetQuery under strict, the nearest name told",
    options: { strict: true },
    run: (world) => ofTags(world, { facetQuerry: "gar" }),
    expect: { ...refusal("facetQuerry", "unknown_parameter"), msg: /facetQuery/ },
  },
  gives(
    "facetQuery",
    { facetHits: [] },
    (world, facetQuery) => ofTags(world, { facetQuery }),
    String.raw`".*" | "(" | "[" | "\\" | "^" | "\ud800" | "constructor"`,
  ),
  resembles("searchForFacetValues reads own properties only", { facetHits: { length: 2 } }, (world) =>
    facet(
      world,
      Object.assign(Object.create({ facetQuery: "zzz", maxFacetHits: 0, filters: 5 }), { facetName: "tags" }),
    ),
  ),
  {
    what: "searchForFacetValues with an own key __proto__",
    run: (world) => facet(world, JSON.parse('{"facetName":"tags","__proto__":{"facetQuery":"zzz"}}')),
    expect: (result, world) => {
      expect(result).toMatchObject({ facetHits: { length: 2 } });
      expect(world.warnings.map(({ code }) => code)).toEqual(["unknown_parameter"]);
    },
  },
]);

testRows("whyNot", [
  refuses("whyNot with", INVALID_REQUEST, why, NO_REQUESTS),
  refuses(
    "whyNot with the id",
    refusal("id", "invalid_id"),
    (world, id) => why(world, { query: "drill" }, id),
    String.raw`null | "" | {} | [] | [1] | true | NaN | 1.5 | 9007199254740992 | 1n | Symbol() | "i x 513" | "\ud800"`,
  ),
  refuses("whyNot without an id", refusal("id", "invalid_id"), (world) => world.call("whyNot", "shop", { query: "a" })),
  refuses("whyNot without a query", refusal("query", "missing_query"), (world) => why(world, {})),
  refuses("whyNot with a bad page", refusal("page", "invalid_page"), (world) => why(world, { query: "a", page: 0 })),
  refuses("whyNot with bad filters", { ...refusal("filters", "invalid_filter"), span: [7, 7] }, (world) =>
    why(world, { query: "drill", filters: "brand =" }),
  ),
  refuses("whyNot with params beside", refusal("params", "params_not_alone"), (world) =>
    why(world, { params: "query=a", page: 1 }),
  ),
  resembles("whyNot as an encoded string", { found: true }, (world) => why(world, { params: "query=drill&page=5" }, 3)),
  resembles("whyNot of a name that built-in objects have", { found: false, reason: "unknown" }, (world) =>
    why(world, { query: "drill" }, "__proto__"),
  ),
  resembles("whyNot of signs alone", { found: false, reason: "membership" }, (world) => why(world, { query: "!!!" })),
]);

// Answers.

/** The answer of a query for a text that holds what HTML means something by. */
async function answerOf(world: World, params: object): Promise<unknown> {
  await world.add([{ id: 1, brand: "Forge", title: `<script>x()</script> kettle "a" & 'b'` }]);
  return world.ask({ query: "kettle", ...params });
}

testRows("answers", [
  {
    what: "sort by long texts",
    prepare: (world) => world.add([{ id: 9, text: "long ".repeat(40) }]),
    run: (world) => world.ask({ query: "", sort: ["text:asc"] }),
    expect: { ...refusal("sort", "not_sortable"), msg: /attributesForFaceting/ },
  },
  refuses(
    "distinct without an attributeForDistinct",
    { ...refusal("distinct"), msg: /attributeForDistinct/ },
    (world) => world.ask({ query: "", distinct: true }),
  ),
  ["<b title='x'>", "\0", "$&", "$1$`", "&amp;", "\\", ""].map((tag) =>
    resembles(
      `tags stand as they are, the text is escaped: ${JSON.stringify(tag)}`,
      {
        hits: [
          {
            _highlightResult: {
              title: { value: `&lt;script&gt;x()&lt;/script&gt; ${tag}kettle${tag} &quot;a&quot; &amp; &#39;b&#39;` },
            },
            source: { title: `<script>x()</script> kettle "a" & 'b'` },
          },
        ],
      },
      (world) => answerOf(world, { attributesToHighlight: ["title"], highlightPreTag: tag, highlightPostTag: tag }),
    ),
  ),
  gives("an answer that the caller changes has no effect on later ones", true, async (world) => {
    const shows = { attributesToHighlight: ["*"], attributesToSnippet: ["*"], attributesToRetrieve: ["title"] };
    const params = { ...shows, explain: true, facets: ["brand"] };
    const first = anything<{ readonly hits: object[]; readonly facets: object }>(await answerOf(world, params));
    const before = JSON.stringify(first);
    const [hit] = first.hits;
    for (const part of ["_highlightResult", "_snippetResult", "source", "explanation"])
      Reflect.set(Reflect.get(hit!, part), "title", "changed");
    Reflect.set(Reflect.get(first.facets, "brand")[0], "count", 99);
    Reflect.set(first.facets, "brand", []);
    Reflect.set(first.hits, "length", 0);
    return JSON.stringify(await world.ask({ query: "kettle", ...params })) === before;
  }),
]);
