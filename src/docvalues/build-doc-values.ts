// Builds doc-values columns: from the records of a segment (all attributes in one walk through each record), by merging the
// columns of segments, from the columns of items, or from their stored form. All ways produce (record, ordinal) pairs in record order; a counting sort
// inverts them.

import { DocSet, type LocalDoc } from "../util/doc-set.js";
import { instantOf } from "../util/instant.js";
import type { JsonRecord } from "../util/json.js";
import { GrowableUint32, type NarrowArray, narrowed } from "../util/offset-table.js";
import { mergeRuns, sortWithPauses } from "../util/sorted.js";
import type { Task } from "../util/tasks.js";
import { PathReader, pathsOf, pathsOfItem } from "./attribute-values.js";
import { type AttributeValue, ColumnCaches, compareValues, type DocValues, rowOf, seekRow } from "./doc-values.js";
import type { ItemTable } from "./item-table.js";
import { PLACES, placesOf, textOfPlace } from "./place.js";

/** If a smaller share of the records has a value, the column is sparse: it stores the numbers of these records. */
const SPARSE_SHARE = 1 / 16;
const PAUSE_EVERY = 1 << 14;
/** Texts read as instants between two pauses. */
const TEXTS_AT_ONCE = 1 << 12;
/** In smaller segments the overhead of a set object exceeds its content. */
const MIN_DOCS_FOR_SETS = 4096;
/** Reading many attributes of 16 records takes about half a millisecond. */
const PAUSE_EVERY_RECORDS = 16;
/** Values of a dictionary in one line of its stored form. */
export const VALUES_A_LINE: number = 1 << 9;
export const NEWLINE = 10;

/**
 * The name of a column whose values are the names of the attributes that a record has. No attribute that anybody can ask for has this
 * name: names have no control characters.
 */
export const ATTRIBUTES = "\u0000attributes";

/** The name of a column of items whose values are the places that items are. */
export const OWN_PLACE = "\u0000place";

/** A column under construction: distinct (record, ordinal) pairs in record order. Ordinals are provisional, by first use. */
class OpenColumn {
  private readonly ordinals = new Map<AttributeValue, number>();
  /** The last record of each ordinal. */
  private readonly lastDoc: number[] = [];
  private readonly pairDocs = new GrowableUint32();
  private readonly pairOrdinals = new GrowableUint32();

  add(doc: number, value: AttributeValue): void {
    let ordinal = this.ordinals.get(value);
    if (ordinal === undefined) {
      ordinal = this.ordinals.size;
      this.ordinals.set(value, ordinal);
    } else if (this.lastDoc[ordinal] === doc) return;
    this.lastDoc[ordinal] = doc;
    this.pairDocs.push(doc);
    this.pairOrdinals.push(ordinal);
  }

  *close(docCount: number): Task<DocValues> {
    const values = yield* sortWithPauses([...this.ordinals.keys()], compareValues);
    const ranks = new Uint32Array(values.length);
    for (let rank = 0; rank < values.length; rank++) {
      ranks[this.ordinals.get(values[rank]!)!] = rank;
      if (rank % 1024 === 0) yield;
    }
    const ranked = this.pairOrdinals.toArray();
    for (let at = 0; at < ranked.length; at++) ranked[at] = ranks[ranked[at]!]!;
    return yield* layOutColumn(docCount, values, this.pairDocs.toArray(), ranked);
  }
}

/** Columns under construction: of each path at which something that is added has a value. */
export class ColumnsBuilder {
  private readonly paths: readonly string[];
  private readonly reader: PathReader;
  private readonly open: (OpenColumn | undefined)[];
  private readonly attributes: number;
  private readonly places: number;
  private readonly ownPlace: number;

  constructor(paths: readonly string[]) {
    this.paths = paths;
    this.reader = new PathReader(paths);
    this.open = paths.map(() => undefined);
    this.attributes = paths.indexOf(ATTRIBUTES);
    this.places = paths.indexOf(PLACES);
    this.ownPlace = paths.indexOf(OWN_PLACE);
  }

  /** Adds a record. The column of places has their texts, as the attribute itself has no value. */
  add(doc: LocalDoc, record: JsonRecord): void {
    this.reader.read(record, (path, value) => {
      if (path !== this.attributes) this.addValue(path, doc, value);
    });
    if (this.places >= 0) for (const place of placesOf(record)) this.addValue(this.places, doc, textOfPlace(place));
    if (this.attributes >= 0) for (const [name] of pathsOf(record)) this.addValue(this.attributes, doc, name);
  }

