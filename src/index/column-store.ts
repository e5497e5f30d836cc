// The doc-values columns of segments. A column is built in pauses when an attribute is first used, and kept as long as its
// segment. Columns of declared attributes are built and stored with the segment; where a segment comes from a file, they are read
// when they are first used. Those of attributes that queries used are built behind writes and openings in segments that lack them. A
// column depends on its segment alone, so the time at which it is built changes no answer. Callers choose which attributes are used, so
// a segment keeps a limited number of undeclared columns: the most recently used ones.

import { mergeDocValues, newNumbers } from "../docvalues/build-doc-values.js";
import { bytesOf, bytesOfCaches, type DocValues } from "../docvalues/doc-values.js";
import { evaluateFilter, type FilterSource } from "../docvalues/evaluate-filter.js";
import { type Filter, pathWithin, type SomeItem } from "../docvalues/filter.js";
import { bytesOfTable, type ItemTable } from "../docvalues/item-table.js";
import { PLACES } from "../docvalues/place.js";
import type { CheckedSettings } from "../settings/resolved-settings.js";
import type { Doc, LocalDoc } from "../util/doc.js";
import { DocSet } from "../util/doc-set.js";
import type { Task } from "../util/tasks.js";
import { type BuiltColumn, buildColumns } from "./build-columns.js";
import { columnKey, itemsKeyOf, tableKey } from "./column-keys.js";
import type { LiveRecords } from "./live-records.js";
import type { MergedSegment } from "./merge-segments.js";
import type { KeptColumn, Segment } from "./segment.js";

/** The number of undeclared columns that a segment keeps in addition to those in use. */
export const KEPT_COLUMNS = 128;

/** The column of an attribute in a segment, which must have been built; undefined: no record there has it. */
export function columnOf(segment: Segment, attribute: string): DocValues | undefined {
  return segment.caches.columns.get(attribute)?.column;
}

/** The table of the items of a list, which must have been built; undefined: no record there has any. */
export function itemTableOf(segment: Segment, list: string, outer = ""): ItemTable | undefined {
  return segment.caches.columns.get(tableKey(list, outer))?.items;
}

/** The columns that a running query uses. They are not dropped until it releases them. */
export class ColumnReferences {
  private readonly referenced: { readonly segment: Segment; readonly kept: KeptColumn }[] = [];

  /** Takes a reference to the column of an attribute; false when it was not built. */
  acquire(segment: Segment, attribute: string): boolean {
    const { columns } = segment.caches;
    const kept = columns.get(attribute);
    if (kept === undefined) return false;
    columns.delete(attribute);
    columns.set(attribute, kept);
    kept.references++;
    this.referenced.push({ segment, kept });
    return true;
  }

  /** Releases all columns; each segment then keeps at most `most` undeclared ones. */
  release(most: number = KEPT_COLUMNS): void {
    const touched = new Set<Segment>();
    for (const { segment, kept } of this.referenced.splice(0)) {
      kept.references--;
      touched.add(segment);
    }
    for (const segment of touched) {
      dropColumns(segment, most);
      segment.caches.columnsChanged();
    }
  }
}

/** Builds the missing columns of these attributes in all segments of a snapshot, and takes references to all of them. */
export function* ensureColumns(
  snapshot: LiveRecords,
  attributes: Iterable<string>,
  references: ColumnReferences,
): Task<void> {
  const wanted = [...new Set(attributes)];
  if (wanted.length === 0) return;
  for (const { segment } of snapshot.segments) yield* ensureSegmentColumns(segment, wanted, references);
}

/** The undeclared attributes of which some of these segments has a column in memory, the last used one last. */
export function usedAttributes(segments: readonly { readonly segment: Segment }[]): string[] {
  const used = new Set<string>();
  for (const { segment } of segments) {
    const { columns, declared } = segment.caches;
    for (const [attribute, { column }] of columns) {
      if (column === undefined || declared.has(attribute) || itemsKeyOf(attribute) !== undefined) continue;
      used.delete(attribute);
      used.add(attribute);
    }
  }
  return [...used];
}

/** Whether a record of a segment has an attribute of which there are columns. */
export function hasAttribute({ attributes }: Segment, attribute: string): boolean {
  return attributes.get(attribute === PLACES ? `${PLACES}.lat` : attribute) !== undefined;
}

