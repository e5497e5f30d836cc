// Names of indexes that are odd and right, and verbs about whole indexes that run at the same time. Wrong names are rows of
// wrong-arguments.ts.

import { expect } from "vitest";
import { gives, passes, type Refusal, testRows } from "./row.js";
import { anything, idsOf, type World } from "./world.js";

const ODD_NAMES = ["CON", "nul.txt", "-", "_", "a.", "0", "a.b", "toString", "n".repeat(128)];

async function names(world: World): Promise<string> {
  return (await world.engine.listIndexes()).map(({ name }) => name).join();
}

/** What came of several calls at once: "OK" or the error. */
async function together(...calls: readonly Promise<unknown>[]): Promise<string[]> {
  const results = await Promise.allSettled(calls);
  return results.map((each) => (each.status === "fulfilled" ? "OK" : anything<Refusal>(each.reason).error)).sort();
}

testRows("names of indexes", [
  passes(
    "to create, copy and move",
    ODD_NAMES,
    (_, name) => name,
    async (name, world) => {
      await world.create(name);
      await world.engine.deleteIndex(anything(name));
      for (const [verb, left] of [
        ["copyIndex", ["meant", "near", "shop"]],
        ["moveIndex", ["meant", "near"]],
      ] as const) {
        await world.call(verb, "shop", name);
        expect(await names(world)).toBe([...left, name].sort().join());
        expect(await world.found("drill", name)).toEqual(["3", "two"]);
      }
    },
  ),
  gives("two cases of one name are two indexes", [["9"], []], async (world) => {
    await world.create("Shop");
    await world.add([{ id: 9, title: "anvil" }], "Shop");
    return [await world.found("anvil", "Shop"), await world.found("anvil", "shop")];
  }),
  gives("copied and moved to itself, an index stays", true, async (world) => {
    const before = JSON.stringify(await world.picture());
    for (const verb of ["copyIndex", "moveIndex"] as const) await world.call(verb, "shop", "shop");
    return before === JSON.stringify(await world.picture());
  }),
]);

testRows("at the same time", [
  gives("one name twice", ["OK", "index_exists"], (world) => together(world.create("twin"), world.create("twin"))),
  gives(
    "copied twice, then added to",
    [
      ["OK", "OK"],
      ["3", "late", "two"],
    ],
    async (world) => {
      const copied = await together(world.call("copyIndex", "shop", "new"), world.call("copyIndex", "shop", "new"));
      await world.add([{ id: "late", title: "Drill" }], "new");
      return [copied, idsOf(await world.ask({ query: "drill" }, "new")).sort()];
    },
  ),
  gives("copied to a name that is created: one index, that its handle sees", [["late"], ["late"]], async (world) => {
    const copying = world.call("copyIndex", "shop", "new");
    const created = await world.engine.createIndex("new").catch(() => undefined);
    await copying;
    await world.add([{ id: "late", title: "Anvil" }], "new");
    const { data } = await (created ?? world.engine.index("new")).query({ query: "anvil" });
    return [data.hits.map((hit) => hit.id), await world.found("anvil", "new")];
  }),
  passes(
    "moved and deleted",
    ["shop"],
    (world, name) => together(world.call("moveIndex", name, "new"), world.engine.deleteIndex(anything(name))),
    async (outcomes, world) => {
      expect(["OK,OK", "OK,index_not_found", "index_not_found,OK"]).toContain(String(outcomes));
      expect(await names(world)).not.toContain("shop");
    },
  ),
]);
