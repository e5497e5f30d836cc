// What a snapshot must be. It may come from a stranger, and its checksums say only that nobody changed it since. So a snapshot
// is checked when it is read, before memory is allocated by its numbers: the kinds of its parts, and then the lengths and
// numbers that have to agree. Checking all the rest would take longer than reading the file. So these parts are checked at
// their first read: posting lists (inverted/list-check.ts), titles (inverted/title/title-check.ts), columns, and the JSON of
// records.

import { packedVectorFits } from "../index/packed-vector.js";
import { SKIP_INTERVAL_BITS } from "../inverted/list-codec.js";
import { FIELD_MASK, MAX_DOCS, TITLE_BIT } from "../inverted/postings.js";
import { GREATEST_LIMITS } from "../util/limits.js";
import { OFFSET_BLOCK_BITS, offsetAt } from "../util/offset-table.js";
import type { Task } from "../util/tasks.js";
import { strideOf } from "../vectors/row-kernel.js";
import type { PackedCounts, PackedSegment } from "./pack-segment.js";
import {
  AT_ONCE,
  below,
  count,
  each,
  f32,
  f64,
  flag,
  i8,
  i32,
  listOf,
  narrow,
  object,
  onDemand,
  orNull,
  type Shape,
  text,
  u8,
  u16,
  u32,
} from "./shape.js";

/** The first part of a snapshot. */
export type SnapshotHead = {
  readonly settings: string;
  readonly written: PackedCounts;
  readonly deletedIds: readonly string[];
  /** The number of the parts after it. */
  readonly segments: number;
  readonly records: number;
};

/** Each other part. */
export type SnapshotSegment = { readonly parts: PackedSegment; readonly deleted: Uint32Array | null };

type PackedRecords = PackedSegment["records"];
type PackedPostings = PackedSegment["postings"];
type PackedRows = NonNullable<PackedSegment["vectors"]>;
type PackedTexts = PackedRecords["ids"];
type PackedOffsets = PackedTexts["offsets"];

const offsets: Shape<PackedOffsets> = object<PackedOffsets>({ blockStarts: u32, distances: narrow });
const texts = { size: count, offsets, wide: u32, characters: u8 };
const counts: Shape<PackedCounts> = object<PackedCounts>({ paths: object<PackedTexts>(texts), short: f64, long: f64 });

const head: Shape<SnapshotHead> = object<SnapshotHead>({
  settings: text,
  written: counts,
  deletedIds: listOf(text),
  segments: count,
  records: count,
});

const segment: Shape<SnapshotSegment> = object<SnapshotSegment>({
  parts: object<PackedSegment>({
    records: object<PackedRecords>({
      ids: object<PackedTexts>(texts),
      bytes: onDemand(u8),
      sums: u32,
      offsets,
      packed: orNull(object<NonNullable<PackedRecords["packed"]>>({ attribute: text, sizes: u32 })),
    }),
    postings: object<PackedPostings>({
      dictionary: object<PackedTexts>(texts),
      maxDoc: count,
      size: count,
      starts: u32,
      lists: onDemand(u32),
      listSums: u32,
      skipEntries: u32,
      docSlots: offsets,
      slotShape: narrow,
      shapeFields: u32,
      shapeLengths: u16,
      fields: listOf(text),
      fieldLengths: listOf(count),
      fieldDocs: listOf(count),
      titles: object<PackedPostings["titles"]>({
        starts: offsets,
        halves: onDemand(u16),
        sums: u32,
        terms: u32,
      }),
      spelling: object<PackedPostings["spelling"]>({ terms: u32, letters: u32, starts: u32 }),
    }),
    vectors: orNull(
      object<PackedRows>({
        dimensions: count,
        high: onDemand(i8),
        low: onDemand(u8),
        lowSums: u32,
        shifts: onDemand(u8),
        factors: onDemand(f32),
        errors: onDemand(f32),
        inverseLengths: f64,
        rowDoc: u32,
        docRow: i32,
      }),
    ),
    attributes: object<PackedSegment["attributes"]>({ isExact: flag, counts }),
    declared: listOf(text),
    columns: listOf(object<PackedSegment["columns"][number]>({ attribute: text, body: orNull(onDemand(u8)) })),
  }),
  deleted: orNull(u32),
});

/** The first part of a snapshot; undefined: it is not what it must be. */
export function* headIn(value: unknown): Task<SnapshotHead | undefined> {
  if (!head(value)) return undefined;
  const { written, deletedIds } = value;
  const isWhole = deletedIds.length <= MOST_REMEMBERED && written.paths.size <= 2 * MOST_REMEMBERED;
  return isWhole && (yield* countsFit(written)) ? value : undefined;
}

