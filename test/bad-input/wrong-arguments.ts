// What every verb takes, argument by argument: one value that is right, and the values that are wrong with the refusal of each. Tests
// try each of them (verbs.test.ts), and random lives of engines try them at any moment (test/fuzz/bad-calls.ts).

import { BAD_IDS, cells } from "./refused-values.js";
import { bad, type Refusal, shown } from "./row.js";
import { rec, SECRET, throwing } from "./world.js";

type Values = Readonly<Record<string, unknown>>;

/** Values that are refused alike, each under what it is. */
export interface Wrong {
  readonly refusal: Refusal;
  readonly values: Values;
}

/** An argument of a verb. */
export interface Argument {
  readonly good: unknown;
  readonly wrong: readonly Wrong[];
}

const wrong = (refusal: Refusal, values: Values): Wrong => ({ refusal, values });

/** The same values within something. */
function inside(values: Values, wrap: (value: unknown) => unknown): Values {
  return Object.fromEntries(Object.entries(values).map(([what, value]) => [what, wrap(value)]));
}

/** `undefined` is no object either, but stands for what is left out. */
const NO_OBJECT: Values = shown(null, true, 5, Number.NaN, "drill", 7n, Symbol(), [], [{}], () => ({}));
const NO_LIST: Values = {
  ...shown(null, undefined, true, 5, "drill", 7n, Symbol(), {}, { length: 1, 0: "a" }, () => []),
  ...shown(new Map(), new Set([1]), new Date(0), new Uint8Array(2), Promise.resolve([])),
};
const LONG: Values = { "a list of length 2^32 - 1": Object.assign([], { length: 2 ** 32 - 1 }) };

// Names.

/** The name of an index that is not there. */
export const NO_INDEX: Wrong = wrong(
  bad("index_not_found", "indexName", 404),
  shown(...cells('"shpo" | "constructor" | "__proto__" | "" | null | undefined | 5 | {} | Symbol()')),
);

/** No name that an index could get. */
export const NEW_NAME: Argument = {
  good: "new",
  wrong: [
    wrong(bad("invalid_index_name", "indexName"), {
      ...shown("", null, undefined, 5, {}, [], ["new"], Symbol(), Object("new")),
      ...shown("../../etc/passwd", "a/b", "a\\b", "C:evil", "/abs", "a b", "a%2fb", ".", "..", ".hidden", "..."),
      ...shown("a\0", "a\r\n", "\n", "a\n", "a\u001b[31m", "a\u202eb", "caf\u00e9", "cafe\u0301", "n".repeat(129)),
    }),
  ],
};

// Records.

const array = (length: number, item: unknown = 1): unknown[] => Array.from({ length }, () => item);
const attributes = (count: number): object => Object.fromEntries(array(count).map((one, i) => [`a${i}`, one]));

/** Lists and objects within each other, so many levels. */
export function nested(levels: number): unknown {
  let inner: unknown = 1;
  for (let level = 0; level < levels; level++) inner = level % 2 === 0 ? { a: inner } : [inner];
  return inner;
}

function doubled(times: number, join: (half: unknown) => unknown): unknown {
  let value: unknown = "x";
  for (let i = 0; i < times; i++) value = join(value);
  return value;
}

const circle: Record<string, unknown> = {};
circle.self = { deep: [circle] };
const ring: unknown[] = [];
ring.push([ring]);
const self = rec();
self.self = self;

class Product {
  readonly id = 1;
}

const NO_JSON: Values = {
  ...shown(
    5n,
    Symbol(),
    () => 1,
    new Map(),
    new Set(),
    /a/,
    new Uint8Array(2),
    new Float32Array(2),
    new ArrayBuffer(2),
  ),
  ...shown(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, new Date(Number.NaN)),
  "a class instance": new Product(),
  "a Promise": Promise.resolve(1),
  "an Error": new Error("x"),
  "a String object": Object("x"),
};

const PLACE = { lat: 48.1, lng: 11.5 };
const located = (_geoloc: unknown): object => rec({ _geoloc });

