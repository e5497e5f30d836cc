// The items of lists, found in the records and joined to them, against their definition.

import { describe, expect, it } from "vitest";
import { ColumnsBuilder, liftDocValues } from "../../src/docvalues/build-doc-values.js";
import { ordinalsOf } from "../../src/docvalues/doc-values.js";
import { holdersOf, ItemFinder, type ItemTable, itemsIn } from "../../src/docvalues/item-table.js";
import { DocSet, type LocalDoc } from "../../src/util/doc-set.js";
import type { JsonRecord, JsonValue } from "../../src/util/json.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { valuesInItem } from "../support/naive-filters.js";
import { isObject, placedAt } from "../support/naive-items.js";
import { property, type Random } from "../support/random.js";

const NAMES = ["a", "b", "a.b", "__proto__", "n"];

function randomValue(random: Random, depth: number): JsonValue {
  if (depth === 0 || random.chance(0.2)) return random.pick([1, 2, "x", null, true]);
  if (random.chance(0.4)) return random.list(0, 3, () => randomValue(random, depth - 1));
  return Object.fromEntries(random.some(NAMES, 0.6).map((name) => [name, randomValue(random, depth - 1)]));
}

function randomRecords(random: Random): JsonRecord[] {
  const record = (): JsonRecord =>
    Object.fromEntries(random.some(NAMES, 0.8).map((name) => [name, randomValue(random, 3)]));
  return random.list(0, 30, record);
}

function tableOf(records: readonly JsonRecord[], path: string, outer = ""): ItemTable {
  const finder = new ItemFinder(path, outer);
  for (const [doc, record] of records.entries()) finder.find(record, doc as LocalDoc);
  return finder.table() ?? { size: 0, holders: new Uint32Array(), places: new Uint32Array() };
}

/** Every object at the path, with its record and its place. */
function itemsAt(records: readonly JsonRecord[], path: string): { item: JsonRecord; doc: number; place: number }[] {
  return records.flatMap((record, doc) =>
    placedAt(record, path.split(".")).flatMap((item, place) => (isObject(item) ? [{ item, doc, place }] : [])),
  );
}

function randomSet(random: Random, size: number): DocSet<LocalDoc> {
  return new DocSet<LocalDoc>(size).addAll(random.some([...Array(size).keys()], 0.5));
}

describe("the items of lists", () => {
  property("are the objects at the path, with their records and places", 60, (random) => {
    const records = randomRecords(random);
    for (const path of ["a", "b", "a.b", "b.a", "__proto__", "a.b.n", "nobody"]) {
      const wanted = itemsAt(records, path);
      const { holders, places } = tableOf(records, path);
      expect([...holders], path).toEqual(wanted.map(({ doc }) => doc));
      expect([...places], path).toEqual(wanted.map(({ place }) => place));
    }
  });

  property("of a list within a list are joined to the items of the outer one", 60, (random) => {
    const records = randomRecords(random);
    const outer = itemsAt(records, "a").map(({ item }) => item);
    const { size } = tableOf(records, "a");
    const inner = itemsAt(records, "a.b").map(({ item }) => item);
    const table = tableOf(records, "a.b", "a");
    expect([size, table.size]).toEqual([outer.length, inner.length]);
    const some = randomSet(random, inner.length);
    const holds = (item: JsonRecord): boolean =>
      placedAt(item, ["b"]).some((one) => some.has(inner.indexOf(one as JsonRecord) as LocalDoc));
    const held = runTaskAtOnce(holdersOf(some, table, size));
    expect([...held.toArray()]).toEqual([...outer.keys()].filter((i) => holds(outer[i]!)));
    const chosen = randomSet(random, size);
    const isIn = (item: JsonRecord): boolean =>
      outer.some((one, i) => chosen.has(i as LocalDoc) && placedAt(one, ["b"]).includes(item));
    expect([...runTaskAtOnce(itemsIn(chosen, table)).toArray()]).toEqual(
      [...inner.keys()].filter((i) => isIn(inner[i]!)),
    );
  });

  property("give their values to their records", 60, (random) => {
    const records = randomRecords(random);
    const items = itemsAt(records, "a");
    const builder = new ColumnsBuilder(["n", "a.b"]);
    for (const [i, { item }] of items.entries()) builder.addItem(i as LocalDoc, item);
    const columns = runTaskAtOnce(builder.close(items.length));
    const [some, docs] = [randomSet(random, items.length), randomSet(random, records.length)];
    for (const name of ["n", "a.b"]) {
      const column = columns.get(name);
      if (column === undefined) continue;
      const lifted = runTaskAtOnce(liftDocValues(column, tableOf(records, "a"), some, docs));
      for (const doc of records.keys()) {
        const wanted = items.flatMap(({ item, doc: holder }, i) =>
          holder === doc && docs.has(doc as LocalDoc) && some.has(i as LocalDoc) ? valuesInItem(item, name) : [],
        );
        const given = [...ordinalsOf(lifted, doc as LocalDoc)].map((ordinal) => lifted.values[ordinal]);
        expect(new Set(given)).toEqual(new Set(wanted));
        expect(given).toHaveLength(new Set(wanted).size);
      }
    }
  });

  it("of one record may be very many", () => {
    const list = Array.from({ length: 100_000 }, (_, n) => (n % 10 === 0 ? n : { n }));
    const { size, places } = tableOf([{ a: list }], "a");
    expect([size, places[0], places.at(-1)]).toEqual([90_000, 1, 99_999]);
  });
});
