// A query as one encoded string.

import { expect } from "vitest";
import type { SearchError } from "../../src/index.js";
import { scaled } from "../support/size.js";
import { bad, gives, type Refusal, type Rows, refuses, resembles, testRows } from "./row.js";
import { vectorOf, type World } from "./world.js";

// Lists, objects, true and false.

/** A query with one more parameter, written as it is into the encoded string. */
const withRaw =
  (name: string) =>
  (world: World, text: unknown): unknown =>
    world.ask({ params: `query=kettle&${name}=${text}` });

/** The answer is that of the object form. */
function sameAs(name: string, texts: readonly string[], value: unknown): Rows {
  return texts.map((text) => ({
    what: `${name}=${text}`,
    run: async (world) => [await withRaw(name)(world, text), await world.ask({ query: "kettle", [name]: value })],
    expect: (result) => {
      const [encoded, object] = result as unknown[];
      expect(encoded).toEqual(object);
    },
  }));
}

testRows("lists, objects, true and false", [
  sameAs("facets", ['["brand"]', "brand", "%5B%22brand%22%5D", "brand,brand", '["brand","brand"]'], ["brand"]),
  sameAs("facets", ["brand,price", '["brand","price"]', "brand%2Cprice", '[ "brand",\n"price" ]'], ["brand", "price"]),
  sameAs("facets", ["", "[]"], []),
  sameAs(
    "facets",
    ['["brand",{"attribute":"price","ranges":[[null,20],[20,null]]}]'],
    [
      "brand",
      {
        attribute: "price",
        ranges: [
          [null, 20],
          [20, null],
        ],
      },
    ],
  ),
  sameAs("facets", ["*"], ["*"]),
  sameAs("sort", ["price:asc,brand:desc", '["price:asc","brand:desc"]'], ["price:asc", "brand:desc"]),
  sameAs("attributesToRetrieve", ["title,-note", '["title","-note"]'], ["title", "-note"]),
  sameAs("attributesToRetrieve", ["", "[]"], []),
  sameAs("optionalWords", ["red,blue", '["red","blue"]'], ["red", "blue"]),
  sameAs("facetFilters", ['["brand:Forge"]', "brand:Forge"], ["brand:Forge"]),
  sameAs("facetFilters", ['[["brand:Forge","brand:Volt"],"price:10"]'], [["brand:Forge", "brand:Volt"], "price:10"]),
  sameAs("facetFilters", ['{"brand":["Forge"],"price":{"lt":20}}'], { brand: ["Forge"], price: { lt: 20 } }),
  sameAs("facetFilters", ["", "[]", "{}"], []),
  sameAs(
    "numericFilters",
    ['["price>=10","price<50"]', "price>=10,price<50", "price:10 TO 49.99"],
    ["price>=10", "price < 50"],
  ),
  sameAs("numericFilters", ["", "[]"], []),
  sameAs("filters", ["brand:Forge", "brand%3AForge", '{"brand":"Forge"}', "brand+%3D+Forge"], "brand:Forge"),
  sameAs("highlightPreTag", ["%3Cb%3E", "<b>"], "<b>"),
  gives("deeply nested JSON is refused", new Array(15).fill(expect.objectContaining({ code: 400 })), async (world) => {
    const errors: unknown[] = [];
    for (const name of ["filters", "facetFilters", "facets", "vector", "sort"])
      for (const text of [
        "[".repeat(16_000),
        `${"[".repeat(8000)}${"]".repeat(8000)}`,
        `${'{"NOT":'.repeat(1500)}{}${"}".repeat(1500)}`,
      ])
        errors.push(await Promise.resolve(withRaw(name)(world, text)).catch((error: unknown) => error));
    return errors;
  }),
]);

// Texts, numbers and names.

const MISSING: Refusal = bad("missing_query", "query");
const TOO_LONG: Refusal = bad("params_too_long", "params");
const ask = (world: World, params: unknown): unknown => world.ask({ params });

/** The query that an encoded string is read as, and the warnings it brings. */
function readAs(params: string, query: string, warnings = 0): Rows {
  return gives(
    `${JSON.stringify(params.slice(0, 60))} is read as ${JSON.stringify(query)}`,
    [query, 1, warnings],
    async (world) => {
      const { query: echoed, page } = await world.ask({ params });
      return [echoed, page, world.warnings.length];
    },
  );
}

const pairs = (count: number): string => `query=drill${"&a=1".repeat(count - 1)}`;
const bytes = (count: number): string => `query=drill&a=${"x".repeat(count - 14)}`;

const refusalOf = (world: World, params: string): Promise<unknown> =>
  world.ask({ params }).catch((thrown: unknown) => thrown);

const expectTooLong = (result: unknown): void => expect(result).toMatchObject({ code: 400, error: "params_too_long" });

testRows("texts, numbers and names", [
  refuses("params", bad("invalid_params", "params"), ask, [
    null,
    5,
    {},
    [],
    new URLSearchParams("query=a"),
    Object("query=a"),
    Symbol(),
  ]),
  refuses("params", MISSING, ask, [undefined]),
  refuses("an empty string", MISSING, (world) => ask(world, "")),
  readAs("query=a+b%20c", "a b c"),
  readAs("?query=a", "a"),
  readAs("query=a&query=b", "b"),
  readAs("query=", ""),
  readAs("query", ""),
  readAs("query=%E0%A4%A", "\ufffd%A"),
  readAs("query=%", "%"),
  readAs("query=%zz", "%zz"),
  refuses("%", MISSING, (world) => ask(world, "%")),
  readAs("query=%00%0d%0a", "\0\r\n"),
  readAs("query=%ED%A0%80", "\ufffd\ufffd\ufffd"),
  readAs("query=\ud800", "\ufffd"),
  refuses("a page without a query", MISSING, (world) => ask(world, "page=2")),
]);