/** A segment of a snapshot; undefined: it is not what it must be. */
export function* segmentIn(value: unknown): Task<SnapshotSegment | undefined> {
  if (!segment(value)) return undefined;
  const { parts, deleted } = value;
  const { records, postings, vectors, attributes, declared, columns } = parts;
  const { size } = records.ids;
  const isWhole =
    size > 0 &&
    size <= MAX_DOCS &&
    (yield* recordsFit(records)) &&
    postings.maxDoc === size &&
    (yield* postingsFit(postings)) &&
    (vectors === null || (yield* rowsFit(vectors, size))) &&
    (yield* countsFit(attributes.counts)) &&
    declared.length <= MOST_DECLARED &&
    columns.length <= MOST_DECLARED &&
    (deleted === null || isBits(deleted, size));
  return isWhole ? value : undefined;
}

/** An index remembers as many deleted ids, and as many names of attributes. */
const MOST_REMEMBERED = 10_000;
/** Settings declare fewer attributes. */
const MOST_DECLARED = 10_000;
/** No text may be longer than V8 can hold. */
const MOST_CHARACTERS = 2 ** 28;
/** Longer words need a look at the terms. */
const USUAL_WORD = 1 << 10;

/** Whether none is less than the one before; they begin with 0. */
function rising(array: Uint32Array, from: number, to: number): boolean {
  let last = from === 0 ? 0 : array[from - 1]!;
  for (let at = from; at < to; at++) {
    if (array[at]! < last) return false;
    last = array[at]!;
  }
  return array[0] === 0;
}

/** Whether `table` has so many offsets, from 0 up to `end`, none less than the one before. */
function* offsetsFit({ blockStarts, distances }: PackedOffsets, size: number, end: number): Task<boolean> {
  if (distances.length !== size || blockStarts.length !== Math.ceil(size / (1 << OFFSET_BLOCK_BITS))) return false;
  let last = 0;
  for (let from = 0; from < size; from += AT_ONCE) {
    last = lastOf({ blockStarts, distances }, from, Math.min(size, from + AT_ONCE), last);
    yield;
  }
  return last === end && distances[0] === 0 && blockStarts[0] === 0;
}

/** The offset at `to` - 1; NaN if one from `from` on is less than that before it. `before`: that at `from` - 1. */
function lastOf({ blockStarts, distances }: PackedOffsets, from: number, to: number, before: number): number {
  let last = before;
  for (let at = from; at < to; at++) {
    const offset = blockStarts[at >>> OFFSET_BLOCK_BITS]! + distances[at]!;
    if (offset < last) return Number.NaN;
    last = offset;
  }
  return last;
}

function* textsFit({ size, offsets, wide, characters }: PackedTexts): Task<boolean> {
  return (
    characters.length < MOST_CHARACTERS &&
    wide.length === Math.ceil(size / 32) &&
    (yield* offsetsFit(offsets, size + 1, characters.length))
  );
}

function* countsFit({ paths, short, long }: PackedCounts): Task<boolean> {
  const isCount = (array: Float64Array, from: number, to: number): boolean => array.subarray(from, to).every(count);
  return (
    short.length === paths.size &&
    long.length === paths.size &&
    (yield* textsFit(paths)) &&
    (yield* each(short, isCount)) &&
    (yield* each(long, isCount))
  );
}

/** Whether a set of `size` records has the words that it must have, and no bit behind them. */
function isBits(words: Uint32Array, size: number): boolean {
  const used = size & 31;
  return words.length === Math.ceil(size / 32) && (used === 0 || words.at(-1)! >>> used === 0);
}

function* recordsFit({ ids, bytes, offsets, packed }: PackedRecords): Task<boolean> {
  if (!(yield* textsFit(ids)) || !(yield* offsetsFit(offsets, ids.size + 1, bytes.length))) return false;
  if (bytes.length >= MOST_CHARACTERS && (yield* longestOf(offsets)) >= MOST_CHARACTERS) return false;
  if (packed === null) return true;
  const { sizes } = packed;
  const records = bytes.array!;
  const areVectors = (_: Uint32Array, from: number, to: number): boolean => {
    for (let doc = from; doc < to; doc++) {
      const size = sizes[doc]!;
      if (size > 0 && !packedVectorFits(records, offsetAt(offsets, doc), offsetAt(offsets, doc + 1), size))
        return false;
    }
    return true;
  };
  return sizes.length === ids.size && (yield* each(sizes, areVectors));
}

