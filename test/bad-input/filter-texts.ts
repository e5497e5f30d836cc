// Rows F1 to F6, F12 to F15, F17, F21 and F22: filters as texts. Refused ones say where the fault stands.

import { expect } from "vitest";
import { passedEach, type Refusal, type Row, refusedEach, shown } from "./row.js";
import type { World } from "./world.js";

const INVALID: Refusal = { code: 400, error: "invalid_filter", param: "filters" };
const UNKNOWN: Refusal = { code: 400, error: "unknown_filter_field", param: "filters" };
const filtered = (world: World, filters: unknown): unknown => world.ask({ query: "", filters });
const asText = (world: World, filters: unknown): unknown =>
  world.ask({
    params: new URLSearchParams([
      ["query", ""],
      ["filters", String(filters)],
    ]).toString(),
  });

type Fault = readonly [filter: string, start: number, end: number];

/** The same faults in a text parameter, and in a text within an encoded string. */
function faulty(row: string, faults: readonly Fault[], msg?: RegExp): Row[] {
  return faults.flatMap(([filter, start, end]) => {
    const refusal: Refusal = { ...INVALID, span: [start, end], ...(msg === undefined ? {} : { msg }) };
    return [
      { row, what: filter, run: (world: World) => filtered(world, filter), expect: refusal },
      { row, what: `${filter}, encoded`, run: (world: World) => asText(world, filter), expect: refusal },
    ];
  });
}

const BLANK: readonly Row[] = [
  ...passedEach("F1", "filters", shown("", "  ", "\t\n\u3000", undefined, {}), filtered, (result) =>
    expect(result).toMatchObject({ nbHits: 3 }),
  ),
  ...passedEach("F1", "encoded filters", shown("", " ", "{}"), asText, (result) =>
    expect(result).toMatchObject({ nbHits: 3 }),
  ),
  ...refusedEach("F2", "filters", shown(null, 5, true, [], ["brand:Forge"], Symbol()), filtered, INVALID),
  ...refusedEach("F2", "encoded filters", shown("null", "5", "true", "[]"), asText, INVALID),
];

const NAMES: readonly Row[] = [
  {
    row: "F3",
    what: "an unknown attribute, the nearest known one named",
    run: (world) => filtered(world, "price < 5 AND bland = Forge"),
    expect: { ...UNKNOWN, span: [14, 27], msg: /brand/ },
  },
  {
    row: "F3",
    what: "an unknown attribute, the known ones listed",
    run: (world) => filtered(world, "material:oak"),
    expect: { ...UNKNOWN, span: [0, 12], msg: /brand.*price.*specs\.volts.*tags/ },
  },
  ...refusedEach(
    "F3",
    "unknown in an object:",
    shown({ colour: "red" }, { AND: [{ brand: "a" }, { NOT: { x: 1 } }] }, { "specs.Volts": 1 }),
    filtered,
    UNKNOWN,
  ),
  {
    row: "F3",
    what: "the attributes of an index that never held a record are all known",
    run: async (world) => {
      await world.create("new");
      return world.ask({ query: "", filters: "colour:red" }, "new");
    },
    expect: (result) => expect(result).toMatchObject({ nbHits: 0 }),
  },
  ...(["price < 5", { price: { lt: 5 } }] as const).map(
    (filters): Row => ({
      row: "F4",
      what: `an attribute that is there but not declared: ${JSON.stringify(filters)}`,
      prepare: async (world) => {
        await world.create("new", { attributesForFaceting: ["brand"] });
        await world.add([{ id: 1, brand: "Forge", price: 3 }], "new");
      },
      run: (world) => world.ask({ query: "", filters }, "new"),
      expect: { code: 400, error: "not_filterable", param: "filters", msg: /attributesForFaceting/ },
    }),
  ),
  {
    row: "F4",
    what: "an attribute of long texts",
    prepare: (world) => world.add([{ id: 9, text: "long ".repeat(40) }]),
    run: (world) => filtered(world, "text:long"),
    expect: { code: 400, error: "not_filterable", param: "filters", span: [0, 9] },
  },
  ...refusedEach(
    "F17",
    "the name",
    shown(
      "__proto__ = x",
      "constructor.name = Object",
      "toString EXISTS",
      '"hasOwnProperty":1',
      "brand.length > 1",
      "tags.0 = garden",
      "specs.__proto__.volts = 18",
    ),
    filtered,
    UNKNOWN,
  ),
  ...refusedEach(
    "F17",
    "the name",
    shown({ constructor: "x" }, { "constructor.name": "Object" }, { toString: { exists: true } }),
    filtered,
    UNKNOWN,
  ),
];

