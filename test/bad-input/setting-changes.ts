// Rows C13, C16, C25, C28 to C31 for updateSettings, and what becomes of the settings an index was given.

import { type Refusal, type Row, refusedEach, shown } from "./row.js";
import type { World } from "./world.js";

const INVALID: Refusal = { code: 400, error: "invalid_settings", param: "settings" };
const refusal = (param: string, error = "invalid_setting"): Refusal => ({ code: 400, error, param });
const change = (world: World, settings: unknown, index: unknown = "shop"): Promise<unknown> =>
  world.call("updateSettings", index, settings);

function throwing(): never {
  throw new Error("from the getter");
}

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** Rows of group C for updateSettings that is refused. */
export const REFUSED_CHANGES: readonly Row[] = [
  ...refusedEach(
    "C16",
    "updateSettings with",
    [
      ...shown(null, [], "title", 5, true, () => ({}), Symbol()),
      ["a revoked Proxy", revoked()],
      ["a getter that throws", Object.defineProperty({}, "queryType", { get: throwing, enumerable: true })],
    ],
    change,
    INVALID,
  ),
  ...refusedEach(
    "C13",
    "updateSettings of",
    shown("shpo", "constructor", "__proto__", "", null, 5, {}, Symbol()),
    (world, name) => change(world, {}, name),
    { code: 404, error: "index_not_found", param: "indexName" },
  ),
  ...(
    [
      ["queryType", "prefix"],
      ["typoTolerance", "yes"],
      ["customRanking", ["desc("]],
      ["stopWords", true],
      ["searchableAttributes", []],
      ["idAttribute", ""],
      ["attributeForDistinct", 5],
      ["matchingRatio", 2],
      ["distinct", true],
    ] as const
  ).map(
    ([name, value]): Row => ({
      row: "C25",
      what: `updateSettings: ${name} ${JSON.stringify(value)}`,
      run: (world) => change(world, { optionalWords: ["x"], [name]: value }),
      expect: refusal(name),
    }),
  ),
  {
    row: "C25",
    what: "updateSettings: all complaints come together",
    run: (world) => change(world, { idAttribute: "", queryType: "x", distinct: 5, bm25: { k1: -1 } }),
    expect: { ...refusal("idAttribute"), msg: /idAttribute.*k1.*distinct.*queryType/ },
  },
  {
    row: "C25",
    what: "an idAttribute that the records do not have",
    run: (world) => change(world, { idAttribute: "sku" }),
    expect: refusal("settings", "settings_do_not_fit"),
  },
  {
    row: "C25",
    what: "a vectorAttribute that holds texts",
    run: (world) => change(world, { vectorAttribute: "title", dimensions: 8 }),
    expect: refusal("settings", "settings_do_not_fit"),
  },
  {
    row: "C25",
    what: "another length of the vectors",
    run: (world) => change(world, { vectorAttribute: "vector", dimensions: 4 }, "near"),
    expect: refusal("settings", "settings_do_not_fit"),
  },
  {
    row: "C25",
    what: "an embedder that fails",
    run: (world) => change(world, { embedder: { id: "bad", dimensions: 8, embed: async () => throwing() } }),
    expect: { code: 502, error: "embedder_failed", param: "embedder" },
  },
  {
    row: "C28",
    what: "updateSettings: an unknown setting under strict",
    options: { strict: true },
    run: (world) => change(world, { synonims: [] }),
    expect: { ...refusal("synonims", "unknown_setting"), msg: /synonyms/ },
  },
  ...refusedEach(
    "C13",
    "updateSettings with the options",
    shown(null, 5, "x", []),
    (world, options) => world.call("updateSettings", "shop", {}, options),
    refusal("options", "invalid_options"),
  ),
  {
    row: "C13",
    what: "updateSettings aborted before",
    run: (world) => world.call("updateSettings", "shop", { queryType: "prefixAll" }, { signal: AbortSignal.abort() }),
    expect: { code: 499, error: "aborted", param: "signal" },
  },
  {
    row: "C13",
    what: "updateSettings aborted while it embeds",
    prepare: (world) => (world.embedder.answer = () => new Promise(() => {})),
    run: (world) =>
      world.call("updateSettings", "shop", { embedder: world.embedder }, { signal: AbortSignal.timeout(30) }),
    expect: { code: 499, error: "aborted", param: "signal" },
  },
];