/** Builds the columns of declared attributes in a new segment, as far as it does not have them. */
export function* buildDeclaredColumns(segment: Segment, settings: CheckedSettings): Task<void> {
  const { columns, declared } = segment.caches;
  for (const attribute of declaredAttributes(settings)) declared.add(attribute);
  const missing = [...declared].filter((attribute) => !columns.has(attribute));
  for (const [attribute, kept] of yield* makeColumns(segment, missing)) columns.set(attribute, kept);
}

/**
 * The columns that are stored with a segment, sorted by attribute: those of declared attributes, and those in memory that queries used.
 * undefined: no record of it has the attribute.
 */
export function* columnsToStore(segment: Segment): Task<(readonly [string, DocValues | undefined])[]> {
  const kept = new Map(segment.caches.columns);
  const attributes = [...segment.caches.declared, ...usedAttributes([{ segment }])].sort();
  const made = yield* makeColumns(
    segment,
    attributes.filter((attribute) => !kept.has(attribute)),
  );
  return attributes.map((attribute) => [attribute, (kept.get(attribute) ?? made.get(attribute))?.column]);
}

/** Reads the stored columns of a segment, which then stay in memory. */
export function* keepColumnsInMemory(segment: Segment): Task<void> {
  const { columns, stored } = segment.caches;
  for (const [attribute, column] of [...stored]) {
    const kept = columns.get(attribute) ?? keep({ column: yield* column.read() });
    columns.set(attribute, columns.get(attribute) ?? kept);
    stored.delete(attribute);
  }
  segment.caches.columnsChanged();
}

/** The attributes that the settings name for faceting, ranking, boosts or grouping. */
function declaredAttributes(settings: CheckedSettings): string[] {
  const { attributesForFaceting, customRanking, boosts, attributeForDistinct } = settings;
  const ranking = customRanking.map(({ attribute }) => attribute);
  const distinct = attributeForDistinct === null ? [] : [attributeForDistinct];
  const boosting = boosts.flatMap(({ signal }) => ("attribute" in signal ? [signal.attribute] : []));
  return [...(attributesForFaceting?.keys() ?? []), ...ranking, ...boosting, ...distinct];
}

function* ensureSegmentColumns(
  segment: Segment,
  attributes: readonly string[],
  references: ColumnReferences,
): Task<void> {
  const missing = attributes.filter((attribute) => !references.acquire(segment, attribute));
  if (missing.length === 0) return;
  const { columns } = segment.caches;
  const made = yield* makeColumns(segment, missing);
  // Another query may have made it meanwhile.
  for (const [attribute, kept] of made) if (!columns.has(attribute)) columns.set(attribute, kept);
  // All of them again, in their order: the last was used last.
  for (const attribute of attributes) references.acquire(segment, attribute);
  segment.caches.columnsChanged();
}

/** Reads the columns of attributes in a segment, or builds those that are not stored. */
function* makeColumns(segment: Segment, attributes: readonly string[]): Task<Map<string, KeptColumn>> {
  const { stored } = segment.caches;
  const made = new Map<string, KeptColumn>();
  for (const attribute of attributes) {
    const column = stored.get(attribute);
    if (column !== undefined) made.set(attribute, keep({ column: yield* column.read() }));
  }
  const missing = attributes.filter((attribute) => !made.has(attribute));
  if (missing.length > 0) for (const [key, built] of yield* buildColumns(segment, missing)) made.set(key, keep(built));
  return made;
}

/** Drops columns that are not in use and can be read or were not declared, except for the `most` most recently used. */
export function dropColumns(segment: Segment, most: number): void {
  const { columns, columnsChanged } = segment.caches;
  const free = [...columns].filter(
    ([attribute, { references }]) => references === 0 && isDroppable(segment, attribute),
  );
  const dropped = free.slice(0, Math.max(0, free.length - most));
  for (const [attribute] of dropped) columns.delete(attribute);
  if (dropped.length > 0) columnsChanged();
}

/** The bytes that the columns of a segment take. */
export function columnBytes(segment: Segment): number {
  let total = 0;
  for (const { bytes } of segment.caches.stored.values()) total += bytes;
  for (const { column, bytes } of segment.caches.columns.values())
    total += bytes + (column === undefined ? 0 : bytesOfCaches(column));
  return total;
}