  /** Adds an item of a list. */
  addItem(doc: LocalDoc, item: JsonRecord): void {
    this.reader.readItem(item, (path, value) => {
      if (path !== this.attributes && path !== this.ownPlace) this.addValue(path, doc, value);
    });
    if (this.ownPlace >= 0)
      for (const place of placesOf({ [PLACES]: item })) this.addValue(this.ownPlace, doc, textOfPlace(place));
    if (this.attributes >= 0) for (const name of pathsOfItem(item)) this.addValue(this.attributes, doc, name);
  }

  /** The columns, by path, of all that was added. */
  *close(docCount: number): Task<Map<string, DocValues>> {
    const columns = new Map<string, DocValues>();
    for (const [path, column] of this.open.entries()) {
      if (column === undefined) continue;
      columns.set(this.paths[path]!, yield* column.close(docCount));
      this.open[path] = undefined;
    }
    return columns;
  }

  private addValue(path: number, doc: LocalDoc, value: AttributeValue): void {
    this.open[path] ??= new OpenColumn();
    this.open[path].add(doc, value);
  }
}

/**
 * Builds a column for each path at which any record has a value. Calls `recordAt` once per record, in order, and `also` for what else is
 * read in the same walk.
 */
export function* buildDocValues(
  docCount: number,
  recordAt: (doc: LocalDoc) => Task<JsonRecord>,
  paths: readonly string[],
  also?: (record: JsonRecord, doc: LocalDoc) => Task<void>,
): Task<Map<string, DocValues>> {
  const builder = new ColumnsBuilder(paths);
  for (let doc = 0 as LocalDoc; doc < docCount; doc++) {
    const record = yield* recordAt(doc);
    builder.add(doc, record);
    if (also !== undefined) yield* also(record, doc);
    if (doc % PAUSE_EVERY_RECORDS === 0) yield;
  }
  return yield* builder.close(docCount);
}

/** Lays out a column from distinct (record, ordinal) pairs, records ascending. Takes ownership of `ordinals`. */
function* layOutColumn(
  docCount: number,
  values: readonly AttributeValue[],
  docs: Uint32Array,
  ordinals: Uint32Array,
): Task<DocValues> {
  const distinct = distinctOf(docs);
  yield;
  const docsWithValue = distinct.length < docCount * SPARSE_SHARE ? distinct : null;
  const starts = new Uint32Array((docsWithValue?.length ?? docCount) + 1);
  const ordinalStarts = new Uint32Array(values.length + 1);
  for (let from = 0, row = -1; from < docs.length; from += PAUSE_EVERY) {
    const to = Math.min(docs.length, from + PAUSE_EVERY);
    row = countPairs({ docs, ordinals, from, to, isSparse: docsWithValue !== null, row }, starts, ordinalStarts);
    yield;
  }
  addUp(starts);
  addUp(ordinalStarts);
  const next = ordinalStarts.slice();
  const ordinalDocs = new Uint32Array(docs.length);
  for (let from = 0; from < docs.length; from += PAUSE_EVERY) {
    placeDocs({ docs, ordinals, from, to: Math.min(docs.length, from + PAUSE_EVERY) }, next, ordinalDocs);
    yield;
  }
  for (let from = 0; from + 1 < starts.length; ) {
    from = sortRows(ordinals, starts, from);
    yield;
  }
  const ordinalSets = yield* setsOf(docCount, ordinalStarts, ordinalDocs);
  return {
    docCount,
    values,
    docsWithValue,
    starts,
    ordinals,
    ordinalStarts,
    ordinalDocs,
    ordinalSets,
    caches: new ColumnCaches(),
  };
}

// The long loops stand in plain functions: V8 optimises these better than generators.

/** The pairs `from` … `to` - 1. */
interface PairRange {
  readonly docs: Uint32Array;
  readonly ordinals: Uint32Array;
  readonly from: number;
  readonly to: number;
}

/** The numbers of an ascending list, each once. */
function distinctOf(docs: Uint32Array): Uint32Array {
  const distinct = new Uint32Array(docs.length);
  let count = 0;
  for (let at = 0; at < docs.length; at++) if (at === 0 || docs[at] !== docs[at - 1]) distinct[count++] = docs[at]!;
  return distinct.slice(0, count);
}

