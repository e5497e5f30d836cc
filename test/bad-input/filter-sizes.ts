// Rows F7 to F11 and F25: filters that are deep, wide or long, in both forms, at the limit and beyond it.

import { expect } from "vitest";
import { passedEach, type Refusal, type Row, refusedEach } from "./row.js";
import type { World } from "./world.js";

const TOO_COMPLEX: Refusal = { code: 400, error: "filter_too_complex", param: "filters" };
const filtered = (world: World, filters: unknown): unknown => world.ask({ query: "", filters });
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
    "F7",
    "32 levels:",
    [
      ["brackets", brackets(31)],
      ["AND", nested(32, "AND")],
      ["OR", nested(32, "OR")],
    ],
    filtered,
    isKettle,
  ),
  {
    row: "F7",
    what: "33 levels of brackets",
    run: (world) => filtered(world, brackets(32)),
    expect: { ...TOO_COMPLEX, span: [32, 37] },
  },
  {
    row: "F7",
    what: "40 levels of brackets",
    run: (world) => filtered(world, brackets(40)),
    expect: { ...TOO_COMPLEX, span: [32, 33] },
  },
  ...[
    ["1,000,000 brackets", "(".repeat(1_000_000)] as const,
    ["8,000 brackets", "(".repeat(8000)] as const,
    ["objects 100,000 deep", nested(100_000, "NOT")] as const,
  ].map(
    ([what, filters]): Row => ({
      row: "F7",
      what: `${what} are refused`,
      run: (world) => filtered(world, filters),
      expect: { code: 400, error: "filter_too_complex" },
    }),
  ),
  ...passedEach(
    "F8",
    "30 times NOT",
    [
      ["as text", `${"NOT ".repeat(30)}brand:Forge`],
      ["as an object", nested(31, "NOT")],
    ],
    filtered,
    isKettle,
  ),
  {
    row: "F8",
    what: "32 times NOT",
    run: (world) => filtered(world, `${"NOT ".repeat(32)}brand:Forge`),
    expect: { ...TOO_COMPLEX, span: [128, 133] },
  },
  {
    row: "F8",
    what: "1,000 times NOT",
    run: (world) => filtered(world, `${"NOT ".repeat(1000)}brand:Forge`),
    expect: { ...TOO_COMPLEX, span: [128, 131] },
  },
  ...(["AND", "OR", "NOT"] as const).flatMap((key) =>
    refusedEach("F25", "33 levels of", [[key, nested(33, key)]], filtered, TOO_COMPLEX),
  ),
];

const WIDE: readonly Row[] = [
  ...passedEach(
    "F9",
    "512 conditions:",
    [
      ["as text", many(512, "price=10", " OR ")],
      ["as an object", { OR: new Array(512).fill({ price: 10 }) }],
      ["of operators", { AND: new Array(256).fill({ price: { gt: 5, lt: 20 } }) }],
    ],
    filtered,
    isKettle,
  ),
  ...refusedEach(
    "F9",
    "513 conditions:",
    [
      ["as text", many(513, "price=10", " OR ")],
      ["as an object", { OR: new Array(513).fill({ price: 10 }) }],
      ["in two lists", { OR: new Array(257).fill({ price: 10 }), AND: new Array(256).fill({ price: 10 }) }],
      ["empty ones", { AND: new Array(513).fill({}) }],
      ["of many attributes", Object.fromEntries(Array.from({ length: 513 }, (_, i) => [`a${i}`, 1]))],
      ["a list with a length alone", { OR: Object.assign([], { length: 2 ** 32 - 1 }) }],
    ],
    filtered,
    TOO_COMPLEX,
  ),
  ...passedEach(
    "F10",
    "8,192 bytes:",
    [
      ["blanks", "brand:Forge".padEnd(8192)],
      [
        "of two each",
        `NOT brand:"${"\u00e9".repeat(4090)}"`.replace("NOT", "brand:Forge AND NOT").replace("\u00e9".repeat(8), ""),
      ],
    ],
    filtered,
    isKettle,
  ),
  ...refusedEach(
    "F10",
    "more than 8,192 bytes:",
    [
      ["blanks", "brand:Forge".padEnd(8193)],
      ["of two each", `brand:"${"\u00e9".repeat(4093)}"`],
      ["10 MB", "brand:Forge OR ".repeat(700_000)],
    ],
    filtered,
    TOO_COMPLEX,
  ),
  ...passedEach(
    "F11",
    "1,000 values:",
    [
      ["a list", { brand: values(1000) }],
      ["in", { brand: { in: values(1000) } }],
    ],
    filtered,
    isKettle,
  ),
  ...passedEach(
    "F11",
    "no values:",
    [
      ["a list", { brand: [] }],
      ["in", { brand: { in: [] } }],
    ],
    filtered,
    (result) => expect(result).toMatchObject({ nbHits: 0, hits: [] }),
  ),
  ...refusedEach(
    "F11",
    "1,001 values:",
    [
      ["a list", { brand: values(1001) }],
      ["in", { brand: { in: values(1001) } }],
      ["in two lists", { OR: [{ brand: values(501) }, { price: values(500) }] }],
      ["a length alone", { brand: Object.assign([], { length: 2 ** 32 - 1 }) }],
    ],
    filtered,
    TOO_COMPLEX,
  ),
];

/** Rows F7 to F11. */
export const SIZES: readonly Row[] = [...DEEP, ...WIDE];
