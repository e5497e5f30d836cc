// What every verb refuses: each argument of wrong-arguments.ts in its place, an index that is not there, an engine that is closed.

import { expect } from "vitest";
import { bad, gives, refuses, shown, testRows } from "./row.js";
import { anything, World } from "./world.js";
import {
  type Argument,
  CREATE_OPTIONS,
  NEW_NAME,
  NO_INDEX,
  VERBS,
  WRONG_SIGNALS,
  wrongCalls,
} from "./wrong-arguments.js";

type Verb = Parameters<World["call"]>[0];

const CLOSED = bad("closed", undefined, 503);
const goodOf = (verb: string): unknown[] => (VERBS[verb] ?? []).map(({ good }) => good);

async function closed(verb: string, given: readonly unknown[]): Promise<unknown> {
  const { engine } = await World.bare();
  await engine.close();
  await engine.close();
  return Reflect.apply(engine[anything<Verb>(verb)], engine, given);
}

/** A row for each wrong value of an argument. */
const wrongOf = (what: string, { wrong }: Argument, run: (world: World, value: unknown) => unknown) =>
  wrong.map(({ refusal, values }) => refuses(what, refusal, run, values));

testRows(
  "every verb",
  Object.keys(VERBS).map((verb) => [
    wrongCalls(verb).map(({ what, args, refusal }) => ({
      what,
      run: (world: World) => world.call(anything<Verb>(verb), "shop", ...args),
      expect: refusal,
    })),
    wrongOf(`${verb} in`, { good: "", wrong: [NO_INDEX] }, (world, name) =>
      world.call(anything<Verb>(verb), name, ...goodOf(verb)),
    ),
    refuses(`${verb} without arguments`, NO_INDEX.refusal, (world) => world.call(anything<Verb>(verb))),
    refuses(`${verb} after close, which may be called twice`, CLOSED, () => closed(verb, ["shop", ...goodOf(verb)])),
  ]),
);

testRows("createIndex and listIndexes", [
  wrongOf("the name", NEW_NAME, (world, name) => world.create(name)),
  wrongOf("the options", CREATE_OPTIONS, (world, options) => world.create("new", {}, options)),
  refuses("no argument", bad("invalid_index_name", "indexName"), ({ engine }) =>
    Reflect.apply(engine.createIndex, engine, []),
  ),
  refuses("an existing name", bad("index_exists", "indexName", 409), (world) => world.create("shop")),
  refuses("an existing name, with other settings", bad("settings_differ", "settings", 409), (world) =>
    world.create("shop", { bm25: { k1: 2 } }, { ifExists: "open" }),
  ),
  refuses("createIndex after close", CLOSED, () => closed("createIndex", ["new"])),
  refuses("listIndexes after close", CLOSED, () => closed("listIndexes", [])),
]);

const ask = { indexName: "shop", query: "drill", hitsPerPage: 0 };
const ERROR = { msg: expect.stringMatching(/^[\x20-\x7e…]{1,400}$/), data: null };

testRows("multiQuery", [
  refuses("the queries", bad("invalid_parameter", "queries"), (world, queries) => world.call("multiQuery", queries), {
    ...shown(undefined, null, 5, "drill", {}, ask, new Set([ask]), () => []),
    "51 of them": Array(51).fill(ask),
    "a list of length 2^32 - 1": Object.assign([], { length: 2 ** 32 - 1 }),
  }),
  wrongOf("the options", { good: {}, wrong: WRONG_SIGNALS }, (world, options) =>
    world.call("multiQuery", [ask], options),
  ),
  refuses(
    "the options",
    bad("invalid_options", "options"),
    (world, options) => world.call("multiQuery", [ask], options),
    [null, 5, "x", []],
  ),
  refuses("no queries after close", CLOSED, () => closed("multiQuery", [[]])),
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

const REFRESH: Argument = {
  good: {},
  wrong: [
    ...WRONG_SIGNALS,
    { refusal: bad("invalid_options", "options"), values: shown(null, 5, "x", []) },
    { refusal: bad("invalid_options", "atLeast"), values: shown({ atLeast: "yesterday", timeoutMs: -3 }) },
    { refusal: bad("invalid_options", "timeoutMs"), values: shown({ timeoutMs: -3 }, { timeoutMs: 2 ** 31 }) },
  ],
};

testRows("refresh of an engine that follows nothing", [
  wrongOf("the options", REFRESH, (world, options) => world.call("refresh", options)),
  gives("no options", undefined, (world) => world.call("refresh")),
]);

const long = (): unknown => Object.assign([], { length: 2 ** 32 - 1 });
const PARAMS = ["facets", "sort", "attributesToRetrieve", "attributesToHighlight", "attributesToSnippet"];
const SETTINGS = ["searchableAttributes", "identifierAttributes", "attributesForFaceting", "customRanking", "synonyms"];

testRows("a list that says that it is 2^32 - 1 long", [
  refuses(
    "as a parameter",
    bad("invalid_parameter"),
    (world, name) => world.ask({ query: "", [String(name)]: long() }),
    [...PARAMS, "restrictSearchableAttributes", "optionalWords"],
  ),
  refuses("as a setting", bad("invalid_setting"), (world, name) => world.create("new", { [String(name)]: long() }), [
    ...[...SETTINGS, "embeddedAttributes", "stopWords", "optionalWords"],
    ...["disableTypoToleranceOnWords", "disableTypoToleranceOnAttributes"],
  ]),
  refuses("as synonyms of one another", bad("invalid_setting"), (world) =>
    world.create("new", { synonyms: [{ type: "synonym", synonyms: long() }] }),
  ),
  refuses("as facetFilters", bad("filter_too_complex", "facetFilters"), (world) =>
    world.ask({ query: "", facetFilters: long() }),
  ),
  refuses("as a vector", bad("invalid_vector", "vector"), (world) => world.ask({ query: "", vector: long() }, "near")),
]);
