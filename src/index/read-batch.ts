// The caller's records become ours: each is read once, checked, and written down as JSON. All complaints come together, and
// nothing of the caller's is kept.

import type { CheckedSettings } from "../settings/settings.js";
import { copyItems, has } from "../util/checks.js";
import { type Complaint, SearchError, throwValidationErrors } from "../util/errors.js";
import { ownText } from "../util/json.js";
import type { Limits } from "../util/limits.js";
import { show, showKind } from "../util/show.js";
import { sortWithPauses } from "../util/sorted.js";
import type { Task } from "../util/tasks.js";
import { readVector } from "../vectors/unit-vector.js";
import { ownVector } from "./packed-vector.js";
import { readRecordId } from "./record-id.js";
import { entryBytes, type WrittenEntry } from "./record-table.js";
import { MAX_SEGMENT_BYTES, MAX_SEGMENT_RECORDS } from "./segment.js";
import { type SpecialAttributes, writeRecord } from "./write-record.js";

/** So many records (or so much JSON) are copied before the first pause: what a caller does after the call cannot reach them. */
const COPIED_AT_ONCE = 256;
const BYTES_AT_ONCE = 1 << 18;
const PAUSE_EVERY = 16;
/** Of so much JSON the copies are kept to be indexed; the rest of a large call is parsed again then, to spare V8's heap. */
const COPIES_OF_BYTES = 1 << 25;
/** Entries walked over between two pauses. */
const WALKED_AT_ONCE = 4096;

/** What reading a batch depends on. */
export interface ReadContext {
  readonly settings: CheckedSettings;
  readonly limits: Limits;
}

/** Checks and copies records; the result is sorted by id, of equal ids the last. Throws 400 or 413 with all complaints. */
export function* readBatch(given: unknown, context: ReadContext): Task<readonly WrittenEntry[]> {
  const sorted = yield* readPatches(given, context);
  const last: WrittenEntry[] = [];
  for (let i = 0; i < sorted.length; i++) {
    const entry = sorted[i]!;
    if (entry.id !== sorted[i + 1]?.id) last.push(entry);
    if (i % WALKED_AT_ONCE === 0) yield;
  }
  return last;
}

/** As {@link readBatch}, but with all entries of one id, in the order given. */
export function* readPatches(given: unknown, context: ReadContext): Task<readonly WrittenEntry[]> {
  const records = copyArray(given, context.limits.batchRecords);
  const complaints: Complaint[] = [];
  const entries: WrittenEntry[] = [];
  let code = 400;
  let cause: unknown;
  let bytes = 0;
  for (let i = 0; i < records.length; i++) {
    const read = readOne(records[i], i, context);
    if (has(read, "entry")) {
      entries.push(bytes < COPIES_OF_BYTES ? read.entry : { ...read.entry, record: undefined });
      bytes += entryBytes(read.entry);
    } else {
      if (complaints.length === 0) code = read.code;
      cause ??= read.cause;
      complaints.push(read.complaint);
    }
    if ((i >= COPIED_AT_ONCE || bytes > BYTES_AT_ONCE) && i % PAUSE_EVERY === 0) yield;
  }
  throwValidationErrors(complaints, code, cause);
  return yield* sortWithPauses(entries, (a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

/** Cuts sorted entries into groups that fit into one segment each. */
export function* cutIntoSegments(entries: readonly WrittenEntry[]): Task<WrittenEntry[][]> {
  const groups: WrittenEntry[][] = [];
  let bytes = 0;
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i]!;
    if (i % WALKED_AT_ONCE === 0) yield;
    const group = groups.at(-1);
    bytes += entryBytes(entry);
    if (group === undefined || group.length === MAX_SEGMENT_RECORDS || bytes > MAX_SEGMENT_BYTES) {
      groups.push([entry]);
      bytes = entryBytes(entry);
    } else group.push(entry);
  }
  return groups;
}

type ReadOne =
  | { readonly entry: WrittenEntry }
  | { readonly complaint: Complaint; readonly code: number; readonly cause?: unknown };

function readOne(record: unknown, position: number, { settings, limits }: ReadContext): ReadOne {
  const { idAttribute, dimensions } = settings;
  const written = writeRecord(record, limits, specialAttributes(settings));
  if (!has(written, "json"))
    return { ...refused(position, written.error, written.complaint, written.code), cause: written.cause };
  const { json, vector: packed, record: copy } = written;
  if (!Object.hasOwn(copy, idAttribute))
    return refused(position, "missing_id", `has no ${show(idAttribute)}; every record needs one`);
  const read = readRecordId(copy[idAttribute], limits);
  if (!has(read, "id")) return refused(position, "invalid_id", `has an id that ${read.complaint}`);
  const vector = ownVector(copy, settings.vectorAttribute);
  if (vector !== null) {
    const components = readVector(vector, dimensions);
    if (has(components, "complaint"))
      return refused(position, "invalid_vector", `has a bad vector: ${components.complaint}`);
  }
  return { entry: { id: ownText(read.id), json, vector: packed, record: copy, position } };
}

/** The attributes of records that mean something to an index of these settings. */
export function specialAttributes({ idAttribute, dimensions, vectorAttribute }: CheckedSettings): SpecialAttributes {
  return { idAttribute, dimensions, vectorAttribute: vectorAttribute ?? undefined };
}

function refused(position: number, error: string, msg: string, code = 400): ReadOne {
  const param = `records[${position}]`;
  return { complaint: { error, param, msg: `${param} ${msg}.` }, code };
}

function copyArray(given: unknown, most: number): unknown[] {
  let length: number;
  try {
    if (!Array.isArray(given)) {
      const hint = typeof given === "object" && given !== null ? "; for one record write [record]" : "";
      throw new SearchError(400, "invalid_records", `records is ${showKind(given)}; pass an array of records${hint}.`, {
        param: "records",
      });
    }
    length = given.length;
    if (length <= most) return copyItems(given as readonly unknown[]);
  } catch (cause) {
    if (cause instanceof SearchError) throw cause;
    throw new SearchError(
      400,
      "invalid_records",
      "records could not be read (a getter or proxy threw); pass a plain array.",
      { param: "records", cause },
    );
  }
  throw new SearchError(413, "batch_too_large", `records holds ${length} records; one call takes ${most}.`, {
    param: "records",
  });
}
