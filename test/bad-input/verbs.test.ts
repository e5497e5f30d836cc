// What every verb refuses alike: an index that is not there, wrong options, a signal that has been aborted, an engine that
// is closed.

import { expect } from "vitest";
import { cells } from "./refused-values.js";
import { bad, gives, refuses, shown, testRows } from "./row.js";
import { rec, World } from "./world.js";

/** Good arguments of each verb, behind the name of the index. */
const ARGUMENTS = {
  query: [{ query: "drill" }],
  similar: [1, {}],
  searchForFacetValues: [{ facetName: "tags" }],
  suggest: [{ query: "drill" }],
  understandQuery: ["drill under 50"],
  getAttributes: [],
  addRecords: [[rec()]],
  updateRecords: [[rec()]],
  replaceAllRecords: [[rec()]],
  deleteBy: [{ filters: "brand:Forge" }],
  updateSettings: [{ queryType: "prefixAll" }],
  previewSettings: [{ queryType: "prefixAll" }, { queries: ["drill"] }],
  whyNot: [{ query: "drill" }, 1],
  deleteRecords: [[1]],
  getRecords: [[1]],
  getSettings: [],
  clearIndex: [],
  deleteIndex: [],
  digest: [],
  copyIndex: ["new"],
  moveIndex: ["new"],
} as const;

type Verb = keyof typeof ARGUMENTS;
const VERBS = Object.keys(ARGUMENTS) as Verb[];
const WITH_OPTIONS: readonly Verb[] = VERBS.slice(0, 9);
const NO_INDEX = '"shpo" | "constructor" | "__proto__" | "" | null | undefined | 5 | {} | Symbol()';
const WRONG_SIGNALS: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(cells('null | 5 | "abort" | {} | {"aborted":false}').map((signal, i) => [`${i}`, signal])),
  "a controller": new AbortController(),
};

const WRONG_OPTIONS = [null, 5, "x", []];

testRows("every verb", [
  ...VERBS.flatMap((verb) => [
    refuses(
      `${verb} in`,
      bad("index_not_found", "indexName", 404),
      (world, name) => world.call(verb, name, ...ARGUMENTS[verb]),
      NO_INDEX,
    ),
    refuses(`${verb} without arguments`, bad("index_not_found", "indexName", 404), (world) => world.call(verb)),
  ]),
  ...WITH_OPTIONS.flatMap((verb) => {
    const call = (world: World, options: unknown): unknown => world.call(verb, "shop", ...ARGUMENTS[verb], options);
    return [
      refuses(`${verb} with the options`, bad("invalid_options", "options"), call, 'null | 5 | "x" | []'),
      refuses(
        `${verb} with the signal`,
        bad("invalid_signal", "signal"),
        (world, signal) => call(world, { signal }),
        WRONG_SIGNALS,
      ),
      refuses(`${verb} aborted before`, bad("aborted", "signal", 499), (world) =>
        call(world, { signal: AbortSignal.abort() }),
      ),
    ];
  }),
  ...[...VERBS, "createIndex", "listIndexes"].map((verb) =>
    refuses(`${verb} after close, which may be called twice`, bad("closed", undefined, 503), async () => {
      const { engine } = await World.bare();
      await engine.close();
      await engine.close();
      const given = verb === "createIndex" ? ["new"] : ["shop", ...(ARGUMENTS[verb as Verb] ?? [])];
      return Reflect.apply(engine[verb as Verb], engine, given);
    }),
  ),
]);

const ask = { indexName: "shop", query: "drill", hitsPerPage: 0 };
const ERROR = { msg: expect.stringMatching(/^[\x20-\x7e…]{1,400}$/), data: null };

