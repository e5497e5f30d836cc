// Where the tokens of a memo lie, each in one cell: its kind and characters, which terms are its, and the numbers by which whoever
// takes many of them knows these terms. Cells are found by their places, which the memo keeps.
/** Cells are counted in blocks; a block has so many numbers of 32 bits, as a shift. Block 0 is nobody's. */
const BLOCK_SHIFT = 2;
/** No more than this many blocks. */
export const MOST_BLOCKS = 1 << 20;
const FIRST_LENGTH = 1 << 12;
/**
 * A cell: kind and length in characters, the first of the token's terms, how many there are and what it counts, who noted
 * their numbers; then its code units, two in a number; then the numbers.
 */
const TERMS = 1;
const COUNTS = 2;
const OWNER = 3;
const HEAD = 4;
const HIGH = 16;
const LOW = 0xffff;
/** Cells by their numbers, which are where they begin. */
export class TokenCells {
    /** Null: they lie in an array that grows. */
    room;
    cells;
    /** The same as code units. */
    units;
    /** Where the next one begins. */
    top = 0;
    constructor(room) {
        this.room = room;
        this.cells = room?.cells ?? new Int32Array(FIRST_LENGTH);
        this.units = unitsOf(this.cells);
        this.clear();
    }
    clear() {
        this.top = 1 << BLOCK_SHIFT;
        if (this.room !== null)
            return;
        this.cells = new Int32Array(FIRST_LENGTH);
        this.units = unitsOf(this.cells);
    }
    /** Writes the next cell; 0: there is no more room. It is written over unless it is kept. */
    write({ token, kind, firstTerm, terms, length }) {
        const top = this.top;
        if (!this.makeRoom(top + sizeOf(token.length, terms)))
            return 0;
        const { cells, units } = this;
        cells[top] = token.length | (kind << HIGH);
        cells[top + TERMS] = firstTerm;
        cells[top + COUNTS] = terms | (length << HIGH);
        cells[top + OWNER] = 0;
        const from = 2 * (top + HEAD);
        for (let at = 0; at < token.length; at++)
            units[from + at] = token.charCodeAt(at);
        return top;
    }
    /** Keeps the cell that was written. */
    keep(cell) {
        this.top += sizeOf(this.cells[cell] & LOW, this.termCount(cell));
    }
    /** Whether a cell is that of the token of this kind that stands in the text from `start` to `end`. */
    isOf(cell, kind, text, start, end) {
        if (this.cells[cell] !== ((end - start) | (kind << HIGH)))
            return false;
        const { units } = this;
        for (let at = start, to = 2 * (cell + HEAD); at < end; at++, to++)
            if (units[to] !== text[at])
                return false;
        return true;
    }
    /** The hash of a cell's token. */
    hashOf(cell, hash) {
        const from = 2 * (cell + HEAD);
        return hash(this.units, from, from + (this.cells[cell] & LOW));
    }
    firstTerm(cell) {
        return this.cells[cell + TERMS];
    }
    termCount(cell) {
        return this.cells[cell + COUNTS] & LOW;
    }
    lengthOf(cell) {
        return this.cells[cell + COUNTS] >>> HIGH;
    }
    /** Who noted the numbers of a cell's terms; 0: nobody. */
    ownerOf(cell) {
        return this.cells[cell + OWNER];
    }
    setOwner(cell, owner) {
        this.cells[cell + OWNER] = owner;
    }
    /** Where the numbers stand that were noted for a cell's terms, in {@link numbers}. */
    numbersAt(cell) {
        return numbersOf(cell, this.cells[cell] & LOW);
    }
    /** All cells as numbers; valid until the next is written. */
    get numbers() {
        return this.cells;
    }
    makeRoom(end) {
        if (end >> BLOCK_SHIFT >= MOST_BLOCKS)
            return false;
        if (end <= this.cells.length)
            return true;
        if (this.room !== null)
            return false;
        const larger = new Int32Array(Math.max(end, 2 * this.cells.length));
        larger.set(this.cells);
        this.cells = larger;
        this.units = unitsOf(larger);
        return true;
    }
}
/** A number from 1 on for a cell, in as few bits as all have room in. */
export function blockOf(cell) {
    return cell >> BLOCK_SHIFT;
}
/** The cell of such a number. */
export function cellOf(block) {
    return block << BLOCK_SHIFT;
}
function unitsOf(cells) {
    return new Uint16Array(cells.buffer, cells.byteOffset, 2 * cells.length);
}
function numbersOf(cell, length) {
    return cell + HEAD + ((length + 1) >> 1);
}
/** Whole blocks. */
function sizeOf(length, terms) {
    const last = (1 << BLOCK_SHIFT) - 1;
    return (numbersOf(0, length) + terms + last) & ~last;
}
