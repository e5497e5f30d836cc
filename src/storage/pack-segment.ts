// A segment as a structure of typed arrays, and back: what is stored of it. Sums are derived again, and caches fill again.

import { crc32 } from "node:zlib";
import { AttributeCatalog, type ValueCounts } from "../docvalues/attribute-catalog.js";
import { type PackedDocValues, packDocValues, unpackDocValues } from "../docvalues/build-doc-values.js";
import type { DocValues } from "../docvalues/doc-values.js";
import { allLists, type ListFile, MAX_DOCS, type Postings } from "../inverted/postings.js";
import { TermDictionary } from "../inverted/term-dictionary.js";
import { loadTitles, type TitleFile, type TitleTable } from "../inverted/title/title-table.js";
import { columnsToStore } from "../state/column-store.js";
import { allBytes, type ReadBytes, type RecordTable } from "../state/record-table.js";
import { createSegment, type Segment } from "../state/segment.js";
import type { OffsetTable } from "../util/offset-table.js";
import { runTaskAtOnce, type Task, waitFor } from "../util/tasks.js";
import { TextTable, type TextTableParts, textTableOf } from "../util/text-table.js";
import { allocateRows, type RowMemory, strideOf } from "../vectors/row-kernel.js";
import type { VectorRows } from "../vectors/vector-rows.js";
import type { StoredFile } from "./open-files.js";
import { type Bytes, bodyBytes, bytesOf, LazyArray, memoryToRead, readBody } from "./sections.js";
import { damagedFile } from "./storage-error.js";

/** The parts of a segment as they are stored. */
export type PackedSegment = {
  readonly records: PackedRecords;
  readonly postings: PackedPostings;
  readonly vectors: PackedRows | null;
  readonly attributes: PackedAttributes;
  /** The attributes whose columns are stored in the file of the segment. */
  readonly declared: readonly string[];
  /** None in the log: building them from few records is cheaper than storing them with each write. */
  readonly columns: PackedColumns;
};

/** The parts that are stored of a segment, in a file of its own or in the log. */
export function* packSegment(segment: Segment, where: "file" | "log" = "file"): Task<PackedSegment> {
  const { records, postings, vectors, attributes, caches } = segment;
  return {
    records: yield* packRecords(records),
    postings: yield* packPostings(postings),
    vectors: vectors === null ? null : yield* packRows(vectors),
    attributes: packAttributes(attributes),
    declared: [...caches.declared].sort(),
    columns: where === "log" ? [] : yield* packColumns(segment),
  };
}

/** The segment that was stored, with a new id. It shares the arrays of its parts. `file`: has the parts that are read on demand. */
export function* unpackSegment(packed: PackedSegment, file?: StoredFile): Task<Segment> {
  if (!isBounded(packed)) throw damagedFile(file?.name ?? "snapshot");
  const { records, postings, vectors, attributes, declared, columns } = packed;
  const table = unpackRecords(records, file);
  const rows = vectors === null ? null : yield* unpackRows(vectors, file);
  const segment = createSegment(table, unpackPostings(postings, file), rows, unpackAttributes(attributes));
  for (const attribute of declared) segment.caches.declared.add(attribute);
  unpackColumns(columns, segment, file);
  return segment;
}

/** Whether the counts and offsets of a segment stay within its arrays: what they say is looped over, and gets memory. */
function isBounded({ records, postings, vectors }: PackedSegment): boolean {
  const { ids } = records;
  const { dictionary, titles, spelling } = postings;
  return (
    ids.size <= MAX_DOCS &&
    fits(ids.offsets, ids.size, ids.characters.length) &&
    fits(records.offsets, ids.size, records.bytes.length) &&
    postings.maxDoc === ids.size &&
    fits(dictionary.offsets, dictionary.size, dictionary.characters.length) &&
    postings.starts.length === dictionary.size + 1 &&
    fits(postings.docSlots, ids.size, postings.slotShape.length) &&
    fits(titles.starts, ids.size, titles.halves.length) &&
    spelling.starts.every((start) => start <= spelling.terms.length) &&
    (vectors === null || vectors.high.length === vectors.shifts.length * strideOf(vectors.dimensions))
  );
}

