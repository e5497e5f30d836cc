// The stored records of one segment: their ids in code unit order, so that record numbers are in the same order, and their JSON,
// each followed by the record's own vector, in one buffer outside V8's heap or in a file. Immutable. The vector is packed: numbers, where
// the JSON has null in their place. As decimal digits it would take several times the memory, and most of the time in which its record
// is read.

import type { DocArray, LocalDoc } from "../util/doc-set.js";
import type { JsonRecord, JsonValue } from "../util/json.js";
import { type OffsetTable, offsetAt, offsetTable, offsetTableBytes } from "../util/offset-table.js";
import { partitionPoint } from "../util/sorted.js";
import { type Task, waitFor } from "../util/tasks.js";
import { TextTable, TextTableWriter, textTableOf } from "../util/text-table.js";

/** The stored records of one segment. */
export interface RecordTable {
  /** Ascending by code unit, distinct. */
  readonly ids: TextTable;
  /** Record d: its JSON in UTF-8, then its packed vector, from the byte offset at d up to, but not including, that at d + 1. */
  readonly offsets: OffsetTable;
  /** These bytes. When they were written to a file, they leave the memory, and are read. */
  source: Uint8Array | ReadBytes;
  /** The attribute of packed vectors; `sizes`: by record their bytes, or 0, and its JSON is complete. null: no record has one. */
  readonly packed: { readonly attribute: string; readonly sizes: Uint32Array } | null;
}

/** Reads bytes `from` to `to` - 1, or to the end, from a file, and checks them; rejects with 500 `storage_corrupt`. */
export type ReadBytes = (from: number, to: number) => Promise<Uint8Array<ArrayBuffer>>;

/** A record that is ready to be stored. */
export interface WrittenEntry {
  readonly id: string;
  readonly json: string;
  /** The vector that the JSON leaves out. */
  readonly vector: PackedVector | undefined;
  /** Its index in the array of the call. */
  readonly position: number | undefined;
}

const PAUSE_EVERY = 64;

/** The record of an entry. */
export function recordOf({ json, vector }: Pick<WrittenEntry, "json" | "vector">): JsonRecord {
  const parsed = JSON.parse(json) as JsonRecord;
  return vector === undefined ? parsed : unpack(parsed, vector.attribute, vector.numbers);
}

/** The approximate number of bytes that an entry takes when it is stored. */
export function entryBytes({ json, vector }: WrittenEntry): number {
  return vector === undefined ? json.length : json.length + vector.numbers.byteLength;
}

/** Stores records that are sorted by id. */
export function* writeRecordTable(entries: readonly WrittenEntry[]): Task<RecordTable> {
  const offsets = new Uint32Array(entries.length + 1);
  const attribute = entries.find(({ vector }) => vector !== undefined)?.vector?.attribute;
  const packed = packedVectors(attribute, entries.length);
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
      const offset = bytes.write(json.slice(0, vector.at), offsets[i]!);
      bytes.write(json.slice(vector.at), offsets[i]! + offset);
      writePacked(vector, offset, bytes.subarray(offsets[i + 1]! - packed!.sizes[i]!, offsets[i + 1]!));
    }
    if (i % PAUSE_EVERY === 0) yield;
  }
  const ids = yield* textTableOf(entries.map((entry) => entry.id));
  return { ids, source: bytes, offsets: yield* offsetTable(offsets), packed };
}

function packedVectors(attribute: string | undefined, records: number): RecordTable["packed"] {
  return attribute === undefined ? null : { attribute, sizes: new Uint32Array(records) };
}

/** The table of a merged segment: record i comes from record `docs[i]` of `tables[sources[i]]`. All tables are of one index. */
export function* mergeRecordTables(
  tables: readonly RecordTable[],
  sources: Uint16Array,
  docs: DocArray<LocalDoc>,
): Task<RecordTable> {
  const offsets = new Uint32Array(docs.length + 1);
  const attribute = tables.find((table) => table.packed !== null)?.packed?.attribute;
  const packed = packedVectors(attribute, docs.length);
  for (let i = 0; i < docs.length; i++) {
    const [from, doc] = [tables[sources[i]!]!, docs[i]!];
    offsets[i + 1] = offsets[i]! + offsetAt(from.offsets, doc + 1) - offsetAt(from.offsets, doc);
    if (packed !== null) packed.sizes[i] = from.packed?.sizes[doc] ?? 0;
  }
  yield;
  const bytes = new Uint8Array(offsets[docs.length]!);
  const ids = new TextTableWriter(
    docs.length,
    tables.reduce((total, table) => total + table.ids.parts.characters.length, 0),
  );
  const readers = tables.map((table) => new RecordReader(table));
  for (let i = 0; i < docs.length; i++) {
    ids.addFrom(tables[sources[i]!]!.ids.parts, docs[i]!);
    bytes.set(yield* readers[sources[i]!]!.bytes(docs[i]!), offsets[i]!);
    if (i % PAUSE_EVERY === 0) yield;
  }
  return { ids: new TextTable(yield* ids.finish()), source: bytes, offsets: yield* offsetTable(offsets), packed };
}

