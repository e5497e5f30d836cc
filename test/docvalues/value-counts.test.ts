import { describe, expect, it } from "vitest";
import { buildDocValues } from "../../src/docvalues/build-doc-values.js";
import type { AttributeValue, DocValues } from "../../src/docvalues/doc-values.js";
import { FacetCounter, type ValueCount } from "../../src/docvalues/value-counts.js";
import { DocSet } from "../../src/util/doc-set.js";
import type { JsonRecord, JsonValue } from "../../src/util/json.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { property, type Random } from "../support/random.js";
import { itemsOf } from "../support/stored-records.js";
import { valuesAt } from "../support/values-at.js";

const VALUES: readonly AttributeValue[] = [
  ...["constructor", "__proto__", "10", "true", "", "b", "B", 10, 9, 0.1, 0.2, 0.3, -0.7, 1e16, true, false],
];

interface Part {
  readonly records: readonly JsonRecord[];
  readonly column: DocValues | undefined;
  readonly docs: readonly number[];
  readonly groups: readonly number[];
}

function randomPart(random: Random): Part {
  const held = random.pick([0.03, 0.5, 1]);
  const many = random.pick([0, 500]);
  const value = (): AttributeValue =>
    many > 0 ? random.pick([random.between(0, many), `v${random.between(0, many)}`]) : random.pick(VALUES);
  const records = random.list(0, random.pick([3, 60, 400]), (): JsonRecord => {
    const values: JsonValue = random.chance(0.3) ? random.list(0, 4, value) : value();
    return random.chance(held) ? { a: values } : {};
  });
  const docs = random.some([...records.keys()], random.pick([0.05, 0.5, 1]));
  return {
    records,
    column: columnOf(records),
    docs: random.chance(0.5) ? docs : random.shuffle(docs),
    groups: records.map(() => random.between(0, 20)),
  };
}

function columnOf(records: readonly JsonRecord[]): DocValues | undefined {
  return runTaskAtOnce(buildDocValues(records.length, itemsOf(records), ["a"])).get("a");
}

/** The values with who has them: records, or groups. */
function holdersOf(parts: readonly Part[], grouped: boolean): Map<AttributeValue, Set<unknown>> {
  const docsWithValue = new Map<AttributeValue, Set<unknown>>();
  for (const { records, docs, groups } of parts)
    for (const doc of docs)
      for (const value of valuesAt(records[doc]!, "a")) {
        const holder = grouped ? groups[doc] : records[doc];
        docsWithValue.set(value, (docsWithValue.get(value) ?? new Set()).add(holder));
      }
  return docsWithValue;
}

const TYPES = ["number", "string", "boolean"];

function ordered(docsWithValue: ReadonlyMap<AttributeValue, ReadonlySet<unknown>>): ValueCount[] {
  const counted = [...docsWithValue].map(([value, { size }]) => ({ value, count: size }));
  const typeOf = ({ value }: ValueCount): number => TYPES.indexOf(typeof value);
  return counted.sort((a, b) => {
    const [printedA, printedB] = [String(a.value), String(b.value)];
    return b.count - a.count || (printedA === printedB ? typeOf(a) - typeOf(b) : printedA < printedB ? -1 : 1);
  });
}

function addTo(counter: FacetCounter, column: DocValues, docs: readonly number[]): void {
  counter.add(column, new DocSet(column.docCount).addAll(docs), docs.length);
}

function countAll(parts: readonly Part[], grouped: boolean): FacetCounter {
  const counter = new FacetCounter();
  for (const { column, docs, groups } of parts) {
    if (column === undefined) continue;
    if (grouped) counter.addGrouped(column, docs, (doc) => groups[doc]!);
    else addTo(counter, column, docs);
  }
  return counter;
}

