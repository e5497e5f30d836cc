// Sorted sequences: binary search, merging, and sorting with pauses. Ranges are half-open.

import type { Task } from "./tasks.js";

/**
 * The first index from `from` on at which `isBefore` is false, or `to` if there is none. `isBefore` must be true up to some index
 * and false from there on.
 *
 * @example
 * partitionPoint(0, names.length, (i) => names[i]! < "m"); // the number of names before "m"
 */
export function partitionPoint(from: number, to: number, isBefore: (index: number) => boolean): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first index in `from` to `to - 1` of an ascending array whose value is at least `value`, or `to`. */
export function lowerBound(values: Uint32Array, value: number, from = 0, to: number = values.length): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index of a value in an ascending array, or -1. */
export function indexOfSorted(values: Uint32Array, value: number): number {
  const at = lowerBound(values, value);
  return values[at] === value ? at : -1;
}

const PAUSE_EVERY = 1024;
const RUN = 1024;

/** Merges sorted runs into one sorted list. Stable: among equal items, those of earlier runs come first. O(n log runs). */
export function* mergeRuns<T>(runs: readonly (readonly T[])[], compare: (a: T, b: T) => number): Task<readonly T[]> {
  let level = runs;
  while (level.length > 1) {
    const next: (readonly T[])[] = [];
    for (let i = 0; i < level.length; i += 2)
      next.push(i + 1 < level.length ? yield* mergeTwo(level[i]!, level[i + 1]!, compare) : level[i]!);
    level = next;
  }
  return level[0] ?? [];
}

/** Sorts a list with pauses; stable. */
export function* sortWithPauses<T>(items: readonly T[], compare: (a: T, b: T) => number): Task<readonly T[]> {
  const runs: T[][] = [];
  for (let i = 0; i < items.length; i += RUN) {
    runs.push(items.slice(i, i + RUN).sort(compare));
    yield;
  }
  return yield* mergeRuns(runs, compare);
}

/** A binary heap of sorted runs, ordered by their next items. */
export class RunHeads {
  private readonly heap: number[] = [];
  private readonly isBefore: (a: number, b: number) => boolean;

  /** `runs`: the numbers of the non-empty runs. `isBefore` compares the next items of two runs. */
  constructor(runs: readonly number[], isBefore: (a: number, b: number) => boolean) {
    this.isBefore = isBefore;
    this.heap = [...runs];
    for (let at = this.heap.length >>> 1; at-- > 0; ) this.sink(at);
  }

  /** The run with the least next item; undefined if all runs have ended. */
  get least(): number | undefined {
    return this.heap[0];
  }

  /** Call this after taking the next item of the least run. */
  taken(hasMore: boolean): void {
    if (!hasMore) {
      const last = this.heap.pop()!;
      if (this.heap.length === 0) return;
      this.heap[0] = last;
    }
    this.sink(0);
  }

  private sink(from: number): void {
    const { heap } = this;
    const run = heap[from]!;
    let at = from;
    for (let child = 2 * at + 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && this.isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!this.isBefore(heap[child]!, run)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = run;
  }
}

/** The order of ids, names and terms: by code unit, as `<` compares strings. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function* mergeTwo<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): Task<readonly T[]> {
  const merged: T[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const fromA = j >= b.length || (i < a.length && compare(a[i]!, b[j]!) <= 0);
    merged.push(fromA ? a[i++]! : b[j++]!);
    if (merged.length % PAUSE_EVERY === 0) yield;
  }
  return merged;
}

/** Texts between two pauses. */
const DISTINCT_AT_ONCE = 1 << 15;

/** The different texts by code unit, with pauses. */
export function* sortDistinct(texts: readonly string[]): Task<string[]> {
  const distinct: string[] = [];
  for (const [i, text] of (yield* sortWithPauses(texts, byCodeUnit)).entries()) {
    if (i % DISTINCT_AT_ONCE === 0) yield;
    if (text !== distinct.at(-1)) distinct.push(text);
  }
  return distinct;
}

/** The n-th number, from 1, of several ascending lists together. */
export function nthOfSorted(lists: readonly Float64Array[], n: number): number {
  const countUpTo = (number: number): number =>
    lists.reduce((sum, list) => sum + partitionPoint(0, list.length, (i) => list[i]! <= number), 0);
  let nth = Number.POSITIVE_INFINITY;
  for (const list of lists) {
    const at = partitionPoint(0, list.length, (i) => countUpTo(list[i]!) < n);
    if (at < list.length && list[at]! < nth) nth = list[at]!;
  }
  return nth;
}
