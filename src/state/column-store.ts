// The doc-values columns of segments. A column is built in pauses when an attribute is first used, and kept as long as its
// segment. Columns of declared attributes are built and stored with the segment; where a segment comes from a file, they are read
// when they are first used. Those of attributes that queries used are built behind writes and openings in segments that lack them. A
// column depends on its segment alone, so the time at which it is built changes no answer. Callers choose which attributes are used, so
// a segment keeps a limited number of undeclared columns: the most recently used ones. Beside the columns of records there are tables of
// the items of lists, and columns of these items. All that is missing is built in one walk through the records.

import { buildDocValues, ColumnsBuilder, mergeDocValues, newNumbers } from "../docvalues/build-doc-values.js";
import { bytesOf, bytesOfCaches, type DocValues } from "../docvalues/doc-values.js";
import { evaluateFilter, type FilterSource } from "../docvalues/evaluate-filter.js";
import { type Filter, pathWithin, type SomeItem } from "../docvalues/filter.js";
import { bytesOfTable, ItemFinder, type ItemTable } from "../docvalues/item-table.js";
import { PLACES } from "../docvalues/place.js";
import type { CheckedSettings } from "../settings/resolved-settings.js";
import { type Doc, DocSet, type LocalDoc } from "../util/doc-set.js";
import type { JsonRecord } from "../util/json.js";
import type { Task } from "../util/tasks.js";
import type { LiveRecords, MergedSegment } from "./index-snapshot.js";
import { RecordReader } from "./record-table.js";
import type { KeptColumn, Segment } from "./segment.js";

/** The number of undeclared columns that a segment keeps in addition to those in use. */
export const KEPT_COLUMNS = 128;

/** Names have no control characters. A record that has one all the same has it in vain: nobody can ask for it. */
const TABLE = "\u0000items\u0000";
const COLUMN = "\u0000values\u0000";
const KEY = /^\u0000(items|values)\u0000([0-9]+)\u0000/;

/** The key of the table of the items of a list, as they are seen from the items of another one; "": from records. */
export function tableKey(list: string, outer: string): string {
  return `${TABLE}${outer.length}\u0000${outer}${list}`;
}

/** The key of the column of an attribute as it is seen from the items of a list; "": from records. */
export function columnKey(list: string, attribute: string): string {
  return list === "" ? attribute : `${COLUMN}${list.length}\u0000${list}${attribute}`;
}

/**
 * What a key stands for: the table of the items of a list, as they are seen from those of `outer`, or the column of an attribute of them.
 * undefined: an attribute of records.
 */
export function itemsKeyOf(
  key: string,
): { readonly list: string; readonly outer: string; readonly attribute?: string } | undefined {
  const [head, kind, length] = KEY.exec(key) ?? [];
  if (head === undefined) return undefined;
  const end = head.length + Number(length);
  const [first, second] = [key.slice(head.length, end), key.slice(end)];
  return kind === "items" ? { list: second, outer: first } : { list: first, outer: "", attribute: second };
}

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
    for (const segment of touched) dropColumns(segment, most);
  }
}

/** Builds the missing columns of these attributes in all segments of a snapshot, and takes references to all of them. */
export function* ensureColumns(
  snapshot: LiveRecords,
  attributes: Iterable<string>,
  references: ColumnReferences,
): Task<void> {
  const wanted = [...new Set(attributes)];
  for (const { segment } of snapshot.segments) {
    const missing = wanted.filter((attribute) => !references.acquire(segment, attribute));
    if (missing.length === 0) continue;
    const { columns } = segment.caches;
    const made = yield* makeColumns(segment, missing);
    // Another query may have made it meanwhile.
    for (const [attribute, kept] of made) if (!columns.has(attribute)) columns.set(attribute, kept);
    // All of them again, in their order: the last was used last.
    for (const attribute of wanted) references.acquire(segment, attribute);
  }
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
  const attributes = [...segment.caches.declared, ...usedAttributes([{ segment }])].sort();
  const columns = yield* columnsFor(segment, attributes);
  return attributes.map((attribute) => [attribute, columns.get(attribute)?.column]);
}

/** Reads the stored columns of a segment, which then stay in memory. */
export function* keepColumnsInMemory(segment: Segment): Task<void> {
  const { columns, stored } = segment.caches;
  for (const [attribute, column] of [...stored]) {
    const kept = columns.get(attribute) ?? keep(yield* column.read());
    columns.set(attribute, columns.get(attribute) ?? kept);
    stored.delete(attribute);
  }
}

/** The attributes that the settings name for faceting, ranking, boosts or grouping. */
function declaredAttributes(settings: CheckedSettings): string[] {
  const { attributesForFaceting, customRanking, boosts, attributeForDistinct } = settings;
  const ranking = customRanking.map(({ attribute }) => attribute);
  const distinct = attributeForDistinct === null ? [] : [attributeForDistinct];
  const boosting = boosts.flatMap(({ signal }) => ("attribute" in signal ? [signal.attribute] : []));
  return [...(attributesForFaceting?.keys() ?? []), ...ranking, ...boosting, ...distinct];
}

