// Calls with bad arguments, made at random, and the refusals each may meet. Which values are refused, and how, the tables of
// test/bad-input say; here it is tried whether a refusal leaves an engine as it was at any moment of its life.

import type { JsonRecord } from "../../src/index.js";
import {
  BAD_IDS,
  cells,
  FAULTY_FILTERS,
  FILTER_OBJECTS,
  PARAMETER_TEXTS,
  PARAMETER_VALUES,
  refusedValues,
  SETTING_VALUES,
  within,
} from "../bad-input/refused-values.js";
import { SECRET } from "../bad-input/world.js";
import type { ModelIndex } from "../lives/model.js";
import { preview } from "../lives/preview.js";
import { goodParams, otherSettings, randomIds, usable } from "../lives/shop.js";
import type { Random } from "../support/random.js";
import { USABLE_KINDS } from "../support/vectors.js";
import { type Call, NAMES, type World } from "./world.js";

// Values that are not what they seem.

type Maker = () => unknown;

function spring(): never {
  throw new Error("a trap of the caller's");
}

/** An object that holds itself. */
export function circle(): Record<string, unknown> {
  const own: Record<string, unknown> = { a: 1 };
  own.self = [own];
  return own;
}

/** Objects in objects, so many levels. */
function nested(levels: number): Record<string, unknown> {
  let value: Record<string, unknown> = { a: 1 };
  for (let level = 1; level < levels; level++) value = { a: value };
  return value;
}

/** Names that plain objects have without holding them. */
const INHERITED: readonly string[] = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];

class Instance {
  readonly query = "drill";
}

/** No object that can be read. */
const UNREADABLE: readonly Maker[] = [
  () => null,
  () => true,
  () => 0,
  () => Number.NaN,
  () => "text",
  () => 7n,
  () => Symbol("s"),
  () => [],
  () => [{}],
  () => spring,
];

/** No text, number, boolean or list. */
const FOREIGN: readonly Maker[] = [
  () => null,
  () => 7n,
  () => Symbol("s"),
  () => spring,
  () => ({}),
  () => circle(),
  () => nested(1000),
  () => new Map([["a", 1]]),
  () => new Date(0),
  () => new Instance(),
  () => Promise.resolve("a"),
  () => Object.create(null) as object,
  () => ({ toString: spring, valueOf: spring, toJSON: spring }),
  // biome-ignore lint/suspicious/noThenProperty: a trap for whoever awaits it
  () => ({ then: spring }),
  () => new String("a"),
  () => new Number(1),
  () => new Boolean(true),
];

const pickFrom =
  (...lists: readonly (readonly Maker[])[]) =>
  (random: Random): unknown =>
    random.pick(lists.flat())();

const LISTS: readonly Maker[] = [() => [], () => [1], () => ["a"]];
const NUMBERS: readonly Maker[] = [() => 0, () => -1, () => 1.5, () => Number.NaN, () => 1e308];
const TEXTS: readonly Maker[] = [() => "", () => "1", () => "true", () => "\ud800", () => "null"];
const FLAGS: readonly Maker[] = [() => true, () => false];

/** No object with properties of its own that can be read; not undefined. */
const noObject: (random: Random) => unknown = pickFrom(UNREADABLE);
const noText: (random: Random) => unknown = pickFrom(FOREIGN, LISTS, NUMBERS, FLAGS);
/** No list, or one that cannot be read or held. */
const noList: (random: Random) => unknown = pickFrom(FOREIGN, NUMBERS, TEXTS, FLAGS, [
  () => new Set(["a"]),
  () => ({ length: 1, 0: "a" }),
  () => Object.assign([], { length: 2 ** 32 - 1 }),
  () => new Uint8Array(2),
]);

/** Anything at all, undefined too. */
export const anything: (random: Random) => unknown = pickFrom(UNREADABLE, FOREIGN, LISTS, NUMBERS, TEXTS, FLAGS, [
  () => undefined,
  () => "drill".repeat(2000),
  () => Number.MAX_SAFE_INTEGER,
  () => -0,
  () => ["*"],
  () => [["brand:Forge"]],
  () => ({ brand: "Forge" }),
  () => new Float32Array(3),
  () => JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') as unknown,
]);