/** Records that every verb refuses, wherever they stand in a list. */
export const WRONG_RECORDS: readonly Wrong[] = [
  wrong(bad("invalid_record"), {
    ...shown(null, undefined, "x", [], 5, true, 1n, Symbol(), () => ({}), new Date(0), new Map(), new Product()),
    "JSON text": JSON.stringify(rec()),
    "what inherits all": Object.create(rec()),
    "a name too long": rec({ ["n".repeat(257)]: 1 }),
  }),
  wrong(
    { ...bad("invalid_record"), cause: /from the getter/ },
    {
      "a getter that throws": Object.defineProperty(rec(), "x", { get: throwing, enumerable: true }),
    },
  ),
  wrong(bad("missing_id"), {
    ...shown({ title: "Lamp" }, rec({ id: undefined }), Object.assign(Object.create(null), { title: "Lamp" })),
  }),
  wrong(bad("invalid_id"), {
    ...inside(shown(...BAD_IDS, "a\ud800", "\udc00", "\udc00\ud800"), (id) => rec({ id })),
    ...inside({ "513 bytes": "i".repeat(513), "513 in pairs": `${"\u00e9".repeat(256)}i` }, (id) => rec({ id })),
  }),
  wrong(bad("invalid_field_value"), {
    ...inside(NO_JSON, (value) => rec({ value })),
    "NaN within a list": rec({ value: [1, Number.NaN] }),
    "deep within": rec({ value: { a: [{ b: 1n }] } }),
    "a toJSON function": rec({ toJSON: () => ({}) }),
    "a constructor": rec({ constructor: new Map() }),
  }),
  wrong(
    { ...bad("invalid_record"), msg: /_geoloc/ },
    {
      ...inside(
        shown("48.1,11.5", 5, true, {}, [48.1, 11.5], [[PLACE]], { lat: 1 }, { lng: 1 }, { ...PLACE, height: 3 }),
        located,
      ),
      ...inside(shown(90.1, -91, "1", null, [1], 1e308), (lat) => located([PLACE, { ...PLACE, lat }])),
      ...inside(shown(180.1, -181, "1", null, {}), (lng) => located({ ...PLACE, lng })),
    },
  ),
  wrong(bad("record_cyclic"), {
    ...inside({ "a cycle of objects": circle, "a cycle of arrays": ring }, (value) => rec({ value })),
    "the record within itself": self,
  }),
  wrong(bad("record_too_large", undefined, 413), {
    ...inside(
      {
        "33 levels": nested(32),
        "100,000 levels": nested(100_000),
        "22 doublings of one object": doubled(22, (half) => ({ a: half, b: half })),
        "22 doublings of one array": doubled(22, (half) => [half, half]),
        "22 doublings of an empty array": doubled(22, (half) => (half === "x" ? [] : [half, half])),
        "10,001 items": array(10_001),
        "items of a list with a length alone": LONG["a list of length 2^32 - 1"],
        "998 attributes": attributes(998),
        "1,000,000 characters": "word ".repeat(200_000),
      },
      (value) => rec({ value }),
    ),
    "100,001 bytes as JSON": ofBytes(100_001),
  }),
];

/** A record whose JSON is so long. */
export function ofBytes(bytes: number): object {
  const record = { id: "new", tags: ["a", { b: 1 }], text: "" };
  return { ...record, text: "x".repeat(bytes - JSON.stringify(record).length) };
}

/** An operation of an update. */
export const op = (_operation: unknown, value?: unknown): Record<string, unknown> => ({ _operation, value });

const NO_NUMBERS = [undefined, null, "1", true, [1], {}, Number.NaN, Number.POSITIVE_INFINITY, 1n, new Date(0)];
const NO_ITEMS = [undefined, null, true, ["x"], {}, op("Add", "x"), Number.NaN, Symbol(), () => 1];

/** Operations that no update takes. */
const WRONG_OPERATIONS: Values = {
  ...inside(shown("Multiply", "increment", "", 5, null, undefined, "add"), (name) => rec({ value: op(name, 1) })),
  ...inside(shown(...NO_NUMBERS), (value) => rec({ value: op("Increment", value) })),
  ...inside(shown(...NO_ITEMS), (value) => rec({ value: op("AddUnique", value) })),
  "Decrement of a text": rec({ value: op("Decrement", "1") }),
  "Add of a list": rec({ value: op("Add", ["x"]) }),
  "Remove of a list": rec({ value: op("Remove", ["x"]) }),
  "a further key": rec({ value: { ...op("Increment", 1), more: 1 } }),
  "a further key of null": rec({ value: { ...op("Increment", 1), constructor: null } }),
  "in a list": rec({ value: [op("Add", "x")] }),
  "in an object": rec({ value: { n: op("Increment", 1) } }),
  "deep down": rec({ value: [{ at: { n: [op("Increment", 1)] } }] }),
  "a patch that is itself an operation": rec(op("Increment", 1)),
  "on the id": { id: op("Increment", 1) },
};

