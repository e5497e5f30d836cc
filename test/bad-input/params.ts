// Group P: the parameters as one encoded string.

import { expect } from "vitest";
import type { SearchError } from "../../src/index.js";
import { LISTS } from "./params-lists.js";
import { passedEach, type Refusal, type Row, refusedEach, shown } from "./row.js";
import { vectorOf, type World } from "./world.js";

const MISSING: Refusal = { code: 400, error: "missing_query", param: "query" };
const BAD_PAGE: Refusal = { code: 400, error: "invalid_page", param: "page" };
const TOO_LONG: Refusal = { code: 400, error: "params_too_long", param: "params" };
const ask = (world: World, params: unknown): unknown => world.ask({ params });

/** The query that an encoded string is read as, and the warnings it brings. */
function readAs(row: string, params: string, query: string, warnings = 0): Row {
  return {
    row,
    what: `${JSON.stringify(params.slice(0, 60))} is read as ${JSON.stringify(query)}`,
    run: async (world) => {
      const { query: echoed, page } = await world.ask({ params });
      return [echoed, page, world.warnings.length];
    },
    expect: (result) => expect(result).toEqual([query, 1, warnings]),
  };
}

const pairs = (count: number): string => `query=drill${"&a=1".repeat(count - 1)}`;
const bytes = (count: number): string => `query=drill&a=${"x".repeat(count - 14)}`;

const refusalOf = (world: World, params: string): Promise<unknown> =>
  world.ask({ params }).catch((thrown: unknown) => thrown);
const expectTooLong = (result: unknown): void => expect(result).toMatchObject({ code: 400, error: "params_too_long" });

const TEXTS: readonly Row[] = [
  ...refusedEach(
    "P1",
    "params",
    shown(null, 5, {}, [], new URLSearchParams("query=a"), Object("query=a"), Symbol()),
    ask,
    {
      code: 400,
      error: "invalid_params",
      param: "params",
    },
  ),
  ...refusedEach("P1", "params", shown(undefined), ask, MISSING),
  { row: "P2", what: "an empty string", run: (world) => ask(world, ""), expect: MISSING },
  readAs("P3", "query=a+b%20c", "a b c"),
  readAs("P4", "?query=a", "a"),
  readAs("P5", "query=a&query=b", "b"),
  readAs("P6", "query=", ""),
  readAs("P6", "query", ""),
  readAs("P7", "query=%E0%A4%A", "\ufffd%A"),
  readAs("P7", "query=%", "%"),
  readAs("P7", "query=%zz", "%zz"),
  { row: "P7", what: "%", run: (world) => ask(world, "%"), expect: MISSING },
  readAs("P8", "query=%00%0d%0a", "\0\r\n"),
  readAs("P9", "query=%ED%A0%80", "\ufffd\ufffd\ufffd"),
  readAs("P9", "query=\ud800", "\ufffd"),
  { row: "P10", what: "a page without a query", run: (world) => ask(world, "page=2"), expect: MISSING },
];

const NUMBERS: readonly Row[] = [
  ...refusedEach(
    "P11",
    "page",
    shown("02", "%2B2", "+2", " 2", "%202", "2 ", "2.0", "2e0", "0x2", "\u0662", "1_0", "", "0", "-1", "1n"),
    (world, page) => ask(world, `query=a&page=${page}`),
    BAD_PAGE,
  ),
  ...refusedEach(
    "P12",
    "page",
    shown("99999999999999999999", "9".repeat(400), "1000000001"),
    (world, page) => ask(world, `query=a&page=${page}`),
    BAD_PAGE,
  ),
  ...refusedEach(
    "P13",
    "hitsPerPage",
    shown("-0", "-1", "1.5", "", "12a", "9007199254740993"),
    (world, hits) => ask(world, `query=a&hitsPerPage=${hits}`),
    {
      code: 400,
      error: "invalid_hits_per_page",
      param: "hitsPerPage",
    },
  ),
  ...["semanticWeight", "semanticFloor", "semanticDepth"].flatMap((name) =>
    refusedEach(
      "P13",
      name,
      shown("", "x", "1e0", "+1", ".5", "5.", "0x1", "NaN", "Infinity"),
      (world, value) => ask(world, `query=a&${name}=${value}`),
      {
        code: 400,
        error: "invalid_parameter",
        param: name,
      },
    ),
  ),
];