/** Whether a table has the offsets of so many items, and none is far beyond `end`. */
function fits({ blockStarts, distances }: OffsetTable, items: number, end: number): boolean {
  const isWithin = (offset: number): boolean => offset <= end;
  const areShort = distances.BYTES_PER_ELEMENT < Uint32Array.BYTES_PER_ELEMENT;
  return distances.length === items + 1 && blockStarts.every(isWithin) && (areShort || distances.every(isWithin));
}

type PackedRecords = Pick<RecordTable, "offsets" | "packed"> & {
  readonly ids: TextTableParts;
  readonly bytes: LazyArray<Uint8Array>;
  /** By block of `bytes`: its checksum. */
  readonly sums: Uint32Array;
};

function* packRecords(table: RecordTable): Task<PackedRecords> {
  const { ids, offsets, packed } = table;
  const bytes = yield* allBytes(table);
  const sums = yield* sumsOfBlocks(bytes);
  return { ids: ids.parts, bytes: new LazyArray(bytes), sums, offsets, packed };
}

function unpackRecords(
  { ids, bytes, sums, offsets, packed }: PackedRecords,
  file: StoredFile | undefined,
): RecordTable {
  const source = bytes.array ?? blocksIn(file!, bytes, sums);
  return { ids: new TextTable(ids), source, offsets, packed };
}

/** Drops from memory what can be read from the file of a segment. `offsetOf`: where the arrays of `parts` begin in it. */
export function leaveToFile(
  { records, postings }: Segment,
  parts: PackedSegment,
  file: StoredFile,
  offsetOf: (array: LazyArray) => number,
): void {
  const blocks = (array: LazyArray, sums: Uint32Array): ReadBytes =>
    blocksIn(file, { offset: offsetOf(array), byteLength: array.byteLength }, sums);
  records.source = blocks(parts.records.bytes, parts.records.sums);
  postings.lists = listsIn(blocks(parts.postings.lists, parts.postings.listSums));
}

const WORD_BYTES: number = Uint32Array.BYTES_PER_ELEMENT;
/** Bytes that have one checksum: a read of a few records or of a short posting list should not take many more. */
const BLOCK = 1 << 12;
/** Blocks whose checksums are computed between two pauses, and rows whose blocks are. */
const SUMMED_AT_ONCE = 1 << 8;

/** The checksums of the blocks of an array. */
function* sumsOfBlocks(array: Bytes): Task<Uint32Array> {
  const bytes = bytesOf(array);
  const sums = new Uint32Array(Math.ceil(bytes.length / BLOCK));
  for (let block = 0; block < sums.length; block++) {
    sums[block] = crc32(bytes.subarray(block * BLOCK, (block + 1) * BLOCK));
    if (block % SUMMED_AT_ONCE === 0) yield;
  }
  return sums;
}

/** Reads the blocks that have some bytes of an array in the file of a segment, and compares their checksums. */
function blocksIn(
  file: StoredFile,
  { offset, byteLength }: Pick<LazyArray, "offset" | "byteLength">,
  sums: Uint32Array,
): ReadBytes {
  return async (from, to) => {
    const block = Math.floor(from / BLOCK);
    const first = block * BLOCK;
    const buffer = memoryToRead(Math.max(0, Math.min(byteLength, Math.ceil(to / BLOCK) * BLOCK) - first));
    const bytes = new Uint8Array(buffer);
    const start = offset + first;
    const length = await file.read(bytes, start);
    for (let at = 0; at < bytes.length; at += BLOCK)
      if (crc32(bytes.subarray(at, Math.min(length, at + BLOCK))) !== sums[block + at / BLOCK])
        throw damagedFile(file.name, start + at);
    return bytes.subarray(from - first, to - first);
  };
}

