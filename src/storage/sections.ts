// How structures of typed arrays are laid out on disk: a body of JSON that describes the structure, followed by the arrays as they
// lie in memory, each at a multiple of 8 bytes. A file has a head before its body, which names its kind, its format and its store.
// Files are written once and never changed; every byte of them is covered by a checksum.

import { endianness } from "node:os";
import { crc32 } from "node:zlib";
import type { Task } from "../util/tasks.js";
import type { FileSystem, StorageFile } from "./file-system.js";
import { storageCorrupt, storageError, storageVersion } from "./storage-error.js";

type Bytes = Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

/** What can be laid out: JSON values, in which typed arrays may stand. Names must not begin with "$". */
export type Structure =
  | null
  | boolean
  | number
  | string
  | Bytes
  | readonly Structure[]
  | { readonly [name: string]: Structure };

const TYPES = {
  u8: Uint8Array,
  i8: Int8Array,
  u16: Uint16Array,
  i16: Int16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;
type TypeName = keyof typeof TYPES;

/** A typed array in the JSON of a body. */
interface SectionEntry {
  readonly $: TypeName;
  /** Its first byte, counted from the first section. */
  readonly at: number;
  /** Its number of elements. */
  readonly length: number;
  /** The checksum of its bytes with the padding; absent where one checksum covers the whole body. */
  readonly crc?: number;
}

const ALIGNMENT = 8;
const ZEROS = new Uint8Array(ALIGNMENT);
/** Bytes of the length of the JSON before it. */
const LENGTH_BYTES = 8;
/** Bytes summed between two pauses: about a millisecond. */
const SUMMED_AT_ONCE = 2 ** 21;

function padding(length: number): number {
  return -length & (ALIGNMENT - 1);
}

function bytesOf({ buffer, byteOffset, byteLength }: Bytes): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** The checksum of bytes, in steps. */
export function* checksum(bytes: Uint8Array, before = 0): Task<number> {
  let crc = before;
  for (let at = 0; at < bytes.length; at += SUMMED_AT_ONCE) {
    crc = crc32(bytes.subarray(at, at + SUMMED_AT_ONCE), crc);
    yield;
  }
  return crc;
}

/** A body as the pieces to write, one after the other. The arrays are not copied. */
export interface Body {
  readonly pieces: readonly Uint8Array[];
  readonly byteLength: number;
  /** The bytes of its JSON with the length before it: the first piece. */
  readonly head: Uint8Array;
}

/** Lays out a structure. With `sums`, each section has a checksum of its own. */
export function* layOut(structure: Structure, sums: boolean): Task<Body> {
  const sections: Uint8Array[] = [];
  let at = 0;
  function* describe(value: Structure): Task<unknown> {
    if (ArrayBuffer.isView(value)) {
      const type = (Object.keys(TYPES) as TypeName[]).find((name) => value instanceof TYPES[name])!;
      const bytes = bytesOf(value);
      const entry = { $: type, at, length: value.length };
      const pad = ZEROS.subarray(0, padding(bytes.length));
      sections.push(bytes, pad);
      at += bytes.length + pad.length;
      return sums ? { ...entry, crc: crc32(pad, yield* checksum(bytes)) } : entry;
    }
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const item of value as readonly Structure[]) items.push(yield* describe(item));
      return items;
    }
    if (typeof value !== "object" || value === null) return value;
    const entries: [string, unknown][] = [];
    for (const [name, item] of Object.entries(value)) entries.push([name, yield* describe(item)]);
    return Object.fromEntries(entries);
  }
  const json = Buffer.from(JSON.stringify(yield* describe(structure)));
  const head = Buffer.alloc(LENGTH_BYTES + json.length + padding(json.length));
  head.writeUInt32LE(json.length, 0);
  json.copy(head, LENGTH_BYTES);
  return { pieces: [head, ...sections.filter(({ length }) => length > 0)], byteLength: head.length + at, head };
}

/** Where the sections of a body begin, and how to check one of them. */
interface Sections {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly damaged: (offset: number) => Error;
}

