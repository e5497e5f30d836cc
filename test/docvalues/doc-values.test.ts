import { describe, expect, it } from "vitest";
import {
  buildDocValues,
  mergeDocValues,
  newNumbers,
  packDocValues,
  unpackDocValues,
} from "../../src/docvalues/build-doc-values.js";
import {
  type AttributeValue,
  bytesOf,
  compareValues,
  type DocValues,
  docsOfRange,
  ordinalOf,
  ordinalsOf,
  seekRow,
} from "../../src/docvalues/doc-values.js";
import type { LocalDoc } from "../../src/util/doc-set.js";
import type { JsonRecord, JsonValue } from "../../src/util/json.js";
import { runTaskAtOnce, type Task } from "../../src/util/tasks.js";
import { property, type Random } from "../support/random.js";
import { seq } from "../support/seq.js";
import { itemsOf } from "../support/stored-records.js";
import { valuesAt } from "../support/values-at.js";

const VALUES: readonly JsonValue[] = [
  ...["constructor", "__proto__", "10", "true", "", "é", 10, -3, 0, -0, 0.5, 1e300, true, false, null],
  ...Array.from({ length: 20 }, (_, i) => i * 1.5),
];
const PATHS = ["color", "specs.size", "__proto__", "constructor", "rare", "nobody"];

function randomRecord(random: Random): JsonRecord {
  const value = (): JsonValue =>
    random.chance(0.4) ? random.list(0, 4, () => random.pick(VALUES)) : random.pick(VALUES);
  const attributes: [string, JsonValue][] = [
    ["color", value()],
    ["specs", random.list(1, 2, () => ({ size: value() }))],
    ["__proto__", value()],
    ["constructor", value()],
  ];
  return Object.fromEntries([...random.some(attributes, 0.7), ...(random.chance(0.03) ? [["rare", value()]] : [])]);
}

function build(records: readonly JsonRecord[], paths: readonly string[] = PATHS): Map<string, DocValues> {
  return runTaskAtOnce(buildDocValues(records.length, itemsOf(records), paths));
}

function valuesOf(column: DocValues, doc: number): AttributeValue[] {
  return [...ordinalsOf(column, doc as LocalDoc)].map((ordinal) => column.values[ordinal]!);
}

describe("buildColumns", () => {
  property("holds what each record holds, in both directions", 40, (random) => {
    const records = random.list(0, random.pick([3, 40, 300]), () => randomRecord(random));
    const columns = build(records);
    for (const path of PATHS) {
      const wanted = records.map((record) => valuesAt(record, path).sort(compareValues));
      const distinct = [...new Set(wanted.flat())].sort(compareValues);
      const column = columns.get(path);
      expect(column?.values ?? []).toEqual(distinct);
      if (column === undefined) continue;
      expect(column.docCount).toBe(records.length);
      expect(records.map((_, doc) => valuesOf(column, doc))).toEqual(wanted);
      for (const [ordinal, value] of distinct.entries()) {
        expect(ordinalOf(column, value)).toBe(ordinal);
        const docs = [...wanted.keys()].filter((doc) => wanted[doc]!.includes(value));
        expect([...docsOfRange(column, { from: ordinal, to: ordinal + 1 })]).toEqual(docs);
      }
    }
  });

  it("keeps sets of the codes that a 32nd of the records have, in segments of 4,096 and more", () => {
    const records = Array.from({ length: 4097 }, (_, i) => ({
      id: i,
      all: "x",
      some: [i % 2 === 0 ? "even" : "odd", ...(i < 129 ? ["enough"] : []), ...(i < 128 ? ["few"] : [])],
    }));
    const columns = build(records, ["id", "all", "some"]);
    const kept = ({ ordinalSets, values }: DocValues) => [...ordinalSets.keys()].map((ordinal) => values[ordinal]);
    expect(kept(columns.get("some")!)).toEqual(["enough", "even", "odd"]);
    expect([kept(columns.get("id")!), kept(columns.get("all")!)]).toEqual([[], ["x"]]);
    const first = (size: number): DocValues => build(records.slice(0, size), ["some"]).get("some")!;
    expect([kept(first(4096)), kept(first(4095))]).toEqual([["enough", "even", "few", "odd"], []]);
  });

  it("keeps the holders' numbers where few hold the attribute, and a row for each record elsewhere", () => {
    const records = Array.from({ length: 320 }, (_, i) => ({ often: 1, ...(i % 17 === 3 ? { rare: i } : {}), id: i }));
    const tenth = records.map((record) => (record.id % 16 === 0 ? { ...record, edge: 1 } : record));
    const columns = build(tenth, ["often", "rare", "edge"]);
    expect(columns.get("often")!.docsWithValue).toBeNull();
    expect(columns.get("edge")!.docsWithValue).toBeNull();
    expect([...columns.get("rare")!.docsWithValue!].slice(0, 3)).toEqual([3, 20, 37]);
    expect(bytesOf(columns.get("rare")!)).toBeLessThan(bytesOf(columns.get("often")!) / 2);
  });

  it("gives columns only for what somebody has, and reads each record once, in order", () => {
    const asked: number[] = [];
    const recordAt = (doc: number): Task<JsonRecord> => {
      asked.push(doc);
      return itemsOf<JsonRecord>([{ a: [], b: doc === 2 ? 0 : null }])(0);
    };
    expect([...runTaskAtOnce(buildDocValues(3, recordAt, ["a", "b", "c"])).keys()]).toEqual(["b"]);
    expect(asked).toEqual([0, 1, 2]);
  });

  it("pauses while it reads and while it sorts", () => {
    const values = Array.from({ length: 3000 }, (_, doc) => ({ a: `v${(doc * 7919) % 3000}` }));
    const steps = buildDocValues(3000, itemsOf(values), ["a"]);
    let pauses = 0;
    while (!steps.next().done) pauses++;
    expect(pauses).toBeGreaterThan(3000 / 256 + 3);
  });
});

