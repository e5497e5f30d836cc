// Which values each record has, as one number: records with the same values share it. To count values, records are counted by
// that number, however many values each has, and what is counted is handed on to the values.
/** Of more different rows a part as great of the records, counting them spares nothing. */
const MOST_SHARE = 1 / 4;
const MOST_ROWS = 65_536;
/** As many are told by a byte. */
const MOST_IN_BYTES = 256;
const PAUSE_EVERY = 1 << 14;
/** Of fewer records than one in so many, most rows are fetched from memory: all at once, if nothing is guessed in between. */
const LISTED_SHARE = 16;
const LISTED = new Uint32Array(65_536 / LISTED_SHARE);
/** The rows of a column: lists of codes that records have, and the beginnings of these lists. Row 0 is empty. */
export class ValueRows {
    /** By record. */
    rowOf;
    /** Of a row the one without its last code, which is an earlier row; and that code. */
    rests;
    lasts;
    /** How many records have each row; all zero between two uses. */
    counts;
    constructor(rowOf, rests, lasts) {
        this.rowOf = rests.length <= MOST_IN_BYTES ? Uint8Array.from(rowOf) : rowOf;
        this.rests = Uint16Array.from(rests);
        this.lasts = Uint16Array.from(lasts);
        this.counts = new Uint32Array(rests.length);
    }
    /** Adds to `counts`, by code, how many of the records, which are `size`, have it. */
    count(docs, size, counts) {
        const { rests, lasts, counts: byRow } = this;
        if (size * LISTED_SHARE < docs.size)
            countListed(docs, this.rowOf, byRow);
        else
            countBits(docs, this.rowOf, byRow);
        for (let row = byRow.length - 1; row > 0; row--) {
            const count = byRow[row];
            counts[lasts[row]] += count;
            byRow[rests[row]] += count;
            byRow[row] = 0;
        }
        byRow[0] = 0;
    }
    get bytes() {
        return this.rowOf.byteLength + this.rests.byteLength + this.lasts.byteLength + this.counts.byteLength;
    }
}
function countListed(docs, rowOf, counts) {
    const size = docs.listWithin(0, docs.size, LISTED);
    for (let i = 0; i < size; i++)
        counts[rowOf[LISTED[i]]]++;
}
function countBits({ words }, rowOf, counts) {
    for (let i = 0; i < words.length; i++)
        for (let word = words[i]; word !== 0; word &= word - 1)
            counts[rowOf[i * 32 + 31 - Math.clz32(word & -word)]]++;
}
const known = new WeakMap();
/** The rows of a column that has no list of holders, made once; null: they are too many. */
export function* rowsOf(column) {
    let rows = known.get(column);
    if (rows === undefined) {
        rows = yield* findRows(column);
        known.set(column, rows);
    }
    return rows;
}
/** The memory that the rows of a column take, if they were made. */
export function bytesOfRows(column) {
    return known.get(column)?.bytes ?? 0;
}
function* findRows({ docCount, starts, codes, values }) {
    const most = Math.min(MOST_ROWS, docCount * MOST_SHARE);
    if (values.length >= most)
        return null;
    const rowOf = new Uint16Array(docCount);
    // The row of one value alone comes just behind its code.
    const rests = [0, ...values.map(() => 0)];
    const lasts = [0, ...values.keys()];
    const longer = new Map();
    for (let doc = 0; doc < docCount; doc++) {
        if (doc % PAUSE_EVERY === 0)
            yield;
        const end = starts[doc + 1];
        let at = starts[doc];
        if (at === end)
            continue;
        let row = codes[at] + 1;
        for (at++; at < end; at++) {
            const key = row * MOST_ROWS + codes[at];
            let next = longer.get(key);
            if (next === undefined) {
                if (rests.length >= most)
                    return null;
                next = rests.push(row) - 1;
                lasts.push(codes[at]);
                longer.set(key, next);
            }
            row = next;
        }
        rowOf[doc] = row;
    }
    return new ValueRows(rowOf, rests, lasts);
}
