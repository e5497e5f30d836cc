// Builds columns of the attributes of a segment, tables of the items of its lists and columns of these, in one walk through the records.

import { buildDocValues, ColumnsBuilder } from "../docvalues/build-doc-values.js";
import { ItemFinder } from "../docvalues/item-table.js";
import type { LocalDoc } from "../util/doc.js";
import type { JsonRecord } from "../util/json.js";
import type { Task } from "../util/tasks.js";
import { columnKey, itemsKeyOf, tableKey } from "./column-keys.js";
import { RecordReader } from "./record-table.js";
import type { KeptColumn, Segment } from "./segment.js";

/** A column, or a table of items. */
export type BuiltColumn = Pick<KeptColumn, "column" | "items">;

/** Builds columns of records and of items, and tables of items, in one walk through the records. */
export function* buildColumns(segment: Segment, keys: readonly string[]): Task<Map<string, BuiltColumn>> {
  const made = new Map<string, BuiltColumn>();
  const attributes = keys.filter((key) => itemsKeyOf(key) === undefined);
  const lists = listsOf(keys);
  const reader = new RecordReader(segment.records);
  function* addItems(record: JsonRecord, doc: LocalDoc): Task<void> {
    for (const list of lists) yield* list.add(record, doc);
  }
  const also = lists.length === 0 ? undefined : addItems;
  const built = yield* buildDocValues(segment.size, (doc) => reader.parsed(doc), attributes, also);
  for (const attribute of attributes) made.set(attribute, { column: built.get(attribute) });
  for (const list of lists) yield* list.close(made);
  return made;
}

/** The lists whose items keys stand for. */
function listsOf(keys: readonly string[]): ListBuilder[] {
  const lists = new Map<string, ListBuilder>();
  for (const key of keys) {
    const asked = itemsKeyOf(key);
    if (asked === undefined) continue;
    const { list } = asked;
    const outer = asked.kind === "table" ? asked.outer : "";
    const id = tableKey(list, outer);
    const builder = lists.get(id) ?? new ListBuilder(list, outer);
    lists.set(id, builder);
    if (asked.kind === "table") builder.isAsked = true;
    else builder.attributes.push(asked.attribute);
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

  *close(made: Map<string, BuiltColumn>): Task<void> {
    if (this.isAsked) made.set(tableKey(this.list, this.outer), { column: undefined, items: this.finder.table() });
    const columns = this.columns === undefined ? undefined : yield* this.columns.close(this.finder.size);
    for (const attribute of this.attributes)
      made.set(columnKey(this.list, attribute), { column: columns?.get(attribute) });
  }
}