function* postingsFit(postings: PackedPostings): Task<boolean> {
  const { dictionary, starts, lists, skipEntries, spelling } = postings;
  const { size } = dictionary;
  const end = starts.at(-1);
  return (
    (yield* textsFit(dictionary)) &&
    starts.length === size + 1 &&
    (yield* each(starts, rising)) &&
    lists.length === (end! >>> 5) + 2 &&
    postings.size <= postings.slotShape.length * size &&
    skipEntries.length === (end! >>> SKIP_INTERVAL_BITS) + 1 &&
    (yield* slotsFit(postings)) &&
    (yield* titlesFit(postings)) &&
    spelling.letters.length === spelling.terms.length &&
    (yield* each(spelling.terms, below(size))) &&
    spelling.starts.length >= 2 &&
    (spelling.starts.length <= USUAL_WORD || spelling.starts.length <= 2 + (yield* longestOf(dictionary.offsets))) &&
    (yield* each(spelling.starts, rising)) &&
    spelling.starts.at(-1) === spelling.terms.length
  );
}

/** The bytes of the longest item. */
function* longestOf(offsets: PackedOffsets): Task<number> {
  let longest = 0;
  for (let at = 1; at < offsets.distances.length; at++) {
    longest = Math.max(longest, offsetAt(offsets, at) - offsetAt(offsets, at - 1));
    if (at % AT_ONCE === 0) yield;
  }
  return longest;
}

function* slotsFit(postings: PackedPostings): Task<boolean> {
  const { maxDoc, docSlots, slotShape, shapeFields, shapeLengths, fields, fieldLengths, fieldDocs } = postings;
  return (
    shapeLengths.length === shapeFields.length &&
    fieldLengths.length === fields.length &&
    fieldDocs.length === fields.length &&
    (yield* areDistinct(fields)) &&
    (yield* offsetsFit(docSlots, maxDoc + 1, slotShape.length)) &&
    (yield* each(slotShape, below(shapeFields.length))) &&
    (yield* each(shapeFields, (array, from, to) => {
      for (let shape = from; shape < to; shape++) {
        const field = array[shape]!;
        if ((field & FIELD_MASK) >= fields.length || field > (FIELD_MASK | TITLE_BIT)) return false;
      }
      return true;
    }))
  );
}

function* areDistinct(names: readonly string[]): Task<boolean> {
  const seen = new Set<string>();
  return yield* each(names, (_, from, to) => {
    for (let at = from; at < to; at++) seen.add(names[at]!);
    return seen.size === to;
  });
}

function* titlesFit({ titles, dictionary, maxDoc }: PackedPostings): Task<boolean> {
  const { starts, halves, terms } = titles;
  return (yield* each(terms, below(dictionary.size))) && (yield* offsetsFit(starts, maxDoc + 1, halves.length));
}

function* rowsFit(rows: PackedRows, size: number): Task<boolean> {
  const { dimensions, high, low, shifts, factors, errors, inverseLengths, rowDoc, docRow } = rows;
  const count = shifts.length;
  const bytes = count * strideOf(dimensions);
  if (
    dimensions < 1 ||
    dimensions > GREATEST_LIMITS.dimensions ||
    ![high, low].every(({ length }) => length === bytes) ||
    ![factors, errors, inverseLengths, rowDoc].every(({ length }) => length === count) ||
    docRow.length !== size
  )
    return false;
  let row = 0;
  for (let from = 0; from < size; from += AT_ONCE) {
    row = rowsOf(rows, { from, to: Math.min(size, from + AT_ONCE), row });
    yield;
  }
  return row === count;
}

/**
 * The row after those of the records `from` to `to` - 1, of which `row` is the first; NaN if they are not in order, or one is of no
 * length. Wrong factors and errors make a scan miss neighbours, and nothing else.
 */
function rowsOf(
  { docRow, rowDoc, inverseLengths }: PackedRows,
  { from, to, row }: { readonly from: number; readonly to: number; readonly row: number },
): number {
  let next = row;
  for (let doc = from; doc < to; doc++) {
    if (docRow[doc] === -1) continue;
    const inverse = inverseLengths[next]!;
    if (docRow[doc] !== next || rowDoc[next] !== doc || !(inverse > 0 && inverse <= 1)) return Number.NaN;
    next++;
  }
  return next;
}
