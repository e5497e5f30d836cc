// Filters as texts and as objects, and facetFilters: what is refused, and where it stands.

import { expect } from "vitest";
import { cells, FAULTY_FILTERS, FILTER_OBJECTS } from "./refused-values.js";
import { bad, gives, passes, type Refusal, type Row, type Rows, refuses, resembles, testRows } from "./row.js";
import { idsOf, type World } from "./world.js";

const INVALID: Refusal = bad("invalid_filter", "filters");
const UNKNOWN: Refusal = bad("unknown_filter_field", "filters");
const TOO_COMPLEX: Refusal = bad("filter_too_complex", "filters");
const filtered = (world: World, filters: unknown): unknown => world.ask({ query: "", filters });

const asText = (world: World, filters: unknown): unknown =>
  world.ask({ params: new URLSearchParams({ query: "", filters: String(filters) }).toString() });

/** A list that says it is long, and holds nothing. */
const LENGTH_ALONE: readonly unknown[] = Object.assign([], { length: 2 ** 32 - 1 });

// Texts.

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
  faulty(FAULTY_FILTERS),
  faulty(
    `price > ›NaN‹ | price > ›Infinity‹ | price > ›-Infinity‹ | price > ›1e999‹ | price > ›0x10‹ |
    price > ›1_000‹ | price > ›''‹ | price > ›"5"‹ | price > ›١‹ | price > ›+5‹ | price > ›05‹ | price > ›1,5‹ |
    price > ›true‹ | price > ›cheap‹ | price:›cheap‹ TO 10 | price:1 TO ›cheap‹`,
    /number/,
  ),
  faulty(
    `price > ›.5‹ | price > ›5.‹ | price > ›1e‹ | price > ›-‹ | not ›brand‹:Forge |
    brand:›AND‹ | brand:›OR‹ | brand = ›NOT‹ | brand:›TO‹ | brand:›EXISTS‹ | ›TO‹:x | ›EXISTS‹ EXISTS |
    price = ›9007199254740993‹ | price < ›9007199254740993‹ | price:0 TO ›9007199254740993‹ | price = ›1e-400‹ |
    brand > ›"soon"‹ | brand > ›""‹ | brand > ›"5"‹ | brand >= ›"2024-02-30"‹ | brand < ›"2023-02-29"‹ |
    brand < ›"2024-13-01"‹ | brand < ›"2024-00-10"‹ | brand <= ›"2024-01-31T25:00Z"‹ | brand < ›"2024-01-31T10:00"‹ |
    brand < ›2024-01-31‹ | brand:›"soon"‹ TO "2024-01-31" | brand:"2024-01-31" TO ›"soon"‹ | brand:"2024-01-31" TO ›5‹ |
    price:5 TO ›"2024-01-31"‹ | brand:›Forge‹ TO "2024-01-31" | brand < ›true‹`,
  ),
  faulty(
    `brand:Forge ›and‹ price < 5 | brand:Forge ›or‹ price < 5 | brand ›exists‹ | price:1 ›to‹ 5 |
    brand:Forge ›And‹ price < 5`,
    /capitals/,
  ),
]);

testRows("texts", [
  resembles("no filter:", { nbHits: 3 }, filtered, ["", "  ", "\t\n\u3000", undefined, {}]),
  resembles("no encoded filter:", { nbHits: 3 }, asText, ["", " ", "{}"]),
  refuses("filters", INVALID, filtered, 'null | 5 | true | [] | ["brand:Forge"] | Symbol()'),
  resembles(
    "a number or a range:",
    { nbHits: 1, hits: [{ id: "1" }] },
    filtered,
    `"price < 1e3" | "price >= -0" | "price > -1.5E-3" | "price <= 10.0" | "price:0 TO 1e1" | "price = 1e1" | "price < 9007199254740992" |
    {"price":{"gt":5,"lt":20}} | {"brand":{"eq":"Forge","ne":"Volt"}}`,
  ),
  resembles(
    "nothing can hold:",
    { nbHits: 0, hits: [] },
    filtered,
    `"price:10 TO 5" | {"price":{"between":[10,5]}} | "price > 10 AND price < 10" | "sku = \\"9007199254740993\\"" |
    "brand < '2024-01-31'" | "brand:'2024-01-31' TO '2025-01-31T10:00Z'" | {"brand":{"gte":"2024-01-31"}} |
    {"brand":{"between":["2024-01-31","2024-01-31T12:00:00.250+02:00"]}} | {"OR":[]} | {"NOT":{}} | {"brand":[]} |
    {"brand":{"in":[]}}`,
  ),
  resembles("a Date:", { nbHits: 0, hits: [] }, filtered, {
    equal: { brand: new Date(0) },
    later: { price: { gt: new Date(0) } },
    between: { price: { between: [new Date(0), "2024-01-31"] } },
    listed: { brand: [new Date(0)] },
  }),
]);

