// Writes that depend on what an index holds: lists of records, updates and their operations, records that are left out, deletions by a
// filter, embedders and analyzers that fail. What is wrong in itself is a row of wrong-arguments.ts.

import { expect } from "vitest";
import { USABLE_KINDS } from "../support/vectors.js";
import { expectTexts, searchError } from "./message-rules.js";
import { bad, gives, passes, type Refusal, type Rows, refuses, testRows } from "./row.js";
import { idsOf, rec, SECRET, throwing, vectorOf, World } from "./world.js";
import { op } from "./wrong-arguments.js";

const VERBS = ["addRecords", "updateRecords", "replaceAllRecords"] as const;
const skip = { onInvalid: "skip" };
const recordsFrom = (first: number, last: number): object[] =>
  Array.from({ length: last - first + 1 }, (_, i) => rec({ id: first + i }));

// Lists of records.

testRows(
  "lists of records",
  VERBS.map((verb): Rows => {
    const write = (world: World, ...given: readonly unknown[]): unknown => world.call(verb, "shop", ...given);
    return [
      refuses(
        `${verb}: all complaints come together`,
        { ...bad("missing_id", "records[1]"), msg: /records\[1\].*records\[3\]/ },
        (world) => write(world, [rec({ id: 1 }), {}, rec({ id: 2 }), rec({ id: 1.5 })]),
      ),
      gives(
        `${verb} of twelve bad records: the first ten are named, all are counted`,
        [12, [0, 1, 2, 5, 6, 7, 10, 11, 12, 15].map((position) => `records[${position}]`)],
        async (world) => {
          const records = Array.from({ length: 20 }, (_, i) => (i % 5 < 3 ? { title: SECRET } : rec({ id: i })));
          const error: unknown = await Promise.resolve(write(world, records)).catch((thrown: unknown) => thrown);
          expectTexts(searchError(error));
          const { details } = error as { details: { complaints: { param: string }[]; total: number } };
          return [details.total, details.complaints.map(({ param }) => param)];
        },
      ),
      refuses(`${verb} with a bad vector`, bad("invalid_vector", "records[0]"), (world) =>
        world.call(verb, "near", [{ id: 1, vector: [1, 2] }]),
      ),
      gives(
        `${verb} of an id twice: the last counts, as one`,
        [{ added: 1, replaced: 0 }, [rec({ id: "7", n: 2 })]],
        async (world) => [await write(world, [rec({ id: 7, n: 1 }), rec({ id: "7", n: 2 })]), await world.get([7])],
      ),
      gives(
        `${verb} of no records`,
        [{ added: 0, replaced: 0 }, verb === "replaceAllRecords" ? 0 : 3],
        async (world) => [await write(world, []), (await world.records("shop")).length],
      ),
      {
        what: `${verb} with an embedder that fails`,
        prepare: (world) => (world.embedder.answer = throwing),
        run: (world) => world.call(verb, "meant", [rec({ id: 1, title: "Other" })]),
        expect: bad("embedder_failed", "embedder", 502),
      },
      {
        what: `${verb} of more records than a call takes, wrong ones with them`,
        options: { limits: { batchRecords: 3 } },
        run: (world) => write(world, [{}, {}, {}, rec()], skip),
        expect: bad("batch_too_large", "records", 413),
      },
      {
        what: `${verb} beyond what the index may hold, wrong records aside`,
        options: { limits: { indexRecords: 4 } },
        run: (world) => write(world, [{}, ...recordsFrom(4, 8)], skip),
        expect: bad("index_full", "records", 507),
      },
      {
        what: `${verb} beyond what the memory may hold`,
        options: { limits: { maxMemory: 40_000 } },
        run: (world) =>
          write(
            world,
            Array.from({ length: 200 }, (_, id) => rec({ id, text: `word${id} `.repeat(20) })),
          ),
        expect: bad("memory_limit", "records", 507),
      },
      gives(`${verb} of wrong records alone, left out`, [0, 0, ["invalid_record", "missing_id"]], async (world) => {
        const { added, replaced, skipped } = (await write(world, [null, { title: SECRET }], skip)) as Skipping;
        return [added, replaced, skipped.map(({ error }) => error)];
      }),
    ];
  }),
);