/** Reads a body back. The arrays are views of `bytes`, which begin at a multiple of 8 in their buffer. */
export function* readBody(bytes: Uint8Array, damaged: (offset: number) => Error): Task<Structure> {
  if (bytes.length < LENGTH_BYTES) throw damaged(0);
  const length = new DataView(bytes.buffer, bytes.byteOffset, LENGTH_BYTES).getUint32(0, true);
  const from = LENGTH_BYTES + length + padding(length);
  if (from > bytes.length) throw damaged(0);
  const json = Buffer.from(bytes.buffer, bytes.byteOffset + LENGTH_BYTES, length).toString();
  let described: unknown;
  try {
    described = JSON.parse(json);
  } catch {
    throw damaged(LENGTH_BYTES);
  }
  return yield* restore(described, { bytes, from, damaged });
}

function* restore(value: unknown, sections: Sections): Task<Structure> {
  if (typeof value !== "object" || value === null) return value as Structure;
  if (Array.isArray(value)) {
    const items: Structure[] = [];
    for (const item of value) items.push(yield* restore(item, sections));
    return items;
  }
  if (Object.hasOwn(value, "$")) return yield* section(value as SectionEntry, sections);
  const entries: [string, Structure][] = [];
  for (const [name, item] of Object.entries(value)) entries.push([name, yield* restore(item, sections)]);
  return Object.fromEntries(entries);
}

function* section({ $, at, length, crc }: SectionEntry, { bytes, from, damaged }: Sections): Task<Structure> {
  const Type = TYPES[$];
  const byteLength = length * Type.BYTES_PER_ELEMENT;
  const start = from + at;
  const end = start + byteLength + padding(byteLength);
  if (end > bytes.length) throw damaged(bytes.length);
  if (crc !== undefined && (yield* checksum(bytes.subarray(start, end))) !== crc) throw damaged(start);
  return new Type(bytes.buffer as ArrayBuffer, bytes.byteOffset + start, length);
}

/** The kinds of files. */
export const FILE_KINDS = { manifest: 1, log: 2, segment: 3, snapshot: 4 } as const;
export type FileKind = keyof typeof FILE_KINDS;

const MAGIC = Buffer.from("tandem-search\0\0\0", "latin1");
/** The version of the format of every file. A greater one is refused before anything else is judged. */
export const FORMAT_VERSION = 1;
/** The bytes before the body of a file. */
export const HEAD_BYTES = 64;
const VERSION_AT = 16;
const KIND_AT = 17;
const STORE_ID_AT = 24;
const FILE_LENGTH_AT = 40;
const SUM_AT = 60;
export const STORE_ID_BYTES = 16;

/** The head of a file, which the checksum in its last bytes covers together with the first piece of the body. */
function headOf(kind: FileKind, storeId: Uint8Array, fileLength: number, bodyHead: Uint8Array): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  MAGIC.copy(head);
  head[VERSION_AT] = FORMAT_VERSION;
  head[KIND_AT] = FILE_KINDS[kind];
  head.set(storeId, STORE_ID_AT);
  head.writeDoubleLE(fileLength, FILE_LENGTH_AT);
  head.writeUInt32LE(crc32(bodyHead, crc32(head.subarray(0, SUM_AT))), SUM_AT);
  return head;
}

/** What identifies a written file beside its name. */
export interface FileStamp {
  readonly bytes: number;
  /** The checksum in its head, which covers the checksums of all sections. */
  readonly sum: number;
}

/** The pieces of a whole file. */
export function* fileOf(
  kind: FileKind,
  storeId: Uint8Array,
  structure: Structure,
): Task<{ readonly pieces: readonly Uint8Array[]; readonly stamp: FileStamp }> {
  // Numbers are stored as they lie in memory.
  if (endianness() !== "LE") throw new Error("Files can be written on little-endian machines only.");
  const body = yield* layOut(structure, true);
  const bytes = HEAD_BYTES + body.byteLength;
  const head = headOf(kind, storeId, bytes, body.head);
  return { pieces: [head, ...body.pieces], stamp: { bytes, sum: head.readUInt32LE(SUM_AT) } };
}

