// The records that a call names as examples of what shall be found: read from what the caller passed, and found in the index with
// those of their groups.

import { leastValue } from "../docvalues/doc-values.js";
import type { AttributeValue } from "../docvalues/filter.js";
import type { BoundedSnapshot } from "../index/bounded-snapshot.js";
import { type ColumnReferences, columnOf, ensureColumns, passFilter } from "../index/column-store.js";
import { readRecordId } from "../index/read-batch.js";
import { takeItems, takeProperties } from "../input/plain-data.js";
import type { CheckedParams } from "../input/read-params.js";
import { type Doc, toLocal } from "../util/doc.js";
import { DocSet } from "../util/doc-set.js";
import { SearchError } from "../util/errors.js";
import { has } from "../util/json.js";
import type { Limits } from "../util/limits.js";
import { show } from "../util/show.js";
import type { Task } from "../util/tasks.js";

/** Ids of records, each a string or an integer. */
type RecordIds = readonly (string | number)[];

/** What hits shall be like: one record, some, or some and not others. 1 to 100 ids in `like`, at most 100 in `unlike`. */
export type SimilarTo =
  | string
  | number
  | RecordIds
  | { readonly like: RecordIds; readonly unlike?: RecordIds | undefined };

/** The ids of the records that hits shall be like, and of those that they shall not be like. */
export interface NamedIds {
  readonly like: readonly string[];
  readonly unlike: readonly string[];
}

const MOST_IDS = 100;

/** Reads what hits shall be like. Throws 400 `invalid_id`. */
export function readNamedIds(given: unknown, limits: Limits): NamedIds {
  if (typeof given !== "object" || given === null) return { like: [readOne("of", given, limits)], unlike: [] };
  const items = takeIds("of", given, 1);
  if (items !== undefined) return { like: readAll("of", items, limits), unlike: [] };
  const { like, unlike, ...others } = takeProperties(given, { what: "of", error: "invalid_id" });
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw wrong("of", `of holds ${show(unknown)}; pass an id, a list of ids, or { like, unlike }.`);
  const liked = readList("of.like", like, 1, limits);
  return { like: liked, unlike: unlike === undefined ? [] : readList("of.unlike", unlike, 0, limits) };
}

function readList(name: string, given: unknown, least: number, limits: Limits): string[] {
  const items = takeIds(name, given, least);
  return items === undefined ? refuseList(name, show(given), least) : readAll(name, items, limits);
}

/** The items of a list; undefined: it is none. */
function takeIds(name: string, given: unknown, least: number): readonly unknown[] | undefined {
  const items = takeItems(given, MOST_IDS, (length) => refuseList(name, `a list of ${length} ids`, least));
  return items !== undefined && items.length < least ? refuseList(name, "an empty list", least) : items;
}

function refuseList(name: string, found: string, least: number): never {
  throw wrong(name, `${name} is ${found}; pass a list of ${least} to ${MOST_IDS} ids.`);
}

function readAll(name: string, items: readonly unknown[], limits: Limits): string[] {
  return items.map((item, i) => readOne(`${name}[${i}]`, item, limits));
}

function readOne(name: string, given: unknown, limits: Limits): string {
  const read = readRecordId(given, limits);
  if (has(read, "id")) return read.id;
  throw wrong(name, `${name} ${read.complaint}.`);
}

function wrong(param: string, msg: string): SearchError {
  return new SearchError(400, "invalid_id", msg, { param });
}

/** The records that were named. */
export interface NamedRecords {
  /** In the order of their ids, each once. */
  readonly like: readonly Doc[];
  readonly unlike: readonly Doc[];
  /** All of them, and those of their groups: none of these is found. */
  readonly leftOut: DocSet<Doc>;
}

/** What finding them depends on. */
export interface NamedContext {
  readonly snapshot: BoundedSnapshot;
  readonly attributeForDistinct: string | null;
  /** Keeps the columns in memory. */
  readonly columnReferences: ColumnReferences;
}

/** Finds the records. Throws 404 `record_not_found`. */
export function* findNamed(
  { like, unlike }: NamedIds,
  { distinct }: Pick<CheckedParams, "distinct">,
  { snapshot, attributeForDistinct, columnReferences }: NamedContext,
): Task<NamedRecords> {
  const find = (id: string): Doc => {
    const doc = snapshot.find(id);
    if (doc >= 0) return doc;
    const msg = `of names ${show(id)}, but there is no record with this id.`;
    throw new SearchError(404, "record_not_found", msg, { param: "of" });
  };
  const inOrder = (ids: readonly string[]): Doc[] => [...new Set(ids)].sort((a, b) => (a < b ? -1 : 1)).map(find);
  const found = { like: inOrder(like), unlike: inOrder(unlike) };
  const named = [...found.like, ...found.unlike];
  const leftOut = new DocSet<Doc>(snapshot.docSpan).addAll(named);
  if (attributeForDistinct !== null && distinct !== false) {
    yield* ensureColumns(snapshot, [attributeForDistinct], columnReferences);
    leftOut.addAll(yield* inGroupsOf(named, attributeForDistinct, snapshot));
  }
  return { ...found, leftOut };
}

/** Groups looked up between two pauses. */
const PAUSE_EVERY = 1 << 13;

/** The records of the same groups as these. A record without the attribute is a group of its own. */
function* inGroupsOf(named: readonly Doc[], attribute: string, snapshot: BoundedSnapshot): Task<Doc[]> {
  const groupOf = (doc: Doc): AttributeValue | undefined => {
    const { segment, base } = snapshot.segmentOf(doc);
    return leastValue(columnOf(segment, attribute), toLocal(base, doc));
  };
  const groups = new Set(named.map(groupOf));
  const values = [...groups].filter((value) => value !== undefined);
  const found: Doc[] = [];
  // Of several values the least is that of the group.
  const holders = (yield* passFilter({ kind: "in", attribute, values }, snapshot)).toArray();
  for (const [i, doc] of holders.entries()) {
    if ((i + 1) % PAUSE_EVERY === 0) yield;
    if (groups.has(groupOf(doc as Doc))) found.push(doc as Doc);
  }
  return found;
}
