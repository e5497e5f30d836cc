// A segment as a structure of typed arrays, and back: what is stored of it. Sums are derived again, and caches fill again.

import { crc32 } from "node:zlib";
import { AttributeCatalog } from "../docvalues/attribute-catalog.js";
import type { RecordFile, RecordTable } from "../index/record-table.js";
import { createSegment, type Segment } from "../index/segment.js";
import type { OffsetTable } from "../inverted/offset-table.js";
import type { Postings } from "../inverted/postings.js";
import { TermDictionary } from "../inverted/term-dictionary.js";
import type { NarrowArray } from "../util/growable.js";
import { type Task, waitFor } from "../util/tasks.js";
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

/**
 * The segment that was stored, with a new number. It shares the arrays of its parts. `fileOf`: the file that has those parts that
 * are read on demand.
 */
export function* unpackSegment(
  { records, postings, vectors, attributes }: PackedSegment,
  file?: OpenSegmentFile,
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
  const texts: string[] = [];
  for (let at = 0, i = 0; i < lengths.length; i++) {
    const end = at + lengths[i]! * (isWide ? 2 : 1);
    texts.push(bytes.toString(isWide ? "utf16le" : "latin1", at, end));
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
  file: OpenSegmentFile | undefined,
): Task<RecordTable> {
  const source = bytes.bytes ?? new RecordsInFile(file!, bytes.offset, sums);
  return { ids: yield* unpackTexts(ids), source, offsets, packed };
}

/** The file of a segment. */
export interface OpenSegmentFile {
  readonly name: string;
  readonly file: StorageFile;
}

/** Files are closed when the records in them are not needed any more. */
const unneeded = new FinalizationRegistry<StorageFile>((file) => void file.close().catch(() => {}));

/** The bytes of records in the file of a segment. */
export class RecordsInFile implements RecordFile {
  private readonly opened: OpenSegmentFile;
  private readonly offset: number;
  private readonly sums: Uint32Array;

  constructor(opened: OpenSegmentFile, offset: number, sums: Uint32Array) {
    this.opened = opened;
    this.offset = offset;
    this.sums = sums;
    unneeded.register(this, opened.file);
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

type PackedAttributes = {
  readonly isExact: boolean;
  readonly paths: readonly string[];
  readonly short: readonly number[];
  readonly long: readonly number[];
};

function packAttributes(catalog: AttributeCatalog): PackedAttributes {
  const entries = [...catalog.entries()];
  return {
    isExact: catalog.isExact,
    paths: entries.map(([path]) => path),
    short: entries.map(([, { short }]) => short),
    long: entries.map(([, { long }]) => long),
  };
}

function unpackAttributes({ isExact, paths, short, long }: PackedAttributes): AttributeCatalog {
  const catalog = new AttributeCatalog(isExact);
  for (const [i, path] of paths.entries()) Object.assign(catalog.open(path), { short: short[i]!, long: long[i]! });
  return catalog;
}