/** The bytes of the columns that {@link dropColumns} may drop when no query uses them. */
export function droppableBytes(segment: Segment): number {
  let total = 0;
  for (const [attribute, { bytes }] of segment.caches.columns) if (isDroppable(segment, attribute)) total += bytes;
  return total;
}

/** Whether a column can be read again or was not declared. */
function isDroppable({ caches: { declared, stored } }: Segment, attribute: string): boolean {
  return !declared.has(attribute) || stored.has(attribute);
}

/**
 * Merges the columns of the sources of a merged segment, so that queries need not build them again: those of declared attributes, and
 * those that any source has in memory. What some source lacks is built from its records.
 */
export function* inheritColumns(
  { segment, sources, origin, docs }: MergedSegment,
  settings: CheckedSettings,
): Task<void> {
  const sizes = sources.map((live) => live.segment.size);
  const numbers = newNumbers(sizes, origin, docs);
  // Items are numbered anew, when they are used again.
  const attributes = [...new Set([...declaredAttributes(settings), ...usedAttributes(sources)])];
  const bySource: Map<string, KeptColumn>[] = [];
  for (const { segment } of sources) {
    const kept = new Map(segment.caches.columns);
    const missing = attributes.filter((attribute) => !kept.has(attribute));
    for (const [attribute, made] of yield* makeColumns(segment, missing)) kept.set(attribute, made);
    bySource.push(kept);
  }
  for (const attribute of attributes) {
    const columns = bySource.map((kept) => kept.get(attribute)!.column);
    const merged = columns.every((column) => column === undefined)
      ? undefined
      : yield* mergeDocValues(columns, origin, docs, numbers);
    const column = merged === undefined || merged.values.length === 0 ? undefined : merged;
    segment.caches.columns.set(attribute, keep({ column }));
  }
  yield* buildDeclaredColumns(segment, settings);
}

function keep({ column, items }: BuiltColumn): KeptColumn {
  const bytes = (column === undefined ? 0 : bytesOf(column)) + (items === undefined ? 0 : bytesOfTable(items));
  return { column, items, bytes, references: 0 };
}

/** The items that pass conditions, by segment in the order of the snapshot, as far as they are known already. */
export type PassingItems = ReadonlyMap<SomeItem, readonly DocSet<LocalDoc>[]>;

/** What a filter is evaluated on in a segment, whose number in its snapshot is `at`: seen from the records, or the items of a list. */
export function filterSourceOf(segment: Segment, at: number, known: PassingItems, list = ""): FilterSource {
  return {
    columnOf: (attribute) => columnOf(segment, columnKey(list, attribute)),
    itemsOf: (path) => {
      const inner = pathWithin(list, path);
      const table = itemTableOf(segment, inner, list);
      if (table === undefined) return undefined;
      const source = filterSourceOf(segment, at, known, inner);
      return { table, source, passing: (filter) => known.get(filter)?.[at] };
    },
  };
}

const NONE_KNOWN: PassingItems = new Map();

/** The live records of a snapshot that pass a filter. The columns of its attributes must have been built. */
export function* passFilter(
  filter: Filter,
  snapshot: LiveRecords,
  known: PassingItems = NONE_KNOWN,
): Task<DocSet<Doc>> {
  const passed = new DocSet<Doc>(snapshot.docSpan);
  for (const [at, { segment, deletedDocs, base }] of snapshot.segments.entries()) {
    const found = yield* evaluateFilter(filter, filterSourceOf(segment, at, known), segment.size);
    if (deletedDocs !== null) found.andNot(deletedDocs);
    passed.orFrom(found, base);
    yield;
  }
  return passed;
}

/** What a filter reads, which must be built before it is evaluated: columns of attributes, tables and columns of items. */
export function attributesOf(filter: Filter): string[] {
  const found = new Set<string>();
  addAttributes(filter, "", found);
  return [...found];
}

function addAttributes(filter: Filter, list: string, into: Set<string>): void {
  switch (filter.kind) {
    case "everything":
      return;
    case "and":
    case "or":
      for (const part of filter.filters) addAttributes(part, list, into);
      return;
    case "not":
      addAttributes(filter.filter, list, into);
      return;
    case "place":
      into.add(PLACES);
      return;
    case "some": {
      const inner = pathWithin(list, filter.path);
      into.add(tableKey(inner, list));
      addAttributes(filter.filter, inner, into);
      return;
    }
    default:
      into.add(columnKey(list, filter.attribute));
  }
}
