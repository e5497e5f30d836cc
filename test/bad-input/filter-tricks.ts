// Row F25: filters that hold themselves, and getters, proxies and prototypes in filters.

import { expect } from "vitest";
import { type Refusal, type Row, refusedEach } from "./row.js";
import type { World } from "./world.js";

const INVALID: Refusal = { code: 400, error: "invalid_filter", param: "filters" };
const TOO_COMPLEX: Refusal = { code: 400, error: "filter_too_complex", param: "filters" };
const filtered = (world: World, filters: unknown): unknown => world.ask({ query: "", filters });

function throwing(): never {
  throw new Error("from the getter");
}

function revoked(of: object): object {
  const { proxy, revoke } = Proxy.revocable(of, {});
  revoke();
  return proxy;
}

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

/** Row F25. */
export const TRICKS: readonly Row[] = [
  ...refusedEach(
    "F25",
    "a circle through",
    [
      ["AND", cyclic("AND")],
      ["OR", cyclic("OR")],
      ["NOT", cyclic("NOT")],
    ],
    filtered,
    INVALID,
  ),
  ...refusedEach(
    "F25",
    "a getter or proxy that throws:",
    [
      ["an attribute", Object.defineProperty({}, "brand", { get: throwing, enumerable: true })],
      ["an operator", { price: Object.defineProperty({}, "lt", { get: throwing, enumerable: true }) }],
      ["an item", { brand: Object.defineProperty(["Forge"], 0, { get: throwing }) }],
      ["a Proxy's keys", new Proxy({}, { ownKeys: throwing })],
      ["a Proxy's prototype", new Proxy({}, { getPrototypeOf: throwing })],
      ["a list", { AND: new Proxy([], { get: throwing }) }],
    ],
    filtered,
    { ...INVALID, cause: /from the getter/ },
  ),
  ...refusedEach(
    "F25",
    "revoked:",
    [
      ["the filter", revoked({})],
      ["a list", { OR: revoked([]) }],
      ["an inner filter", { NOT: revoked({}) }],
      ["operators", { brand: revoked({}) }],
    ],
    filtered,
    { ...INVALID, cause: /revoked/ },
  ),
  ...refusedEach(
    "F25",
    "own keys",
    [
      ["__proto__ with operators", JSON.parse('{"__proto__":{"brand":"Forge"}}')],
      ["__proto__ as an operator", JSON.parse('{"brand":{"__proto__":"Forge"}}')],
      ["that are symbols", { [Symbol("brand")]: "Forge" }],
    ],
    filtered,
    INVALID,
  ),
  ...refusedEach(
    "F25",
    "not plain:",
    [
      ["a class instance", new Filter()],
      ["an inherited filter", Object.create({ brand: "Forge" })],
      ["a Map", new Map([["brand", "Forge"]])],
      ["inner class instances", { AND: [new Filter()] }],
      ["operators of a class", { brand: new Filter() }],
      ["an Error", new Error("brand")],
      ["a Promise", Promise.resolve({ brand: "Forge" })],
      ["URLSearchParams", new URLSearchParams("brand=Forge")],
      ["a String object", Object("brand:Forge")],
    ],
    filtered,
    INVALID,
  ),
  ...refusedEach("F25", "endless:", [["a Proxy with another Proxy in it", endless()]], filtered, TOO_COMPLEX),
  {
    row: "F25",
    what: "each property is read once, and what it says then counts",
    run: async (world) => {
      let reads = 0;
      const filters = {
        get brand() {
          return reads++ === 0 ? "Forge" : "Volt";
        },
      };
      return [await filtered(world, filters), reads];
    },
    expect: (result) => expect(result).toMatchObject([{ nbHits: 1 }, 1]),
  },
  {
    row: "F25",
    what: "a list whose iterator and methods mislead: what it holds counts",
    run: (world) =>
      filtered(world, {
        brand: Object.assign(["Forge"], { *[Symbol.iterator]() {}, map: () => [], filter: () => [] }),
      }),
    expect: (result) => expect(result).toMatchObject({ nbHits: 1, hits: [{ id: "1" }] }),
  },
  {
    row: "F25",
    what: "a getter that clears the index",
    run: (world) =>
      filtered(world, {
        get brand() {
          void world.engine.clearIndex("shop");
          return "Forge";
        },
      }),
    expect: (result) => expect(result).toMatchObject({ page: 1 }),
  },
  {
    row: "F25",
    what: "a filter changed after the call",
    run: (world) => {
      const filters = { brand: ["Forge"] };
      const answer = world.ask({ query: "drill kettle", filters, matching: "any" }, "meant");
      filters.brand[0] = "Volt";
      return answer;
    },
    expect: (result) => expect(result).toMatchObject({ nbHits: 1, hits: [{ id: "1" }] }),
  },
];