/** The same data in another dress: frozen, or without a prototype. */
export function disguised<T extends object>(random: Random, data: T): T {
  return random.pick<() => T>([
    () => data,
    () => data,
    () => Object.freeze({ ...data }),
    () => Object.assign(Object.create(null) as T, data),
  ])();
}

// Records.

/** What records of an index must be like. */
interface RecordRules {
  /** Components of the records' own vectors, in `vec`; 0: they bring none. */
  readonly dimensions: number;
}

class Shelf {
  readonly id = "shelf";
}

const bad = (own: object): object => ({ id: "bad", title: `Yellow lamp ${SECRET}`, ...own });

/** No JSON values. */
const NO_JSON: readonly Maker[] = [
  () => Number.NaN,
  () => 7n,
  () => Symbol("s"),
  () => (): string => SECRET,
  () => new Date(Number.NaN),
  () => new Map([[SECRET, 1]]),
  () => new Shelf(),
  () => new Float32Array(3),
  () => Promise.resolve(SECRET),
];

/** One record that must be refused. */
function badRecord(random: Random, rules: RecordRules): unknown {
  const kinds: readonly (() => unknown)[] = [
    () => random.pick([null, undefined, 5, "text", true, 7n, Symbol("r"), [], ["id"], (): void => {}]),
    () => random.pick([new Map([["id", 1]]), new Date(0), new Shelf(), Object.create({ id: 1 }), new Error(SECRET)]),
    () => ({ title: SECRET }),
    () => bad({ id: random.pick(BAD_IDS) }),
    () => bad({ [random.pick(["title", "price", "toJSON", ...INHERITED.slice(1)])]: random.pick(NO_JSON)() }),
    () => bad({ deep: { list: [1, { a: random.pick(NO_JSON)() }] } }),
    () => Object.assign(circle(), bad({})),
    () => bad({ deep: nested(random.pick([32, 40, 5000])) }),
    () => bad({ text: `${SECRET}${"x".repeat(100_001)}` }),
    () => bad({ list: Object.assign([], { length: random.pick([10_001, 2 ** 32 - 1]) }) }),
    () => bad(Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`a${i}`, 1]))),
    () => bad({ ["n".repeat(257)]: 1 }),
    () => bad({ deep: { n: { _operation: random.pick(["Increment", "Add", null]), value: 1 } } }),
    () => bad({ n: { _operation: random.pick(["Increment", "add", 5]), value: random.pick(["1", null, {}]) } }),
    () => bad({ _geoloc: badPlace(random) }),
    () => bad({ _geoloc: [{ lat: 1, lng: 2 }, badPlace(random)] }),
    ...(rules.dimensions > 0 ? [() => bad({ vec: badVector(random, rules.dimensions) })] : []),
    ...(rules.dimensions > 0 ? [() => bad({ vec: badVector(random, rules.dimensions) })] : []),
  ];
  return random.pick(kinds)();
}

