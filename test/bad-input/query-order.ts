// Rows Q40 and Q41, and Q30 for distinct: the order and the groups of hits.

import { expect } from "vitest";
import { type Refusal, type Row, refusedEach, shown } from "./row.js";
import { idsOf, type World } from "./world.js";

const INVALID: Refusal = { code: 400, error: "invalid_parameter", param: "sort" };
const sorted = (world: World, sort: unknown): unknown => world.ask({ query: "", sort });

const MIXED: readonly unknown[] = [
  { id: "a", n: 5 },
  { id: "b", n: "x" },
  { id: "c", n: true },
  { id: "d", n: null },
  { id: "e" },
  { id: "f", n: [9, 1] },
  { id: "g", n: false },
  { id: "h", n: 5 },
  { id: "i", n: [] },
  { id: "j", n: "\u{1f600}" },
  { id: "k", n: "\uffff" },
  { id: "l", n: "" },
];

async function order(world: World, sort: readonly string[], settings?: object): Promise<string> {
  await world.create("new", settings);
  await world.add(MIXED, "new");
  return idsOf(
    await world.ask({ query: "", sort: sort.length === 0 ? undefined : sort, hitsPerPage: 100 }, "new"),
  ).join("");
}

const ASCENDING = "fahlbjkgcdei";
const DESCENDING = "cgkjblfahdei";

/** Rows Q30, Q40, Q41. */
export const ORDER: readonly Row[] = [
  ...refusedEach(
    "Q40",
    "sort",
    [
      ...shown(
        null,
        5,
        "price:asc",
        {},
        true,
        [5],
        [null],
        ["price"],
        ["price:up"],
        ["price:ASC"],
        ["price:asc "],
        [":asc"],
        [""],
        [["price", "asc"]],
      ),
      ...shown([{ price: "asc" }], [`${"n".repeat(257)}:asc`], new Array(17).fill("price:asc"), new Array(1), [
        "price:asc",
        undefined,
      ]),
    ],
    sorted,
    INVALID,
  ),
  ...refusedEach(
    "Q40",
    "sort by the unknown",
    shown(
      ["colour:asc"],
      ["price:asc", "x:desc"],
      ["__proto__:asc"],
      ["constructor:desc"],
      ["tags.length:asc"],
      ["a:b:asc"],
    ),
    sorted,
    {
      ...INVALID,
      error: "unknown_field",
    },
  ),
  {
    row: "Q40",
    what: "sort by long texts",
    prepare: (world) => world.add([{ id: 9, text: "long ".repeat(40) }]),
    run: (world) => sorted(world, ["text:asc"]),
    expect: { ...INVALID, error: "not_sortable", msg: /attributesForFaceting/ },
  },
  ...refusedEach(
    "Q40",
    "encoded sort",
    shown("price", "price:up", "[", "[5]", "{}"),
    (world, sort) =>
      world.ask({
        params: new URLSearchParams([
          ["query", ""],
          ["sort", String(sort)],
        ]).toString(),
      }),
    INVALID,
  ),
  ...(
    [
      ["n:asc", ASCENDING],
      ["n:desc", DESCENDING],
    ] as const
  ).flatMap(([sort, expected]): Row[] => [
    {
      row: "Q41",
      what: `mixed and missing values, ${sort}`,
      run: (world) => order(world, [sort]),
      expect: (result) => expect(result).toBe(expected),
    },
    {
      row: "Q41",
      what: `mixed and missing values by custom ranking, ${sort}`,
      run: (world) => order(world, [], { customRanking: [sort === "n:asc" ? "asc(n)" : "desc(n)"] }),
      expect: (result) => expect(result).toBe(expected),
    },
    {
      row: "Q41",
      what: `one record an addition, ${sort}`,
      run: async (world) => {
        await world.create("new");
        for (const record of [...MIXED].reverse()) await world.add([record], "new");
        return idsOf(await world.ask({ query: "", sort: [sort], hitsPerPage: 100 }, "new")).join("");
      },
      expect: (result) => expect(result).toBe(expected),
    },
  ]),
  {
    row: "Q41",
    what: "the attribute twice: the first counts",
    run: (world) => order(world, ["n:asc", "n:desc"]),
    expect: (result) => expect(result).toBe(ASCENDING),
  },
  {
    row: "Q41",
    what: "pages of a sorted answer hold each record once",
    run: async (world) => {
      await order(world, ["n:asc"]);
      const pages = [];
      for (let page = 1; page <= 5; page++)
        pages.push(...idsOf(await world.ask({ query: "", sort: ["n:asc"], hitsPerPage: 3, page }, "new")));
      return pages.join("");
    },
    expect: (result) => expect(result).toBe(ASCENDING),
  },
  ...refusedEach(
    "Q30",
    "distinct",
    shown(null, 1, 0, "true", [], {}),
    (world, distinct) => world.ask({ query: "", distinct }),
    {
      code: 400,
      error: "invalid_parameter",
      param: "distinct",
    },
  ),
  {
    row: "Q30",
    what: "distinct without an attributeForDistinct",
    run: (world) => world.ask({ query: "", distinct: true }),
    expect: { code: 400, error: "invalid_parameter", param: "distinct", msg: /attributeForDistinct/ },
  },
  {
    row: "Q30",
    what: "distinct: false without an attributeForDistinct",
    run: (world) => world.ask({ query: "", distinct: false }),
    expect: (result) => expect(result).toMatchObject({ nbHits: 3 }),
  },
  {
    row: "Q41",
    what: "groups of mixed values: 5 and the text 5 are two, records without a value stand alone",
    run: async (world) => {
      await world.create("new", { attributeForDistinct: "g" });
      await world.add(
        [5, "5", 5, null, undefined, [], "__proto__", "__proto__", true, "true"].map((g, id) => ({ id, g })),
        "new",
      );
      const { nbHits, hits } = await world.ask({ query: "", distinct: true }, "new");
      return [nbHits, hits.map((hit) => hit.id).join("")];
    },
    expect: (result) => expect(result).toEqual([8, "01345689"]),
  },
];