/** Adds 1 behind the row and behind the ordinal of each pair; returns the last row, which begins with `row`. */
function countPairs(
  { docs, ordinals, from, to, isSparse, row }: PairRange & { readonly isSparse: boolean; readonly row: number },
  starts: Uint32Array,
  ordinalStarts: Uint32Array,
): number {
  let last = row;
  for (let at = from; at < to; at++) {
    if (at === 0 || docs[at] !== docs[at - 1]) last++;
    starts[(isSparse ? last : docs[at]!) + 1]!++;
    ordinalStarts[ordinals[at]! + 1]!++;
  }
  return last;
}

function addUp(counts: Uint32Array): void {
  for (let i = 1; i < counts.length; i++) counts[i]! += counts[i - 1]!;
}

/** Writes the record of each pair to the next place of its ordinal. */
function placeDocs({ docs, ordinals, from, to }: PairRange, next: Uint32Array, ordinalDocs: Uint32Array): void {
  for (let at = from; at < to; at++) ordinalDocs[next[ordinals[at]!]!++] = docs[at]!;
}

/** Sorts the ordinals of the rows from `from` on. Returns the row before which it is time to pause. */
function sortRows(ordinals: Uint32Array, starts: Uint32Array, from: number): number {
  let row = from;
  for (let seen = 0; row + 1 < starts.length && seen < PAUSE_EVERY; row++) {
    const [start, end] = [starts[row]!, starts[row + 1]!];
    for (let at = start + 1; at < end; at++) {
      if (ordinals[at - 1]! < ordinals[at]!) continue;
      ordinals.subarray(start, end).sort();
      break;
    }
    seen += 1 + end - start;
  }
  return row;
}

/** Bitsets for the ordinals whose records take no more memory as a bitset than as a list. */
function* setsOf(
  docCount: number,
  ordinalStarts: Uint32Array,
  ordinalDocs: Uint32Array,
): Task<Map<number, DocSet<LocalDoc>>> {
  const sets = new Map<number, DocSet<LocalDoc>>();
  if (docCount < MIN_DOCS_FOR_SETS) return sets;
  for (let ordinal = 0; ordinal + 1 < ordinalStarts.length; ordinal++) {
    const [from, to] = [ordinalStarts[ordinal]!, ordinalStarts[ordinal + 1]!];
    if (32 * (to - from) < docCount) continue;
    sets.set(ordinal, new DocSet<LocalDoc>(docCount).addAll(ordinalDocs.subarray(from, to)));
    yield;
  }
  return sets;
}

/** For each source, the new numbers of its records plus one, or 0 for dropped records. All attributes of a merged segment share them. */
export function newNumbers(sizes: readonly number[], origin: Uint16Array, docs: Uint32Array): Uint32Array[] {
  const numbers = sizes.map((size) => new Uint32Array(size));
  for (let doc = 0; doc < docs.length; doc++) numbers[origin[doc]!]![docs[doc]!] = doc + 1;
  return numbers;
}

/**
 * Merges columns: record i of the result is record `docs[i]` of `columns[origin[i]]`. A source without the attribute has no
 * column. The result has no values when no merged record has one.
 */
export function* mergeDocValues(
  columns: readonly (DocValues | undefined)[],
  origin: Uint16Array,
  docs: Uint32Array,
  numbers: readonly Uint32Array[],
): Task<DocValues> {
  const pairs = columns.reduce((total, column) => total + (column?.ordinals.length ?? 0), 0);
  const pairDocs = new GrowableUint32(pairs);
  const pairOrdinals = new GrowableUint32(pairs);
  const used = columns.map((column) => new Uint8Array(column?.values.length ?? 0));
  const held = yield* mergedDocsWithValue(columns, numbers);
  const count = held?.length ?? docs.length;
  for (let i = 0; i < count; i++) {
    if (i % PAUSE_EVERY === 0) yield;
    const doc = held === null ? i : held[i]!;
    const source = origin[doc]!;
    const column = columns[source];
    const row = column === undefined ? -1 : rowOf(column, docs[doc]! as LocalDoc);
    if (column === undefined || row < 0) continue;
    for (let at = column.starts[row]!; at < column.starts[row + 1]!; at++) {
      used[source]![column.ordinals[at]!] = 1;
      pairDocs.push(doc);
      pairOrdinals.push(column.ordinals[at]!);
    }
  }
  const { values, newOrdinals } = yield* mergeDictionaries(columns, used);
  const mergedDocs = pairDocs.toArray();
  const ordinals = pairOrdinals.toArray();
  yield;
  for (let at = 0; at < ordinals.length; at++) ordinals[at] = newOrdinals[origin[mergedDocs[at]!]!]![ordinals[at]!]!;
  yield;
  return yield* layOutColumn(docs.length, values, mergedDocs, ordinals);
}

