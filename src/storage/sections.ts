// How structures of typed arrays are laid out on disk: a body of JSON that describes the structure, followed by the arrays as
// they lie in memory, each at a multiple of 8 bytes. The arrays that are read together when the file is opened come first. A
// file has a head before its body, which names its kind, its format and its store. Files are written once and never changed;
// every byte of them is covered by a checksum.

import { endianness } from "node:os";
import { crc32 } from "node:zlib";
import { runTask, type Task } from "../util/tasks.js";
import type { FileSystem, StorageFile } from "./file-system.js";
import { damagedFile, failure, storageVersion } from "./storage-error.js";

export type Bytes =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** An array of a structure that stays on the disk when its file is opened. */
export class LazyArray<B extends Bytes = Bytes> {
  /** undefined: it is on the disk. */
  readonly array: B | undefined;
  private readonly extent: SectionExtent | undefined;

  constructor(array: B | undefined, place?: SectionExtent) {
    this.array = array;
    this.extent = place;
  }

  /** Where its bytes begin in their file; only for an array on the disk. */
  get offset(): number {
    return this.extent!.offset;
  }

  /** The number of its elements. */
  get length(): number {
    return this.array?.length ?? this.extent!.length;
  }

  get byteLength(): number {
    return this.array?.byteLength ?? this.extent!.byteLength;
  }

  /** Fills `into`, of as many elements, from the file; rejects with 500 `storage_corrupt`. */
  async readInto(into: B, file: NamedFile): Promise<void> {
    await this.readUnchecked(into, file);
    const bytes = bytesOf(into);
    if (crc32(PADDINGS[padding(bytes.length)]!, await runTask(checksum(bytes))) !== this.extent!.crc)
      throw this.damagedIn(file);
  }

  /** As {@link readInto}, of bytes that are checked when they are used. */
  async readUnchecked(into: B, file: NamedFile): Promise<void> {
    if ((await file.read(bytesOf(into), this.offset)) !== into.byteLength) throw this.damagedIn(file);
  }

  private damagedIn({ name }: NamedFile): Error {
    return damagedFile(name, this.offset);
  }
}

type NamedFile = Pick<StorageFile, "read"> & { readonly name: string };

/** Bytes that are made as they are written, because they are too many to be in memory. Their reader checks them. */
export class Streamed {
  /** A multiple of 8. */
  readonly byteLength: number;
  /** All bytes, in pieces of at most some megabytes. */
  readonly pieces: () => Iterable<Uint8Array>;

  constructor(byteLength: number, pieces: () => Iterable<Uint8Array>) {
    this.byteLength = byteLength;
    this.pieces = pieces;
  }
}

/** Where a section is in a file. */
interface SectionExtent {
  readonly offset: number;
  /** The number of its elements. */
  readonly length: number;
  readonly byteLength: number;
  readonly crc: number;
}

/** What can be laid out: JSON values, in which typed arrays may stand. Names do not begin with "$"; a list has items of one kind. */
export type Structure =
  | null
  | boolean
  | number
  | string
  | Bytes
  | LazyArray
  | Streamed
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
const TYPE_NAMES: ReadonlyMap<string, TypeName> = new Map(
  (Object.keys(TYPES) as TypeName[]).map((name) => [TYPES[name].name, name]),
);

/** A typed array in the JSON of a body. */
interface SectionEntry {
  readonly $: TypeName;
  /** Its first byte, counted from the first section; for a section that is read on demand, from the first such section. */
  readonly at: number;
  /** Its number of elements. */
  readonly length: number;
  /** The checksum of its bytes with the padding; absent where one checksum covers the whole body. */
  readonly crc?: number;
  /** The section is read on demand. */
  readonly later?: true;
}

const ALIGNMENT = 8;
/** By length. */
const PADDINGS: readonly Uint8Array[] = Array.from({ length: ALIGNMENT }, (_, length) => new Uint8Array(length));
/** Before the JSON stand two lengths: its own in bytes, and that of the sections that are read together in units of 8 bytes. */
const LENGTH_BYTES = 8;
/** Bytes summed between two pauses: about a millisecond. */
const SUMMED_AT_ONCE = 2 ** 21;

