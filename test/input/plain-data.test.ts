// The door: what callers pass becomes plain data, whatever it is.

import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { isCircle, isPlainObject, takeItems, takeObject, takeVector, takingOf } from "../../src/input/plain-data.js";
import { thrownBy } from "../support/refusal.js";

const taking = { what: "params", error: "invalid_request" };
const take = (given: unknown, more: object = {}) => takeObject(given, takingOf({ ...taking, ...more }));

describe("an object is taken", () => {
  it("as a frozen copy without a prototype, each property and length read once, undefined values left out", () => {
    let reads = 0;
    const list = new Proxy(["a", "b"], {
      get: (own, name) => {
        if (name === "length") reads++;
        return Reflect.get(own, name) as unknown;
      },
    });
    const given = Object.defineProperty({ list, none: undefined, deep: { more: [1, { x: 2 }] } }, "once", {
      enumerable: true,
      get: () => reads++,
    });
    const copy = take(given);
    expect({ ...copy }).toEqual({ list: ["a", "b"], deep: { more: [1, { x: 2 }] }, once: 1 });
    expect(reads).toBe(2);
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
    const when = Object.assign(new Date(0), { toISOString: () => "never" });
    const given = { filters: { sent: { gt: when, in: [when] } }, list: [when, { when }], other: { when } };
    const dated = takeObject(given, takingOf({ what: "given", error: "invalid", dated: ["filters", "list"] }));
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
    const throwing = (): never => {
      throw new Error("theirs");
    };
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const given of [undefined, null, 5, "x", [], () => {}])
      expect(thrownBy(() => take(given))).toMatchObject({ code: 400, error: "invalid_request", param: "params" });
    for (const given of [
      proxy,
      { deep: [proxy] },
      { deep: [{ again: proxy }] },
      Object.defineProperty({}, "x", { enumerable: true, get: throwing }),
      { deep: Object.defineProperty([1], 0, { get: throwing }) },
      { deep: new Proxy({}, { ownKeys: throwing }) },
      { deep: new Proxy({}, { getPrototypeOf: throwing }) },
      { deep: new Proxy([], { get: (_, name) => (name === "length" ? -1 : undefined) }) },
    ]) {
      const refusal = thrownBy(() => take(given));
      expect(refusal).toMatchObject({ code: 400, error: "invalid_request", param: "params" });
      expect([refusal.msg, refusal.cause instanceof Error]).toEqual([
        "params could not be read (a getter or proxy threw); pass a plain object.",
        true,
      ]);
    }
  });

  it("with what is no data passed on", () => {
    const signal = new AbortController().signal;
    const onProgress = (): void => {};
    expect({ ...take({ signal, onProgress }, { asTheyAre: ["signal", "onProgress"] }) }).toEqual({
      signal,
      onProgress,
    });
    expect(take({ onProgress }).onProgress).not.toBe(onProgress);
    expect(take({ signal }, { asTheyAre: ["signal"] }).signal).toBe(signal);
  });
});

describe("lists and vectors are taken", () => {
  it("by their items, which stay as they are, up to a length", () => {
    const item = {};
    expect(takeItems([item], 1)?.[0]).toBe(item);
    expect([takeItems([1, 2], 1), takeItems({ length: 1 }, 1), takeItems(null, 1)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const tooLong = (length: number): never => {
      throw new RangeError(`${length}`);
    };
    expect(takeItems([1, 2], 1, tooLong)).toBeUndefined();
  });

  it("as numbers, of floats a copy, whatever properties they were given", () => {
    const floats = Object.defineProperty(new Float32Array([0.5, 2]), "length", { value: 9 });
    const taken = takeVector(floats);
    expect(taken).toEqual(new Float64Array([0.5, 2]));
    expect(takeVector([1, "x"])).toEqual([1, "x"]);
    expect([takeVector("secret"), takeVector(undefined)]).toEqual(["secret", undefined]);
    expect(isPlainObject(takeVector({ length: 1 }))).toBe(false);
    for (const long of [new Array(2 ** 32 - 1), new Float32Array(100_000)])
      expect(takeVector(long)).toHaveLength(65_537);
    expect(isPlainObject((takeVector([{}]) as unknown[])[0])).toBe(false);
  });
});
