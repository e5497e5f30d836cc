// Partial records become whole ones: top-level attributes of the patch over those of the record that is there.

import { has } from "../util/checks.js";
import { refusal } from "../util/errors.js";
import type { JsonRecord } from "../util/json.js";
import type { Task } from "../util/tasks.js";
import type { IndexSnapshot } from "./index-snapshot.js";
import { type ReadContext, specialAttributes } from "./read-batch.js";
import { recordOf, type WrittenEntry } from "./record-table.js";
import { writeRecord } from "./write-record.js";

const PAUSE_EVERY = 64;

/** The whole records that patches (sorted by id, of one id in the order given) make; unknown ids are left out when asked. */
export function* mergePatches(
  patches: readonly WrittenEntry[],
  snapshot: IndexSnapshot,
  createIfNotExists: boolean,
  context: ReadContext,
): Task<WrittenEntry[]> {
  const merged: WrittenEntry[] = [];
  for (let at = 0, count = 0; at < patches.length; count++) {
    const { id, position } = patches[at]!;
    const doc = snapshot.find(id);
    let record: JsonRecord = doc < 0 ? {} : snapshot.recordOf(doc);
    for (; at < patches.length && patches[at]!.id === id; at++) {
      const patch = recordOf(patches[at]!);
      record = Object.fromEntries([...Object.entries(record), ...Object.entries(patch)]);
    }
    if (doc >= 0 || createIfNotExists) merged.push(write(id, record, position, context));
    if (count % PAUSE_EVERY === 0) yield;
  }
  return merged;
}

function write(
  id: string,
  record: JsonRecord,
  position: number | undefined,
  { limits, settings }: ReadContext,
): WrittenEntry {
  const written = writeRecord(record, limits, specialAttributes(settings));
  if (has(written, "json")) return { id, json: written.json, vector: written.vector, record: undefined, position };
  const param = `records[${position ?? 0}]`;
  throw refusal(
    written.error,
    param,
    `${param}, merged with the record that is there, ${written.complaint}.`,
    written.code,
  );
}
