// Rows A1 to A6, A54 to A58: the list of records as a whole.

import { expect } from "vitest";
import { type Refusal, type Row, refusedEach, shown } from "./row.js";
import { rec, SECRET, type World } from "./world.js";

const add = (world: World, records: unknown): unknown => world.add(records);
const NOT_FOUND: Refusal = { code: 404, error: "index_not_found", param: "indexName" };
const BAD_LIST: Refusal = { code: 400, error: "invalid_records", param: "records" };
const BAD_FIRST: Refusal = { code: 400, error: "invalid_record", param: "records[0]" };

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  return proxy;
}

/** A list whose own iterator gives more than the list holds. */
function misleading(): unknown[] {
  const list = [rec({ id: 1 })];
  return Object.assign(list, {
    *[Symbol.iterator]() {
      for (let id = 100; id < 105; id++) yield rec({ id });
    },
  });
}

const LISTS: readonly Row[] = [
  ...refusedEach("A1", "index", shown("shpo", "", null, 5, {}), (world, name) => world.add([rec()], name), NOT_FOUND),
  {
    row: "A1",
    what: "a deleted index",
    run: async (world) => {
      await world.create("gone");
      const before = await world.engine.listIndexes();
      const handle = world.engine.index<object>("gone");
      await world.engine.deleteIndex("gone");
      const code = await handle.addRecords([rec()]).catch((error: unknown) => error);
      return [before.length - (await world.engine.listIndexes()).length, code];
    },
    expect: (result) => expect(result).toEqual([1, expect.objectContaining({ code: 404, error: "index_not_found" })]),
  },
  ...refusedEach(
    "A2",
    "records",
    [...shown(null, undefined, 5, "x", true, new Map(), new Set([1]), () => []), ["a Promise", Promise.resolve([])]],
    add,
    BAD_LIST,
  ),
  {
    row: "A2",
    what: "a revoked Proxy",
    run: (world) => world.add(revoked()),
    expect: { ...BAD_LIST, cause: /revoked/ },
  },
  { row: "A2", what: "records as JSON text", run: (world) => world.add(JSON.stringify([rec()])), expect: BAD_LIST },
  { row: "A3", what: "one record", run: (world) => world.add(rec()), expect: { ...BAD_LIST, msg: /\[record\]/ } },
  {
    row: "A4",
    what: "an empty list",
    run: async (world) => [await world.picture(), await world.add([]), await world.picture()],
    expect: (result) => {
      const [before, answer, after] = result as unknown[];
      expect(answer).toEqual({ added: 0, replaced: 0 });
      expect(after).toEqual(before);
    },
  },
  {
    row: "A5",
    what: "a hole in the list",
    // biome-ignore lint/suspicious/noSparseArray: the hole is what is tested
    run: (world) => world.add([rec({ id: 1 }), , rec({ id: 2 })]),
    expect: { ...BAD_FIRST, param: "records[1]" },
  },
  ...refusedEach(
    "A6",
    "a record that is",
    [
      ...shown(null, "x", [], new Date(0), new Map(), 5, true, Symbol(), 1n, undefined, () => ({})),
      ["JSON text", JSON.stringify(rec())],
      [
        "a class instance",
        new (class Product {
          id = 1;
        })(),
      ],
      ["a revoked Proxy", revoked()],
    ],
    (world, record) => world.add([record]),
    BAD_FIRST,
  ),
  {
    row: "A6",
    what: "a list whose iterator gives other records: what the list holds counts",
    run: async (world) => [await world.add(misleading()), (await world.records("shop")).length],
    expect: (result) => expect(result).toEqual([{ added: 0, replaced: 1 }, 3]),
  },
];

const TOGETHER: readonly Row[] = [
  {
    row: "A54",
    what: "an id twice: the last counts",
    run: async (world) => [await world.add([rec({ n: 1 }), rec({ n: 2 })]), await world.get(["new"])],
    expect: (result) => expect(result).toEqual([{ added: 1, replaced: 0 }, [rec({ n: 2 })]]),
  },
  {
    row: "A55",
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
  {
    row: "A56",
    what: "record 7 of 10 is bad",
    run: (world) =>
      world.add(Array.from({ length: 10 }, (_, id) => rec(id === 7 ? { id, price: Number.NaN } : { id }))),
    expect: { code: 400, error: "invalid_field_value", param: "records[7]", msg: /records\[7\]/ },
  },
  {
    row: "A56",
    what: "twelve bad records: the first ten are named, all are counted",
    run: async (world) => {
      const records = Array.from({ length: 20 }, (_, i) => (i % 5 < 3 ? { title: SECRET } : rec({ id: i })));
      const error: unknown = await world.add(records).catch((thrown: unknown) => thrown);
      const { details } = error as { details: { complaints: { param: string }[]; total: number } };
      return [details.total, details.complaints.map(({ param }) => param)];
    },
    expect: (result) =>
      expect(result).toEqual([12, [0, 1, 2, 5, 6, 7, 10, 11, 12, 15].map((position) => `records[${position}]`)]),
  },
  {
    row: "A57",
    what: "more records than a call takes",
    options: { limits: { batchRecords: 3 } },
    run: (world) => world.add([1, 2, 3, 4].map((id) => rec({ id }))),
    expect: { code: 413, error: "batch_too_large", param: "records" },
  },
  {
    row: "A57",
    what: "a list of length 2^32 - 1",
    run: (world) => world.add(Object.assign([], { length: 2 ** 32 - 1 })),
    expect: { code: 413, error: "batch_too_large", param: "records" },
  },
  {
    row: "A58",
    what: "records changed after the call",
    run: async (world) => {
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
    expect: (result) => expect(result).toEqual([{ id: "new", title: "Lamp", tags: ["a"], deep: { n: 1 } }, null]),
  },
  ...refusedEach("A58", "options", shown(null, 5, "x", []), (world, options) => world.add([rec()], "shop", options), {
    code: 400,
    error: "invalid_options",
    param: "options",
  }),
  ...refusedEach(
    "A58",
    "onProgress",
    shown(5, "x", {}, null),
    (world, onProgress) => world.add([rec()], "shop", { onProgress }),
    { code: 400, error: "invalid_options", param: "onProgress" },
  ),
];

/** Rows A1 to A6, A54 to A58. */
export const BATCHES: readonly Row[] = [...LISTS, ...TOGETHER];
