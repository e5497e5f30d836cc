// The k greatest of a stream of numbers: a heap whose root is the least that is kept.

/** Keeps the `room` greatest numbers it is given. */
export class GreatestNumbers {
  private readonly heap: Float64Array;
  private size = 0;

  constructor(room: number) {
    this.heap = new Float64Array(room);
  }

  /** The least of them; minus infinity as long as there is room. */
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
