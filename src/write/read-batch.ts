// Reads what a caller passes to a write: records, patches of records, and ids. Every value is checked, and each record is written down
// as JSON. All complaints are thrown together, and no object of the caller's is kept.

import { placesComplaint } from "../docvalues/place.js";
import type { CheckedOptions } from "../input/call-options.js";
import { copyItems } from "../input/plain-data.js";
import { readRecordId } from "../input/record-ids.js";
import type { CheckedSettings, ResolvedSettings } from "../settings/resolved-settings.js";
import { docsInIdOrder, type IndexSnapshot, SnapshotReader } from "../state/index-snapshot.js";
import { entryBytes, ownVector, recordOf, type WrittenEntry } from "../state/record-table.js";
import { type Complaint, SearchError, show, showKind, throwValidationErrors } from "../util/errors.js";
import { copyText, has, type JsonRecord, type JsonValue } from "../util/json.js";
import type { Limits } from "../util/limits.js";
import { byCodeUnit, sortWithPauses } from "../util/sorted.js";
import type { Task } from "../util/tasks.js";
import { readVector } from "../vectors/unit-vector.js";
import { applyOperation, isOperation } from "./built-in-operation.js";
import { type RecordComplaint, writeRecord } from "./write-record.js";

/** This many records of a call are copied before the first pause. The caller may change the others meanwhile. */
const COPIED_AT_ONCE = 256;
/** Bytes that all calls of one turn of the event loop together copy before the first pause. */
const BYTES_AT_ONCE = 1 << 18;
/** Bytes that a call copies before the first pause in any case. */
const LEAST_BYTES_AT_ONCE = 1 << 15;
/** Then records, or bytes, between two pauses. */
const PAUSE_EVERY = 16;
const BYTES_BETWEEN_PAUSES = 1 << 15;
/** Longer ids are not passed on with errors. */
const MOST_SHOWN_ID = 1024;
/** Of the complaints, these many are kept; the others are counted. */
const MOST_COMPLAINTS = 16;
/** Sorted entries visited between two pauses. */
const WALKED_AT_ONCE = 4096;
/** To find and parse a stored record counts as this many bytes, and so does to apply a patch. */
const BYTES_PER_LOOKUP = 512;

/** What reading a record depends on. */
export interface ReadContext {
  readonly settings: CheckedSettings;
  readonly limits: Limits;
}

/** What reading records depends on. */
export interface BatchContext extends ReadContext {
  /** Whether wrong records are left out, instead of refusing the call. */
  readonly skipsInvalid: boolean;
}

/** A record that `onInvalid: "skip"` left out. */
export interface SkippedRecord {
  /** Its place in the call. */
  readonly index: number;
  /** If it has one that could be read. */
  readonly id?: string;
  /** The stable name of what is wrong, as a `SearchError` has it. */
  readonly error: string;
  /** For people. */
  readonly msg: string;
}

/** The records of a call. */
export interface ReadRecords {
  /** Sorted by id. */
  readonly entries: readonly WrittenEntry[];
  readonly skipped: readonly SkippedRecord[];
}

/** The records of a call that may share a commit with others. */
export interface Batch extends ReadRecords {
  /** True: the entries are merged into stored records, and several may have the same id. False: ids are distinct. */
  readonly isPatch: boolean;
  /** The settings under which the batch was read. */
  readonly settings: ResolvedSettings;
  readonly options: CheckedOptions;
  /** Of patches that were merged: the ids of which there was no record. */
  readonly lacked?: ReadonlySet<string>;
}

/** The number of records that a call added and replaced. */
export interface AddResult {
  readonly added: number;
  readonly replaced: number;
}

/** The result of a call with `onInvalid: "skip"`. */
export interface SkipResult extends AddResult {
  /** The records that were left out, in the order of the call. */
  readonly skipped: readonly SkippedRecord[];
}

/** The result of a call, with what was left out if the call asks for that. */
export function withSkipped(
  result: AddResult,
  skipped: readonly SkippedRecord[],
  { onInvalid }: CheckedOptions,
): AddResult | SkipResult {
  return onInvalid === "skip" ? { ...result, skipped } : result;
}

/**
 * Checks and copies records.
 *
 * @returns one entry for each id; if an id occurs several times, the last record of it that is good counts.
 * @throws SearchError 400 or 413, with all complaints
 */
