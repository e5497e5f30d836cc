// Values of parameters that are refused, in the object form and within an encoded string; and odd ones that are taken.

import { expect, it } from "vitest";
import { decodeParameter, PARAMETERS } from "../../src/input/parameter-table.js";
import { cells, PARAMETER_TEXTS, PARAMETER_VALUES, refusedValues } from "./refused-values.js";
import { bad, gives, passes, refuses, refusesTable, resembles, testRows } from "./row.js";
import { type Seen, vectorOf, type World } from "./world.js";

const asObject = (world: World, name: string, value: unknown): unknown => world.ask({ query: "kettle", [name]: value });

/** With one more parameter, written as it is into the encoded string. */
const asText = (world: World, name: string, text: unknown, index = "shop"): unknown =>
  world.ask({ params: `query=kettle&${name}=${text}` }, index);

const VALUES = refusedValues(PARAMETER_VALUES);

/** The lists and objects of the table, once more as JSON within an encoded string. */
const AS_JSON = VALUES.flatMap(({ param, code, error, values }) => {
  const name = param.replace(/\[.*/, "");
  const texts = cells(values).flatMap((value) => {
    const json = typeof value === "object" ? JSON.stringify(value) : "";
    const isRead = /^[[{]/.test(json) && json.length < 4000 && JSON.stringify(decodeParameter(name, json)) === json;
    return isRead ? [json] : [];
  });
  const run = (world: World, json: unknown): unknown => asText(world, name, encodeURIComponent(String(json)));
  return refuses(`${param} as JSON`, bad(error, param, code), run, texts);
});

const NO_VECTOR = String.raw`"" | "[" | "[1,2" | "[]" | "{}" | "1,2,,4,5,6,7,8" | "[1,2,3,4,5,6,7,NaN]" | "1,2,3,4,5,6,7,1e400" | "[[1]]" | "null" | "\"x\""`;

it("a value of each parameter is refused", () => {
  const refused = new Set(VALUES.map(({ param }) => param.replace(/\[.*/, "")));
  // Tables of filters are in filters.test.ts.
  expect([...refused, "filters", "facetFilters"].sort()).toEqual(Object.keys(PARAMETERS).sort());
});

testRows("parameters that are refused", [
  refusesTable(PARAMETER_VALUES, asObject),
  refusesTable(PARAMETER_TEXTS, (world, name, text) => asText(world, name, text)),
  AS_JSON,
  refuses("facets", bad("invalid_parameter", "facets"), (world, facets) => asObject(world, "facets", facets), {
    "21 attributes": Array.from({ length: 21 }, (_, i) => `a${i}`),
    "an array-like": { 0: "brand", length: 1 },
  }),
  refuses(
    "queryLanguages",
    bad("invalid_parameter", "queryLanguages[0]"),
    (world, languages) => asObject(world, "queryLanguages", languages),
    '["tlh"] | ["en_US"] | [""]',
  ),
  refuses("sort by a name of 257 characters", bad("invalid_parameter", "sort"), (world) =>
    asObject(world, "sort", [`${"n".repeat(257)}:asc`]),
  ),
  refuses(
    "aroundRadius alone,",
    bad("invalid_parameter", "aroundRadius"),
    (world, radius) => asObject(world, "aroundRadius", radius),
    "5 | 0",
  ),
  refuses(
    "aroundRadius beside a place:",
    bad("invalid_parameter", "aroundRadius"),
    (world, aroundRadius) => world.ask({ query: "kettle", aroundLatLng: "48,11", aroundRadius }),
    '-1 | "5" | NaN | Infinity | null | [] | true',
  ),
  refuses(
    "insideBoundingBox",
    bad("invalid_parameter"),
    (world, boxes) => asObject(world, "insideBoundingBox", boxes),
    {
      "no number": [[0, 0, Number.NaN, 0]],
      "a hole": [new Array(4)],
      "a length alone": Object.assign([], { length: 2 ** 32 - 1 }),
    },
  ),
  refuses(
    "all complaints come together",
    { ...bad("invalid_query", "query"), msg: /query.*page.*hitsPerPage.*facets.*sort.*queryType/ },
    (world) =>
      world.ask({
        ...{ query: null, page: 0, hitsPerPage: "12", facets: 5 },
        ...{ sort: "x", queryType: "x" },
      }),
  ),
  refuses(
    "hits by page and by place",
    bad("invalid_parameter", "offset"),
    (world, other) => world.ask({ query: "kettle", offset: 0, ...(other as object) }),
    '{"page":1} | {"hitsPerPage":5} | {"page":1,"hitsPerPage":5,"length":5}',
  ),
  refuses("a length beside a page", bad("invalid_parameter", "length"), (world) =>
    world.ask({ query: "kettle", length: 5, page: 1 }),
  ),
  refuses(
    "an encoded vector",
    bad("invalid_vector", "vector"),
    (world, text) => asText(world, "vector", text, "near"),
    NO_VECTOR,
  ),
]);

const TAGS = String.raw`"" | "x x 64" | "\u0000" | "<script>" | "\ud800" | "$&" | "$1" | undefined`;

/** A line: parameters and odd values that change nothing. */
const TAKEN: readonly (readonly [names: string, values: string])[] = [
  ["typoTolerance advancedSyntax explain getParsedQuery getMatchInfo enableRules", "true | false | undefined"],
  ["distinct", "false | 0 | undefined"],
  ["understand cursor", "undefined"],
  ["understand", "false"],
  ["page", "1 | undefined"],
  ["hitsPerPage", "1 | 1000 | 1001 | 9007199254740991 | undefined"],
  [
    "optionalWords",
    String.raw`[] | "" | "blue  red" | ["blue",""] | ["constructor","__proto__"] | ["w x 4096"] | ["\ud800","\u0000"]`,
  ],
  ["sort", '["price:asc"] x 16 | ["_score:asc","_score:desc"]'],
  ["minScore", "0 | -0 | 0.000001 | undefined"],
  ["offset", "0 | -0 | undefined"],
  ["length", "1 | 1000 | undefined"],
  ["ruleContexts", '[] | undefined | ["", "mobile"] | ["c x 256"] | ["a"] x 1000'],
  ["boosts", '[] | undefined | [{"filters":"","weight":1}] x 16 | [{"attribute":"price","weight":1,"pivot":1e300}]'],
  [
    "facets",
    '["brand",{"attribute":"price","histogram":100},"*"] | [{"attribute":"price","ranges":[[null,null],[-1e308,1e308],[-0,1]]}] | [{"attribute":"brand","limit":1000}]',
  ],
  [
    "numericFilters",
    '[] | undefined | ["price>=-1e308"] x 512 | ["price<=0.30000000000000001e40"] | [["price!=-0"],["brand!=5","price>=1"]]',
  ],
  ["optionalFilters", '[] | undefined | [[]] | ["brand:<score=999>"] | ["brand:Forge<score=7>"] x 16'],
  ["highlightPreTag highlightPostTag snippetEllipsisText", TAGS],
  [
    "attributesToSnippet",
    '["title:0"] | ["title:-1"] | ["title:x"] | ["title:99999999999999999999"] | [":5"] | ["*:0"]',
  ],
];

testRows("odd parameters that are taken", [
  TAKEN.flatMap(([names, values]) =>
    names
      .split(" ")
      .map((name) =>
        resembles(
          name,
          { nbHits: 1, page: 1, hits: [{ id: "1" }] },
          (world, value) =>
            world.ask({ query: "kettle", attributesToHighlight: ["*"], attributesToSnippet: ["*"], [name]: value }),
          values,
        ),
      ),
  ),
  resembles("page", { nbHits: 1, hits: [] }, (world, page) => asObject(world, "page", page), "2 | 1000000000"),
  passes(
    "hitsPerPage",
    "0 | -0 | 1001 | undefined",
    (world, most) => asObject(world, "hitsPerPage", most),
    (result) => {
      const { hitsPerPage, hits, nbHits } = result as Seen;
      expect([nbHits, hits.length]).toEqual([1, Math.min(1, hitsPerPage)]);
      expect([0, 12, 1000]).toContain(hitsPerPage);
    },
  ),
  resembles(
    "restrictSearchableAttributes",
    { nbHits: 0, hits: [] },
    (world, names) => asObject(world, "restrictSearchableAttributes", names),
    "[]",
  ),
  resembles("places:", { nbHits: 0 }, (world, params) => world.ask({ query: "", ...(params as object) }), {
    "a radius of nothing": { aroundLatLng: "48,11", aroundRadius: 0 },
    "blanks, signs and powers": { aroundLatLng: " -4.8e1 , 1E1", aroundRadius: 1e300 },
    "a hundred boxes": { insideBoundingBox: new Array(100).fill([0, 0, 0, 0]) },
    "the whole earth": { insideBoundingBox: [[-90, -180, 90, 180]] },
  }),
  resembles(
    "an encoded vector:",
    { hits: [{ id: "two", score: 1 }] },
    (world, vector) => world.ask({ params: `query=&vector=${vector}&hitsPerPage=1` }, "near"),
    [JSON.stringify(vectorOf(1)), encodeURIComponent(JSON.stringify(vectorOf(1))), vectorOf(1).join()],
  ),
  gives("sort is parted at the last colon", "21", async (world) => {
    await world.create("new");
    await world.add(cells('{"id":1,"x:y":2} | {"id":2,"x:y":1}'), "new");
    return (await world.ask({ query: "", sort: ["x:y:asc"] }, "new")).hits.map(({ id }) => id).join("");
  }),
  gives("left out: 100 values of a facet, em as a tag, an ellipsis", [100, "<em>kettle</em>…"], async (world) => {
    await world.create("new");
    const records = Array.from({ length: 101 }, (_, id) => ({ id, n: id, title: "kettle and more" }));
    await world.add(records, "new");
    const { hits, facets } = await world.ask(
      { query: "kettle", facets: ["n"], attributesToSnippet: ["title:1"] },
      "new",
    );
    const [hit] = hits as readonly { readonly _snippetResult?: { readonly title?: { readonly value?: string } } }[];
    return [facets?.n?.length, hit?._snippetResult?.title?.value];
  }),
]);
