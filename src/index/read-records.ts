// Reads the stored records of one snapshot. What is written meanwhile does not show.

import type { CheckedSettings } from "../settings/settings.js";
import { has } from "../util/checks.js";
import { SearchError } from "../util/errors.js";
import type { JsonRecord } from "../util/json.js";
import type { Limits } from "../util/limits.js";
import { show } from "../util/show.js";
import { pauseIfLong, runTask, type Task } from "../util/tasks.js";
import { readVector } from "../vectors/unit-vector.js";
import { docsInIdOrder, type IndexSnapshot } from "./index-snapshot.js";
import { ownVector } from "./packed-vector.js";
import { readRecordId } from "./record-id.js";
import { storedEntry, type WrittenEntry } from "./record-table.js";

const PAUSE_EVERY = 64;

/** Fresh copies of all live records, in the order of their ids. */
export async function* browseRecords<R>(snapshot: IndexSnapshot): AsyncGenerator<R, void, undefined> {
  for (const doc of await runTask(docsInIdOrder(snapshot))) {
    yield snapshot.recordOf(doc) as R;
    // A consumer that awaits nothing else would never let the event loop turn.
    await pauseIfLong();
  }
}

/** A fresh copy of each of these records; null when there is none. */
export function* recordsById(snapshot: IndexSnapshot, ids: readonly string[]): Task<(JsonRecord | null)[]> {
  const records: (JsonRecord | null)[] = [];
  for (const id of ids) {
    const doc = snapshot.find(id);
    if (records.push(doc < 0 ? null : snapshot.recordOf(doc)) % PAUSE_EVERY === 0) yield;
  }
  return records;
}

/** The live records of a snapshot as a batch under new settings, sorted by id; throws 400 when a record does not fit them. */
export function* storedEntries(
  snapshot: IndexSnapshot,
  settings: CheckedSettings,
  limits: Limits,
): Task<WrittenEntry[]> {
  const docs = yield* docsInIdOrder(snapshot);
  const entries: WrittenEntry[] = [];
  for (const [i, doc] of docs.entries()) {
    const { segment, base } = snapshot.segmentOf(doc);
    checkUnder(snapshot.recordOf(doc), snapshot.idOf(doc), settings, limits);
    // The stored text: serialising the record again could call a `toJSON` that stands on Object.prototype.
    entries.push(storedEntry(segment.records, doc - base, settings.vectorAttribute));
    if (i % PAUSE_EVERY === 0) yield;
  }
  return entries;
}

function checkUnder(record: JsonRecord, id: string, settings: CheckedSettings, limits: Limits): void {
  const read = readRecordId(
    Object.hasOwn(record, settings.idAttribute) ? record[settings.idAttribute] : undefined,
    limits,
  );
  const vector = ownVector(record, settings.vectorAttribute);
  const checked = vector === null ? undefined : readVector(vector, settings.dimensions);
  const wrong =
    has(read, "complaint") || read.id !== id
      ? "another id"
      : checked !== undefined && has(checked, "complaint")
        ? "a vector that does not fit"
        : "";
  if (wrong === "") return;
  throw new SearchError(
    400,
    "settings_do_not_fit",
    `Under these settings the record ${show(id)} has ${wrong}; nothing was changed.`,
    { param: "settings" },
  );
}