function padding(length: number): number {
  return -length & (ALIGNMENT - 1);
}

export function bytesOf({ buffer, byteOffset, byteLength }: Bytes): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/**
 * Memory for bytes that are read from a file. It is not cleared, which would take as long as reading: before all is read, its
 * content is arbitrary.
 */
export function memoryToRead(byteLength: number): ArrayBuffer {
  return Buffer.allocUnsafeSlow(byteLength).buffer as ArrayBuffer;
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

/**
 * Lays out a structure as a body: the pieces to write, one after the other; the arrays are not copied. With `sums`, each section has a
 * checksum of its own. `head`: the bytes of its JSON with the length before it, the first piece.
 */
export function* layOut(
  structure: Structure,
  sums: boolean,
): Task<Omit<WholeFile, "metadata"> & { readonly byteLength: number; readonly head: Uint8Array }> {
  const first = new Area();
  const later = new Area();
  const lazy = new Map<LazyArray, number>();
  const toSum: { readonly entry: { crc: number }; readonly bytes: Uint8Array }[] = [];
  const placed = (array: Bytes, area: Area): SectionEntry => {
    const bytes = bytesOf(array);
    const entry: SectionEntry = {
      $: TYPE_NAMES.get(array[Symbol.toStringTag])!,
      at: area.byteLength,
      length: array.length,
    };
    area.pieces.push(bytes, PADDINGS[padding(bytes.length)]!);
    area.byteLength += bytes.length + padding(bytes.length);
    // The checksum is computed in steps, below.
    if (sums) toSum.push({ entry: Object.assign(entry, { crc: 0 }), bytes });
    return entry;
  };
  // No generators: most structures have many small parts, and the JSON is written at once anyway.
  const describe = (value: Structure): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (value instanceof LazyArray) {
      lazy.set(value, later.byteLength);
      return Object.assign(placed(value.array!, later), { later: true });
    }
    if (value instanceof Streamed) {
      const { byteLength: at } = later;
      later.pieces.push(value);
      later.byteLength += value.byteLength;
      return { $: "u8", at, length: value.byteLength, later: true };
    }
    if (ArrayBuffer.isView(value)) return placed(value, first);
    if (Array.isArray(value))
      return typeof value[0] !== "object" || value[0] === null ? value : (value as readonly Structure[]).map(describe);
    const parts = value as { readonly [name: string]: Structure };
    const described: { [name: string]: unknown } = {};
    // Equal structures have equal bodies, in whatever order their parts were named.
    for (const name of Object.keys(parts).sort()) described[name] = describe(parts[name]!);
    return described;
  };
  const described = describe(structure);
  for (const { entry, bytes } of toSum) entry.crc = crc32(PADDINGS[padding(bytes.length)]!, yield* checksum(bytes));
  const json = Buffer.from(JSON.stringify(described));
  const head = Buffer.alloc(LENGTH_BYTES + json.length + padding(json.length));
  head.writeUInt32LE(json.length, 0);
  head.writeUInt32LE(first.byteLength / ALIGNMENT, 4);
  json.copy(head, LENGTH_BYTES);
  const pieces = joined([head, ...first.pieces, ...later.pieces]);
  const laterAt = head.length + first.byteLength;
  return { pieces, byteLength: laterAt + later.byteLength, head, offsetOf: (value) => laterAt + lazy.get(value)! };
}

/** A structure as bytes, without checksums: a body that stands in another one as an array. {@link readBody} reads it back. */
export function* bodyBytes(structure: Structure): Task<Uint8Array> {
  const { pieces, byteLength } = yield* layOut(structure, false);
  const bytes = new Uint8Array(byteLength);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** Sections that stand one after the other. */
class Area {
  readonly pieces: (Uint8Array | Streamed)[] = [];
  byteLength = 0;
}

/** The bytes of sections, one after the other. */
function* joined(sections: Iterable<Uint8Array | Streamed>): Generator<Uint8Array> {
  for (const section of sections)
    if (section instanceof Streamed) yield* section.pieces();
    else if (section.length > 0) yield section;
}

/** The numbers before the JSON. */
function lengthsIn(bytes: Uint8Array, offset: number): { readonly json: number; readonly first: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, LENGTH_BYTES);
  return { json: view.getUint32(0, true), first: ALIGNMENT * view.getUint32(4, true) };
}

