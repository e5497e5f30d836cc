// Records that are wrong or odd: their ids, keys, values, texts and vectors.

import { expect } from "vitest";
import type { SearchError } from "../../src/index.js";
import { USABLE_KINDS } from "../support/vectors.js";
import { BAD_IDS } from "./refused-values.js";
import { bad, gives, passes, type Refusal, type Row, type Rows, refuses, resembles, shown, testRows } from "./row.js";
import { anything, idsOf, rec, SECRET, throwing, vectorOf, type World } from "./world.js";

// Ids.

const BAD_ID: Refusal = bad("invalid_id", "records[0]");
const withId = (world: World, id: unknown): unknown => world.add([rec({ id })]);

/** Adds a record under an id, and looks for it in every way; then deletes it. */
async function roundTrip(world: World, id: unknown): Promise<unknown> {
  const added = await world.add([{ id, title: "Unicycle" }]);
  const [record] = await world.get([id]);
  const hits = idsOf(await world.ask({ query: "unicycle" }));
  const deleted = await world.delete([id]);
  return [added, record, hits, deleted, await world.get([id])];
}

function roundTrips(what: string, ids: readonly unknown[]): Rows {
  return Object.entries(shown(...ids)).map(([label, id]) =>
    gives(
      `${what} ${label}`,
      [
        { added: 1, replaced: 0 },
        { id: Object.is(id, -0) ? 0 : id, title: "Unicycle" },
        [String(id)],
        { deleted: 1 },
        [null],
      ],
      (world) => roundTrip(world, id),
    ),
  );
}

testRows("ids", [
  passes(
    "an id attribute by another name",
    ["key"],
    () => undefined,
    async (_, world) => {
      await world.create("new", { idAttribute: "key" });
      expect(await world.add([{ key: "a", id: {} }], "new")).toEqual({ added: 1, replaced: 0 });
    },
  ),
  refuses("no id", bad("missing_id", "records[1]"), (world) => world.add([rec({ id: 1 }), { title: "Lamp" }])),
  refuses("an id of undefined", bad("missing_id", "records[0]"), (world) => withId(world, undefined)),
  refuses("an inherited id", bad("missing_id", "records[0]"), (world) =>
    world.add([Object.assign(Object.create(null), { title: "Lamp" })]),
  ),
  refuses("id", BAD_ID, withId, [...BAD_IDS]),
  gives(
    "-0, 0 and text 0 are one id",
    [
      { added: 1, replaced: 0 },
      { added: 0, replaced: 1 },
    ],
    async (world) => [await world.add([rec({ id: -0 }), rec({ id: 0 })]), await world.add([rec({ id: "0" })])],
  ),
  gives(
    "5 and its text in one batch: the last counts",
    [{ added: 1, replaced: 0 }, [rec({ id: "5" })]],
    async (world) => [await world.add([rec({ id: 5 }), rec({ id: "5" })]), await world.get([5])],
  ),
  roundTrips("512 bytes:", ["i".repeat(512), "\u00e9".repeat(256)]),
  refuses("513 bytes:", BAD_ID, withId, ["i".repeat(513), `${"\u00e9".repeat(256)}i`]),
  refuses("half a surrogate pair:", BAD_ID, withId, ["a\ud800", "\udc00", "\udc00\ud800"]),
  roundTrips("id", ["__proto__", "constructor", "hasOwnProperty", "-1", -1, 2 ** 53 - 1]),
  gives("ids are not normalised", [{ added: 2, replaced: 0 }], async (world) => [
    await world.add([rec({ id: "\u00e9" }), rec({ id: "e\u0301" })]),
  ]),
  roundTrips("id", ["a\0b", "a\nb", " ", "\u202e", "\ufeff", "\ud83d\ude00", "\uffff"]),
]);

