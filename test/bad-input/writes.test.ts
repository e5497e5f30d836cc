// Verbs that write, given wrong or odd batches; embedders and analyzers that fail; writers that meet.

import { expect } from "vitest";
import { USABLE_KINDS } from "../support/vectors.js";
import { searchError } from "./message-rules.js";
import { bad, gives, passes, type Refusal, type Row, refuses, shown, testRows } from "./row.js";
import { idsOf, rec, SECRET, throwing, vectorOf, World } from "./world.js";

// The list of records.

const add = (world: World, records: unknown): unknown => world.add(records);
const BAD_LIST: Refusal = bad("invalid_records", "records");
const BAD_FIRST: Refusal = bad("invalid_record", "records[0]");

testRows("the list of records", [
  gives("a deleted index", [1, expect.objectContaining({ code: 404, error: "index_not_found" })], async (world) => {
    await world.create("gone");
    const before = await world.engine.listIndexes();
    const handle = world.engine.index<object>("gone");
    await world.engine.deleteIndex("gone");
    const code = await handle.addRecords([rec()]).catch((error: unknown) => error);
    return [before.length - (await world.engine.listIndexes()).length, code];
  }),
  refuses("records", BAD_LIST, add, {
    ...shown(null, undefined, 5, "x", true, new Map(), new Set([1]), () => []),
    "a Promise": Promise.resolve([]),
  }),
  refuses("records as JSON text", BAD_LIST, (world) => world.add(JSON.stringify([rec()]))),
  refuses("one record", { ...BAD_LIST, msg: /\[record\]/ }, (world) => world.add(rec())),
  {
    what: "an empty list",
    run: async (world) => [await world.picture(), await world.add([]), await world.picture()],
    expect: (result) => {
      const [before, answer, after] = result as unknown[];
      expect(answer).toEqual({ added: 0, replaced: 0 });
      expect(after).toEqual(before);
    },
  },
  refuses("a hole in the list", { ...BAD_FIRST, param: "records[1]" }, (world) =>
    world.add(Object.assign(new Array(3), { 0: rec({ id: 1 }), 2: rec({ id: 2 }) })),
  ),
  refuses("a record that is", BAD_FIRST, (world, record) => world.add([record]), {
    ...shown(null, "x", [], new Date(0), new Map(), 5, true, Symbol(), 1n, undefined, () => ({})),
    "JSON text": JSON.stringify(rec()),
    "a class instance": new (class Product {
      id = 1;
    })(),
  }),
]);

testRows("the list of records", [
  gives("an id twice: the last counts", [{ added: 1, replaced: 0 }, [rec({ n: 2 })]], async (world) => [
    await world.add([rec({ n: 1 }), rec({ n: 2 })]),
    await world.get(["new"]),
  ]),
  {
    what: "a batch twice",
    run: async (world) => {
      const batch = [rec({ id: 7 }), rec({ id: 8, title: "Drill stand" })];
      const answers = [await world.add(batch)];
      const before = await world.picture();
      answers.push(await world.add(batch));
      return [answers, before, await world.picture()];
    },
    expect: (result) => {
      const [answers, before, after] = result as unknown[];
      expect(answers).toEqual([
        { added: 2, replaced: 0 },
        { added: 0, replaced: 2 },
      ]);
      expect(after).toEqual(before);
    },
  },
  refuses("record 7 of 10 is bad", { ...bad("invalid_field_value", "records[7]"), msg: /records\[7\]/ }, (world) =>
    world.add(Array.from({ length: 10 }, (_, id) => rec(id === 7 ? { id, price: Number.NaN } : { id }))),
  ),
  gives(
    "twelve bad records: the first ten are named, all are counted",
    [12, [0, 1, 2, 5, 6, 7, 10, 11, 12, 15].map((position) => `records[${position}]`)],
    async (world) => {
      const records = Array.from({ length: 20 }, (_, i) => (i % 5 < 3 ? { title: SECRET } : rec({ id: i })));
      const error: unknown = await world.add(records).catch((thrown: unknown) => thrown);
      const { details } = error as { details: { complaints: { param: string }[]; total: number } };
      return [details.total, details.complaints.map(({ param }) => param)];
    },
  ),
  {
    what: "more records than a call takes",
    options: { limits: { batchRecords: 3 } },
    run: (world) => world.add([1, 2, 3, 4].map((id) => rec({ id }))),
    expect: bad("batch_too_large", "records", 413),
  },
  refuses("a list of length 2^32 - 1", bad("batch_too_large", "records", 413), (world) =>
    world.add(Object.assign([], { length: 2 ** 32 - 1 })),
  ),
  gives(
    "records changed after the call",
    [{ id: "new", title: "Lamp", tags: ["a"], deep: { n: 1 } }, null],
    async (world) => {
      const record = { id: "new", title: "Lamp", tags: ["a"], deep: { n: 1 } };
      const list: unknown[] = [record];
      const done = world.add(list);
      list.push(rec({ id: "late" }));
      record.title = "Changed";
      record.tags.push("b");
      record.deep.n = 2;
      await done;
      return world.get(["new", "late"]);
    },
  ),
  refuses(
    "onProgress",
    bad("invalid_options", "onProgress"),
    (world, onProgress) => world.add([rec()], "shop", { onProgress }),
    [5, "x", {}, null],
  ),
]);

