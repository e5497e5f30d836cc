// Values that no call takes in the place named: made anew each time, some of them traps that spring when they are touched.

import type { Random } from "../support/random.js";

type Maker = () => unknown;

function spring(): never {
  throw new Error("a trap of the caller's");
}

/** A proxy that throws whatever is done to it. */
function trap(target: object): object {
  const names = ["get", "has", "ownKeys", "getPrototypeOf", "getOwnPropertyDescriptor", "set", "defineProperty"];
  return new Proxy(target, Object.fromEntries(names.map((name) => [name, spring])));
}

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

/** An object whose property throws when it is read. */
export function withGetter(name: string, rest: object = {}): object {
  return Object.defineProperty({ ...rest }, name, { get: spring, enumerable: true });
}

/** An object that holds itself. */
export function circle(): Record<string, unknown> {
  const own: Record<string, unknown> = { a: 1 };
  own.self = [own];
  return own;
}

/** Objects in objects, so many levels. */
export function nested(levels: number): Record<string, unknown> {
  let value: Record<string, unknown> = { a: 1 };
  for (let level = 1; level < levels; level++) value = { a: value };
  return value;
}

/** Names that plain objects have without holding them. */
export const INHERITED: readonly string[] = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];

class Instance {
  readonly query = "drill";
}

/** No object that can be read. */
const UNREADABLE: readonly Maker[] = [
  () => null,
  () => true,
  () => 0,
  () => Number.NaN,
  () => "text",
  () => 7n,
  () => Symbol("s"),
  () => [],
  () => [{}],
  () => spring,
  () => trap({}),
  () => revoked({}),
  () => revoked([]),
  () => withGetter("id"),
];

/** No text, number, boolean or list. */
const FOREIGN: readonly Maker[] = [
  () => null,
  () => 7n,
  () => Symbol("s"),
  () => spring,
  () => ({}),
  () => circle(),
  () => nested(1000),
  () => new Map([["a", 1]]),
  () => new Date(0),
  () => new Instance(),
  () => Promise.resolve("a"),
  () => Object.create(null) as object,
  () => ({ toString: spring, valueOf: spring, toJSON: spring }),
  // biome-ignore lint/suspicious/noThenProperty: a trap for whoever awaits it
  () => ({ then: spring }),
  () => trap({}),
  () => revoked({}),
  () => withGetter("length"),
  () => new String("a"),
  () => new Number(1),
  () => new Boolean(true),
];

const pickFrom =
  (...lists: readonly (readonly Maker[])[]) =>
  (random: Random): unknown =>
    random.pick(lists.flat())();

const LISTS: readonly Maker[] = [() => [], () => [1], () => ["a"], () => trap([]), () => revoked([])];
const NUMBERS: readonly Maker[] = [() => 0, () => -1, () => 1.5, () => Number.NaN, () => 1e308];
const TEXTS: readonly Maker[] = [() => "", () => "1", () => "true", () => "\ud800", () => "null"];
const FLAGS: readonly Maker[] = [() => true, () => false];

/** No object with properties of its own that can be read; not undefined. */
export const noObject: (random: Random) => unknown = pickFrom(UNREADABLE);
export const noText: (random: Random) => unknown = pickFrom(FOREIGN, LISTS, NUMBERS, FLAGS);
export const noBoolean: (random: Random) => unknown = pickFrom(FOREIGN, LISTS, NUMBERS, TEXTS);
/** No finite number. */
export const noNumber: (random: Random) => unknown = pickFrom(FOREIGN, LISTS, TEXTS, FLAGS, [
  () => Number.NaN,
  () => Number.POSITIVE_INFINITY,
]);
/** No list, or one that cannot be read or held. */
export const noList: (random: Random) => unknown = pickFrom(FOREIGN, NUMBERS, TEXTS, FLAGS, [
  () => trap([]),
  () => revoked([]),
  () => withGetter("0", { length: 1 }),
  () => Object.defineProperty(["a"], 0, { get: spring }),
  () => new Set(["a"]),
  () => ({ length: 1, 0: "a" }),
  () => Object.assign([], { length: 2 ** 32 - 1 }),
  () => new Uint8Array(2),
]);
/** No list of names. */
export const noNames: (random: Random) => unknown = (random) =>
  random.chance(0.5) ? noList(random) : [...random.pick([[], ["title"]]), noName(random)];
/** No name of an attribute. */
export const noName: (random: Random) => unknown = pickFrom(FOREIGN, LISTS, NUMBERS, FLAGS, [
  () => "",
  () => "a\u0000b",
  () => "\n",
  () => "n".repeat(257),
]);
/** Anything at all, undefined too. */
export const anything: (random: Random) => unknown = pickFrom(UNREADABLE, FOREIGN, LISTS, NUMBERS, TEXTS, FLAGS, [
  () => undefined,
  () => "drill".repeat(2000),
  () => Number.MAX_SAFE_INTEGER,
  () => -0,
  () => ["*"],
  () => [["brand:Forge"]],
  () => ({ brand: "Forge" }),
  () => new Float32Array(3),
  () => JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') as unknown,
]);

/** The same data in another dress: frozen, without a prototype, behind a proxy or behind getters. */
export function disguised<T extends object>(random: Random, data: T): T {
  return random.pick<() => T>([
    () => data,
    () => data,
    () => Object.freeze({ ...data }),
    () => Object.assign(Object.create(null) as T, data),
    () => new Proxy(data, {}),
    () => behindGetters(data),
  ])();
}

function behindGetters<T extends object>(data: T): T {
  const getters = Object.entries(data).map(([name, value]: [string, unknown]) => [
    name,
    { get: () => value, enumerable: true, configurable: true },
  ]);
  return Object.defineProperties({} as T, Object.fromEntries(getters) as PropertyDescriptorMap);
}