/** Writes a new file and syncs it. A failure leaves no file. */
export async function writeFile(files: FileSystem, path: string, pieces: readonly Uint8Array[]): Promise<void> {
  const file = await files.open(path, "create");
  if (file === undefined) throw storageError(Object.assign(new Error("There is no such folder."), { code: "ENOENT" }));
  try {
    let at = 0;
    for (const piece of joinSmall(pieces)) {
      await file.write(piece, at);
      at += piece.length;
    }
    await file.sync();
  } catch (error) {
    await file.close().catch(() => {});
    await files.remove(path).catch(() => {});
    throw error;
  }
  await file.close();
}

/** Pieces of at most this many bytes are joined, so that a small file takes one write. */
const JOINED_BYTES = 2 ** 16;

/** The same bytes in fewer pieces. */
export function* joinSmall(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  let small: Uint8Array[] = [];
  let size = 0;
  for (const piece of pieces) {
    if (size > 0 && size + piece.length > JOINED_BYTES) {
      yield Buffer.concat(small);
      small = [];
      size = 0;
    }
    if (piece.length > JOINED_BYTES) yield piece;
    else {
      small.push(piece);
      size += piece.length;
    }
  }
  if (size > 0) yield Buffer.concat(small);
}

/** What a file must be. */
export interface Expected {
  /** Its name, for errors. */
  readonly name: string;
  readonly kind: FileKind;
  /** undefined: of any store. */
  readonly storeId?: Uint8Array | undefined;
  /** undefined: any file of this store and kind. */
  readonly stamp?: FileStamp | undefined;
}

/** All bytes of an open file, in memory of their own. */
export async function readAll(file: StorageFile): Promise<Uint8Array> {
  const bytes = new Uint8Array(await file.size());
  return bytes.subarray(0, await file.read(bytes, 0));
}

/** Reads the bytes of a whole file back, and checks all of them. */
export function* readFileBytes(
  bytes: Uint8Array,
  { name, kind, storeId, stamp }: Expected,
): Task<{ readonly structure: Structure; readonly storeId: Uint8Array; readonly stamp: FileStamp }> {
  const damaged = (offset: number): Error => storageCorrupt(name, offset, "is not as it was written");
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(HEAD_BYTES, bytes.length));
  if (head.length < HEAD_BYTES || !head.subarray(0, MAGIC.length).equals(MAGIC)) throw damaged(0);
  const version = head[VERSION_AT]!;
  if (version !== FORMAT_VERSION)
    throw version > FORMAT_VERSION ? storageVersion(name, version, FORMAT_VERSION) : damaged(VERSION_AT);
  const body = bytes.subarray(HEAD_BYTES);
  if (body.length < LENGTH_BYTES) throw damaged(bytes.length);
  const jsonLength = new DataView(body.buffer, body.byteOffset, LENGTH_BYTES).getUint32(0, true);
  const bodyHead = body.subarray(0, LENGTH_BYTES + jsonLength + padding(jsonLength));
  const sum = head.readUInt32LE(SUM_AT);
  if (crc32(bodyHead, crc32(head.subarray(0, SUM_AT))) !== sum) throw damaged(0);
  const ofStore = new Uint8Array(head.subarray(STORE_ID_AT, STORE_ID_AT + STORE_ID_BYTES));
  if (head[KIND_AT] !== FILE_KINDS[kind] || head.readDoubleLE(FILE_LENGTH_AT) !== bytes.length) throw damaged(0);
  if (storeId !== undefined && Buffer.compare(ofStore, storeId) !== 0) throw damaged(STORE_ID_AT);
  if (stamp !== undefined && (stamp.sum !== sum || stamp.bytes !== bytes.length)) throw damaged(SUM_AT);
  const structure = yield* readBody(body, (offset) => damaged(HEAD_BYTES + offset));
  return { structure, storeId: ofStore, stamp: { bytes: bytes.length, sum } };
}