/** The posting lists in the file of a segment. */
function listsIn(read: ReadBytes): ListFile {
  return {
    async read(from, to) {
      const { buffer, byteOffset, length } = await read(from * WORD_BYTES, to * WORD_BYTES);
      return { words: new Uint32Array(buffer, byteOffset, length / WORD_BYTES), first: 8 * WORD_BYTES * from };
    },
  };
}

/** The titles in the file of a segment. */
function titlesIn(read: ReadBytes): TitleFile {
  return { readAll: async () => new Uint16Array((await read(0, Number.POSITIVE_INFINITY)).buffer) };
}

/** The norms and doc fields have the names that files of 0.1.0 gave them. */
type PackedPostings = Omit<
  Postings,
  "dictionary" | "lists" | "titles" | "docFields" | "fieldNorms" | "normFields" | "normLengths"
> & {
  readonly docSlots: Postings["docFields"];
  readonly slotShape: Postings["fieldNorms"];
  readonly shapeFields: Postings["normFields"];
  readonly shapeLengths: Postings["normLengths"];
  readonly dictionary: TextTableParts;
  readonly lists: LazyArray<Uint32Array>;
  /** By block of `lists`: its checksum. */
  readonly listSums: Uint32Array;
  readonly titles: Omit<TitleTable, "halves"> & {
    readonly halves: LazyArray<Uint16Array>;
    /** By block of `halves`: its checksum. */
    readonly sums: Uint32Array;
  };
};

function* packPostings(postings: Postings): Task<PackedPostings> {
  const { dictionary, titles, docFields, fieldNorms, normFields, normLengths, ...others } = postings;
  const { words } = yield* allLists(postings);
  const listSums = yield* sumsOfBlocks(words);
  yield* loadTitles([titles]);
  const halves = titles.halves as Uint16Array;
  return {
    ...others,
    docSlots: docFields,
    slotShape: fieldNorms,
    shapeFields: normFields,
    shapeLengths: normLengths,
    dictionary: dictionary.parts,
    lists: new LazyArray(words),
    listSums,
    titles: { ...titles, halves: new LazyArray(halves), sums: yield* sumsOfBlocks(halves) },
  };
}

function unpackPostings(
  { docSlots, slotShape, shapeFields, shapeLengths, dictionary, lists, listSums, titles, ...others }: PackedPostings,
  file: StoredFile | undefined,
): Postings {
  const { halves, sums, ...titleTerms } = titles;
  return {
    ...others,
    docFields: docSlots,
    fieldNorms: slotShape,
    normFields: shapeFields,
    normLengths: shapeLengths,
    dictionary: new TermDictionary(dictionary),
    lists: lists.array === undefined ? listsIn(blocksIn(file!, lists, listSums)) : { words: lists.array, first: 0 },
    titles: { ...titleTerms, halves: halves.array ?? titlesIn(blocksIn(file!, halves, sums)) },
  };
}

type PackedRows = Pick<VectorRows, "dimensions" | "inverseLengths" | "rowDoc" | "docRow"> & {
  // Read into the memory in which they are searched.
  readonly high: LazyArray<Int8Array>;
  readonly low: LazyArray<Uint8Array>;
  /** By block of `low`: its checksum. */
  readonly lowSums: Uint32Array;
  readonly shifts: LazyArray<Uint8Array>;
  readonly factors: LazyArray<Float32Array>;
  readonly errors: LazyArray<Float32Array>;
};

function* packRows(rows: VectorRows): Task<PackedRows> {
  const { dimensions, high, low, shifts, factors, errors, inverseLengths, rowDoc, docRow } = rows;
  for (let row = 0; row < rows.count; row++) {
    rows.check?.(row);
    if (row % SUMMED_AT_ONCE === 0) yield;
  }
  const lowSums = yield* sumsOfBlocks(low);
  return {
    ...{ dimensions, inverseLengths, rowDoc, docRow },
    high: new LazyArray(high),
    low: new LazyArray(low),
    lowSums,
    shifts: new LazyArray(shifts),
    factors: new LazyArray(factors),
    errors: new LazyArray(errors),
  };
}

