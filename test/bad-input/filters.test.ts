// Filters as texts and as objects, and facetFilters: what is refused, and where it stands.

import { expect } from "vitest";
import { FAULTY_FILTERS, FILTER_OBJECTS } from "./refused-values.js";
import { bad, gives, passes, type Refusal, type Row, type Rows, refuses, resembles, testRows } from "./row.js";
import { idsOf, type World } from "./world.js";

// Texts.

const INVALID: Refusal = bad("invalid_filter", "filters");
/** What cannot be read as data, of whichever parameter. */
const UNKNOWN: Refusal = bad("unknown_filter_field", "filters");
const filtered = (world: World, filters: unknown): unknown => world.ask({ query: "", filters });

const asText = (world: World, filters: unknown): unknown =>
  world.ask({
    params: new URLSearchParams([
      ["query", ""],
      ["filters", String(filters)],
    ]).toString(),
  });

/**
 * The same faults in a text parameter, and in a text within an encoded string. Each stands between › and ‹ in its filter; the
 * filters between | and |.
 */
function faulty(marked: string, msg?: RegExp): Rows {
  return marked.split(/\s+\|\s+/).flatMap((text) => {
    const [before = "", fault = "", after = ""] = text.trim().split(/[›‹]/);
    const filter = before + fault + after;
    const span = [before.length, before.length + fault.length] as const;
    const refusal: Refusal = { ...INVALID, span, ...(msg === undefined ? {} : { msg }) };
    return [
      refuses(filter, refusal, (world: World) => filtered(world, filter)),
      refuses(`${filter}, encoded`, refusal, (world: World) => asText(world, filter)),
    ];
  });
}

testRows("texts", [
  resembles("filters", { nbHits: 3 }, filtered, ["", "  ", "\t\n\u3000", undefined, {}]),
  resembles("encoded filters", { nbHits: 3 }, asText, ["", " ", "{}"]),
  refuses("filters", INVALID, filtered, [null, 5, true, [], ["brand:Forge"], Symbol()]),
  refuses("encoded filters", INVALID, asText, ["null", "5", "true", "[]"]),
]);

testRows("texts", [
  refuses("an unknown attribute, the nearest known one named", { ...UNKNOWN, span: [14, 27], msg: /brand/ }, (world) =>
    filtered(world, "price < 5 AND bland = Forge"),
  ),
  refuses(
    "an unknown attribute, the known ones listed",
    { ...UNKNOWN, span: [0, 12], msg: /brand.*price.*specs\.volts.*tags/ },
    (world) => filtered(world, "material:oak"),
  ),
  refuses(
    "unknown in an object:",
    UNKNOWN,
    filtered,
    '{"colour":"red"} | {"AND":[{"brand":"a"},{"NOT":{"x":1}}]} | {"specs.Volts":1}',
  ),
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
      expect: { ...bad("not_filterable", "filters"), msg: /attributesForFaceting/ },
    }),
  ),
  {
    what: "an attribute of long texts",
    prepare: (world) => world.add([{ id: 9, text: "long ".repeat(40) }]),
    run: (world) => filtered(world, "text:long"),
    expect: { ...bad("not_filterable", "filters"), span: [0, 9] },
  },
  refuses(
    "the name",
    UNKNOWN,
    filtered,
    String.raw`"__proto__ = x" | "constructor.name = Object" | "toString EXISTS" | "\"hasOwnProperty\":1" |
    "brand.length > 1" | "tags.0 = garden" | "specs.__proto__.volts = 18"`,
  ),
  refuses(
    "the name",
    UNKNOWN,
    filtered,
    '{"constructor":"x"} | {"constructor.name":"Object"} | {"toString":{"exists":true}}',
  ),
]);

testRows("texts", [faulty(FAULTY_FILTERS)]);