const NAMES: readonly Row[] = [
  readAs("P14", "__proto__=1&constructor=2&query=a", "a", 1),
  ...passedEach(
    "P15",
    "vector as",
    shown(JSON.stringify(vectorOf(1)), encodeURIComponent(JSON.stringify(vectorOf(1))), vectorOf(1).join()),
    (world, vector) => world.ask({ params: `query=&vector=${vector}&hitsPerPage=1` }, "near"),
    (result) => expect(result).toMatchObject({ hits: [{ id: "two", score: 1 }] }),
  ),
  ...refusedEach(
    "P15",
    "vector as",
    shown(
      "",
      "[",
      "[1,2",
      "[]",
      "{}",
      "1,2,,4,5,6,7,8",
      "[1,2,3,4,5,6,7,NaN]",
      "1,2,3,4,5,6,7,1e400",
      "[[1]]",
      "null",
      '"x"',
    ),
    (world, vector) => world.ask({ params: `query=a&vector=${vector}` }, "near"),
    { code: 400, error: "invalid_vector", param: "vector" },
  ),
  readAs("P16", pairs(64), "drill", 1),
  ...refusedEach("P16", "too many pairs:", shown(pairs(65), "a&".repeat(65), `a${"&a".repeat(5000)}`), ask, TOO_LONG),
  {
    row: "P16",
    what: "8,000 pairs are refused at once",
    run: (world) => refusalOf(world, "a&".repeat(8000)),
    expect: expectTooLong,
  },
  readAs("P17", bytes(16_384), "drill", 1),
  ...refusedEach("P17", "too many bytes:", shown(bytes(16_385), `query=a&b=${"\u00e9".repeat(8188)}`), ask, TOO_LONG),
  {
    row: "P17",
    what: "10 MB are refused at once",
    run: (world) => refusalOf(world, "a".repeat(10_000_000)),
    expect: expectTooLong,
  },
  {
    row: "P17",
    what: "a query of 4,097 bytes",
    run: (world) => ask(world, `query=${"a".repeat(4097)}`),
    expect: { code: 400, error: "query_too_long", param: "query" },
  },
  readAs("P18", "query=a;page=2", "a;page=2"),
  {
    row: "P19",
    what: "names are case-sensitive",
    run: async (world) => {
      const error: unknown = await world.ask({ params: "QUERY=a" }).catch((thrown: unknown) => thrown);
      return [error, world.warnings.map(({ code, param }) => [code, param])];
    },
    expect: (result) =>
      expect(result).toEqual([
        expect.objectContaining({ error: "missing_query" }),
        [["unknown_parameter", expect.any(String)]],
      ]),
  },
  readAs("P20", "query=b&params=query%3Da", "b", 1),
  readAs("P22", "query=a&facets[]=a&facets[0]=b", "a", 1),
  readAs("P23", "query=a&amp;page=2", "a", 1),
  {
    row: "P23",
    what: "an unknown name under strict",
    options: { strict: true },
    run: (world) => ask(world, "query=a&amp;page=2"),
    expect: { code: 400, error: "unknown_parameter", param: "amp;page" },
  },
];

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

const ALIKE: Row = {
  row: "P24",
  what: "10,000 requests get the same answers in both forms",
  run: async (world) => {
    for (let n = 0; n < 10_000; n++) {
      const params = request(n);
      const [object, encoded] = [await outcome(world, params), await outcome(world, { params: encode(params) })];
      if (JSON.stringify(object) !== JSON.stringify(encoded)) return [params, object, encoded];
    }
    return "alike";
  },
  expect: (result) => expect(result).toBe("alike"),
};

/** Group P. */
export const PARAMS: readonly Row[] = [...TEXTS, ...NUMBERS, ...NAMES, ...LISTS, ALIKE];
