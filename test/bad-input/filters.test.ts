// Filters as texts and as objects, and facetFilters: what is refused, and where it stands.

import { expect } from "vitest";
import {
  gives,
  passedEach,
  type Refusal,
  type Row,
  refuses,
  refusesEach,
  resembles,
  resemblesEach,
  testRows,
} from "./row.js";
import { idsOf, revoked, throwing, type World } from "./world.js";

// Texts.

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
function faulty(faults: readonly Fault[], msg?: RegExp): Row[] {
  return faults.flatMap(([filter, start, end]) => {
    const refusal: Refusal = { ...INVALID, span: [start, end], ...(msg === undefined ? {} : { msg }) };
    return [
      refuses(filter, refusal, (world: World) => filtered(world, filter)),
      refuses(`${filter}, encoded`, refusal, (world: World) => asText(world, filter)),
    ];
  });
}

const BLANK: readonly Row[] = [
  ...resemblesEach("filters", { nbHits: 3 }, filtered, ["", "  ", "\t\n\u3000", undefined, {}]),
  ...resemblesEach("encoded filters", { nbHits: 3 }, asText, ["", " ", "{}"]),
  ...refusesEach("filters", INVALID, filtered, [null, 5, true, [], ["brand:Forge"], Symbol()]),
  ...refusesEach("encoded filters", INVALID, asText, ["null", "5", "true", "[]"]),
];

