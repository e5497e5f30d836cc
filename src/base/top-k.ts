// The k best of many without sorting all: a binary heap whose root is the worst that is kept.

/** True when document `a` comes before document `b`; must be a strict total order. */
export type Before = (a: number, b: number) => boolean;

/** The first `k` of `docs` in the order of `before`, in that order. O(n log k) time, O(k) space; `docs` is left alone. */
export function topK(docs: ArrayLike<number>, k: number, before: Before): number[] {
  const heap: number[] = [];
  if (k <= 0) return heap;
  for (let i = 0; i < docs.length; i++) {
    const doc = docs[i]!;
    if (heap.length < k) pushUp(heap, doc, before);
    else if (before(doc, heap[0]!)) {
      heap[0] = doc;
      sinkDown(heap, before);
    }
  }
  return heap.sort((a, b) => (before(a, b) ? -1 : 1));
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
