// Names of indexes that are none, and verbs about whole indexes.

import { expect } from "vitest";
import { bad, gives, passes, type Refusal, type Row, refuses, resembles, testRows } from "./row.js";
import { anything, idsOf, type World } from "./world.js";

// Names of indexes.

const BAD_NAME: Refusal = bad("invalid_index_name", "indexName");
const create = (world: World, name: unknown): unknown => world.create(name);

async function isThere(name: string, world: World): Promise<void> {
  expect((await world.engine.listIndexes()).map((info) => info.name)).toContain(name);
  await world.add([{ id: 1, title: "hammer" }], name);
  expect(await world.found("hammer", name)).toEqual(["1"]);
  await world.engine.deleteIndex(name);
  expect((await world.engine.listIndexes()).map((info) => info.name)).not.toContain(name);
}

async function createTwice(world: World): Promise<unknown> {
  const results = await Promise.allSettled([world.create("twin"), world.create("twin")]);
  return results
    .map((result) => (result.status === "fulfilled" ? "OK" : anything<Refusal>(result.reason).error))
    .sort();
}

testRows("names of indexes", [
  refuses("no argument", BAD_NAME, (world) => Reflect.apply(world.engine.createIndex, world.engine, [])),
  refuses("an empty name", BAD_NAME, (world) => world.create("")),
  refuses("name", BAD_NAME, create, [null, 5, {}, [], ["a"]]),
  refuses("a symbol", { ...BAD_NAME, msg: /symbol/ }, (world) => world.create(Symbol())),
  refuses("a String object", { ...BAD_NAME, msg: /object/ }, (world) => world.create(Object("a"))),
  refuses("a path upwards", BAD_NAME, (world) => world.create("../../etc/passwd")),
  refuses("name", BAD_NAME, create, ["a/b", "a\\b", "C:evil", "/abs", "a b", "a%2fb"]),
  refuses("name", { ...BAD_NAME, msg: /\\u00/ }, create, ["a\0", "a\r\n", "\n", "a\n"]),
  refuses("ESC", { ...BAD_NAME, msg: /\\u001b/ }, (world) => world.create("a\u001b[31m")),
  refuses("U+202E", { ...BAD_NAME, msg: /\\u202e/ }, (world) => world.create("a\u202eb")),
  refuses("name", BAD_NAME, create, [".", "..", ".hidden", "..."]),
  ...["__proto__", "constructor", "toString"].map(
    (name): Row => ({
      what: `name ${name}`,
      run: (world) => world.create(name),
      expect: (_, world) => isThere(name, world),
    }),
  ),
  gives("two cases of one name are two indexes", [["9"], []], async (world) => {
    await world.create("Shop");
    await world.add([{ id: 9, title: "anvil" }], "Shop");
    return [await world.found("anvil", "Shop"), await world.found("anvil", "shop")];
  }),
  ...["CON", "nul.txt", "-", "_", "a.", "0"].map(
    (name): Row => ({
      what: `name ${name}`,
      run: (world) => world.create(name),
      expect: (_, world) => isThere(name, world),
    }),
  ),
  passes("a name of", { "128 characters": "n".repeat(128) }, create, (_, world) => isThere("n".repeat(128), world)),
  refuses("a name of 129 characters", BAD_NAME, (world) => world.create("n".repeat(129))),
  refuses("name", BAD_NAME, create, ["caf\u00e9", "cafe\u0301"]),
  refuses("an existing name", bad("index_exists", "indexName", 409), (world) => world.create("shop")),
  refuses("an existing name, with other settings", bad("settings_differ", "settings", 409), (world) =>
    world.create("shop", { bm25: { k1: 2 } }, { ifExists: "open" }),
  ),
  refuses(
    "ifExists",
    bad("invalid_option", "ifExists"),
    (world, ifExists) => world.create("shop", undefined, { ifExists }),
    ["opne", null, true, {}],
  ),
  refuses("options", bad("invalid_options"), (world, input) => world.create("x", {}, input), [null, 5, "open", []]),
  gives("one name twice at the same time", ["OK", "index_exists"], createTwice),
]);

// Copying and moving.

const UNKNOWN: Refusal = bad("index_not_found", "indexName", 404);

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

testRows(
  "copying and moving",
  (["copyIndex", "moveIndex"] as const).flatMap((verb) => [
    refuses(`${verb} to`, BAD_NAME, (world, name) => world.call(verb, "shop", name), [...BAD_NAMES]),
    refuses(`${verb} of nothing`, UNKNOWN, (world: World) => world.call(verb)),
    ...["constructor", "__proto__", "CON", "0", "-", "a.b"].map(
      (name): Row => ({
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
    passes(
      `${verb} to itself`,
      ["shop"],
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
  ]),
);

testRows("copying and moving", [
  gives(
    "a copy and its original change each for itself",
    [["9", "3", "two"], ["two"], ["1"], [], "prefixAuto"],
    async (world) => {
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
  ),
  gives(
    "an index that is copied or moved onto: its handles see the new records",
    ["meant,near", ["3", "two"], 0],
    async (world) => {
      const handle = world.engine.index("near");
      await world.call("moveIndex", "shop", "near");
      const { data } = await handle.query({ query: "drill" });
      return [
        await names(world),
        data.hits.map((hit) => hit.id),
        (await world.engine.getSettings("near")).effective.dimensions,
      ];
    },
  ),
  resembles("handles of an index that was moved away", { code: 404, error: "index_not_found" }, async (world) => {
    const handle = world.engine.index("shop");
    await world.call("moveIndex", "shop", "new");
    return handle.query({ query: "drill" }).catch((error: unknown) => error);
  }),
  gives(
    "one new name created while an index is copied to it: one index, that its handle sees",
    [["late"], ["late"]],
    async (world) => {
      const copying = world.call("copyIndex", "shop", "new");
      const created = await world.engine.createIndex("new").catch(() => undefined);
      await copying;
      await world.add([{ id: "late", title: "Anvil" }], "new");
      const handle = created ?? world.engine.index("new");
      const { data } = await handle.query({ query: "anvil" });
      return [data.hits.map((hit) => hit.id), await world.found("anvil", "new")];
    },
  ),
  gives("copied twice at once, then added to", [["3", "late", "two"], "meant,near,new,shop"], async (world) => {
    await Promise.all([world.call("copyIndex", "shop", "new"), world.call("copyIndex", "shop", "new")]);
    await world.add([{ id: "late", title: "Drill" }], "new");
    return [idsOf(await world.ask({ query: "drill" }, "new")).sort(), await names(world)];
  }),
  {
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
]);