interface Skipping {
  readonly added: number;
  readonly replaced: number;
  readonly skipped: readonly { readonly index: number; readonly error: string }[];
}

testRows("lists of records", [
  {
    what: "replacing in an index that is full",
    options: { limits: { indexRecords: 3 } },
    run: async (world) => [await world.add([rec({ id: 1 })]), await world.found("drill")],
    expect: (result) => expect(result).toEqual([{ added: 0, replaced: 1 }, ["3", "two"]]),
  },
  gives(
    "records that are left out, each with its place, its id as a text, and what is wrong with it",
    {
      added: 1,
      replaced: 0,
      skipped: [
        {
          index: 0,
          id: "7",
          error: "invalid_field_value",
          msg: expect.stringMatching(/^records\[0\] \(id "7"\) .*"n"/),
        },
        { index: 2, error: "missing_id", msg: expect.stringMatching(/^records\[2\] has no "id"/) },
      ],
    },
    (world) => world.add([{ id: 7, n: Number.NaN }, rec(), { title: SECRET }], "shop", skip),
  ),
  gives("calls at the same time, each with its own", [[], [0, 2], [], [0]], async (world) => {
    const lists = [[], [{}, rec({ id: 11 }), null], [rec({ id: 12 }), rec({ id: 13 })], [5]];
    const results = await Promise.all(lists.map((list) => world.add(list, "shop", skip)));
    return (results as Skipping[]).map(({ skipped }) => skipped.map(({ index }) => index));
  }),
]);

// Updates.

const update = (world: World, ...patches: readonly unknown[]): unknown => world.call("updateRecords", "shop", patches);
const large = "x".repeat(60_000);
const UPDATED =
  '{"id":1,"title":"Red kettle","brand":"Forge","price":null,"note":0,"__proto__":{"isAdmin":true},"constructor":null,"then":1}';
const BAD_OPERATION: Refusal = bad("invalid_record", "records[1]");
const OPERATIONS = ["Increment", "Decrement", "Add", "AddUnique", "Remove"];
/** Records 1 and 3 hold a number, a text and a list under these names. */
const HELD = [
  [1, "price", ["Add", "AddUnique", "Remove"]],
  [1, "brand", OPERATIONS],
  [3, "tags", ["Increment", "Decrement"]],
] as const;

testRows("operations in updates", [
  HELD.flatMap(([id, name, operations]) =>
    refuses(
      `of ${name}, which holds something else:`,
      { ...BAD_OPERATION, msg: new RegExp(`"${name}" holds an? .*" needs an? (number|array)`) },
      (world, operation) => update(world, rec(), { id, [name]: op(operation, 1) }),
      operations,
    ),
  ),
  refuses("on an object", { ...BAD_OPERATION, msg: /"specs" holds an object/ }, (world) =>
    update(world, rec(), { id: "two", specs: op("Increment", 1) }),
  ),
  refuses("on the vector", BAD_OPERATION, (world) =>
    world.call("updateRecords", "near", [{ id: 1 }, { id: 1, vector: op("Add", 1) }]),
  ),
  refuses("a sum that is not finite", { ...BAD_OPERATION, msg: /not finite/ }, (world) =>
    update(world, { id: 1, price: 1.7e308 }, { id: 1, price: op("Increment", 1.7e308) }),
  ),
  refuses("two that cannot be done", { ...bad("invalid_record"), msg: /records\[[01]\].*records\[[01]\]/ }, (world) =>
    update(world, { id: 3, tags: op("Increment", 1) }, { id: 1, brand: op("Add", "x") }),
  ),
  {
    what: "one that makes a list too long",
    options: { limits: { arrayItems: 8 } },
    run: (world) => update(world, { id: 3, tags: [1, 2, 3, 4, 5, 6, 7, 8] }, { id: 3, tags: op("Add", 9) }),
    expect: bad("record_too_large", "records[1]", 413),
  },
  gives("one counts as one attribute, and its keys may be undefined", { added: 0, replaced: 1 }, async () => {
    const world = await World.bare({ limits: { recordAttributes: 3 } });
    await world.add([{ id: 1, n: 1, tags: [] }]);
    return update(world, { id: 1, n: { ...op("Increment", 1), more: undefined }, tags: op("Add", "x") });
  }),
  gives(
    "on names of built-in objects",
    '{"id":"new","__proto__":1,"constructor":["x"],"toString":-2}',
    async (world) => {
      const json = `{"id":"new","__proto__":${JSON.stringify(op("Increment", 1))}}`;
      await update(world, { ...JSON.parse(json), constructor: op("Add", "x"), toString: op("Decrement", 2) });
      return JSON.stringify((await world.get(["new"]))[0]);
    },
  ),
  gives("and lists, changed after the call", { id: 1, price: 11, tags: ["a"] }, async (world) => {
    const patch = { id: 1, price: { _operation: "Increment", value: 1 }, tags: ["a"] };
    const done = update(world, patch);
    patch.price.value = 100;
    patch.tags.push("b");
    await done;
    const [{ id, price, tags }] = (await world.get([1])) as [{ id: number; price: number; tags: string[] }];
    return { id, price, tags };
  }),
  refuses("in an import", bad("invalid_record", "record"), (world) =>
    world.call(
      "importIndex",
      "new",
      '{"tandem-search":1,"settings":{"embedder":false}}\n{"id":1,"n":{"_operation":"Increment","value":1}}\n',
    ),
  ),
]);

