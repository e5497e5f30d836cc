// The verbs similar, searchForFacetValues and whyNot: what they refuse of what an index holds (what is wrong in itself is a row of
// wrong-arguments.ts). And what a caller may do with an answer.

import { expect } from "vitest";
import { cells } from "./refused-values.js";
import { bad, gives, type Refusal, refuses, resembles, testRows } from "./row.js";
import { anything, type World } from "./world.js";

const refusal = (param: string, error = "invalid_parameter"): Refusal => bad(error, param);

// The verbs similar, searchForFacetValues and whyNot.

const facet = (world: World, params: unknown): unknown => world.call("searchForFacetValues", "shop", params);
const ofTags = (world: World, params: object): unknown => facet(world, { facetName: "tags", ...params });
const why = (world: World, params: unknown, id: unknown = 1): unknown => world.call("whyNot", "shop", params, id);

testRows("similar and searchForFacetValues", [
  refuses(
    "similar to an id that is not there,",
    bad("record_not_found", "of", 404),
    (world, of) => world.call("similar", "shop", of, {}),
    '"nobody" | 12345 | "__proto__" | ["1","nobody"] | {"like":["1"],"unlike":["constructor"]}',
  ),
  refuses(
    "an unknown facetName",
    refusal("facetName", "unknown_field"),
    (world, facetName) => facet(world, { facetName }),
    '"colour" | "__proto__" | "constructor" | "tags.length"',
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
