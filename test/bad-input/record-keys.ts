// Rows A16 to A19: keys that built-in objects have, getters and proxies.

import { expect } from "vitest";
import type { Refusal, Row } from "./row.js";
import { rec, type World } from "./world.js";

const BAD_VALUE: Refusal = { code: 400, error: "invalid_field_value", param: "records[0]" };
const UNREADABLE: Refusal = { code: 400, error: "invalid_record", param: "records[0]" };

const withValue = (world: World, value: unknown): unknown => world.add([rec({ value })]);
const stored = async (world: World, record: unknown): Promise<unknown> => {
  await world.add([record]);
  return (await world.get(["new"]))[0];
};

const BUILT_IN =
  '{"id":"new","constructor":2,"toJSON":5,"then":1,"hasOwnProperty":0,"toString":"a","length":-1,"valueOf":null}';

function throwing(): never {
  throw new Error("from the getter");
}

/** Rows A16 to A19. */
export const KEYS: readonly Row[] = [
  {
    row: "A16",
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
  {
    row: "A17",
    what: "keys that built-in objects have",
    run: async (world) => JSON.stringify(await stored(world, JSON.parse(BUILT_IN))),
    expect: (result) => expect(result).toBe(BUILT_IN),
  },
  {
    row: "A17",
    what: "a record with a then is no promise",
    run: async (world) => {
      await world.create("new", { idAttribute: "then" });
      await world.add([JSON.parse('{"then":"a"}')], "new");
      return JSON.stringify([await world.get(["a"], "new"), await world.records("new")]);
    },
    expect: (result) => expect(result).toBe('[[{"then":"a"}],[{"then":"a"}]]'),
  },
  {
    row: "A18",
    what: "a toJSON function",
    run: (world) => world.add([rec({ toJSON: () => ({}) })]),
    expect: BAD_VALUE,
  },
  {
    row: "A18",
    what: "a getter is read once",
    run: async (world) => {
      let reads = 0;
      const back = await stored(world, {
        id: "new",
        get title() {
          return `Lamp ${++reads}`;
        },
      });
      return [back, reads];
    },
    expect: (result) => expect(result).toEqual([{ id: "new", title: "Lamp 1" }, 1]),
  },
  {
    row: "A19",
    what: "a getter that throws",
    run: (world) =>
      world.add([
        rec({ id: 1 }),
        {
          id: "new",
          get title() {
            return throwing();
          },
        },
      ]),
    expect: { ...UNREADABLE, param: "records[1]", cause: /from the getter/ },
  },
  {
    row: "A19",
    what: "a toStringTag that throws",
    run: (world) => withValue(world, Object.defineProperty(new Map(), Symbol.toStringTag, { get: throwing })),
    expect: { ...UNREADABLE, cause: /from the getter/ },
  },
  ...["of an object", "of a record", "of an array"].map(
    (what, i): Row => ({
      row: "A19",
      what: `a revoked Proxy ${what}`,
      run: (world) => {
        const { proxy, revoke } = Proxy.revocable<object>(i === 2 ? [] : {}, {});
        revoke();
        return world.add([i === 1 ? proxy : rec({ value: proxy })]);
      },
      expect: { ...UNREADABLE, cause: /revoked/ },
    }),
  ),
  {
    row: "A19",
    what: "a getter that adds records itself",
    run: (world) =>
      stored(world, {
        id: "new",
        get n() {
          void world.add([rec({ id: "inner" })]);
          return 1;
        },
      }),
    expect: async (result, world) => {
      expect(result).toEqual({ id: "new", n: 1 });
      expect(await world.get(["inner"])).toEqual([rec({ id: "inner" })]);
    },
  },
];
