// The order of hits: by the query's sort attributes, then by score, then by custom ranking, then by id. Grouping keeps the best
// of each group in this order. Pinned hits stand at places of the whole list, across pages, and the others around them.

import { letterSize } from "../../analysis/quantity/quantity-spellings.js";
import type { KeyOfText } from "../../analysis/sort-keys.js";
import {
  type AttributeValue,
  compareByKeys,
  type DocValues,
  isLiveOrdinal,
  leastValue,
  type SortDirection,
  type SortKey,
  sortKeyAt,
  type ValueKeys,
  valueKeysOf,
} from "../../docvalues/doc-values.js";
import { metresOf } from "../../docvalues/place.js";
import type { SortAttribute } from "../../input/parameter-table.js";
import type { BoundedSnapshot } from "../../state/bounded-snapshot.js";
import { columnOf } from "../../state/column-store.js";
import { type Doc, type DocArray, DocSet, type LocalDoc, toLocal } from "../../util/doc-set.js";
import { partitionPoint, sortWithPauses } from "../../util/sorted.js";
import type { Task } from "../../util/tasks.js";
import { atRanks, type Before } from "../../util/top-k.js";
import { type MatchingItems, readColumn } from "../prepare/matching-items.js";
import type { ScoredDocs } from "./fuse.js";

/** Records looked at between two pauses, or about so many values of records. */
const PAUSE_EVERY = 1 << 13;
/** Pinned hits looked at between two pauses, and hits of which most are not. */
const PINNED_AT_ONCE = 1 << 12;
const HITS_AT_ONCE = 1 << 16;

/** What orders hits besides the query's sort attributes. */
export interface OrderRules {
  readonly customRanking: readonly SortAttribute[];
  readonly keyOfText: KeyOfText;
}

/** The order of hits, some of which may be sorted and stand before the others. They are compared by their places in a list of matches. */
export function* orderWithFirst(
  matches: Pick<ScoredDocs, "docs" | "scores">,
  { sort, first }: { readonly sort: readonly SortAttribute[]; readonly first: DocSet },
  rules: OrderRules,
  snapshot: BoundedSnapshot,
  items: MatchingItems | null,
): Task<Before> {
  const sorted = yield* orderOf(matches, sort, rules, snapshot, items);
  const others = yield* orderOf(matches, [], rules, snapshot);
  return (a, b) => {
    const isFirst = first.has(a);
    return isFirst === first.has(b) ? (isFirst ? sorted : others)(a, b) : isFirst;
  };
}

/** The order of hits, which are compared by their places in a list of matches. */
export function* orderOf(
  matches: Pick<ScoredDocs, "docs" | "scores">,
  sort: readonly SortAttribute[],
  { customRanking, keyOfText }: OrderRules,
  snapshot: BoundedSnapshot,
  items: MatchingItems | null = null,
): Task<Before> {
  const bySort = compareByKeys(yield* sortKeys(sort, matches, { snapshot, items, keyOfText }));
  const byCustomRanking = compareByKeys(yield* sortKeys(customRanking, matches, { snapshot, items: null, keyOfText }));
  const { docs, scores } = matches;
  return (a, b) => {
    const order = bySort(a, b) || scores[b]! - scores[a]! || byCustomRanking(a, b);
    return order !== 0 ? order < 0 : snapshot.idBefore(docs[a]!, docs[b]!);
  };
}

function* sortKeys(
  attributes: readonly SortAttribute[],
  { docs, scores }: Pick<ScoredDocs, "docs" | "scores">,
  context: SortContext,
): Task<SortKey[]> {
  const keys: SortKey[] = [];
  for (const one of attributes) {
    const byScore: SortKey = { direction: one.direction, keyOf: (place) => scores[place] };
    keys.push(one.isScore ? byScore : yield* sortKey(one, docs, context));
  }
  return keys;
}

interface SortContext extends Pick<OrderRules, "keyOfText"> {
  readonly snapshot: BoundedSnapshot;
  readonly items: MatchingItems | null;
}

