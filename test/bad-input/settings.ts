// Rows C16 to C34: settings. Rows that speak of a schema are read as speaking of the settings, those of a boost as speaking
// of a weight.

import { expect } from "vitest";
import { LONG_SETTINGS } from "./long-lists.js";
import { passedEach, type Refusal, type Row, refusedEach, shown } from "./row.js";
import { SEAMS } from "./seams.js";
import { NUMBERS } from "./setting-numbers.js";
import { ORDER } from "./setting-order.js";
import { WORDS as LANGUAGE } from "./setting-words.js";
import type { World } from "./world.js";

const refusal = (param: string, error = "invalid_setting"): Refusal => ({ code: 400, error, param });
const INVALID_SETTINGS: Refusal = { code: 400, error: "invalid_settings", param: "settings" };

const create = (world: World, settings: unknown): unknown => world.create("new", settings);
const setting =
  (name: string) =>
  (world: World, value: unknown): unknown =>
    world.create("new", { [name]: value });
const NAN = Number.NaN;
const INF = Number.POSITIVE_INFINITY;
const WORDS = ["__proto__", "constructor", "hasOwnProperty"];

const ATTRIBUTES: readonly Row[] = [
  ...refusedEach(
    "C16",
    "settings",
    shown(null, [], ["title"], "title", 5, true, () => ({})),
    create,
    INVALID_SETTINGS,
  ),
  {
    row: "C18",
    what: "attributes by the names of prototypes",
    run: async (world) => {
      await world.create("new", { searchableAttributes: WORDS });
      await world.add(
        [JSON.parse('{"id":1,"__proto__":"kettle","constructor":"drill","hasOwnProperty":"saw"}')],
        "new",
      );
      return [...(await world.found("kettle drill saw", "new")), ...(await world.found("function", "new"))];
    },
    expect: (result) => expect(result).toEqual(["1"]),
  },
  ...refusedEach(
    "C19",
    "attribute name",
    shown("", "n".repeat(257), "a\nb", "a\0", null, 5),
    (world, name) => world.create("new", { searchableAttributes: ["title", name] }),
    refusal("searchableAttributes[1]"),
  ),
  ...refusedEach(
    "C19",
    "idAttribute",
    shown("", "n".repeat(257), "a\n", null, 5, []),
    setting("idAttribute"),
    refusal("idAttribute"),
  ),
  ...["identifierAttributes", "embeddedAttributes"].flatMap((name) =>
    refusedEach("C19", name, shown([""], ["a\n"], [5], [null], "title", null, {}), setting(name), refusal(name)),
  ),
  ...["searchableAttributes", "identifierAttributes", "embeddedAttributes"].map(
    (name): Row => ({
      row: "C21",
      what: `1,001 ${name}`,
      run: (world) => world.create("new", { [name]: Array.from({ length: 1001 }, (_, i) => `a${i}`) }),
      expect: refusal(name),
    }),
  ),
  ...refusedEach(
    "C25",
    "searchableAttributes",
    shown([], "title", {}, null),
    setting("searchableAttributes"),
    refusal("searchableAttributes"),
  ),
  ...refusedEach(
    "C25",
    "weight",
    shown(NAN, INF, -1, 0, "2", null, 1001),
    (world, weight) => world.create("new", { searchableAttributes: [{ attribute: "title", weight }] }),
    refusal("searchableAttributes[0].weight"),
  ),
  ...refusedEach(
    "C25",
    "a repeated attribute:",
    shown(["title", "title"], ["title", { attribute: "title" }]),
    setting("searchableAttributes"),
    refusal("searchableAttributes[1]"),
  ),
];

const OBJECTS: readonly Row[] = [
  {
    row: "C28",
    what: "an unknown setting is warned of",
    run: async (world) => {
      await world.create("new", { serchableAttributes: ["title"] });
      return world.warnings;
    },
    expect: (result) =>
      expect(result).toEqual([
        expect.objectContaining({ code: "unknown_setting", message: expect.stringContaining("searchableAttributes") }),
      ]),
  },
  {
    row: "C28",
    what: "an unknown setting under strict",
    options: { strict: true },
    run: (world) => world.create("new", { serchableAttributes: ["title"] }),
    expect: { ...refusal("serchableAttributes", "unknown_setting"), msg: /searchableAttributes/ },
  },
  ...refusedEach(
    "C28",
    "an unknown name within",
    shown({ vectorIndex: { M: 4 } }, { bm25: { K1: 1 } }, { fusion: { weight: 1 } }),
    create,
    {
      code: 400,
      error: "unknown_setting",
    },
  ),
  {
    row: "C28",
    what: "all complaints come together",
    run: (world) => world.create("new", { idAttribute: "", bm25: { k1: -1, b: 2 }, matching: "al" }),
    expect: { ...refusal("idAttribute"), msg: /idAttribute.*matching.*k1.*settings\.bm25\.b/ },
  },
  {
    row: "C29",
    what: "a getter that throws",
    run: (world) =>
      world.create("new", {
        get idAttribute(): string {
          throw new Error("from the getter");
        },
      }),
    expect: { ...INVALID_SETTINGS, cause: /from the getter/ },
  },
  {
    row: "C29",
    what: "a revoked Proxy within",
    run: (world) => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return world.create("new", { bm25: proxy });
    },
    expect: { code: 400, error: "invalid_setting", cause: /revoked/ },
  },
  ...passedEach(
    "C30",
    "settings that are",
    [
      ["frozen", Object.freeze({ idAttribute: "key" })],
      ["without a prototype", Object.assign(Object.create(null), { idAttribute: "key" })],
      ["a Proxy", new Proxy({ idAttribute: "key" }, {})],
    ],
    create,
    async (_, world) => expect(await world.add([{ key: 1 }], "new")).toEqual({ added: 1, replaced: 0 }),
  ),
  {
    row: "C31",
    what: "settings changed afterwards",
    run: async (world) => {
      const settings = { searchableAttributes: ["title"], identifierAttributes: ["code"], bm25: { k1: 1.2 } };
      await world.create("new", settings);
      settings.searchableAttributes[0] = "note";
      settings.identifierAttributes.push("note");
      settings.bm25.k1 = 900;
      const { effective } = await world.engine.getSettings("new");
      return [effective.searchableAttributes, effective.identifierAttributes, effective.bm25.k1];
    },
    expect: (result) => expect(result).toEqual([["title"], ["code"], 1.2]),
  },
  {
    row: "C31",
    what: "settings in force cannot be changed through getSettings",
    run: async (world) => Object.isFrozen((await world.engine.getSettings("shop")).effective.bm25),
    expect: (result) => expect(result).toBe(true),
  },
];

/** Rows C16 to C34. */
export const SETTINGS: readonly Row[] = [
  ...ATTRIBUTES,
  ...NUMBERS,
  ...ORDER,
  ...LANGUAGE,
  ...OBJECTS,
  ...SEAMS,
  ...LONG_SETTINGS,
];
