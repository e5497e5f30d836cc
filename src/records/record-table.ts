// The records of one segment as they came: ids in code unit order (so a record's number orders as its id does), and each
// record's JSON text in one buffer outside V8's heap. Immutable.

import { heapBytes, type JsonRecord } from "../base/json.js";
import type { Steps } from "../base/slices.js";

/** The stored records of one segment. */
export interface RecordTable {
  /** Ascending by code unit, distinct. */
  readonly ids: readonly string[];
  /** UTF-8 JSON of record d: bytes[offsets[d]] … bytes[offsets[d + 1]] - 1. */
  readonly bytes: Uint8Array;
  readonly offsets: Float64Array;
}

/** A record ready to be stored. */
export interface WrittenEntry {
  readonly id: string;
  readonly json: string;
  /** What its JSON says, where somebody has it at hand. */
  readonly record?: JsonRecord;
  /** Its place in the call it came with. */
  readonly position?: number;
}

const PAUSE_EVERY = 64;

/** The record of an entry. */
export function recordOf({ json, record }: WrittenEntry): JsonRecord {
  return record ?? (JSON.parse(json) as JsonRecord);
}

/** Stores records that are sorted by id. */
export function* writeRecordTable(entries: readonly WrittenEntry[]): Steps<RecordTable> {
  const offsets = new Float64Array(entries.length + 1);
  for (let i = 0; i < entries.length; i++) {
    offsets[i + 1] = offsets[i]! + Buffer.byteLength(entries[i]!.json);
    if (i % PAUSE_EVERY === 0) yield;
  }
  const bytes = Buffer.allocUnsafeSlow(offsets[entries.length]!);
  for (let i = 0; i < entries.length; i++) {
    bytes.write(entries[i]!.json, offsets[i]!);
    if (i % PAUSE_EVERY === 0) yield;
  }
  return { ids: entries.map((entry) => entry.id), bytes, offsets };
}

/** The table of a merged segment: record i comes from record `docs[i]` of `tables[sources[i]]`. */
export function* mergeRecordTables(
  tables: readonly RecordTable[],
  sources: Uint16Array,
  docs: Uint32Array,
): Steps<RecordTable> {
  const offsets = new Float64Array(docs.length + 1);
  for (let i = 0; i < docs.length; i++) {
    const from = tables[sources[i]!]!;
    offsets[i + 1] = offsets[i]! + from.offsets[docs[i]! + 1]! - from.offsets[docs[i]!]!;
  }
  yield;
  const bytes = new Uint8Array(offsets[docs.length]!);
  const ids: string[] = [];
  for (let i = 0; i < docs.length; i++) {
    const from = tables[sources[i]!]!;
    ids.push(from.ids[docs[i]!]!);
    bytes.set(from.bytes.subarray(from.offsets[docs[i]!]!, from.offsets[docs[i]! + 1]!), offsets[i]!);
    if (i % PAUSE_EVERY === 0) yield;
  }
  return { ids, bytes, offsets };
}

/** The bytes of a stored record's JSON: a view, not a copy. */
export function recordBytes({ bytes, offsets }: RecordTable, doc: number): Buffer {
  const from = offsets[doc]!;
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, offsets[doc + 1]! - from);
}

/** The JSON of a stored record. */
export function recordText(table: RecordTable, doc: number): string {
  return recordBytes(table, doc).toString("utf8");
}

/** A fresh copy of a stored record. */
export function readRecord(table: RecordTable, doc: number): JsonRecord {
  return JSON.parse(recordText(table, doc)) as JsonRecord;
}

/** The number of the record with this id, or -1. */
export function findRecord(table: RecordTable, id: string): number {
  let low = 0;
  let high = table.ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (table.ids[middle]! < id) low = middle + 1;
    else high = middle;
  }
  return table.ids[low] === id ? low : -1;
}

const POINTER_BYTES = 8;

/** About the memory that the stored records of a segment take. */
export function tableBytes({ ids, bytes, offsets }: RecordTable): number {
  return ids.reduce((total, id) => total + POINTER_BYTES + heapBytes(id), bytes.byteLength + offsets.byteLength);
}
