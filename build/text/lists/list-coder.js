// Writes one posting list after the other, as `decode-list` and `posting-cursor` read them.
import { GrowableUint32 } from "../../base/growable.js";
import { BitWriter, gapWidth } from "./bits.js";
import { BLOCK_BITS, PLACE_MASK } from "./posting-cursor.js";
/** Words of 32 bits of a block, as a power of two. */
const BLOCK_WORDS = BLOCK_BITS - 5;
/** Longer lists of patterns are worth a sort of V8's. */
const FEW = 16;
/** Codes the lists of a segment. */
export class ListCoder {
    bits;
    /** Of each block of bits where in it a record begins, and above that the record before. */
    marks = new GrowableUint32();
    docCount;
    patterns;
    /** Postings written: a record's is one for each field in which it holds the term. */
    postings = 0;
    /** By pattern: how many records of the present list have it, and its rank among those of the list. */
    counts;
    ranks;
    /** The patterns of the present list stand at its beginning; what is behind them is of no meaning. */
    found = [];
    constructor(docCount, patterns, expectedBits) {
        this.docCount = docCount;
        this.patterns = patterns;
        this.counts = new Uint32Array(patterns.size);
        this.ranks = new Uint32Array(patterns.size);
        this.bits = new BitWriter(expectedBits);
        this.marks.push(0);
    }
    /** The lists so far. Nothing can be written afterwards. */
    finish() {
        return { words: this.bits.toWords(), marks: this.marks.toArray(), size: this.postings };
    }
    /** Writes the list of the records from number `from` of `pairs` up to number `to`, which ascend; there is at least one. */
    write(pairs, from, to) {
        if (this.counts.length < this.patterns.size)
            this.grow();
        const { bits, counts, ranks, marks } = this;
        const found = this.found;
        let size = 0;
        for (let at = from; at < to; at++) {
            const pattern = pairs.patternAt(at);
            if (counts[pattern]++ === 0)
                found[size++] = pattern;
        }
        if (size > 1)
            this.sortFound(size);
        bits.gamma(to - from);
        bits.gamma(size);
        for (let rank = 0; rank < size; rank++) {
            const pattern = found[rank];
            this.postings += counts[pattern] * this.patterns.write(pattern, bits);
            this.ranks[pattern] = rank;
            counts[pattern] = 0;
        }
        // No record of this list begins before.
        while (marks.length <= bits.full >>> BLOCK_WORDS)
            marks.push(0);
        const width = gapWidth(this.docCount, to - from);
        for (let at = from, last = -1; at < to; at++) {
            const doc = pairs.docAt(at);
            if (size > 1)
                bits.gapAndGamma(doc - last - 1, width, ranks[pairs.patternAt(at)] + 1);
            else
                bits.gap(doc - last - 1, width);
            last = doc;
            // A record is shorter than a block.
            if (marks.length <= bits.full >>> BLOCK_WORDS)
                marks.push((doc << BLOCK_BITS) | (bits.length & PLACE_MASK));
        }
    }
    /** Puts the first `size` patterns that were found in order. Few are put in order where they stand. */
    sortFound(size) {
        const { found } = this;
        if (size > FEW) {
            const sorted = found.slice(0, size).sort((a, b) => this.compare(a, b));
            for (let at = 0; at < size; at++)
                found[at] = sorted[at];
            return;
        }
        for (let at = 1; at < size; at++) {
            const pattern = found[at];
            let to = at;
            for (; to > 0 && this.compare(found[to - 1], pattern) > 0; to--)
                found[to] = found[to - 1];
            found[to] = pattern;
        }
    }
    /** Those with the most records come first, and of equal ones it is their places that tell: their numbers may be any. */
    compare(a, b) {
        return this.counts[b] - this.counts[a] || this.patterns.compare(a, b);
    }
    /** New patterns came since. */
    grow() {
        this.counts = new Uint32Array(2 * this.patterns.size);
        this.ranks = new Uint32Array(2 * this.patterns.size);
    }
}