testRows("several queries", [
  refuses("the queries", bad("invalid_parameter", "queries"), (world, queries) => world.call("multiQuery", queries), {
    ...shown(undefined, null, 5, "drill", {}, ask, new Set([ask]), () => []),
    "51 of them": Array(51).fill(ask),
    "a list of length 2^32 - 1": Object.assign([], { length: 2 ** 32 - 1 }),
  }),
  ...WRONG_OPTIONS.map((options) =>
    refuses("several queries with the options", bad("invalid_options", "options"), (world) =>
      world.call("multiQuery", [ask], options),
    ),
  ),
  refuses(
    "several queries with the signal",
    bad("invalid_signal", "signal"),
    (world, signal) => world.call("multiQuery", [ask], { signal }),
    WRONG_SIGNALS,
  ),
  refuses("several queries aborted before", bad("aborted", "signal", 499), (world) =>
    world.call("multiQuery", [], { signal: AbortSignal.abort() }),
  ),
  refuses("several queries after close", bad("closed", undefined, 503), async () => {
    const { engine } = await World.bare();
    await engine.close();
    return engine.multiQuery([]);
  }),
  gives("no queries", [], (world) => world.call("multiQuery", [])),
  gives(
    "a query, beside a good one, that is",
    [expect.objectContaining(ERROR), expect.objectContaining({ code: 200 })],
    (world, query) => world.call("multiQuery", [query, ask]),
    {
      ...shown(undefined, null, 5, "drill", [], () => ask, Symbol(), 1n, {}, { query: "drill" }, { indexName: "shop" }),
      "a hole": Array(1)[0],
      "of too many keys": Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`k${i}`, i])),
      "of both forms": { ...ask, params: "query=drill" },
      "of a name that built-in objects have": { ...ask, indexName: "__proto__" },
    },
  ),
]);

const preview = (world: World, options: unknown): unknown => world.call("previewSettings", "shop", {}, options);

testRows("a preview of settings", [
  refuses(
    "the settings",
    bad("invalid_settings", "settings"),
    (world, settings) => world.call("previewSettings", "shop", settings, { queries: ["drill"] }),
    'null | 5 | "x" | []',
  ),
  refuses("a setting", bad("invalid_setting", "matching"), (world) =>
    world.call("previewSettings", "shop", { matching: "most" }, { queries: ["drill"] }),
  ),
  refuses("the options", bad("invalid_options", "options"), preview, 'undefined | null | 5 | "x" | []'),
  refuses("the queries", bad("invalid_parameter", "queries"), (world, queries) => preview(world, { queries }), {
    ...shown(undefined, null, 5, "drill", {}, { query: "drill" }, new Set(["drill"]), () => []),
    "10,001 of them": Array(10_001).fill("drill"),
    "a list of length 2^32 - 1": Object.assign([], { length: 2 ** 32 - 1 }),
  }),
  refuses(
    "a query",
    bad("invalid_parameter", "queries[1]"),
    (world, query) => preview(world, { queries: ["drill", query] }),
    {
      ...shown(undefined, null, 5, [], () => "drill", Symbol(), 1n),
    },
  ),
  refuses("a query without a text", bad("missing_query", "query"), (world) => preview(world, { queries: [{}] })),
  refuses("a query of both forms", bad("params_not_alone", "params"), (world) =>
    preview(world, { queries: [{ query: "drill", params: "query=drill" }] }),
  ),
  refuses(
    "a weight",
    bad("invalid_parameter", "queries[0].weight"),
    (world, weight) => preview(world, { queries: [{ query: "drill", weight }] }),
    '0 | -1 | null | "2" | NaN | Infinity | 1e16 | [] | {} | 1n | true',
  ),
  refuses(
    "judgements",
    bad("invalid_judgements"),
    (world, judgements) => preview(world, { queries: [], judgements }),
    'null | 5 | "x" | [] | {} | {"queries":[],"qrels":[]} | {"queries":[{"id":1,"query":"drill"}],"qrels":[]}',
  ),
  refuses(
    "the signal",
    bad("invalid_signal", "signal"),
    (world, signal) => preview(world, { queries: ["drill"], signal }),
    WRONG_SIGNALS,
  ),
  refuses("a preview aborted before", bad("aborted", "signal", 499), (world) =>
    preview(world, { queries: [], signal: AbortSignal.abort() }),
  ),
]);
