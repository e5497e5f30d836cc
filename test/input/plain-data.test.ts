// The door: what callers pass becomes plain data, whatever it is.

import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { copyItems, copyingOf, copyObject, copyVector, isCircle, isPlainObject } from "../../src/input/plain-data.js";
import { thrownBy } from "../support/refusal.js";

const taking = { what: "params", error: "invalid_request" };
const take = (given: unknown, more: object = {}) => copyObject(given, copyingOf({ ...taking, ...more }));

it("an object is taken as a frozen copy without a prototype, undefined values left out", () => {
  const given = { list: ["a", "b"], none: undefined, deep: { more: [1, { x: 2 }] as unknown[] } };
  const copy = take(given);
  expect({ ...copy }).toEqual({ list: ["a", "b"], deep: { more: [1, { x: 2 }] } });
  expect([isPlainObject(copy), Object.isFrozen(copy), Object.isFrozen(copy.list)]).toEqual([true, true, true]);
  given.deep.more.push(3);
  expect((copy.deep as { more: unknown[] }).more).toHaveLength(2);
});

it("an object is taken of any realm, with any names, and without what is inherited", () => {
  const copy = take(runInNewContext("({ a: { b: [1] } })"));
  expect([isPlainObject(copy.a), copy.constructor, copy.toString]).toEqual([true, undefined, undefined]);
  expect(Object.keys(take(JSON.parse('{"__proto__":{"x":1},"constructor":2}')))).toEqual(["__proto__", "constructor"]);
  expect(Object.keys(take(Object.create({ inherited: 1 })))).toEqual([]);
});

it("a Date within the objects of dated properties is its text", () => {
  const when = new Date(0);
  const given = { filters: { sent: { gt: when, in: [when] } }, list: [when, { when }], other: { when } };
  const { filters, list, other } = take(given, { dated: ["filters", "list"] });
  const text = "1970-01-01T00:00:00.000Z";
  expect(JSON.stringify(filters)).toBe(`{"sent":{"gt":"${text}","in":["${text}"]}}`);
  expect(JSON.stringify([list, other])).toBe(`[[{},{"when":"${text}"}],{"when":{}}]`);
});

it("what was no plain object is known as such: as data, it would be empty", () => {
  class Own {
    readonly x = 1;
  }
  const none = { map: new Map(), date: new Date(), own: new Own(), floats: new Float32Array(2), list: [] };
  const copy = take({ ...none, plain: {}, bare: Object.create(null) });
  const plain = Object.keys(copy).filter((name) => isPlainObject(copy[name]));
  expect(plain).toEqual(["plain", "bare"]);
  expect({ ...(copy.own as object) }).toEqual({ x: 1 });
});

it("a circle or what is nested too deep is no plain object, but what stands in two places is one", () => {
  const circle: Record<string, unknown> = {};
  circle.again = circle;
  const { again } = take({ circle }).circle as { again: unknown };
  expect([isCircle(again), isPlainObject(again)]).toEqual([true, false]);
  const { b } = take({ a: { b: { c: {} } } }, { depth: 3 }).a as { b: { c: unknown } };
  expect([isPlainObject(b), isPlainObject(b.c), isCircle(b.c)]).toEqual([true, false, false]);
  const shared = {};
  const twice = take({ a: shared, b: [shared] }) as { a: unknown; b: unknown[] };
  expect([isCircle(twice.a), isCircle(twice.b[0])]).toEqual([false, false]);
});

/** Lists in lists, the same one 100 times each. */
const bomb = (levels: number): unknown => (levels === 0 ? [] : new Array(100).fill(bomb(levels - 1)));

it("lists are cut behind 1,001 items", () => {
  expect(take({ list: new Array(2000).fill(1) }).list).toHaveLength(1001);
  const sparse = take({ list: new Array(2 ** 32 - 1) }).list as unknown[];
  expect([sparse.length, sparse[0]]).toEqual([1001, undefined]);
});

it.each<readonly [what: string, given: unknown]>([
  ["lists in lists without end", { bomb: bomb(5) }],
  ["a text of a million characters", { text: "x".repeat(1_000_001) }],
  ["too many keys", Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`n${i}`, 1]))],
  ...[undefined, null, 5, "x", [], () => {}].map((given) => [`${given}`, given] as const),
])("what is refused: %s", (_what, given) =>
  expect(thrownBy(() => take(given))).toMatchObject({ code: 400, error: "invalid_request", param: "params" }));

it("what cannot be read is refused with the cause", () => {
  const cause = new Error("theirs");
  const unreadable = {
    get deep(): never {
      throw cause;
    },
  };
  for (const given of [unreadable, { list: [unreadable] }])
    expect(thrownBy(() => take(given))).toMatchObject({
      ...{ code: 400, error: "invalid_request", param: "params", cause },
      msg: "params could not be read (see cause); pass a plain object.",
    });
});

it("what is no data is passed on", () => {
  const { signal } = new AbortController();
  const onProgress = (): void => {};
  const taken = take({ signal, onProgress }, { asTheyAre: ["signal", "onProgress"] });
  expect([taken.signal === signal, taken.onProgress === onProgress]).toEqual([true, true]);
});

it("lists are taken by their items, which stay as they are, up to a length", () => {
  const item = {};
  expect(copyItems([item], 1)?.[0]).toBe(item);
  for (const none of [[1, 2], { length: 1 }, null]) expect(copyItems(none, 1)).toBeUndefined();
  const tooLong = (length: number): never => {
    throw new RangeError(`${length}`);
  };
  expect(copyItems([1, 2], 1, tooLong)).toBeUndefined();
});

it("vectors are taken as numbers, of floats a copy", () => {
  const copied = new Float64Array([0.5, 2]);
  expect(copyVector(new Float32Array([0.5, 2]))).toEqual(copied);
  expect(copyVector(runInNewContext("new Float64Array([0.5, 2])"))).toEqual(copied);
  for (const same of [[1, "x"], "secret", undefined]) expect(copyVector(same)).toEqual(same);
  expect(isPlainObject(copyVector({ length: 1 }))).toBe(false);
  for (const long of [new Array(2 ** 32 - 1), new Float32Array(100_000)]) expect(copyVector(long)).toHaveLength(65_537);
  expect(isPlainObject((copyVector([{}]) as unknown[])[0])).toBe(false);
});
