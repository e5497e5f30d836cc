// Rows of group A for updateRecords and replaceAllRecords alone.

import { expect } from "vitest";
import { type Refusal, type Row, refusedEach, shown } from "./row.js";
import { rec, vectorOf } from "./world.js";

const refusal = (param: string, error: string, code = 400): Refusal => ({ code, error, param });

/** Rows of group A for updateRecords and replaceAllRecords. */
export const UPDATES: readonly Row[] = [
  ...refusedEach(
    "A58",
    "createIfNotExists",
    shown(null, 1, "true", {}, []),
    (world, createIfNotExists) => world.call("updateRecords", "shop", [rec()], { createIfNotExists }),
    refusal("createIfNotExists", "invalid_options"),
  ),
  {
    row: "A28",
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
    row: "A29",
    what: "an update that gives a record too many attributes",
    prepare: (world) =>
      world.add([Object.fromEntries([["id", 1], ...Array.from({ length: 999 }, (_, i) => [`a${i}`, 1])])]),
    run: (world) => world.call("updateRecords", "shop", [{ id: 1, more: 1 }]),
    expect: refusal("records[0]", "record_too_large", 413),
  },
  {
    row: "A68",
    what: "an update of a deleted id is a new record",
    run: async (world) => [
      await world.delete([1]),
      await world.call("updateRecords", "shop", [{ id: 1, price: 5 }]),
      await world.get([1]),
      await world.found("kettle"),
    ],
    expect: (result) => expect(result).toEqual([{ deleted: 1 }, { added: 1, replaced: 0 }, [{ id: 1, price: 5 }], []]),
  },
  {
    row: "A68",
    what: "an update of ids that no record has, passed over",
    run: async (world) => {
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
    expect: (result) => expect(result).toEqual([{ added: 0, replaced: 1 }, [null, null], 1]),
  },
  {
    row: "A54",
    what: "one id twice: both count, in their order, once",
    run: async (world) => [
      await world.call("updateRecords", "shop", [
        { id: 1, price: 1, brand: "Volt" },
        { id: "1", price: 2 },
      ]),
      (await world.get([1])).map((record) => ({ ...(record as object), id: 1, note: "" })),
    ],
    expect: (result) =>
      expect(result).toEqual([
        { added: 0, replaced: 1 },
        [{ id: 1, title: "Red kettle", brand: "Volt", price: 2, note: "" }],
      ]),
  },
  {
    row: "A16",
    what: "an update with own keys that built-in objects have",
    run: async (world) => {
      await world.call("updateRecords", "shop", [
        JSON.parse('{"id":1,"__proto__":{"isAdmin":true},"constructor":null,"then":1,"note":0}'),
      ]);
      const [record] = await world.get([1]);
      return [JSON.stringify(record), Reflect.get({}, "isAdmin")];
    },
    expect: (result) =>
      expect(result).toEqual([
        '{"id":1,"title":"Red kettle","brand":"Forge","price":10,"note":0,"__proto__":{"isAdmin":true},"constructor":null,"then":1}',
        undefined,
      ]),
  },
  {
    row: "A20",
    what: "undefined leaves an attribute as it is, null is stored",
    run: async (world) => {
      await world.call("updateRecords", "shop", [{ id: 1, brand: undefined, price: null }]);
      return [
        (await world.ask({ query: "", filters: "brand:Forge" })).nbHits,
        (await world.ask({ query: "", filters: "price EXISTS" })).nbHits,
      ];
    },
    expect: (result) => expect(result).toEqual([1, 0]),
  },
  {
    row: "A58",
    what: "patches changed after the call",
    run: async (world) => {
      const patch = { id: 1, tags: ["a"] };
      const list = [patch];
      const done = world.call("updateRecords", "shop", list);
      patch.tags.push("b");
      list.push({ id: 3, tags: ["c"] });
      await done;
      return (await world.ask({ query: "", facets: ["tags"] })).facets?.tags?.map(({ value }) => value);
    },
    expect: (result) => expect(result).toEqual(["a", "garden", "tools"]),
  },
  {
    row: "A54",
    what: "a replacement in which one id stands twice",
    run: async (world) => [
      await world.call("replaceAllRecords", "shop", [rec({ id: 7, n: 1 }), rec({ id: "7", n: 2 })]),
      (await world.records("shop")).length,
    ],
    expect: (result) => expect(result).toEqual([{ added: 1, replaced: 0 }, 1]),
  },
  {
    row: "A4",
    what: "no updates; a replacement by nothing",
    run: async (world) => [
      await world.call("updateRecords", "shop", []),
      (await world.records("shop")).length,
      await world.call("replaceAllRecords", "shop", []),
      (await world.ask({ query: "" })).nbHits,
    ],
    expect: (result) => expect(result).toEqual([{ added: 0, replaced: 0 }, 3, { added: 0, replaced: 0 }, 0]),
  },
  {
    row: "A60",
    what: "queries during a replacement see all of the old or all of the new",
    run: async (world) => {
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
    },
    expect: (result) => expect(result).toEqual([3, 3000]),
  },
];