testRows("ids", [
  gives("an unknown id, twice", [{ deleted: 0 }, { deleted: 0 }, [null]], async (world) => [
    await world.delete(["nope"]),
    await world.delete(["nope", "nope"]),
    await world.get(["nope"]),
  ]),
  gives("one id twice, as number and as text", [{ deleted: 1 }, { deleted: 0 }], async (world) => [
    await world.delete([1, "1", 1]),
    await world.delete([1]),
  ]),
  gives("every record, then a query, then another record", [{ deleted: 3 }, 0, 0, ["back"]], async (world) => {
    const answers: unknown[] = [await world.delete([1, "two", 3])];
    answers.push((await world.ask({ query: "" })).nbHits, (await world.ask({ query: "drill" })).nbHits);
    await world.add([{ id: "back", title: "Drill" }]);
    answers.push(await world.found("drill"));
    return answers;
  }),
  gives("no ids", { deleted: 0 }, (world) => world.delete([])),
  ...["delete", "get"].flatMap((verb) => [
    refuses(`${verb} ids`, bad("invalid_id", "ids[1]"), (world, ids) => world[verb as "get"](ids), [
      [1, ""],
      [1, null],
      [1, 1.5],
      [1, {}],
      [1, Number.NaN],
    ]),
    refuses(`${verb} ids`, bad("invalid_ids", "ids"), (world, ids) => world[verb as "get"](ids), [
      null,
      undefined,
      1,
      "two",
      {},
      new Set([1]),
    ]),
  ]),
  gives(
    "a deleted id again: a new record",
    [{ deleted: 1 }, { added: 1, replaced: 0 }, [{ id: 1, title: "Other" }]],
    async (world) => [await world.delete([1]), await world.add([{ id: 1, title: "Other" }]), await world.get([1])],
  ),
]);

// Keys that built-in objects have, and a getter.

const BAD_VALUE: Refusal = bad("invalid_field_value", "records[0]");
const UNREADABLE: Refusal = bad("invalid_record", "records[0]");
const withValue = (world: World, value: unknown): unknown => world.add([rec({ value })]);

const stored = async (world: World, record: unknown): Promise<unknown> => {
  await world.add([record]);
  return (await world.get(["new"]))[0];
};

const BUILT_IN =
  '{"id":"new","constructor":2,"toJSON":5,"then":1,"hasOwnProperty":0,"toString":"a","length":-1,"valueOf":null}';

testRows("keys that built-in objects have, and a getter", [
  {
    what: "an own key __proto__",
    run: async (world) => {
      const record: unknown = JSON.parse('{"id":"new","__proto__":{"isAdmin":true},"deep":{"__proto__":"unicycle"}}');
      const back = (await stored(world, record)) as object;
      const seen = await world.ask({ query: "unicycle" });
      return [
        JSON.stringify(back),
        Object.getPrototypeOf(back) === Object.prototype,
        JSON.stringify(seen.hits[0]?.source),
      ];
    },
    expect: (result) => {
      const text = '{"id":"new","__proto__":{"isAdmin":true},"deep":{"__proto__":"unicycle"}}';
      expect(result).toEqual([text, true, text]);
      expect(Reflect.get({}, "isAdmin")).toBeUndefined();
    },
  },
  gives("keys that built-in objects have", BUILT_IN, async (world) =>
    JSON.stringify(await stored(world, JSON.parse(BUILT_IN))),
  ),
  gives("a record with a then is no promise", '[[{"then":"a"}],[{"then":"a"}]]', async (world) => {
    await world.create("new", { idAttribute: "then" });
    await world.add([JSON.parse('{"then":"a"}')], "new");
    return JSON.stringify([await world.get(["a"], "new"), await world.records("new")]);
  }),
  refuses("a toJSON function", BAD_VALUE, (world) => world.add([rec({ toJSON: () => ({}) })])),
  refuses("a getter that throws", { ...UNREADABLE, param: "records[1]", cause: /from the getter/ }, (world) =>
    world.add([
      rec({ id: 1 }),
      {
        id: "new",
        get title() {
          return throwing();
        },
      },
    ]),
  ),
]);

// Values.

const TOO_LARGE: Refusal = bad("record_too_large", "records[0]", 413);
const CYCLIC: Refusal = bad("record_cyclic", "records[0]");