// What updateRecords and replaceAllRecords share with addRecords.

const WRITERS = ["updateRecords", "replaceAllRecords"] as const;
const refusal = (param: string, error: string, code = 400): Refusal => ({ code, error, param });

testRows(
  "what updateRecords and replaceAllRecords share with addRecords",
  WRITERS.flatMap((verb) => [
    refuses(
      `${verb} with`,
      refusal("records", "invalid_records"),
      (world, records) => world.call(verb, "shop", records),
      [undefined, null, 5, "x", true, new Map(), new Set(), Promise.resolve([]), () => []],
    ),
    refuses(`${verb} with one record`, { ...refusal("records", "invalid_records"), msg: /\[record\]/ }, (world) =>
      world.call(verb, "shop", rec()),
    ),
    refuses(
      `${verb} with the record`,
      refusal("records[1]", "invalid_record"),
      (world, record) => world.call(verb, "shop", [rec({ id: 1 }), record]),
      [null, undefined, "x", [], 5, new Date(0), new Map()],
    ),
    refuses(`${verb} without an id`, refusal("records[1]", "missing_id"), (world) =>
      world.call(verb, "shop", [rec(), { title: "x" }]),
    ),
    refuses(
      `${verb} with the id`,
      refusal("records[0]", "invalid_id"),
      (world, id) => world.call(verb, "shop", [rec({ id })]),
      ["", null, {}, true, 1.5, Number.NaN, 1n, Symbol(), "\ud800"],
    ),
    refuses(
      `${verb} with a getter that throws`,
      { ...refusal("records[1]", "invalid_record"), cause: /from the getter/ },
      (world) =>
        world.call(verb, "shop", [
          rec({ id: 1 }),
          Object.defineProperty(rec(), "x", { get: throwing, enumerable: true }),
        ]),
    ),
    refuses(
      `${verb} with the value`,
      refusal("records[0]", "invalid_field_value"),
      (world, value) => world.call(verb, "shop", [{ id: 1, value }]),
      [5n, Symbol(), () => 1, new Map(), Number.NaN],
    ),
    refuses(`${verb} with a bad vector`, refusal("records[0]", "invalid_vector"), (world) =>
      world.call(verb, "near", [{ id: 1, vector: [1, 2] }]),
    ),
    refuses(
      `${verb}: all complaints come together`,
      { ...refusal("records[1]", "missing_id"), msg: /records\[1\].*records\[3\]/ },
      (world) => world.call(verb, "shop", [rec({ id: 1 }), {}, rec({ id: 2 }), rec({ id: 1.5 })]),
    ),
    {
      what: `${verb} with an embedder that fails`,
      prepare: (world) => (world.embedder.answer = throwing),
      run: (world) => world.call(verb, "meant", [rec({ id: 1, title: "Other" })]),
      expect: refusal("embedder", "embedder_failed", 502),
    },
    {
      what: `${verb} beyond what the index may hold`,
      options: { limits: { indexRecords: 4 } },
      run: (world) =>
        world.call(
          verb,
          "shop",
          [4, 5, 6, 7, 8].map((id) => rec({ id })),
        ),
      expect: refusal("records", "index_full", 507),
    },
    {
      what: `${verb} beyond what the memory may hold`,
      options: { limits: { maxMemory: 40_000 } },
      run: (world) =>
        world.call(
          verb,
          "shop",
          Array.from({ length: 200 }, (_, id) => rec({ id, text: `word${id} `.repeat(20) })),
        ),
      expect: refusal("records", "memory_limit", 507),
    },
  ]),
);

// Wrong records that are left out.

const RECORD_VERBS = ["addRecords", ...WRITERS] as const;
const skip = { onInvalid: "skip" };
const large = "x".repeat(60_000);

