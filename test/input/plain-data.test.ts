// The door: what callers pass becomes plain data, whatever it is.

import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { copyItems, copyingOf, copyObject, copyVector, isCircle, isPlainObject } from "../../src/input/plain-data.js";
import { thrownBy } from "../support/refusal.js";

const taking = { what: "params", error: "invalid_request" };
const take = (given: unknown, more: object = {}) => copyObject(given, copyingOf({ ...taking, ...more }));

describe("an object is taken", () => {
  it("as a frozen copy without a prototype, undefined values left out", () => {
    const given = { list: ["a", "b"], none: undefined, deep: { more: [1, { x: 2 }] as unknown[] } };
    const copy = take(given);
    expect({ ...copy }).toEqual({ list: ["a", "b"], deep: { more: [1, { x: 2 }] } });
    expect([isPlainObject(copy), Object.isFrozen(copy), Object.isFrozen(copy.list)]).toEqual([true, true, true]);
    given.deep.more.push(3);
    expect((copy.deep as { more: unknown[] }).more).toHaveLength(2);
  });

  it("of any realm, with names that mean something to JavaScript, and without what is inherited", () => {
    const copy = take(runInNewContext("({ a: { b: [1] } })"));
    expect([isPlainObject(copy.a), copy.constructor, copy.toString]).toEqual([true, undefined, undefined]);
    expect(Object.keys(take(JSON.parse('{"__proto__":{"x":1},"constructor":2}')))).toEqual([
      "__proto__",
      "constructor",
    ]);
    expect(Object.keys(take(Object.create({ inherited: 1 })))).toEqual([]);
  });

  it("and a Date within the objects of dated properties is its text", () => {
    const when = new Date(0);
    const given = { filters: { sent: { gt: when, in: [when] } }, list: [when, { when }], other: { when } };
    const dated = copyObject(given, copyingOf({ what: "given", error: "invalid", dated: ["filters", "list"] }));
    const text = "1970-01-01T00:00:00.000Z";
    expect(JSON.stringify(dated.filters)).toBe(`{"sent":{"gt":"${text}","in":["${text}"]}}`);
    expect([dated.list, dated.other].map((one) => JSON.stringify(one))).toEqual([
      `[{},{"when":"${text}"}]`,
      '{"when":{}}',
    ]);
  });

  it("and what was no plain object is known as such: as data, it would be empty", () => {
    class Own {
      readonly x = 1;
    }
    const given = {
      map: new Map(),
      date: new Date(),
      own: new Own(),
      floats: new Float32Array(2),
      plain: {},
      list: [],
    };
    const copy = take({ ...given, bare: Object.create(null) });
    const plain = Object.entries(copy).filter(([, value]) => isPlainObject(value));
    expect(plain.map(([name]) => name)).toEqual(["plain", "bare"]);
    expect({ ...(copy.own as object) }).toEqual({ x: 1 });
  });

  it("and a circle or what is nested too deep is no plain object either", () => {
    const circle: Record<string, unknown> = {};
    circle.again = circle;
    const { again } = take({ circle }).circle as { again: unknown };
    expect([isCircle(again), isPlainObject(again)]).toEqual([true, false]);
    const deep = take({ a: { b: { c: {} } } }, { depth: 3 }) as { a: { b: { c: unknown } } };
    expect([isPlainObject(deep.a.b), isPlainObject(deep.a.b.c), isCircle(deep.a.b.c)]).toEqual([true, false, false]);
    const shared = {};
    const twice = take({ a: shared, b: [shared] }) as { a: unknown; b: unknown[] };
    expect([isCircle(twice.a), isCircle(twice.b[0])]).toEqual([false, false]);
  });

  it("within a budget", () => {
    expect(take({ list: Array.from({ length: 2000 }, () => 1) }).list).toHaveLength(1001);
    const sparse = take({ list: new Array(2 ** 32 - 1) }).list as unknown[];
    expect([sparse.length, sparse[0]]).toEqual([1001, undefined]);
    const bomb = (levels: number): unknown =>
      levels === 0
        ? []
        : Array.from(
            { length: 900 },
            (
              (inner) => () =>
                inner
            )(bomb(levels - 1)),
          );
    expect(thrownBy(() => take({ bomb: bomb(4) }))).toMatchObject({ code: 400, error: "invalid_request" });
    expect(thrownBy(() => take({ text: "x".repeat(1_000_001) }))).toMatchObject({
      code: 400,
      error: "invalid_request",
    });
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`n${i}`, 1]));
    expect(thrownBy(() => take(many)).msg).toBe("params has 1001 keys; pass at most 1000.");
  });

  it("or refused: what is none, and what cannot be read, with the cause", () => {
    for (const given of [undefined, null, 5, "x", [], () => {}])
      expect(thrownBy(() => take(given))).toMatchObject({ code: 400, error: "invalid_request", param: "params" });
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

  it("with what is no data passed on", () => {
    const signal = new AbortController().signal;
    const onProgress = (): void => {};
    expect({ ...take({ signal, onProgress }, { asTheyAre: ["signal", "onProgress"] }) }).toEqual({
      signal,
      onProgress,
    });
    expect(take({ signal }, { asTheyAre: ["signal"] }).signal).toBe(signal);
  });
});

describe("lists and vectors are taken", () => {
  it("by their items, which stay as they are, up to a length", () => {
    const item = {};
    expect(copyItems([item], 1)?.[0]).toBe(item);
    expect([copyItems([1, 2], 1), copyItems({ length: 1 }, 1), copyItems(null, 1)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const tooLong = (length: number): never => {
      throw new RangeError(`${length}`);
    };
    expect(copyItems([1, 2], 1, tooLong)).toBeUndefined();
  });

  it("as numbers, of floats a copy", () => {
    const floats = new Float32Array([0.5, 2]);
    expect(copyVector(floats)).toEqual(new Float64Array([0.5, 2]));
    expect(copyVector(runInNewContext("new Float64Array([0.5, 2])"))).toEqual(new Float64Array([0.5, 2]));
    expect(copyVector([1, "x"])).toEqual([1, "x"]);
    expect([copyVector("secret"), copyVector(undefined)]).toEqual(["secret", undefined]);
    expect(isPlainObject(copyVector({ length: 1 }))).toBe(false);
    for (const long of [new Array(2 ** 32 - 1), new Float32Array(100_000)])
      expect(copyVector(long)).toHaveLength(65_537);
    expect(isPlainObject((copyVector([{}]) as unknown[])[0])).toBe(false);
  });
});