const OPERATIONS = { "an operation": op("Increment", 1), "one in a list": [op("Add", 1)], "its key": { n: op(null) } };

function records(items: readonly Wrong[]): Argument {
  return {
    good: [rec()],
    wrong: [
      wrong(bad("invalid_records", "records"), { ...NO_LIST, "JSON text": JSON.stringify([rec()]) }),
      wrong({ ...bad("invalid_records", "records"), msg: /\[record\]/ }, { "one record": rec() }),
      wrong(bad("batch_too_large", "records", 413), LONG),
      wrong(bad("invalid_record", "records[1]"), {
        "a hole": Object.assign(new Array(2), { 0: rec({ id: 1 }) }),
      }),
      ...items.map(({ refusal, values }) =>
        wrong(
          { ...refusal, param: "records[1]" },
          inside(values, (record) => [rec({ id: 1, title: SECRET }), record]),
        ),
      ),
    ],
  };
}

const WHOLE_RECORDS = records([
  ...WRONG_RECORDS,
  wrong(
    { ...bad("invalid_record"), msg: /operations stand in updateRecords only/ },
    inside(OPERATIONS, (value) => rec({ value })),
  ),
]);
const PATCHES = records([...WRONG_RECORDS, wrong(bad("invalid_record"), WRONG_OPERATIONS)]);

const IDS: Argument = {
  good: [1],
  wrong: [
    wrong(bad("invalid_ids", "ids"), NO_LIST),
    wrong(
      bad("invalid_id", "ids[1]"),
      inside(shown(...BAD_IDS), (id) => [1, id]),
    ),
    wrong(bad("batch_too_large", "ids", 413), LONG),
  ],
};

// Options.

const SIGNALS: Values = {
  ...shown(null, 5, "abort", {}, { aborted: false }),
  "a controller": new AbortController(),
};

export const WRONG_SIGNALS: readonly Wrong[] = [
  wrong(
    bad("invalid_signal", "signal"),
    inside(SIGNALS, (signal) => ({ signal })),
  ),
  wrong(bad("aborted", "signal", 499), { "aborted before": { signal: AbortSignal.abort() } }),
];

function options(...more: readonly Wrong[]): Argument {
  return { good: {}, wrong: [wrong(bad("invalid_options", "options"), NO_OBJECT), ...WRONG_SIGNALS, ...more] };
}

function option(name: string, values: Values): Wrong {
  return wrong(
    bad("invalid_options", name),
    inside(values, (value) => ({ [name]: value })),
  );
}

const OPTIONS = options();
const PROGRESS = option("onProgress", shown(5, "x", {}, null));
const SKIPPING = option("onInvalid", shown(null, true, 5, "", "SKIP", "fail", {}, []));
const CREATING = option("createIfNotExists", shown(null, 1, "true", {}, []));

/** Of createIndex. */
export const CREATE_OPTIONS: Argument = {
  good: {},
  wrong: [
    wrong(bad("invalid_options"), NO_OBJECT),
    wrong(
      bad("invalid_option", "ifExists"),
      inside(shown("opne", null, true, {}), (ifExists) => ({ ifExists })),
    ),
  ],
};

// Queries, filters and settings.

/** Parameters of a query, or of a verb that is about one. */
function params(good: object): Argument {
  return { good, wrong: [wrong(bad("invalid_request", "params"), NO_OBJECT)] };
}

const NO_FILTERS = shown(
  undefined,
  "",
  "  ",
  "\t\n",
  null,
  5,
  true,
  [],
  "brand =",
  { brand: {} },
  { brand: undefined },
  () => 1,
);

/** Filters that every record would pass. */
const ALL = shown(
  ...cells(`{} | {"AND":[]} | {"AND":[{}]} | {"AND":[{},{}]} | {"OR":[{},{}]} | {"OR":[{"brand":"Forge"},{}]} |
    {"NOT":{"OR":[]}} | {"NOT":{"NOT":{}}} | {"NOT":{"OR":[{"NOT":{}},{"NOT":{}}]}} | {"NOT":{"AND":[{"brand":"Forge"},{"NOT":{}}]}} |
    {"NOT":{"brand":[]}} | {"NOT":{"OR":[{"brand":[]},{"price":{"in":[]}}]}} | {"AND":[{"AND":[]},{"OR":[{}]}]} |
    {"OR":[{"AND":[{"brand":"Forge"},{"price":5}]},{"NOT":{"brand":[]}}]}`),
);

