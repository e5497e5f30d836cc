// Values to filter, count, sort and group by: few, so that they are shared; lists, nested and dotted names, one attribute of
// all types, values that print alike, nulls and gaps. And clicks and orders over them.

import type { FacetEntry, JsonRecord, JsonValue, SearchParams } from "../../src/index.js";
import { valuesAt } from "../support/naive-filters.js";
import type { Random } from "../support/random.js";

export const ATTRIBUTES: readonly string[] = (
  "brand colors price stock sale mixed group released category.main category.sub.leaf variants.size variants.price " +
  "variants.stock.n"
).split(" ");
/** Lists of objects, with the names of what their items have. */
export const LISTS: Readonly<Record<string, readonly string[]>> = {
  variants: ["size", "price", "stock.n"],
  "variants.stock": ["n"],
  category: ["main", "sub.leaf"],
  "category.sub": ["leaf"],
};
const COLORS = ["black", "green", "white", "-", "true"];
const MIXED: readonly JsonValue[] = [
  ...[10, "10", true, "true", false, "x", null, [10, "10", 2], { deep: 1 }, 2, "-0", 0],
  ...["2024-01-31", 1_706_659_200_000],
];
const LATITUDES = [48.137, 48.2, 52.52, -18.141, 0, 90, -90, -48.137, 1e-7];
const LONGITUDES = [11.575, 13.405, 178.442, -171.767, 180, -180, 0, -168.425, 179.99];
const RADII = [0, 1, 7_500, 51_000, 505_000, 1_200_000, 9_000_000.5, 20_015_115];
/** Some are one instant in several spellings, some are no dates. */
const DATES = [
  ...["2024-01-31", "2024-01-31T02:00:00+02:00", "2024-01-30T23:59:59.999Z", "2024-01-31T00:00Z", "2024-02-29"],
  ...["1969-07-20", "0099-12-31", "+012024-01-01T00:00:00.000Z", "2024-01-31T00:00:00.0009Z", "2024-01-31T13:30-11:45"],
  ...["2024-02-30", "2024-13-01", "31.01.2024", "soon", "2024-01-31T10:00"],
];

export type Scalar = string | number | boolean;
export const VALUES: Readonly<Record<string, readonly Scalar[]>> = {
  brand:
    `Forge|Volt|Hem|AND|Black & Decker|-Hem|\\-Hem|6" Tools|constructor|a:b|forge|\u00c9mile|emile|Zeta| |9,99|1,200|-3`.split(
      "|",
    ),
  colors: COLORS,
  price: [9, 18, 29.5, 0.1, 0.2, 0.3, 1e15, -4, 0],
  stock: [0, 1, 2, 3],
  sale: [true, false],
  mixed: [10, "10", true, "true", false, "x", 2, "2", 0, "-0"],
  group: ["g1", "g2", "g3", 1],
  released: [...DATES, 1_706_659_200_000, 20_240_131],
  "category.main": ["tools", "home", "kitchen"],
  "category.sub.leaf": ["a", "b", 1, 1.5],
  "variants.size": ["S", "M", 38, "38", "2024-01-31"],
  "variants.price": [5, 10, 20, 30, "10"],
  "variants.stock.n": [0, 1, 2],
};

/** Attributes for a record; some are missing. */
export function randomAttributes(random: Random): JsonRecord {
  const of = (name: string): Scalar => random.pick(VALUES[name]!);
  const place = (): JsonValue => ({ lat: random.pick(LATITUDES), lng: random.pick(LONGITUDES) });
  const category = (): JsonValue =>
    random.pick<() => JsonValue>([
      () => ({ main: of("category.main") }),
      () => ({ main: of("category.main"), sub: random.list(0, 3, () => ({ leaf: of("category.sub.leaf") })) }),
      () => [{ main: of("category.main") }, { main: of("category.main"), "sub.leaf": of("category.sub.leaf") }],
      () => "tools",
    ])();
  const stock = (): JsonValue => ({ n: of("variants.stock.n") });
  const variant = (): JsonValue => ({
    ...(random.chance(0.9) ? { size: of("variants.size") } : {}),
    ...(random.chance(0.8) ? { price: random.chance(0.1) ? [of("variants.price"), 10] : of("variants.price") } : {}),
    ...(random.chance(0.5) ? { stock: random.list(0, 3, stock) } : {}),
    ...(random.chance(0.05) ? { "stock.n": of("variants.stock.n") } : {}),
    ...(random.chance(0.05) ? { stock: stock() } : {}),
  });
  const other = (): JsonValue => random.pick(["S", 5, null, [], {}]);
  const placed = (): JsonValue =>
    random.pick<() => JsonValue>([variant, variant, variant, other, () => [variant(), [variant()]]])();
  const made: readonly (readonly [string, () => JsonValue])[] = [
    ["brand", () => of("brand")],
    ["colors", () => random.pick([[], [random.list(0, 3, () => random.pick(COLORS)), null], random.pick(COLORS)])],
    ["colors", () => random.list(1, 3, () => random.pick(COLORS))],
    ["price", () => of("price")],
    ["stock", () => of("stock")],
    ["sale", () => of("sale")],
    ["mixed", () => random.pick(MIXED)],
    ["group", () => (random.chance(0.2) ? random.list(0, 2, () => of("group")) : of("group"))],
    ["released", () => (random.chance(0.2) ? random.list(0, 3, () => of("released")) : of("released"))],
    ["_geoloc", () => random.pick<() => JsonValue>([place, place, () => random.list(0, 3, place)])()],
    ["category", category],
    ["variants", () => (random.chance(0.1) ? variant() : random.list(0, 4, random.chance(0.2) ? placed : variant))],
    ...(random.chance(0.03) ? [["variants.stock", () => random.list(0, 2, stock)] as const] : []),
    ...(random.chance(0.03) ? [["variants.size", () => of("variants.size")] as const] : []),
    ...(random.chance(0.1) ? [["category.main", () => of("category.main")] as const] : []),
  ];
  const chosen = random.some(made, random.pick([0.5, 0.8, 1]));
  return Object.fromEntries(chosen.map(([name, make]) => [name, random.chance(0.05) ? null : make()]));
}

