// Rows A37 to A41, read for attributes without types: a value is what it is, and is nowhere taken for another.

import { expect } from "vitest";
import type { Row } from "./row.js";
import type { World } from "./world.js";

const VALUES = ["", " ", "\0", "\n", "\u202e", "\ud800", "x".repeat(469), "\u00e9".repeat(512), "y".repeat(50_000)];

async function kinds(world: World, kinds: readonly unknown[], settings?: object): Promise<void> {
  await world.create("new", settings);
  await world.add(
    kinds.map((kind, id) => ({ id, kind })),
    "new",
  );
}

async function passing(world: World, filters: unknown): Promise<string> {
  return (await world.ask({ query: "", filters, hitsPerPage: 100 }, "new")).hits.map(({ id }) => id).join();
}

/** Rows A37, A38, A40, A41. */
export const FACETED: readonly Row[] = [
  {
    row: "A37",
    what: "a number among texts, a text among numbers: each stays what it is",
    run: async (world) => {
      await kinds(world, ["drill", 5, "5", 7]);
      return [
        await passing(world, { kind: 5 }),
        await passing(world, { kind: "5" }),
        await passing(world, "kind > 4"),
        await world.get([1, 2], "new"),
      ];
    },
    expect: (result) =>
      expect(result).toEqual([
        "1",
        "2",
        "1,3",
        [
          { id: 1, kind: 5 },
          { id: 2, kind: "5" },
        ],
      ]),
  },
  {
    row: "A38",
    what: "texts that look like numbers are none",
    run: async (world) => {
      await kinds(world, ["12abc", "1e3", "", " 5", "0x10", 3]);
      const { data } = await world.engine.query("new", { query: "", facets: ["kind"] });
      return [await passing(world, "kind >= 0"), await passing(world, { kind: { lt: 1e9 } }), data.facetStats];
    },
    expect: (result) => expect(result).toEqual(["5", "5", { kind: { min: 3, max: 3, sum: 3, avg: 3 } }]),
  },
  {
    row: "A40",
    what: "a list of all kinds",
    run: async (world) => {
      await kinds(world, [[1, "a", true, null, [2], { a: 1 }]]);
      return (await world.ask({ query: "", facets: ["kind", "kind.a"] }, "new")).facets;
    },
    expect: (result) => {
      const one = (value: unknown): object => ({ value, count: 1 });
      expect(result).toEqual({ kind: [one(1), one(2), one("a"), one(true)], "kind.a": [one(1)] });
    },
  },
  {
    row: "A41",
    what: "facet values that are empty, long or cannot be printed",
    run: async (world) => {
      await kinds(world, VALUES, { attributesForFaceting: ["kind"] });
      const { facets } = await world.ask({ query: "", facets: ["kind"] }, "new");
      const wrong: unknown[] = [];
      for (const [id, kind] of VALUES.entries())
        if ((await passing(world, { kind })) !== String(id)) wrong.push(kind.slice(0, 10));
      return [facets?.kind?.map(({ value }) => value), wrong];
    },
    expect: (result) => expect(result).toEqual([[...VALUES].sort(), []]),
  },
];
