// Stored records in memory, read at once.

import type { IndexSnapshot } from "../../src/state/index-snapshot.js";
import { type RecordTable, readRecords, type StoredRecord } from "../../src/state/record-table.js";
import type { Doc, LocalDoc } from "../../src/util/doc-set.js";
import type { JsonRecord } from "../../src/util/json.js";
import { runTaskAtOnce, type Task } from "../../src/util/tasks.js";
import type { TextTable } from "../../src/util/text-table.js";

/** A record of a table as it is stored. */
export function storedAt(table: RecordTable, doc: number): StoredRecord {
  return runTaskAtOnce(readRecords([{ table, doc: doc as LocalDoc }]))[0]!;
}

/** A record of a snapshot. */
export function recordAt(snapshot: IndexSnapshot, doc: number): JsonRecord {
  return runTaskAtOnce(snapshot.storedRecords([doc as Doc]))[0]!.parse();
}

/** All texts of a table. */
export function textsOf(table: TextTable): string[] {
  return Array.from({ length: table.size }, (_, i) => table.textAt(i));
}

/** A task that gives an item of a list. */
export function itemsOf<T>(list: readonly T[]): (i: number) => Task<T> {
  return function* (i) {
    yield* [];
    return list[i]!;
  };
}