function* unpackRows(
  { high, low, lowSums, shifts, factors, errors, ...rows }: PackedRows,
  file: StoredFile | undefined,
): Task<VectorRows> {
  const memory = allocateRows(shifts.length, rows.dimensions);
  const read = async <B extends Bytes>(from: LazyArray<B>, into: B): Promise<void> => {
    if (from.array === undefined) await from.readInto(into, file!);
    else into.set(from.array);
  };
  yield* waitFor(
    Promise.all([
      read(high, memory.high),
      low.array === undefined ? low.readUnchecked(memory.low, file!) : read(low, memory.low),
      read(shifts, memory.shifts),
      read(factors, memory.factors),
      read(errors, memory.errors),
    ]),
  );
  const unpacked = { ...memory, ...rows, count: shifts.length };
  return low.array === undefined ? { ...unpacked, check: checkOfRows(memory, lowSums, file!) } : unpacked;
}

/** Compares the checksums of the blocks in which a row has its low bytes, unless that was done. */
function checkOfRows({ low, stride }: RowMemory, sums: Uint32Array, file: StoredFile): (row: number) => void {
  const isChecked = new Uint8Array(sums.length);
  return (row) => {
    for (let block = Math.floor((row * stride) / BLOCK); block * BLOCK < (row + 1) * stride; block++) {
      if (isChecked[block] === 1) continue;
      if (crc32(low.subarray(block * BLOCK, (block + 1) * BLOCK)) !== sums[block]) throw damagedFile(file.name);
      isChecked[block] = 1;
    }
  };
}

/** Attributes with the numbers of their values and of their texts. */
export type PackedCounts = {
  readonly paths: TextTableParts;
  readonly short: Float64Array;
  readonly long: Float64Array;
};

type Counts = Iterable<readonly [string, Readonly<ValueCounts>]>;

export function packCounts(counts: Counts): PackedCounts {
  const entries = [...counts];
  const paths = runTaskAtOnce(textTableOf(entries.map(([path]) => path)));
  return {
    paths: paths.parts,
    short: Float64Array.from(entries, ([, { short }]) => short),
    long: Float64Array.from(entries, ([, { long }]) => long),
  };
}

export function unpackCounts({ paths, short, long }: PackedCounts): (readonly [string, ValueCounts])[] {
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

/** Columns, sorted by attribute. Each is a body of its own, and is read alone. */
type PackedColumns = readonly {
  readonly attribute: string;
  /** null: no record has the attribute. */
  readonly body: LazyArray<Uint8Array> | null;
}[];

function* packColumns(segment: Segment): Task<PackedColumns> {
  const packed: PackedColumns[number][] = [];
  for (const [attribute, column] of yield* columnsToStore(segment))
    packed.push({
      attribute,
      body: column === undefined ? null : new LazyArray(yield* bodyBytes(yield* packDocValues(column))),
    });
  return packed;
}

function unpackColumns(columns: PackedColumns, { size, caches }: Segment, file: StoredFile | undefined): void {
  for (const { attribute, body } of columns)
    caches.stored.set(attribute, {
      bytes: body?.array?.length ?? 0,
      *read() {
        return body === null ? undefined : yield* unpackColumn(size, body, file);
      },
    });
}

function* unpackColumn(docCount: number, body: LazyArray<Uint8Array>, file: StoredFile | undefined): Task<DocValues> {
  let bytes = body.array;
  if (bytes === undefined) {
    bytes = new Uint8Array(memoryToRead(body.length));
    yield* waitFor(body.readInto(bytes, file!));
  }
  return yield* unpackDocValues(docCount, (yield* readBody(bytes)) as PackedDocValues);
}