/** What is neither a place nor a list of them; not null, which is none. */
function badPlace(random: Random): unknown {
  const place = { lat: 48.1, lng: 11.5 };
  return random.pick<() => unknown>([
    () => random.pick(["48.1,11.5", 5, true, {}, [48.1, 11.5], [[place]]]),
    () => ({ ...place, lat: random.pick([90.1, -91, "1", null, [1], 1e308]) }),
    () => ({ ...place, lng: random.pick([180.1, -181, "1", null, {}]) }),
    () => random.pick([{ lat: 1 }, { lng: 1 }, { ...place, height: 3 }]),
  ])();
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

/** A list of records or ids that must be refused: wrong as a whole, or with one bad item among good ones. */
function badList(random: Random, good: readonly unknown[], badItem: () => unknown): unknown {
  if (random.chance(0.25)) return noList(random);
  const list = [...good];
  for (let count = random.pick([1, 1, 1, 20]); count > 0; count--)
    list.splice(random.between(0, list.length), 0, badItem());
  return list;
}

/** Options that must be refused whatever the verb. */
function badOptions(random: Random, noObject: (random: Random) => unknown): unknown {
  return random.pick<() => unknown>([
    () => noObject(random),
    () => ({ signal: random.pick([null, 5, "abort", {}, { aborted: false }, new AbortController(), circle()]) }),
    () => ({ signal: AbortSignal.abort() }),
    () => ({ signal: AbortSignal.abort("\u0007 not printable") }),
    () => ({ onProgress: random.pick([null, 5, {}, "f"]) }),
    () => ({ createIfNotExists: random.pick([null, 0, "true", [], {}]) }),
    () => ({ onInvalid: random.pick([null, true, 5, "", "fail", {}]) }),
  ])();
}

/** Attributes that look wrong and are not: inherited names of its own, halves of pairs, numbers at the edge. */
export function strangeAttributes(random: Random): JsonRecord {
  const names = [...INHERITED, " ", "a.b.c", ".", "\u0000", "\ud800", "💡", "0", "-1", "AND", "*", "-x", "$set"];
  const value = (): JsonRecord[string] =>
    random.pick<() => JsonRecord[string]>([
      () => "\ud83d",
      () => "‮drill\u0000",
      () => "__proto__",
      () => "a".repeat(random.pick([127, 128, 129, 3000])),
      () => Number.MAX_VALUE,
      () => -5e-324,
      () => [[], [[]], {}],
      () => JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') as JsonRecord,
      () => nested(20) as JsonRecord,
      () => "𝕳𝖊𝖑𝖑𝖔 ﬁ ﷺ ß İ",
    ])();
  const json = JSON.stringify(random.list(1, 3, () => [random.pick(names), value()]));
  return Object.fromEntries(JSON.parse(json) as [string, JsonRecord[string]][]);
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
  circle(),
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
    () => noObject(random),
    () => ({ params: badText(random) }),
    () => ({ params: badText(random) }),
    () => ({ params: noText(random) }),
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
  return Object.fromEntries([["query", noise()], ["nested", nested(3)], ...pairs]);
}

// Settings.

/** No name of an index. */
function badIndexName(random: Random): unknown {
  const names = ["", " ", "../up", "a/b", "a\\b", ".hidden", "..", "a\u0000", "a\n", "caf\u00e9", "n".repeat(129)];
  return random.chance(0.6) ? random.pick(names) : noText(random);
}

/** Settings that must be refused, whatever else the index has. */
function badSettings(random: Random, strict: boolean): unknown {
  if (random.chance(0.15)) return noObject(random);
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
    () => ["embedder", random.pick([null, true, "static-de", {}, { id: "x", dimensions: 0, embed: async () => [] }])],
    () => ["analyzer", random.pick([null, 5, "german", {}, { id: "", analyze: String }, { id: "x" }, []])],
    // A kind of graph is refused, too, where its package is missing.
    ...(USABLE_KINDS.includes("hnswlib") ? [] : [(): Pair => ["vectorIndex", { kind: "hnswlib" }]]),
    ...(strict ? [(): Pair => [random.pick(["matchng", "constructor", "schema"]), 1]] : []),
  ])();
}

// Calls.

const RECORD_VERBS = ["addRecords", "updateRecords", "replaceAllRecords"];

const PARAMETERS =
  "query page hitsPerPage offset length filters facetFilters facets maxValuesPerFacet aroundLatLng aroundRadius insideBoundingBox sort distinct attributesToRetrieve attributesToHighlight attributesToSnippet highlightPreTag highlightPostTag snippetEllipsisText escapeHTML matchedPositions restrictSearchableAttributes typoTolerance queryType optionalWords advancedSyntax explain getParsedQuery getMatchInfo understand ruleContexts enableRules semanticWeight semanticFloor semanticDepth relevancyStrictness minScore matching vector".split(
    " ",
  );

/** A call that must be refused. */
export function badCall(world: World): Call {
  const { name, model } = world.randomIndex(1);
  const { random } = world;
  if (model === undefined || random.chance(0.2)) return random.pick([strangerCall, staleCall, namingCall])(world);
  const call = random.pick([
    recordsCall,
    recordsCall,
    recordsCall,
    idsCall,
    deleteByCall,
    optionsCall,
    requestCall,
    requestCall,
    requestCall,
    facetCall,
    whyNotCall,
    similarCall,
    settingsCall,
    settingsCall,
    wildCall,
    wildCall,
  ])(world, name, model);
  // Who waits when the index goes is told that, and not what is wrong.
  return { ...call, plan: () => world.unlessGone(model, call.plan()) };
}

