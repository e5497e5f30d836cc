// Rows Q37 to Q39: facets of a query.

import { expect } from "vitest";
import { passedEach, type Refusal, type Row, refusedEach, shown } from "./row.js";
import type { Seen, World } from "./world.js";

const INVALID: Refusal = { code: 400, error: "invalid_parameter", param: "facets" };
const counted = (world: World, facets: unknown): unknown => world.ask({ query: "", facets });
const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `a${i}`);

function throwing(): never {
  throw new Error("from the getter");
}

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  return proxy;
}

const LISTS: readonly Row[] = [
  ...refusedEach(
    "Q37",
    "facets",
    [
      ...shown(
        null,
        5,
        "brand",
        {},
        true,
        [5],
        [null],
        [["brand"]],
        [""],
        ["a\n"],
        ["n".repeat(257)],
        new Set(["brand"]),
        new Array(1),
      ),
      ["a revoked Proxy", revoked()],
      ["a getter that throws", Object.defineProperty(["brand"], 0, { get: throwing })],
      ["21 attributes", names(21)],
      ["an array-like", { 0: "brand", length: 1 }],
    ],
    counted,
    INVALID,
  ),
  ...refusedEach(
    "Q37",
    "unknown facets",
    shown(["colour"], ["brand", "x"], ["__proto__"], ["constructor"], ["tags.length"], ["specs"], ["*", "x"]),
    counted,
    {
      code: 400,
      error: "unknown_field",
      param: "facets",
    },
  ),
  ...passedEach("Q37", "facets", shown(["brand", "brand"], new Array(50).fill("brand")), counted, (result) =>
    expect((result as Seen).facets).toEqual({ brand: [{ value: "Forge", count: 1 }] }),
  ),
  {
    row: "Q37",
    what: "no facets, and all of them",
    run: async (world) => [
      (await world.ask({ query: "", facets: [] })).facets,
      Object.keys((await world.ask({ query: "", facets: ["*", "brand"] })).facets ?? {}).sort(),
    ],
    expect: (result) => {
      const [none, all] = result as unknown[];
      expect(none ?? {}).toEqual({});
      expect(all).toEqual(expect.arrayContaining(["brand", "price", "specs.volts", "tags"]));
    },
  },
  {
    row: "Q37",
    what: "20 attributes",
    prepare: (world) => world.add([Object.fromEntries([["id", 9], ...names(20).map((name) => [name, 1])])]),
    run: async (world) => Object.keys((await world.ask({ query: "", facets: names(20) })).facets ?? {}).length,
    expect: (result) => expect(result).toBe(20),
  },
  ...passedEach(
    "Q37",
    "facets that mislead:",
    [
      [
        "an iterator without end",
        Object.assign(["brand"], {
          *[Symbol.iterator]() {
            for (;;) yield "price";
          },
        }),
      ],
      [
        "methods of their own",
        Object.assign(["brand"], { every: () => false, map: () => ["price"], includes: () => true }),
      ],
      ["a Proxy", new Proxy(["brand"], {})],
    ],
    counted,
    (result) => expect((result as Seen).facets).toEqual({ brand: [{ value: "Forge", count: 1 }] }),
  ),
];

const VALUES: readonly Row[] = [
  {
    row: "Q38",
    what: "values that built-in objects know, in the order of counts, then texts",
    run: async (world) => {
      const kinds = ["constructor", "10", "9", "__proto__", "constructor", 10, true, "true", "", "toString"];
      await world.create("new");
      await world.add(
        kinds.map((kind, id) => ({ id, kind })),
        "new",
      );
      return (await world.ask({ query: "", facets: ["kind"] }, "new")).facets;
    },
    expect: (result) =>
      expect(result).toEqual({
        kind: [
          { value: "constructor", count: 2 },
          ...["", 10, "10", "9", "__proto__", "toString", "true", true].map((value) => ({ value, count: 1 })),
        ],
      }),
  },
  {
    row: "Q38",
    what: "a record is counted once a value, however often it holds it",
    run: async (world) => {
      await world.create("new");
      await world.add([{ id: 1, kind: ["a", "a", ["a"]], deep: [{ n: 1 }, { n: 1 }, { n: -0 }, { n: 0 }] }], "new");
      return (await world.ask({ query: "", facets: ["kind", "deep.n"] }, "new")).facets;
    },
    expect: (result) =>
      expect(result).toEqual({
        kind: [{ value: "a", count: 1 }],
        "deep.n": [
          { value: 0, count: 1 },
          { value: 1, count: 1 },
        ],
      }),
  },
  {
    row: "Q38",
    what: "statistics of numbers that no sum of two halves gives",
    run: async (world) => {
      await world.create("new");
      await world.add(
        [1e16, 1, -1e16, "x", true].map((n, id) => ({ id, n })),
        "new",
      );
      const { data } = await world.engine.query("new", { query: "", facets: ["n"] });
      return data.facetStats;
    },
    expect: (result) => expect(result).toEqual({ n: { min: -1e16, max: 1e16, sum: 1, avg: 1 / 3 } }),
  },
  {
    row: "Q38",
    what: "facets changed by the caller have no effect on later answers",
    run: async (world) => {
      const first = await world.ask({ query: "", facets: ["brand"] });
      Reflect.set(first.facets!.brand![0]!, "count", 99);
      Reflect.set(first.facets!, "brand", []);
      return (await world.ask({ query: "", facets: ["brand"] })).facets;
    },
    expect: (result) => expect(result).toEqual({ brand: [{ value: "Forge", count: 1 }] }),
  },
];

const COUNTS: readonly Row[] = [
  ...refusedEach(
    "Q39",
    "maxValuesPerFacet",
    shown(-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "5", null, true, [5], 5n, 2 ** 53),
    (world, maxValuesPerFacet) => world.ask({ query: "", facets: ["tags"], maxValuesPerFacet }),
    {
      code: 400,
      error: "invalid_parameter",
      param: "maxValuesPerFacet",
    },
  ),
  ...(
    [
      [0, 0],
      [-0, 0],
      [1, 1],
      [2, 2],
      [1e9, 2],
      [undefined, 2],
    ] as const
  ).map(
    ([maxValuesPerFacet, shownValues]): Row => ({
      row: "Q39",
      what: `maxValuesPerFacet ${maxValuesPerFacet}`,
      run: async (world) => (await world.ask({ query: "", facets: ["tags"], maxValuesPerFacet })).facets?.tags?.length,
      expect: (result) => expect(result).toBe(shownValues),
    }),
  ),
];

/** Rows Q37 to Q39. */
export const FACETS: readonly Row[] = [...LISTS, ...VALUES, ...COUNTS];
