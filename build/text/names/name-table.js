// The terms of a segment, ascending by code unit, outside V8's heap: their characters one after the other, and a table of
// hashes that leads from a term to its number. A character takes one byte, in names with greater ones each takes two.
import { ascendingBytes, numberAt } from "../ascending.js";
import { hashOf } from "./name-hash.js";
/** An entry of the table of hashes that is none. */
export const EMPTY = 0xffff_ffff;
/** The code units of one name, to be read again and again without making strings. */
export class NameUnits {
    /** Those from `length` on mean nothing. */
    units = new Uint16Array(64);
    length = 0;
}
/** Distinct names by number, in order. */
export class NameTable {
    parts;
    offsets;
    wide;
    bytes;
    table;
    numberBits;
    constructor(parts) {
        this.parts = parts;
        this.offsets = parts.offsets;
        this.wide = parts.wide;
        const { buffer, byteOffset, byteLength } = parts.characters;
        this.bytes = Buffer.from(buffer, byteOffset, byteLength);
        this.table = parts.table;
        this.numberBits = parts.numberBits;
    }
    get size() {
        return this.parts.size;
    }
    /** Bytes of memory. */
    get byteLength() {
        return ascendingBytes(this.offsets) + this.wide.byteLength + this.bytes.byteLength + this.table.byteLength;
    }
    /** The number of a name; undefined: it is not here. */
    numberOf(name) {
        const { table } = this;
        const bits = this.numberBits;
        const hash = hashOf(name, this.parts.salt);
        const mark = markOf(hash, bits);
        for (let at = placeOf(hash, table.length); table[at] !== EMPTY; at = at + 1 === table.length ? 0 : at + 1) {
            const entry = table[at];
            const number = entry & ((1 << bits) - 1);
            if (entry >>> bits === mark && this.compare(number, name) === 0)
                return number;
        }
        return undefined;
    }
    /** The name with a number below `size`: a fresh string. */
    nameOf(number) {
        const from = numberAt(this.offsets, number);
        const to = numberAt(this.offsets, number + 1);
        return this.bytes.toString(this.isWideAt(number) ? "utf16le" : "latin1", from, to);
    }
    /** Reads the code units of the name with a number below `size`. */
    read(number, name) {
        const from = numberAt(this.offsets, number);
        const bytes = numberAt(this.offsets, number + 1) - from;
        const isWideName = this.isWideAt(number);
        name.length = isWideName ? bytes >>> 1 : bytes;
        if (name.length > name.units.length)
            name.units = new Uint16Array(2 * name.length);
        const { units, length } = name;
        for (let i = 0; i < length; i++)
            units[i] = isWideName ? this.bytes[from + 2 * i] | (this.bytes[from + 2 * i + 1] << 8) : this.bytes[from + i];
    }
    /** True when the name with a number below `size` begins with a text. */
    beginsWith(number, prefix) {
        return this.compare(number, prefix, prefix.length) === 0;
    }
    /** The first number whose name is not before `name`; `size`: all are. */
    firstFrom(name) {
        let low = 0;
        let high = this.size;
        while (low < high) {
            const middle = (low + high) >>> 1;
            if (this.compare(middle, name) < 0)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }
    /** The first number whose name is behind all that begin with `prefix`. */
    afterPrefix(prefix) {
        let low = this.firstFrom(prefix);
        let high = this.size;
        while (low < high) {
            const middle = (low + high) >>> 1;
            if (this.compare(middle, prefix, prefix.length) <= 0)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }
    /** Below 0: the name, or its first `most` characters, come before `text`. */
    compare(number, text, most = Number.POSITIVE_INFINITY) {
        const isWideName = this.isWideAt(number);
        const from = numberAt(this.offsets, number);
        const bytes = numberAt(this.offsets, number + 1) - from;
        const length = Math.min(most, isWideName ? bytes >>> 1 : bytes);
        const shared = Math.min(length, text.length);
        for (let i = 0; i < shared; i++) {
            const unit = isWideName
                ? this.bytes[from + 2 * i] | (this.bytes[from + 2 * i + 1] << 8)
                : this.bytes[from + i];
            const difference = unit - text.charCodeAt(i);
            if (difference !== 0)
                return difference;
        }
        return length - text.length;
    }
    isWideAt(number) {
        return ((this.wide[number >>> 5] >>> (number & 31)) & 1) === 1;
    }
}
/** From the first bits of a hash to a place below `length`. */
export function placeOf(hash, length) {
    return Math.floor((hash / 2 ** 32) * length);
}
/** Last bits of a hash, as many as stand beside a number. */
export function markOf(hash, numberBits) {
    return (hash << numberBits) >>> numberBits;
}