export function* readBatch(given: unknown, context: BatchContext): Task<ReadRecords> {
  const { entries, skipped } = yield* readRecords(given, context, false);
  return { entries: yield* lastOfEach(entries), skipped };
}

/** Entries that were read one by one, as {@link readBatch} returns them. */
export function* sortEntries(entries: WrittenEntry[]): Task<readonly WrittenEntry[]> {
  return yield* lastOfEach(yield* sortById(entries));
}

/** Records that were left out, in the order of the call. */
export function sortSkipped(skipped: SkippedRecord[]): Task<readonly SkippedRecord[]> {
  return sortWithPauses(skipped, (a, b) => a.index - b.index);
}

function* lastOfEach(sorted: readonly WrittenEntry[]): Task<readonly WrittenEntry[]> {
  const last: WrittenEntry[] = [];
  for (let i = 0; i < sorted.length; i++) {
    const entry = sorted[i]!;
    if (entry.id !== sorted[i + 1]?.id) last.push(entry);
    if (i % WALKED_AT_ONCE === 0) yield;
  }
  return last;
}

/** As {@link readBatch}, but with all entries of one id, in the order given. Attributes may be operations. */
export function readPatches(given: unknown, context: BatchContext): Task<ReadRecords> {
  return readRecords(given, context, true);
}

function* readRecords(given: unknown, context: BatchContext, takesOperations: boolean): Task<ReadRecords> {
  const records = copyRecords(given, context.limits.batchRecords);
  const wrong = new WrongRecords(context);
  const entries: WrittenEntry[] = [];
  let bytes = 0;
  let sincePause = 0;
  const bytesAtOnce = Math.max(LEAST_BYTES_AT_ONCE, BYTES_AT_ONCE - copiedInTurn);
  let isAtOnce = true;
  for (let i = 0; i < records.length; i++) {
    const read = readOne(records[i], i, context, takesOperations);
    if (has(read, "entry")) entries.push(read.entry);
    else wrong.add(i, read);
    bytes += read.visited;
    sincePause += read.visited;
    if (isAtOnce) {
      countCopied(read.visited);
      isAtOnce = i < COPIED_AT_ONCE && bytes <= bytesAtOnce;
    }
    if (isAtOnce || (i % PAUSE_EVERY > 0 && sincePause < BYTES_BETWEEN_PAUSES)) continue;
    sincePause = 0;
    yield;
  }
  wrong.throw();
  return { entries: yield* sortById(entries), skipped: wrong.skipped };
}

/** The records of a call that are wrong: they refuse it, or are left out. */
class WrongRecords {
  readonly skipped: SkippedRecord[] = [];
  private readonly skipsInvalid: boolean;
  private readonly complaints: Complaint[] = [];
  private total = 0;
  private code = 400;
  private cause: unknown;

  constructor({ skipsInvalid }: Pick<BatchContext, "skipsInvalid">) {
    this.skipsInvalid = skipsInvalid;
  }

  add(index: number, refused: RefusedRecord): void {
    const { place, complaint, code } = refused;
    if (this.skipsInvalid) {
      const { error, msg } = complaint;
      this.skipped.push({ ...place, index, error, msg });
      return;
    }
    if (this.total++ === 0) this.code = code;
    this.cause ??= refused.cause;
    if (this.total <= MOST_COMPLAINTS) this.complaints.push(complaint);
  }

  /** Throws one error for all of them, unless they are left out. */
  throw(): void {
    throwValidationErrors(this.complaints, this.code, this.cause, this.total);
  }
}

/** The bytes that calls copied in this turn of the event loop before their first pause. */
let copiedInTurn = 0;

function countCopied(bytes: number): void {
  if (copiedInTurn === 0)
    setImmediate(() => {
      copiedInTurn = 0;
    });
  copiedInTurn += bytes;
}

function sortById(entries: WrittenEntry[]): Task<readonly WrittenEntry[]> {
  return sortWithPauses(entries, (a, b) => byCodeUnit(a.id, b.id));
}

