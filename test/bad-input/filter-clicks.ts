// Rows F1 to F3, F5, F9, F18, F24 to F26 and F34 for facetFilters: what a shopper clicked, as a list or an object.

import { expect } from "vitest";
import { passedEach, type Refusal, type Row, refusedEach, shown } from "./row.js";
import { idsOf, type World } from "./world.js";

const INVALID: Refusal = { code: 400, error: "invalid_facet_filters", param: "facetFilters" };
const TOO_COMPLEX: Refusal = { code: 400, error: "filter_too_complex", param: "facetFilters" };
const UNKNOWN: Refusal = { code: 400, error: "unknown_filter_field", param: "facetFilters" };
const clicked = (world: World, facetFilters: unknown): unknown => world.ask({ query: "", facetFilters });

function throwing(): never {
  throw new Error("from the getter");
}

function revoked(of: object): object {
  const { proxy, revoke } = Proxy.revocable(of, {});
  revoke();
  return proxy;
}

const SHAPES: readonly Row[] = [
  ...passedEach("F1", "no clicks:", shown([], [[]], [[], []], {}, { brand: [] }, undefined), clicked, (result) =>
    expect(result).toMatchObject({ nbHits: 3 }),
  ),
  ...refusedEach(
    "F2",
    "clicks",
    shown(null, 5, true, "brand:Forge", "", Symbol(), () => true, new Map(), new Set(["brand:Forge"])),
    clicked,
    INVALID,
  ),
  ...refusedEach(
    "F2",
    "encoded clicks",
    shown("brand", "[", '["brand:Forge"', "{", "[5]", "[null]", '[["brand:Forge","price:5"]]', "{'brand':'x'}"),
    (world, text) =>
      world.ask({
        params: new URLSearchParams([
          ["query", ""],
          ["facetFilters", String(text)],
        ]).toString(),
      }),
    INVALID,
  ),
  ...refusedEach(
    "F3",
    "unknown:",
    shown(
      ["colour:red"],
      [["colour:red"]],
      { colour: "red" },
      ["brand:Forge", "__proto__:x"],
      ["constructor.name:Object"],
    ),
    clicked,
    UNKNOWN,
  ),
  {
    row: "F3",
    what: "unknown attributes of filters and clicks are complained of together",
    run: (world) =>
      world.ask({
        query: "",
        filters: "colour:red",
        facetFilters: ["sice:5"],
        facets: ["weight"],
        sort: ["hight:asc"],
      }),
    expect: { code: 400, error: "unknown_filter_field", param: "filters", msg: /colour.*sice.*weight.*hight/ },
  },
  ...refusedEach(
    "F5",
    "clicks",
    shown(
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
    ),
    clicked,
    INVALID,
  ),
  ...refusedEach(
    "F24",
    "clicks",
    shown(
      { AND: [] },
      { OR: [{ brand: "Forge" }] },
      { NOT: { brand: "Forge" } },
      { $or: [] },
      { brand: {} },
      { brand: { like: "x" } },
      { price: { lt: "5" } },
      { brand: [["Forge"]] },
    ),
    clicked,
    INVALID,
  ),
];

const TRICKS: readonly Row[] = [
  ...refusedEach(
    "F25",
    "a getter or proxy that throws:",
    [
      ["an attribute", Object.defineProperty({}, "brand", { get: throwing, enumerable: true })],
      ["an item", Object.defineProperty(["brand:Forge"], 0, { get: throwing })],
      ["an inner item", [Object.defineProperty(["brand:Forge"], 0, { get: throwing })]],
    ],
    clicked,
    { ...INVALID, cause: /from the getter/ },
  ),
  ...refusedEach(
    "F25",
    "revoked:",
    [
      ["the list", revoked([])],
      ["the object", revoked({})],
      ["an inner list", [revoked([])]],
      ["a value", { brand: revoked([]) }],
    ],
    clicked,
    INVALID,
  ),
  ...refusedEach(
    "F25",
    "inherited:",
    [
      ["clicks", Object.create({ brand: "Forge" })],
      ["own __proto__", JSON.parse('{"__proto__":{"brand":"Forge"}}')],
    ],
    clicked,
    INVALID,
  ),
  ...refusedEach(
    "F26",
    "a value",
    shown(undefined, Number.NaN, Number.POSITIVE_INFINITY, 1n, new Date(0), /a/, () => 1, Symbol()),
    (world, value) => clicked(world, { brand: ["Forge", value] }),
    INVALID,
  ),
  ...refusedEach(
    "F34",
    "a function",
    [
      ["in a list", [() => true]],
      ["as a value", { brand: () => true }],
    ],
    clicked,
    INVALID,
  ),
  ...refusedEach(
    "F9",
    "too many:",
    [
      ["513 clicks", new Array(513).fill("price:10")],
      ["513 in inner lists", [new Array(257).fill("price:10"), new Array(256).fill("brand:Forge")]],
      ["1,001 values", { price: Array.from({ length: 1001 }, (_, i) => i) }],
      ["a length alone", Object.assign([], { length: 2 ** 32 - 1 })],
      ["an inner length alone", [Object.assign([], { length: 2 ** 32 - 1 })]],
    ],
    clicked,
    TOO_COMPLEX,
  ),
  ...passedEach(
    "F9",
    "512:",
    [
      ["clicks", new Array(512).fill("price:10")],
      ["values", { price: Array.from({ length: 1000 }, (_, i) => i) }],
    ],
    clicked,
    (result) => expect(result).toMatchObject({ nbHits: 1 }),
  ),
];

const VALUES = [
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
    VALUES.map((kind, id) => ({ id, kind })),
    "new",
  );
  const wrong: unknown[] = [];
  for (const [id, value] of VALUES.entries()) {
    const written = /^\\*-/.test(value) ? `\\${value}` : value;
    const forms: unknown[] = [[`kind:${written}`], [[`kind:${written}`]], { kind: value }, { kind: [value] }];
    for (const facetFilters of forms) {
      const { hits } = await world.ask({ query: "", facetFilters, hitsPerPage: 100 }, "new");
      if (hits.map((hit) => hit.id).join() !== String(id)) wrong.push(facetFilters);
    }
    const others = idsOf(await world.ask({ query: "", facetFilters: [`kind:-${written}`], hitsPerPage: 100 }, "new"));
    if (others.length !== VALUES.length - 1 || others.includes(String(id))) wrong.push(`-${written}`);
  }
  return wrong;
}

const CHOSEN: readonly Row[] = [
  { row: "F18", what: "odd values as clicks", run: clickedEach, expect: (result) => expect(result).toEqual([]) },
  {
    row: "F18",
    what: "a value that nobody has",
    run: async (world) => (await world.ask({ query: "", facetFilters: ["brand:Volt"], facets: ["brand"] })).nbHits,
    expect: (result) => expect(result).toBe(0),
  },
];

/** Group F for facetFilters. */
export const CLICKS: readonly Row[] = [...SHAPES, ...TRICKS, ...CHOSEN];
