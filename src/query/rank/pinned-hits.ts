// Hits that stand at places of the whole list, across pages, and the others around them.

import type { Doc, DocArray } from "../../util/doc.js";
import { DocSet } from "../../util/doc-set.js";
import { partitionPoint, sortWithPauses } from "../../util/sorted.js";
import type { Task } from "../../util/tasks.js";
import { atRanks, type Before } from "../../util/top-k.js";

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

/** What a page is cut from. */
export interface WholeList {
  /** The first and last place of the page, the last one excluded. */
  readonly from: number;
  readonly to: number;
  readonly nbHits: number;
  readonly before: Before;
}

/**
 * The page of a list in which each pinned hit stands at the first free place from its position on, and the other hits in the places left;
 * what would stand behind the end stands at the end. `hits`: all, or those that the page may show.
 */
export function* pageAround(
  pinned: readonly Pinned[],
  hits: Uint32Array,
  { from, to, nbHits, before }: WholeList,
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

/** Hits looked at between two pauses. */
const PAUSE_EVERY = 1 << 16;
/** Pinned ones among them. */
const PINNED_AT_ONCE = 1 << 12;

function* withoutPinned(hits: Uint32Array, pinned: readonly Pinned[]): Task<Uint32Array> {
  const isPinned = new DocSet(pinned.reduce((most, { place }) => Math.max(most, place + 1), 0));
  for (const { place } of pinned) isPinned.add(place);
  yield;
  const others = new Uint32Array(hits.length);
  let size = 0;
  for (let i = 0; i < hits.length; i++) {
    if ((i + 1) % PAUSE_EVERY === 0) yield;
    if (!isPinned.has(hits[i]!)) others[size++] = hits[i]!;
  }
  return others.subarray(0, size);
}

/** Where the pinned hits stand in the end, among so many others. */
function* placedIn(
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