testRows("texts", [
  faulty(
    `price > ›NaN‹ | price > ›Infinity‹ | price > ›-Infinity‹ | price > ›1e999‹ | price > ›0x10‹ |
    price > ›1_000‹ | price > ›''‹ | price > ›"5"‹ | price > ›١‹ | price > ›+5‹ | price > ›05‹ | price > ›1,5‹ |
    price > ›true‹ | price > ›cheap‹ | price:›cheap‹ TO 10 | price:1 TO ›cheap‹`,
    /number/,
  ),
  resembles(
    "a number:",
    { nbHits: 1, hits: [{ id: "1" }] },
    filtered,
    `"price < 1e3" | "price >= -0" | "price > -1.5E-3" | "price <= 10.0" | "price:0 TO 1e1" | "price = 1e1"`,
  ),
  faulty(`price > ›.5‹ | price > ›5.‹ | price > ›1e‹ | price > ›-‹`),
  resembles(
    "an empty range:",
    { nbHits: 0, hits: [] },
    filtered,
    '"price:10 TO 5" | {"price":{"between":[10,5]}} | "price > 10 AND price < 10"',
  ),
  resembles(
    "a date:",
    { nbHits: 0, hits: [] },
    filtered,
    `"brand < '2024-01-31'" | "brand:'2024-01-31' TO '2025-01-31T10:00Z'" | {"brand":{"gte":"2024-01-31"}} |
    {"brand":{"between":["2024-01-31","2024-01-31T12:00:00.250+02:00"]}}`,
  ),
  resembles("a Date:", { nbHits: 0, hits: [] }, filtered, {
    equal: { brand: new Date(0) },
    later: { price: { gt: new Date(0) } },
    between: { price: { between: [new Date(0), "2024-01-31"] } },
    listed: { brand: [new Date(0)] },
  }),
  faulty(
    `brand > ›"soon"‹ | brand > ›""‹ | brand > ›"5"‹ | brand >= ›"2024-02-30"‹ | brand < ›"2023-02-29"‹ |
    brand < ›"2024-13-01"‹ | brand < ›"2024-00-10"‹ | brand <= ›"2024-01-31T25:00Z"‹ | brand < ›"2024-01-31T10:00"‹ |
    brand < ›2024-01-31‹ | brand:›"soon"‹ TO "2024-01-31" | brand:"2024-01-31" TO ›"soon"‹ | brand:"2024-01-31" TO ›5‹ |
    price:5 TO ›"2024-01-31"‹ | brand:›Forge‹ TO "2024-01-31" | brand < ›true‹`,
  ),
  faulty(`price = ›9007199254740993‹ | price < ›9007199254740993‹ | price:0 TO ›9007199254740993‹ | price = ›1e-400‹`),
  resembles("exact:", { page: 1 }, filtered, ["price < 9007199254740992", 'sku = "9007199254740993"']),
]);

testRows("texts", [
  faulty(`not ›brand‹:Forge`),
  faulty(`brand:›AND‹ | brand:›OR‹ | brand = ›NOT‹ | brand:›TO‹ | brand:›EXISTS‹ | ›TO‹:x | ›EXISTS‹ EXISTS`),
  faulty(
    `brand:Forge ›and‹ price < 5 | brand:Forge ›or‹ price < 5 | brand ›exists‹ | price:1 ›to‹ 5 |
    brand:Forge ›And‹ price < 5`,
    /capitals/,
  ),
]);

// Objects.

const OPERATORS = ["eq", "ne", "lt", "lte", "gt", "gte"];

testRows("objects", [
  refuses("filters", INVALID, filtered, FILTER_OBJECTS),
  resembles(
    "several operators must all hold:",
    { nbHits: 1, hits: [{ id: "1" }] },
    filtered,
    '{"price":{"gt":5,"lt":20}} | {"brand":{"eq":"Forge","ne":"Volt"}}',
  ),
  resembles("no condition:", { nbHits: 3 }, filtered, [{}, { AND: [] }, { AND: [{}, {}] }, { NOT: { OR: [] } }]),
  resembles(
    "nothing can hold:",
    { nbHits: 0 },
    filtered,
    '{"OR":[]} | {"NOT":{}} | {"brand":[]} | {"brand":{"in":[]}}',
  ),
]);

const ODD: readonly unknown[] = [
  undefined,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  1n,
  new Date(Number.NaN),
  /a/,
  () => 1,
  Symbol(),
  new Map(),
  Object("x"),
];

testRows("objects", [
  refuses("a value", INVALID, (world, value) => filtered(world, { brand: value }), ODD),
  refuses("in a list", INVALID, (world, value) => filtered(world, { brand: ["Forge", value] }), ODD),
  ...OPERATORS.flatMap((operator) =>
    refuses(operator, INVALID, (world, value) => filtered(world, { price: { [operator]: value } }), ODD),
  ),
  ...["lt", "lte", "gt", "gte"].flatMap((operator) =>
    refuses(
      operator,
      INVALID,
      (world, value) => filtered(world, { price: { [operator]: value } }),
      '"x" | "5" | null | true | [5]',
    ),
  ),
  refuses("a list with", INVALID, filtered, { "a hole": { brand: new Array(1) } }),
  refuses("a function:", INVALID, filtered, {
    filters: () => true,
    NOT: { NOT: () => true },
    "in a list": { AND: [() => true] },
  }),
]);

