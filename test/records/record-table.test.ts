import { describe, expect, it } from "vitest";
import { runAtOnce } from "../../src/base/slices.js";
import { findRecord, mergeRecordTables, readRecord, writeRecordTable } from "../../src/records/record-table.js";

const RECORDS = [{ t: "é東😀" }, { t: "", n: [1, null] }, {}, JSON.parse('{ "__proto__": 5 }') as object];
const tableOf = (prefix: string, records: readonly object[]) =>
  runAtOnce(writeRecordTable(records.map((record, i) => ({ id: `${prefix}${i}`, json: JSON.stringify(record) }))));

describe("a record table", () => {
  const table = tableOf("r", RECORDS);

  it("gives every record back as it was written", () => {
    expect(RECORDS.map((_, doc) => JSON.stringify(readRecord(table, doc)))).toEqual(
      RECORDS.map((record) => JSON.stringify(record)),
    );
  });

  it("gives a fresh copy each time", () => {
    const first = readRecord(table, 1) as { t: string };
    first.t = "changed";
    expect(readRecord(table, 1)).toEqual(RECORDS[1]);
  });

  it("finds each id, and no other", () => {
    expect(["r0", "r1", "r2", "r3"].map((id) => findRecord(table, id))).toEqual([0, 1, 2, 3]);
    expect(["", "r", "r00", "r4", "s", "__proto__"].map((id) => findRecord(table, id))).toEqual([
      -1, -1, -1, -1, -1, -1,
    ]);
    expect(findRecord(tableOf("x", []), "x0")).toBe(-1);
  });

  it("of a merge holds the records asked for, in that order", () => {
    const merged = runAtOnce(
      mergeRecordTables(
        [table, tableOf("s", [{ s: 0 }, { s: "é" }])],
        Uint16Array.of(1, 0, 1),
        Uint32Array.of(1, 0, 0),
      ),
    );
    expect(merged.ids).toEqual(["s1", "r0", "s0"]);
    expect([0, 1, 2].map((doc) => readRecord(merged, doc))).toEqual([{ s: "é" }, RECORDS[0], { s: 0 }]);
  });
});