/** A file is read by pieces of at least this many bytes. */
const READ_AHEAD = 2 ** 18;

/** Reads records of a table in ascending order: of a file, it reads ahead. */
export class RecordReader {
  private readonly table: RecordTable;
  /** Bytes of the records `from` to `to` - 1. */
  private piece: Uint8Array = new Uint8Array();
  private from = 0;
  private to = 0;

  constructor(table: RecordTable) {
    this.table = table;
  }

  /** The bytes of a record with its packed vector: a view, valid until the next call. */
  *bytes(doc: LocalDoc): Task<Uint8Array> {
    const { ids, offsets, source } = this.table;
    const start = offsetAt(offsets, doc);
    if (source instanceof Uint8Array) return source.subarray(start, offsetAt(offsets, doc + 1));
    if (doc < this.from || doc >= this.to) {
      const end = partitionPoint(doc + 1, ids.size, (i) => offsetAt(offsets, i) < start + READ_AHEAD);
      this.piece = yield* waitFor(source(start, offsetAt(offsets, end)));
      this.from = doc;
      this.to = end;
    }
    const before = offsetAt(offsets, this.from);
    return this.piece.subarray(start - before, offsetAt(offsets, doc + 1) - before);
  }

  /** A record as it is stored. */
  *stored(doc: LocalDoc): Task<StoredRecord> {
    return new StoredRecord(this.table, doc, yield* this.bytes(doc));
  }

  /** A fresh copy of a record. */
  *parsed(doc: LocalDoc): Task<JsonRecord> {
    return (yield* this.stored(doc)).parse();
  }
}

/** Some records, in any order. Files are read for all of them at the same time. */
export function* readRecords(
  addresses: readonly { readonly table: RecordTable; readonly doc: LocalDoc }[],
): Task<StoredRecord[]> {
  const bytes = addresses.map(({ table, doc }) => {
    const { offsets, source } = table;
    const [from, to] = [offsetAt(offsets, doc), offsetAt(offsets, doc + 1)];
    return source instanceof Uint8Array ? source.subarray(from, to) : source(from, to);
  });
  const inMemory = bytes.every((one) => one instanceof Uint8Array) ? bytes : yield* waitFor(Promise.all(bytes));
  return addresses.map(({ table, doc }, i) => new StoredRecord(table, doc, inMemory[i]!));
}

/** A record as it is stored. Its bytes are a view, not a copy. */
export class StoredRecord {
  readonly doc: LocalDoc;
  readonly table: RecordTable;
  readonly json: Buffer;
  readonly vector: Uint8Array | null;

  constructor(table: RecordTable, doc: LocalDoc, bytes: Uint8Array) {
    const size = table.packed === null ? 0 : table.packed.sizes[doc]!;
    const end = bytes.length - size;
    this.table = table;
    this.doc = doc;
    this.json = Buffer.from(bytes.buffer, bytes.byteOffset, end);
    this.vector = size === 0 ? null : bytes.subarray(end);
  }

  /** Its whole JSON, as bytes. */
  wholeJson(): Buffer {
    const { json, vector } = this;
    return vector === null ? json : Buffer.from(wholeText(json, vector));
  }

  /** A fresh copy of the record. */
  parse(): JsonRecord {
    const { json, vector, table } = this;
    const parsed = JSON.parse(json.toString("utf8")) as JsonRecord;
    return vector === null ? parsed : unpack(parsed, table.packed!.attribute, readPacked(vector).numbers);
  }