// Filters that hold themselves, or are not plain.

const TOO_COMPLEX: Refusal = bad("filter_too_complex", "filters");

function cyclic(key: "AND" | "NOT" | "OR"): object {
  const filter: Record<string, unknown> = {};
  filter[key] = key === "NOT" ? filter : [filter];
  return filter;
}

class Filter {
  brand = "Forge";
}

/** One filter twice in a list, that list twice in a list, and so on. */
function doubled(key: "AND" | "OR", of: object): object {
  let filter = of;
  for (let i = 0; i < 30; i++) filter = { [key]: [filter, filter] };
  return filter;
}

testRows("filters that hold themselves, or are not plain", [
  refuses("a circle through", INVALID, filtered, { AND: cyclic("AND"), OR: cyclic("OR"), NOT: cyclic("NOT") }),
  refuses("own keys", INVALID, filtered, {
    "__proto__ with operators": JSON.parse('{"__proto__":{"brand":"Forge"}}'),
    "__proto__ as an operator": JSON.parse('{"brand":{"__proto__":"Forge"}}'),
    "that are symbols": { [Symbol("brand")]: "Forge" },
  }),
  refuses("not plain:", INVALID, filtered, {
    "a class instance": new Filter(),
    "a typed array": new Float32Array(1),
    "an inner typed array": { NOT: new Float64Array(1) },
    "an inherited filter": Object.create({ brand: "Forge" }),
    "one inherited from an object without prototype": Object.create(
      Object.assign(Object.create(null), { brand: "Forge" }),
    ),
    "a Map": new Map([["brand", "Forge"]]),
    "inner class instances": { AND: [new Filter()] },
    "operators of a class": { brand: new Filter() },
    "an Error": new Error("brand"),
    "a Promise": Promise.resolve({ brand: "Forge" }),
    URLSearchParams: new URLSearchParams("brand=Forge"),
    "a String object": Object("brand:Forge"),
  }),
  refuses("endless:", TOO_COMPLEX, filtered, {
    "2^30 conditions": doubled("AND", {}),
    "2^30 conditions of nothing": doubled("OR", { AND: [] }),
  }),
  resembles("a filter changed after the call", { nbHits: 1, hits: [{ id: "1" }] }, (world) => {
    const filters = { brand: ["Forge"] };
    const answer = world.ask({ query: "drill kettle", filters, matching: "any" }, "meant");
    filters.brand[0] = "Volt";
    return answer;
  }),
]);

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

testRows("deep, wide or long filters", [
  passes("32 levels:", { brackets: brackets(31), AND: nested(32, "AND"), OR: nested(32, "OR") }, filtered, isKettle),
  refuses("33 levels of brackets", { ...TOO_COMPLEX, span: [32, 37] }, (world) => filtered(world, brackets(32))),
  refuses("40 levels of brackets", { ...TOO_COMPLEX, span: [32, 33] }, (world) => filtered(world, brackets(40))),
  ...[
    ["1,000,000 brackets", "(".repeat(1_000_000)] as const,
    ["8,000 brackets", "(".repeat(8000)] as const,
    ["objects 100,000 deep", nested(100_000, "NOT")] as const,
  ].map(([what, filters]) =>
    refuses(`${what} are refused`, bad("filter_too_complex"), (world) => filtered(world, filters)),
  ),
  passes(
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
    refuses("33 levels of", TOO_COMPLEX, filtered, { [key]: nested(33, key) }),
  ),
]);