/** Reads a single record. Throws 400 or 413. */
export function readEntry(record: unknown, context: ReadContext): WrittenEntry {
  const read = readOne(record, undefined, context, false);
  if (has(read, "entry")) return read.entry;
  const { error, param, msg } = read.complaint;
  throw new SearchError(read.code, error, msg, { param, details: { ...read.place } });
}

/** Where a record is in the call, and its id if it has one. */
interface Place {
  readonly index?: number;
  readonly id?: string;
}

/** What is wrong with a record; `complaint` goes on behind its name. */
type Refusal = Pick<RecordComplaint, "error" | "complaint" | "code"> & { readonly cause?: unknown };

interface RefusedRecord {
  readonly place: Place;
  readonly complaint: Complaint;
  readonly code: number;
  readonly cause?: unknown;
}

/** `visited`: about how many bytes were read. */
type ReadOne = ({ readonly entry: WrittenEntry } | RefusedRecord) & { readonly visited: number };

function readOne(
  record: unknown,
  position: number | undefined,
  { settings, limits }: ReadContext,
  takesOperations: boolean,
): ReadOne {
  const { idAttribute, vectorAttribute, dimensions } = settings;
  const written = writeRecord(record, limits, { takesOperations, idAttribute, dimensions, vectorAttribute });
  const { visited } = written;
  if (!has(written, "json"))
    return { ...refused(placeOf(position, written.id), { ...written, complaint: ` ${written.complaint}` }), visited };
  const { json, vector, id, isSpecial } = written;
  const refuse = (error: string, msg: string): ReadOne => ({
    ...refused(placeOf(position, id), { error, complaint: ` ${msg}`, code: 400 }),
    visited,
  });
  if (id === undefined)
    return refuse("missing_id", `has no ${show(idAttribute)}; every record needs one${otherId(recordOf(written))}`);
  const read = readRecordId(id, limits);
  if (!has(read, "id")) return refuse("invalid_id", `has an id that ${read.complaint}`);
  // Others need no closer look, and are not parsed.
  const special = isSpecial ? recordOf(written) : undefined;
  const wrong = vectorComplaint(vector?.numbers ?? (special && ownVector(special, vectorAttribute)), settings);
  if (wrong !== undefined) return refuse("invalid_vector", `has a bad vector: ${wrong}`);
  const misplaced = special && placesComplaint(special);
  if (misplaced !== undefined) return refuse("invalid_record", `has a bad place: ${misplaced}`);
  return { entry: { id: copyText(read.id), json, vector, position }, visited };
}

/** What is wrong with the vector that a record brings; undefined: nothing, or it brings none. */
function vectorComplaint(vector: unknown, { dimensions }: CheckedSettings): string | undefined {
  if (vector === null || vector === undefined) return undefined;
  const read = readVector(vector, dimensions);
  return has(read, "complaint") ? read.complaint : undefined;
}

/** Names that other systems give to ids. */
const OTHER_IDS = ["objectID", "_id", "Id", "ID", "uuid", "key"];

/** What to set if a record has its id under another usual name. */
function otherId(record: JsonRecord): string {
  const name = OTHER_IDS.find((one) => Object.hasOwn(record, one));
  return name === undefined ? "" : `, or set idAttribute: ${show(name)} in the settings`;
}

/** `id`: what its id attribute holds, whatever that is. */
function placeOf(position: number | undefined, id: unknown): Place {
  const isId = (typeof id === "string" && id !== "" && id.length <= MOST_SHOWN_ID) || Number.isSafeInteger(id);
  return { ...(position === undefined ? {} : { index: position }), ...(isId ? { id: String(id) } : {}) };
}

function refused(place: Place, { error, complaint, code, ...rest }: Refusal): RefusedRecord {
  const param = place.index === undefined ? "record" : `records[${place.index}]`;
  const name = Object.hasOwn(place, "id") ? `${param} (id ${show(place.id)})` : param;
  const cause = Object.hasOwn(rest, "cause") ? { cause: rest.cause } : {};
  return { place, complaint: { error, param, msg: `${name}${complaint}.`, details: { ...place } }, code, ...cause };
}