testRows("wrong records that are left out", [
  ...RECORD_VERBS.map((verb) => [
    refuses(
      `${verb} with onInvalid`,
      refusal("onInvalid", "invalid_options"),
      (world, onInvalid) => world.call(verb, "shop", [rec()], { onInvalid }),
      [null, true, 5, "", "SKIP", "fail", {}, []],
    ),
    refuses(
      `${verb}, of what is no list of records:`,
      refusal("records", "invalid_records"),
      (world, records) => world.call(verb, "shop", records, skip),
      [null, "x", {}, rec()],
    ),
    {
      what: `${verb} of too many records, most of them wrong`,
      options: { limits: { batchRecords: 3 } },
      run: (world: World) => world.call(verb, "shop", [{}, {}, {}, rec()], skip),
      expect: refusal("records", "batch_too_large", 413),
    },
    {
      what: `${verb} beyond what the index may hold, wrong records aside`,
      options: { limits: { indexRecords: 4 } },
      run: (world: World) => world.call(verb, "shop", [{}, ...[4, 5, 6, 7, 8].map((id) => rec({ id }))], skip),
      expect: refusal("records", "index_full", 507),
    },
    gives(`${verb} of wrong records alone`, [0, 0, ["invalid_record", "missing_id"]], async (world) => {
      const result = await world.call(verb, "shop", [null, { title: SECRET }], skip);
      const { added, replaced, skipped } = result as { added: number; replaced: number; skipped: { error: string }[] };
      return [added, replaced, skipped.map(({ error }) => error)];
    }),
  ]),
  gives(
    "each with its place, its id as a text, and what is wrong with it",
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
  gives(
    "an update that would make a record too large; those before and behind it count",
    [
      { added: 1, replaced: 1, skipped: [expect.objectContaining({ index: 1, id: "1", error: "record_too_large" })] },
      [true, false, "end", 2],
    ],
    async (world) => {
      await world.add([{ id: 1, a: large }]);
      const patches = [
        { id: 1, last: "end" },
        { id: 1, b: large, n: 1 },
        { id: "x", b: large },
        { id: 1, n: 2 },
      ];
      const result = await world.call("updateRecords", "shop", patches, skip);
      const [record] = (await world.get([1])) as { a: string; b?: string; last: string; n: number }[];
      return [result, [record!.a === large, "b" in record!, record!.last, record!.n]];
    },
  ),
  gives(
    "updates of an unknown id that are passed over are not named",
    { added: 0, replaced: 0, skipped: [] },
    (world) => world.call("updateRecords", "shop", [rec()], { ...skip, createIfNotExists: false }),
  ),
  gives(
    "calls at the same time, each with its own",
    [
      [0, []],
      [1, [0, 2]],
      [2, []],
      [0, [0]],
    ],
    async (world) => {
      const lists = [[], [{}, rec({ id: 11 }), null], [rec({ id: 12 }), rec({ id: 13 })], [5]];
      const results = await Promise.all(lists.map((list) => world.add(list, "shop", skip)));
      return (results as { added: number; skipped: { index: number }[] }[]).map(({ added, skipped }) => [
        added,
        skipped.map(({ index }) => index),
      ]);
    },
  ),
]);

// Operations in updates.

const op = (_operation: unknown, value?: unknown): object => ({ _operation, value });
const update = (world: World, ...patches: readonly unknown[]): unknown => world.call("updateRecords", "shop", patches);
const BAD_OPERATION: Refusal = refusal("records[1]", "invalid_record");
/** Records 1 and 3 hold a number, a text and a list under these names. */
const HELD = ["price", "brand", "tags"] as const;

testRows("operations in updates", [
  refuses("an operation", BAD_OPERATION, (world, value) => update(world, rec(), rec({ id: 1, value })), {
    ...shown(op("Multiply", 1), op("increment", 1), op("", 1), op(5, 1), op(null, 1), op(undefined, 1), op("add", "x")),
    ...Object.fromEntries(
      ["Increment", "Decrement"].flatMap((name) =>
        [undefined, null, "1", true, [1], {}, Number.NaN, Number.POSITIVE_INFINITY, 1n, new Date(0)].map((value) => [
          `${name} ${typeof value} ${String(value)}`,
          op(name, value),
        ]),
      ),
    ),
    ...Object.fromEntries(
      ["Add", "AddUnique", "Remove"].flatMap((name) =>
        [undefined, null, true, ["x"], {}, op("Add", "x"), Number.NaN, Symbol(), () => 1].map((value) => [
          `${name} ${typeof value} ${String(value)}`,
          op(name, value),
        ]),
      ),
    ),
    "a further key": { ...op("Increment", 1), more: 1 },
    "a further key of null": { ...op("Increment", 1), __proto__: null, constructor: null },
    "in a list": [op("Add", "x")],
    "in an object": { n: op("Increment", 1) },
    "deep down": [{ at: { n: [op("Increment", 1)] } }],
  }),
  refuses("a patch that is itself an operation", BAD_OPERATION, (world) =>
    update(world, rec(), { id: 1, ...op("Increment", 1) }),
  ),
  refuses("an operation on the id", BAD_OPERATION, (world) => update(world, rec(), { id: op("Increment", 1) })),
  refuses("an operation on the vector", BAD_OPERATION, (world) =>
    world.call("updateRecords", "near", [{ id: 1 }, { id: 1, vector: op("Add", 1) }]),
  ),
  ...HELD.flatMap((name) =>
    ["Increment", "Decrement", "Add", "AddUnique", "Remove"]
      .filter((each) => name === "brand" || (name === "tags") === each.endsWith("crement"))
      .map((each) =>
        refuses(
          `${each} of ${name}, which holds something else`,
          { ...BAD_OPERATION, msg: new RegExp(`"${name}" holds an? .*"${each}" needs an? (number|array)`) },
          (world) => update(world, rec(), { id: name === "tags" ? 3 : 1, [name]: op(each, 1) }),
        ),
      ),
  ),
  refuses("an operation on an object", { ...BAD_OPERATION, msg: /"specs" holds an object/ }, (world) =>
    update(world, rec(), { id: "two", specs: op("Increment", 1) }),
  ),
  refuses("a sum that is not finite", { ...BAD_OPERATION, msg: /not finite/ }, (world) =>
    update(world, { id: 1, price: 1.7e308 }, { id: 1, price: op("Increment", 1.7e308) }),
  ),
  refuses(
    "operations that cannot be done: all complaints come together",
    { code: 400, error: "invalid_record", msg: /records\[[01]\].*records\[[01]\]/ },
    (world) => update(world, { id: 3, tags: op("Increment", 1) }, { id: 1, brand: op("Add", "x") }),
  ),
  {
    what: "an operation that makes a list too long",
    options: { limits: { arrayItems: 8 } },
    run: (world) => update(world, { id: 3, tags: [1, 2, 3, 4, 5, 6, 7, 8] }, { id: 3, tags: op("Add", 9) }),
    expect: refusal("records[1]", "record_too_large", 413),
  },
  gives(
    "an operation counts as one attribute, and its keys may be undefined",
    { added: 0, replaced: 1, skipped: [] },
    async () => {
      const world = await World.bare({ limits: { recordAttributes: 3 } });
      await world.add([{ id: 1, n: 1, tags: [] }]);
      const patch = { id: 1, n: { ...op("Increment", 1), more: undefined }, tags: op("Add", "x") };
      return world.call("updateRecords", "shop", [patch], skip);
    },
  ),
  gives(
    "attributes that built-in objects have",
    '{"id":"new","__proto__":1,"constructor":["x"],"toString":-2}',
    async (world) => {
      await update(
        world,
        JSON.parse(
          '{"id":"new","__proto__":{"_operation":"Increment","value":1},"constructor":{"_operation":"Add","value":"x"},"toString":{"_operation":"Decrement","value":2}}',
        ),
      );
      return JSON.stringify((await world.get(["new"]))[0]);
    },
  ),
  gives("operations changed after the call", [11], async (world) => {
    const price = { _operation: "Increment", value: 1 };
    const done = update(world, { id: 1, price });
    price.value = 100;
    price._operation = "Decrement";
    await done;
    return (await world.get([1])).map((record) => (record as { price: number }).price);
  }),
  ...(["addRecords", "replaceAllRecords"] as const).map((verb) =>
    refuses(
      `${verb} with`,
      { ...BAD_OPERATION, msg: /operations stand in updateRecords only/ },
      (world, value) => world.call(verb, "shop", [rec(), rec({ id: 1, value })]),
      { "an operation": op("Increment", 1), "one in a list": [op("Add", 1)], "its key": { n: { _operation: null } } },
    ),
  ),
  refuses("importIndex with an operation", bad("invalid_record", "record"), (world) =>
    world.call(
      "importIndex",
      "new",
      '{"tandem-search":1,"settings":{"embedder":false}}\n{"id":1,"n":{"_operation":"Increment","value":1}}\n',
    ),
  ),
]);

// What updateRecords and replaceAllRecords do alone.

testRows("updateRecords and replaceAllRecords alone", [
  refuses(
    "createIfNotExists",
    refusal("createIfNotExists", "invalid_options"),
    (world, createIfNotExists) => world.call("updateRecords", "shop", [rec()], { createIfNotExists }),
    [null, 1, "true", {}, []],
  ),
  {
    what: "an update that makes a record too large",
    prepare: (world) => world.add([{ id: 1, a: "x".repeat(60_000) }]),
    run: (world) =>
      world.call("updateRecords", "shop", [
        { id: "two", b: 1 },
        { id: 1, b: "y".repeat(60_000) },
      ]),
    expect: refusal("records[1]", "record_too_large", 413),
  },
  {
    what: "an update that gives a record too many attributes",
    prepare: (world) =>
      world.add([Object.fromEntries([["id", 1], ...Array.from({ length: 999 }, (_, i) => [`a${i}`, 1])])]),
    run: (world) => world.call("updateRecords", "shop", [{ id: 1, more: 1 }]),
    expect: refusal("records[0]", "record_too_large", 413),
  },
  ...refuses(
    "an update by a path into an object (R19)",
    {
      ...refusal("records[0]", "invalid_record"),
      msg: /^records\[0\] \(id "1"\) names "(price|sizes|a\.b)[.a-z]*", but "(price|sizes|a\.b)" of the stored record is (an object|a list of objects); an update replaces whole attributes, so pass "(price|sizes|a\.b)" with all that it holds\.$/,
    },
    (world, patch) =>
      world.call("updateRecords", "shop", [
        { id: 1, note: "x", ...(patch as object) },
        { id: 2, note: "x" },
      ]),
    '{"price.eur":7} | {"price.gbp":7} | {"price.eur":null} | {"price.eur.net":7} | {"sizes.cm":4} | {"a.b.c":2} | {"price":{},"price.eur":7}',
  ).map((row) => ({
    ...row,
    prepare: (world: World) => world.add([{ id: 1, price: { eur: 5, usd: 6 }, sizes: [{ cm: 3 }], "a.b": { c: 1 } }]),
  })),
  refuses(
    "an update by a path into what an earlier update of the call brings",
    { ...refusal("records[1]", "invalid_record"), msg: /2 complaints|records\[1\].*records\[2\]/ },
    (world) =>
      world.call("updateRecords", "shop", [
        { id: 1, price: { eur: 5 } },
        { id: 1, "price.eur": 6 },
        { id: 1, "price.usd": 6 },
      ]),
  ),
  gives(
    "an update by a name with dots that is an attribute, or of no object",
    [
      '{"id":1,"price":{"eur":5},"price.eur":7,"tags":["a"],"tags.x":1,"brand":"a","brand.x":2}',
      '{"id":9,"a":{"b":1},"a.b":2}',
      null,
    ],
    async (world) => {
      await world.add([{ id: 1, price: { eur: 5 }, "price.eur": 6, tags: ["a"] }]);
      const patches = [
        { id: 1, "price.eur": 7, "tags.x": 1, brand: "a", "brand.x": 2 },
        { id: 9, a: { b: 1 }, "a.b": 2 },
      ];
      await world.call("updateRecords", "shop", patches);
      const absent = [
        { id: 8, a: { b: 1 } },
        { id: 8, "a.b": 2 },
      ];
      await world.call("updateRecords", "shop", absent, { createIfNotExists: false });
      const [first, second, third] = await world.get([1, 9, 8]);
      return [JSON.stringify(first), JSON.stringify(second), third];
    },
  ),
  gives(
    "an update of a deleted id is a new record",
    [{ deleted: 1 }, { added: 1, replaced: 0 }, [{ id: 1, price: 5 }], []],
    async (world) => [
      await world.delete([1]),
      await world.call("updateRecords", "shop", [{ id: 1, price: 5 }]),
      await world.get([1]),
      await world.found("kettle"),
    ],
  ),
  gives(
    "an update of ids that no record has, passed over",
    [{ added: 0, replaced: 1 }, [null, null], 1],
    async (world) => {
      await world.delete([1]);
      const options = { createIfNotExists: false };
      return [
        await world.call(
          "updateRecords",
          "shop",
          [
            { id: 1, price: 5 },
            { id: "__proto__", price: 5 },
            { id: 3, price: 7 },
          ],
          options,
        ),
        await world.get([1, "__proto__"]),
        (await world.ask({ query: "", filters: "price = 7" })).nbHits,
      ];
    },
  ),
  gives(
    "one id twice: both count, in their order, once",
    [{ added: 0, replaced: 1 }, [{ id: 1, title: "Red kettle", brand: "Volt", price: 2, note: "" }]],
    async (world) => [
      await world.call("updateRecords", "shop", [
        { id: 1, price: 1, brand: "Volt" },
        { id: "1", price: 2 },
      ]),
      (await world.get([1])).map((record) => ({ ...(record as object), id: 1, note: "" })),
    ],
  ),
  gives(
    "an update with own keys that built-in objects have",
    [
      '{"id":1,"title":"Red kettle","brand":"Forge","price":10,"note":0,"__proto__":{"isAdmin":true},"constructor":null,"then":1}',
      undefined,
    ],
    async (world) => {
      await world.call("updateRecords", "shop", [
        JSON.parse('{"id":1,"__proto__":{"isAdmin":true},"constructor":null,"then":1,"note":0}'),
      ]);
      const [record] = await world.get([1]);
      return [JSON.stringify(record), Reflect.get({}, "isAdmin")];
    },
  ),
  gives("undefined leaves an attribute as it is, null is stored", [1, 0], async (world) => {
    await world.call("updateRecords", "shop", [{ id: 1, brand: undefined, price: null }]);
    return [
      (await world.ask({ query: "", filters: "brand:Forge" })).nbHits,
      (await world.ask({ query: "", filters: "price EXISTS" })).nbHits,
    ];
  }),
  gives("patches changed after the call", ["a", "garden", "tools"], async (world) => {
    const patch = { id: 1, tags: ["a"] };
    const list = [patch];
    const done = world.call("updateRecords", "shop", list);
    patch.tags.push("b");
    list.push({ id: 3, tags: ["c"] });
    await done;
    return (await world.ask({ query: "", facets: ["tags"] })).facets?.tags?.map(({ value }) => value);
  }),
  gives("a replacement in which one id stands twice", [{ added: 1, replaced: 0 }, 1], async (world) => [
    await world.call("replaceAllRecords", "shop", [rec({ id: 7, n: 1 }), rec({ id: "7", n: 2 })]),
    (await world.records("shop")).length,
  ]),
  gives(
    "no updates; a replacement by nothing",
    [{ added: 0, replaced: 0 }, 3, { added: 0, replaced: 0 }, 0],
    async (world) => [
      await world.call("updateRecords", "shop", []),
      (await world.records("shop")).length,
      await world.call("replaceAllRecords", "shop", []),
      (await world.ask({ query: "" })).nbHits,
    ],
  ),
  gives("queries during a replacement see all of the old or all of the new", [3, 3000], async (world) => {
    const seen = new Set<number>();
    let writing = true;
    const done = world
      .call(
        "replaceAllRecords",
        "near",
        Array.from({ length: 3000 }, (_, id) => ({ id, title: "drill", vector: vectorOf(id) })),
      )
      .then(() => (writing = false));
    while (writing) {
      seen.add((await world.ask({ query: "", hitsPerPage: 0 }, "near")).nbHits);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await done;
    seen.add((await world.ask({ query: "", hitsPerPage: 0 }, "near")).nbHits);
    return [...seen];
  }),
]);

// The verb deleteBy.

const deleteBy = (world: World, params: unknown): Promise<unknown> => world.call("deleteBy", "shop", params);
const byFilter = (world: World, filters: unknown): Promise<unknown> => deleteBy(world, { filters });
const INVALID_FILTER = refusal("filters", "invalid_filter");

testRows("deleteBy", [
  refuses("deleteBy", refusal("params", "invalid_request"), deleteBy, {
    ...shown(undefined, null, "brand:Forge", [], 5, true, Symbol(), () => true),
  }),
  refuses("deleteBy without filters:", INVALID_FILTER, deleteBy, [
    {},
    { filters: undefined },
    { filter: "brand:Forge" },
    Object.create({ filters: "brand:Forge" }),
  ]),
  refuses("deleteBy with a misspelt name:", bad("unknown_parameter"), deleteBy, [
    { filters: "price < 100", filterz: "brand:Volt" },
  ]),
  refuses(
    "deleteBy, which would delete all:",
    INVALID_FILTER,
    byFilter,
    String.raw`"" | "  " | "\t\n" | {} | {"AND":[]} | {"AND":[{}]} | {"AND":[{},{}]} | {"OR":[{},{}]} | {"OR":[{"brand":"Forge"},{}]} |
    {"NOT":{"OR":[]}} | {"NOT":{"NOT":{}}} | {"NOT":{"OR":[{"NOT":{}},{"NOT":{}}]}} | {"NOT":{"AND":[{"brand":"Forge"},{"NOT":{}}]}} |
    {"NOT":{"brand":[]}} | {"NOT":{"OR":[{"brand":[]},{"price":{"in":[]}}]}} | {"AND":[{"AND":[]},{"OR":[{}]}]} |
    {"OR":[{"AND":[{"brand":"Forge"},{"price":5}]},{"NOT":{"brand":[]}}]}`,
  ),
  passes(
    "deleteBy may delete less than all:",
    `{"NOT":{}} | {"AND":[{},{"brand":"Forge"}]} | {"AND":[{"brand":"Forge"},{}]} | {"OR":[{"brand":"Forge"},{"price":5}]} |
    {"NOT":{"brand":"Forge"}} | {"NOT":{"OR":[{"NOT":{}},{"brand":"Forge"}]}} | {"NOT":{"AND":[{"brand":"Forge"},{"price":10}]}} |
    {"NOT":{"AND":[{"brand":"Forge"},{}]}} | {"NOT":{"brand":["Forge"]}} | {"NOT":{"brand":{"exists":true}}} |
    {"NOT":{"NOT":{"brand":"Forge"}}}`,
    byFilter,
    (result) => expect((result as { readonly deleted: number }).deleted).toBeLessThan(3),
  ),
  refuses("deleteBy with the filter", INVALID_FILTER, byFilter, [
    null,
    5,
    true,
    [],
    "brand =",
    { brand: {} },
    { brand: undefined },
    () => true,
  ]),
  refuses(
    "deleteBy with the unknown",
    refusal("filters", "unknown_filter_field"),
    byFilter,
    '"colour:red" | {"colour":"red"} | "__proto__:x" | "brand:Forge OR x EXISTS"',
  ),
  refuses("deleteBy with too much:", refusal("filters", "filter_too_complex"), byFilter, {
    brackets: "(".repeat(8000),
    conditions: { OR: new Array(513).fill({ brand: "Forge" }) },
  }),
  ...["facetFilters", "query", "params"].map((name) =>
    refuses(
      `deleteBy with ${name} beside, which would not narrow what is deleted`,
      refusal(name, "unknown_parameter"),
      (world) => deleteBy(world, { filters: "price < 100", [name]: ["brand:Volt"] }),
    ),
  ),
  gives(
    "deleteBy",
    { deleted: 0 },
    byFilter,
    '"brand:nobody" | {"brand":[]} | {"OR":[]} | "price > 5 AND price < 5" | "NOT title EXISTS"',
  ),
  gives("deleteBy", { deleted: 3 }, byFilter, ["title EXISTS", "NOT brand:nobody", { title: { exists: true } }]),
  gives("deleteBy, with the filter changed after the call", [{ deleted: 1 }, 2], async (world) => {
    const params = { filters: { brand: ["Forge"] } };
    const done = deleteBy(world, params);
    params.filters.brand.push("Volt");
    Reflect.set(params, "filters", "title EXISTS");
    return [await done, (await world.records("shop")).length];
  }),
]);

// Embedders that fail, writers that meet, indexes that grow or are full.

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

/** A right list of vectors whose own iterator gives none of them. */
function addMeant(world: World, answer: unknown, options?: unknown): unknown {
  world.embedder.answer = answer as Answer;
  return world.add([rec({ id: "a" }), rec({ id: "b", title: "Lamp stand" })], "meant", options);
}

testRows("embedders that fail, writers that meet, indexes that grow or are full", [
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
  refuses("an embedder that hangs, and a signal", bad("aborted", "signal", 499), (world) =>
    addMeant(world, () => new Promise(() => {}), { signal: AbortSignal.timeout(30) }),
  ),
  gives(
    "an embedder that hung does not stand in the way of the next",
    [expect.objectContaining({ code: 499 }), { added: 2, replaced: 0 }],
    async (world) => {
      const first = addMeant(world, () => new Promise(() => {}), { signal: AbortSignal.timeout(30) });
      const second = new Promise((resolve) => setTimeout(() => resolve(addMeant(world, vectors)), 50));
      return [await Promise.resolve(first).catch((error: unknown) => error), await second];
    },
  ),
  gives("no vector for a text", { added: 2, replaced: 0 }, (world) => addMeant(world, withLast(null))),
  ...(
    [
      ["throws", fail(new Error("no words"))],
      ["answers nothing", () => undefined],
      ["answers no texts", () => [1, null, {}]],
    ] as const
  ).map(
    ([what, analyze]): Row => ({
      what: `an analyzer that ${what} is refused, or ignored, by an error of ours`,
      run: async (world) => {
        await world.create("new", { analyzer: { id: "own", analyze } });
        const thrown = [];
        for (const work of [() => world.add([rec()], "new"), () => world.ask({ query: "lamp" }, "new")])
          thrown.push(
            await work().then(
              () => undefined,
              (error: unknown) => error,
            ),
          );
        return thrown.filter((error) => error !== undefined);
      },
      expect: (result) => {
        for (const error of result as unknown[]) searchError(error);
      },
    }),
  ),
]);

testRows("embedders that fail, writers that meet, indexes that grow or are full", [
  gives("two writers with the same ids: one batch after the other", [[3], 50], async (world) => {
    const batch = (n: number): unknown[] => Array.from({ length: 50 }, (_, id) => ({ id, n, title: "Unicycle" }));
    await Promise.all([world.add(batch(1)), world.add(batch(2)), world.add(batch(3))]);
    const records = (await world.get(Array.from({ length: 50 }, (_, id) => id))) as { readonly n: number }[];
    return [[...new Set(records.map(({ n }) => n))], (await world.ask({ query: "unicycle" })).nbHits];
  }),
  gives("queries while adding see before or after", [0, 3000], async (world) => {
    const seen = new Set<number>();
    let writing = true;
    const done = Promise.resolve(
      world.add(Array.from({ length: 3000 }, (_, id) => ({ id: `u${id}`, title: "Unicycle" }))),
    ).then(() => (writing = false));
    while (writing) {
      seen.add((await world.ask({ query: "unicycle", hitsPerPage: 0 })).nbHits);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await done;
    seen.add((await world.ask({ query: "unicycle", hitsPerPage: 0 })).nbHits);
    return [...seen];
  }),
  ...USABLE_KINDS.map((kind) =>
    gives(
      `an index that grows from 64 to 5,000 vectors, by a graph of kind ${kind}`,
      ["0", "63", "64", "1099", "4999"],
      async (world) => {
        const handle = await world.engine.createIndex("grown", {
          vectorAttribute: "v",
          dimensions: 8,
          vectorIndex: { kind },
        });
        for (const [from, to] of [
          [0, 64],
          [64, 1100],
          [1100, 5000],
        ] as const)
          await handle.addRecords(
            Array.from({ length: to - from }, (_, i) => ({ id: from + i, v: vectorOf(from + i) })),
          );
        await handle.whenIdle();
        const ids = [0, 63, 64, 1099, 4999];
        const answers = await Promise.all(
          ids.map((i) => world.ask({ query: "", vector: vectorOf(i), hitsPerPage: 1 }, "grown")),
        );
        return answers.map((answer) => idsOf(answer)[0]);
      },
    ),
  ),
  {
    what: "an index that is full",
    options: { limits: { indexRecords: 4 } },
    run: (world) => world.add([rec({ id: 4 }), rec({ id: 5 })]),
    expect: bad("index_full", "records", 507),
  },
  {
    what: "replacing in an index that is full",
    options: { limits: { indexRecords: 3 } },
    run: async (world) => [await world.add([rec({ id: 1 })]), await world.found("drill")],
    expect: (result) => expect(result).toEqual([{ added: 0, replaced: 1 }, ["3", "two"]]),
  },
  gives("6,000 additions and deletions of random ids leave no ghost", [], churn),
]);

/** Compares the index with a Map after each round; gives the rounds that differ. */
async function churn(world: World): Promise<unknown> {
  await world.create("new");
  const model = new Map<string, string>();
  const wrong: number[] = [];
  let state = 7;
  const random = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let round = 0; round < 60; round++) {
    const batch = Array.from({ length: 70 }, () => ({ id: `r${random(300)}`, title: `Unicycle ${round}` }));
    await world.add(batch, "new");
    for (const { id, title } of batch) model.set(id, title);
    const ids = Array.from({ length: 30 }, () => `r${random(300)}`);
    await world.delete(ids, "new");
    for (const id of ids) model.delete(id);
    const { nbHits, hits } = await world.ask({ query: "unicycle", matching: "any", hitsPerPage: 1000 }, "new");
    const right = hits.every(({ id, source }) => (source as { title: string }).title === model.get(id));
    if (nbHits !== model.size || hits.length !== model.size || !right) wrong.push(round);
  }
  return wrong;
}
