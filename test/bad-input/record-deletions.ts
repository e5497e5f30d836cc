// Rows A1 and A67: deleteBy.

import { expect } from "vitest";
import { passedEach, type Refusal, type Row, refusedEach, shown } from "./row.js";
import type { World } from "./world.js";

const UNKNOWN_INDEX: Refusal = { code: 404, error: "index_not_found", param: "indexName" };
const NO_NAMES = ["shpo", "constructor", "__proto__", "", null, undefined, 5, {}, Symbol()];
const refusal = (param: string, error: string, code = 400): Refusal => ({ code, error, param });

function throwing(): never {
  throw new Error("from the getter");
}

const deleteBy = (world: World, params: unknown): Promise<unknown> => world.call("deleteBy", "shop", params);
const byFilter = (world: World, filters: unknown): Promise<unknown> => deleteBy(world, { filters });
const INVALID_FILTER = refusal("filters", "invalid_filter");

/** Rows A1, A67. */
export const DELETIONS: readonly Row[] = [
  ...refusedEach(
    "A1",
    "deleteBy in",
    shown(...NO_NAMES),
    (world, name) => world.call("deleteBy", name, { filters: "brand:Forge" }),
    UNKNOWN_INDEX,
  ),
  ...refusedEach(
    "A67",
    "deleteBy",
    [
      ...shown(undefined, null, "brand:Forge", [], 5, true, Symbol(), () => true),
      ["a getter that throws", Object.defineProperty({}, "filters", { get: throwing, enumerable: true })],
    ],
    deleteBy,
    refusal("params", "invalid_request"),
  ),
  ...refusedEach(
    "A67",
    "deleteBy without filters:",
    shown({}, { filters: undefined }, { filter: "brand:Forge" }, Object.create({ filters: "brand:Forge" })),
    deleteBy,
    INVALID_FILTER,
  ),
  ...refusedEach(
    "A67",
    "deleteBy with a misspelt name:",
    shown({ filters: "price < 100", filterz: "brand:Volt" }),
    deleteBy,
    { code: 400, error: "unknown_parameter" },
  ),
  ...refusedEach(
    "A67",
    "deleteBy, which would delete all:",
    shown(
      "",
      "  ",
      "\t\n",
      {},
      { AND: [] },
      { AND: [{}] },
      { AND: [{}, {}] },
      { OR: [{}, {}] },
      { OR: [{ brand: "Forge" }, {}] },
      { NOT: { OR: [] } },
      { AND: [{ AND: [] }, { OR: [{}] }] },
    ),
    byFilter,
    INVALID_FILTER,
  ),
  ...refusedEach(
    "A67",
    "deleteBy with the filter",
    shown(null, 5, true, [], "brand =", { brand: {} }, { brand: undefined }, () => true),
    byFilter,
    INVALID_FILTER,
  ),
  ...refusedEach(
    "A67",
    "deleteBy with the unknown",
    shown("colour:red", { colour: "red" }, "__proto__:x", "brand:Forge OR x EXISTS"),
    byFilter,
    refusal("filters", "unknown_filter_field"),
  ),
  ...refusedEach(
    "A67",
    "deleteBy with too much:",
    [
      ["brackets", "(".repeat(8000)],
      ["conditions", { OR: new Array(513).fill({ brand: "Forge" }) }],
    ],
    byFilter,
    refusal("filters", "filter_too_complex"),
  ),
  ...["facetFilters", "query", "params"].map(
    (name): Row => ({
      row: "A67",
      what: `deleteBy with ${name} beside, which would not narrow what is deleted`,
      run: (world) => deleteBy(world, { filters: "price < 100", [name]: ["brand:Volt"] }),
      expect: refusal(name, "unknown_parameter"),
    }),
  ),
  ...refusedEach(
    "A67",
    "deleteBy with the options",
    shown(null, 5, "x", []),
    (world, options) => world.call("deleteBy", "shop", { filters: "brand:Forge" }, options),
    refusal("options", "invalid_options"),
  ),
  {
    row: "A67",
    what: "deleteBy aborted before",
    run: (world) => world.call("deleteBy", "shop", { filters: "brand:Forge" }, { signal: AbortSignal.abort() }),
    expect: refusal("signal", "aborted", 499),
  },
  ...passedEach(
    "A67",
    "deleteBy",
    shown("brand:nobody", { brand: [] }, { OR: [] }, "price > 5 AND price < 5", "NOT title EXISTS"),
    byFilter,
    (result) => expect(result).toEqual({ deleted: 0 }),
  ),
  ...passedEach(
    "A67",
    "deleteBy",
    shown("title EXISTS", "NOT brand:nobody", { title: { exists: true } }),
    byFilter,
    (result) => expect(result).toEqual({ deleted: 3 }),
  ),
  {
    row: "A67",
    what: "deleteBy, with the filter changed after the call",
    run: async (world) => {
      const params = { filters: { brand: ["Forge"] } };
      const done = deleteBy(world, params);
      params.filters.brand.push("Volt");
      Reflect.set(params, "filters", "title EXISTS");
      return [await done, (await world.records("shop")).length];
    },
    expect: (result) => expect(result).toEqual([{ deleted: 1 }, 2]),
  },
];