testRows("texts, numbers and names", [
  readAs("__proto__=1&constructor=2&query=a", "a", 1),
  resembles(
    "vector as",
    { hits: [{ id: "two", score: 1 }] },
    (world, vector) => world.ask({ params: `query=&vector=${vector}&hitsPerPage=1` }, "near"),
    [JSON.stringify(vectorOf(1)), encodeURIComponent(JSON.stringify(vectorOf(1))), vectorOf(1).join()],
  ),
  readAs(pairs(64), "drill", 1),
  refuses("too many pairs:", TOO_LONG, ask, [pairs(65), "a&".repeat(65), `a${"&a".repeat(5000)}`]),
  {
    what: "8,000 pairs are refused at once",
    run: (world) => refusalOf(world, "a&".repeat(8000)),
    expect: expectTooLong,
  },
  readAs(bytes(16_384), "drill", 1),
  refuses("too many bytes:", TOO_LONG, ask, [bytes(16_385), `query=a&b=${"\u00e9".repeat(8188)}`]),
  {
    what: "10 MB are refused at once",
    run: (world) => refusalOf(world, "a".repeat(10_000_000)),
    expect: expectTooLong,
  },
  refuses("a query of 4,097 bytes", bad("query_too_long", "query"), (world) => ask(world, `query=${"a".repeat(4097)}`)),
  readAs("query=a;page=2", "a;page=2"),
  gives(
    "names are case-sensitive",
    [expect.objectContaining({ error: "missing_query" }), [["unknown_parameter", expect.any(String)]]],
    async (world) => {
      const error: unknown = await world.ask({ params: "QUERY=a" }).catch((thrown: unknown) => thrown);
      return [error, world.warnings.map(({ code, param }) => [code, param])];
    },
  ),
  readAs("query=b&params=query%3Da", "b", 1),
  readAs("query=a&facets[]=a&facets[0]=b", "a", 1),
  readAs("query=a&amp;page=2", "a", 1),
  {
    what: "an unknown name under strict",
    options: { strict: true },
    run: (world) => ask(world, "query=a&amp;page=2"),
    expect: bad("unknown_parameter", "amp;page"),
  },
]);

/** What a call gave: its answer, or how it was refused (numbers are shown as numbers, or as the texts they came as). */
async function outcome(world: World, params: unknown): Promise<unknown> {
  return world.ask(params, "near").catch((error: SearchError) => [error.code, error.error, error.param]);
}

/** The nth of many requests, good and bad ones. */
function request(n: number): Record<string, unknown> {
  const pick = <T>(from: readonly T[], salt: number): T =>
    from[(Math.imul(n + salt * 7919, 2654435761) >>> 8) % from.length]!;
  return Object.fromEntries(
    Object.entries({
      query: pick(["drill", "red kettle", "", "a+b %&=", "\u6771\u4eac", "the of", "AB-123", "!!"], 1),
      page: pick([undefined, 1, 2, 3, 0, 1.5, -1, 1e9], 2),
      hitsPerPage: pick([undefined, 0, 1, 2, 12, 1000, 1001, -1], 3),
      semanticWeight: pick([undefined, 0, 0.25, 1, 1.5], 4),
      semanticDepth: pick([undefined, undefined, 1, 2, 0], 5),
      semanticFloor: pick([undefined, undefined, -1, 0.5, 2], 6),
      matching: pick([undefined, "all", "any", "auto", "al"], 7),
      vector: pick([undefined, undefined, vectorOf(1), vectorOf(2), [1, 2]], 8),
      filters: pick(
        [undefined, undefined, "brand:Forge", "price <", "colour:red", { price: { gt: 5 } }, { brand: {} }],
        9,
      ),
      facetFilters: pick([undefined, undefined, undefined, [["brand:Forge"]], { price: { lt: 50 } }, ["brand"]], 10),
      facets: pick([undefined, ["brand"], ["brand", "price"], ["*"], [], ["colour"]], 11),
      maxValuesPerFacet: pick([undefined, undefined, 0, 1, -1], 12),
      sort: pick([undefined, undefined, ["price:asc"], ["price:desc", "title:asc"], ["price"]], 13),
      explain: pick([undefined, true, false], 14),
      typoTolerance: pick([undefined, true, false, "yes"], 15),
      queryType: pick([undefined, "prefixAll", "prefix"], 16),
      attributesToRetrieve: pick([undefined, [], ["title"], ["*", "-note"]], 17),
    }).filter(([, value]) => value !== undefined),
  );
}

function encode(params: Readonly<Record<string, unknown>>): string {
  const encoded = new URLSearchParams();
  for (const [name, value] of Object.entries(params))
    encoded.append(name, typeof value === "object" && name !== "vector" ? JSON.stringify(value) : String(value));
  return encoded.toString();
}

const ALIKE: Rows = gives("random requests get the same answers in both forms", "alike", async (world) => {
  for (let n = 0; n < scaled(10_000); n++) {
    const params = request(n);
    const [object, encoded] = [await outcome(world, params), await outcome(world, { params: encode(params) })];
    if (JSON.stringify(object) !== JSON.stringify(encoded)) return [params, object, encoded];
  }
  return "alike";
});
testRows("texts, numbers and names", [ALIKE]);
