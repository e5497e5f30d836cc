// Writes columns: from the records of a segment, all attributes in one walk through each record, or from the columns of
// segments that become one. Either way the pairs of record and code come by record and are turned around by counting.

import { DocSet } from "../base/doc-set.js";
import { GrowableUint32 } from "../base/growable.js";
import type { JsonRecord } from "../base/json.js";
import { mergeRuns, sortWithPauses } from "../base/merge-runs.js";
import type { Task } from "../base/tasks.js";
import { compareValues, PathReader } from "./attribute-values.js";
import { type DocValues, rowOf } from "./doc-values.js";
import type { AttributeValue } from "./filter.js";

/** With fewer holders than this share of the records, a column keeps their numbers. */
const SPARSE_SHARE = 1 / 16;
const PAUSE_EVERY = 1 << 14;
/** In smaller segments the objects of a set would take more than what is in it. */
const MIN_DOCS_FOR_SETS = 4096;
/** Reading many attributes of 16 records takes about half a millisecond. */
const PAUSE_EVERY_RECORDS = 16;

/** A column while records are read: pairs of record and code, each once, by record. */
interface OpenColumn {
  readonly ordinals: Map<AttributeValue, number>;
  /** The last record that has the code. */
  readonly lastDoc: number[];
  readonly pairDocs: GrowableUint32;
  readonly pairOrdinals: GrowableUint32;
}

/** The columns of the paths that any record has a value at. Calls `recordAt` once for each record, in order. */
export function* buildDocValues(
  docCount: number,
  recordAt: (doc: number) => JsonRecord,
  paths: readonly string[],
): Task<Map<string, DocValues>> {
  const reader = new PathReader(paths);
  const open: (OpenColumn | undefined)[] = paths.map(() => undefined);
  for (let doc = 0; doc < docCount; doc++) {
    reader.read(recordAt(doc), (path, value) => {
      open[path] ??= openColumn();
      addPair(open[path], doc, value);
    });
    if (doc % PAUSE_EVERY_RECORDS === 0) yield;
  }
  const columns = new Map<string, DocValues>();
  for (const [path, column] of open.entries()) {
    if (column === undefined) continue;
    columns.set(paths[path]!, yield* closeColumn(docCount, column));
    open[path] = undefined;
  }
  return columns;
}

function openColumn(): OpenColumn {
  return { ordinals: new Map(), lastDoc: [], pairDocs: new GrowableUint32(), pairOrdinals: new GrowableUint32() };
}

function addPair({ ordinals, lastDoc, pairDocs, pairOrdinals }: OpenColumn, doc: number, value: AttributeValue): void {
  let ordinal = ordinals.get(value);
  if (ordinal === undefined) {
    ordinal = ordinals.size;
    ordinals.set(value, ordinal);
  } else if (lastDoc[ordinal] === doc) return;
  lastDoc[ordinal] = doc;
  pairDocs.push(doc);
  pairOrdinals.push(ordinal);
}

function* closeColumn(docCount: number, { ordinals, pairDocs, pairOrdinals }: OpenColumn): Task<DocValues> {
  const values = yield* sortWithPauses([...ordinals.keys()], compareValues);
  const ranks = new Uint32Array(values.length);
  for (let rank = 0; rank < values.length; rank++) {
    ranks[ordinals.get(values[rank]!)!] = rank;
    if (rank % 1024 === 0) yield;
  }
  const ranked = pairOrdinals.toArray();
  for (let at = 0; at < ranked.length; at++) ranked[at] = ranks[ranked[at]!]!;
  return yield* layOutColumn(docCount, values, pairDocs.toArray(), ranked);
}