function nested(levels: number): unknown {
  let inner: unknown = 1;
  for (let level = 0; level < levels; level++) inner = level % 2 === 0 ? { a: inner } : [inner];
  return inner;
}

function doubled(times: number, join: (half: unknown) => unknown): unknown {
  let value: unknown = "x";
  for (let i = 0; i < times; i++) value = join(value);
  return value;
}

/** A record whose JSON is so long. */
function ofBytes(bytes: number): object {
  const record = { id: "new", tags: ["a", { b: 1 }], text: "" };
  return { ...record, text: "x".repeat(bytes - JSON.stringify(record).length) };
}

function cycles(): Readonly<Record<string, unknown>> {
  const object: Record<string, unknown> = {};
  object.self = { deep: [object] };
  const array: unknown[] = [];
  array.push([array]);
  return { "of objects": object, "of arrays": array };
}

testRows("values", [
  {
    what: "undefined is as if absent; in a list it is null",
    run: (world) => stored(world, { id: "new", gone: undefined, list: [1, undefined] }),
    expect: (result) => expect(result).toStrictEqual({ id: "new", list: [1, null] }),
  },
  refuses("value", BAD_VALUE, withValue, [
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    [1, Number.NaN],
  ]),
  {
    what: "-0 is stored as 0",
    run: (world) => stored(world, { id: "new", n: -0, list: [-0] }),
    expect: (result) => expect(result).toStrictEqual({ id: "new", n: 0, list: [0] }),
  },
  refuses("value", { ...BAD_VALUE, msg: /BigInt|symbol|function|not plain|a Map|a Set|a typed array/ }, withValue, {
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
    "a class instance": new (class Price {
      amount = 1;
    })(),
    "a Promise": Promise.resolve(1),
    "an Error": new Error("x"),
    "a String object": Object("x"),
    "within a list": [1, new Map()],
    "deep within": { a: [{ b: 1n }] },
  }),
  gives("a Date", { added: 1, replaced: 0 }, withValue, { "": new Date(0), within: { a: [new Date(0)] } }),
  refuses("an invalid Date", BAD_VALUE, (world) => withValue(world, new Date(Number.NaN))),
  refuses("a cycle", CYCLIC, withValue, cycles()),
  refuses("the record within itself", CYCLIC, (world) => {
    const record = rec();
    record.self = record;
    return world.add([record]);
  }),
  gives("32 levels", { added: 1, replaced: 0 }, withValue, { "": nested(31) }),
  refuses("too deep:", TOO_LARGE, withValue, { "33 levels": nested(32), "100,000 levels": nested(100_000) }),
  refuses("22 doublings of one", TOO_LARGE, withValue, {
    object: doubled(22, (half) => ({ a: half, b: half })),
    array: doubled(22, (half) => [half, half]),
    "empty array": doubled(22, (half) => (half === "x" ? [] : [half, half])),
  }),
  gives("deep and doubled records are refused together", 2, (world) =>
    Promise.resolve(
      world.add([rec({ value: nested(100_000) }), rec({ value: doubled(22, (half) => [half, half]) })]),
    ).catch((error: unknown) => (error as SearchError).details?.total),
  ),
  gives("100,000 bytes as JSON", { added: 1, replaced: 0 }, (world) => world.add([ofBytes(100_000)])),
  refuses("100,001 bytes as JSON", TOO_LARGE, (world) => world.add([ofBytes(100_001)])),
  gives("as many", { added: 1, replaced: 0 }, withValue, {
    items: { list: Array.from({ length: 10_000 }, () => 1) },
    attributes: Object.fromEntries(Array.from({ length: 997 }, (_, i) => [`a${i}`, 1])),
  }),
  refuses("too many", TOO_LARGE, withValue, {
    items: Array.from({ length: 10_001 }, () => 1),
    "items of a list with a length alone": Object.assign([], { length: 2 ** 32 - 1 }),
    attributes: Object.fromEntries(Array.from({ length: 998 }, (_, i) => [`a${i}`, 1])),
  }),
  gives("null in any attribute", { id: "new", title: null, sku: null, tags: [null], deep: { a: null } }, (world) =>
    stored(world, { id: "new", title: null, sku: null, tags: [null], deep: { a: null } }),
  ),
]);

