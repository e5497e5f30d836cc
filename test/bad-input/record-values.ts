// Rows A20 to A29 and A39: the values within a record.

import { expect } from "vitest";
import type { SearchError } from "../../src/index.js";
import { passedEach, type Refusal, type Row, refusedEach, shown } from "./row.js";
import { rec, type World } from "./world.js";

const BAD_VALUE: Refusal = { code: 400, error: "invalid_field_value", param: "records[0]" };
const TOO_LARGE: Refusal = { code: 413, error: "record_too_large", param: "records[0]" };
const CYCLIC: Refusal = { code: 400, error: "record_cyclic", param: "records[0]" };

const withValue = (world: World, value: unknown): unknown => world.add([rec({ value })]);
const stored = async (world: World, record: unknown): Promise<unknown> => {
  await world.add([record]);
  return (await world.get(["new"]))[0];
};

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

function cycles(): (readonly [string, unknown])[] {
  const object: Record<string, unknown> = {};
  object.self = { deep: [object] };
  const array: unknown[] = [];
  array.push([array]);
  return [
    ["of objects", object],
    ["of arrays", array],
  ];
}

/** Rows A20 to A29, A39. */
export const VALUES: readonly Row[] = [
  {
    row: "A20",
    what: "undefined is as if absent; in a list it is null",
    run: (world) => stored(world, { id: "new", gone: undefined, list: [1, undefined] }),
    expect: (result) => expect(result).toStrictEqual({ id: "new", list: [1, null] }),
  },
  ...refusedEach(
    "A21",
    "value",
    shown(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, [1, Number.NaN]),
    withValue,
    BAD_VALUE,
  ),
  {
    row: "A22",
    what: "-0 is stored as 0",
    run: (world) => stored(world, { id: "new", n: -0, list: [-0] }),
    expect: (result) => expect(result).toStrictEqual({ id: "new", n: 0, list: [0] }),
  },
  ...refusedEach(
    "A23",
    "value",
    [
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
      [
        "a class instance",
        new (class Price {
          amount = 1;
        })(),
      ],
      ["a Promise", Promise.resolve(1)],
      ["an Error", new Error("x")],
      ["a String object", Object("x")],
      ["within a list", [1, new Map()]],
      ["deep within", { a: [{ b: 1n }] }],
    ],
    withValue,
    { ...BAD_VALUE, msg: /BigInt|symbol|function|not plain/ },
  ),
  { row: "A24", what: "a Date", run: (world) => withValue(world, new Date(0)), expect: { ...BAD_VALUE, msg: /ISO/ } },
  { row: "A24", what: "an invalid Date", run: (world) => withValue(world, new Date(Number.NaN)), expect: BAD_VALUE },
  ...refusedEach("A25", "a cycle", cycles(), withValue, CYCLIC),
  {
    row: "A25",
    what: "the record within itself",
    run: (world) => {
      const record = rec();
      record.self = record;
      return world.add([record]);
    },
    expect: CYCLIC,
  },
  ...passedEach("A26", "32 levels", [["", nested(31)]], withValue, (result) =>
    expect(result).toEqual({ added: 1, replaced: 0 }),
  ),
  ...refusedEach(
    "A26",
    "too deep:",
    [
      ["33 levels", nested(32)],
      ["100,000 levels", nested(100_000)],
    ],
    withValue,
    TOO_LARGE,
  ),
  ...refusedEach(
    "A27",
    "22 doublings of one",
    [
      ["object", doubled(22, (half) => ({ a: half, b: half }))],
      ["array", doubled(22, (half) => [half, half])],
      ["empty array", doubled(22, (half) => (half === "x" ? [] : [half, half]))],
    ],
    withValue,
    TOO_LARGE,
  ),
  {
    row: "A27",
    what: "deep and doubled records are refused together",
    run: (world) =>
      Promise.resolve(
        world.add([rec({ value: nested(100_000) }), rec({ value: doubled(22, (half) => [half, half]) })]),
      ).catch((error: unknown) => (error as SearchError).details?.total),
    expect: (result) => expect(result).toBe(2),
  },
  ...[0, 1].map(
    (over): Row => ({
      row: "A28",
      what: `${100_000 + over} bytes as JSON`,
      run: (world) => {
        const frame = JSON.stringify({ id: "new", tags: ["a", { b: 1 }], text: "" }).length;
        return world.add([{ id: "new", tags: ["a", { b: 1 }], text: "x".repeat(100_000 + over - frame) }]);
      },
      expect: over === 0 ? (result) => expect(result).toEqual({ added: 1, replaced: 0 }) : TOO_LARGE,
    }),
  ),
  ...passedEach(
    "A29",
    "as many",
    [
      ["items", { list: Array.from({ length: 10_000 }, () => 1) }],
      ["attributes", Object.fromEntries(Array.from({ length: 997 }, (_, i) => [`a${i}`, 1]))],
    ],
    withValue,
    (result) => expect(result).toEqual({ added: 1, replaced: 0 }),
  ),
  ...refusedEach(
    "A29",
    "too many",
    [
      ["items", Array.from({ length: 10_001 }, () => 1)],
      ["items of a list with a length alone", Object.assign([], { length: 2 ** 32 - 1 })],
      ["attributes", Object.fromEntries(Array.from({ length: 998 }, (_, i) => [`a${i}`, 1]))],
    ],
    withValue,
    TOO_LARGE,
  ),
  {
    row: "A39",
    what: "null in any attribute",
    run: (world) => stored(world, { id: "new", title: null, sku: null, tags: [null], deep: { a: null } }),
    expect: (result) => expect(result).toEqual({ id: "new", title: null, sku: null, tags: [null], deep: { a: null } }),
  },
];
