// Values of parameters that are refused, in the object form and within an encoded string; and odd ones that are taken.

import { expect } from "vitest";
import { bad, cells, gives, passes, refuses, refusesTable, resembles, testRows } from "./row.js";
import type { Seen, World } from "./world.js";

const asObject = (world: World, name: string, value: unknown): unknown => world.ask({ query: "kettle", [name]: value });

/** With one more parameter, written as it is into the encoded string. */
const asText = (world: World, name: string, text: unknown, index = "shop"): unknown =>
  world.ask({ params: `query=kettle&${name}=${text}` }, index);

const NO_NAMES = String.raw`null | 5 | "brand" | {} | true | [5] | [null] | [["brand"]] | [""] | ["a\n"] | ["n x 257"] | Set | hole |
    Object("title") | ["title"] x 10000`;
const NO_BOOLEAN = 'null | 0 | 1 | "true" | "yes" | "" | [] | {} | [true] | Object(true) | Symbol() | 1n';
const NO_TAG = 'null | 5 | true | {} | ["<b>"] | "x x 65" | "x x 10000" | Symbol() | Object("<b>")';

const OBJECT_FORM = `
  query              invalid_query      null | 5 | true | {} | [] | ["drill"] | Symbol() | 1n | Object("a") | function
  page               invalid_page       0 | -0 | -1 | 1.5 | NaN | Infinity | "2" | null | 1e21 | 1000000001 | true | [2] | {} | 2n | Object(2)
  hitsPerPage        invalid_hits_per_page -1 | 1.5 | NaN | Infinity | "12" | null | 9007199254740992 | true | [] | 12n
  maxValuesPerFacet  invalid_parameter  -1 | 1.5 | NaN | Infinity | "5" | null | true | [5] | 5n | 9007199254740992
  semanticDepth      invalid_parameter  0 | -1 | 1.5 | NaN | 10001 | "9" | null
  relevancyStrictness invalid_parameter -1 | 101 | 0.5 | NaN | "9" | null
  semanticFloor      invalid_parameter  -1.1 | 1.1 | NaN | "0" | null
  semanticWeight     invalid_parameter  NaN | -0.1 | 1.0000001 | 2 | -1 | "0.5" | null | true
  matching           invalid_parameter  "al" | null | true | ["all"] | 0
  queryType          invalid_parameter  "prefix" | "PrefixLast" | "prefixlast" | "" | null | true | ["prefixLast"] | 0 | "constructor"
  typoTolerance      invalid_parameter  "min" | "strict" | ${NO_BOOLEAN}
  advancedSyntax     invalid_parameter  ${NO_BOOLEAN}
  explain            invalid_parameter  ${NO_BOOLEAN}
  distinct           invalid_parameter  ${NO_BOOLEAN}
  optionalWords      invalid_parameter  null | 5 | {} | [5] | [null] | [["a"]] | ["w x 4097"] | ["a"] x 1001 | hole | Symbol()
  facets             invalid_parameter  ${NO_NAMES}
  facets             unknown_field      ["colour"] | ["brand","x"] | ["__proto__"] | ["constructor"] | ["tags.length"] | ["specs"] | ["*","x"]
  sort               invalid_parameter  null | 5 | "price:asc" | {} | true | [5] | [null] | ["price"] | ["price:up"] | ["price:ASC"]
    | ["price:asc "] | [":asc"] | [""] | ["price:"] | [["price","asc"]] | [{"price":"asc"}] | ["price:asc"] x 17 | hole | ["price:asc",null]
  sort               unknown_field      ["colour:asc"] | ["price:asc","x:desc"] | ["__proto__:asc"] | ["constructor:desc"] | ["tags.length:asc"]
    | ["a:b:asc"]
  vector             vectors_disabled   [] | [1,2] | null
  attributesToRetrieve  invalid_parameter  ${NO_NAMES}
  attributesToHighlight invalid_parameter  ${NO_NAMES}
  attributesToSnippet   invalid_parameter  ${NO_NAMES}
  restrictSearchableAttributes invalid_parameter ${NO_NAMES}
  restrictSearchableAttributes unknown_field ["nope"] | ["constructor"] | ["__proto__"] | ["brand","x"] | ["tags.length"]
  escapeHTML         invalid_parameter  ${NO_BOOLEAN}
  matchedPositions   invalid_parameter  ${NO_BOOLEAN}
  highlightPreTag       invalid_parameter  ${NO_TAG}
  highlightPostTag      invalid_parameter  ${NO_TAG}
  snippetEllipsisText   invalid_parameter  ${NO_TAG}`.replace(/\|\n\s*/g, "| ");

