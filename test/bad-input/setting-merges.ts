// Rows C25 and C28 to C31 for updateSettings that is taken, and what becomes of the settings an index was given.

import { expect } from "vitest";
import { passedEach, type Row, shown } from "./row.js";
import { idsOf, vectorOf, type World } from "./world.js";

const change = (world: World, settings: unknown, index: unknown = "shop"): Promise<unknown> =>
  world.call("updateSettings", index, settings);
const effective = async (world: World, index: string): Promise<Readonly<Record<string, unknown>>> => ({
  ...(await world.engine.getSettings(index)).effective,
});

function throwing(): never {
  throw new Error("from the getter");
}

/** Rows of group C for updateSettings that is taken. */
export const MERGES: readonly Row[] = [
  ...passedEach(
    "C30",
    "updateSettings by nothing:",
    shown(undefined, {}, Object.create(null), { queryType: undefined }, Object.create({ queryType: "prefixAll" })),
    async (world, settings) => {
      await change(world, settings);
      return effective(world, "shop");
    },
    async (result, world) => {
      await world.create("new");
      expect(result).toEqual(await effective(world, "new"));
      expect(await world.found("drill")).toEqual(["3", "two"]);
    },
  ),
  ...(
    [
      ["attributeForDistinct", { attributeForDistinct: "brand" }, { distinct: true }],
      [
        "attributeForDistinct, taken up again",
        { attributeForDistinct: "brand", distinct: true },
        { attributeForDistinct: "price" },
      ],
      ["vectorAttribute", { vectorAttribute: "vector", dimensions: 8 }, { dimensions: 8 }],
      ["dimensions", { vectorAttribute: "vector", dimensions: 8 }, { vectorAttribute: "vector" }],
    ] as const
  ).map(
    ([what, before, after]): Row => ({
      row: "C25",
      what: `what a change leaves out stays: ${what}`,
      run: async (world) => {
        await world.create("new", before);
        await change(world, after, "new");
        return effective(world, "new");
      },
      expect: (result) => expect(result).toMatchObject({ ...before, ...after }),
    }),
  ),
  {
    row: "C28",
    what: "updateSettings: an unknown setting is warned of once, and not kept",
    run: async (world) => {
      await change(world, { synonims: [], __proto: 1, queryType: "prefixAll" });
      return [world.warnings.map(({ code }) => code), Object.keys((await world.engine.getSettings("shop")).settings)];
    },
    expect: (result) => expect(result).toEqual([["unknown_setting", "unknown_setting"], ["queryType"]]),
  },
  ...(["createIndex", "updateSettings"] as const).flatMap((verb): Row[] => [
    {
      row: "C30",
      what: `${verb} reads each setting once, and that is what counts`,
      run: async (world) => {
        let reads = 0;
        const settings = {
          get queryType() {
            return ++reads === 1 ? "prefixAll" : "nonsense";
          },
        };
        if (verb === "createIndex") await world.create("new", settings);
        else await change(world, settings);
        const name = verb === "createIndex" ? "new" : "shop";
        await change(world, { distinct: false }, name);
        return [(await effective(world, name)).queryType, reads];
      },
      expect: (result) => expect(result).toEqual(["prefixAll", 1]),
    },
    {
      row: "C31",
      what: `${verb}: synonyms that the caller changes afterwards`,
      run: async (world) => {
        const synonyms = [{ type: "synonym", synonyms: ["drill", "screwdriver"] }];
        const settings = { synonyms };
        const done = verb === "createIndex" ? world.create("new", settings) : change(world, settings);
        synonyms[0]!.synonyms[1] = "hammer";
        synonyms.push({ type: "nonsense", synonyms: [] });
        await done;
        const name = verb === "createIndex" ? "new" : "shop";
        await change(world, { queryType: "prefixNone" }, name);
        return (await effective(world, name)).synonyms;
      },
      expect: (result) => expect(result).toEqual([{ type: "synonym", synonyms: ["drill", "screwdriver"] }]),
    },
  ]),
  {
    row: "C31",
    what: "settings cannot be changed through what getSettings gives",
    run: async (world) => {
      await change(world, { optionalWords: ["a"], bm25: { k1: 2 } });
      const { settings } = await world.engine.getSettings("shop");
      Reflect.set(settings, "queryType", "nonsense");
      if (Array.isArray(settings.optionalWords) && !Object.isFrozen(settings.optionalWords))
        settings.optionalWords.push("b");
      Reflect.set(settings.bm25 ?? {}, "k1", 3);
      await change(world, { distinct: false });
      const { optionalWords, bm25, queryType } = await effective(world, "shop");
      return [optionalWords, bm25, queryType];
    },
    expect: (result) => expect(result).toEqual([["a"], { k1: 2, b: 0.6 }, "prefixAuto"]),
  },
  {
    row: "C31",
    what: "a getter of createIndex that throws when it is read again",
    run: (world) => {
      let reads = 0;
      return world.create("new", {
        get queryType() {
          return ++reads === 1 ? "prefixAll" : throwing();
        },
      });
    },
    expect: async (_, world) => expect((await effective(world, "new")).queryType).toBe("prefixAll"),
  },
  {
    row: "C31",
    what: "queries while the settings change see the old or the new index",
    run: async (world) => {
      const seen = new Set<string>();
      let changing = true;
      const done = change(
        world,
        { searchableAttributes: ["title"], vectorAttribute: "vector", dimensions: 8 },
        "near",
      ).then(() => (changing = false));
      while (changing) {
        const { recallSource, hits } = await world.ask({ query: "drill", vector: vectorOf(1) }, "near");
        seen.add(JSON.stringify([recallSource, hits.map((hit) => hit.id)]));
        await new Promise((resolve) => setImmediate(resolve));
      }
      await done;
      return [seen.size, idsOf(await world.ask({ query: "drill", semanticWeight: 0 }, "near"))];
    },
    expect: (result) => expect(result).toEqual([1, ["3", "two"]]),
  },
];