/** The records of a call: a list of the caller's own objects, which are read one by one. */
function copyRecords(given: unknown, most: number): readonly unknown[] {
  const refuse = (code: number, error: string, msg: string): never => {
    throw new SearchError(code, error, msg, { param: "records" });
  };
  const records = copyItems(given, most, (length) =>
    refuse(413, "batch_too_large", `records holds ${length} records; one call takes ${most} (limits.batchRecords).`),
  );
  const hint = typeof given === "object" && given !== null ? "; for one record write [record]" : "";
  return records ?? refuse(400, "invalid_records", `records is ${showKind(given)}; pass an array of records${hint}.`);
}

/**
 * Merges patches into the records of a snapshot: top-level attributes of a patch replace those of the record, or change them where
 * they are operations.
 *
 * @param patches - sorted by id, several of one id in the order given.
 * @param creates - whether a patch makes the record of an id that there is none of; if not, it is left out.
 */
export function* mergePatches(
  patches: readonly WrittenEntry[],
  snapshot: IndexSnapshot,
  context: BatchContext,
  creates: (id: string) => boolean,
): Task<ReadRecords> {
  const { skipsInvalid } = context;
  const merged: WrittenEntry[] = [];
  const wrong = new WrongRecords(context);
  const reader = new SnapshotReader(snapshot);
  let isThere = false;
  let record: JsonRecord = {};
  let entry: WrittenEntry | undefined;
  let sincePause = 0;
  for (const [at, patch] of patches.entries()) {
    const { id, position = 0 } = patch;
    if (id !== patches[at - 1]?.id) {
      const doc = snapshot.find(id);
      isThere = doc >= 0;
      record = isThere ? (yield* reader.stored(doc)).parse() : {};
      entry = undefined;
    }
    sincePause += BYTES_PER_LOOKUP;
    const isLast = id !== patches[at + 1]?.id;
    if (isThere || creates(id)) {
      // A patch that is left out must not count for the next ones of its record, so each is judged by itself.
      const change = applyPatch(record, recordOf(patch), isLast || skipsInvalid, context);
      const { written, refusal } = change;
      if (refusal !== undefined) wrong.add(position, refused({ index: position, id }, refusal));
      if (written !== undefined) entry = { id, json: written.json, vector: written.vector, position };
      record = change.record;
      sincePause += change.visited;
    }
    if (isLast && entry !== undefined) merged.push(entry);
    if (sincePause < BYTES_BETWEEN_PAUSES) continue;
    sincePause = 0;
    yield;
  }
  wrong.throw();
  return { entries: merged, skipped: wrong.skipped };
}

/** A record as a patch makes it; where the patch is refused, as it was. */
interface Change {
  readonly record: JsonRecord;
  /** Its JSON, if it was judged. */
  readonly written?: Pick<WrittenEntry, "json" | "vector">;
  readonly refusal?: Refusal;
  /** About how many bytes were read. */
  readonly visited: number;
}

/** Applies a patch; `isJudged`: the record is checked then. */
function applyPatch(
  record: JsonRecord,
  patch: JsonRecord,
  isJudged: boolean,
  { settings, limits }: ReadContext,
): Change {
  const changes: [name: string, value: JsonValue][] = [];
  let visited = 0;
  const refuse = (complaint: string, error = "invalid_record", code: 400 | 413 = 400): Change => ({
    record,
    refusal: { error, complaint, code },
    visited,
  });
  const hiding = hidingComplaint(record, patch);
  if (hiding !== undefined) return refuse(hiding);
  for (const [name, value] of Object.entries(patch)) {
    if (!isOperation(value)) {
      changes.push([name, value]);
      continue;
    }
    const result = applyOperation(value, Object.hasOwn(record, name) ? record[name] : undefined);
    if (has(result, "complaint")) return refuse(` attribute ${show(name)} ${result.complaint}`);
    if (Array.isArray(result.value)) visited += result.value.length;
    changes.push([name, result.value]);
  }
  const changed: JsonRecord = Object.fromEntries([...Object.entries(record), ...changes]);
  if (!isJudged) return { record: changed, visited };
  const { idAttribute, dimensions, vectorAttribute } = settings;
  const written = writeRecord(changed, limits, { idAttribute, dimensions, vectorAttribute });
  visited += written.visited;
  if (has(written, "json")) return { record: changed, written, visited };
  return refuse(`, merged with the stored record, ${written.complaint}`, written.error, written.code);
}

/**
 * What is wrong with a name of a patch that is the path of something within an object of the record, and no attribute of it: it would become
 * a second attribute beside the object, which hides what the object holds. undefined: there is none.
 */
