// Values that are not what they seem, to put in the place of any value of a call, and getters to put in the place of any
// property. `plain`: to the library it must be as good as the value itself, since everything is read once.

import { runInNewContext } from "node:vm";
import type { TrickWorld } from "./tricks-world.js";

/** One trick. */
export interface Trick {
  readonly name: string;
  readonly plain: boolean;
  /** In place of the value. */
  readonly make?: (value: unknown) => unknown;
  /** Read in place of the value, at the n-th time. */
  readonly getter?: (value: unknown, time: number, world: TrickWorld) => unknown;
  /** True where what the getter does changes the engine. */
  readonly upsets?: boolean;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function fail(): never {
  throw new Error("from the trick");
}

function revoked(of: object): object {
  const { proxy, revoke } = Proxy.revocable(of, {});
  revoke();
  return proxy;
}

function isPlain(value: object): boolean {
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

/** JSON values all the way down, so that another realm can hold them too. */
function isJson(value: unknown): boolean {
  return isObject(value) ? isPlain(value) && Object.values(value).every(isJson) : typeof value !== "function";
}

function deepFreeze(value: unknown): unknown {
  if (!isObject(value) || !isPlain(value)) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}

const named = (plain: boolean, makers: Readonly<Record<string, (value: never) => unknown>>): Trick[] =>
  Object.entries(makers).map(([name, make]) => ({ name, plain, make: make as (value: unknown) => unknown }));

/** By this name, so that no reader of this file takes it for a promise by mistake. */
const THEN = "then";

/** For any value. */
const ANYWHERE: readonly Trick[] = [
  ...named(false, {
    null: () => null,
    "a symbol": () => Symbol("trick"),
    "a BigInt": () => 1n,
    "a function": () => fail,
    NaN: () => Number.NaN,
    "an empty text": () => "",
    "a boxed text": () => Object("drill"),
    "a boxed number": () => Object(1),
    "a Date": () => new Date(0),
    "a Map": () => new Map([["brand", "Forge"]]),
    "a promise": () => Promise.resolve(1),
    "a typed array": () => new Float64Array([1, 0]),
    "an empty object": () => ({}),
    "an empty object without prototype": () => Object.create(null),
    "no conversion": () => ({ toString: fail, valueOf: fail, toJSON: fail, [Symbol.toPrimitive]: fail }),
    "a conversion to an object": () => ({ [Symbol.toPrimitive]: () => ({}) }),
    "a thenable": () => ({ [THEN]: (resolve: (value: unknown) => void) => resolve(1) }),
    "a getter as then": () => Object.defineProperty({}, THEN, { get: fail, enumerable: true }),
    "a name that throws": () => ({
      get [Symbol.toStringTag]() {
        return fail();
      },
    }),
    "a revoked object": () => revoked({}),
    "a revoked array": () => revoked([]),
    "a revoked function": () => revoked(fail),
    "an object of keys without end": () => new Proxy({}, { ownKeys: () => ["a"], get: () => fail() }),
    "an array of 2^32 - 1 holes": () => new Array(2 ** 32 - 1),
  }),
];

const TRAPS = [
  ...["get", "has", "ownKeys", "getOwnPropertyDescriptor", "getPrototypeOf", "isExtensible"],
  ...["set", "defineProperty", "deleteProperty", "setPrototypeOf", "preventExtensions", "apply", "construct"],
];
/** Traps of what nobody does who only reads. */
const WRITING = TRAPS.slice(TRAPS.indexOf("set"));

const OTHER_REALM = "from another realm";

/** For objects and arrays. */
const OBJECTS: readonly Trick[] = [
  ...TRAPS.map((trap) => ({
    name: `a proxy whose ${trap} throws`,
    plain: WRITING.includes(trap),
    make: (value: unknown) => new Proxy(value as object, { [trap]: fail }),
  })),
  ...named(true, {
    "a transparent proxy": (value: object) => new Proxy(value, {}),
    "a proxy of a proxy": (value: object) => new Proxy(new Proxy(value, {}), {}),
    frozen: (value: object) => deepFreeze(value),
    [OTHER_REALM]: (value: object) => runInNewContext("JSON.parse(text)", { text: JSON.stringify(value) }) as unknown,
  }),
  ...named(false, {
    inherited: (value: object) => Object.create(value),
    "with its own __proto__": (value: object) =>
      Object.defineProperty(value, "__proto__", { value: { polluted: 1 }, enumerable: true, configurable: true }),
    "with a symbol as key": (value: object) => Object.assign(value, { [Symbol("trick")]: fail }),
    "with a toJSON": (value: object) => Object.assign(value, { toJSON: fail }),
    "with its prototype changed": (value: object) => Object.setPrototypeOf(value, { polluted: 1 }),
  }),
];

/** For objects that are no arrays. */
const RECORDS: readonly Trick[] = named(true, {
  "without prototype": (value: object) => Object.assign(Object.create(null) as object, value),
  "with hidden properties": (value: object) => Object.defineProperty(value, "hidden", { get: fail }),
});

const LENGTHS: readonly unknown[] = [
  2 ** 32 - 1,
  2 ** 53,
  -1,
  Number.NaN,
  1.5,
  Number.POSITIVE_INFINITY,
  "2",
  null,
  {},
  1n,
  Symbol("length"),
];

/** For arrays. */
const ARRAYS: readonly Trick[] = [
  ...LENGTHS.map((length) => ({
    name: `an array whose length is ${typeof length} ${String(typeof length === "object" ? "" : String(length))}`,
    plain: false,
    make: (value: unknown) =>
      new Proxy(value as object, { get: (of, key) => (key === "length" ? length : Reflect.get(of, key)) }),
  })),
  ...named(false, {
    "an item that throws": (value: unknown[]) => Object.defineProperty(value, 0, { get: fail, enumerable: true }),
    holes: (value: unknown[]) => Object.assign(new Array(value.length + 2), { 0: value[0] }),
    circular: (value: unknown[]) => [...value, value],
  }),
  ...named(true, {
    "an iterator of its own": (value: unknown[]) =>
      Object.defineProperty(value, Symbol.iterator, { value: fail, configurable: true }),
    "methods that throw": (value: unknown[]) => {
      for (const name of [
        "map",
        "filter",
        "slice",
        "every",
        "some",
        "entries",
        "forEach",
        "flatMap",
        "join",
        "includes",
        "concat",
      ])
        Object.defineProperty(value, name, { value: fail });
      return value;
    },
    "a constructor that throws": (value: unknown[]) => Object.defineProperty(value, "constructor", { get: fail }),
    "a subclass": (value: unknown[]) => {
      class List extends Array<unknown> {
        static override get [Symbol.species](): ArrayConstructor {
          return fail();
        }
      }
      const list = new List();
      for (const item of value) list.push(item);
      return list;
    },
  }),
];

/** What a getter may do besides. */
const deeds: Readonly<Record<string, (world: TrickWorld) => unknown>> = {
  "adds records": ({ engine }) => engine.addRecords("shop", [{ id: "deed", title: "deed" }]),
  "clears the index": ({ engine }) => engine.clearIndex("shop"),
  "deletes the index": ({ engine }) => engine.deleteIndex("shop"),
  "changes the settings": ({ engine }) => engine.updateSettings("shop", { analyzer: "plain" }),
  "closes the engine": ({ engine }) => engine.close(),
};

/** In place of a property. */
const GETTERS: readonly Trick[] = [
  { name: "a getter that throws", plain: false, getter: fail },
  {
    name: "a getter that throws a text",
    plain: false,
    getter: () => {
      throw "from the trick";
    },
  },
  { name: "a getter", plain: true, getter: (value) => value },
  { name: "a getter that throws the second time", plain: true, getter: (value, time) => (time === 1 ? value : fail()) },
  {
    name: "a getter of other values",
    plain: true,
    getter: (value, time) => [value, Symbol("second"), revoked({})][Math.min(time, 3) - 1],
  },
  ...Object.entries(deeds).map(([name, deed]) => ({
    name: `a getter that ${name}`,
    plain: false,
    upsets: true,
    getter: (value: unknown, _time: number, world: TrickWorld) => {
      void Promise.resolve(deed(world)).catch(() => {});
      return value;
    },
  })),
];

/** The tricks for a value; those of getters only where it is a property. */
export function tricksFor(value: unknown, isProperty: boolean): Trick[] {
  const plain = isObject(value) && isPlain(value);
  const fits = ({ name }: Trick): boolean => (plain ? name !== OTHER_REALM || isJson(value) : name.includes("prox"));
  return [
    ...ANYWHERE,
    ...(isProperty ? GETTERS : []),
    ...(isObject(value) || typeof value === "function" ? OBJECTS.filter(fits) : []),
    ...(plain && !Array.isArray(value) ? RECORDS : []),
    ...(Array.isArray(value) ? ARRAYS : []),
  ];
}