// Attributes.

testRows("attributes", [
  refuses("an unknown attribute, the nearest known one named", { ...UNKNOWN, span: [14, 27], msg: /brand/ }, (world) =>
    filtered(world, "price < 5 AND bland = Forge"),
  ),
  refuses(
    "an unknown attribute, the known ones listed",
    { ...UNKNOWN, span: [0, 12], msg: /brand.*price.*specs\.volts.*tags/ },
    (world) => filtered(world, "material:oak"),
  ),
  refuses(
    "unknown:",
    UNKNOWN,
    filtered,
    String.raw`{"colour":"red"} | {"AND":[{"brand":"a"},{"NOT":{"x":1}}]} | {"specs.Volts":1} | {"constructor.name":"Object"} |
    {"toString":{"exists":true}} | "__proto__ = x" | "constructor.name = Object" | "toString EXISTS" | "\"hasOwnProperty\":1" |
    "brand.length > 1" | "tags.0 = garden" | "specs.__proto__.volts = 18"`,
  ),
  resembles("the attributes of an index that never held a record are all known", { nbHits: 0 }, async (world) => {
    await world.create("new");
    return world.ask({ query: "", filters: "colour:red" }, "new");
  }),
  (["price < 5", { price: { lt: 5 } }] as const).map(
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
    "unknown attributes of filters, clicks, facets and sort are complained of together",
    { ...UNKNOWN, msg: /colour.*sice.*weight.*hight/ },
    (world) =>
      world.ask({
        ...{ query: "", filters: "colour:red", facetFilters: ["sice:5"] },
        ...{ facets: ["weight"], sort: ["hight:asc"] },
      }),
  ),
]);

// Objects.

const ODD = cells('undefined | NaN | Infinity | 1n | RegExp | function | Symbol() | Map | Object("x")');
const ORDERS = ["lt", "lte", "gt", "gte"];

class Brand {
  brand = "Forge";
}

function cyclic(key: "AND" | "NOT" | "OR"): object {
  const filter: Record<string, unknown> = {};
  filter[key] = key === "NOT" ? filter : [filter];
  return filter;
}

/** One filter twice in a list, that list twice in a list, and so on. */
function doubled(key: "AND" | "OR", of: object): object {
  let filter = of;
  for (let i = 0; i < 30; i++) filter = { [key]: [filter, filter] };
  return filter;
}

