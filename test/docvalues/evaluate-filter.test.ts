import { describe, expect, it } from "vitest";
import { buildDocValues } from "../../src/docvalues/build-doc-values.js";
import type { AttributeValue } from "../../src/docvalues/doc-values.js";
import { evaluateFilter } from "../../src/docvalues/evaluate-filter.js";
import type { Condition, Filter } from "../../src/docvalues/filter.js";
import type { Area } from "../../src/docvalues/place.js";
import type { JsonRecord, JsonValue } from "../../src/util/json.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { passes } from "../support/naive-filters.js";
import { property, type Random } from "../support/random.js";
import { itemsOf } from "../support/stored-records.js";

const VALUES: readonly AttributeValue[] = [
  ...["constructor", "__proto__", "10", "10.0", "true", "", "-0", "NaN", "Infinity", "1e+21", 1e21],
  ...[10, -0, 0, 0.5, 2, 3, 4, -7, true, false],
  ...["1970-01-01", "1970-01-01T00:00:00.003Z", "1970-01-01T01:00:00.003+01:00", "1969-12-31T23:59Z", "1970-01-32"],
];
const ATTRIBUTES = ["color", "price", "specs.size", "__proto__", "constructor", "rare", "nobody", "_geoloc"];

function randomRecord(random: Random): JsonRecord {
  const value = (): JsonValue =>
    random.chance(0.3) ? random.list(0, 3, () => random.pick(VALUES)) : random.pick(VALUES);
  const attributes: [string, JsonValue][] = [
    ["color", value()],
    ["price", random.pick([1, 2, 2.5, 3, 10, [], null])],
    ["_geoloc", random.chance(0.5) ? randomPlace(random) : random.list(0, 3, () => randomPlace(random))],
    ["specs", { size: value() }],
    ["__proto__", value()],
    ["constructor", value()],
  ];
  return Object.fromEntries([...random.some(attributes, 0.8), ...(random.chance(0.03) ? [["rare", value()]] : [])]);
}

function randomCondition(random: Random): Condition {
  const attribute = random.pick(ATTRIBUTES.slice(0, -1));
  const bound = (): number => random.pick([-60_000, -7, -1, 0, 0.5, 2, 2.2, 3, 10, 11]);
  const kind = random.chance(0.3) ? ({ isInstant: true } as const) : {};
  return random.pick<() => Condition>([
    () => ({ kind: "equals", attribute, value: random.pick(VALUES), printed: random.chance(0.5) }),
    () => ({ kind: "in", attribute, values: random.some(VALUES, 0.3) }),
    () => {
      const operator = random.pick(["lt", "lte", "gt", "gte"] as const);
      return { kind: "compare", attribute, operator, value: bound(), ...kind };
    },
    () => ({ kind: "between", attribute, low: bound(), high: bound(), ...kind }),
    () => ({ kind: "exists", attribute }),
  ])();
}

function randomPlace(random: Random): { lat: number; lng: number } {
  return { lat: random.pick([-90, -1, 0, 48.137, 90]), lng: random.pick([-180, -179.5, 0, 11.575, 180]) };
}

function randomArea(random: Random): Area {
  if (random.chance(0.5)) return { center: randomPlace(random), radius: random.pick([0, 1, 1e5, 5e6, 3e7]) };
  const [south = -90, north = 90] = random.some([-90, 0, 48.137], 0.7);
  const box = { south, north: Math.max(south, north), west: randomPlace(random).lng, east: randomPlace(random).lng };
  return { boxes: [box, ...random.list(0, 1, () => ({ ...box, west: randomPlace(random).lng }))] };
}

function randomFilter(random: Random, depth: number): Filter {
  if (random.chance(0.1)) return { kind: "place", area: randomArea(random) };
  if (depth === 0 || random.chance(0.25)) return random.chance(0.1) ? { kind: "everything" } : randomCondition(random);
  if (random.chance(0.25)) return { kind: "not", filter: randomFilter(random, depth - 1) };
  return { kind: random.pick(["and", "or"]), filters: random.list(0, 3, () => randomFilter(random, depth - 1)) };
}

/** Tells the numbers of the records that pass a filter, all by the same columns. */
function evaluator(records: readonly JsonRecord[]): (filter: Filter) => number[] {
  const columns = runTaskAtOnce(buildDocValues(records.length, itemsOf(records), ATTRIBUTES));
  const source = { columnOf: (attribute: string) => columns.get(attribute), itemsOf: () => undefined };
  return (filter) => [...runTaskAtOnce(evaluateFilter(filter, source, records.length)).toArray()];
}

function passing(records: readonly JsonRecord[], filter: Filter): number[] {
  return [...records.keys()].filter((doc) => passes(records[doc]!, filter));
}

function expectPassing(records: readonly JsonRecord[], filter: Filter): void {
  expect(evaluator(records)(filter), JSON.stringify(filter)).toEqual(passing(records, filter));
}

