// Records, ids and vectors that must be refused, and records that look wrong and must not.

import type { JsonRecord } from "../../src/index.js";
import type { Random } from "../support/random.js";
import { SECRET } from "./engine-refusal.js";
import { circle, INHERITED, nested, noBoolean, noList, withGetter } from "./random-poison.js";

/** What records of an index must be like. */
export interface RecordRules {
  /** Components of the records' own vectors, in `vec`; 0: they bring none. */
  readonly dimensions: number;
}

class Shelf {
  readonly id = "shelf";
}

const bad = (own: object): object => ({ id: "bad", title: `Yellow lamp ${SECRET}`, ...own });

/** No JSON values. */
const NO_JSON: readonly (() => unknown)[] = [
  () => Number.NaN,
  () => Number.NEGATIVE_INFINITY,
  () => 7n,
  () => Symbol("s"),
  () => (): string => SECRET,
  () => new Date(0),
  () => new Map([[SECRET, 1]]),
  () => new Shelf(),
  () => /drill/,
  () => new Uint8Array(3),
  () => new Float32Array(3),
  () => new String("text"),
  () => Promise.resolve(SECRET),
  () => Proxy.revocable([], {}),
];

/** An id that no record may have. */
export function badId(random: Random): unknown {
  return random.pick([
    "",
    null,
    1.5,
    Number.NaN,
    2 ** 53,
    -(2 ** 53),
    true,
    "\ud800",
    "a\udc00",
    "i".repeat(513),
    "ü".repeat(257),
    7n,
    Symbol("id"),
    {},
    [1],
    new Date(0),
  ]);
}

/** One record that must be refused. */
export function badRecord(random: Random, rules: RecordRules): unknown {
  const kinds: readonly (() => unknown)[] = [
    () => random.pick([null, undefined, 5, "text", true, 7n, Symbol("r"), [], ["id"], (): void => {}]),
    () => random.pick([new Map([["id", 1]]), new Date(0), new Shelf(), Object.create({ id: 1 }), new Error(SECRET)]),
    () => random.pick([withGetter("title", bad({})), withGetter("id"), { ...bad({}), deep: [withGetter("a")] }]),
    () => revokedRecord(),
    () => ({ title: SECRET }),
    () => bad({ id: badId(random) }),
    () => bad({ id: badId(random) }),
    () => bad({ [random.pick(["title", "price", "toJSON", ...INHERITED.slice(1)])]: random.pick(NO_JSON)() }),
    () => bad({ deep: { list: [1, { a: random.pick(NO_JSON)() }] } }),
    () => Object.assign(circle(), bad({})),
    () => bad({ deep: nested(random.pick([32, 40, 5000])) }),
    () => bad({ text: `${SECRET}${"x".repeat(100_001)}` }),
    () => bad({ list: Object.assign([], { length: random.pick([10_001, 2 ** 32 - 1]) }) }),
    () => bad(Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`a${i}`, 1]))),
    () => bad({ ["n".repeat(257)]: 1 }),
    ...(rules.dimensions > 0 ? [() => bad({ vec: badVector(random, rules.dimensions) })] : []),
    ...(rules.dimensions > 0 ? [() => bad({ vec: badVector(random, rules.dimensions) })] : []),
  ];
  return random.pick(kinds)();
}

function revokedRecord(): object {
  const { proxy, revoke } = Proxy.revocable({ id: 1 }, {});
  revoke();
  return proxy;
}

/** What is no vector of so many components; not null, which is none. */
export function badVector(random: Random, dimensions: number): unknown {
  const ones = new Array<unknown>(dimensions).fill(1);
  const withOne = (value: unknown): unknown[] => [...ones.slice(1), value];
  return random.pick<() => unknown>([
    () => ones.slice(1),
    () => [...ones, 1],
    () => [],
    () => withOne(random.pick([Number.NaN, Number.POSITIVE_INFINITY, "1", null, 7n, {}, [1], true, 1e300])),
    () => new Array<number>(dimensions).fill(0),
    () => new Array<number>(dimensions).fill(1e-13),
    () => new Array<number>(dimensions).fill(1e13),
    () => Object.defineProperty([...ones], 0, { get: () => spring(), enumerable: true }),
    () => new Float32Array(dimensions),
    () => new Float32Array(dimensions + 1).fill(1),
    () => new Float64Array(dimensions).fill(Number.NaN),
    () => new Int8Array(dimensions).fill(1),
    () => "1,1",
    () => 5,
    () => ({ length: dimensions, 0: 1 }),
    () => false,
  ])();
}

function spring(): never {
  throw new Error("a trap in a vector");
}

/** A list of records or ids that must be refused: wrong as a whole, or with one bad item among good ones. */
export function badList(random: Random, good: readonly unknown[], badItem: () => unknown): unknown {
  if (random.chance(0.25)) return noList(random);
  const list = [...good];
  for (let count = random.pick([1, 1, 1, 20]); count > 0; count--)
    list.splice(random.between(0, list.length), 0, badItem());
  return list;
}

/** Options that must be refused whatever the verb. */
export function badOptions(random: Random, noObject: (random: Random) => unknown): unknown {
  return random.pick<() => unknown>([
    () => noObject(random),
    () => ({ signal: random.pick([null, 5, "abort", {}, { aborted: false }, new AbortController(), circle()]) }),
    () => ({ signal: AbortSignal.abort() }),
    () => ({ signal: AbortSignal.abort("\u0007 not printable") }),
    () => ({ onProgress: random.pick([null, 5, {}, "f"]) }),
    () => ({ createIfNotExists: noBoolean(random) }),
  ])();
}

/** Attributes that look wrong and are not: inherited names of its own, halves of pairs, numbers at the edge. */
export function strangeAttributes(random: Random): JsonRecord {
  const names = [...INHERITED, " ", "a.b.c", ".", "\u0000", "\ud800", "💡", "0", "-1", "AND", "*", "-x", "$set"];
  const value = (): JsonRecord[string] =>
    random.pick<() => JsonRecord[string]>([
      () => "\ud83d",
      () => "‮drill\u0000",
      () => "__proto__",
      () => "a".repeat(random.pick([127, 128, 129, 3000])),
      () => Number.MAX_VALUE,
      () => -5e-324,
      () => [[], [[]], {}],
      () => JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') as JsonRecord,
      () => nested(20) as JsonRecord,
      () => "𝕳𝖊𝖑𝖑𝖔 ﬁ ﷺ ß İ",
    ])();
  const json = JSON.stringify(random.list(1, 3, () => [random.pick(names), value()]));
  return Object.fromEntries(JSON.parse(json) as [string, JsonRecord[string]][]);
}