/** The new numbers of the records with a value, ascending; null when a source is dense and all records must be visited. */
function* mergedDocsWithValue(
  columns: readonly (DocValues | undefined)[],
  numbers: readonly Uint32Array[],
): Task<Uint32Array | null> {
  const held = new GrowableUint32();
  for (const [source, column] of columns.entries()) {
    if (column === undefined) continue;
    if (column.docsWithValue === null) return null;
    for (const doc of column.docsWithValue) if (numbers[source]![doc]! > 0) held.push(numbers[source]![doc]! - 1);
    yield;
  }
  return held.toArray().sort();
}

function* mergeDictionaries(
  columns: readonly (DocValues | undefined)[],
  used: readonly Uint8Array[],
): Task<{ values: AttributeValue[]; newOrdinals: Uint32Array[] }> {
  const runs: AttributeValue[][] = [];
  for (const [source, column] of columns.entries()) {
    runs.push(column?.values.filter((_, ordinal) => used[source]![ordinal] === 1) ?? []);
    yield;
  }
  const merged = yield* mergeRuns(runs, compareValues);
  const values = merged.filter((value, i) => i === 0 || value !== merged[i - 1]);
  yield;
  const newOrdinals: Uint32Array[] = [];
  for (const [source, column] of columns.entries()) {
    const ordinals = new Uint32Array(column?.values.length ?? 0);
    let to = 0;
    for (let ordinal = 0; ordinal < ordinals.length; ordinal++) {
      if (used[source]![ordinal] === 0) continue;
      while (to < values.length && values[to] !== column!.values[ordinal]) to++;
      ordinals[ordinal] = to;
    }
    newOrdinals.push(ordinals);
    yield;
  }
  return { values, newOrdinals };
}

/**
 * The instants that the texts of a column name, as a column of numbers; undefined if none does. Made once for each column: the
 * same instant has many spellings, so that ranges of instants are no ranges of texts.
 */
export function* instantsOf(column: DocValues): Task<DocValues | undefined> {
  column.caches.instants ??= (yield* instantColumn(column)) ?? null;
  return column.caches.instants ?? undefined;
}

function* instantColumn({ docCount, values, docsWithValue, starts, ordinals }: DocValues): Task<DocValues | undefined> {
  const instants = new Float64Array(values.length);
  const dated: number[] = [];
  for (let ordinal = 0; ordinal < values.length; ordinal++) {
    const value = values[ordinal]!;
    const instant = typeof value === "string" ? instantOf(value) : undefined;
    if (instant !== undefined) {
      instants[ordinal] = instant;
      dated.push(ordinal);
    }
    if (ordinal % TEXTS_AT_ONCE === 0) yield;
  }
  if (dated.length === 0) return undefined;
  const ranks = new Int32Array(values.length).fill(-1);
  const distinct: number[] = [];
  for (const ordinal of yield* sortWithPauses(dated, (a, b) => instants[a]! - instants[b]!)) {
    if (distinct.at(-1) !== instants[ordinal]) distinct.push(instants[ordinal]!);
    ranks[ordinal] = distinct.length - 1;
  }
  yield;
  const lastRow = new Int32Array(distinct.length).fill(-1);
  const pairDocs = new GrowableUint32(ordinals.length);
  const pairRanks = new GrowableUint32(ordinals.length);
  for (let row = 0, pausedAt = 0; row + 1 < starts.length; row++) {
    // Rows and their values count.
    if (row + starts[row]! - pausedAt >= PAUSE_EVERY) {
      pausedAt = row + starts[row]!;
      yield;
    }
    for (let at = starts[row]!; at < starts[row + 1]!; at++) {
      const rank = ranks[ordinals[at]!]!;
      if (rank < 0 || lastRow[rank] === row) continue;
      lastRow[rank] = row;
      pairDocs.push(docsWithValue === null ? row : docsWithValue[row]!);
      pairRanks.push(rank);
    }
  }
  return yield* layOutColumn(docCount, distinct, pairDocs.toArray(), pairRanks.toArray());
}