testRows("updates", [
  {
    what: "that make a record too large",
    prepare: (world) => world.add([{ id: 1, a: large }]),
    run: (world) => update(world, { id: "two", b: 1 }, { id: 1, b: large }),
    expect: bad("record_too_large", "records[1]", 413),
  },
  {
    what: "that give a record too many attributes",
    prepare: (world) =>
      world.add([Object.fromEntries([["id", 1], ...Array.from({ length: 999 }, (_, i) => [`a${i}`, 1])])]),
    run: (world) => update(world, { id: 1, more: 1 }),
    expect: bad("record_too_large", "records[0]", 413),
  },
  gives(
    "that would make a record too large, left out; those before and behind count",
    [{ added: 1, replaced: 1, skipped: [expect.objectContaining({ index: 1, id: "1" })] }, [false, "end", 2]],
    async (world) => {
      await world.add([{ id: 1, a: large }]);
      const patches = [
        { id: 1, last: "end" },
        { id: 1, b: large, n: 1 },
        { id: "x", b: large },
        { id: 1, n: 2 },
      ];
      const result = await world.call("updateRecords", "shop", patches, skip);
      const [record] = (await world.get([1])) as { b?: string; last: string; n: number }[];
      return [result, ["b" in record!, record!.last, record!.n]];
    },
  ),
  gives(
    "of ids that no record has, passed over and not named",
    [{ added: 0, replaced: 1, skipped: [] }, [null, null], 1],
    async (world) => {
      await world.delete([1]);
      const patches = [1, "__proto__", 3].map((id) => ({ id, price: 7 }));
      return [
        await world.call("updateRecords", "shop", patches, { ...skip, createIfNotExists: false }),
        await world.get([1, "__proto__"]),
        (await world.ask({ query: "", filters: "price = 7" })).nbHits,
      ];
    },
  ),
  ...refuses(
    "by a path into an object (R19)",
    {
      ...bad("invalid_record", "records[0]"),
      msg: /^records\[0\] \(id "1"\) names "(price|sizes|a\.b)[.a-z]*", but "(price|sizes|a\.b)" of the stored record is (an object|a list of objects); an update replaces whole attributes, so pass "(price|sizes|a\.b)" with all that it holds\.$/,
    },
    (world, patch) => update(world, { id: 1, note: "x", ...(patch as object) }, { id: 2, note: "x" }),
    '{"price.eur":7} | {"price.gbp":7} | {"price.eur":null} | {"price.eur.net":7} | {"sizes.cm":4} | {"a.b.c":2} | {"price":{},"price.eur":7}',
  ).map((row) => ({
    ...row,
    prepare: (world: World) => world.add([{ id: 1, price: { eur: 5, usd: 6 }, sizes: [{ cm: 3 }], "a.b": { c: 1 } }]),
  })),
  refuses(
    "by a path into what an earlier update of the call brings",
    { ...bad("invalid_record", "records[1]"), msg: /2 complaints|records\[1\].*records\[2\]/ },
    (world) => update(world, { id: 1, price: { eur: 5 } }, { id: 1, "price.eur": 6 }, { id: 1, "price.usd": 6 }),
  ),
  gives(
    "by a name with dots that is an attribute, or of no object",
    [
      '{"id":1,"price":{"eur":5},"price.eur":7,"tags":["a"],"tags.x":1,"brand":"a","brand.x":2}',
      '{"id":9,"a":{"b":1},"a.b":2}',
    ],
    async (world) => {
      await world.add([{ id: 1, price: { eur: 5 }, "price.eur": 6, tags: ["a"] }]);
      const first = { id: 1, "price.eur": 7, "tags.x": 1, brand: "a", "brand.x": 2 };
      await update(world, first, { id: 9, a: { b: 1 }, "a.b": 2 });
      return (await world.get([1, 9])).map((record) => JSON.stringify(record));
    },
  ),
  gives("by own keys that built-in objects have; undefined is no change, null is stored", UPDATED, async (world) => {
    const patch = '{"id":1,"__proto__":{"isAdmin":true},"constructor":null,"then":1,"note":0,"price":null}';
    await update(world, { ...JSON.parse(patch), brand: undefined });
    return JSON.stringify((await world.get([1]))[0]);
  }),
]);