const NO_LIST = `"[" | "[5" | "[\\"brand\\"" | "[\\"brand\\",]" | "{}" | "{\\"0\\":\\"brand\\"}" | "[5]" | "[null]" | "[[]]" | "['brand']" | "%5B" | ","
    | "brand,"`;
const NO_TRUTH = '"1" | "0" | "yes" | "no" | "" | "True" | "TRUE" | "on" | "%20true" | "true%20" | "null" | "[true]"';
const NO_DECIMAL = '"" | "x" | "1e0" | "+1" | ".5" | "5." | "0x1" | "NaN" | "Infinity"';

const ENCODED_FORM = String.raw`
  page               invalid_page       "02" | "%2B2" | "+2" | " 2" | "%202" | "2 " | "2.0" | "2e0" | "0x2" | "\u0662" | "1_0" | "" | "0" | "-1"
    | "1n" | "99999999999999999999" | "9 x 400" | "1000000001"
  hitsPerPage        invalid_hits_per_page "-0" | "-1" | "1.5" | "" | "12a" | "9007199254740993"
  maxValuesPerFacet  invalid_parameter  "" | "-1" | "1.5" | "1e2" | "05" | "+5" | "x"
  semanticWeight     invalid_parameter  ${NO_DECIMAL}
  semanticFloor      invalid_parameter  ${NO_DECIMAL}
  semanticDepth      invalid_parameter  ${NO_DECIMAL}
  relevancyStrictness invalid_parameter ${NO_DECIMAL}
  distinct           invalid_parameter  ${NO_TRUTH} | "true"
  typoTolerance      invalid_parameter  ${NO_TRUTH}
  advancedSyntax     invalid_parameter  ${NO_TRUTH}
  explain            invalid_parameter  ${NO_TRUTH}
  facets             invalid_parameter  ${NO_LIST}
  facets             unknown_field      "[\"x\"]" | "x,y" | "brand, price" | "\"brand\"" | "null"
  sort               invalid_parameter  ${NO_LIST} | "price" | "price:up"
  attributesToRetrieve  invalid_parameter  ${NO_LIST} | "a,,b"
  attributesToHighlight invalid_parameter  ${NO_LIST} | "a,,b"
  attributesToSnippet   invalid_parameter  ${NO_LIST} | "a,,b"
  restrictSearchableAttributes invalid_parameter ${NO_LIST} | "a,,b"
  filters            invalid_filter     "{" | "{'brand':'x'}" | "{\"brand\":{}}" | "[]" | "[\"brand:Forge\"]" | "null" | "{\"brand\":\"Forge\""
  facetFilters       invalid_facet_filters "[" | "[\"brand:Forge\"" | "brand" | "[5]" | "[null]" | "{" | "{'a':1}" | "{\"brand\":{}}" | "null"
    | "[[[]]]" | "[[\"brand:Forge\",\"price:5\"]]"`;

const NO_VECTOR = String.raw`"" | "[" | "[1,2" | "[]" | "{}" | "1,2,,4,5,6,7,8" | "[1,2,3,4,5,6,7,NaN]" | "1,2,3,4,5,6,7,1e400" | "[[1]]" | "null" | "\"x\""`;

testRows("parameters that are refused", [
  refusesTable(OBJECT_FORM, asObject),
  refuses("facets", bad("invalid_parameter", "facets"), (world, facets) => asObject(world, "facets", facets), {
    "21 attributes": Array.from({ length: 21 }, (_, i) => `a${i}`),
    "an array-like": { 0: "brand", length: 1 },
  }),
  refuses("sort by a name of 257 characters", bad("invalid_parameter", "sort"), (world) =>
    asObject(world, "sort", [`${"n".repeat(257)}:asc`]),
  ),
  refuses(
    "all complaints come together",
    { ...bad("invalid_query", "query"), msg: /query.*page.*hitsPerPage.*semanticWeight.*matching/ },
    (world) => world.ask({ query: null, page: 0, hitsPerPage: "12", matching: "al", semanticWeight: 2 }),
  ),
  refuses(
    "all complaints about words come together",
    { ...bad("invalid_parameter", "facets"), msg: /facets.*sort.*typoTolerance.*queryType.*optionalWords.*explain/ },
    (world) =>
      world.ask({
        ...{ query: "drill", typoTolerance: "yes", queryType: "x", optionalWords: 5 },
        ...{ explain: 1, sort: "x", facets: 5 },
      }),
  ),
  refusesTable(ENCODED_FORM, (world, name, text) => asText(world, name, text)),
  refuses(
    "an encoded vector",
    bad("invalid_vector", "vector"),
    (world, text) => asText(world, "vector", text, "near"),
    NO_VECTOR,
  ),
]);

