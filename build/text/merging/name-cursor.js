// One table of names, name after name, beside others: names are compared as the bytes they are, never as texts.
import { numberAt } from "../ascending.js";
/** The first characters as one number, which tells most names apart. */
const KEY_UNITS = 6;
/** Characters from this one on are not told apart by it, nor is what stands behind them. */
const GREAT = 0xff;
/** By how many characters a key has: what makes it one of all. */
const POWERS = Float64Array.from({ length: KEY_UNITS + 1 }, (_, units) => 256 ** (KEY_UNITS - units));
/** Goes through the names of a table in their order. */
export class NameCursor {
    /** The present name's; -1 before the first. */
    number = -1;
    table;
    bytes;
    from = 0;
    to = 0;
    isWide = false;
    /** Orders names as they are ordered, where it differs. */
    key = 0;
    constructor(table) {
        this.table = table;
        this.bytes = table.parts.characters;
    }
    /** Goes to the next name; false: there is none. */
    next() {
        const { offsets, wide, size } = this.table.parts;
        if (++this.number >= size)
            return false;
        this.from = this.to;
        this.to = numberAt(offsets, this.number + 1);
        this.isWide = ((wide[this.number >>> 5] >>> (this.number & 31)) & 1) === 1;
        this.key = this.isWide ? this.wideKey() : this.narrowKey();
        return true;
    }
    /** Goes to where another stands, be it in another table. */
    follow(other) {
        this.table = other.table;
        this.bytes = other.bytes;
        this.number = other.number;
        this.from = other.from;
        this.to = other.to;
        this.isWide = other.isWide;
        this.key = other.key;
    }
    /** Below 0: the present name comes before another's. */
    compare(other) {
        return this.key - other.key || this.compareUnits(other);
    }
    /** Adds the present name to others. */
    write(names) {
        names.addBytes(this.bytes, [this.from, this.to], this.isWide);
    }
    compareUnits(other) {
        const length = this.length;
        const otherLength = other.length;
        const shared = Math.min(length, otherLength);
        for (let at = 0; at < shared; at++) {
            const difference = this.unitAt(at) - other.unitAt(at);
            if (difference !== 0)
                return difference;
        }
        return length - otherLength;
    }
    get length() {
        return this.isWide ? (this.to - this.from) >>> 1 : this.to - this.from;
    }
    unitAt(at) {
        const { bytes, from } = this;
        return this.isWide ? bytes[from + 2 * at] | (bytes[from + 2 * at + 1] << 8) : bytes[from + at];
    }
    narrowKey() {
        const { bytes, from } = this;
        const length = Math.min(KEY_UNITS, this.to - from);
        let key = 0;
        let at = 0;
        while (at < length) {
            const unit = bytes[from + at++];
            key = key * 256 + unit;
            if (unit === GREAT)
                break;
        }
        return key * POWERS[at];
    }
    wideKey() {
        const length = Math.min(KEY_UNITS, this.length);
        let key = 0;
        let at = 0;
        while (at < length) {
            const unit = Math.min(GREAT, this.unitAt(at++));
            key = key * 256 + unit;
            if (unit === GREAT)
                break;
        }
        return key * POWERS[at];
    }
}