/** A condition on numbers of an attribute. */
function randomBound(random: Random, attribute: string, most: number): Filter {
  const [low, high] = [random.between(-1, most), random.between(0, most + 1)];
  return random.pick<Filter>([
    { kind: "compare", attribute, operator: random.pick(["gt", "gte"] as const), value: low },
    { kind: "compare", attribute, operator: random.pick(["lt", "lte"] as const), value: high },
    { kind: "between", attribute, low, high },
    { kind: "exists", attribute },
  ]);
}

describe("evaluateFilter", () => {
  property("passes the records that a look at each record passes", 200, (random) => {
    const records = random.list(0, random.pick([3, 50, 200]), () => randomRecord(random));
    expectPassing(records, randomFilter(random, random.between(0, 4)));
  });

  property(
    "passes those that meet several conditions on one attribute, of one value, of two or of none",
    150,
    (random) => {
      const values = random.some<() => JsonValue>(
        [() => random.between(0, 60), () => null, () => [random.between(0, 60), random.between(0, 60)]],
        0.6,
      );
      const value = (): JsonValue =>
        values.length === 0 || random.chance(0.7) ? random.between(0, 60) : random.pick(values)();
      const records = random.list(1, 200, () => ({ price: value(), rare: random.between(0, 3), color: value() }));
      const bound = (): Filter => {
        const attribute = random.pick(["price", "price", "price", "color", "rare"]);
        const [value, other] = [random.between(0, 60), random.between(0, 60)];
        return random.pick<() => Filter>([
          () => randomBound(random, attribute, 60),
          () => ({ kind: "equals", attribute, value, printed: true }),
          () => ({ kind: "in", attribute, values: [value, other] }),
        ])();
      };
      const parts = random.list(2, 5, bound);
      const filter: Filter = {
        kind: "and",
        filters: random.chance(0.5)
          ? parts
          : [{ kind: "and", filters: parts }, bound(), { kind: "not", filter: bound() }],
      };
      expectPassing(records, filter);
    },
  );

  it("passes few of those that have a value, a range of values and a frequent value, whichever comes first", () => {
    const records = Array.from({ length: 8000 }, (_, i) => ({
      color: i % 2 === 0 ? "black" : "white",
      constructor: i % 3 === 0 ? [i, 10_000] : i,
      ...(i % 60 === 0 && { price: i }),
      ...(i % 160 === 0 && { rare: i }),
    }));
    const rare: Filter = { kind: "exists", attribute: "rare" };
    const between = (attribute: string, low: number, high: number): Filter[] => [
      { kind: "compare", attribute, operator: "gte", value: low },
      { kind: "compare", attribute, operator: "lt", value: high },
    ];
    const and = (...filters: Filter[]): Filter => ({ kind: "and", filters });
    const white: Filter = { kind: "equals", attribute: "color", value: "white", printed: false };
    for (const [filter, count] of [
      [and(...between("constructor", 3200, 6400), rare), 27],
      [and(...between("constructor", 5000, 10_000), rare), 29],
      [and({ kind: "exists", attribute: "price" }, ...between("rare", 100, 720)), 1],
      [and(white, ...between("constructor", 4000, 4007)), 670],
      [and(white, rare), 0],
      // The values of a list come in any order.
      [and(rare, { kind: "in", attribute: "constructor", values: [10_000, 160, 5] }), 18],
    ] as const) {
      expect(passing(records, filter), JSON.stringify(filter)).toHaveLength(count);
      expectPassing(records, filter);
    }
  });

  property("passes a wide range of the values of many records, which have one each, or some none", 12, (random) => {
    const most = random.pick([9, 300, 6000]);
    const rarely = random.pick([0, 0.1, 0.97]);
    const records = Array.from({ length: random.pick([4095, 4096, 6001]) }, (): JsonRecord => {
      if (random.chance(rarely)) return {};
      return { price: random.chance(0.02) ? random.pick(["10", true]) : random.between(0, most) };
    });
    const evaluate = evaluator(records);
    for (let i = 0; i < 30; i++) {
      const filter = randomBound(random, "price", most);
      const wanted = passing(records, filter);
      expect(evaluate(filter), JSON.stringify(filter)).toEqual(wanted);
      expect(evaluate({ kind: "not", filter }), JSON.stringify(filter)).toHaveLength(records.length - wanted.length);
    }
  });

  property("passes the same records of a dense and of a sparse column", 60, (random) => {
    const records = random.list(1, 40, () => randomRecord(random));
    const others = Array.from({ length: records.length * 16 }, () => ({}));
    const filter = randomFilter(random, 3);
    const found = evaluator([...records, ...others])(filter).filter((doc) => doc < records.length);
    expect(found).toEqual(evaluator(records)(filter));
  });
});