// Values of any type as facets.

const FACET_VALUES = [
  "",
  " ",
  "\0",
  "\n",
  "\u202e",
  "\ud800",
  "x".repeat(469),
  "\u00e9".repeat(512),
  "y".repeat(50_000),
];

async function kinds(world: World, kinds: readonly unknown[], settings?: object): Promise<void> {
  await world.create("new", settings);
  await world.add(
    kinds.map((kind, id) => ({ id, kind })),
    "new",
  );
}

async function passing(world: World, filters: unknown): Promise<string> {
  return (await world.ask({ query: "", filters, hitsPerPage: 100 }, "new")).hits.map(({ id }) => id).join();
}

testRows("values of any type as facets", [
  gives(
    "a number among texts, a text among numbers: each stays what it is",
    [
      "1",
      "2",
      "1,3",
      [
        { id: 1, kind: 5 },
        { id: 2, kind: "5" },
      ],
    ],
    async (world) => {
      await kinds(world, ["drill", 5, "5", 7]);
      return [
        await passing(world, { kind: 5 }),
        await passing(world, { kind: "5" }),
        await passing(world, "kind > 4"),
        await world.get([1, 2], "new"),
      ];
    },
  ),
  gives(
    "texts that look like numbers are none",
    ["5", "5", { kind: { min: 3, max: 3, sum: 3, avg: 3 } }],
    async (world) => {
      await kinds(world, ["12abc", "1e3", "", " 5", "0x10", 3]);
      const { data } = await world.engine.query("new", { query: "", facets: ["kind"] });
      return [await passing(world, "kind >= 0"), await passing(world, { kind: { lt: 1e9 } }), data.facetStats];
    },
  ),
  {
    what: "a list of all kinds",
    run: async (world) => {
      await kinds(world, [[1, "a", true, null, [2], { a: 1 }]]);
      return (await world.ask({ query: "", facets: ["kind", "kind.a"] }, "new")).facets;
    },
    expect: (result) => {
      const one = (value: unknown): object => ({ value, count: 1 });
      expect(result).toEqual({ kind: [one(1), one(2), one("a"), one(true)], "kind.a": [one(1)] });
    },
  },
  gives("facet values that are empty, long or cannot be printed", [[...FACET_VALUES].sort(), []], async (world) => {
    await kinds(world, FACET_VALUES, { attributesForFaceting: ["kind"] });
    const { facets } = await world.ask({ query: "", facets: ["kind"] }, "new");
    const wrong: unknown[] = [];
    for (const [id, kind] of FACET_VALUES.entries())
      if ((await passing(world, { kind })) !== String(id)) wrong.push(kind.slice(0, 10));
    return [facets?.kind?.map(({ value }) => value), wrong];
  }),
]);

// Texts that are hard to read.

const REPLACED = { added: 1, replaced: 0 };
const ONE_RECORD_PER_MB = { limits: { recordBytes: 8_000_000 } };
const RUNS = ["a", "/", "#", "\u6771", "\0", "\ud83d", "\ud83d\ude00", "a'", "1.", "-", "\u0301", "\ufdfa"];

/** Adds one long run, and says what came of it. */
async function addRun(world: World, text: string, index = "shop"): Promise<unknown> {
  const answer = await world.add([{ id: "new", title: "Unicycle", text }], index);
  const [record] = (await world.get(["new"], index)) as { readonly text: string }[];
  return [answer, record?.text === text, world.warnings.map((warning) => warning.code)];
}

/** Searches for a text that was written otherwise. */
function foundAs(written: string, asked: string, ids: readonly string[] = ["new"]): Rows {
  return gives(`${JSON.stringify(written)} by ${JSON.stringify(asked)}`, [written, ids], async (world) => {
    await world.add([{ id: "new", text: written }]);
    const [record] = (await world.get(["new"])) as { readonly text: string }[];
    return [record?.text, await world.found(asked)];
  });
}

