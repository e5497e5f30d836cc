// Calls with bad arguments, made at random, and the refusals each may meet. Which values are refused, and how, the tables of
// test/bad-input say; here it is tried whether a refusal leaves an engine as it was at any moment of its life.

import type { JsonRecord } from "../../src/index.js";
import {
  cells,
  FAULTY_FILTERS,
  FILTER_OBJECTS,
  PARAMETER_TEXTS,
  PARAMETER_VALUES,
  refusedValues,
  SETTING_VALUES,
  within,
} from "../bad-input/refused-values.js";
import {
  CREATE_OPTIONS,
  NEW_NAME,
  NO_INDEX,
  nested,
  VERBS,
  WRONG_RECORDS,
  wrongCalls,
} from "../bad-input/wrong-arguments.js";
import type { ModelIndex } from "../lives/model.js";
import { preview } from "../lives/preview.js";
import { goodParams, otherSettings, randomIds, usable } from "../lives/shop.js";
import type { Random } from "../support/random.js";
import { USABLE_KINDS } from "../support/vectors.js";
import { type Call, NAMES, type World } from "./world.js";

const RECORD_VERBS = ["addRecords", "updateRecords", "replaceAllRecords"];
/** Verbs that a handle has not. */
const WHOLE_INDEX = ["deleteIndex", "copyIndex", "moveIndex"];
/** Names that plain objects have without holding them. */
const INHERITED: readonly string[] = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];

const valuesOf = (wrong: readonly { readonly values: object }[]): unknown[] =>
  wrong.flatMap(({ values }): unknown[] => Object.values(values));
/** Names that no index can get. */
const BAD_NAMES = valuesOf(NEW_NAME.wrong);
const STRANGERS = valuesOf([NO_INDEX]);
const BAD_CREATE_OPTIONS = valuesOf(CREATE_OPTIONS.wrong);
const BAD_RECORDS = valuesOf(WRONG_RECORDS);
const WRONG_CALLS = Object.keys(VERBS).map((verb) => [verb, wrongCalls(verb)] as const);

class Instance {
  readonly query = "drill";
}

const POLLUTING = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';

/** Anything at all, undefined too. */
const ANYTHING: readonly unknown[] = [
  ...[undefined, null, true, false, 0, -0, -1, 1.5, Number.NaN, 1e308, Number.MAX_SAFE_INTEGER, 7n, Symbol("s")],
  ...["", "1", "true", "\ud800", "null", "drill".repeat(2000), [], [1], ["a"], ["*"], [["brand:Forge"]], [{}], {}],
  ...[{ brand: "Forge" }, new Map([["a", 1]]), new Date(0), new Instance(), new Float32Array(3), Object.create(null)],
  ...[new String("a"), new Number(1), Promise.resolve("a"), JSON.parse(POLLUTING), () => "a"],
];

const anything = (random: Random): unknown => random.pick(ANYTHING);

/** The same data in another dress: frozen, or without a prototype. */
export function disguised<T extends object>(random: Random, data: T): T {
  return random.pick<() => T>([
    () => data,
    () => data,
    () => Object.freeze({ ...data }),
    () => Object.assign(Object.create(null) as T, data),
  ])();
}

const STRANGE_NAMES = [
  ...[...INHERITED, " ", "a.b.c", ".", "\u0000", "\ud800", "💡", "0", "-1", "AND", "*", "-x", "$set"],
];
const STRANGE_VALUES: readonly JsonRecord[string][] = [
  ...["\ud83d", "\u202edrill\u0000", "__proto__", "𝕳𝖊𝖑𝖑𝖔 ﬁ ﷺ ß İ", Number.MAX_VALUE, -5e-324, [[], [[]], {}]],
  ...[...[127, 128, 129, 3000].map((length) => "a".repeat(length)), JSON.parse(POLLUTING), nested(20) as JsonRecord],
];

/** Attributes that look wrong and are not: inherited names of its own, halves of pairs, numbers at the edge. */
export function strangeAttributes(random: Random): JsonRecord {
  const json = JSON.stringify(random.list(1, 3, () => [random.pick(STRANGE_NAMES), random.pick(STRANGE_VALUES)]));
  return Object.fromEntries(JSON.parse(json) as [string, JsonRecord[string]][]);
}

/** What is no vector of so many components; not null, which is none. */
function badVector(random: Random, dimensions: number): unknown {
  const ones = new Array<unknown>(dimensions).fill(1);
  const withOne = (value: unknown): unknown[] => [...ones.slice(1), value];
  return random.pick<() => unknown>([
    () => ones.slice(1),
    () => [...ones, 1],
    () => [],
    () => withOne(random.pick([Number.NaN, Number.POSITIVE_INFINITY, "1", null, 7n, {}, [1], true, 1e300])),
    () => new Array<number>(dimensions).fill(0),
    () => new Array<number>(dimensions).fill(1e-13),
    () => new Array<number>(dimensions).fill(1e13),
    () => new Float32Array(dimensions),
    () => new Float32Array(dimensions + 1).fill(1),
    () => new Float64Array(dimensions).fill(Number.NaN),
    () => new Int8Array(dimensions).fill(1),
    () => "1,1",
    () => 5,
    () => ({ length: dimensions, 0: 1 }),
    () => false,
  ])();
}