describe("a column", () => {
  it("finds codes by type and value", () => {
    const column = build([{ n: [3, 1, 2] }, { n: "2" }, {}, { n: [true, 2.5, "a", -1] }, { n: 7 }], ["n"]).get("n")!;
    expect(column.values).toEqual([-1, 1, 2, 2.5, 3, 7, "2", "a", true]);
    for (const [ordinal, value] of column.values.entries()) expect(ordinalOf(column, value)).toBe(ordinal);
    for (const value of [false, 4, "b", "", -0, Number.NaN]) expect(ordinalOf(column, value)).toBe(-1);
  });

  it("estimates its memory", () => {
    const one = (value: AttributeValue): number => bytesOf(build([{ n: value }], ["n"]).get("n")!);
    expect(one(1)).toBe(2 * 8 + 2 * 4 + 8);
    const more = [true, 0.5, "eightbit", "€", ""].map((value) => one(value) - one(1));
    expect(more).toEqual([0, 16, 24, 24, 16]);
  });
});

describe("seekSlot", () => {
  property("finds the same with any hint", 60, (random) => {
    const docsWithValue = Uint32Array.from(random.some([...Array(200).keys()], random.pick([0.02, 0.3, 1])));
    for (let i = 0; i < 50; i++) {
      const doc = random.between(0, 210);
      const first = docsWithValue.findIndex((holder) => holder >= doc);
      const hint = random.between(0, docsWithValue.length);
      expect(seekRow(docsWithValue, doc, hint)).toBe(first < 0 ? docsWithValue.length : first);
    }
  });
});

describe("mergeColumns", () => {
  property("gives what building afresh gives", 60, (random) => {
    const sources = random.list(1, 4, () => random.list(0, random.pick([5, 60]), () => randomRecord(random)));
    const all = sources.flatMap((records, origin) => records.map((record, doc) => ({ origin, doc, record })));
    const living = random.some(random.shuffle(all), random.pick([0, 0.3, 0.9, 1]));
    const origin = Uint16Array.from(living, (place) => place.origin);
    const docs = Uint32Array.from(living, (place) => place.doc);
    const columns = sources.map((records) => build(records));
    const sizes = sources.map((records) => records.length);
    const fresh = build(living.map((place) => place.record));
    for (const path of PATHS) {
      const parts = columns.map((of) => of.get(path));
      const merged = runTaskAtOnce(mergeDocValues(parts, origin, docs, newNumbers(sizes, origin, docs)));
      if (fresh.has(path)) expect(merged).toEqual(fresh.get(path));
      else expect([merged.docCount, merged.values, merged.ordinalDocs.length]).toEqual([living.length, [], 0]);
    }
  });
});

describe("the stored form of a column", () => {
  const again = (column: DocValues): DocValues =>
    runTaskAtOnce(unpackDocValues(column.docCount, runTaskAtOnce(packDocValues(column))));

  property("gives the same column back", 40, (random) => {
    const records = random.list(0, random.pick([3, 40, 300]), () => randomRecord(random));
    for (const column of build(records).values()) expect(again(column)).toEqual(column);
  });

  it("has every text and number to the bit, and as many values a record as there are", () => {
    const texts = ["", "\n", '"', "\ud800", "\ude00 x", "😀", "\u2028", "a\u0000b", ...seq(2000, (i) => `text ${i}`)];
    const numbers = [5e-324, 0.1 + 0.2, -1e300, 2 ** 53 - 1, -1, 0];
    const column = build([{ a: [...texts, ...numbers, true] }, {}, { a: seq(300, (i) => i) }, { a: false }], ["a"]);
    expect(again(column.get("a")!)).toEqual(column.get("a"));
  });

  it("has the bitsets of large segments, of single values and of several", () => {
    const records = seq(5000, (i) => ({ one: i % 3, some: i % 2 === 0 ? [i % 5, "x"] : [], rare: i % 99 ? null : i }));
    const columns = build(records, ["one", "some", "rare"]);
    for (const column of columns.values()) expect(again(column)).toEqual(column);
    expect(again(columns.get("one")!).ordinalSets.size).toBe(3);
    expect(again(columns.get("rare")!).docsWithValue).not.toBeNull();
  });
});
