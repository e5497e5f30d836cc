import { has } from "../base/checks.js";
import { SearchError } from "../base/errors.js";
import type { JsonRecord } from "../base/json.js";
import type { Limits } from "../base/limits.js";
import { show } from "../base/show.js";
import type { Steps } from "../base/slices.js";
import { ownVector } from "../records/packed-vector.js";
import { readRecordId } from "../records/record-id.js";
import { storedEntry, type WrittenEntry } from "../records/record-table.js";
import type { CheckedSettings } from "../settings/settings.js";
import { readVector } from "../vector/unit-vector.js";
import { docsInIdOrder, type IndexState } from "./index-state.js";

const PAUSE_EVERY = 64;

/** The living records of a state as a batch under new settings, sorted by their ids; 400 when one does not fit them. */
export function* storedEntries(state: IndexState, settings: CheckedSettings, limits: Limits): Steps<WrittenEntry[]> {
  const docs = yield* docsInIdOrder(state);
  const entries: WrittenEntry[] = [];
  for (const [i, doc] of docs.entries()) {
    const { segment, base } = state.segmentOf(doc);
    checkUnder(state.recordOf(doc), state.idOf(doc), settings, limits);
    // The text as it is stored: written anew it could obey a `toJSON` that someone put on Object.prototype.
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
