// Arrays of numbers that grow by doubling, so a push has constant amortised cost.
/** A copy of numbers below `end` in the narrowest element type. */
export function narrowed(numbers, end) {
    if (end <= 1 << 8)
        return new Uint8Array(numbers);
    return end <= 1 << 16 ? new Uint16Array(numbers) : numbers.slice();
}
/** A growing array of unsigned 32-bit integers. */
export class GrowableUint32 {
    length = 0;
    items;
    /** `expected` items fit without growing. Memory that is never touched costs nothing. */
    constructor(expected = 256) {
        this.items = new Uint32Array(Math.max(1, expected));
    }
    push(value) {
        if (this.length === this.items.length)
            this.grow();
        this.items[this.length++] = value;
    }
    /** Pushes the items `from` … `end` - 1 of `source`. */
    pushFrom(source, from, end) {
        let to = this.length;
        this.length += end - from;
        while (this.length > this.items.length)
            this.grow();
        const { items } = this;
        for (let at = from; at < end; at++)
            items[to++] = source[at];
    }
    /** The backing array, which may be longer than `length`; valid until the next push. */
    get array() {
        return this.items;
    }
    /** A copy of the items. */
    toArray() {
        return this.items.slice(0, this.length);
    }
    grow() {
        const larger = new Uint32Array(this.items.length * 2);
        larger.set(this.items);
        this.items = larger;
    }
}