  /** The record as an entry. Its vector is separate if it is the one of this attribute, and part of the JSON otherwise. */
  entry(vectorAttribute: string | null): WrittenEntry {
    const { json, vector, table, doc } = this;
    const bare = { id: table.ids.textAt(doc), vector: undefined, position: undefined };
    if (vector === null) return { ...bare, json: json.toString("utf8") };
    const { attribute } = table.packed!;
    if (attribute !== vectorAttribute) return { ...bare, json: wholeText(json, vector) };
    const { offset, numbers } = readPacked(vector);
    const at = json.toString("utf8", 0, offset).length;
    return { ...bare, json: json.toString("utf8"), vector: { attribute, numbers, at } };
  }
}

function wholeText(json: Buffer, vector: Uint8Array): string {
  const { offset, numbers } = readPacked(vector);
  return json.toString("utf8", 0, offset) + vectorText(numbers) + json.toString("utf8", offset + PLACEHOLDER.length);
}

/** The bytes of all records. */
export function* allBytes({ source }: RecordTable): Task<Uint8Array> {
  return source instanceof Uint8Array ? source : yield* waitFor(source(0, Number.POSITIVE_INFINITY));
}

/** The approximate bytes of memory that the stored records of a segment take. */
export function tableBytes({ ids, offsets, packed, source }: RecordTable): number {
  const bytes = source instanceof Uint8Array ? source.byteLength : 0;
  return bytes + ids.byteLength + offsetTableBytes(offsets) + (packed?.sizes.byteLength ?? 0);
}

/** The vector that a record's JSON leaves out. */
export interface PackedVector {
  readonly attribute: string;
  /** Finite, without -0. */
  readonly numbers: Float64Array;
  /** The index of the placeholder in the JSON, in code units. */
  readonly at: number;
}

/** What the JSON has in place of the vector. */
export const PLACEHOLDER = "null";
/** Before the numbers: the byte offset of the placeholder in the JSON, and the count of numbers, as two 32-bit integers. */
const HEAD_BYTES = 8;

/** The bytes that a packed vector takes: 4 per number if all numbers are exact in 32 bits, else 8. */
export function packedBytes({ numbers }: PackedVector): number {
  return HEAD_BYTES + (isExactIn32(numbers) ? 4 : 8) * numbers.length;
}

function isExactIn32(numbers: Float64Array): boolean {
  for (let i = 0; i < numbers.length; i++) if (Math.fround(numbers[i]!) !== numbers[i]!) return false;
  return true;
}

/** Writes a vector into `to`, which has `packedBytes` bytes. `offset`: the byte offset of the placeholder. */
export function writePacked({ numbers }: PackedVector, offset: number, to: Uint8Array): void {
  to.set(new Uint8Array(Uint32Array.of(offset, numbers.length).buffer));
  const isShort = to.length - HEAD_BYTES < 8 * numbers.length;
  const packed = isShort ? new Float32Array(numbers) : numbers;
  to.set(new Uint8Array(packed.buffer, packed.byteOffset, packed.byteLength), HEAD_BYTES);
}

/** Reads a packed vector: its numbers, and the byte offset of the placeholder. */
export function readPacked(bytes: Uint8Array): { readonly offset: number; readonly numbers: Float64Array } {
  // A copy, because the views below need an aligned offset.
  const { buffer } = new Uint8Array(bytes);
  const [offset, count] = new Uint32Array(buffer, 0, 2);
  const isShort = bytes.length - HEAD_BYTES < 8 * count!;
  const numbers = isShort
    ? new Float64Array(new Float32Array(buffer, HEAD_BYTES))
    : new Float64Array(buffer, HEAD_BYTES);
  return { offset: offset!, numbers };
}

/** Puts a vector in its place in the parsed JSON; returns the complete record. */
export function unpack(parsed: JsonRecord, attribute: string, numbers: Float64Array): JsonRecord {
  const list: number[] = [];
  for (let i = 0; i < numbers.length; i++) list.push(numbers[i]!);
  // The attribute is already an own property, with the value null. So its position is kept, and no setter is called.
  (parsed as Record<string, JsonValue>)[attribute] = list;
  return parsed;
}

/** The numbers as JSON. */
export function vectorText(numbers: Float64Array): string {
  return `[${numbers.join(",")}]`;
}

/** The unchecked value of the vector attribute, which must be an own property; null: the record has no vector. */
export function ownVector(record: JsonRecord, attribute: string | null): JsonValue {
  return attribute !== null && Object.hasOwn(record, attribute) ? record[attribute]! : null;
}