// Deletions by a filter.

const byFilter = (world: World, filters: unknown): unknown => world.call("deleteBy", "shop", { filters });

testRows("deleteBy", [
  passes(
    "less than all, by",
    `{"NOT":{}} | {"AND":[{},{"brand":"Forge"}]} | {"AND":[{"brand":"Forge"},{}]} | {"OR":[{"brand":"Forge"},{"price":5}]} |
    {"NOT":{"brand":"Forge"}} | {"NOT":{"OR":[{"NOT":{}},{"brand":"Forge"}]}} | {"NOT":{"AND":[{"brand":"Forge"},{"price":10}]}} |
    {"NOT":{"AND":[{"brand":"Forge"},{}]}} | {"NOT":{"brand":["Forge"]}} | {"NOT":{"brand":{"exists":true}}} |
    {"NOT":{"NOT":{"brand":"Forge"}}}`,
    byFilter,
    (result) => expect((result as { readonly deleted: number }).deleted).toBeLessThan(3),
  ),
  refuses(
    "by the unknown",
    bad("unknown_filter_field", "filters"),
    byFilter,
    '"colour:red" | {"colour":"red"} | "__proto__:x" | "brand:Forge OR x EXISTS"',
  ),
  gives(
    "nothing, by",
    { deleted: 0 },
    byFilter,
    '"brand:nobody" | {"brand":[]} | {"OR":[]} | "price > 5 AND price < 5" | "NOT title EXISTS"',
  ),
  gives("all, by", { deleted: 3 }, byFilter, ["title EXISTS", "NOT brand:nobody", { title: { exists: true } }]),
  gives("by a filter changed after the call", { deleted: 1 }, (world) => {
    const params = { filters: { brand: ["Forge"] } };
    const done = world.call("deleteBy", "shop", params);
    params.filters.brand.push("Volt");
    Reflect.set(params, "filters", "title EXISTS");
    return done;
  }),
]);

// Embedders and analyzers that fail.

const FAILED: Refusal = bad("embedder_failed", "embedder", 502);

type Answer = (texts: readonly string[]) => unknown;

const vectors: Answer = (texts) => texts.map((_, i) => vectorOf(i));
const withLast =
  (last: unknown): Answer =>
  (texts) => [...texts.slice(1).map((_, i) => vectorOf(i)), last];

function fail(reason: unknown): Answer {
  return () => {
    throw reason;
  };
}

function addMeant(world: World, answer: unknown, options?: unknown): unknown {
  world.embedder.answer = answer as Answer;
  return world.add([rec({ id: "a" }), rec({ id: "b", title: "Lamp stand" })], "meant", options);
}

const hang: Answer = () => new Promise(() => {});
const soon = (): object => ({ signal: AbortSignal.timeout(30) });