/**
 * The values of some items as a column of their records, as far as these are in `docs`: all that queries do with a column they do
 * with the matching items alone.
 */
export function* liftDocValues(
  column: DocValues,
  { holders }: ItemTable,
  items: DocSet<LocalDoc>,
  docs: DocSet<LocalDoc>,
): Task<DocValues> {
  const pairDocs = new GrowableUint32();
  const pairOrdinals = new GrowableUint32();
  const lastDoc = new Int32Array(column.values.length).fill(-1);
  const listed = new Uint32Array(PAUSE_EVERY);
  for (let from = 0, row = 0; from < items.size; from += PAUSE_EVERY) {
    const count = items.listWithin(from, Math.min(items.size, from + PAUSE_EVERY), listed);
    for (let i = 0; i < count; i++) {
      const item = from + listed[i]!;
      const doc = holders[item]! as LocalDoc;
      if (!docs.has(doc)) continue;
      const { docsWithValue, starts, ordinals } = column;
      row = docsWithValue === null ? item : seekRow(docsWithValue, item, row);
      if (docsWithValue !== null && docsWithValue[row] !== item) continue;
      for (let at = starts[row]!; at < starts[row + 1]!; at++) {
        const ordinal = ordinals[at]!;
        if (lastDoc[ordinal] === doc) continue;
        lastDoc[ordinal] = doc;
        pairDocs.push(doc);
        pairOrdinals.push(ordinal);
      }
    }
    yield;
  }
  return yield* layOutColumn(docs.size, column.values, pairDocs.toArray(), pairOrdinals.toArray());
}

/** A column as it is stored: all else is derived from it. */
export type PackedDocValues = {
  /** The dictionary in UTF-8: each line is a JSON array. */
  readonly values: Uint8Array;
  /** In a sparse column the records of its rows. */
  readonly docsWithValue: Uint32Array | null;
  /** By row the number of its values; null: one each. */
  readonly counts: NarrowArray | null;
  readonly ordinals: NarrowArray;
};

/** The stored form of a column. Equal columns have equal forms. */
export function* packDocValues({ values, docsWithValue, starts, ordinals }: DocValues): Task<PackedDocValues> {
  const lines: string[] = [];
  for (let from = 0; from < values.length; from += VALUES_A_LINE) {
    lines.push(JSON.stringify(values.slice(from, from + VALUES_A_LINE)));
    yield;
  }
  const counts = starts.subarray(1).map((end, row) => end - starts[row]!);
  yield;
  const most = counts.reduce((most, count) => Math.max(most, count), 0);
  yield;
  return {
    values: Buffer.from(lines.join("\n")),
    docsWithValue,
    counts: counts.every((count) => count === 1) ? null : narrowed(counts, most + 1),
    ordinals: narrowed(ordinals, values.length),
  };
}

/** The column with this stored form. */
export function* unpackDocValues(
  docCount: number,
  { values, docsWithValue, counts, ordinals }: PackedDocValues,
): Task<DocValues> {
  const dictionary: AttributeValue[] = [];
  const text = Buffer.from(values.buffer, values.byteOffset, values.length);
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf(NEWLINE, from);
    const end = newline < 0 ? text.length : newline;
    dictionary.push(...(JSON.parse(text.toString("utf8", from, end)) as readonly AttributeValue[]));
    from = end + 1;
    yield;
  }
  const docs = new Uint32Array(ordinals.length);
  const rows = docsWithValue?.length ?? docCount;
  for (let from = 0, at = 0; from < rows; from += PAUSE_EVERY) {
    at = repeatDocs(docsWithValue, counts, from, Math.min(rows, from + PAUSE_EVERY), docs, at);
    yield;
  }
  return yield* layOutColumn(docCount, dictionary, docs, Uint32Array.from(ordinals));
}

/** Writes the record of each row as often as it has values, from `at` on; returns where it ended. */
function repeatDocs(
  docsWithValue: PackedDocValues["docsWithValue"],
  counts: PackedDocValues["counts"],
  from: number,
  to: number,
  docs: Uint32Array,
  at: number,
): number {
  let end = at;
  for (let row = from; row < to; row++) {
    const doc = docsWithValue === null ? row : docsWithValue[row]!;
    for (let left = counts === null ? 1 : counts[row]!; left > 0 && end < docs.length; left--) docs[end++] = doc;
  }
  return end;
}
