// Rows C1 to C14: names of indexes. The settings are in settings.ts; copying and moving are in index-verbs.ts; together they are
// the catalogue's group C.

import { expect } from "vitest";
import { VERBS } from "./index-verbs.js";
import { NO_SCHEMA } from "./no-schema.js";
import { passedEach, type Refusal, type Row, refusedEach, shown } from "./row.js";
import { REFUSED_CHANGES } from "./setting-changes.js";
import { MERGES } from "./setting-merges.js";
import { SETTINGS } from "./settings.js";
import { anything, type World } from "./world.js";

const BAD_NAME: Refusal = { code: 400, error: "invalid_index_name", param: "indexName" };
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

const NAMES: readonly Row[] = [
  {
    row: "C1",
    what: "no argument",
    run: (world) => Reflect.apply(world.engine.createIndex, world.engine, []),
    expect: BAD_NAME,
  },
  { row: "C2", what: "an empty name", run: (world) => world.create(""), expect: BAD_NAME },
  ...refusedEach("C3", "name", shown(null, 5, {}, [], ["a"]), create, BAD_NAME),
  { row: "C3", what: "a symbol", run: (world) => world.create(Symbol()), expect: { ...BAD_NAME, msg: /symbol/ } },
  {
    row: "C3",
    what: "a String object",
    run: (world) => world.create(Object("a")),
    expect: { ...BAD_NAME, msg: /object/ },
  },
  { row: "C4", what: "a path upwards", run: (world) => world.create("../../etc/passwd"), expect: BAD_NAME },
  ...refusedEach("C5", "name", shown("a/b", "a\\b", "C:evil", "/abs", "a b", "a%2fb"), create, BAD_NAME),
  ...refusedEach("C6", "name", shown("a\0", "a\r\n", "\n", "a\n"), create, { ...BAD_NAME, msg: /\\u00/ }),
  { row: "C6", what: "ESC", run: (world) => world.create("a\u001b[31m"), expect: { ...BAD_NAME, msg: /\\u001b/ } },
  { row: "C6", what: "U+202E", run: (world) => world.create("a\u202eb"), expect: { ...BAD_NAME, msg: /\\u202e/ } },
  ...refusedEach("C7", "name", shown(".", "..", ".hidden", "..."), create, BAD_NAME),
  ...["__proto__", "constructor", "toString"].map(
    (name): Row => ({
      row: "C8",
      what: `name ${name}`,
      run: (world) => world.create(name),
      expect: (_, world) => isThere(name, world),
    }),
  ),
  {
    row: "C9",
    what: "two cases of one name are two indexes",
    run: async (world) => {
      await world.create("Shop");
      await world.add([{ id: 9, title: "anvil" }], "Shop");
      return [await world.found("anvil", "Shop"), await world.found("anvil", "shop")];
    },
    expect: (result) => expect(result).toEqual([["9"], []]),
  },
  ...["CON", "nul.txt", "-", "_", "a.", "0"].map(
    (name): Row => ({
      row: "C10",
      what: `name ${name}`,
      run: (world) => world.create(name),
      expect: (_, world) => isThere(name, world),
    }),
  ),
  ...passedEach("C11", "a name of", [["128 characters", "n".repeat(128)]], create, (_, world) =>
    isThere("n".repeat(128), world),
  ),
  { row: "C11", what: "a name of 129 characters", run: (world) => world.create("n".repeat(129)), expect: BAD_NAME },
  ...refusedEach("C12", "name", shown("caf\u00e9", "cafe\u0301"), create, BAD_NAME),
  {
    row: "C13",
    what: "an existing name",
    run: (world) => world.create("shop"),
    expect: { code: 409, error: "index_exists", param: "indexName" },
  },
  {
    row: "C13",
    what: "an existing name, with other settings",
    run: (world) => world.create("shop", { bm25: { k1: 2 } }, { ifExists: "open" }),
    expect: { code: 409, error: "settings_differ", param: "settings" },
  },
  ...refusedEach(
    "C13",
    "ifExists",
    shown("opne", null, true, {}),
    (world, ifExists) => world.create("shop", undefined, { ifExists }),
    { code: 400, error: "invalid_option", param: "ifExists" },
  ),
  ...refusedEach("C13", "options", shown(null, 5, "open", []), (world, input) => world.create("x", {}, input), {
    code: 400,
    error: "invalid_options",
  }),
  {
    row: "C14",
    what: "one name twice at the same time",
    run: createTwice,
    expect: (result) => expect(result).toEqual(["OK", "index_exists"]),
  },
];

/** Group C. */
export const CREATE_INDEX: readonly Row[] = [
  ...NAMES,
  ...SETTINGS,
  ...REFUSED_CHANGES,
  ...MERGES,
  ...VERBS,
  ...NO_SCHEMA,
];
