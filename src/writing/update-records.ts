// Partial records become whole ones: top-level attributes of the patch over those of the record that is there.

import { has } from "../base/checks.js";
import { refusal } from "../base/errors.js";
import type { JsonRecord } from "../base/json.js";
import type { Limits } from "../base/limits.js";
import type { Steps } from "../base/slices.js";
import { recordOf, type WrittenEntry } from "../records/record-table.js";
import { writeRecord } from "../records/write-record.js";
import type { IndexState } from "../state/index-state.js";

const PAUSE_EVERY = 64;

/** The whole records that patches (sorted by id, of one id in the order given) make; unknown ids are left out when asked. */
export function* mergePatches(
  patches: readonly WrittenEntry[],
  state: IndexState,
  createIfNotExists: boolean,
  limits: Limits,
): Steps<WrittenEntry[]> {
  const merged: WrittenEntry[] = [];
  for (let at = 0, count = 0; at < patches.length; count++) {
    const { id, position = 0 } = patches[at]!;
    const doc = state.find(id);
    let record: JsonRecord = doc < 0 ? {} : state.recordOf(doc);
    for (; at < patches.length && patches[at]!.id === id; at++) {
      const patch = recordOf(patches[at]!);
      record = Object.fromEntries([...Object.entries(record), ...Object.entries(patch)]);
    }
    if (doc >= 0 || createIfNotExists) merged.push({ id, json: write(record, position, limits) });
    if (count % PAUSE_EVERY === 0) yield;
  }
  return merged;
}

function write(record: JsonRecord, position: number, limits: Limits): string {
  const written = writeRecord(record, limits);
  if (has(written, "json")) return written.json;
  const param = `records[${position}]`;
  throw refusal(
    written.error,
    param,
    `${param}, merged with the record that is there, ${written.complaint}.`,
    written.code,
  );
}
