// Rows F24, F26 and F34: filters as objects. Getters, proxies and prototypes are in filter-tricks.ts.

import { expect } from "vitest";
import { passedEach, type Refusal, type Row, refusedEach, shown } from "./row.js";
import type { World } from "./world.js";

const INVALID: Refusal = { code: 400, error: "invalid_filter", param: "filters" };
const filtered = (world: World, filters: unknown): unknown => world.ask({ query: "", filters });
const OPERATORS = ["eq", "ne", "lt", "lte", "gt", "gte"];

const SHAPES: readonly Row[] = [
  ...refusedEach(
    "F24",
    "filters",
    shown(
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
    ),
    filtered,
    INVALID,
  ),
  ...passedEach(
    "F24",
    "several operators must all hold:",
    shown({ price: { gt: 5, lt: 20 } }, { brand: { eq: "Forge", ne: "Volt" } }),
    filtered,
    (result) => expect(result).toMatchObject({ nbHits: 1, hits: [{ id: "1" }] }),
  ),
  ...passedEach(
    "F24",
    "no condition:",
    shown({}, { AND: [] }, { AND: [{}, {}] }, { NOT: { OR: [] } }),
    filtered,
    (result) => expect(result).toMatchObject({ nbHits: 3 }),
  ),
  ...passedEach(
    "F24",
    "nothing can hold:",
    shown({ OR: [] }, { NOT: {} }, { brand: [] }, { brand: { in: [] } }),
    filtered,
    (result) => expect(result).toMatchObject({ nbHits: 0 }),
  ),
];

const ODD: readonly (readonly [string, unknown])[] = [
  ...shown(
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
  ),
];

const VALUES: readonly Row[] = [
  ...refusedEach("F26", "a value", ODD, (world, value) => filtered(world, { brand: value }), INVALID),
  ...refusedEach("F26", "in a list", ODD, (world, value) => filtered(world, { brand: ["Forge", value] }), INVALID),
  ...OPERATORS.flatMap((operator) =>
    refusedEach("F26", operator, ODD, (world, value) => filtered(world, { price: { [operator]: value } }), INVALID),
  ),
  ...["lt", "lte", "gt", "gte"].flatMap((operator) =>
    refusedEach(
      "F26",
      operator,
      shown("x", "5", null, true, [5]),
      (world, value) => filtered(world, { price: { [operator]: value } }),
      INVALID,
    ),
  ),
  ...refusedEach("F26", "a list with", [["a hole", { brand: new Array(1) }]], filtered, INVALID),
  ...refusedEach(
    "F34",
    "a function:",
    [
      ["filters", () => true],
      ["NOT", { NOT: () => true }],
      ["in a list", { AND: [() => true] }],
    ],
    filtered,
    INVALID,
  ),
];

/** Rows F24, F26, F34. */
export const OBJECTS: readonly Row[] = [...SHAPES, ...VALUES];