const narrow = { filters: "price < 100" };
const DELETION: Argument = {
  good: { filters: "brand:Forge" },
  wrong: [
    wrong(bad("invalid_request", "params"), { ...NO_OBJECT, undefined: undefined, text: "brand:Forge" }),
    wrong(bad("invalid_filter", "filters"), {
      ...inside({ ...NO_FILTERS, ...ALL }, (filters) => ({ filters })),
      ...shown({}, { filter: "brand:Forge" }, Object.create(narrow)),
    }),
    wrong(bad("filter_too_complex", "filters"), {
      brackets: { filters: "(".repeat(8000) },
      conditions: { filters: { OR: array(513, { brand: "Forge" }) } },
      "a list of values of length 2^32 - 1": { filters: { brand: LONG["a list of length 2^32 - 1"] } },
    }),
    ...["facetFilters", "query", "params", "filterz"].map((name) =>
      wrong(bad("unknown_parameter", name), { [`${name} beside`]: { ...narrow, [name]: ["brand:Volt"] } }),
    ),
  ],
};

const SETTINGS: Argument = {
  good: { queryType: "prefixAll" },
  wrong: [
    wrong(bad("invalid_settings", "settings"), NO_OBJECT),
    wrong(bad("invalid_setting", "matching"), shown({ matching: "most" })),
  ],
};

const PREVIEWED = { queries: ["drill"] };
const PREVIEW: Argument = {
  good: PREVIEWED,
  wrong: [
    wrong(bad("invalid_options", "options"), { ...NO_OBJECT, undefined: undefined }),
    wrong(
      bad("invalid_parameter", "queries"),
      inside({ ...NO_LIST, ...LONG, "10,001 of them": array(10_001, "drill") }, (queries) => ({ queries })),
    ),
    wrong(
      bad("invalid_parameter", "queries[1]"),
      inside({ ...shown(undefined, null, 5, [], () => "drill", Symbol(), 1n) }, (query) => ({
        queries: ["drill", query],
      })),
    ),
    wrong(bad("missing_query", "query"), { "a query without a text": { queries: [{}] } }),
    wrong(bad("params_not_alone", "params"), {
      "a query of both forms": { queries: [{ query: "drill", params: "query=drill" }] },
    }),
    wrong(
      bad("invalid_parameter", "queries[0].weight"),
      inside(shown(...cells('0 | -1 | null | "2" | NaN | Infinity | 1e16 | [] | {} | 1n | true')), (weight) => ({
        queries: [{ query: "drill", weight }],
      })),
    ),
    wrong(
      bad("invalid_judgements"),
      inside(
        shown(
          ...cells(
            'null | 5 | "x" | [] | {} | {"queries":[],"qrels":[]} | {"queries":[{"id":1,"query":"drill"}],"qrels":[]}',
          ),
        ),
        (judgements) => ({ queries: [], judgements }),
      ),
    ),
    ...WRONG_SIGNALS.map(({ refusal, values }) =>
      wrong(
        refusal,
        inside(values, (value) => ({ ...PREVIEWED, ...(value as object) })),
      ),
    ),
  ],
};

const LIKED = { ...shown(null, "1", 1, {}), "a list of 101": array(101, "1") };

/** What records shall be similar to. */
const LIKE: Argument = {
  good: 1,
  wrong: [
    wrong(bad("invalid_id", "of"), {
      ...shown(...BAD_IDS.filter((id) => String(id) !== "[object Object]"), undefined, () => 1),
      ...{ "a misspelt name": { like: ["1"], unlik: ["1"] }, "a list of 101": array(101, "1") },
      ...{ "a long id": "x".repeat(1025), "half of a pair": "\ud800" },
    }),
    wrong(
      bad("invalid_id", "of[1]"),
      inside(shown("", null, undefined, {}, [], 0.5, true), (id) => ["1", id]),
    ),
    wrong(
      bad("invalid_id", "of.like"),
      inside({ ...LIKED, ...shown(undefined, []) }, (like) => ({ like, unlike: ["1"] })),
    ),
    wrong(
      bad("invalid_id", "of.unlike"),
      inside(LIKED, (unlike) => ({ like: ["1"], unlike })),
    ),
  ],
};

/** Wrong values of one parameter beside others. */
function wrongly(name: string, error: string, values: readonly unknown[], beside: object = {}): Wrong {
  return wrong(
    bad(error, name),
    inside(shown(...values), (value) => ({ ...beside, [name]: value })),
  );
}