function refusedCall(world: World, what: string, run: () => unknown, kinds: readonly string[] = ["400", "413"]): Call {
  return { what: `bad ${what}`, run, plan: () => world.refused(kinds) };
}

function recordsCall(world: World, name: string, { shop }: ModelIndex): Call {
  const { random } = world;
  const verb = random.pick(RECORD_VERBS);
  const good = randomIds(random, shop, random.pick([0, 3, 10])).map((id) => shop.shop.other(id));
  const rules = { dimensions: shop.ownDimensions };
  const records = badList(random, good, () => badRecord(random, rules));
  return refusedCall(world, `${verb} ${name} ${preview(records)}`, world.invoke(name, verb, [records]));
}

function idsCall(world: World, name: string, { shop }: ModelIndex): Call {
  const { random } = world;
  const ids = badList(random, randomIds(random, shop, 3), () => random.pick(BAD_IDS));
  const verb = random.pick(["deleteRecords", "getRecords"]);
  return refusedCall(world, `${verb} ${name} ${preview(ids)}`, world.invoke(name, verb, [ids]));
}

function deleteByCall(world: World, name: string, { shop }: ModelIndex): Call {
  const { random } = world;
  const all = [{}, "", " ", { AND: [] }, { NOT: { OR: [] } }, { NOT: { brand: [] } }, undefined];
  const params = random.pick<() => unknown>([
    () => noObject(random),
    () => ({}),
    () => ({ filters: random.pick(all) }),
    () => ({ filters: badFilter(random, shop) }),
    () => ({ filters: badFilter(random, shop) }),
    () => ({ filters: "brand:Forge", [random.pick(["query", "facetFilters", "__proto__x", "filter"])]: "a" }),
  ])();
  return refusedCall(world, `deleteBy ${name} ${preview(params)}`, world.invoke(name, "deleteBy", [params]));
}

/** Good arguments and bad options. */
function optionsCall(world: World, name: string, { shop }: ModelIndex): Call {
  const { random } = world;
  const records = [shop.shop.other(1)];
  const [verb, first] = random.pick<readonly [string, unknown]>([
    ...RECORD_VERBS.map((each) => [each, records] as const),
    ["deleteRecords", [1, 2, 3]],
    ["deleteBy", { filters: "brand:Forge" }],
    ["updateSettings", { matching: "all" }],
    ["query", { query: "drill" }],
    ["searchForFacetValues", { facetName: "brand" }],
    ["suggest", { query: "drill" }],
  ]);
  const options = badOptions(random, noObject);
  return refusedCall(world, `options of ${verb} ${name}`, world.invoke(name, verb, [first, options]), ["400", "499"]);
}

function requestCall(world: World, name: string, model: ModelIndex): Call {
  const { random } = world;
  const { shop } = model;
  const params = badRequest(random, goodParams(random, shop, usable(shop, model.last.naive.records)), shop);
  return refusedCall(world, `query ${name} ${preview(params)}`, world.invoke(name, "query", [params]), ["400"]);
}

function facetCall(world: World, name: string, { shop }: ModelIndex): Call {
  const { random } = world;
  const params = random.pick<() => unknown>([
    () => noObject(random),
    () => ({}),
    () => ({
      facetName: random.pick(["", "*", "a\u0000", noText(random), ...(shop.declared ? ["nowhere", "__proto__"] : [])]),
    }),
    () => ({ facetName: "brand", facetQuery: random.pick([noText(random), "ü".repeat(2049)]) }),
    () => ({ facetName: "brand", maxFacetHits: random.pick([-1, 1.5, "1", null]) }),
    () => ({ facetName: "brand", filters: badFilter(random, shop) }),
    () => ({ facetName: "brand", attributesToRetrieve: random.pick([noList(random), [5], [""]]) }),
  ])();
  return refusedCall(world, `searchForFacetValues ${name}`, world.invoke(name, "searchForFacetValues", [params]), [
    "400",
  ]);
}

function whyNotCall(world: World, name: string, { shop }: ModelIndex): Call {
  const { random } = world;
  const args = random.pick<() => unknown[]>([
    () => [{ query: "drill" }, random.pick(BAD_IDS)],
    () => [{ query: "drill", filters: badFilter(random, shop) }, 1],
    () => [noObject(random), 1],
  ])();
  return refusedCall(world, `whyNot ${name} ${preview(args)}`, world.invoke(name, "whyNot", args), ["400"]);
}

