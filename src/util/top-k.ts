// The first k of many, or those at given ranks, without sorting all: a binary heap whose root is the last one kept, or quickselect
// (Hoare, "Algorithm 65: Find", 1961).

import { runTaskAtOnce, type Task } from "./tasks.js";

/** True when document `a` comes before document `b`; must be a strict total order. */
export type Before = (a: number, b: number) => boolean;

/** Comparisons between two pauses. */
const PAUSE_EVERY = 1 << 14;

/** The first `k` of `docs` in the order of `before`, in that order. O(n log k) time, O(k) space; `docs` is not changed. */
export function topK(docs: ArrayLike<number>, k: number, before: Before): number[] {
  return runTaskAtOnce(topKInSteps(docs, k, before));
}

/** The same, with pauses. */
export function* topKInSteps(docs: ArrayLike<number>, k: number, before: Before): Task<number[]> {
  const heap: number[] = [];
  if (k <= 0) return heap;
  for (let i = 0; i < docs.length; i++) {
    if ((i + 1) % PAUSE_EVERY === 0) yield;
    const doc = docs[i]!;
    if (heap.length < k) pushUp(heap, doc, before);
    else if (before(doc, heap[0]!)) {
      heap[0] = doc;
      sinkDown(heap, before);
    }
  }
  return heap.sort((a, b) => (before(a, b) ? -1 : 1));
}

/** A heap of more than this share of all is slower than quickselect. */
const MAX_HEAP_SHARE = 1 / 32;

/** The documents at the ranks `from` … `to` - 1 of `docs` in the order of `before`, in that order. `docs` is not changed. */
export function* atRanks(docs: Uint32Array, from: number, to: number, before: Before): Task<number[]> {
  const last = Math.min(to, docs.length);
  if (from >= last) return [];
  if (last <= docs.length * MAX_HEAP_SHARE) return (yield* topKInSteps(docs, last, before)).slice(from);
  const placed = docs.slice();
  if (from > 0) yield* quickselect(placed, from, 0, before);
  if (last < placed.length) yield* quickselect(placed, last, from, before);
  return [...placed.subarray(from, last)].sort((a, b) => (before(a, b) ? -1 : 1));
}

/** Moves the documents before a rank to the front of `docs`; the first `low` stay in place. */
function* quickselect(docs: Uint32Array, rank: number, low: number, before: Before): Task<void> {
  let high = docs.length - 1;
  // An adversarial order could take one step per document, so after too many steps the rest is sorted.
  for (let steps = 4 * Math.log2(docs.length) + 8; low < high; steps--) {
    if (steps < 0) {
      docs.subarray(low, high + 1).sort((a, b) => (before(a, b) ? -1 : 1));
      return;
    }
    const pivot = medianOfThree(docs, low, high, before);
    let i = low;
    let j = high;
    for (let pause = i + PAUSE_EVERY; i <= j; ) {
      while (i < pause && before(docs[i]!, pivot)) i++;
      if (i >= pause) {
        pause = i + PAUSE_EVERY;
        yield;
        continue;
      }
      while (before(pivot, docs[j]!)) j--;
      if (i > j) break;
      const doc = docs[i]!;
      docs[i++] = docs[j]!;
      docs[j--] = doc;
    }
    if (rank <= j) high = j;
    else if (rank >= i) low = i;
    else return;
  }
}

/** The median of three. They are not the ends, because those of sorted runs would be bad pivots. */
function medianOfThree(docs: Uint32Array, low: number, high: number, before: Before): number {
  const quarter = (high - low) >>> 2;
  const [a, b, c] = [docs[low + quarter]!, docs[(low + high) >>> 1]!, docs[high - quarter]!];
  const [less, more] = before(a, b) ? [a, b] : [b, a];
  return before(c, less) ? less : before(more, c) ? more : c;
}

function pushUp(heap: number[], doc: number, before: Before): void {
  let at = heap.length;
  heap.push(doc);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!before(heap[parent]!, doc)) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = doc;
}

function sinkDown(heap: number[], before: Before): void {
  const doc = heap[0]!;
  const size = heap.length;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= size) break;
    if (child + 1 < size && before(heap[child]!, heap[child + 1]!)) child++;
    if (!before(doc, heap[child]!)) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = doc;
}

/** Keeps the `capacity` greatest of the numbers that are added, in a heap whose root is the least one kept. */
export class GreatestNumbers {
  private readonly heap: Float64Array;
  private size = 0;

  constructor(capacity: number) {
    this.heap = new Float64Array(capacity);
  }

  /** The least number kept; minus infinity until the capacity is reached. */
  get least(): number {
    return this.size < this.heap.length || this.size === 0 ? Number.NEGATIVE_INFINITY : this.heap[0]!;
  }

  add(value: number): void {
    const { heap } = this;
    if (this.size === heap.length) {
      if (this.size > 0 && value > heap[0]!) this.sink(value);
      return;
    }
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]! <= value) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = value;
  }

  private sink(value: number): void {
    const { heap, size } = this;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && heap[child + 1]! < heap[child]!) child++;
      if (heap[child]! >= value) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = value;
  }
}
