// A segment as a structure of typed arrays, and back: what is stored of it. Sums are derived again, and caches fill again.

import { crc32 } from "node:zlib";
import { AttributeCatalog, type Seen } from "../docvalues/attribute-catalog.js";
import type { RecordFile, RecordTable } from "../index/record-table.js";
import { createSegment, type Segment } from "../index/segment.js";
import type { Postings } from "../inverted/postings.js";
import { TermDictionary } from "../inverted/term-dictionary.js";
import type { NarrowArray } from "../util/growable.js";
import { type OffsetTable, offsetAt } from "../util/offset-table.js";
import { runTaskAtOnce, type Task, waitFor } from "../util/tasks.js";
import { TextTable, type TextTableParts, textTableOf } from "../util/text-table.js";
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
  const table = unpackRecords(records, file);
  const rows = vectors === null ? null : unpackRows(vectors);
  yield;
  return createSegment(table, unpackPostings(postings), rows, unpackAttributes(attributes));
}

type PackedOffsets = { readonly blockStarts: Uint32Array; readonly distances: NarrowArray };

type PackedTexts = {
  readonly size: number;
  readonly offsets: PackedOffsets;
  readonly wide: Uint32Array;
  readonly characters: Uint8Array;
};

function packOffsets({ blockStarts, distances }: OffsetTable): PackedOffsets {
  return { blockStarts, distances };
}

function packTexts({ size, offsets, wide, characters }: TextTableParts): PackedTexts {
  return { size, offsets: packOffsets(offsets), wide, characters };
}

type PackedRecords = {
  readonly ids: PackedTexts;
  readonly bytes: OnDemand;
  /** By record: the checksum of its bytes. */
  readonly sums: Uint32Array;
  readonly offsets: PackedOffsets;
  readonly packed: { readonly attribute: string; readonly sizes: Uint32Array } | null;
};

/** Records whose checksums are computed between two pauses. */
const SUMMED_AT_ONCE = 1 << 8;

function* packRecords(table: RecordTable): Task<PackedRecords> {
  const { ids, source, offsets, packed } = table;
  const bytes = source instanceof Uint8Array ? source : yield* waitFor(source.read(table, 0, ids.size));
  const sums = new Uint32Array(ids.size);
  for (let doc = 0; doc < sums.length; doc++) {
    sums[doc] = crc32(bytes.subarray(offsetAt(offsets, doc), offsetAt(offsets, doc + 1)));
    if (doc % SUMMED_AT_ONCE === 0) yield;
  }
  return {
    ids: packTexts(ids.parts),
    bytes: new OnDemand(bytes),
    sums,
    offsets: packOffsets(offsets),
    packed: packed === null ? null : { ...packed },
  };
}

function unpackRecords(
  { ids, bytes, sums, offsets, packed }: PackedRecords,
  file: SegmentFile | undefined,
): RecordTable {
  const source = bytes.bytes ?? new RecordsInFile(file!, bytes.offset, sums);
  return { ids: new TextTable(ids), source, offsets, packed };
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
    const start = offsetAt(offsets, from);
    const bytes = new Uint8Array(offsetAt(offsets, to) - start);
    await file.read(bytes, this.offset + start);
    for (let doc = from, at = 0; doc < to; doc++) {
      const end = offsetAt(offsets, doc + 1) - start;
      if (crc32(bytes.subarray(at, end)) !== this.sums[doc])
        throw storageCorrupt(name, this.offset + start + at, "is not as it was written");
      at = end;
    }
    return bytes;
  }
}

type PackedPostings = {
  readonly dictionary: PackedTexts & {
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

function packPostings({ dictionary, docSlots, titles, spelling, ...postings }: Postings): PackedPostings {
  const { table, ordinalBits, salt } = dictionary.parts;
  return {
    ...postings,
    dictionary: { ...packTexts(dictionary.parts), table, ordinalBits, salt },
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
  const paths = runTaskAtOnce(textTableOf(entries.map(([path]) => path)));
  return {
    paths: packTexts(paths.parts),
    short: Float64Array.from(entries, ([, { short }]) => short),
    long: Float64Array.from(entries, ([, { long }]) => long),
  };
}

export function unpackCounts({ paths, short, long }: PackedCounts): (readonly [string, Seen])[] {
  const texts = new TextTable(paths);
  return Array.from(short, (count, i) => [texts.textAt(i), { short: count, long: long[i]! }]);
}

type PackedAttributes = { readonly isExact: boolean; readonly counts: PackedCounts };

function packAttributes(catalog: AttributeCatalog): PackedAttributes {
  return { isExact: catalog.isExact, counts: packCounts(catalog.entries()) };
}

function unpackAttributes({ isExact, counts }: PackedAttributes): AttributeCatalog {
  return new AttributeCatalog(isExact, () => unpackCounts(counts));
}