// Queries.

/** What a query of an index may say. */
export interface QueryRules {
  /** Components of the index's vectors; 0: it has none. */
  readonly dimensions: number;
  /** Only declared attributes can be used; none of them is called "nowhere". */
  readonly declared: boolean;
}

type Pair = readonly [name: string, value: unknown];

/** What is refused of some indexes only: one that never had a record knows every name. */
const MAY_BE_RIGHT: readonly string[] = ["unknown_field", "unknown_filter_field", "vectors_disabled"];

/** Refused whatever the index: what it holds does not matter. */
const wrongIn = (table: string): Pair[] =>
  refusedValues(table)
    .filter(({ param, error }) => !MAY_BE_RIGHT.includes(error) && param !== "distinct")
    .flatMap(({ param, values }) => cells(values).map((value) => [param, value] as const));

const WRONG_PARAMETERS = wrongIn(PARAMETER_VALUES);
const WRONG_TEXTS = wrongIn(PARAMETER_TEXTS);
const WRONG_SETTINGS = wrongIn(SETTING_VALUES);
const WRONG_FILTERS: readonly unknown[] = [
  ...FAULTY_FILTERS.split(/\s+\|\s+/).map((text) => text.trim().replace(/[›‹]/g, "")),
  ...cells(FILTER_OBJECTS),
  Array.from({ length: 513 }, () => "price=1").join(" OR "),
  `brand:${"ü".repeat(5000)}`,
];

/** A filter that must be refused. */
function badFilter(random: Random, { declared }: QueryRules): unknown {
  if (declared && random.chance(0.2))
    return random.pick<unknown>(["nowhere:1", { nowhere: 1 }, { constructor: 1 }, "toString:x"]);
  return random.pick(WRONG_FILTERS);
}

/** One parameter that must be refused, whatever the others. */
function badPair(random: Random, rules: QueryRules): Pair {
  return random.pick<() => Pair>([
    () => random.pick(WRONG_PARAMETERS),
    () => random.pick(WRONG_PARAMETERS),
    () => ["vector", badVector(random, rules.dimensions === 0 ? 3 : rules.dimensions)],
    () => ["filters", badFilter(random, rules)],
    () => ["facetFilters", badClicks(random, rules)],
    () => [random.pick(["filter", "Filters", "filtres", "facetFilter", "facet_filters"]), "brand:Forge"],
    ...(rules.declared ? [(): Pair => ["facets", random.pick([["nowhere"], ["brand", "__proto__"]])]] : []),
  ])();
}

function badClicks(random: Random, { declared }: QueryRules): unknown {
  return random.pick<() => unknown>([
    () => random.pick([null, 5, "brand:Forge", Symbol("c"), new Map([["brand", 1]])]),
    () => [random.pick<unknown>([5, null, "brand", ":a", ["brand:a", "price:1"], [["brand:a"]], {}])],
    () => ({ [random.pick(["AND", "OR", "NOT", "$and"])]: ["a"] }),
    () => ({ brand: random.pick([{}, [{}], Number.NaN, { lt: "a" }, [[]]]) }),
    () => Array.from({ length: 513 }, () => "brand:a"),
    ...(declared ? [() => ["nowhere:1"], () => ({ nowhere: 1 })] : []),
  ])();
}

/** One encoded string that must be refused. */
function badText(random: Random): string {
  const [name, value] = random.pick(WRONG_TEXTS);
  return random.pick(["", "page=2", `query=a${"&x=1".repeat(64)}`, ...new Array(9).fill(`query=a&${name}=${value}`)]);
}

/** A request that must be refused, in either form. */
function badRequest(random: Random, good: object, rules: QueryRules): unknown {
  return random.pick<() => unknown>([
    () => ({ params: badText(random) }),
    () => ({ params: badText(random) }),
    () => ({ params: random.pick([null, 5, true, {}, ["query=a"]]) }),
    () => ({ ...good, params: "query=a" }),
    () => ({ ...good, query: undefined }),
    () => Object.create(good) as object,
    ...Array.from({ length: 8 }, () => () => {
      const bad = random.list(1, random.pick([1, 1, 3]), () => badPair(random, rules));
      return Object.fromEntries([...Object.entries(good), ...bad]);
    }),
  ])();
}

const FRAGMENTS =
  'brand price Forge 9 1e3 -0 NaN AND OR NOT ( ) : = != < >= " \\ \\u0000 TO EXISTS BETWEEN , [ ] { } * ü 💡 \ud800'.split(
    " ",
  );

