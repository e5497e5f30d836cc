// The terms of a segment that is being written, numbered as they come. Found by a table of our own: a Map of strings takes
// several times as long where most of its keys are new, as they are for each segment.
import { GrowableUint32 } from "../base/growable.js";
import { hashOf, SALT } from "./names/name-hash.js";
/** Tables; several, because a large one takes long to grow. */
const SHELVES = 32;
const SHELF_BITS = 5;
const FIRST_PLACES = 64;
/** Distinct terms by number. */
export class WrittenNames {
    names = [];
    hashes = new GrowableUint32();
    /** Of each shelf, by the hash: a number counted from 1; 0: none. At most half full. */
    tables = Array.from({ length: SHELVES }, () => new Int32Array(FIRST_PLACES));
    counts = new Uint32Array(SHELVES);
    /** The number of a term; it gets one when it has none, and `own` makes the text that is kept. */
    numberOf(text, own) {
        const hash = hashOf(text, SALT);
        const shelf = hash & (SHELVES - 1);
        const table = this.tables[shelf];
        const last = table.length - 1;
        let place = (hash >>> SHELF_BITS) & last;
        for (let entry = table[place]; entry !== 0; entry = table[place]) {
            const number = entry - 1;
            if (this.hashes.array[number] === hash && this.names[number] === text)
                return number;
            place = (place + 1) & last;
        }
        const number = this.names.length;
        this.names.push(own(text));
        this.hashes.push(hash);
        table[place] = number + 1;
        if (2 * ++this.counts[shelf] > last)
            this.grow(shelf);
        return number;
    }
    grow(shelf) {
        const table = this.tables[shelf];
        const larger = new Int32Array(2 * table.length);
        const last = larger.length - 1;
        for (const entry of table) {
            if (entry === 0)
                continue;
            let place = (this.hashes.array[entry - 1] >>> SHELF_BITS) & last;
            while (larger[place] !== 0)
                place = (place + 1) & last;
            larger[place] = entry;
        }
        this.tables[shelf] = larger;
    }
}
