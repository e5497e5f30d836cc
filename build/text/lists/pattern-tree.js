// The patterns in which the records of a segment hold terms, while its lists are written: each is another one and a place more,
// so that a pattern is found place by place, in one look-up each.
import { GrowableUint32 } from "../../base/growable.js";
/** The pattern of no place. */
export const NO_PLACES = 0;
/** More occurrences are not told apart. */
const MAX_FREQUENCY = 0xffff;
const FIRST_TABLE = 256;
/** Patterns by number. */
export class PatternTree {
    /** Of each pattern the one without its last place, which of its record's slots that is, and how often the term stands there. */
    parents = new GrowableUint32();
    offsets = new GrowableUint32();
    freqs = new GrowableUint32();
    /** Patterns by hash; 0: none. At most half of it is used. */
    table = new Uint32Array(FIRST_TABLE);
    /** Those of the pattern that is written; kept, because most lists have a pattern of their own to write. */
    places = [];
    constructor() {
        this.push(NO_PLACES, 0, 0);
    }
    /** How many there are. */
    get size() {
        return this.parents.length;
    }
    /** A pattern with a place more, behind its others. */
    with(pattern, offset, freq) {
        const { parents, offsets, freqs, table } = this;
        const mask = table.length - 1;
        let at = hashOf(pattern, offset, freq) & mask;
        for (let known = table[at]; known !== 0; known = table[at]) {
            if (offsets.array[known] === offset && freqs.array[known] === freq && parents.array[known] === pattern)
                return known;
            at = (at + 1) & mask;
        }
        const made = this.push(pattern, offset, freq);
        table[at] = made;
        if (2 * made > mask)
            this.grow();
        return made;
    }
    /** A pattern with one occurrence more at `offset`, which is that of its last place or comes behind it. */
    withOneMore(pattern, offset) {
        const isLast = pattern !== NO_PLACES && this.offsets.array[pattern] === offset;
        if (!isLast)
            return this.with(pattern, offset, 1);
        const freq = this.freqs.array[pattern];
        return freq < MAX_FREQUENCY ? this.with(this.parents.array[pattern], offset, freq + 1) : pattern;
    }
    /** The order of patterns by their places, whatever their numbers: below 0, `a` comes before `b`. */
    compare(a, b) {
        const { parents, offsets, freqs } = this;
        for (; a !== b; a = parents.array[a], b = parents.array[b]) {
            // Only NO_PLACES ends before another does.
            if (a === NO_PLACES || b === NO_PLACES)
                return a - b;
            const difference = offsets.array[a] - offsets.array[b] || freqs.array[a] - freqs.array[b];
            if (difference !== 0)
                return difference;
        }
        return 0;
    }
    /** Writes a pattern as `Patterns` reads it; returns how many places it has. */
    write(pattern, bits) {
        const { parents, offsets, freqs } = this;
        const places = this.places;
        let left = 0;
        for (let at = pattern; at !== NO_PLACES; at = parents.array[at])
            places[left++] = at;
        const size = left;
        bits.gamma(size);
        let before = -1;
        while (left > 0) {
            const at = places[--left];
            bits.gamma(offsets.array[at] - before);
            bits.gamma(freqs.array[at]);
            before = offsets.array[at];
        }
        return size;
    }
    push(parent, offset, freq) {
        this.parents.push(parent);
        this.offsets.push(offset);
        this.freqs.push(freq);
        return this.size - 1;
    }
    grow() {
        const table = new Uint32Array(2 * this.table.length);
        const mask = table.length - 1;
        for (let pattern = 1; pattern < this.size; pattern++) {
            const parts = [this.parents, this.offsets, this.freqs].map(({ array }) => array[pattern]);
            let at = hashOf(parts[0], parts[1], parts[2]) & mask;
            while (table[at] !== 0)
                at = (at + 1) & mask;
            table[at] = pattern;
        }
        this.table = table;
    }
}
function hashOf(parent, offset, freq) {
    let hash = Math.imul(parent ^ 0x9e3779b1, 0x85ebca6b);
    hash = Math.imul((hash ^ (hash >>> 15)) + offset, 0xc2b2ae35);
    hash = Math.imul((hash ^ (hash >>> 13)) + freq, 0x9e3779b1);
    return hash ^ (hash >>> 16);
}