const NAMES: readonly Row[] = [
  refuses("an unknown attribute, the nearest known one named", { ...UNKNOWN, span: [14, 27], msg: /brand/ }, (world) =>
    filtered(world, "price < 5 AND bland = Forge"),
  ),
  refuses(
    "an unknown attribute, the known ones listed",
    { ...UNKNOWN, span: [0, 12], msg: /brand.*price.*specs\.volts.*tags/ },
    (world) => filtered(world, "material:oak"),
  ),
  ...refusesEach("unknown in an object:", UNKNOWN, filtered, [
    { colour: "red" },
    { AND: [{ brand: "a" }, { NOT: { x: 1 } }] },
    { "specs.Volts": 1 },
  ]),
  resembles("the attributes of an index that never held a record are all known", { nbHits: 0 }, async (world) => {
    await world.create("new");
    return world.ask({ query: "", filters: "colour:red" }, "new");
  }),
  ...(["price < 5", { price: { lt: 5 } }] as const).map(
    (filters): Row => ({
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
    what: "an attribute of long texts",
    prepare: (world) => world.add([{ id: 9, text: "long ".repeat(40) }]),
    run: (world) => filtered(world, "text:long"),
    expect: { code: 400, error: "not_filterable", param: "filters", span: [0, 9] },
  },
  ...refusesEach("the name", UNKNOWN, filtered, [
    "__proto__ = x",
    "constructor.name = Object",
    "toString EXISTS",
    '"hasOwnProperty":1',
    "brand.length > 1",
    "tags.0 = garden",
    "specs.__proto__.volts = 18",
  ]),
  ...refusesEach("the name", UNKNOWN, filtered, [
    { constructor: "x" },
    { "constructor.name": "Object" },
    { toString: { exists: true } },
  ]),
];

const GRAMMAR: readonly Row[] = [
  ...faulty([
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
  ...faulty([
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
  ...resemblesEach("a number:", { nbHits: 1, hits: [{ id: "1" }] }, filtered, [
    "price < 1e3",
    "price >= -0",
    "price > -1.5E-3",
    "price <= 10.0",
    "price:0 TO 1e1",
    "price = 1e1",
  ]),
  ...faulty([
    ["price > .5", 8, 10],
    ["price > 5.", 8, 10],
    ["price > 1e", 8, 10],
    ["price > -", 8, 9],
  ]),
  ...resemblesEach("an empty range:", { nbHits: 0, hits: [] }, filtered, [
    "price:10 TO 5",
    { price: { between: [10, 5] } },
    "price > 10 AND price < 10",
  ]),
  ...faulty([
    ["price = 9007199254740993", 8, 24],
    ["price < 9007199254740993", 8, 24],
    ["price:0 TO 9007199254740993", 11, 27],
    ["price = 1e-400", 8, 14],
  ]),
  ...resemblesEach("exact:", { page: 1 }, filtered, ["price < 9007199254740992", 'sku = "9007199254740993"']),
];

const KEYWORDS: readonly Row[] = [
  ...faulty([["not brand:Forge", 4, 9]]),
  ...faulty([
    ["brand:AND", 6, 9],
    ["brand:OR", 6, 8],
    ["brand = NOT", 8, 11],
    ["brand:TO", 6, 8],
    ["brand:EXISTS", 6, 12],
    ["TO:x", 0, 2],
    ["EXISTS EXISTS", 0, 6],
  ]),
  ...faulty(
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

const TEXTS: readonly Row[] = [...BLANK, ...NAMES, ...GRAMMAR, ...NUMBERS, ...KEYWORDS];

// Objects.

const OPERATORS = ["eq", "ne", "lt", "lte", "gt", "gte"];

const SHAPES: readonly Row[] = [
  ...refusesEach("filters", INVALID, filtered, [
    { brand: { like: "x" } },
    { brand: { $eq: "x" } },
    { brand: { toString: "x" } },
    { brand: {} },
    { specs: { volts: 18 } },
    { $where: "1" },
    { $or: [] },
    { AND: {} },
    { AND: "brand:Forge" },
    { OR: null },
    { OR: ["brand:Forge"] },
    { OR: [null] },
    { AND: [[]] },
    { NOT: [] },
    { NOT: "brand:Forge" },
    { NOT: null },
    { brand: { in: "Forge" } },
    { brand: { in: { 0: "Forge", length: 1 } } },
    { brand: { exists: 1 } },
    { brand: { exists: null } },
    { price: { between: [1] } },
    { price: { between: [1, 2, 3] } },
    { price: { between: ["1", "2"] } },
    { price: { between: { low: 1, high: 2 } } },
    { brand: [["Forge"]] },
    { brand: [{ eq: "Forge" }] },
  ]),
  ...resemblesEach("several operators must all hold:", { nbHits: 1, hits: [{ id: "1" }] }, filtered, [
    { price: { gt: 5, lt: 20 } },
    { brand: { eq: "Forge", ne: "Volt" } },
  ]),
  ...resemblesEach("no condition:", { nbHits: 3 }, filtered, [{}, { AND: [] }, { AND: [{}, {}] }, { NOT: { OR: [] } }]),
  ...resemblesEach("nothing can hold:", { nbHits: 0 }, filtered, [
    { OR: [] },
    { NOT: {} },
    { brand: [] },
    { brand: { in: [] } },
  ]),
];

const ODD: readonly unknown[] = [
  undefined,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  1n,
  new Date(0),
  /a/,
  () => 1,
  Symbol(),
  new Map(),
  Object("x"),
];

const VALUES: readonly Row[] = [
  ...refusesEach("a value", INVALID, (world, value) => filtered(world, { brand: value }), ODD),
  ...refusesEach("in a list", INVALID, (world, value) => filtered(world, { brand: ["Forge", value] }), ODD),
  ...OPERATORS.flatMap((operator) =>
    refusesEach(operator, INVALID, (world, value) => filtered(world, { price: { [operator]: value } }), ODD),
  ),
  ...["lt", "lte", "gt", "gte"].flatMap((operator) =>
    refusesEach(operator, INVALID, (world, value) => filtered(world, { price: { [operator]: value } }), [
      "x",
      "5",
      null,
      true,
      [5],
    ]),
  ),
  ...refusesEach("a list with", INVALID, filtered, { "a hole": { brand: new Array(1) } }),
  ...refusesEach("a function:", INVALID, filtered, {
    filters: () => true,
    NOT: { NOT: () => true },
    "in a list": { AND: [() => true] },
  }),
];

const OBJECTS: readonly Row[] = [...SHAPES, ...VALUES];

// Filters that hold themselves; getters, proxies and prototypes.

const TOO_COMPLEX: Refusal = { code: 400, error: "filter_too_complex", param: "filters" };

function cyclic(key: "AND" | "NOT" | "OR"): object {
  const filter: Record<string, unknown> = {};
  filter[key] = key === "NOT" ? filter : [filter];
  return filter;
}

class Filter {
  brand = "Forge";
}

/** A filter that never ends. */
function endless(): object {
  return new Proxy(
    {},
    {
      ownKeys: () => ["NOT"],
      getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }),
      get: () => endless(),
    },
  );
}

const TRICKS: readonly Row[] = [
  ...refusesEach("a circle through", INVALID, filtered, { AND: cyclic("AND"), OR: cyclic("OR"), NOT: cyclic("NOT") }),
  ...refusesEach("a getter or proxy that throws:", { ...INVALID, cause: /from the getter/ }, filtered, {
    "an attribute": Object.defineProperty({}, "brand", { get: throwing, enumerable: true }),
    "an operator": { price: Object.defineProperty({}, "lt", { get: throwing, enumerable: true }) },
    "an item": { brand: Object.defineProperty(["Forge"], 0, { get: throwing }) },
    "a Proxy's keys": new Proxy({}, { ownKeys: throwing }),
    "a Proxy's prototype": new Proxy({}, { getPrototypeOf: throwing }),
    "a list": { AND: new Proxy([], { get: throwing }) },
  }),
  ...refusesEach("revoked:", { ...INVALID, cause: /revoked/ }, filtered, {
    "the filter": revoked({}),
    "a list": { OR: revoked([]) },
    "an inner filter": { NOT: revoked({}) },
    operators: { brand: revoked({}) },
  }),
  ...refusesEach("own keys", INVALID, filtered, {
    "__proto__ with operators": JSON.parse('{"__proto__":{"brand":"Forge"}}'),
    "__proto__ as an operator": JSON.parse('{"brand":{"__proto__":"Forge"}}'),
    "that are symbols": { [Symbol("brand")]: "Forge" },
  }),
  ...refusesEach("not plain:", INVALID, filtered, {
    "a class instance": new Filter(),
    "an inherited filter": Object.create({ brand: "Forge" }),
    "a Map": new Map([["brand", "Forge"]]),
    "inner class instances": { AND: [new Filter()] },
    "operators of a class": { brand: new Filter() },
    "an Error": new Error("brand"),
    "a Promise": Promise.resolve({ brand: "Forge" }),
    URLSearchParams: new URLSearchParams("brand=Forge"),
    "a String object": Object("brand:Forge"),
  }),
  ...refusesEach("endless:", TOO_COMPLEX, filtered, { "a Proxy with another Proxy in it": endless() }),
  resembles("each property is read once, and what it says then counts", [{ nbHits: 1 }, 1], async (world) => {
    let reads = 0;
    const filters = {
      get brand() {
        return reads++ === 0 ? "Forge" : "Volt";
      },
    };
    return [await filtered(world, filters), reads];
  }),
  resembles(
    "a list whose iterator and methods mislead: what it holds counts",
    { nbHits: 1, hits: [{ id: "1" }] },
    (world) =>
      filtered(world, {
        brand: Object.assign(["Forge"], { *[Symbol.iterator]() {}, map: () => [], filter: () => [] }),
      }),
  ),
  resembles("a getter that clears the index", { page: 1 }, (world) =>
    filtered(world, {
      get brand() {
        void world.engine.clearIndex("shop");
        return "Forge";
      },
    }),
  ),
  resembles("a filter changed after the call", { nbHits: 1, hits: [{ id: "1" }] }, (world) => {
    const filters = { brand: ["Forge"] };
    const answer = world.ask({ query: "drill kettle", filters, matching: "any" }, "meant");
    filters.brand[0] = "Volt";
    return answer;
  }),
];

// Deep, wide or long filters.

const isKettle = (result: unknown): void => expect(result).toMatchObject({ nbHits: 1, hits: [{ id: "1" }] });

const brackets = (count: number): string => `${"(".repeat(count)}brand:Forge${")".repeat(count)}`;

const many = (count: number, each: string, by: string): string => new Array(count).fill(each).join(by);

function nested(levels: number, key: "AND" | "NOT" | "OR"): unknown {
  let filter: unknown = { brand: "Forge" };
  for (let level = 1; level < levels; level++) filter = { [key]: key === "NOT" ? filter : [filter] };
  return filter;
}

const values = (count: number): unknown[] => Array.from({ length: count }, (_, i) => (i === count - 1 ? "Forge" : i));

const DEEP: readonly Row[] = [
  ...passedEach(
    "32 levels:",
    { brackets: brackets(31), AND: nested(32, "AND"), OR: nested(32, "OR") },
    filtered,
    isKettle,
  ),
  refuses("33 levels of brackets", { ...TOO_COMPLEX, span: [32, 37] }, (world) => filtered(world, brackets(32))),
  refuses("40 levels of brackets", { ...TOO_COMPLEX, span: [32, 33] }, (world) => filtered(world, brackets(40))),
  ...[
    ["1,000,000 brackets", "(".repeat(1_000_000)] as const,
    ["8,000 brackets", "(".repeat(8000)] as const,
    ["objects 100,000 deep", nested(100_000, "NOT")] as const,
  ].map(([what, filters]) =>
    refuses(`${what} are refused`, { code: 400, error: "filter_too_complex" }, (world) => filtered(world, filters)),
  ),
  ...passedEach(
    "30 times NOT",
    { "as text": `${"NOT ".repeat(30)}brand:Forge`, "as an object": nested(31, "NOT") },
    filtered,
    isKettle,
  ),
  refuses("32 times NOT", { ...TOO_COMPLEX, span: [128, 133] }, (world) =>
    filtered(world, `${"NOT ".repeat(32)}brand:Forge`),
  ),
  refuses("1,000 times NOT", { ...TOO_COMPLEX, span: [128, 131] }, (world) =>
    filtered(world, `${"NOT ".repeat(1000)}brand:Forge`),
  ),
  ...(["AND", "OR", "NOT"] as const).flatMap((key) =>
    refusesEach("33 levels of", TOO_COMPLEX, filtered, { [key]: nested(33, key) }),
  ),
];

const WIDE: readonly Row[] = [
  ...passedEach(
    "512 conditions:",
    {
      "as text": many(512, "price=10", " OR "),
      "as an object": { OR: new Array(512).fill({ price: 10 }) },
      "of operators": { AND: new Array(256).fill({ price: { gt: 5, lt: 20 } }) },
    },
    filtered,
    isKettle,
  ),
  ...refusesEach("513 conditions:", TOO_COMPLEX, filtered, {
    "as text": many(513, "price=10", " OR "),
    "as an object": { OR: new Array(513).fill({ price: 10 }) },
    "in two lists": { OR: new Array(257).fill({ price: 10 }), AND: new Array(256).fill({ price: 10 }) },
    "empty ones": { AND: new Array(513).fill({}) },
    "of many attributes": Object.fromEntries(Array.from({ length: 513 }, (_, i) => [`a${i}`, 1])),
    "a list with a length alone": { OR: Object.assign([], { length: 2 ** 32 - 1 }) },
  }),
  ...passedEach(
    "8,192 bytes:",
    {
      blanks: "brand:Forge".padEnd(8192),
      "of two each": `NOT brand:"${"\u00e9".repeat(4090)}"`
        .replace("NOT", "brand:Forge AND NOT")
        .replace("\u00e9".repeat(8), ""),
    },
    filtered,
    isKettle,
  ),
  ...refusesEach("more than 8,192 bytes:", TOO_COMPLEX, filtered, {
    blanks: "brand:Forge".padEnd(8193),
    "of two each": `brand:"${"\u00e9".repeat(4093)}"`,
    "10 MB": "brand:Forge OR ".repeat(700_000),
  }),
  ...passedEach(
    "1,000 values:",
    { "a list": { brand: values(1000) }, in: { brand: { in: values(1000) } } },
    filtered,
    isKettle,
  ),
  ...resemblesEach("no values:", { nbHits: 0, hits: [] }, filtered, {
    "a list": { brand: [] },
    in: { brand: { in: [] } },
  }),
  ...refusesEach("1,001 values:", TOO_COMPLEX, filtered, {
    "a list": { brand: values(1001) },
    in: { brand: { in: values(1001) } },
    "in two lists": { OR: [{ brand: values(501) }, { price: values(500) }] },
    "a length alone": { brand: Object.assign([], { length: 2 ** 32 - 1 }) },
  }),
];

const SIZES: readonly Row[] = [...DEEP, ...WIDE];

// The parameter facetFilters.

const CLICKS_INVALID: Refusal = { code: 400, error: "invalid_facet_filters", param: "facetFilters" };

const CLICKS_TOO_COMPLEX: Refusal = { code: 400, error: "filter_too_complex", param: "facetFilters" };

const CLICKS_UNKNOWN: Refusal = { code: 400, error: "unknown_filter_field", param: "facetFilters" };

const clicked = (world: World, facetFilters: unknown): unknown => world.ask({ query: "", facetFilters });

const CLICKS_SHAPES: readonly Row[] = [
  ...resemblesEach("no clicks:", { nbHits: 3 }, clicked, [[], [[]], [[], []], {}, { brand: [] }, undefined]),
  ...refusesEach("clicks", CLICKS_INVALID, clicked, [
    null,
    5,
    true,
    "brand:Forge",
    "",
    Symbol(),
    () => true,
    new Map(),
    new Set(["brand:Forge"]),
  ]),
  ...refusesEach(
    "encoded clicks",
    CLICKS_INVALID,
    (world, text) =>
      world.ask({
        params: new URLSearchParams([
          ["query", ""],
          ["facetFilters", String(text)],
        ]).toString(),
      }),
    ["brand", "[", '["brand:Forge"', "{", "[5]", "[null]", '[["brand:Forge","price:5"]]', "{'brand':'x'}"],
  ),
  ...refusesEach("unknown:", CLICKS_UNKNOWN, clicked, [
    ["colour:red"],
    [["colour:red"]],
    { colour: "red" },
    ["brand:Forge", "__proto__:x"],
    ["constructor.name:Object"],
  ]),
  refuses(
    "unknown attributes of filters and clicks are complained of together",
    { code: 400, error: "unknown_filter_field", param: "filters", msg: /colour.*sice.*weight.*hight/ },
    (world) =>
      world.ask({
        query: "",
        filters: "colour:red",
        facetFilters: ["sice:5"],
        facets: ["weight"],
        sort: ["hight:asc"],
      }),
  ),
  ...refusesEach("clicks", CLICKS_INVALID, clicked, [
    ["brand"],
    [":Forge"],
    [""],
    [5],
    [null],
    [{ brand: "Forge" }],
    [["brand:Forge", 5]],
    [[["brand:Forge"]]],
    [["brand:Forge", "price:5"]],
    new Array(1),
  ]),
  ...refusesEach("clicks", CLICKS_INVALID, clicked, [
    { AND: [] },
    { OR: [{ brand: "Forge" }] },
    { NOT: { brand: "Forge" } },
    { $or: [] },
    { brand: {} },
    { brand: { like: "x" } },
    { price: { lt: "5" } },
    { brand: [["Forge"]] },
  ]),
];

const CLICKS_TRICKS: readonly Row[] = [
  ...refusesEach("a getter or proxy that throws:", { ...CLICKS_INVALID, cause: /from the getter/ }, clicked, {
    "an attribute": Object.defineProperty({}, "brand", { get: throwing, enumerable: true }),
    "an item": Object.defineProperty(["brand:Forge"], 0, { get: throwing }),
    "an inner item": [Object.defineProperty(["brand:Forge"], 0, { get: throwing })],
  }),
  ...refusesEach("revoked:", CLICKS_INVALID, clicked, {
    "the list": revoked([]),
    "the object": revoked({}),
    "an inner list": [revoked([])],
    "a value": { brand: revoked([]) },
  }),
  ...refusesEach("inherited:", CLICKS_INVALID, clicked, {
    clicks: Object.create({ brand: "Forge" }),
    "own __proto__": JSON.parse('{"__proto__":{"brand":"Forge"}}'),
  }),
  ...refusesEach("a value", CLICKS_INVALID, (world, value) => clicked(world, { brand: ["Forge", value] }), [
    undefined,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1n,
    new Date(0),
    /a/,
    () => 1,
    Symbol(),
  ]),
  ...refusesEach("a function", CLICKS_INVALID, clicked, {
    "in a list": [() => true],
    "as a value": { brand: () => true },
  }),
  ...refusesEach("too many:", CLICKS_TOO_COMPLEX, clicked, {
    "513 clicks": new Array(513).fill("price:10"),
    "513 in inner lists": [new Array(257).fill("price:10"), new Array(256).fill("brand:Forge")],
    "1,001 values": { price: Array.from({ length: 1001 }, (_, i) => i) },
    "a length alone": Object.assign([], { length: 2 ** 32 - 1 }),
    "an inner length alone": [Object.assign([], { length: 2 ** 32 - 1 })],
  }),
  ...resemblesEach("512:", { nbHits: 1 }, clicked, {
    clicks: new Array(512).fill("price:10"),
    values: { price: Array.from({ length: 1000 }, (_, i) => i) },
  }),
];

const CLICKS_VALUES = [
  "-a",
  "\\-a",
  "--",
  "\\",
  "a:b",
  ":",
  "",
  " ",
  "__proto__",
  "\0",
  "\ud800",
  "5",
  "-5",
  "true",
  "a,b",
  '"',
  "[",
];

/** Each value clicked in each way that the forms know. */
async function clickedEach(world: World): Promise<unknown> {
  await world.create("new", { attributesForFaceting: ["kind"] });
  await world.add(
    CLICKS_VALUES.map((kind, id) => ({ id, kind })),
    "new",
  );
  const wrong: unknown[] = [];
  for (const [id, value] of CLICKS_VALUES.entries()) {
    const written = /^\\*-/.test(value) ? `\\${value}` : value;
    const forms: unknown[] = [[`kind:${written}`], [[`kind:${written}`]], { kind: value }, { kind: [value] }];
    for (const facetFilters of forms) {
      const { hits } = await world.ask({ query: "", facetFilters, hitsPerPage: 100 }, "new");
      if (hits.map((hit) => hit.id).join() !== String(id)) wrong.push(facetFilters);
    }
    const others = idsOf(await world.ask({ query: "", facetFilters: [`kind:-${written}`], hitsPerPage: 100 }, "new"));
    if (others.length !== CLICKS_VALUES.length - 1 || others.includes(String(id))) wrong.push(`-${written}`);
  }
  return wrong;
}

const CHOSEN: readonly Row[] = [
  gives("odd values as clicks", [], clickedEach),
  gives(
    "a value that nobody has",
    0,
    async (world) => (await world.ask({ query: "", facetFilters: ["brand:Volt"], facets: ["brand"] })).nbHits,
  ),
];

const CLICKS: readonly Row[] = [...CLICKS_SHAPES, ...CLICKS_TRICKS, ...CHOSEN];

testRows("texts", TEXTS);
testRows("objects", OBJECTS);
testRows("filters that hold themselves; getters, proxies and prototypes", TRICKS);
testRows("deep, wide or long filters", SIZES);
testRows("facetFilters", CLICKS);
