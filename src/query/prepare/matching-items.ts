// Which items of lists match a query. A condition on an item of a list in `filters` binds that list: its matching items are those that
// pass one of the conditions on it. Sort keys, facets and refinements read the values of the matching items alone, as columns of their
// records; hits tell the places of these items.

import { liftDocValues, OWN_PLACE } from "../../docvalues/build-doc-values.js";
import type { DocValues } from "../../docvalues/doc-values.js";
import { evaluateFilter } from "../../docvalues/evaluate-filter.js";
import { type Filter, negated, type SomeItem } from "../../docvalues/filter.js";
import { itemsIn } from "../../docvalues/item-table.js";
import { PLACES } from "../../docvalues/place.js";
import type { BoundedSnapshot } from "../../state/bounded-snapshot.js";
import {
  attributesOf,
  columnKey,
  columnOf,
  filterSourceOf,
  itemTableOf,
  type PassingItems,
  passFilter,
  tableKey,
} from "../../state/column-store.js";
import { type Doc, type DocSet, type LocalDoc, toLocal } from "../../util/doc-set.js";
import { listIn } from "../../util/offset-table.js";
import { lowerBound } from "../../util/sorted.js";
import type { Task } from "../../util/tasks.js";

/** The places of the matching items of a hit, by list. */
export type MatchedItems = { readonly [list: string]: readonly number[] };

const NOTHING: Filter = negated({ kind: "everything" });

/** The lists that a filter binds. */
export class BoundLists {
  /** The conditions on each list, in the order in which the filter names them. */
  readonly conditions: ReadonlyMap<string, readonly SomeItem[]>;

  constructor(conditions: readonly SomeItem[]) {
    const byList = new Map<string, SomeItem[]>();
    for (const condition of conditions) listIn(byList, condition.path).push(condition);
    this.conditions = byList;
  }

  /** The lists whose items have an attribute, the outermost first. */
  around(attribute: string): readonly string[] {
    const lists = [...this.conditions.keys()].filter((list) => `${attribute}.`.startsWith(`${list}.`));
    return lists.sort((a, b) => a.length - b.length);
  }

  /** What must be built to read an attribute of matching items; of any other, its own column. */
  keysOf(attribute: string): string[] {
    const lists = this.around(attribute);
    const innermost = lists.at(-1);
    if (innermost === undefined) return [attribute];
    const name = nameWithin(innermost, attribute);
    if (name === undefined) return [];
    const tables = lists.map((list, i) => tableKey(list, lists[i - 1] ?? ""));
    return [...tables, tableKey(innermost, ""), columnKey(innermost, name)];
  }

  /** What must be built to evaluate a filter by the matching items. */
  keysOfFilter(filter: Filter): string[] {
    switch (filter.kind) {
      case "and":
      case "or":
        return filter.filters.flatMap((part) => this.keysOfFilter(part));
      case "not":
        return this.keysOfFilter(filter.filter);
      case "everything":
      case "place":
      case "some":
        return attributesOf(filter);
      default:
        return this.keysOf(filter.attribute);
    }
  }
}

/** The name of an attribute as it is seen from the items of a list; undefined: it is the list, which has no other values than its items. */
function nameWithin(list: string, attribute: string): string | undefined {
  if (attribute !== list) return attribute.slice(list.length + 1);
  return list === PLACES ? OWN_PLACE : undefined;
}

/** The items of one segment that match, by list: those that pass a condition on it, and are in a matching item of each bound list around. */
type ActiveItems = Map<string, DocSet<LocalDoc>>;

/** The matching items of the records of a snapshot. */
export class MatchingItems {
  readonly bound: BoundLists;
  /** The items that pass each condition. */
  readonly passing: PassingItems;
  private readonly snapshot: BoundedSnapshot;
  /** By segment. */
  private readonly active: readonly ActiveItems[];

  private constructor(bound: BoundLists, passing: PassingItems, snapshot: BoundedSnapshot) {
    this.bound = bound;
    this.passing = passing;
    this.snapshot = snapshot;
    this.active = snapshot.segments.map(() => new Map());
  }

  /** Finds them. What the conditions read must have been built. */
  static *find(bound: BoundLists, snapshot: BoundedSnapshot): Task<MatchingItems> {
    const passing = new Map<SomeItem, readonly DocSet<LocalDoc>[]>();
    for (const [list, conditions] of bound.conditions)
      for (const condition of conditions) passing.set(condition, yield* passingItems(list, condition.filter, snapshot));
    return new MatchingItems(bound, passing, snapshot);
  }

  /** Whether an attribute is read from matching items. */
  covers(attribute: string): boolean {
    return this.bound.around(attribute).length > 0;
  }

  /** The column of an attribute over items, in the segment of this number. */
  columnOfItems(at: number, attribute: string): DocValues | undefined {
    const list = this.bound.around(attribute).at(-1)!;
    const name = nameWithin(list, attribute);
    if (name === undefined) return undefined;
    return columnOf(this.snapshot.segments[at]!.segment, columnKey(list, name));
  }

