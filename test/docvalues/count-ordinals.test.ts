import { describe, expect, it } from "vitest";
import { buildDocValues } from "../../src/docvalues/build-doc-values.js";
import type { AttributeValue, DocValues } from "../../src/docvalues/doc-values.js";
import { countOrdinals } from "../../src/docvalues/value-counts.js";
import { DocSet } from "../../src/util/doc-set.js";
import type { JsonRecord } from "../../src/util/json.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { property, type Random } from "../support/random.js";
import { itemsOf } from "../support/stored-records.js";
import { valuesAt } from "../support/values-at.js";

const SIZE = 4128;

const COLORS = ["red", "green", 7, true, "blue"];
const many = (random: Random): string => `v${random.between(0, 3000)}`;

/** What records can hold, and what is true of their column then. */
const KINDS: readonly [
  name: string,
  draw: (random: Random) => AttributeValue[],
  hasSets?: boolean | undefined,
  isSparse?: boolean,
][] = [
  ["one of a few values", (random) => [random.pick(COLORS)], true],
  ["several of a few values", (random) => random.some(COLORS, 0.3), true],
  ["frequent values and rare ones", (random) => [random.chance(0.9) ? "a" : many(random)]],
  ["one of many values", (random) => [many(random)], false],
  ["several of many values", (random) => random.list(0, 3, () => many(random))],
  [
    "lists of few values that are nearly all different",
    (random) => random.some([...Array(12).keys()], 0.5),
    true,
    false,
  ],
  ["mostly nothing", (random) => (random.chance(0.02) ? ["x", many(random)] : []), undefined, true],
];

function columnOf(records: readonly JsonRecord[]): DocValues {
  return runTaskAtOnce(buildDocValues(records.length, itemsOf(records), ["a"])).get("a")!;
}

function counted(column: DocValues, docs: readonly number[]): Map<AttributeValue, number> {
  const counts = new Uint32Array(column.values.length);
  countOrdinals(column, new DocSet(column.docCount).addAll(docs), docs.length, counts);
  return new Map(column.values.map((value, ordinal) => [value, counts[ordinal]!]));
}

function byHand(records: readonly JsonRecord[], docs: readonly number[]): Map<AttributeValue, number> {
  const counts = new Map<AttributeValue, number>();
  for (const record of records) for (const value of valuesAt(record, "a")) counts.set(value, 0);
  for (const doc of docs)
    for (const value of new Set(valuesAt(records[doc]!, "a"))) counts.set(value, counts.get(value)! + 1);
  return counts;
}

describe("countCodes", () => {
  for (const [name, draw, hasSets, isSparse] of KINDS)
    property(`counts records that hold ${name}, however many they are`, 4, (random) => {
      const records = Array.from({ length: SIZE }, (): JsonRecord => ({ a: draw(random) }));
      const column = columnOf(records);
      const kinds = [column.ordinalSets.size === column.values.length, column.docsWithValue !== null];
      expect(kinds).toEqual([hasSets ?? kinds[0], isSparse ?? kinds[1]]);
      const all = [...records.keys()];
      for (const share of [0, 0.002, 0.03, 0.1, 0.5, 0.97, 1]) {
        const docs = random.some(all, share);
        expect(counted(column, docs)).toEqual(byHand(records, docs));
      }
    });

  it("adds to what was counted before", () => {
    const column = columnOf([{ a: "x" }, { a: ["x", "y"] }, { a: "y" }]);
    const counts = Uint32Array.of(10, 20);
    for (const docs of [[0], [0, 1, 2]]) countOrdinals(column, new DocSet(3).addAll(docs), docs.length, counts);
    expect([...counts]).toEqual([13, 22]);
  });
});