/** The columns of attributes in a segment: those in memory, and what it makes of the others and does not keep. */
function* columnsFor(segment: Segment, attributes: readonly string[]): Task<Map<string, KeptColumn>> {
  const columns = new Map(segment.caches.columns);
  const missing = attributes.filter((attribute) => !columns.has(attribute));
  for (const [attribute, made] of yield* makeColumns(segment, missing)) columns.set(attribute, made);
  return columns;
}

/** Reads the columns of attributes in a segment; builds those that are not stored, in one walk through the records. */
function* makeColumns(segment: Segment, keys: readonly string[]): Task<Map<string, KeptColumn>> {
  const { stored } = segment.caches;
  const made = new Map<string, KeptColumn>();
  for (const key of keys) {
    const column = stored.get(key);
    if (column !== undefined) made.set(key, keep(yield* column.read()));
  }
  const missing = keys.filter((key) => !made.has(key));
  if (missing.length === 0) return made;
  const attributes = missing.filter((key) => itemsKeyOf(key) === undefined);
  const lists = listsOf(missing);
  const reader = new RecordReader(segment.records);
  function* addItems(record: JsonRecord, doc: LocalDoc): Task<void> {
    for (const list of lists) yield* list.add(record, doc);
  }
  const also = lists.length === 0 ? undefined : addItems;
  const built = yield* buildDocValues(segment.size, (doc) => reader.parsed(doc), attributes, also);
  for (const attribute of attributes) made.set(attribute, keep(built.get(attribute)));
  for (const list of lists) yield* list.close(made);
  return made;
}

/** The lists whose items keys stand for. */
function listsOf(keys: readonly string[]): ListBuilder[] {
  const lists = new Map<string, ListBuilder>();
  for (const key of keys) {
    const asked = itemsKeyOf(key);
    if (asked === undefined) continue;
    const { list, outer, attribute } = asked;
    const table = tableKey(list, outer);
    const builder = lists.get(table) ?? new ListBuilder(list, outer);
    lists.set(table, builder);
    if (attribute === undefined) builder.isAsked = true;
    else builder.attributes.push(attribute);
  }
  return [...lists.values()];
}

/** Items read between two pauses. */
const ITEMS_AT_ONCE = 128;

/** The table of the items of a list, and columns of these, under construction. */
class ListBuilder {
  /** Whether the table is asked for, not only columns. */
  isAsked = false;
  readonly attributes: string[] = [];
  private readonly list: string;
  private readonly outer: string;
  private readonly finder: ItemFinder;
  private columns: ColumnsBuilder | undefined;

  constructor(list: string, outer: string) {
    this.list = list;
    this.outer = outer;
    this.finder = new ItemFinder(list, outer);
  }

  *add(record: JsonRecord, doc: LocalDoc): Task<void> {
    const first = this.finder.size;
    const items = this.finder.find(record, doc);
    if (this.attributes.length === 0) return;
    this.columns ??= new ColumnsBuilder(this.attributes);
    for (const [i, item] of items.entries()) {
      this.columns.addItem((first + i) as LocalDoc, item);
      if ((i + 1) % ITEMS_AT_ONCE === 0) yield;
    }
  }

  *close(made: Map<string, KeptColumn>): Task<void> {
    if (this.isAsked) made.set(tableKey(this.list, this.outer), keep(undefined, this.finder.table()));
    const columns = this.columns === undefined ? undefined : yield* this.columns.close(this.finder.size);
    for (const attribute of this.attributes) made.set(columnKey(this.list, attribute), keep(columns?.get(attribute)));
  }
}

/** Drops columns that are not in use and can be read or were not declared, except for the `most` most recently used. */
export function dropColumns(segment: Segment, most: number): void {
  const { columns } = segment.caches;
  const free = [...columns].filter(
    ([attribute, { references }]) => references === 0 && isDroppable(segment, attribute),
  );
  for (const [attribute] of free.slice(0, Math.max(0, free.length - most))) columns.delete(attribute);
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
  for (const source of sources) bySource.push(yield* columnsFor(source.segment, attributes));
  for (const attribute of attributes) {
    const columns = bySource.map((kept) => kept.get(attribute)!.column);
    const merged = columns.every((column) => column === undefined)
      ? undefined
      : yield* mergeDocValues(columns, origin, docs, numbers);
    const column = merged === undefined || merged.values.length === 0 ? undefined : merged;
    segment.caches.columns.set(attribute, keep(column));
  }
  yield* buildDeclaredColumns(segment, settings);
}

function keep(column: DocValues | undefined, items?: ItemTable): KeptColumn {
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

/** The live records of a snapshot that pass a filter. The columns of its attributes must have been built. */
export function* passFilter(filter: Filter, snapshot: LiveRecords, known: PassingItems = new Map()): Task<DocSet<Doc>> {
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
export function attributesOf(filter: Filter, list = ""): string[] {
  switch (filter.kind) {
    case "everything":
      return [];
    case "and":
    case "or":
      return filter.filters.flatMap((part) => attributesOf(part, list));
    case "not":
      return attributesOf(filter.filter, list);
    case "place":
      return [PLACES];
    case "some": {
      const inner = pathWithin(list, filter.path);
      return [tableKey(inner, list), ...attributesOf(filter.filter, inner)];
    }
    default:
      return [columnKey(list, filter.attribute)];
  }
}