const SIMILAR_PARAMS: Argument = {
  good: {},
  wrong: [...params({}).wrong, wrongly("query", "invalid_parameter", ["drill", " a"])],
};

const TAGS = { facetName: "tags" };
const NO_FACET = [undefined, null, "", "*", 5, ["tags"], {}, true, Symbol(), "a\n", "n".repeat(257)];
const FACET_PARAMS: Argument = {
  good: TAGS,
  wrong: [
    ...params(TAGS).wrong,
    wrong(bad("invalid_request", "params"), { undefined }),
    wrongly("facetName", "invalid_parameter", NO_FACET),
    wrongly("facetQuery", "invalid_parameter", [null, 5, {}, ["gar"], true, Symbol(), Object("gar")], TAGS),
    wrongly("facetQuery", "query_too_long", ["a".repeat(4097), "\u00e9".repeat(2049), "a".repeat(10_000_000)], TAGS),
    wrongly(
      "maxFacetHits",
      "invalid_parameter",
      [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "5", null, true, [5], 5n],
      TAGS,
    ),
    wrongly("query", "invalid_query", [5], TAGS),
    wrongly("filters", "invalid_filter", [5], TAGS),
    wrongly("facetFilters", "invalid_facet_filters", ["x"], TAGS),
    wrongly("typoTolerance", "invalid_parameter", ["yes"], TAGS),
    ...["filter", "facetFilter"].map((name) => wrongly(name, "unknown_parameter", ["brand:Forge"], TAGS)),
  ],
};

const DRILLS = { query: "drill" };
const WHY_PARAMS: Argument = {
  good: DRILLS,
  wrong: [
    ...params(DRILLS).wrong,
    wrong(bad("invalid_request", "params"), { undefined }),
    wrong(bad("missing_query", "query"), { "no query": {} }),
    wrongly("page", "invalid_page", [0], DRILLS),
    wrong({ ...bad("invalid_filter", "filters"), span: [7, 7] }, { "bad filters": { ...DRILLS, filters: "brand =" } }),
    wrongly("params", "params_not_alone", ["query=a"], { page: 1 }),
  ],
};

const WHY_ID: Argument = {
  good: 1,
  wrong: [wrong(bad("invalid_id", "id"), { ...shown(...BAD_IDS, undefined, [1], "i".repeat(513), "\ud800") })],
};

/** What each verb takes behind the name of the index. */
export const VERBS: Readonly<Record<string, readonly Argument[]>> = {
  query: [params({ query: "drill" }), OPTIONS],
  similar: [LIKE, SIMILAR_PARAMS, OPTIONS],
  searchForFacetValues: [FACET_PARAMS, OPTIONS],
  suggest: [params({ query: "drill" }), OPTIONS],
  understandQuery: [{ good: "drill under 50", wrong: [] }, OPTIONS],
  whyNot: [WHY_PARAMS, WHY_ID],
  getAttributes: [OPTIONS],
  getRecords: [IDS],
  getSettings: [],
  digest: [OPTIONS],
  addRecords: [WHOLE_RECORDS, options(PROGRESS, SKIPPING)],
  updateRecords: [PATCHES, options(PROGRESS, SKIPPING, CREATING)],
  replaceAllRecords: [WHOLE_RECORDS, options(PROGRESS, SKIPPING)],
  deleteRecords: [IDS, OPTIONS],
  deleteBy: [DELETION, OPTIONS],
  updateSettings: [SETTINGS, OPTIONS],
  previewSettings: [SETTINGS, PREVIEW],
  clearIndex: [],
  deleteIndex: [],
  copyIndex: [NEW_NAME],
  moveIndex: [NEW_NAME],
};

/** One call that must be refused: the arguments behind the name of the index, of which one is wrong. */
export interface WrongCall {
  readonly what: string;
  readonly args: readonly unknown[];
  readonly refusal: Refusal;
}

/** All wrong calls of a verb. */
export function wrongCalls(verb: string): WrongCall[] {
  const taken = VERBS[verb] ?? [];
  return taken.flatMap((argument, at) =>
    argument.wrong.flatMap(({ refusal, values }) =>
      Object.entries(values).map(([what, value]) => ({
        what: `${verb}, ${refusal.error}: ${what}`,
        args: taken.map(({ good }, i) => (i === at ? value : good)),
        refusal,
      })),
    ),
  );
}
