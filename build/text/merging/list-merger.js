// Posting lists of several segments become one: each is decoded once, its records get their new numbers, and what they make
// together is coded at once. The patterns stay: they count a record's slots from its first.
import { decodeList } from "../lists/decode-list.js";
import { ListCoder } from "../lists/list-coder.js";
import { Pairs } from "../lists/pairs.js";
import { NO_PLACES, PatternTree } from "../lists/pattern-tree.js";
/** Merges list after list. */
export class ListMerger {
    /** Of all lists so far. */
    coder;
    segments;
    places;
    patterns = new PatternTree();
    /** The records of the present list with their patterns, ascending. */
    pairs;
    /** By rank of the list that is read: its pattern. */
    ranked = [];
    /** By record: its pattern. */
    patternOf;
    /** Records of the present list: a bit each, and a bit for 32 of them. */
    members;
    summary;
    /** `places`: of each segment the new number of each record, from 1 on; 0: it is left behind. They ascend. */
    constructor(segments, places, docCount) {
        const bits = segments.reduce((total, { starts, names }) => total + starts[names.size], 0);
        this.segments = segments;
        this.places = places;
        this.coder = new ListCoder(docCount, this.patterns, bits);
        this.pairs = new Pairs(docCount);
        this.patternOf = new Uint32Array(docCount);
        this.members = new Int32Array(Math.ceil(docCount / 32));
        this.summary = new Int32Array(Math.ceil(docCount / 1024));
    }
    /** Writes the list of a term that has the numbers `terms` in the first `size` of `segments`; returns how many records it has. */
    merge(segments, terms, size) {
        let count = 0;
        if (size === 1)
            count = this.take(segments[0], terms[0]);
        else {
            for (let i = 0; i < size; i++)
                this.scatter(segments[i], terms[i]);
            count = this.gather();
        }
        if (count > 0)
            this.coder.write(this.pairs, 0, count);
        return count;
    }
    /** A list alone is in order. */
    take(segment, term) {
        const { pairs, ranked } = this;
        const places = this.places[segment];
        const { docs, ranks, patterns, size } = decodeList(this.segments[segment], term);
        if (size > 0)
            this.name(patterns);
        let count = 0;
        for (let at = 0; at < size; at++) {
            const place = places[docs[at]];
            if (place > 0)
                pairs.set(count++, place - 1, ranked[ranks[at]]);
        }
        return count;
    }
    scatter(segment, term) {
        const { ranked } = this;
        const places = this.places[segment];
        const { docs, ranks, patterns, size } = decodeList(this.segments[segment], term);
        if (size > 0)
            this.name(patterns);
        for (let at = 0; at < size; at++) {
            const place = places[docs[at]];
            if (place === 0)
                continue;
            const doc = place - 1;
            this.patternOf[doc] = ranked[ranks[at]];
            this.members[doc >>> 5] |= 1 << (doc & 31);
            this.summary[doc >>> 10] |= 1 << ((doc >>> 5) & 31);
        }
    }
    /** Collects in order what was scattered, and leaves nothing behind. */
    gather() {
        const { pairs, patternOf, members, summary } = this;
        let count = 0;
        for (let block = 0; block < summary.length; block++) {
            let words = summary[block];
            if (words === 0)
                continue;
            summary[block] = 0;
            for (; words !== 0; words &= words - 1) {
                const word = 32 * block + lowestBit(words);
                for (let bits = members[word]; bits !== 0; bits &= bits - 1) {
                    const doc = 32 * word + lowestBit(bits);
                    pairs.set(count++, doc, patternOf[doc]);
                }
                members[word] = 0;
            }
        }
        return count;
    }
    /** Finds the numbers of a list's patterns. */
    name({ starts, offsets, freqs, size }) {
        for (let rank = 0; rank < size; rank++) {
            let pattern = NO_PLACES;
            for (let place = starts[rank]; place < starts[rank + 1]; place++)
                pattern = this.patterns.with(pattern, offsets[place], freqs[place]);
            this.ranked[rank] = pattern;
        }
    }
}
function lowestBit(bits) {
    return 31 - Math.clz32(bits & -bits);
}
