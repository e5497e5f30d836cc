// What tokens were found to mean, by their characters: most tokens of a text were seen before. All of a token stands in one
// cell and is compared in place, so that a known one costs no new string and two lines of the processor's cache; what comes
// often came early, and shares lines with its like. Bounded: a search looks at a few places, and a full memo begins anew.
import { ownText } from "../../base/index-terms.js";
import { kindNumber, MAX_RUN } from "../scan-tokens.js";
import { blockOf, cellOf, MOST_BLOCKS, TokenCells } from "./token-cells.js";
import { hashOf } from "./token-hash.js";
/** Some 10 MB. */
const MOST_TOKENS = 100_000;
const FIRST_PLACES = 1 << 12;
/** Places that a search looks at: texts made to fall on one place must not slow down all others. */
const MOST_STEPS = 12;
/** A place is 0, or the number of a cell's block, and above it the first bits of the hash. */
const BLOCK_MASK = MOST_BLOCKS - 1;
/** Tokens by their characters: open addressing, at most half full. A token is the number of its cell, valid until the next is learnt. */
export class TokenMemo {
    /** What is known of each token. */
    cells;
    read;
    most;
    /** Where cells and places lie; null: in arrays of their own. */
    room;
    places = new Int32Array(0);
    size = 0;
    /** The terms of all tokens. */
    terms = [];
    termsEnd = 0;
    /** How often the memo began anew: no token outlives that. */
    age = 0;
    sought = new Uint16Array(MAX_RUN);
    /** The text whose measures were noted last, and how old the memo was. */
    measured = 0;
    measuredAge = 0;
    /** `read` finds out what a token means that is not known; it may seek others. `most` tokens are remembered. */
    constructor(read, most = MOST_TOKENS, room = null) {
        this.read = read;
        this.most = most;
        this.room = room;
        this.cells = new TokenCells(room);
        this.clear();
    }
    /** The token that stands in the text from `start` to `end`. */
    find(kind, text, start, end) {
        const length = end - start;
        if (length > this.sought.length)
            this.sought = new Uint16Array(2 * length);
        const { sought } = this;
        for (let at = 0; at < length; at++)
            sought[at] = text.charCodeAt(start + at);
        const hash = hashOf(sought, 0, length);
        const token = this.seek(hash, kind, sought, 0, length);
        return token > 0 ? token : this.learn(hash, kind, text.slice(start, end));
    }
    /** Notes in a text which of its tokens are known; others may have become known when they are asked for. */
    seekAll(text) {
        const { within, units, cellOf, size } = text;
        if (within !== null && within === this.room)
            within.seek(size, this.places.length);
        else
            for (let i = 0; i < size; i++)
                cellOf[i] = this.seek(text.hashAt(i), text.kindAt(i), units, text.startOf(i), text.endOf(i));
    }
    /** Notes of what may be measures in a text which are plain and known here, where there is a kernel for it. */
    seekMeasures({ within, measures, number }) {
        if (measures === 0 || within === null || within.measures !== this.room)
            return;
        within.seekMeasures(this.places.length);
        this.measured = number;
        this.measuredAge = this.age;
    }
    /** What was noted of a text; null: nothing that still holds. */
    measuresIn({ within, number }) {
        return this.measured === number && this.measuredAge === this.age ? within.measureCells : null;
    }
    /** Token `i` of a text. */
    findIn(text, i) {
        const hash = text.hashAt(i);
        const kind = text.kindAt(i);
        const start = text.startOf(i);
        const end = text.endOf(i);
        const token = this.seek(hash, kind, text.units, start, end);
        return token > 0 ? token : this.learn(hash, kind, text.slice(start, end));
    }
    /** The token of these code units, whose hash is that of {@link hashOf}; 0: it has to be learnt. */
    seek(hash, kind, text, start, end) {
        const { places, cells } = this;
        const number = kindNumber(kind);
        const last = places.length - 1;
        let place = hash & last;
        for (let steps = 0; steps < MOST_STEPS; steps++, place = (place + 1) & last) {
            const entry = places[place];
            if (entry === 0)
                return 0;
            if (((entry ^ hash) & ~BLOCK_MASK) !== 0)
                continue;
            const token = cellOf(entry & BLOCK_MASK);
            if (cells.isOf(token, number, text, start, end))
                return token;
        }
        return 0;
    }
    /** Reads a token that is not known. */
    learn(hash, kind, token) {
        const own = ownText(token);
        return this.keep(hash, kind, own, this.read(kind, own));
    }
    /** A token's terms. */
    termsOf(token) {
        const first = this.cells.firstTerm(token);
        return this.terms.slice(first, first + this.cells.termCount(token));
    }
    /** Writes a token down behind all others. Where there is no place to find it again, the next one takes its room. */
    keep(hash, kind, token, meaning) {
        if (this.size >= this.most)
            this.clear();
        if (2 * this.size >= this.places.length)
            this.spread();
        let cell = this.write(kind, token, meaning);
        if (cell === 0) {
            this.clear();
            cell = this.write(kind, token, meaning);
        }
        // One that took no place may have had more terms.
        this.terms.length = this.termsEnd;
        for (const term of meaning.terms)
            this.terms.push(term);
        if (this.put(hash, cell)) {
            this.size++;
            this.cells.keep(cell);
            this.termsEnd += meaning.terms.length;
        }
        return cell;
    }
    write(kind, token, { terms, length }) {
        const content = { token, kind: kindNumber(kind), firstTerm: this.termsEnd, terms: terms.length, length };
        return this.cells.write(content);
    }
    /** False: all places where it would be looked for are taken. */
    put(hash, token) {
        const last = this.places.length - 1;
        let place = hash & last;
        for (let steps = 0; steps < MOST_STEPS; steps++, place = (place + 1) & last) {
            if (this.places[place] !== 0)
                continue;
            this.places[place] = (hash & ~BLOCK_MASK) | blockOf(token);
            return true;
        }
        return false;
    }
    /** Twice as many places. */
    spread() {
        const places = this.places.slice();
        this.places = this.newPlaces(2 * places.length);
        for (const entry of places) {
            if (entry === 0)
                continue;
            const token = cellOf(entry & BLOCK_MASK);
            this.put(this.cells.hashOf(token, hashOf), token);
        }
    }
    clear() {
        this.places = this.newPlaces(FIRST_PLACES);
        this.size = 0;
        this.cells.clear();
        this.terms = [];
        this.termsEnd = 0;
        this.age++;
    }
    /** So many places, all free; those before are lost. */
    newPlaces(size) {
        return this.room === null ? new Int32Array(size) : this.room.places.subarray(0, size).fill(0);
    }
}