  /** The values of an attribute in the matching items of some records of a segment; undefined: no item has any. */
  *column(at: number, attribute: string, docs: DocSet<LocalDoc>): Task<DocValues | undefined> {
    const column = this.columnOfItems(at, attribute);
    if (column === undefined) return undefined;
    const lists = this.bound.around(attribute);
    const table = itemTableOf(this.snapshot.segments[at]!.segment, lists.at(-1)!)!;
    return yield* liftDocValues(column, table, yield* this.activeIn(at, lists), docs);
  }

  /** The live records whose matching items pass a refinement. */
  *pass(filter: Filter): Task<DocSet<Doc>> {
    const passing = new Map<SomeItem, readonly DocSet<LocalDoc>[]>();
    return yield* passFilter(yield* this.narrowed(filter, passing), this.snapshot, passing);
  }

  /** The places of the matching items of a record. */
  placesOf(doc: Doc): MatchedItems {
    const live = this.snapshot.segmentOf(doc);
    const at = this.snapshot.segments.indexOf(live);
    const local = toLocal(live.base, doc);
    const entries = [...this.bound.conditions].map(([list, conditions]): [string, number[]] => {
      const table = itemTableOf(live.segment, list);
      const places: number[] = [];
      if (table === undefined) return [list, places];
      const sets = conditions.map((condition) => this.passing.get(condition)![at]!);
      for (let i = lowerBound(table.holders, local, 0, table.size); table.holders[i] === local; i++)
        if (sets.some((set) => set.has(i as LocalDoc))) places.push(table.places[i]!);
      return [list, places];
    });
    return Object.fromEntries(entries);
  }

  /** The same filter, but its conditions on attributes of matching items are known. */
  private *narrowed(filter: Filter, passing: Map<SomeItem, readonly DocSet<LocalDoc>[]>): Task<Filter> {
    switch (filter.kind) {
      case "everything":
      case "place":
      case "some":
        return filter;
      case "and":
      case "or": {
        const filters: Filter[] = [];
        for (const part of filter.filters) filters.push(yield* this.narrowed(part, passing));
        return { kind: filter.kind, filters };
      }
      case "not":
        return negated(yield* this.narrowed(filter.filter, passing));
      default: {
        const { attribute } = filter;
        const lists = this.bound.around(attribute);
        const list = lists.at(-1);
        if (list === undefined) return filter;
        const name = nameWithin(list, attribute);
        if (name === undefined) return NOTHING;
        const seen: Filter = { ...filter, attribute: name };
        const condition: SomeItem = { kind: "some", path: list, filter: seen };
        const found = yield* passingItems(list, seen, this.snapshot);
        for (const [at, items] of found.entries()) if (items.size > 0) items.and(yield* this.activeIn(at, lists));
        passing.set(condition, found);
        return condition;
      }
    }
  }

  /** The items of the last of some lists, each around the next, that match, in matching items of the others. */
  private *activeIn(at: number, lists: readonly string[]): Task<DocSet<LocalDoc>> {
    const list = lists.at(-1)!;
    const known = this.active[at]!.get(list);
    if (known !== undefined) return known;
    const [first, ...more] = this.bound.conditions.get(list)!.map((condition) => this.passing.get(condition)![at]!);
    const active = first!.copy();
    for (const items of more) active.or(items);
    const outer = lists.at(-2);
    if (outer !== undefined) {
      const table = itemTableOf(this.snapshot.segments[at]!.segment, list, outer);
      // Without a table the list has no items, so none is active.
      if (table !== undefined) active.and(yield* itemsIn(yield* this.activeIn(at, lists.slice(0, -1)), table));
    }
    this.active[at]!.set(list, active);
    return active;
  }
}

/** The column of an attribute in the segment of this number: of matching items as far as some records need it. */
export function* readColumn(
  { snapshot, items = null }: { readonly snapshot: BoundedSnapshot; readonly items?: MatchingItems | null },
  at: number,
  attribute: string,
  docs: () => DocSet<LocalDoc>,
): Task<DocValues | undefined> {
  if (items?.covers(attribute) !== true) return columnOf(snapshot.segments[at]!.segment, attribute);
  return yield* items.column(at, attribute, docs());
}

/** The items of a list that pass a filter, by segment. */
function* passingItems(list: string, filter: Filter, { segments }: BoundedSnapshot): Task<DocSet<LocalDoc>[]> {
  const found: DocSet<LocalDoc>[] = [];
  for (const [at, { segment }] of segments.entries()) {
    const size = itemTableOf(segment, list)?.size ?? 0;
    found.push(yield* evaluateFilter(filter, filterSourceOf(segment, at, new Map(), list), size));
    yield;
  }
  return found;
}