testRows("texts that are hard to read", [
  gives("a text", REPLACED, (world, title) => world.add([{ id: "new", title, sku: title }]), {
    "that is empty": "",
    "of blanks": " \t\n\u3000",
    "that cannot be seen": "\u200b\ufeff",
    "of punctuation": "!?--",
  }),
  ...RUNS.flatMap((run) =>
    ["shop", "english"].map(
      (index): Row => ({
        what: `100,000 characters of ${JSON.stringify(run)} in ${index}`,
        options: ONE_RECORD_PER_MB,
        run: async (world) => {
          await world.create("english", { embedder: "static-en" });
          await world.add([{ id: "warm", title: "Warm" }], "english");
          return addRun(world, run.repeat(100_000 / run.length), index);
        },
        expect: (result) => expect(result).toEqual([REPLACED, true, ["field_truncated"]]),
      }),
    ),
  ),
  refuses("1,000,000 characters, over the limit of a record", bad("record_too_large", "records[0]", 413), (world) =>
    world.add([{ id: "new", text: "word ".repeat(200_000) }]),
  ),
  {
    what: "1,000,000 characters, where a record may have them",
    options: ONE_RECORD_PER_MB,
    run: (world) => addRun(world, "word ".repeat(200_000)),
    expect: (result) => expect(result).toEqual([REPLACED, true, ["field_truncated"]]),
  },
  foundAs("half \ud800 unicycle \udc00", "unicycle"),
  foundAs("uni\ud800cycle", "uni cycle"),
  foundAs("uni\ud800cycle", "unicyclist", []),
  foundAs('<script>alert("x")</script> <b>unicycle</b> &amp; co', "unicycle co"),
  foundAs('<script>alert("x")</script> <b>unicycle</b> &amp; co', "alert", []),
  foundAs("\u05d0\u05d5\u05e4\u05e0\u05d9\u05d9\u05dd", "\u05d0\u05d5\u05e4\u05e0\u05d9\u05d9\u05dd"),
  foundAs("\u202eunicycle\u202c", "unicycle"),
  foundAs("\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67 unicycle", "unicycle"),
  foundAs("uni\u0308cycle", "unicycle"),
  foundAs("un\u00efcycle", "uni\u0308cycle"),
  foundAs("\uff35\uff4e\uff49\uff43\uff59\uff43\uff4c\uff45", "unicycle"),
  foundAs("\ufb01sh o\ufb00er", "fish offer"),
  foundAs("uni\u00adcycle", "unicycle"),
  foundAs("\u6771\u4eac\u30bf\u30ef\u30fc", "\u6771\u4eac"),
  foundAs("cable CD-123 x", "cd-123"),
  foundAs("cable CD-123 x", "cd123"),
  foundAs("cable CD-123 x", "cd-12i", []),
  foundAs("plug 3.5mm", "3.5mm"),
  foundAs("plug 3.5mm", "5.3mm", []),
  foundAs("an mp3 player", "mp3"),
  foundAs("an mp3 player", "mp4", []),
]);

// Vectors.

const BAD_VECTOR: Refusal = bad("invalid_vector", "records[0]");
const ADDED = { added: 1, replaced: 0 };
const withVector = (world: World, vector: unknown): unknown => world.add([rec({ vector })], "near");
const withAt = (at: number, component: number): number[] => vectorOf(5).with(at, component);

/** The record nearest to vectorOf(5), and its score. */
async function nearest(world: World): Promise<unknown> {
  const { hits } = await world.ask({ query: "", vector: vectorOf(5), semanticWeight: 1 }, "near");
  return [hits[0]?.id, hits[0]?.score];
}