/** A line: a parameter and odd values that change nothing. */
const TAKEN: readonly (readonly [name: string, values: string])[] = [
  ...["typoTolerance", "advancedSyntax", "explain"].map((name) => [name, "true | false | undefined"] as const),
  ["page", "1 | undefined"],
  ["hitsPerPage", "1000 | 1001 | 1000000000 | 9007199254740991 | undefined"],
  [
    "optionalWords",
    String.raw`[] | "" | "blue  red" | ["blue",""] | ["constructor","__proto__"] | ["w x 4096"] | ["\ud800","\u0000"]`,
  ],
  ["sort", '["price:asc"] x 16'],
  ...["highlightPreTag", "highlightPostTag", "snippetEllipsisText"].map(
    (name) => [name, String.raw`"" | "x x 64" | "\u0000" | "<script>" | "\ud800" | "$&" | "$1" | undefined`] as const,
  ),
  [
    "attributesToSnippet",
    '["title:0"] | ["title:-1"] | ["title:x"] | ["title:99999999999999999999"] | [":5"] | ["*:0"]',
  ],
];

testRows("odd parameters that are taken", [
  ...TAKEN.flatMap(([name, values]) =>
    resembles(
      name,
      { nbHits: 1, page: 1, hits: [{ id: "1" }] },
      (world, value) =>
        world.ask({ query: "kettle", attributesToHighlight: ["*"], attributesToSnippet: ["*"], [name]: value }),
      values,
    ),
  ),
  resembles("page", { nbHits: 1, hits: [] }, (world, page) => asObject(world, "page", page), "2 | 1000000000"),
  passes(
    "hitsPerPage",
    "0 | -0 | 1 | 1000 | 1001 | undefined",
    (world, most) => asObject(world, "hitsPerPage", most),
    (result) => {
      const { hitsPerPage, hits, nbHits } = result as Seen;
      expect([nbHits, hits.length]).toEqual([1, Math.min(1, hitsPerPage)]);
      expect([0, 1, 12, 1000]).toContain(hitsPerPage);
    },
  ),
  resembles(
    "restrictSearchableAttributes",
    { nbHits: 0, hits: [] },
    (world, names) => asObject(world, "restrictSearchableAttributes", names),
    "[]",
  ),
  resembles("encoded", { nbHits: 1 }, (world, name) => asText(world, String(name), "false"), '"distinct" | "explain"'),
  resembles(
    "encoded",
    { nbHits: 1 },
    (world, name) => asText(world, String(name), "true"),
    '"typoTolerance" | "advancedSyntax" | "explain"',
  ),
  gives("sort is parted at the last colon", "21", async (world) => {
    await world.create("new");
    await world.add(cells('{"id":1,"x:y":2} | {"id":2,"x:y":1}'), "new");
    return (await world.ask({ query: "", sort: ["x:y:asc"] }, "new")).hits.map(({ id }) => id).join("");
  }),
  gives(
    "what is left out: 100 values of a facet, em as a tag, an ellipsis",
    [100, "<em>kettle</em>…"],
    async (world) => {
      await world.create("new");
      const records = Array.from({ length: 101 }, (_, id) => ({ id, n: id, title: "kettle and more" }));
      await world.add(records, "new");
      const { hits, facets } = await world.ask(
        { query: "kettle", facets: ["n"], attributesToSnippet: ["title:1"] },
        "new",
      );
      const [hit] = hits as readonly { readonly _snippetResult?: { readonly title?: { readonly value?: string } } }[];
      return [facets?.n?.length, hit?._snippetResult?.title?.value];
    },
  ),
]);
