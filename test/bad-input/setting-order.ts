// Rows C16, C19, C25 and C27: settings that speak of values: faceting, ranking, groups.

import { expect } from "vitest";
import { passedEach, type Refusal, type Row, refusedEach, shown } from "./row.js";
import type { World } from "./world.js";

const refusal = (param: string): Refusal => ({ code: 400, error: "invalid_setting", param });
const setting =
  (name: string) =>
  (world: World, value: unknown): unknown =>
    world.create("new", { [name]: value });
const refused = (name: string, values: readonly unknown[]): Row[] =>
  refusedEach("C27", name, shown(...values), setting(name), refusal(name));
const LONG = "n".repeat(257);

/** Rows C19, C25, C27 of values. */
export const ORDER: readonly Row[] = [
  ...refused("customRanking", [
    null,
    5,
    "desc(price)",
    {},
    true,
    [5],
    [null],
    [["desc(price)"]],
    new Array(1),
    new Set(["desc(price)"]),
  ]),
  ...refused("customRanking", [
    ["desc("],
    ["desc()"],
    ["desc"],
    ["price"],
    ["price:desc"],
    ["Desc(price)"],
    [" desc(price)"],
    ["desc(price) "],
    ["desc (price)"],
    [""],
    ["asc(price)", "desc("],
  ]),
  ...refused("customRanking", [[`desc(${LONG})`], ["desc(a\n)"], ["desc(\0)"], new Array(17).fill("desc(price)")]),
  ...passedEach(
    "C27",
    "customRanking",
    shown(
      [],
      ["desc(a)(b)"],
      ["asc(constructor)", "desc(__proto__)"],
      ["desc(nope.x)"],
      new Array(16).fill("asc(price)"),
      ["desc(n)"],
      undefined,
    ),
    async (world, customRanking) => {
      await world.create("new", { customRanking });
      await world.add(
        [
          { id: 1, title: "drill", n: 1 },
          { id: 2, title: "drill" },
        ],
        "new",
      );
      return world.ask({ query: "drill" }, "new");
    },
    (result) => expect(result).toMatchObject({ nbHits: 2, hits: [{ id: "1" }, { id: "2" }] }),
  ),
  ...refused("attributeForDistinct", [null, "", 5, true, ["brand"], {}, LONG, "a\n"]),
  ...refused("distinct", [null, 1, 0, "true", [], {}]),
  {
    row: "C27",
    what: "distinct without attributeForDistinct",
    run: (world) => setting("distinct")(world, true),
    expect: { ...refusal("distinct"), msg: /attributeForDistinct/ },
  },
  {
    row: "C27",
    what: "distinct with attributeForDistinct by the name of a prototype",
    run: async (world) => {
      await world.create("new", { attributeForDistinct: "__proto__", distinct: true });
      await world.add(
        [JSON.parse('{"id":1,"__proto__":"a"}'), JSON.parse('{"id":2,"__proto__":"a"}'), { id: 3 }, { id: 4 }],
        "new",
      );
      return [
        (await world.ask({ query: "" }, "new")).nbHits,
        (await world.ask({ query: "", distinct: false }, "new")).nbHits,
      ];
    },
    expect: (result) => expect(result).toEqual([3, 4]),
  },
  ...refusedEach(
    "C19",
    "attributesForFaceting",
    shown(
      [""],
      ["a\n"],
      [5],
      [null],
      "brand",
      null,
      {},
      true,
      [LONG],
      new Array(1),
      [["brand"]],
      [{ attribute: "brand" }],
    ),
    setting("attributesForFaceting"),
    refusal("attributesForFaceting"),
  ),
  {
    row: "C21",
    what: "1,001 attributesForFaceting",
    run: (world) =>
      setting("attributesForFaceting")(
        world,
        Array.from({ length: 1001 }, (_, i) => `a${i}`),
      ),
    expect: refusal("attributesForFaceting"),
  },
  {
    row: "C27",
    what: "no attributesForFaceting: nothing can be filtered, counted or sorted",
    run: async (world) => {
      await world.create("new", { attributesForFaceting: [] });
      await world.add([{ id: 1, brand: "Forge" }], "new");
      const errors: unknown[] = [];
      for (const params of [
        { filters: "brand:Forge" },
        { facetFilters: ["brand:Forge"] },
        { facets: ["brand"] },
        { sort: ["brand:asc"] },
      ])
        errors.push(await world.ask({ query: "", ...params }, "new").catch((error: unknown) => error));
      return [errors, (await world.ask({ query: "", facets: ["*"] }, "new")).facets];
    },
    expect: (result) => expect(result).toEqual([new Array(4).fill(expect.objectContaining({ code: 400 })), {}]),
  },
];
