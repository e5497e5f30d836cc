// The order of hits: by the query's sort attributes, then by score, then by custom ranking, then by id. Grouping keeps the best
// of each group in this order. Pinned hits stand at places of the whole list, across pages, and the others around them.

import { letterSize } from "../../analysis/quantity/quantity-spellings.js";
import type { KeyOfText } from "../../analysis/sort-keys.js";
import {
  type AttributeValue,
  compareByKeys,
  compareKeys,
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

/** What a hit is ordered by: the value of each key in turn, then its id. */
export interface PlaceKey {
  readonly values: readonly (AttributeValue | undefined)[];
  readonly id: string;
}

/** An order of hits, which are named by their places in a list of matches. */
export interface HitOrder {
  readonly before: Before;
  readonly keyOf: (place: number) => PlaceKey;
  /** Whether hits stand behind a key, which need not be that of a hit. */
  readonly areBehind: (key: PlaceKey) => (place: number) => boolean;
}

/** What an order is made from. */
export interface OrderContext {
  readonly snapshot: BoundedSnapshot;
  /** null: the values of all items count. */
  readonly items?: MatchingItems | null;
  /** Default: empty. */
  readonly sizes?: LetterSizes;
}

/** By attribute: whether its texts are ordered as sizes in letters. What is not in it is found out, and added. */
export type LetterSizes = Map<string, boolean>;

/** The order of hits, some of which may be sorted and stand before the others. */
export function* orderWithFirst(
  matches: Pick<ScoredDocs, "docs" | "scores">,
  { sort, first }: { readonly sort: readonly SortAttribute[]; readonly first: DocSet },
  rules: OrderRules,
  context: OrderContext,
): Task<HitOrder> {
  const sorted = yield* orderOf(matches, sort, rules, context);
  const others = yield* orderOf(matches, [], rules, context);
  const orderAt = (place: number): HitOrder => (first.has(place) ? sorted : others);
  return {
    before: (a, b) => {
      const isFirst = first.has(a);
      return isFirst === first.has(b) ? orderAt(a).before(a, b) : isFirst;
    },
    keyOf: (place) => {
      const { values, id } = orderAt(place).keyOf(place);
      return { values: [first.has(place), ...values], id };
    },
    areBehind: ({ values: [wasFirst, ...values], id }) => {
      const isBehind = (wasFirst === true ? sorted : others).areBehind({ values, id });
      return (place) => (first.has(place) === wasFirst ? isBehind(place) : !first.has(place));
    },
  };
}

/** The order of hits. */
export function* orderOf(
  matches: Pick<ScoredDocs, "docs" | "scores">,
  sort: readonly SortAttribute[],
  { customRanking, keyOfText }: OrderRules,
  { snapshot, items = null, sizes = new Map() }: OrderContext,
): Task<HitOrder> {
  const { docs, scores } = matches;
  const sorting = yield* sortKeys(sort, matches, { snapshot, items, sizes, keyOfText });
  const ranking = yield* sortKeys(customRanking, matches, { snapshot, items: null, sizes, keyOfText });
  const bySort = compareByKeys(sorting);
  const byCustomRanking = compareByKeys(ranking);
  const keys: readonly SortKey[] = [...sorting, { direction: "desc", keyOf: (place) => scores[place] }, ...ranking];
  return {
    before: (a, b) => {
      const order = bySort(a, b) || scores[b]! - scores[a]! || byCustomRanking(a, b);
      return order !== 0 ? order < 0 : snapshot.idBefore(docs[a]!, docs[b]!);
    },
    keyOf: (place) => ({ values: keys.map(({ keyOf }) => keyOf(place)), id: snapshot.idOf(docs[place]!) }),
    areBehind:
      ({ values, id }) =>
      (place) => {
        for (let at = 0; at < keys.length; at++) {
          const { keyOf, direction } = keys[at]!;
          const order = compareKeys(keyOf(place), values[at], direction);
          // In a sorted list, the last hit itself stays where it was when a write changes its score.
          const isScore = at === sorting.length && at > 0;
          if (order !== 0 && (!isScore || snapshot.idOf(docs[place]!) !== id)) return order > 0;
        }
        return snapshot.idOf(docs[place]!) > id;
      },
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

type SortContext = Pick<OrderRules, "keyOfText"> & Required<OrderContext>;

/** The keys of an attribute by place, looked up once because they are compared often. Segments follow each other because records ascend. */
function* sortKey(
  order: SortAttribute,
  docs: DocArray<Doc>,
  { snapshot, items, keyOfText, sizes }: SortContext,
): Task<SortKey> {
  const { attribute, direction, center } = order;
  if (center === undefined && !sizes.has(attribute)) sizes.set(attribute, yield* areLetterSizes(attribute, snapshot));
  const areSizes = center === undefined && sizes.get(attribute) === true;
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

/** What names the group of a record; undefined: it is a group of its own. */
export function groupValueOf(snapshot: BoundedSnapshot, attribute: string, doc: Doc): AttributeValue | undefined {
  const { segment, base } = snapshot.segmentOf(doc);
  return leastValue(columnOf(segment, attribute), toLocal(base, doc));
}

/** The number of each record's group; a record without the attribute is a group of its own. */
export function groupsOf(snapshot: BoundedSnapshot, attribute: string): (doc: Doc) => number {
  const numbers = new Map<AttributeValue, number>();
  const alone = new Map<Doc, number>();
  let count = 0;
  return (doc) => {
    const value = groupValueOf(snapshot, attribute, doc);
    const known = value === undefined ? alone.get(doc) : numbers.get(value);
    if (known !== undefined) return known;
    if (value === undefined) alone.set(doc, count);
    else numbers.set(value, count);
    return count++;
  };
}

/** The numbers of the groups of some records, by place. */
export function* groupNumbers(docs: DocArray<Doc>, groupOf: (doc: Doc) => number): Task<Uint32Array> {
  const numbers = new Uint32Array(docs.length);
  for (let place = 0; place < docs.length; place++) {
    if ((place + 1) % PAUSE_EVERY === 0) yield;
    numbers[place] = groupOf(docs[place]!);
  }
  return numbers;
}

/** The best place of each group, or its pinned one, in any order. `groups`: the number of each place's group. */
export function* bestOfGroups(
  groups: Uint32Array,
  before: Before,
  pinned: readonly { readonly place: number }[] = [],
): Task<Uint32Array> {
  const best = new Map<number, number>(pinned.map(({ place }) => [groups[place]!, place]));
  const fixed = new Set(best.keys());
  for (let place = 0; place < groups.length; place++) {
    if ((place + 1) % PAUSE_EVERY === 0) yield;
    const group = groups[place]!;
    const leader = best.get(group);
    if (leader === undefined || (!fixed.has(group) && before(place, leader))) best.set(group, place);
  }
  return Uint32Array.from(best.values());
}

/** A group that a page shows. */
export interface ShownGroup {
  /** What names it; null: its one record has no value. */
  readonly value: AttributeValue | null;
  readonly nbRecords: number;
  /** Places of its best records behind the one that is shown for it. */
  readonly others: readonly number[];
}

/** The groups of some hits, each with its best other records, so many at most. */
export function* groupsAround(
  shown: readonly number[],
  groups: Uint32Array,
  valueAt: (place: number) => AttributeValue | undefined,
  most: number,
  before: Before,
): Task<readonly ShownGroup[]> {
  const members = new Map<number, number[]>(shown.map((place) => [groups[place]!, []]));
  for (let place = 0; place < groups.length; place++) {
    if ((place + 1) % PAUSE_EVERY === 0) yield;
    members.get(groups[place]!)?.push(place);
  }
  const found: ShownGroup[] = [];
  for (const place of shown) {
    const all = members.get(groups[place]!)!;
    const others = Uint32Array.from(all).filter((one) => one !== place);
    const value = valueAt(place) ?? null;
    found.push({ value, nbRecords: all.length, others: yield* atRanks(others, 0, most, before) });
    yield;
  }
  return found;
}

/** A hit by its place among the matches, and the place of the whole list where it shall stand. */
export interface Pinned {
  readonly place: number;
  readonly position: number;
  /** Its number among all that rules promote, whether they are there or not. */
  readonly nth: number;
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
  const fixed = endingAt(nbHits - pinned.length, yield* placed(pinned));
  const countBefore = (at: number): number => partitionPoint(0, fixed.length, (i) => fixed[i]!.at < at);
  const [first, end] = [countBefore(from), countBefore(to)];
  const ranked = yield* atRanks(others, from - first, to - end, before);
  return mergedFrom(from, to - from, fixed.slice(first, end), ranked);
}

/** Numbers from a first to a last one. */
export type Numbers = readonly [first: number, last: number];

/** Which pinned hits a walk has shown. Those that take places before others may go, or come, between two pages, so places do not tell. */
export interface ShownPins {
  /** The last place of one, as if the list had no end; -1: none was shown. */
  readonly at: number;
  /** The greatest number of one; -1: none was shown. */
  readonly nth: number;
  /** The numbers of those that were not shown by then because others had taken their positions. */
  readonly waiting: readonly Numbers[];
}

/** Where a walk through a list stands. */
export interface WalkState {
  /** How many hits were shown. */
  readonly shown: number;
  readonly pins: ShownPins;
  /** The key of the last other hit that was shown; null: none was. */
  readonly last: PlaceKey | null;
}

/** A page of a walk, and where it then stands; null: at the end. */
export interface WalkedPage {
  readonly page: readonly number[];
  readonly next: WalkState | null;
}

/**
 * The next hits of a walk: pinned ones at the places that they have from the first page on, or at the end, and others behind the key of the
 * last one. `hits`: all; at the start of a walk through `nbHits`, those that the page may show.
 */
export function* pageOfWalk(
  { shown, pins, last }: WalkState,
  { pinned, hits, nbHits }: { readonly pinned: readonly Pinned[]; readonly hits: Uint32Array; readonly nbHits: number },
  size: number,
  { before, keyOf, areBehind }: HitOrder,
): Task<WalkedPage> {
  const unpinned = yield* withoutPinned(hits, pinned);
  const others = last === null ? unpinned : yield* placesAmong(unpinned, areBehind(last));
  const left = (yield* placed(pinned)).filter(
    ({ position, at, nth }) => position > pins.at || areAmong(pins.waiting, nth) || (nth > pins.nth && at > pins.at),
  );
  const count = shown === 0 ? nbHits : others.length + left.length;
  const page = mergedFrom(shown, size, left, yield* atRanks(others, 0, size, before));
  if (page.length === 0 || page.length === count) return { page, next: null };
  const pinnedPlaces = new Set(left.map(({ place }) => place));
  const lastOther = page.findLast((place) => !pinnedPlaces.has(place));
  const key = lastOther === undefined ? last : keyOf(lastOther);
  return { page, next: { shown: shown + page.length, pins: yield* pinsShown(pins, left, page, pinned), last: key } };
}

/** Which pinned hits were shown when a page is, too, of those that were left. */
function* pinsShown(
  before: ShownPins,
  left: readonly (Pinned & Standing)[],
  page: readonly number[],
  pinned: readonly Pinned[],
): Task<ShownPins> {
  const onPage = new Set(page);
  const waits = new Set<number>();
  let { at, nth } = before;
  for (const one of left)
    if (onPage.has(one.place)) {
      at = Math.max(at, one.at);
      nth = Math.max(nth, one.nth);
    } else waits.add(one.place);
  yield;
  const waiting: [number, number][] = [];
  let isOpen = false;
  for (const one of pinned) {
    if (one.position > at) continue;
    const isFirst = !isOpen;
    isOpen = waits.has(one.place);
    if (isOpen && isFirst) waiting.push([one.nth, one.nth]);
    else if (isOpen) waiting.at(-1)![1] = one.nth;
  }
  return { at, nth, waiting };
}

/** Whether a number is in one of some ranges, which ascend. */
function areAmong(ranges: readonly Numbers[], nth: number): boolean {
  const range = ranges[partitionPoint(0, ranges.length, (i) => ranges[i]![1] < nth)];
  return range !== undefined && range[0] <= nth;
}

/** At most `size` hits from a place of a list on: the pinned ones at their places, or behind all others. */
function mergedFrom(
  from: number,
  size: number,
  pinned: readonly (Pinned & Standing)[],
  others: readonly number[],
): number[] {
  const page: number[] = [];
  for (let i = 0, next = 0; page.length < size && (i < pinned.length || next < others.length); ) {
    const isPinned = i < pinned.length && (next === others.length || pinned[i]!.at <= from + page.length);
    page.push(isPinned ? pinned[i++]!.place : others[next++]!);
  }
  return page;
}

/** The places that pass a test. */
export function* placesAmong(places: Uint32Array, test: (place: number) => boolean): Task<Uint32Array> {
  const found = new Uint32Array(places.length);
  let size = 0;
  for (let i = 0; i < places.length; i++) {
    if ((i + 1) % PAUSE_EVERY === 0) yield;
    if (test(places[i]!)) found[size++] = places[i]!;
  }
  return found.subarray(0, size);
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

/** Where something stands in the list. */
interface Standing {
  readonly at: number;
}

/** Where pinned hits stand in the end, among so many others. */
export function endingAt<P extends Standing>(others: number, pinned: readonly P[]): readonly P[] {
  return pinned.map((one, i) => ({ ...one, at: Math.min(one.at, others + i) }));
}

/** Where pinned hits stand in a list without an end, in this order. */
export function* placed<P extends Pick<Pinned, "position">>(pinned: readonly P[]): Task<readonly (P & Standing)[]> {
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
  const taken: (P & Standing)[] = [];
  for (const [i, one] of pinned.entries()) {
    if ((i + 1) % PINNED_AT_ONCE === 0) yield;
    taken.push({ ...one, at: freeFrom(one.position) });
  }
  return yield* sortWithPauses(taken, (a, b) => a.at - b.at);
}