/** The keys of an attribute by place, looked up once because they are compared often. Segments follow each other because records ascend. */
function* sortKey(
  order: SortAttribute,
  docs: DocArray<Doc>,
  { snapshot, items, keyOfText }: SortContext,
): Task<SortKey> {
  const { attribute, direction, center } = order;
  const areSizes = center === undefined && (yield* areLetterSizes(attribute, snapshot));
  const found: (AttributeValue | undefined)[] = [];
  for (const [at, { segment, base }] of snapshot.segments.entries()) {
    const end = base + segment.size;
    const from = found.length;
    if (from === docs.length || docs[from]! >= end) continue;
    const hits = docs.subarray(
      from,
      partitionPoint(from, docs.length, (i) => docs[i]! < end),
    ) as DocArray<Doc>;
    const column = yield* readColumn({ snapshot, items }, at, attribute, () => setOf(hits, base, segment.size));
    if (column === undefined) for (const _ of hits) found.push(undefined);
    else if (center === undefined) {
      const keys = areSizes ? sizesOf(column) : yield* valueKeysOf(column, keyOfText);
      yield* addKeys(found, column, keys, { docs: hits, base, direction });
    } else
      for (const metres of yield* metresOf(column, hits, base, center))
        found.push(Number.isNaN(metres) ? undefined : metres);
    yield;
  }
  return { direction, keyOf: (place) => found[place] };
}

/** Whether all values of an attribute are sizes in letters: then they sort by size, not by the alphabet. */
function* areLetterSizes(attribute: string, snapshot: BoundedSnapshot): Task<boolean> {
  let isAny = false;
  for (const { segment, deletedDocs } of snapshot.segments) {
    const column = columnOf(segment, attribute);
    if (column === undefined) continue;
    const { values } = column;
    for (let ordinal = 0; ordinal < values.length; ordinal++) {
      if ((ordinal + 1) % PAUSE_EVERY === 0) yield;
      if (!isLiveOrdinal(column, ordinal, deletedDocs)) continue;
      const value = values[ordinal]!;
      if (typeof value !== "string" || letterSize(value) === undefined) return false;
      isAny = true;
    }
    yield;
  }
  return isAny;
}

/** The keys of a column of sizes in letters. */
function sizesOf({ values }: DocValues): ValueKeys {
  return { keys: values.map((value) => letterSize(String(value))), bytes: 0 };
}

/** The order of values that ascend: as hits are sorted by them, those that are equal there by code unit. */
export function* orderOfValues(
  attribute: string,
  snapshot: BoundedSnapshot,
  keyOfText: KeyOfText,
): Task<(value: AttributeValue) => AttributeValue | undefined> {
  const areSizes = yield* areLetterSizes(attribute, snapshot);
  return (value) => {
    if (typeof value !== "string") return value;
    return areSizes ? letterSize(value) : keyOfText(value);
  };
}

/** Records of a segment. */
function setOf(docs: DocArray<Doc>, base: number, size: number): DocSet<LocalDoc> {
  const found = new DocSet<LocalDoc>(size);
  for (const doc of docs) found.add(toLocal(base, doc as Doc));
  return found;
}

/** Adds what some records of a segment are sorted by. */
function* addKeys(
  found: (AttributeValue | undefined)[],
  column: DocValues,
  keys: ValueKeys,
  { docs, base, direction }: { readonly docs: DocArray<Doc>; readonly base: number; readonly direction: SortDirection },
): Task<void> {
  const { starts, ordinals } = column;
  const step = Math.ceil((PAUSE_EVERY * starts.length) / (starts.length + ordinals.length));
  for (let i = 0; i < docs.length; i++) {
    found.push(sortKeyAt(column, keys, toLocal(base, docs[i]!), direction));
    if ((i + 1) % step === 0) yield;
  }
}

/** The number of each record's group; a record without the attribute is a group of its own. */
export function groupsOf(snapshot: BoundedSnapshot, attribute: string): (doc: Doc) => number {
  const numbers = new Map<AttributeValue, number>();
  const alone = new Map<Doc, number>();
  let count = 0;
  return (doc) => {
    const { segment, base } = snapshot.segmentOf(doc);
    const value = leastValue(columnOf(segment, attribute), toLocal(base, doc));
    const known = value === undefined ? alone.get(doc) : numbers.get(value);
    if (known !== undefined) return known;
    if (value === undefined) alone.set(doc, count);
    else numbers.set(value, count);
    return count++;
  };
}

