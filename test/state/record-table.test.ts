import { describe, expect, it } from "vitest";
import {
  mergeRecordTables,
  recordOf,
  tableBytes,
  type WrittenEntry,
  writeRecordTable,
} from "../../src/state/record-table.js";
import type { DocArray, LocalDoc } from "../../src/util/doc-set.js";
import { DEFAULT_LIMITS } from "../../src/util/limits.js";
import { runTaskAtOnce } from "../../src/util/tasks.js";
import { writeRecord } from "../../src/write/write-record.js";
import { bareEntry } from "../support/bare-entry.js";
import { storedAt } from "../support/stored-records.js";

const RECORDS = [{ t: "é東😀" }, { t: "", n: [1, null] }, {}, JSON.parse('{ "__proto__": 5 }') as object];
const tableOf = (prefix: string, records: readonly object[]) =>
  runTaskAtOnce(writeRecordTable(records.map((record, i) => bareEntry(`${prefix}${i}`, JSON.stringify(record)))));

describe("a record table", () => {
  const table = tableOf("r", RECORDS);

  it("gives every record back as it was written", () => {
    expect(RECORDS.map((_, doc) => JSON.stringify(storedAt(table, doc).parse()))).toEqual(
      RECORDS.map((record) => JSON.stringify(record)),
    );
  });

  it("finds each id, and no other", () => {
    expect(["r0", "r1", "r2", "r3"].map((id) => table.ids.indexOf(id))).toEqual([0, 1, 2, 3]);
    expect(["", "r", "r00", "r4", "s", "__proto__"].map((id) => table.ids.indexOf(id))).toEqual([
      -1, -1, -1, -1, -1, -1,
    ]);
    expect(tableOf("x", []).ids.indexOf("x0")).toBe(-1);
  });
});

describe("a record table with vectors apart", () => {
  const records = [{ t: "é", v: [0.5, -1], z: "東" }, { t: "none" }, { v: [0.1, 1e-9] }];
  const entryOf = (record: object, id: string): WrittenEntry => {
    const written = writeRecord(record, DEFAULT_LIMITS, { vectorAttribute: "v" });
    if (!("json" in written)) throw new Error(written.complaint);
    return { ...bareEntry(id, written.json), vector: written.vector };
  };
  const entries = records.map((record, i) => entryOf(record, `r${i}`));
  const table = runTaskAtOnce(writeRecordTable(entries));

  it("gives records, their JSON and their entries back as they came", () => {
    expect(records.map((_, doc) => storedAt(table, doc).parse())).toEqual(records);
    expect(records.map((_, doc) => storedAt(table, doc).wholeJson().toString())).toEqual(
      records.map((r) => JSON.stringify(r)),
    );
    expect(records.map((_, doc) => storedAt(table, doc).entry("v"))).toEqual(entries);
    expect(entries.map(recordOf)).toEqual(records);
  });

  it("gives the whole JSON where another attribute is the vector now", () => {
    for (const attribute of ["w", null])
      expect(records.map((_, doc) => storedAt(table, doc).entry(attribute))).toStrictEqual(
        records.map((record, i) => bareEntry(`r${i}`, JSON.stringify(record))),
      );
  });

  it("merges with tables that have none", () => {
    const merged = runTaskAtOnce(
      mergeRecordTables(
        [tableOf("s", [{ v: [7] }]), table],
        Uint16Array.of(1, 0, 1, 1),
        Uint32Array.of(2, 0, 0, 1) as DocArray<LocalDoc>,
      ),
    );
    expect([0, 1, 2, 3].map((doc) => storedAt(merged, doc).parse())).toEqual([
      records[2],
      { v: [7] },
      records[0],
      records[1],
    ]);
  });

  it("holds numbers in 4 bytes each where that is exact, and counts what it holds", () => {
    const texts = '{"t":"é","v":null,"z":"東"}{"t":"none"}{"v":null}';
    const bytes = table.source as Uint8Array;
    expect(bytes.length).toBe(Buffer.byteLength(texts) + (8 + 8) + (8 + 16));
    expect(tableBytes(table)).toBe(bytes.length + (4 + 4) + 3 * 4 + (6 + 4 + (4 + 4)));
  });
});
