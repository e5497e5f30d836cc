// The k-th greatest of numbers as they come: a binary heap of the k greatest, the least of them at its root.

/** Keeps the `k` greatest of the numbers it was offered. */
export class Greatest {
  private readonly heap: number[] = [];
  private readonly k: number;

  constructor(k: number) {
    this.k = k;
  }

  /** The k-th greatest so far; -Infinity before there are k. */
  get last(): number {
    return this.heap.length < this.k ? Number.NEGATIVE_INFINITY : (this.heap[0] ?? Number.POSITIVE_INFINITY);
  }

  /** O(log k). */
  offer(value: number): void {
    const { heap } = this;
    if (heap.length < this.k) this.pushUp(value);
    else if (value > heap[0]!) this.sinkDown(value);
  }

  private pushUp(value: number): void {
    const { heap } = this;
    let at = heap.length;
    heap.push(value);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]! <= value) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = value;
  }

  /** Puts the value in the root's place. */
  private sinkDown(value: number): void {
    const { heap } = this;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
      if (heap[child]! >= value) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = value;
  }
}
