// Rows C2 to C14 for copyIndex and moveIndex.

import { expect } from "vitest";
import { passedEach, type Refusal, type Row, refusedEach, shown } from "./row.js";
import { idsOf, type World } from "./world.js";

const BAD_NAME: Refusal = { code: 400, error: "invalid_index_name", param: "indexName" };
const UNKNOWN: Refusal = { code: 404, error: "index_not_found", param: "indexName" };
const BAD_NAMES = [
  "",
  null,
  undefined,
  5,
  {},
  [],
  ["new"],
  Symbol(),
  "../up",
  "a/b",
  "a\\b",
  "C:evil",
  ".hidden",
  "a\0",
  "a\n",
  "caf\u00e9",
  "n".repeat(129),
  Object("new"),
];

async function names(world: World): Promise<string> {
  return (await world.engine.listIndexes()).map(({ name }) => name).join();
}

const REFUSED: readonly Row[] = (["copyIndex", "moveIndex"] as const).flatMap((verb) => [
  ...refusedEach("C5", `${verb} to`, shown(...BAD_NAMES), (world, name) => world.call(verb, "shop", name), BAD_NAME),
  ...refusedEach(
    "C13",
    `${verb} from`,
    shown("shpo", "constructor", "__proto__", "", null, undefined, 5, {}, Symbol()),
    (world, name) => world.call(verb, name, "new"),
    UNKNOWN,
  ),
  ...refusedEach(
    "C13",
    `${verb} onto an index, from`,
    shown("shpo", "__proto__"),
    (world, name) => world.call(verb, name, "shop"),
    UNKNOWN,
  ),
  { row: "C1", what: `${verb} of nothing`, run: (world: World) => world.call(verb), expect: UNKNOWN },
  ...["constructor", "__proto__", "CON", "0", "-", "a.b"].map(
    (name): Row => ({
      row: "C8",
      what: `${verb} to ${name}`,
      run: async (world) => {
        await world.call(verb, "shop", name);
        return [
          await names(world),
          await world.found("drill", name),
          (await world.ask({ query: "", facets: ["brand"] }, name)).facets,
        ];
      },
      expect: (result) => {
        const all = [...(verb === "copyIndex" ? ["shop"] : []), "near", "meant", name].sort().join();
        expect(result).toEqual([all, ["3", "two"], { brand: [{ value: "Forge", count: 1 }] }]);
      },
    }),
  ),
  ...passedEach(
    "C13",
    `${verb} to itself`,
    shown("shop"),
    async (world, name) => {
      const before = await world.picture();
      await world.call(verb, name, name);
      return [before, await world.picture()];
    },
    (result) => {
      const [before, after] = result as unknown[];
      expect(after).toEqual(before);
    },
  ),
]);

const TAKEN: readonly Row[] = [
  {
    row: "C13",
    what: "a copy and its original change each for itself",
    run: async (world) => {
      await world.call("copyIndex", "shop", "new");
      await world.call("deleteBy", "new", { filters: "brand:Forge" });
      await world.add([{ id: 9, title: "drill" }]);
      await world.call("updateRecords", "new", [{ id: 3, title: "Hammer" }]);
      await world.call("updateSettings", "new", { queryType: "prefixAll" });
      return [
        await world.found("drill"),
        await world.found("drill", "new"),
        await world.found("kettle"),
        await world.found("kettle", "new"),
        (await world.engine.getSettings("shop")).effective.queryType,
      ];
    },
    expect: (result) => expect(result).toEqual([["9", "3", "two"], ["two"], ["1"], [], "prefixAuto"]),
  },
  {
    row: "C13",
    what: "an index that is copied or moved onto: its handles see the new records",
    run: async (world) => {
      const handle = world.engine.index("near");
      await world.call("moveIndex", "shop", "near");
      const { data } = await handle.query({ query: "drill" });
      return [
        await names(world),
        data.hits.map((hit) => hit.id),
        (await world.engine.getSettings("near")).effective.dimensions,
      ];
    },
    expect: (result) => expect(result).toEqual(["meant,near", ["3", "two"], 0]),
  },
  {
    row: "C13",
    what: "handles of an index that was moved away",
    run: async (world) => {
      const handle = world.engine.index("shop");
      await world.call("moveIndex", "shop", "new");
      return handle.query({ query: "drill" }).catch((error: unknown) => error);
    },
    expect: (result) => expect(result).toMatchObject({ code: 404, error: "index_not_found" }),
  },
  {
    row: "C14",
    what: "one new name created while an index is copied to it: one index, that its handle sees",
    run: async (world) => {
      const copying = world.call("copyIndex", "shop", "new");
      const created = await world.engine.createIndex("new").catch(() => undefined);
      await copying;
      await world.add([{ id: "late", title: "Anvil" }], "new");
      const handle = created ?? world.engine.index("new");
      const { data } = await handle.query({ query: "anvil" });
      return [data.hits.map((hit) => hit.id), await world.found("anvil", "new")];
    },
    expect: (result) => expect(result).toEqual([["late"], ["late"]]),
  },
  {
    row: "C14",
    what: "copied twice at once, then added to",
    run: async (world) => {
      await Promise.all([world.call("copyIndex", "shop", "new"), world.call("copyIndex", "shop", "new")]);
      await world.add([{ id: "late", title: "Drill" }], "new");
      return [idsOf(await world.ask({ query: "drill" }, "new")).sort(), await names(world)];
    },
    expect: (result) => expect(result).toEqual([["3", "late", "two"], "meant,near,new,shop"]),
  },
  {
    row: "C14",
    what: "moved and deleted at once",
    run: async (world) => {
      const results = await Promise.allSettled([
        world.call("moveIndex", "shop", "new"),
        world.engine.deleteIndex("shop"),
      ]);
      const errors = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
      return [errors, (await names(world)).includes("shop")];
    },
    expect: (result) => {
      const [errors, left] = result as [unknown[], boolean];
      for (const error of errors) expect(error).toMatchObject({ code: 404, error: "index_not_found" });
      expect(left).toBe(false);
    },
  },
  ...(["copyIndex", "moveIndex"] as const).map(
    (verb): Row => ({
      row: "C13",
      what: `${verb} after close`,
      run: async (world) => {
        await world.engine.close();
        return world.call(verb, "shop", "new").catch((error: unknown) => error);
      },
      expect: (result) => expect(result).toMatchObject({ code: 503, error: "closed" }),
    }),
  ),
];

/** Rows of group C for copyIndex and moveIndex. */
export const VERBS: readonly Row[] = [...REFUSED, ...TAKEN];