/** Gives an array of a body; throws if it is damaged. */
type ReadSection = (entry: SectionEntry) => Task<Bytes | LazyArray>;

/** Reads a body without checksums back. The arrays are views of `bytes`, which begin at a multiple of 8 in their buffer. */
export function readBody(bytes: Uint8Array): Task<Structure> {
  return bodyIn(bytes, () => new Error("The body has checksums."));
}

function* bodyIn(bytes: Uint8Array, damaged: (offset: number) => Error): Task<Structure> {
  const { json, first } = lengthsIn(bytes, 0);
  const from = LENGTH_BYTES + json + padding(json);
  return yield* restore(describedIn(bytes, 0, json), function* (entry) {
    const array = yield* sectionIn(bytes, entry.later ? from + first : from, entry, damaged);
    return entry.later ? new LazyArray(array) : array;
  });
}

/** The value of the JSON of a body that begins at an offset. */
function describedIn({ buffer, byteOffset }: Uint8Array, offset: number, length: number): unknown {
  return JSON.parse(Buffer.from(buffer, byteOffset + offset + LENGTH_BYTES, length).toString());
}

function* restore(value: unknown, read: ReadSection): Task<Structure> {
  if (typeof value !== "object" || value === null) return value as Structure;
  if (Array.isArray(value)) {
    // A list has items of one kind.
    if (typeof value[0] !== "object" || value[0] === null) return value;
    const items: Structure[] = [];
    for (const item of value) items.push(yield* restore(item, read));
    return items;
  }
  if (Object.hasOwn(value, "$")) return yield* read(value as SectionEntry);
  const entries: [string, Structure][] = [];
  for (const [name, item] of Object.entries(value)) entries.push([name, yield* restore(item, read)]);
  return Object.fromEntries(entries);
}

/** An array of a body in memory: a view. */
function* sectionIn(
  bytes: Uint8Array,
  from: number,
  { $, at, length, crc }: SectionEntry,
  damaged: (offset: number) => Error,
): Task<Bytes> {
  const Type = TYPES[$];
  const byteLength = length * Type.BYTES_PER_ELEMENT;
  const start = from + at;
  const summed = bytes.subarray(start, start + byteLength + padding(byteLength));
  if (crc !== undefined && (yield* checksum(summed)) !== crc) throw damaged(start);
  return new Type(bytes.buffer as ArrayBuffer, bytes.byteOffset + start, length);
}

/** The kinds of files. */
export const FILE_KINDS = {
  manifest: 1,
  log: 2,
  segment: 3,
  snapshot: 4,
  graph: 5,
  settings: 6,
  watermark: 7,
} as const;
export type FileKind = keyof typeof FILE_KINDS;

/** The first bytes of every file. */
export const MAGIC: Buffer = Buffer.from("tandem-search\0\0\0", "latin1");
/** The version of the format of every file. Another one is refused before anything else is judged. */
export const FORMAT_VERSION = 8;
/** The bytes before the body of a file. */
export const HEAD_BYTES = 64;
const VERSION_AT = 16;
const KIND_AT = 17;
const STORE_ID_AT = 24;
const FILE_LENGTH_AT = 40;
const SUM_AT = 60;
export const STORE_ID_BYTES = 16;

/**
 * The head of a file: magic (16 bytes) | format version u8 | kind u8 | 0 (6) | store id (16) | what `fill` writes (20) | CRC32 u32 of these,
 * and of what comes next, `more`.
 */
export function headOf(
  kind: FileKind,
  storeId: Uint8Array,
  fill: (head: Buffer) => void,
  more: Uint8Array = new Uint8Array(),
): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  MAGIC.copy(head);
  head[VERSION_AT] = FORMAT_VERSION;
  head[KIND_AT] = FILE_KINDS[kind];
  head.set(storeId, STORE_ID_AT);
  fill(head);
  head.writeUInt32LE(crc32(more, crc32(head.subarray(0, SUM_AT))), SUM_AT);
  return head;
}

/** Whether a head has its checksum; for one that covers nothing more. */
export function isWholeHead(head: Buffer): boolean {
  return head.length === HEAD_BYTES && crc32(head.subarray(0, SUM_AT)) === head.readUInt32LE(SUM_AT);
}