function similarCall(world: World, name: string, { shop }: ModelIndex): Call {
  const { random } = world;
  const args = random.pick<() => unknown[]>([
    () => [random.pick(BAD_IDS)],
    () => [[1, random.pick(BAD_IDS)]],
    () => [{ like: [1], unlike: random.pick<unknown>(["1", [random.pick(BAD_IDS)]]) }],
    () => [1, { filters: badFilter(random, shop) }],
    () => [1, { query: "drill" }],
  ])();
  // The record may not be there.
  return refusedCall(world, `similar ${name} ${preview(args)}`, world.invoke(name, "similar", args), ["400", "404"]);
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
    ["searchForFacetValues", [{ ...guarded(request), facetName: "brand" }]],
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

/** Own properties, where they can be read. */
function guarded(value: unknown): object {
  try {
    return { ...(value as object) };
  } catch {
    return {};
  }
}

/** Any verb of an index that is not there. */
function strangerCall(world: World): Call {
  const { random, engine } = world;
  const free = [...NAMES, "shpo", ...INHERITED, "", "x"].filter((name) => !world.indexes.has(name));
  const name: unknown = random.chance(0.7) ? random.pick(free) : noText(random);
  const [verb, ...args] = randomArguments(world);
  const run = (): unknown => Reflect.apply(Reflect.get(engine, verb) as () => unknown, engine, [name, ...args]);
  return refusedCall(world, `${verb} of no index`, run, ["404 index_not_found"]);
}

/** Any verb of a handle whose index is gone. */
function staleCall(world: World): Call {
  const { random } = world;
  if (world.stale.length === 0) return strangerCall(world);
  const handle = random.pick(world.stale);
  const [verb, ...args] = randomArguments(world, ["deleteIndex", "copyIndex", "moveIndex"]);
  const run = (): unknown => Reflect.apply(Reflect.get(handle, verb) as () => unknown, handle, args);
  return refusedCall(world, `${verb} of an index that is gone`, run, ["404 index_not_found"]);
}

/** A verb and what it takes after the name. */
export function randomArguments({ random }: World, without: readonly string[] = []): readonly [string, ...unknown[]] {
  const calls: readonly (readonly [string, ...unknown[]])[] = [
    ...RECORD_VERBS.map((verb) => [verb, [{ id: 1 }]] as const),
    ["deleteRecords", [1]],
    ["deleteBy", { filters: "brand:Forge" }],
    ["clearIndex"],
    ["getRecords", [1]],
    ["browseRecords"],
    ["getSettings"],
    ["updateSettings", {}],
    ["query", { query: "drill" }],
    ["searchForFacetValues", { facetName: "brand" }],
    ["suggest", { query: "drill" }],
    ["whyNot", { query: "drill" }, 1],
    ["deleteIndex"],
    ["copyIndex", "other"],
    ["moveIndex", "other"],
  ];
  return random.pick(calls.filter(([verb]) => !without.includes(verb)));
}

/** Bad names, bad settings and bad options of creating; bad destinations. */
function namingCall(world: World): Call {
  const { random, engine } = world;
  const settings = badSettings(random, world.strict);
  const [taken] = [...world.indexes.keys()];
  const calls: readonly (() => Call)[] = [
    () =>
      refusedCall(world, "createIndex by name", () =>
        Reflect.apply(engine.createIndex, engine, [badIndexName(random)]),
      ),
    () =>
      refusedCall(world, "createIndex by settings", () => Reflect.apply(engine.createIndex, engine, ["new", settings])),
    () => {
      const options = random.pick([noObject(random), { ifExists: random.pick(["OPEN", null, true, noText(random)]) }]);
      return refusedCall(world, "createIndex by options", () =>
        Reflect.apply(engine.createIndex, engine, ["new", {}, options]),
      );
    },
    () => {
      if (taken === undefined) return strangerCall(world);
      const name = badIndexName(random);
      const verb = random.pick(["copyIndex", "moveIndex"] as const);
      return refusedCall(world, `${verb} to a bad name`, () => Reflect.apply(engine[verb], engine, [taken, name]));
    },
  ];
  return random.pick(calls)();
}
