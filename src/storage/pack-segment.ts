// A segment as a structure of typed arrays, and back: what is stored of it. Sums are derived again, and caches fill again.

import { crc32 } from "node:zlib";
import { AttributeCatalog, type Seen } from "../docvalues/attribute-catalog.js";
import type { RecordFile, RecordTable } from "../index/record-table.js";
import { createSegment, type Segment } from "../index/segment.js";
import type { Postings } from "../inverted/postings.js";
import { TermDictionary } from "../inverted/term-dictionary.js";
import type { NarrowArray } from "../util/growable.js";
import type { OffsetTable } from "../util/offset-table.js";
import { runTaskAtOnce, type Task, waitFor } from "../util/tasks.js";
import { allocateRows } from "../vectors/row-kernel.js";
import type { VectorRows } from "../vectors/vector-rows.js";
import type { StorageFile } from "./file-system.js";
import { OnDemand } from "./sections.js";
import { storageCorrupt } from "./storage-error.js";

/** The parts of a segment as they are stored. */
export type PackedSegment = {
  readonly records: PackedRecords;
  readonly postings: PackedPostings;
  readonly vectors: PackedRows | null;
  readonly attributes: PackedAttributes;
};

/** The parts that are stored of a segment. */
export function* packSegment({ records, postings, vectors, attributes }: Segment): Task<PackedSegment> {
  return {
    records: yield* packRecords(records),
    postings: packPostings(postings),
    vectors: vectors === null ? null : packRows(vectors),
    attributes: packAttributes(attributes),
  };
}

/** The segment that was stored, with a new id. It shares the arrays of its parts. `file`: has the parts that are read on demand. */
export function* unpackSegment(
  { records, postings, vectors, attributes }: PackedSegment,
  file?: SegmentFile,
): Task<Segment> {
  const table = yield* unpackRecords(records, file);
  const rows = vectors === null ? null : unpackRows(vectors);
  yield;
  return createSegment(table, unpackPostings(postings), rows, unpackAttributes(attributes));
}

/** Texts one after the other, in UTF-16 if some character takes more than a byte, else in Latin-1. */
type PackedTexts = {
  readonly isWide: boolean;
  readonly characters: Uint8Array;
  /** The length of each text in code units. */
  readonly lengths: Uint32Array;
};

const LAST_NARROW = /^[\0-\xff]*$/;
/** Texts read between two pauses. */
const READ_AT_ONCE = 1 << 12;

function packTexts(texts: readonly string[]): PackedTexts {
  const joined = texts.join("");
  const isWide = !LAST_NARROW.test(joined);
  const characters = Buffer.from(joined, isWide ? "utf16le" : "latin1");
  return { isWide, characters, lengths: Uint32Array.from(texts, ({ length }) => length) };
}

function* unpackTexts({ isWide, characters, lengths }: PackedTexts): Task<string[]> {
  const bytes = Buffer.from(characters.buffer, characters.byteOffset, characters.byteLength);
  // One text that is cut is made several times as fast as many texts.
  const joined = bytes.toString(isWide ? "utf16le" : "latin1");
  const texts: string[] = [];
  for (let at = 0, i = 0; i < lengths.length; i++) {
    const end = at + lengths[i]!;
    texts.push(joined.slice(at, end));
    at = end;
    if (i % READ_AT_ONCE === 0) yield;
  }
  return texts;
}

type PackedRecords = {
  readonly ids: PackedTexts;
  readonly bytes: OnDemand;
  /** By record: the checksum of its bytes. */
  readonly sums: Uint32Array;
  readonly offsets: Float64Array;
  readonly packed: { readonly attribute: string; readonly sizes: Uint32Array } | null;
};

/** Records whose checksums are computed between two pauses. */
const SUMMED_AT_ONCE = 1 << 8;

function* packRecords(table: RecordTable): Task<PackedRecords> {
  const { ids, source, offsets, packed } = table;
  const bytes = source instanceof Uint8Array ? source : yield* waitFor(source.read(table, 0, table.ids.length));
  const sums = new Uint32Array(ids.length);
  for (let doc = 0; doc < sums.length; doc++) {
    sums[doc] = crc32(bytes.subarray(offsets[doc]!, offsets[doc + 1]!));
    if (doc % SUMMED_AT_ONCE === 0) yield;
  }
  return {
    ids: packTexts(ids),
    bytes: new OnDemand(bytes),
    sums,
    offsets,
    packed: packed === null ? null : { ...packed },
  };
}

function* unpackRecords(
  { ids, bytes, sums, offsets, packed }: PackedRecords,
  file: SegmentFile | undefined,
): Task<RecordTable> {
  const source = bytes.bytes ?? new RecordsInFile(file!, bytes.offset, sums);
  return { ids: yield* unpackTexts(ids), source, offsets, packed };
}

/** The open file of a segment. */
export class SegmentFile {
  readonly name: string;
  readonly file: StorageFile;
  private readonly siblings: Set<SegmentFile>;

  /** `siblings`: all open files of a store, to which this one is added. */
  constructor(name: string, file: StorageFile, siblings: Set<SegmentFile>) {
    this.name = name;
    this.file = file;
    this.siblings = siblings;
    siblings.add(this);
  }

  /** Closes the file; further calls have no effect. */
  async close(): Promise<void> {
    if (this.siblings.delete(this)) await this.file.close().catch(() => {});
  }
}