testRows("deep, wide or long filters", [
  passes(
    "512 conditions:",
    {
      "as text": many(512, "price=10", " OR "),
      "as an object": { OR: new Array(512).fill({ price: 10 }) },
      "of operators": { AND: new Array(256).fill({ price: { gt: 5, lt: 20 } }) },
    },
    filtered,
    isKettle,
  ),
  refuses("513 conditions:", TOO_COMPLEX, filtered, {
    "as text": many(513, "price=10", " OR "),
    "as an object": { OR: new Array(513).fill({ price: 10 }) },
    "in two lists": { OR: new Array(257).fill({ price: 10 }), AND: new Array(256).fill({ price: 10 }) },
    "empty ones": { AND: new Array(513).fill({}) },
    "of many attributes": Object.fromEntries(Array.from({ length: 513 }, (_, i) => [`a${i}`, 1])),
    "a list with a length alone": { OR: Object.assign([], { length: 2 ** 32 - 1 }) },
  }),
  passes(
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
  refuses("more than 8,192 bytes:", TOO_COMPLEX, filtered, {
    blanks: "brand:Forge".padEnd(8193),
    "of two each": `brand:"${"\u00e9".repeat(4093)}"`,
    "10 MB": "brand:Forge OR ".repeat(700_000),
  }),
  passes(
    "1,000 values:",
    { "a list": { brand: values(1000) }, in: { brand: { in: values(1000) } } },
    filtered,
    isKettle,
  ),
  resembles("no values:", { nbHits: 0, hits: [] }, filtered, {
    "a list": { brand: [] },
    in: { brand: { in: [] } },
  }),
  refuses("1,001 values:", TOO_COMPLEX, filtered, {
    "a list": { brand: values(1001) },
    in: { brand: { in: values(1001) } },
    "in two lists": { OR: [{ brand: values(501) }, { price: values(500) }] },
    "a length alone": { brand: Object.assign([], { length: 2 ** 32 - 1 }) },
  }),
]);

// The parameter facetFilters.

const CLICKS_INVALID: Refusal = bad("invalid_facet_filters", "facetFilters");
const CLICKS_TOO_COMPLEX: Refusal = bad("filter_too_complex", "facetFilters");
const CLICKS_UNKNOWN: Refusal = bad("unknown_filter_field", "facetFilters");
const clicked = (world: World, facetFilters: unknown): unknown => world.ask({ query: "", facetFilters });

testRows("facetFilters", [
  resembles("no clicks:", { nbHits: 3 }, clicked, [[], [[]], [[], []], {}, { brand: [] }, undefined]),
  refuses("clicks", CLICKS_INVALID, clicked, 'null | 5 | true | "brand:Forge" | "" | Symbol() | function | Map | Set'),
  refuses(
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
  refuses(
    "unknown:",
    CLICKS_UNKNOWN,
    clicked,
    `["colour:red"] | [["colour:red"]] | {"colour":"red"} | ["brand:Forge","__proto__:x"] |
    ["constructor.name:Object"]`,
  ),
  refuses(
    "unknown attributes of filters and clicks are complained of together",
    { ...bad("unknown_filter_field", "filters"), msg: /colour.*sice.*weight.*hight/ },
    (world) =>
      world.ask({
        query: "",
        filters: "colour:red",
        facetFilters: ["sice:5"],
        facets: ["weight"],
        sort: ["hight:asc"],
      }),
  ),
  refuses(
    "clicks",
    CLICKS_INVALID,
    clicked,
    `["brand"] | [":Forge"] | [""] | [5] | [null] | [{"brand":"Forge"}] | [["brand:Forge",5]] | [[["brand:Forge"]]] |
    [["brand:Forge","price:5"]] | hole`,
  ),
  refuses(
    "clicks",
    CLICKS_INVALID,
    clicked,
    `{"AND":[]} | {"OR":[{"brand":"Forge"}]} | {"NOT":{"brand":"Forge"}} | {"$or":[]} | {"brand":{}} |
    {"brand":{"like":"x"}} | {"price":{"lt":"5"}} | {"brand":[["Forge"]]}`,
  ),
]);

testRows("facetFilters", [
  refuses("inherited:", CLICKS_INVALID, clicked, {
    clicks: Object.create({ brand: "Forge" }),
    "own __proto__": JSON.parse('{"__proto__":{"brand":"Forge"}}'),
  }),
  refuses(
    "a value",
    CLICKS_INVALID,
    (world, value) => clicked(world, { brand: ["Forge", value] }),
    "undefined | NaN | Infinity | 1n | RegExp | function | Symbol()",
  ),
  refuses("a function", CLICKS_INVALID, clicked, {
    "in a list": [() => true],
    "as a value": { brand: () => true },
  }),
  refuses("too many:", CLICKS_TOO_COMPLEX, clicked, {
    "513 clicks": new Array(513).fill("price:10"),
    "513 in inner lists": [new Array(257).fill("price:10"), new Array(256).fill("brand:Forge")],
    "1,001 values": { price: Array.from({ length: 1001 }, (_, i) => i) },
    "a length alone": Object.assign([], { length: 2 ** 32 - 1 }),
    "an inner length alone": [Object.assign([], { length: 2 ** 32 - 1 })],
  }),
  resembles("512:", { nbHits: 1 }, clicked, {
    clicks: new Array(512).fill("price:10"),
    values: { price: Array.from({ length: 1000 }, (_, i) => i) },
  }),
]);

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

testRows("facetFilters", [
  gives("odd values as clicks", [], clickedEach),
  gives(
    "a value that nobody has",
    0,
    async (world) => (await world.ask({ query: "", facetFilters: ["brand:Volt"], facets: ["brand"] })).nbHits,
  ),
]);