/** A typed array whose own iterator gives other numbers. */
testRows("vectors", [
  passes("a vector", { "that is missing": undefined, "of null": null }, withVector, async (result, world) => {
    expect(result).toEqual(ADDED);
    expect(await world.found("lamp", "near")).toEqual(["new"]);
    expect(idsOf(await world.ask({ query: "", vector: vectorOf(5), semanticFloor: -1 }, "near"))).not.toContain("new");
  }),
  refuses("a vector of", { ...BAD_VECTOR, msg: /(7|9).*8/ }, withVector, {
    "7 components": vectorOf(5).slice(1),
    "9 components": [...vectorOf(5), 1],
    "a Float32Array of 9": new Float32Array(9).fill(1),
  }),
  refuses("an empty vector", { ...BAD_VECTOR, msg: /0.*8/ }, (world) => withVector(world, [])),
  resembles(
    "a Float32Array of 20,000,000 components is refused",
    { code: 400, error: "invalid_vector" },
    async (world) => {
      const huge = new Float32Array(20_000_000);
      return world.add([rec({ vector: huge })], "near").catch((thrown: unknown) => thrown);
    },
  ),
  refuses(
    "a component of",
    { ...BAD_VECTOR, msg: /6/ },
    (world, component) => withVector(world, withAt(6, anything<number>(component))),
    [Number.NaN, Number.POSITIVE_INFINITY, 1e39, 1e300],
  ),
  refuses("a text of the record as vector", BAD_VECTOR, (world) => withVector(world, `${SECRET} lamp`)),
  refuses("a text within the vector", BAD_VECTOR, (world) => withVector(world, [SECRET, 1, 2, 3, 4, 5, 6, 7])),
  passes(
    "a vector as",
    {
      Float32Array: Float32Array.from(vectorOf(5)),
      Float64Array: Float64Array.from(vectorOf(5)),
      "part of a buffer": Float64Array.from([9, ...vectorOf(5), 9]).subarray(1, 9),
    },
    withVector,
    async (_, world) => expect(await nearest(world)).toEqual(["new", 1]),
  ),
  gives("a typed array changed after the call", ["new", 1], async (world) => {
    const vector = Float32Array.from(vectorOf(5));
    const done = withVector(world, vector);
    vector.fill(0);
    await done;
    return nearest(world);
  }),
  refuses("a vector as", BAD_VECTOR, withVector, {
    Uint8Array: new Uint8Array(8).fill(1),
    DataView: new DataView(new ArrayBuffer(8)),
    ArrayBuffer: new ArrayBuffer(8),
    "array-like": { ...vectorOf(5), length: 8 },
  }),
  refuses("a vector of", BAD_VECTOR, withVector, {
    zeros: new Array(8).fill(0),
    "-0": new Float32Array(8).fill(-0),
  }),
  refuses(
    "components of",
    BAD_VECTOR,
    (world, size) => withVector(world, new Array(8).fill(size)),
    [1e-30, 1e20, 1e-40, 4e11, 3e-13],
  ),
  gives("a view of shared memory, changed afterwards", ["new", 1], async (world) => {
    const vector = new Float64Array(new SharedArrayBuffer(64));
    vector.set(vectorOf(5));
    const done = withVector(world, vector);
    vector.fill(Number.NaN);
    await done;
    return nearest(world);
  }),
  ...USABLE_KINDS.map((kind) =>
    gives(`10,000 records with one vector hide no other from a graph of kind ${kind}`, [], async (world) => {
      const handle = await world.engine.createIndex("same", {
        vectorAttribute: "v",
        dimensions: 8,
        vectorIndex: { kind },
      });
      const others = Array.from({ length: 100 }, (_, i) => ({ id: `other${i}`, v: vectorOf(i) }));
      await handle.addRecords(anyOrder(others));
      await handle.whenIdle();
      const lost = [];
      for (const [i, { id }] of others.entries()) {
        const { hits } = await world.ask({ query: "", vector: vectorOf(i), hitsPerPage: 1 }, "same");
        if (hits[0]?.score !== 1 || (i !== 99 && hits[0]?.id !== id)) lost.push(id);
      }
      return lost;
    }),
  ),
]);

/** 10,000 records with the vector of the last of the others, before, between and after them. */
function anyOrder(
  others: readonly { readonly id: string; readonly v: readonly number[] }[],
): { id: string; v: readonly number[] }[] {
  const same = Array.from({ length: 10_000 }, (_, i) => ({ id: `same${i}`, v: vectorOf(99) }));
  return [...same.slice(0, 5000), ...others, ...same.slice(5000)];
}
