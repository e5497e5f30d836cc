// Arrays of numbers that grow by doubling, so a push has constant amortised cost, and lists by keys.

/** Unsigned integers in the narrowest element type that holds the greatest. */
export type NarrowArray = Uint8Array | Uint16Array | Uint32Array;

/** A copy of numbers below `end` in the narrowest element type. */
export function narrowed(numbers: Uint32Array, end: number): NarrowArray {
  if (end <= 1 << 8) return new Uint8Array(numbers);
  return end <= 1 << 16 ? new Uint16Array(numbers) : numbers.slice();
}

/** A growing array of unsigned 32-bit integers. */
export class GrowableUint32 {
  length = 0;
  private items: Uint32Array;

  /** `expected` items fit without growing. Memory that is never touched costs nothing. */
  constructor(expected = 256) {
    this.items = new Uint32Array(Math.max(1, expected));
  }

  push(value: number): void {
    if (this.length === this.items.length) this.grow();
    this.items[this.length++] = value;
  }

  /** The backing array, which may be longer than `length`; valid until the next push. */
  get array(): Uint32Array {
    return this.items;
  }

  /** A copy of the items. */
  toArray(): Uint32Array {
    return this.items.slice(0, this.length);
  }

  private grow(): void {
    const larger = new Uint32Array(this.items.length * 2);
    larger.set(this.items);
    this.items = larger;
  }
}

/** The list of a key, which is made if it is not there. */
export function listIn<K, V>(lists: Map<K, V[]>, key: K): V[] {
  let list = lists.get(key);
  if (list === undefined) {
    list = [];
    lists.set(key, list);
  }
  return list;
}
