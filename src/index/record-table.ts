// The stored records of one segment: their ids in code unit order, so that record numbers are in the same order, and their JSON
// in one buffer outside V8's heap, each followed by the record's own vector. Immutable.

import { heapBytes, type JsonRecord } from "../util/json.js";
import { partitionPoint } from "../util/sorted.js";
import type { Task } from "../util/tasks.js";
import {
  type PackedVector,
  PLACEHOLDER,
  packedBytes,
  readPacked,
  unpack,
  vectorText,
  writePacked,
} from "./packed-vector.js";

/** The stored records of one segment. */
export interface RecordTable {
  /** Ascending by code unit, distinct. */
  readonly ids: readonly string[];
  /** Record d: its JSON in UTF-8, then its packed vector, from byte offsets[d] up to, but not including, offsets[d + 1]. */
  readonly bytes: Uint8Array;
  readonly offsets: Float64Array;
  /** null: no record has a packed vector. */
  readonly packed: PackedVectors | null;
}

/** Which records have a packed vector, and of which attribute. */
export interface PackedVectors {
  readonly attribute: string;
  /** By record: the bytes of its packed vector; 0: it has none, and its JSON is complete. */
  readonly sizes: Uint32Array;
}

/** A record that is ready to be stored. Missing parts are own properties with the value undefined, so none is inherited. */
export interface WrittenEntry {
  readonly id: string;
  readonly json: string;
  /** The vector that the JSON leaves out. */
  readonly vector: PackedVector | undefined;
  /** The record as an object, if it is known; else it is parsed. */
  readonly record: JsonRecord | undefined;
  /** Its index in the array of the call. */
  readonly position: number | undefined;
}

const PAUSE_EVERY = 64;

/** The record of an entry. */
export function recordOf({ json, vector, record }: WrittenEntry): JsonRecord {
  if (record !== undefined) return record;
  const parsed = JSON.parse(json) as JsonRecord;
  return vector === undefined ? parsed : unpack(parsed, vector.attribute, vector.numbers);
}

/** The approximate number of bytes that an entry takes when it is stored. */
export function entryBytes({ json, vector }: WrittenEntry): number {
  return vector === undefined ? json.length : json.length + vector.numbers.byteLength;
}

/** Stores records that are sorted by id. */
export function* writeRecordTable(entries: readonly WrittenEntry[]): Task<RecordTable> {
  const offsets = new Float64Array(entries.length + 1);
  const packed = roomForVectors(entries);
  for (let i = 0; i < entries.length; i++) {
    const { json, vector } = entries[i]!;
    if (packed !== null && vector !== undefined) packed.sizes[i] = packedBytes(vector);
    offsets[i + 1] = offsets[i]! + Buffer.byteLength(json) + (packed?.sizes[i] ?? 0);
    if (i % PAUSE_EVERY === 0) yield;
  }
  const bytes = Buffer.allocUnsafeSlow(offsets[entries.length]!);
  for (let i = 0; i < entries.length; i++) {
    const { json, vector } = entries[i]!;
    if (vector === undefined) bytes.write(json, offsets[i]!);
    else {
      const place = bytes.write(json.slice(0, vector.at), offsets[i]!);
      bytes.write(json.slice(vector.at), offsets[i]! + place);
      writePacked(vector, place, bytes.subarray(offsets[i + 1]! - packed!.sizes[i]!, offsets[i + 1]!));
    }
    if (i % PAUSE_EVERY === 0) yield;
  }
  return { ids: entries.map((entry) => entry.id), bytes, offsets, packed };
}

function roomForVectors(entries: readonly WrittenEntry[]): PackedVectors | null {
  const attribute = entries.find(({ vector }) => vector !== undefined)?.vector?.attribute;
  return attribute === undefined ? null : { attribute, sizes: new Uint32Array(entries.length) };
}

/** The table of a merged segment: record i comes from record `docs[i]` of `tables[sources[i]]`. All tables are of one index. */
export function* mergeRecordTables(
  tables: readonly RecordTable[],
  sources: Uint16Array,
  docs: Uint32Array,
): Task<RecordTable> {
  const offsets = new Float64Array(docs.length + 1);
  const attribute = tables.find((table) => table.packed !== null)?.packed?.attribute;
  const packed = attribute === undefined ? null : { attribute, sizes: new Uint32Array(docs.length) };
  for (let i = 0; i < docs.length; i++) {
    const from = tables[sources[i]!]!;
    offsets[i + 1] = offsets[i]! + from.offsets[docs[i]! + 1]! - from.offsets[docs[i]!]!;
    if (packed !== null) packed.sizes[i] = from.packed?.sizes[docs[i]!] ?? 0;
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
  return { ids, bytes, offsets, packed };
}

/** The bytes of a stored record: a view, not a copy. */
function storedBytes(
  { bytes, offsets, packed }: RecordTable,
  doc: number,
): { json: Buffer; vector: Uint8Array | null } {
  const from = offsets[doc]!;
  const size = packed === null ? 0 : packed.sizes[doc]!;
  const to = offsets[doc + 1]! - size;
  const json = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from);
  return { json, vector: size === 0 ? null : bytes.subarray(to, to + size) };
}

/** The whole JSON of a stored record, as bytes. */
export function recordBytes(table: RecordTable, doc: number): Buffer {
  const { json, vector } = storedBytes(table, doc);
  return vector === null ? json : Buffer.from(wholeText(json, vector));
}

function wholeText(json: Buffer, vector: Uint8Array): string {
  const { place, numbers } = readPacked(vector);
  return json.toString("utf8", 0, place) + vectorText(numbers) + json.toString("utf8", place + PLACEHOLDER.length);
}

/** A stored record as an entry. Its vector is separate if it is the one of this attribute, and part of the JSON otherwise. */
export function storedEntry(table: RecordTable, doc: number, vectorAttribute: string | null): WrittenEntry {
  const bare = { id: table.ids[doc]!, vector: undefined, record: undefined, position: undefined };
  const { json, vector } = storedBytes(table, doc);
  if (vector === null) return { ...bare, json: json.toString("utf8") };
  const { attribute } = table.packed!;
  if (attribute !== vectorAttribute) return { ...bare, json: wholeText(json, vector) };
  const { place, numbers } = readPacked(vector);
  const at = json.toString("utf8", 0, place).length;
  return { ...bare, json: json.toString("utf8"), vector: { attribute, numbers, at } };
}

/** A fresh copy of a stored record. */
export function readRecord(table: RecordTable, doc: number): JsonRecord {
  const { json, vector } = storedBytes(table, doc);
  const parsed = JSON.parse(json.toString("utf8")) as JsonRecord;
  return vector === null ? parsed : unpack(parsed, table.packed!.attribute, readPacked(vector).numbers);
}

/** The number of the record with this id, or -1. */
export function findRecord(table: RecordTable, id: string): number {
  const { ids } = table;
  const at = partitionPoint(0, ids.length, (i) => ids[i]! < id);
  return ids[at] === id ? at : -1;
}

const POINTER_BYTES = 8;

/** The approximate bytes of memory that the stored records of a segment take. */
export function tableBytes({ ids, bytes, offsets, packed }: RecordTable): number {
  const arrays = bytes.byteLength + offsets.byteLength + (packed?.sizes.byteLength ?? 0);
  return ids.reduce((total, id) => total + POINTER_BYTES + heapBytes(id), arrays);
}
