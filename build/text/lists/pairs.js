// Records with their patterns, while lists are written: as many as a segment has, put at places far from each other, so each
// takes one number of 32 bits. Where there are more patterns than 16 bits tell apart, the others' bits stand aside.
const LOW_BITS = 16;
const LOW = 0xffff;
/** So many pairs of a record below 65,536 and a pattern. */
export class Pairs {
    pairs;
    high = null;
    constructor(size) {
        this.pairs = new Uint32Array(size);
    }
    docAt(place) {
        return this.pairs[place] >>> LOW_BITS;
    }
    patternAt(place) {
        const low = this.pairs[place] & LOW;
        return this.high === null ? low : ((this.high[place] << LOW_BITS) | low) >>> 0;
    }
    set(place, doc, pattern) {
        this.pairs[place] = (doc << LOW_BITS) | (pattern & LOW);
        if (this.high === null && pattern <= LOW)
            return;
        this.high ??= new Uint16Array(this.pairs.length);
        this.high[place] = pattern >>> LOW_BITS;
    }
}