testRows("embedders that fail", [
  refuses("an embedder that", FAILED, addMeant, {
    throws: fail(new Error("no model")),
    "throws a text": fail("no model"),
    "throws undefined": fail(undefined),
    rejects: () => Promise.reject(new Error("no model")),
    "throws what looks like an abort": fail(Object.assign(new Error("x"), { code: 499, name: "AbortError" })),
    "answers undefined": () => undefined,
    "answers a text": () => "12",
    "answers an array-like": () => ({ 0: vectorOf(0), 1: vectorOf(1), length: 2 }),
    "answers one vector for two texts": () => [vectorOf(0)],
    "answers three vectors for two texts": () => [vectorOf(0), vectorOf(1), vectorOf(2)],
    "answers promises of vectors": (texts: readonly string[]) => texts.map((_, i) => Promise.resolve(vectorOf(i))),
  }),
  refuses("the error of an embedder is kept", { ...FAILED, cause: /no model/ }, (world) =>
    addMeant(world, fail(new Error("no model"))),
  ),
  refuses("the text of a bad vector is named by position", { ...FAILED, msg: /text 1/ }, (world) =>
    addMeant(world, withLast([1, 2])),
  ),
  gives(
    "an embedder that hangs ends with its signal, and does not stand in the way of the next",
    [expect.objectContaining({ code: 499, param: "signal" }), { added: 2, replaced: 0 }],
    async (world) => {
      const first = Promise.resolve(addMeant(world, hang, soon())).catch((error: unknown) => error);
      const second = new Promise((resolve) => setTimeout(() => resolve(addMeant(world, vectors)), 50));
      return [await first, await second];
    },
  ),
  gives("no vector for a text", { added: 2, replaced: 0 }, (world) => addMeant(world, withLast(null))),
  passes(
    "an analyzer is refused, or ignored, by an error of ours, that",
    {
      throws: fail(new Error("no words")),
      "answers nothing": () => undefined,
      "answers no texts": () => [1, null, {}],
    },
    async (world, analyze) => {
      await world.create("new", { analyzer: { id: "own", analyze } });
      return Promise.allSettled([world.add([rec()], "new"), world.ask({ query: "lamp" }, "new")]);
    },
    (outcomes) => {
      for (const outcome of outcomes as PromiseSettledResult<unknown>[])
        if (outcome.status === "rejected") searchError(outcome.reason);
    },
  ),
]);

// Queries beside writes, and graphs that grow.

/** The numbers of hits that queries see until a write is done, and after it. */
async function seenBeside(world: World, index: string, query: string, write: Promise<unknown>): Promise<number[]> {
  const seen = new Set<number>();
  let isWriting = true;
  const look = async (): Promise<unknown> => seen.add((await world.ask({ query, hitsPerPage: 0 }, index)).nbHits);
  void write.finally(() => (isWriting = false));
  while (isWriting) {
    await look();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await look();
  return [...seen];
}

testRows("queries beside writes, and graphs that grow", [
  gives("queries while adding see before or after", [0, 3000], (world) => {
    const records = Array.from({ length: 3000 }, (_, id) => ({ id: `u${id}`, title: "Unicycle" }));
    return seenBeside(world, "shop", "unicycle", world.add(records));
  }),
  gives("queries during a replacement see all of the old or all of the new", [3, 3000], (world) => {
    const records = Array.from({ length: 3000 }, (_, id) => ({ id, title: "drill", vector: vectorOf(id) }));
    return seenBeside(world, "near", "", world.call("replaceAllRecords", "near", records));
  }),
  USABLE_KINDS.map((kind) =>
    gives(`64 to 5,000 vectors, by a graph of kind ${kind}`, ["0", "63", "64", "1099", "4999"], async (world) => {
      const settings = { vectorAttribute: "v", dimensions: 8, vectorIndex: { kind } };
      const handle = await world.engine.createIndex("grown", settings);
      for (const [from, to] of [
        [0, 64],
        [64, 1100],
        [1100, 5000],
      ] as const)
        await handle.addRecords(Array.from({ length: to - from }, (_, i) => ({ id: from + i, v: vectorOf(from + i) })));
      await handle.whenIdle();
      const asked = [0, 63, 64, 1099, 4999].map((i) => ({ query: "", vector: vectorOf(i), hitsPerPage: 1 }));
      const answers = await Promise.all(asked.map((params) => world.ask(params, "grown")));
      return answers.map((answer) => idsOf(answer)[0]);
    }),
  ),
]);
