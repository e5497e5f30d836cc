// Tricks to play on a call: values and getters that are not what they seem, the verbs to play them on, and what must
// hold whatever comes of it.

import { setTimeout as pause } from "node:timers/promises";
import { runInNewContext } from "node:vm";
import { expect } from "vitest";
import { SearchEngine, SearchError, SearchIndex, setDefaultEngine } from "../../src/index.js";
import { anything } from "../bad-input/world.js";

// A small engine to play tricks on.

/** An index with words, vectors and groups, and a second one. */
export interface TrickWorld {
  readonly engine: SearchEngine;
  readonly index: SearchIndex;
}

const RECORDS = [
  { id: "a", title: "red drill", brand: "Forge", price: 10, vector: [1, 0] },
  { id: "b", title: "blue kettle", brand: "Volt", price: 20, tags: ["x", "y"], vector: [0, 1] },
  { id: "c", title: "green lamp", brand: "Volt", sku: "AB-1", specs: { volts: 18 } },
];

const SETTINGS = { vectorAttribute: "vector", dimensions: 2, attributeForDistinct: "brand" };

/** A fresh world. */
export async function openWorld(): Promise<TrickWorld> {
  const engine = new SearchEngine({ embedder: false, onWarning: () => {} });
  const index = await engine.createIndex("shop", SETTINGS);
  await engine.createIndex("other");
  await index.addRecords(RECORDS);
  return { engine, index };
}

/** Names, settings and records of all indexes, as JSON; a closed engine shows nothing. */
async function pictureOf({ engine }: TrickWorld): Promise<string> {
  try {
    const indexes = [];
    for (const { name, records } of await engine.listIndexes()) {
      const all = [];
      for await (const record of engine.browseRecords(name)) all.push(record);
      const { settings, effective } = await engine.getSettings(name);
      indexes.push({ name, records, all, settings, effective });
    }
    return JSON.stringify(indexes);
  } catch (error) {
    if (error instanceof SearchError && error.code === 503) return "closed";
    throw error;
  }
}

// Values that are not what they seem, and getters. `plain`: as good as the value itself, since everything is read once.