/** Closes the files of a store. */
export async function closeAll(files: ReadonlySet<SegmentFile>): Promise<void> {
  await Promise.all([...files].map((file) => file.close()));
}

/** Files are closed when the records in them are not needed any more. */
const unneeded = new FinalizationRegistry<SegmentFile>((file) => void file.close());

/** The bytes of records in the file of a segment. */
export class RecordsInFile implements RecordFile {
  private readonly opened: SegmentFile;
  private readonly offset: number;
  private readonly sums: Uint32Array;

  constructor(opened: SegmentFile, offset: number, sums: Uint32Array) {
    this.opened = opened;
    this.offset = offset;
    this.sums = sums;
    unneeded.register(this, opened);
  }

  async read({ offsets }: RecordTable, from: number, to: number): Promise<Uint8Array> {
    const { file, name } = this.opened;
    const start = offsets[from]!;
    const bytes = new Uint8Array(offsets[to]! - start);
    await file.read(bytes, this.offset + start);
    for (let doc = from; doc < to; doc++)
      if (crc32(bytes.subarray(offsets[doc]! - start, offsets[doc + 1]! - start)) !== this.sums[doc])
        throw storageCorrupt(name, this.offset + offsets[doc]!, "is not as it was written");
    return bytes;
  }
}

type PackedOffsets = { readonly blockStarts: Uint32Array; readonly distances: NarrowArray };

type PackedPostings = {
  readonly dictionary: {
    readonly size: number;
    readonly offsets: PackedOffsets;
    readonly wide: Uint32Array;
    readonly characters: Uint8Array;
    readonly table: Uint32Array;
    readonly ordinalBits: number;
    readonly salt: number;
  };
  readonly maxDoc: number;
  readonly size: number;
  readonly starts: Uint32Array;
  readonly listBits: Uint32Array;
  readonly skipEntries: Uint32Array;
  readonly docSlots: PackedOffsets;
  readonly slotShape: NarrowArray;
  readonly shapeFields: Uint32Array;
  readonly shapeLengths: Uint16Array;
  readonly fields: readonly string[];
  readonly fieldLengths: readonly number[];
  readonly fieldDocs: readonly number[];
  readonly titles: {
    readonly starts: PackedOffsets;
    readonly halves: Uint16Array;
    readonly terms: Uint32Array;
    readonly docFreqs: NarrowArray;
  };
  readonly spelling: { readonly terms: Uint32Array; readonly letters: Uint32Array; readonly starts: Uint32Array };
};

function packOffsets({ blockStarts, distances }: OffsetTable): PackedOffsets {
  return { blockStarts, distances };
}

function packPostings({ dictionary, docSlots, titles, spelling, ...postings }: Postings): PackedPostings {
  const { parts } = dictionary;
  return {
    ...postings,
    dictionary: { ...parts, offsets: packOffsets(parts.offsets) },
    docSlots: packOffsets(docSlots),
    titles: { ...titles, starts: packOffsets(titles.starts) },
    spelling: { ...spelling },
  };
}

function unpackPostings({ dictionary, ...postings }: PackedPostings): Postings {
  return { ...postings, dictionary: new TermDictionary(dictionary) };
}

type PackedRows = {
  readonly dimensions: number;
  readonly high: Int8Array;
  readonly low: Uint8Array;
  readonly shifts: Uint8Array;
  readonly factors: Float32Array;
  readonly errors: Float32Array;
  readonly inverseLengths: Float64Array;
  readonly rowDoc: Uint32Array;
  readonly docRow: Int32Array;
};

function packRows(rows: VectorRows): PackedRows {
  const { dimensions, high, low, shifts, factors, errors, inverseLengths, rowDoc, docRow } = rows;
  return { dimensions, high, low, shifts, factors, errors, inverseLengths, rowDoc, docRow };
}

function unpackRows({ high, low, shifts, factors, errors, ...rows }: PackedRows): VectorRows {
  const memory = allocateRows(shifts.length, rows.dimensions);
  memory.high.set(high);
  memory.low.set(low);
  memory.shifts.set(shifts);
  memory.factors.set(factors);
  memory.errors.set(errors);
  return { ...memory, ...rows, count: shifts.length };
}

/** Attributes with the numbers of their values and of their texts. */
export type PackedCounts = {
  readonly paths: PackedTexts;
  readonly short: Float64Array;
  readonly long: Float64Array;
};

type Counts = Iterable<readonly [string, Readonly<Seen>]>;

export function packCounts(counts: Counts): PackedCounts {
  const entries = [...counts];
  return {
    paths: packTexts(entries.map(([path]) => path)),
    short: Float64Array.from(entries, ([, { short }]) => short),
    long: Float64Array.from(entries, ([, { long }]) => long),
  };
}

export function unpackCounts({ paths, short, long }: PackedCounts): (readonly [string, Seen])[] {
  return runTaskAtOnce(unpackTexts(paths)).map((path, i) => [path, { short: short[i]!, long: long[i]! }]);
}

type PackedAttributes = { readonly isExact: boolean; readonly counts: PackedCounts };

function packAttributes(catalog: AttributeCatalog): PackedAttributes {
  return { isExact: catalog.isExact, counts: packCounts(catalog.entries()) };
}

function unpackAttributes({ isExact, counts }: PackedAttributes): AttributeCatalog {
  return new AttributeCatalog(isExact, () => unpackCounts(counts));
}