/** What identifies a written file beside its name. */
export interface FileMetadata {
  readonly bytes: number;
  /** The checksum in its head, which covers the checksums of all sections. */
  readonly sum: number;
}

/** A file to be written. */
export interface WholeFile {
  readonly pieces: Iterable<Uint8Array>;
  readonly metadata: FileMetadata;
  /** Where bytes of the structure that are read on demand begin in the file, or in its body. */
  readonly offsetOf: (value: LazyArray) => number;
}

/** The pieces of a whole file. */
export function* fileOf(kind: FileKind, storeId: Uint8Array, structure: Structure): Task<WholeFile> {
  // Numbers are stored as they lie in memory.
  if (endianness() !== "LE") throw failure("ENOTSUP", "Files are little-endian, this machine is not.");
  const body = yield* layOut(structure, true);
  const bytes = HEAD_BYTES + body.byteLength;
  const head = headOf(kind, storeId, (empty) => empty.writeDoubleLE(bytes, FILE_LENGTH_AT), body.head);
  const metadata = { bytes, sum: head.readUInt32LE(SUM_AT) };
  const pieces = function* (): Generator<Uint8Array> {
    yield head;
    yield* body.pieces;
  };
  return { pieces: pieces(), metadata, offsetOf: (value) => HEAD_BYTES + body.offsetOf(value) };
}