/** One trick. */
interface Trick {
  readonly name: string;
  readonly plain: boolean;
  /** In place of the value. */
  readonly make?: (value: unknown) => unknown;
  /** Read in place of the value, at the n-th time. */
  readonly getter?: (value: unknown, time: number, world: TrickWorld) => unknown;
  /** True where what the getter does changes the engine. */
  readonly upsets?: boolean;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function fail(): never {
  throw new Error("from the trick");
}

function revoked(of: object): object {
  const { proxy, revoke } = Proxy.revocable(of, {});
  revoke();
  return proxy;
}

function isPlain(value: object): boolean {
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

/** JSON values all the way down, so that another realm can hold them too. */
function isJson(value: unknown): boolean {
  return isObject(value) ? isPlain(value) && Object.values(value).every(isJson) : typeof value !== "function";
}

function deepFreeze(value: unknown): unknown {
  if (!isObject(value) || !isPlain(value)) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}

const named = (plain: boolean, makers: Readonly<Record<string, (value: never) => unknown>>): Trick[] =>
  Object.entries(makers).map(([name, make]) => ({ name, plain, make: make as (value: unknown) => unknown }));

/** By this name, so that no reader of this file takes it for a promise by mistake. */
const THEN = "then";

/** For any value. */
const ANYWHERE: readonly Trick[] = [
  ...named(false, {
    null: () => null,
    "a symbol": () => Symbol("trick"),
    "a BigInt": () => 1n,
    "a function": () => fail,
    NaN: () => Number.NaN,
    "an empty text": () => "",
    "a boxed text": () => Object("drill"),
    "a boxed number": () => Object(1),
    "a Date": () => new Date(0),
    "a Map": () => new Map([["brand", "Forge"]]),
    "a promise": () => Promise.resolve(1),
    "a typed array": () => new Float64Array([1, 0]),
    "an empty object": () => ({}),
    "an empty object without prototype": () => Object.create(null),
    "no conversion": () => ({ toString: fail, valueOf: fail, toJSON: fail, [Symbol.toPrimitive]: fail }),
    "a conversion to an object": () => ({ [Symbol.toPrimitive]: () => ({}) }),
    "a thenable": () => ({ [THEN]: (resolve: (value: unknown) => void) => resolve(1) }),
    "a getter as then": () => Object.defineProperty({}, THEN, { get: fail, enumerable: true }),
    "a name that throws": () => ({
      get [Symbol.toStringTag]() {
        return fail();
      },
    }),
    "a revoked object": () => revoked({}),
    "a revoked array": () => revoked([]),
    "a revoked function": () => revoked(fail),
    "an object of keys without end": () => new Proxy({}, { ownKeys: () => ["a"], get: () => fail() }),
    "an array of 2^32 - 1 holes": () => new Array(2 ** 32 - 1),
  }),
];

const TRAPS = [
  ...["get", "has", "ownKeys", "getOwnPropertyDescriptor", "getPrototypeOf", "isExtensible"],
  ...["set", "defineProperty", "deleteProperty", "setPrototypeOf", "preventExtensions", "apply", "construct"],
];

/** Traps of what nobody does who only reads. */
const WRITING = TRAPS.slice(TRAPS.indexOf("set"));
const OTHER_REALM = "from another realm";

/** For objects and arrays. */
const OBJECTS: readonly Trick[] = [
  ...TRAPS.map((trap) => ({
    name: `a proxy whose ${trap} throws`,
    plain: WRITING.includes(trap),
    make: (value: unknown) => new Proxy(value as object, { [trap]: fail }),
  })),
  ...named(true, {
    "a transparent proxy": (value: object) => new Proxy(value, {}),
    "a proxy of a proxy": (value: object) => new Proxy(new Proxy(value, {}), {}),
    frozen: (value: object) => deepFreeze(value),
    [OTHER_REALM]: (value: object) => runInNewContext("JSON.parse(text)", { text: JSON.stringify(value) }) as unknown,
  }),
  ...named(false, {
    inherited: (value: object) => Object.create(value),
    "with its own __proto__": (value: object) =>
      Object.defineProperty(value, "__proto__", { value: { polluted: 1 }, enumerable: true, configurable: true }),
    "with a symbol as key": (value: object) => Object.assign(value, { [Symbol("trick")]: fail }),
    "with a toJSON": (value: object) => Object.assign(value, { toJSON: fail }),
    "with its prototype changed": (value: object) => Object.setPrototypeOf(value, { polluted: 1 }),
  }),
];

/** For objects that are no arrays. */
const RECORD_TRICKS: readonly Trick[] = named(true, {
  "without prototype": (value: object) => Object.assign(Object.create(null) as object, value),
  "with hidden properties": (value: object) => Object.defineProperty(value, "hidden", { get: fail }),
});

const LENGTHS: readonly unknown[] = [
  2 ** 32 - 1,
  2 ** 53,
  -1,
  Number.NaN,
  1.5,
  Number.POSITIVE_INFINITY,
  "2",
  null,
  {},
  1n,
  Symbol("length"),
];

/** For arrays. */
const ARRAYS: readonly Trick[] = [
  ...LENGTHS.map((length) => ({
    name: `an array whose length is ${typeof length} ${String(typeof length === "object" ? "" : String(length))}`,
    plain: false,
    make: (value: unknown) =>
      new Proxy(value as object, { get: (of, key) => (key === "length" ? length : Reflect.get(of, key)) }),
  })),
  ...named(false, {
    "an item that throws": (value: unknown[]) => Object.defineProperty(value, 0, { get: fail, enumerable: true }),
    holes: (value: unknown[]) => Object.assign(new Array(value.length + 2), { 0: value[0] }),
    circular: (value: unknown[]) => [...value, value],
  }),
  ...named(true, {
    "an iterator of its own": (value: unknown[]) =>
      Object.defineProperty(value, Symbol.iterator, { value: fail, configurable: true }),
    "methods that throw": (value: unknown[]) => {
      for (const name of "map filter slice every some entries forEach flatMap join includes concat".split(" "))
        Object.defineProperty(value, name, { value: fail });
      return value;
    },
    "a constructor that throws": (value: unknown[]) => Object.defineProperty(value, "constructor", { get: fail }),
    "a subclass": (value: unknown[]) => {
      class List extends Array<unknown> {
        static override get [Symbol.species](): ArrayConstructor {
          return fail();
        }
      }
      const list = new List();
      for (const item of value) list.push(item);
      return list;
    },
  }),
];

/** What a getter may do besides. */
const deeds: Readonly<Record<string, (world: TrickWorld) => unknown>> = {
  "adds records": ({ engine }) => engine.addRecords("shop", [{ id: "deed", title: "deed" }]),
  "clears the index": ({ engine }) => engine.clearIndex("shop"),
  "deletes the index": ({ engine }) => engine.deleteIndex("shop"),
  "changes the settings": ({ engine }) => engine.updateSettings("shop", { analyzer: "plain" }),
  "closes the engine": ({ engine }) => engine.close(),
};

/** In place of a property. */
const GETTERS: readonly Trick[] = [
  { name: "a getter that throws", plain: false, getter: fail },
  {
    name: "a getter that throws a text",
    plain: false,
    getter: () => {
      throw "from the trick";
    },
  },
  { name: "a getter", plain: true, getter: (value) => value },
  { name: "a getter that throws the second time", plain: true, getter: (value, time) => (time === 1 ? value : fail()) },
  {
    name: "a getter of other values",
    plain: true,
    getter: (value, time) => [value, Symbol("second"), revoked({})][Math.min(time, 3) - 1],
  },
  ...Object.entries(deeds).map(([name, deed]) => ({
    name: `a getter that ${name}`,
    plain: false,
    upsets: true,
    getter: (value: unknown, _time: number, world: TrickWorld) => {
      void Promise.resolve(deed(world)).catch(() => {});
      return value;
    },
  })),
];

/** The tricks for a value; those of getters only where it is a property. */
export function tricksFor(value: unknown, isProperty: boolean): Trick[] {
  const plain = isObject(value) && isPlain(value);
  const fits = ({ name }: Trick): boolean => (plain ? name !== OTHER_REALM || isJson(value) : name.includes("prox"));
  return [
    ...ANYWHERE,
    ...(isProperty ? GETTERS : []),
    ...(isObject(value) || typeof value === "function" ? OBJECTS.filter(fits) : []),
    ...(plain && !Array.isArray(value) ? RECORD_TRICKS : []),
    ...(Array.isArray(value) ? ARRAYS : []),
  ];
}

// Every verb with arguments that it takes, made anew for each call.

/** One verb. */
export interface TrickVerb {
  readonly name: string;
  /** True where a call that succeeds changes what the engine holds. */
  readonly writes: boolean;
  readonly args: () => unknown[];
  /** Calls it, the arguments spread. */
  readonly call: (world: TrickWorld, args: readonly unknown[]) => unknown;
}

const record = (id: string): object => ({
  id,
  title: "yellow saw",
  price: 5,
  ok: true,
  none: null,
  tags: ["x", "y"],
  specs: { volts: 18, deep: [{ a: [1] }] },
  vector: [0.6, 0.8],
});

const small = (id: string): object => ({ id, title: "yellow saw", tags: ["x"], specs: { volts: 18 } });
const callOptions = (): object => ({ signal: new AbortController().signal });
/** The options of a call. */
export const addOptions = (): object => ({ ...callOptions(), onProgress: () => {} });

/** All parameters of a query. */
export const params = (): object => ({
  query: "red drill",
  page: 1,
  hitsPerPage: 5,
  filters: { OR: [{ brand: "Forge" }, { price: { lt: 50, between: [1, 60] } }], NOT: { brand: ["Hem", null] } },
  facetFilters: [["brand:Forge", "brand:Volt"], "price:10"],
  facets: ["brand", "price"],
  maxValuesPerFacet: 3,
  aroundLatLng: "48.1,11.5",
  aroundRadius: 30_000_000,
  insideBoundingBox: [[-90, -180, 90, 180]],
  sort: ["price:asc", "_geoPoint(1,2):asc", "_score:desc"],
  distinct: true,
  attributesToRetrieve: ["title", "-brand"],
  attributesToHighlight: ["title"],
  attributesToSnippet: ["title:3"],
  highlightPreTag: "<b>",
  highlightPostTag: "</b>",
  snippetEllipsisText: "...",
  restrictSearchableAttributes: ["title"],
  typoTolerance: true,
  queryType: "prefixLast",
  optionalWords: ["red"],
  advancedSyntax: true,
  explain: true,
  getParsedQuery: true,
  getMatchInfo: true,
  understand: { except: [0] },
  ruleContexts: ["mobile"],
  enableRules: true,
  semanticWeight: 0.5,
  semanticFloor: 0,
  semanticDepth: 10,
  relevancyStrictness: 50,
  minScore: 0.1,
  matching: "any",
  vector: [1, 0],
});

const embedder = (): object => ({
  id: "play-1",
  dimensions: 2,
  maxBatchSize: 2,
  wordsOnly: false,
  knows: () => false,
  embed: async (texts: readonly string[]) => texts.map(() => [1, 0]),
});

/** All settings, but for those of own vectors. */
export const settings = (): object => ({
  idAttribute: "id",
  searchableAttributes: ["title", { attribute: "brand", weight: 2 }],
  identifierAttributes: ["sku"],
  analyzer: { id: "play", analyze: (text: string) => text.split(" ") },
  matching: "any",
  matchingRatio: 0.5,
  embedder: embedder(),
  embeddedAttributes: ["title"],
  vectorIndex: { kind: "exact", m: 8, efConstruction: 50, efSearch: 50 },
  fusion: { method: "convex", semanticWeight: 0.2 },
  semanticFloor: 0.1,
  semanticDepth: 20,
  relevancyStrictness: 20,
  bm25: { k1: 1, b: 0.5 },
  attributesForFaceting: ["brand", "price"],
  customRanking: ["desc(price)"],
  attributeForDistinct: "brand",
  distinct: true,
  synonyms: [
    { type: "synonym", synonyms: ["saw", "drill"] },
    { type: "oneWaySynonym", objectID: "s", input: "tv", synonyms: ["television"] },
  ],
  stopWords: ["the"],
  optionalWords: ["red"],
  typoTolerance: true,
  disableTypoToleranceOnWords: ["saw"],
  disableTypoToleranceOnAttributes: ["brand"],
  queryType: "prefixAll",
  rules: [
    {
      id: "rule",
      conditions: [{ pattern: "red saw", anchoring: "words", context: "mobile", filters: { brand: "Forge" } }],
      consequence: {
        promote: [
          { id: 1, position: 0 },
          { ids: ["2", 3], position: 4 },
        ],
        hide: [4],
        params: {
          query: { edits: [{ delete: "red", insert: "blue" }] },
          filters: { price: { lt: 5 } },
          sort: ["price:asc"],
        },
        userData: { banner: ["sale"] },
      },
      validity: [{ from: "2020-01-01", until: 4e12 }],
      enabled: true,
      stop: false,
    },
  ],
});

/** A verb of the engine by its name, with the arguments it takes. */
function verb(name: keyof SearchEngine, writes: boolean, args: () => unknown[]): TrickVerb {
  return { name, writes, args, call: ({ engine }, given) => Reflect.apply(engine[name], engine, given) };
}

async function browse({ engine }: TrickWorld, [name]: readonly unknown[]): Promise<unknown[]> {
  const records: unknown[] = [];
  for await (const each of engine.browseRecords(anything(name))) records.push(each);
  return records;
}

/** All verbs of an engine that take anything, its constructor, and the choice of the default engine. */
export const TRICK_VERBS: readonly TrickVerb[] = [
  verb("query", false, () => ["shop", params(), callOptions()]),
  { ...verb("query", false, () => ["shop", { params: "query=drill&page=1" }]), name: "query, encoded" },
  {
    ...verb("query", false, () => ["shop", { query: "", facetFilters: { brand: ["Forge"], price: { gte: 1 } } }]),
    name: "query, clicks as an object",
  },
  verb("multiQuery", false, () => [
    [
      { indexName: "shop", ...params() },
      { indexName: "other", params: "query=drill" },
    ],
    callOptions(),
  ]),
  verb("searchForFacetValues", false, () => [
    "shop",
    { facetName: "brand", facetQuery: "f", maxFacetHits: 3, query: "drill", filters: "price > 1" },
    callOptions(),
  ]),
  verb("suggest", false, () => [
    "shop",
    { query: "dri", hitsPerPage: 3, facet: "brand", filters: "price > 1" },
    callOptions(),
  ]),
  verb("understandQuery", false, () => ["shop", "cheapest drill under 50 not from forge", callOptions()]),
  verb("whyNot", false, () => ["shop", { query: "drill", filters: { brand: "Forge" } }, "b"]),
  verb("getRecords", false, () => ["shop", ["a", 7, "c"]]),
  { name: "browseRecords", writes: false, args: () => ["shop"], call: browse },
  verb("getSettings", false, () => ["shop"]),
  verb("getAttributes", false, () => ["shop", callOptions()]),
  verb("previewSettings", false, () => [
    "other",
    settings(),
    {
      ...callOptions(),
      queries: [
        "drill",
        { query: "drill", filters: { brand: ["Forge"] }, sort: ["price:asc"], weight: 2 },
        { params: "query=drill" },
      ],
    },
  ]),
  verb("digest", false, () => ["shop", callOptions()]),
  verb("estimate", false, () => ["shop"]),
  verb("addRecords", true, () => ["shop", [record("a"), small("new")], addOptions()]),
  verb("updateRecords", true, () => ["shop", [small("a"), small("new")], { ...addOptions(), createIfNotExists: true }]),
  {
    ...verb("updateRecords", true, () => [
      "shop",
      [{ id: "new", price: { _operation: "Increment", value: 1 }, tags: { _operation: "Add", value: "x" } }],
      { ...addOptions(), onInvalid: "skip" },
    ]),
    name: "updateRecords, operations",
  },
  verb("replaceAllRecords", true, () => ["shop", [small("a")], addOptions()]),
  verb("deleteRecords", true, () => ["shop", ["a", 7], callOptions()]),
  verb("deleteBy", true, () => [
    "shop",
    { filters: { AND: [{ brand: "Forge" }, { price: { lte: 10 } }] } },
    callOptions(),
  ]),
  verb("clearIndex", true, () => ["shop"]),
  verb("updateSettings", true, () => ["other", settings(), addOptions()]),
  verb("createIndex", true, () => ["third", settings(), { ifExists: "open" }]),
  verb("copyIndex", true, () => ["shop", "third"]),
  verb("moveIndex", true, () => ["shop", "third"]),
  verb("deleteIndex", true, () => ["shop"]),
  verb("index", false, () => ["shop"]),
  {
    name: "new SearchEngine",
    writes: false,
    args: () => [
      { embedder: embedder(), onWarning: () => {}, strict: false, limits: { page: 10, facets: 2, maxMemory: 1e9 } },
    ],
    call: (_, args) => Reflect.construct(SearchEngine, args).capabilities(),
  },
  {
    name: "setDefaultEngine",
    writes: false,
    args: () => [new SearchEngine()],
    call: (_, [given]) => {
      setDefaultEngine(anything(given));
      // What it gives back is the engine of the trick before: its own business.
      setDefaultEngine(new SearchEngine());
    },
  },
];

/** The verbs that a handle has too: called without the name. */
const ON_HANDLES =
  "query searchForFacetValues suggest understandQuery whyNot getRecords getAttributes previewSettings digest addRecords updateRecords replaceAllRecords deleteRecords deleteBy".split(
    " ",
  );

/** The same verb of a handle; undefined where it has none. */
export function ofHandle(given: TrickVerb): TrickVerb | undefined {
  if (!ON_HANDLES.includes(given.name)) return undefined;
  const call: TrickVerb["call"] = ({ index }, [, ...args]) =>
    Reflect.apply(anything<Record<string, (...args: unknown[]) => unknown>>(index)[given.name]!, index, args);
  return { ...given, name: `handle.${given.name}`, call };
}

// The play.

/** A place in the arguments of a call; the first key is the position. */
export type Place = readonly (string | number)[];

/** A trick and its place. */
export interface Planted {
  readonly place: Place;
  readonly trick: Trick;
}

type Outcome = { readonly answer: unknown } | { readonly refused: string };

const LONGEST_MS = 20_000;
const LOOK_EVERY = 20;

/** What works for the caller is used as it is, by calling it; only data is copied. */
const WORKERS = ["signal", "onProgress", "onWarning", "embedder", "analyzer"];
const PRINTABLE = /^[\x20-\x7e…]{1,400}$/;
const PROTOTYPES = [Object, Array, String, Number, Function, Map, Promise].map(({ prototype }) => prototype);
const KEYS = PROTOTYPES.map((prototype) => Reflect.ownKeys(prototype).length);

/** Every position, property and item of the arguments. */
export function placesOf(given: readonly unknown[]): Place[] {
  const within = (value: unknown, place: Place): Place[] => {
    const inner = isData(value) ? Object.keys(value).map((key) => [...place, key]) : [];
    return [place, ...inner.flatMap((each) => within(valueAt(given, each), each))];
  };
  return given.flatMap((value, i) => within(value, [i]));
}

function isData(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

/** What stands at a place. */
export function valueAt(given: unknown, place: Place): unknown {
  return place.reduce<unknown>((value, key) => anything<Record<string, unknown>>(value)[String(key)], given);
}

/** Puts a trick in its place. */
export function plant(args: unknown[], { place, trick }: Planted, world: TrickWorld, reads: { most: number }): void {
  const holder = valueAt(args, place.slice(0, -1)) as object;
  const key = place.at(-1)!;
  const value = valueAt(args, place);
  if (trick.make !== undefined) {
    Object.defineProperty(holder, key, {
      value: trick.make(value),
      enumerable: true,
      configurable: true,
      writable: true,
    });
    return;
  }
  let times = 0;
  const get = (): unknown => {
    reads.most = Math.max(reads.most, ++times);
    return trick.getter!(value, times, world);
  };
  Object.defineProperty(holder, key, { get, enumerable: true, configurable: true });
}

async function outcomeOf(verb: TrickVerb, world: TrickWorld, args: readonly unknown[]): Promise<Outcome> {
  const late = pause(LONGEST_MS, "late" as const, { ref: false });
  try {
    const answer = await Promise.race([Promise.resolve(verb.call(world, args)), late]);
    if (answer === "late") throw new Error(`no answer within ${LONGEST_MS} ms`);
    return { answer: withoutTimes(answer) };
  } catch (error) {
    if (!(error instanceof SearchError)) throw error;
    expect(error.msg).toMatch(PRINTABLE);
    expect(error.msg).not.toContain("from the trick");
    return { refused: error.error };
  }
}

function withoutTimes(answer: unknown): unknown {
  if (answer instanceof SearchIndex || answer instanceof SearchEngine) return answer.constructor.name;
  const text = JSON.stringify(answer);
  const copy: unknown = text === undefined ? undefined : JSON.parse(text);
  expect(copy, "the answer is plain data").toEqual(answer);
  // Of several queries, each has its own.
  for (const each of [copy].flat()) {
    const { data } = anything<{ data?: Record<string, unknown> | null }>(each ?? {});
    for (const time of ["serverTimeMS", "processingTimeMS"]) delete data?.[time];
  }
  return copy;
}

/** One verb's stage: what its plain call comes to, and a world that is replaced when a call has changed it. */
export class Stage {
  readonly verb: TrickVerb;
  private stage: TrickWorld | undefined;
  private fresh = "";
  private played = 0;
  private plain: { outcome: Outcome; picture: string } | undefined;

  constructor(verb: TrickVerb) {
    this.verb = verb;
  }

  /** Plays the tricks, and asserts what must hold. */
  async play(planted: readonly Planted[]): Promise<void> {
    const { verb } = this;
    this.plain ??= await this.playPlainly();
    const world = this.stage ?? (await openWorld());
    this.stage = world;
    const args = verb.args();
    const reads = { most: 0 };
    for (const each of planted) plant(args, each, world, reads);
    const outcome = await outcomeOf(verb, world, args);
    const upset = planted.some(({ trick }) => trick.upsets === true);
    // Reading is looked after now and then only, so that there is time for all of it.
    const looks = verb.writes || upset || ++this.played % LOOK_EVERY === 0;
    const picture = looks ? await pictureOf(world) : this.fresh;
    if (upset || picture !== this.fresh) this.stage = undefined;
    if (!upset) await this.expectGood(outcome, picture, planted);
    if (planted.some(({ place }) => isRecord(verb, place))) expect(reads.most, "reads of one property").toBeLessThan(2);
    expect(PROTOTYPES.map((prototype) => Reflect.ownKeys(prototype).length)).toEqual(KEYS);
    if (upset) await world.engine.close();
    else if (looks) await world.engine.query(this.survivor(picture), { query: "drill" });
  }

  private async expectGood(outcome: Outcome, picture: string, planted: readonly Planted[]): Promise<void> {
    const { verb, plain, fresh } = this;
    if ("refused" in outcome || !verb.writes) expect(picture, "nothing changed").toBe(fresh);
    const mustBePlain = planted.every(({ place, trick }) => trick.plain && !isWorker(place));
    if (mustBePlain) expect({ outcome, picture }, "as the plain call").toEqual(plain);
    // A record that no call names stays as it was, unless all are replaced, cleared or deleted.
    if (verb.name.endsWith("Records") && !/replace/.test(verb.name))
      expect(picture).toContain('"id":"c","title":"green lamp"');
  }

  private survivor(picture: string): string {
    return picture.includes('"name":"shop"') ? "shop" : "other";
  }

  private async playPlainly(): Promise<{ outcome: Outcome; picture: string }> {
    const world = await openWorld();
    this.fresh = await pictureOf(world);
    const args = this.verb.args();
    const before = JSON.stringify(args);
    const outcome = await outcomeOf(this.verb, world, args);
    expect(JSON.stringify(args), "the caller's objects are as they were").toBe(before);
    expect(outcome, "the plain call is answered").toHaveProperty("answer");
    return { outcome, picture: await pictureOf(world) };
  }
}

function isWorker(place: Place): boolean {
  return place.some((key) => WORKERS.includes(String(key)));
}

/** Whether a place is within the records of a call, which do not go through the door: they are read by a walk of their own. */
export function isRecord({ name }: TrickVerb, place: Place): boolean {
  return /(add|update|replaceAll)Records$/.test(name) && place[0] === 1;
}
