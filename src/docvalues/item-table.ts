// The items of the lists at one path, of all records of a segment in their order: the record of each item, and its place in its list.
// Filters are evaluated on items as on records, with columns of their own, and joined up to the records. A list within a list is
// joined with the others, and an object alone is a list of one. Only objects are items; whatever else is in a list takes a place.

import { DocSet, type LocalDoc } from "../util/doc-set.js";
import type { JsonRecord, JsonValue } from "../util/json.js";
import { GrowableUint32 } from "../util/offset-table.js";
import type { Task } from "../util/tasks.js";

/** An item that is in no item of the outer list: a name with dots leads past these. */
const NOWHERE = 0xffffffff;
/** Items looked at between two pauses. */
const PAUSE_EVERY = 1 << 15;

/** The items at one path, as they are seen from the records, or from the items of an outer list. */
export interface ItemTable {
  readonly size: number;
  /** The record, or the item of the outer list, that each item is in; the records ascend. */
  readonly holders: Uint32Array;
  /** The place of each item in the list of its record, from 0. */
  readonly places: Uint32Array;
}

/** The bytes of a table. */
export function bytesOfTable({ holders, places }: ItemTable): number {
  return holders.byteLength + places.byteLength;
}

/** Finds the items at one path of one record after the other. */
export class ItemFinder {
  private readonly steps: readonly string[];
  /** The number of steps to the items of the outer list; 0: items are seen from records. */
  private readonly outerSteps: number;
  private readonly holders = new GrowableUint32();
  private readonly places = new GrowableUint32();
  private items: JsonRecord[] = [];
  private place = 0;
  private outerCount = 0;

  /** `outer`: the list from whose items the path is seen, which is its beginning; "": from records. */
  constructor(path: string, outer: string) {
    this.steps = path.split(".");
    this.outerSteps = outer === "" ? 0 : outer.split(".").length;
  }

  /** The items found so far. */
  get size(): number {
    return this.holders.length;
  }

  /** The items of a record. */
  find(record: JsonRecord, doc: LocalDoc): readonly JsonRecord[] {
    this.items = [];
    this.place = 0;
    this.walk(record, 0, this.outerSteps === 0 ? doc : NOWHERE);
    return this.items;
  }

  /** The table of all items; undefined: there is none. */
  table(): ItemTable | undefined {
    const { size, holders, places } = this;
    return size === 0 ? undefined : { size, holders: holders.toArray(), places: places.toArray() };
  }

  private walk(value: JsonValue, at: number, holder: number): void {
    if (Array.isArray(value)) for (const item of value) this.walk(item, at, holder);
    else if (at === this.steps.length) this.take(value, holder);
    else if (typeof value === "object" && value !== null) {
      const within = at > 0 && at === this.outerSteps ? this.outerCount++ : holder;
      for (const name of Object.keys(value)) {
        const steps = this.stepsOf(name, at);
        if (steps > 0) this.walk((value as JsonRecord)[name]!, at + steps, within);
      }
    }
  }

  private take(value: JsonValue, holder: number): void {
    const place = this.place++;
    if (typeof value !== "object" || value === null) return;
    this.items.push(value as JsonRecord);
    this.holders.push(holder);
    this.places.push(place);
  }

  /** How many of the steps from `at` on a name is; 0: none. */
  private stepsOf(name: string, at: number): number {
    if (name === this.steps[at]) return 1;
    if (!name.includes(".")) return 0;
    const own = name.split(".");
    return own.every((step, i) => step === this.steps[at + i]) ? own.length : 0;
  }
}

/** Scratch: some items of a set. */
const LISTED = new Uint32Array(PAUSE_EVERY);

/** What holds some items, as a new set. */
export function* holdersOf(items: DocSet<LocalDoc>, { holders }: ItemTable, count: number): Task<DocSet<LocalDoc>> {
  const held = new DocSet<LocalDoc>(count);
  for (let from = 0; from < items.size; from += PAUSE_EVERY) {
    const listed = items.listWithin(from, Math.min(items.size, from + PAUSE_EVERY), LISTED);
    addHolders(held, holders.subarray(from), listed);
    yield;
  }
  return held;
}

/** The items whose holders are in a set, as a new set. */
export function* itemsIn(docs: DocSet<LocalDoc>, { size, holders }: ItemTable): Task<DocSet<LocalDoc>> {
  const items = new DocSet<LocalDoc>(size);
  for (let from = 0; from < size; from += PAUSE_EVERY) {
    addItems(items, holders, docs, from, Math.min(size, from + PAUSE_EVERY));
    yield;
  }
  return items;
}

// The long loops stand in plain functions: V8 optimises these better than generators.

function addHolders(held: DocSet<LocalDoc>, holders: Uint32Array, listed: number): void {
  for (let i = 0; i < listed; i++) {
    const holder = holders[LISTED[i]!]!;
    if (holder !== NOWHERE) held.add(holder as LocalDoc);
  }
}

function addItems(
  items: DocSet<LocalDoc>,
  holders: Uint32Array,
  docs: DocSet<LocalDoc>,
  from: number,
  to: number,
): void {
  for (let item = from; item < to; item++) {
    const holder = holders[item]!;
    if (holder !== NOWHERE && docs.has(holder as LocalDoc)) items.add(item as LocalDoc);
  }
}