/** A request that may be good or bad: strange values for known names, noise as a text. */
function wildRequest(random: Random, names: readonly string[]): unknown {
  const noise = (): string => random.list(0, 12, () => random.pick(FRAGMENTS)).join(random.pick(["", " "]));
  const value = (): unknown => (random.chance(0.4) ? noise() : anything(random));
  if (random.chance(0.3)) {
    const text = random.list(0, 5, () => `${random.pick(names)}=${noise()}`).join("&");
    return { params: random.chance(0.5) ? `query=${noise()}&${text}` : text };
  }
  const all = [...names, ...INHERITED, "a", "nested"];
  const pairs = random.list(1, 4, () => [random.pick(all), value()] as const);
  return Object.fromEntries([["query", noise()], ["nested", { a: { a: { a: 1 } } }], ...pairs]);
}

// Settings.

/** Settings that must be refused, whatever else the index has. */
function badSettings(random: Random, strict: boolean): unknown {
  const bad = random.list(1, random.pick([1, 1, 3]), () => badSetting(random, strict));
  return Object.fromEntries([["matching", "all"], ...bad]);
}

function badSetting(random: Random, strict: boolean): Pair {
  return random.pick<() => Pair>([
    ...new Array(6).fill(() => {
      const [path, value] = random.pick(WRONG_SETTINGS);
      return Object.entries(within(path, value))[0]!;
    }),
    () => ["synonyms", random.pick([[5], [{ type: "oneWaySynonym", synonyms: ["a"] }]])],
    () => ["embedder", random.pick([null, true, "static-fr", {}, { id: "x", dimensions: 0, embed: async () => [] }])],
    () => ["analyzer", random.pick([null, 5, "german", {}, { id: "", analyze: String }, { id: "x" }, []])],
    // A kind of graph is refused, too, where its package is missing.
    ...(USABLE_KINDS.includes("hnswlib") ? [] : [(): Pair => ["vectorIndex", { kind: "hnswlib" }]]),
    ...(strict ? [(): Pair => [random.pick(["matchng", "constructor", "schema"]), 1]] : []),
  ])();
}

// Calls.

const PARAMETERS =
  "query page hitsPerPage offset length cursor filters facetFilters facets maxValuesPerFacet aroundLatLng aroundRadius insideBoundingBox sort distinct attributesToRetrieve attributesToHighlight attributesToSnippet highlightPreTag highlightPostTag snippetEllipsisText escapeHTML matchedPositions restrictSearchableAttributes typoTolerance queryType optionalWords advancedSyntax explain getParsedQuery getMatchInfo understand ruleContexts enableRules semanticWeight semanticFloor semanticDepth relevancyStrictness minScore matching vector".split(
    " ",
  );

/** A call that must be refused. */
export function badCall(world: World): Call {
  const { name, model } = world.randomIndex(1);
  const { random } = world;
  if (model === undefined || random.chance(0.2)) return random.pick([strangerCall, staleCall, namingCall])(world);
  const makers = [argumentCall, recordsCall, requestCall, filterCall, settingsCall, wildCall];
  const often = [argumentCall, argumentCall, recordsCall, requestCall, requestCall, settingsCall, wildCall];
  const call = random.pick([...makers, ...often])(world, name, model);
  // Who waits when the index goes is told that, and not what is wrong.
  return { ...call, plan: () => world.unlessGone(model, call.plan()) };
}

function refusedCall(world: World, what: string, run: () => unknown, kinds: readonly string[] = ["400", "413"]): Call {
  return { what: `bad ${what}`, run, plan: () => world.refused(kinds) };
}

/** Any verb with one wrong argument of its table. */
function argumentCall(world: World, name: string): Call {
  const [verb, calls] = world.random.pick(WRONG_CALLS.filter(([, { length }]) => length > 0));
  const { what, args, refusal } = world.random.pick(calls);
  // The record that others shall be similar to may not be there.
  const kinds = [`${refusal.code} ${refusal.error}`, ...(verb === "similar" ? ["404"] : [])];
  const run = (): unknown =>
    Reflect.apply(Reflect.get(world.engine, verb) as () => unknown, world.engine, [name, ...args]);
  return refusedCall(
    world,
    `${name} ${what}`,
    WHOLE_INDEX.includes(verb) ? run : world.invoke(name, verb, args),
    kinds,
  );
}

