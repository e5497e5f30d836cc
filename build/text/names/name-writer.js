// Writes tables of names: each once, in their order, from texts or from other tables.
import { ascending } from "../ascending.js";
import { hashedUnit, mixed, SALT } from "./name-hash.js";
import { EMPTY, markOf, NameTable, placeOf } from "./name-table.js";
const LAST_NARROW = 0xff;
/** Places in the table of hashes a name. */
const ROOM = 1.4;
/** Names between two pauses. */
const PAUSE_EVERY = 1 << 12;
/** The table of the names at the places that `order` has, which must ascend. */
export function* writeNames(names, order) {
    let units = 0;
    for (let i = 0; i < names.length; i++) {
        if (i % PAUSE_EVERY === 0)
            yield;
        units += names[i].length;
    }
    const writer = new NameWriter(names.length, 2 * units);
    for (let number = 0; number < names.length; number++) {
        if (number % PAUSE_EVERY === 0)
            yield;
        writer.addText(names[order[number]]);
    }
    return yield* writer.finish();
}
/** Takes names one after the other; they ascend. */
export class NameWriter {
    /** Names so far. */
    size = 0;
    characters;
    offsets;
    hashes;
    wide;
    /** Room for so many names, of so many bytes in all; what is never touched costs nothing. */
    constructor(names, bytes) {
        this.characters = new Uint8Array(bytes);
        this.offsets = new Uint32Array(names + 1);
        this.hashes = new Uint32Array(names);
        this.wide = new Uint32Array(Math.ceil(names / 32));
    }
    /** Adds a text. */
    addText(name) {
        const { characters } = this;
        let to = this.offsets[this.size];
        let hash = SALT;
        for (let i = 0; i < name.length; i++) {
            const unit = name.charCodeAt(i);
            if (unit > LAST_NARROW) {
                this.addWide(name);
                return;
            }
            characters[to++] = unit;
            hash = hashedUnit(hash, unit);
        }
        this.end(to, hash);
    }
    /** Adds the name that stands in the bytes of a table from `from` up to `to`. */
    addBytes(bytes, [from, to], isWide) {
        const { characters } = this;
        let end = this.offsets[this.size];
        let hash = SALT;
        for (let at = from; at < to; at++) {
            characters[end++] = bytes[at];
            if (!isWide)
                hash = hashedUnit(hash, bytes[at]);
            else if (((at - from) & 1) === 1)
                hash = hashedUnit(hash, bytes[at - 1] | (bytes[at] << 8));
        }
        if (isWide)
            this.markWide();
        this.end(end, hash);
    }
    /** The table; the writer is of no use afterwards. */
    *finish() {
        const { size, hashes } = this;
        const offsets = this.offsets.subarray(0, size + 1);
        const characters = this.characters.slice(0, offsets[size]);
        yield;
        const table = new Uint32Array(Math.ceil(size * ROOM) + 1).fill(EMPTY);
        // One number more than there are: no entry has all bits set.
        const numberBits = 32 - Math.clz32(size);
        for (let number = 0; number < size; number++) {
            if (number % PAUSE_EVERY === 0)
                yield;
            enter(hashes[number], number, table, numberBits);
        }
        return new NameTable({
            size,
            offsets: yield* ascending(offsets),
            wide: this.wide.slice(0, Math.ceil(size / 32)),
            characters,
            table,
            numberBits,
            salt: SALT,
        });
    }
    addWide(name) {
        const { characters } = this;
        let to = this.offsets[this.size];
        let hash = SALT;
        this.markWide();
        for (let i = 0; i < name.length; i++) {
            const unit = name.charCodeAt(i);
            characters[to++] = unit & LAST_NARROW;
            characters[to++] = unit >>> 8;
            hash = hashedUnit(hash, unit);
        }
        this.end(to, hash);
    }
    markWide() {
        this.wide[this.size >>> 5] |= 1 << (this.size & 31);
    }
    end(to, hash) {
        this.hashes[this.size] = mixed(hash);
        this.offsets[++this.size] = to;
    }
}
function enter(hash, number, table, numberBits) {
    let at = placeOf(hash, table.length);
    while (table[at] !== EMPTY)
        at = at + 1 === table.length ? 0 : at + 1;
    table[at] = (markOf(hash, numberBits) << numberBits) | number;
}