/** A column from its pairs of record and code: each once, records ascending. `codes` becomes the column's. */
function* layOutColumn(
  docCount: number,
  values: readonly AttributeValue[],
  docs: Uint32Array,
  ordinals: Uint32Array,
): Task<DocValues> {
  const distinct = docs.filter((doc, at) => at === 0 || doc !== docs[at - 1]);
  const docsWithValue = distinct.length < docCount * SPARSE_SHARE ? distinct : null;
  const starts = new Uint32Array((docsWithValue?.length ?? docCount) + 1);
  const ordinalStarts = new Uint32Array(values.length + 1);
  for (let at = 0, row = -1; at < docs.length; at++) {
    if (at === 0 || docs[at] !== docs[at - 1]) row++;
    starts[(docsWithValue === null ? docs[at]! : row) + 1]!++;
    ordinalStarts[ordinals[at]! + 1]!++;
    if (at % PAUSE_EVERY === 0) yield;
  }
  for (let row = 1; row < starts.length; row++) starts[row]! += starts[row - 1]!;
  for (let ordinal = 1; ordinal < ordinalStarts.length; ordinal++)
    ordinalStarts[ordinal]! += ordinalStarts[ordinal - 1]!;
  const next = ordinalStarts.slice();
  const ordinalDocs = new Uint32Array(docs.length);
  for (let at = 0; at < docs.length; at++) {
    ordinalDocs[next[ordinals[at]!]!++] = docs[at]!;
    if (at % PAUSE_EVERY === 0) yield;
  }
  for (let row = 0; row + 1 < starts.length; row++) {
    sortOrdinals(ordinals, starts[row]!, starts[row + 1]!);
    if (row % PAUSE_EVERY === 0) yield;
  }
  const ordinalSets = yield* setsOf(docCount, ordinalStarts, ordinalDocs);
  return { docCount, values, docsWithValue, starts, ordinals, ordinalStarts, ordinalDocs, ordinalSets };
}

/** The records of codes that take no more room as a set than as a list. */
function* setsOf(docCount: number, ordinalStarts: Uint32Array, ordinalDocs: Uint32Array): Task<Map<number, DocSet>> {
  const sets = new Map<number, DocSet>();
  if (docCount < MIN_DOCS_FOR_SETS) return sets;
  for (let ordinal = 0; ordinal + 1 < ordinalStarts.length; ordinal++) {
    const [from, to] = [ordinalStarts[ordinal]!, ordinalStarts[ordinal + 1]!];
    if (32 * (to - from) < docCount) continue;
    sets.set(ordinal, new DocSet(docCount).addAll(ordinalDocs.subarray(from, to)));
    yield;
  }
  return sets;
}

function sortOrdinals(ordinals: Uint32Array, from: number, to: number): void {
  for (let at = from + 1; at < to; at++) {
    if (ordinals[at - 1]! < ordinals[at]!) continue;
    ordinals.subarray(from, to).sort();
    return;
  }
}

/**
 * Of each source the new numbers of its records plus one, 0 for those left behind: what `mergeColumns` of all the attributes
 * of a segment share.
 */
export function newNumbers(sizes: readonly number[], origin: Uint16Array, docs: Uint32Array): Uint32Array[] {
  const numbers = sizes.map((size) => new Uint32Array(size));
  for (let doc = 0; doc < docs.length; doc++) numbers[origin[doc]!]![docs[doc]!] = doc + 1;
  return numbers;
}

/**
 * The column of merged records: record i comes from record `docs[i]` of `columns[origin[i]]`. undefined: nobody there has the
 * attribute. Holds no values when no record has one any more.
 */
export function* mergeDocValues(
  columns: readonly (DocValues | undefined)[],
  origin: Uint16Array,
  docs: Uint32Array,
  numbers: readonly Uint32Array[] = newNumbers(
    columns.map((column) => column?.docCount ?? 0),
    origin,
    docs,
  ),
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
    const row = column === undefined ? -1 : rowOf(column, docs[doc]!);
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

/** The new numbers of the records that hold the attribute, ascending; null: look at all. */
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
      while (values[to] !== column!.values[ordinal]) to++;
      ordinals[ordinal] = to;
    }
    newOrdinals.push(ordinals);
    yield;
  }
  return { values, newOrdinals };
}