testRows("objects", [
  refuses("filters", INVALID, filtered, FILTER_OBJECTS),
  resembles("no condition:", { nbHits: 3 }, filtered, '{} | {"AND":[]} | {"AND":[{},{}]} | {"NOT":{"OR":[]}}'),
  refuses("a value", INVALID, (world, value) => filtered(world, { brand: value }), [new Date(Number.NaN), ...ODD]),
  refuses("in a list", INVALID, (world, value) => filtered(world, { brand: ["Forge", value] }), ODD),
  ["eq", "ne", ...ORDERS].map((operator) =>
    refuses(operator, INVALID, (world, value) => filtered(world, { price: { [operator]: value } }), ODD),
  ),
  ORDERS.map((operator) =>
    refuses(
      operator,
      INVALID,
      (world, value) => filtered(world, { price: { [operator]: value } }),
      '"x" | "5" | null | true | [5]',
    ),
  ),
  refuses("no plain filter:", INVALID, filtered, {
    "a hole": { brand: new Array(1) },
    "a function": () => true,
    "a function in NOT": { NOT: { NOT: () => true } },
    "a function in a list": { AND: [() => true] },
    "a circle through AND": cyclic("AND"),
    "a circle through OR": cyclic("OR"),
    "a circle through NOT": cyclic("NOT"),
    "__proto__ with operators": JSON.parse('{"__proto__":{"brand":"Forge"}}'),
    "__proto__ as an operator": JSON.parse('{"brand":{"__proto__":"Forge"}}'),
    "a symbol as a key": { [Symbol("brand")]: "Forge" },
    "a class instance": new Brand(),
    "an inner class instance": { AND: [new Brand()] },
    "operators of a class": { brand: new Brand() },
    "a typed array": new Float32Array(1),
    "an inner typed array": { NOT: new Float64Array(1) },
    "an inherited filter": Object.create({ brand: "Forge" }),
    "one inherited without a prototype": Object.create(Object.assign(Object.create(null), { brand: "Forge" })),
    "a Map": new Map([["brand", "Forge"]]),
    "a Promise": Promise.resolve({ brand: "Forge" }),
    URLSearchParams: new URLSearchParams("brand=Forge"),
    "a String object": Object("brand:Forge"),
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
const many = (count: number): string => new Array(count).fill("price=10").join(" OR ");
const negated = (count: number): string => `${"NOT ".repeat(count)}brand:Forge`;
const values = (count: number): unknown[] => Array.from({ length: count }, (_, i) => (i === count - 1 ? "Forge" : i));

function nested(levels: number, key: "AND" | "NOT" | "OR"): unknown {
  let filter: unknown = { brand: "Forge" };
  for (let level = 1; level < levels; level++) filter = { [key]: key === "NOT" ? filter : [filter] };
  return filter;
}

testRows("deep, wide or long filters", [
  passes(
    "at the limit:",
    {
      "32 brackets": brackets(31),
      "32 of AND": nested(32, "AND"),
      "32 of OR": nested(32, "OR"),
      "30 times NOT": negated(30),
      "30 times NOT as an object": nested(31, "NOT"),
      "512 conditions": many(512),
      "512 in an object": { OR: new Array(512).fill({ price: 10 }) },
      "512 of operators": { AND: new Array(256).fill({ price: { gt: 5, lt: 20 } }) },
      "8,192 bytes": "brand:Forge".padEnd(8192),
      "8,192 bytes, two each": `brand:Forge AND NOT brand:"${"\u00e9".repeat(4082)}"`,
      "1,000 values": { brand: values(1000) },
      "1,000 values of in": { brand: { in: values(1000) } },
    },
    filtered,
    isKettle,
  ),
  (
    [
      [brackets(32), 32, 37],
      [brackets(40), 32, 33],
      [negated(32), 128, 133],
      [negated(1000), 128, 131],
    ] as const
  ).map(([text, ...span]) =>
    refuses(`too deep a text: ${text.slice(0, 8)}…`, { ...TOO_COMPLEX, span }, (world) => filtered(world, text)),
  ),
  refuses("too much:", TOO_COMPLEX, filtered, {
    "1,000,000 brackets": "(".repeat(1_000_000),
    "8,000 brackets": "(".repeat(8000),
    "objects 100,000 deep": nested(100_000, "NOT"),
    "33 of AND": nested(33, "AND"),
    "33 of OR": nested(33, "OR"),
    "33 of NOT": nested(33, "NOT"),
    "2^30 conditions": doubled("AND", {}),
    "2^30 conditions of nothing": doubled("OR", { AND: [] }),
    "513 conditions": many(513),
    "513 in an object": { OR: new Array(513).fill({ price: 10 }) },
    "513 in two lists": { OR: new Array(257).fill({ price: 10 }), AND: new Array(256).fill({ price: 10 }) },
    "513 empty ones": { AND: new Array(513).fill({}) },
    "513 attributes": Object.fromEntries(Array.from({ length: 513 }, (_, i) => [`a${i}`, 1])),
    "a list with a length alone": { OR: LENGTH_ALONE },
    "8,193 bytes": "brand:Forge".padEnd(8193),
    "8,194 bytes, two each": `brand:"${"\u00e9".repeat(4093)}"`,
    "10 MB": "brand:Forge OR ".repeat(700_000),
    "1,001 values": { brand: values(1001) },
    "1,001 values of in": { brand: { in: values(1001) } },
    "1,001 values in two lists": { OR: [{ brand: values(501) }, { price: values(500) }] },
    "values with a length alone": { brand: LENGTH_ALONE },
  }),
]);

// The parameter facetFilters.

const CLICKS_INVALID: Refusal = bad("invalid_facet_filters", "facetFilters");
const clicked = (world: World, facetFilters: unknown): unknown => world.ask({ query: "", facetFilters });

testRows("facetFilters", [
  resembles("no clicks:", { nbHits: 3 }, clicked, '[] | [[]] | [[],[]] | {} | {"brand":[]} | undefined'),
  refuses(
    "clicks",
    CLICKS_INVALID,
    clicked,
    `null | 5 | true | "brand:Forge" | "" | Symbol() | function | Map | Set | hole |
    ["brand"] | [":Forge"] | [""] | [5] | [null] | [{"brand":"Forge"}] | [["brand:Forge",5]] | [[["brand:Forge"]]] |
    [["brand:Forge","price:5"]] | {"AND":[]} | {"OR":[{"brand":"Forge"}]} | {"NOT":{"brand":"Forge"}} | {"$or":[]} | {"brand":{}} |
    {"brand":{"like":"x"}} | {"price":{"lt":"5"}} | {"brand":[["Forge"]]}`,
  ),
  refuses(
    "unknown:",
    bad("unknown_filter_field", "facetFilters"),
    clicked,
    '["colour:red"] | [["colour:red"]] | {"colour":"red"} | ["brand:Forge","__proto__:x"] | ["constructor.name:Object"]',
  ),
  refuses("no plain clicks:", CLICKS_INVALID, clicked, {
    inherited: Object.create({ brand: "Forge" }),
    "own __proto__": JSON.parse('{"__proto__":{"brand":"Forge"}}'),
    "a function in a list": [() => true],
    "a function as a value": { brand: () => true },
  }),
  refuses("a value", CLICKS_INVALID, (world, value) => clicked(world, { brand: ["Forge", value] }), ODD),
  refuses("too many:", bad("filter_too_complex", "facetFilters"), clicked, {
    "513 clicks": new Array(513).fill("price:10"),
    "513 in inner lists": [new Array(257).fill("price:10"), new Array(256).fill("brand:Forge")],
    "1,001 values": { price: Array.from({ length: 1001 }, (_, i) => i) },
    "a length alone": LENGTH_ALONE,
    "an inner length alone": [LENGTH_ALONE],
  }),
  resembles("as many as may be:", { nbHits: 1 }, clicked, {
    "512 clicks": new Array(512).fill("price:10"),
    "1,000 values": { price: Array.from({ length: 1000 }, (_, i) => i) },
  }),
]);

const CLICKED =
  cells(String.raw`"-a" | "\\-a" | "--" | "\\" | "a:b" | ":" | "" | " " | "__proto__" | "\u0000" | "\ud800" | "5" | "-5" | "true"
  | "a,b" | "\"" | "["`);

/** Each value clicked in each way that the forms know. */
async function clickedEach(world: World): Promise<unknown> {
  await world.create("new", { attributesForFaceting: ["kind"] });
  await world.add(
    CLICKED.map((kind, id) => ({ id, kind })),
    "new",
  );
  const wrong: unknown[] = [];
  for (const [id, value] of CLICKED.map(String).entries()) {
    const written = /^\\*-/.test(value) ? `\\${value}` : value;
    const find = async (facetFilters: unknown): Promise<string[]> =>
      idsOf(await world.ask({ query: "", facetFilters, hitsPerPage: 100 }, "new"));
    for (const form of [[`kind:${written}`], [[`kind:${written}`]], { kind: value }, { kind: [value] }])
      if ((await find(form)).join() !== String(id)) wrong.push(form);
    const others = await find([`kind:-${written}`]);
    if (others.length !== CLICKED.length - 1 || others.includes(String(id))) wrong.push(`-${written}`);
  }
  return wrong;
}

testRows("facetFilters", gives("odd values as clicks", [], clickedEach));