/** The best place of each group, or its pinned one, in any order. */
export function* bestOfGroups(
  { docs }: ScoredDocs,
  groupOf: (doc: Doc) => number,
  before: Before,
  pinned: readonly { readonly place: number }[] = [],
): Task<Uint32Array> {
  const best = new Map<number, number>(pinned.map(({ place }) => [groupOf(docs[place]!), place]));
  const fixed = new Set(best.keys());
  for (let place = 0; place < docs.length; place++) {
    if ((place + 1) % PAUSE_EVERY === 0) yield;
    const group = groupOf(docs[place]!);
    const leader = best.get(group);
    if (leader === undefined || (!fixed.has(group) && before(place, leader))) best.set(group, place);
  }
  return Uint32Array.from(best.values());
}

/** A hit by its place among the matches, and the place of the whole list where it shall stand. */
export interface Pinned {
  readonly place: number;
  readonly position: number;
}

/** Of several pinned hits of one group, the first. */
export function* firstOfGroups(
  pinned: readonly Pinned[],
  docs: DocArray<Doc>,
  groupOf: ((doc: Doc) => number) | undefined,
): Task<readonly Pinned[]> {
  if (groupOf === undefined) return pinned;
  const seen = new Set<number>();
  const first: Pinned[] = [];
  for (const [i, one] of pinned.entries()) {
    if ((i + 1) % PINNED_AT_ONCE === 0) yield;
    const group = groupOf(docs[one.place]!);
    if (!seen.has(group)) first.push(one);
    seen.add(group);
  }
  return first;
}

/**
 * The page of a list in which each pinned hit stands at the first free place from its position on, and the other hits in the places left;
 * what would stand behind the end stands at the end. `hits`: all, or those that the page may show.
 */
export function* pageAround(
  pinned: readonly Pinned[],
  hits: Uint32Array,
  {
    from,
    to,
    nbHits,
    before,
  }: { readonly from: number; readonly to: number; readonly nbHits: number; readonly before: Before },
): Task<readonly number[]> {
  if (from >= to) return [];
  const others = yield* withoutPinned(hits, pinned);
  const fixed = yield* placedIn(nbHits - pinned.length, pinned);
  const countBefore = (at: number): number => partitionPoint(0, fixed.length, (i) => fixed[i]!.at < at);
  const [first, end] = [countBefore(from), countBefore(to)];
  const ranked = yield* atRanks(others, from - first, to - end, before);
  const byPlace = new Map(fixed.slice(first, end).map(({ at, place }) => [at, place]));
  const page: number[] = [];
  for (let at = from, next = 0; at < to; at++) page.push(byPlace.get(at) ?? ranked[next++]!);
  return page;
}

function* withoutPinned(hits: Uint32Array, pinned: readonly Pinned[]): Task<Uint32Array> {
  const isPinned = new DocSet(pinned.reduce((most, { place }) => Math.max(most, place + 1), 0));
  for (const { place } of pinned) isPinned.add(place);
  yield;
  const others = new Uint32Array(hits.length);
  let size = 0;
  for (let i = 0; i < hits.length; i++) {
    if ((i + 1) % HITS_AT_ONCE === 0) yield;
    if (!isPinned.has(hits[i]!)) others[size++] = hits[i]!;
  }
  return others.subarray(0, size);
}

/** Where the pinned hits stand in the end, among so many others. */
export function* placedIn(
  others: number,
  pinned: readonly Pinned[],
): Task<readonly { readonly at: number; readonly place: number }[]> {
  /** Of a place that is taken, one behind it that may be free. */
  const next = new Map<number, number>();
  const freeFrom = (position: number): number => {
    let at = position;
    for (let behind = next.get(at); behind !== undefined; behind = next.get(at)) at = behind;
    for (let passed = position; passed !== at; ) {
      const behind = next.get(passed)!;
      next.set(passed, at);
      passed = behind;
    }
    next.set(at, at + 1);
    return at;
  };
  // The places behind it must be exact numbers too.
  const last = Number.MAX_SAFE_INTEGER - pinned.length;
  const taken: { readonly at: number; readonly place: number }[] = [];
  for (const [i, { place, position }] of pinned.entries()) {
    if ((i + 1) % PINNED_AT_ONCE === 0) yield;
    taken.push({ at: freeFrom(Math.min(position, last)), place });
  }
  const sorted = yield* sortWithPauses(taken, (a, b) => a.at - b.at);
  return sorted.map(({ at, place }, i) => ({ at: Math.min(at, others + i), place }));
}