const GRAMMAR: readonly Row[] = [
  ...faulty("F5", [
    ["brand =", 7, 7],
    ["brand:", 6, 6],
    ["= red", 0, 1],
    [":Forge", 0, 1],
    ["AND", 0, 3],
    ["NOT", 3, 3],
    ["brand", 5, 5],
    ["brand red", 6, 9],
    ["brand == red", 7, 8],
    ["brand = = red", 8, 9],
    ["brand:Forge AND", 15, 15],
    ["brand:Forge OR OR price < 3", 15, 17],
    ["brand:Forge price < 5", 12, 17],
    ["brand:Forge,brand:Volt", 17, 18],
    ["brand!Forge", 5, 6],
    ["! brand:Forge", 0, 1],
    ["brand => Forge", 7, 8],
    ["brand <> Forge", 7, 8],
    ["brand EXISTS EXISTS", 13, 19],
    ["brand NOT EXISTS", 6, 9],
    ["brand IN (a, b)", 6, 8],
    ["price:10 TO", 11, 11],
    ["price:10 TO 5 TO 3", 14, 16],
    ["price 10 TO 5", 6, 8],
    ["price != 5 TO 10", 11, 13],
    ["()", 1, 2],
  ]),
  ...faulty("F6", [
    ["(brand:Forge", 0, 1],
    ["brand:Forge AND (price < 5 OR (brand:a)", 16, 17],
    ["brand:Forge)", 11, 12],
    [")", 0, 1],
    ['brand:"Forge', 6, 12],
    ["brand:'Forge\"", 6, 13],
    ["brand:x'y", 7, 9],
    ['"', 0, 1],
    ['brand:"a\\', 8, 9],
    ['brand:"a\\x"', 8, 10],
    ['brand:"a\\u12"', 8, 10],
  ]),
];

const NUMBERS: readonly Row[] = [
  ...faulty(
    "F12",
    [
      ["price > NaN", 8, 11],
      ["price > Infinity", 8, 16],
      ["price > -Infinity", 8, 17],
      ["price > 1e999", 8, 13],
      ["price > 0x10", 8, 12],
      ["price > 1_000", 8, 13],
      ["price > ''", 8, 10],
      ['price > "5"', 8, 11],
      ["price > \u0661", 8, 9],
      ["price > +5", 8, 10],
      ["price > 05", 8, 10],
      ["price > 1,5", 8, 11],
      ["price > true", 8, 12],
      ["price > cheap", 8, 13],
      ["price:cheap TO 10", 6, 11],
      ["price:1 TO cheap", 11, 16],
    ],
    /number/,
  ),
  ...passedEach(
    "F13",
    "a number:",
    shown("price < 1e3", "price >= -0", "price > -1.5E-3", "price <= 10.0", "price:0 TO 1e1", "price = 1e1"),
    filtered,
    (result) => expect(result).toMatchObject({ nbHits: 1, hits: [{ id: "1" }] }),
  ),
  ...faulty("F13", [
    ["price > .5", 8, 10],
    ["price > 5.", 8, 10],
    ["price > 1e", 8, 10],
    ["price > -", 8, 9],
  ]),
  ...passedEach(
    "F14",
    "an empty range:",
    shown("price:10 TO 5", { price: { between: [10, 5] } }, "price > 10 AND price < 10"),
    filtered,
    (result) => expect(result).toMatchObject({ nbHits: 0, hits: [] }),
  ),
  ...faulty("F15", [
    ["price = 9007199254740993", 8, 24],
    ["price < 9007199254740993", 8, 24],
    ["price:0 TO 9007199254740993", 11, 27],
    ["price = 1e-400", 8, 14],
  ]),
  ...passedEach("F15", "exact:", shown("price < 9007199254740992", 'sku = "9007199254740993"'), filtered, (result) =>
    expect(result).toMatchObject({ page: 1 }),
  ),
];

const KEYWORDS: readonly Row[] = [
  ...faulty("F22", [["not brand:Forge", 4, 9]]),
  ...faulty("F21", [
    ["brand:AND", 6, 9],
    ["brand:OR", 6, 8],
    ["brand = NOT", 8, 11],
    ["brand:TO", 6, 8],
    ["brand:EXISTS", 6, 12],
    ["TO:x", 0, 2],
    ["EXISTS EXISTS", 0, 6],
  ]),
  ...faulty(
    "F22",
    [
      ["brand:Forge and price < 5", 12, 15],
      ["brand:Forge or price < 5", 12, 14],
      ["brand exists", 6, 12],
      ["price:1 to 5", 8, 10],
      ["brand:Forge And price < 5", 12, 15],
    ],
    /capitals/,
  ),
];

/** Rows F1 to F6, F12 to F15, F17, F21, F22. */
export const TEXTS: readonly Row[] = [...BLANK, ...NAMES, ...GRAMMAR, ...NUMBERS, ...KEYWORDS];