/** A list of records with bad ones among good ones. */
function recordsCall(world: World, name: string, { shop }: ModelIndex): Call {
  const { random } = world;
  const verb = random.pick(RECORD_VERBS);
  const records: unknown[] = randomIds(random, shop, random.pick([0, 3, 10])).map((id) => shop.shop.other(id));
  const badRecord = (): unknown =>
    shop.ownDimensions > 0 && random.chance(0.2)
      ? { id: "bad", vec: badVector(random, shop.ownDimensions) }
      : random.pick(BAD_RECORDS);
  for (let count = random.pick([1, 1, 1, 20]); count > 0; count--)
    records.splice(random.between(0, records.length), 0, badRecord());
  return refusedCall(world, `${verb} ${name} ${preview(records)}`, world.invoke(name, verb, [records]));
}

/** A verb that takes filters, with wrong ones. */
function filterCall(world: World, name: string, { shop }: ModelIndex): Call {
  const { random } = world;
  const filters = badFilter(random, shop);
  const [verb, ...args] = random.pick<readonly [string, ...unknown[]]>([
    ["deleteBy", { filters }],
    ["whyNot", { query: "drill", filters }, 1],
    ["similar", 1, { filters }],
    ["searchForFacetValues", { facetName: "brand", filters }],
  ]);
  const kinds = ["400", ...(verb === "similar" ? ["404"] : [])];
  return refusedCall(world, `${verb} ${name} ${preview(args)}`, world.invoke(name, verb, args), kinds);
}

function requestCall(world: World, name: string, model: ModelIndex): Call {
  const { random } = world;
  const { shop } = model;
  const params = badRequest(random, goodParams(random, shop, usable(shop, model.last.naive.records)), shop);
  return refusedCall(world, `query ${name} ${preview(params)}`, world.invoke(name, "query", [params]), ["400"]);
}

function settingsCall(world: World, name: string, model: ModelIndex): Call {
  const { random } = world;
  const { ids } = model.last;
  const fits = world.together || ids.size === 0;
  const settings = fits || random.chance(0.8) ? badSettings(random, world.strict) : misfit(random);
  return refusedCall(
    world,
    `updateSettings ${name} ${preview(settings)}`,
    world.invoke(name, "updateSettings", [settings]),
    ["400"],
  );
}

/** Settings that are good, but not for records without such an id. */
function misfit(random: Random): object {
  return { ...otherSettings(random), idAttribute: random.pick(["nowhere", "__proto__", "constructor"]) };
}

/** Reads with anything, which must change nothing. */
function wildCall(world: World, name: string): Call {
  const { random } = world;
  const request = random.chance(0.9) ? wildRequest(random, PARAMETERS) : anything(random);
  const [verb, args] = random.pick<readonly [string, readonly unknown[]]>([
    ["query", [request]],
    ["query", [request, random.chance(0.3) ? anything(random) : undefined]],
    ["searchForFacetValues", [{ ...(request as object), facetName: "brand" }]],
    ["suggest", [request]],
    ["whyNot", [request, 1]],
    ["getRecords", [anything(random)]],
    ["getSettings", [anything(random)]],
  ]);
  return {
    what: `wild ${verb} ${name} ${preview(args)}`,
    run: world.invoke(name, verb, args),
    plan: () => world.either(),
  };
}

/** Any verb of an index that is not there. */
function strangerCall(world: World): Call {
  const { random, engine } = world;
  const free = [...NAMES, ...STRANGERS].filter((name) => !world.indexes.has(name as string));
  const name = random.pick(free);
  const [verb, ...args] = randomArguments(world);
  const run = (): unknown => Reflect.apply(Reflect.get(engine, verb) as () => unknown, engine, [name, ...args]);
  return refusedCall(world, `${verb} of no index`, run, ["404 index_not_found"]);
}

/** Any verb of a handle whose index is gone. */
function staleCall(world: World): Call {
  const { random } = world;
  if (world.stale.length === 0) return strangerCall(world);
  const handle = random.pick(world.stale);
  const [verb, ...args] = randomArguments(world, WHOLE_INDEX);
  const run = (): unknown => Reflect.apply(Reflect.get(handle, verb) as () => unknown, handle, args);
  return refusedCall(world, `${verb} of an index that is gone`, run, ["404 index_not_found"]);
}

/** A verb and what it takes after the name. */
export function randomArguments({ random }: World, without: readonly string[] = []): readonly [string, ...unknown[]] {
  const verb = random.pick([...Object.keys(VERBS), "browseRecords"].filter((each) => !without.includes(each)));
  return [verb, ...(VERBS[verb] ?? []).map(({ good }) => good)];
}

/** Bad names, bad settings and bad options of creating; bad destinations. */
function namingCall(world: World): Call {
  const { random, engine } = world;
  const create = (...args: readonly unknown[]): Call =>
    refusedCall(world, `createIndex ${preview(args)}`, () => Reflect.apply(engine.createIndex, engine, args));
  return random.pick<() => Call>([
    () => create(random.pick(BAD_NAMES)),
    () => create("new", badSettings(random, world.strict)),
    () => create("new", {}, random.pick(BAD_CREATE_OPTIONS)),
  ])();
}
