// The records of one segment as they came: ids in code unit order (so a record's number orders as its id does), and each
// record's JSON text in one buffer outside V8's heap, with its own vector behind it. Immutable.

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
  /** UTF-8 JSON of record d, and behind it its packed vector: bytes[offsets[d]] … bytes[offsets[d + 1]] - 1. */
  readonly bytes: Uint8Array;
  readonly offsets: Float64Array;
  /** null: no record has its vector apart from its JSON. */
  readonly packed: PackedVectors | null;
}

/** Which vectors stand apart. */
export interface PackedVectors {
  readonly attribute: string;
  /** The bytes of record d's vector, 0: its JSON is whole. */
  readonly sizes: Uint32Array;
}

/** A record ready to be stored. What it lacks is undefined in its own name: a prototype may have anything. */
export interface WrittenEntry {
  readonly id: string;
  readonly json: string;
  /** What its JSON leaves out. */
  readonly vector: PackedVector | undefined;
  /** What both say, where somebody has it at hand. */
  readonly record: JsonRecord | undefined;
  /** Its place in the call it came with. */
  readonly position: number | undefined;
}

const PAUSE_EVERY = 64;

/** The record of an entry. */
export function recordOf({ json, vector, record }: WrittenEntry): JsonRecord {
  if (record !== undefined) return record;
  const parsed = JSON.parse(json) as JsonRecord;
  return vector === undefined ? parsed : unpack(parsed, vector.attribute, vector.numbers);
}

/** About the bytes that an entry is stored in. */
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

/** The table of a merged segment: record i comes from record `docs[i]` of `tables[sources[i]]`; all of one index. */
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

/** A stored record as an entry, its vector apart if it is the one of this attribute. */
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

/** About the memory that the stored records of a segment take. */
export function tableBytes({ ids, bytes, offsets, packed }: RecordTable): number {
  const arrays = bytes.byteLength + offsets.byteLength + (packed?.sizes.byteLength ?? 0);
  return ids.reduce((total, id) => total + POINTER_BYTES + heapBytes(id), arrays);
}