/** The bytes to write, one piece after the other. */
type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Writes a new file and syncs it. A failure leaves no file. */
export async function writeFile(
  files: Pick<FileSystem, "open" | "remove">,
  path: string,
  pieces: Pieces,
): Promise<void> {
  const file = (await files.open(path, "create"))!;
  try {
    let at = 0;
    for await (const piece of joinSmall(pieces)) {
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
export async function* joinSmall(pieces: Pieces): AsyncGenerator<Uint8Array> {
  let small: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
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
  readonly metadata?: FileMetadata | undefined;
  /** Where it begins, if it is a part of a larger one. */
  readonly from?: number;
}

/** A file that is only read. */
export type ReadableFile = Pick<StorageFile, "read" | "size">;

/** All bytes of an open file, in memory of their own. */
export async function readAll(file: ReadableFile): Promise<Uint8Array> {
  const bytes = new Uint8Array(memoryToRead(await file.size()));
  return bytes.subarray(0, await file.read(bytes, 0));
}

/** The checksum in the head of an open file: see {@link FileMetadata}. undefined: the file has no head. */
export async function readSum(file: Pick<ReadableFile, "read">): Promise<number | undefined> {
  const head = Buffer.alloc(HEAD_BYTES);
  return (await file.read(head, 0)) < HEAD_BYTES ? undefined : head.readUInt32LE(SUM_AT);
}

/** The error for damage at an offset of a file. */
function damageOf({ name, from = 0 }: Expected): (offset: number) => Error {
  return (offset) => damagedFile(name, from + offset);
}

/** Throws 500 `storage_version` if the first bytes of a file say that it has another format. */
export function checkVersion(start: Uint8Array, name: string): void {
  const isOurs = MAGIC.equals(start.subarray(0, MAGIC.length));
  const version = start[VERSION_AT];
  if (isOurs && version !== undefined && version !== FORMAT_VERSION)
    throw storageVersion(name, version, FORMAT_VERSION);
}

/** The first bytes of a file, of which there must be so many. */
function headIn({ buffer, byteOffset, length }: Uint8Array, least: number, expected: Expected): Buffer {
  const head = Buffer.from(buffer, byteOffset, length);
  if (length < least || !head.subarray(0, MAGIC.length).equals(MAGIC)) throw damageOf(expected)(0);
  checkVersion(head, expected.name);
  return head;
}

/**
 * Checks the head of a file of `size` bytes; `start` are its first bytes. `byteLength`: of the head and of the JSON behind it. undefined: it
 * needs more of them.
 */
function* readHead(
  start: Uint8Array,
  size: number,
  expected: Expected,
): Task<(Omit<ReadFile, "structure"> & { readonly byteLength: number }) | undefined> {
  const { kind, storeId, metadata } = expected;
  const damaged = damageOf(expected);
  const head = headIn(start, HEAD_BYTES + LENGTH_BYTES, expected);
  const { json, first } = lengthsIn(head, HEAD_BYTES);
  const byteLength = HEAD_BYTES + LENGTH_BYTES + json + padding(json);
  if (byteLength + first > size) throw damaged(HEAD_BYTES);
  if (byteLength > head.length) return undefined;
  const sum = head.readUInt32LE(SUM_AT);
  const found = yield* checksum(head.subarray(HEAD_BYTES, byteLength), crc32(head.subarray(0, SUM_AT)));
  if (found !== sum || head[KIND_AT] !== FILE_KINDS[kind] || head.readDoubleLE(FILE_LENGTH_AT) !== size)
    throw damaged(0);
  const ofStore = new Uint8Array(head.subarray(STORE_ID_AT, STORE_ID_AT + STORE_ID_BYTES));
  if (storeId !== undefined && Buffer.compare(ofStore, storeId) !== 0) throw damaged(STORE_ID_AT);
  if (metadata !== undefined && (metadata.sum !== sum || metadata.bytes !== size)) throw damaged(SUM_AT);
  return { storeId: ofStore, metadata: { bytes: size, sum }, byteLength };
}

/** A file that was read. */
export interface ReadFile {
  readonly structure: Structure;
  readonly storeId: Uint8Array;
  readonly metadata: FileMetadata;
}

/** Reads the bytes of a whole file back, and checks all of them. */
export function* readFileBytes(bytes: Uint8Array, expected: Expected): Task<ReadFile> {
  const head = (yield* readHead(bytes, bytes.length, expected))!;
  const damaged = damageOf(expected);
  const body = yield* bodyIn(bytes.subarray(HEAD_BYTES), (offset) => damaged(HEAD_BYTES + offset));
  return { ...head, structure: body };
}

/**
 * The length of a whole file that stands in a larger one, of which `rest` bytes are left; `start` are its first bytes. Throws 500
 * `storage_corrupt` and `storage_version`.
 */
export function lengthOfPart(start: Uint8Array, rest: number, expected: Expected): number {
  const length = headIn(start, HEAD_BYTES, expected).readDoubleLE(FILE_LENGTH_AT);
  if (!Number.isSafeInteger(length) || length < HEAD_BYTES || length > rest) throw damageOf(expected)(FILE_LENGTH_AT);
  return length;
}

/** The bytes of a file that are read first: enough for most heads. */
const FIRST_BYTES = 2 ** 14;

/**
 * Reads an open file, and checks what it reads: everything but what is read on demand. It is read in one piece, and the arrays
 * are views of that.
 */
export async function readOpenFile(file: ReadableFile, expected: Expected): Promise<ReadFile> {
  const size = await file.size();
  const damaged = damageOf(expected);
  let start = await readBytes(file, 0, Math.min(FIRST_BYTES, size), damaged);
  let head = await runTask(readHead(start, size, expected));
  if (head === undefined) {
    const { json } = lengthsIn(start, HEAD_BYTES);
    start = await readBytes(file, 0, HEAD_BYTES + LENGTH_BYTES + json + padding(json), damaged);
    head = (await runTask(readHead(start, size, expected)))!;
  }
  const { byteLength } = head;
  const { json, first } = lengthsIn(start, HEAD_BYTES);
  const bytes = await readBytes(file, byteLength, first, damaged);
  const read: ReadSection = function* (entry) {
    const { $, at, length, crc } = entry;
    if (entry.later) {
      const extent = { offset: byteLength + first + at, length, byteLength: length * TYPES[$].BYTES_PER_ELEMENT };
      return new LazyArray(undefined, { ...extent, crc: crc! });
    }
    return yield* sectionIn(bytes, 0, entry, (offset) => damaged(byteLength + offset));
  };
  return { ...head, structure: await runTask(restore(describedIn(start, HEAD_BYTES, json), read)) };
}

async function readBytes(
  file: ReadableFile,
  offset: number,
  length: number,
  damaged: (offset: number) => Error,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(memoryToRead(length));
  if ((await file.read(bytes, offset)) < length) throw damaged(offset);
  return bytes;
}