for (const grouped of [false, true])
  describe(grouped ? "FacetCounter of groups" : "FacetCounter of records", () => {
    property("counts what a Map of Sets counts, in its order", 80, (random) => {
      const parts = random.list(0, 4, () => randomPart(random));
      const wanted = ordered(holdersOf(parts, grouped));
      const counter = countAll(parts, grouped);
      expect(runTaskAtOnce(counter.counts(10_000))).toEqual(wanted);
      expect(runTaskAtOnce(counter.counts(3))).toEqual(wanted.slice(0, 3));
      expect(runTaskAtOnce(counter.counts(0))).toEqual([]);
    });

    property("counts the same in a dense and in a sparse column", 40, (random) => {
      const part = { ...randomPart(random), column: undefined };
      const records = [...part.records, ...Array.from({ length: part.records.length * 16 }, () => ({}))];
      const [dense, sparse] = [part.records, records].map((all) => ({ ...part, column: columnOf(all) }));
      expect(runTaskAtOnce(countAll([sparse!], grouped).counts(1000))).toEqual(
        runTaskAtOnce(countAll([dense!], grouped).counts(1000)),
      );
    });

    property("gives the same figures of numbers in whatever order they come", 60, (random) => {
      const parts = random.list(1, 4, () => randomPart(random));
      const numbers = [...holdersOf(parts, grouped)].flatMap(([value, { size }]) =>
        typeof value === "number" ? new Array<number>(size).fill(value) : [],
      );
      const stats = countAll(parts, grouped).stats();
      const turned = parts.map((part) => ({ ...part, docs: [...part.docs].reverse() })).reverse();
      expect(countAll(turned, grouped).stats()).toEqual(stats);
      if (numbers.length === 0) expect(stats).toBeUndefined();
      else {
        expect([stats!.min, stats!.max]).toEqual([Math.min(...numbers), Math.max(...numbers)]);
        const sum = numbers.reduce((total, number) => total + number, 0);
        const size = numbers.reduce((total, number) => total + Math.abs(number), 0);
        expect(Math.abs(stats!.sum - sum)).toBeLessThanOrEqual(size * 1e-12);
        expect(stats!.avg).toBe(stats!.sum / numbers.length);
      }
    });
  });

describe("FacetCounter", () => {
  it("orders by count, then by what is printed, then number, string, boolean", () => {
    const column = columnOf([{ a: ["true", true, 10, "10", "9", 9] }, { a: ["z", "z"] }, { a: "z" }])!;
    const counter = new FacetCounter();
    addTo(counter, column, [0, 1, 2]);
    expect(runTaskAtOnce(counter.counts(100))).toEqual([
      { value: "z", count: 2 },
      { value: 10, count: 1 },
      { value: "10", count: 1 },
      { value: 9, count: 1 },
      { value: "9", count: 1 },
      { value: "true", count: 1 },
      { value: true, count: 1 },
    ]);
  });

  it("adds up numbers exactly", () => {
    const counter = new FacetCounter();
    addTo(counter, columnOf([{ a: 0.1 }, { a: 0.1 }, { a: 0.1 }, { a: [1e17, -1e17] }])!, [0, 1, 2, 3]);
    expect(counter.stats()).toEqual({ min: -1e17, max: 1e17, sum: 0.30000000000000004, avg: 0.06000000000000001 });
  });

  it("counts a group once, though its records lie in several segments", () => {
    const counter = new FacetCounter();
    counter.addGrouped(columnOf([{ a: "x" }, { a: ["x", 2] }])!, [0, 1], () => 7);
    expect(runTaskAtOnce(counter.counts(5))).toEqual([
      { value: 2, count: 1 },
      { value: "x", count: 1 },
    ]);
    counter.addGrouped(columnOf([{ a: [2, "y"] }, { a: "x" }])!, [0, 1], (doc) => 7 + doc);
    expect(runTaskAtOnce(counter.counts(5))).toEqual([
      { value: "x", count: 2 },
      { value: 2, count: 1 },
      { value: "y", count: 1 },
    ]);
    expect(counter.stats()).toEqual({ min: 2, max: 2, sum: 2, avg: 2 });
  });

  it("has nothing to say of nothing", () => {
    expect([runTaskAtOnce(new FacetCounter().counts(5)), new FacetCounter().stats()]).toEqual([[], undefined]);
  });
});
