// A query as one encoded string.

import { expect } from "vitest";
import { cells } from "./refused-values.js";
import { bad, gives, type Refusal, type Rows, refuses, testRows } from "./row.js";
import type { World } from "./world.js";

const MISSING: Refusal = bad("missing_query", "query");
const TOO_LONG: Refusal = bad("params_too_long", "params");
const ask = (world: World, params: unknown): unknown => world.ask({ params });

// Lists, objects, true and false.

/** A parameter, texts that all say the same of it, and what they say. */
const ALIKE: readonly (readonly [name: string, texts: readonly string[], value: unknown])[] = [
  ["facets", ['["brand"]', "brand", "%5B%22brand%22%5D", "brand,brand", '["brand","brand"]'], ["brand"]],
  ["facets", ["brand,price", '["brand","price"]', "brand%2Cprice", '[ "brand",\n"price" ]'], ["brand", "price"]],
  ["facets", ["", "[]"], []],
  ["facets", ['["brand",{"attribute":"price","histogram":2}]'], ["brand", { attribute: "price", histogram: 2 }]],
  ["facets", ["*"], ["*"]],
  ["sort", ["price:asc,brand:desc", '["price:asc","brand:desc"]'], ["price:asc", "brand:desc"]],
  ["attributesToRetrieve", ["title,-note", '["title","-note"]'], ["title", "-note"]],
  ["attributesToRetrieve", ["", "[]"], []],
  ["optionalWords", ["red,blue", '["red","blue"]'], ["red", "blue"]],
  ["facetFilters", ['["brand:Forge"]', "brand:Forge"], ["brand:Forge"]],
  ["facetFilters", ['[["brand:Forge","brand:Volt"],"price:10"]'], [["brand:Forge", "brand:Volt"], "price:10"]],
  ["facetFilters", ['{"brand":["Forge"],"price":{"lt":20}}'], { brand: ["Forge"], price: { lt: 20 } }],
  ["facetFilters", ["", "[]", "{}"], []],
  ["numericFilters", ["price>=10,price<50", "price:10 TO 49.99"], ["price>=10", "price < 50"]],
  ["numericFilters", ["", "[]"], []],
  ["filters", ["brand:Forge", "brand%3AForge", '{"brand":"Forge"}', "brand+%3D+Forge"], "brand:Forge"],
  ["highlightPreTag", ["%3Cb%3E", "<b>"], "<b>"],
  ["typoTolerance", ["true"], true],
  ["distinct", ["false"], false],
];

testRows("lists, objects, true and false", [
  ALIKE.map(([name, texts, value]) =>
    gives(`${name} as ${texts.join(" or ")}`, true, async (world) => {
      const shows = { query: "kettle", attributesToHighlight: ["title"] };
      const expected = await world.ask({ ...shows, [name]: value });
      for (const text of texts)
        expect(await world.ask({ params: `query=kettle&attributesToHighlight=title&${name}=${text}` })).toEqual(
          expected,
        );
      return true;
    }),
  ),
  refuses(
    "deeply nested JSON:",
    bad("invalid_parameter"),
    (world, name) => world.ask({ params: `query=kettle&${name}=${"[".repeat(8000)}${"]".repeat(8000)}` }),
    '"facets" | "sort"',
  ),
  refuses("a deeply nested filter", bad("filter_too_complex", "filters"), (world) =>
    world.ask({ params: `query=kettle&filters=${'{"NOT":'.repeat(1500)}{}${"}".repeat(1500)}` }),
  ),
]);

// Texts, numbers and names.

/** The query that an encoded string is read as, and the warnings it brings. */
function readAs(params: string, query: string, warnings = 0): Rows {
  const what = `${JSON.stringify(params.slice(0, 60))} is read as ${JSON.stringify(query)}`;
  return gives(what, [query, 1, warnings], async (world) => {
    const { query: echoed, page } = await world.ask({ params });
    return [echoed, page, world.warnings.length];
  });
}

const pairs = (count: number): string => `query=drill${"&a=1".repeat(count - 1)}`;
const bytes = (count: number): string => `query=drill&a=${"x".repeat(count - 14)}`;

/** Encoded strings, the query they are read as, and how many warnings they bring. */
const READ: readonly (readonly [params: string, query: string, warnings?: number])[] = [
  ["query=a+b%20c", "a b c"],
  ["?query=a", "a"],
  ["query=a&query=b", "b"],
  ["query=", ""],
  ["query", ""],
  ["query=%E0%A4%A", "\ufffd%A"],
  ["query=%", "%"],
  ["query=%zz", "%zz"],
  ["query=%00%0d%0a", "\0\r\n"],
  ["query=%ED%A0%80", "\ufffd\ufffd\ufffd"],
  ["query=\ud800", "\ufffd"],
  ["query=a;page=2", "a;page=2"],
  ["__proto__=1&constructor=2&query=a", "a", 1],
  ["query=b&params=query%3Da", "b", 1],
  ["query=a&facets[]=a&facets[0]=b", "a", 1],
  ["query=a&amp;page=2", "a", 1],
  [pairs(64), "drill", 1],
  [bytes(16_384), "drill", 1],
];

testRows("texts, numbers and names", [
  refuses("params", bad("invalid_params", "params"), ask, [
    ...cells('null | 5 | {} | [] | Object("query=a") | Symbol()'),
    new URLSearchParams("query=a"),
  ]),
  refuses("no query:", MISSING, ask, [undefined, "", "%", "page=2"]),
  READ.map((row) => readAs(...row)),
  refuses("too many pairs:", TOO_LONG, ask, [pairs(65), "a&".repeat(65), "a&".repeat(8000)]),
  refuses("too many bytes:", TOO_LONG, ask, [
    ...[bytes(16_385), `query=a&b=${"\u00e9".repeat(8188)}`, "a".repeat(10_000_000)],
  ]),
  refuses("a query of 4,097 bytes", bad("query_too_long", "query"), (world) => ask(world, `query=${"a".repeat(4097)}`)),
  gives(
    "names are case-sensitive",
    [expect.objectContaining({ error: "missing_query" }), [["unknown_parameter", expect.any(String)]]],
    async (world) => {
      const error: unknown = await world.ask({ params: "QUERY=a" }).catch((thrown: unknown) => thrown);
      return [error, world.warnings.map(({ code, param }) => [code, param])];
    },
  ),
  {
    what: "an unknown name under strict",
    options: { strict: true },
    run: (world) => ask(world, "query=a&amp;page=2"),
    expect: bad("unknown_parameter", "amp;page"),
  },
]);