/** The attributes that some record holds: those that a query may name. */
export function heldAttributes(records: readonly JsonRecord[]): string[] {
  return ATTRIBUTES.filter((attribute) => records.some((record) => valuesAt(record, attribute).length > 0));
}

/** Clicks in all forms; undefined where there is nothing to click. */
export function randomClicks(random: Random, held: readonly string[]): SearchParams["facetFilters"] {
  if (held.length === 0) return undefined;
  if (random.chance(0.4)) {
    const clicked = random.some(held, 0.25).map((name) => [name, randomChoice(random, name)] as const);
    return Object.fromEntries(clicked);
  }
  return random.list(0, 3, () => {
    const name = random.pick(held);
    const one = (): string => clickText(name, random.pick(VALUES[name]!), random.chance(0.2));
    return random.chance(0.5) ? one() : random.list(0, 3, one);
  });
}

/** Choices of numbers in all forms, in ranges that are often met. */
export function randomNumericFilters(random: Random, held: readonly string[]): SearchParams["numericFilters"] {
  const numbersOf = (name: string): readonly number[] =>
    [...VALUES[name]!, 1.5, -1e308].filter((value) => typeof value === "number");
  const names = held.filter((name) => numbersOf(name).length > 3 || random.chance(0.1));
  if (names.length === 0) return [];
  const shared = random.pick(names);
  const one = (name: string): string => {
    const blank = random.pick(["", "", " "]);
    const number = (): string => random.pick([String, (x: number) => x.toExponential()])(random.pick(numbersOf(name)));
    if (random.chance(0.2)) return `${name}${blank}:${blank}${number()} TO ${number()}`;
    return `${blank}${name}${blank}${random.pick(["<", "<=", "=", "!=", "!=", ">=", ">=", ">"])}${blank}${number()}${blank}`;
  };
  const some = (): string => one(random.chance(0.5) ? shared : random.pick(names));
  return random.list(0, 4, () => (random.chance(0.6) ? some() : random.list(1, 3, some)));
}

/** Some of the names as objects that ask for ranges, bars or another order. */
export function randomFacetEntries(random: Random, names: readonly string[]): NonNullable<SearchParams["facets"]> {
  const bound = (): number | null => random.pick([null, null, 0, 0.2, 2, 10, 29.5, -4]);
  const range = (): [number | null, number | null] => {
    const [from, to] = [bound(), bound()];
    return from === null || to === null || from < to ? [from, to] : from === to ? [from, null] : [to, from];
  };
  return names.map((attribute) => {
    if (attribute.endsWith("*") || random.chance(0.6)) return attribute;
    return random.pick<() => FacetEntry>([
      () => ({ attribute, ranges: random.list(1, 5, range) }),
      () => ({ attribute, histogram: random.pick([2, 3, 7, 100]) }),
      () => ({ attribute, sort: random.pick(["count", "alpha"]), ...(random.chance(0.5) ? { limit: 2 } : {}) }),
    ])();
  });
}

type Bounds = { readonly gte?: number | string | Date; readonly lt: number | string };
type Choice = Scalar | readonly Scalar[] | Bounds;

function randomChoice(random: Random, name: string): Choice {
  const values = VALUES[name]!;
  if (name === "price" && random.chance(0.5)) return random.pick([{ lt: 20 }, { gte: 0.2, lt: 1e15 }]);
  const day = { gte: new Date("2024-01-30T23:59:59.999Z"), lt: "2024-01-31T00:00:00.001Z" };
  if (name === "released" && random.chance(0.5)) return random.pick([{ lt: "2024-01-31" }, day]);
  return random.chance(0.5) ? random.pick(values) : random.list(0, 3, () => random.pick(values));
}

/** A value as a click's text: hyphens at its beginning escaped. */
export function clickText(name: string, value: Scalar, isNegated = false): string {
  const printed = String(value);
  return `${name}:${isNegated ? "-" : ""}${/^\\*-/.test(printed) ? `\\${printed}` : printed}`;
}

export function randomSort(random: Random, held: readonly string[]): SearchParams["sort"] {
  const keys = held.length === 0 ? [] : random.list(0, 3, () => random.pick(held));
  const points = random.chance(0.2) ? [`_geoPoint(${randomPoint(random)})`] : [];
  const scores = random.chance(0.2) ? ["_score"] : [];
  return random.shuffle([...keys, ...points, ...scores]).map((key) => `${key}:${random.pick(["asc", "desc"])}`);
}

function randomPoint(random: Random): string {
  return `${random.pick(LATITUDES)},${random.pick(LONGITUDES)}`;
}

/** Where records must be: in a circle, in boxes, or both; or a place alone. */
export function randomArea(random: Random): Partial<SearchParams> {
  const corner = (): [number, number] => [random.pick(LATITUDES), random.pick(LONGITUDES)];
  const box = (): [number, number, number, number] => [...corner(), ...corner()];
  return {
    ...(random.chance(0.7) ? { aroundLatLng: randomPoint(random) } : {}),
    ...(random.chance(0.5) ? { aroundLatLng: randomPoint(random), aroundRadius: random.pick(RADII) } : {}),
    ...(random.chance(0.5) ? { insideBoundingBox: random.list(1, 3, box) } : {}),
  };
}
