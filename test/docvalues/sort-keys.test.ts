import { describe, expect, it } from "vitest";
import { sortKeyOfText } from "../../src/analysis/sort-keys.js";
import { buildDocValues } from "../../src/docvalues/build-doc-values.js";
import type { AttributeValue, DocValues } from "../../src/docvalues/doc-values.js";
import {
  compareByKeys,
  type SortDirection,
  type SortKey,
  sortKeyAt,
  valueKeysOf,
} from "../../src/docvalues/doc-values.js";
import type { LocalDoc } from "../../src/util/doc-set.js";
import type { JsonRecord } from "../../src/util/json.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { inSequence, sortsBy } from "../support/naive-order.js";
import { property } from "../support/random.js";
import { itemsOf } from "../support/stored-records.js";
import { valuesAt } from "../support/values-at.js";

const TEXTS = ["10", "9", "1,5", "b", "B", "\u00e9", "E", "f", "", " ", "__proto__"];
const VALUES: readonly AttributeValue[] = [3, 10, -1, 0.5, ...TEXTS, true, false];

function keysOf(columns: ReadonlyMap<string, DocValues>, sort: readonly [string, SortDirection][]): SortKey[] {
  return sort.map(([path, direction]) => {
    const column = columns.get(path);
    const keys = column && runTaskAtOnce(valueKeysOf(column, sortKeyOfText));
    return { direction, keyOf: (doc) => keys && sortKeyAt(column, keys, doc as LocalDoc, direction) };
  });
}

function order(records: readonly JsonRecord[], ...sort: readonly [string, SortDirection][]): number[] {
  const columns = runTaskAtOnce(buildDocValues(records.length, itemsOf(records), ["a", "b", "rare"]));
  const compare = compareByKeys(keysOf(columns, sort));
  return [...records.keys()].sort((x, y) => compare(x, y) || x - y);
}

function naiveKey(record: JsonRecord, path: string, direction: SortDirection): number {
  const all = [...new Set(inSequence(VALUES.flatMap((value) => sortsBy(value) ?? [])))];
  const ranks = valuesAt(record, path)
    .map((value) => all.indexOf(sortsBy(value)!))
    .filter((rank) => rank >= 0);
  if (ranks.length === 0) return Number.POSITIVE_INFINITY;
  return direction === "asc" ? Math.min(...ranks) : -Math.max(...ranks);
}

describe("compareByKeys", () => {
  it("puts what is missing last in both directions", () => {
    const records = [{}, { a: 2 }, { a: null }, { a: 1 }, { a: [] }];
    expect(order(records, ["a", "asc"])).toEqual([3, 1, 0, 2, 4]);
    expect(order(records, ["a", "desc"])).toEqual([1, 3, 0, 2, 4]);
  });

  it("takes the least of several values for ascending order, the greatest for descending", () => {
    const records = [{ a: [5, 1] }, { a: [2, 3] }, { a: 4 }];
    expect(order(records, ["a", "asc"])).toEqual([0, 1, 2]);
    expect(order(records, ["a", "desc"])).toEqual([0, 2, 1]);
  });

  it("puts numbers before strings before booleans, and turns all of that round", () => {
    const records = [{ a: true }, { a: "x" }, { a: 9 }, { a: false }, { a: "9x" }, { a: 10 }];
    expect(order(records, ["a", "asc"])).toEqual([2, 5, 4, 1, 3, 0]);
    expect(order(records, ["a", "desc"])).toEqual([0, 3, 1, 4, 5, 2]);
  });

  it("counts a text that is written as a number as that number", () => {
    const records = [{ a: "10" }, { a: 9.5 }, { a: "1,200" }, { a: "9" }, { a: "9,99" }, { a: "-3" }, { a: "1O" }];
    expect(order(records, ["a", "asc"])).toEqual([5, 3, 1, 4, 0, 2, 6]);
    expect(order([{ a: "2.50" }, { a: "2,5" }, { a: 2.5 }], ["a", "desc"])).toEqual([0, 1, 2]);
  });

  it("takes blank texts as missing, and looks behind them in a list", () => {
    const records = [{ a: "" }, { a: ["", "b"] }, { a: [" "] }, { a: "a" }];
    expect(order(records, ["a", "asc"])).toEqual([3, 1, 0, 2]);
    expect(order(records, ["a", "desc"])).toEqual([1, 3, 0, 2]);
  });

  it("finds the least and the greatest of several texts by the alphabet, not by code unit", () => {
    const records = [{ a: ["Zeta", "alpha"] }, { a: ["b", "C"] }, { a: "\u00c9" }];
    expect(order(records, ["a", "asc"])).toEqual([0, 1, 2]);
    expect(order(records, ["a", "desc"])).toEqual([0, 2, 1]);
  });

  it("knows of no difference without keys, or where nobody has the attribute", () => {
    expect(order([{ a: 2 }, { a: 1 }])).toEqual([0, 1]);
    expect(order([{ a: 2 }, { a: 1 }], ["b", "desc"])).toEqual([0, 1]);
  });

  property("orders as a sort by each record's own values does", 80, (random) => {
    const value = (): AttributeValue[] => random.list(0, 3, () => random.pick(VALUES));
    const records = random.list(0, 120, (): JsonRecord => {
      const common = random.chance(0.8) ? { a: value(), b: random.pick(VALUES) } : {};
      return random.chance(0.03) ? { ...common, rare: random.pick(VALUES) } : common;
    });
    const sort = random.shuffle(["a", "b", "rare"]).map((path): [string, SortDirection] => {
      return [path, random.pick(["asc", "desc"])];
    });
    const naive = [...records.keys()].sort((x, y) => {
      for (const [path, direction] of sort) {
        const [keyX, keyY] = [naiveKey(records[x]!, path, direction), naiveKey(records[y]!, path, direction)];
        if (keyX !== keyY) return keyX < keyY ? -1 : 1;
      }
      return x - y;
    });
    expect(order(records, ...sort)).toEqual(naive);
  });
});