function hidingComplaint(record: JsonRecord, patch: JsonRecord): string | undefined {
  for (const path of Object.keys(patch)) {
    if (!path.includes(".") || Object.hasOwn(record, path)) continue;
    for (let dot = path.indexOf("."); dot >= 0; dot = path.indexOf(".", dot + 1)) {
      const outer = path.slice(0, dot);
      if (!Object.hasOwn(record, outer) || !holdsObject(record[outer]!)) continue;
      const kind = Array.isArray(record[outer]) ? "a list of objects" : "an object";
      return ` names ${show(path)}, but ${show(outer)} of the stored record is ${kind}; an update replaces whole attributes, so pass ${show(outer)} with all that it holds`;
    }
  }
  return undefined;
}

function holdsObject(value: JsonValue): boolean {
  return Array.isArray(value) ? value.some(holdsObject) : typeof value === "object" && value !== null;
}

/** Batches of more bytes are not written together: each of them keeps the disk busy for long enough. */
const MOST_BYTES_TOGETHER = 2 ** 20;

/** How many batches can be written together, from the first on: none has an id of another, or reports its progress. */
export function countTogether(batches: readonly Batch[]): number {
  if (batches.length === 1) return 1;
  const ids = new Set<string>();
  let bytes = 0;
  for (const [count, { entries, options }] of batches.entries()) {
    if (options.onProgress !== undefined) return Math.max(1, count);
    for (const entry of entries) {
      bytes += entryBytes(entry);
      if (bytes > MOST_BYTES_TOGETHER || ids.has(entry.id)) return Math.max(1, count);
    }
    for (const { id } of entries) ids.add(id);
  }
  return batches.length;
}

/** Merges the patches of batches into the records of a snapshot. */
export function* mergeBatches(
  batches: readonly Batch[],
  snapshot: IndexSnapshot,
  context: ReadContext,
): Task<readonly Batch[]> {
  const merged: Batch[] = [];
  for (const batch of batches) {
    const { options, lacked: before } = batch;
    if (!batch.isPatch) {
      merged.push(batch);
      continue;
    }
    const lacked = new Set<string>();
    // A record of the old version that the new one lacks is not made again.
    const creates = (id: string): boolean => {
      lacked.add(id);
      return options.createIfNotExists && before?.has(id) !== false;
    };
    const skipsInvalid = options.onInvalid === "skip";
    const { entries, skipped } = yield* mergePatches(batch.entries, snapshot, { ...context, skipsInvalid }, creates);
    merged.push({ ...batch, entries, lacked, skipped: yield* sortSkipped([...batch.skipped, ...skipped]) });
  }
  return merged;
}

/** The live records of a snapshot as a batch for other settings, sorted by id. Throws 400 if one does not fit these settings. */
export function* storedEntries(
  snapshot: IndexSnapshot,
  { settings, limits }: ReadContext,
): Task<readonly WrittenEntry[]> {
  const docs = yield* docsInIdOrder(snapshot);
  const entries: WrittenEntry[] = [];
  const reader = new SnapshotReader(snapshot);
  let sincePause = 0;
  for (const doc of docs) {
    const stored = yield* reader.stored(doc);
    const record = stored.parse();
    const id = snapshot.idOf(doc);
    const { idAttribute } = settings;
    const read = readRecordId(Object.hasOwn(record, idAttribute) ? record[idAttribute] : undefined, limits);
    if (!has(read, "id") || read.id !== id) throw doesNotFit(id, "another id");
    if (vectorComplaint(ownVector(record, settings.vectorAttribute), settings) !== undefined)
      throw doesNotFit(id, "a vector that does not fit");
    const entry = stored.entry(settings.vectorAttribute);
    entries.push(entry);
    sincePause += BYTES_PER_LOOKUP + entryBytes(entry);
    if (sincePause < BYTES_BETWEEN_PAUSES) continue;
    sincePause = 0;
    yield;
  }
  return entries;
}

function doesNotFit(id: string, wrong: string): SearchError {
  const msg = `Under these settings the record ${show(id)} has ${wrong}; nothing was changed.`;
  return new SearchError(400, "settings_do_not_fit", msg, { param: "settings" });
}
